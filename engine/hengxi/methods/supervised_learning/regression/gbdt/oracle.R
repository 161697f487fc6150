# How oracle.json was made: Rscript oracle.R > oracle.json. The trees are exported node by node and walked here (R 4.2.2). The start and
# the leaves of the first round are derived from the data: means of the residuals, or their quantile.
source("../../_shared/learner.R"); source("../../_shared/trees.R"); source("../../_shared/boosted.R")
# The library's weighted quantile: the least value at which the weights below and at it reach the share.
weighted_quantile <- function(y, w, q) { o <- order(y); y[o][which(cumsum(w[o]) >= q * sum(w) - 1e-12)[1]] }
best <- function(loss, q) function(y, w) if (loss == "quantile") weighted_quantile(y, w, q) else weighted.mean(y, w)
run <- function(title, name, data, form, measures, says = list()) {
  trees <- read_trees(sprintf("oracle-%s-trees.csv", name)); loss <- if (is.null(form$loss)) "squared_error" else form$loss; q <- form$alpha; start <- best(loss, q); factor <- .1
  r <- read.csv(sprintf("oracle-%s-rounds.csv", name)); d <- read_learner(name); y <- d$d$y[r$row]; base <- start(y, r$w); M <- margins_of(trees, base, factor); said <- list()
  at <- walk(trees[[1]], single(d$X[r$row, , drop = FALSE])); for (n in unique(at)) stopifnot(abs(start((y - base)[at == n], r$w[at == n]) - trees[[1]]$p[n]) < 1e-6)
  more <- function(case, add) { kind <- if (loss == "quantile") "quantile" else "squared"
    said <<- c(bounds_of(case), rounds_of(case, add, name, read_trees(sprintf("oracle-%s-rounds-trees.csv", name)), start, factor, "identity", kind, length(trees), alpha = if (is.null(q)) .5 else q))
    if (loss == "quantile") { low <- margins_of(read_trees(sprintf("oracle-%s-other-trees.csv", name)), best(loss, 1 - q)(y, r$w), factor)(case$X[case$test, ])[, 1]; high <- case$P[case$test, 1]; v <- case$y[case$test]; inside <- mean(low <= v & v <= high)
      add("band", none, list(n = length(v), low = 1 - q, high = q, inside = inside, nominal = 2 * q - 1, width = mean(high - low)))
      said <<- c(said, list(list(contains = "两线之间应有", facts = list(nominal = 2 * q - 1, inside = inside)), list(contains = "分位数损失预测的是第", facts = list(q = q)))) } }
  out <- learner_case(title, name, data, form, measures, M, share = drop_shares(trees, d$variable, length(form$x)), worth = by_boosted(trees, base, factor, "identity"), more = more, kind = "TreeSHAP")
  out$says <- c(out$says, says, said, "把训练行的这个变量都改成横轴上的值"); out }
cars_case <- run("车型的油耗，20 轮", "cars", "example.csv", list(y = "mpg", x = c("cyl", "disp", "hp", "wt"), n_estimators = 20, cv_folds = 4, max_depth = 2), list(), list("“SHAP 依赖图（定类变量）”未给出"))
rent_case <- run("房租，加权，有缺失，分位数损失", "rent", "oracle-rent.csv", list(y = "月租", x = c("面积", "区", "装修", "楼层"), weight = "权重", missing = "median", cv_folds = 0, min_samples_leaf = 4, n_estimators = 15, loss = "quantile", alpha = .8),
  list(区 = "定类", 装修 = "定类"), list("没有要求交叉验证", "学习曲线需要交叉验证"))
finish(list("R 4.2.2：由导出的树另行计算预测、逐轮损失、两条分位线、重要性、全部组合的 Shapley 值与各项得分；起点与第一轮的叶子值由数据按公式求得"), list(cars_case, rent_case), quick = list(n_estimators = 10, cv_folds = 3, shap = FALSE))
