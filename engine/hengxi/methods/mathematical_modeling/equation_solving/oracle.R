# Rscript oracle.R   (R 4.2.2: solve, svd, qr, polyroot, uniroot; nleqslv) Closed forms: x² + y² = 4, xy = 1; (x − 1)(x − 2)(x − 3); Hilbert 5.
source("../../../../tools/oracle.R"); suppressMessages(library(nleqslv))
s <- function(i, r = NULL, ...) { v <- list(...); names(v) <- paste0("value@", names(v)); do.call(block, c(list("solutions", list(number = as.character(i))), v)) }
q <- sqrt(2 + sqrt(3)); p <- sqrt(2 - sqrt(3)); z <- nleqslv(c(2, .5), function(v) c(v[1]^2 + v[2]^2 - 4, v[1] * v[2] - 1), control = list(ftol = 1e-14, xtol = 1e-14))$x; stopifnot(abs(z - c(q, p)) < 1e-8)
r <- sort(Re(polyroot(c(-6, 11, -6, 1)))); stopifnot(abs(r - 1:3) < 1e-9)
u <- function(a, b) uniroot(function(x) exp(x) - 3 * x, c(a, b), tol = 1e-15)$root
H <- outer(1:5, 1:5, function(i, j) 1 / (i + j - 1)); hs <- sapply(1:5, function(i) paste(paste0("X", 1:5, "/", i + 1:5 - 1), collapse = " + ")); hx <- as.vector(round(solve(H) %*% rep(1, 5))); Hs <- H / apply(H, 1, max); sv <- svd(Hs)$d
ns <- function(A) { A <- A / apply(abs(A), 1, max); d <- svd(A)$d; d[1] / min(d) }
line <- function(rank, wide, cond) block("linear", list(), rank = rank, wide_rank = wide, condition = cond)
res <- function(kind, n, m, k) block("result", list(), kind_ = kind, unknowns = n, equations_ = m, found = k)
A3 <- rbind(c(1, 1), c(1, -1), c(1, 2)); b3 <- c(2, 0, 4); A3s <- A3 / apply(abs(A3), 1, max); b3s <- b3 / apply(abs(A3), 1, max); ls <- qr.solve(A3s, b3s)
C <- c(4, -12, 13, -6, 1)   # (x − 1)²(x − 2)²
root <- function(i, re, im = 0, k = 1) block("roots", list(number = as.character(i)), real = re, imaginary = im, times = k)
e <- function(...) list(equations = list(...)); say <- function(kind, m, n) fact(paste0("求解", kind), m = m, n = n)
own <- "rounding that is left over when the solution is put back"
oracle(c("R 4.2.2: solve, polyroot, uniroot, nleqslv", "closed forms; Hilbert matrix of order 5"), list(
  case("圆与双曲线", e("X^2 + Y^2 = 4", "X*Y = 1"), list(res("非线性方程组", 2, 2, 4), s(1, X = -q, Y = -p), s(2, X = -p, Y = -q), s(3, X = p, Y = q), s(4, X = q, Y = p)), list(fact("组解，列在表里", k = 4), "可能还有别的解", say("非线性方程组", 2, 2), "残差变大时步长减半", "“多项式的根”未给出", "“线性方程组”未给出", "“通解”未给出：不是", "“最小二乘解”未给出：不是", "未给出：未知数不止一个")),
  case("三次多项式", e("X^3 - 6X^2 + 11X = 6"), list(res("多项式", 1, 1, 3), root(1, 1), root(2, 2), root(3, 3)), list(fact("次多项式有", k = 3, d = 3, x0 = 1, x2 = 3), "没有重根", "重数之和等于次数", say("多项式", 1, 1), "未给出：见多项式的根", "“牛顿法的过程”未给出：不用")),
  case("重根与复根", e("(X - 1)^2 (X^2 + 1) = 0"), list(res("多项式", 1, 1, 4), root(1, 1, 0, 2), root(2, 0, -1), root(3, 0, 1)), list("重根会分开", fact("次多项式有", k = 1, d = 4), say("多项式", 1, 1))),
  case("没有实根", e("X^2 + X + 1 = 0"), list(root(1, -.5, -sqrt(3) / 2), root(2, -.5, sqrt(3) / 2)), list(fact("次多项式没有实根", k = 0, d = 2), "没有实根可画", say("多项式", 1, 1))),
  case("一元非线性", c(e("exp(t) = 3t"), list(interval = c(-5, 5), x0 = list(0))), list(res("一元非线性", 1, 1, 2), s(1, t = u(0, 1)), s(2, t = u(1, 3))), list(fact("在搜索区间里找到", k = 2, x0 = u(0, 1), x1 = u(1, 3)), "请看图", say("一元非线性", 1, 1))),
  case("希尔伯特", do.call(e, as.list(paste(hs, "= 1"))), list(res("线性方程组", 5, 5, 1), do.call(s, c(list(1), setNames(as.list(hx), paste0("X", 1:5)))), line(5, 5, max(sv) / min(sv)))[c(1, 3)], list(say("线性方程组", 5, 5), "条件数不大", "未给出：没有自由", "未给出：方程组有解", "线性方程组不画", "唯一的解：X1")),
  case("两元一次", e("2a + 3b = 7", "a - b = 1"), list(s(1, a = 2, b = 1), line(2, 2, ns(rbind(c(2, 3), c(1, -1))))), list(fact("唯一的解", x0 = 2, x1 = 1), say("线性方程组", 2, 2))),
  case("病态", e("x + y = 2", "x + 1.00000000001y = 2.00000000001"), list(res("线性方程组", 2, 2, 1)), list("方程组是病态的", "唯一的解：x", say("线性方程组", 2, 2))),
  case("无穷多", e("x + y + z = 6", "x - y = 1"), list(block("linear", list(), rank = 2, wide_rank = 2), block("general", list(unknown = "x"), expression = "3.5 − 0.5z"), block("general", list(unknown = "y"), expression = "2.5 − 0.5z"), block("general", list(unknown = "z"), expression = "任意数")), list(fact("有无穷多个解", k = 1), "解不唯一，通解", say("线性方程组", 2, 3), "未给出：没有唯一的解")),
  case("矛盾", e("x + y = 2", "x - y = 0", "x + 2y = 4"), list(res("线性方程组", 2, 3, 0), line(2, 3, ns(A3)), block("nearest", list(unknown = "x"), value = ls[1]), block("nearest", list(unknown = "y"), value = ls[2])), list("方程组无解", "没有解。", "平方和最小，不是解", say("线性方程组", 3, 2))),
  case("方程比未知数多", e("x^2 + y = 3", "x + y^2 = 5", "x*y = 2"), list(res("非线性方程组", 2, 3, 1), s(1, x = 1, y = 2)), list("列出的解满足全部方程", fact("找到 1 组解", x0 = 1, x1 = 2), say("非线性方程组", 3, 2)))),
  unverified = list(list(what = "solutions.residual", reason = own), list(what = "roots.residual", reason = own), list(what = "steps.step", reason = "our own Newton steps, which end at the checked root"), list(what = "steps.norm", reason = "the same"), list(what = "lead.x0", reason = "stands in the wide table"), list(what = "lead.x1", reason = "the same"), list(what = "lead.x2", reason = "the same"), list(what = "lead.x3", reason = "the same"), list(what = "lead.x4", reason = "the same")))
