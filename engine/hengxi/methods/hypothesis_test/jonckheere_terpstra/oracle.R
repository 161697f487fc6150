# Rscript oracle.R   (R 4.2.2) J from its definition by loops, the variance from its formula; Kendall's tau-b by cor().
# The z is that of Kendall's test with ties in both rankings (cor.test). airquality: kSamples jt.test prints 2931, 2626, 204.0.
# PSPP 1.6.2 prints 188 for PlantGrowth; the three Mann-Whitney statistics of wilcox.test add to 191.5.
source("../../../../tools/oracle.R")
source("../../../../tools/oracle_samples.R")

if (!file.exists("example.csv")) { set.seed(5); d <- rep(c(0, 5, 10, 20), each = 15)
  write.csv(data.frame(剂量 = d, 反应 = round(20 + 0.25 * d + rnorm(60, 0, 4), 1), check.names = FALSE), "example.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8") }
jt <- function(y, g, alt = "two_sided", permute = FALSE) {
  keep <- !is.na(y); y <- y[keep]; g <- factor(g[keep], levels = levels(g)); L <- levels(g); J <- 0
  for (a in seq_along(L)) for (b in seq_along(L)) if (a < b) J <- J + sum(outer(y[g == L[a]], y[g == L[b]], function(u, v) (u < v) + (u == v) / 2))
  N <- length(y); n <- as.numeric(table(g)); t <- as.numeric(table(y)); h <- function(x) sum(x * (x - 1) * (2 * x + 5))
  v <- (h(N) - h(n) - h(t)) / 72 + sum(n * (n - 1) * (n - 2)) * sum(t * (t - 1) * (t - 2)) / (36 * N * (N - 1) * (N - 2)) + sum(n * (n - 1)) * sum(t * (t - 1)) / (8 * N * (N - 1))
  m <- (N^2 - sum(n^2)) / 4; z <- (J - m) / sqrt(v); p <- switch(alt, two_sided = 2 * pnorm(-abs(z)), greater = pnorm(-z), less = pnorm(z)); r <- rank(y)
  k <- suppressWarnings(cor.test(as.integer(g), y, method = "kendall", exact = FALSE)); stopifnot(abs(k$statistic - z) < 1e-9)
  c(list(if (permute) block("result", k = length(L), n = N, jt = J, mean = m, sd = sqrt(v), z = z, tau = cor(as.integer(g), y, method = "kendall"))
    else block("result", k = length(L), n = N, jt = J, mean = m, sd = sqrt(v), z = z, p = p, tau = cor(as.integer(g), y, method = "kendall"))),
    lapply(seq_along(L), function(i) block("ordered", list(group = L[i]), place_no = i, n = n[i], median = median(y[g == L[i]]), mean_rank = mean(r[g == L[i]]))),
    lapply(L, function(l) described(l, y[g == l])))
}
e <- example(); air <- airquality; pg <- PlantGrowth
write.csv(data.frame(月 = air$Month, 臭氧 = air$Ozone, check.names = FALSE), "oracle-air.csv", row.names = FALSE, quote = FALSE, na = "", fileEncoding = "UTF-8")
words <- c(ctrl = "对照", trt1 = "处理一", trt2 = "处理二"); write.csv(data.frame(组 = words[as.character(pg$group)], 重量 = pg$weight, check.names = FALSE), "oracle-plant.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
p <- jt(pg$weight, factor(words[as.character(pg$group)], words))[[1]]$cells; stopifnot(p$jt == 191.5, p$mean == 150, abs(p$sd - 26.30) < .005)
a <- jt(air$Ozone, factor(air$Month))[[1]]$cells; stopifnot(a$jt == 2931, abs(a$mean - 2626) < 1, abs(a$sd - 204) < .5, abs(a$z - 1.492767) < 1e-5)
like <- data.frame(学历 = rep(c(1, 2, 3), c(6, 5, 7)), 满意 = c(5, 4, 4, 5, 3, 4, 4, 3, 3, 4, 2, 3, 2, 2, 1, 3, 2, 2), check.names = FALSE)
write.csv(like, "oracle-like.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
OWN <- "本检验要求各行数据互不影响"; CHECKS <- list("组由前到后", "相同的值各算一半")
f <- function(...) list(group = "剂量", variables = list("反应"), ...); D <- list(剂量 = "定类", 反应 = "定量")

oracle(c("R 4.2.2: cor(method = \"kendall\"), pnorm", "R 4.2.2: cor.test(method = \"kendall\", exact = FALSE); kSamples 1.2 printed values, held by stopifnot"), list(
  case("四个剂量", f(), jt(e[["反应"]], factor(e[["剂量"]])), c(said(TRUE, "none", OWN, "样本量足够做秩检验", "上升"), CHECKS), measures = D),
  case("臭氧按月，右侧", list(group = "月", variables = list("臭氧"), alternative = "greater"), jt(air$Ozone, factor(air$Month), "greater"),
    c(list("没有发现", "不足以说"), CHECKS), data = "oracle-air.csv", measures = list(月 = "定类", 臭氧 = "定量")),
  case("文字分组，给次序", list(group = "组", variables = list("重量"), level_order = list("对照", "处理一", "处理二")), jt(pg$weight, factor(words[as.character(pg$group)], words)),
    c(said(FALSE, "none", OWN)), data = "oracle-plant.csv", measures = list(组 = "定类", 重量 = "定量")),
  case("五级量表，左侧，有结", list(group = "学历", variables = list("满意"), alternative = "less"), jt(like[["满意"]], factor(like[["学历"]]), "less"),
    list("单侧检验支持", "差异有统计学意义，标准化", "下降"), data = "oracle-like.csv", measures = list(学历 = "定类", 满意 = "定量")),
  case("置换", list(group = "学历", variables = list("满意"), p_method = "permutation"), jt(like[["满意"]], factor(like[["学历"]]), permute = TRUE),
    list("下降", "蒙特卡洛 *p* 的 99% CI"), data = "oracle-like.csv", measures = list(学历 = "定类", 满意 = "定量"))),
  unverified = list())
