# prop.trend.test (variance by n); by n − 1 as (n − 1)r²; the exact p by listing every table with the margins. Fleiss's
# smokers must give χ² = 8.22492, and Z = 2.864298 by n − 1.
source("../../../../tools/oracle.R")
tail_of <- function(z, alt) switch(alt, two_sided = 2 * pnorm(-abs(z)), greater = pnorm(-z), less = pnorm(z))
run <- function(names, x, n, s, alt = "two_sided", read = "n", exact = NULL, level = .95) {
  N <- sum(n); p <- sum(x) / N; m <- sum(n * s) / N; z <- sum((s - m) * x) / sqrt(p * (1 - p) * sum(n * (s - m)^2)); t <- prop.trend.test(x, n, s); stopifnot(abs(z^2 - t$statistic) < 1e-9)
  y <- rep(rep(c(1, 0), length(x)), as.vector(rbind(x, n - x))); z1 <- sqrt(N - 1) * cor(rep(s, n), y); q <- suppressWarnings(prop.test(x, n, correct = FALSE)$statistic); off <- unname(q - z^2); k <- length(x); b <- sum((s - m) * x) / sum(n * (s - m)^2)
  c(list(block("result", list(test = "趋势（方差除以 n）"), read = if (read == "n" && is.null(exact)) "采用" else "", chi2 = z^2, df = 1, z = z, p = tail_of(z, alt)),
    block("result", list(test = "线性-线性关联（除以 n − 1）"), read = if (read == "n1") "采用" else "", chi2 = z1^2, df = 1, z = z1, p = tail_of(z1, alt)), block("result", list(test = "偏离线性"), chi2 = off, df = k - 2, p = pchisq(off, k - 2, lower.tail = FALSE))),
    if (!is.null(exact)) list(block("result", list(test = "精确置换"), read = "采用", p = exact)),
    lapply(1:k, function(i) block("trend", list(group = names[i]), score = s[i], share = x[i] / n[i], fitted = p + b * (s[i] - m))),
    lapply(1:k, function(i) { w <- suppressWarnings(prop.test(x[i], n[i], correct = FALSE, conf.level = level)$conf.int); block("rates", list(group = names[i]), n = n[i], count = x[i], share = x[i] / n[i], low = w[1], high = w[2]) }))
}
dose <- c(0, 5, 10, 25, 50); n <- c(60, 60, 58, 62, 55); x <- c(3, 5, 6, 11, 17)
write.csv(data.frame(剂量 = rep(dose, 2), 畸形 = rep(c("是", "否"), each = 5), 例数 = c(x, n - x)), "example.csv", row.names = FALSE, quote = FALSE)
sx <- c(83, 90, 129, 70); sn <- c(86, 93, 136, 82); write.csv(data.frame(医院 = rep(c("甲院", "乙院", "丙院", "丁院"), 2), 吸烟 = rep(c("是", "否"), each = 4), 人数 = c(sx, sn - sx)), "oracle-smokers.csv", row.names = FALSE, quote = FALSE)
stopifnot(abs(prop.trend.test(sx, sn)$statistic - 8.22492) < 1e-5); fx <- c(1, 2, 4); fn <- c(6, 7, 6); write.csv(data.frame(级别 = rep(1:3, 2), 复发 = rep(c("是", "否"), each = 3), 人数 = c(fx, fn - fx)), "oracle-few.csv", row.names = FALSE, quote = FALSE)
g <- expand.grid(0:6, 0:7, 0:6); g <- g[rowSums(g) == 7, ]; w <- choose(6, g[, 1]) * choose(7, g[, 2]) * choose(6, g[, 3]); u <- as.matrix(g) %*% c(1, 2, 4); E <- 7 * sum(fn * c(1, 2, 4)) / 19; o <- sum(fx * c(1, 2, 4)); ex <- sum(w[abs(u - E) >= abs(o - E) - 1e-9]) / sum(w)
always <- list("CI 的置信水平为", "趋势检验只问率", "每人（每份答卷）只能计一次", "组由前到后"); yes <- c(always, list("趋势有统计学意义（", "趋势有统计学意义，", "趋势有统计学意义（*p*"))
oracle("R 4.2.2: prop.trend.test, prop.test；精确 p 由列举全部表得出", list(
  case("剂量与畸形", list(group = "剂量", y = list("畸形"), weight = "例数"), run(as.character(dose), x, n, dose), c(yes, list("没有发现明显偏离直线")), measures = list(剂量 = "定类")),
  case("四家医院，除以 n − 1，左侧", list(group = "医院", y = list("吸烟"), weight = "人数", variance = "n1", alternative = "less"), run(c("甲院", "乙院", "丙院", "丁院"), sx, sn, 1:4, "less", "n1"), c(yes, list("没有发现明显偏离直线")), data = "oracle-smokers.csv"),
  case("19 例，自填得分，精确，90%", list(group = "级别", y = list("复发"), weight = "人数", scores = c(1, 2, 4), exact = TRUE, conf_level = .9), run(as.character(1:3), fx, fn, c(1, 2, 4), exact = ex, level = .9), c(yes, list("没有发现明显偏离直线")), data = "oracle-few.csv", measures = list(级别 = "定类"))))
