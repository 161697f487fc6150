# Sums of trees walked here, whatever library grew them. A tree: left, right (0: a leaf), feature, cut, gap (does a gap go left?), cover,
# p (values of the nodes); `strict`: left is < and not <=. Trees stand round by round, one a margin; `base`: the margins before any tree.
gone_left <- function(t, X, at, n) { x <- X[cbind(at, t$feature[n])]; yes <- if (isTRUE(t$strict)) x < t$cut[n] else x <= t$cut[n]
  if (!is.null(t$sets)) { s <- lengths(t$sets[n]) > 0; if (any(s)) yes[s] <- mapply(function(v, set) v %in% set, x[s], t$sets[n][s]) }
  gap <- is.na(x); if (any(gap)) yes[gap] <- t$gap[n][gap]; yes }
walk <- function(t, X) { at <- rep(1L, nrow(X)); repeat { inner <- which(t$left[at] > 0); if (!length(inner)) return(at)
  n <- at[inner]; at[inner] <- ifelse(gone_left(t, X, inner, n), t$left[n], t$right[n]) } }
leaf_values <- function(t, X) t$p[walk(t, X)]
as_compared <- single   # scripts of a library that compares in double precision set identity
margins_of <- function(trees, base, factor) function(X) { X <- as_compared(X); K <- length(base); M <- matrix(base, nrow(X), K, byrow = TRUE); f <- rep_len(factor, length(trees))
  for (i in seq_along(trees)) { c <- (i - 1) %% K + 1; M[, c] <- M[, c] + f[i] * leaf_values(trees[[i]], X) }; M }
linked <- function(M, link) switch(link, identity = M, log = exp(M), logistic = cbind(plogis(-M[, 1]), plogis(M[, 1])), softmax = { e <- exp(M - apply(M, 1, max)); e / rowSums(e) })
on_scores <- function(M, link) if (link == "logistic") cbind(-M[, 1], M[, 1]) else M
# The value of a coalition, on the scale of the scores (path-dependent TreeSHAP).
by_boosted <- function(trees, base, factor, link) function(X, S) { X <- as_compared(X); K <- length(base); M <- matrix(base, nrow(X), K, byrow = TRUE); f <- rep_len(factor, length(trees))
  worth <- function(t) { go <- function(n, rows) { if (!length(rows)) return(numeric()); if (t$left[n] == 0) return(rep(t$p[n], length(rows))); l <- t$left[n]; r <- t$right[n]; out <- numeric(length(rows))
    if (t$feature[n] %in% S) { yes <- gone_left(t, X, rows, rep(n, length(rows))); out[yes] <- go(l, rows[yes]); out[!yes] <- go(r, rows[!yes]); out }
    else (t$cover[l] * go(l, rows) + t$cover[r] * go(r, rows)) / t$cover[n] }; go(1L, seq_len(nrow(X))) }
  for (i in seq_along(trees)) { c <- (i - 1) %% K + 1; M[, c] <- M[, c] + f[i] * worth(trees[[i]]) }; on_scores(M, link) }

# ---- rounds watched on rows held out of the training rows: oracle-NAME-rounds.csv (row, held, w) and the trees of that model
loss_by <- function(kind, y, A, w, alpha) switch(kind, error = weighted.mean(apply(A, 1, which.max) != y, w), log_loss = weighted.mean(-log(pmax(A[cbind(seq_along(y), y)], 1e-15)), w),
  squared = sqrt(weighted.mean((y - A[, 1])^2, w)), absolute = weighted.mean(abs(y - A[, 1]), w), quantile = weighted.mean(ifelse(y >= A[, 1], alpha * (y - A[, 1]), (1 - alpha) * (A[, 1] - y)), w),
  poisson = weighted.mean(2 * (ifelse(y > 0, y * log(y / A[, 1]), 0) - y + A[, 1]), w), gamma = weighted.mean(2 * ((y - A[, 1]) / A[, 1] - log(y / A[, 1])), w))
losses_by_round <- function(trees, base, factor, link, X, y, w, kind, alpha) { X <- as_compared(X); K <- length(base); M <- matrix(base, nrow(X), K, byrow = TRUE); out <- c(); f <- rep_len(factor, length(trees))
  for (i in seq_along(trees)) { c <- (i - 1) %% K + 1; M[, c] <- M[, c] + f[i] * leaf_values(trees[[i]], X); if (c == K) out <- c(out, loss_by(kind, y, linked(M, link), w, alpha)) }; out }
looked_at <- function(v, patience) { best <- 1; for (i in seq_along(v)[-1]) { if (v[i] < v[best]) best <- i else if (patience > 0 && i - best >= patience) return(c(best, i)) }; c(best, length(v)) }
# `base_of(y, w)`: the start by the formula. Gives the sentences.
rounds_of <- function(case, add, name, trees, base_of, factor, link, kind, used, asked = used, patience = 0, alpha = .5) {
  r <- read.csv(sprintf("oracle-%s-rounds.csv", name)); i <- r$held == 0; L <- function(q) losses_by_round(trees, base_of(case$y[r$row[i]], r$w[i]), factor, link, case$X[r$row[q], , drop = FALSE], case$y[r$row[q]], r$w[q], kind, alpha)
  learned <- L(i); held <- L(!i); b <- looked_at(held, patience); best <- b[1]; last <- b[2]
  add("rounds", none, list(used = used, best = best, learned = learned[best], held_out = held[best], last = held[last], n = sum(!i)))
  said <- if (patience > 0 && best == asked) list(contains = "早停没有用上", facts = list(best = best, low = held[best])) else if (patience > 0) list(contains = "早停：", facts = list(best = best, low = held[best]))
    else if (held[last] > held[max(floor(.9 * last), 1)]) list(contains = "最后十分之一的轮次还在升", facts = list(best = best, low = held[best], last = last, end = held[last]))
    else if (best == last && last == asked) list(contains = "增加轮数可能更准", facts = list(last = last, low = held[best])) else list(contains = "最后十分之一的轮次没有再升", facts = list(best = best, low = held[best]))
  list(said, list(contains = "其余的行另训练一次", facts = list(n = sum(!i))), list(contains = "竖线是验证损失最小的一轮", facts = list(best = best))) }
# A regressor's test rows beyond the training rows.
bounds_of <- function(case) { numbers <- which(table(case$variable) == 1 & sapply(case$xs, function(x) is.numeric(case$raw[[x]])))
  k <- sum(rowSums(sapply(numbers, function(j) { x <- case$X[, case$variable == j]; lim <- range(x[case$train], na.rm = TRUE); !is.na(x[case$test]) & (x[case$test] < lim[1] | x[case$test] > lim[2]) })) > 0)
  if (k > 0) list(list(contains = "树模型不能外推，那里的预测", facts = list(k = k))) else list("树模型不能外推；") }
# Importance of scikit-learn's boosting: how far splits lower the impurity, in all trees together.
drop_shares <- function(trees, variable, m = max(variable)) { v <- numeric(m); for (t in trees) { g <- t$cover * t$impurity / t$cover[1]
  for (n in which(t$left > 0)) { j <- variable[t$feature[n]]; v[j] <- v[j] + g[n] - g[t$left[n]] - g[t$right[n]] } }; v / sum(v) }
# Gain of each split, added up by variable; shares of the whole.
gain_shares <- function(trees, variable, m = max(variable), what = "gain") { v <- numeric(m); for (t in trees) for (n in which(t$left > 0)) { j <- variable[t$feature[n]]; v[j] <- v[j] + t[[what]][n] }; v / sum(v) }
logit <- function(p) log(p / (1 - p))
# ---- XGBoost: its own JSON, in single precision. Left is below the cut.
read_xgboost <- function(file) { b <- fromJSON(file, simplifyDataFrame = FALSE)$learner$gradient_booster; m <- if (is.null(b$gbtree)) b$model else b$gbtree$model
  one <- function(x) as.vector(single(matrix(as.numeric(x), ncol = 1)))
  lapply(m$trees, function(t) summed_cover(list(left = t$left_children + 1, right = t$right_children + 1, feature = t$split_indices + 1, cut = one(t$split_conditions), p = one(t$split_conditions), gap = t$default_left == 1, cover = one(t$sum_hessian),
    gain = one(t$loss_changes), splits = rep(1, length(t$left_children)), strict = TRUE))) }
# In single precision the covers of two children do not make their parent's: those of the leaves are added up.
summed_cover <- function(t) { up <- function(n) { if (t$left[n] == 0) return(t$cover[n]); t$cover[n] <<- up(t$left[n]) + up(t$right[n]); t$cover[n] }; up(1); t }
# The start of start_of (boosting.py), and G, H of the first step: a leaf is -eta * sum(G) / (sum(H) + lambda), times the scale.
start_by <- function(objective) function(y, w) switch(objective, classes = { p <- tapply(w, y, sum) / sum(w); unname(if (length(p) == 2) logit(p[2]) else log(p)) }, squared = weighted.mean(y, w), log = log(weighted.mean(y, w)))
power_below <- function(y, base) 2^floor(log2(max(abs(y - base))))
first_leaves <- function(trees, X, G, H, eta, lambda, near = 1e-4) for (i in seq_len(ncol(G))) { t <- trees[[i]]; at <- walk(t, as_compared(X)); for (n in unique(at)) { own <- -eta * sum(G[at == n, i]) / (sum(H[at == n, i]) + lambda); stopifnot(abs(own - t$p[n]) < near * max(1, abs(own))) } }
weighed_of <- function(case, add, trees, kinds = c("gain", "cover", "splits")) { S <- lapply(kinds, function(k) gain_shares(trees, case$variable, case$m, k)); names(S) <- kinds; n <- sum(sapply(trees, function(t) sum(t$left > 0)))
  for (j in seq_len(case$m)) { v <- lapply(S, function(s) s[j]); v$splits <- round(v$splits * n); add("weighed", list(name = case$xs[j]), v) } }
# ---- LightGBM: its own JSON, nodes within nodes, in double precision; splits on groups of levels. `cover`: rows of the training.
read_lightgbm <- function(file) { d <- fromJSON(file, simplifyVector = FALSE); lapply(d, function(info) { t <- list(left = c(), right = c(), feature = c(), cut = c(), p = c(), gap = c(), cover = c(), gain = c(), splits = c(), sets = list())
  put <- function(node) { n <- length(t$left) + 1; inner <- !is.null(node$left_child); grouped <- inner && node$decision_type == "=="; cut <- if (inner && !grouped) as.numeric(node$threshold) else 0
    t$left[n] <<- 0; t$right[n] <<- 0; t$feature[n] <<- if (inner) node$split_feature + 1 else 0; t$cut[n] <<- cut; t$p[n] <<- if (inner) 0 else node$leaf_value; t$cover[n] <<- if (inner) node$internal_count else if (is.null(node$leaf_count)) 1 else node$leaf_count
    t$gap[n] <<- inner && !grouped && (if (node$missing_type == "NaN") node$default_left else 0 <= cut); t$gain[n] <<- if (inner) node$split_gain else 0; t$splits[n] <<- as.numeric(inner)
    t$sets[n] <<- list(if (grouped) as.numeric(strsplit(node$threshold, "||", fixed = TRUE)[[1]]) else numeric())
    if (inner) { t$left[n] <<- put(node$left_child); t$right[n] <<- put(node$right_child) }; n }
  put(info$tree_structure); t }) }
