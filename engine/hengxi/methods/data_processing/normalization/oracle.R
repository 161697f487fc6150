# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2: scale, quantile type 7, rank, qnorm)
source("../../../../tools/columns.R")
if (!file.exists("example.csv")) {
  set.seed(31); n <- 31
  save_example(data.frame(地区 = paste0("地区", sprintf("%02d", 1:n)), 片区 = rep(c("东部", "中部", "西部"), length.out = n),
    GDP = round(exp(rnorm(n, 9.8, .8)), 1), 失业率 = round(runif(n, 2.4, 4.6), 2), 绿化率 = round(rnorm(n, 40, 4), 1),
    能耗 = round(exp(rnorm(n, -.4, .5)), 3), 师生比 = round(rnorm(n, 15.5, 1.5), 1), 增长 = round(rnorm(n, 1, 3), 1), 等级 = sample(1:4, n, TRUE),
    标记 = sample(c("训练", "测试"), n, TRUE, c(.7, .3))))
  d <- read.csv("example.csv"); d$能耗[5] <- NA; d$片区[9] <- ""; save_example(d)
}
x <- example(); x$片区[x$片区 == ""] <- NA
# What each method learns of known values, and what it makes of any.
learn <- list(zscore = function(v, a, b) c(mean(v), sd(v)), pop = function(v, a, b) c(mean(v), sqrt(mean((v - mean(v))^2))),
  minmax = function(v, a, b) c(min(v), diff(range(v))), interval = function(v, a, b) c(min(v), diff(range(v))), maxabs = function(v, a, b) c(0, max(abs(v))),
  center = function(v, a, b) c(mean(v), 1), mean_ratio = function(v, a, b) c(0, mean(v)), sum_ratio = function(v, a, b) c(0, sum(v)),
  max_ratio = function(v, a, b) c(0, max(v)), min_ratio = function(v, a, b) c(0, min(v)), init_ratio = function(v, a, b) c(0, v[1]),
  robust = function(v, a, b) c(median(v), IQR(v)), sqrt_ss = function(v, a, b) c(0, sqrt(sum(v^2))),
  decimal = function(v, a, b) c(0, 10^(floor(log10(max(abs(v)))) + 1)), logistic = function(v, a, b) c(mean(v), sd(v)),
  positive = function(v, a, b) c(min(v), diff(range(v))), negative = function(v, a, b) c(max(v), -diff(range(v))),
  moderate = function(v, a, b) c(a, max(abs(v - a))), interval_type = function(v, a, b) c(a, max(a - min(v), max(v) - b)))
put <- function(v, method, p, a, b) switch(method, interval = a + (b - a) * (v - p[1]) / p[2], moderate = 1 - abs(v - a) / p[2],
  interval_type = 1 - pmax(a - v, v - b, 0) / p[2], logistic = plogis((v - p[1]) / p[2]), (v - p[1]) / p[2])
run <- function(name, way, variables, form = list(), group = NULL, train = rep(TRUE, nrow(x)), says = list(), ranked = NULL, rows = NULL) {
  m <- form$method; a <- if (is.null(form$a)) 0 else form$a; b <- if (is.null(form$b)) 1 else form$b; out <- list(); facts <- list(); n <- nrow(x)
  key <- if (identical(form$ddof, "0")) "pop" else m
  for (k in seq_along(variables)) { v <- x[[variables[k]]]; new <- rep(NA_real_, n)
    if (!is.null(rows)) new <- rows[, k] else for (g in if (is.null(group)) NA else c("东部", "中部", "西部")) {
      inside <- if (is.na(g)) rep(TRUE, n) else x[[group]] %in% g; known <- ok(v[inside & train])
      where <- list(variable = variables[k]); if (!is.na(g)) where$group <- g
      if (is.null(ranked)) { p <- learn[[key]](known, a, b); new[inside] <- put(v, m, p, a, b)[inside]
        out <- c(out, list(block("parameters", where, n = length(known), center = p[1], scale = p[2]))) }
      else { new[inside] <- ranked(v[inside]); out <- c(out, list(block("parameters", where, n = length(known)))) } }
    out <- c(out, list(compared(variables[k], v, new))); w <- ok(new)
    if (k <= 5) facts <- c(facts, setNames(list(centre(w), sd(w), min(w), max(w)), paste0(c("mean", "sd", "low", "high"), k - 1))) }
  replace <- identical(form$mode, "replace"); changed <- if (replace) length(variables) * n else 0
  out <- c(out, list(record("数据标准化", n, ncol(x) + if (replace) 0 else length(variables), c(n, ncol(x)), changed)))
  lead <- do.call(fact, c(list(paste0("已按", way)), facts))
  case(name, c(list(variables = as.list(variables)), form, if (!is.null(group)) list(group = group)), out, c(list(lead), says), measures = list(等级 = "定量")) }
leak <- "用全部行求参数会泄漏"; free <- "只换了单位"; neg <- "有负值"
blom <- function(v) qnorm((rank(v, na.last = "keep") - .375) / (sum(!is.na(v)) + .25))
unif <- function(v) (rank(v, na.last = "keep") - 1) / (sum(!is.na(v)) - 1)
m3 <- as.matrix(x[c("GDP", "绿化率", "能耗")])
stopifnot(max(abs(scale(mtcars$mpg)[1:3] - c(0.150885, 0.150885, 0.449543))) < 1e-6)
if (!file.exists("trained.csv")) { set.seed(77); save_example(data.frame(绿化率 = round(rnorm(60, 38, 5), 1), GDP = round(exp(rnorm(60, 9.5, .7)), 1), 片区 = rep(c("东部", "中部", "西部", "东部"), 15)), "trained.csv") }
old <- example("trained.csv")
taken <- function(name, way, v, method, group = NULL) { n <- nrow(x); new <- rep(NA_real_, n); out <- list()
  for (g in if (is.null(group)) NA else c("东部", "中部", "西部")) { at <- if (is.na(g)) rep(TRUE, n) else x$片区 %in% g; known <- if (is.na(g)) old[[v]] else old[[v]][old$片区 == g]
    p <- learn[[method]](known, 0, 1); new[at] <- put(x[[v]], method, p, 0, 1)[at]
    out <- c(out, list(block("parameters", c(list(variable = v), if (!is.na(g)) list(group = g)), n = length(known), center = p[1], scale = p[2]))) }
  w <- ok(new); c(case(name, c(list(variables = list(v), method = method, learn_from = list(vid = 2)), if (!is.null(group)) list(group = group)), c(out, list(compared(v, x[[v]], new), record("数据标准化", n, ncol(x) + 1, c(n, ncol(x))))),
    c(list(fact(paste0("已按", way), mean0 = centre(w), sd0 = sd(w), low0 = min(w), high0 = max(w)), "参数由“trained”求得")), measures = list(等级 = "定量")),
    list(datasets = list(learn_from = list(list(vid = 2, data = "trained.csv"))))) }
oracle(c("R 4.2.2: scale(), quantile(type = 7), rank(), qnorm(); formulas written out"), list(
  run("Z标准化", "Z标准化", c("GDP", "能耗"), list(method = "zscore"), says = list(leak, free)),
  run("多个变量", "中心化", c("GDP", "失业率", "绿化率", "能耗", "师生比", "增长"), list(method = "center"), says = list(fact("其余变量见结果表", variables = 6))),
  run("总体标准差", "Z标准化", "GDP", list(method = "zscore", ddof = "0", mode = "replace"), says = list(leak)),
  run("组内", "Z标准化处理（组内计算）", "失业率", list(method = "zscore"), "片区", says = list(leak, fact("这些行的结果为缺失", k = 1))),
  run("训练行", "归一化", "GDP", list(method = "minmax", train = "标记", train_level = "训练"), train = x$标记 == "训练", says = list("参数只用训练行求得")),
  run("区间化", "区间化", "绿化率", list(method = "interval", a = 1, b = 5), says = list(leak)),
  run("最大绝对值", "最大绝对值化", "增长", list(method = "maxabs"), says = list(leak)), run("中心化", "中心化", "增长", list(method = "center"), says = list(leak)),
  run("均值化", "均值化", "增长", list(method = "mean_ratio"), says = list(leak, neg)), run("求和", "求和归一化", "GDP", list(method = "sum_ratio"), says = list(leak)),
  run("最大值化", "最大值化", "GDP", list(method = "max_ratio"), says = list(leak)), run("最小值化", "最小值化", "GDP", list(method = "min_ratio"), says = list(leak)),
  run("初值化", "初值化", "能耗", list(method = "init_ratio"), says = list(leak)), run("稳健", "稳健", "能耗", list(method = "robust"), says = list(leak)),
  run("平方和", "平方和归一化", "GDP", list(method = "sqrt_ss"), says = list(leak)), run("小数定标", "小数定标", "GDP", list(method = "decimal"), says = list(leak)),
  run("Logistic", "Logistic化", "GDP", list(method = "logistic"), says = list(leak)), run("正向", "正向化", "绿化率", list(method = "positive"), says = list(leak)),
  run("逆向", "逆向化", "能耗", list(method = "negative"), says = list("原来越小的值现在越大")),
  run("适度", "适度化", "师生比", list(method = "moderate", a = 15.5), says = list("越接近最优值越大")),
  run("区间型", "区间型", "师生比", list(method = "interval_type", a = 15, b = 16), says = list("落在区间内的值为 1")),
  run("正态得分", "正态得分", "能耗", list(method = "quantile_normal"), ranked = blom, says = list(leak, "按秩计算")),
  run("正态得分有结", "正态得分", "等级", list(method = "quantile_normal"), ranked = blom, says = list("重复值过多")),
  run("秩均匀", "秩均匀化", "师生比", list(method = "quantile_uniform"), ranked = unif, says = list(leak)),
  run("L1", "L1范数", colnames(m3), list(method = "l1"), rows = m3 / rowSums(abs(m3)), says = list("每行只用自己的值", "没有可以用于新数据的参数")),
  run("L2", "L2归一化", colnames(m3), list(method = "l2"), rows = m3 / sqrt(rowSums(m3^2)), says = list("每行只用自己的值")),
  taken("参数取自另一份", "Z标准化", "GDP", "zscore"), taken("组内参数取自另一份", "归一化", "绿化率", "minmax", "片区")))
