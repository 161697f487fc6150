# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2, car 3.1-1, nortest 1.0-4, jsonlite)
# Student, Welch and F from stats; Levene from car; intervals of d, g and Glass's delta by solving pt(…, ncp) with
# uniroot; skewness, kurtosis, superiority and the rank test's z written out from their published formulas.
suppressMessages({library(car); library(jsonlite)})
invisible(Sys.setlocale("LC_ALL", "C.UTF-8"))

tooth <- read.csv("example.csv")
sleep2 <- data.frame(药物 = as.integer(sleep$group), 增加睡眠 = sleep$extra,
                     次数 = c(2, 1, 3, 1, 1, 2, 0, 1, 4, 1, 1, 2, 1, 1, 3, 1, 2, 0, 1, 2))
write.csv(sleep2, "oracle-sleep.csv", row.names = FALSE, quote = FALSE)

ncp <- function(t, df, p) uniroot(function(d) pt(t, df, d) - p, c(t - 8, t + 8), tol = 1e-15)$root
side_alpha <- function(alt, level) if (alt == "two.sided") (1 - level) / 2 else 1 - level
bounds <- function(f, alt, level) {                   # f(probability) gives the bound whose tail it is
  a <- side_alpha(alt, level)
  list(if (alt == "less") -Inf else f(1 - a), if (alt == "greater") Inf else f(a))
}
G1 <- function(x) { n <- length(x); d <- x - mean(x); mean(d^3) / mean(d^2)^1.5 * sqrt(n * (n - 1)) / (n - 2) }
G2 <- function(x) { n <- length(x); d <- x - mean(x)
  (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * (mean(d^4) / mean(d^2)^2 - 3) + 6) }
seG1 <- function(n) sqrt(6 * n * (n - 1) / ((n - 2) * (n + 1) * (n + 3)))
seG2 <- function(n) 2 * seG1(n) * sqrt((n^2 - 1) / ((n - 3) * (n + 5)))
wire <- function(x) if (is.numeric(x) && is.infinite(x)) if (x > 0) "inf" else "-inf" else unname(x)
block <- function(.table, .where, ..., tolerance = NULL, reason = NULL) {   # dots: t = must not match .table
  b <- list(table = .table, where = .where, cells = lapply(list(...), wire))
  if (!is.null(tolerance)) b <- c(b, list(tolerance = tolerance, reason = reason))
  b
}

numbers <- function(a, b, names, alt, level, read, fisher = FALSE, robust = TRUE, extra = list()) {
  w <- function(...) c(list(...), extra)
  tests <- list(Student = t.test(a, b, var.equal = TRUE, alternative = alt, conf.level = level),
                Welch = t.test(a, b, alternative = alt, conf.level = level))
  r <- tests[[read]]
  n1 <- length(a); n2 <- length(b); df <- n1 + n2 - 2; h <- sqrt(1 / n1 + 1 / n2)
  t0 <- unname(tests$Student$statistic)
  d <- t0 * h; dci <- bounds(function(p) ncp(t0, df, p) * h, alt, level)
  J <- exp(lgamma(df / 2) - lgamma((df - 1) / 2)) / sqrt(df / 2)
  hg <- sqrt(1 / n2 + var(a) / (n1 * var(b))); glass <- (mean(a) - mean(b)) / sd(b)
  gci <- bounds(function(p) ncp(glass / hg, n2 - 1, p) * hg, alt, level)
  S2 <- var(a) + var(b); theta <- (mean(a) - mean(b)) / sqrt(S2)
  vt <- (var(a) / n1 + var(b) / n2) / S2 + theta^2 / 4 * (2 * var(a)^2 / (n1 - 1) + 2 * var(b)^2 / (n2 - 1)) / S2^2
  cci <- lapply(bounds(function(p) theta - qnorm(p) * sqrt(vt), alt, level), pnorm)
  out <- list()
  for (i in 1:2) {
    x <- list(a, b)[[i]]; g <- names[i]; m <- t.test(x, conf.level = level); q <- quantile(x, c(.25, .5, .75), type = 6)
    f <- fivenum(x); inside <- x[x >= f[2] - 1.5 * (f[4] - f[2]) & x <= f[4] + 1.5 * (f[4] - f[2])]
    out <- c(out, list(
      block("comparison", w(group = g), n = length(x), mean = mean(x), sd = sd(x), t = r$statistic, df = r$parameter,
            p = r$p.value, diff = mean(a) - mean(b), low = r$conf.int[1], high = r$conf.int[2],
            effect = d, effect_low = dci[[1]], effect_high = dci[[2]]),
      block("descriptives", w(group = g), n = length(x), mean = mean(x), sd = sd(x), se = sd(x) / sqrt(length(x)),
            low = m$conf.int[1], high = m$conf.int[2], median = q[2], q1 = q[1], q3 = q[3]),
      block("spread", w(group = g), min = min(inside), q1 = f[2], median = f[3], q3 = f[4], max = max(inside)),
      list(table = "cases", where = w(group = g), count = length(x), sums = list(value = sum(x)), cells = setNames(list(), character())),
      block("shape", w(group = g), skewness = G1(x), skewness_se = seG1(length(x)), kurtosis = G2(x),
            kurtosis_se = seG2(length(x)))))
    s <- if (sd(x) > 0) shapiro.test(x) else NULL
    if (!is.null(s)) out <- c(out, list(block("shape", w(group = g), statistic = s$statistic, p = s$p.value,
      tolerance = 1e-6, reason = "R's swilk.c holds the constants of AS R94 in another precision")))
  }
  for (k in names(tests)) { x <- tests[[k]]
    out <- c(out, list(block("result", w(test = k), t = x$statistic, df = x$parameter, p = x$p.value,
      difference = mean(a) - mean(b), se = x$stderr, low = x$conf.int[1], high = x$conf.int[2],
      read = if (k == read) "采用" else ""))) }
  e <- function(name, v, lo, hi) block("effects", w(effect = name), value = v, low = lo, high = hi)
  out <- c(out, list(e("Cohen's d", d, dci[[1]], dci[[2]]), e("Hedges' g", d * J, dci[[1]] * J, dci[[2]] * J),
    e("Glass's Δ", glass, gci[[1]], gci[[2]]), e("优势概率", pnorm(theta), cci[[1]], cci[[2]])))
  grp <- factor(rep(1:2, c(n1, n2)))
  for (k in c("mean", "median")) { l <- leveneTest(c(a, b), grp, center = get(k))
    out <- c(out, list(block("homogeneity", w(test = if (k == "mean") "Levene（均值）" else "Brown-Forsythe（中位数）"),
      F = l[1, 2], df1 = l[1, 1], df2 = l[2, 1], p = l[1, 3]))) }
  if (fisher) { v <- var.test(a, b)
    out <- c(out, list(block("homogeneity", w(test = "F 检验"), F = v$statistic, df1 = v$parameter[1], df2 = v$parameter[2], p = v$p.value))) }
  if (robust) {
    u <- wilcox.test(a, b, alternative = alt, exact = FALSE, correct = FALSE); tie <- table(c(a, b)); n <- n1 + n2
    z <- (u$statistic - n1 * n2 / 2) / sqrt(n1 * n2 / 12 * (n + 1 - sum(tie^3 - tie) / (n * (n - 1))))
    out <- c(out, list(block("rank", extra_or_all(extra), U = u$statistic, z = z, p = u$p.value, share = u$statistic / (n1 * n2)))) }
  limit <- qt(1 - (if (alt == "two.sided") (1 - level) / 2 else 1 - level), df)
  power <- function(x) pt(limit, df, x / h, lower.tail = FALSE) + (if (alt == "two.sided") pt(-limit, df, x / h) else 0)
  mde <- uniroot(function(x) power(x) - 0.8, c(0.001, 8), tol = 1e-14)$root
  list(expect = out, mde = mde, r = r, d = d, theta = pnorm(theta))
}
extra_or_all <- function(extra) if (length(extra)) extra else setNames(list(), character())

fact <- function(contains, ...) list(contains = contains, facts = lapply(list(...), wire))
case <- function(name, form, got, says, ...) c(list(name = name, form = form), list(...),
  list(expect = got$expect, says = c(says, list(list(contains = "有八成把握发现", facts = list(d = got$mde), tolerance = 1e-7)))))

vc <- tooth$牙长[tooth$补充方式 == "VC"]; oj <- tooth$牙长[tooth$补充方式 == "OJ"]
low <- tooth$牙长[tooth$剂量 == 0.5]; high <- tooth$牙长[tooth$剂量 == 2]
all_effects <- c("cohen_d", "hedges_g", "glass_delta", "cles")
base <- list(group = "补充方式", variables = list("牙长"), effect = all_effects, robust = TRUE)

one <- numbers(vc, oj, c("VC", "OJ"), "two.sided", .95, "Welch")
two <- numbers(vc, oj, c("VC", "OJ"), "greater", .90, "Student")
three <- numbers(low, high, c("0.5", "2"), "less", .95, if (var.test(low, high)$p.value < .05) "Welch" else "Student", fisher = TRUE)
four <- numbers(high, low, c("2", "0.5"), "two.sided", .99, if (leveneTest(c(high, low), factor(rep(1:2, each = 20)), center = median)[1, 3] < .05) "Welch" else "Student")
six <- numbers(high, low, c("2", "0.5"), "greater", .95, "Welch")
seven <- numbers(vc, oj, c("VC", "OJ"), "less", .99, "Welch")
s1 <- sleep$extra[1:10]; s2 <- sleep$extra[11:20]
eight <- numbers(s1, s2, c("1", "2"), "two.sided", .95, "Welch")
f <- sleep2$次数
nine <- numbers(rep(s1, f[1:10]), rep(s2, f[11:20]), c("1", "2"), "two.sided", .95, "Student")

notes <- list("为均值 ± 标准差", "两种结果都列出", "各组单独按 t 分布计算", "d 与 g 的区间来自非中心 t 分布",
              "本检验要求各行数据互不影响", "正态性检验", "偏度")
cases <- list(
  case("两组牙长，Welch 双侧", base, one, c(notes[1:5], list(
    fact("没有发现明显差异", diff = mean(vc) - mean(oj), low = one$r$conf.int[1], high = one$r$conf.int[2], p = one$r$p.value),
    fact("Levene（均值）：*F*", F = leveneTest(tooth$牙长, factor(tooth$补充方式), center = mean)[1, 2]),
    fact("Mann-Whitney *U*", U = 324.5), "与 t 检验结论相同", "先看差多少", "没有发现两组有明显差异", "采用 Welch 独立样本", "它的 CI 假定等方差",
    "没有发现明显差异", "“VC”组：偏度"))),
  case("两组牙长，等方差右侧 90%", c(base, list(test = "student", alternative = "greater", conf_level = .9)), two, list(
    fact("平均高于“OJ”组（*p*", diff = mean(vc) - mean(oj), low = two$r$conf.int[1], p = two$r$p.value),
    "单侧检验只给一端", "单侧检验给单侧区间", "单侧置信下限", "采用等方差（Student）独立样本", "没有发现方差不等",
    "单侧检验不判断相反方向", "两种结果都列出", "与 t 检验结论相同", "d 与 g 的区间来自非中心 t 分布", "现有数据不足以说“VC”组高于“OJ”组", "单侧检验不足以说“VC”组高于“OJ”组",
    "“不显著”不等于没有差异；单侧检验也不判断")),
  case("两种剂量，左侧，依 F 检验", list(group = "剂量", variables = list("牙长"), groups = c(0.5, 2), alternative = "less", test = "auto",
    equal_check = "f", effect = all_effects, robust = TRUE), three, list(
    fact("单侧检验差异有统计学意义", diff = mean(low) - mean(high), p = three$r$p.value, high = three$r$conf.int[2]),
    "据此采用", "单侧置信上限", "单侧检验支持", "小于 {alpha:alpha}，所以说差异有统计学意义", "两种结果都列出",
    "与 t 检验结论相同", "d 与 g 的区间来自非中心 t 分布", "单侧检验只给一端", "差异有统计学意义，*t*", "分组不是随机分配时", "为均值 ± 标准差", "“0.5”组：偏度")),
  case("两种剂量，交换方向，依 Brown-Forsythe，99%", list(group = "剂量", variables = list("牙长"), groups = c(2, 0.5), conf_level = .99,
    test = "auto", equal_check = "levene_median", effect = all_effects, robust = TRUE), four, list(
    fact("差异有统计学意义，效应", size = mean(high) - mean(low), size_low = four$r$conf.int[1], p = four$r$p.value, d = four$d),
    "不包含 0", "组高 {size:num}", "为均值 ± 标准差", "差异有统计学意义，*t*", "“2”组：偏度",
    "Brown-Forsythe（中位数）：*F*")),
  case("两种剂量，右侧，Welch", list(group = "剂量", variables = list("牙长"), groups = c(2, 0.5), alternative = "greater",
    effect = all_effects, robust = TRUE), six, list(
    fact("高于“0.5”组", diff = mean(high) - mean(low), p = six$r$p.value), "单侧检验支持", "差异有统计学意义，*t*", "为均值 ± 标准差",
    "单侧检验只给一端")),
  case("两组牙长，左侧 99%", c(base, list(alternative = "less", conf_level = .99)), seven, list(
    fact("平均低于“OJ”组（*p*", diff = mean(vc) - mean(oj), p = seven$r$p.value), "现有数据不足以说“VC”组低于“OJ”组", "单侧检验不足以说“VC”组低于“OJ”组",
    "为均值 ± 标准差", "单侧检验未达到统计学意义，不足以说“VC”组低于“OJ”组", "“不显著”不等于没有差异；单侧检验也不判断", "单侧检验只给一端")),
  case("两种安眠药（sleep，目录给出的数）", list(group = "药物", variables = list("增加睡眠"), effect = all_effects, robust = TRUE), eight,
    list(fact("没有发现明显差异", p = 0.07939414018735817), "采用 Welch 检验，方差不齐也不影响结论", "与 t 检验结论相同", "“1”组：偏度"),
    data = "oracle-sleep.csv", measures = list(药物 = "定类")),
  case("两种安眠药，频数权重，等方差", list(group = "药物", variables = list("增加睡眠"), weight = "次数", test = "student", effect = all_effects,
    robust = TRUE), nine, list(fact("均值差", diff = mean(rep(s1, f[1:10])) - mean(rep(s2, f[11:20]))),
    "样本量为频数权重的合计", "为频数权重的合计", "与 t 检验结论", "“1”组：偏度", "两组方差不等", "“1”组低 {size:num}"), data = "oracle-sleep.csv", measures = list(药物 = "定类"))
)
writeLines(toJSON(list(
  sources = c("R 4.2.2: t.test, var.test, shapiro.test, wilcox.test, fivenum, quantile(type = 6)", "car 3.1-1: leveneTest",
              "R 4.2.2: pt(ncp)，用 uniroot 反解（d、g、Glass、可检出的 d）"),
  cases = cases, unverified = list()), auto_unbox = TRUE, digits = NA, pretty = 1))
