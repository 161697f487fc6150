# How oracle.json was made: Rscript oracle.R > oracle.json. The tree is exported node by node and walked here (R 4.2.2); rpart
# 4.1.19 must leave the same sum of squares on the cars. Rules, pruning by weakest links, TreeSHAP by all coalitions.
source("../../_shared/learner.R"); source("../../_shared/trees.R"); source("../../_shared/single_tree.R"); suppressMessages(library(rpart))
run <- function(title, name, data, form, measures, says = list()) {
  tree <- read_trees(sprintf("oracle-%s-trees.csv", name))[[1]]; file <- sprintf("oracle-%s-fold-trees.csv", name); case <- read_learner(name); said <- list()
  more <- function(case, add) said <<- whole_tree(case, add, tree, if (file.exists(file)) read_trees(file), function(A, rows) sqrt(mean((case$y[rows] - A[, 1])^2)), "min",
    function(n, y) c(list(value = tree$p[n, 1]), if (length(y) > 1) list(sd = sd(y))), case$train)
  out <- learner_case(title, name, data, form, measures, forest_answers(list(tree)), share = impurity_shares(list(tree), case$variable, length(form$x)), worth = by_trees(list(tree)), more = more, kind = "TreeSHAP")
  out$says <- c(out$says, says, said); out }
cars_case <- run("车型的油耗，深度至多 3", "cars", "example.csv", list(y = "mpg", x = c("cyl", "disp", "hp", "wt"), max_depth = 3, cv_folds = 4), list(), says = list("只会在训练集的范围", "“SHAP 依赖图（定类变量）”未给出"))
d <- read_learner("cars")$d; cars <- read.csv("example.csv"); fit <- rpart(mpg ~ cyl + disp + hp + wt, cars[d$part == "train", ], method = "anova", cp = 0, minsplit = 2, minbucket = 1, maxdepth = 3, xval = 0)
ours <- sum((d$y - d$p1)[d$part == "train"]^2); stopifnot(abs(sum(residuals(fit)^2) - ours) < .02 * ours)
rent_case <- run("房租，加权，有缺失", "rent", "oracle-rent.csv", list(y = "月租", x = c("面积", "区", "装修", "楼层"), weight = "权重", missing = "median", cv_folds = 0, min_samples_leaf = 4, max_leaf_nodes = 8),
  list(区 = "定类", 装修 = "定类"), says = list("没有要求交叉验证", "剪枝路径需要交叉验证", "学习曲线需要交叉验证"))
finish(c("R 4.2.2：由导出的树另行计算预测、规则、剪枝路径、重要性、全部组合的 Shapley 值与各项得分", "rpart 4.1.19：同样深的树，训练行的残差平方和"), list(cars_case, rent_case), quick = list(cv_folds = 3, shap = FALSE))
