# Rscript oracle.R   (R 4.2.2) Darwin's maize; binom.test, order statistics by qbinom.
source("../../../../tools/oracle.R")
source("../../../../tools/oracle_samples.R")

sign <- function(x, value = 0, alt = "two_sided", level = .95) {
  d <- round(x - value, 10); up <- sum(d > 0); n <- sum(d != 0); N <- length(x); s <- sort(x)
  a <- if (alt == "two_sided") (1 - level) / 2 else 1 - level; k <- qbinom(a, N, .5)   # the largest k with P(B < k) <= a
  ci <- if (k > 0) c(if (alt == "less") -Inf else s[k], if (alt == "greater") Inf else s[N + 1 - k])
  row <- function(what, count) block("signs", list(sign = what), count = count)
  list(block("result", n = n, S = up, z = (up - n / 2) / sqrt(n / 4), p = binom.test(up, n, alternative = r_side(alt))$p.value,
             share = up / n, median = median(x), low = ci[1], high = ci[2]),
       row("正差", up), row("负差", n - up), row("结（零差）", sum(d == 0)), row("总数", N))
}
m <- example(); a <- m[["异花授粉"]]; b <- m[["自花授粉"]]
f <- function(...) list(variable = list("异花授粉"), ...); p <- function(...) f(pair = list("自花授粉"), ...)
few <- data.frame(甲 = c(1, 2, 2, 5), check.names = FALSE); write.csv(few, "oracle-few.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
K <- list(异花授粉 = "定量", 自花授粉 = "定量"); OWN <- "本检验要求各行数据互不影响"; OK <- "足够做符号检验"

oracle(c("R 4.2.2: binom.test, qbinom"), list(
  case("玉米，配对", p(), c(sign(a - b), list(described("异花授粉", a), described("自花授粉", b), described("差值", a - b))),
    said(TRUE, "two_sided", OWN, OK, "大于“自花授粉”的情形更多"), measures = K),
  case("单个变量，右侧", f(test_value = 140, alternative = "greater", conf_level = .9), c(sign(a, 140, "greater", .9), list(described("异花授粉", a))),
    said(TRUE, "greater", OWN, OK, "大于 140 的情形更多"), measures = K),
  case("单个变量，左侧", f(test_value = 172, alternative = "less"), sign(a, 172, "less"), said(FALSE, "less", OWN, OK), measures = K),
  case("差值与 30", p(test_value = 30), sign(a - b, 30), said(FALSE, "two_sided", OWN, OK, "“自花授粉”加 30"), measures = K),
  case("单个变量，双侧", f(test_value = 100), sign(a, 100), said(TRUE, "two_sided", OWN, OK), measures = K),
  case("四个值", list(variable = list("甲"), test_value = 1.5), sign(few[["甲"]], 1.5),
    c(said(FALSE, "two_sided", OWN, "样本太小：数据再极端", "没有区间")), data = "oracle-few.csv", measures = list(甲 = "定量"))))
