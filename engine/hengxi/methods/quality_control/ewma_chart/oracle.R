# Rscript oracle.R   (R 4.2.2, spc 0.6.7) EWMA by its recursion, ARL by spc::xewma.arl; NIST 6.3.2.4 as a check.
source("../../../../tools/oracle.R")
source("../../../../tools/oracle_control.R")
suppressMessages(library(spc))
save_as <- function(x, f) if (!file.exists(f)) write.csv(x, f, row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8", na = "")
set.seed(5); g <- rep(paste0("第", 1:24, "组"), rep(c(3, 4), 12)); v <- sample(1:5, length(g), TRUE, c(1, 2, 4, 2, 1)); v[c(5, 30, 31)] <- NA
save_as(data.frame(组 = g, 分 = v, check.names = FALSE), "oracle-likert.csv"); L <- example("oracle-likert.csv"); G <- groups(L$分, L$组)
set.seed(7); save_as(data.frame(值 = c(round(rnorm(30, 20, 2), 1), NA, round(rnorm(12, 17.5, 2), 1)), check.names = FALSE), "oracle-shift.csv"); S <- example("oracle-shift.csv")$值; S <- S[!is.na(S)]
save_as(data.frame(值 = S[1:12], check.names = FALSE), "oracle-short.csv")
single <- function(x) setNames(as.list(x), seq_along(x))
points_of <- function(G) list(n = unname(lengths(G)), x = unname(sapply(G, mean)), all = unlist(G), r = unname(sapply(G, function(x) diff(range(x)))))
sigma_of <- function(P) if (any(P$n > 1)) mean((P$r / sapply(pmax(P$n, 2), d2))[P$n > 1]) else mean(abs(diff(P$x))) / d2(2)
OUT <- list("过程失控", "先找原因并消除", "个失控点"); IN <- list("过程受控", "受控只说明过程稳定", "没有失控点"); M <- list(分 = "定量", 值 = "定量")
save_as(data.frame(序号 = 1:20, 测量值 = c(52.0, 47.0, 53.0, 49.3, 50.1, 47.0, 51.0, 50.1, 51.2, 50.5, 49.6, 47.6, 49.9, 51.3, 47.8, 51.2, 52.6, 52.4, 53.6, 52.1), check.names = FALSE), "example.csv"); e <- example()
chart <- function(G, lam = .2, L = 3, target = NULL, steady = FALSE, sigma = NULL, labels = names(G)) {
  P <- points_of(G); s <- if (is.null(sigma)) sigma_of(P) else sigma; t0 <- if (is.null(target)) mean(P$all) else target
  z <- numeric(length(G)); vr <- numeric(length(G)); h <- t0; q <- 0
  for (i in seq_along(z)) { h <- lam * P$x[i] + (1 - lam) * h; q <- sum((lam * (1 - lam)^((i - 1):0))^2 / P$n[1:i]); z[i] <- h; vr[i] <- q }
  if (steady) vr <- lam / (2 - lam) / P$n
  c(chart_blocks(list(list(name = "EWMA", v = z, cl = rep(t0, length(z)), se = s * sqrt(vr))), P$n, labels, last = TRUE, sigma = list(无 = s), k = L),
    list(block("parameters", lam = lam, L = L, target = t0, sigma = s, arl0 = xewma.arl(lam, L, 0, sided = "two", limits = "fix", r = 60), arl1 = xewma.arl(lam, L, 1, sided = "two", limits = "fix", r = 60))),
    lapply(seq_along(z), function(i) block("values", list(index = i), index = i, x = P$x[i], z = z[i])))
}
n <- chart(single(e$测量值), .3, 3, 50, TRUE, 2.0539); stopifnot(abs(Filter(function(b) b$table == "values", n)[[20]]$cells$z - 51.99) < .01, abs(n[[1]]$cells$ucl - 52.5884) < 2e-3, abs(n[[1]]$cells$lcl - 47.4116) < 2e-3)   # NIST 6.3.2.4
oracle(c("R 4.2.2", "spc 0.6.7: xewma.arl", "NIST e-Handbook 6.3.2.4"), list(
  case("NIST，稳态限", list(measures = list("测量值"), lam = .3, target = 50, steady = TRUE, sigma = 2.0539), n, c(IN, "控制限由给定的目标值和标准差算出"), measures = list(测量值 = "定量")),
  case("漂移，逐点的限", list(measures = list("值"), lam = .1, L = 2.7), chart(single(S), .1, 2.7), c(OUT, "足够稳定", "前面的点控制限不同"), data = "oracle-shift.csv", measures = M),
  case("1–5 分的子组，有缺失", list(measures = list("分"), subgroup = "组"), chart(G), list("控制限逐点不同", "控制限由过程自身的波动算出"), data = "oracle-likert.csv", measures = M),
  case("λ = 1", list(measures = list("值"), lam = 1, L = 2), chart(single(S), 1, 2), list(), data = "oracle-shift.csv", measures = M),
  case("不足二十个点", list(measures = list("值")), chart(single(S[1:12])), list("不足 20 个"), data = "oracle-short.csv", measures = M)))
