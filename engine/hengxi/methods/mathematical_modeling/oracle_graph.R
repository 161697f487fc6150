# What the oracles of networks share, by plain enumeration with no code of ours: matrix of distances (Floyd 1962), all ways
# without circles, all spanning trees.
weights <- function(E, directed = FALSE, fun = min) {   # E: from, to, weight -> named matrix, Inf where no edge
  n <- sort(unique(c(E[[1]], E[[2]]))); W <- matrix(Inf, length(n), length(n), dimnames = list(n, n))
  for (i in seq_len(nrow(E))) { a <- as.character(E[i, 1]); b <- as.character(E[i, 2]); if (a == b) next
    put <- function(a, b) W[a, b] <<- if (is.finite(W[a, b])) fun(W[a, b], E[i, 3]) else E[i, 3]
    put(a, b); if (!directed) put(b, a) }
  W
}
floyd <- function(W) { D <- W; diag(D) <- 0; for (k in seq_len(nrow(D))) D <- pmin(D, outer(D[, k], D[k, ], "+")); D }
ways <- function(W, s, t) {                              # every way from s to t, by length, number of nodes, names
  out <- list(); go <- function(p) { h <- p[length(p)]; if (h == t) { out[[length(out) + 1]] <<- p; return() }
    for (x in colnames(W)[is.finite(W[h, ])]) if (!(x %in% p)) go(c(p, x)) }
  go(s); len <- sapply(out, function(p) sum(W[cbind(p[-length(p)], p[-1])])); o <- order(round(len, 9), lengths(out), sapply(out, paste, collapse = "\1"))
  list(way = sapply(out[o], paste, collapse = " → "), length = len[o], edges = lengths(out)[o] - 1)
}
