# Rows made of a plain sentence and pieces of noise that are known: the account is the sum of what was put in.
source("../../../../tools/steps.R"); source("../../../../tools/oracle_text.R")
set.seed(44); n <- 400
plain <- reviews(n, 44)$data$comment; pick <- function(x, p) ifelse(runif(n) < p, sample(x, n, TRUE), "")
html <- pick(c("<b>", "<br class=\"x\">", "<i>"), .2); html[html == "<br class=\"x\">"] <- "<u class=\"x\">"
url <- pick(c("https://a.example/b?c=1", "www.hotel.example"), .2); mail <- pick(c("a.b@c.example", "x_1@y.example"), .2); phone <- pick(c("13812345678", "139-1234-5678"), .2)
wide <- pick(c("ＷＩＦＩ", "Ｎ１"), .2); hant <- pick(c("價格", "飯店"), .2); emoji <- pick(c("😀", "👍"), .2)
gap <- pick(c("  ", " \t"), .2)
x <- data.frame(id = 1:n, score = sample(5, n, TRUE), comment = paste0(html, "甲", url, "，", mail, "，", phone, "，", wide, "，", hant, emoji, gap, "乙", plain))
x$comment[c(7, 9)] <- x$comment[3]; x$comment[11] <- "好"
write.csv(x, "example.csv", row.names = FALSE, quote = 2:3, na = "")
write.csv(data.frame(文 = c("干净", "整洁", "<b", "𠮷屋", "好")), "oracle-clean.csv", row.names = FALSE, quote = FALSE)
special <- c(7, 9, 11); same <- function(v) { v[c(7, 9)] <- v[3]; v[11] <- ""; v }
p <- lapply(list(html = html, url = url, mail = mail, phone = phone, wide = wide, hant = hant, emoji = emoji, gap = gap), same)
size <- nchar(x$comment); rows <- function(v) sum(v != ""); letters <- function(v) sum(nchar(v))
step <- function(name, r, l) block("account", list(step = name), rows = r, letters = l)
gaps <- sum(nchar(p$gap[p$gap != ""]) - 1); gap_rows <- rows(p$gap)
touched <- function(...) sum(Reduce(`|`, lapply(list(...), function(v) v != "")))
base <- list(step("HTML标记", rows(p$html), letters(p$html)), step("网址", rows(p$url), letters(p$url)), step("邮箱", rows(p$mail), letters(p$mail)),
  step("手机号", rows(p$phone), letters(p$phone)), step("全角转半角", rows(p$wide), 0), step("繁体转简体", rows(p$hant), 0), step("合并空白", gap_rows, gaps), step("合计", touched(p$html, p$url, p$mail, p$phone, p$wide, p$hant, p$gap), letters(p$html) + letters(p$url) + letters(p$mail) + letters(p$phone) + gaps))
lost <- nchar(p$html) + nchar(p$url) + nchar(p$mail) + nchar(p$phone) + pmax(nchar(p$gap) - 1, 0)
sizes <- function(lost, before = size) list(block("sizes", list(when_ = "清洗前"), n = sum(before > 0), mean = mean(before[before > 0]), longest = max(before)),
  block("sizes", list(when_ = "清洗后"), n = sum(before - lost > 0), mean = mean((before - lost)[before - lost > 0]), longest = max(before - lost)),
  points("bins", list(series = "清洗前"), NULL, list(count = sum(before > 0))), points("bins", list(series = "清洗后"), NULL, list(count = sum(before > 0))))
all_touched <- touched(p$html, p$url, p$mail, p$phone, p$wide, p$hant, p$gap)
say <- function(n, changed, letters, gone) fact("行改变，共删除", size = n, changed = changed, letters = letters, gone = gone)
key <- gsub("x", "x", paste(p$wide, p$hant, p$emoji, p$gap != "", same(plain))); key[11] <- "好"; dup <- sum(duplicated(key))
only <- function(e) Filter(function(b) b$table != "bins", e)
oracle(c("R 4.2.2：植入的噪声逐件计数，nchar()"), list(
  case("推荐组合", list(text = "comment"), only(c(base, sizes(lost), list(record("文本清洗", n, 4, c(n, 3), cells = 0)))), says = list(say(n, all_touched, sum(lost), 0)), measures = list(comment = "文本")),
  case("去重，最短 3 字", list(text = "comment", dedup = TRUE, min_len = 3), only(c(base, list(block("account", list(step = "删除过短的行"), rows = 1), block("account", list(step = "删除重复的行"), rows = dup)))),
    says = list(say(n, all_touched, sum(lost), dup + 1)), measures = list(comment = "文本")),
  case("自选：表情和正则", list(text = "comment", steps = "custom", simplify = FALSE, width = FALSE, remove = list("emoji"), regex = "[甲乙]"),
    only(c(list(step("表情", rows(p$emoji), letters(p$emoji)), step("自定义正则", n - 1, 2 * (n - 1))))), says = list(fact("行改变，共删除", gone = 0)), measures = list(comment = "文本")),
  case("没有可清洗的", list(text = "文"), only(list(step("HTML标记", 0, 0), step("合并空白", 0, 0))), says = list(say(5, 0, 0, 0), "没有一行改变"), data = "oracle-clean.csv", measures = list(文 = "文本"))))
