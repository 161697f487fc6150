# What the oracles of all scores of unusual rows share.
source("../../../../tools/oracle.R")
keyed <- function(X) order(Reduce(`+`, lapply(seq_len(ncol(X)), function(j) X[, j] / max(abs(X[, j])) * sqrt(1 + j))))
# Z: z scores named by variable; s: scores; cut: threshold; truth: logical or NULL; rows: numbers in the file; ids: labels
scored <- function(Z, s, cut, truth = NULL, event = NULL, rows = seq_along(s), ids = paste0("第 ", rows, " 行"), tolerance = NULL, reason = NULL, shown = 8, vars = ncol(Z), told = cut) {
  n <- length(s); odd <- s > cut; o <- order(-round(s, 12)); B <- list(); add <- function(b) B[[length(B) + 1]] <<- b
  for (q in seq_len(min(shown, n))) { i <- o[q]; a <- order(-round(abs(Z[i, ]), 12))[seq_len(min(3, ncol(Z)))]; b <- list("odd_rows", list(row = rows[i]), rank = q, row = rows[i], label = ids[i], verdict = if (odd[i]) "异常" else "正常", first = colnames(Z)[a[1]], z1 = Z[i, a[1]])
    if (length(a) > 1) { b$second <- colnames(Z)[a[2]]; b$z2 <- Z[i, a[2]] }; if (length(a) > 2) { b$third <- colnames(Z)[a[3]]; b$z3 <- Z[i, a[3]] }; add(do.call(block, b)); add(block("odd_rows", list(row = rows[i]), score = s[i], tolerance = tolerance, reason = reason)) }
  if (!is.null(truth)) { m <- sum(truth); r <- rank(round(s, 12)); auc <- (sum(r[truth]) - m * (m + 1) / 2) / (m * (n - m)); u <- sort(unique(round(s, 12)), decreasing = TRUE); h <- sapply(u, function(v) sum(truth & round(s, 12) >= v)); k <- sapply(u, function(v) sum(round(s, 12) >= v))
    add(block("judged", list(), event = event, n = n, known = m, auc = auc, ap = sum(diff(c(0, h)) / m * h / k), hits = mean(truth[o[1:m]]), recall = sum(truth & odd) / m, precision = sum(truth & odd) / sum(odd))) }
  i <- o[1]; a <- which.max(round(abs(Z[i, ]), 12)); f <- list("判为异常。最异常的是", n = n, count = sum(odd), share = mean(odd), z = Z[i, a], row = as.character(rows[i]), v = colnames(Z)[a]); g <- fact("判为异常。最异常的是", top = s[i], t = told); if (!is.null(tolerance)) g$tolerance <- tolerance
  list(blocks = B, says = c(list(do.call(fact, f), g, "至少列出得分最高的 10 行", "异常不等于错误", fact("计算异常得分，阈值", vars = vars), fact(if (mean(odd) > .25) "超过四分之一" else "，是少数", share = mean(odd))), if (!is.null(truth)) list("已知标记没有参与计算")), count = sum(odd), share = mean(odd), n = n) }
map_said <- function(u) { v <- svd(scale(u, scale = FALSE))$d^2; fact("横轴和纵轴是前两个主成分", share = sum(v[1:2]) / sum(v)) }
