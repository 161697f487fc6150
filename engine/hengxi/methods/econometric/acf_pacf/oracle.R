# Rscript oracle.R   (R 4.2.2) acf, pacf, ar.burg, ccf, Box.test, lm
source("../../../../tools/oracle.R")
sun <- data.frame(年份 = 1700:1988, 黑子数 = as.numeric(sunspot.year), check.names = FALSE)
write.csv(sun, "example.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
write.csv(data.frame(激素 = as.numeric(lh)), "oracle-lh.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
pair <- function() { RNGversion("4.2.0"); set.seed(4); n <- 80; x <- round(cumsum(rnorm(n)), 1); y <- round(c(0, 0, head(x, -2)) + rnorm(n, 0, .5)); y[c(11, 40)] <- NA; z <- data.frame(月 = 1:n, 销量 = y, 广告 = x, 渠道 = rep(c("甲", "乙"), n / 2), check.names = FALSE); z[sample(n), ] }
pr <- pair(); write.csv(pr, "oracle-pair.csv", row.names = FALSE, quote = FALSE, na = "", fileEncoding = "UTF-8")
rows <- function(x, L, partial) { r <- drop(acf(x, L, plot = FALSE)$acf)[-1]; se <- sqrt((1 + 2 * c(0, cumsum(r^2)[-L])) / length(x))
  lapply(1:L, function(k) { b <- Box.test(x, k, "Ljung"); block("coefficients", list(lag = k), lag = k, acf = r[k], se = se[k], pacf = partial[k], q = unname(b$statistic), p = unname(b$p.value)) }) }
ols <- function(x, L) sapply(1:L, function(k) { n <- length(x); Z <- sapply(1:k, function(j) x[(k + 1 - j):(n - j)]); unname(coef(lm(x[(k + 1):n] ~ Z))[k + 1]) })
s <- sun$黑子数; h <- as.numeric(lh); p3 <- drop(pacf(h, 3, plot = FALSE)$acf); stopifnot(max(abs(p3 - c(.575524, -.223410, -.226940))) < 1e-6)
v <- pr[order(pr$月), ]; y <- diff(approx(1:80, v$销量, 1:80)$y); x <- diff(v$广告); L <- 10; cc <- ccf(y, x, L, plot = FALSE)$acf
burg <- function(x, L) sapply(1:L, function(k) { f <- b <- x - mean(x); for (j in 1:k) { a <- f[-1]; c <- b[-length(b)]; g <- 2 * sum(a * c) / sum(a^2 + c^2); f <- a - g * c; b <- c - g * a }; g })
stopifnot(max(abs(burg(h, 4) - drop(ar.burg(h, aic = FALSE, order.max = 4)$partialacf))) < 1e-8)
cut_at <- function(v, n) { o <- abs(v) > qnorm(.975) / sqrt(n); L <- length(v); for (k in 0:(L - 1)) if (!o[k + 1] && sum(o[(k + 1):L]) <= max(1, (L - k) %/% 10)) return(k); L }
sa <- drop(acf(s, 20, plot = FALSE)$acf)[-1]; sp <- drop(pacf(s, 20, plot = FALSE)$acf); ha <- drop(acf(h, 8, plot = FALSE)$acf)[-1]; hp <- cut_at(burg(h, 8), 48); hq <- cut_at(ha, 48); stopifnot(forecast::ndiffs(h) == 0)
base <- list("*Q* 检验前 k 阶", "截尾：此后超出", "自相关超出虚线", "，提示 ", "界限 ±")
oracle(c("R 4.2.2: acf, pacf, ccf, Box.test, ar.burg, lm"), list(
  case("太阳黑子", list(y = "黑子数", time = list(column = "年份", frequency = NULL), lags = 20), c(rows(s, 20, drop(pacf(s, 20, plot = FALSE)$acf)), list(block("suggestion", d = forecast::ndiffs(s)))), measures = list(年份 = "时间"),
    says = c(base, list(fact("第 1 阶自相关", first = drop(acf(s, 1, plot = FALSE)$acf)[2])), "没有放另一序列")),
  case("lh，Burg", list(y = "激素", pacf_method = "burg", lags = 8), c(rows(h, 8, burg(h, 8)), list(block("suggestion", p = if (hq < hp) 0 else hp, d = 0, q = if (hp < hq) 0 else hq))), data = "oracle-lh.csv", says = base),
  case("差分，OLS，互相关，插补", list(y = "销量", time = list(column = "月", frequency = NULL), y2 = "广告", gaps = "linear", diff = 1, pacf_method = "ols", lags = L), c(rows(y, L, ols(y, L)), lapply(1:(2 * L + 1), function(i) block("cross", list(lag = i - L - 1), lag = i - L - 1, r = cc[i]))),
    data = "oracle-pair.csv", measures = list(月 = "时间", 销量 = "定量", 广告 = "定量"), says = c(base, "r(k) 是", "已按前后两期")),
  case("不平稳", list(y = "广告", time = list(column = "月", frequency = NULL), lags = 12), rows(v$广告, 12, drop(pacf(v$广告, 12, plot = FALSE)$acf)), data = "oracle-pair.csv", measures = list(月 = "时间", 广告 = "定量"), says = c(base, "KPSS 检验认为"))),
  unverified = list())
