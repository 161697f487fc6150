# Rscript oracle.R > oracle.json   (R 4.2.2, car 3.1-1)
# Hartley's distribution by integrate() over the smallest variance; Cochran's bound from pf.
# Whole numbers for fligner.test and quade.test: distances of decimals are no ties in binary.
source("../../../../tools/oracle.R"); source("../../../../tools/oracle_linear.R")
five <- example(); all <- c("levene", "brown_forsythe", "levene_trimmed", "bartlett", "fligner", "f", "hartley", "cochran")
titles <- c(levene = "Levene（均值）", brown_forsythe = "Levene（中位数）", levene_trimmed = "Levene（截尾）", bartlett = "Bartlett", fligner = "Fligner-Killeen", f = "F比（两组）", hartley = "Hartley Fmax", cochran = "Cochran C")
save_as <- function(x, f) write.csv(x, f, row.names = FALSE, quote = FALSE)
sprays <- data.frame(药剂 = InsectSprays$spray, 虫数 = InsectSprays$count); save_as(sprays, "oracle-sprays.csv")
two <- data.frame(组 = rep(c("甲", "乙"), c(22, 26)), 值 = round(c(qnorm(ppoints(22), 5, 1), qnorm(ppoints(26), 6, 1.1)), 2), 次 = 1); two$次[1:5] <- 2; save_as(two, "oracle-two.csv")
still <- data.frame(组 = rep(c("甲", "乙", "丙"), each = 4), 值 = c(1, 2, 4, 3, 5, 5, 5, 5, 2, 6, 3, 4)); save_as(still, "oracle-still.csv")

fmax <- function(v, n) { r <- max(v) / min(v); d <- n - 1
  f <- function(u) sapply(u, function(u) { x <- exp(u); F <- pchisq(d * x * r, d) - pchisq(d * x, d); sum(sapply(seq_along(d), function(i) dchisq(d[i] * x, d[i]) * d[i] * x * prod(F[-i]))) })
  1 - sum(sapply(list(c(-60, -4), c(-4, -2), c(-2, -1), c(-1, -.5), c(-.5, 0), c(0, 1), c(1, 4)), function(c) integrate(f, c[1], c[2], rel.tol = 1e-11, subdivisions = 1000)$value)) }
numbers <- function(x, g, tests, level = .95) { g <- in_order(g); n <- as.numeric(table(g)); v <- as.numeric(tapply(x, g, var)); k <- length(n); out <- list()
  for (t in tests) { w <- list(test = titles[[t]])
    b <- switch(t, levene = { h <- leveneTest(x, g, center = mean); block("result", w, F = h[1, 2], df1 = h[1, 1], df2 = h[2, 1], p = h[1, 3]) },
      brown_forsythe = { h <- leveneTest(x, g, center = median); block("result", w, F = h[1, 2], df1 = h[1, 1], df2 = h[2, 1], p = h[1, 3]) },
      levene_trimmed = { h <- leveneTest(x, g, center = mean, trim = .05); block("result", w, F = h[1, 2], df1 = h[1, 1], df2 = h[2, 1], p = h[1, 3]) },
      bartlett = if (all(v > 0)) { h <- bartlett.test(x, g); block("result", w, chi2 = h$statistic, df1 = h$parameter, p = h$p.value) },
      fligner = { h <- fligner.test(round(x * 1e6), g); block("result", w, chi2 = h$statistic, df1 = h$parameter, p = h$p.value) },
      f = if (k == 2) { a <- order(-v); h <- var.test(x[g == levels(g)[a[1]]], x[g == levels(g)[a[2]]]); block("result", w, F = h$statistic, df1 = h$parameter[1], df2 = h$parameter[2], p = h$p.value) },
      hartley = if (all(v > 0)) block("result", w, ratio = max(v) / min(v), p = fmax(v, n), tolerance = 1e-7, reason = "1 minus a quadrature"),
      cochran = if (all(v > 0) && all(n == n[1])) { C <- max(v) / sum(v); block("result", w, ratio = C, p = min(1, k * pf(C * (k - 1) / (1 - C), n[1] - 1, (k - 1) * (n[1] - 1), lower.tail = FALSE))) })
    if (!is.null(b)) out <- c(out, list(b)) }
  for (l in levels(g)) { s <- sd(x[g == l]); d <- sum(g == l) - 1; out <- c(out, list(block("sds", list(group = l), n = d + 1, sd = s, low = s * sqrt(d / qchisq((1 + level) / 2, d)), high = s * sqrt(d / qchisq((1 - level) / 2, d))))) }
  c(out, group_blocks(x, g, level)) }
notes <- lapply(c("CI 的置信水平为", "四分位距按", "F 比只用于两组", "Cochran C 要求"), function(x) list(what = x, reason = "a note on how a table is made"))
M <- list(虫数 = "定量", 值 = "定量", 次 = "定量"); each <- two[rep(1:48, two$次), ]
oracle(c("R 4.2.2: bartlett.test, fligner.test, var.test, integrate", "car 3.1-1: leveneTest"), list(
  case("五组，全部检验", list(group = "组别", variables = list("得分"), tests = as.list(all)), numbers(five$得分, five$组别, all),
    list("方差不齐，差异有统计学意义（Levene（中位数），*p*", "比较均值时请用不要求等方差的方法", "检验：各组“得分”方差不齐，", "会把不正态误当作方差不齐")),
  case("六种杀虫剂（InsectSprays，目录给出的数），90%", list(group = "药剂", variables = list("虫数"), tests = as.list(all), conf_level = .9), numbers(sprays$虫数, sprays$药剂, all, .9),
    list("方差不齐，差异有统计学意义", "会把不正态误当作方差不齐"), "oracle-sprays.csv", M),
  case("两组，频数权重，只用要求正态的检验", list(group = "组", variables = list("值"), tests = list("bartlett", "f", "hartley"), weight = "次"), numbers(each$值, each$组, c("bartlett", "f", "hartley")),
    list("没有发现 {k:integer} 个组的“值”方差不齐（Bartlett", "没有发现不等于相等", "没有发现方差不齐，χ²", "近似正态，"), "oracle-two.csv", M),
  case("有一组没有变异", list(group = "组", variables = list("值")), numbers(still$值, still$组, c("levene", "brown_forsythe", "bartlett")),
    list("的方差为 0，Bartlett不可用", "没有发现方差不齐，*F*", "没有发现 {k:integer} 个组的“值”方差不齐（Levene（中位数）", "所选检验不要求正态"), "oracle-still.csv", M)), c(notes, list(list(what = "lead.k", reason = "the number of groups, rows of the table"), list(what = "lead.n", reason = "the number of cases, the sum of n"))))
