# How oracle.json was made: tools/run_oracles.py --write questionnaire/confirmatory_factor   (R 4.2.2, lavaan 0.6-14)
# fixed.x = FALSE; lavaan's optimiser stops at about 1e-7 of the estimates, tolerances and reasons stand beside the numbers.
source("../../../../tools/oracle.R")
source("../../../families/sem/oracle.R")
if (!file.exists("example.csv")) write.csv(HolzingerSwineford1939[paste0("x", 1:9)], "example.csv", row.names = FALSE, quote = FALSE)
hs <- example()
factors <- list(visual = c("x1", "x2", "x3"), textual = c("x4", "x5", "x6"), speed = c("x7", "x8", "x9"))
RNGversion("4.2.0"); set.seed(20); n <- 260   # five grades, gaps, a reversed item
f <- matrix(rnorm(2 * n), n) %*% chol(matrix(c(1, .5, .5, 1), 2))
grade <- function(x) findInterval(x, c(-1.4, -.4, .5, 1.3)) + 1
gaps <- data.frame(q1 = grade(.8 * f[, 1] + .6 * rnorm(n)), q2 = 6 - grade(.7 * f[, 1] + .7 * rnorm(n)), q3 = grade(.6 * f[, 1] + .8 * rnorm(n)),
  q4 = grade(.8 * f[, 2] + .6 * rnorm(n)), q5 = grade(.7 * f[, 2] + .7 * rnorm(n)), q6 = grade(.6 * f[, 2] + .8 * rnorm(n)))
for (v in names(gaps)) gaps[[v]][sample(n, 8)] <- NA
write.csv(gaps, "oracle-gaps.csv", row.names = FALSE, quote = FALSE, na = "")
common <- list("与数据的拟合", "常用参考（Hu 与 Bentler", "载荷为 1、没有标准误", "常用参考：标准化载荷", "对角线是 √AVE", "各因子的 √AVE 都大于", "没有负的方差", "待估参数", "不证明只有这一种分法", "模型拟合：χ²", "：拟合", "“解释的方差”未给出")
run <- function(name, d, factors, form = list(), ..., second = FALSE, says = list(), data = NULL, fit_of = lavaan_fit) {
  model <- sapply(names(factors), function(k) paste(k, "=~", paste(factors[[k]], collapse = "+")))
  if (second) model <- c(model, paste("top =~", paste(names(factors), collapse = "+")))
  fit <- fit_of(model, d, ...); p <- both(fit)
  E <- c(fit_block(fit), by_group(fit, function() { curves <- subset(own(parTable(fit)), op == "~~" & lhs != rhs)
    c(loading_blocks(fit, factors), if (!second) validity_blocks(fit, factors), residual_blocks(fit), if (nrow(curves)) curve_blocks(fit, curves),
      if (categorical(fit)) threshold_blocks(fit, d), if (!second && lavInspect(fit, "options")$estimator != "ULS") mi_blocks(fit)) }))
  if (second) { r2 <- lavInspect(fit, "rsquare"); for (v in names(factors)) { q <- line(p, "top", "=~", v); E <- c(E, row_of("loadings", list(factor = "二阶因子", item = v), c(cells_of(q), list(smc = unname(r2[[v]]))))) } }
  if (!is.null(fit@test$scaled.shifted)) says <- c(says, list(shifted(fit)))
  ids <- paste0("block", seq_along(factors))
  full <- c(list(factors = lapply(seq_along(factors), function(i) list(id = ids[i], name = names(factors)[i], columns = factors[[i]]))), form)
  case(name, full, E, says, data, as.list(setNames(ifelse(names(d) == "班级", "定类", "定量"), names(d))))
}
between <- function(d, a, b) { r <- abs(cor(d[c(a, b)])); own <- function(v) mean(r[v, v][lower.tri(r[v, v])]); mean(r[a, b]) / sqrt(own(a) * own(b)) }
two <- list(A = c("q1", "q2", "q3"), B = c("q4", "q5", "q6"))
gapped <- cbind(gaps, 班级 = sample(rep(c("甲", "乙"), c(110, 150)))); write.csv(gapped, "oracle-classes.csv", row.names = FALSE, quote = FALSE, na = "")
gapped$班级 <- factor(gapped$班级, unique(gapped$班级)); classes <- na.omit(gapped); several <- list("2 组分别估计，合起来", "同一个模型在各组分别估计", "最小的组")
mi <- "MI 是放开"; mardia <- "Mardia"; answers <- na.omit(gaps); graded <- list("没有似然，不给 AIC", "人数最少的等级", "看不见的连续变量")
oracle(list("R 4.2.2, lavaan 0.6-14 cfa, standardizedSolution, modindices, fitMeasures (three-factor HolzingerSwineford1939: χ² = 85.306, CFI .931, RMSEA .092)"), list(
  run("三种能力", hs, factors, says = c(common, mi, mardia)),
  run("因子方差固定为 1，稳健", hs, factors, list(identification = "std_lv", estimator = "mlr"), estimator = "MLR", std.lv = TRUE, says = c(common, mi, mardia, "校正系数")),
  run("二阶因子", hs, factors, list(second_order = TRUE), second = TRUE, says = c(common, mi, mardia, "“相关与协方差”未给出")),
  run("两个班，MLR", classes, two, list(group = "班级", estimator = "mlr"), estimator = "MLR", fit_of = grouped_fit, meanstructure = FALSE, data = "oracle-classes.csv", says = c(setdiff(common, "各因子的 √AVE 都大于"), several, mardia)),
  run("两个班有缺失，FIML", gapped, two, list(group = "班级", missing = "fiml"), missing = "fiml", fit_of = grouped_fit, data = "oracle-classes.csv", says = c(setdiff(common, "各因子的 √AVE 都大于"), several, "有缺失时不给")),
  run("两个班，DWLS", classes, two, list(group = "班级", estimator = "dwls"), fit_of = ordinal_fit, estimator = "DWLS", group = "班级", data = "oracle-classes.csv", says = c(setdiff(common, "各因子的 √AVE 都大于"), several, graded)),
  run("五点题，WLSMV", answers, two, list(estimator = "wlsmv"), fit_of = ordinal_fit, data = "oracle-gaps.csv", says = c(common, graded)),
  run("五点题，DWLS，因子方差固定为 1", answers, two, list(estimator = "dwls", identification = "std_lv"), fit_of = ordinal_fit, estimator = "DWLS", std.lv = TRUE, data = "oracle-gaps.csv", says = c(common, graded)),
  run("二阶因子，ULS", hs, factors, list(second_order = TRUE, estimator = "uls"), estimator = "ULSMV", second = TRUE, says = c(common, mardia, "“相关与协方差”未给出", "“修正指数”未给出", "没有似然，不给 AIC")),
  run("三种能力，GLS", hs, factors, list(estimator = "gls"), estimator = "GLS", says = c(setdiff(common, "各因子的 √AVE 都大于"), mi, mardia, "没有似然，不给 AIC", list(fact("对因子区分得不好", k = 1, ratio = between(hs, factors$visual, factors$speed))))),
  run("五点题有缺失，FIML", gaps, two, list(missing = "fiml"), missing = "fiml", data = "oracle-gaps.csv", says = c(common, "有缺失时不给"))))
