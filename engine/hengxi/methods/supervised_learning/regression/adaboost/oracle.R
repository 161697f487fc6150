# How oracle.json was made: Rscript oracle.R > oracle.json. The trees are exported node by node and walked here (R 4.2.2); the losses of
# the rounds and the weights of the trees are derived from the data by AdaBoost.R2 (Drucker 1997).
source("../../_shared/learner.R"); source("../../_shared/trees.R"); source("../../_shared/boosted.R"); source("../../_shared/ada.R")
run <- function(title, name, data, form, measures, says = list(), rate = 1, loss = "linear") {
  trees <- read_trees(sprintf("oracle-%s-trees.csv", name)); r <- read.csv(sprintf("oracle-%s-rounds.csv", name)); d <- read_learner(name); y <- d$d$y[r$row]; s <- r2(trees, d$X[r$row, , drop = FALSE], y, r$w, rate, loss); said <- list()
  more <- function(case, add) { X <- case$X[r$row, , drop = FALSE]
    for (i in unique(c(1, 2, length(trees)))) add("course", list(round = i), list(round = i, loss = s$error[i], weight = s$weight[i], rmse = sqrt(mean((medians_of(trees[seq_len(i)], s$weight[seq_len(i)])(X)[, 1] - y)^2))))
    said <<- ada_rounds(case, add, name, function(trees, X, y, w) r2(trees, X, y, w, rate, loss), medians_of, "squared", length(trees)) }
  out <- learner_case(title, name, data, form, measures, medians_of(trees, s$weight), share = tree_shares(trees, s$weight, d$variable, length(form$x)), more = more)
  out$says <- c(out$says, says, said, "平均损失按该轮的行权重计"); out }
cars_case <- run("车型的油耗，15 轮", "cars", "example.csv", list(y = "mpg", x = c("cyl", "disp", "hp", "wt"), n_estimators = 15, cv_folds = 4), list(), list("“SHAP 依赖图（定类变量）”未给出"))
rent_case <- run("房租，加权，有缺失，指数误差函数", "rent", "oracle-rent.csv", list(y = "月租", x = c("面积", "区", "装修", "楼层"), weight = "权重", missing = "median", cv_folds = 0, n_estimators = 12, loss = "exponential", learning_rate = .5, base_depth = 2),
  list(区 = "定类", 装修 = "定类"), list("没有要求交叉验证", "学习曲线需要交叉验证"), rate = .5, loss = "exponential")
finish(list("R 4.2.2：由导出的树按 AdaBoost.R2 另行求得各轮的平均损失与权重，再计算加权中位数、逐轮损失、重要性、全部组合的 Shapley 值与各项得分"), list(cars_case, rent_case), quick = list(n_estimators = 10, cv_folds = 3, shap = FALSE))
