# Rscript oracle.R > oracle.json   (R 4.2.2, dbscan, jsonlite)
# Critical values and p of Grubbs by qt and pt, of Dixon by nested integrate (the package outliers is not in Debian); NIST's
# example of Grubbs (G = 2.4687) and of the generalised ESD (three outliers, R1 = 3.118, λ1 = 3.158) are asserted.
# boxplot.stats, mad, mahalanobis; dbscan::lof. Isolation forests are drawn by chance.
source("../../../../tools/oracle.R")

crit <- function(n, s) { t <- qt(s, n - 2, lower.tail = FALSE); (n - 1) / sqrt(n) * sqrt(t^2 / (n - 2 + t^2)) }
grubbs <- function(x, a) { n <- length(x); i <- which.max(abs(x - mean(x))); G <- abs(x[i] - mean(x)) / sd(x)
  list(i = i, s = G, c = crit(n, a / (2 * n)), p = min(1, 2 * n * pt(sqrt(n * (n - 2) * G^2 / ((n - 1)^2 - n * G^2)), n - 2, lower.tail = FALSE))) }
kind <- function(n) if (n <= 7) c(1, 0) else if (n <= 10) c(1, 1) else if (n <= 13) c(2, 1) else c(2, 2)
dtail <- function(r, n) { k <- kind(n); m <- n - 2 - k[2]; C <- exp(lgamma(n + 1) - lgamma(k[2] + 1) - lgamma(m + 1))
  inner <- function(b) integrate(function(a) { W <- pnorm(a) - pnorm(b); q <- ifelse(W > 0, (pnorm(a) - pnorm(a - r * (a - b))) / W, 0)
    dnorm(a) * W^m * pbinom(k[1] - 1, m, pmin(1, pmax(0, q))) }, b, b + 18, rel.tol = 1e-11, subdivisions = 500)$value
  C * integrate(Vectorize(function(b) dnorm(b) * pnorm(b)^k[2] * inner(b)), -9, 9, rel.tol = 1e-10, subdivisions = 500)$value }
dixon <- function(x, a) { n <- length(x); i <- which.max(abs(x - mean(x))); o <- sort(if (x[i] >= mean(x)) x else -x); k <- kind(n)
  r <- (o[n] - o[n - k[1]]) / (o[n] - o[1 + k[2]]); list(i = i, s = r, c = uniroot(function(r) dtail(r, n) - a / 2, c(.05, .999), tol = 1e-11)$root, p = min(1, 2 * dtail(r, n))) }
stopifnot(abs(dixon(c(1, 2, 9), .05)$c - .970) < 1e-3, abs(dixon(c(1:4, 30), .05)$c - .710) < 1e-3)  # published r10, n = 3 and 5
esd <- function(x, k, a) { n <- length(x); id <- seq_len(n); out <- NULL
  for (i in seq_len(k)) { y <- x[id]; j <- which.max(abs(y - mean(y))); out <- rbind(out, data.frame(R = abs(y[j] - mean(y)) / sd(y), critical = crit(n - i + 1, a / (2 * (n - i + 1))), row = id[j])); id <- id[-j] }
  out }
DX <- list(tolerance = 1e-7, reason = "nested quadrature of both sides")
flag <- function(v, m, n, hit, low = NULL, high = NULL) do.call(block, c(list("summary", list(variable = v, method = m)), list(n = n, count = length(hit), share = length(hit) / n),
  if (!is.null(low)) list(low = low, high = high)))
det <- function(v, m, row, ...) block("details", list(variable = v, method = m, row = row), row = row, ...)
numbers <- function(x, v, methods, a = .05, k = 10) { n <- length(x); out <- list()
  for (m in methods) out <- c(out, switch(m,
    tukey = { f <- fivenum(x); u <- f[4] - f[2]; h <- which(x < f[2] - 1.5 * u | x > f[4] + 1.5 * u); c(list(flag(v, "箱线图1.5/3IQR", n, h, f[2] - 1.5 * u, f[4] + 1.5 * u)),
      lapply(h, function(i) det(v, "箱线图1.5/3IQR", i, value = x[i], statistic = max(f[2] - x[i], x[i] - f[4]) / u, critical = 1.5))) },
    sigma = { h <- which(abs(x - mean(x)) > 3 * sd(x)); c(list(flag(v, "3σ", n, h, mean(x) - 3 * sd(x), mean(x) + 3 * sd(x))), lapply(h, function(i) det(v, "3σ", i, statistic = abs(x[i] - mean(x)) / sd(x), critical = 3))) },
    mad = { u <- mad(x, constant = 1 / .6745); z <- abs(x - median(x)) / u; h <- which(z > 3.5); c(list(flag(v, "修正Z（MAD）", n, h, median(x) - 3.5 * u, median(x) + 3.5 * u)), lapply(h, function(i) det(v, "修正Z（MAD）", i, statistic = z[i], critical = 3.5))) },
    grubbs = { g <- grubbs(x, a); list(flag(v, "Grubbs", n, if (g$p < a) g$i), det(v, "Grubbs", g$i, value = x[g$i], statistic = g$s, critical = g$c, p = g$p)) },
    dixon = { g <- dixon(x, a); list(flag(v, "Dixon Q", n, if (g$p < a) g$i), do.call(det, c(list(v, "Dixon Q", g$i, statistic = g$s, critical = g$c, p = g$p), DX))) },
    esd = { e <- esd(x, k, a); h <- if (any(e$R > e$critical)) max(which(e$R > e$critical)) else 0; c(list(flag(v, "广义ESD", n, seq_len(h))), lapply(seq_len(k), function(i) block("steps", list(variable = v, step = i), step = i, R = e$R[i], critical = e$critical[i], row = e$row[i], value = x[e$row[i]]))) }))
  out }
x <- example(); all <- c("tukey", "sigma", "mad", "grubbs", "dixon"); said <- list("异常不等于错误"); one <- function(d) as.list(setNames(rep("定量", ncol(d)), names(d)))
nist <- data.frame(值 = c(-.25, .68, .94, 1.15, 1.2, 1.26, 1.26, 1.34, 1.38, 1.43, 1.49, 1.49, 1.55, 1.56, 1.58, 1.65, 1.69, 1.7, 1.76, 1.77, 1.81, 1.91, 1.94, 1.96, 1.99, 2.06, 2.09, 2.1, 2.14, 2.15, 2.23, 2.24, 2.26, 2.35, 2.37, 2.4, 2.47, 2.54, 2.62, 2.64, 2.9, 2.92, 2.92, 2.93, 3.21, 3.26, 3.3, 3.59, 3.68, 4.3, 4.64, 5.34, 5.42, 6.01))
write.csv(nist, "oracle-rosner.csv", row.names = FALSE, quote = FALSE)
e <- esd(nist$值, 10, .05); stopifnot(max(which(e$R > e$critical)) == 3, abs(e$R[1] - 3.118) < 1e-3, abs(e$critical[1] - 3.158) < 1e-3, abs(grubbs(x$读数, .05)$s - 2.4687) < 1e-4)
arrests <- data.frame(州 = rownames(USArrests), 谋杀 = USArrests$Murder, 袭击 = USArrests$Assault, 城市 = USArrests$UrbanPop, 强奸 = USArrests$Rape); write.csv(arrests, "oracle-arrests.csv", row.names = FALSE, quote = FALSE)
m4 <- arrests[2:5]; d2 <- mahalanobis(m4, colMeans(m4), cov(m4)); p2 <- pchisq(d2, 4, lower.tail = FALSE); stopifnot(abs(d2[2] - 15.16806) < 1e-4); far <- m4; far$谋杀[7] <- 60; write.csv(cbind(arrests[1], far), "oracle-far.csv", row.names = FALSE, quote = FALSE)
f2 <- mahalanobis(far, colMeans(far), cov(far)); fp <- pchisq(f2, 4, lower.tail = FALSE); hit <- which(fp < .001)
lof <- dbscan::lof(scale(m4), minPts = 21); top <- which(lof > quantile(lof, .95)); even <- data.frame(值 = round(qnorm((1:12 - .5) / 12), 3) * c(rep(1, 11), 1.05), 同 = 3, 多 = c(rep(2, 8), 1, 3, 5, 9)); write.csv(even, "oracle-even.csv", row.names = FALSE)
v4 <- names(arrests)[2:5]; k4 <- c(list(州 = "定类"), one(m4))
oracle(c("R 4.2.2: qt, pt, fivenum, mad, mahalanobis", "dbscan 1.1: lof", "Dixon：在 R 中对联合分布数值积分", "NIST e-Handbook：Grubbs 与广义 ESD 的例子"), list(
  case("NIST 质谱 8 值", list(variables = list("读数"), label = "样品", methods = all), numbers(x$读数, "读数", all), c(said, list("“读数”按箱线图1.5/3IQR有", "以正态为前提")), measures = list(读数 = "定量", 样品 = "定类")),
  case("NIST 广义 ESD 54 值", list(variables = list("值"), methods = c("tukey", "grubbs", "esd")), numbers(nist$值, "值", c("tukey", "grubbs", "esd")), c(said, list("有 {k:integer} 个异常值")), data = "oracle-rosner.csv", measures = one(nist)),
  case("没有异常", list(variables = list("值"), methods = c("grubbs", "dixon", "sigma"), alpha = .01), numbers(even$值, "值", c("grubbs", "dixon", "sigma"), .01), c(said, list("“值”没有发现异常值", "没有发现明显偏离正态")), data = "oracle-even.csv", measures = one(even)),
  case("相同的值，例数不合", list(variables = c("值", "同", "多"), methods = c("mad", "esd", "tukey")), c(numbers(even$值, "值", c("mad", "tukey"))), c(said, list("“同”取值完全相同，不存在异常值", "“多”超过一半取值相同", "广义ESD 检验要求样本量在", "没有可以给出的变量")), data = "oracle-even.csv", measures = one(even)),
  case("马氏距离，局部离群因子", list(variables = v4, methods = c("mahalanobis", "lof", "iforest")), c(list(flag("全部变量", "马氏距离（多元）", 50, which(p2 < .001)), flag("全部变量", "局部离群因子", 50, top)),
    lapply(top, function(i) det("全部变量", "局部离群因子", i, statistic = lof[i], critical = quantile(lof, .95)[[1]]))), c(said, list("“全部变量”按局部离群因子有", "没有可以给出的变量")), data = "oracle-arrests.csv", measures = k4),
  case("一个多元离群", list(variables = v4, methods = list("mahalanobis"), label = "州"), c(list(flag("全部变量", "马氏距离（多元）", 50, hit)), lapply(hit, function(i) det("全部变量", "马氏距离（多元）", i, statistic = f2[i], critical = qchisq(.999, 4), p = fp[i]))),
    c(said, list("“全部变量”按马氏距离（多元）有", "没有可以给出的变量")), data = "oracle-far.csv", measures = k4)))
