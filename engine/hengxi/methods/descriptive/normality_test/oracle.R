# Rscript oracle.R > oracle.json   (R 4.2.2, nortest, tseries, jsonlite)
# shapiro.test, nortest::lillie.test, ad.test, cvm.test, tseries::jarque.bera.test, ks.test; D'Agostino's K² written out
# (D'Agostino 1970; Anscombe & Glynn 1983), since the package moments is not in Debian.
source("../../../../tools/oracle.R")
suppressMessages({library(nortest); library(tseries)})
SWILK <- "R's swilk.c holds the constants of AS R94 in another precision"

k2 <- function(x) { n <- length(x); d <- x - mean(x); m <- function(k) mean(d^k); g <- m(3) / m(2)^1.5; b <- m(4) / m(2)^2
  y <- g * sqrt((n + 1) * (n + 3) / (6 * (n - 2))); B <- 3 * (n^2 + 27 * n - 70) * (n + 1) * (n + 3) / ((n - 2) * (n + 5) * (n + 7) * (n + 9))
  w <- sqrt(-1 + sqrt(2 * (B - 1))); a <- sqrt(2 / (w^2 - 1)); z1 <- log(y / a + sqrt((y / a)^2 + 1)) / sqrt(log(w))
  e <- 3 * (n - 1) / (n + 1); v <- 24 * n * (n - 2) * (n - 3) / ((n + 1)^2 * (n + 3) * (n + 5)); u <- (b - e) / sqrt(v)
  s <- 6 * (n^2 - 5 * n + 2) / ((n + 7) * (n + 9)) * sqrt(6 * (n + 3) * (n + 5) / (n * (n - 2) * (n - 3)))
  A <- 6 + 8 / s * (2 / s + sqrt(1 + 4 / s^2)); q <- (1 - 2 / A) / (1 + u * sqrt(2 / (A - 4)))
  z2 <- (1 - 2 / (9 * A) - sign(q) * abs(q)^(1 / 3)) / sqrt(2 / (9 * A)); h <- z1^2 + z2^2
  list(statistic = h, p.value = pchisq(h, 2, lower.tail = FALSE)) }
G1 <- function(x) { n <- length(x); d <- x - mean(x); mean(d^3) / mean(d^2)^1.5 * sqrt(n * (n - 1)) / (n - 2) }
G2 <- function(x) { n <- length(x); d <- x - mean(x)
  (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * (mean(d^4) / mean(d^2)^2 - 3) + 6) }
TITLES <- c(shapiro = "Shapiro-Wilk", lilliefors = "K-S（Lilliefors 校正）", ks = "K-S（参数已知）", ad = "Anderson-Darling",
  jb = "Jarque-Bera", dagostino = "D'Agostino K²", cvm = "Cramér-von Mises")
tested <- function(x, tests, group = NULL, mu = 0, sd = 1) {
  f <- list(shapiro = shapiro.test, lilliefors = lillie.test, ad = ad.test, cvm = cvm.test, jb = jarque.bera.test, dagostino = k2,
    ks = function(x) suppressWarnings(ks.test(x, "pnorm", mu, sd)))
  g <- if (is.null(group)) list() else list(group = group)
  out <- list(do.call(block, c(list("described", g), list(n = length(x), median = median(x), mean = mean(x), sd = sd(x), skewness = G1(x),
    kurtosis = if (length(x) > 3) G2(x)))))
  for (k in tests) { t <- f[[k]](x)
    more <- if (k == "shapiro") list(tolerance = 1e-6, reason = SWILK)
    out <- c(out, list(do.call(block, c(list("result", c(g, list(test = unname(TITLES[k])))), list(n = length(x), statistic = unname(t$statistic)[1],
      p = t$p.value), more)))) }
  out
}
sd <- stats::sd
x <- example(); all <- names(TITLES); base <- c("shapiro", "lilliefors", "jb", "ad"); said <- list("不等于就是正态", "不同的取值最少只有", "例。")
skew <- data.frame(等待 = round(qexp((1:60 - .5) / 60) * 10, 2), 评分 = rep(1:5, c(4, 9, 20, 17, 10)), 次数 = rep(1:3, 20))
write.csv(skew, "oracle-skew.csv", row.names = FALSE, quote = FALSE)
w <- skew$等待[rep(1:60, skew$次数)]
set.seed(20240115); big <- data.frame(读数 = round(rnorm(5200, 50, 8), 2)); write.csv(big, "oracle-big.csv", row.names = FALSE)
tiny <- data.frame(值 = c(2.1, 3.5, 2.8, 4.9, 3.3, 3.9)); write.csv(tiny, "oracle-tiny.csv", row.names = FALSE)
by <- c(list(), unlist(lapply(unique(x$试验组), function(g) tested(x$速度[x$试验组 == g], base, g)), FALSE))
far <- data.frame(倍数 = exp(qnorm((1:80 - .5) / 80) * 2)); write.csv(far, "oracle-far.csv", row.names = FALSE)
num <- function(...) as.list(setNames(rep("定量", length(c(...))), c(...)))

oracle(c("R 4.2.2: shapiro.test, ks.test", "nortest 1.0-4: lillie.test, ad.test, cvm.test", "tseries 0.10: jarque.bera.test", "D'Agostino K²：在 R 中另写"), list(
  case("Michelson 光速，默认四种", list(variables = list("速度")), tested(x$速度, base), c(said, list("“速度”没有发现明显偏离正态分布", "“速度”的 Shapiro-Wilk 检验"))),
  case("全部检验和图形", list(variables = list("速度"), tests = all, mean = 850, sd = 80, plots = c("hist", "qq", "pp", "detrended", "box")),
    tested(x$速度, all, mu = 850, sd = 80), said),
  case("分组", list(variables = list("速度"), group = "试验组"), by, c(said[1:2], list("最多的一组有", "“速度”在", "不足"))[1:4]),
  case("偏态，频数权重", list(variables = list("等待"), weight = "次数", tests = c("shapiro", "lilliefors", "cvm", "ad")), tested(w, c("shapiro", "lilliefors", "cvm", "ad")),
    c(said, list("偏离正态时，平均值和标准差", "“等待”偏离正态分布", "虽不绝对正态但可接受")), data = "oracle-skew.csv", measures = num("等待", "次数")),
  case("五点题", list(variables = list("评分")), tested(skew$评分, base), c(said, list("取值太粗，检验容易判为偏离")), data = "oracle-skew.csv", measures = num("评分")),
  case("5200 例", list(variables = list("读数"), tests = list("shapiro")), tested(big$读数, "lilliefors"), c(said, list("样本量大于5000", "的 K-S（Lilliefors 校正） 检验")),
    data = "oracle-big.csv", measures = num("读数")),
  case("6 例", list(variables = list("值"), tests = c("shapiro", "ad", "dagostino")), tested(tiny$值, "shapiro"), c(said, list("没有给出“Anderson-Darling”“D'Agostino K²”")),
    data = "oracle-tiny.csv", measures = num("值")),
  case("很偏", list(variables = list("倍数")), tested(far$倍数, base), c(said, list("“倍数”偏离正态分布")), data = "oracle-far.csv", measures = num("倍数"))))
