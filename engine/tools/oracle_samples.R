# What the oracles of comparisons of samples share: a script sources oracle.R, then this.

skewness <- function(x) { n <- length(x); d <- x - mean(x); sqrt(n * (n - 1)) / (n - 2) * mean(d^3) / mean(d^2)^1.5 }

# The row of the shared table 描述统计 (up to 5,000 cases).
described <- function(name, x) {
  n <- length(x); q <- unname(quantile(x, c(.25, .5, .75), type = 6))
  w <- if (n >= 3 && diff(range(x)) > 0) shapiro.test(x) else NULL
  block("descriptives", list(sample = name), n = n, mean = mean(x), sd = if (n > 1) sd(x) else NULL, median = q[2],
        q1 = q[1], q3 = q[3], least = min(x), most = max(x),
        skewness = if (is.null(w)) NULL else skewness(x), test = if (is.null(w)) "—" else "Shapiro-Wilk",
        statistic = if (is.null(w)) NULL else unname(w$statistic), p = if (is.null(w)) NULL else w$p.value)
}

# Intervals of a noncentral t (d and its kin), by alternative.
ncp <- function(t, df, p) suppressWarnings(uniroot(function(d) pt(t, df, d) - p, c(t - 12, t + 12), tol = 1e-15))$root
ends <- function(f, alt, level) {
  a <- if (alt == "two_sided") (1 - level) / 2 else 1 - level
  c(if (alt == "less") -Inf else f(1 - a), if (alt == "greater") Inf else f(a))
}
r_side <- function(alt) if (alt == "two_sided") "two.sided" else alt
smaller_tail <- function(lower, upper, alt) switch(alt, less = lower, greater = upper, min(1, 2 * min(lower, upper)))

# The sentences every member says, by branch: found or not, two-sided or not (none: no direction, no interval).
said <- function(found, alt = "two_sided", ...) {
  two <- alt %in% c("two_sided", "none")
  c(list("先看差多少"), if (alt != "none") "的置信水平为",
    if (found) c("差异有统计学意义", if (!two) "单侧检验支持")
    else if (two) c("没有发现", "差异无统计学意义", "“不显著”不等于没有差异")
    else c("没有发现", "不足以说", "单侧检验不足以说", "“不显著”不等于没有差异"), list(...))
}

# Wilcoxon's signed ranks of the differences d; `located`: what the Hodges-Lehmann estimate `what` is of.
# p by coin (exact with ties, zeros left out or Pratt's), interval by qsignrank below 50, else normal.
signed_rank <- function(d, located, what, alt = "two_sided", level = .95, pratt = FALSE, exact = TRUE, correct = FALSE) {
  suppressMessages(library(coin)); side <- r_side(alt); n <- sum(d != 0)
  r <- rank(abs(if (pratt) d else d[d != 0])); e <- if (pratt) d else d[d != 0]; r <- r[e != 0]; e <- e[e != 0]
  up <- sum(r[e > 0]); down <- sum(r[e < 0]); s <- sqrt(sum(r^2) / 4); z <- (up - down) / 2 / s; plain <- z
  way <- if (pratt) "Pratt" else "Wilcoxon"; zero <- rep(0, length(d))
  w <- wilcoxsign_test(d ~ zero, zero.method = way, alternative = side); stopifnot(abs(statistic(w, "standardized")[1] - z) < 1e-9)
  if (correct) z <- ((up - down) / 2 - switch(alt, two_sided = sign(up - down) * .5, greater = .5, less = -.5)) / s
  a <- switch(alt, two_sided = 2 * pnorm(-abs(z)), greater = pnorm(-z), less = pnorm(z))
  x <- if (exact) as.numeric(pvalue(wilcoxsign_test(d ~ zero, zero.method = way, alternative = side, distribution = "exact"))) else NULL
  m <- length(located); v <- outer(located, located, "+") / 2; v <- sort(v[!lower.tri(v)]); q <- if (alt == "two_sided") (1 - level) / 2 else 1 - level
  k <- if (m < 50) qsignrank(q, m) else round(m * (m + 1) / 4 - qnorm(1 - q) * sqrt(m * (m + 1) * (2 * m + 1) / 24))
  hl <- if (k == 0) median(v) else c(median(v), if (alt == "less") -Inf else v[k], if (alt == "greater") Inf else v[m * (m + 1) / 2 + 1 - k])
  rb <- (up - down) / (up + down); f <- atanh(rb); se <- sqrt((2 * n^3 + 3 * n^2 + n) / 6) / ((n^2 + n) / 2); h <- qnorm(1 - q) * se
  ci <- if (abs(rb) < 1) c(if (alt == "less") -1 else tanh(f - h), if (alt == "greater") 1 else tanh(f + h)) else NULL
  row <- function(name, value, ci) block("effects", list(effect = name), value = value, low = ci[1], high = ci[2])
  c(list(block("result", n = n, positive = up, W = min(up, down), z = z, asymptotic = a, exact = x, p = if (exact) x else a),
         block("signs", list(sign = "正差值"), count = sum(d > 0), rank_sum = up), block("signs", list(sign = "负差值"), count = sum(d < 0), rank_sum = down),
         block("signs", list(sign = "零差值"), count = sum(d == 0)), row(what, hl[1], if (length(hl) > 1) hl[2:3]),
         block("effects", list(effect = "r = |Z|/√n"), value = abs(plain) / sqrt(n))),
    if (is.null(ci)) list(block("effects", list(effect = "秩二列相关"), value = rb)) else list(row("秩二列相关", rb, ci)),
    if (any(d > 0)) list(block("signs", list(sign = "正差值"), mean_rank = up / sum(d > 0))))
}
