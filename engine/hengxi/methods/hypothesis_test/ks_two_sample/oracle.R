# Rscript oracle.R   (R 4.2.2, kSamples 1.2-9) airquality of base R; limits by integrals of our own, exact p by R's ks.test.
source("../../../../tools/oracle.R")
source("../../../../tools/oracle_samples.R")
suppressMessages(library(kSamples))

a <- airquality
utf <- function(d, f) write.csv(d, f, row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8", na = "")
utf(setNames(data.frame(paste0(a$Month, "月"), a$Day, a$Ozone, a$Temp, a$Wind), c("月", "日", "臭氧", "气温", "风速")), "example.csv")
# Answers on a scale of 1 to 5 with gaps and a frequency of each row; groups are words.
n <- data.frame(性别 = rep(c("男", "女"), each = 6), 评分 = c(1, 2, 3, 4, 5, NA, 1, 2, 3, 4, 5, 3), 份数 = c(3, 8, 12, 6, 2, 4, 1, 3, 9, 11, 7, 2), check.names = FALSE)
utf(n, "oracle-scale.csv")

# P(Q >= x) for weights w of chi-squares with df degrees (Imhof 1961).
imhof <- function(x, w, df) { f <- function(u) sapply(u, function(v) { th <- sum(df * atan(w * v)) / 2 - x * v / 2; rho <- exp(sum(df * log1p((w * v)^2)) / 4); sin(th) / (v * rho) })
  .5 + integrate(f, 0, Inf, rel.tol = 1e-11, abs.tol = 0, subdivisions = 5000)$value / pi }
j <- 1:4000
# The weights beyond the 4000th are small enough to enter by their mean.
p_ad <- function(x, k) imhof(x - (k - 1) / 4001, 1 / (j * (j + 1)), k - 1)
p_cvm <- function(x) imhof(x - trigamma(4001) / pi^2, 1 / (j * pi)^2, 1)
gaps <- function(x, y) { v <- sort(unique(c(x, y))); d <- ecdf(x)(v) - ecdf(y)(v); up <- max(d); lo <- max(-d)
  list(up = max(up, 0), up_at = v[which.max(d)], lo = max(lo, 0), lo_at = v[which.max(-d)], D = max(up, lo), at = v[if (up >= lo) which.max(d) else which.max(-d)]) }
runs <- function(x, y) { # ties laid out for the most runs, by trying both ways to begin in each tie
  v <- sort(unique(c(x, y))); best <- c(NA, NA)
  for (u in v) { cx <- sum(x == u); cy <- sum(y == u); new <- c(-Inf, -Inf)
    for (b in 1:2) { c1 <- c(cx, cy)[b]; c2 <- c(cx, cy)[3 - b]; if (c1 == 0) next
      base <- if (all(is.na(best))) 1 else max(best[b], best[3 - b] + 1)
      if (c2 > 0) new[3 - b] <- max(new[3 - b], base + 2 * min(c1, c2) - 1)
      if (c1 > c2) new[b] <- max(new[b], base + 2 * c2) }
    best <- new }
  max(best) }
runs_p <- function(r, m, n) { s <- 0; for (q in 2:r) { h <- q %/% 2
  s <- s + if (q %% 2 == 0) 2 * choose(m - 1, h - 1) * choose(n - 1, h - 1) else choose(m - 1, h - 1) * choose(n - 1, h) + choose(m - 1, h) * choose(n - 1, h - 1) }; s / choose(m + n, m) }
es <- function(x, y, t = c(.4, .8)) { # Epps & Singleton (1986), as their section 2
  q <- unname(quantile(c(x, y), c(.25, .75))); s <- (q[2] - q[1]) / 2; t <- t / s
  g <- function(v) cbind(outer(v, t, function(a, b) cos(a * b)), outer(v, t, function(a, b) sin(a * b)))
  gx <- g(x); gy <- g(y); m <- length(x); n <- length(y); co <- function(z) crossprod(sweep(z, 2, colMeans(z))) / nrow(z)
  d <- colMeans(gx) - colMeans(gy); S <- (m + n) / m * co(gx) + (m + n) / n * co(gy); w <- (m + n) * drop(d %*% solve(S, d))
  if (max(m, n) < 25) w <- w / (1 + (m + n)^-.45 + 10.1 * (m^-1.7 + n^-1.7))
  c(w, pchisq(w, 4, lower.tail = FALSE)) }
# A2 of Scholz & Stephens (1987), formula (7), to all digits; kSamples prints five, and gives sigma. Its own p is drawn on
# from simulated tables (2.99e-06 for the five months, where the limit gives 4.03e-06), near enough where it is not tiny.
ad <- function(...) { g <- list(...); if (is.list(g[[1]])) g <- g[[1]]; t <- kSamples::ad.test(g); k <- length(g); z <- unlist(g); N <- length(z); v <- sort(unique(z)); l <- sapply(v, function(u) sum(z == u)); B <- cumsum(l) - l / 2
  A <- (N - 1) / N * sum(sapply(g, function(x) { f <- sapply(v, function(u) sum(x == u)); M <- cumsum(f) - f / 2; sum(l / N * (N * M - length(x) * B)^2 / (B * (N - B) - N * l / 4)) / length(x) }))
  T <- (A - (k - 1)) / t$sig; stopifnot(abs(A / t$ad[2, 1] - 1) < 1e-3, abs(T - t$ad[2, 2]) < 1e-3); p <- p_ad((k - 1) + T * sqrt((k - 1) * 2 * (pi^2 / 3 - 3)), k)
  stopifnot(abs(p / t$ad[2, 3] - 1) < if (p > 1e-5) .1 else .5); list(A = A, T = T, p = p) }
one <- function(x, y, tests, alt = "two_sided", exact = FALSE) {
  ext <- function(name, v, at) if (abs(v) > 1e-12) block("extremes", list(difference = name), value = v, where = at, first = mean(x <= at), second = mean(y <= at)) else block("extremes", list(difference = name), value = v, where = NULL)
  m <- length(x); n <- length(y); g <- gaps(x, y); N <- m + n; ne <- m * n / N; z <- sqrt(ne)
  D <- switch(alt, two_sided = g$D, greater = g$lo, less = g$up); rest <- function(t) block("result", list(test = t[[1]]), statistic = t[[2]], p = t[[3]])
  r <- rank(c(x, y)); U <- m * sum((sort(r[1:m]) - 1:m)^2) + n * sum((sort(r[-(1:m)]) - 1:n)^2)
  T <- U / (m * n * N) - (4 * m * n - 1) / (6 * N); e <- (1 + 1 / N) / 6; v <- (N + 1) * (4 * m * n * N - 3 * (m^2 + n^2) - 2 * m * n) / (45 * N^2 * 4 * m * n)
  out <- lapply(tests, function(t) switch(t,
    ks = { R <- suppressWarnings(ks.test(x, y, exact = exact, alternative = c(two_sided = "two.sided", greater = "less", less = "greater")[[alt]])); stopifnot(abs(R$statistic - D) < 1e-12)
      block("result", list(test = "K-S"), statistic = D, z = z * D, p = R$p.value) },
    cvm = rest(list("Cramér-von Mises", T, p_cvm(1 / 6 + (T - e) / sqrt(45 * v)))),
    ad = { A <- ad(x, y); block("result", list(test = "Anderson-Darling"), statistic = A$A, z = A$T, p = A$p, tolerance = 1e-4, reason = "kSamples gives sigma to five digits") },
    kuiper = { V <- g$up + g$lo; L <- (z + .155 + .24 / z) * V; q <- 1:1000; rest(list("Kuiper", V, 2 * sum((4 * (q * L)^2 - 1) * exp(-2 * (q * L)^2)))) },
    wald_wolfowitz = { R <- runs(x, y); mu <- 2 * m * n / N + 1; s <- sqrt(2 * m * n * (2 * m * n - N) / (N^2 * (N - 1))); d <- R - mu; if (N < 50) d <- sign(d) * max(abs(d) - .5, 0)
      block("result", list(test = "Wald-Wolfowitz 游程"), statistic = R, z = d / s, p = runs_p(R, m, n)) },
    epps = { E <- es(x, y); rest(list("Epps-Singleton", E[1], E[2])) }))
  c(out, list(ext("绝对值", g$D, g$at), ext("正（第一组偏小）", g$up, g$up_at),
    ext("负（第一组偏大）", -g$lo, g$lo_at)))
}
o <- function(m) a$Ozone[a$Month == m & !is.na(a$Ozone)]; x <- o(5); y <- o(8); all6 <- c("ks", "cvm", "ad", "kuiper", "wald_wolfowitz", "epps")
f <- function(...) list(group = "月", variables = list("臭氧"), groups = list("5月", "8月"), ...)
kinds <- list(月 = "定类", 日 = "定量", 臭氧 = "定量", 气温 = "定量", 风速 = "定量")
k5 <- lapply(5:9, o); K <- ad(k5)
e <- n[!is.na(n$评分), ]; men <- with(e[e$性别 == "男", ], rep(评分, 份数)); women <- with(e[e$性别 == "女", ], rep(评分, 份数))
OWN <- "本检验要求各行数据互不影响"
oracle(c("R 4.2.2: ks.test, ecdf, integrate", "kSamples 1.2-9: ad.test", "Epps & Singleton (1986), Imhof (1961): own R"), list(
  case("五月与八月", f(tests = as.list(all6)), c(one(x, y, all6), list(described("5月", x), described("8月", y))),
    said(TRUE, "none", OWN, "相差最大", fact("两组有相同的值，游程数在", most = runs(x, y)), "渐近 *p* 在样本小或相同的值多时偏大", "K-S 的渐近 *p* 在相同的值多时偏保守", "两组的位置（谁大谁小）不同"), measures = kinds),
  case("精确", f(p_method = "exact"), one(x, y, "ks", exact = TRUE), list("样本量合适", "例与别的取值相同"), measures = kinds),
  case("单侧", f(alternative = "less", p_method = "exact"), one(x, y, "ks", "less", TRUE), list("单侧检验差异有统计学意义", "单侧检验支持", "单侧，备择假设为小于"), measures = kinds),
  case("五个月", list(group = "月", variables = list("臭氧"), tests = list("ad")),
    list(block("result", list(test = "Anderson-Darling"), statistic = K$A, z = K$T, p = K$p, tolerance = 1e-4, reason = "kSamples gives sigma to five digits")),
    list(fact("{k:integer} 个组的“臭氧”分布不同", k = 5), "样本很小", "各组的中位数见描述统计", "“最极端差别”未给出：多于两组时不给出", "“分位数对照”未给出：多于两组时不给出"), measures = kinds),
  case("量表，频数", list(group = "性别", variables = list("评分"), tests = list("ks", "cvm", "wald_wolfowitz"), weight = "份数", p_method = "exact"),
    c(one(men, women, c("ks", "cvm", "wald_wolfowitz"), exact = TRUE), list(described("男", men), described("女", women))), list(),
    data = "oracle-scale.csv", measures = list(性别 = "定类", 评分 = "定量", 份数 = "定量"))))
