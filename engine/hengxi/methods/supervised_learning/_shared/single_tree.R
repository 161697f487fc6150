# What the oracles of both single trees say of the tree itself: rules, path of pruning. `value_of`: answers and true rows → score.
whole_tree <- function(case, add, tree, fold_trees, score_of, better, rule, train_rows) {
  ends <- function(n, path) if (tree$left[n] == 0) list(list(n = n, path = path)) else c(ends(tree$left[n], c(path, n)), ends(tree$right[n], c(path, -n)))
  at <- leaf(tree, single(case$X[train_rows, , drop = FALSE])); number <- 0
  for (end in ends(1, c())) { number <- number + 1; y <- case$y[train_rows][at == end$n]; add("rules", list(number = number), c(list(number = number, n = length(y)), rule(end$n, y))) }
  if (is.null(fold_trees)) return(list())
  own <- which(case$d$part == "train"); folds <- split(own, case$d$fold[own]); alphas <- path_of(tree)
  stopifnot(length(alphas) <= 30)
  S <- sapply(alphas, function(a) mapply(function(t, rows) { q <- prune(t, a * (1 + 1e-12)); score_of(q$p[leaf(q, single(case$X[rows, , drop = FALSE])), , drop = FALSE], rows) }, fold_trees, folds))
  L <- sapply(alphas, function(a) leaf_count(prune(tree, a * (1 + 1e-12)))); M <- colMeans(S); E <- apply(S, 2, sd) / sqrt(length(folds))
  for (i in seq_along(alphas)) add("pruned", list(leaves = L[i]), list(alpha = alphas[i], leaves = L[i], score = M[i], se = E[i]))
  s <- if (better == "max") M else -M; best <- which.max(s); good <- which(s >= s[best] - E[best]); small <- good[which.min(L[good])]
  list(list(contains = "按一倍标准误规则", facts = list(best = L[best], k = L[small], alpha = alphas[small]))) }
