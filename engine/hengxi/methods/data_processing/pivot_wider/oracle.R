# How oracle.json was made: Rscript oracle.R > oracle.json   (tidyr 1.3: pivot_wider)
source("../../../../tools/steps.R")
suppressMessages(library(tidyr))
if (!file.exists("example.csv")) {
  set.seed(44); n <- 40; times <- c("基线", "1月", "3月", "6月")
  d <- expand.grid(时点 = times, 编号 = 1:n)[2:1]
  d$组别 <- rep(rep(c("试验", "对照"), n / 2), each = 4)
  d$血压 <- round(rnorm(nrow(d), 145, 12)); d$脉搏 <- round(rnorm(nrow(d), 78, 8)); d$血压[c(7, 60, 99)] <- NA
  d$记录人 <- sample(c("甲", "乙"), nrow(d), TRUE)
  save_example(d[-c(12, 51), ])
}
x <- example(); x$时点 <- factor(x$时点, unique(x$时点)); n <- nrow(x)
one <- function(name, form, made, empty, repeated = 0, unnamed = 0, data = NULL, frame = x, id = "编号", rest = NULL) {
  made <- as.data.frame(made); k <- ncol(made) - length(id)
  facts <- list(rows_before = nrow(frame), rows_after = nrow(made), made = k)
  student <- list(contains = if (empty) "个单元没有对应的行" else "一个个体现在只占一行", facts = c(if (empty) list(empty = empty), if (repeated) list(repeated = repeated)))
  case(name, form, c(list(block("result", list(), rows_before = nrow(frame), rows_after = nrow(made), made = k, empty = empty,
    repeated = repeated, unnamed = unnamed)), listed(made), list(record("长表转宽表", nrow(made), ncol(made), c(nrow(frame), ncol(frame))))),
    c(list(list(contains = "展开成", facts = facts), student), rest), data = data, measures = list(时点 = "定类", 组别 = "定类", 记录人 = "定类"))
}
wide <- function(frame, ...) as.data.frame(pivot_wider(frame, ..., names_sort = TRUE))
known <- function(f) function(v) if (all(is.na(v))) NA_real_ else f(v[!is.na(v)])
oracle("tidyr: pivot_wider", list(
  one("血压四个时点", list(id = list("编号", "组别"), names_from = list("时点"), values_from = list("血压")),
    wide(x, id_cols = c("编号", "组别"), names_from = "时点", values_from = "血压"), 2, id = c("编号", "组别")),
  one("两个指标", list(id = list("编号"), names_from = list("时点"), values_from = list("血压", "脉搏"), fill = 0),
    wide(x, id_cols = "编号", names_from = "时点", values_from = c("血压", "脉搏"), values_fill = 0), 4),
  one("组内均值", list(id = list("组别"), names_from = list("时点"), values_from = list("血压"), aggfunc = "mean"),
    wide(x, id_cols = "组别", names_from = "时点", values_from = "血压", values_fn = known(mean)), 0, repeated = 8, id = "组别"),
  one("计数", list(id = list("组别"), names_from = list("时点"), values_from = list("血压"), aggfunc = "count"),
    wide(x, id_cols = "组别", names_from = "时点", values_from = "血压", values_fn = function(v) sum(!is.na(v))), 0, repeated = 8, id = "组别"),
  one("两个展开变量", list(id = list("编号"), names_from = list("组别", "时点"), values_from = list("脉搏"), aggfunc = "last"),
    wide(transform(x, 组别 = factor(组别, unique(组别))), id_cols = "编号", names_from = c("组别", "时点"), values_from = "脉搏"), 162)))
