# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2, jsonlite; PSPP 1.6.2 checks moments and percentiles)
# mean, sd, quantile(type = 6, 7), fivenum, t.test, mad, mean(trim =); weighted cases are written out with rep().
suppressMessages(library(jsonlite))
invisible(Sys.setlocale("LC_ALL", "C.UTF-8"))

light <- data.frame(试验组 = paste0("第", morley$Expt, "组"), 序号 = morley$Run, 速度 = morley$Speed)
write.csv(light, "example.csv", row.names = FALSE, quote = FALSE)

set.seed(11)
n <- 160
mixed <- data.frame(
  收入 = c(round(exp(rnorm(n - 2, 8.4, 0.4))), 98000, 120000),
  得分差 = round(rnorm(n, 0.1, 4), 1),
  满意度 = ifelse(runif(n) < .3, NA, sample(1:5, n, TRUE, c(.1, .2, .4, .2, .1))),
  批号 = 7, 复检 = c(3.5, rep(NA, n - 1)), 三次 = c(1, 2, 6, rep(NA, n - 3)),
  班级 = c("丁", rep(c("甲", "乙", "丙"), each = 51), rep("", 6)), 份数 = rep(c(1, 2, 3, 0), n / 4))
write.csv(mixed, "oracle-mixed.csv", row.names = FALSE, quote = FALSE, na = "")
mixed <- read.csv("oracle-mixed.csv", na.strings = "")

block <- function(.table, .where, .cells) list(table = .table, where = .where, cells = .cells)
shape <- function(x) {
  n <- length(x); m <- mean(x); m2 <- mean((x - m)^2); out <- list(n = n)
  if (n > 2 && m2 > 0) {
    g1 <- mean((x - m)^3) / m2^1.5 * sqrt(n * (n - 1)) / (n - 2); s1 <- sqrt(6 * n * (n - 1) / ((n - 2) * (n + 1) * (n + 3)))
    out <- c(out, list(skewness = g1, skewness_se = s1, skewness_z = g1 / s1))
  }
  if (n > 3 && m2 > 0) {
    g2 <- (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * (mean((x - m)^4) / m2^2 - 3) + 6)
    s2 <- 2 * s1 * sqrt((n^2 - 1) / ((n - 3) * (n + 5)))
    out <- c(out, list(kurtosis = g2, kurtosis_se = s2, kurtosis_z = g2 / s2))
  }
  out
}
# Not corrected: the moments themselves, and the standard deviations they have in normal samples (Joanes & Gill 1998)
plain_shape <- function(x) {
  n <- length(x); d <- x - mean(x); g1 <- mean(d^3) / mean(d^2)^1.5; g2 <- mean(d^4) / mean(d^2)^2 - 3
  s1 <- sqrt(6 * (n - 2) / ((n + 1) * (n + 3))); s2 <- sqrt(24 * n * (n - 2) * (n - 3) / ((n + 1)^2 * (n + 3) * (n + 5)))
  list(n = n, skewness = g1, skewness_se = s1, skewness_z = g1 / s1, kurtosis = g2, kurtosis_se = s2, kurtosis_z = g2 / s2)
}
quant <- function(x, p, def) {
  q <- quantile(x, p / 100, type = if (def == "linear") 7 else 6, names = FALSE)
  if (def == "tukey") { q[p == 25] <- fivenum(x)[2]; q[p == 75] <- fivenum(x)[4] }
  q
}
stats <- function(x, missing, def, level) {
  n <- length(x); q <- quant(x, c(25, 50, 75), def); s <- shape(x); tab <- table(x)
  out <- list(n = n, missing = missing, mean = mean(x), sum = sum(x), min = min(x), max = max(x), range = diff(range(x)),
    median = q[2], p25 = q[1], p75 = q[3], iqr = q[3] - q[1], mode = as.numeric(names(tab)[which.max(tab)]),
    trimmed = mean(x, trim = .05), mad = mad(x, constant = 1))
  if (n > 1) {
    half <- qt(1 - (1 - level) / 2, n - 1) * sd(x) / sqrt(n)
    out <- c(out, list(se = sd(x) / sqrt(n), low = mean(x) - half, high = mean(x) + half, sd = sd(x), var = var(x)))
    if (mean(x) > 0) out$cv <- sd(x) / mean(x)
  }
  if (all(x > 0)) out <- c(out, list(gmean = exp(mean(log(x))), hmean = 1 / mean(1 / x)))
  c(out, s[intersect(names(s), c("skewness", "kurtosis"))])
}
FIXED <- c(5, 10, 25, 50, 75, 90, 95)
# All blocks of one variable; keys: the statistics asked for (columns not asked for are absent).
described <- function(name, x, w, def, level, own, keys, group = NULL) {
  missing <- sum(w[is.na(x)]); v <- rep(x[!is.na(x)], w[!is.na(x)])
  table <- if (is.null(group) || group == "全部") "overall" else "groups"
  where <- c(list(variable = name), if (table == "groups") list(level = group))
  if (length(v) == 0) return(list(block(table, where, list(missing = missing))))
  cells <- stats(v, missing, def, level)
  keys <- c(keys, if ("ci" %in% keys) c("low", "high"))
  out <- list(block(table, where, cells[intersect(names(cells), keys)]))
  side <- c(list(variable = name), if (!is.null(group)) list(level = group))
  p <- sort(unique(c(FIXED, own)))
  out <- c(out, list(block("percentiles", side, setNames(as.list(quant(v, p, def)), sprintf("value@P%g", p)))))
  if (any(c("skewness", "kurtosis") %in% keys)) out <- c(out, list(block("shape", side, shape(v))))
  out
}
whole <- function(data, names, keys, def = "weibull", level = .95, own = c(5, 10, 90, 95), w = rep(1, nrow(data)), by = NULL)
  do.call(c, lapply(names, function(name) c(
    described(name, data[[name]], w, def, level, own, keys, if (!is.null(by)) "全部"),
    if (!is.null(by)) do.call(c, lapply(unique(na.omit(data[[by]])), function(g) {
      rows <- which(data[[by]] == g)
      described(name, data[[name]][rows], w[rows], def, level, own, keys, g)
    })))))

pspp_agrees <- function() {
  syntax <- tempfile(fileext = ".sps"); out <- tempfile(fileext = ".csv")
  writeLines(c("SET DECIMAL=DOT.", "SET FORMAT=F30.14.", "DATA LIST FREE /x w.", "BEGIN DATA.", paste(mixed$收入, mixed$份数), "END DATA.",
    "WEIGHT BY w.", "FREQUENCIES x /FORMAT=NOTABLE /PERCENTILES=5 25 50 75 95 /STATISTICS=MEAN STDDEV SKEWNESS SESKEWNESS KURTOSIS SEKURTOSIS."), syntax)
  if (system2("pspp", c("-O", "format=csv", "-o", out, syntax), stdout = NULL) != 0) stop("PSPP failed")
  lines <- readLines(out); x <- rep(mixed$收入, mixed$份数); s <- shape(x)
  read <- function(word) as.numeric(tail(strsplit(grep(paste0("^", word, ","), lines, value = TRUE)[1], ",")[[1]], 1))
  got <- c(read("Mean"), read("Std Dev"), read("Skewness"), read("S.E. Skew"), read("Kurtosis"), read("S.E. Kurt"))
  stopifnot(all.equal(got, c(mean(x), sd(x), s$skewness, s$skewness_se, s$kurtosis, s$kurtosis_se), tolerance = 1e-7))
}
pspp_agrees()

EVERY <- c("n", "missing", "mean", "se", "ci", "sd", "var", "cv", "sum", "min", "max", "range", "median", "p25", "p75", "iqr",
  "mode", "skewness", "kurtosis", "trimmed", "gmean", "hmean", "mad")
USUAL <- c("n", "mean", "sd", "min", "max", "median", "skewness", "kurtosis")
fact <- function(contains, ...) list(contains = contains, facts = list(...))
ci <- function(x, level = .95) as.numeric(t.test(x, conf.level = level)$conf.int)
v <- light$速度; groups <- tapply(v, light$试验组, mean); s <- shape(v)
income <- mixed$收入; weights <- mixed$份数; many <- rep(income, weights); sm <- shape(many)
score <- mixed$满意度[!is.na(mixed$满意度)]
outside <- function(x, k) { h <- fivenum(x)[c(2, 4)]; sum(x < h[1] - k * diff(h) | x > h[2] + k * diff(h)) }
by_class <- tapply(income, mixed$班级, mean)

cases <- list(
  list(name = "光速，按试验组，全部统计量", form = list(variables = list("速度"), group = "试验组", statistics = EVERY, chart = c("box", "bar", "hist", "line")),
    expect = c(whole(light, "速度", EVERY, by = "试验组"),
      list(list(table = "bins", where = setNames(list(), character()), count = 10, sums = list(n = 100), cells = setNames(list(), character())),
           list(table = "boxes", where = list(label = "第1组"), cells = list(q1 = fivenum(v[1:20])[2], median = fivenum(v[1:20])[3], q3 = fivenum(v[1:20])[4],
             min = boxplot.stats(v[1:20])$stats[1], max = boxplot.stats(v[1:20])$stats[5])),
           list(table = "means", where = list(label = "第2组"), cells = list(mean = mean(v[21:40]), low = ci(v[21:40])[1], high = ci(v[21:40])[2])))),
    says = list(fact("“速度”（*n* = {n_0:integer}）平均 {mean_0:num}", n_0 = 100, mean_0 = mean(v), sd_0 = sd(v), low_0 = ci(v)[1], high_0 = ci(v)[2], median_0 = median(v),
        q1_0 = quantile(v, .25, type = 6, names = FALSE), q3_0 = quantile(v, .75, type = 6, names = FALSE), min_0 = min(v), max_0 = max(v), k_0 = 5, top_value_0 = max(groups), bottom_value_0 = min(groups)),
      "分布看不出明显的偏斜", "平均值最高的是“第1组”", "最低的是“第4组”", "这里只描述样本",
      fact("先看中间：“速度”", mean = mean(v), median = median(v), sd = sd(v), g1 = s$skewness, se1 = s$skewness_se, min = 620, max = 1070), "用哪一个代表一般水平都可以",
      fact("“速度”的有效样本", n = 100, g1 = s$skewness, g2 = s$kurtosis, se2 = s$kurtosis_se, low = ci(v)[1]), "“速度”平均 {mean:num}",
      "读分组表", fact("按“试验组”分组", m0 = groups[[1]], s1 = sd(v[21:40]), n4 = 20), "没有缺失值", fact("“速度”的偏度 {g1:num}", g1 = s$skewness),
      fact("“速度”在 1.5 倍箱长以外的有", outside = outside(v, 1.5), far = 0), "各变量的均值都明显大于 0", "分位数按 (n + 1)p 加权平均", "标准差、方差以 n − 1", "*Z* = 统计量",
      "误差线为均值的", "阴影为均值的", "众数有 {k:integer} 个")),
  list(name = "六个变量，有缺失、偏斜、没有变异，99%", form = list(variables = c("收入", "得分差", "满意度", "批号", "复检", "三次"), statistics = EVERY, conf_level = .99,
      quantile_def = "tukey", percentiles = c(0, 2.5, 97.5, 100), chart = c("box", "hist")), data = "oracle-mixed.csv",
    measures = list(收入 = "定量", 得分差 = "定量", 满意度 = "定量", 批号 = "定量", 复检 = "定量", 三次 = "定量", 班级 = "定类", 份数 = "定量"),
    expect = whole(mixed, c("收入", "得分差", "满意度", "批号", "复检", "三次"), EVERY, "tukey", .99, c(0, 2.5, 97.5, 100)),
    says = list(fact("“收入”（*n* = {n_0:integer}）", mean_0 = mean(income), n_2 = length(score), mean_2 = mean(score), n_4 = 1, mean_3 = 7), "分布明显右偏", "少数很大的值会把均值拉向那一头",
      "按 Bulmer（1979）", "不能计算标准差和分布形态", "没有变异：标准差为 0", "取值均为", "取值都是", "“复检”的有效样本 {n:integer} 例，缺失 {missing:integer} 例，取值为", "“复检”只有 1 个有效值：", "两者接近", "“三次”", "“得分差”的有效样本", "“满意度”平均", "“收入”平均", "“三次”平均",
      "“得分差”平均", "“收入”的有效样本", "“满意度”的有效样本", "“三次”的有效样本", "含小于或等于 0 的值，几何均值与调和均值不适用", "有效样本仅", "全部取值相同", "众数有 {k:integer} 个", "各值都只出现一次",
      fact("缺失最多的是“复检”", lost = n - 1, share = (n - 1) / n), "缺失较多", fact("偏度绝对值最大的是“收入”", g1 = shape(income)$skewness), "偏斜明显。稳健替代：以中位数",
      fact("“收入”在 1.5 倍箱长以外的有", outside = outside(income, 1.5), far = outside(income, 3)), "离得很远的值", "零点不是“没有”", "P25、P75 和四分位距用 Tukey 枢纽", "先看中间：“满意度”", "先看中间：“得分差”", "先看中间：“三次”")),
  list(name = "频数权重，线性插值，默认统计量加四分位", form = list(variables = c("收入", "得分差"), weight = "份数", quantile_def = "linear", percentiles = list(), statistics = c(USUAL, "mode", "trimmed", "mad", "p25", "p75"), chart = c("bar", "box")), data = "oracle-mixed.csv",
    measures = list(收入 = "定量", 得分差 = "定量", 满意度 = "定量", 班级 = "定类", 份数 = "定量"),
    expect = whole(mixed, c("收入", "得分差"), c(USUAL, "mode", "trimmed", "mad", "p25", "p75"), "linear", own = c(), w = weights),
    says = list(fact("“收入”（*n* = {n_0:integer}）", n_0 = sum(weights), mean_0 = mean(many), sd_0 = sd(many), median_0 = median(many)), fact("“收入”的有效样本", g1 = sm$skewness, se2 = sm$kurtosis_se),
      "分位数按 (n − 1)p + 1 线性插值", "样本量、缺失数为权重“份数”的合计", "先看中间：“得分差”", "“得分差”的有效样本", "“得分差”平均", "没有缺失值", fact("“收入”在 1.5 倍箱长以外的有", outside = outside(many, 1.5), far = outside(many, 3)), "偏斜明显", "众数有 {k:integer} 个")),
  list(name = "分组，有一例的组和缺失的组，只要中位数", form = list(variables = list("收入"), group = "班级", statistics = c("median", "iqr", "missing"), chart = list("line")), data = "oracle-mixed.csv",
    measures = list(收入 = "定量", 得分差 = "定量", 满意度 = "定量", 班级 = "定类", 份数 = "定量"),
    expect = whole(mixed, "收入", c("median", "iqr", "missing"), by = "班级"),
    says = list(fact("“收入”中位数 {median_0:num}", median_0 = median(income), top_value_0 = max(tapply(income, mixed$班级, median)), bottom_value_0 = min(tapply(income, mixed$班级, median)), k_0 = 4),
      "有效值不足 2 个", "不属于任何一组", fact("按“班级”分组", m0 = by_class[["甲"]]), "偏斜明显", "阴影为均值的")),
  list(name = "总体的偏度和峰度，频数权重", form = list(variables = list("收入"), weight = "份数", statistics = c("skewness", "kurtosis"), shape = "population", chart = list()), data = "oracle-mixed.csv",
    measures = list(收入 = "定量", 得分差 = "定量", 满意度 = "定量", 班级 = "定类", 份数 = "定量"),
    expect = { b <- whole(mixed, "收入", c("skewness", "kurtosis"), w = weights); g <- plain_shape(many)
      lapply(b, function(one) { keys <- intersect(names(one$cells), names(g)); if (one$table %in% c("overall", "shape")) one$cells[keys] <- g[keys]; one }) },
    says = list(fact("“收入”的有效样本", g1 = plain_shape(many)$skewness, se1 = plain_shape(many)$skewness_se, g2 = plain_shape(many)$kurtosis, se2 = plain_shape(many)$kurtosis_se), "“收入”偏度 {skewness_0:num}", "未作样本校正的 g1、g2", "偏斜明显")),
  list(name = "只要方差和变异系数", form = list(variables = list("得分差"), statistics = c("var", "cv"), chart = list()), data = "oracle-mixed.csv",
    measures = list(收入 = "定量", 得分差 = "定量", 满意度 = "定量", 班级 = "定类", 份数 = "定量"),
    expect = whole(mixed, "得分差", c("var", "cv")),
    says = list(fact("“得分差”方差 {var_0:num}", var_0 = var(mixed$得分差)), "“得分差”在 1.5 倍箱长以外", "零点不是", "看不出明显的偏斜", "标准差、方差以 n − 1"))
)
writeLines(toJSON(list(
  sources = c("R 4.2.2: mean, sd, quantile(type = 6, 7), fivenum, boxplot.stats, t.test, mad, mean(trim =)", "PSPP 1.6.2: FREQUENCIES /STATISTICS with WEIGHT BY（在脚本中比对）"),
  cases = cases, unverified = list()), auto_unbox = TRUE, digits = NA, pretty = 1))
