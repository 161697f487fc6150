# Counts, TF-IDF and TextRank from texts cut by hand (tools/oracle_text.R): table(), matrices, a linear system for the ranks.
source("../../../../tools/oracle.R"); source("../../../../tools/oracle_text.R")
made <- reviews(400, 11)
write.csv(made$data, "example.csv", row.names = FALSE, quote = FALSE)
papers <- news(45, 3)
write.csv(papers$data, "oracle-news.csv", row.names = FALSE, quote = FALSE)
# Gaps, markup, pictures, full-width letters, a row of marks alone, one word twice; tokens as a reader counts them.
hard <- data.frame(意见 = c("<b>房间</b>干净！！😀", "ＷＩＦＩ速度快", "", "……123", "早餐早餐味道不错", "房间干净，早餐丰富", "wifi速度快"),
  班 = c("甲", "乙", "甲", "乙", "", "甲", "乙"), 数 = c(3, 0, 2.5, 1, 2.5, 7, 1), 词语 = c("酒店", "早餐", "停车", "酒店", "早餐", "服务", "速度"))
hard_tokens <- list(c("b", "房间", "b", "干净"), c("wifi", "速度", "快"), c(), c("早餐", "早餐", "味道", "不错"), c("房间", "干净", "早餐", "丰富"), c("wifi", "速度", "快"))
write.csv(hard, "oracle-hard.csv", row.names = FALSE, quote = FALSE, na = "")

cells <- function(tokens, weight = NULL) {
  t <- count_table(tokens); t$share <- t$n / sum(t$n); t$weight <- if (is.null(weight)) t$n else as.numeric(weight[t$word])
  c(blocks("words", t, "word"), list(points("cloud_words", list(), nrow(t), list(weight = sum(t$weight)))))
}
overview <- function(tokens, rows, characters) list(block("summary", list(), rows = rows, empty = sum(lengths(tokens) == 0),
  characters = characters, counted = length(unlist(tokens)), distinct = length(unique(unlist(tokens)))))
groups_of <- function(tokens, group, levels) {
  t <- count_table(tokens)
  unlist(lapply(levels, function(l) lapply(t$word, function(w) {
    own <- unlist(tokens[group == l])
    x <- list(table = "groups", where = list(word = w), cells = setNames(list(sum(own == w), 1000 * sum(own == w) / length(own)), paste0(c("n", "rate"), "@", l)))
    x
  })), recursive = FALSE)
}
frame <- list(list(table = "frame", where = setNames(list(), character()), count = 72, sums = setNames(list(), character()), cells = setNames(list(), character())))
tokens <- kept(made$tokens); t <- count_table(tokens); top <- t[1, ]
paper_tokens <- kept(papers$tokens)
clean <- kept(hard_tokens)
n_of <- function(x) sum(nchar(x))
levels <- unique(made$data$type)
ranks <- mean_tfidf(tokens); first <- names(ranks)[order(-ranks)][1]
tr <- textrank_of(paper_tokens); best <- names(tr)[order(-tr)][1]; paper_count <- count_table(paper_tokens)
list_n <- c(服务 = 7, 早餐 = 2.5, 停车 = 2.5, 酒店 = 4, 速度 = 1)
only <- "词云只展示词的多少"
oracle(c("R 4.2.2：人工切好的词上的 table()、矩阵运算", "TextRank：solve() 解线性方程组"), list(
  case("酒店评论，按词频", list(text = "comment"), measures = list(comment = "文本", type = "定类"),
    expect = c(cells(tokens), overview(tokens, 400, n_of(made$data$comment)), frame),
    says = list(fact("出现最多的词是", n = top$n, docs = top$docs, share = top$docs / 400), only)),
  case("按类型分组，TF-IDF", list(text = "comment", group = "type", weight = "tfidf", palette = "pos", rotate = "some"),
    measures = list(comment = "文本", type = "定类"),
    expect = c(Filter(function(b) b$table == "words", cells(tokens, ranks)), groups_of(tokens, made$data$type, levels)),
    says = list(fact("按 TF-IDF 最突出的词是", n = t$n[t$word == first], docs = t$docs[t$word == first], share = t$docs[t$word == first] / 400), only)),
  case("新闻短文，TextRank，星形", list(text = "body", weight = "textrank", shape = "star", rotate = "random"), data = "oracle-news.csv",
    measures = list(body = "文本", topic = "定类", title = "定类"), expect = cells(paper_tokens, tr),
    says = list(fact("按 TextRank 最突出的词是", n = paper_count$n[paper_count$word == best], docs = paper_count$docs[paper_count$word == best], share = paper_count$docs[paper_count$word == best] / 45), only)),
  case("缺失、标记、表情、全角", list(text = "意见", shape = "heart"), data = "oracle-hard.csv", measures = list(意见 = "文本", 班 = "定类", 数 = "定量", 词语 = "定类"),
    expect = c(cells(clean), overview(clean, 6, n_of(hard$意见[hard$意见 != ""]))),
    says = list(fact("出现最多的词是", n = 3, docs = 2, share = 2 / 6), fact("没有剩下可计数的词", k = 1), only)),
  case("已有词频表，词有重复，频数有 0 和并列", list(text = "词语", freq = "数", palette = "single"), data = "oracle-hard.csv",
    measures = list(意见 = "文本", 班 = "定类", 数 = "定量", 词语 = "定类"),
    expect = c(lapply(names(list_n), function(w) block("words", list(word = w), n = list_n[[w]], share = list_n[[w]] / sum(list_n), weight = list_n[[w]], docs = if (w == "酒店") 2 else 1)),
      list(block("summary", list(), rows = 7, empty = 1, characters = 14, counted = sum(list_n), distinct = 5))),
    says = list(fact("词频最高的是", n = 7, share = 7 / sum(list_n))))))
