# Own derivation in R by lm() and loops. Textbook example (noise over seven years): a .0023438, b 72.65727, fitted 72.4057
# 72.2362 72.0671 71.8984 71.7301 71.5622, C .4807, P .857, mean relative error .234 %.
source("../../../../tools/oracle.R")
inside <- function(x, lo, hi) all(x > 0) && all(x[-length(x)] / x[-1] > lo & x[-length(x)] / x[-1] < hi)
fitgm <- function(x, model, total) { n <- length(x); S <- cumsum(x); z <- (S[-1] + S[-n]) / 2
  if (model == "gm11") { m <- lm(x[-1] ~ z); a <- -coef(m)[[2]]; b <- coef(m)[[1]]; X <- sapply(0:(total - 1), function(k) (x[1] - b / a) * exp(-a * k) + b / a) }
  else if (model == "dgm11") { m <- lm(S[-1] ~ S[-n]); a <- coef(m)[[2]]; b <- coef(m)[[1]]; X <- x[1]; for (k in 2:total) X[k] <- a * X[k - 1] + b }
  else { m <- lm(x[-1] ~ 0 + I(-z) + I(z^2)); a <- coef(m)[[1]]; b <- coef(m)[[2]]; X <- sapply(0:(total - 1), function(k) a * S[1] / (b * S[1] + (a - b * S[1]) * exp(a * k))) }
  list(a = a, b = b, v = c(x[1], diff(X))) }
one <- function(name, x, f, names3, says = list(), ...) {
  n <- length(x); h <- if (is.null(f$horizon)) 3 else f$horizon; model <- if (is.null(f$model)) "gm11" else f$model; lo <- exp(-2 / (n + 1)); hi <- exp(2 / (n + 1)); mv <- 0
  if (!identical(f$shift, FALSE) && !inside(x, lo, hi)) { k <- floor(log10(max(x) - min(x))) - 1; repeat { for (d in c(1, 2, 5)) if (mv == 0 && inside(x + d * 10^k, lo, hi)) mv <- d * 10^k; if (mv > 0) break; k <- k + 1 } }
  y <- x + mv; r <- y[-n] / y[-1]; g <- fitgm(y, model, n + h); v <- g$v - mv; e <- x - v[1:n]; s1 <- sqrt(mean((x - mean(x))^2)); C <- sqrt(mean((e - mean(e))^2)) / s1; P <- mean(abs(e - mean(e)) < .6745 * s1); re <- mean(abs(e[-1] / x[-1]))
  grade <- if (C <= .35 && P >= .95) "一级（好）" else if (C <= .5 && P >= .8) "二级（合格）" else if (C <= .65 && P >= .7) "三级（勉强）" else "不合格"
  dev <- if (model == "gm11") 1 - (1 - .5 * g$a) / (1 + .5 * g$a) * r; tol <- 1e-7; why <- "a small coefficient of a least squares fit"
  out <- c(lapply(1:n, function(k) block("fitted", list(period = names3[k]), actual = x[k], fit = v[k], residual = if (k == 1) 0 else e[k], error = if (k == 1) 0 else abs(e[k] / x[k]), ratio = if (k > 1 && model == "gm11") dev[k - 1], tolerance = 1e-6, reason = why)),
    lapply(1:h, function(k) block("forecast", list(step = k), step = k, value = v[n + k], tolerance = tol, reason = why)), lapply(1:n, function(k) block("ratios", list(period = names3[k]), value = y[k], ratio = if (k > 1) r[k - 1], passes = if (k > 1) { if (r[k - 1] > lo && r[k - 1] < hi) "是" else "否" })),
    list(block("bounds", low = lo, high = hi, shift = mv, verdict = if (inside(y, lo, hi)) "通过" else "未通过"), block("model_", a = g$a, b = g$b, c = C, p = P, grade = grade, error = re, tolerance = tol, reason = why)))
  list(g = g, C = C, P = P, re = re, v = v, case = case(name, f, out, Filter(Negate(is.null), c(list("下一期的预测值为", "小误差概率 P", "平均相对误差", "拟合得好不保证预测得准", "拟合值平均偏离真实值", if (re > .2) "超过 20%，预测不可靠" else if (re > .1) "超过 10%，预测值只作参考" else "不超过 10%", if (model == "gm11") "−*a* = {m", if (inside(y, lo, hi)) "可容覆盖之内" else "序列不像指数变化"), says)), ...)) }
noise <- c(71.1, 72.4, 72.4, 72.1, 71.4, 72.0, 71.6); ex <- example()
t0 <- one("噪声数据（教材例）", noise, list(series = "噪声", time = "年份"), as.character(ex$年份))
stopifnot(abs(t0$g$a - .0023438) < 6e-8, abs(t0$g$b - 72.65727) < 6e-6, abs(t0$v[2:7] - c(72.4057, 72.2362, 72.0671, 71.8984, 71.7301, 71.5622)) < 6e-5, abs(t0$C - .4807) < 6e-5, abs(t0$P - .857) < 6e-4, abs(t0$re - .00234) < 6e-6)
g1 <- read.csv("oracle-growth.csv", fileEncoding = "UTF-8"); v1 <- as.numeric(g1$v); nm <- paste0("第 ", seq_along(v1), " 期")
long <- read.csv("oracle-long.csv")$v
oracle(c("R 4.2.2: lm, own loops", "noise of seven years (司守奎)"), list(t0$case,
  one("增长快，平移，预测 1 期", v1, list(series = "v", horizon = 1), nm, data = "oracle-growth.csv", measures = list(v = "定量"))$case,
  one("增长快，不平移", v1, list(series = "v", shift = FALSE), nm, data = "oracle-growth.csv", measures = list(v = "定量"))$case,
  one("DGM(1,1)", v1, list(series = "v", model = "dgm11"), nm, data = "oracle-growth.csv", measures = list(v = "定量"))$case,
  one("Verhulst", c(5, 9, 14, 18, 19, 16, 12), list(series = "s", model = "verhulst", shift = FALSE), paste0("第 ", 1:7, " 期"), data = "oracle-s.csv", measures = list(s = "定量"))$case,
  one("十八期", long, list(series = "v"), paste0("第 ", seq_along(long), " 期"), says = list("时间序列模型通常更好"), data = "oracle-long.csv", measures = list(v = "定量"))$case))
