# How oracle.json was made: Rscript oracle.R > oracle.json. The trees are exported node by node and walked here (R 4.2.2); the errors of
# the rounds and the weights of the trees are derived from the data by SAMME (Zhu et al. 2009).
source("../../_shared/learner.R"); source("../../_shared/trees.R"); source("../../_shared/boosted.R"); source("../../_shared/ada.R")
run <- function(title, name, data, form, measures, event = NULL, t = .5, says = list(), rate = 1) {
  trees <- read_trees(sprintf("oracle-%s-trees.csv", name)); r <- read.csv(sprintf("oracle-%s-rounds.csv", name)); d <- read_learner(name); y <- match(d$d$y, unique(d$d$y))[r$row]; K <- max(y)
  s <- samme(trees, d$X[r$row, , drop = FALSE], y, r$w, rate); said <- list()
  more <- function(case, add) { X <- case$X[r$row, , drop = FALSE]; for (i in unique(c(1, 2, length(trees)))) add("course", list(round = i), list(round = i, error = s$error[i], alpha = (if (K == 2) .5 else 1) * s$weight[i],
      overall = mean(apply(votes_of(trees[seq_len(i)], s$weight[seq_len(i)], K)(X), 1, which.max) != y)))
    said <<- ada_rounds(case, add, name, function(trees, X, y, w) samme(trees, X, y, w, rate), function(trees, a) votes_of(trees, a, K), "error", length(trees)) }
  out <- learner_case(title, name, data, form, measures, votes_of(trees, s$weight, K), event, t, share = tree_shares(trees, s$weight, d$variable, length(form$x)), more = more)
  out$says <- c(out$says, says, said, "累计训练错误率是到这一轮为止"); out }
iris_case <- run("鸢尾花，15 轮", "iris", "example.csv", list(y = "species", x = c("sepal_length", "sepal_width", "petal_length", "petal_width"), n_estimators = 15, cv_folds = 4, learning_rate = .5), list(species = "定类"), rate = .5)
churn_case <- run("客户流失，类别加权，深度 2", "churn", "oracle-churn.csv", list(y = "流失", x = c("月费", "合约", "投诉次数", "性别"), event = "是", class_weight = "balanced", threshold = .4, cv_folds = 0, n_estimators = 12, base_depth = 2),
  list(流失 = "定类", 性别 = "定类"), event = which(unique(read.csv("oracle-churn.csv", check.names = FALSE)$流失) == "是"), t = .4, says = list("没有要求交叉验证", "学习曲线需要交叉验证"))
# A tree that knows every row ends the rounds at once.
early_case <- list(name = "鸢尾花，深树", data = "example.csv", form = list(y = "species", x = c("sepal_length", "sepal_width", "petal_length", "petal_width"), n_estimators = 10, base_depth = 10, cv_folds = 0, shap = FALSE), measures = list(species = "定类"),
  expect = list(block("course", list(round = 1), list(round = 1, error = 0, alpha = 1, overall = 0))), says = list(list(contains = "已完全拟合训练行", facts = list(t = 1, asked = 10)), list(contains = "最后十分之一的轮次没有再升", facts = list(best = 1))))
finish(c("R 4.2.2：由导出的树按 SAMME 另行求得各轮的错误率与权重，再计算预测、逐轮损失、重要性、全部组合的 Shapley 值与各项得分", "pROC 1.18.0 auc、var（DeLong）"), list(iris_case, churn_case, early_case), quick = list(n_estimators = 10, cv_folds = 3, shap = FALSE))
