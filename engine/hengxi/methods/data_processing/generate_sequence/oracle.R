# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2: seq, ave, lubridate; moments of distributions)
source("../../../../tools/steps.R")
suppressMessages(library(lubridate))
if (!file.exists("example.csv")) { set.seed(90); n <- 100; g <- sample(c("甲", "乙", "丙"), n, TRUE); g[c(9, 40)] <- NA; save_example(data.frame(姓名 = sprintf("受访者%03d", 1:n), 小组 = g, 成绩 = round(rnorm(n, 75, 8)))) }
x <- example(); x$小组[x$小组 == ""] <- NA; n <- nrow(x)
one <- function(name, form, way, z = NULL, theory = NULL, student = "原有变量不变", n_new = 1) {
  ok <- z[!is.na(z)]; d <- if (is.null(z)) list(n = n, missing = 0) else list(n = length(ok), missing = sum(is.na(z)), distinct = length(unique(ok)))
  if (is.numeric(z)) d <- c(d, list(mean = mean(ok), sd = sd(ok), least = min(ok), most = max(ok)))
  if (!is.null(theory)) d <- c(d, list(theory_mean = theory[1], theory_sd = theory[2]))
  v <- if (is.null(form$name)) "编号" else form$name
  case(name, form, list(do.call(block, c(list("result", list(name = v)), d)), block("first", list(row = 1), row = 1), record("生成序号与随机数", n, ncol(x) + 1, c(n, ncol(x)))),
    list(list(contains = paste0("新变量“", v, "”：", way), facts = list(rows = n, n = d$n)), student), measures = list(小组 = "定类"))
}
id <- "编号只按现在的行序"; rnd <- "随机数每次用同一个种子"; start <- ymd("2024-01-31")
within <- ave(seq_len(n), x$小组, FUN = seq_along); within[is.na(x$小组)] <- NA
draw <- function(kind, params, way, theory) one(way, list(type = "random", distribution = kind, params = params, name = "随机"), way, theory = theory, student = rnd)
oracle(c("R 4.2.2: seq(), ave()", "lubridate: %m+%"), list(
  one("序号", list(), "从 1 起编号", as.numeric(1:n), student = id),
  one("文本编号", list(start = "S001"), "从 S001 起编号", sprintf("S%03d", 1:n), student = id),
  one("等差", list(type = "sequence", start = "2.5", step = -0.25, name = "等差"), "从 2.5 起，每行加 -0.25", 2.5 - .25 * (0:(n - 1))),
  one("日期", list(type = "date", start = "2024-01-31", unit = "month", name = "月末"), "从 2024-01-31 起，每行加 1 个月", format(start %m+% months(0:(n - 1)))),
  one("组内序号", list(type = "group_id", by = list("小组")), "各组内从 1 起编号", as.numeric(within), student = id),
  one("常数", list(type = "constant", start = "7", name = "批次"), "每行都是 7", rep(7, n)),
  draw("normal", "10,2", "正态分布（均值 10，标准差 2）的随机数", c(10, 2)), draw("uniform", "-1,3", "均匀分布（下限 -1，上限 3）的随机数", c(1, sqrt(16 / 12))),
  draw("binomial", "10,0.3", "二项分布（次数 10，概率 0.3）的随机数", c(3, sqrt(2.1))), draw("poisson", "4", "泊松分布（均值 4）的随机数", c(4, 2)),
  draw("exponential", "5", "指数分布（均值 5）的随机数", c(5, 5)), draw("integer", "1,6", "随机整数分布（下限 1，上限 6）的随机数", c(3.5, sqrt(35 / 12)))),
  unverified = list())
