# How oracle.json was made: tools/run_oracles.py --write questionnaire/sem   (R 4.2.2, lavaan 0.6-14)
# fixed.x = FALSE and auto.cov.y = FALSE are the conventions of the report; lavaan's optimiser stops at about 1e-7 of the
# estimates, so its numbers are compared at 1e-5 or 1e-6 (reason beside them). AVE, CR, HTMT: from their formulas.
source("../../../../tools/oracle.R")
source("../../../families/sem/oracle.R")
pd <- example()
residuals <- list(c("y1", "y5"), c("y2", "y4"), c("y2", "y6"), c("y3", "y7"), c("y4", "y8"), c("y6", "y8"))
factors <- list(ind60 = c("x1", "x2", "x3"), dem60 = c("y1", "y2", "y3", "y4"), dem65 = c("y5", "y6", "y7", "y8"))
arrows <- list(c("ind60", "dem60"), c("ind60", "dem65"), c("dem60", "dem65"))

# A nasty table: five grades, gaps, a reversed item, an observed outcome.
RNGversion("4.2.0"); set.seed(19); n <- 240
f <- rnorm(n); g <- .6 * f + .8 * rnorm(n)
grade <- function(x) findInterval(x, c(-1.4, -.4, .5, 1.3)) + 1
nasty <- data.frame(a1 = grade(.8 * f + .6 * rnorm(n)), a2 = 6 - grade(.7 * f + .7 * rnorm(n)), a3 = grade(.7 * f + .7 * rnorm(n)),
  b1 = grade(.8 * g + .6 * rnorm(n)), b2 = grade(.7 * g + .7 * rnorm(n)), b3 = grade(.6 * g + .8 * rnorm(n)))
nasty$total <- round(20 + 3 * g + 1.5 * f + 3 * rnorm(n))
for (v in names(nasty)) nasty[[v]][sample(n, 7)] <- NA
write.csv(nasty, "oracle-gaps.csv", row.names = FALSE, quote = FALSE, na = "")

# Ordered items: two to five categories, a reversed one, few answers in some, an ordered outcome, gaps.
n <- 320; h <- rnorm(n); f <- rnorm(n); g <- .6 * f + .8 * rnorm(n); cut <- function(x, k) findInterval(x, k) + 1; five <- c(-1.4, -.4, .5, 1.3)
graded <- data.frame(a1 = cut(.8 * f + .6 * rnorm(n), five), a2 = 6 - cut(.7 * f + .7 * rnorm(n), five), a3 = cut(.7 * f + .7 * rnorm(n), c(-.5, .8)), a4 = cut(.7 * f + .5 * h + .5 * rnorm(n), c(-1.8, -.4, .9)),
  b1 = cut(.8 * g + .6 * rnorm(n), five), b2 = cut(.7 * g + .7 * rnorm(n), five) * 2, b3 = cut(.6 * g + .8 * rnorm(n), .3), b4 = cut(.7 * g + .6 * h + .4 * rnorm(n), c(0, 1)))
graded$outcome <- cut(.5 * g + .4 * f + .7 * rnorm(n), five)
for (v in names(graded)) graded[[v]][sample(n, 3)] <- NA
graded$班级 <- sample(rep(c("甲", "乙"), c(130, 190)))
write.csv(graded, "oracle-graded.csv", row.names = FALSE, quote = FALSE, na = "")

run <- function(name, d, factors, arrows, residuals = list(), form = list(), observed = character(), ..., says = list(), data = NULL, fit_of = lavaan_fit, exact = 1e-5) {
  exactness <<- exact
  held <- sapply(names(factors), function(k) paste(k, "=~", paste(factors[[k]], collapse = "+")))
  curved <- unlist(lapply(residuals, function(k) paste(k[1], "~~", k[2])))
  model <- c(held, sapply(arrows, function(k) paste(k[2], "~", k[1])), curved)
  fit <- fit_of(model, d, ...); E <- list()
  if (lavInspect(fit, "ngroups") > 1) says <- c(says, list(apart_or_not(fit, factors)))
  E <- c(fit_block(fit), by_group(fit, function() { curves <- subset(own(parTable(fit)), op == "~~" & lhs != rhs)
    c(if (categorical(fit)) threshold_blocks(fit, d), loading_blocks(fit, factors), arrow_blocks("structure", fit, "~", arrows), validity_blocks(fit, factors),
      if (nrow(curves)) curve_blocks(fit, curves), effect_blocks(fit, arrows), r2_blocks(fit, unique(sapply(arrows, `[`, 2))), residual_blocks(fit),
      if (lavInspect(fit, "options")$estimator != "ULS") mi_blocks(fit)) }))
  m <- fit_of(c(held, curved, free_covariances(c(names(factors), observed))), d, ...)
  E <- c(E, step_block("测量模型", m), step_block("结构模型", fit))
  ids <- setNames(paste0("block", seq_along(factors)), names(factors)); id <- function(x) if (x %in% names(ids)) ids[[x]] else x
  full <- c(list(factors = lapply(seq_along(factors), function(i) list(id = ids[[i]], name = names(factors)[i], columns = factors[[i]])),
    observed = as.list(observed), paths = list(edges = lapply(arrows, function(k) list(source = id(k[1]), target = id(k[2]), kind = "path"))),
    residuals = lapply(residuals, function(k) list(first = k[1], second = k[2]))), form)
  case(name, full, E, says, data, as.list(setNames(ifelse(names(d) == "班级", "定类", "定量"), names(d))))
}
common <- list("与数据的拟合", "条结构路径中", "常用参考（Hu 与 Bentler", "载荷为 1、没有标准误", "常用参考：标准化载荷", "对角线是 √AVE", "没有负的方差", "待估参数", "Mardia", "不等于证明了因果", "MI 是放开", "测量模型让潜变量", "模型拟合：χ²", "：拟合")
# HTMT of the two democracies from the correlations of their items.
between <- function(d, a, b) { r <- abs(cor(d[c(a, b)])); own <- function(v) mean(r[v, v][lower.tri(r[v, v])]); mean(r[a, b]) / sqrt(own(a) * own(b)) }
alike <- list(fact("对因子区分得不好", k = 1, ratio = between(pd, factors$dem60, factors$dem65))); apart <- list("各因子的 √AVE 都大于")
democracy <- run("民主与工业化", pd, factors, arrows, residuals, says = c(common, alike))
two <- list(A = c("a1", "a2", "a3"), B = c("b1", "b2", "b3")); drawn <- list(c("A", "B"), c("A", "total"), c("B", "total"))
listwise <- na.omit(nasty)
four <- list(A = c("a1", "a2", "a3", "a4"), B = c("b1", "b2", "b3", "b4")); answers <- na.omit(graded[names(graded) != "班级"])
led <- list(c("A", "B"), c("A", "outcome"), c("B", "outcome")); over <- list(c("A", "B"), c("B", "outcome")); pair <- list(c("a4", "b4"))
rank <- c(setdiff(common, "Mardia"), apart, list("没有似然，不给 AIC", "人数最少的等级", "看不见的连续变量", "“相关与协方差”未给出"))
ranked <- ordinal_fit(c(paste("A =~", paste(four$A, collapse = "+")), paste("B =~", paste(four$B, collapse = "+")), "B ~ A", "outcome ~ A + B"), answers)
apart_ <- list()
loose <- lavaan_fit(c(sapply(names(factors), function(k) paste(k, "=~", paste(factors[[k]], collapse = "+"))), sapply(arrows, function(k) paste(k[2], "~", k[1])), sapply(residuals, function(k) paste(k[1], "~~", k[2]))), pd, estimator = "ULSMV")
classes <- na.omit(graded); classes$班级 <- factor(classes$班级, unique(classes$班级))
grouped <- c(setdiff(common, c("条结构路径中", "MI 是放开", "不等于证明了因果")), list("2 组分别估计，合起来", "同一个模型在各组分别估计", "最小的组", "一条路径在一组显著", "“相关与协方差”未给出"))
cases <- list(democracy,
  run("两个班，ML", classes, four, over, observed = "outcome", form = list(group = "班级"), fit_of = grouped_fit, meanstructure = FALSE, says = c(grouped, "MI 是放开"), data = "oracle-graded.csv"),
  run("两个班，ULS", classes, four, over, observed = "outcome", form = list(group = "班级", estimator = "uls"), fit_of = grouped_fit, estimator = "ULSMV", meanstructure = FALSE, exact = 5e-5, says = c(grouped, "没有似然，不给 AIC", "“修正指数”未给出"), data = "oracle-graded.csv"),
  run("两个班，WLSMV", classes, four, over, observed = "outcome", form = list(group = "班级", estimator = "wlsmv"), fit_of = ordinal_fit, group = "班级", says = c(setdiff(grouped, "Mardia"), "没有似然，不给 AIC", "人数最少的等级", "看不见的连续变量", "MI 是放开"), data = "oracle-graded.csv"),
  run("有序题项，WLSMV", answers, four, led, observed = "outcome", form = list(estimator = "wlsmv"), fit_of = ordinal_fit, says = c(rank, list(shifted(ranked))), data = "oracle-graded.csv"),
  run("有序题项，DWLS，残差相关", answers, four, led, pair, observed = "outcome", form = list(estimator = "dwls"), fit_of = ordinal_fit, estimator = "DWLS", says = c(setdiff(rank, c("“相关与协方差”未给出", "MI 是放开")), "“修正指数”未给出"), data = "oracle-graded.csv"),
  run("民主与工业化，稳健", pd, factors, arrows, residuals, list(estimator = "mlr"), estimator = "MLR", says = c(common, alike, list("校正系数"))),
  run("民主与工业化，GLS", pd, factors, arrows, residuals, list(estimator = "gls"), estimator = "GLS", says = c(setdiff(c(common, apart_), "各因子的 √AVE 都大于"), list("没有似然，不给 AIC"))),
  run("民主与工业化，ULS", pd, factors, arrows, residuals, list(estimator = "uls"), estimator = "ULSMV", says = c(setdiff(common, "MI 是放开"), list("没有似然，不给 AIC", "“修正指数”未给出", shifted(loose)))),
  run("有缺失的量表，整行剔除", listwise, two, drawn, observed = "total", says = c(common, apart, list("“相关与协方差”未给出")), data = "oracle-gaps.csv"),
  run("有缺失的量表，FIML", nasty, two, drawn, observed = "total", form = list(missing = "fiml"), missing = "fiml", says = c(setdiff(common, "Mardia"), apart, list("有缺失时不给", "“相关与协方差”未给出")), data = "oracle-gaps.csv"))
oracle(list("R 4.2.2, lavaan 0.6-14 sem(likelihood = normal, fixed.x = FALSE, auto.cov.y = FALSE), standardizedSolution, modindices, fitMeasures"), cases, list(
  list(what = "没有发现明显作用的路径", reason = "路径名单由 p ≥ .05 得出，p 已逐条核对")))
