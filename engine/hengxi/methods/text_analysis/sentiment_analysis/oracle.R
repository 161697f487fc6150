# Every clause and sentence is scored by hand here: which word, times what. R then adds, and tests.
source("../../../../tools/oracle.R"); source("../../../../tools/oracle_text.R")
by_hand <- list(位置很方便 = c(方便 = .6 * 1.25), 早餐品种丰富 = c(丰富 = .6), 早餐味道不错 = c(不错 = .6), 前台服务热情 = c(热情 = .6), 服务员态度非常好 = c(好 = .6 * 1.5),
  房间干净整洁 = c(干净 = .6, 整洁 = .6), 床很舒服 = c(舒服 = .6 * 1.25), 隔音效果好 = c(效果好 = .6), 价格实惠 = c(实惠 = .6), 性价比很高 = c(性价比很高 = .6),
  泳池干净 = c(干净 = .6), 停车方便 = c(方便 = .6), 周围餐厅很多 = c(), 网络速度快 = c(速度快 = .6), 会议室设施齐全 = c(齐全 = .6), 办理入住快 = c(), 推荐给朋友 = c(推荐 = .6),
  环境安静 = c(安静 = .6), 窗外可以看到大海 = c(), 设施齐全 = c(齐全 = .6), 整体满意 = c(满意 = .6),
  房间有点潮湿 = c(潮湿 = -.6 * .7), 隔音太差 = c(差 = -.6 * 1.5), 空调噪音很大 = c(噪音 = -.6), 早餐品种太少 = c(太少 = -.4), 前台态度冷淡 = c(冷淡 = -.6), 服务不热情 = c(热情 = .6 * -.8),
  停车不方便 = c(方便 = .6 * -.8), 设施陈旧 = c(陈旧 = -.6), 卫生间漏水 = c(漏水 = -.6), 床单有污渍 = c(污渍 = -.6), 网络经常断开 = c(), 位置偏僻 = c(偏僻 = -.6),
  不会再来 = c(不会再来 = -.9), 等了半小时 = c(), 退房很麻烦 = c(麻烦 = -.6 * 1.25), 非常失望 = c(失望 = -.9 * 1.5), 毛巾没有更换 = c(), 不推荐 = c(推荐 = .6 * -.8))
made <- reviews(400, 21)
write.csv(made$data, "example.csv", row.names = FALSE, quote = FALSE)
values <- lapply(made$clauses, function(k) unlist(unname(by_hand[gsub("|", "", k, fixed = TRUE)])))
# Sentences for each rule: what a reader gives each feeling word of them.
rules <- list(
  "服务很好" = c(好 = .6 * 1.25), "服务不好" = c(好 = .6 * -.8), "不是不满意" = c(不满意 = -.6 * -.8), "不能不喜欢" = c(喜欢 = .6 * .6), "服务不太好" = c(好 = .6 * -.8),
  "菜不是很新鲜" = c(新鲜 = .6 * 1.25 * -.8), "房间有点旧" = c(旧 = -.6 * .7), "位置不错，但是房间脏" = c(不错 = .6, 脏 = -.6 * 1.6), "房间小，不过干净，而且安静" = c(干净 = .6 * 1.6, 安静 = .6 * 1.6),
  "贵，但是好吃。服务热情" = c(贵 = -.6, 好吃 = .6 * 1.6, 热情 = .6), "希望更方便" = c(方便 = .6 * 1.25 * -.3), "建议改善停车" = c(改善 = .6 * -.3), "出差住了三天" = c(), "差不多" = c(), "我们好像走了好久" = c(),
  "离地铁站不远" = c(), "完美！" = c(完美 = .9), "非常非常满意" = c(满意 = .6 * 1.5), "并没有觉得舒服" = c(舒服 = .6 * -.8), "没有人来说过话也不干净" = c(干净 = .6 * -.8), "垃圾，骗子" = c(垃圾 = -.9, 骗子 = -.9),
  "再也不来" = c(再也不来 = -.9), "ＷＩＦＩ稳定😀" = c(稳定 = .6), "<b>干净</b>" = c(干净 = .6), "不值" = c(不值 = -.6), "没问题" = c(), "……" = c(), "𠮷祥酒店很温馨" = c(温馨 = .6 * 1.25), "只是便宜" = c(便宜 = .6 * 1.6), "一般" = c(一般 = -.4))
hard <- data.frame(句 = c(names(rules), ""), 组 = c(rep(c("甲", "乙"), 15), "甲"))
write.csv(hard, "oracle-rules.csv", row.names = FALSE, quote = FALSE, na = "")
plain <- data.frame(句 = c("今天走了三里路", "桌子和椅子", "他来了", "很便捷", "下雨"), 组 = c("甲", "乙", "甲", "乙", "甲"))
write.csv(plain, "oracle-plain.csv", row.names = FALSE, quote = FALSE)
# Feelings that cancel are 0, not a dust of 1e-16.
squash <- function(s) { s <- round(s, 12); s / sqrt(s^2 + 1) }
total <- function(v) if (length(v)) sum(v) else 0
side <- function(s, low = -.3333, high = .3333) ifelse(s >= high - 1e-9 & s > 0, "正向", ifelse(s <= low + 1e-9 & s < 0, "负向", "中性"))
mean_cells <- function(s) { e <- t.test(s); list(mean = mean(s), low = e$conf.int[1], high = e$conf.int[2]) }
expect <- function(values, s, low = -.3333, high = .3333, rows = seq_along(s)) {
  d <- side(s, low, high); b <- unlist(unname(values)); w <- names(b); covered <- sum(lengths(values) > 0)
  shares <- lapply(c("正向", "中性", "负向"), function(k) { n <- sum(d == k); ci <- prop.test(n, length(s), correct = FALSE)$conf.int
    block("shares", list(direction = k), n = n, share = n / length(s), low = if (n == 0) 0 else ci[1], high = if (n == length(s)) 1 else ci[2]) })
  count <- sort(table(w), TRUE); count <- count[order(-count, names(count))]; top <- head(names(count), 50)
  docs <- table(unlist(lapply(unname(values), function(v) unique(names(v)))))
  c(shares, list(do.call(block, c(list("overall", list(), size = length(s), covered = covered, coverage = covered / length(s)), mean_cells(s)))),
    list(points("cloud", list(), length(top), list(weight = sum(count[top])))),
    lapply(top, function(k) block("words", list(word = k), n = count[[k]], docs = docs[[k]], mean = mean(b[w == k]))),
    lapply(head(seq_along(s), 200), function(i) block("lines", list(row = rows[i]), score = s[i])))
}
by_group <- function(s, g, low = -.3333, high = .3333) { k <- kruskal.test(round(s, 10), factor(g)); c(
  lapply(unique(g), function(x) { v <- s[g == x]; d <- side(v, low, high)
    do.call(block, c(list("groups", list(group = x), n = length(v), positive = mean(d == "正向"), negative = mean(d == "负向")), mean_cells(v))) }),
  list(block("test", list(), h = k$statistic[[1]], df = k$parameter[[1]], p = k$p.value))) }
lead <- function(s, ...) { d <- table(factor(side(s, ...), c("正向", "中性", "负向"))); n <- max(d)
  fact(sprintf("行文本中%s最多", names(d)[which.max(d)]), size = length(s), n = n, share = n / length(s), mean = mean(s)) }
spread <- function(s) { h <- 0.2; e <- seq(floor(min(s) / h) * h, ceiling(max(s) / h) * h, h); list(points("bins", list(), length(e) - 1, list(count = length(s)))) }
s <- vapply(values, function(v) squash(total(v)), 0); r <- vapply(rules, function(v) squash(total(v)), 0, USE.NAMES = FALSE)
means <- vapply(names(rules), function(k) if (k == "贵，但是好吃。服务热情") mean(squash(c(-.6 + .6 * 1.6, .6))) else squash(total(rules[[k]])), 0, USE.NAMES = FALSE)
p_rule <- kruskal.test(round(r, 10), factor(hard$组[1:30]))$p.value; p_score <- kruskal.test(round(s, 10), factor(made$data$score))$p.value
irony <- "词典法不能识别反讽"; side_note <- "平均贡献已算入"; kw <- "Kruskal-Wallis 检验"
kinds <- list(comment = "文本", type = "定类"); own <- list(句 = "文本", 组 = "定类")
few <- vapply(list(0, 0, 0, .6 * 1.25, 0), squash, 0)
none <- lapply(values, function(v) v[names(v) == "干净"])
oracle(c("R 4.2.2：逐句人工计分，t.test()、prop.test()、kruskal.test()、cor()"), list(
  case("酒店评论，按类型，与评分比较", list(text = "comment", group = "type", rating = "score", append = TRUE), measures = c(kinds, list(score = "定量")),
    expect = c(expect(values, s), by_group(s, made$data$type), list(block("rated", list(), n = 400, rho = cor(rank(round(s, 10)), rank(made$data$score))))),
    says = list(lead(s), irony, side_note, kw, fact("只列出前", k = 200, size = 400), "相关越接近 1", fact(if (kruskal.test(round(s, 10), factor(made$data$type))$p.value < .05) "各组的情感得分有差异" else "没有发现各组的情感得分有差异"))),
  case("按评分分组", list(text = "comment", group = "score"), measures = list(comment = "文本", score = "定类"),
    expect = by_group(s, as.character(made$data$score)), says = list(lead(s), irony, side_note, kw, fact("只列出前", k = 200, size = 400), fact("各组的情感得分有差异", p = p_score))),
  case("每条规则，缺失、表情、全角、𠮷", list(text = "句", group = "组"), data = "oracle-rules.csv", measures = own, expect = c(expect(rules, r), by_group(r, hard$组[1:30])),
    says = list(lead(r), irony, side_note, kw, fact(if (p_rule < .05) "各组的情感得分有差异" else "没有发现各组的情感得分有差异", p = p_rule))),
  case("按句，分界 −0.1 与 0.1", list(text = "句", unit = "sentence", low = -.1, high = .1), data = "oracle-rules.csv", measures = own,
    expect = expect(rules, means, -.1, .1), says = list(lead(means, -.1, .1), irony, side_note)),
  case("多数行没有情感词", list(text = "句"), data = "oracle-plain.csv", measures = own, expect = expect(list(c(), c(), c(), c(便捷 = .75), c()), few),
    says = list(lead(few), irony, side_note, fact("的行含有情感词", share = .2)))))
