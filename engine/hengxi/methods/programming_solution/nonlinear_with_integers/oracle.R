# Rscript oracle.R > oracle.json   (R 4.2.2, jsonlite)
# Every combination by brute force; of the mixed one every whole part with the best continuous part in closed form.
source("../../../../tools/oracle.R"); source("../oracle_shared.R"); suppressMessages({ library(nleqslv); library(numDeriv) })

near <- "a search stops near the optimum"
three <- list(variable("X", "int", 0, 12), variable("Y", "int", 0, 12), variable("Z", "bool", 0, 1))
rows <- c("X² + Y² + 20Z <= 90", "X + Y + 3Z <= 13"); said <- gsub("<=", "≤", rows)
grid <- expand.grid(X = 0:12, Y = 0:12, Z = 0:1); f <- function(g) with(g, X * Y - .1 * X^2 * Y + 6 * Z); ok <- with(grid, X^2 + Y^2 + 20 * Z <= 90 & X + Y + 3 * Z <= 13)
good <- grid[ok, ]; best <- good[which.max(f(good)), ]; stopifnot(sum(abs(f(good) - max(f(good))) < 1e-9) == 1)
prog <- function(...) program(three, "max", "X*Y - 0.1X²*Y + 6Z", rows, ...)
left <- c(best$X^2 + best$Y^2 + 20 * best$Z, best$X + best$Y + 3 * best$Z)
step <- function(name, d) { g <- best; g[[name]] <- g[[name]] + d; f(g) }
whole <- c(list(block("target_param", value = f(best), violation = 0), block("enumerated", combinations = nrow(grid), feasible = sum(ok), best = f(best), gap = 0)),
  lapply(names(best), function(n) block("decision", list(variable = n), value = best[[n]])),
  lapply(1:2, function(i) block("constraint_param", list(expression = said[i]), left = left[i], side = c(90, 13)[i], slack = c(90, 13)[i] - left[i])),
  list(block("neighbours", list(variable = "X", move = "+1"), value = step("X", 1)), block("neighbours", list(variable = "Y", move = "−1"), value = step("Y", -1))))
quick <- list(max_iter = 300, runs = 3)
run <- function(key) do.call(prog, c(list(algorithm = key), quick)); runs_ok <- list(block("each_run", n = 3, best = f(best), feasible = 1, gap = 0))
# min (X − 2.6)² + (Y − N)² + 0.5N with X + Y ≥ 4, X, Y continuous, N whole.
part <- function(n) { x <- 2.6; y <- n; short <- max(0, 4 - x - y); (short / 2)^2 * 2 + .5 * n }
n <- (0:5)[which.min(sapply(0:5, part))]; short <- max(0, 4 - 2.6 - n)
mixed <- program(list(variable("X", max = 5), variable("Y", max = 5), variable("N", "int", 0, 5)), "min", "(X - 2.6)² + (Y - N)² + 0.5N", "X + Y >= 4", algorithm = "pso", max_iter = 300, runs = 3)
unverified <- lapply(list(c("target_param.iterations", "the library's or our own count of its work"), c("target_param.evaluations", "the same"),
  c("target_param.violation", "rounding only, far below what is forgiven"), c("optimality.stationarity", "rounding only"), c("optimality.complementarity", "rounding only"),
  c("each_run.best", "our own random runs"), c("each_run.mean", "our own random runs"), c("each_run.sd", "our own random runs"), c("each_run.worst", "our own random runs"), c("each_run.gap", "our own random runs"),
  c("polish_steps.before", "our own random runs"), c("polish_steps.breach", "our own random runs"), c("polish_steps.left", "rounding only"),
  c("个起点", "how many starts end at the optimum depends on our own sampling")), function(x) list(what = x[1], reason = x[2]))

oracle(c("R 4.2.2: brute force over all combinations"), list(
  case("两个整数和一个 0-1", run("ga"), c(whole, runs_ok), list("已证明最优", "所有约束和界都满足", "没有更好的", "采用遗传算法")),
  case("粒子群", run("pso"), c(whole[1], runs_ok), list("采用粒子群")), case("模拟退火", run("sa"), c(whole[1], runs_ok), list("采用模拟退火")), case("蒙特卡罗", run("monte_calo"), c(whole[1], runs_ok), list("采用蒙特卡罗")),
  case("有连续变量", mixed, list(block("target_param", value = part(n), tolerance = 1e-6, reason = near), block("decision", list(variable = "N"), value = n), block("decision", list(variable = "X"), value = 2.6 + short / 2, tolerance = 1e-4, reason = near),
    block("decision", list(variable = "Y"), value = n + short / 2, tolerance = 1e-4, reason = near)), list("不保证最优", "都不更好", "统计的是精修以前", "有连续变量", "最后用 SLSQP 精修）求解"))),
  unverified = c(unverified, list(list(what = "没有精确解可比", reason = "a note"))), quick = quick)
