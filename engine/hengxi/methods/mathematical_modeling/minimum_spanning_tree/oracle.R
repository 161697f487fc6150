# Rscript oracle.R   (R 4.2.2) All spanning trees by enumeration of sets of edges; Seervada Park: 14 (Hillier & Lieberman).
source("../../../../tools/oracle.R")
save_as <- function(x, f) write.csv(x, f, row.names = FALSE, quote = FALSE, na = "")
parts <- function(n, E) { g <- seq_along(n); names(g) <- n; for (i in seq_len(nrow(E))) g[g == g[E[i, 2]]] <- g[E[i, 1]]; g }
forests <- function(E, side = 1) {                      # every set of n - c edges without a circle, the best of them
  E[1:2] <- lapply(E[1:2], as.character); n <- sort(unique(c(E[[1]], E[[2]]))); c0 <- length(unique(parts(n, E))); k <- length(n) - c0
  sets <- combn(nrow(E), k, simplify = FALSE); ok <- Filter(function(s) length(unique(parts(n, E[s, ]))) == c0, sets)
  w <- sapply(ok, function(s) side * sum(E[s, 3])); best <- ok[abs(w - min(w)) < 1e-9]
  list(value = side * min(w), sets = best, k = k, n = length(n), parts = c0, swaps = setdiff(unique(unlist(best)), best[[1]]))
}
greedy <- function(E, side = 1) { E[1:2] <- lapply(E[1:2], as.character); n <- sort(unique(c(E[[1]], E[[2]]))); E <- E[order(side * E[[3]], pmin(E[[1]], E[[2]]), pmax(E[[1]], E[[2]])), ]; g <- parts(n, E[0, ]); out <- list(); run <- 0; o <- 0
  for (i in seq_len(nrow(E))) { a <- E[i, 1]; b <- E[i, 2]; take <- g[a] != g[b]; lab <- paste(a, "—", b); out[[length(out) + 1]] <- block("steps", list(edge = lab), step = i, weight = E[i, 3], fate = if (take) "取" else "舍去")
    if (take) { g[g == g[b]] <- g[a]; run <- run + E[i, 3]; o <- o + 1; out[[length(out) + 1]] <- block("tree", list(edge = lab), order = o, weight = E[i, 3], running = run) } }; out }
whole <- function(f) list(block("total", list(), value = f$value, edges = f$k, nodes = f$n, parts = f$parts))
E <- example(); f <- forests(E); stopifnot(f$value == 14); g <- forests(E, -1)
two <- data.frame(从 = c(1, 2, 3, 1, 2, 10, 11, 10, 2, 3), 到 = c(2, 3, 1, 3, 2, 11, 12, 12, 1, 2), 米 = c(1.5, 2, 2, 7, 4, 3, 4, 5, 9, 2)); save_as(two, "oracle-two.csv")
clean <- data.frame(从 = c(1, 2, 3, 10, 11, 10), 到 = c(2, 3, 1, 11, 12, 12), 米 = c(1.5, 2, 2, 3, 4, 5)); h <- forests(clean)
form <- function(w = "英里", ...) list(from_node = "从", to_node = "到", weight = w, ...); M <- list(从 = "定类", 到 = "定类", 米 = "定量")
only <- function(f, side) if (length(f$sets) == 1) paste0(side, "生成树只有一棵") else "不唯一：用"
prim <- function() { E[1:2] <- lapply(E[1:2], as.character); at <- "O"; out <- list(); run <- 0; while (length(at) < 7) { i <- which(xor(E[[1]] %in% at, E[[2]] %in% at)); i <- i[order(E[i, 3], pmin(E[i, 1], E[i, 2]), pmax(E[i, 1], E[i, 2]))][1]; at <- unique(c(at, E[i, 1], E[i, 2])); run <- run + E[i, 3]
  out[[length(out) + 1]] <- block("tree", list(edge = paste(E[i, 1], "—", E[i, 2])), order = length(out) + 1, weight = E[i, 3], running = run) }; out }
oracle(c("R 4.2.2: all spanning trees enumerated", "Hillier & Lieberman: Seervada Park, 14"), list(
  case("塞尔瓦达公园", form(), c(whole(f), greedy(E)), list(fact("最小生成树的总权重是", w = 14, k = 6, n = 7), "网络是连通的", only(f, "最小"), fact("采用 Kruskal 算法求得最小", w = 14, n = 7, m = 12), "不一定最短")),
  case("Prim", form(algorithm = "prim", start = "O"), c(whole(f), prim()), list(fact("采用 Prim 算法求得最小", w = 14))),
  case("最大", form(maximum = TRUE), c(whole(g), greedy(E, -1)), list(fact("最大生成树的总权重是", w = g$value), only(g, "最大"), "采用 Kruskal 算法求得最大")),
  case("两个部分，编号", form("米"), c(whole(h), greedy(clean)), list(fact("最小生成森林的总权重是", w = h$value, p = 2), fact("没有边连接这", p = 2), only(h, "最小"), "已忽略：第 5 行", "第 4、9、10 行与前面重复", "采用 Kruskal 算法求得最小"), data = "oracle-two.csv", measures = M)))
