# Rscript oracle.R   (R 4.2.2, TSP: data USCA50) Dynamic programming over sets written here; burma14 of TSPLIB: 3323 by its own distances;
# USCA50: 14497 (Hahsler & Hornik, TSP).
source("../../../../tools/oracle.R"); suppressMessages(library(TSP))
save_as <- function(x, f) write.csv(x, f, row.names = FALSE, quote = FALSE, na = "")
held <- function(D, open = FALSE, start = 1) { n <- nrow(D); if (open) { D <- cbind(c(0, rep(0, n)), rbind(0, D)); n <- n + 1; if (!is.na(start)) { D[1, -c(1, start + 1)] <- 1e9 } }; m <- n - 1; B <- matrix(Inf, 2^m, m); for (j in 1:m) B[2^(j - 1) + 1, j] <- D[1, j + 1]
  bits <- sapply(0:(m - 1), function(j) bitwAnd(0:(2^m - 1), 2^j) > 0); size <- rowSums(bits); for (k in 2:m) for (j in 1:m) { s <- which(size == k & bits[, j]); W <- B[s - 2^(j - 1), , drop = FALSE] + rep(D[-1, j + 1], each = length(s)); B[s, j] <- do.call(pmin, as.data.frame(W)) }
  min(B[2^m, ] + D[-1, 1]) }
E <- example(); rad <- pi / 180; la <- E$纬度 * rad; lo <- E$经度 * rad; G <- 2 * 6371.0088 * asin(sqrt(sin(outer(la, la, "-") / 2)^2 + outer(cos(la), cos(la)) * sin(outer(lo, lo, "-") / 2)^2)); g <- held(G)
raw <- rbind(c(16.47, 96.10), c(16.47, 94.44), c(20.09, 92.54), c(22.39, 93.37), c(25.23, 97.24), c(22.00, 96.05), c(20.47, 97.02), c(17.20, 96.29), c(16.30, 97.38), c(14.05, 98.12), c(16.53, 97.38), c(21.52, 95.59), c(19.41, 97.13), c(20.09, 94.55)); geo <- 3.141592 * (trunc(raw) + 5 * (raw - trunc(raw)) / 3) / 180
B <- outer(1:14, 1:14, Vectorize(function(i, j) { if (i == j) return(0); q <- cos(geo[i, 2] - geo[j, 2]); r <- cos(geo[i, 1] - geo[j, 1]); s <- cos(geo[i, 1] + geo[j, 1]); floor(6378.388 * acos(.5 * ((1 + q) * r - (1 - q) * s)) + 1) })); stopifnot(held(B) == 3323); save_as(setNames(as.data.frame(B), paste0("c", 1:14)), "oracle-burma14.csv")
data("USCA50"); U <- as.matrix(USCA50); save_as(setNames(as.data.frame(unname(U)), paste0("u", 1:50)), "oracle-usca50.csv")
set.seed(2); A <- matrix(sample(5:60, 49, TRUE), 7); diag(A) <- 0; save_as(cbind(地 = LETTERS[1:7], setNames(as.data.frame(A), LETTERS[1:7])), "oracle-oneway.csv"); P <- data.frame(x = c(0, 4, 4, 0, 2, 1), y = c(0, 0, 3, 3, 5, 1)); save_as(cbind(点 = paste0("p", 1:6), P), "oracle-plane.csv"); Q <- as.matrix(dist(P))
form <- function(...) list(name = "城市", xy = list("纬度", "经度"), input = "geographic", ...); mat <- function(n, p, ...) list(xy = as.list(paste0(p, 1:n)), input = "matrix", ...); way <- function(...) list(name = "地", xy = as.list(LETTERS[1:7]), input = "matrix", ...); pts <- function(...) list(name = "点", xy = list("x", "y"), ...)
res <- function(v, n, b = v) block("result", list(), total_ = v, places = n, bound = b, gap = 1 - b / v); lead <- function(w, v, n) fact(paste0(w, "长"), v = v, n = n); say <- function(m, v, n) fact(paste0("用", m, "求解"), v = v, n = n)
nn <- function(D) { at <- 1; s <- 0; while (length(at) < nrow(D)) { r <- setdiff(seq_len(nrow(D)), at); k <- r[which.min(D[tail(at, 1), r])]; s <- s + D[tail(at, 1), k]; at <- c(at, k) }; s + D[tail(at, 1), 1] }
M <- list(x = "定量", y = "定量") ; for (k in LETTERS[1:7]) M[[k]] <- "定量"; for (k in 1:14) M[[paste0("c", k)]] <- "定量"
own <- "depends on our own search; the routes it gives are measured against exact ones"
oracle(c("R 4.2.2: dynamic programming; TSP: USCA50", "TSPLIB: burma14, 3323"), list(
  case("缅甸 14 城市", form(algorithm = "dynamic"), list(res(g, 14), points("route", list(), 15, list(leg = g)), block("route", list(order = 1), leg = 0), block("compared", list(algorithm = "最近邻（一个起点）"), total_ = nn(G), longer = nn(G) / g - 1), block("route", list(order = 15), order = 15, running = g)), list(lead("最短回路", g, 14), "已证明没有更短", say("动态规划", g, 14))),
  case("burma14", mat(14, "c"), list(res(3323, 14)), list(lead("最短回路", 3323, 14), say("整数规划（HiGHS）", 3323, 14), "排在圆上"), data = "oracle-burma14.csv", measures = M),
  case("USCA50", mat(50, "u", algorithm = "integer"), list(res(14497, 50)), list(lead("最短回路", 14497, 50)), data = "oracle-usca50.csv"),
  case("不对称", way(), list(res(held(A), 7)), list(lead("最短回路", held(A), 7), "距离不对称", say("动态规划", held(A), 7)), data = "oracle-oneway.csv", measures = M),
  case("不回到起点", pts(closed = FALSE), list(res(held(Q, TRUE, NA), 6)), list(lead("不回到起点的最短路线", held(Q, TRUE, NA), 6), say("动态规划", held(Q, TRUE, NA), 6)), data = "oracle-plane.csv", measures = M),
  case("不对称，从 C 出发不回", way(closed = FALSE, start = "C"), list(res(held(A, TRUE, 3), 7), block("route", list(order = 1), place_ = "C")), list(lead("不回到起点的最短路线", held(A, TRUE, 3), 7)), data = "oracle-oneway.csv", measures = M),
  case("2-opt", form(algorithm = "two_opt"), list(block("result", list(), places = 14)), list("求解 {n:integer} 个地点", "用最近邻 + 2-opt求解")),
  case("蚁群", form(algorithm = "ants", max_iter = 20), list(block("result", list(), total_ = g)), list("用蚁群求解", "可能更短")),
  case("模拟退火", form(algorithm = "annealing", max_iter = 60), list(block("result", list(), total_ = g)), list("用模拟退火求解")),
  case("遗传算法", form(algorithm = "genetic", max_iter = 60), list(block("result", list(), places = 14)), list("用遗传算法求解"))),
  unverified = list(list(what = "result.bound", reason = "of a search: our own bound, never above the proven optimum"), list(what = "没有证明最优", reason = own), list(what = "找到的路线", reason = own), list(what = "最短回路", reason = own)), quick = list(max_iter = 10))
