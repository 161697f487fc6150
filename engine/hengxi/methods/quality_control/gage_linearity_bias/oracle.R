# Rscript oracle.R   (R 4.2.2) lm, t.test.
source("../../../../tools/oracle.R")
save_as <- function(x, f) if (!file.exists(f)) write.csv(x, f, row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8", na = "")
set.seed(81); r <- rep(c(2, 4, 6, 8, 10), each = 12); save_as(data.frame(参考值 = r, 测量值 = round(r + .74 - .13 * r + rnorm(60, 0, .2), 2), check.names = FALSE), "example.csv")
set.seed(82); r <- rep(c(10, 20, 30), each = 8); d <- data.frame(标准 = r, 读数 = round(r + rnorm(24, 0, .3), 1), check.names = FALSE); d$读数[c(2, 20)] <- NA; save_as(d, "oracle-flat.csv")
set.seed(83); save_as(data.frame(标准 = 5, 读数 = round(rnorm(25, 5.02, .05), 2), 好 = round(rnorm(25, 5, .01), 3), check.names = FALSE), "oracle-one.csv")
e <- example(); F <- na.omit(example("oracle-flat.csv")); O <- example("oracle-one.csv")
study <- function(y, x, pv = NULL, tol = NULL, level = .95) {
  b <- y - x; u <- sort(unique(x)); out <- list(); many <- length(u) > 1
  if (many) { m <- lm(b ~ x); s <- summary(m)$coefficients; ci <- confint(m, level = level)
    for (i in 1:2) out <- c(out, list(block("line", list(term = c("截距", "斜率")[i]), b = s[i, 1], se = s[i, 2], t = s[i, 3], df = m$df.residual, p = s[i, 4], low = ci[i, 1], high = ci[i, 2])))
    fit <- list("fit", r2 = summary(m)$r.squared, s = summary(m)$sigma, percent_linearity = 100 * abs(s[2, 1])); if (!is.null(pv)) fit$linearity <- abs(s[2, 1]) * pv; out <- c(out, list(do.call(block, fit))) }
  for (v in c(as.list(u), if (many) list(NULL))) { q <- if (is.null(v)) b else b[x == v]; t <- t.test(q, conf.level = level); z <- list("biases", if (is.null(v)) list(n = length(q)) else list(reference = v), n = length(q), bias = mean(q), sd = sd(q), low = t$conf.int[1], high = t$conf.int[2], t = unname(t$statistic), p = t$p.value); if (!is.null(v)) z$reference <- v; if (!is.null(pv)) z$percent_bias <- 100 * abs(mean(q)) / pv; out <- c(out, list(do.call(block, z))) }
  if (!many && !is.null(tol)) out <- c(out, list(block("type1", Cg = .2 * tol / (6 * sd(b)), Cgk = (.1 * tol - abs(mean(b))) / (3 * sd(b)))))
  out
}
top <- function(y, x) { b <- tapply(y - x, x, mean); b[which.max(abs(b))][[1]] }; slope <- function(y, x) summary(lm(y - x ~ x))$coefficients[2, 4]
M <- list(参考值 = "定量", 测量值 = "定量", 标准 = "定量", 读数 = "定量", 好 = "定量"); f <- function(...) list(measure = "测量值", reference = "参考值", ...); g <- function(m, ...) list(measure = m, reference = "标准", ...)
oracle(c("R 4.2.2: lm, t.test"), list(
  case("五个参考值", f(process_variation = 14), study(e$测量值, e$参考值, 14), list(fact("偏倚随量值变化", p = slope(e$测量值, e$参考值), bias = top(e$测量值, e$参考值)), "先校准有偏倚的量程", "最后一行为全部"), measures = M),
  case("没有偏倚，有缺失，90%", g("读数", conf_level = .9), study(F$读数, F$标准, level = .9), list(fact("没有发现随量值变化", p = slope(F$读数, F$标准), bias = top(F$读数, F$标准))), data = "oracle-flat.csv", measures = M),
  case("一个参考值，类型 1", g("读数", type1_tolerance = .6), study(O$读数, O$标准, tol = .6), list("只有 1 个参考值，无法评估线性", "“线性回归”未给出", "“线性”未给出", fact("偏倚", bias = mean(O$读数 - 5)), "量具的波动或偏倚太大"), data = "oracle-one.csv", measures = M),
  case("类型 1，能力够", g("好", type1_tolerance = 1), study(O$好, O$标准, tol = 1), list("量具可用", fact("偏倚", bias = mean(O$好 - 5))), data = "oracle-one.csv", measures = M)))
