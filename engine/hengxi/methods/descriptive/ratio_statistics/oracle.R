# Rscript oracle.R > oracle.json   (R 4.2.2, jsonlite)
# t.test, median, qbinom; the formulas of IAAO (2013) written out; the ratio of sums as a weighted mean.
# mtcars stands for ratios of other kinds.
source("../../../../tools/oracle.R")

level <- function(a, b, conf) { r <- a / b; n <- length(r); q <- (1 - conf) / 2; o <- sort(r); k <- qbinom(q, n, .5); t <- t.test(r, conf.level = conf)
  W <- sum(a) / sum(b); e <- a - W * b; se <- sqrt(sum(e^2) / (n - 1) / n) / mean(b)
  c(list(n = n, mean = mean(r), mean_low = t$conf.int[1], mean_high = t$conf.int[2], median = median(r), weighted = weighted.mean(r, b),
    weighted_low = W - qt(1 - q, n - 1) * se, weighted_high = W + qt(1 - q, n - 1) * se, least = min(r), most = max(r), sd = sd(r)),
    if (k >= 1) list(median_low = o[k], median_high = o[n - k + 1])) }
even <- function(a, b, lo, hi) { r <- a / b; m <- median(r); d <- mean(abs(r - m))
  list(cod = d / m, prd = mean(r) / weighted.mean(r, b), aad = d, cv_mean = sd(r) / mean(r),
    cv_median = sqrt(sum((r - m)^2) / (length(r) - 1)) / m, inside = mean(r >= lo & r <= hi)) }
rows <- function(a, b, g = NULL, conf = .95, lo = .8, hi = 1.2) { w <- if (is.null(g)) list() else list(group = g)
  list(do.call(block, c(list("result", w), level(a, b, conf))), do.call(block, c(list("evenness", w), even(a, b, lo, hi)))) }

set.seed(20240101); n <- 200; price <- round(exp(rnorm(n, log(150), .4)), 1)
if (!file.exists("example.csv")) write.csv(data.frame(区域 = sample(c("东区", "西区", "北区"), n, TRUE), 评估价 = round(price * rnorm(n, .95, .1), 1), 成交价 = price), "example.csv", row.names = FALSE, quote = FALSE)
x <- example(); m <- list(评估价 = "定量", 成交价 = "定量", 区域 = "定类"); f <- list(numerator = "评估价", denominator = "成交价")
r <- x$评估价 / x$成交价; prd <- mean(r) / weighted.mean(r, x$成交价)
voices <- list("COD 是比率离中位数平均有多远", "之比的中位数 = ", "集中指数的区间为", "CI 的置信水平为")
lead <- function(a, b) fact("，离散系数 COD 为", median = median(a / b), cod = even(a, b, 0, 1)$cod, prd = even(a, b, 0, 1)$prd)
cars <- data.frame(油耗 = mtcars$mpg, 马力 = mtcars$hp, 车重 = mtcars$wt, 气缸 = mtcars$cyl, 差 = mtcars$qsec - 18, 排量 = mtcars$disp); cars$马力[3] <- 0; cars$马力[9] <- NA; cars$车重[5] <- -1
cars$组 <- c("甲", rep("乙", 3), rep("丙", 28)); write.csv(cars, "oracle-cars.csv", row.names = FALSE, quote = FALSE, na = "")
k <- list(油耗 = "定量", 马力 = "定量", 车重 = "定量", 差 = "定量", 排量 = "定量", 气缸 = "定类", 组 = "定类"); h <- cars[!is.na(cars$马力) & cars$马力 > 0, ]; w <- cars[cars$车重 > 0, ]; g <- unique(x$区域)
cod <- sapply(g, function(i) with(x[x$区域 == i, ], even(评估价, 成交价, 0, 1)$cod)); small <- function(i) h[h$组 == i, ]
d <- cars$差; dw <- w$差 / w$车重; stopifnot(median(dw) <= 0)
oracle(c("R 4.2.2: t.test, qbinom, weighted.mean", "IAAO (2013) 的公式，在 R 中另写"), list(
  case("评估价与成交价", f, rows(x$评估价, x$成交价), c(voices, list(lead(x$评估价, x$成交价), fact("之间：没有看出比率随分母的大小", prd = prd))), measures = m),
  case("分组，90%，区间另写", c(f, list(group = "区域", conf_level = .9, between = "0.9，1.1")), c(unlist(lapply(g, function(i) with(x[x$区域 == i, ], rows(评估价, 成交价, i, .9, .9, 1.1))), FALSE), rows(x$评估价, x$成交价, "全体", .9, .9, 1.1)),
    c(voices, list(lead(x$评估价, x$成交价), fact("各组里离散系数最大的是", top = max(cod)), "没有看出比率随分母的大小")), measures = m),
  case("油耗与马力，累退，分母为 0，缺失，小组", list(numerator = "油耗", denominator = "马力", group = "组", between = "0.1,0.2"),
    c(list(block("result", list(group = "甲"), n = 1, mean = 21 / 110, median = 21 / 110, weighted = 21 / 110)), rows(small("乙")$油耗, small("乙")$马力, "乙", .95, .1, .2), rows(small("丙")$油耗, small("丙")$马力, "丙", .95, .1, .2), rows(h$油耗, h$马力, "全体", .95, .1, .2)),
    c(voices, list(lead(h$油耗, h$马力), "大于 1.03：分母大的行比率往往偏低（累退）", "分母须为正数，这些行已剔除", "个比率，没有标准差和区间", "各组里离散系数最大的是")), data = "oracle-cars.csv", measures = k),
  case("排量与车重，累进", list(numerator = "排量", denominator = "车重", between = "20,80"), rows(w$排量, w$车重, NULL, .95, 20, 80),
    c(voices, list(lead(w$排量, w$车重), "小于 0.98：分母大的行比率往往偏高（累进）", "分母须为正数，这些行已剔除")), data = "oracle-cars.csv", measures = k),
  case("分子有负值", list(numerator = "差", denominator = "车重", between = "-1,1"), list(block("result", list(), n = nrow(w), mean = mean(dw), median = median(dw), weighted = sum(w$差) / sum(w$车重)),
    block("evenness", list(), aad = mean(abs(dw - median(dw))), inside = mean(abs(dw) <= 1))), list(fact("之比的中位数为 {median:num}。", median = median(dw)), "系数没有意义，表中空着", "集中指数的区间为", "CI 的置信水平为", "分母须为正数，这些行已剔除"), data = "oracle-cars.csv", measures = k)))
