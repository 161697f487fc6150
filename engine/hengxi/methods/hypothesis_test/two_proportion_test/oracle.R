# prop.test(correct = FALSE), fisher.test; Newcombe, Agresti-Caffo written out; Miettinen-Nurminen by uniroot over the
# constrained likelihood, which optimize finds. UCB must give χ² = 92.2053 and Newcombe [0.113213, 0.169570].
source("../../../../tools/oracle.R")
wil <- function(x, n, l) { z <- qnorm(1 - (1 - l) / 2); p <- x / n; c((p + z^2 / (2 * n) - z * sqrt(p * (1 - p) / n + z^2 / (4 * n^2))) / (1 + z^2 / n), (p + z^2 / (2 * n) + z * sqrt(p * (1 - p) / n + z^2 / (4 * n^2))) / (1 + z^2 / n)) }
var0 <- function(x, n, d) { l <- max(0, -d); u <- min(1, 1 - d); ll <- function(q) sum(dbinom(x, n, c(q + d, q), log = TRUE))
  q <- optimize(ll, c(l, u), maximum = TRUE, tol = 1e-13)$maximum
  g <- function(q) { p <- c(q + d, q); sum((x - n * p) / (p * (1 - p))) }; e <- 1e-9; if (g(l + e) > 0 && g(u - e) < 0) q <- uniroot(g, c(l + e, u - e), tol = 1e-15)$root
  p <- c(q + d, q); sum(p * (1 - p) / n) }
diffs <- function(x, n, l, how) { p <- x / n; d <- p[1] - p[2]; z <- qnorm(1 - (1 - l) / 2); w1 <- wil(x[1], n[1], l); w2 <- wil(x[2], n[2], l); N <- sum(n)
  wald <- function(x, n) { p <- x / n; p[1] - p[2] + c(-1, 1) * z * sqrt(sum(p * (1 - p) / n)) }
  s <- function(v) (d - v) / sqrt(var0(x, n, v) * N / (N - 1))
  switch(how, newcomb = c(d - sqrt((p[1] - w1[1])^2 + (w2[2] - p[2])^2), d + sqrt((w1[2] - p[1])^2 + (p[2] - w2[1])^2)), wald = wald(x, n), agresti_caffo = wald(x + 1, n + 2),
    score = c(uniroot(function(v) s(v) - z, c(-.999, d - 1e-9), tol = 1e-14)$root, uniroot(function(v) s(v) + z, c(d + 1e-9, .999), tol = 1e-14)$root)) }
two <- function(x, n, names, side = "two_sided", how = "newcomb", level = .95, d0 = 0) {
  d <- x[1] / n[1] - x[2] / n[2]; z <- (d - d0) / sqrt(if (d0 == 0) { q <- sum(x) / sum(n); q * (1 - q) * sum(1 / n) } else var0(x, n, d0)); if (d0 == 0) stopifnot(abs(z^2 - prop.test(x, n, correct = FALSE)$statistic) < 1e-9)
  ci <- diffs(x, n, if (side == "two_sided") level else 2 * level - 1, how); if (side == "greater") ci[2] <- 1; if (side == "less") ci[1] <- -1
  p <- switch(side, two_sided = 2 * pnorm(-abs(z)), greater = pnorm(-z), less = pnorm(z)); t <- cbind(x, n - x)
  f <- if (d0 == 0) fisher.test(t, alternative = sub("_", ".", side))$p.value; zc <- qnorm(1 - (1 - level) / 2); b <- diffs(x, n, level, how)
  r <- lapply(1:2, function(i) { w <- wil(x[i], n[i], level); block("rates", list(group = names[i]), n = n[i], count = x[i], share = x[i] / n[i], low = w[1], high = w[2]) })
  ratio <- function(name, l, v) block("effects", list(effect = name), value = exp(l), low = exp(l - zc * sqrt(v)), high = exp(l + zc * sqrt(v)))
  h <- 2 * asin(sqrt(x[1] / n[1])) - 2 * asin(sqrt(x[2] / n[2])); e <- zc * sqrt(sum(1 / n))
  c(r, list(do.call(block, c(list("result", list(), difference = d, low = ci[1], high = ci[2], z = z, chi2 = z^2, df = 1, p = p), if (d0 == 0) list(fisher = f)))),
    list(ratio("RR", log(x[1] / n[1] / (x[2] / n[2])), sum(1 / x - 1 / n)), ratio("OR", log(t[1, 1] * t[2, 2] / (t[1, 2] * t[2, 1])), sum(1 / t)), block("effects", list(effect = "Cohen's h"), value = h, low = h - e, high = h + e)),
    if (b[1] > 0 || b[2] < 0) list(block("effects", list(effect = "NNT"), value = 1 / d, low = 1 / b[2], high = 1 / b[1])))
}
x <- c(1198, 557); n <- c(2691, 1835); stopifnot(all(abs(diffs(x, n, .95, "newcomb") - c(.113213, .169570)) < 1e-6))
writeLines(c("药,有效", rep("新药,是", 12), rep("新药,否", 8), rep("旧药,是", 9), rep("旧药,否", 11), rep("安慰剂,是", 1), rep("安慰剂,否", 14)), "oracle-drugs.csv")
ucb <- list(group = "性别", y = list("录取结果"), weight = "人数"); drug <- function(a, b, ...) list(group = "药", y = list("有效"), groups = c(a, b), ...)
always <- list("CI 的置信水平为", "率差区间用", "区间都是双侧的", "每人（每份答卷）只能计一次"); yes <- c(always, list("有统计学意义", "两组的差别不像是碰巧")); no <- c(always, list("没有发现", "“没有发现”不等于两组的率相同"))
oracle(c("R 4.2.2: prop.test(correct = FALSE), fisher.test", "R 4.2.2: 区间由公式写出；约束极大似然用 optimize 与 uniroot"), list(
  case("伯克利，男与女", ucb, two(x, n, c("男", "女")), c(yes, list("近似可用"))),
  case("新药与旧药，Miettinen-Nurminen", drug("新药", "旧药", ci_method = "score"), two(c(12, 9), c(20, 20), c("新药", "旧药"), how = "score"), c(no, list("近似可用")), data = "oracle-drugs.csv"),
  case("新药与安慰剂，期望小，右侧 90%", drug("新药", "安慰剂", ci_method = "agresti_caffo", alternative = "greater", conf_level = .9), two(c(12, 1), c(20, 15), c("新药", "安慰剂"), "greater", "agresti_caffo", .9), c(yes, list("近似可用")), data = "oracle-drugs.csv"),
  case("旧药与安慰剂，与 10% 比，左侧，Wald", drug("旧药", "安慰剂", ci_method = "wald", alternative = "less", null_diff = .1), two(c(9, 1), c(20, 15), c("旧药", "安慰剂"), "less", "wald", .95, .1), c(no, list("以 Fisher 精确检验为准", "没有 Fisher 检验")), data = "oracle-drugs.csv")))
