# Rscript oracle.R > oracle.json   (R 4.2.2, numDeriv, DEoptim, jsonlite)
# Closed forms: Rastrigin and Ackley (0 at the origin), Himmelblau (0 at (3, 2) and three others), Branin 0.397887357729738;
# DEoptim agrees on Branin. A parabola and a sine with known extrema.
source("../../../../tools/oracle.R"); source("../oracle_shared.R"); suppressMessages({ library(nleqslv); library(numDeriv) })
suppressMessages(library(DEoptim))
near <- "a search stops near the optimum"
branin <- function(x) (x[2] - 5.1 / (4 * pi^2) * x[1]^2 + 5 / pi * x[1] - 6)^2 + 10 * (1 - 1 / (8 * pi)) * cos(x[1]) + 10
set.seed(1); d <- DEoptim(branin, c(-5, 0), c(10, 15), DEoptim.control(trace = FALSE, itermax = 300)); b <- 0.397887357729738; stopifnot(abs(d$optim$bestval - b) < 1e-9)
box <- function(r, ...) list(variable("X1", min = -r, max = r), variable("X2", min = -r, max = r))
ras <- function(...) program(box(5.12), "min", "20 + X1² - 10COS(2pi*X1) + X2² - 10COS(2pi*X2)", NULL, ...)
quick <- list(max_iter = 400, runs = 3); zero <- list(block("target_param", value = 0, tolerance = 1e-8, reason = near))
curve <- 2 + 40 * pi^2
by <- function(key, t = 1e-8) case(paste("Rastrigin", key), do.call(ras, c(list(algorithm = key), quick)), list(block("each_run", n = 3, feasible = 1), block("polish_steps", after = 0, tolerance = 1e-8, reason = near), zero[[1]]), list(if (key == "pso") "不保证最优" else "Rastrigin")[key == "pso"])
bran <- function(key) case(paste("Branin", key), program(list(variable("X", min = -5, max = 10), variable("Y", min = 0, max = 15)), "min", "(Y - 5.1/(4pi²)*X² + 5/pi*X - 6)² + 10(1 - 1/(8pi))*COS(X) + 10", NULL, algorithm = key),
  list(block("target_param", value = b, tolerance = 1e-6, reason = near)), list())
himmel <- program(box(6), "min", "(X1² + X2 - 11)² + (X1 + X2² - 7)²", NULL, algorithm = "L-BFGS-B", x0 = list(2, 2), n_starts = 1)
h <- sort(eigen(hessian(function(x) (x[1]^2 + x[2] - 11)^2 + (x[1] + x[2]^2 - 7)^2, c(3, 2)))$values)
curve1 <- program(list(variable("X", max = 10)), "max", "X*EXP(-X/2) + 1", NULL, algorithm = "L-BFGS-B")
unverified <- lapply(list(c("target_param.iterations", "the library's or our own count of its work"), c("target_param.evaluations", "the same"),
  c("target_param.violation", "rounding only, far below what is forgiven"), c("optimality.stationarity", "rounding only"), c("optimality.complementarity", "rounding only"),
  c("each_run.best", "our own random runs"), c("each_run.mean", "our own random runs"), c("each_run.sd", "our own random runs"), c("each_run.worst", "our own random runs"), c("each_run.gap", "our own random runs"),
  c("polish_steps.before", "our own random runs"), c("polish_steps.breach", "our own random runs"), c("polish_steps.left", "rounding only"),
  c("个起点", "how many starts end at the optimum depends on our own sampling")), function(x) list(what = x[1], reason = x[2]))

oracle(c("R 4.2.2: numDeriv, DEoptim", "closed forms of Rastrigin, Himmelblau, Branin"), list(
  case("Rastrigin 粒子群", do.call(ras, c(list(algorithm = "pso"), quick)), list(zero[[1]], block("each_run", n = 3, feasible = 1), block("decision", list(variable = "X1"), value = 0, tolerance = 1e-6, reason = near), block("polish_steps", after = 0, tolerance = 1e-8, reason = near),
    block("eigenvalues", list(number = "1"), value = curve, tolerance = 1e-5, reason = "second differences"), block("eigenvalues", list(number = "2"), value = curve, tolerance = 1e-5, reason = "second differences")),
    list("不保证最优", "所有约束和界都满足", "一阶和二阶条件都满足", "可能有更好的解", "采用粒子群", "目标函数的海森阵", "只在一个变量时画")),
  by("ga"), by("sa"),
  case("Himmelblau", himmel, list(block("target_param", value = 0, tolerance = 1e-8, reason = near), block("decision", list(variable = "X1"), value = 3, tolerance = 1e-6, reason = near), block("decision", list(variable = "X2"), value = 2, tolerance = 1e-6, reason = near),
    block("eigenvalues", list(number = "1"), value = h[1], tolerance = 1e-5, reason = "second differences"), block("eigenvalues", list(number = "2"), value = h[2], tolerance = 1e-5, reason = "second differences"), block("starts", list(number = "1"), value = 0)), list("（局部最优）")),
  bran("Nelder-Mead"), bran("L-BFGS-B"), bran("Powell"), bran("TNC"), bran("monte_calo"),
  case("一个变量", curve1, list(block("target_param", value = 2 * exp(-1) + 1, tolerance = 1e-8, reason = near), block("decision", list(variable = "X"), value = 2, tolerance = 1e-6, reason = near),
    block("eigenvalues", list(number = "1"), value = -exp(-1) / 2, tolerance = 1e-5, reason = "second differences")), list("只在两个变量时画"))),
  unverified = c(unverified, list(list(what = "目标函数值是 {value:num}", reason = "its numbers are those of the tables"), list(what = "采用", reason = "its number is that of the table"), list(what = "统计的是", reason = "a note"), list(what = "optimality.gradient", reason = "0 but for rounding"), list(what = "starts.value", reason = "ends of our own starts"),
    list(what = "KKT 残差是", reason = "depends on where the search stops"), list(what = "没有精修", reason = "a note"), list(what = "没有逐步", reason = "a note"), list(what = "所允许的方向上", reason = "a note"), list(what = "只在两个变量时画", reason = "a note"))),
  quick = list(max_iter = 200, runs = 2, n_starts = 2))
