# Rscript oracle.R > oracle.json   (R 4.2.2, psych, energy, jsonlite)
# psych::mardia, whose covariance has n − 1 in the divisor, turned to Mardia's own n; energy::mvnorm.e; mahalanobis;
# Henze-Zirkler and Royston written out with all pairs of rows (MVN is not in Debian).
source("../../../../tools/oracle.R")
suppressMessages({library(psych); library(energy)})
SWILK <- list(tolerance = 1e-6, reason = "R's swilk.c holds the constants of AS R94 in another precision")
G <- function(x) { n <- length(x); d <- x - mean(x); g <- mean(d^3) / mean(d^2)^1.5; g <- if (abs(g) < 1e-13) 0 else g; k <- mean(d^4) / mean(d^2)^2 - 3
  c(g * sqrt(n * (n - 1)) / (n - 2), (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * k + 6)) }
hz <- function(x) { n <- nrow(x); p <- ncol(x); S <- cov(x) * (n - 1) / n; D <- as.matrix(dist(t(solve(t(chol(S)), t(x)))))^2; d <- mahalanobis(x, colMeans(x), S)
  b <- 1 / sqrt(2) * ((2 * p + 1) / 4)^(1 / (p + 4)) * n^(1 / (p + 4))
  H <- n * (sum(exp(-b^2 / 2 * D)) / n^2 - 2 * (1 + b^2)^(-p / 2) * mean(exp(-b^2 / (2 * (1 + b^2)) * d)) + (1 + 2 * b^2)^(-p / 2))
  w <- (1 + b^2) * (1 + 3 * b^2); a <- 1 + 2 * b^2; mu <- 1 - a^(-p / 2) * (1 + p * b^2 / a + p * (p + 2) * b^4 / (2 * a^2))
  s2 <- 2 * (1 + 4 * b^2)^(-p / 2) + 2 * a^(-p) * (1 + 2 * p * b^4 / a^2 + 3 * p * (p + 2) * b^8 / (4 * a^4)) - 4 * w^(-p / 2) * (1 + 3 * p * b^4 / (2 * w) + p * (p + 2) * b^8 / (2 * w^2))
  list(s = H, p = plnorm(H, log(sqrt(mu^4 / (s2 + mu^2))), sqrt(log((s2 + mu^2) / mu^2)), lower.tail = FALSE)) }
roy <- function(x) { n <- nrow(x); p <- ncol(x); R <- apply(x, 2, function(v) qnorm(shapiro.test(v)$p.value / 2)^2); l <- log(n); C <- cor(x)
  NC <- C^5 * (1 - .715 * (1 - C)^.715 / (.21364 + .015124 * l^2 - .0018034 * l^3)); diag(NC) <- 0; e <- p / (1 + (p - 1) * sum(NC) / (p^2 - p)); h <- e * mean(R)
  list(s = h, df = e, p = pchisq(h, e, lower.tail = FALSE)) }
numbers <- function(x, tests, group = NULL, rows = seq_len(nrow(x))) { x <- as.matrix(x); n <- nrow(x); p <- ncol(x); g <- if (is.null(group)) list() else list(group = group)
  m <- psych::mardia(x, plot = FALSE); k <- n / (n - 1); b1 <- m$b1p * k^3; b2 <- m$b2p * k^2; df <- p * (p + 1) * (p + 2) / 6; sm <- (p + 1) * (n + 1) * (n + 3) / (n * ((n + 1) * (p + 1) - 6))
  row <- function(t, ...) block("result", c(g, list(test = t)), n = n, ...); out <- list()
  if ("mardia" %in% tests) { z <- (b2 - p * (p + 2)) / sqrt(8 * p * (p + 2) / n); stopifnot(abs(m$skew - n * m$b1p / 6) < 1e-9)
    out <- c(out, list(row("Mardia 偏度", value = b1, statistic = n * b1 / 6, df = df, p = pchisq(n * b1 / 6, df, lower.tail = FALSE)),
      row("Mardia 偏度（小样本校正）", value = b1, statistic = n * sm * b1 / 6, df = df, p = pchisq(n * sm * b1 / 6, df, lower.tail = FALSE)), row("Mardia 峰度", value = b2, statistic = z, p = 2 * pnorm(-abs(z))))) }
  if ("henze_zirkler" %in% tests) { h <- hz(x); out <- c(out, list(row("Henze-Zirkler", statistic = h$s, p = h$p))) }
  if ("royston" %in% tests) { h <- roy(x); out <- c(out, list(do.call(row, c(list("Royston", statistic = h$s, df = h$df, p = h$p), SWILK)))) }
  if ("energy" %in% tests) out <- c(out, list(row("能量检验", statistic = mvnorm.e(x))))
  for (v in colnames(x)) { s <- G(x[, v]); w <- shapiro.test(x[, v]); out <- c(out, list(do.call(block, c(list("single", c(g, list(variable = v)), W = w$statistic[[1]], p = w$p.value), SWILK)),
    block("single", c(g, list(variable = v)), skewness = s[1], kurtosis = s[2]))) }
  d <- mahalanobis(x, colMeans(x), cov(x)); q <- pchisq(d, p, lower.tail = FALSE); for (i in which(q < .001)) out <- c(out, list(block("cases", c(g, list(row = rows[i])), row = rows[i], d2 = d[i], p = q[i])))
  out }
x <- example(); v <- names(x)[1:4]; first <- x[x$品种 == "山鸢尾", ]; write.csv(first, "oracle-setosa.csv", row.names = FALSE, quote = FALSE)
m <- c(as.list(setNames(rep("定量", 4), v)), list(品种 = "定类")); base <- c("mardia", "henze_zirkler"); all <- c(base, "royston", "energy"); said <- list("每个变量各自正态，合起来也不一定多元正态", "等要求多元正态")
by <- unlist(lapply(unique(x$品种), function(g) numbers(x[x$品种 == g, v], base, g, which(x$品种 == g))), FALSE)
near <- data.frame(a = qnorm((1:80 - .5) / 80), b = qnorm((((1:80 * 37) %% 80) + .5) / 80)); write.csv(near, "oracle-normal.csv", row.names = FALSE); bad <- near; bad$a[3] <- 9; write.csv(bad, "oracle-far.csv", row.names = FALSE); k2 <- list(a = "定量", b = "定量")
oracle(c("psych 2.2.9: mardia（换算成以 n 为分母）", "energy 1.7: mvnorm.e", "R 4.2.2: shapiro.test, mahalanobis", "Henze & Zirkler (1990)、Royston (1983)：在 R 中另写"), list(
  case("鸢尾花，全部品种", list(variables = v), numbers(x[v], base), c(said, list("个变量偏离多元正态分布", "：统计量 = ")), measures = m),
  case("分组", list(variables = v, group = "品种"), by, c(said, list("个变量在“山鸢尾”", "有分组时不画", "< .001 的个案")), measures = m),
  case("山鸢尾，全部检验", list(variables = v, tests = all), numbers(first[v], all), c(said, list("个变量偏离多元正态分布（所选检验中有", "：统计量 = ", "< .001 的个案")), data = "oracle-setosa.csv", measures = m),
  case("近似正态", list(variables = c("a", "b")), numbers(near, base), c(said, list("没有发现“a”“b”明显偏离", "：统计量 = ", "< .001 的个案")), data = "oracle-normal.csv", measures = k2),
  case("一个离群", list(variables = c("a", "b")), numbers(bad, base), c(said, list("“a”“b”偏离多元正态分布", "：统计量 = ")), data = "oracle-far.csv", measures = k2)))
