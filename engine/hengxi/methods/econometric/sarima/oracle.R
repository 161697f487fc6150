# Rscript oracle.R   (R 4.2.2) exact likelihood from the covariance matrix (tools/oracle_series.R), arima, forecast::mstl, auto.arima
source("../../../../tools/oracle.R"); source("../../../../tools/oracle_series.R"); suppressMessages(library(MASS))

air <- data.frame(月份 = rep(1949:1960, each = 12) * 100 + 1:12, 旅客数 = as.integer(AirPassengers), check.names = FALSE)      # Box, Jenkins: series G
write.csv(air, "example.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
nasty <- function() {             # quarterly counts with ties, a gap, rows mixed, a campaign 0/1 known ahead
  RNGversion("4.2.0"); set.seed(12); n <- 60; c <- rbinom(n, 1, .3); y <- pmax(1, round(30 + c(6, -2, -5, 1)[1 + (0:(n - 1)) %% 4] + .2 * 1:n + 4 * c + as.numeric(arima.sim(list(ar = .5), n, sd = 2))))
  y[23] <- NA; y[57:60] <- NA; z <- data.frame(季度 = 1:n, 订单 = y, 活动 = c, check.names = FALSE); z[sample(n), ] }
q <- nasty(); write.csv(q, "oracle-orders.csv", row.names = FALSE, quote = FALSE, na = "", fileEncoding = "UTF-8")

label <- function(o, s, m) sprintf("(%d,%d,%d)(%d,%d,%d)[%d]", o[1], o[2], o[3], s[1], s[2], s[3], m)
strength <- function(x, m) { f <- mstl(ts(x, frequency = m)); r <- f[, "Remainder"]; max(0, min(1, 1 - var(r) / var(r + f[, ncol(f) - 1]))) }
everything <- function(y, o, s, m, X = NULL, Xf = NULL, h, names_ = character(), ahead, back = identity, z = y, held, first, exog = FALSE, lam = NULL) {
  f <- exact_arima(z, o, X, s, m, Xf, h); np <- o[1] + o[3] + s[1] + s[3]
  all_names <- c(if (o[1]) paste0("ar", 1:o[1]), if (o[3]) paste0("ma", 1:o[3]), if (s[1]) paste0("sar", 1:s[1]), if (s[3]) paste0("sma", 1:s[3]), names_)
  fitted <- back(z[(f$lost + 1):length(z)] - f$one); obs <- y[(f$lost + 1):length(y)]; m0 <- measures_of(obs, fitted, naive_mae(y, m))
  const <- if (length(names_) && names_[1] == "漂移（每期的平均变化）") { p <- cut_up(f$par, o, s, m); f$b[1] * (if (s[2]) m else 1) * (1 - sum(p$ar)) } else NULL
  cells <- c(list("summary", n = length(y), used = f$n, sigma2 = f$s2, ll = f$ll, aic = f$aic, aicc = f$aicc, bic = f$bic, r2 = 1 - sum((obs - fitted)^2) / sum((obs - mean(obs))^2), rmse = m0$rmse, mae = m0$mae, mase = m0$mase, mape = m0$mape),
    if (!is.null(const)) list(constant = const), if (!is.null(lam)) list(lam = lam), list(tolerance = 1e-7, reason = "rests on coefficients found by a numerical gradient"))
  out <- list(do.call(block, cells))
  for (i in seq_along(f$both)) { b <- f$both[i]; e <- f$se[i]
    out <- c(out, list(block("coefficients", list(name = all_names[i]), b = b, tolerance = 1e-6, reason = "maximum found by a numerical gradient (numDeriv)"),
      block("coefficients", list(name = all_names[i]), se = e, z = b / e, low = b - qnorm(.975) * e, high = b + qnorm(.975) * e, p = 2 * pnorm(-abs(b / e)), tolerance = 1e-4, reason = HESS))) }
  for (k in unique(c(1, h))) out <- c(out, list(block("forecast", list(period = ahead[k]), value = back(f$mean[k]), low80 = back(f$mean[k] - qnorm(.9) * f$fse[k]), high80 = back(f$mean[k] + qnorm(.9) * f$fse[k]),
    low95 = back(f$mean[k] - qnorm(.975) * f$fse[k]), high95 = back(f$mean[k] + qnorm(.975) * f$fse[k]), tolerance = 1e-6, reason = "rests on coefficients found by a numerical gradient")))
  for (lag in c(6, 12, 18, 24)) if (lag > np && lag <= f$n %/% 2) { b <- Box.test(f$e, lag, "Ljung-Box", fitdf = np)
    out <- c(out, list(block("residual_tests", list(test = "Ljung-Box", lag = lag), statistic = unname(b$statistic), df = unname(b$parameter), p = unname(b$p.value), tolerance = 1e-5, reason = "residuals of coefficients found by a numerical gradient"))) }
  jb <- jarque.bera.test(f$e); L <- max(1, min(12, f$n %/% 5)); a <- arch_lm(f$e, L)
  out <- c(out, list(block("residual_tests", list(test = "Jarque-Bera"), statistic = unname(jb$statistic), df = 2, p = unname(jb$p.value), tolerance = 1e-5, reason = "as above"),
    block("residual_tests", list(test = "ARCH-LM"), lag = L, statistic = a$lm, p = a$p, tolerance = 1e-5, reason = "as above"),
    block("season_table", list(series = "差分前"), strength = strength(z, m), limit = .64, tolerance = 1e-6, reason = "loess of mstl and of statsmodels agree to seven digits")))
  zs <- if (s[2]) diff(z, lag = m) else z
  for (k in 0:min(o[2] + 1, 2)) { x <- if (k) diff(zs, differences = k) else zs; l <- pick_lag(x); t <- adf_t(adf_lm(x, l)); kp <- ur.kpss(x, type = "mu", use.lag = trunc(3 * sqrt(length(x)) / 13))
    out <- c(out, list(block("stationarity", list(series = if (k) paste(k, "阶差分") else first), adf = t, lag = l, p = mackinnon_p(t, "c"), critical = mackinnon_c("c", length(resid(adf_lm(x, l))))[2], kpss = kp@teststat, kpss_critical = kp@cval[2]))) }
  n <- length(y) - held; g <- exact_arima(z[1:n], o, if (is.null(X)) NULL else X[1:n, , drop = FALSE], s, m, if (is.null(X)) NULL else X[n + 1:held, , drop = FALSE], held)
  out <- c(out, list(do.call(block, c(list("holdout_table", list(name = paste0("SARIMA", label(o, s, m), if (exog) "（含外生变量）" else "")), tolerance = 1e-5, reason = "coefficients found by a numerical gradient"), measures_of(y[n + 1:held], back(g$mean), naive_mae(y[1:n], m)))),
    do.call(block, c(list("holdout_table", list(name = "季节朴素法（照搬上一周期）")), measures_of(y[n + 1:held], rep_len(y[n - m + 1:m], held), naive_mae(y[1:n], m))))))
  list(f = f, blocks = out) }

y <- as.numeric(AirPassengers); z <- log(y); bc <- boxcox(y ~ seq_along(y), lambda = seq(-1, 2, .05), plotit = FALSE); stopifnot(bc$x[which.max(bc$y)] <= .25)
best <- auto.arima(ts(z, frequency = 12), approximation = FALSE); stopifnot(all(best$arma == c(0, 1, 0, 1, 12, 1, 1)), strength(z, 12) > .64)
one <- everything(y, c(0, 1, 1), c(0, 1, 1), 12, h = 24, ahead = sprintf("%d-%02d", rep(1961:1962, each = 12), 1:12), back = exp, z = z, held = 24, first = "季节差分后", lam = 0)
own <- arima(log(AirPassengers), c(0, 1, 1), seasonal = c(0, 1, 1), method = "ML"); stopifnot(max(abs(coef(own) - one$f$par)) < 1e-4)
chosen <- list(block("search", list(model = "ARIMA(0,1,1)(0,1,1)[12]"), aic = one$f$aic, aicc = one$f$aicc, bic = one$f$bic))
g <- q[order(q$季度), ]; v <- approx(1:56, g$订单[1:56], 1:56)$y; n <- 56
two <- everything(v, c(1, 0, 0), c(1, 0, 0), 4, cbind(rep(1, n), g$活动[1:n]), cbind(rep(1, 4), g$活动[57:60]), 4, c("均值", "活动"), as.character(57:60), held = 4, first = "原序列", exog = TRUE)
two$blocks[[1]]$cells$constant <- { p <- cut_up(two$f$par, c(1, 0, 0), c(1, 0, 0), 4); two$f$b[1] * (1 - sum(p$ar)) }
three <- everything(as.numeric(UKgas), c(0, 0, 1), c(0, 1, 1), 4, cbind(1:108), cbind(109:112), 4, "漂移（每期的平均变化）", as.character(109:112), back = exp, z = log(as.numeric(UKgas)), held = 4, first = "季节差分后", lam = 0)
write.csv(data.frame(季 = 1:108, 用气 = as.numeric(UKgas)), "oracle-gas.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
rest <- list("下一期（", "先看预测区间的宽窄", "原假设：Ljung-Box", "B 是后移算子", "误差和 *R*² 按样本内", "点贴近对角线", "实际值有 80%", "拟合是每期按", "ADF 的原假设是", "采用 ", " 预测 ", "期“", "模型对 ", "点都在圆内", "ar、ma 是自回归", "都小于 1，模型平稳", "留出最后", "季节强度在 0 到 1", "每条线是一个周期")
good <- list("残差里没有发现剩余", "残差近似正态", "波动没有成群")
oracle(c("R 4.2.2: arima, Box.test, chol, MASS::boxcox", "forecast 8.20: auto.arima, mstl", "urca 1.3: ur.kpss", "tseries 0.10: jarque.bera.test", "MacKinnon (1994, 2010): polynomials"), list(
  case("航空旅客，自动", list(y = "旅客数", time = list(column = "月份", frequency = NULL)), c(one$blocks, chosen), measures = list(月份 = "时间"), says = c(rest, good, list(fact("下一期（", "next" = exp(one$f$mean[1]))), "先试四五个简单的模型", "自动变换：取对数")),
  case("季度订单，外生变量，插补", list(y = "订单", time = list(column = "季度", frequency = NULL), period = 4, exog = list("活动"), auto = FALSE, order = list(p = 1, d = 0, q = 0), seasonal_order = list(P = 1, D = 0, Q = 0), horizon = 4, transform = "none", gaps = "linear"), two$blocks,
    data = "oracle-orders.csv", measures = list(季度 = "时间", 订单 = "定量", 活动 = "定量"), says = c(rest, "已按前后两期线性插补")),
  case("带漂移，周期自动识别", list(y = "用气", auto = FALSE, order = list(p = 0, d = 0, q = 1), seasonal_order = list(P = 0, D = 1, Q = 1), constant = "yes", transform = "log", horizon = 4, holdout = 4), three$blocks, data = "oracle-gas.csv", says = c(rest, "残差不像正态分布", "成群出现"))),
  unverified = list(), quick = list(auto = FALSE))
