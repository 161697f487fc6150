# chisq.test(p = …), pchisq; the exact p by listing all tables with dmultinom; w's interval by uniroot over pchisq(ncp).
# Mendel must give χ² = 0.470024 and the horse kicks 0.323524 with df = 2.
source("../../../../tools/oracle.R")
fit <- function(words, o, p, lost = 0, level = .95, kind = "pearson", exact = NULL) {
  n <- sum(o); e <- n * p; df <- length(o) - 1 - lost
  v <- c(sum((o - e)^2 / e), 2 * sum(ifelse(o > 0, o * log(o / e), 0)), 4 * sum((sqrt(o) - sqrt(e))^2)); names <- c("Pearson χ²", "似然比 G", "Freeman-Tukey")
  keys <- c("pearson", "likelihood", "freeman_tukey"); q <- v[1]
  if (lost == 0) stopifnot(abs(suppressWarnings(chisq.test(o, p = p))$statistic - q) < 1e-9)
  bound <- function(a) if (pchisq(q, df) <= a) 0 else uniroot(function(l) pchisq(q, df, ncp = l) - a, c(0, 20 * q + 200), tol = 1e-14)$root; a <- (1 - level) / 2
  c(lapply(seq_along(o), function(i) block("result", list(category = words[i]), n = o[i], share = o[i] / n, expected = e[i], wanted = p[i], residual = o[i] - e[i], z = (o[i] - e[i]) / sqrt(e[i] * (1 - p[i])))),
    lapply(1:3, function(i) block("tests", list(test = names[i]), read = if (keys[i] == kind && is.null(exact)) "采用" else "", value = v[i], df = df, p = pchisq(v[i], df, lower.tail = FALSE))),
    if (!is.null(exact)) list(block("tests", list(test = "精确多项检验"), read = "采用", p = exact)),
    list(block("effects", list(effect = "Cohen's w"), value = sqrt(q / n), low = sqrt(bound(1 - a) / n), high = sqrt(bound(a) / n))))
}
d <- example(); o <- d$株数; p <- c(9, 3, 3, 1) / 16; stopifnot(abs(fit(d$表型, o, p)[[5]]$cells$value - .470024) < 1e-6)
k <- read.csv("oracle-kicks.csv"); l <- sum(k$死亡数 * k$军年数) / sum(k$军年数); P <- fit(c("0", "1", "2", "≥3"), c(109, 65, 22, 4), c(dpois(0:2, l), ppois(2, l, lower.tail = FALSE)), 1)
stopifnot(abs(P[[5]]$cells$value - .323524) < 1e-6)
few <- c(6, 1, 2); writeLines(c("颜色", rep(c("红", "黄", "蓝"), few)), "oracle-few.csv"); third <- rep(1 / 3, 3)
all <- as.matrix(expand.grid(0:9, 0:9, 0:9)); all <- all[rowSums(all) == 9, ]; stat <- apply(all, 1, function(u) sum((u - 3)^2 / 3))
exact <- sum(apply(all[stat >= sum((few - 3)^2 / 3) - 1e-9, ], 1, dmultinom, prob = third))
heads <- c(2, 3, 9, 24, 12); writeLines(c("正面", rep(0:4, heads)), "oracle-heads.csv"); q <- sum(0:4 * heads) / 200; B <- dbinom(0:4, 4, q); stopifnot(50 * B[1] < 1, 50 * sum(B[1:2]) >= 1)
digits <- c(40, 18, 12, 10, 8, 3, 4, 3, 2); writeLines(c("金额", "0", sprintf("%g", c(rep(1.5, 20), rep(0.0123, 20), rep(2, 18), rep(300, 12), rep(41, 10), rep(5e-3, 8), rep(6, 3), rep(-7.1, 4), rep(88, 3), rep(.999, 2)))), "oracle-money.csv")
always <- list("CI 的置信水平为", "每个（每人）只能计一次"); none <- c(always, list("“没有发现差异”不等于完全一致", "的差异没有统计学意义，", "的差异没有统计学意义（"))
yes <- c(always, list("如果真实比例就是期望", "的差异有统计学意义，", "的差异有统计学意义（"))
top <- function(o, p) { i <- which.max(abs((o - sum(o) * p) / sqrt(sum(o) * p * (1 - p)))); list(s1 = o[i] / sum(o), s0 = p[i]) }
oracle(c("R 4.2.2: chisq.test, pchisq, dmultinom, dpois, dbinom", "R 4.2.2: pchisq(ncp)，用 uniroot 反解（w）"), list(
  case("孟德尔的豌豆 9:3:3:1", list(variable = "表型", weight = "株数", theoretical = "custom", expected = c(56.25, 18.75, 18.75, 6.25)), fit(d$表型, o, p), c(none, list(fact("没有发现“表型”的分布与给定的比例有明显差异", n = 556), "可以用。"))),
  case("普鲁士马踢，泊松", list(variable = "死亡数", weight = "军年数", theoretical = "poisson"), P, c(none, list(fact("与泊松分布（λ = {parameter:num}", parameter = l, n = 200), "超过 20%")), data = "oracle-kicks.csv", measures = list(死亡数 = "定量")),
  case("9 例均等，精确", list(variable = "颜色", exact = TRUE, conf_level = .9), fit(c("红", "黄", "蓝"), few, third, 0, .9, exact = exact), c(none, list(do.call(fact, c("没有发现“颜色”的分布与均等比例有明显差异", top(few, third))), "已用精确 *p*")), data = "oracle-few.csv"),
  case("四次抛掷，二项，似然比", list(variable = "正面", theoretical = "binomial", statistic = "likelihood", exact = TRUE), fit(c("≤1", "2", "3", "4"), c(5, 9, 24, 12), c(sum(B[1:2]), B[3:5]), 1, kind = "likelihood"),
    c(none, list(fact("与二项分布（p = {parameter:num}", parameter = q, n = 50), "不给精确 *p*", "超过 20%")), data = "oracle-heads.csv", measures = list(正面 = "定量")),
  case("金额的首位，本福特，Freeman-Tukey", list(variable = "金额", theoretical = "benford", statistic = "freeman_tukey"), fit(as.character(1:9), digits, log10(1 + 1 / 1:9), kind = "freeman_tukey"),
    c(none, list(do.call(fact, c("与本福特定律有明显差异", n = 100, top(digits, log10(1 + 1 / 1:9)))), "可以用。", "个值是 0")), data = "oracle-money.csv", measures = list(金额 = "定量")),
  case("豌豆不是均等的", list(variable = "表型", weight = "株数"), fit(d$表型, o, rep(.25, 4)), c(yes, list(fact("“表型”的分布与均等比例不一致", n = 556), "可以用。")))),
  unverified = list(list(what = "tests.low", reason = "Wilson interval of a Monte Carlo share; the draws are ours alone"), list(what = "tests.high", reason = "as low")))
