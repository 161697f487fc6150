# Rscript oracle.R > oracle.json   (R 4.2.2, nleqslv, numDeriv, Rsolnp, DEoptim, jsonlite)
# Published optima: Rosen-Suzuki (Hock & Schittkowski 43): −44 at (0, 1, 2, −1), multipliers 1, 0, 2; 76: −4.681818; CEC 2006 g06:
# −6961.81388; g11: 0.75. Rsolnp agrees on the first.
source("../../../../tools/oracle.R"); source("../oracle_shared.R"); suppressMessages({ library(nleqslv); library(numDeriv) })
suppressMessages(library(Rsolnp))
near <- "a search stops near the optimum"; names4 <- paste0("X", 1:4)
f <- function(x) sum(c(1, 1, 2, 1) * x^2) - 5 * x[1] - 5 * x[2] - 21 * x[3] + 7 * x[4]
g <- function(x) c(sum(x^2) + x[1] - x[2] + x[3] - x[4], x[1]^2 + 2 * x[2]^2 + x[3]^2 + 2 * x[4]^2 - x[1] - x[4], 2 * x[1]^2 + x[2]^2 + x[3]^2 + 2 * x[1] - x[2] - x[4])
s <- solnp(c(1, 1, 1, 1), f, ineqfun = g, ineqLB = rep(-1e3, 3), ineqUB = c(8, 10, 5), control = list(trace = 0))
best <- c(0, 1, 2, -1); stopifnot(abs(tail(s$values, 1) + 44) < 1e-3, f(best) == -44, g(best) == c(8, 9, 5))
stopifnot(abs(grad(f, best) + t(jacobian(g, best)) %*% c(1, 0, 2)) < 1e-9)
L <- function(x) f(x) + sum(c(1, 0, 2) * g(x)); B <- qr.Q(qr(t(jacobian(g, best)[c(1, 3), ])), complete = TRUE)[, 3:4]; e <- sort(eigen(t(B) %*% hessian(L, best) %*% B)$values)
rows <- c("X1² + X2² + X3² + X4² + X1 - X2 + X3 - X4 <= 8", "X1² + 2X2² + X3² + 2X4² - X1 - X4 <= 10", "2X1² + X2² + X3² + 2X1 - X2 - X4 <= 5"); said <- gsub("<=", "≤", rows)
suzuki <- function(...) program(lapply(names4, variable, min = -10, max = 10), "min", "X1² + X2² + 2X3² + X4² - 5X1 - 5X2 - 21X3 + 7X4", rows, ...)
at <- function(v, x, names, t) c(list(block("target_param", value = v, tolerance = t, reason = near)), lapply(which(x != 0), function(j) block("decision", list(variable = names[j]), value = x[j], tolerance = max(t, 1e-5) * 10, reason = near)))
whole <- c(at(-44, best, names4, 1e-6), lapply(1:3, function(i) block("multipliers", list(constraint = said[i]), multiplier = -c(1, 0, 2)[i], tolerance = 1e-5, reason = near)),
  lapply(1:3, function(i) block("constraint_param", list(expression = said[i]), left = c(8, 9, 5)[i], side = c(8, 10, 5)[i], slack = c(0, 1, 0)[i], tolerance = 1e-5, reason = near)),
  list(block("optimality", gradient = max(abs(grad(f, best))), order = "是局部极小", tolerance = 1e-5, reason = near), block("eigenvalues", list(number = "1"), value = e[1], tolerance = 1e-4, reason = "second differences"),
  block("starts", list(number = "1"), value = -44, tolerance = 1e-6, reason = near)))
quick <- list(max_iter = 300, runs = 2, pop_size = 40)
by <- function(key) case(paste("启发式", key), do.call(suzuki, c(list(algorithm = key), quick)), c(at(-44, best, names4, 1e-4), list(block("each_run", n = 2, feasible = 1), block("polish_steps", after = -44, tolerance = 1e-4, reason = near))), list("不保证最优"))
g06 <- program(list(variable("X", min = 13, max = 100), variable("Y", min = 0, max = 100)), "min", "(X - 10)^3 + (Y - 20)^3", c("(X - 5)^2 + (Y - 5)^2 >= 100", "(X - 6)^2 + (Y - 5)^2 <= 82.81"), algorithm = "ga", max_iter = 500, runs = 2)
g11 <- program(list(variable("X", min = -1, max = 1), variable("Y", min = -1, max = 1)), "min", "X^2 + (Y - 1)^2", "Y - X^2 = 0", algorithm = "pso", max_iter = 400, runs = 2)
unverified <- lapply(list(c("target_param.iterations", "the library's or our own count of its work"), c("target_param.evaluations", "the same"),
  c("target_param.violation", "rounding only, far below what is forgiven"), c("optimality.stationarity", "rounding only"), c("optimality.complementarity", "rounding only"),
  c("each_run.best", "our own random runs"), c("each_run.mean", "our own random runs"), c("each_run.sd", "our own random runs"), c("each_run.worst", "our own random runs"), c("each_run.gap", "our own random runs"),
  c("polish_steps.before", "our own random runs"), c("polish_steps.breach", "our own random runs"), c("polish_steps.left", "rounding only"),
  c("个起点", "how many starts end at the optimum depends on our own sampling")), function(x) list(what = x[1], reason = x[2]))

oracle(c("R 4.2.2: Rsolnp, numDeriv", "Hock & Schittkowski (1981): problem 43", "CEC 2006: g06, g11"), list(
  case("Rosen-Suzuki", suzuki(), whole, list("（局部最优）", "所有约束和界都满足", "一阶和二阶条件都满足", "起作用的约束是", "采用SLSQP", "右端值改变很小时有效", "所允许的方向上", "只在两个变量时画", "可能有更好的解")),
  case("COBYLA", suzuki(algorithm = "COBYLA"), at(-44, best, names4, 1e-4), list("采用COBYLA")), case("trust-constr", suzuki(algorithm = "trust-constr"), at(-44, best, names4, 1e-4), list("采用trust-constr")),
  by("ga"), by("pso"), by("sa"), by("monte_calo"),
  case("CEC 2006 g06", g06, list(block("target_param", value = -6961.81387558015, tolerance = 1e-4, reason = near)), list("采用遗传算法")),
  case("CEC 2006 g11，等式", g11, list(block("target_param", value = .75, tolerance = 1e-4, reason = near)), list("采用粒子群"))),
  unverified = c(unverified, list(list(what = "目标函数值是 {value:num}", reason = "its numbers are those of the tables"), list(what = "采用", reason = "its number is that of the table"), list(what = "统计的是", reason = "a note"), list(what = "KKT 残差是", reason = "depends on where the search stops"),
    list(what = "起作用的约束是", reason = "checked for the first case"), list(what = "没有约束起作用", reason = "where the search stops before it"), list(what = "一阶条件满足", reason = "depends on rounding"), list(what = "不满足最优性条件", reason = "a note"), list(what = "没有精修", reason = "a note"),
    list(what = "最优解由约束和界完全决定", reason = "a note"), list(what = "不是一块平面区域", reason = "a note"), list(what = "最大违反量", reason = "rounding"), list(what = "没有二阶导数", reason = "a note"))),
  quick = quick)
