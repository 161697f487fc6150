# Rscript oracle.R   (R 4.2.2) By enumeration of all ways (../oracle_graph.R); Seervada Park: 13 on two ways (Hillier & Lieberman).
source("../../../../tools/oracle.R"); source("../oracle_graph.R")
E <- example(); W <- weights(E); D <- floyd(W); p <- ways(W, "O", "T"); stopifnot(D["O", "T"] == 13, p$length[1:3] == c(13, 13, 14))
save_as <- function(x, f) write.csv(x, f, row.names = FALSE, quote = FALSE, na = "")
R <- data.frame(从 = c(1, 1, 2, 3, 2, 4, 4, 5, 6, 1), 到 = c(2, 3, 3, 4, 4, 5, 5, 5, 1, 2), 费用 = c(4, 2.5, -3, 2, 6, 1.5, 2, 9, 1, 7)); save_as(R, "oracle-arcs.csv")
V <- weights(R, TRUE); F <- floyd(V); q <- ways(V, "1", "5")
form <- function(...) list(from_node = "从", to_node = "到", weight = "英里", ...); arcs <- function(...) list(from_node = "从", to_node = "到", weight = "费用", directed = TRUE, ...)
one <- function(p, at, s, t) lapply(at, function(i) block("paths", list(path = p$way[i]), distance = p$length[i], edges = p$edges[i]))
all <- function(W, D, s) lapply(setdiff(colnames(D)[is.finite(D[s, ])], s), function(t) { b <- ways(W, s, t); block("paths", list(target = t), path = b$way[1], distance = b$length[1], edges = b$edges[1]) })
mark <- function(k, node, d, b, o) block("steps", list(node = node), step = k, distance = d, before = b, open = o)
M <- list(从 = "定类", 到 = "定类", 费用 = "定量")
oracle(c("R 4.2.2: all ways enumerated", "Hillier & Lieberman: Seervada Park, 13"), list(
  case("塞尔瓦达公园", form(source = "O", target = "T", k = 4), c(one(p, 1:2), lapply(1:4, function(i) block("ranked", list(path = p$way[i]), rank = i, distance = p$length[i], longer = p$length[i] - 13, edges = p$edges[i])),
    list(mark(1, "O", 0, "—", "A 2，B 5，C 4"), mark(2, "A", 2, "O", "B 4，C 4，D 9"), mark(3, "B", 4, "A", "C 4，D 8，E 7"))),
    list(fact("的最短距离是", d = 13), fact("条路径一样短", n = 2), "改为永久标号", fact("采用 Dijkstra 算法，求得O", d = 13, n = 7, m = 12))),
  case("到所有结点", form(source = "O"), all(W, D, "O"), list(fact("最远的是“T”", d = 13), "可以到达所有结点", fact("个结点的最短路径（", n = 6, m = 12), "边数最少的一条", "没有选汇点")),
  case("距离矩阵", form(source = "O", target = "C", algorithm = "floyd", k = 60)[c(1, 2, 3, 4, 5, 6)], c(unlist(lapply(rownames(D), function(a) lapply(colnames(D), function(b) block("distances", list(item = a, against = b), value = D[a, b]))), FALSE),
    list(block("paths", list(path = "O → C"), distance = 4, edges = 1))), list("最短路径只有一条", "∞ 表示没有通路", fact("采用 Floyd-Warshall 算法", d = 4), "前 k 条最短路的 k 是 1")),
  case("前 50 条不够", form(source = "D", target = "T", k = 50), list(block("paths", list(path = "D → T"), distance = 5, edges = 1), block("ranked", list(rank = length(ways(W, "D", "T")$way)), distance = max(ways(W, "D", "T")$length))),
    list(fact("路径只有", n = length(ways(W, "D", "T")$way)))),
  case("有向，负的边，重复与自环", arcs(source = 1, target = 5, k = 3), one(q, 1), list("起点与终点相同的边已忽略：第 8 行", "第 7、10 行", "已改用 Bellman-Ford", "有负的距离", "用的不是 Dijkstra", fact("采用 Bellman-Ford 算法，求得1到5", d = q$length[1])), data = "oracle-arcs.csv", measures = M),
  case("有向，到不了", arcs(source = 4, algorithm = "bellman_ford"), all(V, F, "4"), list(fact("从“4”出发", d = F["4", "5"]), fact("个结点到不了：", n = sum(is.infinite(F["4", ]))), "采用 Bellman-Ford 算法，求得从4"), data = "oracle-arcs.csv", measures = M)))
