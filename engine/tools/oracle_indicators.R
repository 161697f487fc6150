# What oracle scripts of weights and rankings share: indicators with their direction, the ways to make them comparable,
# the sentences and scores every weighting prints. Loops over columns; nothing here knows how the product does it.
read_x <- function(d, positive = NULL, negative = NULL, moderate = NULL) {
  keep <- complete.cases(d[, c(positive, negative, moderate), drop = FALSE])
  list(x = as.matrix(d[keep, c(positive, negative, moderate), drop = FALSE]), keep = which(keep),
    kind = c(rep("high", length(positive)), rep("low", length(negative)), rep("interval", length(moderate))))
}
away <- function(x, ends) sapply(x, function(v) max(ends[1] - v, v - ends[2], 0))
minmax <- function(x, kind, ends = list()) sapply(seq_len(ncol(x)), function(k) { v <- x[, k]
  if (kind[k] == "high") (v - min(v)) / (max(v) - min(v))
  else if (kind[k] == "low") (max(v) - v) / (max(v) - min(v))
  else { d <- away(v, ends[[colnames(x)[k]]]); 1 - d / max(d) } })
forward <- function(x, kind, ends = list()) sapply(seq_len(ncol(x)), function(k) { v <- x[, k]
  if (kind[k] == "high") v else if (kind[k] == "low") max(v) - v else { d <- away(v, ends[[colnames(x)[k]]]); max(d) - d } })
entropy_of <- function(z) apply(z, 2, function(v) { p <- v / sum(v); -sum(ifelse(p > 0, p * log(p), 0)) / log(length(v)) })
names_of <- function(d, keep, label) { if (is.null(label)) return(paste0("第 ", keep, " 行")); o <- as.character(d[[label]])
  ifelse(is.na(o[keep]) | o[keep] == "", paste0("第 ", keep, " 行"), ifelse(o[keep] %in% o[keep][duplicated(o[keep])], paste0(o[keep], "（第 ", keep, " 行）"), o[keep])) }
place <- function(v) rank(-round(v, 12), ties.method = "min")
score_blocks <- function(objects, v) lapply(seq_along(v), function(i) block("scores", list(object = objects[i]), score = v[i], rank = place(v)[i]))
# The sentences of a weighting.
weight_says <- function(w, n, student) list(
  if (isTRUE(all.equal(max(w), min(w)))) fact("的权重相同", high = max(w)) else fact("权重最大的是“", high = max(w), low = min(w), m = length(w)),
  fact("个对象", n = n), fact("个指标的权重（", w0 = max(w), m = length(w), n = n), student, "综合得分是各指标处理后的值")

# ---- rankings: weights by source, what a tenth of weight changes, what other methods say ----------------------------
crit_w <- function(z) { i <- apply(z, 2, sd) * colSums(1 - cor(z)); i / sum(i) }
source_w <- function(z, source, given = NULL) { m <- ncol(z); switch(source, equal = rep(1 / m, m), manual = given / sum(given),
  entropy = { e <- entropy_of(z); (1 - e) / sum(1 - e) }, critic = crit_w(z), cv = { v <- apply(z, 2, sd) / colMeans(z); v / sum(v) }) }
euclid <- function(x, kind, ends, w) { good <- bad <- numeric(ncol(x)); v <- x   # TOPSIS by Hwang and Yoon
  for (k in seq_len(ncol(x))) { u <- x[, k]; if (kind[k] == "interval") { d <- away(u, ends[[colnames(x)[k]]]); u <- max(d) - d }
    u <- u / sqrt(sum(u^2)) * w[k]; v[, k] <- u; good[k] <- if (kind[k] == "low") min(u) else max(u); bad[k] <- if (kind[k] == "low") max(u) else min(u) }
  p <- apply(v, 1, function(r) sqrt(sum((r - good)^2))); q <- apply(v, 1, function(r) sqrt(sum((r - bad)^2)))
  list(plus = p, minus = q, c = q / (p + q), good = good, bad = bad) }
vikor_of <- function(z, w, v = .5) { S <- R <- numeric(nrow(z)); for (i in seq_len(nrow(z))) { l <- w * (1 - z[i, ]); S[i] <- sum(l); R[i] <- max(l) }
  one <- function(x) if (max(x) - min(x) > 1e-14) (x - min(x)) / (max(x) - min(x)) else 0 * x
  list(s = S, r = R, q = v * one(S) + (1 - v) * one(R)) }
rank_grid <- function(x, kind, ends) sapply(seq_len(ncol(x)), function(k) rank(round(switch(kind[k], high = x[, k], low = -x[, k], interval = -away(x[, k], ends[[colnames(x)[k]]])), 12)))
kind_words <- function(x, kind, ends) sapply(seq_along(kind), function(k) switch(kind[k], high = "正向", low = "负向", interval = { e <- ends[[colnames(x)[k]]]; if (e[1] == e[2]) "中间型" else "区间型" }))
firm_blocks <- function(x, kind, ends, z, w, score, own, objects) {
  base <- score(w); out <- lapply(seq_along(w), function(k) block("used", list(item = colnames(x)[k]), kind = kind_words(x, kind, ends)[k], weight = w[k])); turned <- 0
  for (k in seq_along(w)) { cells <- list(); for (f in c(.9, 1.1)) { u <- w; u[k] <- u[k] * f; a <- score(u / sum(u)); key <- if (f < 1) "down" else "up"
      cells[[key]] <- sum(place(a) != place(base)); cells[[paste0(key, "_first")]] <- objects[which.max(a)]; turned <- turned + (objects[which.max(a)] != objects[which.max(base)]) }
    if (length(w) > 1) out[[length(out) + 1]] <- do.call(block, c(list("shaken", list(item = colnames(x)[k])), cells)) }
  all <- list(TOPSIS = euclid(x, kind, ends, w)$c, VIKOR = -vikor_of(z, w)$q, `加权和（极差法）` = as.vector(z %*% w), 秩和比 = as.vector(rank_grid(x, kind, ends) %*% w) / nrow(x))
  for (name in setdiff(names(all), own)) if (max(all[[name]]) - min(all[[name]]) > 1e-12) out[[length(out) + 1]] <- block("beside", list(other = name),
    rho = cor(round(base, 12), round(all[[name]], 12), method = "spearman"), first = objects[which.max(round(all[[name]], 12))])
  list(blocks = out, turned = turned, tries = 2 * length(w)) }
firm_says <- function(f) list(if (f$turned > 0) fact("换了第一名", turned = f$turned, tries = f$tries) else "第一名都不变", "每次只改一个指标的权重", "其他方法用同样的指标和权重")
