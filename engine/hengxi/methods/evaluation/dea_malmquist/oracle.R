# Own linear programs by lpSolve; M and its parts by the formulas of Färe et al. (1992, 1994), Ray and Desli (1997), Pastor and
# Lovell (2005), Chambers et al. (1996). By hand: x 2, 4 constant, y 2, 2 → 3, 3.6: M 1.5 1.8, EC 1 1.2, TC 1.5 1.5.
source("../../../../tools/oracle.R"); suppressMessages(library(lpSolve))
E1 <- function(x, y, X, Y, vrs, out) { n <- nrow(X); m <- ncol(X); s <- ncol(Y); A <- rbind(cbind(if (out) 0 * x else -x, t(X)), cbind(if (out) -y else 0 * y, t(Y)), if (vrs) c(0, rep(1, n)))
  r <- lp(if (out) "max" else "min", c(1, rep(0, n)), A, c(rep("<=", m), rep(">=", s), if (vrs) "="), c(if (out) x else 0 * x, if (out) 0 * y else y, if (vrs) 1)); v <- if (r$status != 0 || r$objval <= 0) NA else if (out) 1 / r$objval else r$objval; if (!is.na(v) && abs(v - 1) < 1e-9) 1 else v }
D1 <- function(x, y, X, Y, vrs, ori) { n <- nrow(X); gx <- (ori != "output") * x; gy <- (ori != "input") * y; A <- rbind(cbind(gx, -gx, t(X)), cbind(-gy, gy, t(Y)), if (vrs) c(0, 0, rep(1, n)))
  lp("max", c(1, -1, rep(0, n)), A, c(rep("<=", length(x)), rep(">=", length(y)), if (vrs) "="), c(x, y, if (vrs) 1))$objval }
one <- function(name, d, f, says = list(), ...) { ins <- unlist(f$inputs); outs <- unlist(f$outputs); U <- unique(d[[f$label]]); T <- sort(unique(d[[f$year]])); n <- length(U); P <- length(T); get <- function(k, z) if (is.null(f[[k]])) z else f[[k]]
  ix <- get("index", "adjacent"); de <- get("decomposition", "fgnz"); ori <- get("orientation", "input"); out <- ori == "output"; at <- function(t, v) as.matrix(d[match(paste(U, T[t]), paste(d[[f$label]], d[[f$year]])), v, drop = FALSE])
  X <- lapply(1:P, at, ins); Y <- lapply(1:P, at, outs); own <- function(vrs) sapply(1:P, function(t) sapply(1:n, function(i) E1(X[[t]][i, ], Y[[t]][i, ], X[[t]], Y[[t]], vrs, out))); C <- own(FALSE); V <- own(TRUE)
  AX <- do.call(rbind, X); AY <- do.call(rbind, Y); val <- array(NA, c(5, n, P - 1)); add2 <- ix == "luenberger"
  for (t in 1:(P - 1)) for (i in 1:n) { u <- t + 1; x0 <- X[[t]][i, ]; y0 <- Y[[t]][i, ]; x1 <- X[[u]][i, ]; y1 <- Y[[u]][i, ]
    if (add2) { d00 <- D1(x0, y0, X[[t]], Y[[t]], FALSE, ori); d11 <- D1(x1, y1, X[[u]], Y[[u]], FALSE, ori); m <- (d00 - D1(x1, y1, X[[t]], Y[[t]], FALSE, ori) + D1(x0, y0, X[[u]], Y[[u]], FALSE, ori) - d11) / 2
      pe <- D1(x0, y0, X[[t]], Y[[t]], TRUE, ori) - D1(x1, y1, X[[u]], Y[[u]], TRUE, ori); r <- c(m, d00 - d11, m - d00 + d11, pe, d00 - d11 - pe); r[abs(r) < 1e-9] <- 0 }
    else { ec <- C[i, u] / C[i, t]; pe <- V[i, u] / V[i, t]; m <- if (ix == "global") E1(x1, y1, AX, AY, FALSE, out) / E1(x0, y0, AX, AY, FALSE, out) else sqrt(E1(x1, y1, X[[t]], Y[[t]], FALSE, out) / C[i, t] * C[i, u] / E1(x0, y0, X[[u]], Y[[u]], FALSE, out))
      tc <- m / ec; se <- ec / pe; if (de == "rd") { tc <- sqrt(E1(x1, y1, X[[t]], Y[[t]], TRUE, out) / V[i, u] * V[i, t] / E1(x0, y0, X[[u]], Y[[u]], TRUE, out)); se <- m / pe / tc }; r <- c(m, ec, tc, pe, se) }
    val[, i, t] <- r }
  keys <- c("m", "ec", "tc", "pec", "sec")[if (de == "fglr") 1:3 else 1:5]; nul <- function(v) lapply(setNames(seq_along(keys), keys), function(k) if (is.na(v[k])) NULL else v[[k]])
  tol <- function(t, w, cells, more = list()) do.call(block, c(list(t, w), cells, more, list(tolerance = 1e-6, reason = "ratios of efficiencies that lpSolve gives to about 1e-9"))); res <- list(); add <- function(b) res[[length(res) + 1]] <<- b
  mean1 <- function(M) apply(matrix(M, 5), 1, function(v) { v <- v[!is.na(v)]; if (length(v) == 0) NA else if (add2) mean(v) else exp(mean(log(v))) }); span <- paste0(T[-P], "→", T[-1])
  for (i in 1:n) { for (t in 1:(P - 1)) add(tol("result", list(unit = U[i], period = span[t]), nul(val[, i, t]))); run <- if (add2) c(0, cumsum(val[1, i, ])) else cumprod(c(1, val[1, i, ]))
    for (t in 1:P) { add(tol("total", list(unit = U[i], period = as.character(T[t])), list(value = if (abs(run[t]) < 1e-9) 0 else run[t]))); add(tol("efficiencies", list(unit = U[i], period = as.character(T[t])), list(crs = if (add2) E1(X[[t]][i, ], Y[[t]][i, ], X[[t]], Y[[t]], FALSE, FALSE) else C[i, t], vrs = V[i, t]))) } }
  for (t in 1:(P - 1)) add(tol("periods", list(period = span[t]), nul(mean1(val[, , t])), list(n = n))); all <- mean1(val); add(tol("periods", list(period = "全部"), nul(all), list(n = n)))
  each <- sapply(1:n, function(i) mean1(val[, i, ])); rk <- rank(-round(each[1, ], 12), ties.method = "min"); for (i in 1:n) add(tol("units", list(unit = U[i]), nul(each[, i]), list(rank = rk[i])))
  z <- if (add2) 0 else 1; turn <- if (all[1] > z + 1e-9) "提高" else if (all[1] < z - 1e-9) "下降" else "不变"; gap <- de == "rd"; w <- function(s, ...) list(contains = s, facts = list(...), tolerance = 1e-6)
  sz <- if (add2) abs(all[2:3]) else abs(log(all[2:3])); no <- sum(is.na(val[3, , ])); need <- max(length(ins) * length(outs), 3 * length(c(ins, outs)))
  list(v = val, case = case(name, f, res, Filter(Negate(is.null), c(list(w(paste0("总体", turn, if (!gap && turn != "不变") paste0("，主要来自", if (sz[1] > sz[2]) "技术效率变化" else "技术进步变化")), n = n, t = P, m = all[1]), w("个单元期里", up = sum(val[1, , ] > z), all = n * (P - 1)),
    if (gap) w("的平均 TFP 指数为", m = all[1]) else w("的平均 TFP 指数为", m = all[1], ec = all[2], tc = all[3]), "技术进步是前沿的移动", if (n < need) fact("按经验应不少于", n = n, rule = need) else "不少于经验要求的", paste0("平均是", if (add2) "算术平均" else "几何平均"),
    if (no > 0) fact("无可行解，技术进步和规模效率变化留空", k = no), if (all(is.na(val[3, , ]))) "技术进步没有可行解，分不出来源"), says)), ...)) }
ex <- example(); f <- function(...) list(inputs = list("员工", "资产"), outputs = list("利息收入", "其他收入"), label = "银行", year = "年", ...)
h <- data.frame(u = c("甲", "乙", "甲", "乙"), t = c(2020, 2020, 2021, 2021), x = c(2, 4, 2, 4), y = c(2, 2, 3, 3.6)); write.csv(h, "oracle-hand.csv", row.names = FALSE)
hand <- one("手算", h, list(inputs = list("x"), outputs = list("y"), label = "u", year = "t"), data = "oracle-hand.csv", measures = list(x = "定量", y = "定量", t = "时间"))
stopifnot(abs(hand$v[1, , 1] - c(1.5, 1.8)) < 1e-9, abs(hand$v[2, , 1] - c(1, 1.2)) < 1e-9)
flat <- h; flat$y <- c(2, 2, 2, 2); flat <- flat; write.csv(flat, "oracle-flat.csv", row.names = FALSE); q <- list(x = "定量", y = "定量", t = "时间")
down <- h; down$y <- c(3, 3.6, 2, 2); write.csv(down, "oracle-down.csv", row.names = FALSE); g <- function(...) list(inputs = list("x"), outputs = list("y"), label = "u", year = "t", ...)
leap <- h; leap$y <- c(2, 2, 9, 9); write.csv(leap, "oracle-leap.csv", row.names = FALSE)
oracle(c("R 4.2.2 with lpSolve: own programs", "hand example"), list(one("示例，相邻参比，FGNZ", ex, f())$case, hand$case, one("不变", flat, g(index = "luenberger"), data = "oracle-flat.csv", measures = q)$case,
  one("下降，全局", down, g(index = "global"), data = "oracle-down.csv", measures = q)$case, one("下降，产出导向 RD", down, g(orientation = "output", decomposition = "rd"), data = "oracle-down.csv", measures = q)$case,
  one("RD，都不可行", leap, g(decomposition = "rd"), data = "oracle-leap.csv", measures = q)$case, one("RD，投入导向", ex, f(decomposition = "rd"))$case, one("全局参比，产出导向，FGLR", ex, f(index = "global", orientation = "output", decomposition = "fglr"))$case,
  one("Luenberger，非导向", ex, f(index = "luenberger", orientation = "none"))$case, one("Luenberger，产出导向，FGLR", ex, f(index = "luenberger", orientation = "output", decomposition = "fglr"))$case, one("Luenberger，投入导向", down, g(index = "luenberger"), data = "oracle-down.csv", measures = q)$case))
