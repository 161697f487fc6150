# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2, stringi (ICU): trim, regex, Fullwidth-Halfwidth)
source("../../../../tools/steps.R")
suppressMessages(library(stringi))
if (!file.exists("example.csv")) {
  set.seed(83); n <- 500
  city <- sample(c("北京", "上海", "广州", "深圳"), n, TRUE)
  city <- paste0(sample(c("", " ", "\u3000"), n, TRUE, c(.7, .2, .1)), city, sample(c("", "市", " "), n, TRUE, c(.6, .25, .15)))
  sex <- sample(c("男", "男 ", "M", "\uff2d", "女", "f", "\uff26"), n, TRUE); sex[sample(n, 11)] <- NA
  note <- sample(c("<p>很好</p>", "好评\U0001F44D", "一般  般", "价格128元", "價格 99 元", "a<b", NA), n, TRUE)
  write.csv(data.frame(编号 = sprintf("P%03d", 1:n), 城市 = city, 性别 = sex, 留言 = note, 年龄 = sample(18:60, n, TRUE)), "example.csv", row.names = FALSE, na = "")
}
x <- example(); n <- nrow(x)
trim <- function(s) stri_replace_all_regex(s, "^[\\s\\u00a0\\u3000]+|[\\s\\u00a0\\u3000]+$", "")
half <- function(s) stri_trans_general(s, "Fullwidth-Halfwidth")
one <- function(name, form, v, read) {
  facts <- list(changed = 0, fewer = 0); emptied <- 0; blank <- 0; many <- logical(); rows <- list()
  for (w in v) {
    s <- x[[w]]; s[!is.na(s) & s == ""] <- NA; known <- !is.na(s); made <- read(s)
    differs <- known & (is.na(made) | made != s); kinds <- c(length(unique(s[known])), length(unique(made[!is.na(made)])))
    rows <- c(rows, list(block("result", list(variable = w), n = sum(known), changed = sum(differs), before = kinds[1], after = kinds[2], emptied = sum(known & is.na(made)), blank = sum(differs & !is.na(made) & made == ""))))
    top <- table(factor(s[differs], unique(s[differs]))); top <- top[order(-top)]; many <- c(many, length(top) > 20); top <- head(top, 20)
    show <- function(z) gsub("^\u3000", "\u27e83000\u27e9", gsub("^ | $", "\u2423", z))
    rows <- c(rows, lapply(names(top), function(z) block("samples", list(variable = w, old = show(z), new = if (is.na(made[match(z, s)])) "缺失" else if (made[match(z, s)] == "") "（空串）" else show(made[match(z, s)])), n = top[[z]])))
    facts$changed <- facts$changed + sum(differs); facts$fewer <- facts$fewer + kinds[1] - kinds[2]
    emptied <- emptied + sum(known & is.na(made)); blank <- blank + sum(differs & !is.na(made) & made == "")
  }
  student <- if (blank > 0) fact("格变为空串，它仍算有值", blank = blank) else if (emptied > 0) fact("格变为缺失", emptied = emptied) else "请核对变更样例"
  case(name, c(list(variables = as.list(v)), form), c(rows, list(record("文本清洗", n, ncol(x) + length(v), c(n, ncol(x))))),
    c(list(list(contains = "写法减少", facts = facts), student), if (facts$changed == 0) list("没有改变的值"), if (any(many)) list("只列次数最多的")), measures = list(城市 = "定类", 性别 = "定类", 留言 = "文本"))
}
oracle(c("R 4.2.2", "stringi (ICU): stri_trans_general(), stri_replace_all_regex()"), list(
  one("默认操作", list(), c("城市", "性别"), function(s) trim(half(s))),
  one("小写", list(operations = list("trim", "fullwidth", "lower")), "性别", function(s) trim(stri_trans_tolower(half(s)))),
  one("正则替换", list(operations = list("trim"), pattern = "市$", use_regex = TRUE, replacement = ""), "城市", function(s) sub("市$", "", trim(s))),
  one("提取数字", list(operations = list("trim"), pattern = "([0-9]+)", use_regex = TRUE, extract = TRUE), "留言", function(s) stri_extract_first_regex(s, "[0-9]+")),
  one("去标记", list(operations = list("strip_html", "strip_emoji", "squeeze", "traditional")), "留言", function(s) {
    s <- gsub("</p>", " ", s, fixed = TRUE); s <- gsub("<p>", "", s, fixed = TRUE); s <- gsub("\U0001F44D", "", s); s <- gsub("[[:space:]]+", " ", s); stri_trans_general(s, "Hant-Hans") }),
  one("删去文字", list(operations = list("trim"), pattern = "M"), "性别", function(s) gsub("M", "", trim(s), fixed = TRUE)),
  one("空串转缺失", list(operations = list("trim", "empty_to_missing"), pattern = "M", replacement = ""), "性别", function(s) { s <- gsub("M", "", trim(s), fixed = TRUE); ifelse(s == "", NA, s) }),
  one("没有改变", list(operations = list("unseen")), "城市", identity)))
