# Rscript oracle.R > oracle.json   (R 4.2.2, lpSolve, Rglpk, jsonlite)
# Optima by lpSolve and GLPK; shadow prices and ranges from the optimal basis (../oracle_shared.R), for Wyndor Glass as
# Hillier & Lieberman print them: (2, 6), 36, prices 0, 1.5, 1, cost ranges [0, 7.5] and [2, inf), sides [12, 24], [6, 18].
source("../../../../tools/oracle.R"); source("../oracle_shared.R")

shown <- function(x) gsub("<=", "≤", gsub(">=", "≥", x))
full <- function(form, sense, cost, A, dir, b, names, reps, ranges = TRUE, at = rep("否", length(names)), text = shown(reps)) {
  f <- by_bases(sense, cost, A, dir, b); l <- lp(sense, cost, A, dir, b)
  stopifnot(abs(l$objval - f$value) < 1e-8 * max(1, abs(f$value)))
  c(list(block("target_param", value = f$value, violation = 0)),
    lapply(seq_along(names), function(j) block("decision", list(variable = names[j]), value = f$x[j])),
    lapply(seq_along(b), function(i) { left <- sum(A[i, ] * f$x); slack <- if (dir[i] == ">=") left - b[i] else b[i] - left
      block("constraint_param", list(expression = text[i]), left = left, side = b[i], slack = if (abs(slack) < 1e-10) 0 else slack) }),
    if (ranges) c(lapply(seq_along(b), function(i) block("prices", list(constraint = text[i]), price = f$y[i], current = b[i],
        down = f$side_down[i], up = f$side_up[i])),
      lapply(seq_along(names), function(j) block("costs", list(variable = names[j]), reduced = f$d[j], current = cost[j],
        down = f$down[j], up = f$up[j]))))
}

XY <- list(variable("X"), variable("Y"))
wyndor <- rbind(c(1, 0), c(0, 2), c(3, 2)); le <- rep("<=", 3)
rows <- c("X <= 4", "2Y <= 12", "3X + 2Y <= 18")
W <- function(...) program(XY, "max", "3X + 5Y", rows, ...)
w <- function(...) full(NULL, "max", c(3, 5), wyndor, le, c(4, 12, 18), c("X", "Y"), rows, ...)
f <- by_bases("max", c(3, 5), wyndor, le, c(4, 12, 18))
stopifnot(f$x == c(2, 6), abs(f$y - c(0, 1.5, 1)) < 1e-12, abs(f$up - c(4.5, Inf)) < 1e-9 | is.infinite(f$up), abs(f$down - c(3, 3)) < 1e-9)

diet <- rbind(c(5, 7), c(4, 2), c(2, 1)); ge <- rep(">=", 3); drows <- c("5X + 7Y >= 8", "4X + 2Y >= 15", "2X + Y >= 3")
mixA <- rbind(c(1, 1, 1), c(2, 1, -1), c(1, 0, 2)); mixdir <- c("=", "<=", ">="); mixb <- c(10, 8, 7)
mrows <- c("甲 + 乙 + 丙 = 10", "2甲 + 乙 - 丙 <= 8", "甲 + 2丙 >= 7")
mix <- by_bases("max", c(5, 3, 1), mixA, mixdir, mixb); stopifnot(which.max(abs(mix$y)) == 1)
binding <- function(A, b, x, rows) { hit <- abs(A %*% x - b) < 1e-9; if (all(hit)) "所有约束都起作用" else paste0("起作用的约束是", paste0("“", shown(rows[hit]), "”", collapse = "、")) }
three <- list(variable("甲"), variable("乙"), variable("丙"))

# Free variable, upper bound, chain, decimals, power of a number, variables on both sides: GLPK with bounds.
nasty <- Rglpk_solve_LP(c(2.5, -1.2, 0.3), rbind(c(1, 1, 0), c(-0.5, 0, 1), c(1, -1, 0), c(1, -1, 0)), c("<=", "<=", ">=", "<="),
  c(9, 4.25, -2, 6), bounds = list(lower = list(ind = c(1, 2), val = c(-Inf, -3)), upper = list(ind = c(1, 3), val = c(7, 5.5))), max = TRUE)
N <- program(list(variable("X", min = NULL, max = 7), variable("Y", min = -3), variable("Z", max = 5.5)), "max",
  "2.5X - 1.2Y + 0.3Z + 4", c("X + Y < 3²", "Z <= 0.5X + 4.25", "-2 <= X - Y <= 6"))
tie <- program(XY, "max", "X + Y", c("X + Y <= 4", "Y <= 3"))
whole <- program(list(variable("X", "int"), variable("Y", "bool", max = 3)), "max", "3X + 5Y", rows)

near <- list(tolerance = 1e-5, reason = "a local or heuristic search stops near the vertex; the optimum is lpSolve's")
searched <- function(tolerance = 1e-5, each = FALSE) c(list(
  block("target_param", value = f$value, tolerance = tolerance, reason = near$reason),
  block("decision", list(variable = "X"), value = 2, tolerance = tolerance, reason = near$reason),
  block("decision", list(variable = "Y"), value = 6, tolerance = tolerance, reason = near$reason)),
  if (each) list(block("each_run", n = 2, feasible = 1), block("each_run", best = 36, mean = 36, worst = 36, tolerance = 1e-2, reason = "runs before the last local steps come within 1 %")))
quick <- list(max_iter = 300, runs = 2, pop_size = 40)
heuristic <- function(key) do.call(W, c(list(algorithm = key), quick))

unmeasured <- "the library's own count of its work; no other program counts the same"
oracle(c("R 4.2.2: lpSolve 5.6", "GLPK (Rglpk)", "Hillier & Lieberman: Wyndor Glass", "own derivation from the optimal basis in R"), list(
  case("Wyndor 玻璃厂", W(), w(), list(fact("已证明最优", value = 36, x0 = 2, x1 = 6), "所有约束和界都满足", "对偶解证明", "最优解是唯一的",
    "起作用的约束是“2Y ≤ 12”、“3X + 2Y ≤ 18”", fact("影响最大的是“2Y ≤ 12”", price = 1.5), fact("采用单纯形法", n = 2, m = 3, value = 36),
    "影子价格不变", "两阶段单纯形法", "没有另外的最优解")),
  case("同一题，内点法", W(algorithm = "interior_point"), w(), list("采用内点法")),
  case("同一题，改进单纯形法", W(algorithm = "revise_simplex"), w(), list("采用改进单纯形法")),
  case("饮食题（最小，≥）", program(XY, "min", "0.6X + 0.35Y", drows), full(NULL, "min", c(.6, .35), diet, ge, c(8, 15, 3),
    c("X", "Y"), drows), list(fact("影响最大的是“4X + 2Y ≥ 15”", price = .15), fact("已证明最优", value = 2.25, x0 = 3.75, x1 = 0), "起作用的约束是“4X + 2Y ≥ 15”")),
  case("等式与混合约束", program(three, "max", "5甲 + 3乙 + 丙", mrows), full(NULL, "max", c(5, 3, 1), mixA, mixdir, mixb,
    c("甲", "乙", "丙"), mrows), list("只在两个变量时画", fact("已证明最优", value = mix$value, x0 = mix$x[1], x1 = mix$x[2], x2 = mix$x[3]), binding(mixA, mixb, mix$x, mrows), fact("影响最大的是“甲 + 乙 + 丙 = 10”", price = mix$y[1]))),
  case("自由变量、上界、连写、小数", N, c(list(block("target_param", value = nasty$optimum + 4)),
    lapply(1:3, function(j) block("decision", list(variable = c("X", "Y", "Z")[j]), value = nasty$solution[j]))),
    list("严格不等号按", fact("已证明最优", value = nasty$optimum + 4, x0 = nasty$solution[1], x2 = nasty$solution[3]), "起作用的约束是“X − Y ≤ 6”",
      fact("影响最大的是“X − Y ≤ 6”", price = 1.2))),
  case("最优解不唯一", tie, list(block("target_param", value = 4), block("optima", list(variable = "X"), value = 4, other = 1),
    block("optima", list(variable = "Y"), value = 0, other = 3)), list("最优解不唯一", "同样好", "起作用的约束是“X + Y ≤ 4”", fact("影响最大的是“X + Y ≤ 4”", price = 1))),
  case("整数变量当作连续", whole, list(block("target_param", value = lp("max", c(3, 5), rbind(wyndor, c(0, 1)), rep("<=", 4),
    c(4, 12, 18, 1))$objval)), list("当作连续变量", "填写的界没有使用", "起作用的约束是“X ≤ 4”", fact("影响最大的是“X ≤ 4”", price = 3))),
  case("COBYLA", W(algorithm = "COBYLA"), searched(), list(fact("与 HiGHS 的精确最优值", best = 36), "采用COBYLA", "与精确解一致")),
  case("trust-constr", W(algorithm = "trust-constr"), searched(), list("采用trust-constr")),
  case("SLSQP", W(algorithm = "SLSQP"), searched(), list("采用SLSQP")),
  case("遗传算法", heuristic("ga"), searched(each = TRUE), list("采用遗传算法", "统计的是精修以前")),
  case("粒子群", heuristic("pso"), searched(each = TRUE), list("采用粒子群算法")),
  case("模拟退火", heuristic("sa"), searched(each = TRUE), list("采用模拟退火")),
  case("蒙特卡罗", heuristic("monte_calo"), searched(each = TRUE), list("采用蒙特卡罗"))),
  unverified = list(list(what = "target_param.iterations", reason = unmeasured), list(what = "target_param.evaluations", reason = unmeasured),
    list(what = "each_run.sd", reason = "spread of our own random runs"), list(what = "each_run.gap", reason = "rounding only: the optimum is reached")),
  quick = quick)
