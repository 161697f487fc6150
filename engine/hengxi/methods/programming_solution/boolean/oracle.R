# Rscript oracle.R > oracle.json   (R 4.2.2, lpSolve, Rglpk, jsonlite)
# All combinations by brute force: the best plans in order. The relaxation by GLPK.
source("../../../../tools/oracle.R"); source("../oracle_shared.R")

all_plans <- function(sense, cost, A, dir, b) {
  grid <- as.matrix(expand.grid(rep(list(0:1), length(cost)))); use <- grid %*% t(A); ok <- rep(TRUE, nrow(grid))
  for (i in seq_along(b)) ok <- ok & switch(dir[i], "<=" = use[, i] <= b[i] + 1e-9, ">=" = use[, i] >= b[i] - 1e-9, "=" = abs(use[, i] - b[i]) < 1e-9)
  good <- grid[ok, , drop = FALSE]; v <- as.vector(good %*% cost); o <- order(if (sense == "max") -v else v)
  r <- Rglpk_solve_LP(cost, A, ifelse(dir == "=", "==", dir), b, max = sense == "max", bounds = list(upper = list(ind = seq_along(cost), val = rep(1, length(cost)))))
  list(x = good[o, , drop = FALSE], v = v[o], relaxed = r$optimum)
}
shown <- function(x) gsub("<=", "≤", gsub(">=", "≥", x))
tell <- function(p, names, A, b, dir, rows) c(list(block("target_param", value = p$v[1], violation = 0), block("relaxation", relaxed = p$relaxed, value = p$v[1])),
  lapply(seq_along(names), function(j) block("decision", list(variable = names[j]), value = p$x[1, j])),
  lapply(seq_along(b), function(i) { left <- sum(A[i, ] * p$x[1, ]); block("constraint_param", list(expression = shown(rows[i])), left = left, side = b[i],
    slack = if (dir[i] == ">=") left - b[i] else b[i] - left) }),
  lapply(seq_len(min(5, length(p$v))), function(k) block("plans", list(rank = as.character(k)), value = p$v[k])))

B <- rbind(c(1, -3, 5, 1, -4), c(-2, 6, -3, -2, 2), c(0, -1, 2, -1, -1)); bb <- c(2, 0, 1); ge <- rep(">=", 3); five <- paste0("X", 1:5)
brows <- c("X1 - 3X2 + 5X3 + X4 - 4X5 >= 2", "-2X1 + 6X2 - 3X3 - 2X4 + 2X5 >= 0", "-X2 + 2X3 - X4 - X5 >= 1")
balas <- function(...) program(lapply(five, variable, type = "bool", min = NULL), "min", "5X1 + 7X2 + 10X3 + 3X4 + X5", brows, ...)
p <- all_plans("min", c(5, 7, 10, 3, 1), B, ge, bb); stopifnot(p$v[1] == 17, p$x[1, ] == c(0, 1, 1, 0, 0))

# Twelve projects: profit, cost, people; two exclude each other, one needs another. Mixed signs, decimals.
profit <- c(12.6, 8, 15.23, 6.3, 9.9, 14.05, 7.1, 11.02, 5.5, 10.4, -3.3, 13.7); cost <- c(4, 2.5, 6, 2, 3, 5.5, 2.2, 4.1, 1.5, 3.3, -2, 5); people <- c(3, 2, 4, 1, 3, 4, 2, 3, 1, 2, -1, 5)
twelve <- paste0("P", 1:12); sum_of <- function(x, n) gsub("\\+ -", "- ", paste(paste0(x, n), collapse = " + "))
P <- rbind(cost, people, c(1, 0, 1, rep(0, 9)), c(0, -1, 0, 0, 1, rep(0, 7))); pb <- c(20, 14, 1, 0); pd <- rep("<=", 4)
prow <- c(paste(sum_of(cost, twelve), "<= 20"), paste(sum_of(people, twelve), "<= 14"), "P1 + P3 <= 1", "P5 - P2 <= 0")
projects <- program(lapply(twelve, variable), "max", sum_of(profit, twelve), prow)
q <- all_plans("max", profit, P, pd, pb); stopifnot(q$v[1] > q$v[2])
wide <- program(lapply(five, variable, type = "float", max = 7), "min", "5X1 + 7X2 + 10X3 + 3X4 + X5", brows)
searched <- list(block("target_param", value = 17), block("each_run", n = 2, best = 17, mean = 17, worst = 17, feasible = 1, gap = 0))
quick <- list(max_iter = 200, runs = 2, pop_size = 30)
by <- function(key) do.call(balas, c(list(algorithm = key), quick))
on <- abs(P %*% q$x[1, ] - pb) < 1e-9
hit <- if (!any(on)) "没有约束起作用" else paste0("起作用的约束是", paste0("“", shown(prow[on]), "”", collapse = "、"))

oracle(c("R 4.2.2: brute force over all combinations, GLPK (Rglpk)", "Balas (1965): 17 at (0, 1, 1, 0, 0)"), list(
  case("Balas 五变量", balas(), c(tell(p, five, B, bb, ge, brows), list(block("steps", list(number = "1"), value = 0), block("steps", list(partial = "X2 = 1，X3 = 1"), value = 17),
    block("steps", list(partial = "X3 = 0"), filter = 17))), list(fact("最小值是", value = 17), "所有约束和界都满足",
    fact("求得的精确最优值", best = 17), "起作用的约束是“X1 - 3X2 + 5X3 + X4 - 4X5 ≥ 2”、“-X2 + 2X3 - X4 - X5 ≥ 1”", fact("采用隐枚举", n = 5, m = 3), fact("全部组合有", all = 32), "过滤值是当时的最好解")),
  case("十二个项目", projects, tell(q, twelve, P, pb, pd, prow), list(fact("最大值是", value = q$v[1]), hit, "只列出前 200 步")),
  case("填写的界不用", wide, list(block("target_param", value = 17)), list("填写的界没有使用")),
  case("遗传算法", by("ga"), searched, list("采用遗传算法", "与精确解一致")), case("粒子群", by("pso"), searched, list("采用粒子群")),
  case("模拟退火", by("sa"), searched, list("采用模拟退火")), case("蒙特卡罗", by("monte_calo"), searched, list("采用蒙特卡罗"))),
  unverified = list(list(what = "target_param.iterations", reason = "our own count of partial solutions or iterations"), list(what = "target_param.evaluations", reason = "our own count"),
    list(what = "each_run.sd", reason = "spread of our own random runs")), quick = quick)
