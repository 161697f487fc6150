# For oracles of difference-in-differences: dummies of every unit and period in lm, sandwich by own formula, group-time
# effects by one regression a cell (sandwich HC0 of it is the influence function's variance), Goodman-Bacon by subsamples.
suppressMessages({library(sandwich); library(plm)})

clustered <- function(m, at, by, k) { X <- model.matrix(m); u <- resid(m); G <- length(unique(by)); B <- solve(crossprod(X)); S <- rowsum(X * u, by)
  V <- B %*% crossprod(S) %*% B * G / (G - 1) * (length(u) - 1) / (length(u) - k); list(b = unname(coef(m)[at]), V = V[at, at, drop = FALSE], df = G - 1, G = G) }
hc1 <- function(m, at) { V <- vcovHC(m, type = "HC1"); list(b = unname(coef(m)[at]), V = V[at, at, drop = FALSE], df = df.residual(m)) }
effect_cells <- function(f, m, n, level = .95) { b <- f$b[1]; s <- sqrt(f$V[1, 1]); q <- qt((1 + level) / 2, f$df)
  c(list(effect = b, se = s, t = b / s, df = f$df, p = 2 * pt(-abs(b / s), f$df), low = b - q * s, high = b + q * s, r2 = summary(m)$r.squared, n = n), if (!is.null(f$G)) list(clusters = f$G)) }
event_cells <- function(f, times) lapply(seq_along(times), function(j) { b <- f$b[j]; s <- sqrt(f$V[j, j]); q <- qt(.975, f$df)
  block("events", list(since = times[j]), since = times[j], effect = b, se = s, p = 2 * pt(-abs(b / s), f$df), low = b - q * s, high = b + q * s) })
joint_cells <- function(f, at) { w <- drop(f$b[at] %*% solve(f$V[at, at], f$b[at])) / length(at); block("pretrend", statistic = w, df1 = length(at), df2 = f$df, p = pf(w, length(at), f$df, lower.tail = FALSE)) }
four_means <- function(y, tr, post) { m <- tapply(y, list(tr, post), mean); n <- table(tr, post)
  list(block("means", list(group = "处理组"), before = m[2, 1], after = m[2, 2], diff = m[2, 2] - m[2, 1], n_before = n[2, 1], n_after = n[2, 2]),
       block("means", list(group = "对照组"), before = m[1, 1], after = m[1, 2], diff = m[1, 2] - m[1, 1], n_before = n[1, 1], n_after = n[1, 2]),
       block("means", list(group = "差中差"), diff = (m[2, 2] - m[2, 1]) - (m[1, 2] - m[1, 1]))) }

# One cell: the change of y since the base period on membership of the cohort, among cohort and controls.
cell <- function(Y, first, g, t, base) { use <- (first == g | first == 0) & !is.na(Y[, t]) & !is.na(Y[, base]); d <- Y[use, t] - Y[use, base]; m <- lm(d ~ I(first[use] == g))
  psi <- numeric(nrow(Y)); psi[use] <- (estfun(m) %*% (bread(m) / sum(use)))[, 2]; stopifnot(all.equal(sum(psi^2), unname(vcovHC(m, type = "HC0")[2, 2])))
  list(g = g, t = t, att = unname(coef(m)[2]), psi = psi, n1 = sum(first[use] == g), n0 = sum(first[use] == 0)) }
averaged <- function(cells, first) { n <- length(first); p <- sapply(cells, function(c) mean(first == c$g)); att <- sapply(cells, `[[`, "att"); w <- p / sum(p)
  psi <- sapply(cells, `[[`, "psi") %*% w; own <- sapply(cells, function(c) (first == c$g)) - rep(p, each = n)      # the delta method for w = p / sum(p)
  J <- diag(length(p)) / sum(p) - outer(p, rep(1, length(p))) / sum(p)^2
  psi <- psi + (own %*% t(J) %*% att) / n; list(b = sum(w * att), psi = drop(psi), se = sqrt(sum(psi^2))) }
