# Rscript oracle.R   (R 4.2.2) Cochran (1977) by hand, power.prop.test, pwr.t.test; Krejcie & Morgan (1970), table 1.
source("../../../../tools/oracle.R"); suppressMessages(library(pwr))
z <- function(l) qnorm((1 + l) / 2); up <- function(x) ceiling(x - 1e-9)
n0 <- function(v, e, l = .95) z(l)^2 * v / e^2; fpc <- function(n, N) if (is.null(N)) n else n / (1 + (n - 1) / N)
km <- function(N) { x <- qchisq(.95, 1); round(x * N * .25 / (.0025 * (N - 1) + x * .25)) }; stopifnot(sapply(c(10, 100, 500, 1000, 10000, 1e6), km) == c(10, 80, 217, 278, 370, 384))   # Krejcie & Morgan (1970), table 1
stopifnot(abs(fpc(n0(.25, .05), 2000) - 322.4) < .05)
one <- function(v, e, l = .95, N = NULL, d = 1, r = .8, mean = FALSE) { a <- n0(v, e, l); b <- fpc(a, N); n <- up(b * d); T <- c(.5, .75, 1, 1.5, 2)
  c(list(block("result", list(), infinite = a, finite = b, designed = b * d, n = n, invited = up(n / r))), lapply(T, function(t) { w <- list("sensitivity", list(times = paste(t, "倍")), row = e * t); if (mean) for (k in c(.9, .95, .99)) w[[paste0("n@", k * 100, "%")]] <- up(fpc(n0(v, e * t, k), N) * d) else for (p in c(.1, .2, .3, .5)) w[[paste0("n@p = ", p)]] <- up(fpc(n0(p * (1 - p), e * t, l), N) * d); do.call(block, w) })) }
S <- function(w, s, e, N, d = 1, r = .8) { v <- (e / z(.95))^2; i <- sum(w * s^2); m <- sum(w * s)^2; n <- c(i, m) / (v + i / N) * d; A <- list(up(n[1] * w), up(n[2] * w * s / sum(w * s))); list(rows = c(lapply(1:2, function(k) block("result", list(what = c("比例分配", "Neyman 分配")[k]), infinite = c(i, m)[k] / v, finite = c(i, m)[k] / (v + i / N), designed = n[k], n = sum(A[[k]]), invited = sum(up(A[[k]] / r)))),
  lapply(c(.5, .75, 1, 1.5, 2), function(t) block("sensitivity", list(times = paste(t, "倍")), row = e * t, `n@比例分配` = up(min(i / ((e * t / z(.95))^2 + i / N) * d, N)), `n@Neyman 分配` = up(min(m / ((e * t / z(.95))^2 + i / N) * d, N))))), a = A) }
q2 <- function(p, q, pw, l) power.prop.test(p1 = p, p2 = q, power = pw, sig.level = 1 - l, tol = 1e-13)$n; d2 <- function(d, pw) pwr.t.test(d = d, power = pw)$n
near <- function(...) block(..., tolerance = 1e-6, reason = "root finding of R")
cmp <- function(f, gaps, r = .8, cells = list()) { x <- f(1, .8); c(list(near("result", list(what = "每组"), infinite = x, n = up(x), invited = up(up(x) / r)), near("result", list(what = "两组合计"), infinite = 2 * x, n = 2 * up(x), invited = 2 * up(up(x) / r))), lapply(gaps, function(t) do.call(block, c(list("sensitivity", list(times = paste(t, "倍")), row = attr(gaps, "gap") * t), setNames(lapply(c(.7, .8, .9), function(p) up(f(t, p))), c("n@70%", "n@80%", "n@90%")))))) }
g <- function(x, gap) structure(x, gap = gap); A <- list("这里假定简单随机抽样", "误差减半，份数约要四倍")
w <- c(4000, 2500, 1500) / 8000; s <- sqrt(c(.5 * .5, .3 * .7, .1 * .9)); st <- S(w, s, .04, 8000); L <- c("本科", "硕士", "博士")
strata <- lapply(1:3, function(i) list(id = paste0("r", i), name = L[i], size = c(4000, 2500, 1500)[i], spread = c(.5, .3, .1)[i]))
e4 <- { own <- 400 / 1.5; z(.95) * sqrt(.3 * .7 / own * (5000 - own) / 4999) }
oracle(c("R 4.2.2: qnorm, power.prop.test", "pwr 1.3", "Cochran (1977)", "Krejcie & Morgan (1970)，表 1"), list(
  case("一个比例，N = 2000", list(goal = "proportion", population = 2000), one(.25, .05, N = 2000), c(A, list(fact("份有效问卷，比例的误差才不超过", n = 323, invited = 404), "每一类都要有这么多份", "经有限总体校正，需要"))),
  case("很大的总体，99%，设计效应 1.5", list(goal = "proportion", confidence = .99, margin = .03, p = .3, deff = 1.5), one(.21, .03, .99, d = 1.5), list("置信水平 {level:percent}，需要")),
  case("发放超过总体", list(goal = "proportion", population = 300, response_rate = .5), one(.25, .05, N = 300, r = .5), list("超过总体人数")),
  case("一个均值", list(goal = "mean", sd = 12, margin = 1, population = 5000, response_rate = .6), one(144, 1, N = 5000, r = .6, mean = TRUE), list("份有效问卷，均值的误差才不超过", "n₀ = (z·s/e)²，s = {sd:num}，e = {margin:num}，置信水平 {level:percent}，经有限")),
  case("均值，很大的总体", list(goal = "mean", sd = 1.2, margin = .1), one(1.44, .1, mean = TRUE), list("n₀ = (z·s/e)²，s = {sd:num}，e = {margin:num}，置信水平 {level:percent}，需要")),
  case("整群", list(goal = "cluster", cluster_size = 30, icc = .04), one(.25, .05, d = 1 + 29 * .04), list(fact("同一群的人相似", k = up(up(n0(.25, .05) * 2.16) / 30)))),
  case("两个比例", list(goal = "two_proportions", p = .5, p2 = .6), cmp(function(t, pw) q2(.5, .5 + .1 * t, pw, .95), g(c(.5, .75, 1, 1.5, 2), .1)), list(fact("两组比例的差别（", p1 = .5, p2 = .6), "每组的份数；列是检验效能", "要发现的差异按文献")),
  case("两个均值", list(goal = "two_means", sd = 2, difference = .8), cmp(function(t, pw) d2(.4 * t, pw), g(c(.5, .75, 1, 1.5, 2), .8)), list(fact("两组均值相差", gap = .8))),
  case("分层", list(goal = "stratified", margin = .04, strata = strata), c(st$rows, lapply(1:3, function(i) block("allocation", list(stratum = L[i]), size = c(4000, 2500, 1500)[i], weight = w[i], spread = s[i], proportional = st$a[[1]][i], neyman = st$a[[2]][i]))), list(fact("按层的大小分配要", a = sum(st$a[[1]]), b = sum(st$a[[2]])), "在差异大的层多抽", "各层合计，未按层取整")),
  case("分层，均值", list(goal = "stratified", margin = .5, strata_of = "mean", strata = list(list(id = "r1", name = "城", size = 3000, spread = 6), list(id = "r2", name = "乡", size = 7000, spread = 3))), S(c(.3, .7), c(6, 3), .5, 10000)$rows, list()),
  case("量表", list(goal = "scale_items", items = 15, ratio = 10), c(list(block("result", list(), n = 150, invited = 188)), lapply(c(5, 10, 15, 20), function(r) block("sensitivity", list(times = paste("每题", r, "份")), row = r, `n@份数` = 15 * r))), list("不足 200 份", "因子分析的经验规则", "一列是每题份数", "题，每题 {ratio:integer} 份，需要")),
  case("已回收的误差", list(goal = "achieved_error", n = 400, p = .3, population = 5000, deff = 1.5), list(block("error", list(), n = 400, p = .3, se = e4 / z(.95), error = e4)), list("比例的误差约为", "这只是抽样误差", "这里求的是误差"))))
