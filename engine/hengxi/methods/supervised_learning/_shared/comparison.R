# What the oracles of model comparisons share. oracle-NAME-answers.csv holds what each learner answered to the rows its fold left out and (fold 0) to the
# test rows; scores, averages, stacking, intervals, tests and the choice are computed from it here. `score(y, P, rows)` is larger the better.
none <- setNames(list(), character())
read_comparison <- function(name) { f <- function(kind) read.csv(sprintf("oracle-%s-%s.csv", name, kind), check.names = FALSE); a <- f("answers"); d <- f("rows"); k <- sum(grepl("^p[0-9]+$", names(a)))
  models <- unique(a$model); P <- lapply(models, function(m) as.matrix(a[a$model == m, paste0("p", 1:k)])); X <- f("coded")
  list(d = d, models = models, rank = a$rank[match(models, a$model)], P = setNames(P, models), fold = a$fold[a$model == models[1]], k = k, X = unname(as.matrix(X)), orders = f("orders")) }
corrected <- function(v) { k <- length(v); e <- sqrt(1 / k + 1 / (k - 1)) * sd(v); h <- qt(.975, k - 1) * e; sure <- e > 1e-15 * max(1, abs(mean(v)))
  c(list(mean = mean(v), sd = sd(v), low = mean(v) - h, high = mean(v) + h, df = k - 1), if (sure) list(t = mean(v) / e, p = 2 * pt(-abs(mean(v) / e), k - 1))) }
# `guess(rows, n)`: answers without a model; `stack(F, rows, asked)`: answers of the linear model of all answers.
compared <- function(case, score, guess, stack, sign, bounds) { d <- case$d; train <- which(d$part == "train"); test <- which(d$part == "test"); fold <- case$fold; K <- max(fold); P <- case$P
  base <- matrix(NA, nrow(d), case$k); for (f in 1:K) base[fold == f, ] <- guess(train[fold[train] != f], sum(fold == f)); base[test, ] <- guess(train, length(test))
  if (!is.null(stack)) { F <- do.call(cbind, unname(P)); S <- base; for (f in 1:K) S[fold == f, ] <- stack(F, train[fold[train] != f], which(fold == f)); S[test, ] <- stack(F, train, test); P[["平均（全部候选）"]] <- Reduce(`+`, case$P) / length(case$P); P[["堆叠（全部候选）"]] <- S }
  P[["基线"]] <- base; V <- t(sapply(P, function(p) sapply(1:K, function(f) score(p, which(fold == f))))); m <- rowMeans(V); models <- case$models
  best <- models[which.max(m[models])]; near <- models[m[models] >= m[best] - sd(V[best, ]) / sqrt(K)]; chosen <- near[order(case$rank[match(near, models)], -m[near])][1]
  add <- list(); put <- function(...) add[[length(add) + 1]] <<- block(...); o <- names(sort(-m)); first <- o[1]
  for (i in seq_along(o)) { x <- o[i]; a <- corrected(sign * V[x, ]); b <- corrected(sign * (V[x, ] - V[first, ])); put("board", list(model = x), c(list(rank = i, mean = a$mean, sd = a$sd, low = max(a$low, bounds[1]), high = min(a$high, bounds[2]), test = sign * score(P[[x]], test)),
      if (i > 1) list(diff = b$mean, diff_low = b$low, diff_high = b$high))); for (f in 1:K) put("fold_scores", list(model = x, fold = f), list(fold = f, score = sign * V[x, f])) }
  pairs <- t(combn(o, 2)); tests <- apply(pairs, 1, function(x) corrected(sign * (V[x[1], ] - V[x[2], ]))); p <- sapply(tests, function(x) if (is.null(x$p)) NA else x$p); q <- p.adjust(p, "holm")
  for (i in seq_len(nrow(pairs))) { x <- tests[[i]]; put("pairs", list(first = pairs[i, 1], second = pairs[i, 2]), c(list(diff = x$mean, low = x$low, high = x$high, df = x$df), if (!is.na(p[i])) list(t = x$t, p = x$p, adjusted = q[i]))) }
  if (length(models) > 1) { W <- V[models, , drop = FALSE]; nested <- mean(sapply(1:K, function(f) W[which.max(rowSums(W[, -f, drop = FALSE])), f])); put("honest", none, list(best = sign * m[[best]], nested = sign * nested, cost = m[[best]] - nested)) }
  says <- c(list(list(contains = if (length(models) == 1) "一个模型完成" else "比较了", facts = c(list(m = length(models), k = K, own = sign * m[[chosen]], guess = sign * m[["基线"]]), if (chosen != best) list(most = sign * m[[best]]))),
    "得分是", list(contains = "区间按", facts = list(k = K)), "模型用训练行的交叉验证挑选", list(contains = "折交叉验证的", facts = list(k = K, m = length(models), n = length(test))), "各模型用的是默认参数",
    list(contains = "个候选模型全部做完", facts = list(m = length(models))), list(contains = "好于不用模型", facts = list(k = sum(m[models] > m[["基线"]])))),
    if (length(models) > 1) list("从许多模型里挑最好的") else list("只有一个模型，没有挑选"))
  list(blocks = add, says = says, chosen = chosen, m = m) }
importances <- function(case, xs, answer, value) { test <- which(case$d$part == "test"); X <- case$X; whole <- value(answer(X[test, , drop = FALSE])); lapply(seq_along(xs), function(j) { l <- sapply(case$orders$order[case$orders$variable == j], function(o) { Z <- X[test, , drop = FALSE]; Z[, j] <- X[test, j][numbers_in(o)]; whole - value(answer(Z)) })
  block("importance", list(name = xs[j]), list(loss = if (abs(mean(l)) < 1e-15) 0 else mean(l), sd = sd(l))) }) }
