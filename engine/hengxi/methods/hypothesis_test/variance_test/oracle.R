# Rscript oracle.R   (R 4.2.2, car 3.1-1) var.test and leveneTest; χ² and Bonett's (2006) interval written out from their formulas.
source("../../../../tools/oracle.R")
source("../../../../tools/oracle_samples.R")
suppressMessages(library(car))
save_as <- function(x, f) write.csv(x, f, row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8", na = "")
if (!file.exists("example.csv")) { set.seed(11); save_as(data.frame(机床 = rep(c("甲", "乙"), each = 30), 直径 = round(c(rnorm(30, 20, .05), rnorm(30, 20, .09)), 3), check.names = FALSE), "example.csv") }
save_as(data.frame(光速 = morley$Speed), "oracle-speed.csv"); save_as(data.frame(药 = rep(c("一", "二"), each = 10), 睡眠 = sleep$extra), "oracle-sleep.csv")
L <- data.frame(班 = rep(c("甲", "乙"), c(20, 27)), 分 = c(rep(1:5, 4), rep(c(3, 3, 4), 8), 1, 5, NA), 次 = rep(1:3, length.out = 47)); save_as(L, "oracle-likert.csv")
few <- data.frame(值 = c(2.1, 3.7, 2.9, 5.2)); save_as(few, "oracle-few.csv")
bonett <- function(x, level) { n <- length(x); z <- qnorm((1 + level) / 2); m <- mean(x, trim = 1 / (2 * sqrt(n - 4))); g <- n * sum((x - m)^4) / sum((x - mean(x))^2)^2; cc <- n / (n - z); exp(log(cc * var(x)) + c(-1, 1) * z * cc * sqrt((g - (n - 3) / n) / (n - 1))) }
chi <- function(x, level) { d <- length(x) - 1; d * var(x) / qchisq(c((1 + level) / 2, (1 - level) / 2), d) }
spreads <- function(name, x, level) lapply(c("χ²（要求正态）", if (length(x) > 4) "Bonett（不要求正态）"), function(h) { v <- if (h == "χ²（要求正态）") chi(x, level) else bonett(x, level); block("spreads", list(sample = name, how = h), n = length(x), sd = sd(x), sd_low = sqrt(v[1]), sd_high = sqrt(v[2]), variance = var(x), low = v[1], high = v[2]) })
one <- function(name, x, s0, alt = "two_sided", level = .95) { d <- length(x) - 1; q <- d * var(x) / s0^2; a <- (1 - level) / (if (alt == "two_sided") 2 else 1); p <- smaller_tail(pchisq(q, d), pchisq(q, d, lower.tail = FALSE), alt)
  c(list(block("result", list(test = "χ²（一个方差）"), chi2 = q, df1 = d, p = p, measure = "标准差", value = sd(x), low = if (alt == "less") 0 else sqrt(d * var(x) / qchisq(1 - a, d)), high = if (alt == "greater") Inf else sqrt(d * var(x) / qchisq(a, d))), described(name, x)), spreads(name, x, level)) }
two <- function(xs, alt = "two_sided", level = .95) { r <- var.test(xs[[1]], xs[[2]], alternative = r_side(alt), conf.level = level); y <- unlist(xs); g <- factor(rep(1:2, lengths(xs)))
  c(list(block("result", list(test = "F（两个方差）"), F = r$statistic, df1 = r$parameter[1], df2 = r$parameter[2], p = r$p.value, value = r$estimate, low = r$conf.int[1], high = r$conf.int[2])),
    lapply(c("Levene（均值）", "Brown-Forsythe（中位数）"), function(t) { v <- leveneTest(y, g, center = if (t == "Levene（均值）") mean else median); block("robust", list(test = t), F = v[1, 2], df1 = v[1, 1], df2 = v[2, 1], p = v[1, 3]) }),
    unlist(lapply(names(xs), function(n) c(list(described(n, xs[[n]])), spreads(n, xs[[n]], level))), recursive = FALSE)) }
x <- morley$Speed; stopifnot(abs(99 * var(x) / 6400 - 96.56625) < 1e-4, abs(chi(x, .95) - c(4812.447, 8424.412)) < 1e-2)
v <- var.test(extra ~ group, sleep); stopifnot(abs(v$statistic - .798343) < 1e-6)
m <- example(); E <- split(m$直径, factor(m$机床, c("甲", "乙"))); S <- split(sleep$extra, factor(rep(c("一", "二"), each = 10), c("一", "二"))); ok <- L[!is.na(L$分), ]; K <- split(ok$分, factor(ok$班, c("甲", "乙"))); each <- ok[rep(seq_len(nrow(ok)), ok$次), ]; W <- split(each$分, factor(each$班, c("甲", "乙")))
O <- "本检验要求各行数据互不影响"; g <- function(a, b, ...) list(group = a, variables = list(b), ...); M <- list(分 = "定量", 次 = "定量")
oracle(c("R 4.2.2: var.test, pchisq, qchisq, mean(trim), shapiro.test", "car 3.1-1: leveneTest"), list(
  case("两台机床", g("机床", "直径"), two(E), c(said(TRUE, "two_sided", O, "集中", "没有发现明显偏离正态", "CI 的置信水平为", "分组不是随机分配"))),
  case("光速与 80（目录给出的数）", list(variables = list("光速"), sigma0 = 80), one("光速", x, 80), said(FALSE, "two_sided", O, "没有发现“光速”的标准差与检验标准差 80 有明显差异"), data = "oracle-speed.csv"),
  case("光速，右侧，90%", list(variables = list("光速"), sigma0 = 60, alternative = "greater", conf_level = .9), one("光速", x, 60, "greater", .9), said(TRUE, "greater", O), data = "oracle-speed.csv"),
  case("光速，明显小", list(variables = list("光速"), sigma0 = 120), one("光速", x, 120), said(TRUE, "two_sided", O, "小于检验标准差 120"), data = "oracle-speed.csv"),
  case("光速，明显大", list(variables = list("光速"), sigma0 = 50), one("光速", x, 50), said(TRUE, "two_sided", O, "大于检验标准差 50"), data = "oracle-speed.csv"),
  case("四例，左侧", list(variables = list("值"), sigma0 = 2, alternative = "less"), one("值", few$值, 2, "less"), said(FALSE, "less", O, "不足 5 例，没有给出 Bonett 区间"), data = "oracle-few.csv"),
  case("睡眠（目录给出的数），左侧", g("药", "睡眠", alternative = "less"), two(S, "less"), said(FALSE, "less", O), data = "oracle-sleep.csv"),
  case("1–5 分，有缺失", g("班", "分"), two(K), said(TRUE, "two_sided", O, "不正态，而本检验对此很敏感，样本再大也不会好转，请以 Levene 检验为准", "分散"), data = "oracle-likert.csv", measures = M),
  case("频数权重，右侧，99%", g("班", "分", weight = "次", alternative = "greater", conf_level = .99), two(W, "greater", .99), said(TRUE, "greater", O), data = "oracle-likert.csv", measures = M),
  case("不正态的一个样本", list(variables = list("分"), sigma0 = 1.1), one("分", ok$分, 1.1), c(said(FALSE, "two_sided", O, "请以 Bonett 区间为准")), data = "oracle-likert.csv", measures = M)))
