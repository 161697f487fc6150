# Scores of called classes, for the oracles of this folder: everything written out but areas, which are pROC's (1.18.0).
suppressMessages({library(pROC); library(jsonlite)})
invisible(Sys.setlocale("LC_ALL", "C.UTF-8"))

wilson <- function(k, n) { z <- qnorm(.975); p <- k / n; m <- (p + z^2 / (2 * n)) / (1 + z^2 / n)
  h <- z / (1 + z^2 / n) * sqrt(p * (1 - p) / n + z^2 / (4 * n^2)); c(if (k == 0) 0 else m - h, if (k == n) 1 else m + h) }
area <- function(score, hit) as.numeric(suppressMessages(auc(hit, score, direction = "<", quiet = TRUE)))
# Placements of DeLong, DeLong & Clarke-Pearson; the macro average of K one-against-rest areas is a sum of them.
placed <- function(score, hit) {
  below <- numeric(length(score)); ones <- score[hit]; zeros <- score[!hit]
  below[hit] <- sapply(ones, function(s) mean((zeros < s) + (zeros == s) / 2))
  below[!hit] <- 1 - sapply(zeros, function(s) mean((ones > s) + (ones == s) / 2))
  a <- mean(below[hit]); out <- numeric(length(score))
  out[hit] <- (below[hit] - a) / sqrt(sum(hit) * (sum(hit) - 1)); out[!hit] <- (1 - below[!hit] - a) / sqrt(sum(!hit) * (sum(!hit) - 1)); out }
macro <- function(y, p) {
  k <- ncol(p); here <- which(sapply(seq_len(k), function(c) any(y == c) && any(y != c))); if (k == 2) here <- tail(here, 1)
  value <- mean(sapply(here, function(c) area(p[, c], y == c)))
  v <- sum(rowMeans(sapply(here, function(c) placed(p[, c], y == c)))^2)
  if (k == 2 && v > 1e-20) stopifnot(abs(var(roc(y == 2, p[, 2], direction = "<", quiet = TRUE)) - v) < 1e-12)   # as pROC
  if (v < 1e-20) return(list(value = value)); half <- qnorm(.975) * sqrt(v)
  list(value = value, low = max(0, value - half), high = min(1, value + half)) }
called <- function(p, event, t) if (is.null(event)) apply(p, 1, which.max) else ifelse(p[, event] >= t, event, 3 - event)
scores <- function(y, p, event = NULL, t = .5, loss = TRUE) {
  k <- ncol(p); n <- length(y); got <- called(p, event, t); M <- table(factor(y, 1:k), factor(got, 1:k)); hits <- sum(diag(M))
  precision <- diag(M) / colSums(M); recall <- diag(M) / rowSums(M); f1 <- 2 * diag(M) / (rowSums(M) + colSums(M))
  here <- rowSums(M) > 0; w <- wilson(hits, n); A <- macro(y, p); pe <- sum(rowSums(M) * colSums(M)) / n^2
  s <- as.numeric(sum(diag(M))); a <- as.numeric(rowSums(M)); b <- as.numeric(colSums(M))
  below <- sqrt(n^2 - sum(b^2)) * sqrt(n^2 - sum(a^2))
  own <- p[cbind(seq_len(n), y)]; if (is.null(event)) precision[is.nan(precision)] <- 0   # nobody called so: no precision
  out <- list(n = n, accuracy = hits / n, low = w[1], high = w[2], balanced = mean(recall[here]),
    precision = if (is.null(event)) mean(precision[here]) else unname(precision[event]),
    recall = if (is.null(event)) mean(recall[here]) else unname(recall[event]),
    f1 = if (is.null(event)) mean(f1[here]) else unname(f1[event]), auc = A$value, kappa = (hits / n - pe) / (1 - pe))
  if (!is.null(A$low)) out <- c(out, auc_low = A$low, auc_high = A$high)
  if (below > 0) out$mcc <- (s * n - sum(a * b)) / below
  if (loss) out$log_loss <- -mean(log(pmax(own, 1e-15)))
  out }
block <- function(.table, .where, .cells, ...) c(list(table = .table, where = .where, cells = lapply(.cells, unname)), list(...))
none <- setNames(list(), character())
# What a table of scores expects of true classes y and probabilities p; add(table, where, cells, …) takes the blocks.
confused <- function(add, classes, y, p, event, t, ...) { M <- table(factor(y, seq_along(classes)), factor(called(p, event, t), seq_along(classes)))
  for (c in seq_along(classes)) { got <- M[c, ]
    add("confusion", list(actual = classes[c]), c(setNames(as.list(got), paste0("n@", classes)), setNames(as.list(got / sum(got)), paste0("share@", classes))), ...) } }
by_class <- function(add, classes, y, p, event, t) {
  k <- length(classes); M <- table(factor(y, 1:k), factor(called(p, event, t), 1:k)); w <- rowSums(M)
  each <- lapply(seq_len(k), function(c) list(precision = M[c, c] / sum(M[, c]), recall = M[c, c] / w[c], f1 = 2 * M[c, c] / (w[c] + sum(M[, c])), auc = area(p[, c], y == c), n = w[c]))
  for (c in seq_len(k)) add("classes", list(level = classes[c]), each[[c]])
  for (kind in c("宏平均", "加权平均")) { v <- if (kind == "宏平均") rep(1, k) else w
    means <- sapply(c("precision", "recall", "f1", "auc"), function(x) weighted.mean(sapply(each, function(e) e[[x]]), v), simplify = FALSE)
    add("classes", list(level = kind), c(means, n = sum(w))) } }
under_curves <- function(add, classes, y, p, event) {
  for (c in (if (is.null(event)) seq_along(classes) else event)) {
    s <- p[, c]; hit <- y == c; cuts <- sort(unique(s), decreasing = TRUE)
    rec <- sapply(cuts, function(x) sum(hit & s >= x) / sum(hit)); pre <- sapply(cuts, function(x) mean(hit[s >= x]))
    add("areas", list(level = classes[c]), list(auc = area(s, hit), ap = sum(diff(c(0, rec)) * pre), base = mean(hit), brier = mean((s - hit)^2))) } }
all_brier <- function(y, p) mean(rowSums((p - diag(ncol(p))[y, ])^2))
