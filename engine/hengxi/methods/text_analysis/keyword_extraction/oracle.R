# TF-IDF by matrices and TextRank by a linear system, from texts cut by hand (tools/oracle_text.R).
source("../../../../tools/oracle.R"); source("../../../../tools/oracle_text.R")
made <- news(60, 5)
write.csv(made$data, "example.csv", row.names = FALSE, quote = FALSE)
# Three documents whose TF-IDF is known: 数据 分析 数据 / 统计 分析 / 统计 学习; markup, a gap and marks around them.
small <- data.frame(文 = c("数据，分析，数据！", "统计，<b>分析</b>", "", "统计学习", "……"), 组 = c("甲", "乙", "甲", "乙", "甲"))
write.csv(small, "oracle-small.csv", row.names = FALSE, quote = FALSE, na = "")
small_tokens <- kept(list(c("数据", "分析", "数据"), c("统计", "b", "分析", "b"), c("统计", "学习"), character()))
tokens <- kept(made$tokens)
ranked <- function(w) names(w)[order(-round(w, 12), names(w))]
of_all <- function(tokens, w, top, other) {
  t <- count_table(tokens); o <- order(-round(w[t$word], 12), -t$n, t$word); t <- t[o, ]; w1 <- w[t$word]
  v <- other[t$word]; k <- min(20, nrow(t)); second <- t$word[order(-round(v, 12), -t$n, t$word)][1:k]
  same <- length(intersect(t$word[1:k], second)); rho <- cor(rank(round(w1, 12)), rank(round(v, 12)))
  shown <- head(seq_len(nrow(t)), top)
  c(lapply(shown, function(i) block("words", list(word = t$word[i]), rank = i, weight = w1[[i]], n = t$n[i], docs = t$docs[i])),
    list(block("methods", list(), shown = k, same = same, share = same / k, rho = rho),
      points("bars", list(), min(20, length(shown)), list(weight = sum(w1[head(shown, 20)])))))
}
graph <- function(tokens, w, top, window = 5) {
  t <- count_table(tokens); words <- head(t$word[order(-round(w[t$word], 12), -t$n, t$word)], min(top, 40))
  g <- neighbours_of(tokens, window)[words, words]; e <- head(sort(g[upper.tri(g) & g > 0], TRUE), 120)
  list(points("nodes", list(), length(words), list(size = sum(w[words]))), points("edges", list(), length(e), list(weight = sum(e))))
}
per_row <- function(tokens, w_of, top, rows = seq_along(tokens)) unlist(lapply(seq_along(tokens), function(d) {
  w <- w_of(d); w <- w[w > 0]; r <- head(ranked(w), top)
  lapply(seq_along(r), function(k) block("by_row", list(row = rows[d], word = r[k]), rank = k, weight = w[[r[k]]]))
}), recursive = FALSE)
per_group <- function(tokens, group, w_of, top) unlist(lapply(unique(group), function(g) {
  w <- w_of(g); n <- table(unlist(tokens[group == g])); w <- w[names(n)]
  o <- head(names(w)[order(-round(w, 12), -as.integer(n), names(w))], top)
  lapply(seq_along(o), function(k) block("by_group", list(group = g, word = o[k]), rank = k, weight = w[[o[k]]], n = n[[o[k]]]))
}), recursive = FALSE)
f <- tfidf_of(tokens); mean_w <- mean_tfidf(tokens); ranks <- textrank_of(tokens)
kinds <- list(body = "文本", topic = "定类", title = "文本")
small_kinds <- list(文 = "文本", 组 = "定类")
ranks3 <- textrank_of(tokens, 3)
oracle(c("R 4.2.2：人工切好的词上的矩阵运算、solve()、cor()", "3 篇文档的 TF-IDF：sklearn 文档公式 ln((1+n)/(1+df))+1、L2"), list(
  case("新闻短文，TF-IDF", list(text = "body"), measures = kinds, expect = c(of_all(tokens, mean_w, 20, ranks), graph(tokens, mean_w, 20)),
    says = list("全部文本的关键词是", "各取前几个词比较")),
  case("TextRank，窗口 3", list(text = "body", method = "textrank", window = 3, top_k = 200), measures = kinds,
    expect = c(of_all(tokens, ranks3, 200, mean_w), graph(tokens, ranks3, 200, 3)), says = list("全部文本的关键词是", fact("各取前几个词比较", window = 3))),
  case("每行，TF-IDF，保存", list(text = "body", scope = "row", top_k = 3, append = TRUE), measures = kinds,
    expect = per_row(tokens, function(d) f[d, ], 3), says = list(fact("行文本各提取了最多", k = 60, most = 3))),
  case("每行，TextRank", list(text = "body", scope = "row", method = "textrank", top_k = 2), measures = kinds,
    expect = per_row(tokens, function(d) textrank_of(tokens[d]), 2), says = list(fact("行文本各提取了最多", k = 60, most = 2))),
  case("每组，TF-IDF", list(text = "body", scope = "group", group = "topic", top_k = 10), measures = kinds,
    expect = per_group(tokens, made$data$topic, function(g) colMeans(f[made$data$topic == g, ]), 10), says = list("各组的关键词")),
  case("每组，TextRank", list(text = "body", scope = "group", group = "topic", method = "textrank", top_k = 10), measures = kinds,
    expect = per_group(tokens, made$data$topic, function(g) textrank_of(tokens[made$data$topic == g]), 10), says = list("各组的关键词")),
  case("三篇短文，缺失与标记", list(text = "文", scope = "row"), data = "oracle-small.csv", measures = small_kinds,
    expect = c(
      per_row(small_tokens, function(d) tfidf_of(small_tokens)[d, ], 20, c(1, 2, 4, 5))),
    says = list(fact("行文本各提取了最多", k = 3, most = 20), "TF-IDF 分不清", fact("没有剩下可计数的词", k = 1), fact("行少于", k = 2)))))
