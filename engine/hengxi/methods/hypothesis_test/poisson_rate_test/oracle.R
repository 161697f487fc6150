# Rscript oracle.R   (R 4.2.2) poisson.test (exact, one and two samples); mid-p, score and Wald written out, their ends by uniroot.
source("../../../../tools/oracle.R")
source("../../../../tools/oracle_samples.R")
save_as <- function(x, f) write.csv(x, f, row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8", na = "")
K <- data.frame(每军年死亡数 = 0:4, 军年数 = c(109, 65, 22, 3, 1), check.names = FALSE); save_as(K, "example.csv")
B <- data.frame(组 = rep(c("接触", "未接触"), each = 3), 病例 = c(5, 6, NA, 10, 11, 3), 人年 = c(400, 400, 50, 1500, 1511, NA), check.names = FALSE); save_as(B, "oracle-years.csv")
Q <- data.frame(线 = rep(c("一线", "二线"), each = 6), 缺陷 = c(0, 1, 9, 0, 12, 2, 1, 0, 7, 1, 0, 3)); save_as(Q, "oracle-lines.csv")
G <- data.frame(年 = 1:3, 次数 = c(40, 52, 45), 时长 = c(8, 8.19893, 8)); save_as(G, "oracle-one.csv")
p_of <- function(z, alt) switch(alt, two_sided = 2 * pnorm(-abs(z)), greater = pnorm(-z), less = pnorm(z))
NAMES <- c(exact = "精确条件", score = "得分", wald = "Wald", mid_p = "mid-p")
root <- function(f, a, b) uniroot(f, c(a, b), tol = 1e-14)$root
one_end <- function(l, h, alt) c(if (alt == "less") 0 else l, if (alt == "greater") Inf else h)
one <- function(x, t, r0, how, alt, level) { a <- (1 - level) / (if (alt == "two_sided") 2 else 1); k <- qnorm(1 - a); m <- r0 * t; z <- NULL
  if (how == "exact") { r <- poisson.test(x, t, r0, r_side(alt), level); p <- r$p.value; ci <- unname(r$conf.int[1:2]) }
  else if (how == "mid_p") { up <- function(m) ppois(x, m, lower.tail = FALSE) + dpois(x, m) / 2; lo <- function(m) ppois(x, m) - dpois(x, m) / 2; p <- smaller_tail(lo(m), up(m), alt); ci <- one_end(root(function(m) up(m) - a, 1e-9, x), root(function(m) lo(m) - a, x, 3 * x + 30), alt) / t }
  else { z <- (x - m) / sqrt(if (how == "score") m else x); p <- p_of(z, alt); e <- if (how == "wald") x + c(-1, 1) * k * sqrt(x) else x + k^2 / 2 + c(-1, 1) * k * sqrt(x + k^2 / 4); ci <- one_end(e[1], e[2], alt) / t }
  block("result", list(method = NAMES[[how]]), value = x / t, low = ci[1], high = ci[2], null = r0, z = z, p = p) }
pair <- function(x, t, r0, how, alt, level) { n <- sum(x); q <- r0 * t[1] / (r0 * t[1] + t[2]); a <- (1 - level) / (if (alt == "two_sided") 2 else 1); k <- qnorm(1 - a); od <- function(p) p / (1 - p) * t[2] / t[1]; z <- NULL
  if (how == "exact") { r <- poisson.test(x, t, r0, r_side(alt), level); p <- r$p.value; ci <- unname(r$conf.int[1:2]) }
  else if (how == "mid_p") { up <- function(s) pbinom(x[1], n, s, lower.tail = FALSE) + dbinom(x[1], n, s) / 2; lo <- function(s) pbinom(x[1], n, s) - dbinom(x[1], n, s) / 2; p <- smaller_tail(lo(q), up(q), alt); ci <- one_end(od(root(function(s) up(s) - a, 1e-9, x[1] / n)), od(root(function(s) lo(s) - a, x[1] / n, 1 - 1e-9)), alt) }
  else if (how == "score") { z <- (x[1] - n * q) / sqrt(n * q * (1 - q)); p <- p_of(z, alt); w <- prop.test(x[1], n, conf.level = 1 - 2 * a, correct = FALSE)$conf.int; ci <- one_end(od(w[1]), od(w[2]), alt) }
  else { s <- sqrt(sum(1 / x)); z <- log(x[1] / t[1] / (x[2] / t[2]) / r0) / s; p <- p_of(z, alt); v <- x[1] / t[1] / (x[2] / t[2]); ci <- one_end(v * exp(-k * s), v * exp(k * s), alt) }
  d <- x / t; h <- qnorm((1 + level) / 2) * sqrt(sum(x / t^2))
  list(block("result", list(method = NAMES[[how]]), value = d[1] / d[2], low = ci[1], high = ci[2], null = r0, z = z, p = p), block("gap", list(), value = d[1] - d[2], low = d[1] - d[2] - h, high = d[1] - d[2] + h)) }
rate <- function(name, x, t, level) { ci <- poisson.test(x, t, conf.level = level)$conf.int; block("rates", list(sample = name), events = x, exposure = t, rate = x / t, low = ci[1], high = ci[2]) }
spread <- function(...) { p <- list(...); chi <- sum(sapply(p, function(d) { l <- sum(d$x) / sum(d$t); sum((d$x - l * d$t)^2 / (l * d$t)) })); df <- sum(sapply(p, function(d) length(d$x) - 1)); list(block("spread", list(), ratio = chi / df, chi2 = chi, df = df, p = pchisq(chi, df, lower.tail = FALSE))) }
kicks <- rep(0:4, K$军年数); D <- list(x = kicks, t = rep(1, 200)); stopifnot(sum(kicks) == 122, abs(poisson.test(137, 24.19893)$conf.int[1] - 4.753125) < 1e-6, abs(poisson.test(c(11, 21), c(800, 3011))$p.value - .0796686) < 1e-6)
y <- c(11, 21); t <- c(800, 3011); Y <- list(list(x = c(5, 6), t = c(400, 400)), list(x = c(10, 11), t = c(1500, 1511))); years <- list(rate("接触", 11, 800, .95), rate("未接触", 21, 3011, .95)); q <- split(Q$缺陷, factor(Q$线, c("一线", "二线")))
k <- function(...) list(events = "每军年死亡数", weight = "军年数", ...); f <- function(...) list(events = "病例", exposure = "人年", group = "组", ...); O <- "事件须互不影响"; W <- list(病例 = "定量", 人年 = "定量")
runs <- function(data, r, name, form, expect, says, ...) case(name, form, expect, says, data = data, ...)
oracle(c("R 4.2.2: poisson.test, prop.test, ppois, pbinom, qnorm, pchisq"), list(
  case("普鲁士骑兵，与 1 比较", k(), c(list(one(122, 200, 1, "exact", "two_sided", .95), rate("每军年死亡数", 122, 200, .95)), spread(D)), said(TRUE, "two_sided", O, "低于检验率 1", "没有发现波动超过泊松分布", "Garwood 精确法"), measures = list(每军年死亡数 = "定量")),
  case("得分，右侧", k(method = "score", alternative = "greater", rate0 = .55, conf_level = .9), list(one(122, 200, .55, "score", "greater", .9), rate("每军年死亡数", 122, 200, .9)), said(FALSE, "greater", O), measures = list(每军年死亡数 = "定量")),
  case("Wald，左侧", k(method = "wald", alternative = "less", rate0 = .75), list(one(122, 200, .75, "wald", "less", .95)), said(TRUE, "less", O), measures = list(每军年死亡数 = "定量")),
  case("mid-p", k(method = "mid_p", rate0 = .6), list(one(122, 200, .6, "mid_p", "two_sided", .95)), said(FALSE, "two_sided", O, "没有发现“每军年死亡数”的率与检验率 0.6 有明显差异"), measures = list(每军年死亡数 = "定量")),
  case("一项记录（目录给出的数），高于", list(events = "次数", exposure = "时长", rate0 = 4), c(list(one(137, 24.19893, 4, "exact", "two_sided", .95), rate("次数", 137, 24.19893, .95)), spread(list(x = G$次数, t = G$时长))), said(TRUE, "two_sided", O, "高于检验率 4"), data = "oracle-one.csv", measures = list(次数 = "定量", 时长 = "定量")),
  case("两组人年（目录给出的数），有缺失", f(), c(pair(y, t, 1, "exact", "two_sided", .95), years, spread(Y[[1]], Y[[2]])), said(FALSE, "two_sided", O, "分组不是随机分配", "率差 = "), data = "oracle-years.csv", measures = W),
  case("两组，mid-p，右侧", f(method = "mid_p", alternative = "greater"), c(pair(y, t, 1, "mid_p", "greater", .95), years), said(TRUE, "greater", O), data = "oracle-years.csv", measures = W),
  case("两组，得分，率比 1.5，90%", f(method = "score", rate0 = 1.5, conf_level = .9), pair(y, t, 1.5, "score", "two_sided", .9), said(FALSE, "two_sided", O, "组的 1.5 倍有明显差异"), data = "oracle-years.csv", measures = W),
  case("两组，Wald，左侧，率比 5", f(method = "wald", rate0 = 5, alternative = "less"), pair(y, t, 5, "wald", "less", .95), said(TRUE, "less", O, "组的 5 倍"), data = "oracle-years.csv", measures = W),
  case("两条线，没有暴露量，过离散", list(events = "缺陷", group = "线", method = "mid_p"), c(pair(c(24, 12), c(6, 6), 1, "mid_p", "two_sided", .95), spread(list(x = q[[1]], t = rep(1, 6)), list(x = q[[2]], t = rep(1, 6)))), said(TRUE, "two_sided", O, "各行的波动比泊松分布大", "的率高于"), data = "oracle-lines.csv", measures = list(缺陷 = "定量"))))
