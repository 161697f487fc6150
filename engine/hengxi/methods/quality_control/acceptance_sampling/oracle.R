# Rscript oracle.R   (R 4.2.2) pbinom, phyper, ppois, pt with its noncentrality. The entries of the standard are typed from
# MIL-STD-105E (1989), tables I, II-A and II-B (pages 13, 14 and 15), which GB/T 2828.1 and ISO 2859-1 share.
source("../../../../tools/oracle.R")
acc <- function(p, n, c, m = "b", N = 1000) switch(m, b = pbinom(c, n, p), p = ppois(c, n * p), h = { D <- floor(N * p + .5); phyper(c, D, N - D, n) })
at <- function(P, n, c, m) uniroot(function(p) acc(p, n, c, m) - P, c(0, if (m == "b") 1 else 50 * (c + n + 1) / n), tol = 1e-16)$root
aoq <- function(p, n, c, m, N) p * acc(p, n, c, m, N) * (N - n) / N
tables <- function(n, c, m = "b", N = 1000, first, second, letter = NULL) { end <- if (m == "h") min(which(sapply(0:N, function(d) acc(d / N, n, c, m, N)) <= .01)) - 1 else at(.01, n, c, m); if (m == "h") end <- end / N
  out <- list(block("result", list(stage = "一次"), n = n, ac = c, re = c + 1), block("risks", list(point = "生产方"), p = first, accept = acc(first, n, c, m, N), risk = 1 - acc(first, n, c, m, N)), block("risks", list(point = "使用方"), p = second, accept = acc(second, n, c, m, N), risk = acc(second, n, c, m, N)))
  if (!is.null(letter)) out[[1]]$cells$letter <- letter
  for (i in c(3, 8, 15)) { p <- end * i / 20; out <- c(out, list(points("curve", list(), 21, list(asn = 21 * n)))) }
  s <- seq(0, end, length.out = 21); out <- c(out, list(points("curve", list(), 21, list(p = sum(s), accept = sum(sapply(s, acc, n, c, m, N)), aoq = sum(sapply(s, aoq, n, c, m, N)), ati = sum(sapply(s, function(p) n + (1 - acc(p, n, c, m, N)) * (N - n)))))))
  if (m != "h") { out <- c(out, list(block("curve", list(p = 0), p = 0, accept = 1, aoq = 0, ati = n, asn = n))); o <- optimize(function(p) aoq(p, n, c, m, N), c(0, end), maximum = TRUE, tol = 1e-13); out <- c(out, list(block("limit", list(), p = o$maximum, aoql = o$objective, tolerance = 1e-6, reason = "a flat maximum"))); for (P in c(.99, .95, .5, .1)) out <- c(out, list(block("chances", list(accept = P), accept = P, p = at(P, n, c, m)))) }
  else { v <- sapply((0:N) / N, aoq, n, c, m, N); out <- c(out, list(block("limit", list(), p = (which.max(v) - 1) / N, aoql = max(v)))) }
  out }
stopifnot(abs(pbinom(2, 80, .01) - .953447) < 1e-6)
find <- function(p1, p2, a, b, m = "b", N = 1000) for (c in 0:200) { n <- c + 1; while (acc(p2, n, c, m, N) > b) n <- n + 1; if (acc(p1, n, c, m, N) >= 1 - a) return(c(n, c)) }
s <- find(.01, .05, .05, .1); h <- find(.02, .1, .05, .1, "h", 500)
vk <- function(p1, p2, a, b, known) { n <- 2; repeat { k <- if (known) qnorm(1 - p2) + qnorm(1 - b) / sqrt(n) else { d <- qnorm(1 - p2) * sqrt(n); uniroot(function(q) pt(q, n - 1, d, lower.tail = FALSE) - b, c(d - 5, 3 * d + 40), tol = 1e-12)$root / sqrt(n) }; pa <- function(p) if (known) pnorm(sqrt(n) * (qnorm(1 - p) - k)) else pt(k * sqrt(n), n - 1, qnorm(1 - p) * sqrt(n), lower.tail = FALSE); if (pa(p1) >= 1 - a) return(list(n = n, k = k, pa = pa)); n <- n + 1 } }
var <- function(p1, p2, known) { v <- vk(p1, p2, .05, .1, known); near <- function(...) block(..., tolerance = 1e-7, reason = "pt's noncentral distribution has about 8 digits"); list(near("result", list(), n = v$n, k = v$k), near("risks", list(point = "生产方"), p = p1, accept = v$pa(p1), risk = 1 - v$pa(p1)), near("risks", list(point = "使用方"), p = p2, accept = v$pa(p2), risk = v$pa(p2))) }
two <- function(p, n1, c1, r1, n2, c2) { m <- (c1 + 1):(r1 - 1); c(pbinom(c1, n1, p), sum(dbinom(m, n1, p) * pbinom(c2 - m, n2, p)), sum(dbinom(m, n1, p))) }
dbl <- function(n1, c1, r1, n2, c2, p1, p2, N) { A <- function(p) sum(two(p, n1, c1, r1, n2, c2)[1:2]); end <- uniroot(function(p) A(p) - .01, c(0, 1), tol = 1e-16)$root; g <- seq(0, end, length.out = 21)[-1]; Q <- function(p) { t <- two(p, n1, c1, r1, n2, c2); p * (t[1] * (N - n1) + t[2] * (N - n1 - n2)) / N }; o <- optimize(Q, c(0, end), maximum = TRUE, tol = 1e-13)
  c(list(block("result", list(stage = "第一样本"), n = n1, ac = c1, re = r1), block("result", list(stage = "第二样本"), n = n2, ac = c2, re = c2 + 1), block("risks", list(point = "生产方"), p = p1, accept = A(p1), risk = 1 - A(p1)), block("risks", list(point = "使用方"), p = p2, accept = A(p2), risk = A(p2)), block("limit", list(), p = o$maximum, aoql = o$objective, tolerance = 1e-6, reason = "a flat maximum")),
    list(points("curve", list(), 21, list(accept = 1 + sum(sapply(g, A)), aoq = sum(sapply(g, Q)), asn = n1 + sum(sapply(g, function(p) n1 + n2 * two(p, n1, c1, r1, n2, c2)[3])), ati = n1 + sum(sapply(g, function(p) { t <- two(p, n1, c1, r1, n2, c2); n1 * t[1] + (n1 + n2) * t[2] + N * (1 - t[1] - t[2]) })))))) }
g <- function(...) list(standard = "gbt2828", ...); A <- "AQL 不是允许的不合格率"; T <- "转移规则：正常检验"
plan <- function(n, c, a, m = "b", N, l) tables(n, c, m, N, a, at(.1, n, c, m), l)
oracle(c("R 4.2.2: pbinom, phyper, ppois, pt", "MIL-STD-105E (1989)，表 I、II-A、II-B", "Schilling & Neubauer (2009)"), list(
  case("N = 1000，II，1.0", g(lot_size = 1000, aql = 1), plan(80, 2, .01, N = 1000, l = "J"), list(A, T, fact("件就接收。不合格率", n = 80, c = 2, good = pbinom(2, 80, .01)), "生产方风险：好批不被接收", "*p* 是不合格率")),
  case("加严", g(lot_size = 1000, aql = 1, severity = "tightened"), plan(80, 1, .01, N = 1000, l = "J"), list()),
  case("箭头向下", g(lot_size = 1000, aql = .4), plan(125, 1, .004, N = 1000, l = "K"), list("改用字码 K 的方案", "样本超过批量的 10%")),
  case("箭头向上", g(lot_size = 1000, aql = .25), plan(50, 0, .0025, N = 1000, l = "H"), list("改用字码 H 的方案")),
  case("加严，向下两格", g(lot_size = 80, aql = 2.5, severity = "tightened"), plan(32, 1, .025, N = 80, l = "G"), list("改用字码 G 的方案")),
  case("AQL 不是推荐值", g(lot_size = 20000, aql = .9, level = "S-3"), plan(13, 0, .01, N = 20000, l = "E"), list("不是 GB/T 2828.1 的推荐值")),
  case("每百单位不合格数", g(lot_size = 400, aql = 25), plan(50, 21, .25, "p", 400, "H"), list(fact("不合格数不超过 {c:integer} 个就接收。每百单位不合格数", first = 25, second = 100 * at(.1, 50, 21, "p")), "*p* 是每单位的不合格数")),
  case("由两点求", list(standard = "search", p1 = .01, p2 = .05, lot_size = 5000), tables(s[1], s[2], "b", 5000, .01, .05), list(fact("件就接收", n = s[1], c = s[2]))),
  case("孤立批", list(standard = "search", p1 = .02, p2 = .1, lot_size = 500, model = "hypergeometric"), tables(h[1], h[2], "h", 500, .02, .1), list("孤立批的不合格品数是整数")),
  case("自定义", list(standard = "custom", n = 80, ac = 2), tables(80, 2, "b", 1000, .01, .05), list()),
  case("二次", list(standard = "custom", plan = "double", n = 50, ac = 1, re1 = 4, n2 = 100, ac2 = 3, lot_size = 3000), dbl(50, 1, 4, 100, 3, .01, .05, 3000), list("先抽 {n:integer} 件")),
  case("计量，σ 未知", list(standard = "variables", p1 = .01, p2 = .08), var(.01, .08, FALSE), list("个*s*就接收", "计量抽样要求测量值服从正态", "计量抽样看 OC 曲线")),
  case("计量，σ 已知", list(standard = "variables", p1 = .01, p2 = .08, sigma = "known"), var(.01, .08, TRUE), list("个σ就接收"))))
