# binom.test and prop.test (its interval is Wilson's). The giants of Conover (1971) must give p = 0.38249.
source("../../../../tools/oracle.R")
one <- function(x, n, p0, alt, level, how) {
  a <- sub("_", ".", alt); e <- binom.test(x, n, p0, alternative = a, conf.level = level)
  # The correction of prop.test is min(½, |x − n p0|): a value far off keeps it at ½.
  far <- if (x / n > .5) 1e-6 else 1 - 1e-6
  ci <- switch(how, exact = e$conf.int, wilson = prop.test(x, n, far, alternative = a, conf.level = level, correct = FALSE)$conf.int,
    wilsoncc = prop.test(x, n, far, alternative = a, conf.level = level)$conf.int)
  h <- function(q) 2 * asin(sqrt(q)) - 2 * asin(sqrt(p0)); s <- x / n
  c(list(block("result", n = n, count = x, share = s, p0 = p0, p = e$p.value, low = ci[1], high = ci[2]),
    block("effects", list(effect = "Cohen's h"), value = h(s), low = h(ci[1]), high = h(ci[2]))),
    if (p0 == .5) list(block("effects", list(effect = "Cohen's g"), value = s - .5, low = ci[1] - .5, high = ci[2] - .5)))
}
at <- function(blocks, name) lapply(blocks, function(b) { b$where <- c(list(variable = name), b$where); b })
stopifnot(abs(binom.test(682, 925, .75)$p.value - .38249) < 1e-5)
base <- list(variables = list("株型"), weight = "株数", p0 = .75); always <- list("占 {share:percent1}（", "CI 的置信水平为", "每人（每次）只能计一次")
oracle("R 4.2.2: binom.test, prop.test", list(
  case("高矮之比 3:1", base, one(682, 925, .75, "two_sided", .95, "exact"), c(always, list(
    fact("“株型”为“高”的比例是", p = binom.test(682, 925, .75)$p.value), "“没有发现差异”不等于", "的差异没有统计学意义"))),
  case("矮的多于两成，Wilson，右侧 90%", c(list(variables = list("株型"), weight = "株数", success = "矮", p0 = .2, alternative = "greater", conf_level = .9, ci_method = "wilson")),
    one(243, 925, .2, "greater", .9, "wilson"), c(always, list("“株型”为“矮”的比例是", "差别不像是碰巧", "单侧检验支持高于"))),
  case("两个变量，左侧，校正的 Wilson", list(variables = list("一次", "二次"), p0 = .5, alternative = "less", ci_method = "wilsoncc"),
    c(at(one(8, 10, .5, "less", .95, "wilsoncc"), "一次"), at(one(5, 11, .5, "less", .95, "wilsoncc"), "二次")), c(always, list("没有发现低于检验比例", "“没有发现差异”不等于",
      "单侧检验没有发现低于")), data = "oracle-small.csv")))
