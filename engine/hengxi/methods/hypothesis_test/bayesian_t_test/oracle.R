# Rscript oracle.R   (R 4.2.2) Rouder et al. (2009), formula 1, by integrate over g; the posterior by dt(ncp) times dcauchy.
source("../../../../tools/oracle.R")
source("../../../../tools/oracle_samples.R")

# Two-sided: over the inverse-gamma mixing variable; one-sided and the posterior: over the effect itself.
bf10 <- function(t, n, v, r) { f <- function(g) (1 + n * g * r^2)^-.5 * (1 + t^2 / ((1 + n * g * r^2) * v))^(-(v + 1) / 2) * (2 * pi)^-.5 * g^-1.5 * exp(-1 / (2 * g))
  integrate(f, 0, Inf, rel.tol = 1e-12, subdivisions = 10000)$value / (1 + t^2 / v)^(-(v + 1) / 2) }
like <- function(d, t, n, v) suppressWarnings(dt(t, v, d * sqrt(n))) / dt(t, v)
area <- function(t, n, v, r, lo, hi) { if (hi <= lo) return(0); m <- t / sqrt(n); w <- 6 * sqrt((1 + t^2 / v) / n); cuts <- sort(unique(pmin(pmax(c(lo, m - w, m - w / 3, m, m + w / 3, m + w, hi), lo), hi)))
  sum(sapply(seq_len(length(cuts) - 1), function(i) integrate(function(d) like(d, t, n, v) * dcauchy(d, 0, r), cuts[i], cuts[i + 1], rel.tol = 1e-9, subdivisions = 5000, stop.on.error = FALSE)$value)) }
ends_at <- function(t, n, v, alt) { w <- 9 * sqrt((1 + t^2 / v) / n); m <- t / sqrt(n); switch(alt, two_sided = c(m - w, m + w), greater = c(0, max(m + w, w)), less = c(min(m - w, -w), 0)) }
# dt(ncp) is good to about ten digits, and less far out; hence the tolerances.
bf <- function(t, n, v, gap, sd, total, r = .707, alt = "two_sided", level = .95) {
  e <- ends_at(t, n, v, alt); k <- if (alt == "two_sided") 1 else 2; whole <- area(t, n, v, r, e[1], e[2]); B <- if (alt == "two_sided") bf10(t, n, v, r) else k * whole
  q <- function(p) uniroot(function(x) area(t, n, v, r, e[1], x) / whole - p, e, tol = 1e-10)$root; tail <- (1 - level) / 2
  list(block("result", t = t, df = v), block("result", bf10 = B, bf01 = 1 / B, log = log(B), tolerance = if (alt == "two_sided") 1e-8 else 1e-6, reason = if (alt == "two_sided") "integrate" else "dt with a noncentrality"),
    block("posterior", difference = gap, d = gap / sd, n = total), block("posterior", median = q(.5), low = q(tail), high = q(1 - tail), tolerance = 1e-5, reason = "dt with a noncentrality")) }
m <- example(); drug <- split(m[["增加睡眠小时"]], factor(m[["药物"]], unique(m[["药物"]]))); a <- drug[[1]]; b <- drug[[2]]; utf <- function(d, f) write.csv(d, f, row.names = FALSE, quote = FALSE, na = "", fileEncoding = "UTF-8")
two <- function(a, b, ...) { t <- t.test(a, b, var.equal = TRUE); n <- length(a) * length(b) / (length(a) + length(b)); s <- unname(diff(rev(t$estimate)) / t$statistic) * sqrt(n); bf(unname(t$statistic), n, unname(t$parameter), mean(a) - mean(b), s, length(a) + length(b), ...) }
one <- function(d, mu = 0, ...) { t <- t.test(d, mu = mu); bf(unname(t$statistic), length(d), length(d) - 1, mean(d) - mu, sd(d), length(d), ...) }
stopifnot(abs(bf10(-4.0621277, 10, 9, sqrt(.5)) - 17.25888) < 1e-4)   # sleep, pairs: BayesFactor::ttestBF
utf(data.frame(药1 = a, 药2 = b), "oracle-pairs.csv")
s <- data.frame(性别 = c("男", "女", "女", "男", "女", "男", "男", "女"), 评分 = c(3, 4, NA, 2, 5, 3, 4, 4), 份数 = c(4, 3, 2, 5, 6, 1, 2, 7)); utf(s, "oracle-scale.csv"); k <- s[!is.na(s$评分), ]; x <- with(k[k$性别 == "男", ], rep(评分, 份数)); y <- with(k[k$性别 == "女", ], rep(评分, 份数))
p <- list(design = "paired", variables = list("药1"), pair = "药2", r_scale = sqrt(.5)); f <- function(...) list(design = "independent", group = "药物", variables = list("增加睡眠小时"), ...)
SAY <- list("贝叶斯因子的意思是", "采用 JZS 贝叶斯", "本检验要求各行", "可信区间的水平为", "支持的一方")
oracle(c("R 4.2.2: integrate, dt(ncp), dcauchy", "Rouder et al. (2009), formula 1; BayesFactor: 17.25888"), list(
  case("两种安眠药", f(), c(two(a, b), list(described("药1", a), described("药2", b))), c(SAY, list("“药1”组与“药2”组", "有没有差异还不能下结论，证据微弱，略偏向"))),
  case("配对", p, c(one(a - b, r = sqrt(.5)), list(described("差值", a - b))), c(SAY, list("数据支持“药1”与“药2”有差异", "支持的一方不变")), data = "oracle-pairs.csv"),
  case("配对，左侧，90%", c(p, list(alternative = "less", cri = .9)), one(a - b, r = sqrt(.5), alt = "less", level = .9), c(SAY, list("有负向的差异")), data = "oracle-pairs.csv"),
  case("单样本，右侧", list(design = "one", variables = list("药1"), test_value = 2, alternative = "greater"), one(a, 2, alt = "greater"), c(SAY, list("没有差异，而不是有正向的差异（BF₀₁")), data = "oracle-pairs.csv"),
  case("量表，频数", list(design = "independent", group = "性别", variables = list("评分"), weight = "份数", r_scale = 1), two(x, y, r = 1), c(SAY, list("数据支持“男”组与“女”组的“评分”有差异（BF₁₀", "有频数权重或个案太少时不画")), data = "oracle-scale.csv", measures = list(性别 = "定类", 评分 = "定量", 份数 = "定量"))),
  unverified = list(list(what = "result.error", reason = "the difference of two quadratures of our own")))
