# prop.test without correction (its X² is Z², its interval Wilson's), binom.test; Wald's Z written out.
source("../../../../tools/oracle.R")
if (!file.exists("example.csv")) { set.seed(41); d <- data.frame(编号 = 1:500, 满意 = ifelse(runif(500) < .74, "是", "否")); d$满意[c(7, 88)] <- NA
  write.csv(d, "example.csv", row.names = FALSE, quote = FALSE, na = "") }
d <- example(); x <- sum(d$满意 == "是", na.rm = TRUE); n <- sum(d$满意 != "", na.rm = TRUE)
writeLines(c("一次,二次", rep("是,无", 6), rep("是,有", 9), rep("否,有", 5), rep("否,无", 5)), "oracle-small.csv")
one <- function(x, n, p0, alt = "two_sided", level = .95, how = "score", read = how) {
  a <- sub("_", ".", alt); s <- x / n; w <- prop.test(x, n, p0, alternative = a, conf.level = level, correct = FALSE); e <- binom.test(x, n, p0, alternative = a, conf.level = level)
  z <- (s - p0) / sqrt((if (how == "wald") s * (1 - s) else p0 * (1 - p0)) / n); if (how == "score") stopifnot(abs(z^2 - w$statistic) < 1e-9)
  p <- switch(alt, two_sided = 2 * pnorm(-abs(z)), greater = pnorm(-z), less = pnorm(z))
  h <- function(q) 2 * asin(sqrt(q)) - 2 * asin(sqrt(p0)); ci <- if (how == "exact") e$conf.int else w$conf.int
  test <- if (how == "exact") list(p = e$p.value) else list(z = z, p = p)
  c(list(do.call(block, c(list("result", list(), n = n, count = x, share = s, p0 = p0, low = w$conf.int[1], high = w$conf.int[2], exact_low = e$conf.int[1], exact_high = e$conf.int[2]), test)),
    block("effects", list(effect = "Cohen's h"), value = h(s), low = h(ci[1]), high = h(ci[2]))),
    if (p0 == .5) list(block("effects", list(effect = "Cohen's g"), value = s - .5, low = ci[1] - .5, high = ci[2] - .5)))
}
at <- function(blocks, name) lapply(blocks, function(b) { b$where <- c(list(variable = name), b$where); b })
stopifnot(all(abs(prop.test(15, 25, correct = FALSE)$conf.int - c(.407395, .765967)) < 1e-6))
always <- list("占 {share:percent1}（", "CI 的置信水平为", "每人（每次）只能计一次"); f <- function(p0, ...) list(variables = list("满意"), p0 = p0, ...)
oracle(c("R 4.2.2: prop.test(correct = FALSE), binom.test", "R 4.2.2: pnorm（Wald Z 由公式写出）"), list(
  case("满意的比例与七成", f(.7), one(x, n, .7), c(always, list(fact("“满意”为“是”的比例是", share = x / n), "“没有发现差异”不等于", "的差异没有统计学意义", "，样本够大。"))),
  case("不满意低于四成，Wald，左侧 90%", f(.4, success = "否", method = "wald", alternative = "less", conf_level = .9), one(n - x, n, .4, "less", .9, "wald"),
    c(always, list("，差异有统计学意义", "差别不像是碰巧", "单侧检验支持低于", "，样本够大。"))),
  case("两个变量，一半", list(variables = list("一次", "二次"), p0 = .5), c(at(one(15, 25, .5), "一次"), at(one(14, 25, .5), "二次")), c(always, list("没有发现明显差异", "“没有发现差异”不等于",
    "的差异没有统计学意义", "，样本够大。")), data = "oracle-small.csv"),
  case("期望数不足 5，改用精确，右侧", f(.995, alternative = "greater"), one(x, n, .995, "greater", how = "exact"), c(always, list("没有发现高于检验比例", "“没有发现差异”不等于", "单侧检验没有发现高于",
    "正态近似不可靠，已改用精确检验", "，已用精确检验。")))))
