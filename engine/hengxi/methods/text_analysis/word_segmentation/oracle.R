# Texts cut by hand (tools/oracle_text.R), and the sentences whose cut and tags the documentation of jieba prints.
source("../../../../tools/oracle.R"); source("../../../../tools/oracle_text.R")
made <- reviews(400, 31)
write.csv(made$data[c("id", "score", "comment")], "example.csv", row.names = FALSE, quote = FALSE)
# r pronoun, v verb, n/ns/nt noun, d adverb, a adjective, uj particle, eng English.
words <- list(
  c(我 = "r", 爱 = "v", 北京 = "ns", 天安门 = "ns"), c(我 = "r", 来到 = "v", 北京 = "ns", 清华大学 = "nt"),
  c(南京市 = "ns", 长江大桥 = "ns"), c(这家 = "r", 酒店 = "n", 的 = "uj", 服务态度 = "n", 非常 = "d", 好 = "a"),
  c(他 = "r", 来到 = "v", 了 = "ul", 网易 = "n", 杭研 = "nr", 大厦 = "n"), c(wifi = "eng", 好 = "a"), character())
texts <- c("我爱北京天安门！", "我来到北京清华大学。", "南京市长江大桥", "这家酒店的服务态度非常好😀", "他来到了网易杭研大厦", "ＷＩＦＩ好", "……")
hard <- data.frame(编号 = 1:8, 意见 = c(texts[1:3], "", texts[4:7]))
write.csv(hard, "oracle-hard.csv", row.names = FALSE, quote = FALSE, na = "")
rows <- c(1, 2, 3, 5, 6, 7, 8)
totals <- function(raw, kept) {
  w <- unlist(kept)
  block("summary", list(), size = length(kept), empty = sum(lengths(kept) == 0), raw = length(unlist(raw)), counted = length(w),
    types = length(unique(w)), mean = length(w) / length(kept))
}
lead <- function(raw, kept) fact("行文本切出", size = length(kept), raw = length(unlist(raw)), counted = length(unlist(kept)),
  types = length(unique(unlist(kept))))
each <- function(kept, rows) lapply(head(seq_along(kept), 200), function(i)
  block("cuts", list(row = rows[i]), n = length(kept[[i]])))
kind <- function(t) ifelse(t == "eng", "英文", c(n = "名词", v = "动词", a = "形容词", d = "副词")[substr(t, 1, 1)])
tags <- kind(unlist(words)); tags[is.na(tags)] <- "其他"; all <- unlist(lapply(words, names))
parts <- lapply(unique(tags), function(k) block("parts", list(tag = k), n = sum(tags == k), share = mean(tags == k),
  types = length(unique(all[tags == k]))))
cut <- lapply(words, function(w) if (length(w)) names(w) else character())
clean <- kept(made$tokens)
# The two other modes: the cuts that the documentation of jieba prints.
full <- list(c("我", "来到", "北京", "清华", "清华大学", "华大", "大学"))
search <- list(c("小明", "硕士", "毕业", "于", "中国", "科学", "学院", "科学院", "中国科学院", "计算", "计算所"))
write.csv(data.frame(句 = "我来到北京清华大学"), "oracle-full.csv", row.names = FALSE, quote = FALSE)
write.csv(data.frame(句 = "小明硕士毕业于中国科学院计算所"), "oracle-search.csv", row.names = FALSE, quote = FALSE)
plain <- list(stopwords = list(builtin = NA), min_len = 1)
oracle(c("R 4.2.2：人工切好的词上的计数", "jieba 说明文档里的分词与词性标注例句"), list(
  case("酒店评论", list(text = "comment"), measures = list(comment = "文本"),
    expect = c(list(totals(made$tokens, clean)), each(clean, seq_along(clean))),
    says = list(lead(made$tokens, clean), "占比以保留的词为分母", fact("只列出前", k = 200, size = 400), "保留的词都在词典里")),
  case("文档例句，缺失、表情、全角，一个不留", c(list(text = "意见"), plain), data = "oracle-hard.csv", measures = list(意见 = "文本"),
    expect = c(list(totals(cut, cut), block("unknown", list(word = "杭研"), n = 1)), each(cut, rows), parts),
    says = list(lead(cut, cut), fact("没有剩下可计数的词", k = 1), "占比以保留的词为分母", "新词可能切错")),
  case("全模式", c(list(text = "句", mode = "full"), plain), data = "oracle-full.csv", measures = list(句 = "文本"),
    expect = list(totals(full, full)), says = list(lead(full, full), "占比以保留的词为分母")),
  case("搜索引擎模式", c(list(text = "句", mode = "search"), plain), data = "oracle-search.csv", measures = list(句 = "文本"),
    expect = list(totals(search, search)), says = list(lead(search, search), "占比以保留的词为分母"))))
