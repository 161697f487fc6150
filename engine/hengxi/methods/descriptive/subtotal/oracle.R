# Rscript oracle.R > oracle.json   (R 4.2.2, jsonlite)
# aggregate over all rows of a group, quantile(type = 6); anova(lm) for the groups and for a line through their places.
source("../../../../tools/oracle.R")

every <- function(x, total) { z <- x[!is.na(x)]; q <- quantile(z, c(.25, .5, .75), type = 6)
  c(list(n = length(z), sum = sum(z), mean = mean(z), median = q[[2]], sd = sd(z), var = var(z), min = min(z), max = max(z), p25 = q[[1]], p75 = q[[3]], first = z[1], last = z[length(z)]),
    list(share = sum(z) / total)) }
one <- function(d, v, g, keys, level, at = NULL) { r <- every(d[[v]][d[[g]] %in% level], sum(d[[v]], na.rm = TRUE))[keys]
  do.call(block, c(list("result", list(variable = v, item = level)), r, list(.at = at))) }
grand <- function(d, v, keys, at = NULL) do.call(block, c(list("result", list(variable = v, item = "总计")), every(d[[v]], sum(d[[v]], na.rm = TRUE))[keys], list(.at = at)))
eta <- function(d, v, g, levels) { k <- match(d[[g]], levels); y <- d[[v]]; a <- anova(lm(y ~ factor(k))); l <- anova(lm(y ~ k), lm(y ~ factor(k))); ss <- a[1, 2]; w <- a[2, 3]; n2 <- a[2, 1]
  line <- anova(lm(y ~ k))[1, 2]; tot <- ss + a[2, 2]
  list(block("anova", list(variable = v, source = "组间"), ss = ss, df = a[1, 1], df2 = n2, F = a[1, 4], p = a[1, 5], eta = sqrt(ss / tot), eta2 = ss / tot),
    block("anova", list(variable = v, source = "线性趋势"), ss = line, df = 1, df2 = n2, F = line / w, p = pf(line / w, 1, n2, lower.tail = FALSE)),
    block("anova", list(variable = v, source = "偏离线性"), ss = l[2, 4], df = l[2, 3], df2 = n2, F = l[2, 5], p = l[2, 6])) }
x <- example(); all <- c("n", "sum", "mean", "median", "sd", "var", "min", "max", "p25", "p75", "first", "last", "share"); base <- c("n", "mean", "sd", "sum"); said <- list("各组例数相差很大时")
m <- list(销量 = "定量", 单价 = "定量", 销售额 = "定量"); a <- sort(unique(x$区域)); lv <- unique(x$区域)
nested <- c(unlist(lapply(a, function(r) c(list(one(x, "销量", "区域", all, r)))), FALSE), list(grand(x, "销量", all)))
crossed <- unlist(lapply(a, function(r) lapply(unique(x$产品), function(p) do.call(block, c(list("cross", list(item = r)), setNames(list(mean(x$销量[x$区域 == r & x$产品 == p])), paste0("value@", p)))))), FALSE)
cars <- data.frame(油耗 = mtcars$mpg, 气缸 = mtcars$cyl, 全缺 = ifelse(mtcars$cyl == 8, NA, mtcars$wt), 组 = ifelse(mtcars$gear == 5, NA, "同")); write.csv(cars, "oracle-cars.csv", row.names = FALSE, quote = FALSE, na = "")
stopifnot(abs(mean(cars$油耗[cars$气缸 == 4]) - 26.66364) < 1e-5); km <- list(油耗 = "定量", 全缺 = "定量", 气缸 = "定类", 组 = "定类")
by <- tapply(x$销量, x$区域, mean); top <- fact("“销量”的均值最高的是“华南”", most = max(by), least = min(by))
oracle(c("R 4.2.2: quantile(type = 6), lm, anova"), list(
  case("一个分类，默认", list(groups = list("区域"), variables = c("销量", "单价")), c(lapply(a, function(r) one(x, "销量", "区域", base, r)), lapply(a, function(r) one(x, "单价", "区域", base, r)), list(grand(x, "销量", base), grand(x, "单价", base))),
    c(said, list(top, "“单价”见表 1", "只有一个分类变量")), measures = m),
  case("嵌套，全部指标", list(groups = c("区域", "产品"), variables = list("销量"), functions = all), nested, c(said, list(top)), measures = m),
  case("交叉透视", list(groups = c("区域", "产品"), variables = list("销量"), functions = list("mean"), layout = "cross"), crossed, c(said, list(top, "选了交叉透视")), measures = m),
  case("分别汇总，不要总计", list(groups = c("区域", "产品"), variables = list("销量"), functions = c("n", "median"), layout = "separate", totals = FALSE),
    c(lapply(a, function(r) one(x, "销量", "区域", c("n", "median"), r, "区域")), lapply(unique(x$产品), function(r) one(x, "销量", "产品", c("n", "median"), r, "产品"))), c(said, list(top, "只有一个分类变量")), measures = m),
  case("mtcars（目录给出的数），Eta", list(groups = list("气缸"), variables = c("油耗", "全缺"), functions = list("mean"), anova_eta = TRUE), c(lapply(c(4, 6, 8), function(k) block("result", list(variable = "油耗", item = as.character(k)), mean = mean(cars$油耗[cars$气缸 == k]))),
    eta(cars, "油耗", "气缸", c(4, 6, 8))), c(said, list("“油耗”的均值最高的是“4”", "“全缺”见表 1", "没有有效值，汇总值显示为空", "只有一个分类变量")), data = "oracle-cars.csv", measures = km),
  case("一组，有缺失，做不了 Eta", list(groups = list("组"), variables = list("油耗"), functions = list("n"), anova_eta = TRUE), list(block("result", list(item = "同"), n = sum(!is.na(cars$组)))), c(said, list(fact("只有“同”一组有值", most = mean(cars$油耗[!is.na(cars$组)])), "缺失的 {n:integer} 行不计入", "没有做方差分析", "没有可以比较的变量", "只有一个分类变量")), data = "oracle-cars.csv", measures = km)))
