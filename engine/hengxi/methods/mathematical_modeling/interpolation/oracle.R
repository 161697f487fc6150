# Rscript oracle.R   (R 4.2.2: splinefun, approx) not-a-knot and clamped splines from their tridiagonal systems, PCHIP and Akima by their
# formulas, thin plates by their linear system. The example is Runge's function 1/(1 + 25x²) at 11 points.
source("../../../../tools/oracle.R")
save_as <- function(x, f) write.csv(x, f, row.names = FALSE, quote = FALSE, na = "")
hermite <- function(x, y, d) function(t, deriv = 0) { i <- pmin(pmax(findInterval(t, x), 1), length(x) - 1); h <- diff(x)[i]; s <- t - x[i]; q <- diff(y)[i] / h; c2 <- (3 * q - 2 * d[i] - d[i + 1]) / h; c3 <- (d[i] + d[i + 1] - 2 * q) / h^2; if (deriv) d[i] + 2 * c2 * s + 3 * c3 * s^2 else y[i] + d[i] * s + c2 * s^2 + c3 * s^3 }
cubic <- function(x, y, kind = "knot", a = 0, b = 0) { if (kind %in% c("natural", "periodic")) return(splinefun(x, y, method = kind)); n <- length(x); h <- diff(x); q <- diff(y) / h; A <- matrix(0, n, n); r <- rep(0, n)
  for (i in 2:(n - 1)) { A[i, i + -1:1] <- c(h[i], 2 * (h[i - 1] + h[i]), h[i - 1]); r[i] <- 3 * (h[i] * q[i - 1] + h[i - 1] * q[i]) }
  if (kind == "clamped") { A[1, 1] <- A[n, n] <- 1; r[1] <- a; r[n] <- b } else { third <- function(i) { v <- rep(0, n); v[i + 0:1] <- 1 / h[i]^2; list(v, 2 * q[i] / h[i]^2) }; f <- third(1); g <- third(2); A[1, ] <- f[[1]] - g[[1]]; r[1] <- f[[2]] - g[[2]]; f <- third(n - 1); g <- third(n - 2); A[n, ] <- f[[1]] - g[[1]]; r[n] <- f[[2]] - g[[2]] }
  hermite(x, y, solve(A, r)) }
pchip <- function(x, y) { h <- diff(x); q <- diff(y) / h; n <- length(x); if (n == 2) return(hermite(x, y, c(q, q))); d <- rep(0, n); for (i in 2:(n - 1)) if (q[i - 1] * q[i] > 0) { w1 <- 2 * h[i] + h[i - 1]; w2 <- h[i] + 2 * h[i - 1]; d[i] <- (w1 + w2) / (w1 / q[i - 1] + w2 / q[i]) }
  end <- function(h0, h1, q0, q1) { v <- ((2 * h0 + h1) * q0 - h0 * q1) / (h0 + h1); if (v * q0 <= 0) 0 else if (q0 * q1 < 0 && abs(v) > 3 * abs(q0)) 3 * q0 else v }; d[1] <- end(h[1], h[2], q[1], q[2]); d[n] <- end(h[n - 1], h[n - 2], q[n - 1], q[n - 2]); hermite(x, y, d) }
akima <- function(x, y) { n <- length(x); q <- diff(y) / diff(x); m <- c(0, 0, q, 0, 0); m[2] <- 2 * m[3] - m[4]; m[1] <- 2 * m[2] - m[3]; k <- length(m); m[k - 1] <- 2 * m[k - 2] - m[k - 3]; m[k] <- 2 * m[k - 1] - m[k - 2]
  d <- sapply(1:n, function(i) { a <- abs(m[i + 3] - m[i + 2]); b <- abs(m[i + 1] - m[i]); if (a + b > 1e-9 * max(abs(diff(m)[-1]) + 0 * 0, abs(m[3:(k)] - m[2:(k - 1)]))) (a * m[i + 1] + b * m[i + 2]) / (a + b) else (m[i + 1] + m[i + 2]) / 2 }); hermite(x, y, d) }
lagrange <- function(x, y) function(t, deriv = 0) sapply(t, function(u) { L <- sapply(seq_along(x), function(i) prod((u - x[-i]) / (x[i] - x[-i]))); if (!deriv) sum(L * y) else sum(y * sapply(seq_along(x), function(i) sum(sapply(seq_along(x)[-i], function(j) prod((u - x[-c(i, j)]) / (x[i] - x[-c(i, j)])) / (x[i] - x[j]))))) })
linear <- function(x, y) function(t, deriv = 0) { i <- pmin(pmax(findInterval(t, x), 1), length(x) - 1); q <- diff(y)[i] / diff(x)[i]; if (deriv) q else y[i] + q * (t - x[i]) }
nearest <- function(x, y) function(t, deriv = 0) sapply(t, function(u) y[which.min(abs(x - u))])
ways <- list(线性 = linear, 最近邻 = nearest, 拉格朗日 = lagrange, 牛顿 = lagrange, 三次样条 = cubic, PCHIP = pchip, Akima = akima)
R <- example(); x <- R$x; y <- R$y; t <- c(-.95, -.5, -.05, .33, .9)
loo <- function(x, y, names) lapply(names, function(w) { k <- 2:(length(x) - 1); e <- sapply(k, function(i) ways[[w]](x[-i], y[-i])(x[i]) - y[i]); block("left_out", list(method = w), n = length(k), rmse = sqrt(mean(e^2)), worst = max(abs(e)), tolerance = 1e-7, reason = "polynomials of degree 9 lose digits") })
rows <- function(f, t, out = rep("否", length(t)), slope = TRUE) lapply(seq_along(t), function(i) do.call(block, c(list("values", list(x = t[i]), x = t[i], value = f(t[i]), outside = out[i]), if (slope) list(slope = f(t[i], deriv = 1)), list(tolerance = 1e-7, reason = "the slope of a polynomial of degree 10"))))
piece <- function(f, i) { h <- f(x[i], 1); u <- x[i] + diff(x)[i] * c(.25, .5, .75); p <- solve(cbind(u - x[i], (u - x[i])^2, (u - x[i])^3), f(u) - y[i]); block("pieces", list(low = x[i]), low = x[i], high = x[i + 1], c0 = y[i], c1 = p[1], c2 = p[2], c3 = p[3], tolerance = 1e-7, reason = "R fits the piece through four of its points") }
C <- data.frame(x = 0:8, y = round(sin(2 * pi * (0:8) / 8) + 1, 6)); save_as(C, "oracle-period.csv"); U <- data.frame(x = c(1, 2.5, 3, 5, 8, 9), y = c(2, 3, 3, 1, 4, 7)); save_as(U, "oracle-uneven.csv"); two <- data.frame(x = c(0, 1), y = c(1, 3)); save_as(two, "oracle-two.csv")
set.seed(4); Z <- data.frame(a = c(0, 0, 10, 10, round(runif(14, 0, 10), 2)), b = c(0, 8, 0, 8, round(runif(14, 0, 8), 2))); Z$平面 <- 1 + 2 * Z$a - 3 * Z$b; Z$高 <- round(100 + 20 * sin(Z$a / 3) * cos(Z$b / 4), 3); save_as(Z, "oracle-plane.csv")
tps <- function(P, z) { r <- as.matrix(dist(P)); K <- ifelse(r > 0, r^2 * log(r), 0); B <- cbind(1, as.matrix(P)); n <- nrow(P); w <- solve(rbind(cbind(K, B), cbind(t(B), matrix(0, 3, 3))), c(z, 0, 0, 0)); function(p) { d <- sqrt(colSums((t(P) - p)^2)); sum(w[1:n] * ifelse(d > 0, d^2 * log(d), 0)) + sum(w[n + 1:3] * c(1, p)) } }
idw <- function(P, z) function(p) { d <- colSums((t(P) - p)^2); if (any(d == 0)) z[d == 0] else sum(z / d) / sum(1 / d) }
P <- as.matrix(Z[1:2]); pts <- rbind(c(2, 3), c(5.5, 4), c(9, 1)); loo2 <- function(w, f) { e <- sapply(seq_len(nrow(P)), function(i) f(P[-i, ], Z$高[-i])(P[i, ]) - Z$高[i]); block("left_out", list(method = w), n = nrow(P), rmse = sqrt(mean(e^2)), worst = max(abs(e))) }
two_d <- function(f, v) lapply(1:3, function(i) block("values", list(x = pts[i, 1], x2 = pts[i, 2]), x2 = pts[i, 2], value = f(pts[i, ])))
form <- function(m, ...) list(x = list("x"), y = "y", method = m, ...); flat <- function(m, v = "高", ...) list(x = list("a", "b"), y = v, method = m, targets_x = paste(pts[, 1], collapse = ","), targets_y = paste(pts[, 2], collapse = ","), ...); M <- list(x = "定量", y = "定量", a = "定量", b = "定量", 高 = "定量", 平面 = "定量")
dd <- function(x, y) { c <- y; out <- y[1]; for (k in 2:length(x)) { c <- diff(c) / (x[k:length(x)] - x[1:(length(x) - k + 1)]); out[k] <- c[1] }; out }; D <- dd(x, y)
lead <- function(t, v) fact("处的插值是", t = t, v = v); pap <- function(m, n, k) fact(paste0("个数据点用", m, "插值"), n = n, k = k); mid <- function(x) (head(x, -1) + tail(x, -1)) / 2
oracle(c("R 4.2.2: splinefun, approx; systems and formulas of each way", "Runge's function"), list(
  case("龙格函数，样条", form("spline", targets = "-0.95, -0.5, -0.05, 0.33, 0.9"), c(rows(cubic(x, y), t), loo(x, y, names(ways)), list(piece(cubic(x, y), 3))), list(lead(-.95, cubic(x, y)(-.95)), "插值点都在数据范围内", "误差最小的方法是", pap("三次样条", 11, 5), "经过每一个数据点", "(x − 段的左端)", "点数不够的方法没有列出"), measures = M),
  case("牛顿", form("newton", targets = "-0.95, 0.33"), c(rows(lagrange(x, y), c(-.95, .33)), lapply(seq_along(D), function(k) block("table", list(order = k - 1), order = k - 1, value = D[k]))), list("龙格现象", "结点由小到大", pap("牛顿", 11, 2)), measures = M),
  case("拉格朗日，不等距", form("lagrange"), rows(lagrange(U$x, U$y), mid(U$x)), list(pap("拉格朗日", 6, 5)), data = "oracle-uneven.csv", measures = M),
  case("线性", form("linear", targets = "1.5,8.5"), rows(linear(U$x, U$y), c(1.5, 8.5)), list(pap("线性", 6, 2)), data = "oracle-uneven.csv", measures = M),
  case("最近邻", form("nearest", targets = "1.5,2.6"), rows(nearest(U$x, U$y), c(1.5, 2.6), slope = FALSE), list("没有导数", pap("最近邻", 6, 2)), data = "oracle-uneven.csv", measures = M),
  case("PCHIP", form("pchip", targets = "1:1.75:8"), rows(pchip(U$x, U$y), seq(1, 8, 1.75)), list(pap("PCHIP", 6, 5)), data = "oracle-uneven.csv", measures = M),
  case("Akima", form("akima", targets = "1.5,4,7"), rows(akima(U$x, U$y), c(1.5, 4, 7)), list(pap("Akima", 6, 3)), data = "oracle-uneven.csv", measures = M),
  case("自然样条", form("spline", boundary = "natural", targets = "1.5,4,7"), rows(cubic(U$x, U$y, "natural"), c(1.5, 4, 7)), list(pap("三次样条", 6, 3)), data = "oracle-uneven.csv", measures = M),
  case("夹持样条，外推", form("spline", boundary = "clamped", left = 1, right = -2, targets = "0.5,4", extrapolate = TRUE), rows(cubic(U$x, U$y, "clamped", 1, -2), c(.5, 4), c("是（不可靠）", "否")), list(fact("外推的值不可靠", k = 1)), data = "oracle-uneven.csv", measures = M),
  case("周期样条", form("spline", boundary = "periodic", targets = "0.5,3.3"), rows(splinefun(C$x, C$y, method = "periodic"), c(.5, 3.3)), list(pap("三次样条", 9, 2)), data = "oracle-period.csv", measures = M),
  case("两个点", form("linear"), rows(linear(two$x, two$y), .5), list("“留一误差”未给出"), data = "oracle-two.csv", measures = M),
  case("薄板样条", flat("rbf"), c(two_d(tps(P, Z$高)), list(loo2("径向基", tps), loo2("反距离加权", idw))), list("第一个插值点的值是", pap("径向基", 18, 3)), data = "oracle-plane.csv", measures = M),
  case("反距离加权", flat("idw"), two_d(idw(P, Z$高)), list(pap("反距离加权", 18, 3)), data = "oracle-plane.csv", measures = M),
  case("平面，二维线性", flat("linear2", "平面"), two_d(function(p) 1 + 2 * p[1] - 3 * p[2]), list(pap("二维线性", 18, 3)), data = "oracle-plane.csv", measures = M),
  case("平面，二维三次，全在外面", list(x = list("a", "b"), y = "平面", method = "cubic2", targets_x = "20", targets_y = "20", extrapolate = TRUE), list(), list("范围外，这种方法没有值", "围成的范围外没有值", pap("二维三次", 18, 1)), data = "oracle-plane.csv", measures = M)))
