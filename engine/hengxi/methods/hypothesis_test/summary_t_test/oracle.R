# Rscript oracle.R > oracle.json   (R 4.2.2, jsonlite)
# t tests written out from their formulas with pt and qt; intervals of d by solving pt(…, ncp) with uniroot. The first
# case is the sleep data of Student (1908), whose t.test it must give: t = -1.8608, df = 17.776.
source("../../../../tools/oracle.R")

ncp <- function(t, df, p) suppressWarnings(uniroot(function(d) pt(t, df, d) - p, c(t - 8, t + 8), tol = 1e-15))$root
tail_of <- function(t, df, alt) switch(alt, two_sided = 2 * pt(-abs(t), df), greater = pt(-t, df), less = pt(t, df))
share <- function(alt, level) if (alt == "two_sided") (1 - level) / 2 else 1 - level
ends <- function(f, alt, level) {
  a <- share(alt, level)
  c(if (alt == "less") -Inf else f(1 - a), if (alt == "greater") Inf else f(a))
}
t_row <- function(name, read, diff, se, df, alt, level) {
  ci <- ends(function(p) diff - qt(p, df) * se, alt, level)
  block("result", list(test = name), read = read, t = diff / se, df = df, p = tail_of(diff / se, df, alt),
        difference = diff, se = se, low = ci[1], high = ci[2])
}
mean_row <- function(name, n, m, s, level) {
  half <- qt(1 - (1 - level) / 2, n - 1) * s / sqrt(n)
  block("means", list(group = name), n = n, mean = m, sd = s, se = s / sqrt(n), low = m - half, high = m + half)
}
effects <- function(t, root, df, alt, level) {
  d <- c(t * root, ends(function(p) ncp(t, df, p) * root, alt, level))
  J <- exp(lgamma(df / 2) - lgamma((df - 1) / 2)) / sqrt(df / 2)
  list(block("effects", list(effect = "Cohen's d"), value = d[1], low = d[2], high = d[3]),
       block("effects", list(effect = "Hedges' g"), value = d[1] * J, low = d[2] * J, high = d[3] * J))
}
two <- function(n1, m1, s1, n2, m2, s2, alt = "two_sided", level = .95) {
  v <- c(s1^2 / n1, s2^2 / n2); welch <- sum(v)^2 / sum(v^2 / (c(n1, n2) - 1)); m <- n1 + n2 - 2
  sp <- sqrt(((n1 - 1) * s1^2 + (n2 - 1) * s2^2) / m); root <- sqrt(1 / n1 + 1 / n2)
  n <- if (s1 >= s2) c(n1, n2) else c(n2, n1); F <- max(s1, s2)^2 / min(s1, s2)^2
  c(list(t_row("Welch", "采用", m1 - m2, sqrt(sum(v)), welch, alt, level),
         t_row("Student", "", m1 - m2, sp * root, m, alt, level),
         mean_row("第一组", n1, m1, s1, level), mean_row("第二组", n2, m2, s2, level),
         block("ratio", F = F, df1 = n[1] - 1, df2 = n[2] - 1,
               p = min(1, 2 * min(pf(F, n[1] - 1, n[2] - 1), 1 - pf(F, n[1] - 1, n[2] - 1))))),
    effects((m1 - m2) / (sp * root), root, m, alt, level))
}
one <- function(test, group, n, m, s, value, alt = "two_sided", level = .95) {
  se <- s / sqrt(n)
  c(list(t_row(test, "采用", m - value, se, n - 1, alt, level), mean_row(group, n, m, s, level)),
    effects((m - value) / se, 1 / sqrt(n), n - 1, alt, level))
}

a <- sleep$extra[1:10]; b <- sleep$extra[11:20]
# Full digits, so that Student's own data and their summary give the same.
full <- list(type = "two_sample", n1 = 10, mean1 = mean(a), sd1 = sd(a), n2 = 10, mean2 = mean(b), sd2 = sd(b))
r <- t.test(a, b); stopifnot(abs(two(10, mean(a), sd(a), 10, mean(b), sd(b))[[1]]$cells$p - r$p.value) < 1e-12)
shown <- list(type = "two_sample", n1 = 10, mean1 = .75, sd1 = 1.78901, n2 = 10, mean2 = 2.33, sd2 = 2.002249)
said <- list("只有统计量，看不到分布", "相差不大")

oracle(c("R 4.2.2: t.test, pt, qt, pf", "R 4.2.2: pt(ncp)，用 uniroot 反解（d、g）"), list(
  case("Student 的睡眠数据，两组摘要", shown, two(10, .75, 1.78901, 10, 2.33, 2.002249), c(said, list(
    "没有发现两组均值有明显差异", "“没有发现”不等于没有差异", "差异没有统计学意义，*t*"))),
  case("同一数据，完整位数", full, two(10, mean(a), sd(a), 10, mean(b), sd(b)), said),
  case("文献里的两组，右侧 90%", list(type = "two_sample", n1 = 48, mean1 = 31.4, sd1 = 9.2, n2 = 52, mean2 = 25.1,
    sd2 = 4.1, alternative = "greater", conf_level = .9), two(48, 31.4, 9.2, 52, 25.1, 4.1, "greater", .9), list(
    "两组均值的差异有统计学意义", "单侧置信下限", "相差较大", "区间里没有 0")),
  case("单样本，左侧", list(type = "one_sample", n1 = 25, mean1 = 98.2, sd1 = 4.6, mean2 = 100, alternative = "less"),
    one("单样本", "样本", 25, 98.2, 4.6, 100, "less"), list("样本均值与检验值的差异有统计学意义", "单侧置信上限", "单样本 *t* 检验")),
  case("配对差值，99%", list(type = "paired", n1 = 10, mean1 = mean(a - b), sd1 = sd(a - b), conf_level = .99),
    one("配对", "差值", 10, mean(a - b), sd(a - b), 0, "two_sided", .99), list("配对差值的均值与 0 的差异有统计学意义", "配对样本 *t* 检验"))))
