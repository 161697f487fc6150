# Rscript oracle.R   (R 4.2.2, lpSolve: lp.assign) All assignments enumerated; Job Shop of Hillier & Lieberman: 29.
source("../../../../tools/oracle.R"); suppressMessages(library(lpSolve))
save_as <- function(x, f) write.csv(x, f, row.names = FALSE, quote = FALSE, na = "")
perms <- function(v, k) if (k == 0) list(integer()) else unlist(lapply(v, function(x) lapply(perms(setdiff(v, x), k - 1), function(p) c(x, p))), FALSE)
all_of <- function(C, side = 1) { n <- nrow(C); m <- ncol(C); P <- if (n <= m) lapply(perms(1:m, n), function(p) cbind(1:n, p)) else lapply(perms(1:n, m), function(p) cbind(p, 1:m)); v <- sapply(P, function(p) sum(C[p])); ok <- !is.na(v); P <- P[ok]; v <- v[ok]; o <- order(side * v); list(P = P[o], v = v[o]) }
tell <- function(C, a, side = 1, k = min(5, length(a$v) - 1)) { p <- a$P[[1]]; p <- p[order(p[, 1]), , drop = FALSE]; c(list(block("total", list(), value = a$v[1], people = nrow(C), tasks = ncol(C), pairs = nrow(p))),
  lapply(seq_len(nrow(p)), function(i) block("chosen", list(person = rownames(C)[p[i, 1]]), task = colnames(C)[p[i, 2]], cost = C[p[i, 1], p[i, 2]])),
  if (k > 0) list(points("others", list(), k, list(value = sum(a$v[1 + 1:k]), gap = sum(abs(a$v[1 + 1:k] - a$v[1])))))) }
mat <- function(D) { M <- as.matrix(D[-1]); rownames(M) <- D[[1]]; M }
E <- mat(example()); a <- all_of(E); stopifnot(a$v[1] == lp.assign(E)$objval); b <- all_of(E, -1); stopifnot(b$v[1] == lp.assign(E, "max")$objval)
J <- data.frame(机器 = c("M1", "M2", "M3"), 位1 = c(13, 15, 5), 位2 = c(16, NA, 7), 位3 = c(12, 13, 10), 位4 = c(11, 20, 6)); save_as(J, "oracle-shop.csv"); j <- all_of(mat(J)); stopifnot(j$v[1] == 29)
S <- mat(example())[1:2, ]; two <- expand.grid(rep(list(1:2), 5)); ok <- apply(two, 1, function(r) max(table(r)) <= 3); v <- apply(two, 1, function(r) sum(S[cbind(r, 1:5)])); v[!ok] <- NA; w <- unlist(two[which.min(v), ]); s <- sort(v); save_as(example()[1:2, ], "oracle-two.csv")
T4 <- data.frame(人 = c("子", "丑", "寅", "卯"), 一 = c(1, 2, 9, 4), 二 = c(2, 1, 3, 4)); save_as(T4, "oracle-tall.csv"); t <- all_of(mat(T4))
form <- function(E, id, ...) list(name = id, cost = as.list(colnames(E)), ...)
say <- function(word, v, n, m) list(fact(paste0(word, "是"), v = v), fact(paste0("指派问题，", word), n = n, m = m, v = v))
same <- function(a) sum(abs(a$v[2:6] - a$v[1]) < 1e-9)
only <- function(a) if (same(a) == 0) "最优指派只有一种" else fact(if (same(a) == 5) "至少还有" else "种指派同样好", k = same(a))
oracle(c("R 4.2.2 lpSolve::lp.assign, all assignments enumerated", "Hillier & Lieberman: Job Shop, 29"), list(
  case("五人五任务", form(E, "人员"), c(tell(E, a), list(block("others", list(rank = 1), rank = 1, value = a$v[2], gap = a$v[2] - a$v[1]), block("steps", list(action = "行约简"), step = 1, detail = paste("各行减去最小值", paste(apply(E, 1, min), collapse = "、"))), block("steps", list(detail = "至少要 5 条线，等于阶数，可以指派"), lines = 5))), c(say("总成本最小", a$v[1], 5, 5), list(only(a), "矩阵一行一段，× 表示不可指派。只有"))),
  case("收益最大", form(E, "人员", sense = "max"), Filter(function(x) x$table != "chosen", tell(E, b, -1)), c(say("总收益最大", b$v[1], 5, 5), list(only(b), "开始前用最大的数"))),
  case("车间，有禁止", form(J[-1], "机器"), tell(mat(J), j), c(say("总成本最小", 29, 3, 4), list("没有人做的任务：“位2”", fact("个空单元格", k = 1), only(j))), data = "oracle-shop.csv"),
  case("一人多岗", form(S, "人员", unbalanced = "several", capacity = 3), c(list(block("total", list(), value = min(v, na.rm = TRUE), people = 2, tasks = 5, pairs = 5), points("others", list(), 5, list(value = sum(s[2:6]))),
    lapply(1:5, function(k) block("chosen", list(task = colnames(S)[k]), person = rownames(S)[w[k]], cost = S[w[k], k]))))[c(1, 2)], c(say("总成本最小", s[1], 2, 5), list(if (s[2] == s[1]) "同样好" else "最优指派只有一种")), data = "oracle-two.csv"),
  case("人比任务多", form(T4[-1], "人"), tell(mat(T4), t), c(say("总成本最小", t$v[1], 4, 2), list("没有任务的人员：“寅”“卯”", only(t))), data = "oracle-tall.csv")))
