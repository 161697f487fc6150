# Rscript oracle.R   (R 4.2.2) factors by qchisq and qt with its noncentrality, order statistics by pbeta; NIST 7.2.6.3.
source("../../../../tools/oracle.R")
save_as <- function(x, f) if (!file.exists(f)) write.csv(x, f, row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8", na = "")
set.seed(71); save_as(data.frame(片号 = 1:43, 电阻率 = round(rnorm(43, 97.07, .0276), 4), check.names = FALSE), "example.csv")
set.seed(72); v <- sample(1:5, 300, TRUE, c(1, 2, 4, 2, 1)); v[c(3, 50)] <- NA; save_as(data.frame(分 = v, 时 = round(rexp(300, .2), 2), check.names = FALSE), "oracle-likert.csv")
save_as(data.frame(值 = c(9.8, 10.1, 10.4, 9.9, 10.2, 10)), "oracle-few.csv")
e <- example(); L <- example("oracle-likert.csv"); F <- example("oracle-few.csv")
k2 <- function(n, P, g) qnorm((1 + P) / 2) * sqrt((n - 1) * (1 + 1 / n) / qchisq(1 - g, n - 1)); k1 <- function(n, P, g) { t0 <- qnorm(P) * sqrt(n); uniroot(function(q) pt(q, n - 1, t0) - g, c(t0 - 10, t0 * 3 + 40), tol = 1e-13)$root / sqrt(n) }
stopifnot(abs(k2(43, .9, .99) - 2.2173) < 2e-3, abs(k1(43, .9, .99) - 1.874) < 5e-3)   # NIST 7.2.6.3, by its approximations
least <- function(P, g, ends) { n <- ends; while (pbinom(ends - 1, n, 1 - P, lower.tail = FALSE) < g) n <- n + 1; n }
deep <- function(n, P, g, ends) { r <- 0; while (ends * (r + 1) <= n && pbinom(ends * (r + 1) - 1, n, 1 - P, lower.tail = FALSE) >= g) r <- r + 1; r }
sizes <- function(P, g) list(block("sizes", list(side = "双侧"), least = least(P, g, 2)), block("sizes", list(side = "单侧"), least = least(P, g, 1)))
normal <- function(x, P = .95, g = .95, side = "two") { x <- x[!is.na(x)]; n <- length(x); k <- if (side == "two") k2(n, P, g) else k1(n, P, g); r <- list("result", list(method = "正态"), n = n, mean = mean(x), sd = sd(x), k = k); if (side != "upper") r$low <- mean(x) - k * sd(x); if (side != "lower") r$high <- mean(x) + k * sd(x); c(list(do.call(block, r)), sizes(P, g)) }
ordered <- function(x, P = .95, g = .95, side = "two") { x <- sort(x); n <- length(x); ends <- if (side == "two") 2 else 1; d <- deep(n, P, g, ends); r <- list("result", list(method = "非参数"), n = n, mean = mean(x), sd = sd(x), reached = pbinom(ends * d - 1, n, 1 - P, lower.tail = FALSE)); if (side != "upper") r$low <- x[d]; if (side != "lower") r$high <- x[n + 1 - d]; c(list(do.call(block, r)), sizes(P, g)) }
M <- list(分 = "定量", 时 = "定量", 值 = "定量", 电阻率 = "定量"); f <- function(v, ...) list(measure = list(v), ...); S <- list("容差区间说的是单个产品", "它由样本算出，不是规格")
oracle(c("R 4.2.2: qchisq, pt, pbinom", "NIST e-Handbook 7.2.6.3"), list(
  case("电阻率", f("电阻率", coverage = .9, conf_level = .99), normal(e$电阻率, .9, .99), c(S, "没有发现明显偏离正态", "之间"), measures = M),
  case("只要下限", f("电阻率", side = "lower"), normal(e$电阻率, side = "lower"), list("不低于"), measures = M),
  case("只要上限", f("值", side = "upper", coverage = .99), normal(F$值, .99, side = "upper"), list("不高于"), data = "oracle-few.csv", measures = M),
  case("1–5 分，有缺失，非参数", f("分", method = "nonparametric", coverage = .9), ordered(L$分, .9), list("从每一端数第"), data = "oracle-likert.csv", measures = M),
  case("偏态", f("时"), normal(L$时), list("偏离正态，正态法的区间不可信"), data = "oracle-likert.csv", measures = M),
  case("偏态，非参数，上限", f("时", method = "nonparametric", side = "upper"), ordered(L$时, side = "upper"), list(), data = "oracle-likert.csv", measures = M),
  case("两个变量", list(measure = list("分", "时")), lapply(list(list("分", L$分), list("时", L$时)), function(q) { b <- normal(q[[2]])[[1]]; b$where <- list(method = "正态", variable = q[[1]]); b }), list("等 2 个变量的容差区间", "的“时”在"), data = "oracle-likert.csv", measures = M)))
