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
