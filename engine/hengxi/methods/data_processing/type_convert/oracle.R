# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2: as.numeric, as.Date and lubridate after gsub)
source("../../../../tools/steps.R")
suppressMessages(library(lubridate))
if (!file.exists("example.csv")) {
  set.seed(82); n <- 500; v <- round(rexp(n, 1 / 3000), 1); grouped <- formatC(v, format = "f", digits = 1, big.mark = ",")
  amount <- paste0(ifelse(runif(n) < .3, "￥", ""), grouped, ifelse(runif(n) < .6, "元", "")); amount[sample(n, 12)] <- "面议"; amount[sample(n, 8)] <- "无"; amount[5] <- "3.5万"
  share <- paste0(sample(0:100, n, TRUE), sample(c("%", "％"), n, TRUE)); share[sample(n, 15)] <- NA
  day <- as.Date("2024-01-01") + sample(0:365, n, TRUE); how <- sample(3, n, TRUE)
  date <- ifelse(how == 1, format(day, "%Y-%m-%d"), ifelse(how == 2, format(day, "%Y/%m/%d"), format(day, "%Y年%m月%d日"))); date[sample(n, 9)] <- "待定"; date[7] <- "2024-02-30"
  write.csv(data.frame(订单 = sprintf("N%04d", 1:n), 金额 = amount, 比例 = share, 日期 = date, 会员 = sample(c("是", "否", "√", "不详"), n, TRUE, c(.4, .4, .15, .05)),
    评分 = round(runif(n, 1, 5), 1), 到货 = format(day, "%d/%m/%Y"), 时刻 = format(as.POSIXct(day, "UTC") + sample(86399, n, TRUE), "%Y-%m-%d %H:%M:%S")), "example.csv", row.names = FALSE, na = "")
}
x <- example(); n <- nrow(x)
names_of <- c(number = "数值", integer = "整数", text = "文本", date = "日期", datetime = "日期时间", boolean = "布尔", category = "定类")
empty <- c("无", "NA", "—")
one <- function(name, target, read, form = list(), before = "文本", told = list(), also = NULL) {
  v <- names(read); facts <- list(done = 0, failed = 0); rows <- list(); blank <- 0
  for (w in v) {
    raw <- x[[w]]; raw[!is.na(raw) & raw == ""] <- NA; made <- read[[w]](raw); tokens <- raw %in% empty
    bad <- !is.na(raw) & is.na(made) & !tokens; k <- sum(bad); good <- sum(!is.na(made))
    rows <- c(rows, list(block("result", list(variable = w, before = before, after = names_of[[target]]), done = good, failed = k, blank = sum(tokens & is.na(made)), missing = sum(is.na(raw)), distinct = length(unique(made[!is.na(made)])))))
    f <- sort(table(raw[bad]), decreasing = TRUE)
    rows <- c(rows, lapply(names(f), function(s) block("failures", list(variable = w, value = s), n = f[[s]])))
    facts$done <- facts$done + good; facts$failed <- facts$failed + k; blank <- blank + sum(tokens & is.na(made))
  }
  says <- c(list(list(contains = paste0(v[length(v)], "转为", names_of[[target]], "："), facts = facts), if (facts$failed > 0) fact("已设为缺失，请在表中核对原值", failed = facts$failed) else "没有无法转换的值",
    if (blank > 0) fact("格写作 NA、无等", blank = blank) else "转换成功的格保留原来的含义"), told)
  changed <- if (is.null(also)) sum(sapply(v, function(w) sum(!is.na(x[[w]]) & x[[w]] != ""))) else also
  case(name, c(list(variables = as.list(v), target = target), form), c(rows, list(record("类型转换", n, ncol(x), c(n, ncol(x)), cells = changed))), says,
    measures = list(金额 = "文本", 比例 = "文本", 日期 = "文本", 会员 = "文本", 到货 = "文本", 时刻 = "文本", 评分 = "定量"))
}
money <- function(s) { ten <- ifelse(grepl("万", s), 1e4, 1); suppressWarnings(as.numeric(gsub("[￥元,万]", "", s)) * ten) }
percent <- function(s) as.numeric(sub("[%％]", "", s)) / 100
day <- function(s) suppressWarnings(as.Date(ymd(s, quiet = TRUE)))
late <- function(s) as.Date(s, "%d/%m/%Y")
moment <- function(s) ymd_hms(s, quiet = TRUE)
half <- function(s) floor(s + .5)
oracle(c("R 4.2.2: as.numeric()", "lubridate: ymd(), ymd_hms()"), list(
  one("金额和比例", "number", list(金额 = money, 比例 = percent)),
  one("三种日期写法", "date", list(日期 = day)),
  one("日在前", "date", list(到货 = late)),
  one("指定格式", "date", list(到货 = late), list(date_format = "DD/MM/YYYY")),
  one("日期时间", "datetime", list(时刻 = moment)),
  one("只留年月日", "date", list(时刻 = function(s) as.Date(moment(s))), told = list(fact("带钟点，转为日期后只留年月日", n = sum(format(moment(x$时刻), "%H%M%S") != "000000")))),
  one("布尔", "boolean", list(会员 = function(s) ifelse(s %in% c("是", "√"), 1, ifelse(s == "否", 0, NA)))),
  one("四舍五入", "integer", list(评分 = half), list(rounding = "round"), "数值", list(fact("四舍五入为整数", n = sum(x$评分 != floor(x$评分)))), sum(x$评分 != half(x$评分))),
  one("转为文本", "text", list(评分 = function(s) as.character(s)), before = "数值"),
  one("转为定类", "category", list(会员 = identity), also = 0)))
