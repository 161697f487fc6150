# What the oracles about a specification share, from the published formulas (Montgomery 2013, ch. 8; Bissell 1990; Boyles
# 1991; Slifker & Shapiro 1980). A script sources oracle.R, oracle_control.R, then this.
cap <- function(x) Filter(Negate(is.null), x)
sides <- function(mid, low, up, lsl, usl) cap(list(both = if (!is.null(lsl) && !is.null(usl)) (usl - lsl) / (low + up), lower = if (!is.null(lsl)) (mid - lsl) / low, upper = if (!is.null(usl)) (usl - mid) / up))
chi_ci <- function(v, df, level) v * sqrt(qchisq(c((1 - level) / 2, (1 + level) / 2), df) / df)
bissell <- function(v, n, df, level) v + c(-1, 1) * qnorm((1 + level) / 2) * sqrt(1 / (9 * n) + v^2 / (2 * df))
# NIST e-Handbook 6.1.6: USL 20, LSL 8, mean 16, s 2 give Cp 1, Cpk .6667, and with target 14 Cpm .7071.
stopifnot(sides(16, 6, 6, 8, 20)$both == 1, abs(sides(16, 6, 6, 8, 20)$upper - 2 / 3) < 1e-12, abs(12 / (6 * sqrt(4 + 4)) - .7071) < 1e-4)

shares <- function(basis, below, above, lsl, usl) do.call(block, c(list("performance", list(basis = basis)), cap(list(below = if (!is.null(lsl)) 1e6 * below, above = if (!is.null(usl)) 1e6 * above, out = 1e6 * (below + above)))))
observed <- function(x, lsl, usl) shares("观测", if (is.null(lsl)) 0 else mean(x < lsl), if (is.null(usl)) 0 else mean(x > usl), lsl, usl)
shape_blocks <- function(x, of) { a <- nortest::ad.test(x); w <- shapiro.test(x)
  list(block("shape", list(of = of, test = "Anderson-Darling"), statistic = unname(a$statistic), p = a$p.value, tolerance = 1e-6, reason = "A² 的 p 由分段多项式近似，末位受舍入影响"), block("shape", list(of = of, test = "Shapiro-Wilk"), statistic = unname(w$statistic), p = w$p.value)) }

# λ of Box-Cox: the profile log-likelihood's derivative by Richardson extrapolation is zero.
box_lambda <- function(x) { g <- exp(mean(log(x))); f <- function(l) { y <- if (abs(l) < 1e-12) g * log(x) else (x^l - 1) / (l * g^(l - 1)); -length(x) / 2 * log(sum((y - mean(y))^2)) }
  o <- optimize(f, c(-5, 5), maximum = TRUE, tol = 1e-8)$maximum; uniroot(function(l) numDeriv::grad(f, l), o + c(-.05, .05), tol = 1e-13)$root }
box_to <- function(x, l) (x^l - 1) / l
# Johnson: all families and z by the percentile formulas; the least A² of nortest.
keep <- function(g, e, s, l, f) { force(g); force(e); force(s); force(l); function(v) f(v, g, e, s, l) }
johnson <- function(x) {
  best <- NULL
  for (z in seq(.25, 1.25, by = .01)) {
    q <- unname(quantile(x, pnorm(c(-3 * z, -z, z, 3 * z)), type = 5)); m <- q[4] - q[3]; n <- q[2] - q[1]; p <- q[3] - q[2]; mid <- (q[2] + q[3]) / 2; r <- m * n / p^2
    if (min(m, n, p) <= 0) next
    tries <- list()
    if (r < 1) { a <- p / m; b <- p / n; k <- (1 + a) * (1 + b); e <- z / acosh(.5 * sqrt(k)); g <- e * asinh((b - a) * sqrt(k - 4) / (2 * (a * b - 1))); l <- p * sqrt((k - 2)^2 - 4) / (a * b - 1); s <- mid - l / 2 + p * (b - a) / (2 * (a * b - 1))
      tries$SB <- list(name = "Johnson SB", par = c(γ = g, η = e, ε = s, λ = l), to = keep(g, e, s, l, function(v, g, e, s, l) g + e * log((v - s) / (l + s - v))), low = s, high = s + l) }
    if (r > 1) { a <- m / p; b <- n / p; e <- 2 * z / acosh(.5 * (a + b)); g <- e * asinh((b - a) / (2 * sqrt(a * b - 1))); l <- 2 * p * sqrt(a * b - 1) / ((a + b - 2) * sqrt(a + b + 2)); s <- mid + p * (b - a) / (2 * (a + b - 2))
      tries$SU <- list(name = "Johnson SU", par = c(γ = g, η = e, ε = s, λ = l), to = keep(g, e, s, l, function(v, g, e, s, l) g + e * asinh((v - s) / l)), low = -Inf, high = Inf) }
    if (m > p) { u <- m / p; e <- 2 * z / log(u); g <- e * log((u - 1) / (p * sqrt(u))); s <- mid - p / 2 * (u + 1) / (u - 1)
      tries$SL <- list(name = "Johnson SL", par = c(γ = g, η = e, ε = s), to = keep(g, e, s, 0, function(v, g, e, s, l) g + e * log(v - s)), low = s, high = Inf) }
    for (t in tries) if (t$low < min(x) && max(x) < t$high) { a <- unname(suppressWarnings(nortest::ad.test(t$to(x))$statistic)); if (is.null(best) || a < best$a) best <- c(t, a = a) }
  }
  best
}
