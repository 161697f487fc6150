# Kernels and the conditions that only the best machine meets, for the oracles of support vector machines.
kernels <- function(kind, g = 1, d = 3, c0 = 0) switch(kind, linear = function(A, B) A %*% t(B), poly = function(A, B) (g * A %*% t(B) + c0)^d,
  rbf = function(A, B) exp(-g * outer(rowSums(A^2), rowSums(B^2), `+`) + 2 * g * A %*% t(B)))
one_scale <- function(X, train, wanted = TRUE) { if (!wanted) return(function(Z) Z); m <- colMeans(X[train, , drop = FALSE]); s <- apply(X[train, , drop = FALSE], 2, sd); s[s == 0] <- 1; function(Z) sweep(sweep(Z, 2, m), 2, s, `/`) }
gamma_scale <- function(Z) 1 / ncol(Z) / mean((Z - mean(Z))^2)
# Of two classes: signs s, dual coefficients (signed), decisions f, bounds.
best_margin <- function(s, dual, f, bound, near = 1e-3) { a <- s * dual; inside <- a > 1e-6 * bound & a < bound * (1 - 1e-6)
  stopifnot(a >= -1e-9, a <= bound + 1e-9, abs(sum(dual)) < 1e-6 * max(1, sum(a)), (s * f)[a < 1e-9 * bound] > 1 - near, (s * f)[a >= bound * (1 - 1e-9)] < 1 + near, abs((s * f)[inside] - 1) < near) }
best_tube <- function(y, dual, f, epsilon, bound, near = 1e-4) { e <- y - f; a <- abs(dual); inside <- a > 1e-6 * bound & a < bound * (1 - 1e-6)
  stopifnot(a <= bound + 1e-9, abs(sum(dual)) < 1e-6 * max(1, sum(a)), abs(e)[a < 1e-9 * bound] < epsilon + near, (e * sign(dual))[a >= bound * (1 - 1e-9)] > epsilon - near, abs((e * sign(dual))[inside] - epsilon) < near) }
