# How oracle.json was made: Rscript oracle.R > oracle.json. XGBoost's own JSON is read and its trees are walked here (R 4.2.2). The start
# and the leaves of the first round are derived from the data: -eta * sum(G) / (sum(H) + lambda) (Chen & Guestrin 2016).
source("../../_shared/learner.R"); source("../../_shared/trees.R"); source("../../_shared/boosted.R")
run <- function(title, name, data, form, measures, says = list()) {
  trees <- read_xgboost(sprintf("oracle-%s-model.json", name)); poisson <- !is.null(form$objective); r <- read.csv(sprintf("oracle-%s-rounds.csv", name)); d <- read_learner(name); y <- d$d$y[r$row]
  start <- start_by(if (poisson) "log" else "squared"); base <- start(y, r$w); factor <- if (poisson) 1 else power_below(y, base); link <- if (poisson) "log" else "identity"; said <- list()
  G <- if (poisson) r$w * (exp(base) - y) else r$w * (base - y) / factor; H <- if (poisson) r$w * exp(base + .7) else r$w   # the library damps H of counts by max_delta_step = 0.7
  first_leaves(trees, d$X[r$row, , drop = FALSE], cbind(G), cbind(H), if (is.null(form$learning_rate)) .1 else form$learning_rate, 1); M <- margins_of(trees, base, factor)
  more <- function(case, add) { weighed_of(case, add, trees); i <- r$held == 0; watched <- read_xgboost(sprintf("oracle-%s-rounds-model.json", name)); f <- if (poisson) 1 else power_below(y[i], start(y[i], r$w[i]))
    said <<- c(bounds_of(case), rounds_of(case, add, name, watched, start, f, link, if (poisson) "poisson" else "squared", length(trees))) }
  out <- learner_case(title, name, data, form, measures, function(X) linked(M(X), link), share = gain_shares(trees, d$variable, length(form$x)), worth = if (!poisson) by_boosted(trees, base, factor, link), more = more, kind = if (poisson) "逐个组合计算的 SHAP" else "TreeSHAP")
  out$says <- c(out$says, says, said, "增益最能说明模型靠什么预测"); out }
cars_case <- run("车型的油耗，15 轮", "cars", "example.csv", list(y = "mpg", x = c("cyl", "disp", "hp", "wt"), n_estimators = 15, cv_folds = 4, max_depth = 2, learning_rate = .3), list(), list("“SHAP 依赖图（定类变量）”未给出"))
rent_case <- run("房租，加权，缺失交给模型，泊松目标", "rent", "oracle-rent.csv", list(y = "月租", x = c("面积", "区", "装修", "楼层"), weight = "权重", cv_folds = 0, n_estimators = 20, objective = "count:poisson", max_depth = 3),
  list(区 = "定类", 装修 = "定类"), list("没有要求交叉验证", "学习曲线需要交叉验证"))
finish(list("R 4.2.2：由 XGBoost 自己的 JSON 另行计算预测、逐轮损失、三种重要性、全部组合的 Shapley 值与各项得分；起点与第一轮的叶子值由数据按公式求得"), list(cars_case, rent_case), quick = list(n_estimators = 10, cv_folds = 3, shap = FALSE))
