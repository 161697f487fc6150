# fisher.test; the interval of the conditional OR solved again to full precision (fisher.test stops at 1e-4, its bounds
# must agree to that); mid-p by epitools; Barnard and Boschloo by maximising over a fine grid and optimize. Fisher's tea
# must give p = 0.4857143, OR = 6.408309.
source("../../../../tools/oracle.R")
dn <- function(t, w) { m <- rowSums(t)[1]; n <- rowSums(t)[2]; k <- colSums(t)[1]; x <- max(0, k - n):min(k, m); l <- dhyper(x, m, n, k, log = TRUE) + w * x; p <- exp(l - max(l)); list(x = x, p = p / sum(p)) }
cond <- function(t, level, alt) {
  a <- t[1, 1]; x <- dn(t, 0)$x; r <- function(f) exp(uniroot(f, c(-30, 30), tol = 1e-14)$root)
  s <- if (alt == "two_sided") (1 - level) / 2 else 1 - level
  est <- if (a == min(x)) 0 else if (a == max(x)) Inf else r(function(w) { d <- dn(t, w); sum(d$x * d$p) - a })
  lo <- if (a == min(x) || alt == "less") 0 else r(function(w) { d <- dn(t, w); sum(d$p[d$x >= a]) - s })
  hi <- if (a == max(x) || alt == "greater") Inf else r(function(w) { d <- dn(t, w); sum(d$p[d$x <= a]) - s })
  f <- fisher.test(t, conf.level = level, alternative = sub("_", ".", alt))
  near <- function(u, v) stopifnot(u == v || abs(log(u) - log(v)) < .05); near(est, unname(f$estimate)); near(lo, f$conf.int[1]); near(hi, f$conf.int[2])
  c(est, lo, hi)
}
sup <- function(t, inside) { n <- rowSums(t); f <- function(q) sum(outer(dbinom(0:n[1], n[1], q), dbinom(0:n[2], n[2], q)) * inside)
  g <- seq(0, 1, 1e-4); v <- sapply(g, f); k <- which.max(v); min(1, max(v[k], optimize(f, pmin(1, pmax(0, g[k] + c(-1, 1) * 1e-4)), maximum = TRUE, tol = 1e-12)$objective)) }
orders <- function(t) { n <- rowSums(t); x <- row(matrix(0, n[1] + 1, n[2] + 1)) - 1; y <- col(x) - 1; q <- (x + y) / sum(n)
  z <- (x / n[1] - y / n[2]) / sqrt(q * (1 - q) * sum(1 / n)); z[is.nan(z)] <- 0
  fish <- function(alt) matrix(mapply(function(a, b) fisher.test(matrix(c(a, b, n[1] - a, n[2] - b), 2), alternative = alt)$p.value, x, y), nrow(x))
  list(z = z, two.sided = fish("two.sided"), greater = fish("greater"), less = fish("less")) }
unconditional <- function(t) { o <- orders(t); i <- t[1, 1] + 1; j <- t[2, 1] + 1; e <- 1e-7; z <- o$z[i, j]
  list(z = z, barnard = c(sup(t, abs(o$z) >= abs(z) - e), sup(t, o$z >= z - e), sup(t, o$z <= z + e)),
    boschloo = sapply(c("two.sided", "greater", "less"), function(s) sup(t, o[[s]] <= o[[s]][i, j] * (1 + e)))) }
p_row <- function(name, read, p, side, ...) block("result", list(test = name), read = read, p = p[[match(side, c("two_sided", "greater", "less"))]], two_sided = p[[1]], greater = p[[2]], less = p[[3]], ...)
table_of <- function(t) { e <- outer(rowSums(t), colSums(t)) / sum(t); lapply(colnames(t), function(o) { cells <- list()
  for (g in rownames(t)) { cells[[paste0("n@", g)]] <- t[g, o]; cells[[paste0("expected@", g)]] <- e[g, o] }; cells[["n@合计"]] <- sum(t[, o])
  do.call(block, c(list("cross", list(option = o)), cells)) }) }
two <- function(t, side = "two_sided", level = .95, all = TRUE) {
  f <- sapply(c("two.sided", "greater", "less"), function(a) fisher.test(t, alternative = a)$p.value); out <- table_of(t)
  out <- c(out, list(p_row("Fisher 精确", "采用", f, side)))
  if (all) { m <- epitools::ormidp.test(t[1, 1], t[1, 2], t[2, 1], t[2, 2]); m <- if (is.list(m)) unlist(m) else m
    g <- m[["one.sided"]]; d <- dhyper(t[1, 1], sum(t[1, ]), sum(t[2, ]), sum(t[, 1])); up <- f[[2]] - d / 2; lo <- f[[3]] - d / 2
    stopifnot(abs(min(up, lo) - min(g, 1 - g)) < 1e-10); u <- unconditional(t)
    out <- c(out, list(p_row("Fisher mid-p", "", c(min(1, 2 * min(up, lo)), up, lo), side), p_row("Barnard", "", u$barnard, side, statistic = u$z),
      p_row("Boschloo", "", u$boschloo, side, statistic = f[[match(side, c("two_sided", "greater", "less"))]]))) }
  c1 <- cond(t, level, side); out <- c(out, list(block("odds", list(measure = "条件极大似然 OR（精确区间）"), value = c1[1], low = c1[2], high = c1[3])))
  if (all(t > 0)) { z <- qnorm(1 - (1 - level) / 2) * sqrt(sum(1 / t)); l <- log(t[1, 1] * t[2, 2] / (t[1, 2] * t[2, 1]))
    out <- c(out, list(block("odds", list(measure = "样本 OR（Woolf）"), value = exp(l), low = exp(l - z), high = exp(l + z)))) }
  out
}
tea <- matrix(c(3, 1, 1, 3), 2, dimnames = list(c("先倒奶", "先倒茶"), c("奶", "茶"))); stopifnot(abs(fisher.test(tea)$estimate - 6.408309) < 1e-6)
drug <- matrix(c(10, 2, 3, 9), 2, dimnames = list(c("新药", "对照"), c("是", "否")))
zero <- matrix(c(6, 0, 2, 7), 2, dimnames = list(c("甲", "乙"), c("有", "无")))
write <- function(t, file) { d <- as.data.frame(as.table(t)); names(d) <- c("组", "结果", "人数"); write.csv(d, file, row.names = FALSE, quote = FALSE) }
write(drug, "oracle-drug.csv"); write(zero, "oracle-zero.csv")
jobs <- matrix(c(1, 2, 1, 0, 3, 3, 6, 1, 10, 10, 14, 9, 6, 7, 12, 11), 4, dimnames = list(1:4, 1:4)); write(jobs, "oracle-jobs.csv")
every <- c("fisher", "mid_p", "barnard", "boschloo"); always <- list("精确检验不受期望频数限制", "每人（每份答卷）只能计一次")
drugs <- list(x = "组", y = list("结果"), weight = "人数")
oracle(c("R 4.2.2: fisher.test；条件 OR 的区间用 uniroot 重解到全精度", "epitools: ormidp.test", "R 4.2.2: dbinom，Barnard 与 Boschloo 由网格和 optimize 求最大值"), list(
  case("女士品茶，四种检验", list(x = "实际", y = list("猜测"), tests = every), two(tea), c(always, list(fact("“实际”与“猜测”没有发现明显的关联（Fisher 精确检验", s1 = .75, s2 = .25, p = fisher.test(tea)$p.value),
    "精确检验直接算出", "的关联没有统计学意义", "没有发现明显的关联（*p*", "OR 为“先倒奶”比“先倒茶”，看“奶”"))),
  case("新药与对照，右侧，90%", c(drugs, list(tests = every, alternative = "greater", conf_level = .9)), two(drug, "greater", .9), c(always, list(fact("“新药”组的“是”比“对照”组多（Fisher 精确检验，单侧（大于）", s1 = 10 / 13, s2 = 2 / 11),
    "有关联不等于因果", "的关联有统计学意义", "“新药”组的“是”比“对照”组多（*p*", "OR 为“新药”比“对照”，看“是”")), data = "oracle-drug.csv"),
  case("有空格子，左侧", c(drugs, list(alternative = "less")), two(zero, "less", all = FALSE), c(always, list(fact("没有发现“甲”组的“有”比“乙”组少（Fisher 精确检验，单侧（小于）", s1 = 6 / 8, s2 = 0),
    "精确检验直接算出", "的关联没有统计学意义", "没有发现“甲”组的“有”比“乙”组少（*p*", "OR 为“甲”比“乙”，看“有”")), data = "oracle-zero.csv"),
  case("收入与满意度 4×4", c(drugs, list(tests = c("fisher", "mid_p"))), c(table_of(jobs), list(block("result", list(test = "Fisher-Freeman-Halton 精确"), read = "采用", p = fisher.test(jobs)$p.value, two_sided = fisher.test(jobs)$p.value))),
    c(always, list(fact("没有发现明显的关联（Fisher-Freeman-Halton", s1 = 11 / 21, s2 = 36 / 96), "精确检验直接算出", "的关联没有统计学意义", "没有发现明显的关联（*p*", "仅适用于2×2表，只给双侧", "“OR”未给出")), data = "oracle-jobs.csv", measures = list(组 = "定类", 结果 = "定类"))),
  unverified = list(list(what = "result.low", reason = "Wilson interval of a Monte Carlo share; the draws are ours alone"), list(what = "result.high", reason = "as low")))
