# Rscript oracle.R > oracle.json   (R 4.2.2, nleqslv, numDeriv, jsonlite)
# Optima and multipliers from the equations of Karush, Kuhn and Tucker solved by nleqslv; published optima beside them:
# Hock & Schittkowski 71 (17.0140173), 35 (1/9), Rosenbrock (0).
source("../../../../tools/oracle.R"); source("../oracle_shared.R"); suppressMessages({ library(nleqslv); library(numDeriv) })

near <- list(t = 1e-6, r = "an iterative search stops when the target no longer changes")
four <- function(...) lapply(paste0("X", 1:4), variable, min = 1, max = 5)
rows <- c("X1*X2*X3*X4 >= 25", "X1² + X2² + X3² + X4² = 40"); said <- c("X1*X2*X3*X4 ≥ 25", "X1² + X2² + X3² + X4² = 40")
hs71 <- function(...) program(four(), "min", "X1*X4*(X1 + X2 + X3) + X3", rows, ...)
f <- function(x) x[1] * x[4] * sum(x[1:3]) + x[3]; g <- function(x) prod(x); h <- function(x) sum(x^2)
# x1 = 1 at its bound: x2, x3, x4 and two multipliers.
kkt <- function(z) { x <- c(1, z[1:3]); c((grad(f, x, method = "complex") - z[4] * grad(g, x, method = "complex") - z[5] * grad(h, x, method = "complex"))[2:4], g(x) - 25, h(x) - 40) }
z <- nleqslv(c(4.7, 3.8, 1.4, .5, -.2), kkt, control = list(ftol = 1e-14, xtol = 1e-14))$x; x <- c(1, z[1:3])
stopifnot(abs(f(x) - 17.0140173) < 1e-7, abs(x - c(1, 4.74299963, 3.82114998, 1.37940829)) < 1e-7)
L <- function(x) f(x) - z[4] * g(x) - z[5] * h(x); N <- cbind(grad(g, x), grad(h, x), c(1, 0, 0, 0)); B <- qr.Q(qr(N), complete = TRUE)[, 4]
curve <- as.numeric(t(B) %*% hessian(L, x) %*% B)
at <- function(v, x, names, t = near$t) c(list(block("target_param", value = v, tolerance = t, reason = near$r)),
  lapply(seq_along(x), function(j) block("decision", list(variable = names[j]), value = x[j], tolerance = max(t, 1e-6), reason = near$r)))
worth <- list(block("multipliers", list(constraint = said[1]), multiplier = z[4], tolerance = 1e-5, reason = near$r), block("multipliers", list(constraint = said[2]), multiplier = z[5], tolerance = 1e-5, reason = near$r),
  block("constraint_param", list(expression = said[1]), left = 25, side = 25, slack = 0), block("constraint_param", list(expression = said[2]), left = 40, side = 40, slack = 0))
names4 <- paste0("X", 1:4)
two <- list(variable("X", min = NULL), variable("Y", min = NULL)); rosen <- function(...) program(two, "min", "100(Y - X²)² + (1 - X)²", NULL, ..., x0 = list(-1.2, 1), n_starts = 1)
r <- hessian(function(p) 100 * (p[2] - p[1]^2)^2 + (1 - p[1])^2, c(1, 1))
rcase <- function(key, t) case(paste("Rosenbrock", key), rosen(algorithm = key), list(block("target_param", value = 0, tolerance = 1e-6, reason = near$r),
  block("decision", list(variable = "X"), value = 1, tolerance = t, reason = near$r)), list(paste0("采用", key), "可能有更好的解"))
hs35 <- program(lapply(paste0("X", 1:3), variable), "min", "9 - 8X1 - 6X2 - 4X3 + 2X1² + 2X2² + X3² + 2X1*X2 + 2X1*X3", "X1 + X2 + 2X3 <= 3")
peak <- program(list(variable("X", max = 10), variable("Y", max = 10)), "max", "LN(X) + 2LN(Y)", c("X + Y <= 6", "X >= 0.5"), x0 = list(1, 1))
unverified <- lapply(list(c("target_param.iterations", "the library's or our own count of its work"), c("target_param.evaluations", "the same"),
  c("target_param.violation", "rounding only, far below what is forgiven"), c("optimality.stationarity", "rounding only"), c("optimality.complementarity", "rounding only"),
  c("each_run.best", "our own random runs"), c("each_run.mean", "our own random runs"), c("each_run.sd", "our own random runs"), c("each_run.worst", "our own random runs"), c("each_run.gap", "our own random runs"),
  c("polish_steps.before", "our own random runs"), c("polish_steps.breach", "our own random runs"), c("polish_steps.left", "rounding only"),
  c("个起点", "how many starts end at the optimum depends on our own sampling")), function(x) list(what = x[1], reason = x[2]))

oracle(c("R 4.2.2: nleqslv on the KKT equations, numDeriv", "Hock & Schittkowski (1981): problems 35 and 71"), list(
  case("Hock-Schittkowski 71", hs71(), c(at(f(x), x, names4), worth, list(block("optimality", gradient = max(abs(grad(f, x))), order = "是局部极小", tolerance = 1e-6, reason = near$r),
    block("eigenvalues", list(number = "1"), value = curve, tolerance = 1e-5, reason = "second differences on both sides"), block("starts", list(number = "1"), value = f(x), tolerance = 1e-6, reason = near$r))),
    list("（局部最优）", "所有约束和界都满足", "一阶和二阶条件都满足", "起作用的约束是“X1*X2*X3*X4 ≥ 25”、", "采用SLSQP", "右端值改变很小时有效", "所允许的方向上", "只在两个变量时画")),
  case("同一题，COBYLA", hs71(algorithm = "COBYLA", n_starts = 1), at(f(x), x, names4, 1e-4), list("采用COBYLA")),
  case("同一题，trust-constr", hs71(algorithm = "trust-constr", n_starts = 1), at(f(x), x, names4, 1e-4), list("采用trust-constr")),
  case("Hock-Schittkowski 35", hs35, c(at(1 / 9, c(4, 7) / c(3, 9), paste0("X", 1:2)), list(block("multipliers", list(constraint = "X1 + X2 + 2X3 ≤ 3"), multiplier = -2 / 9, tolerance = 1e-6, reason = near$r))), list("采用SLSQP")),
  case("最大，对数", peak, c(at(log(2) + 2 * log(4), c(2, 4), c("X", "Y")), list(block("multipliers", list(constraint = "X + Y ≤ 6"), multiplier = .5, tolerance = 1e-6, reason = near$r))), list("起作用的约束是“X + Y ≤ 6”")),
  rcase("Nelder-Mead", 1e-4), rcase("L-BFGS-B", 1e-4), rcase("Powell", 1e-4), rcase("TNC", 1e-2), rcase("SLSQP", 1e-4)),
  unverified = c(unverified, list(list(what = "目标函数值是 {value:num}", reason = "its numbers are those of the tables"), list(what = "没有约束", reason = "says that there are none"), list(what = "没有逐步", reason = "no trace"),
    list(what = "KKT 残差是", reason = "depends on where the library stops"), list(what = "目标函数的海森阵", reason = "a note without numbers"), list(what = "不是一块平面区域", reason = "a note"), list(what = "不满足最优性条件", reason = "a note"),
    list(what = "起作用的约束是", reason = "checked for the first case"), list(what = "最优解由约束和界完全决定", reason = "a note"))),
  quick = list(n_starts = 2))
