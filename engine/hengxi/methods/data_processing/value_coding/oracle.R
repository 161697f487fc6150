# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2, jsonlite, car; PSPP RECODE and AUTORECODE check)
suppressMessages(library(jsonlite))
invisible(Sys.setlocale("LC_ALL", "C.UTF-8"))
five <- c("非常不满意", "不满意", "一般", "满意", "非常满意")
if (!file.exists("example.csv")) {
  set.seed(21); n <- 300
  d <- data.frame(编号 = 1:n, 满意度 = sample(five, n, TRUE, c(.06, .14, .3, .35, .15)), 年龄 = round(runif(n, 16, 75)),
    Q1 = sample(1:5, n, TRUE, c(.1, .15, .3, .3, .15)), Q5 = sample(c(2:5, NA), n, TRUE, c(.3, .3, .2, .15, .05)),
    城市 = sample(c("Beijing", "beijing", "Shanghai"), n, TRUE))
  write.csv(d, "example.csv", row.names = FALSE, quote = FALSE, na = "")
}
x <- read.csv("example.csv"); n <- nrow(x); columns <- ncol(x)
cells <- function(.table, .where, ...) list(table = .table, where = .where, cells = list(...))
num <- function(v) format(v, digits = 15)

pspp <- function(values, syntax, format = "F8.0") {
  # New values by PSPP, row by row.
  if (Sys.which("pspp") == "") return(NULL)
  csv <- tempfile(fileext = ".csv"); sps <- tempfile(fileext = ".sps"); out <- tempfile(fileext = ".csv")
  write.table(data.frame(values), csv, sep = ",", row.names = FALSE, col.names = FALSE, na = "", quote = FALSE)
  writeLines(c(sprintf('GET DATA /TYPE=TXT /FILE="%s" /DELIMITERS="," /VARIABLES=v %s.', csv, format), syntax,
    sprintf('SAVE TRANSLATE /OUTFILE="%s" /TYPE=CSV /REPLACE /KEEP=made /CELLS=VALUES.', out)), sps)
  system2("pspp", c("-O", "format=csv", sps), stdout = FALSE, stderr = FALSE)
  suppressWarnings(as.numeric(trimws(readLines(out))))
}
same <- function(a, b) is.null(b) || (identical(is.na(a), is.na(b)) && all(a == b, na.rm = TRUE))

# old, new: as shown; lines: how the account is grouped
account <- function(name, lines, old, new, changed) {
  out <- lapply(seq_along(lines$n), function(i) cells("counts", list(variable = name, old = lines$old[i]), n = lines$n[i],
    percent = lines$n[i] / n))
  c(out, list(cells("summary", list(variable = name), valid = sum(!is.na(old)), valid_after = sum(!is.na(new)),
    levels = length(unique(na.omit(old))), levels_after = length(unique(na.omit(new))), changed = changed)))
}
record <- function(cells_, added) cells("record", list(method = "数据编码"), rows_before = n, rows_after = n,
  columns_before = columns, columns_after = columns + added, cells = cells_)
says <- function(name, way, from, to, changed, ...) c(list(list(contains = paste0("“", name, "”", way),
  facts = list(from0 = from, to0 = to, n0 = changed)), "编码只换取值，不增减行"), list(...))
where_new <- "原变量不变，结果写在新变量里"

score <- match(x$满意度, five)
bands <- ifelse(x$年龄 < 18, 1, ifelse(x$年龄 <= 44, 2, ifelse(x$年龄 < 60, 3, NA)))
rev5 <- 7 - x$Q5          # by the data: 2 … 5
rev1 <- 6 - x$Q1
alpha <- as.integer(factor(x$满意度, levels = sort(unique(x$满意度))))
freq <- table(x$满意度); order_ <- names(freq)[order(-as.vector(freq), rank(names(freq)))]
stopifnot(!anyDuplicated(as.vector(freq)))
byfreq <- match(x$满意度, order_)
merged <- car::Recode(x$Q1, "c(1,2)=1; 3=3; 4:5=5")
stopifnot(same(bands, pspp(x$年龄, "RECODE v (LO THRU 17.999=1)(18 THRU 44=2)(44.001 THRU 59.999=3)(ELSE=SYSMIS) INTO made.")))
stopifnot(same(rev5, pspp(x$Q5, "COMPUTE made = 7 - v.")), same(merged, pspp(x$Q1, "RECODE v (1,2=1)(4,5=5)(ELSE=COPY) INTO made.")))
stopifnot(same(x$Q1, pspp(x$Q1, "AUTORECODE VARIABLES=v /INTO made.")))
city <- ifelse(tolower(x$城市) == "beijing", "北京", "上海")

levels_of <- function(v, by) { k <- sort(unique(na.omit(v))); list(old = num(k), n = as.vector(table(factor(v, k)))) }
gaps <- sum(is.na(x$Q5))
reversed <- levels_of(x$Q5); reversed$old <- c(reversed$old, "缺失"); reversed$n <- c(reversed$n, gaps)
cases <- list(
  list(name = "文字变分数", form = list(variables = I("满意度"), rules = lapply(1:5, function(i) list(old = five[i], new = i))),
    measures = list(满意度 = "定类"),
    expect = c(account("满意度", list(old = five, n = as.vector(table(factor(x$满意度, five)))), x$满意度, score, n), list(record(0, 1))),
    says = says("满意度", "按", 5, 5, n, where_new)),
  list(name = "年龄分档", form = list(variables = I("年龄"), others = "missing", rules = list(
      list(old = list(low = NULL, high = 18, open = "high"), new = 1, label = "少年"),
      list(old = list(low = 18, high = 44, open = "none"), new = 2, label = "青年"),
      list(old = list(low = 44, high = 60, open = "both"), new = 3, label = "中年"))),
    expect = c(account("年龄", list(old = c("(−∞, 18)", "[18, 44]", "(44, 60)", "其余取值"),
      n = c(sum(bands == 1, na.rm = TRUE), sum(bands == 2, na.rm = TRUE), sum(bands == 3, na.rm = TRUE), sum(is.na(bands)))),
      x$年龄, bands, sum(!(x$年龄 %in% integer(0)))), list(record(0, 1))),
    says = says("年龄", "按", length(unique(x$年龄)), 3, n, where_new)),
  list(name = "反向计分按数据取两端", form = list(variables = I("Q5"), auto = "reverse"),
    expect = c(account("Q5", reversed, x$Q5, rev5, sum(x$Q5 != rev5, na.rm = TRUE)), list(record(0, 1))),
    says = says("Q5", "反向计分", 4, 4, sum(x$Q5 != rev5, na.rm = TRUE), "“Q5”的量尺按数据取为", where_new)),
  list(name = "反向计分填两端并替换", form = list(variables = I("Q1"), auto = "reverse", reverse_min = 1, reverse_max = 5, mode = "replace"),
    expect = c(account("Q1", levels_of(x$Q1), x$Q1, rev1, sum(x$Q1 != rev1)), list(record(sum(x$Q1 != rev1), 0))),
    says = says("Q1", "反向计分", 5, 5, sum(x$Q1 != rev1), "新版本里原变量被替换")),
  list(name = "合并类别其余保持", form = list(variables = I("Q1"), rules = list(list(old = I(c(1, 2)), new = 1), list(old = I(c(4, 5, 9)), new = 5))),
    expect = c(account("Q1", levels_of(x$Q1), x$Q1, merged, sum(x$Q1 != merged)), list(record(0, 1))),
    says = says("Q1", "按", 5, 3, sum(x$Q1 != merged), "取值“9”未在“Q1”中出现", where_new)),
  list(name = "不分大小写", form = list(variables = I("城市"), case_sensitive = FALSE, others = "value", others_value = "上海",
      rules = list(list(old = "BEIJING", new = "北京"))), measures = list(城市 = "定类"),
    expect = c(account("城市", list(old = c("Beijing", "beijing", "其余取值"),
      n = c(sum(x$城市 == "Beijing"), sum(x$城市 == "beijing"), sum(x$城市 == "Shanghai"))), x$城市, city, n), list(record(0, 1))),
    says = says("城市", "按", 3, 2, n, where_new)),
  list(name = "按字符序", form = list(variables = I("满意度"), auto = "alphabetical"), measures = list(满意度 = "定类"),
    expect = c(account("满意度", list(old = sort(five), n = as.vector(table(alpha))), x$满意度, alpha, n), list(record(0, 1))),
    says = says("满意度", "按字符序编为", 5, 5, n, where_new)),
  list(name = "按频数", form = list(variables = I("满意度"), auto = "frequency"), measures = list(满意度 = "定类"),
    expect = c(account("满意度", list(old = order_, n = as.vector(table(byfreq))), x$满意度, byfreq, n), list(record(0, 1))),
    says = says("满意度", "按频数编为", 5, 5, n, where_new))
)
cases <- lapply(cases, function(one) {
  if (!is.null(one$form$rules)) one$says[[1]]$facts$rules <- length(one$form$rules)
  one
})
writeLines(toJSON(list(
  sources = c("R 4.2.2: match, factor, table; car::Recode", "PSPP 1.6.2: RECODE, COMPUTE, AUTORECODE，逐行（在脚本中比对）"),
  cases = cases, unverified = list()), auto_unbox = TRUE, digits = NA, pretty = 1, null = "null"))
