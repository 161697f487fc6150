# How oracle.json was made: Rscript oracle.R > oracle.json. LightGBM's own JSON is read and its trees are walked here (R 4.2.2). The start
# and the leaves of the first round are derived from the data: -eta * sum(G) / sum(H).
source("../../_shared/learner.R"); source("../../_shared/trees.R"); source("../../_shared/boosted.R"); as_compared <- identity
weighted_quantile <- function(y, w, q) { o <- order(y); y[o][which(cumsum(w[o]) >= q * sum(w) * (1 - 1e-12))[1]] }
run <- function(title, name, data, form, measures, says = list()) {
  trees <- read_lightgbm(sprintf("oracle-%s-model.json", name)); q <- form$alpha; quantile <- !is.null(q); r <- read.csv(sprintf("oracle-%s-rounds.csv", name)); d <- read_learner(name); y <- d$d$y[r$row]
  start <- if (quantile) function(y, w) weighted_quantile(y, w, q) else start_by("squared"); base <- start(y, r$w); factor <- power_below(y, base); M <- margins_of(trees, base, factor); said <- list()
  if (!quantile) first_leaves(trees, d$X[r$row, , drop = FALSE], cbind(r$w * (base - y) / factor), cbind(r$w), form$learning_rate, 0)
  more <- function(case, add) { weighed_of(case, add, trees, c("gain", "splits")); i <- r$held == 0
    said <<- c(bounds_of(case), rounds_of(case, add, name, read_lightgbm(sprintf("oracle-%s-rounds-model.json", name)), start, power_below(y[i], start(y[i], r$w[i])), "identity", if (quantile) "quantile" else "squared", length(trees), alpha = if (quantile) q else .5))
    if (quantile) said <<- c(said, list(list(contains = "分位数损失预测的是第", facts = list(q = q)))) }
  out <- learner_case(title, name, data, form, measures, M, share = gain_shares(trees, d$variable, length(form$x)), worth = by_boosted(trees, base, factor, "identity"), more = more, kind = "TreeSHAP")
  out$says <- c(out$says, says, said, "增益最能说明模型靠什么预测"); out }
cars_case <- run("车型的油耗，15 轮", "cars", "example.csv", list(y = "mpg", x = c("cyl", "disp", "hp", "wt"), n_estimators = 15, cv_folds = 4, num_leaves = 4, learning_rate = .2, min_child_samples = 2), list(), list("“SHAP 依赖图（定类变量）”未给出"))
rent_case <- run("房租，加权，缺失与定类交给模型，分位数损失", "rent", "oracle-rent.csv", list(y = "月租", x = c("面积", "区", "装修", "楼层"), weight = "权重", cv_folds = 0, n_estimators = 15, num_leaves = 5, objective = "quantile", alpha = .8),
  list(区 = "定类", 装修 = "定类"), list("没有要求交叉验证", "学习曲线需要交叉验证", list(contains = "自动下调为", facts = list(asked = 20))))
finish(list("R 4.2.2：由 LightGBM 自己的 JSON 另行计算预测、逐轮损失、两种重要性、全部组合的 Shapley 值与各项得分；起点与第一轮的叶子值由数据按公式求得"), list(cars_case, rent_case), quick = list(n_estimators = 10, cv_folds = 3, shap = FALSE))
