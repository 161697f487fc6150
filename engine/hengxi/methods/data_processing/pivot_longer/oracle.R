# How oracle.json was made: Rscript oracle.R > oracle.json   (tidyr 1.3: pivot_longer)
source("../../../../tools/steps.R")
suppressMessages(library(tidyr))
if (!file.exists("example.csv")) {
  set.seed(43); n <- 40
  base <- round(rnorm(n, 150, 12)); gap <- function(v) { v[sample(n, 3)] <- NA; v }
  save_example(data.frame(编号 = 1:n, 组别 = rep(c("试验", "对照"), n / 2), 血压_基线 = base, 血压_1月 = gap(base - rpois(n, 5)),
    血压_3月 = gap(base - rpois(n, 10)), 脉搏_基线 = round(rnorm(n, 80, 8)), 脉搏_1月 = gap(round(rnorm(n, 78, 8))), 备注 = "无"))
}
x <- example(); n <- nrow(x)
one <- function(name, form, made, columns, dropped = 0, id = TRUE) {
  facts <- list(columns_before = columns, rows_before = n, rows_after = nrow(made))
  if (dropped) facts$dropped <- dropped
  case(name, form, c(list(block("result", list(), rows_before = n, columns_before = columns, rows_after = nrow(made), dropped = dropped)),
    listed(made), list(record("宽表转长表", nrow(made), ncol(made), c(n, ncol(x))))),
    list(list(contains = "个变量堆叠起来，", facts = facts), "每一行现在是一次测量", if (id) "同一个体有几行" else "没有放入标识变量"),
    measures = list(组别 = "定类"))
}
bp <- c("血压_基线", "血压_1月", "血压_3月"); all5 <- c(bp, "脉搏_基线", "脉搏_1月")
keep <- c("编号", "组别")
oracle("tidyr: pivot_longer(names_sep, \".value\", values_drop_na)", list(
  one("三个时点", list(variables = as.list(bp), id = as.list(keep), names_to = "时点", values_to = "血压"),
    as.data.frame(pivot_longer(x[c(keep, bp)], all_of(bp), names_to = "时点", values_to = "血压")), 3),
  one("剔除缺失", list(variables = as.list(bp), id = list("编号"), drop_missing = TRUE),
    as.data.frame(pivot_longer(x[c("编号", bp)], all_of(bp), names_to = "变量", values_to = "取值", values_drop_na = TRUE)), 3,
    dropped = sum(is.na(x[bp]))),
  one("拆成两列", list(variables = as.list(all5), id = as.list(keep), layout = "parts", names_to = "指标", level_to = "时间"),
    as.data.frame(pivot_longer(x[c(keep, all5)], all_of(all5), names_to = c("指标", "时间"), names_sep = "_", values_to = "取值")), 5),
  one("分成血压和脉搏", list(variables = as.list(all5), id = as.list(keep), layout = "value"),
    as.data.frame(pivot_longer(x[c(keep, all5)], all_of(all5), names_to = c(".value", "时点"), names_sep = "_")), 5),
  one("没有标识", list(variables = as.list(bp)),
    as.data.frame(pivot_longer(x[bp], all_of(bp), names_to = "变量", values_to = "取值")), 3, id = FALSE)))
