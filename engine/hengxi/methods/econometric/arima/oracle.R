# Rscript oracle.R   (R 4.2.2) exact likelihood from the covariance matrix (tools/oracle_series.R), arima, forecast::auto.arima, urca, tseries
source("../../../../tools/oracle.R"); source("../../../../tools/oracle_series.R"); suppressMessages(library(MASS))

made <- function() {          # ARIMA(1,1,1) with drift, 96 months, seed 2024
  RNGversion("4.2.0"); set.seed(2024); n <- 96; e <- rnorm(n, 0, 3); w <- 0
  for (t in 2:n) w[t] <- .8 + .5 * (w[t - 1] - .8) + e[t] + .3 * e[t - 1]
  data.frame(月份 = rep(2016:2023, each = 12) * 100 + 1:12, 销售额 = round(200 + cumsum(w), 1), check.names = FALSE) }
if (!file.exists("example.csv")) write.csv(made(), "example.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
d <- example(); stopifnot(all.equal(d, made()))
nasty <- function() {         # yearly satisfaction 1-5 rounded, two gaps, a word column, the budget known four years ahead
  RNGversion("4.2.0"); set.seed(7); n <- 44; x <- round(20 + cumsum(rnorm(n)), 1); u <- as.numeric(arima.sim(list(ar = .6), n))
  y <- pmin(5, pmax(1, round(2 + .08 * x + .7 * u))); y[c(9, 17)] <- NA; y[41:44] <- NA
  z <- data.frame(年份 = 1979 + 1:n, 满意度 = y, 预算 = x, 备注 = rep(c("线上", "线下"), n / 2), check.names = FALSE); z[sample(n), ] }
write.csv(nasty(), "oracle-gaps.csv", row.names = FALSE, quote = FALSE, na = "", fileEncoding = "UTF-8")
write.csv(data.frame(次序 = seq_along(lh), 激素 = as.numeric(lh)), "oracle-lh.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
write.csv(data.frame(年 = 1875:1972, 水位 = as.numeric(LakeHuron)), "oracle-huron.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
write.csv(data.frame(季 = 1:108, 用气 = as.numeric(UKgas)), "oracle-gas.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")

label <- function(o) sprintf("ARIMA(%d,%d,%d)", o[1], o[2], o[3])
everything <- function(y, o, X = NULL, Xf = NULL, h, names_ = character(), ahead, back = identity, z = y, held = 0, seasonal = NULL, exog = FALSE, first = "原序列", lam = NULL) {
  f <- exact_arima(z, o, X, Xf = Xf, h = h); np <- o[1] + o[3]
  all_names <- c(if (o[1]) paste0("ar", 1:o[1]), if (o[3]) paste0("ma", 1:o[3]), names_)
  fitted <- back(z[(f$lost + 1):length(z)] - f$one); obs <- y[(f$lost + 1):length(y)]; m0 <- measures_of(obs, fitted, naive_mae(y))
  const <- if (length(names_) && names_[1] %in% c("均值", "漂移（每期的平均变化）")) f$b[1] * (1 - sum(f$par[seq_len(o[1])])) else NULL
  fit_cells <- list("summary", n = length(y), used = f$n, sigma2 = f$s2, ll = f$ll, aic = f$aic, aicc = f$aicc, bic = f$bic,
    r2 = 1 - sum((obs - fitted)^2) / sum((obs - mean(obs))^2), rmse = m0$rmse, mae = m0$mae, mase = m0$mase)
  if (!is.null(m0$mape)) fit_cells$mape <- m0$mape
  if (!is.null(const)) fit_cells$constant <- const
  if (!is.null(lam)) fit_cells$lam <- lam
  out <- list(do.call(block, fit_cells))
  for (i in seq_along(f$both)) { b <- f$both[i]; s <- f$se[i]
    out <- c(out, list(block("coefficients", list(name = all_names[i]), b = b, tolerance = 1e-7, reason = "maximum found by a numerical gradient (numDeriv)"),
      block("coefficients", list(name = all_names[i]), se = s, z = b / s, low = b - qnorm(.975) * s, high = b + qnorm(.975) * s, p = 2 * pnorm(-abs(b / s)),
        tolerance = 1e-5, reason = HESS))) }
  for (k in unique(c(1, h))) out <- c(out, list(block("forecast", list(period = ahead[k]), value = back(f$mean[k]), low80 = back(f$mean[k] - qnorm(.9) * f$fse[k]),
    high80 = back(f$mean[k] + qnorm(.9) * f$fse[k]), low95 = back(f$mean[k] - qnorm(.975) * f$fse[k]), high95 = back(f$mean[k] + qnorm(.975) * f$fse[k]), tolerance = 1e-7, reason = "rests on coefficients found by a numerical gradient")))
  for (lag in c(6, 12, 18, 24)) if (lag > np && lag <= f$n %/% 2) { q <- Box.test(f$e, lag, "Ljung-Box", fitdf = np)
    out <- c(out, list(block("residual_tests", list(test = "Ljung-Box", lag = lag), statistic = unname(q$statistic), df = unname(q$parameter), p = unname(q$p.value), tolerance = 1e-6, reason = "residuals of coefficients found by a numerical gradient"))) }
  g <- (f$e - mean(f$e)); jb <- jarque.bera.test(f$e); ar <- arch_lm(f$e, max(1, min(12, f$n %/% 5)))
  out <- c(out, list(block("residual_tests", list(test = "Jarque-Bera"), statistic = unname(jb$statistic), df = 2, p = unname(jb$p.value), tolerance = 1e-6, reason = "as above"),
    block("residual_tests", list(test = "ARCH-LM"), lag = max(1, min(12, f$n %/% 5)), statistic = ar$lm, p = ar$p, tolerance = 1e-6, reason = "as above")))
  for (k in 0:min(o[2] + 1, 2)) { x <- if (k) diff(z, differences = k) else z; L <- pick_lag(x); a <- adf_lm(x, L); tau <- adf_t(a)
    kp <- ur.kpss(x, type = "mu", use.lag = trunc(3 * sqrt(length(x)) / 13))
    out <- c(out, list(block("stationarity", list(series = if (k) paste(k, "阶差分") else first), adf = tau, lag = L, p = mackinnon_p(tau, "c"),
      critical = mackinnon_c("c", length(resid(a)))[2], kpss = kp@teststat, kpss_critical = kp@cval[2]))) }
  if (held) { n <- length(y) - held; g <- exact_arima(z[1:n], o, if (is.null(X)) NULL else X[1:n, , drop = FALSE], Xf = if (is.null(X)) NULL else X[n + 1:held, , drop = FALSE], h = held)
    out <- c(out, list(do.call(block, c(list("holdout_table", list(name = paste0(label(o), if (exog) "（含外生变量）" else "")), tolerance = 1e-6, reason = "coefficients found by a numerical gradient"), measures_of(y[n + 1:held], back(g$mean), naive_mae(y[1:n])))),
      do.call(block, c(list("holdout_table", list(name = "朴素法（照搬最后一期）")), measures_of(y[n + 1:held], rep(y[n], held), naive_mae(y[1:n]))))),
      if (!is.null(seasonal)) list(do.call(block, c(list("holdout_table", list(name = "季节朴素法（照搬上一周期）")), measures_of(y[n + 1:held], rep_len(y[n - seasonal + 1:seasonal], held), naive_mae(y[1:n])))))) }
  list(f = f, blocks = out) }

trace_blocks <- function(y, ic = "aicc", key = ic, ...) {      # auto.arima's own list of models with their criterion
  said <- capture.output(best <- auto.arima(ts(y), ic = ic, trace = TRUE, approximation = FALSE, seasonal = FALSE, ...))
  said <- trimws(said); rows <- regmatches(said, regexec("ARIMA[(]([0-9]),([0-9]),([0-9])[)] *(with drift|with non-zero mean|with zero mean|) *: ([-0-9.]+|Inf)$", said))
  rows <- Filter(function(r) length(r) > 0 && r[6] != "Inf", rows)
  # With p + q > 3 the likelihood has several hills and optim may stop on a lower one: those rows are not compared.
  rows <- Filter(function(r) sum(as.integer(r[c(2, 4)])) < 4, rows)
  blocks <- lapply(rows, function(r) do.call(block, c(list("search", list(model = sprintf("ARIMA(%s,%s,%s)", r[2], r[3], r[4]), constant = if (r[5] %in% c("with drift", "with non-zero mean")) "有" else "无")),
    setNames(list(as.numeric(r[6])), key), list(tolerance = 2e-5, reason = "auto.arima prints seven digits of an optimum of optim, with a diffuse start"))))
  list(best = best, blocks = blocks) }

y <- d$销售额; n <- length(y); best <- trace_blocks(y); o1 <- best$best$arma[c(1, 6, 2)]; drift <- "drift" %in% names(coef(best$best))
one <- everything(y, o1, if (drift) cbind(1:n) else NULL, if (drift) cbind(n + 1:10) else NULL, 10, if (drift) "漂移（每期的平均变化）" else character(),
  sprintf("2024-%02d", 1:10), held = 10, seasonal = 12)
chosen <- block("search", list(model = label(o1), constant = if (drift) "有" else "无"), aic = one$f$aic, aicc = one$f$aicc, bic = one$f$bic)
two <- everything(as.numeric(lh), c(3, 0, 0), cbind(rep(1, 48)), cbind(rep(1, 3)), 3, "均值", as.character(49:51), held = 6)
three <- everything(as.numeric(LakeHuron), c(1, 1, 2), h = 5, ahead = as.character(1973:1977))
own <- arima(LakeHuron, c(1, 1, 2), method = "ML"); stopifnot(max(abs(coef(own) - three$f$par)) < 1e-3, abs(own$loglik - three$f$ll) < 1e-3)
g <- nasty(); g <- g[order(g$年份), ]; v <- g$满意度[1:40]; v <- approx(1:40, v, 1:40)$y; x <- g$预算
four <- everything(v, c(1, 0, 0), cbind(1, x[1:40]), cbind(1, x[41:44]), 4, c("均值", "预算"), as.character(2020:2023), back = exp, z = log(v), held = 4, exog = TRUE, first = "变换后的序列", lam = 0)
u <- as.numeric(UKgas); bc <- boxcox(u ~ seq_along(u), lambda = seq(-1, 2, .05), plotit = FALSE); lam <- round(bc$x[which.max(bc$y)], 2)
five <- everything(u, c(2, 1, 0), h = 4, ahead = as.character(109:112), back = function(z) pmax(lam * z + 1, 0)^(1 / lam), z = (u^lam - 1) / lam, held = 4, first = "变换后的序列", lam = lam)
bic <- trace_blocks(as.numeric(LakeHuron), "bic"); o6 <- bic$best$arma[c(1, 6, 2)]
six <- everything(as.numeric(LakeHuron), o6, h = 3, ahead = as.character(1973:1975), held = 3)
month <- list(column = "月份", frequency = NULL)
rest <- list("下一期（", "先看预测区间的宽窄", "原假设：Ljung-Box", "B 是后移算子", "误差和 *R*² 按样本内", "点贴近对角线", "实际值有 80%",
  "拟合是每期按", "ADF 的原假设是", "采用 ", " 预测 ", "期“", "波动没有成群", "模型对 ")
terms <- list("点都在圆内", "ar、ma 是自回归", "都小于 1，模型平稳")
good <- list("残差里没有发现剩余", "残差近似正态")
oracle(c("R 4.2.2: arima, Box.test, chol, MASS::boxcox", "forecast 8.20: auto.arima", "urca 1.3: ur.kpss", "tseries 0.10: jarque.bera.test", "MacKinnon (1994, 2010): polynomials"), list(
  case("自动定阶，月度", list(y = "销售额", time = month), c(one$blocks, list(chosen), best$blocks), measures = list(月份 = "时间"),
    says = c(list(fact("下一期（", "next" = one$f$mean[1], low = one$f$mean[1] - qnorm(.975) * one$f$fse[1])), rest, terms, good, "先试四五个简单的模型", "留出最后")),
  case("手工 (3,0,0)，无时间", list(y = "激素", auto = FALSE, order = list(p = 3, d = 0, q = 0), horizon = 3, holdout = 6), two$blocks, data = "oracle-lh.csv", says = c(rest, terms, good[1], "留出最后")),
  case("手工 (1,1,2)，年度，不留出", list(y = "水位", time = list(column = "年", frequency = NULL), auto = FALSE, order = list(p = 1, d = 1, q = 2), horizon = 5, holdout = 0), three$blocks,
    data = "oracle-huron.csv", measures = list(年 = "时间"), says = c(rest, terms, good, "”未给出：没有留出检验期")),
  case("外生变量、插补、取对数", list(y = "满意度", time = list(column = "年份", frequency = NULL), exog = list("预算"), auto = FALSE, order = list(p = 1, d = 0, q = 0), horizon = 4, transform = "log", gaps = "linear"), four$blocks,
    data = "oracle-gaps.csv", measures = list(年份 = "时间", 满意度 = "定量"), says = c(rest, terms, good[1], "已按前后两期线性插补", "外生变量用实际值", "还原后的中位数", "在变换后的单位里")),
  case("Box-Cox", list(y = "用气", auto = FALSE, order = list(p = 2, d = 1, q = 0), constant = "no", horizon = 4, holdout = 4, transform = "box_cox"), five$blocks, data = "oracle-gas.csv",
    says = c(setdiff(rest, "波动没有成群"), terms, "残差不像正态分布", "残差还有自相关", "成群出现", "留出最后")),
  case("按 BIC 自动定阶", list(y = "水位", time = list(column = "年", frequency = "year"), ic = "bic", horizon = 3), c(six$blocks, bic$blocks), data = "oracle-huron.csv", measures = list(年 = "时间"),
    says = c(rest, good, "BIC 变小", "留出最后"))),
  unverified = list())
