# Rscript oracle.R   (R 4.2.2) urca: ur.df, ur.kpss, ur.ers, ur.za; Phillips-Perron by lm from the formula (tools/oracle_series.R)
source("../../../../tools/oracle.R"); source("../../../../tools/oracle_series.R")
write.csv(data.frame(年份 = 1871:1970, 流量 = as.integer(Nile), check.names = FALSE), "example.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
walk <- function() { RNGversion("4.2.0"); set.seed(6); n <- 72; y <- round(50 + cumsum(rnorm(n, .3))); y[c(15, 40)] <- NA; z <- data.frame(月 = 1:n, 客流 = y, 店 = rep(c("甲", "乙"), n / 2), check.names = FALSE); z[sample(n), ] }
w <- walk(); write.csv(w, "oracle-walk.csv", row.names = FALSE, quote = FALSE, na = "", fileEncoding = "UTF-8")
x <- as.numeric(Nile); v <- approx(1:72, w[order(w$月), ]$客流, 1:72)$y
adf <- function(x, d, trend, by = "aic", lag = NULL) { z <- if (d) diff(x, differences = d) else x; k <- if (is.null(lag)) pick_lag(z, trend, by) else lag; m <- adf_lm(z, k, trend); t <- adf_t(m, trend); cv <- mackinnon_c(trend, length(resid(m)))
  u <- ur.df(z, type = c(n = "none", c = "drift", ct = "trend")[[trend]], lags = k); stopifnot(abs(u@teststat[1] - t) < 1e-8)
  block("result", list(test = "ADF", d = d), d = d, lag = k, statistic = t, p = mackinnon_p(t, trend), one = cv[1], five = cv[2], ten = cv[3], aic = own_ic(m, 2)) }
kp <- function(x, d, type = "mu") { z <- if (d) diff(x, differences = d) else x; l <- trunc(4 * (length(z) / 100)^.25); u <- ur.kpss(z, type = type, use.lag = l); cv <- as.numeric(u@cval)
  block("result", list(test = "KPSS", d = d), lag = l, statistic = unname(u@teststat), p = approx(cv, c(.10, .05, .025, .01), u@teststat, rule = 2)$y, one = cv[4], five = cv[2], ten = cv[1]) }
pp <- function(x, d, trend = "c") { z <- if (d) diff(x, differences = d) else x; n <- length(z) - 1; m <- if (trend == "c") lm(z[-1] ~ z[-(n + 1)]) else lm(z[-1] ~ z[-(n + 1)] + seq_len(n)); e <- resid(m); l <- trunc(4 * (length(e) / 100)^.25)
  g0 <- sum(e^2) / n; L <- g0 + 2 * sum(sapply(seq_len(l), function(j) (1 - j / (l + 1)) * sum(e[(j + 1):n] * e[1:(n - j)]) / n)); s <- summary(m); se <- s$coef[2, 2]
  t <- sqrt(g0 / L) * (coef(m)[2] - 1) / se - .5 * (L - g0) / sqrt(L) * (n * se / s$sigma); u <- ur.pp(z, type = "Z-tau", model = c(c = "constant", ct = "trend")[[trend]], use.lag = l); stopifnot(abs(u@teststat / t - 1) < .03)
  cv <- mackinnon_c(trend, n); block("result", list(test = "PP", d = d), lag = l, statistic = unname(t), p = mackinnon_p(unname(t), trend), one = cv[1], five = cv[2], ten = cv[3]) }
ers <- function(x, d, k) { u <- ur.ers(if (d) diff(x) else x, type = "DF-GLS", model = "constant", lag.max = k); block("result", list(test = "DF-GLS", d = d), lag = k, statistic = u@teststat) }
za <- function(x, k, model = "intercept") { u <- ur.za(x, model = model, lag = k); block("result", list(test = "Zivot-Andrews", d = 0), lag = k, statistic = u@teststat, one = u@cval[1], five = u@cval[2], ten = u@cval[3]) }
stopifnot(abs(ur.df(Nile, type = "drift", lags = 1)@teststat[1] + 4.048705) < 1e-5)
base <- list("原假设：ADF、PP", "I(d)：差分")
oracle(c("urca 1.3: ur.df, ur.kpss, ur.ers, ur.za, ur.pp", "lm: Phillips and Perron (1988)", "MacKinnon (1994, 2010): polynomials"), list(
  case("Nile，固定滞后 1，五种检验", list(y = list("流量"), time = list(column = "年份", frequency = NULL), tests = list("adf", "pp", "kpss", "dfgls", "za"), lag = "fixed", max_lag = 1), list(adf(x, 0, "c", lag = 1), pp(x, 0), kp(x, 0), kp(x, 1), ers(x, 0, 1), za(x, 1)), measures = list(年份 = "时间"),
    says = c(base, "各检验不一致", "可能是趋势平稳或有断点", "作单位根检验")),
  case("随机游走，插补，含趋势", list(y = list("客流"), time = list(column = "月", frequency = NULL), gaps = "linear", trend = "trend", tests = list("adf", "pp")), list(adf(v, 0, "ct"), adf(v, 1, "ct"), pp(v, 0, "ct"), pp(v, 1, "ct")), data = "oracle-walk.csv", measures = list(月 = "时间", 客流 = "定量"),
    says = c(base, "不平稳，差分 1 次后平稳", "建模前按这个次数", "已按前后两期", "作单位根检验")),
  case("Nile，无确定项，BIC", list(y = list("流量"), trend = "none", lag = "bic"), list(adf(x, 0, "n", "bic"), adf(x, 1, "n", "bic")), says = c(base, "不平稳，差分 1 次后平稳")),
  case("Nile，t 统计量", list(y = list("流量"), lag = "t", max_diff = 0), list(adf(x, 0, "c", "t")), says = c(base, "不平稳（没有要求差分）"))),
  unverified = list())
