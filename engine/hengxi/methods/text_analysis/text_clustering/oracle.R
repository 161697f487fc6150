# Texts cut by hand; TF-IDF, svd(), kmeans() and hclust() with many starts, silhouettes of the package cluster.
source("../../../../tools/oracle.R"); source("../../../../tools/oracle_text.R"); suppressMessages(library(cluster))
made <- news(60, 31); write.csv(made$data, "example.csv", row.names = FALSE, quote = FALSE)
short <- function(t) ifelse(nchar(t) > 80, paste0(substr(t, 1, 80), "…"), t)
unit <- function(M) M / sqrt(rowSums(M^2))
few <- reviews(40, 33); write.csv(few$data, "oracle-reviews.csv", row.names = FALSE, quote = FALSE)
run <- function(name, made, form, how, vector, k, texts, labels, data = NULL, measures, auto = FALSE) { tok <- kept(made$tokens); W <- tfidf_of(tok); words <- colnames(W); n <- nrow(W); v <- svd(W); k0 <- min(100, n - 1, ncol(W) - 1); S <- sweep(v$u, 2, v$d, "*"); S <- sweep(S, 2, apply(round(S, 9), 2, function(a) if (a[which.max(abs(a))] < 0) -1 else 1), "*")
  U <- unit(if (vector == "lsa") S[, 1:k0] else if (vector == "counts") matrix_of(tok) else W); H <- hclust(dist(U), "ward.D2"); lab <- function(k) if (how == "kmeans") { set.seed(1); kmeans(U, k, iter.max = 100, nstart = 300)$cluster } else cutree(H, k); within <- function(l) sum(sapply(unique(l), function(g) sum(sweep(U[l == g, , drop = FALSE], 2, colMeans(U[l == g, , drop = FALSE]))^2)))
  ks <- sort(unique(c(2:10, k))); L <- lapply(ks, lab); D <- dist(U); sil <- sapply(L, function(l) mean(silhouette(l, D)[, 3])); if (auto) stopifnot(ks[which.max(sil)] == k); l <- L[[match(k, ks)]]; C <- t(sapply(1:k, function(g) colMeans(U[l == g, , drop = FALSE]))); size <- tabulate(l, k); o <- do.call(order, c(list(-size), lapply(1:5, function(j) round(C[, j], 9)))); l <- match(l, o); C <- C[o, , drop = FALSE]; size <- size[o]; nm <- paste0("类", 1:k); s1 <- silhouette(l, D)[, 3]; B <- list(); first <- ""
  for (j in seq_along(ks)) if (how != "kmeans" || ks[j] <= 4) B <- c(B, list(block("chosen", list(k = ks[j]), k = ks[j], width = sil[j], within = within(L[[j]]), used = if (ks[j] == k) "是" else NULL)))
  for (g in 1:k) { i <- l == g; m <- colMeans(W[i, , drop = FALSE]); r <- colMeans(W[!i, , drop = FALSE]); d <- m - r; top <- order(-round(d, 10), words)[1:10]; top <- top[d[top] > 0]; B <- c(B, list(block("sizes", list(name = nm[g]), n = size[g], share = size[g] / n, width = mean(s1[i]), words = paste(words[head(top, 5)], collapse = "、"))))
    for (q in seq_along(top)) { w <- top[q]; a <- sum(W[i, w] > 0); b <- sum(W[!i, w] > 0); x <- suppressWarnings(chisq.test(matrix(c(a, size[g] - a, b, n - size[g] - b), 2), correct = FALSE)$statistic); B <- c(B, list(block("terms", list(name = nm[g], rank = q), rank = q, word = words[w], docs = a, inside = m[w], outside = r[w], difference = d[w], chi2 = unname(x)))) }
    e <- sqrt(rowSums(sweep(U, 2, C[g, ])^2)); near <- head(intersect(order(round(e, 9), 1:n), which(i)), 3); for (q in near) B <- c(B, list(block("typical", list(name = nm[g], label = labels[q]), label = labels[q], distance = e[q], sample = short(texts[q])))) }
  for (q in 1:6) B <- c(B, list(block("members", list(label = labels[q]), label = labels[q], name = nm[l[q]], sample = short(texts[q]))))
  B <- c(B, list(points("points", list(group = "类1"), size[1], list(x = sum(S[l == 1, 1]), y = sum(S[l == 1, 2]))))); if (how == "ward") B <- c(B, list(points("nodes", list(), 2 * n - 1, list(height = sum(H$height)))))
  m <- mean(s1); says <- list(fact("类。类1 有", n = n, k = k, m = size[1], share = size[1] / n), "把用词相近的文本放在一起", "图只画两维", fact(if (m < .1) "类的结构很弱" else "类有可见的结构", s = m)); says[[1]]$contains <- "类，平均轮廓系数"; says[[1]]$facts$s <- m
  case(name, form, B, says, data, measures) }
M <- list(title = "定类", body = "文本", topic = "定类"); N <- list(id = "定量", score = "定量", comment = "文本", type = "定类")
oracle(c("R 4.2.2: svd、kmeans、hclust", paste("cluster", packageVersion("cluster"))), list(
  run("三类新闻", made, list(text = "body", label = "title"), "kmeans", "lsa", 3, made$data$body, made$data$title, measures = M, auto = TRUE),
  run("评论，Ward，TF-IDF", few, list(text = "comment", method = "ward", vector = "tfidf", k = 4), "ward", "tfidf", 4, few$data$comment, sprintf("第 %d 行", 1:40), data = "oracle-reviews.csv", measures = N),
  run("新闻，词频，Ward", made, list(text = "body", label = "title", method = "ward", vector = "counts", k = 3), "ward", "counts", 3, made$data$body, made$data$title, measures = M)))
