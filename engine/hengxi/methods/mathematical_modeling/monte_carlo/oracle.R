# Rscript oracle.R   (R 4.2.2) Means and standard deviations of the distributions by their formulas; fits by maximum likelihood.
source("../../../../tools/oracle.R")
save_as <- function(x, f) write.csv(x, f, row.names = FALSE, quote = FALSE, na = "")
inp <- function(name, dist, ...) { p <- c(..., NA, NA, NA)[1:3]; list(id = paste0("r_", name), name = name, dist = dist, parameters = setNames(lapply(p, function(v) if (is.na(v)) NULL else v), c("p1", "p2", "p3"))) }
law <- function(name, m, s) block("inputs_", list(name = name), mean = m, sd = s)
tri <- function(a, c, b) c((a + b + c) / 3, sqrt((a^2 + b^2 + c^2 - a * b - a * c - b * c) / 18)); pert <- function(a, m, b) { u <- (a + 4 * m + b) / 6; c(u, sqrt((u - a) * (b - u) / 7)) }
set.seed(9); D <- data.frame(需求 = round(rlnorm(60, 3, .4), 2), 误差 = round(rnorm(60), 3)); save_as(D, "oracle-history.csv")
fit <- function(name, x) { n <- length(x); m <- mean(x); s <- sqrt(mean((x - m)^2)); z <- sort(x); one <- function(dist, cdf, ll, k) { u <- cdf(z); i <- 1:n; a <- -n - sum((2 * i - 1) / n * (log(u) + log(1 - rev(u)))); do.call(block, c(list("fitted", list(name = name, dist = dist)), list(d = max(i / n - u, u - (i - 1) / n), aic = 2 * k - 2 * ll), if (is.finite(a)) list(a2 = a))) }
  c(list(one("正态", function(q) pnorm(q, m, s), sum(dnorm(x, m, s, TRUE)), 2), one("均匀", function(q) punif(q, min(x), max(x)), -n * log(diff(range(x))), 2)), if (min(x) > 0) { l <- mean(log(x)); g <- sqrt(mean((log(x) - l)^2)); list(one("对数正态", function(q) plnorm(q, l, g), sum(dlnorm(x, l, g, TRUE)), 2), one("指数", function(q) pexp(q, 1 / m), sum(dexp(x, 1 / m, TRUE)), 1)) }) }
npv <- list(inp("价格", "triangular", 90, 100, 115), inp("销量", "normal", 2000, 300), inp("单位成本", "uniform", 55, 75)); eq <- list("年利润 = (价格 - 单位成本) * 销量 - 40000", "NPV = 年利润 * (1 - 1.1^-5) / 0.1 - 150000")
all <- list(inp("a", "lognormal", 1, .5), inp("b", "poisson", 4), inp("c", "binomial", 10, .3), inp("d", "exponential", 2), inp("g", "pert", 1, 2, 6), inp("需求", "empirical")); s2 <- function(x) sqrt(mean((x - mean(x))^2))
own <- "our own draws; test_method.py holds them against closed forms"
fix <- list(inp("x", "uniform", 0, 1), inp("y", "uniform", 0, 1))
oracle(c("R 4.2.2: moments by formula, maximum likelihood"), list(
  case("新产品净现值", list(inputs = npv, outputs = eq, threshold = 0), list(law("价格", tri(90, 100, 115)[1], tri(90, 100, 115)[2]), law("销量", 2000, 300), law("单位成本", 65, 20 / sqrt(12))), list("“年利润”平均", "有九成可能在", "“年利润”超过", "次数够了", "影响最大的输入是“单位成本”", "各输入互不影响", "以拉丁超立方抽样模拟", "正的同向，负的反向", "两端各千分之一")),
  case("各种分布，经验，相关", list(inputs = all, outputs = list("z = a + b + c + d + g + 需求"), n = 500, sampling = "random", data = list("需求", "误差"), corr = list(rows = NULL, columns = NULL, values = lapply(1:6, function(i) sapply(1:6, function(j) if (i == j) 1 else if (i + j == 3) .6 else 0)))),
    c(list(law("a", exp(1 + .125), exp(1.125) * sqrt(exp(.25) - 1)), law("b", 4, 2), law("c", 3, sqrt(2.1)), law("d", 2, 2), law("g", pert(1, 2, 6)[1], pert(1, 2, 6)[2]), law("需求", mean(D$需求), s2(D$需求))), fit("需求", D$需求), fit("误差", D$误差)), list("请加大模拟次数", "AIC 最小的最好", "以简单随机抽样", "“z”平均"), data = "oracle-history.csv"),
  case("Sobol，没有定义的，矩阵非正定", list(inputs = c(fix, list(inp("w", "normal", 0, 1))), outputs = list("q = ln(x - 0.1) + y*w"), n = 2000, sampling = "sobol", corr = list(rows = NULL, columns = NULL, values = list(c(1, .9, -.9), c(.9, 1, .9), c(-.9, .9, 1)))), list(law("x", .5, 1 / sqrt(12)), law("w", 0, 1)), list("次模拟里公式没有定义", "不是正定的", "以Sobol抽样", "“q”平均")),
  case("不变", list(inputs = fix, outputs = list("k = 0*x + 3"), n = 100), list(block("results", list(), mean = 3, se = 0, low = 3, high = 3, sd = 0, q5 = 3, q25 = 3, q50 = 3, q75 = 3, q95 = 3)), list("结果没有变动", "结果不随输入变动", "“k”平均", "以拉丁超立方抽样"))),
  unverified = lapply(c("results.skew", "results.kurtosis", "risk.p", "risk.p_low", "risk.p_high", "drivers.rho", "drivers.share", "inputs_.got", "inputs_.got_sd"), function(w) list(what = w, reason = own)))
