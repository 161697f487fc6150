# Own linear programs by lpSolve on the raw data, written in slacks unit by unit. Published: Cooper, Seiford and Tone (2007),
# example 2.2: radial super-efficiency .8571 .6316 1.1429 1.25 2 1; non-oriented SBM .8333 .6190 1 1 1 .9 (F by hand).
source("../../../../tools/oracle.R"); suppressMessages(library(lpSolve))
R9 <- function(v) ifelse(abs(v) < 1e-9, 0, v)
rad <- function(X, Y, k, vrs, out, drop) { j <- setdiff(seq_len(nrow(X)), if (drop) k); n <- length(j); m <- ncol(X); s <- ncol(Y); a <- colMeans(X); b <- colMeans(Y)
  A <- rbind(cbind(if (out) 0 else -X[k, ], t(X[j, , drop = FALSE])), cbind(if (out) -Y[k, ] else 0, t(Y[j, , drop = FALSE])), if (vrs) c(0, rep(1, n)))
  r <- lp(if (out) "max" else "min", c(1, rep(0, n)), A, c(rep("<=", m), rep(">=", s), if (vrs) "="), c(if (out) X[k, ] else rep(0, m), if (out) rep(0, s) else Y[k, ], if (vrs) 1)); if (r$status != 0) return(NULL)
  th <- r$objval; x0 <- if (out) X[k, ] else th * X[k, ]; y0 <- if (out) th * Y[k, ] else Y[k, ]
  B <- rbind(cbind(t(X[j, , drop = FALSE]) / a, diag(m), matrix(0, m, s)), cbind(t(Y[j, , drop = FALSE]) / b, matrix(0, s, m), -diag(s)), if (vrs) c(rep(1, n), rep(0, m + s)))
  z <- R9(lp("max", c(rep(0, n), rep(1, m + s)), B, rep("=", nrow(B)), c(x0 / a, y0 / b, if (vrs) 1))$solution); l <- numeric(nrow(X)); l[j] <- z[1:n]
  list(v = if (out) 1 / th else th, tx = x0 - z[n + 1:m] * a, ty = y0 + z[n + m + 1:s] * b, l = l) }
sbm <- function(X, Y, B, k, vrs, ori) { n <- nrow(X); m <- ncol(X); s <- ncol(Y); q <- ncol(B); p <- s + q; N <- 1 + n + m + p   # t, L, S-, S+, Sb
  A <- rbind(cbind(-X[k, ], t(X), diag(m), matrix(0, m, p)), cbind(-Y[k, ], t(Y), matrix(0, s, m), -diag(s), matrix(0, s, q)), if (q) cbind(-B[k, ], t(B), matrix(0, q, m + s), diag(q)))
  ci <- c(0, rep(0, n), 1 / m / X[k, ], rep(0, p)); co <- c(0, rep(0, n), rep(0, m), 1 / p / c(Y[k, ], B[k, ])); e <- c(1, rep(0, N - 1))
  M <- rbind(A, e + (ori != "input") * co, if (vrs) c(-1, rep(1, n), rep(0, m + p))); rhs <- c(rep(0, m + p), 1, if (vrs) 0)
  r <- lp("min", e - (ori != "output") * ci, M, rep("=", nrow(M)), rhs); z <- r$solution; val <- r$objval
  if (ori != "none") { kept <- if (ori == "input") ci else co; r2 <- lp("max", if (ori == "input") co else ci, rbind(M, kept, e), rep("=", nrow(M) + 2), c(rhs, sum(kept * z), z[1])); z <- r2$solution }
  u <- R9(z / z[1]); list(v = if (abs(val - 1) < 1e-9) 1 else val, tx = X[k, ] - u[1 + n + 1:m], ty = Y[k, ] + u[1 + n + m + 1:s], tb = B[k, ] - u[1 + n + m + s + seq_len(q)], l = u[1 + 1:n]) }
sup <- function(X, Y, B, k, vrs, ori) { j <- setdiff(seq_len(nrow(X)), k); n <- length(j); m <- ncol(X); s <- ncol(Y); q <- ncol(B); p <- s + q   # t, L, xbar, ybar, bbar (targets times t)
  o <- function(r, c) matrix(0, r, c); id <- diag
  A <- rbind(cbind(0, t(X[j, , drop = FALSE]), -id(m), o(m, p)), cbind(0, t(Y[j, , drop = FALSE]), o(s, m), -id(s), o(s, q)), if (q) cbind(0, t(B[j, , drop = FALSE]), o(q, m + s), -id(q)),
    cbind(-X[k, ], o(m, n), id(m), o(m, p)), cbind(-Y[k, ], o(s, n), o(s, m), id(s), o(s, q)), if (q) cbind(-B[k, ], o(q, n), o(q, m + s), id(q)))
  d <- c(rep("<=", m), rep(">=", s), rep("<=", q), rep(if (ori == "output") "=" else ">=", m), rep(if (ori == "input") "=" else "<=", s), rep(if (ori == "input") "=" else ">=", q))
  # denominator: 1 - (sum(1 - ybar/y) + sum(bbar/b - 1)) / p, times t, is 1
  den <- c(1 - s / p + q / p, rep(0, n + m), 1 / Y[k, ] / p, if (q) -1 / B[k, ] / p); num <- c(0, rep(0, n), 1 / X[k, ] / m, rep(0, p))
  if (ori == "input") den <- c(1, rep(0, n + m + p)); if (ori == "output") num <- c(1, rep(0, n + m + p))
  M <- rbind(A, den, if (vrs) c(-1, rep(1, n), rep(0, m + p))); r <- lp("min", num, M, c(d, "=", if (vrs) "="), c(rep(0, nrow(A)), 1, if (vrs) 0)); if (r$status != 0) return(NULL)
  u <- R9(r$solution / r$solution[1]); l <- numeric(nrow(X)); l[j] <- u[1 + 1:n]; list(v = if (abs(r$objval - 1) < 1e-9) 1 else r$objval, tx = u[1 + n + 1:m], ty = u[1 + n + m + 1:s], tb = u[1 + n + m + s + seq_len(q)], l = l) }
ddf <- function(X, Y, B, k, vrs, ori) { n <- nrow(X); m <- ncol(X); s <- ncol(Y); q <- ncol(B); gi <- ori != "output"; go <- ori != "input"
  A <- rbind(cbind(gi * X[k, ], t(X)), cbind(-go * Y[k, ], t(Y)), if (q) cbind(go * B[k, ], t(B)), if (vrs) c(0, rep(1, n))); d <- c(rep("<=", m), rep(">=", s), rep("=", q), if (vrs) "="); rhs <- c(X[k, ], Y[k, ], B[k, ], if (vrs) 1)
  be <- R9(lp("max", c(1, rep(0, n)), A, d, rhs)$objval); x1 <- X[k, ] * (1 - gi * be); y1 <- Y[k, ] * (1 + go * be); b1 <- B[k, ] * (1 - go * be)
  M <- rbind(cbind(t(X), diag(m), matrix(0, m, s)), cbind(t(Y), matrix(0, s, m), -diag(s)), if (q) cbind(t(B), matrix(0, q, m + s)), if (vrs) c(rep(1, n), rep(0, m + s)))
  z <- R9(lp("max", c(rep(0, n), 1 / X[k, ], 1 / Y[k, ]), M, rep("=", nrow(M)), c(x1, y1, b1, if (vrs) 1))$solution)
  list(v = if (ori == "input") 1 - be else if (ori == "output") 1 / (1 + be) else (1 - be) / (1 + be), beta = be, tx = x1 - z[n + 1:m], ty = y1 + z[n + m + 1:s], tb = b1, l = z[1:n]) }
one <- function(name, d, f, says = list(), detail = TRUE, ...) { ins <- unlist(f$inputs); outs <- unlist(f$outputs); bads <- unlist(f$bad_outputs); d <- d[complete.cases(d[, c(ins, outs, bads)]), ]
  X <- as.matrix(d[, ins, drop = FALSE]); Y <- as.matrix(d[, outs, drop = FALSE]); B <- as.matrix(d[, bads, drop = FALSE]); n <- nrow(X); nm <- as.character(d[[f$label]]); get <- function(k, z) if (is.null(f[[k]])) z else f[[k]]
  mo <- get("model", "super_sbm"); vrs <- get("rts", "crs") == "vrs"; ori <- get("orientation", "none"); q <- length(bads); m <- length(ins); W <- cbind(X, B)
  split <- function(r) if (is.null(r)) NULL else { r$tb <- r$tx[m + seq_len(q)]; r$tx <- r$tx[1:m]; r }
  plain <- lapply(1:n, function(k) switch(mo, super_radial = split(rad(W, Y, k, vrs, ori == "output", FALSE)), directional_distance = ddf(X, Y, B, k, vrs, ori), sbm(X, Y, B, k, vrs, ori)))
  e <- sapply(plain, function(p) p$v); e[abs(e - 1) < 1e-9] <- 1; issup <- grepl("^super", mo)
  fin <- lapply(1:n, function(k) if (issup && e[k] == 1) { if (mo == "super_radial") split(rad(W, Y, k, vrs, ori == "output", TRUE)) else sup(X, Y, B, k, vrs, ori) } else plain[[k]])
  v <- sapply(fin, function(p) if (is.null(p)) NA else p$v); rk <- rank(-round(v, 9), ties.method = "min", na.last = "keep"); res <- list(); add <- function(b) res[[length(res) + 1]] <<- b; tol <- function(...) block(..., tolerance = 1e-6, reason = "lpSolve works to about 1e-9 on the raw data")
  for (k in 1:n) { p <- fin[[k]]; cells <- list("result", list(unit = nm[k]), efficiency = e[k], rank = if (!is.na(rk[k])) rk[k], verdict = if (is.null(p)) "有效（超效率不可行）" else if (e[k] == 1) "有效" else "非有效", tolerance = 1e-7, reason = "lpSolve works to about 1e-9")
    if (issup) cells["beyond"] <- list(if (is.null(p)) NULL else p$v); if (mo == "directional_distance") cells$beta <- p$beta; add(do.call(block, cells))
    if (is.null(p) || !detail) next   # not unique for every unit of the small example
    it <- c(ins, outs, bads); ac <- c(X[k, ], Y[k, ], B[k, ]); tg <- c(p$tx, p$ty, p$tb)
    for (j in seq_along(it)) add(tol("improve", list(unit = nm[k], item = it[j]), actual = ac[[j]], target = tg[[j]], slack = if (abs(tg[[j]] / ac[[j]] - 1) < 1e-8) 0 else abs(tg[[j]] - ac[[j]]), rate = if (abs(tg[[j]] / ac[[j]] - 1) < 1e-8) 0 else tg[[j]] / ac[[j]] - 1))
    for (j in which(p$l > 0)) add(tol("peers", list(unit = nm[k], peer = nm[j]), weight = p$l[j])) }
  no <- sum(sapply(fin, is.null)); full <- sum(e == 1); add(block("summary", list(), n = n, full = full, mean = mean(e), low = min(e), none = no, tolerance = 1e-7, reason = "lpSolve")); M <- m + q; s <- length(outs)
  if (no > 0) add(list(table = "impossible", where = setNames(list(), character()), count = no, cells = setNames(list(), character())))
  list(e = e, v = v, case = case(name, f, res, c(list(list(contains = "个决策单元里", facts = list(n = n, full = full), tolerance = 1e-7), list(contains = "的平均效率为", facts = list(n = n, full = full, mean = mean(e)), tolerance = 1e-7), "退步一些仍然有效"),
    list(if (n < max(M * s, 3 * (M + s))) fact("按经验应不少于", n = n) else "不少于经验要求的", if (no > 0) fact("已标出，不参加排名", k = no) else "每个单元都有可行解"), says), ...)) }
b <- data.frame(u = LETTERS[1:6], x1 = c(4, 7, 8, 4, 2, 10), x2 = c(3, 3, 1, 2, 4, 1), y = 1); write.csv(b, "oracle-stores.csv", row.names = FALSE); q2 <- list(x1 = "定量", x2 = "定量", y = "定量")
fb <- function(...) list(inputs = list("x1", "x2"), outputs = list("y"), label = "u", ...)
c1 <- one("Cooper 等例 2.2，径向", b, fb(model = "super_radial", orientation = "input"), data = "oracle-stores.csv", measures = q2)
c2 <- one("Cooper 等例 2.2，SBM", b, fb(model = "sbm"), detail = FALSE, data = "oracle-stores.csv", measures = q2)
stopifnot(abs(c1$v - c(.8571, .6316, 1.1429, 1.25, 2, 1)) < 6e-5, abs(c2$e - c(.8333, .6190, 1, 1, 1, .9)) < 6e-5)
ex <- example(); f <- function(...) list(inputs = list("能源", "劳动", "资本"), outputs = list("GDP"), bad_outputs = list("CO2"), label = "省份", ...)
oracle(c("R 4.2.2 with lpSolve: own programs", "Cooper, Seiford and Tone (2007): example 2.2"), list(one("示例，超效率 SBM", ex, f())$case, c1$case, c2$case,
  one("超效率 SBM，规模报酬可变，投入导向", ex, f(rts = "vrs", orientation = "input"))$case, one("超效率 SBM，产出导向", ex, f(orientation = "output"))$case,
  one("径向超效率，产出导向，规模报酬可变", ex, f(model = "super_radial", rts = "vrs", orientation = "output"))$case,
  one("SBM，规模报酬可变", ex, f(model = "sbm", rts = "vrs"))$case, one("方向距离，非导向", ex, f(model = "directional_distance"))$case,
  one("方向距离，产出导向，规模报酬可变", ex, f(model = "directional_distance", rts = "vrs", orientation = "output"))$case, one("方向距离，投入导向", ex, f(model = "directional_distance", orientation = "input"))$case))
