# How oracle.json was made: Rscript oracle.R > oracle.json. The trees are exported node by node and walked here (R 4.2.2). The start and
# the leaves of the first round are derived from the data: log odds, then one Newton step.
source("../../_shared/learner.R"); source("../../_shared/trees.R"); source("../../_shared/boosted.R")
K_of <- function(y) max(y)
start <- function(y, w) { p <- tapply(w, y, sum) / sum(w); if (length(p) == 2) unname(logit(p[2])) else unname(log(p) - mean(log(p))) }
# Leaves of the first round: Σw·r / Σw·p(1 − p), of K classes times (K − 1)/K; of the exponential loss Σ s·w·e^(−s·F) / Σ w·e^(−s·F), s = ±1.
first_round <- function(trees, X, y, w, loss) { K <- max(y); P <- linked(matrix(start(y, w), length(y), if (K == 2) 1 else K, byrow = TRUE), if (K == 2) "logistic" else "softmax")
  for (i in seq_len(if (K == 2) 1 else K)) { c <- if (K == 2) 2 else i; at <- walk(trees[[i]], single(X)); hit <- as.numeric(y == c); p <- P[, c]
    for (n in unique(at)) { here <- at == n; s <- 2 * hit - 1; e <- exp(-s * start(y, w)[1] / 2)
      own <- if (loss == "exponential") sum((s * w * e)[here]) / sum((w * e)[here]) else (if (K > 2) (K - 1) / K else 1) * sum((w * (hit - p))[here]) / sum((w * p * (1 - p))[here])
      stopifnot(abs(own - trees[[i]]$p[n]) < 1e-8) } } }
run <- function(title, name, data, form, measures, event = NULL, t = .5, says = list(), patience = 0) {
  trees <- read_trees(sprintf("oracle-%s-trees.csv", name)); loss <- if (is.null(form$loss)) "log_loss" else form$loss; factor <- form$learning_rate * (if (loss == "exponential") 2 else 1)
  r <- read.csv(sprintf("oracle-%s-rounds.csv", name)); d <- read_learner(name); y <- match(d$d$y, unique(d$d$y)); base <- start(y[r$row], r$w); link <- if (max(y) == 2) "logistic" else "softmax"
  first_round(trees, d$X[r$row, , drop = FALSE], y[r$row], r$w, loss); M <- margins_of(trees, base, factor); said <- list()
  more <- function(case, add) said <<- rounds_of(case, add, name, read_trees(sprintf("oracle-%s-rounds-trees.csv", name)), start, factor, link, "log_loss", length(trees) / length(base), form$n_estimators, patience)
  out <- learner_case(title, name, data, form, measures, function(X) linked(M(X), link), event, t, share = drop_shares(trees, d$variable, length(form$x)), worth = by_boosted(trees, base, factor, link), more = more,
    kind = "TreeSHAP", scores_of = function(X) on_scores(M(X), link))
  out$says <- c(out$says, says, said, "把训练行的这个变量都改成横轴上的值"); out }
iris_case <- run("鸢尾花，15 轮", "iris", "example.csv", list(y = "species", x = c("sepal_length", "sepal_width", "petal_length", "petal_width"), n_estimators = 15, cv_folds = 4, learning_rate = .2, max_depth = 2), list(species = "定类"))
churn_case <- run("客户流失，类别加权，指数损失，早停", "churn", "oracle-churn.csv", list(y = "流失", x = c("月费", "合约", "投诉次数", "性别"), event = "是", class_weight = "balanced", threshold = .4, min_samples_leaf = 5, cv_folds = 0, n_estimators = 12,
  loss = "exponential", learning_rate = .3, n_iter_no_change = 4), list(流失 = "定类", 性别 = "定类"), event = which(unique(read.csv("oracle-churn.csv", check.names = FALSE)$流失) == "是"), t = .4, patience = 4,
  says = list("没有要求交叉验证", "学习曲线需要交叉验证"))
finish(c("R 4.2.2：由导出的树另行计算预测、逐轮损失、重要性、全部组合的 Shapley 值与各项得分；起点与第一轮的叶子值由数据按公式求得", "pROC 1.18.0 auc、var（DeLong）"), list(iris_case, churn_case), quick = list(n_estimators = 10, cv_folds = 3, shap = FALSE))
