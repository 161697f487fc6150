# How oracle.json was made: Rscript oracle.R > oracle.json. LightGBM's own JSON is read and its trees are walked here (R 4.2.2). The start
# and the leaves of the first round are derived from the data: -eta * sum(G) / sum(H). A forest (rf) starts within its trees and is their mean.
source("../../_shared/learner.R"); source("../../_shared/trees.R"); source("../../_shared/boosted.R"); as_compared <- identity
run <- function(title, name, data, form, measures, event = NULL, t = .5, says = list()) {
  trees <- read_lightgbm(sprintf("oracle-%s-model.json", name)); forest <- !is.null(form$boosting_type); r <- read.csv(sprintf("oracle-%s-rounds.csv", name)); d <- read_learner(name); y <- match(d$d$y, unique(d$d$y))[r$row]; link <- if (max(y) == 2) "logistic" else "softmax"
  start <- if (forest) function(y, w) rep(0, if (link == "logistic") 1 else max(y)) else start_by("classes"); base <- start(y, r$w); K <- length(base); factor <- if (forest) K / length(trees) else 1; M <- margins_of(trees, base, factor); said <- list()
  if (!forest) { P <- linked(matrix(base, length(y), K, byrow = TRUE), link); n <- max(y); first_leaves(trees, d$X[r$row, , drop = FALSE], r$w * (P - diag(n)[y, ]), r$w * P * (1 - P) * n / (n - 1), form$learning_rate, 0) }
  more <- function(case, add) { weighed_of(case, add, trees, c("gain", "splits")); watched <- read_lightgbm(sprintf("oracle-%s-rounds-model.json", name))
    # The mean of the first i trees after i rounds: the losses are taken anew for each.
    if (forest) { all <- losses_by_round; losses_by_round <<- function(trees, base, factor, ...) sapply(seq_along(trees), function(i) tail(all(trees[seq_len(i)], base, 1 / i, ...), 1)) }
    said <<- rounds_of(case, add, name, watched, start, 1, link, "log_loss", length(trees) / K); if (forest) losses_by_round <<- all }
  out <- learner_case(title, name, data, form, measures, function(X) linked(M(X), link), event, t, share = gain_shares(trees, d$variable, length(form$x)), worth = by_boosted(trees, base, factor, link), more = more,
    kind = "TreeSHAP", scores_of = function(X) on_scores(M(X), link))
  out$says <- c(out$says, says, said, "增益最能说明模型靠什么预测"); out }
iris_case <- run("鸢尾花，15 轮", "iris", "example.csv", list(y = "species", x = c("sepal_length", "sepal_width", "petal_length", "petal_width"), n_estimators = 15, cv_folds = 4, num_leaves = 4, learning_rate = .2), list(species = "定类"),
  says = list(list(contains = "自动下调为", facts = list(n = 105, asked = 20, taken = 5))))
churn_case <- run("客户流失，类别加权，随机森林方式", "churn", "oracle-churn.csv", list(y = "流失", x = c("月费", "合约", "投诉次数", "性别"), event = "是", class_weight = "balanced", threshold = .4, cv_folds = 0, n_estimators = 12, num_leaves = 5, min_child_samples = 4,
  boosting_type = "rf", subsample = .7), list(流失 = "定类", 性别 = "定类"), event = which(unique(read.csv("oracle-churn.csv", check.names = FALSE)$流失) == "是"), t = .4, says = list("没有要求交叉验证", "学习曲线需要交叉验证"))
finish(c("R 4.2.2：由 LightGBM 自己的 JSON 另行计算预测、逐轮损失、两种重要性、全部组合的 Shapley 值与各项得分；起点与第一轮的叶子值由数据按公式求得", "pROC 1.18.0 auc、var（DeLong）"), list(iris_case, churn_case), quick = list(n_estimators = 10, cv_folds = 3, shap = FALSE))
