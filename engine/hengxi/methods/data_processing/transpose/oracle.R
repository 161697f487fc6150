# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2: t())
source("../../../../tools/steps.R")
if (!file.exists("example.csv")) {
  set.seed(45); d <- data.frame(地区 = c("北京", "上海", "广州", "深圳", "成都", "武汉", "西安", "南京"))
  for (i in 1:12) d[[paste0(i, "月")]] <- round(rnorm(8, 100 + 5 * i, 15), 1)
  d[3, "5月"] <- NA; d$等级 <- rep(c("一类", "二类"), 4)
  save_example(d)
}
x <- example(); n <- nrow(x)
one <- function(name, form, columns, heads, says = NULL) {
  made <- cbind(data.frame(变量 = columns), setNames(as.data.frame(t(as.matrix(x[columns]))), heads)); rownames(made) <- NULL
  case(name, form, c(list(block("result", list(), rows_before = n, columns_before = length(columns), rows_after = length(columns),
    columns_after = n + 1)), listed(made), list(record("转置", length(columns), n + 1, c(n, ncol(x))))),
    c(list(fact("个变量转置成", rows_before = n, columns_before = length(columns), rows_after = length(columns), columns_after = n + 1),
      "一行是原来的一个变量"), says), measures = list(等级 = "定类", 地区 = "定类"))
}
months <- paste0(1:12, "月")
oracle("R 4.2.2: t()", list(
  one("十二个月", list(variables = as.list(months), name_var = "地区"), months, x$地区),
  one("没有列名", list(variables = as.list(months[1:3])), months[1:3], paste0("行", 1:n)),
  one("类型混杂", list(variables = list("1月", "等级"), name_var = "地区"), c("1月", "等级"), x$地区, "统一为文本")))
