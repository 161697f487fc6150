# Rscript oracle.R > oracle.json   (R 4.2.2, jsonlite)
# duplicated, complete.cases, is.na; quantile(type = 6), fivenum and the fences of boxplot.stats; G1 written out.
source("../../../../tools/oracle.R")

G1 <- function(x) { n <- length(x); d <- x - mean(x); mean(d^3) / mean(d^2)^1.5 * sqrt(n * (n - 1)) / (n - 2) }
numbers <- function(d, v, most = 20) { x <- d[v]; N <- nrow(x)
  out <- list(block("overview", rows = N, columns = length(v), duplicates = sum(duplicated(x)), complete = sum(complete.cases(x)), empty = mean(is.na(x))))
  for (k in v) { y <- x[[k]]; z <- y[!is.na(y)]
    out <- c(out, list(block("listing", list(name = k), n = length(z), missing = sum(is.na(y)), share = mean(is.na(y)), distinct = length(unique(z)))))
    if (is.numeric(y)) { q <- quantile(z, c(.25, .5, .75), type = 6); f <- fivenum(z); w <- 1.5 * (f[4] - f[2])
      out <- c(out, list(do.call(block, c(list("quantities", list(name = k)), list(mean = mean(z), sd = sd(z), least = min(z), q1 = q[[1]], median = q[[2]],
        q3 = q[[3]], most = max(z), zeros = sum(z == 0), outliers = if (w > 0) sum(z < f[2] - w | z > f[4] + w) else 0), if (sd(z) > 0) list(skewness = G1(z)))))) }
    else if (!grepl("日期", k)) { t <- sort(table(z), decreasing = TRUE); top <- head(t, most)
      for (l in names(top)) out <- c(out, list(block("categories", list(name = k, level = l), n = t[[l]], share = t[[l]] / length(z))))
      if (length(t) > most) out <- c(out, list(block("categories", list(name = k, level = paste("其余", length(t) - most, "类")), n = sum(t) - sum(top), share = 1 - sum(top) / length(z)))) } }
  out }
air <- example(); v <- names(air)
mixed <- data.frame(编号 = sprintf("u%02d", c(1:38, 1, 2)), 城市 = c(rep("北京", 9), rep("上海", 7), rep("广州", 6), rep("深圳", 5), rep("杭州", 4), rep("成都", 3), rep("武汉", 2), "西安", "长沙", rep("北京", 2)),
  同样 = 1, 金额 = c(0, 0, 12.5, 8, 9.5, 11, 10, 9, 8.5, 300, rep(c(7.5, 10.5, 12, 9.2, 8.8), 5), 14, 15, 16, 0, 0))
mixed[39:40, ] <- mixed[1:2, ]; mixed$金额[5] <- NA
write.csv(mixed, "oracle-mixed.csv", row.names = FALSE, quote = FALSE, na = "")
few <- data.frame(x = c(1, 2, NA, NA, 5, 9), y = c(1, 1, 2, 2, 3, 4)); write.csv(few, "oracle-few.csv", row.names = FALSE, na = "")
said <- list("先核对提示里的变量"); kinds <- list(编号 = "定类", 城市 = "定类", 同样 = "定量", 金额 = "定量")
m <- as.list(setNames(c(rep("定量", 5), "定类"), v))

oracle(c("R 4.2.2: duplicated, complete.cases, quantile(type = 6), fivenum", "偏度：在 R 中另写"), list(
  case("空气质量", list(variables = v), numbers(air, v), c(said, list("缺失的单元格占", "缺失最多的是“臭氧”", "没有完全相同的行", "没有可以给出的时间变量")), measures = m),
  case("只看两个", list(variables = c("风速", "气温"), with_charts = FALSE), numbers(air, c("风速", "气温")), c(said, list("没有缺失。", "没有缺失值。", "与前面的行完全相同", "没有可以给出的定类变量", "没有可以给出的时间变量")), measures = m),
  case("混合，重复行，很多类", list(variables = names(mixed), max_levels = 5), numbers(mixed, names(mixed), 5)[-(3:7)], c(said, list("“编号”“同样”“金额”需要核对", "与前面的行完全相同", "缺失最多的是“金额”")), data = "oracle-mixed.csv", measures = kinds),
  case("没有问题", list(variables = list("城市"), max_levels = 5), numbers(mixed, "城市", 5), c(said, list("没有缺失。", "没有缺失值。", "与前面的行完全相同", "没有可以给出的定量变量", "没有可以给出的时间变量")), data = "oracle-mixed.csv", measures = kinds),
  case("缺失很多", list(variables = c("x", "y")), numbers(few, c("x", "y")), c(said, list("缺失较多", "需要核对", "与前面的行完全相同", "没有可以给出的定类变量", "没有可以给出的时间变量")), data = "oracle-few.csv", measures = list(x = "定量", y = "定量"))))
