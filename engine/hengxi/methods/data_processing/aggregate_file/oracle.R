# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2: tapply)
source("../../../../tools/steps.R")
if (!file.exists("example.csv")) {
  set.seed(46); n <- 600
  save_example(data.frame(区域 = sample(c("华东", "华北", "华南", NA), n, TRUE, c(.4, .3, .25, .05)), 产品 = sample(c("甲", "乙", "丙"), n, TRUE),
    季度 = sample(1:4, n, TRUE), 数量 = sample(c(1:9, NA), n, TRUE), 金额 = round(rlnorm(n, 5, .6), 2)))
}
x <- example(); x[x == ""] <- NA; n <- nrow(x)
fns <- list(n = length, sum = sum, mean = mean, sd = sd, median = median, min = min, max = max, pct_gt = NULL,
  nunique = function(v) length(unique(v)), first = function(v) v[1], last = function(v) v[length(v)])
words <- c(n = "计数", sum = "总和", mean = "均值", sd = "标准差", median = "中位数", min = "最小值", max = "最大值", pct_gt = "占比",
  nunique = "不同值数", first = "首值", last = "末值")
one <- function(name, form, by, variables, functions, threshold = 0, append = FALSE, unique = FALSE) {
  g <- x[by]; order_of <- function(v) if (is.numeric(v)) sort(unique(v)) else unique(v)[!is.na(unique(v))]
  codes <- lapply(by, function(b) { v <- x[[b]]; l <- levels_of(b, v); ifelse(is.na(v), length(l) + 1, match(v, l)) })
  key <- do.call(interaction, c(codes, list(lex.order = TRUE, drop = TRUE))); groups <- levels(key); size <- as.vector(table(key))
  fns$pct_gt <- function(v) mean(v > threshold)
  first <- match(groups, as.character(key))
  made <- if (append) x[0] else x[first, by, drop = FALSE]
  if (append) made <- data.frame(row.names = seq_len(n)) else rownames(made) <- NULL
  cells <- list()
  label <- sapply(first, function(r) paste(sapply(by, function(b) if (is.na(x[[b]][r])) "缺失" else as.character(x[[b]][r])), collapse = "，"))
  add <- function(title, value) { made[[title]] <<- if (append) value[as.integer(key)] else value
    cells <<- c(cells, lapply(head(seq_along(groups), 20), function(i) block("values", list(group = label[i], variable = title), n = size[i],
      value = if (is.na(value[i])) NA else value[i]))) }
  if (length(variables) == 0) add("行数", size)
  for (v in variables) for (f in functions) add(paste0(v, "_", words[[f]]), as.vector(tapply(x[[v]], key, function(y) {
    y <- y[!is.na(y)]; if (length(y) == 0 && f != "n") NA else fns[[f]](y) })))
  k <- max(1, length(variables) * length(functions)); quantities <- setdiff(names(made), if (append) character() else setdiff(by, "季度定量"))
  case(name, form, c(list(block("result", list(), rows_before = n, groups = length(groups), least = min(size), most = max(size), made = k)), cells,
    listed(made, quantities), list(record("汇总成新文件", if (append) n else length(groups), if (append) ncol(x) + k else length(by) + k, c(n, ncol(x))))),
    list(fact(if (append) "个新变量，并回原表" else "个新变量，每组一行", rows_before = n, groups = length(groups), made = k),
      fact("各组有", least = min(size), most = max(size))),
    measures = list(区域 = "定类", 产品 = "定类", 季度 = "定类"))
}
# Categories of words in the order in which they first appear, numbers ascending.
levels_of <- function(name, v) { v <- unique(v[!is.na(v)]); if (is.numeric(v)) sort(v) else v }
oracle("R 4.2.2: tapply(), interaction()", list(
  one("区域均值和标准差", list(groups = list("区域"), variables = list("数量", "金额"), functions = list("mean", "sd", "n")), "区域", c("数量", "金额"), c("mean", "sd", "n")),
  one("产品和季度", list(groups = list("产品", "季度"), variables = list("数量"), functions = list("sum", "median", "min", "max", "first", "last", "nunique", "pct_gt"),
    threshold = 4), c("产品", "季度"), "数量", c("n", "sum", "median", "min", "max", "pct_gt", "nunique", "first", "last")[c(2, 3, 4, 5, 8, 9, 7, 6)], threshold = 4),
  one("只计行数", list(groups = list("产品")), "产品", character(), character()),
  one("并回原表", list(groups = list("季度"), variables = list("金额"), functions = list("mean", "max"), append = TRUE), "季度", "金额", c("mean", "max"), append = TRUE)))
