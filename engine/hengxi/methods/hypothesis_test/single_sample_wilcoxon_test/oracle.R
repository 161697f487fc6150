# Rscript oracle.R   (R 4.2.2, coin 1.4.2) Michelson's light speeds; the parts are in oracle_samples.R.
source("../../../../tools/oracle.R")
source("../../../../tools/oracle_samples.R")

one <- function(x, value, ...) signed_rank(x - value, x, "Hodges-Lehmann 中位数", ...)
m <- example(); speed <- m[["速度"]]; first <- speed[1:20]
few <- data.frame(甲 = c(1.2, 3.4, 2.2, 8.9), 乙 = c(2, 3, 5, 40), check.names = FALSE)
write.csv(setNames(data.frame(first), "速度"), "oracle-first.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
write.csv(few, "oracle-few.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
f <- function(...) list(variables = list("速度"), ...)
OWN <- "本检验要求各行数据互不影响"; S <- list(速度 = "定量"); K <- list(甲 = "定量", 乙 = "定量")
v <- wilcox.test(first, mu = 900, exact = FALSE, correct = FALSE); stopifnot(abs(v$p.value - .42025) < 1e-5, v$statistic == 115)

oracle(c("R 4.2.2: qsignrank, wilcox.test", "coin 1.4.2: wilcoxsign_test(distribution = \"exact\")"), list(
  case("光速与 734.5", f(test_value = 734.5), c(one(speed, 734.5, exact = FALSE), list(described("速度", speed))),
    said(TRUE, "two_sided", OWN, "总体上高于检验值 734.5", "大致对称", "个差值为 0", "足够做秩检验"), measures = S),
  case("前 20 次与 900", f(test_value = 900), c(one(first, 900), list(described("速度", first))),
    said(FALSE, "two_sided", OWN, "个差值为 0", "足够做秩检验", "对称"), data = "oracle-first.csv", measures = S),
  case("前 20 次，右侧，渐近", f(test_value = 850, alternative = "greater", p_method = "asymptotic", zero_method = "pratt", continuity = TRUE),
    one(first, 850, "greater", .95, TRUE, FALSE, TRUE), said(TRUE, "greater", OWN, "个差值为 0", "足够做秩检验", "对称"), data = "oracle-first.csv", measures = S),
  case("左侧，没有", f(test_value = 900, alternative = "less", p_method = "asymptotic", conf_level = .99), one(first, 900, "less", .99, exact = FALSE),
    said(FALSE, "less", OWN), data = "oracle-first.csv", measures = S),
  case("四个值", list(variables = list("乙"), p_method = "asymptotic"), c(one(few[["乙"]], 0), list(described("乙", few[["乙"]]))),
    list("先看差多少", "的置信水平为", "没有区间", "非零差值仅", "样本太小：数据再极端", "不太对称", "没有发现", "差异无统计学意义", "“不显著”不等于没有差异"), data = "oracle-few.csv", measures = K)))
