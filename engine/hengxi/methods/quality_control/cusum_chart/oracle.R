# Rscript oracle.R   (R 4.2.2, spc 0.6.7) tabular CUSUM by its recursion, ARL by spc::xcusum.arl; NIST 6.3.2.3 as a check.
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
save_as(data.frame(序号 = 1:20, 组均值 = c(324.925, 324.675, 324.725, 324.350, 325.350, 325.225, 324.125, 324.525, 325.225, 324.600, 324.625, 325.150, 328.325, 327.250, 327.825, 328.500, 326.675, 327.775, 326.875, 328.350), check.names = FALSE), "example.csv"); e <- example()
chart <- function(G, k = .5, h = 5, target = NULL, sigma = NULL, fir = FALSE, mask = FALSE, labels = names(G)) {
  P <- points_of(G); s <- if (is.null(sigma)) sigma_of(P) else sigma; t0 <- if (is.null(target)) mean(P$all) else target; z <- (P$x - t0) * sqrt(P$n) / s; m <- length(z)
  run <- function(d) { c0 <- if (fir) h / 2 else 0; n0 <- 0; t(sapply(seq_along(d), function(i) { c0 <<- max(0, c0 + d[i] - k); n0 <<- if (c0 > 0) n0 + 1 else 0; c(c0, n0) })) }
  u <- run(z); d <- run(-z); one <- rep(1, m)
  panels <- if (mask) { a <- cumsum(z); r <- h + k * (m - seq_len(m)); list(list(name = "累积和", v = a, cl = 0 * one, se = one, low = a[m] - r, high = a[m] + r)) } else
    list(list(name = "C⁺（偏大）", v = u[, 1], cl = 0 * one, se = one, lower = 0, high = h * one), list(name = "C⁻（偏小）", v = -d[, 1], cl = 0 * one, se = one, upper = 0, low = -h * one))
  b <- c(chart_blocks(panels, P$n, labels, last = TRUE, sigma = list(无 = s), k = h), list(block("parameters", target = t0, sigma = s, k = k, h = h, arl0 = xcusum.arl(k, h, 0, hs = if (fir) h / 2 else 0, sided = "two", r = 60), arl1 = xcusum.arl(k, h, 1, hs = if (fir) h / 2 else 0, sided = "two", r = 60))),
    lapply(seq_len(m), function(i) do.call(block, c(list("sums", list(index = i), index = i, x = P$x[i], up = u[i, 1], up_n = u[i, 2], down = d[i, 1], down_n = d[i, 2]), if (u[i, 1] > h || d[i, 1] > h) list(alarm = if (u[i, 1] > h) "偏大" else "偏小")))))
  for (side in c("偏大", "偏小")) { w <- if (side == "偏大") u else d; a <- which(w[, 1] > h); if (length(a)) { a <- a[1]; q <- a - w[a, 2]; b <- c(b, list(block("changes", list(side = side), alarm = a, change = q, shift = weighted.mean(P$x[(q + 1):a], P$n[(q + 1):a])))) } }
  b
}
n <- chart(single(e$组均值), .25, 3.3037, 325, 1.27); u <- Filter(function(b) b$table == "sums", n); stopifnot(abs(u[[14]]$cells$up * 1.27 - 4.94) < .01, abs(u[[20]]$cells$up * 1.27 - 19.04) < .02)   # NIST 6.3.2.3
oracle(c("R 4.2.2", "spc 0.6.7: xcusum.arl", "NIST e-Handbook 6.3.2.3"), list(
  case("NIST", list(measures = list("组均值"), k = .25, h = 3.3037, target = 325, sigma = 1.27), n, c(OUT, "控制限由给定的目标值和标准差算出", "首次报警"), measures = list(组均值 = "定量")),
  case("漂移，快速初始响应", list(measures = list("值"), fir = TRUE, target = 20), chart(single(S), target = 20, fir = TRUE), list("足够稳定", "控制限由过程自身的波动算出"), data = "oracle-shift.csv", measures = M),
  case("漂移，V 型罩", list(measures = list("值"), form = "vmask", h = 4, target = 19), chart(single(S), h = 4, target = 19, mask = TRUE), list("前面的点控制限不同"), data = "oracle-shift.csv", measures = M),
  case("1–5 分的子组，受控", list(measures = list("分"), subgroup = "组", h = 8), chart(G, h = 8), IN, data = "oracle-likert.csv", measures = M),
  case("不足二十个点", list(measures = list("值"), h = 2, k = 0), chart(single(S[1:12]), 0, 2), list("不足 20 个", "也有失控点"), data = "oracle-short.csv", measures = M)))
