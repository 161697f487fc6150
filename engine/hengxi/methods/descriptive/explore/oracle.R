# Rscript oracle.R   (R 4.2.2, MASS, car, nortest) Michelson's light speeds (morley); M-estimates by solving sum(psi) = 0.
source("../../../../tools/oracle.R")
suppressMessages({library(MASS); library(nortest)})

G1 <- function(x) { n <- length(x); d <- x - mean(x); sqrt(n * (n - 1)) / (n - 2) * mean(d^3) / mean(d^2)^1.5 }
G2 <- function(x) { n <- length(x); d <- x - mean(x); (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * (mean(d^4) / mean(d^2)^2 - 3) + 6) }
psis <- list("Huber" = function(u) pmax(-1.5, pmin(1.5, u)), "Tukey 双权" = function(u) u * pmax(0, 1 - (u / 4.685)^2)^2,
  "Hampel" = function(u) sign(u) * ifelse(abs(u) <= 2, abs(u), ifelse(abs(u) <= 4, 2, ifelse(abs(u) <= 8, 2 * (8 - abs(u)) / 4, 0))),
  "Andrews 波" = function(u) ifelse(abs(u) <= 1.339 * pi, 1.339 * sin(u / 1.339), 0))
m_at <- function(x, psi) { s <- mad(x); uniroot(function(t) sum(psi((x - t) / s)), median(x) + c(-1, 1) * s, tol = 1e-14 * max(1, s))$root }
levene <- function(x, g, f) { z <- abs(x - ave(x, g, FUN = f)); a <- anova(lm(z ~ factor(g))); c(a$F[1], a$Df, a$`Pr(>F)`[1]) }
one <- function(x, group = NULL, raw = x, row = seq_along(x), k = 5, level = .95, robust = TRUE, frequency = NULL, label = NULL) {
  n <- length(x); w <- if (is.null(group)) list() else list(group = group); at <- function(...) c(w, list(...)); t <- t.test(x, conf.level = level); q <- function(p) unname(quantile(x, p, type = 6)); f <- fivenum(x)
  g1 <- sqrt(6 * n * (n - 1) / ((n - 2) * (n + 1) * (n + 3))); g2 <- 2 * g1 * sqrt((n^2 - 1) / ((n - 3) * (n + 5)))
  s <- shapiro.test(x); l <- lillie.test(x)
  end <- function(name, o) lapply(seq_len(min(k, length(o))), function(i) { j <- o[i]; do.call(block, c(list("extremes", at(end = name, rank = i), row_number = row[j], value = raw[j]), if (is.null(frequency)) NULL else list(cases = frequency[j]), if (is.null(label)) NULL else list(label = label[j]))) })
  c(list(block("described", w, n = n, mean = mean(x), se = sd(x) / sqrt(n), low = t$conf.int[1], high = t$conf.int[2], trimmed = mean(x, trim = .05), median = median(x), variance = var(x), sd = sd(x),
      least = min(x), most = max(x), range = diff(range(x)), iqr = q(.75) - q(.25), skewness = G1(x), skewness_se = g1, kurtosis = G2(x), kurtosis_se = g2),
    block("percentiles", at(way = "加权平均"), p5 = q(.05), p10 = q(.1), p25 = q(.25), p50 = q(.5), p75 = q(.75), p90 = q(.9), p95 = q(.95)),
    block("percentiles", at(way = "Tukey 枢纽"), p25 = f[2], p50 = f[3], p75 = f[4]),
    block("tested", at(test = "Shapiro-Wilk"), n = n, statistic = unname(s$statistic), p = s$p.value),
    # Above .1 nortest and this page read other fits (help of the normality test).
    do.call(block, c(list("tested", at(test = "K-S（Lilliefors 校正）"), n = n, statistic = unname(l$statistic)), if (l$p.value <= .1) list(p = l$p.value)))),
    if (robust) lapply(names(psis), function(e) block("robust", at(estimator = e), value = m_at(x, psis[[e]]), scale = mad(x))),
    end("最高", order(-raw)), end("最低", order(raw))) }
m <- example(); v <- m[["速度"]]; run <- m[["试验组"]]; stopifnot(abs(m_at(v, psis$Huber) - huber(v, tol = 1e-12)$mu) < 1e-6, identical(fivenum(v), c(620, 805, 850, 895, 1070)))
lev <- function(x, g, factor) { ways <- list("中位数" = median, "均值" = mean, "5%截尾均值" = function(z) mean(z, trim = .05))
  lapply(names(ways), function(w) { r <- levene(x, g, ways[[w]]); block("homogeneity", list(factor = factor, way = w), F = r[1], df1 = r[2], df2 = r[3], p = r[4]) }) }
out <- function(x) { f <- fivenum(x); d <- 1.5 * (f[4] - f[2]); c(sum(x < f[2] - d | x > f[4] + d), sum(x < f[2] - 2 * d | x > f[4] + 2 * d)) }
o5 <- rowSums(sapply(1:5, function(g) out(v[run == g])))
# A survey: ages with a gap, two word factors, how often each row counts.
s <- data.frame(年龄 = c(18, 25, 31, 22, 47, 52, NA, 38, 29, 95, 33, 41), 性别 = rep(c("男", "女"), 6), 学历 = rep(c("本科", "硕士", "本科"), 4), 编号 = paste0("A", 1:12), 份数 = c(2, 1, 3, 1, 2, 1, 4, 1, 2, 1, 1, 2), check.names = FALSE)
write.csv(s, "oracle-ages.csv", row.names = FALSE, quote = FALSE, na = "", fileEncoding = "UTF-8")
part <- function(col, key) { i <- which(s[[col]] == key & !is.na(s$年龄)); one(rep(s$年龄[i], s$份数[i]), paste0(col, "：", key), s$年龄[i], i, 2, .9, frequency = s$份数[i], label = s$编号[i]) }
i <- which(!is.na(s$年龄)); y <- rep(s$年龄[i], s$份数[i]); g1 <- rep(s$性别[i], s$份数[i]); g2 <- rep(s$学历[i], s$份数[i])
oy <- rowSums(sapply(c(split(y, g1), split(y, g2)), out))
NOTE <- list("离群值不一定是错的", "没有发现偏离正态，不等于就是正态")
oracle(c("R 4.2.2: quantile(type = 6), fivenum, mad, shapiro.test, anova", "MASS: huber", "nortest: lillie.test"), list(
  case("光速", list(variables = list("速度")), one(v), c(NOTE, list(fact("“速度”的均值为", n = 100, mean = mean(v), median = median(v)), fact("箱线图标出", outside = sum(v < 805 - 135 | v > 895 + 135), far = 0), "茎宽")), measures = list(试验组 = "定类", 速度 = "定量")),
  case("光速，按试验组", list(variables = list("速度"), groups = list("试验组")), c(do.call(c, lapply(1:5, function(g) one(v[run == g], as.character(g), v[run == g], which(run == g)))), lev(v, run, "试验组")),
    c(NOTE, list(fact("“速度”的中位数以“1”最高", m1 = median(v[run == 1])), "各组方差不同", "茎宽", fact("组中", k = 5, s = sum(sapply(1:5, function(g) shapiro.test(v[run == g])$p.value < .05))), fact("箱线图标出", outside = o5[1], far = o5[2]))), measures = list(试验组 = "定类", 速度 = "定量")),
  case("年龄，两个因子", list(variables = list("年龄"), groups = list("性别", "学历"), label = "编号", weight = "份数", n_extreme = 2, conf_level = .9),
    c(part("性别", "男"), part("性别", "女"), part("学历", "本科"), part("学历", "硕士"), lev(y, g1, "性别"), lev(y, g2, "学历")), c(NOTE, list("“年龄”的中位数以", "没有发现各组方差不同", "茎宽", fact("箱线图标出", outside = oy[1], far = oy[2]))),
    data = "oracle-ages.csv", measures = list(年龄 = "定量", 性别 = "定类", 学历 = "定类", 份数 = "定量", 编号 = "文本"))),
  unverified = list(list(what = "extremes.rank", reason = "the place by which a row is found"), list(what = "stems.n", reason = "counts of a stem-and-leaf display of our own layout, checked in test_method.py")))
