# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2, lubridate)
source("../../../../tools/steps.R")
suppressMessages(library(lubridate))
if (!file.exists("example.csv")) {
  set.seed(86); n <- 730; a <- as.POSIXct("2023-01-01", "UTC") + (seq_len(n) - 1) * 86400 + sample(86399, n, TRUE)
  b <- a + round(rexp(n, 1 / 90000)); b[sample(n, 6)] <- NA; b[c(10, 200)] <- a[c(10, 200)] - 7200
  write.csv(data.frame(订单 = 1:n, 下单时间 = format(a, "%Y-%m-%d %H:%M:%S"), 发货时间 = format(b, "%Y-%m-%d %H:%M:%S"), 出生日期 = format(as.Date("1950-01-01") + sample(20000, n, TRUE))), "example.csv", row.names = FALSE, na = "")
}
x <- example(); n <- nrow(x); a <- ymd_hms(x$下单时间); b <- ymd_hms(x$发货时间, quiet = TRUE); born <- ymd(x$出生日期)
# Days off of 2023 and 2024, from the notices 国办发明电〔2022〕16号 and 国办发明电〔2023〕7号.
free <- as.Date(c("2023-01-01", "2023-01-02", paste0("2023-01-", 21:27), "2023-04-05", "2023-04-29", "2023-04-30", paste0("2023-05-0", 1:3), paste0("2023-06-", 22:24), "2023-09-29", "2023-09-30",
  paste0("2023-10-0", 1:6), "2023-12-30", "2023-12-31", "2024-01-01", paste0("2024-02-", 10:17), paste0("2024-04-0", 4:6), paste0("2024-05-0", 1:5), "2024-06-10", paste0("2024-09-", 15:17), paste0("2024-10-0", 1:7)))
names_of <- c(year = "年", quarter = "季", month = "月", week = "ISO周", day = "日", weekday = "星期", hour = "时", minute = "分", yearmonth = "年月", dayofyear = "年内日", is_weekend = "是否周末", is_holiday = "中国法定节假日", days_in_month = "当月天数", age = "年龄")
counted <- c("年", "ISO周", "日", "时", "分", "年内日", "当月天数", "年龄")
part <- function(key, d) switch(key, year = year(d), quarter = quarter(d), month = month(d), week = isoweek(d), day = day(d), weekday = wday(d, week_start = 1), hour = hour(d), minute = minute(d), yearmonth = format(d, "%Y-%m"),
  dayofyear = yday(d), is_weekend = as.integer(wday(d, week_start = 1) > 5), is_holiday = as.integer(as.Date(d) %in% free), days_in_month = unname(days_in_month(d)))
row <- function(name, z, number) { ok <- z[!is.na(z)]
  do.call(block, c(list("result", list(variable = name), n = length(ok), missing = sum(is.na(z)), distinct = length(unique(ok))), if (number && length(ok)) list(least = min(ok), most = max(ok), mean = mean(ok)))) }
one <- function(name, form, made, told = list(), gone = 0, v = "下单时间") case(name, c(list(date = v), form),
  c(lapply(names(made), function(w) row(w, made[[w]], is.numeric(made[[w]]) && (sub("^.*_", "", w) %in% counted || grepl("减", w) && !grepl("_减", w)))), list(block("first", list(row = 1), row = 1), record("日期处理", n, 4 + length(made), c(n, 4)))),
  c(list(list(contains = paste0("由“", v, "”得到"), facts = list(k = length(made), n = n - gone)), if (gone > 0) fact("行没有日期", gone = gone) else "原有变量不变"), told), measures = list(下单时间 = "日期", 发货时间 = "日期", 出生日期 = "日期"))
of <- function(keys, d, v) setNames(lapply(keys, part, d = d), paste0(v, "_", names_of[keys]))
every <- setdiff(names(names_of), "age")
half <- interval(a, b) %/% months(1); negative <- list(fact("行时间差为负", k = sum(b < a, na.rm = TRUE)))
age <- interval(born, ymd("2024-12-31")) %/% years(1)
oracle("R 4.2.2, lubridate: isoweek(), wday(), interval() %/% months(1), %m+%", list(
  one("默认", list(), of(c("year", "month"), a, "下单时间")),
  one("全部部分", list(parts = as.list(every)), of(every, a, "下单时间")),
  one("天数差", list(parts = list(), date2 = "发货时间", diff_unit = "hour"), setNames(list(as.numeric(difftime(b, a, units = "hours"))), "发货时间减下单时间_时"), negative),
  one("满月", list(parts = list(), date2 = "下单时间", diff_unit = "month"), setNames(list(interval(born, a) %/% months(1)), "下单时间减出生日期_月"), v = "出生日期"),
  one("满年", list(parts = list(), date2 = "下单时间", diff_unit = "year"), setNames(list(interval(born, a) %/% years(1)), "下单时间减出生日期_年"), v = "出生日期"),
  one("年龄", list(parts = list("age", "hour"), as_of = "2024-12-31"), setNames(list(age, rep(0, n)), c("出生日期_年龄", "出生日期_时")), list("没有钟点，时和分都是 0"), v = "出生日期"),
  one("加月", list(parts = list("week"), shift = 1, diff_unit = "month"), c(of("week", b, "发货时间"), setNames(list(format(b %m+% months(1))), "发货时间_加1月")), gone = sum(is.na(b)), v = "发货时间"),
  one("没有数据的年份", list(parts = list("is_holiday")), setNames(list(rep(NA, n)), "出生日期_中国法定节假日"), list(fact("这些年份的", k = n)), v = "出生日期"),
  one("晚出生", list(parts = list("age"), date2 = "出生日期"), setNames(list(rep(NA_real_, n), as.numeric(born - as.Date(a)) - (as.numeric(a) %% 86400) / 86400), c("下单时间_年龄", "出生日期减下单时间_天")),
    list(fact("晚于计算年龄的日期", k = n), fact("行时间差为负", k = n)))))
