# AdaBoost written out: the trees come from oracle-NAME-trees.csv, errors and weights of the rounds are derived from the data.
chosen <- function(t, X) apply(t$p[walk(t, single(X)), , drop = FALSE], 1, which.max)
# SAMME. Gives error and weight of each tree.
samme <- function(trees, X, y, w, rate, K = max(y)) { w <- w / sum(w); e <- a <- c()
  for (t in trees) { miss <- chosen(t, X) != y; err <- sum(w * miss) / sum(w); e <- c(e, err); a <- c(a, if (err <= 0) 1 else rate * (log((1 - err) / err) + log(K - 1))); w <- w * exp(tail(a, 1) * miss); w <- w / sum(w) }
  list(error = e, weight = a) }
votes_of <- function(trees, a, K) function(X) { V <- matrix(0, nrow(X), K); for (i in seq_along(trees)) { c <- chosen(trees[[i]], X); V[cbind(seq_len(nrow(X)), c)] <- V[cbind(seq_len(nrow(X)), c)] + a[i] }
  f <- (V - (sum(a) - V) / (K - 1)) / sum(a); if (K == 2) { d <- f[, 2] - f[, 1]; cbind(plogis(-d), plogis(d)) } else { e <- exp(f / (K - 1)); e / rowSums(e) } }
# AdaBoost.R2 (Drucker 1997).
r2 <- function(trees, X, y, w, rate, loss) { w <- w / sum(w); L <- a <- c()
  for (t in trees) { e <- abs(leaf_values(t, single(X)) - y); e <- e / max(e); e <- switch(loss, linear = e, square = e^2, exponential = 1 - exp(-e)); l <- sum(w * e); b <- l / (1 - l)
    L <- c(L, l); a <- c(a, rate * log(1 / b)); w <- w * b^((1 - e) * rate); w <- w / sum(w) }
  list(error = L, weight = a) }
medians_of <- function(trees, a) function(X) { X <- single(X); P <- sapply(trees, function(t) leaf_values(t, X)); P <- matrix(P, nrow(X)); matrix(apply(P, 1, function(p) { o <- order(p); s <- cumsum(a[o]); p[o][which(s >= .5 * tail(s, 1))[1]] })) }
# Importance: each tree's shares of the fall of the impurity, averaged by the weights.
tree_shares <- function(trees, a, variable, m) { v <- rowSums(mapply(function(t, w) { g <- t$cover * t$impurity; own <- numeric(m); for (n in which(t$left > 0)) { j <- variable[t$feature[n]]; own[j] <- own[j] + g[n] - g[t$left[n]] - g[t$right[n]] }
  if (sum(own) > 0) w * own / sum(own) else own }, trees, a)); v / sum(v) }
ada_rounds <- function(case, add, name, learn, answer, kind, used) { r <- read.csv(sprintf("oracle-%s-rounds.csv", name)); i <- r$held == 0; trees <- read_trees(sprintf("oracle-%s-rounds-trees.csv", name))
  a <- learn(trees, case$X[r$row[i], , drop = FALSE], case$y[r$row[i]], r$w[i])$weight
  losses_by_round <<- function(trees, base, factor, link, X, y, w, kind, alpha) sapply(seq_along(trees), function(i) loss_by(kind, y, answer(trees[seq_len(i)], a[seq_len(i)])(X), w, alpha))
  rounds_of(case, add, name, trees, function(y, w) 0, 1, "identity", kind, used) }
