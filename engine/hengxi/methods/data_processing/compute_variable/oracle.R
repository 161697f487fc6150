# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2, jsonlite; PSPP COMPUTE checks values row by row)
suppressMessages(library(jsonlite))
invisible(Sys.setlocale("LC_ALL", "C.UTF-8"))
if (!file.exists("example.csv")) {
  set.seed(11); n <- 200
  sex <- sample(c("男", "女"), n, TRUE)
  height <- round(rnorm(n, ifelse(sex == "男", 173, 161), 6), 1)
  weight <- round(22 * (height / 100)^2 + rnorm(n, 0, 7), 1)
  q <- replicate(5, sample(c(1:5, NA), n, TRUE, c(.1, .2, .3, .2, .15, .05)))
  weight[sample(n, 6)] <- NA
  d <- data.frame(编号 = 1:n, 性别 = sex, 身高 = height, 体重 = weight, q)
  names(d)[5:9] <- paste0("Q", 1:5)
  write.csv(d, "example.csv", row.names = FALSE, quote = FALSE, na = "")
}
x <- read.csv("example.csv")
total <- nrow(x); columns <- ncol(x)
q <- as.matrix(x[paste0("Q", 1:5)])
bmi <- x$体重 / (x$身高 / 100)^2
m3 <- ifelse(rowSums(!is.na(q)) >= 3, rowMeans(q, na.rm = TRUE), NA)
logs <- suppressWarnings(log(x$体重 - 55)); logs[!is.finite(logs)] <- NA
ratio <- x$Q1 / (x$Q2 - x$Q3); ratio[!is.finite(ratio)] <- NA
women <- ifelse(x$性别 == "女", x$Q1 - x$Q5, NA)
tall <- ifelse(x$身高 >= 170, "高", "矮")

pspp <- function(expression) {
  # The same formula by PSPP's COMPUTE, for every row.
  if (Sys.which("pspp") == "") return(NULL)
  csv <- tempfile(fileext = ".csv"); sps <- tempfile(fileext = ".sps"); out <- tempfile(fileext = ".csv")
  write.table(x[c("身高", "体重", paste0("Q", 1:5))], csv, sep = ",", row.names = FALSE, col.names = FALSE, na = "", quote = FALSE)
  vars <- paste0("h F8.1 w F8.1 ", paste0("q", 1:5, " F8.0", collapse = " "))
  writeLines(c(sprintf('GET DATA /TYPE=TXT /FILE="%s" /DELIMITERS="," /VARIABLES=%s.', csv, vars),
    sprintf("COMPUTE made = %s.", expression), "FORMATS made (F20.12).",
    sprintf('SAVE TRANSLATE /OUTFILE="%s" /TYPE=CSV /REPLACE /KEEP=made /CELLS=VALUES.', out)), sps)
  system2("pspp", c("-O", "format=csv", sps), stdout = FALSE, stderr = FALSE)
  suppressWarnings(as.numeric(sub("^\\s+", "", readLines(out))))
}
same <- function(a, b) is.null(b) || (identical(is.na(a), is.na(b)) && max(abs(a - b), na.rm = TRUE) < 1e-9)
stopifnot(same(bmi, pspp("w/(h/100)**2")), same(m3, pspp("MEAN.3(q1,q2,q3,q4,q5)")), same(logs, pspp("LN(w-55)")),
  same(ratio, pspp("q1/(q2-q3)")))

cells <- function(.table, .where, ...) list(table = .table, where = .where, cells = list(...))
case <- function(name, form, words, v, division = 0, domain = 0, inside = NULL) {
  ok <- v[!is.na(v)]; is_text <- is.character(v)
  d <- list(valid = length(ok), missing = sum(is.na(v)), distinct = length(unique(ok)), division = division, domain = domain)
  if (!is_text) d <- c(d, list(mean = mean(ok), sd = sd(ok), min = min(ok), max = max(ok)))
  facts <- c(list(valid = d$valid, rows = total), if (!is_text) list(mean = d$mean, min = d$min, max = d$max))
  expect <- list(list(table = "describe", where = list(name = form$name), cells = d),
    cells("record", list(method = "生成变量（计算）"), rows_before = total, rows_after = total, columns_before = columns,
      columns_after = columns + 1, cells = 0), cells("first", list(row = 1), row = 1))
  says <- c(list(list(contains = paste0("“", form$name, "” = ", words, "，"), facts = facts), "新变量由公式逐行算出",
    list(contains = paste0("按公式计算：", words, "。"), facts = list(valid = d$valid, missing = d$missing))),
    if (division) list(list(contains = "处除以 0", facts = list(n = division))),
    if (domain) list(list(contains = "处没有定义", facts = list(n = domain))),
    if (!is.null(inside)) list(list(contains = "只在满足“性别 = “女””的", facts = list(inside = inside))),
    if (is_text) list("结果是文本"))
  list(name = name, form = form, measures = list(性别 = "定类"), expect = expect, says = says)
}
lost_log <- sum(x$体重 - 55 <= 0, na.rm = TRUE)
lost_zero <- sum(x$Q2 == x$Q3 & !is.na(x$Q1), na.rm = TRUE)
cases <- list(
  case("体质指数", list(name = "BMI", expression = "{c4}/({c3}/100)^2", label = "体质指数"), "体重 ÷ (身高 ÷ 100)^2", bmi),
  case("至少三题的均分", list(name = "均分", expression = "MEAN.3({c5}, {c6}, {c7}, {c8}, {c9})"), "MEAN.3(Q1，Q2，Q3，Q4，Q5)", m3),
  case("没有定义的对数", list(name = "对数", expression = "ln({c4} - 55)"), "LN(体重 − 55)", logs, domain = lost_log),
  case("除以零", list(name = "比值", expression = "{c5}/({c6}-{c7})"), "Q1 ÷ (Q2 − Q3)", ratio, division = lost_zero),
  case("满足条件才计算", list(name = "差", expression = "{c5} - {c9}", condition = '{c2} = "女"'), "Q1 − Q5", women,
    inside = sum(x$性别 == "女")),
  case("文本", list(name = "高矮", expression = 'if({c3} >= 170, "高", "矮")'), "IF(身高 ≥ 170，“高”，“矮”)", tall)
)
writeLines(toJSON(list(
  sources = c("R 4.2.2: vector arithmetic, rowMeans, mean, sd", "PSPP 1.6.2: COMPUTE，逐行（在脚本中比对）"),
  cases = cases, unverified = list()), auto_unbox = TRUE, digits = NA, pretty = 1))
