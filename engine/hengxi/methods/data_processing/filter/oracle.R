# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2, jsonlite; PSPP SELECT IF checks the counts)
# Rows by base R logical indexing: NA in a condition keeps no row. example.csv is MASS::survey with Chinese names.
suppressMessages(library(jsonlite))
invisible(Sys.setlocale("LC_ALL", "C.UTF-8"))
if (!file.exists("example.csv")) {
  d <- MASS::survey
  zh <- function(x, map) unname(map[as.character(x)])
  write.csv(data.frame(
    性别 = zh(d$Sex, c(Male = "男", Female = "女")), 年龄 = round(d$Age, 1), 身高 = round(d$Height, 1),
    脉搏 = d$Pulse, 吸烟 = zh(d$Smoke, c(Never = "从不", Occas = "偶尔", Regul = "经常", Heavy = "总是")),
    运动 = zh(d$Exer, c(None = "很少", Some = "有时", Freq = "经常"))),
    "example.csv", row.names = FALSE, quote = FALSE, na = "")
}
x <- read.csv("example.csv", na.strings = "")
total <- nrow(x)
columns <- ncol(x)

pspp <- function(select) {
  # PSPP's own count of rows for which the condition is surely true.
  if (Sys.which("pspp") == "") return(NA)
  csv <- tempfile(fileext = ".csv"); sps <- tempfile(fileext = ".sps"); out <- tempfile(fileext = ".csv")
  write.table(data.frame(ifelse(is.na(x$性别), "", ifelse(x$性别 == "男", "M", "F")), x$年龄, x$身高, x$脉搏), csv,
    sep = ",", row.names = FALSE, col.names = FALSE, na = "", quote = FALSE)
  writeLines(c(sprintf('GET DATA /TYPE=TXT /FILE="%s" /DELIMITERS="," /VARIABLES=sex A1 age F8.1 height F8.1 pulse F8.0.', csv),
    sprintf("SELECT IF %s.", select), "COMPUTE one = 1.", sprintf('SAVE TRANSLATE /OUTFILE="%s" /TYPE=CSV /REPLACE.', out)), sps)
  system2("pspp", c("-O", "format=csv", sps), stdout = FALSE, stderr = FALSE)
  length(readLines(out))
}

cells <- function(.table, .where, ...) list(table = .table, where = .where, cells = list(...))
record <- function(rows, cols = columns) cells("record", list(method = "数据筛选"), rows_before = total, rows_after = rows,
  columns_before = columns, columns_after = cols, cells = 0)
case <- function(name, form, words, way, mask, kept, parts, cols = columns, rows = kept, says) {
  n <- sum(mask, na.rm = TRUE); gone <- sum(is.na(mask))
  expect <- list(cells("result", list(condition = words, way = way), rows = total, n = n, share = n / total,
    unknown = gone, kept = kept, kept_share = kept / total), record(rows, cols))
  for (p in names(parts)) { m <- parts[[p]]; k <- sum(m, na.rm = TRUE)
    expect <- c(expect, list(cells("conditions", list(condition = p), n = k, share = k / total, unknown = sum(is.na(m))))) }
  facts <- list(n = n, total = total, kept = kept, share = n / total, kept_share = kept / total)
  list(name = name, form = form, measures = list(性别 = "定类", 吸烟 = "定类", 运动 = "定类"), expect = expect,
    says = c(list(list(contains = paste0("满足条件（", words, "），", says), facts = facts), "每个条件单独计数", if (grepl("filter_", says)) "只作标记，行数不变" else "筛掉的行若与留下的行不同",
      paste0("筛选条件：", words, "。")), if (gone) list(list(contains = "的条件因缺失不能判断", facts = list(unknown = gone)))))
}

tall <- x$身高 >= 170; men <- x$性别 == "男"; both <- tall & men
young <- x$年龄 < 18; fast <- x$脉搏 > 90; either <- young | fast
stopifnot(is.na(pspp("1=1")) || pspp("height >= 170 AND sex = 'M'") == sum(both, na.rm = TRUE))
stopifnot(is.na(pspp("1=1")) || pspp("age < 18 OR pulse > 90") == sum(either, na.rm = TRUE))
gone <- sum(is.na(either)); n_either <- sum(either, na.rm = TRUE)
cases <- list(
  case("保留", list(condition = '{c3} >= 170 且 {c1} = "男"', filter_type = "keep"), "身高 ≥ 170 且 性别 = “男”", "保留满足者", both,
    sum(both, na.rm = TRUE), list("身高 ≥ 170" = tall, "性别 = “男”" = men), says = "新版本保留"),
  case("删除", list(condition = "{c2} < 18 或 {c4} > 90", filter_type = "drop"), "年龄 < 18 或 脉搏 > 90", "删除满足者", either,
    total - n_either, list("年龄 < 18" = young, "脉搏 > 90" = fast), says = "删除后新版本有"),
  case("标记", list(condition = "{c2} < 18 或 {c4} > 90", filter_type = "flag"), "年龄 < 18 或 脉搏 > 90", "仅加filter_$标记", either,
    n_either, list("年龄 < 18" = young, "脉搏 > 90" = fast), cols = columns + 1, rows = total, says = "新变量“filter_$”"),
  case("前20行", list(condition = "{c3} >= 170", filter_type = "keep", take = "first", take_value = 20), "身高 ≥ 170", "保留满足者", tall,
    20, list("身高 ≥ 170" = tall), says = "再按现有次序取前"),
  case("随机30行", list(condition = "not missing({c4})", filter_type = "keep", take = "random", take_value = 30), "非 MISSING(脉搏)",
    "保留满足者", !is.na(x$脉搏), 30, list("非 MISSING(脉搏)" = !is.na(x$脉搏)), says = "再从中随机取")
)
writeLines(toJSON(list(
  sources = c("R 4.2.2: logical indexing, sum(na.rm = TRUE)", "PSPP 1.6.2: SELECT IF（在脚本中比对）"),
  cases = cases, unverified = list()), auto_unbox = TRUE, digits = NA, pretty = 1))
