# Rscript oracle.R   (R 4.2.2, coin 1.4.2) Student's sleep data and Darwin's maize; the parts are in oracle_samples.R.
source("../../../../tools/oracle.R")
source("../../../../tools/oracle_samples.R")

s <- example(); a <- s[["药物1"]]; b <- s[["药物2"]]
cross <- c(188, 96, 168, 176, 153, 172, 177, 163, 146, 173, 186, 168, 177, 184, 96)
self <- c(139, 163, 160, 160, 147, 149, 149, 122, 132, 144, 130, 144, 102, 124, 144)
likert <- data.frame(前 = rep(c(1, 2, 3, 4, 5, 3, 2, 4), 8), 后 = c(rep(c(2, 2, 4, 4, 5, 2, 3, 5), 4), rep(c(1, 3, 3, 4, 4, 5, 2, 5), 4)), check.names = FALSE)
write.csv(data.frame(异花 = cross, 自花 = self, check.names = FALSE), "oracle-maize.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
write.csv(likert, "oracle-likert.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
pair <- function(a, b, ...) signed_rank(round(a - b, 10), round(a - b, 10), "Hodges-Lehmann 差值", ...)
signs <- function(a, b, side = "two.sided") { d <- a - b; list(block("sign", positive = sum(d > 0), negative = sum(d < 0),
  p = binom.test(sum(d > 0), sum(d != 0), alternative = side)$p.value)) }
sleepy <- function(...) list(pairs_a = list("药物1"), pairs_b = list("药物2"), ...)
maize <- function(...) list(pairs_a = list("异花"), pairs_b = list("自花"), ...)
scale5 <- function(...) list(pairs_a = list("前"), pairs_b = list("后"), ...)
M <- list(异花 = "定量", 自花 = "定量"); L <- list(前 = "定量", 后 = "定量"); S <- list(药物1 = "定量", 药物2 = "定量")
OWN <- "本检验要求各对之间互不影响"; CHECK <- list("个差值为 0", "足够做秩检验")

oracle(c("R 4.2.2: qsignrank, binom.test", "coin 1.4.2: wilcoxsign_test(distribution = \"exact\")"), list(
  case("两种药", sleepy(), c(pair(a, b), signs(a, b), list(described("药物1", a), described("药物2", b), described("差值", a - b))),
    c(said(TRUE, "two_sided", OWN, "总体上低于“药物2”", "不太对称"), CHECK), measures = S),
  case("玉米，右侧，Pratt", maize(alternative = "greater", zero_method = "pratt", conf_level = .9),
    c(pair(cross, self, "greater", .9, TRUE), signs(cross, self, "greater")), c(said(TRUE, "greater", OWN), CHECK), data = "oracle-maize.csv", measures = M),
  case("玉米，左侧，渐近", maize(alternative = "less", p_method = "asymptotic", continuity = TRUE, sign_test = FALSE),
    pair(cross, self, "less", .95, exact = FALSE, correct = TRUE), c(said(FALSE, "less", OWN), CHECK), data = "oracle-maize.csv", measures = M),
  case("五级评分，零差值剔除", scale5(), c(pair(likert[["前"]], likert[["后"]]), signs(likert[["前"]], likert[["后"]])),
    c(said(TRUE, "two_sided", OWN, "大致对称"), CHECK), data = "oracle-likert.csv", measures = L),
  case("五级评分，Pratt，渐近", scale5(zero_method = "pratt", p_method = "asymptotic", conf_level = .999),
    pair(likert[["前"]], likert[["后"]], "two_sided", .999, TRUE, FALSE), c(said(TRUE, "two_sided", OWN, "参与排秩", "连线会看不清"), CHECK), data = "oracle-likert.csv", measures = L),
  case("玉米，双侧", maize(), pair(cross, self), c(said(TRUE, "two_sided", OWN), CHECK), data = "oracle-maize.csv", measures = M),
  case("玉米，99%", maize(conf_level = .99), pair(cross, self, "two_sided", .99), c(said(FALSE, "two_sided", OWN), CHECK), data = "oracle-maize.csv", measures = M)))
