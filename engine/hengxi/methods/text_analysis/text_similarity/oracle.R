# Similarities by matrices and adist() from texts cut by hand (tools/oracle_text.R); groups by spreading labels along links.
source("../../../../tools/oracle.R"); source("../../../../tools/oracle_text.R")
made <- reviews(120, 21)
set.seed(4)
# Twelve answers are copied, each with one clause more or less.
clauses <- made$clauses; copied <- sample(seq_along(clauses), 12)
clauses <- c(clauses, lapply(copied, function(i) if (length(clauses[[i]]) > 3) clauses[[i]][-1] else c(clauses[[i]], sample(good, 1))))
answers <- data.frame(id = seq_along(clauses), answer = vapply(clauses, text_of, ""))
write.csv(answers, "example.csv", row.names = FALSE, quote = FALSE)
tokens <- kept(lapply(clauses, function(p) unlist(cut_of(p))))
hard <- data.frame(号 = 1:7, 答 = c("房间干净！！😀", "房间干净", "", "……", "ＷＩＦＩ速度快", "wifi速度快", "早餐丰富"))
write.csv(hard, "oracle-hard.csv", row.names = FALSE, quote = FALSE, na = "")
hard_rows <- c(1, 2, 4, 5, 6, 7)
hard_tokens <- kept(list(c("房间", "干净"), c("房间", "干净"), character(), c("wifi", "速度", "快"), c("wifi", "速度", "快"), c("早餐", "丰富")))
cosine <- function(tokens) { w <- tfidf_of(tokens); w %*% t(w) }
jaccard <- function(tokens) { m <- (matrix_of(tokens) > 0) * 1; both <- m %*% t(m); s <- rowSums(m); u <- outer(s, s, "+") - both; ifelse(u > 0, both / u, 0) }
edit <- function(texts) 1 - adist(texts) / outer(nchar(texts), nchar(texts), pmax)
dice <- function(texts) {
  g <- lapply(texts, function(t) { ch <- strsplit(t, "")[[1]]; unique(paste0(ch[-length(ch)], ch[-1])) })
  sapply(g, function(a) sapply(g, function(b) 2 * length(intersect(a, b)) / (length(a) + length(b))))
}
short <- function(t) ifelse(nchar(t) > 60, paste0(substr(t, 1, 60), "…"), t)
whole <- function(s, rows, threshold, top, texts = answers$answer) {
  n <- nrow(s); s <- pmin(s, 1); ij <- which(upper.tri(s), arr.ind = TRUE); v <- s[ij]
  o <- order(-round(v, 10), ij[, 1], ij[, 2]); first <- head(o, top)
  high <- round(v, 10) >= threshold; label <- seq_len(n)
  repeat { was <- label; for (k in which(high)) { m <- min(label[ij[k, ]]); label[ij[k, ]] <- m }; if (identical(was, label)) break }
  size <- table(label); size <- size[size > 1]; rank <- order(-as.integer(size), as.integer(names(size)))
  c(lapply(first, function(k) block("pairs", list(first = rows[ij[k, 1]], second = rows[ij[k, 2]]), similarity = v[k])),
    lapply(seq_along(rank), function(k) block("groups", list(sample = short(texts[as.integer(names(size)[rank[k]])])), group = k, size = as.integer(size[rank[k]]))),
    list(block("summary", list(), texts = n, pairs = length(v), high = sum(high), mean = mean(v), most = max(v), doubled = sum(size), share = sum(size) / n),
      points("bins", list(), 20, list(n = length(v))),
      points("cells", list(), min(n, 60)^2, list(value = sum(s[seq_len(min(n, 60)), seq_len(min(n, 60))]) + sum(1 - diag(s)[seq_len(min(n, 60))])))))
}
lead <- function(s, threshold) { v <- round(s[upper.tri(s)], 10); fact("对文本的相似度达到", k = sum(v >= threshold), min = threshold) }
asked <- function(v, rows) { o <- head(order(-round(v, 10), seq_along(v)), 20); lapply(seq_along(o), function(k) block("found", list(row = rows[o[k]]), rank = k, similarity = v[o[k]])) }
look <- "相似度高不等于抄写"; none <- "没有填写查询文本"; sixty <- fact("只画前", k = 60)
query <- c("早餐", "丰富", "外星人"); r <- seq_along(tokens)
f <- tfidf_of(tokens); q <- numeric(ncol(f)); names(q) <- colnames(f); q[c("早餐", "丰富")] <- 1
df <- colSums(matrix_of(tokens) > 0); q <- q * (log((1 + sum(lengths(tokens) > 0)) / (1 + df)) + 1); q <- q / sqrt(sum(q^2))
m <- (matrix_of(tokens) > 0) * 1; both <- rowSums(m[, c("早餐", "丰富")]); qj <- both / (rowSums(m) + 3 - both)
lower <- tolower(answers$answer); ask <- "早餐品种丰富。"
kinds <- list(answer = "文本", id = "定量")
oracle(c("R 4.2.2：人工切好的词上的矩阵运算；编辑距离用 adist()"), list(
  case("开放题，TF-IDF 余弦，有查询", list(text = "answer", query = "早餐丰富，外星人"), measures = kinds,
    expect = c(whole(cosine(tokens), r, .8, 100), asked(as.numeric(f %*% q), r)), says = list(lead(cosine(tokens), .8), look, sixty)),
  case("词 Jaccard，有查询", list(text = "answer", method = "jaccard", threshold = .6, query = "早餐丰富，外星人"), measures = kinds,
    expect = c(whole(jaccard(tokens), r, .6, 100), asked(as.numeric(qj), r)), says = list(lead(jaccard(tokens), .6), look, sixty)),
  case("编辑距离", list(text = "answer", method = "edit", threshold = .7, query = ask), measures = kinds,
    expect = c(whole(edit(lower), r, .7, 100), asked(as.numeric(1 - adist(ask, lower) / pmax(nchar(ask), nchar(lower))), r)), says = list(lead(edit(lower), .7), look, sixty)),
  case("字对 Dice", list(text = "answer", method = "dice", threshold = .7, top = 30), measures = kinds,
    expect = whole(dice(gsub("，", ",", lower)), r, .7, 30), says = list(lead(dice(gsub("，", ",", lower)), .7), look, sixty, none)),
  case("缺失、表情、全角、只有标点的行", list(text = "答"), data = "oracle-hard.csv", measures = list(答 = "文本", 号 = "定量"),
    expect = whole(cosine(hard_tokens), hard_rows, .8, 100, hard$答[hard_rows]), says = list(lead(cosine(hard_tokens), .8), look, none, "没有剩下可计数的词"))))
