# Rscript oracle.R   (R 4.2.2) Michelson's light speeds (1879, morley); intervals of d by solving pt(…, ncp) with uniroot.
source("../../../../tools/oracle.R")
source("../../../../tools/oracle_samples.R")

one <- function(x, value, alt = "two_sided", level = .95) {
  r <- t.test(x, mu = value, alternative = r_side(alt), conf.level = level); n <- length(x); t <- unname(r$statistic)
  d <- ends(function(p) ncp(t, n - 1, p) / sqrt(n), alt, level)
  J <- exp(lgamma((n - 1) / 2) - lgamma((n - 2) / 2)) / sqrt((n - 1) / 2)
  block("result", n = n, mean = mean(x), sd = sd(x), value = value, t = t, df = n - 1, p = r$p.value,
        difference = mean(x) - value, se = r$stderr, low = r$conf.int[1] - value, high = r$conf.int[2] - value,
        effect = t / sqrt(n), effect_low = d[1], effect_high = d[2], g = t / sqrt(n) * J)
}
m <- example(); speed <- m[["速度"]]
few <- data.frame(甲 = c(1.2, 3.4, 2.2, 8.9, 1.1), 乙 = c(2, 3, 5, 4, 6), check.names = FALSE)
write.csv(few, "oracle-few.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")

OWN <- "本检验要求各行数据互不影响"
oracle(c("R 4.2.2: t.test, shapiro.test, pt(ncp)"), list(
  case("光速与 734.5", list(variables = list("速度"), test_value = 734.5), list(one(speed, 734.5), described("速度", speed)),
    said(TRUE, "two_sided", OWN, "近似正态", "样本够大", "高于检验值 734.5")),
  case("单侧，没有发现", list(variables = list("速度"), test_value = 850, alternative = "less", conf_level = .9),
    list(one(speed, 850, "less", .9)), said(FALSE, "less", OWN, "没有发现“速度”的平均值低于 850", "近似正态")),
  case("单侧，有", list(variables = list("速度"), test_value = 830, alternative = "greater", assume_check = FALSE),
    list(one(speed, 830, "greater")), said(TRUE, "greater", OWN, "“速度”的平均值高于 830")),
  case("小样本", list(variables = list("甲"), test_value = 3), list(one(few[["甲"]], 3), described("甲", few[["甲"]])),
    said(FALSE, "two_sided", OWN, "没有发现“甲”的平均值与检验值 3 有明显差异", "不足 10 例"), data = "oracle-few.csv"),
  case("显著地低", list(variables = list("乙"), test_value = 9), list(one(few[["乙"]], 9)),
    said(TRUE, "two_sided", OWN, "低于检验值 9", "近似正态", "不足 10 例"), data = "oracle-few.csv")))
