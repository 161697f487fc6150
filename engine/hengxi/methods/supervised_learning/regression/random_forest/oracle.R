# How oracle.json was made: Rscript oracle.R > oracle.json. The trees are exported node by node and walked here (R 4.2.2):
# predictions, importance, TreeSHAP by all coalitions, rows by the trees that had not seen them. randomForest 4.7-1.1 on the same
# rows must come near the error out of bag.
source("../../_shared/learner.R"); source("../../_shared/trees.R"); suppressMessages(library(randomForest))
run <- function(title, name, data, form, measures, says = list(), oob = FALSE) {
  trees <- read_trees(sprintf("oracle-%s-trees.csv", name)); case <- read_learner(name); said <- list()
  more <- function(case, add) {
    each <- sapply(trees, function(t) t$p[leaf(t, single(case$X[case$test, , drop = FALSE])), 1]); q <- apply(each, 1, quantile, c(.025, .975), type = 7)
    for (i in c(1, length(case$test))) { r <- case$test[i]; add("spans", list(row = case$d$row[r]), list(actual = case$y[r], predicted = case$P[r, 1], low = q[1, i], high = q[2, i])) }
    add("covered", none, list(n = length(case$test), inside = mean(q[1, ] <= case$y[case$test] & case$y[case$test] <= q[2, ]))); said <<- list("这是各树预测值的经验范围")
    if (oob) { o <- left_out_answers(sprintf("oracle-%s-seen.csv", name), trees, case$X)[case$train, 1]; known <- !is.na(o); s <- value_scores(case$y[case$train][known], o[known])
      add("oob", none, s[c("n", "r2", "mse", "rmse")]); if (any(!known)) said <<- c(said, list(list(contains = "没有袋外预测", facts = list(k = sum(!known))))) } }
  out <- learner_case(title, name, data, form, measures, forest_answers(trees), share = impurity_shares(trees, case$variable, length(form$x)), worth = by_trees(trees), more = more, kind = "TreeSHAP")
  out$says <- c(out$says, says, said); out }
cars_case <- run("车型的油耗，20 棵树", "cars", "example.csv", list(y = "mpg", x = c("cyl", "disp", "hp", "wt"), n_estimators = 20, cv_folds = 4), list(), list("只会在训练集的范围", "“SHAP 依赖图（定类变量）”未给出"), oob = TRUE)
d <- read_learner("cars")$d; cars <- read.csv("example.csv")[d$part == "train", ]; set.seed(1); fit <- randomForest(mpg ~ cyl + disp + hp + wt, cars, ntree = 500, mtry = 2)
rent_case <- run("房租，加权，有缺失", "rent", "oracle-rent.csv", list(y = "月租", x = c("面积", "区", "装修", "楼层"), weight = "权重", missing = "median", cv_folds = 0, min_samples_leaf = 4, n_estimators = 15, bootstrap = TRUE, oob_score = TRUE),
  list(区 = "定类", 装修 = "定类"), list("没有要求交叉验证", "学习曲线需要交叉验证"), oob = TRUE)
o <- Filter(function(b) b$table == "oob", cars_case$expect)[[1]]$cells; stopifnot(abs(sqrt(tail(fit$mse, 1)) - o$rmse) < .35 * o$rmse)
finish(c("R 4.2.2：由导出的树另行计算预测、袋外、各树的分位数、重要性、全部组合的 Shapley 值与各项得分", "randomForest 4.7-1.1：同样的行上另长一片森林，袋外 RMSE 相近"), list(cars_case, rent_case), quick = list(n_estimators = 10, cv_folds = 3, shap = FALSE))
