# What the oracles of text methods share: a corpus cut by hand, and counts, TF-IDF and TextRank from those tokens.
# Clauses are written with the cut marked by |. Texts are made by joining them; no segmenter is used here.
stop_file <- "../../../families/text/lexicons/stopwords.txt"
stops <- function() { x <- readLines(stop_file, encoding = "UTF-8"); x[nzchar(x) & !startsWith(x, "#")] }
good <- c("位置|很|方便", "早餐|品种|丰富", "早餐|味道|不错", "前台|服务|热情", "服务员|态度|非常|好", "房间|干净|整洁",
  "床|很|舒服", "隔音|效果|好", "价格|实惠", "性价比|很|高", "泳池|干净", "停车|方便", "周围|餐厅|很多", "网络|速度|快",
  "会议室|设施|齐全", "办理|入住|快", "推荐|给|朋友", "环境|安静", "窗外|可以|看到|大海", "设施|齐全", "整体|满意")
bad <- c("房间|有点|潮湿", "隔音|太|差", "空调|噪音|很大", "早餐|品种|太|少", "前台|态度|冷淡", "服务|不|热情", "停车|不|方便",
  "设施|陈旧", "卫生间|漏水", "床单|有|污渍", "网络|经常|断开", "位置|偏僻", "不会|再|来", "等|了|半小时", "退房|很|麻烦",
  "非常|失望", "毛巾|没有|更换", "不|推荐")
topics <- list(
  体育 = c("球队|赢得|比赛", "教练|更换|战术", "球员|接受|训练", "冠军|球迷|庆祝", "联赛|赛程|公布"),
  财经 = c("银行|下调|利率", "股市|指数|上涨", "企业|利润|增长", "投资|市场|回暖", "消费|需求|扩大"),
  健康 = c("医院|医生|手术", "患者|接种|疫苗", "健康|饮食|建议", "疾病|预防|知识"))
cut_of <- function(clauses) strsplit(clauses, "|", fixed = TRUE)
text_of <- function(clauses) paste0(paste(gsub("|", "", clauses, fixed = TRUE), collapse = "，"), "。")

# Reviews of hotels: 2 to 5 clauses, the more good ones the higher the score. `tokens`: a list of words a row.
reviews <- function(n, seed) {
  set.seed(seed)
  score <- sample(1:5, n, TRUE, c(.12, .15, .2, .28, .25))
  picked <- lapply(score, function(s) {
    k <- sample(2:5, 1); m <- rbinom(1, k, c(.05, .25, .5, .8, .95)[s])
    c(sample(good, m), sample(bad, k - m))
  })
  data <- data.frame(id = seq_len(n), score = score, comment = vapply(picked, text_of, ""),
    type = sample(c("商务", "家庭", "情侣"), n, TRUE))
  list(data = data, tokens = lapply(picked, function(p) unlist(cut_of(p))), clauses = picked)
}
# Short news of three topics, 3 to 5 clauses of one topic, sometimes one of another.
news <- function(n, seed) {
  set.seed(seed)
  topic <- rep(names(topics), length.out = n)
  picked <- lapply(topic, function(t) {
    own <- sample(topics[[t]], sample(3:4, 1))
    if (runif(1) < .25) c(own, sample(topics[[sample(setdiff(names(topics), t), 1)]], 1)) else own
  })
  data <- data.frame(title = sprintf("第%d篇", seq_len(n)), body = vapply(picked, text_of, ""), topic = topic)
  list(data = data, tokens = lapply(picked, function(p) unlist(cut_of(p))))
}
kept <- function(tokens, stop = stops(), least = 2, heads = character()) lapply(tokens, function(t) {
  hit <- t %in% names(heads); t[hit] <- heads[t[hit]]
  t[!(t %in% stop) & nchar(t) >= least]
})
count_table <- function(tokens) {
  n <- table(unlist(tokens)); docs <- table(unlist(lapply(tokens, unique)))
  out <- data.frame(word = names(n), n = as.integer(n), docs = as.integer(docs[names(n)]))
  out[order(-out$n, out$word), ]
}
matrix_of <- function(tokens) {
  words <- sort(unique(unlist(tokens)))
  m <- t(vapply(tokens, function(t) as.numeric(table(factor(t, words))), numeric(length(words))))
  colnames(m) <- words; m
}
tfidf_of <- function(tokens) {
  m <- matrix_of(tokens); rows <- sum(rowSums(m) > 0)
  w <- sweep(m, 2, log((1 + rows) / (1 + colSums(m > 0))) + 1, "*")
  size <- sqrt(rowSums(w^2)); w[size > 0, ] <- w[size > 0, ] / size[size > 0]; w
}
mean_tfidf <- function(tokens) { w <- tfidf_of(tokens); colSums(w) / sum(rowSums(w) > 0) }
neighbours_of <- function(tokens, window) {
  words <- sort(unique(unlist(tokens))); g <- matrix(0, length(words), length(words), dimnames = list(words, words))
  for (t in tokens) for (i in seq_along(t)) for (j in seq_along(t)) if (i < j && j - i < window && t[i] != t[j]) {
    g[t[i], t[j]] <- g[t[i], t[j]] + 1; g[t[j], t[i]] <- g[t[j], t[i]] + 1
  }
  g
}
# PageRank by solving its linear equations, not by iterating.
textrank_of <- function(tokens, window = 5, d = .85) {
  g <- neighbours_of(tokens, window); n <- nrow(g); out <- rowSums(g)
  p <- g; p[out > 0, ] <- p[out > 0, ] / out[out > 0]; p[out == 0, ] <- 1 / n
  s <- solve(diag(n) - d * t(p), rep((1 - d) / n, n)); setNames(as.numeric(s), rownames(g))
}
