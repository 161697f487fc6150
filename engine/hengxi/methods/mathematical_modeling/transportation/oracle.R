# Rscript oracle.R   (R 4.2.2, lpSolve: lp.transport, lp) P & T Company of Hillier & Lieberman: 152,535
# (by Vogel at once). Potentials solved from the basic cells.
source("../../../../tools/oracle.R"); suppressMessages(library(lpSolve))
save_as <- function(x, f) write.csv(x, f, row.names = FALSE, quote = FALSE, na = "")
mat <- function(D) { M <- as.matrix(D[2:(ncol(D) - 1)]); rownames(M) <- D[[1]]; M }
plan <- function(C, s, d, side = "min") { l <- lp.transport(C, side, rep("=", nrow(C)), s, rep("=", ncol(C)), d, integers = NULL); list(x = l$solution, value = l$objval) }
duals <- function(C, x, zero) { m <- nrow(C); n <- ncol(C); b <- which(x > 1e-9, arr.ind = TRUE); A <- matrix(0, nrow(b) + 1, m + n); for (i in seq_len(nrow(b))) { A[i, b[i, 1]] <- 1; A[i, m + b[i, 2]] <- 1 }; A[nrow(b) + 1, zero] <- 1; stopifnot(nrow(b) == m + n - 1); y <- round(solve(A, c(C[b], 0)), 10); list(u = y[1:m], v = y[m + 1:n]) }
tell <- function(C, s, d, p, y, real = C, others = TRUE) { m <- nrow(C); n <- ncol(C); r <- rownames(C); k <- colnames(C); red <- C - outer(y$u, y$v, "+")
  c(list(block("total", list(), value = p$value, routes = sum(p$x[r != "虚设产地", k != "虚设销地"] > 0), supply = sum(s[r != "虚设产地"]), demand = sum(d[k != "虚设销地"]), dummy = sum(p$x[r == "虚设产地", ]) + sum(p$x[, k == "虚设销地"]))),
    unlist(lapply(1:m, function(i) lapply(1:n, function(j) if (p$x[i, j] > 0) block("routes", list(origin = r[i], place_ = k[j]), flow = p$x[i, j], unit = C[i, j], cost = C[i, j] * p$x[i, j]) else block("reduced", list(origin = r[i], place_ = k[j]), unit = C[i, j], reduced = round(red[i, j], 10)))), FALSE),
    lapply(1:m, function(i) block("prices", list(side = "产地", name = r[i]), amount = s[i], potential = y$u[i])), lapply(1:n, function(j) block("prices", list(side = "销地", name = k[j]), amount = d[j], potential = y$v[j])),
    lapply(1:m, function(i) do.call(block, c(list("plan", list(origin = r[i])), setNames(as.list(p$x[i, ]), paste0("flow@", k)))))) }
E <- example(); C <- mat(E); s <- E$产量; d <- c(80, 65, 70, 85); p <- plan(C, s, d); stopifnot(p$value == 152535); y <- duals(C, p$x, 1)
nw <- rbind(c(75, 0, 0, 0), c(5, 65, 55, 0), c(0, 0, 15, 85)); yn <- duals(C, nw, 1); rn <- C - outer(yn$u, yn$v, "+"); stopifnot(which.min(rn) == 10, rn[10] == -232)
d2 <- c(60, 65.5, 70, 85); C2 <- cbind(C, 虚设销地 = 0); p2 <- plan(C2, s, c(d2, 19.5)); y2 <- duals(C2, p2$x, 3 + 5)
d3 <- c(97, 66.5, 69, 87.5); C3 <- rbind(C, 虚设产地 = 0); p3 <- plan(C3, c(s, 20), d3, "max"); y3 <- duals(C3, p3$x, 4)
tie <- data.frame(产 = c("A", "B"), x = c(1, 2), y = c(2, 3), 量 = c(5.5, 4)); save_as(tie, "oracle-tie.csv"); save_as(data.frame(产 = c("A", "B"), x = c(1, 4), y = c(5, 1), 量 = c(5, 4)), "oracle-flat.csv")
gap <- data.frame(产 = c("A", "B"), x = c(1, NA), y = c(2, 3), 量 = c(5, 4)); save_as(gap, "oracle-gap.csv"); big <- mat(gap); big[is.na(big)] <- 1e6; pg <- plan(big, c(5, 4), c(4, 5)); yg <- duals(big, pg$x, 1)
form <- function(...) list(origin = "罐头厂", cost = as.list(colnames(C)), supply = "产量", ...); small <- function(...) list(origin = "产", cost = list("x", "y"), supply = "量", ...)
word <- function(v, k, m, n, w = "总运费最小") list(fact(paste0(w, "是"), v = v, k = k), fact(paste0("运输问题，", w), v = v, m = m, n = n))
oracle(c("R 4.2.2 lpSolve::lp.transport", "Hillier & Lieberman: P & T Company, 152,535"), list(
  case("罐头厂", form(demand = d), c(tell(C, s, d, p, y), list(block("steps", list(entering = "—（最优）"), step = 1, value = 152535))), c(word(152535, 6, 3, 4), list(fact("总产量等于总需求量", s = 300), "最优方案只有一个。", "位势是唯一的", "同时增加 1 单位", "多运 1 单位", "第 1 行是伏格尔法", "“另一个最优方案”未给出"))),
  case("西北角", form(demand = d, init = "northwest"), list(block("steps", list(step = 1), step = 1, value = sum(C * nw), entering = "贝灵汉-阿尔伯克基", reduced = rn[10], amount = min(nw[3, 4], nw[2, 3], nw[1, 1]))), list("第 1 行是西北角法")),
  case("产大于销", form(demand = d2, init = "least"), tell(C2, s, c(d2, 19.5), p2, y2), c(word(p2$value, sum(p2$x[, 1:4] > 0), 3, 4), list(fact("产大于销：有", x = 19.5), "变化它的位势", "第 1 行是最小元素法"))),
  case("销大于产，收益最大", form(demand = d3, sense = "max", init = "none"), tell(C3, c(s, 20), d3, p3, y3), c(word(p3$value, sum(p3$x[1:3, ] > 0), 3, 4, "总收益最大"), list(fact("销大于产：有", x = 20), "选了不演示"))),
  case("多个最优，取整", small(demand = c(5, 4), integer = TRUE), list(block("total", list(), value = 17, supply = 9, demand = 9), block("other", list(origin = "A", place_ = "x"), flow = 5)), list("小数部分运不出去", "另一个列在明细里"), data = "oracle-tie.csv"),
  case("退化", small(demand = c(5, 4)), list(block("total", list(), value = 9, routes = 2)), list(fact("最优方案是退化的", k = 3)), data = "oracle-flat.csv"),
  case("有不通的路线", small(demand = c(4, 5)), list(block("total", list(), value = pg$value), block("prices", list(name = "B"), potential = yg$u[2])), list(fact("个空的运费", k = 1), "有不通的路线", "“空格的检验数”未给出：没有空格"), data = "oracle-gap.csv")))
