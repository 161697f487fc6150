# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2: table(), match)
source("../../../../tools/steps.R")
if (!file.exists("example.csv")) {
  set.seed(81); n <- 300
  q <- replicate(10, sample(c(1:5, 9), n, TRUE, c(.1, .18, .3, .25, .14, .03))); colnames(q) <- paste0("Q", 1:10)
  save_example(data.frame(编号 = sprintf("S%03d", 1:n), 性别 = sample(c(1, 2), n, TRUE), 学历 = sample(c(1:5, NA), n, TRUE), q))
}
x <- example(); n <- nrow(x)
likert <- c("非常不同意", "不同意", "一般", "同意", "非常同意")
typed <- function(values, words) paste0(values, "=", words, collapse = "；")
# `labels`: value -> word of each variable; `codes`: values that become missing.
one <- function(name, form, chosen, labels, measure, new = NULL, label = NULL, codes = integer(), measured = 0, unused = FALSE) {
  bare <- 0; gone <- 0; rows <- list(); said <- list()
  for (v in chosen) {
    counts <- table(x[[v]]); values <- sort(unique(c(as.numeric(names(counts)), as.numeric(names(labels[[v]])))))
    shown <- if (is.null(new[[v]])) v else paste(v, "→", new[[v]])
    for (value in values) {
      word <- labels[[v]][as.character(value)]; k <- counts[as.character(value)]; k <- if (is.na(k)) 0 else k[[1]]
      rows <- c(rows, list(block("labels", list(variable = shown, level = as.character(value), measure = measure, meaning = if (is.null(word) || is.na(word)) as.character(value) else word[[1]]), n = k)))
      if ((is.null(word) || is.na(word)) && !(value %in% codes)) { bare <- bare + 1; rows <- c(rows, list(block("unlabelled", list(variable = shown, level = as.character(value)), n = k))) }
      if (k == 0) said <- c(said, list(paste0("取值“", value, "”在“", v, "”中未出现")))
    }
    gone <- gone + sum(x[[v]] %in% codes)
  }
  facts <- list(variables = length(chosen), renamed = length(new), labelled = length(label), values = sum(lengths(labels[chosen])), measured = measured)
  more <- list(codes = length(codes) * length(chosen), gone = gone, bare = bare)
  student <- fact("以后的报告用标签称呼变量和取值")
  if (length(codes)) student <- fact("格变为缺失，分析时不再使用", codes = more$codes, gone = gone)
  if (bare > 0) student <- fact("个取值没有标签", bare = bare)
  case(name, c(list(variables = as.list(chosen)), form), c(list(do.call(block, c(list("result", list()), facts, more))), rows,
    list(record("数据标签", n, ncol(x), c(n, ncol(x))))), c(list(list(contains = "设定取值标签", facts = facts), student), said, if (bare == 0) list("取值本身就是文字")),
    measures = list(性别 = "定量", 学历 = "定量"))
}
items <- paste0("Q", 1:10); of <- setNames(rep(list(setNames(likert, 1:5)), 10), items)
sex <- list(性别 = c("1" = "男", "2" = "女")); degree <- list(学历 = c("1" = "初中", "2" = "高中", "3" = "大专", "4" = "本科", "6" = "博士"))
oracle("R 4.2.2: table(), unique()", list(
  one("量表题", list(value_labels = typed(1:5, likert), measures = "ordinal", missing_codes = "9"), items, of, "有序", codes = 9, measured = 10),
  one("量表题，不设缺失码", list(value_labels = typed(1:5, likert), measures = "ordinal"), items[1:2], of, "有序", measured = 2),
  one("性别", list(measures = "nominal", names = list(list(`for` = "性别", name = "sex", label = "受访者性别", value_labels = "1=男；2＝女"))), "性别", sex,
    "定类", new = list(性别 = "sex"), label = "受访者性别", measured = 1),
  one("学历", list(measures = "nominal", decimals = 0, value_labels = typed(names(degree$学历), degree$学历), missing_codes = "5"), "学历", degree, "定类",
    codes = 5, measured = 1, unused = TRUE)))
