# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2: cut.Date, tapply; zoo::na.locf, na.approx)
source("../../../../tools/steps.R")
suppressMessages(library(zoo))
if (!file.exists("example.csv")) {
  set.seed(91); d <- do.call(rbind, lapply(c("东店", "西店"), function(s) data.frame(日期 = as.Date("2023-01-02") + sort(sample(0:700, 160)), 门店 = s)))
  d <- d[!(d$门店 == "西店" & format(d$日期, "%Y-%m") %in% c("2023-05", "2023-06")), ]; n <- nrow(d); d$销量 <- round(rlnorm(n, 4, .4)); d$客流 <- sample(c(50:200, NA), n, TRUE)
  d <- rbind(d, d[c(5, 40, 41), ]); d <- d[sample(nrow(d)), ]; d$日期 <- format(d$日期); save_example(d)
  m <- data.frame(月份 = format(seq(as.Date("2024-01-01"), by = "month", length.out = 5)), 价格 = c(10, 12.5, NA, 11, 14)); save_example(m, "oracle-months.csv")
}
x <- example(); x$日期 <- as.Date(x$日期); m <- example("oracle-months.csv"); m$月份 <- as.Date(m$月份)
names_of <- c(day = "日", week = "周", month = "月", quarter = "季", year = "年"); agg_of <- c(mean = "均值", sum = "求和", first = "首", last = "末", max = "最大", min = "最小")
one <- function(name, d, time, vars, freq, agg = "mean", fill = "none", group = NULL, before, data = NULL) {
  g <- if (is.null(group)) rep("1", nrow(d)) else d[[group]]; unit <- as.Date(cut(d[[time]], freq)); done <- list(); missing <- 0; periods <- 0; twice <- sum(duplicated(data.frame(g, d[[time]])))
  for (i in unique(g)) { at <- which(g == i); at <- at[order(d[[time]][at])]; grid <- seq(min(unit[at]), max(unit[at]), by = freq); periods <- periods + length(grid); missing <- missing + sum(!(grid %in% unit[at]))
    for (v in vars) { ok <- at[!is.na(d[[v]][at])]; z <- tapply(d[[v]][ok], factor(as.character(unit[ok]), as.character(grid)), switch(agg, mean = mean, sum = sum, first = function(s) s[1], last = function(s) s[length(s)], max = max, min = min)); z <- as.numeric(z)
      f <- switch(fill, none = z, ffill = na.locf(z, na.rm = FALSE), linear = na.approx(z, na.rm = FALSE), zero = ifelse(is.na(z), 0, z)); done[[v]] <- rbind(done[[v]], data.frame(z, f)) } }
  gained <- sapply(done, function(t) sum(is.na(t$z) & !is.na(t$f))); left <- sapply(done, function(t) sum(is.na(t$f)))
  rows <- lapply(vars, function(v) { a <- d[[v]]; f <- done[[v]]$f; block("each", list(variable = v), n = sum(!is.na(a)), mean = mean(a, na.rm = TRUE), sum_before = sum(a, na.rm = TRUE), n_after = sum(!is.na(f)), mean_after = mean(f, na.rm = TRUE), sum_after = sum(f, na.rm = TRUE), filled = gained[[v]]) })
  listed <- lapply(vars, function(v) { f <- done[[v]]$f; block("columns", list(variable = v), n = sum(!is.na(f)), missing = sum(is.na(f)), mean = mean(f, na.rm = TRUE)) })
  facts <- list(rows = nrow(d), periods = periods, missing = missing, filled = sum(gained))
  case(name, c(list(time = time, variables = as.list(vars), freq = freq, agg = agg, fill = fill), if (!is.null(group)) list(group = list(group))),
    c(list(do.call(block, c(list("result", list(before = before, after = names_of[[freq]])), facts, individuals = length(unique(g)), left = sum(left), unused = 0))), rows, listed, list(record("时间序列重采样与补齐", periods, length(vars) + 1 + !is.null(group), c(nrow(d), ncol(d))))),
    c(list(list(contains = paste0("行按", names_of[[freq]], "重采样成"), facts = facts), if (sum(left) > 0) fact("格缺失", left = sum(left)) else if (sum(gained) > 0) "补齐的值不是观测值" else "每行是一期"), if (twice > 0) list(fact(paste0("已按", agg_of[[agg]], "汇总"), k = twice))),
    data = data, measures = list(日期 = "日期", 月份 = "日期", 门店 = "定类"))
}
steps <- diff(sort(unique(as.numeric(x$日期)))); stopifnot(mean(steps == median(steps)) < 0.5); irregular <- "不规则"  # no step is kept by half of them
day <- function(...) one(..., data = "oracle-months.csv")
oracle(c("R 4.2.2: cut.Date(), tapply()", "zoo: na.locf(), na.approx()"), list(
  one("按月求和", x, "日期", c("销量", "客流"), "month", "sum", group = "门店", before = irregular),
  one("按月均值线性", x, "日期", c("销量", "客流"), "month", "mean", "linear", "门店", irregular),
  one("按周末值向前", x, "日期", "销量", "week", "last", "ffill", "门店", irregular),
  one("按季最大", x, "日期", "销量", "quarter", "max", before = irregular), one("按年首", x, "日期", "销量", "year", "first", before = irregular), one("按日最小补零", x, "日期", "客流", "day", "min", "zero", "门店", irregular),
  day("月变日", m, "月份", "价格", "day", "mean", "linear", before = "月")))
