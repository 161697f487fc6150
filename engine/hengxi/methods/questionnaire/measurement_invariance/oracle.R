# How oracle.json was made: tools/run_oracles.py --write questionnaire/measurement_invariance   (R 4.2.2, lavaan 0.6-14)
# cfa with group.equal, lavTestLRT (Satorra-Bentler 2001 under MLR), lavTestScore. The catalogue's figures by school:
# configural χ² 115.851 df 48 CFI .923 RMSEA .097; metric 124.044/54/.921/.093; scalar 164.103/60/.882/.107; strict 181.511/69/.873/.104.
source("../../../../tools/oracle.R")
source("../../../families/sem/oracle.R")
if (!file.exists("example.csv")) { d <- HolzingerSwineford1939[c("school", paste0("x", 1:9))]; write.csv(d, "example.csv", row.names = FALSE, quote = FALSE) }
hs <- example(); hs$school <- factor(hs$school, unique(hs$school))
RNGversion("4.2.0"); set.seed(81); n <- 450; g <- rep(c("甲", "乙", "丙"), each = 150); f <- rnorm(n) + .4 * (g == "乙") - .2 * (g == "丙")
three <- data.frame(班级 = g, q1 = findInterval(.8 * f + .6 * rnorm(n), c(-1.2, -.4, .4, 1.2)) + 1, q2 = findInterval(.7 * f + .7 * rnorm(n), c(-1.2, -.4, .4, 1.2)) + 1, q3 = findInterval(.7 * f + .6 * rnorm(n) + .7 * (g == "丙"), c(-1.2, -.4, .4, 1.2)) + 1, q4 = findInterval(.6 * f + .8 * rnorm(n), c(-1.2, -.4, .4, 1.2)) + 1)
gaps <- three; for (v in names(gaps)[-1]) gaps[[v]][sample(n, 20)] <- NA
write.csv(three, "oracle-three.csv", row.names = FALSE, quote = FALSE); write.csv(gaps, "oracle-gaps.csv", row.names = FALSE, quote = FALSE, na = "")
words <- c(configural = "形态等值", metric = "单位等值", scalar = "尺度等值", strict = "严格等值"); kinds <- c(metric = "载荷", scalar = "截距", strict = "残差方差")
equal <- list(configural = "", metric = "loadings", scalar = c("loadings", "intercepts"), strict = c("loadings", "intercepts", "residuals"))
run <- function(name, d, group, factors, form = list(), upto = "strict", estimator = "ML", missing = "listwise", partial = character(), says = list(), data = NULL, fails = "scalar", reached = NULL) {
  d[[group]] <- factor(d[[group]], unique(d[[group]])); model <- sapply(names(factors), function(k) paste(k, "=~", paste(factors[[k]], collapse = "+"))); lv <- names(words)[1:match(upto, names(words))]
  fits <- lapply(setNames(lv, lv), function(l) lavaan_fit(model, d, group = group, group.equal = equal[[l]], group.partial = partial, estimator = estimator, missing = missing, meanstructure = TRUE)); E <- list(); add <- function(b) E <<- c(E, b); m <- lapply(fits, measures)
  for (i in seq_along(lv)) { z <- m[[i]]; cells <- list(chi2 = z$chisq, df = z$df, cfi = z$cfi, tli = z$tli, rmsea = z$rmsea, srmr = z$srmr)
    if (i > 1) { t <- lavTestLRT(fits[[i]], fits[[i - 1]]); cells <- c(cells, list(ddf = t[2, "Df diff"], dcfi = z$cfi - m[[i - 1]]$cfi, drmsea = z$rmsea - m[[i - 1]]$rmsea, dchi2 = t[2, "Chisq diff"], p = t[2, "Pr(>Chisq)"])) }
    add(row_of("compared", list(level = words[[lv[i]]]), cells, 2e-4)) }
  if ("scalar" %in% lv) { p <- parTable(fits$scalar); gl <- levels(d[[group]]); nn <- lavInspect(fits$scalar, "nobs"); q <- function(f, g, op, r = f) p[p$lhs == f & p$op == op & p$rhs == r & p$group == g, ]
    V <- vcov(fits$scalar)
    for (f in names(factors)) for (g in 2:length(gl)) { k <- q(f, g, "~1", ""); s <- sum(sapply(seq_along(gl), function(h) nn[h] * q(f, h, "~~")$est)) / sum(nn); add(row_of("means", list(factor = f, group = paste(gl[g], "减", gl[1])), list(b = k$est, se = k$se, z = k$est / k$se, p = 2 * pnorm(-abs(k$est / k$se)), d = k$est / sqrt(s)), 1e-4)) } }
  p <- parTable(fits$configural); s <- standardizedSolution(fits$configural); at <- function(x, l, o, r, g) x[x$lhs == l & x$op == o & x$rhs == r & x$group == g, ]; gl <- levels(d[[group]])
  for (g in seq_along(gl)) { add(list(block("sizes", list(group = gl[g]), n = lavInspect(fits[[1]], "nobs")[[g]]))); for (f in names(factors)) for (v in factors[[f]]) add(list(near("parameters", list(group = gl[g], item = v), b = at(p, f, "=~", v, g)$est, standard = at(s, f, "=~", v, g)$est.std, intercept = at(p, v, "~1", "", g)$est, residual = at(p, v, "~~", v, g)$est, tolerance = 1e-4))) }
  l <- fails; if (length(gl) == 2) { fit <- fits[[l]]; u <- lavTestScore(fit)$uni; p <- parTable(fit)
    for (f in names(factors)) for (v in factors[[f]]) { r <- switch(l, metric = at(p, f, "=~", v, 1), scalar = at(p, v, "~1", "", 1), strict = at(p, v, "~~", v, 1)); k <- u[u$lhs == r$plabel, ]; if (nrow(k) == 1) { n_ <- paste0("“", v, "”的", kinds[[l]]); add(row_of("releases", list(parameter = n_), list(lm = k$X2, df = 1, p = pchisq(k$X2, 1, lower.tail = FALSE)), 1e-4)) } } }
  else { part <- function(v) switch(l, metric = paste(names(factors)[1], "=~", v), scalar = paste(v, "~1"), strict = paste(v, "~~", v))   # three groups: the score test by releasing both equalities
    fit <- fits[[l]]; p <- parTable(fit); for (v in factors[[1]][if (l == "metric") -1 else TRUE]) { a <- sapply(1:3, function(g) switch(l, metric = at(p, names(factors)[1], "=~", v, g), scalar = at(p, v, "~1", "", g), strict = at(p, v, "~~", v, g))$plabel); ts <- lavTestScore(fit); w <- which(ts$uni$lhs == a[1] & ts$uni$rhs %in% a[2:3]); X <- lavTestScore(fit, release = w)$test$X2; add(row_of("releases", list(parameter = paste0("“", v, "”的", kinds[[l]])), list(lm = X, df = 2, p = pchisq(X, 2, lower.tail = FALSE)), 1e-4)) } }
  wires <- lapply(seq_along(factors), function(i) list(id = paste0("b", i), name = names(factors)[i], columns = as.list(factors[[i]])))
  case(name, c(list(factors = wires, group = group, levels = upto), form), E, says, data, c(as.list(setNames(rep("定量", length(unlist(factors))), unlist(factors))), setNames(list("定类"), group))) }
F3 <- list(visual = c("x1", "x2", "x3"), textual = c("x4", "x5", "x6"), speed = c("x7", "x8", "x9")); F1 <- list(F = paste0("q", 1:4))
any_ <- list("每一级与上一级比较", "等值性检验看同一道题", "多组验证性因子分析：", "最小的组", "各组同时拟合"); bad <- list("尺度等值没有成立"); rel <- function(l) list(paste0(l, "模型里，把这个参数"))
oracle(c("R 4.2.2, lavaan 0.6-14（school：115.851/48，124.044/54，164.103/60，181.511/69）"), list(
  run("两所学校", hs, "school", F3, says = c(any_, bad, rel("尺度等值"), list("达到单位等值"))),
  run("两所学校，部分等值，稳健，Δχ²", hs, "school", F3, list(estimator = "mlr", criterion = "chisq_diff", partial = list(list(`for` = "x3", intercept = TRUE), list(`for` = "x7", intercept = TRUE))), estimator = "MLR", partial = c("x3~1", "x7~1"), says = c(any_, rel("严格等值"), list("χ² 为稳健校正值", fact("部分等值：放开了", freed = 2))), fails = "strict"),
  run("三个班，五点题", three, "班级", F1, list(criterion = "chisq_diff"), says = c(any_, bad, rel("尺度等值"), list("达到单位等值")), data = "oracle-three.csv"),
  run("三个班，有缺失，FIML，只到单位等值", gaps, "班级", F1, list(missing = "fiml"), "metric", missing = "ml", says = c(any_, rel("单位等值"), list("达到单位等值")), data = "oracle-gaps.csv", fails = "metric")), quick = setNames(list(), character()))
