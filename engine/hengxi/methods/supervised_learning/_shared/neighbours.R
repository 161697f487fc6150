# K nearest neighbours written out. `Y`: rows × outputs of the training rows; weights 1 or the inverse distance, times `w`.
nearest <- function(T, Y, k, w = rep(1, nrow(T)), by_distance = FALSE, distance = function(A, x) sqrt(colSums((t(A) - x)^2)))
  function(Z) { out <- t(apply(Z, 1, function(x) { d <- distance(T, x); i <- order(signif(d, 10))[seq_len(k)]; d <- d[i]
    v <- w[i] * (if (!by_distance) 1 else if (any(d == 0)) as.numeric(d == 0) else 1 / d); colSums(Y[i, , drop = FALSE] * v) / sum(v) })); if (ncol(Y) == 1) t(out) else out }
manhattan <- function(A, x) colSums(abs(t(A) - x))
scaled_by <- function(X, train) { m <- colMeans(X[train, , drop = FALSE]); s <- apply(X[train, , drop = FALSE], 2, sd); s[s == 0] <- 1; function(Z) sweep(sweep(Z, 2, m), 2, s, `/`) }
# Gower's distance times the number of variables: numbers by their range, a category counts 1 where it differs (two codes of half a unit).
gower_by <- function(X, train, variable) { code <- table(variable)[as.character(variable)] > 1; s <- ifelse(code, 2, apply(X[train, , drop = FALSE], 2, function(v) diff(range(v)))); s[s == 0] <- 1; function(Z) sweep(Z, 2, s, `/`) }
