# How oracle.json was made: Rscript oracle.R > oracle.json. The trees are exported node by node and walked here (R 4.2.2):
# predictions, importance, TreeSHAP by all coalitions, rows by the trees that had not seen them. ranger 0.14.1 with random cuts
# on the same rows must come near the error of the test rows.
source("../../_shared/learner.R"); source("../../_shared/trees.R"); suppressMessages(library(ranger))
run <- function(title, name, data, form, measures, says = list(), oob = FALSE) {
  trees <- read_trees(sprintf("oracle-%s-trees.csv", name)); case <- read_learner(name); said <- list()
  more <- function(case, add) if (oob) { o <- left_out_answers(sprintf("oracle-%s-seen.csv", name), trees, case$X)[case$train, 1]; known <- !is.na(o); s <- value_scores(case$y[case$train][known], o[known])
      add("oob", none, s[c("n", "r2", "mse", "rmse")]); if (any(!known)) said <<- c(said, list(list(contains = "没有袋外预测", facts = list(k = sum(!known))))) }
  out <- learner_case(title, name, data, form, measures, forest_answers(trees), share = impurity_shares(trees, case$variable, length(form$x)), worth = by_trees(trees), more = more, kind = "TreeSHAP")
  out$says <- c(out$says, says, said); out }
cars_case <- run("车型的油耗，50 棵树", "cars", "example.csv", list(y = "mpg", x = c("cyl", "disp", "hp", "wt"), n_estimators = 50, cv_folds = 4), list(), list("只会在训练集的范围", "“SHAP 依赖图（定类变量）”未给出"))
d <- read_learner("cars")$d; cars <- read.csv("example.csv"); set.seed(1)
fit <- ranger(mpg ~ cyl + disp + hp + wt, cars[d$part == "train", ], num.trees = 500, mtry = 2, splitrule = "extratrees", num.random.splits = 1, replace = FALSE, sample.fraction = 1, min.node.size = 1)
own <- Filter(function(b) b$table == "evaluation" && b$where$part == "测试集", cars_case$expect)[[1]]$cells$rmse
theirs <- sqrt(mean((cars$mpg[d$part == "test"] - predict(fit, cars[d$part == "test", ])$predictions)^2)); stopifnot(abs(theirs - own) < .25 * own)
rent_case <- run("房租，加权，有放回采样，有缺失", "rent", "oracle-rent.csv", list(y = "月租", x = c("面积", "区", "装修", "楼层"), weight = "权重", missing = "median", cv_folds = 0, min_samples_leaf = 4, n_estimators = 15, bootstrap = TRUE, oob_score = TRUE),
  list(区 = "定类", 装修 = "定类"), list("没有要求交叉验证", "学习曲线需要交叉验证", list(contains = "切分点又是随机的", facts = list(k = 15))), oob = TRUE)
finish(c("R 4.2.2：由导出的树另行计算预测、袋外、重要性、全部组合的 Shapley 值与各项得分", "ranger 0.14.1：splitrule = extratrees，测试行的 RMSE 相近"), list(cars_case, rent_case), quick = list(n_estimators = 10, cv_folds = 3, shap = FALSE))
