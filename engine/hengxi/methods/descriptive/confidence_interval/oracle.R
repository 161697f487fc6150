# Rscript oracle.R > oracle.json   (R 4.2.2, jsonlite)
# t.test, prop.test(correct = FALSE), binom.test, poisson.test; χ² and noncentral t by pchisq, pt(ncp) and uniroot; order
# statistics by qbinom; Agresti-Coull, Jeffreys, Newcombe written out. Jackknife accelerations written out.
source("../../../../tools/oracle.R")

ncp <- function(t, df, p) uniroot(function(d) pt(t, df, d) - p, c(t - 12, t + 12), tol = 1e-14)$root
quantity <- function(x, key, level) { n <- length(x); q <- (1 - level) / 2; m <- mean(x); s <- sd(x)
  switch(key,
    均值 = { t <- t.test(x, conf.level = level); c(m, s / sqrt(n), t$conf.int) },
    中位数 = { k <- qbinom(q, n, .5); o <- sort(x); c(median(x), NA, o[k], o[n - k + 1]) },
    方差 = c(s^2, s^2 * sqrt(2 / (n - 1)), s^2 * (n - 1) / qchisq(c(1 - q, q), n - 1)),
    标准差 = c(s, s / sqrt(2 * (n - 1)), s * sqrt((n - 1) / qchisq(c(1 - q, q), n - 1))),
    变异系数 = { t <- m * sqrt(n) / s; c(s / m, NA, sqrt(n) / ncp(t, n - 1, q), sqrt(n) / ncp(t, n - 1, 1 - q)) },
    泊松率 = { p <- poisson.test(sum(x), n, conf.level = level); c(m, sqrt(m / n), p$conf.int) }) }
share <- function(k, n, method, level) { q <- (1 - level) / 2; z <- qnorm(1 - q); p <- k / n
  ci <- switch(method, wilson = prop.test(k, n, correct = FALSE, conf.level = level)$conf.int, beta = binom.test(k, n, conf.level = level)$conf.int,
    jeffreys = qbeta(c(q, 1 - q), k + .5, n - k + .5), normal = p + c(-1, 1) * z * sqrt(p * (1 - p) / n),
    agresti_coull = { N <- n + z^2; P <- (k + z^2 / 2) / N; P + c(-1, 1) * z * sqrt(P * (1 - P) / N) })
  c(p, sqrt(p * (1 - p) / n), ci) }
newcombe <- function(a, n, b, m, level) { w <- function(k, n) prop.test(k, n, correct = FALSE, conf.level = level)$conf.int
  p <- a / n; q <- b / m; A <- w(a, n); B <- w(b, m)
  c(p - q, sqrt(p * (1 - p) / n + q * (1 - q) / m), p - q - sqrt((p - A[1])^2 + (B[2] - q)^2), p - q + sqrt((A[2] - p)^2 + (q - B[1])^2)) }
rowed <- function(v, key, n, x, group = NULL, ends = TRUE, ...) {
  w <- c(list(variable = v, parameter = key), if (!is.null(group)) list(group = group))
  cells <- c(list(n = n, value = x[1]), if (ends) list(low = x[3], high = x[4]), if (ends && !is.na(x[2])) list(se = x[2]))
  do.call(block, c(list("result", w), cells, list(...))) }
NCT <- list(tolerance = 1e-6, reason = "R's pt(ncp) is good to about 1e-9 and is solved for its argument")
numbers <- function(x, v, keys, level = .95, group = NULL) lapply(keys, function(k)
  do.call(rowed, c(list(v, k, length(x), quantity(x, k, level), group), if (k == "变异系数") NCT)))
jack <- function(l) { u <- lapply(l, function(t) (length(t) - 1) * (mean(t) - t))
  sum(sapply(u, function(x) sum(x^3) / length(x)^3)) / (6 * sum(sapply(u, function(x) sum(x^2) / length(x)^2))^1.5) }
out1 <- function(x, f) sapply(seq_along(x), function(i) f(x[-i]))

x <- example(); v <- x$速度; a <- v[x$试验组 == "第1组"]; b <- v[x$试验组 == "第2组"]
said <- list("区间说的是总体的数可能在哪里", "，*n* = ", "CI 的置信水平为"); tail <- list("其余的区间见表 1"); pic <- list("的偏度绝对值")
two <- x[x$试验组 %in% c("第1组", "第2组"), ]; write.csv(two, "oracle-two.csv", row.names = FALSE, quote = FALSE)
far <- x[x$试验组 %in% c("第2组", "第5组"), ]; write.csv(far, "oracle-far.csv", row.names = FALSE, quote = FALSE)
skew <- data.frame(次数 = c(0, 1, 0, 2, 1, 0, 3, 1, 0, 0, 9, 2), 同样 = 5, 负 = -(1:12)); write.csv(skew, "oracle-skew.csv", row.names = FALSE)
w <- t.test(a, b); pa <- sum(two$是否偏高[1:20] == "偏高"); pb <- sum(two$是否偏高[21:40] == "偏高")
num <- function(...) as.list(setNames(rep("定量", length(c(...))), c(...)))
base <- c("均值", "中位数", "标准差", "方差"); high <- sum(x$是否偏高 == "偏高"); T <- list(list(`for` = "是否偏高", level = "偏高"))
props <- lapply(c("beta", "agresti_coull", "jeffreys", "normal"), function(k) case(paste("比例区间", k), list(binary = list("是否偏高"), target = T, prop_method = k,
  conf_level = .9), list(rowed("是否偏高 = 偏高", "比例", 100, share(high, 100, k, .9))), said))
boot <- list(rowed("速度", "均值", 20, mean(a), "第1组", FALSE), rowed("速度", "中位数", 20, median(b), "第2组", FALSE), rowed("速度", "两组均值差", 40, mean(a) - mean(b), "第1组 − 第2组", FALSE),
  block("resampled", list(group = "第1组", parameter = "均值"), acceleration = jack(list(out1(a, mean)))),
  block("resampled", list(group = "第2组", parameter = "标准差"), acceleration = jack(list(out1(b, sd)))),
  block("resampled", list(group = "第1组 − 第2组"), acceleration = jack(list(out1(a, mean), -out1(b, mean)))))

oracle(c("R 4.2.2: t.test, prop.test, binom.test, poisson.test, qchisq", "R 4.2.2: pt(ncp)，用 uniroot 反解（变异系数）", "Newcombe (1998)、刀切法：在 R 中另写"), c(list(
  case("Michelson 光速，均值、中位数、标准差、比例", list(variables = list("速度"), binary = list("是否偏高"), target = T), c(numbers(v, "速度", base),
    list(rowed("是否偏高 = 偏高", "比例", 100, share(high, 100, "wilson", .95)))), c(said, tail, pic, list("“速度”的均值为")), measures = num("速度")),
  case("变异系数，90%", list(variables = list("次数"), parameters = list("cv"), conf_level = .9), numbers(skew$次数, "次数", "变异系数", .9), c(said, list("“次数”的变异系数为", "偏斜明显")), data = "oracle-skew.csv", measures = num("次数")),
  case("两组的差", list(variables = list("速度"), binary = list("是否偏高"), target = T, group = "试验组", parameters = c("mean", "difference", "proportion", "proportion_diff")),
    c(numbers(a, "速度", "均值", group = "第1组"), numbers(b, "速度", "均值", group = "第2组"), list(
    rowed("速度", "两组均值差", 40, c(mean(a) - mean(b), w$stderr, w$conf.int), "第1组 − 第2组"), rowed("是否偏高 = 偏高", "比例", 20, share(pa, 20, "wilson", .95), "第1组"),
    rowed("是否偏高 = 偏高", "两组率差", 40, newcombe(pa, 20, pb, 20, .95), "第1组 − 第2组"))), c(said, tail, list("“速度”在“第1组”的均值为", "的偏度绝对值最大为")), data = "oracle-two.csv", measures = num("速度")),
  case("两组的差，中心不同", list(variables = list("速度"), group = "试验组", parameters = list("difference"), conf_level = .9),
    list({ u <- t.test(b, e <- x$速度[x$试验组 == "第5组"], conf.level = .9); rowed("速度", "两组均值差", 40, c(mean(b) - mean(e), u$stderr, u$conf.int), "第2组 − 第5组") }),
    c(said, list("“速度”的两组均值差为")), data = "oracle-far.csv", measures = num("速度")),
  case("次数，偏斜", list(variables = c("次数", "同样", "负"), parameters = c("rate", "cv", "mean", "difference")), c(numbers(skew$次数, "次数", c("泊松率", "均值"))),
    c(said, tail, list("“次数”的均值为", "偏斜明显", "“负”不是非负整数", "“负”的均值不大于 0", "“同样”取值完全相同", "要有一个正好两组的分组变量", "次数”的偏度绝对值为")), data = "oracle-skew.csv", measures = num("次数", "同样", "负")),
  case("自助法BCa", list(variables = list("速度"), group = "试验组", method = "bootstrap_bca", parameters = c("mean", "median", "sd", "difference"), resamples = 500),
    boot, c(said, tail), data = "oracle-two.csv", measures = num("速度")),
  case("比例用不上自助法", list(binary = list("是否偏高"), target = T, method = "bootstrap_percentile", parameters = list("proportion"), resamples = 500),
    list(rowed("是否偏高 = 偏高", "比例", 100, share(high, 100, "wilson", .95))), c(said, list("没有用自助法估计的参数")))), props),
  unverified = list(list(what = "resampled.bias", reason = "drawn by chance; test_method compares with the t interval"),
    list(what = "resampled.se", reason = "drawn by chance; test_method compares with the standard error of the mean")))
