# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2: subsetting of data frames, is.na, unique)
source("../../../../tools/steps.R")
if (!file.exists("example.csv")) {
  set.seed(61); n <- 150
  save_example(data.frame(编号 = 1:n, 性别 = sample(c("男", "女"), n, TRUE), 批次 = 1, 收入 = sample(c(3000:9000, rep(NA, 9000)), n, TRUE),
    年龄 = sample(18:70, n, TRUE), 备注 = ifelse(runif(n) < .1, "补录", NA)))
}
x <- example(); x[x == ""] <- NA; n <- nrow(x)
one <- function(name, form, chosen, gone, listed = chosen, new = character()) {
  rows <- lapply(listed, function(v) { known <- x[[v]][!is.na(x[[v]])]; state <- if (v %in% gone) "删除" else if (v %in% names(new)) "改名" else "保留"
    block("changes", list(old = v, state = state), missing = mean(is.na(x[[v]])), distinct = length(unique(known))) })
  facts <- list(before = ncol(x), kept = ncol(x) - length(gone), removed = length(gone), renamed = length(new))
  case(name, c(list(variables = as.list(chosen)), form), c(list(do.call(block, c(list("result", list()), facts))), rows,
    list(record("列选择与改名", n, ncol(x) - length(gone), c(n, ncol(x))))),
    list(list(contains = "，改名", facts = facts), "只改变有哪些列"), measures = list(性别 = "定类", 备注 = "文本", 批次 = "定量"))
}
rate <- colMeans(is.na(x)); constant <- names(x)[sapply(x, function(v) length(unique(v[!is.na(v)])) < 2)]
oracle("R 4.2.2: is.na(), unique()", list(
  one("删除高缺失列", list(action = "drop_high_missing", threshold = 0.5), names(x)[-1], intersect(names(x)[-1], names(x)[rate > 0.5])),
  one("删除常数列", list(action = "drop_constant"), names(x)[1:5], intersect(names(x)[1:5], constant)),
  one("仅保留", list(action = "keep"), c("编号", "年龄"), setdiff(names(x), c("编号", "年龄")), listed = names(x)),
  one("删除", list(action = "drop"), "备注", "备注"),
  one("改名", list(action = "rename", mapping = list(list(`for` = "收入", name = "月收入"))), c("收入", "年龄"), character(), new = c(收入 = "月收入")),
  one("次序", list(action = "reorder"), c("年龄", "性别"), character())))
