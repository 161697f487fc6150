# Own linear programs by lpSolve, in multiplier-free envelopment form written unit by unit; stage two as a second program.
# Published: Cooper, Seiford and Tone (2007), example 2.1: CRS .5 1 .6667 .75 .8 .4 .5 .625, VRS 1 1 .8333 .75 1 .5 .5 1;
# example 2.2: .8571 .6316 1 1 1 1, unit F weakly efficient.
source("../../../../tools/oracle.R"); suppressMessages(library(lpSolve))
solve1 <- function(X, Y, k, vrs, out, le = FALSE) { n <- nrow(X); m <- ncol(X); s <- ncol(Y)     # variables: theta, lambda
  A <- rbind(if (out) cbind(0, t(X)) else cbind(-X[k, ], t(X)), if (out) cbind(-Y[k, ], t(Y)) else cbind(0, t(Y)), if (vrs || le) c(0, rep(1, n)))
  d <- c(rep("<=", m), rep(">=", s), if (le) "<=" else if (vrs) "=="); b <- c(if (out) X[k, ] else rep(0, m), if (out) rep(0, s) else Y[k, ], if (vrs || le) 1)
  lp(if (out) "max" else "min", c(1, rep(0, n)), A, d, b)$objval }
solve2 <- function(X, Y, k, vrs, out, th) { n <- nrow(X); m <- ncol(X); s <- ncol(Y); a <- colMeans(X); b <- colMeans(Y)
  x0 <- if (out) X[k, ] else th * X[k, ]; y0 <- if (out) th * Y[k, ] else Y[k, ]
  A <- rbind(cbind(t(X) / a, diag(m), matrix(0, m, s)), cbind(t(Y) / b, matrix(0, s, m), -diag(s)), if (vrs) c(rep(1, n), rep(0, m + s)))
  r <- lp("max", c(rep(0, n), rep(1, m + s)), A, rep("==", nrow(A)), c(x0 / a, y0 / b, if (vrs) 1)); v <- ifelse(abs(r$solution) < 1e-9, 0, r$solution)
  list(l = v[1:n], i = v[n + 1:m] * a, o = v[n + m + 1:s] * b) }
one <- function(name, d, f, says = list(), peers = TRUE, ...) {
  ins <- unlist(f$inputs); outs <- unlist(f$outputs); keep <- complete.cases(d[, c(ins, outs)]); d <- d[keep, ]; X <- as.matrix(d[, ins, drop = FALSE]); Y <- as.matrix(d[, outs, drop = FALSE]); n <- nrow(X)
  nm <- if (is.null(f$label)) paste0("第 ", which(keep), " 行") else as.character(d[[f$label]]); out <- identical(f$orientation, "output"); model <- if (is.null(f$model)) "bcc" else f$model; two <- !identical(f$two_stage, FALSE)
  th <- sapply(1:n, function(k) solve1(X, Y, k, FALSE, out)); tv <- sapply(1:n, function(k) solve1(X, Y, k, TRUE, out)); tn <- sapply(1:n, function(k) solve1(X, Y, k, FALSE, out, TRUE))
  snap <- function(v) ifelse(abs(v - 1) < 1e-9, 1, v); th <- snap(th); tv <- snap(tv); e <- function(v) if (out) 1 / v else v; oe <- e(th); te <- e(tv); nd <- e(tn); v <- model != "ccr"; res <- list(); add <- function(b) res[[length(res) + 1]] <<- b
  for (k in 1:n) { t0 <- if (v) tv[k] else th[k]; z <- solve2(X, Y, k, v, out, t0); eff <- if (v) te[k] else oe[k]; sl <- sum(z$i) + sum(z$o)
    add(block("result", list(unit = nm[k]), te = te[k], se = oe[k] / te[k], oe = oe[k], slack_in = if (two) sum(z$i), slack_out = if (two) sum(z$o), verdict = if (eff < 1 - 1e-8) "非有效" else if (sl == 0 || !two) "强有效" else "弱有效",
      tolerance = 1e-7, reason = "lpSolve works to about 1e-9"))
    c2 <- solve2(X, Y, k, FALSE, out, th[k]); add(block("scale", list(unit = nm[k]), sum_ = if (two) sum(c2$l), kind = if (te[k] - oe[k] < 1e-8) "不变" else if (abs(nd[k] - te[k]) < 1e-7) "递减" else "递增", tolerance = 1e-6, reason = "lpSolve"))
    if (two) { for (j in seq_along(ins)) { g <- X[k, j] * (if (out) 1 else t0) - z$i[j]; rt <- g / X[k, j] - 1; add(block("targets", list(unit = nm[k], item = ins[j]), actual = X[k, j], target = g, slack = z$i[j], rate = if (abs(rt) < 1e-10) 0 else rt, tolerance = 1e-6, reason = "lpSolve")) }
      for (j in seq_along(outs)) { g <- Y[k, j] * (if (out) t0 else 1) + z$o[j]; rt <- g / Y[k, j] - 1; add(block("targets", list(unit = nm[k], item = outs[j]), actual = Y[k, j], target = g, slack = z$o[j], rate = if (abs(rt) < 1e-10) 0 else rt, tolerance = 1e-6, reason = "lpSolve")) }
      if (peers) for (j in which(z$l > 0)) add(block("peers", list(unit = nm[k], peer = nm[j]), weight = z$l[j], tolerance = 1e-6, reason = "lpSolve")) } }
  for (q in list(list("技术效率 TE", te), list("规模效率 SE", oe / te), list("综合效率 OE", oe))) add(block("summary", list(item = q[[1]]), mean = mean(q[[2]]), least_ = min(q[[2]]), full = sum(q[[2]] >= 1 - 1e-8), n = n, tolerance = 1e-7, reason = "lpSolve"))
  eff <- if (v) te else oe; list(oe = oe, te = te, case = case(name, f, res, c(list(fact("个决策单元里", full = sum(eff >= 1 - 1e-8), n = n), fact("其中", n = n, full = sum(eff >= 1 - 1e-8)), "是与这批单元里做得最好的比",
    "松弛和有效性按所选的模型", if (n < max(length(ins) * length(outs), 3 * (length(ins) + length(outs)))) fact("按经验应不少于", n = n) else "不少于经验要求的"), says), ...)) }
a <- data.frame(u = LETTERS[1:8], x = c(2, 3, 3, 4, 5, 5, 6, 8), y = c(1, 3, 2, 3, 4, 2, 3, 5)); write.csv(a, "oracle-shops.csv", row.names = FALSE)
b <- data.frame(u = LETTERS[1:6], x1 = c(4, 7, 8, 4, 2, 10), x2 = c(3, 3, 1, 2, 4, 1), y = 1); write.csv(b, "oracle-stores.csv", row.names = FALSE)
q1 <- list(x = "定量", y = "定量"); q2 <- list(x1 = "定量", x2 = "定量", y = "定量")
c1 <- one("Cooper 等例 2.1，两种模型", a, list(inputs = list("x"), outputs = list("y"), label = "u", model = "both"), data = "oracle-shops.csv", measures = q1)
c2 <- one("Cooper 等例 2.2，CCR，弱有效", b, list(inputs = list("x1", "x2"), outputs = list("y"), label = "u", model = "ccr"), data = "oracle-stores.csv", measures = q2)
stopifnot(abs(c1$oe - c(.5, 1, 2 / 3, .75, .8, .4, .5, .625)) < 1e-8, abs(c1$te - c(1, 1, 5 / 6, .75, 1, .5, .5, 1)) < 1e-8, abs(c2$oe - c(.8571, .6316, 1, 1, 1, 1)) < 6e-5)
ex <- example(); f <- list(inputs = list("床位", "医师", "经费"), outputs = list("诊疗人次", "出院人数"), label = "医院")
oracle(c("R 4.2.2 with lpSolve: own programs", "Cooper, Seiford and Tone (2007): examples 2.1, 2.2"), list(one("示例，BCC 投入导向", ex, f)$case, c1$case, c2$case,
  one("BCC 产出导向", ex, modifyList(f, list(orientation = "output")))$case, one("CCR 产出导向，不求松弛", ex, modifyList(f, list(model = "ccr", orientation = "output", two_stage = FALSE)), says = list("“投入冗余与产出不足”未给出", "“参考集”未给出"))$case))
