# Rscript oracle.R   (R 4.2.2) MLE by uniroot on R's densities, percentiles by q-functions; Pearson curves by integrate.
for (f in c("oracle.R", "oracle_control.R", "oracle_capability.R")) source(file.path("../../../../tools", f))
save_as <- function(x, f) if (!file.exists(f)) write.csv(x, f, row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8", na = "")
set.seed(31); save_as(data.frame(序号 = 1:200, 寿命 = round(rweibull(200, 1.6, 3) + .005, 2), check.names = FALSE), "example.csv")
set.seed(32); save_as(data.frame(偏斜 = round(rlnorm(60, 0, .5) * 10 - 5, 1), 尾 = round(rt(60, 5) * 2 + 20, 2), 均匀 = round(runif(60) + 1, 3), 评分 = sample(1:5, 60, TRUE, c(5, 3, 2, 1, 1)), 缺 = c(NA, round(rgamma(59, 3) + .1, 2)), check.names = FALSE), "oracle-odd.csv")
e <- example(); x <- e$寿命; O <- example("oracle-odd.csv")
root <- function(f, a, b) uniroot(f, c(a, b), tol = 1e-14)$root
MLE <- list(威布尔 = function(x) { k <- root(function(k) sum(x^k * log(x)) / sum(x^k) - 1 / k - mean(log(x)), .05, 50); c(k, mean(x^k)^(1 / k)) }, 对数正态 = function(x) c(mean(log(x)), sqrt(mean((log(x) - mean(log(x)))^2))),
  伽马 = function(x) { k <- root(function(k) log(k) - digamma(k) - log(mean(x)) + mean(log(x)), .01, 500); c(k, mean(x) / k) }, 指数 = function(x) mean(x),
  `极值（I 型）` = function(x) { b <- root(function(b) mean(x) - sum(x * exp(-x / b)) / sum(exp(-x / b)) - b, sd(x) / 20, sd(x) * 5); c(-b * log(mean(exp(-x / b))), b) })
P <- list(威布尔 = pweibull, 对数正态 = plnorm, 伽马 = function(q, k, s) pgamma(q, k, scale = s), 指数 = function(q, m) pexp(q, 1 / m), `极值（I 型）` = function(q, a, b) exp(-exp(-(q - a) / b)))
Q <- list(威布尔 = qweibull, 对数正态 = qlnorm, 伽马 = function(p, k, s) qgamma(p, k, scale = s), 指数 = function(p, m) qexp(p, 1 / m), `极值（I 型）` = function(p, a, b) a - b * log(-log(p)))
R <- list(威布尔 = rweibull, 对数正态 = rlnorm, 伽马 = function(n, k, s) rgamma(n, k, scale = s), 指数 = function(n, m) rexp(n, 1 / m), `极值（I 型）` = function(n, a, b) a - b * log(-log(runif(n))))
at <- function(f, v, t) do.call(f, c(list(v), as.list(t))); A2 <- function(x, d, t) unname(goftest::ad.test(x, function(v) at(P[[d]], v, t))$statistic)
boot <- function(x, d, t, B = 999) { a <- A2(x, d, t); set.seed(9); mean(replicate(B, { y <- at(R[[d]], length(x), t); A2(y, d, MLE[[d]](y)) }) >= a) }
lead <- function(v, ppm) fact("预计每百万件有", ppk = v[["least"]], ppm = ppm)
out <- function(v) { names(v) <- c(both = "Pp", lower = "PPL", upper = "PPU", least = "Ppk")[names(v)]; lapply(names(v), function(i) block("indices", list(index = i), value = v[[i]])) }
whole <- function(x, q, below, above, lsl, usl) { v <- sides(q[2], q[2] - q[1], q[3] - q[2], lsl, usl); v$least <- min(v[["lower"]], v[["upper"]]); b <- if (is.null(lsl)) 0 else below(lsl); a <- if (is.null(usl)) 0 else above(usl)
  lead_now <<- lead(v, 1e6 * (a + b)); s <- unname(quantile(x, c(.00135, .5, .99865))); c(out(v), list(shares("期望", b, a, lsl, usl), observed(x, lsl, usl)), lapply(1:3, function(i) block("percentiles", list(place_p = c("P0.135", "P50", "P99.865")[i]), value = q[i], sample = s[i]))) }
dist <- function(x, pick = NULL, lsl = NULL, usl = NULL, p = FALSE, among = names(MLE)) {
  t <- lapply(MLE[among], function(f) f(x)); a <- sapply(among, function(d) A2(x, d, t[[d]])); o <- among[order(a)]; d <- if (is.null(pick)) o[1] else pick
  rows <- lapply(seq_along(o), function(i) do.call(block, c(list("compare", list(distribution = o[i]), rank = i, a2 = a[[o[i]]]), if (o[i] == d) list(used = "采用"))))
  if (p) rows <- c(rows, lapply(o, function(n) { p <- boot(x, n, t[[n]]); block("compare", list(distribution = n), p = p, tolerance = 4 * sqrt(max(p, .01) * (1 - p) / 199) / max(p, .01), reason = "自助法的 p，各用各的随机数：199 次的 4 个标准误") }))
  c(rows, whole(x, at(Q[[d]], c(.00135, .5, .99865), t[[d]]), function(v) at(P[[d]], v, t[[d]]), function(v) 1 - at(P[[d]], v, t[[d]]), lsl, usl))
}
# Pearson curves: the density from p'/p = -(x + c1)/(c0 + c1 x + c2 x^2), its exponent and its mass by integrate.
curve_q <- function(g1, g2) {
  b1 <- g1^2; b2 <- g2 + 3; w <- 10 * b2 - 12 * b1 - 18; c0 <- (4 * b2 - 3 * b1) / w; c1 <- g1 * (b2 + 3) / w; c2 <- (2 * b2 - 3 * b1 - 6) / w; D <- c1^2 - 4 * c0 * c2
  if (D < 0) { type <- "IV"; r <- sqrt(-D); f <- function(x) exp(-log((c0 + c1 * x + c2 * x^2) / c0) / (2 * c2) - 2 * (c1 - c1 / (2 * c2)) / r * atan((2 * c2 * x + c1) / r)); ends <- c(-Inf, Inf) }
  else { z <- sort((-c1 + c(-1, 1) * sqrt(D)) / (2 * c2)); m <- c((c1 + z[1]) / (c2 * (z[2] - z[1])), -(c1 + z[2]) / (c2 * (z[2] - z[1])))
    f <- function(x) abs(x - z[1])^m[1] * abs(z[2] - x)^m[2]; type <- if (z[1] < 0 && z[2] > 0) "I" else "VI"; ends <- if (type == "I") z else if (z[2] < 0) c(z[2], Inf) else c(-Inf, z[1]) }
  I <- function(a, b) integrate(f, a, b, rel.tol = 1e-12, abs.tol = 0, subdivisions = 5000)$value; lo <- I(ends[1], 0); hi <- I(0, ends[2]); cdf <- function(v) if (v <= ends[1]) 0 else if (v >= ends[2]) 1 else if (v < 0) I(ends[1], v) / (lo + hi) else 1 - I(v, ends[2]) / (lo + hi)
  side <- if (type == "I") ends else c(max(ends[1], -40), min(ends[2], 40)); list(type = type, cdf = cdf, q = function(p) uniroot(function(v) cdf(v) - p, side, tol = 1e-13)$root)
}
G <- function(x) { n <- length(x); z <- x - mean(x); m2 <- mean(z^2); g1 <- mean(z^3) / m2^1.5; g2 <- mean(z^4) / m2^2 - 3; c(g1 * sqrt(n * (n - 1)) / (n - 2), (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * g2 + 6)) }
loose <- function(b) lapply(b, function(k) if (k$table %in% c("indices", "performance", "percentiles") && !identical(k$where$basis, "观测")) c(k, list(tolerance = 1e-6, reason = "Pearson 曲线的分布函数由数值积分得到")) else k)
clem <- function(x, lsl = NULL, usl = NULL) { g <- G(x); k <- curve_q(g[1], g[2]); q <- mean(x) + sd(x) * sapply(c(.00135, .5, .99865), k$q); u <- function(v) k$cdf((v - mean(x)) / sd(x))
  c(list(block("curve_moments", list(), type = k$type, mean = mean(x), sd = sd(x), skewness = g[1], kurtosis = g[2])), loose(whole(x, q, u, function(v) 1 - u(v), lsl, usl))) }
stopifnot(abs(curve_q(1, 1.6)$q(.99865) - (qgamma(.99865, 4) - 4) / 2) < .1)
trans <- function(x, t, lsl = NULL, usl = NULL) { to <- function(v) if (!is.null(v) && v > t$low && v < t$high) t$to(v); y <- t$to(x); l <- to(lsl); u <- to(usl); s <- sd(y); v <- sides(mean(y), 3 * s, 3 * s, l, u); v$least <- min(v[["lower"]], v[["upper"]])
  b <- if (is.null(l)) 0 else pnorm(l, mean(y), s); a <- if (is.null(u)) 0 else pnorm(u, mean(y), s, lower.tail = FALSE); lead_now <<- lead(v, 1e6 * (a + b))
  c(out(v), lapply(names(t$par), function(p) block("fitted", list(parameter = p), name = t$name, value = t$par[[p]])), lapply(shape_blocks(y, ""), function(k) { k$table <- "shape"; k$where$of <- NULL; k }), list(shares("期望", b, a, lsl, usl), observed(x, lsl, usl))) }
box <- function(v) { l <- box_lambda(v); list(name = "Box-Cox", par = c(λ = l), to = function(u) box_to(u, l), low = 0, high = Inf) }
M <- setNames(as.list(rep("定量", 6)), c("寿命", "偏斜", "尾", "均匀", "评分", "缺")); f <- function(v, ...) list(measure = v, bootstrap = FALSE, ...); g <- na.omit(O$缺)
run <- function(name, form, b, says = list(), data = NULL) { force(b); case(name, form, b, c(list(lead_now), says), data = data, measures = M) }
poor <- function(s) fact(s); ok <- "没有发现数据与"
oracle(c("R 4.2.2: uniroot, pgamma, integrate", "goftest 1.2, nortest, numDeriv"), quick = list(bootstrap = FALSE), list(
  run("寿命，自动选分布", list(measure = "寿命", lsl = .05, usl = 10), dist(x, lsl = .05, usl = 10, p = TRUE), list(ok, "请先用控制图确认过程受控", "个值，够用")),
  run("指定指数分布，只有上限", list(measure = "寿命", usl = 20, distribution = "expon"), dist(x, "指数", usl = 20, p = TRUE), list("预计的 PPM 不可靠，可试 Johnson 变换")),
  run("有小于 0 的值", f("偏斜", usl = 30), dist(O$偏斜, usl = 30, among = "极值（I 型）"), list("只能拟合极值分布", "没有做拟合检验", "不足 100 个，分布的尾部"), "oracle-odd.csv"),
  run("Clements，偏斜", f("寿命", lsl = 0, usl = 9, method = "clements"), clem(x, 0, 9)),
  run("Clements，厚尾", f("尾", lsl = 5, usl = 35, method = "clements"), clem(O$尾, 5, 35), data = "oracle-odd.csv"),
  run("Clements，缺失，只有上限", f("缺", usl = 12, method = "clements"), clem(g, usl = 12), data = "oracle-odd.csv"),
  run("Box-Cox", f("寿命", lsl = .05, usl = 10, method = "boxcox"), trans(x, box(x), .05, 10), list("变换后没有发现明显偏离正态")),
  run("Box-Cox，1–5 分，下限为 0", f("评分", lsl = 0, usl = 8, method = "boxcox"), trans(O$评分, box(O$评分), 0, 8), list("变换后仍偏离正态", "按这个变换不会有产品超出它"), "oracle-odd.csv"),
  run("Johnson", f("均匀", lsl = 1.001, usl = 1.9999, method = "johnson"), trans(O$均匀, johnson(O$均匀), 1.001, 1.9999), data = "oracle-odd.csv")))
