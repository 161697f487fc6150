# Trees from oracle-NAME-trees.csv (tools/export_learner.py), walked, weighed, pruned and explained here.
read_trees <- function(file) lapply(split(d <- read.csv(file), d$tree), function(t) list(left = t$left, right = t$right,
  feature = t$feature, cut = t$cut, cover = t$cover, impurity = t$impurity, p = as.matrix(t[grep("^p[0-9]", names(t))])))
leaf <- function(t, X) { at <- rep(1L, nrow(X)); repeat { inner <- which(t$left[at] > 0); if (!length(inner)) return(at)
  n <- at[inner]; at[inner] <- ifelse(X[cbind(inner, t$feature[n])] <= t$cut[n], t$left[n], t$right[n]) } }
single <- function(X) { con <- writeBin(as.numeric(X), raw(), size = 4); matrix(readBin(con, "numeric", length(X), size = 4), nrow(X)) }   # as the library compares
forest_answers <- function(trees) function(X) { X <- single(X); Reduce(`+`, lapply(trees, function(t) t$p[leaf(t, X), , drop = FALSE])) / length(trees) }
# Importance: how far splits on a variable lower the impurity, weighted by their rows; of each tree shares of the whole.
impurity_shares <- function(trees, variable, m = max(variable)) { v <- rowMeans(sapply(trees, function(t) { g <- t$cover * t$impurity; i <- which(t$left > 0); own <- numeric(m)
  for (n in i) { j <- variable[t$feature[n]]; own[j] <- own[j] + g[n] - g[t$left[n]] - g[t$right[n]] }; if (sum(own) > 0) own / sum(own) else own })); v / sum(v) }
# The value of a coalition: splits on absent variables go both ways by the rows they were learned from (`shap`: TreeSHAP).
by_trees <- function(trees) function(X, S) { X <- single(X)
  worth <- function(t) { go <- function(n) { if (t$left[n] == 0) return(matrix(t$p[n, ], nrow(X), ncol(t$p), byrow = TRUE)); l <- t$left[n]; r <- t$right[n]
    if (t$feature[n] %in% S) { yes <- X[, t$feature[n]] <= t$cut[n]; out <- go(r); out[yes, ] <- go(l)[yes, , drop = FALSE]; out }
    else (t$cover[l] * go(l) + t$cover[r] * go(r)) / t$cover[n] }; go(1L) }
  Reduce(`+`, lapply(trees, worth)) / length(trees) }
# Breiman's weakest links: nodes become leaves while the loss of impurity a leaf is worth is at most alpha.
below <- function(t, n) if (t$left[n] == 0) n else c(n, below(t, t$left[n]), below(t, t$right[n]))
links <- function(t) { total <- t$cover[1]; R <- t$cover * t$impurity / total; sapply(seq_along(t$left), function(n) { if (t$left[n] == 0 || !(n %in% below(t, 1))) return(Inf)
  all <- below(t, n); ends <- all[t$left[all] == 0]; (R[n] - sum(R[ends])) / (length(ends) - 1) }) }
prune <- function(t, alpha) { repeat { g <- links(t); w <- which.min(g); if (!is.finite(g[w]) || g[w] > alpha) return(t); t$left[w] <- t$right[w] <- 0 } }
leaf_count <- function(t) sum(t$left[below(t, 1)] == 0)
path_of <- function(t) { a <- 0; repeat { g <- links(t); w <- which.min(g); if (!is.finite(g[w])) return(unique(a)); a <- c(a, max(a, g[w])); t$left[w] <- t$right[w] <- 0 } }
# Rows by the trees that had not seen them, from oracle-NAME-seen.csv: NA where every tree had.
left_out_answers <- function(file, trees, X) { X <- single(X); seen <- do.call(rbind, lapply(strsplit(read.csv(file, colClasses = "character")$trees, ""), as.integer))
  each <- lapply(trees, function(t) { a <- t$p[leaf(t, X), , drop = FALSE]; a }); Reduce(`+`, Map(function(a, i) a * (1 - seen[, i]), each, seq_along(trees))) / rowSums(1 - seen) }
