# How oracle.json was made: Rscript oracle.R > oracle.json. XGBoost's own JSON is read and its trees are walked here (R 4.2.2). The start
# and the leaves of the first round are derived from the data: -eta * sum(G) / (sum(H) + lambda) (Chen & Guestrin 2016).
source("../../_shared/learner.R"); source("../../_shared/trees.R"); source("../../_shared/boosted.R")
run <- function(title, name, data, form, measures, event = NULL, t = .5, says = list(), patience = 0, lambda = 1) {
  trees <- read_xgboost(sprintf("oracle-%s-model.json", name)); r <- read.csv(sprintf("oracle-%s-rounds.csv", name)); d <- read_learner(name); y <- match(d$d$y, unique(d$d$y))[r$row]; start <- start_by("classes")
  base <- start(y, r$w); link <- if (max(y) == 2) "logistic" else "softmax"; M <- margins_of(trees, base, 1); said <- list()
  P <- linked(matrix(base, length(y), length(base), byrow = TRUE), link); hit <- diag(max(y))[y, ]; if (max(y) == 2) { P <- P[, 2, drop = FALSE]; hit <- hit[, 2, drop = FALSE] }
  first_leaves(trees, d$X[r$row, , drop = FALSE], r$w * (P - hit), r$w * P * (1 - P) * (if (max(y) == 2) 1 else 2), form$learning_rate, lambda)
  more <- function(case, add) { weighed_of(case, add, trees)
    said <<- rounds_of(case, add, name, read_xgboost(sprintf("oracle-%s-rounds-model.json", name)), start, 1, link, "log_loss", length(trees) / length(base), form$n_estimators, patience) }
  out <- learner_case(title, name, data, form, measures, function(X) linked(M(X), link), event, t, share = gain_shares(trees, d$variable, length(form$x)), worth = by_boosted(trees, base, 1, link), more = more,
    kind = "TreeSHAP", scores_of = function(X) on_scores(M(X), link))
  out$says <- c(out$says, says, said, "增益最能说明模型靠什么预测"); out }
iris_case <- run("鸢尾花，15 轮", "iris", "example.csv", list(y = "species", x = c("sepal_length", "sepal_width", "petal_length", "petal_width"), n_estimators = 15, cv_folds = 4, max_depth = 3, learning_rate = .3), list(species = "定类"))
churn_case <- run("客户流失，类别加权，早停", "churn", "oracle-churn.csv", list(y = "流失", x = c("月费", "合约", "投诉次数", "性别"), event = "是", class_weight = "balanced", threshold = .4, cv_folds = 0, n_estimators = 30, learning_rate = .3, max_depth = 3, reg_lambda = 2,
  early_stopping_rounds = 5), list(流失 = "定类", 性别 = "定类"), event = which(unique(read.csv("oracle-churn.csv", check.names = FALSE)$流失) == "是"), t = .4, patience = 5, lambda = 2, says = list("没有要求交叉验证", "学习曲线需要交叉验证"))
finish(c("R 4.2.2：由 XGBoost 自己的 JSON 另行计算预测、逐轮损失、三种重要性、全部组合的 Shapley 值与各项得分；起点与第一轮的叶子值由数据按公式求得", "pROC 1.18.0 auc、var（DeLong）"), list(iris_case, churn_case), quick = list(n_estimators = 10, cv_folds = 3, shap = FALSE))
