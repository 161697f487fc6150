# How oracle.json was made: Rscript oracle.R > oracle.json. The tree is exported node by node and walked here (R 4.2.2); rpart
# 4.1.19 must split the irises alike at the root and below it. Rules, pruning by weakest links, TreeSHAP by all coalitions.
source("../../_shared/learner.R"); source("../../_shared/trees.R"); source("../../_shared/single_tree.R"); suppressMessages(library(rpart))
run <- function(title, name, data, form, measures, event = NULL, t = .5, says = list()) {
  tree <- read_trees(sprintf("oracle-%s-trees.csv", name))[[1]]; fold_trees <- read_trees(sprintf("oracle-%s-fold-trees.csv", name)); case <- read_learner(name)
  raw <- read.csv(data, check.names = FALSE); classes <- unique(raw[[form$y]]); k <- length(classes); said <- list()
  shares <- function(n) { p <- tree$p[n, ]; p / sum(p) }
  call_of <- function(n) called(matrix(shares(n), 1), event, t)
  more <- function(case, add) said <<- whole_tree(case, add, tree, fold_trees, function(A, rows) mean(called(A / rowSums(A), event, t) == case$y[rows]), "max",
    function(n, y) list(purity = shares(n)[call_of(n)], impurity = max(0, tree$impurity[n])), case$train)
  out <- learner_case(title, name, data, form, measures, function(X) { A <- forest_answers(list(tree))(X); A / rowSums(A) }, event, t,
    share = impurity_shares(list(tree), case$variable, length(form$x)), worth = by_trees(list(tree)), more = more, kind = "TreeSHAP")
  out$says <- c(out$says, says, said); out }
iris_case <- run("鸢尾花，深度至多 4", "iris", "example.csv", list(y = "species", x = c("sepal_length", "sepal_width", "petal_length", "petal_width"), max_depth = 4), list(species = "定类"))
tree <- read_trees("oracle-iris-trees.csv")[[1]]; d <- read_learner("iris")$d; own <- read.csv("example.csv")[d$part == "train", ]
fit <- rpart(species ~ ., own, method = "class", parms = list(split = "gini"), cp = 0, minsplit = 2, minbucket = 1, maxdepth = 2, xval = 0)
root <- fit$frame$n[rownames(fit$frame) %in% c("2", "3")]; stopifnot(setequal(root, tree$cover[c(tree$left[1], tree$right[1])]))
churn_case <- run("客户流失，类别加权，信息熵", "churn", "oracle-churn.csv", list(y = "流失", x = c("月费", "合约", "投诉次数", "性别"), event = "是", class_weight = "balanced", threshold = .4, min_samples_leaf = 5,
  cv_folds = 4, criterion = "entropy"), list(流失 = "定类", 性别 = "定类"), event = which(unique(read.csv("oracle-churn.csv", check.names = FALSE)$流失) == "是"), t = .4)
finish(c("R 4.2.2：由导出的树另行计算预测、规则、剪枝路径、重要性、全部组合的 Shapley 值与各项得分", "rpart 4.1.19：同样的第一次分裂", "pROC 1.18.0 auc、var（DeLong）"), list(iris_case, churn_case), quick = list(cv_folds = 3, shap = FALSE))
