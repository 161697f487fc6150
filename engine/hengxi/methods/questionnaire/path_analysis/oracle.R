# How oracle.json was made: tools/run_oracles.py --write questionnaire/path_analysis   (R 4.2.2, lavaan 0.6-14, psych)
# Tal_Or: cond → import → pmi → reaction (worked example in Hayes). The saturated model equals lm equation by equation (stopifnot).
source("../../../../tools/oracle.R")
source("../../../families/sem/oracle.R")
if (!file.exists("example.csv")) write.csv(psych::Tal_Or[c("cond", "pmi", "import", "reaction", "gender", "age")], "example.csv", row.names = FALSE, quote = FALSE)
tal <- example()
RNGversion("4.2.0"); set.seed(21); n <- 180   # five grades, ties, gaps
grade <- function(x) findInterval(x, c(-1.4, -.4, .5, 1.3)) + 1
a <- rnorm(n); b <- .5 * a + rnorm(n); d <- .4 * b + .3 * a + rnorm(n); e <- .5 * d + rnorm(n)
gaps <- data.frame(q1 = grade(a), q2 = grade(b), q3 = grade(d), q4 = grade(e), q5 = grade(rnorm(n) + .4 * a))
for (v in names(gaps)) gaps[[v]][sample(n, 6)] <- NA
write.csv(gaps, "oracle-gaps.csv", row.names = FALSE, quote = FALSE, na = "")
run <- function(name, d, vars, arrows, curves = list(), form = list(), ..., says = list(), data = NULL) {
  fit <- lavaan_fit(c(sapply(arrows, function(k) paste(k[2], "~", k[1])), sapply(curves, function(k) paste(k[1], "~~", k[2])), extra(arrows, curves)), d, ...)
  fit_order <- vars; E <- c(fit_block(fit), arrow_blocks("coefficients", fit, "~", arrows), effect_blocks(fit, arrows), r2_blocks(fit, unique(sapply(arrows, `[`, 2))))
  drawn <- subset(parTable(fit), op == "~~" & lhs != rhs); if (nrow(drawn)) E <- c(E, curve_blocks(fit, drawn, order_of = vars))
  if (fitMeasures(fit, "df") > 0) { E <- c(E, residual_blocks(fit, vars)); m <- subset(modindices(fit, sort. = TRUE), op == "~~" & mi > 3.85)
    for (i in seq_len(min(2, nrow(m)))) { k <- c(m$lhs[i], m$rhs[i]); k <- k[order(match(k, vars))]
      E <- c(E, list(near("changes", list(parameter = paste0("“", k[1], "”与“", k[2], "”的协方差")), mi = m$mi[i], epc = m$epc[i], standard = m$sepc.all[i], tolerance = 1e-4))) } }
  if (fitMeasures(fit, "df") > 0) { m <- head(subset(modindices(fit, sort. = TRUE), op == "~" & mi > 3.85), 2)
    for (i in seq_len(nrow(m))) if (match(m$rhs[i], vars) < match(m$lhs[i], vars)) E <- c(E, list(near("changes", list(parameter = paste0("“", m$rhs[i], "”到“", m$lhs[i], "”的路径")), mi = m$mi[i], epc = m$epc[i], standard = m$sepc.all[i], tolerance = 1e-4))) }
  full <- c(list(variables = as.list(vars), paths = list(edges = c(lapply(arrows, function(k) list(source = k[1], target = k[2], kind = "path")), lapply(curves, function(k) list(source = k[1], target = k[2], kind = "cov"))))), form)
  case(name, full, E, says, data, as.list(setNames(rep("定量", length(vars)), vars)))
}
extra <- function(arrows, curves) { x <- setdiff(unlist(c(arrows, curves)), sapply(arrows, `[`, 2)); free_covariances(x) }
serial <- list(c("cond", "import"), c("cond", "pmi"), c("import", "pmi"), c("cond", "reaction"), c("import", "reaction"), c("pmi", "reaction"))
l <- coef(lm(reaction ~ cond + import + pmi, tal)); f <- lavaan_fit(sapply(serial, function(k) paste(k[2], "~", k[1])), tal)
stopifnot(abs(coef(f)[c("reaction~cond", "reaction~import", "reaction~pmi")] - l[-1]) < 1e-6)
common <- list("条显著", "没有负的方差", "待估参数", "不等于证明了因果")
chain <- list(c("q1", "q2"), c("q2", "q3"), c("q3", "q4"), c("q5", "q4"))
fitting <- list("常用参考（Hu 与 Bentler", "：拟合", "模型拟合：χ²", "与数据的拟合")
oracle(list("R 4.2.2, lavaan 0.6-14 sem(fixed.x = FALSE) on psych::Tal_Or; lm for the saturated model"), list(
  run("链式中介（饱和）", tal, c("cond", "import", "pmi", "reaction"), serial, says = c(common, "Mardia", "自由度为 0", "恰好识别", "“相关与协方差”未给出", "“修正指数”未给出")),
  run("去掉直接路径，稳健", tal, c("cond", "import", "pmi", "reaction"), serial[-4], form = list(estimator = "mlr"), estimator = "MLR", says = c(common, fitting, "Mardia", "校正系数", "“相关与协方差”未给出", "“修正指数”未给出")),
  run("五点题，有外生相关，FIML", gaps, paste0("q", 1:5), chain, form = list(missing = "fiml"), missing = "fiml", data = "oracle-gaps.csv", says = c(common, fitting, "有缺失时不给", "MI 是放开")),
  run("五点题，整行剔除，残差相关", na.omit(gaps), paste0("q", 1:5), chain, list(c("q2", "q3")), data = "oracle-gaps.csv", says = c(common, fitting, "Mardia", "“修正指数”未给出"))))
