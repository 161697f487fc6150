# Rscript oracle.R > oracle.json   (R 4.2.2, lpSolve, Rglpk, jsonlite)
# Optima by GLPK and lpSolve (which agree); nodes of the tree by lpSolve with their conditions as rows.
source("../../../../tools/oracle.R"); source("../oracle_shared.R")

ip <- function(sense, cost, A, dir, b, kinds, low = rep(0, length(cost)), high = rep(Inf, length(cost))) {
  g <- Rglpk_solve_LP(cost, A, ifelse(dir == "=", "==", dir), b, types = kinds, max = sense == "max", bounds = list(
    lower = list(ind = seq_along(cost), val = low), upper = list(ind = seq_along(cost), val = high)))
  relaxed <- Rglpk_solve_LP(cost, A, ifelse(dir == "=", "==", dir), b, max = sense == "max", bounds = list(
    lower = list(ind = seq_along(cost), val = low), upper = list(ind = seq_along(cost), val = high)))
  list(value = g$optimum, x = g$solution, relaxed = relaxed$optimum)
}
tell <- function(f, names, A, b, dir, rows, tolerance = NULL, reason = NULL) c(
  list(block("target_param", value = f$value, violation = 0), block("relaxation", relaxed = f$relaxed, value = f$value)),
  lapply(seq_along(names), function(j) block("decision", list(variable = names[j]), value = f$x[j])),
  lapply(seq_along(b), function(i) { left <- sum(A[i, ] * f$x); block("constraint_param", list(expression = gsub("<=", "≤", gsub(">=", "≥", rows[i]))),
    left = left, side = b[i], slack = if (dir[i] == ">=") left - b[i] else b[i] - left) }))
hit <- function(A, b, x, rows) { on <- abs(A %*% x - b) < 1e-9; if (!any(on)) "没有约束起作用" else if (all(on)) "所有约束都起作用" else
  paste0("起作用的约束是", paste0("“", gsub("<=", "≤", gsub(">=", "≥", rows[on])), "”", collapse = "、")) }

A <- rbind(c(1, 1), c(5, 9)); b <- c(6, 45); rows <- c("X + Y <= 6", "5X + 9Y <= 45"); le <- c("<=", "<=")
XY <- list(variable("X", "int"), variable("Y", "int"))
plan <- function(...) program(XY, "max", "5X + 8Y", rows, ...)
f <- ip("max", c(5, 8), A, le, b, c("I", "I")); stopifnot(f$value == 40, f$x == c(0, 5))
node <- function(...) lp("max", c(5, 8), rbind(A, ...), c(le, attr(list(...), "d")), b)
at <- function(low, high) Rglpk_solve_LP(c(5, 8), A, le, b, max = TRUE, bounds = list(lower = list(ind = 1:2, val = low), upper = list(ind = 1:2, val = high)))$optimum
tree <- list(block("nodes", list(number = "0"), value = at(c(0, 0), c(Inf, Inf))), block("nodes", list(condition = "X ≤ 2"), value = at(c(0, 0), c(2, Inf))),
  block("nodes", list(condition = "Y ≥ 4"), value = at(c(0, 4), c(2, Inf))), block("nodes", list(condition = "X ≤ 1"), value = at(c(0, 4), c(1, Inf))),
  block("nodes", list(condition = "Y ≥ 5"), value = at(c(0, 5), c(1, Inf)), fate = "整数解"), block("nodes", list(condition = "X ≥ 2"), value = NULL, fate = "不可行"))

# A knapsack (Burkardt P01: 309), and a mixed program with an equality, a free variable and upper bounds.
value <- c(92, 57, 49, 68, 60, 43, 67, 84, 87, 72); weight <- c(23, 31, 29, 44, 53, 38, 63, 85, 89, 82); ten <- paste0("X", 1:10)
krow <- paste(paste0(weight, ten), collapse = " + "); knap <- program(lapply(ten, variable, type = "bool", max = 1), "max",
  paste(paste0(value, ten), collapse = " + "), paste(krow, "<= 165"))
k <- ip("max", value, rbind(weight), "<=", 165, rep("I", 10), high = rep(1, 10)); stopifnot(k$value == 309)
mA <- rbind(c(3, 2, 1, 1), c(1, -1, 0, 2), c(1, 1, 1, 1)); mdir <- c("<=", ">=", "="); mb <- c(24.5, -3, 9.25)
mrows <- c("3甲 + 2乙 + 丙 + 丁 <= 24.5", "甲 - 乙 + 2丁 >= -3", "甲 + 乙 + 丙 + 丁 = 9.25")
mixed <- program(list(variable("甲", "int", max = 4), variable("乙", "int"), variable("丙", min = NULL, max = 3.75), variable("丁", "bool", max = 1)),
  "max", "4甲 + 3乙 + 1.5丙 + 2丁 - 1", mrows)
m <- ip("max", c(4, 3, 1.5, 2), mA, mdir, mb, c("I", "I", "C", "B"), c(0, 0, -Inf, 0), c(4, Inf, 3.75, 1)); m$value <- m$value - 1; m$relaxed <- m$relaxed - 1
fixed <- Rglpk_solve_LP(1.5, rbind(1, 1), c("<=", "=="), c(mb[1] - sum(mA[1, c(1, 2, 4)] * m$x[c(1, 2, 4)]), mb[3] - sum(m$x[c(1, 2, 4)])), max = TRUE,
  bounds = list(lower = list(ind = 1, val = -Inf), upper = list(ind = 1, val = 3.75)))
rest <- mb[1] - sum(mA[1, c(1, 2, 4)] * m$x[c(1, 2, 4)]) - m$x[3]; stopifnot(abs(fixed$solution - m$x[3]) < 1e-9, rest > 1e-6)
searched <- list(block("target_param", value = 40), block("decision", list(variable = "Y"), value = 5), block("each_run", n = 2, best = 40, mean = 40, worst = 40, feasible = 1, gap = 0))
quick <- list(max_iter = 200, runs = 2, pop_size = 30)
by <- function(key) do.call(plan, c(list(algorithm = key), quick))

oracle(c("R 4.2.2: GLPK (Rglpk), lpSolve", "Burkardt's knapsack P01: 309"), list(
  case("生产计划", plan(), c(tell(f, c("X", "Y"), A, b, le, rows), tree), list(fact("最大值是", value = 40, x0 = 0, x1 = 5), "所有约束和界都满足",
    fact("求得的精确最优值", best = 40), hit(A, b, f$x, rows), fact("采用分支定界", n = 2, m = 2, value = 40), "分支定界共", "不再往下分", "所有变量都取整数")),
  case("背包 P01", knap, list(block("target_param", value = k$value), block("relaxation", relaxed = k$relaxed, value = 309)),
    list(fact("最大值是", value = 309), hit(rbind(weight), 165, k$x, paste(krow, "<= 165")), "本")[c(1, 2)]),
  case("混合整数，等式", mixed, c(tell(m, c("甲", "乙", "丙", "丁"), mA, mb, mdir, mrows), list(block("prices", list(constraint = "甲 + 乙 + 丙 + 丁 = 9.25"), price = 1.5),
    block("prices", list(constraint = "3甲 + 2乙 + 丙 + 丁 ≤ 24.5"), price = 0))), list(fact("最大值是", value = m$value, x2 = m$x[3]), hit(mA, mb, m$x, mrows), "只说明附近的变化")),
  case("遗传算法", by("ga"), searched, list("采用遗传算法", "与精确解一致")), case("粒子群", by("pso"), searched, list("采用粒子群")),
  case("模拟退火", by("sa"), searched, list("采用模拟退火")), case("蒙特卡罗", by("monte_calo"), searched, list("采用蒙特卡罗"))),
  unverified = list(list(what = "target_param.iterations", reason = "our own count of nodes or iterations"), list(what = "target_param.evaluations", reason = "our own count"),
    list(what = "each_run.sd", reason = "spread of our own random runs")), quick = quick)
