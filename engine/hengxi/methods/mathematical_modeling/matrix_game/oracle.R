# Rscript oracle.R   (R 4.2.2, lpSolve) Political campaign, variation 3, of Hillier & Lieberman: 2/11, (7/11, 4/11), (0, 5/11, 6/11).
source("../../../../tools/oracle.R"); suppressMessages(library(lpSolve))
save_as <- function(x, f) write.csv(x, f, row.names = FALSE, quote = FALSE, na = "")
side <- function(A) { s <- 1 - min(A); B <- A + s; l <- lp("min", rep(1, nrow(B)), t(B), rep(">=", ncol(B)), rep(1, ncol(B))); list(v = 1 / l$objval - s, p = l$solution / l$objval) }
edge <- function(A, v, k, d) { m <- nrow(A); g <- rep(0, m); g[k] <- 1; lp(d, g, rbind(t(A) - v, rep(1, m)), c(rep(">=", ncol(A)), "="), c(rep(-1e-12, ncol(A)), 1))$objval }
mat <- function(D) { M <- as.matrix(D[-1]); rownames(M) <- D[[1]]; M }
tell <- function(A, range = TRUE, p = TRUE) { x <- side(A); y <- side(-t(A)); stopifnot(abs(x$v + y$v) < 1e-9); lo <- apply(A, 1, min); hi <- apply(A, 2, max)
  one <- function(who, nm, q, B, v) lapply(seq_along(nm), function(k) do.call(block, c(list("mixed", list(player = who, strategy = nm[k])), if (p) list(p = q[k]), if (range) list(least = round(edge(B, v, k, "min"), 10), most = round(edge(B, v, k, "max"), 10)))))
  c(list(block("result", list(), value = x$v, low = max(lo), high = min(hi))), one("局中人 I", rownames(A), x$p, A, x$v), one("局中人 II", colnames(A), y$p, -t(A), -x$v),
    lapply(seq_along(lo), function(i) block("bounds", list(player = "局中人 I", strategy = rownames(A)[i]), sure = lo[i])), lapply(seq_along(hi), function(i) block("bounds", list(player = "局中人 II", strategy = colnames(A)[i]), sure = hi[i]))) }
A <- mat(example()); stopifnot(abs(side(A)$v - 2 / 11) < 1e-12)
S <- data.frame(行 = c("a", "b", "c"), 甲 = c(-3, 2, 5), 乙 = c(-2, 0, -2), 丙 = c(6, 2, -4)); save_as(S, "oracle-saddle.csv")
R <- data.frame(出 = c("石头", "剪刀", "布"), 石头 = c(0, -1, 1), 剪刀 = c(1, 0, -1), 布 = c(-1, 1, 0)); save_as(R, "oracle-hands.csv"); two <- data.frame(行 = c("上", "下"), 左 = c(4, 1), 右 = c(1, 3)); save_as(two, "oracle-two.csv"); tall <- data.frame(行 = c("u", "v", "w"), 左 = c(1, 1, 0), 右 = c(1, 1, 0)); save_as(tall, "oracle-flat.csv")
B <- data.frame(他 = c("足球", "歌剧"), 足球 = c(2, 0), 歌剧 = c(0, 1)); save_as(B, "oracle-sexes.csv"); P <- data.frame(他 = c("合作", "背叛"), 合作 = c(3, 5), 背叛 = c(0, 1)); save_as(P, "oracle-dilemma.csv"); F <- data.frame(行 = c("r1", "r2"), c1 = c(1, 0), c2 = c(1, 2)); save_as(F, "oracle-degenerate.csv")
K <- list(左 = "定量", 右 = "定量", c1 = "定量", c2 = "定量", 足球 = "定量", 歌剧 = "定量", 合作 = "定量", 背叛 = "定量", 石头 = "定量", 剪刀 = "定量", 布 = "定量")
form <- function(D, ...) list(name = names(D)[1], payoff = as.list(names(D)[-1]), ...); m2 <- function(...) list(rows = NULL, columns = NULL, values = list(...)); eq <- function(k, x, y, g, h) block("equilibria", list(first = x, second = y), number = k, gain = g, gain2 = h)
n2 <- function(v, side) list(fact("的零和博弈，博弈值为", v = v), side)
oracle(c("R 4.2.2 lpSolve", "Hillier & Lieberman: political campaign, 2/11"), list(
  case("竞选", form(example()), c(tell(A), list(block("removed", list(strategy = "策略三"), order = 1, player = "局中人 I", by = "策略二"))), c(list(fact("没有鞍点，双方要用混合策略", v = 2 / 11), "都是唯一的", "I 至少保证得到", "范围：所有最优策略", "只在一方有两个策略"), n2(2 / 11, "对局中人 I 有利"))),
  case("鞍点", form(S), tell(mat(S)), c(list(fact("有鞍点（b，乙），博弈值", v = 0), "没有严格劣策略"), n2(0, "是公平的")), data = "oracle-saddle.csv"),
  case("猜拳", form(R, dominated = FALSE), tell(mat(R)), n2(0, "是公平的"), data = "oracle-hands.csv", measures = K),
  case("两个策略，图解", form(two), c(tell(mat(two)), list(points("points", list(), 4, list(value = 9)))), c(n2(side(mat(two))$v, "对局中人 I 有利"), list("下边界的最高点")), data = "oracle-two.csv"),
  case("不唯一", form(tall), tell(mat(tall), p = FALSE), list("最优策略不唯一", "上边界的最低点", "有鞍点（u，左）", "对局中人 I 有利"), data = "oracle-flat.csv", measures = K),
  case("性别战", form(B, kind = "bimatrix", payoff2 = m2(c(1, 0), c(0, 2))), list(eq(1, "足球", "足球", 2, 1), eq(2, "歌剧", "歌剧", 1, 2), eq(3, "足球 0.6667，歌剧 0.3333", "足球 0.3333，歌剧 0.6667", 2 / 3, 2 / 3)), list(fact("个纳什均衡，其中", k = 3, p = 2), "列出的就是全部均衡", "任何一方单独改变", fact("的双矩阵博弈，得到", k = 3, m = 2, n = 2)), data = "oracle-sexes.csv", measures = K),
  case("囚徒困境", form(P, kind = "bimatrix", payoff2 = m2(c(3, 5), c(0, 1))), list(eq(1, "背叛", "背叛", 1, 1), block("removed", list(player = "局中人 II"), order = 2, strategy = "合作", by = "背叛")), list(fact("个纳什均衡，其中", k = 1, p = 1)), data = "oracle-dilemma.csv", measures = K),
  case("退化", form(F, kind = "bimatrix", payoff2 = m2(c(1, 1), c(0, 3))), list(eq(1, "r1", "c1", 1, 1)), list("除了列出的，还可能有别的"), data = "oracle-degenerate.csv", measures = K)))
