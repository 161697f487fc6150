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
