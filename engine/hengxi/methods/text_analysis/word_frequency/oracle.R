# Counts, TF-IDF, G² and measures of variety from texts cut by hand (tools/oracle_text.R): table(), pchisq, p.adjust.
source("../../../../tools/oracle.R"); source("../../../../tools/oracle_text.R")
made <- reviews(400, 11)
write.csv(made$data, "example.csv", row.names = FALSE, quote = FALSE)
hard <- data.frame(意见 = c("<b>房间</b>干净！！😀", "ＷＩＦＩ速度快", "", "……123", "早餐早餐味道不错", "房间干净，早餐丰富", "wifi速度快", "房间干净"),
  班 = c("甲", "乙", "甲", "乙", "", "甲", "乙", "甲"))
write.csv(hard, "oracle-hard.csv", row.names = FALSE, quote = FALSE, na = "")
hard_tokens <- list(c("b", "房间", "b", "干净"), c("wifi", "速度", "快"), c(), c("早餐", "早餐", "味道", "不错"), c("房间", "干净", "早餐", "丰富"), c("wifi", "速度", "快"), c("房间", "干净"))

words <- function(tokens, rows) {
  t <- count_table(tokens); t$share <- t$n / sum(t$n); t$doc_share <- t$docs / rows; t$tfidf <- as.numeric(mean_tfidf(tokens)[t$word])
  r <- seq_len(nrow(t))
  c(blocks("words", head(t, 60), "word"), list(points("ranks", list(), nrow(t), list(rank = sum(log(r)), count = sum(log(sort(t$n, TRUE)))))),
    list(points("bars", list(), min(20, nrow(t)), list(n = sum(sort(t$n, TRUE)[seq_len(min(20, nrow(t)))])))))
}
variety <- function(whose, x) {
  n <- length(x); f <- table(x); v <- length(f)
  mattr <- if (n < 50) NULL else mean(sapply(seq_len(n - 49), function(i) length(unique(x[i:(i + 49)])) / 50))
  spectrum <- table(as.integer(f)); i <- as.numeric(names(spectrum))
  cells <- list(counted = n, types = v, ttr = v / n, yule = 1e4 * (sum(i^2 * spectrum) - n) / n^2)
  if (!is.null(mattr)) cells$mattr <- mattr
  if (sum(f == 1) < v) cells$honore <- 100 * log(n) / (1 - sum(f == 1) / v)
  do.call(block, c(list("variety", list(whose = whose)), cells))
}
tests <- function(tokens, group, levels, top = 50) {
  t <- head(count_table(tokens), top); own <- lapply(levels, function(l) unlist(tokens[group == l])); size <- lengths(own)
  g <- sapply(t$word, function(w) {
    o <- rbind(sapply(own, function(x) sum(x == w)), size - sapply(own, function(x) sum(x == w)))
    e <- outer(rowSums(o), colSums(o)) / sum(o); 2 * sum(ifelse(o > 0, o * log(o / e), 0))
  })
  p <- p.adjust(pchisq(g, length(levels) - 1, lower.tail = FALSE), "holm")
  c(lapply(seq_along(g), function(k) do.call(block, c(list("compare", list(word = t$word[k]), g2 = g[[k]], df = length(levels) - 1, p = p[[k]]),
    setNames(lapply(own, function(x) sum(x == t$word[k])), paste0("n@", levels)),
    setNames(lapply(own, function(x) 1000 * sum(x == t$word[k]) / length(x)), paste0("rate@", levels))))))
}
grams <- function(tokens, n) lapply(tokens, function(t) if (length(t) < n) character() else sapply(seq_len(length(t) - n + 1), function(i) paste(t[i:(i + n - 1)], collapse = " ")))
tokens <- kept(made$tokens); t <- count_table(tokens); levels <- unique(made$data$type)
lead <- function(t, rows, what = "词") fact(sprintf("出现最多的%s是", what), n = t$n[1], docs = t$docs[1], share = t$docs[1] / rows)
few_words <- "“期望不足 5”的词次数太少"; ttr <- "TTR 随词数变小"; line <- "每点一个词"
pairs <- grams(tokens, 2); pt <- count_table(pairs)
clean <- kept(hard_tokens); ct <- count_table(clean)
kinds <- list(comment = "文本", type = "定类")
score_levels <- sort(unique(made$data$score))
oracle(c("R 4.2.2：人工切好的词上的 table()、pchisq()、p.adjust()"), list(
  case("酒店评论，按类型比较", list(text = "comment", group = "type", top = 500), measures = kinds,
    expect = c(words(tokens, 400), tests(tokens, made$data$type, levels, 500), list(variety("全部", unlist(tokens))),
      lapply(levels, function(l) variety(l, unlist(tokens[made$data$type == l])))),
    says = list(lead(t, 400), few_words, ttr, line, "没有发现各组用得不一样多的词")),
  case("按评分比较", list(text = "comment", group = "score", top = 500), measures = c(kinds, list(score = "定类")),
    expect = tests(tokens, made$data$score, score_levels, 500),
    says = list(lead(t, 400), few_words, ttr, line, "各组用得不一样多（Holm 校正后")),
  case("两个词的词组", list(text = "comment", ngram = 2, top = 500), measures = kinds,
    expect = c(words(pairs, 400), list(variety("全部", unlist(tokens)))), says = list(lead(pt, 400, "词组"), ttr, line, fact("个词没有列出", left = nrow(pt) - 500, total = sum(pt$n)))),
  case("缺失、标记、表情、全角，词很少", list(text = "意见"), data = "oracle-hard.csv", measures = list(意见 = "文本", 班 = "定类"),
    expect = c(words(clean, 7), list(variety("全部", unlist(clean)))), says = list(lead(ct, 7), fact("没有剩下可计数的词", k = 1), ttr, line))))
