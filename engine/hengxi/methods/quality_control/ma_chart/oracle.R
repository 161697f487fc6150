# Rscript oracle.R   (R 4.2.2) moving averages by loops; limits 3 sigma / sqrt(w n).
source("../../../../tools/oracle.R")
source("../../../../tools/oracle_control.R")
save_as <- function(x, f) if (!file.exists(f)) write.csv(x, f, row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8", na = "")
set.seed(5); g <- rep(paste0("第", 1:24, "组"), rep(c(3, 4), 12)); v <- sample(1:5, length(g), TRUE, c(1, 2, 4, 2, 1)); v[c(5, 30, 31)] <- NA
save_as(data.frame(组 = g, 分 = v, check.names = FALSE), "oracle-likert.csv"); L <- example("oracle-likert.csv"); G <- groups(L$分, L$组)
set.seed(7); save_as(data.frame(值 = c(round(rnorm(30, 20, 2), 1), NA, round(rnorm(12, 17.5, 2), 1)), check.names = FALSE), "oracle-shift.csv"); S <- example("oracle-shift.csv")$值; S <- S[!is.na(S)]
save_as(data.frame(值 = S[1:12], check.names = FALSE), "oracle-short.csv")
single <- function(x) setNames(as.list(x), seq_along(x))
points_of <- function(G) list(n = unname(lengths(G)), x = unname(sapply(G, mean)), all = unlist(G), r = unname(sapply(G, function(x) diff(range(x)))))
sigma_of <- function(P) if (any(P$n > 1)) mean((P$r / sapply(pmax(P$n, 2), d2))[P$n > 1]) else mean(abs(diff(P$x))) / d2(2)
OUT <- list("过程失控", "先找原因并消除", "个失控点"); IN <- list("过程受控", "受控只说明过程稳定", "没有失控点"); M <- list(分 = "定量", 值 = "定量")
set.seed(44); save_as(data.frame(序号 = 1:50, 测量值 = round(c(rnorm(29, 10, 1), rnorm(21, 11.2, 1)), 2), check.names = FALSE), "example.csv"); e <- example()
chart <- function(G, w = 3, k = 3, centre = NULL, sigma = NULL) {
  P <- points_of(G); s <- if (is.null(sigma)) sigma_of(P) else sigma; c0 <- if (is.null(centre)) mean(P$all) else centre
  a <- sapply(seq_along(P$x), function(i) mean(P$x[max(1, i - w + 1):i])); se <- sapply(seq_along(P$x), function(i) { j <- max(1, i - w + 1):i; s * sqrt(sum(1 / P$n[j])) / length(j) })
  c(chart_blocks(list(list(name = "移动平均", v = a, cl = rep(c0, length(a)), se = se)), P$n, names(G), last = TRUE, sigma = list(无 = s), k = k), lapply(seq_along(a), function(i) block("values", list(index = i), index = i, x = P$x[i], average = a[i])))
}
oracle(c("R 4.2.2: mean, ptukey"), list(
  case("第三十点起偏移", list(measures = list("测量值"), span = 5), chart(single(e$测量值), 5), c(OUT, "足够稳定", "前面的点控制限不同"), measures = list(测量值 = "定量")),
  case("1–5 分的子组，受控", list(measures = list("分"), subgroup = "组", k_sigma = 4), chart(G, k = 4), c(IN, "控制限逐点不同"), data = "oracle-likert.csv", measures = M),
  case("已知标准，不足二十个点", list(measures = list("值"), center = 20, span = 4), chart(single(S[1:12]), 4, centre = 20), list("不足 20 个"), data = "oracle-short.csv", measures = M),
  case("已知 σ", list(measures = list("值"), sigma = 2), chart(single(S[1:12]), sigma = 2), list(), data = "oracle-short.csv", measures = M)))
