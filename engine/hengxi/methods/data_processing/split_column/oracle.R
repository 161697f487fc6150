# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2: strsplit, substring, regmatches; jsonlite)
source("../../../../tools/steps.R")
if (!file.exists("example.csv")) {
  set.seed(84); n <- 300
  d <- data.frame(p = c("广东", "广东", "浙江", "四川", "湖北"), c = c("广州", "深圳", "杭州", "成都", "武汉"), a = c("天河区", "南山区", "西湖区", "武侯区", "洪山区"))[sample(5, n, TRUE), ]
  address <- paste(d$p, d$c, d$a, sep = "-"); address[sample(n, 12)] <- "广东-珠海"; address[sample(n, 5)] <- "不详"; address[sample(n, 8)] <- NA; address[3] <- "湖北-武汉-洪山区-珞喻路"
  batch <- paste0("A", sprintf("%02d", sample(12, n, TRUE)), sprintf("%04d", sample(9999, n)))
  info <- paste0("{\"班\": \"", sample(c("一", "二"), n, TRUE), "\", \"分\": ", sample(60:99, n, TRUE), "}"); info[sample(n, 6)] <- "缺考"
  write.csv(data.frame(编号 = 1:n, 地址 = address, 批号 = batch, 信息 = info), "example.csv", row.names = FALSE, na = "")
}
x <- example(); n <- nrow(x)
# `parts`: list of one vector of texts for each row (NULL none); `k` columns.
one <- function(name, form, v, parts, k, new = paste0(v, "_", seq_len(k)), whole = 1, drop = FALSE) {
  s <- x[[v]]; known <- !is.na(s) & s != ""; sizes <- ifelse(known, lengths(parts), NA); f <- table(sizes)
  merged <- lapply(parts, function(p) if (length(p) > k) c(p[seq_len(k - 1)], paste(p[k:length(p)], collapse = "-")) else p)
  cell <- sapply(seq_len(k), function(j) sapply(merged, function(p) { z <- if (length(p) >= j) trimws(p[j]) else NA; if (is.na(z) || z == "") NA else z }))
  cell[!known, ] <- NA; beyond <- sum(sizes > k, na.rm = TRUE); none <- sum(sizes <= whole, na.rm = TRUE)
  rows <- lapply(names(f), function(z) block("sizes", list(parts = as.integer(z)), parts = as.integer(z), n = f[[z]], share = f[[z]] / sum(known)))
  cols <- lapply(seq_len(k), function(j) block("made", list(variable = new[j], sample = cell[!is.na(cell[, j]), j][1]), n = sum(!is.na(cell[, j])), missing = sum(is.na(cell[, j])), distinct = length(unique(na.omit(cell[, j])))))
  facts <- list(columns = k, n = sum(known), least = min(sizes, na.rm = TRUE), most = max(sizes, na.rm = TRUE))
  case(name, c(list(variable = v), form), c(list(do.call(block, c(list("result", list(variable = v)), facts, beyond = beyond, none = none))), rows, cols,
    list(record("拆分列", n, ncol(x) + k - drop, c(n, ncol(x))))),
    c(list(list(contains = "行有值，每行", facts = facts), if (none > 0) fact("行没有拆开", none = none) else "新变量先按文本存"), if (beyond > 0) list(fact("多余部分并入最后一列", beyond = beyond, m = k))),
    measures = list(地址 = "文本", 批号 = "文本", 信息 = "文本"))
}
dash <- strsplit(x$地址, "-", fixed = TRUE)
oracle(c("R 4.2.2: strsplit(), substring(), regmatches()", "jsonlite: fromJSON()"), list(
  one("分隔符", list(delimiter = "-"), "地址", dash, 4),
  one("最多三段", list(delimiter = "-", max_parts = 3, names = "省，市，区", drop_original = TRUE), "地址", dash, 3, c("省", "市", "区"), drop = TRUE),
  one("固定宽度", list(by = "width", widths = "1，2，4"), "批号", lapply(x$批号, function(s) substring(s, c(1, 2, 4), c(1, 3, 7))), 3, whole = 0),
  one("正则", list(by = "regex", pattern = "^(.+?)-(.+?)-(.+)$"), "地址", lapply(x$地址, function(s) { m <- regmatches(s, regexec("^([^-]+)-([^-]+)-(.+)$", s))[[1]]; if (length(m) == 4) m[-1] }), 3, whole = 0),
  one("JSON", list(by = "json"), "信息", lapply(x$信息, function(s) if (grepl("^\\{", s)) as.character(unlist(fromJSON(s)))), 2, c("信息_班", "信息_分"), 0)))
