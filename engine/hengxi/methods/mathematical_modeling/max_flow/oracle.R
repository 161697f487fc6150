# Rscript oracle.R   (R 4.2.2, lpSolve) Flows by linear programs; augmenting ways by our own search, fewest edges first.
# Seervada Park: 14 (Hillier & Lieberman); Distribution Unlimited Co.: cost 490 (the same).
source("../../../../tools/oracle.R"); suppressMessages(library(lpSolve))
save_as <- function(x, f) write.csv(x, f, row.names = FALSE, quote = FALSE, na = "")
balance <- function(E) { n <- sort(unique(c(E$从, E$到))); A <- matrix(0, length(n), nrow(E), dimnames = list(n, NULL)); for (i in seq_len(nrow(E))) { A[E$从[i], i] <- 1; A[E$到[i], i] <- -1 }; A }
most <- function(E, cap, s, t) { A <- balance(E); inner <- setdiff(rownames(A), c(s, t)); lp("max", A[s, ], rbind(A[inner, ], diag(nrow(E))), c(rep("=", length(inner)), rep("<=", nrow(E))), c(rep(0, length(inner)), cap))$objval }
cheap <- function(E, cap, cost, s, t, f) { A <- balance(E); b <- setNames(rep(0, nrow(A)), rownames(A)); b[s] <- f; b[t] <- -f; lp("min", cost, rbind(A, diag(nrow(E))), c(rep("=", nrow(A)), rep("<=", nrow(E))), c(b, cap)) }
walk <- function(E, cap, s, t) { f <- rep(0, nrow(E)); steps <- list(); repeat { last <- list(); seen <- s; q <- s
  while (length(q)) { h <- q[1]; q <- q[-1]; nb <- rbind(data.frame(to = E$到, k = seq_len(nrow(E)), r = cap - f, g = 1)[E$从 == h & cap > f, ], data.frame(to = E$从, k = seq_len(nrow(E)), r = f, g = -1)[E$到 == h & f > 0, ])
    nb <- nb[order(nb$to), ]; for (i in seq_len(nrow(nb))) if (!(nb$to[i] %in% seen)) { seen <- c(seen, nb$to[i]); q <- c(q, nb$to[i]); last[[nb$to[i]]] <- list(h, nb$k[i], nb$r[i], nb$g[i]) } }
  if (!(t %in% seen)) break
  h <- t; way <- t; a <- Inf; while (h != s) { a <- min(a, last[[h]][[3]]); h <- last[[h]][[1]]; way <- c(h, way) }; h <- t; while (h != s) { k <- last[[h]][[2]]; f[k] <- f[k] + last[[h]][[4]] * a; h <- last[[h]][[1]] }; steps <- c(steps, list(list(way = paste(way, collapse = " → "), a = a))) }
  list(f = f, steps = steps, side = seen, cut = which(E$从 %in% seen & !(E$到 %in% seen))) }
arcs <- function(E, cap, f, cost = NULL) lapply(seq_len(nrow(E)), function(i) do.call(block, c(list("arcs", list(edge = paste(E$从[i], "→", E$到[i])), capacity = cap[i], flow = f[i], use = f[i] / cap[i], full = if (abs(f[i] - cap[i]) < 1e-9) "是" else "否"), if (!is.null(cost)) list(unit = cost[i], cost = cost[i] * f[i]))))
E <- example(); w <- walk(E, E$车次, "O", "T"); v <- most(E, E$车次, "O", "T"); stopifnot(v == 14, sum(E$车次[w$cut]) == 14, setequal(w$side, c("O", "A", "B", "C", "E")))
run <- cumsum(sapply(w$steps, `[[`, "a"))
D <- data.frame(从 = c("S", "S", "甲", "甲", "甲", "乙", "丙", "丁", "戊", "丁", "戊"), 到 = c("甲", "乙", "乙", "丙", "丁", "丙", "戊", "戊", "丁", "T", "T"), 容量 = c(50, 40, 10, 99, 99, 99, 80, 99, 99, 30, 60), 费用 = c(0, 0, 2, 4, 9, 3, 1, 3, 2, 0, 0)); save_as(D, "oracle-costs.csv")
m <- cheap(D, D$容量, D$费用, "S", "T", 90); stopifnot(abs(m$objval - 490) < 1e-9, most(D, D$容量, "S", "T") == 90); h <- cheap(D, D$容量, D$费用, "S", "T", 45.5)
Z <- data.frame(从 = c("a", "b", "c", "c", "a"), 到 = c("b", "a", "d", "d", "a"), 容量 = c(3, 2, 0, 4, 1)); save_as(Z, "oracle-apart.csv")
form <- function(...) list(from_node = "从", to_node = "到", capacity = "车次", ...); costed <- function(...) list(from_node = "从", to_node = "到", capacity = "容量", cost = "费用", source = "S", sink = "T", ...); M <- list(容量 = "定量", 费用 = "定量")
ok <- list("证明不能再多", "流入等于流出", "表里是其中一种")
oracle(c("R 4.2.2 lpSolve", "Hillier & Lieberman: Seervada Park, 14; Distribution Unlimited Co., 490"), list(
  case("塞尔瓦达公园", form(source = "O", sink = "T"), c(list(block("result", list(), flow = 14, most = 14, cut = 14), block("cuts", list(edge = "合计"), capacity = 14)), arcs(E, E$车次, w$f), lapply(w$cut, function(i) block("cuts", list(edge = paste(E$从[i], "→", E$到[i])), capacity = E$车次[i])),
    lapply(seq_along(run), function(i) block("steps", list(path = w$steps[[i]]$way), step = i, amount = w$steps[[i]]$a, running = run[i]))), c(ok, list(fact("的最大流量是", f = 14), fact("限制流量的是", k = length(w$cut)), "先扩大它们", "逆着已有的流", fact("求O到T的最大流，", n = 7, m = 12, f = 14)))),
  case("配送，最小费用最大流", costed(goal = "cheapest_max"), c(list(block("result", list(), flow = 90, most = 90, cut = 90, cost = 490)), arcs(D, D$容量, m$solution, D$费用)), c(ok, list(fact("最少要花", f = 90, c = 490), "只在求最大流时给出", fact("的最小费用最大流，费用为", c = 490))), data = "oracle-costs.csv", measures = M),
  case("给定流量", costed(goal = "amount", amount = 45.5), list(block("result", list(), flow = 45.5, most = 90, cost = h$objval)), list(fact("最少要花", f = 45.5, c = h$objval), "的给定流量的最小费用，费用为"), data = "oracle-costs.csv", measures = M),
  case("没有通路", list(from_node = "从", to_node = "到", capacity = "容量", source = "a", sink = "d"), list(block("result", list(), flow = 0, most = 0, cut = 0)), list("最大流为 0：", "容量相加：第 4 行与前面重复", "没有增广路", "没有边通向汇点一侧", "已忽略：第 5 行", "求a到d的最大流"), data = "oracle-apart.csv", measures = M)))
