# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2, jsonlite)
# cor.test for all three coefficients (exact where n ≤ 9 and no ties); intervals of Spearman and Kendall written out
# from Bonett & Wright (2000) and Fieller et al. (1957); p.adjust; cov and crossprod. Weighted cases: rows repeated.
suppressMessages(library(jsonlite))
invisible(Sys.setlocale("LC_ALL", "C.UTF-8"))
air <- read.csv("example.csv")
cars <- data.frame(油耗 = mtcars$mpg, 重量 = mtcars$wt, 马力 = mtcars$hp, 气缸 = mtcars$cyl)
write.csv(cars, "oracle-cars.csv", row.names = FALSE, quote = FALSE)
few <- data.frame(甲 = c(1.2, 3.4, 2.2, 5.1, 4.8, 6.9, 7.7, 9.3), 乙 = c(2.1, 2.9, 3.3, 4.0, 6.2, 5.5, 7.1, 6.8))
write.csv(few, "oracle-few.csv", row.names = FALSE, quote = FALSE)

block <- function(.table, .where, ..., tolerance = NULL, reason = NULL) {
  b <- list(table = .table, where = .where, cells = lapply(Filter(Negate(is.null), list(...)), unname))
  if (!is.null(tolerance)) b <- c(b, list(tolerance = tolerance, reason = reason))
  b
}
G1 <- function(x) { n <- length(x); d <- x - mean(x); mean(d^3) / mean(d^2)^1.5 * sqrt(n * (n - 1)) / (n - 2) }
G2 <- function(x) { n <- length(x); d <- x - mean(x)
  (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * (mean(d^4) / mean(d^2)^2 - 3) + 6) }

pair <- function(x, y, method, alt, level) {
  ok <- !is.na(x) & !is.na(y); x <- x[ok]; y <- y[ok]; n <- length(x)
  exact <- n <= 9 && !anyDuplicated(x) && !anyDuplicated(y)
  k <- if (method == "spearman" && !exact) cor.test(rank(x), rank(y), alternative = alt) else
    suppressWarnings(cor.test(x, y, method = method, alternative = alt, exact = if (method == "pearson") NULL else exact))
  r <- unname(k$estimate)
  se <- switch(method, pearson = 1 / sqrt(n - 3), spearman = sqrt((1 + r^2 / 2) / (n - 3)), kendall = sqrt(.437 / (n - 4)))
  q <- qnorm(1 - (if (alt == "two.sided") (1 - level) / 2 else 1 - level)) * se
  list(r = r, statistic = if (exact && method != "pearson") NULL else unname(k$statistic),
    df = if (method == "kendall" || (exact && method == "spearman")) NULL else n - 2, p = k$p.value,
    low = if (alt == "less") -1 else tanh(atanh(r) - q), high = if (alt == "greater") 1 else tanh(atanh(r) + q), n = n)
}

numbers <- function(d, x, method = "pearson", alt = "two.sided", level = .95, adjust = "none", y = character(), at = NULL, cov = FALSE) {
  v <- c(x, y); out <- list(); found <- list()
  ij <- if (length(y)) as.matrix(expand.grid(j = length(x) + seq_along(y), i = seq_along(x))[, 2:1]) else t(combn(length(v), 2))
  for (k in seq_len(nrow(ij))) found[[k]] <- pair(d[[v[ij[k, 1]]]], d[[v[ij[k, 2]]]], method, alt, level)
  p <- sapply(found, `[[`, "p"); pa <- p.adjust(p, c(none = "none", holm = "holm", bonferroni = "bonferroni", fdr_bh = "BH")[[adjust]])
  here <- function(b) { if (!is.null(at)) b$at <- at; list(b) }
  for (k in seq_along(found)) { f <- found[[k]]; a <- v[ij[k, 1]]; b <- v[ij[k, 2]]
    out <- c(out, here(block("details", list(a = a, b = b), r = f$r, low = f$low, high = f$high, statistic = f$statistic, df = f$df,
      p = f$p, n = f$n, p_adjusted = if (adjust != "none") pa[k], r2 = if (method == "pearson") f$r^2)))
    if (length(y)) out <- c(out, here(do.call(block, c(list("cross", list(item = a)), setNames(list(f$r, pa[k], f$n), paste0(c("r@", "p@", "n@"), b))))))
    else out <- c(out, here(block("matrix", list(item = a, against = b), r = f$r, p = pa[k], n = f$n)), here(block("matrix", list(item = b, against = a), r = f$r)))
    if (cov) { z <- na.omit(d[, c(a, b)]); out <- c(out, here(block("covariances", list(item = a, against = b),
      covariance = cov(z[[1]], z[[2]]), sscp = cov(z[[1]], z[[2]]) * (nrow(z) - 1)))) } }
  for (a in v) { z <- d[[a]][!is.na(d[[a]])]
    out <- c(out, here(block("descriptives", list(name = a), n = length(z), mean = mean(z), sd = sd(z),
      skewness = if (method == "pearson") G1(z), kurtosis = if (method == "pearson") G2(z))))
    if (method == "pearson") out <- c(out, here(block("descriptives", list(name = a), normal = shapiro.test(z)$p.value, tolerance = 1e-6,
      reason = "R's swilk.c holds the constants of AS R94 in another precision")))
    if (cov) out <- c(out, here(block("covariances", list(item = a, against = a), covariance = var(z), sscp = var(z) * (length(z) - 1)))) }
  top <- found[[which.max(abs(sapply(found, `[[`, "r")))]]
  list(expect = out, found = found, top = top, s = sum(pa < 1 - level), m = length(found), v = v)
}
facts_of <- function(g, s = "") { f <- list(r = g$top$r, low = g$top$low, high = g$top$high, n = g$top$n, share = g$top$r^2)
  f <- if (g$m == 1) c(f, list(p = g$top$p)) else c(f, list(m = g$m, s = g$s)); setNames(f, paste0(names(f), s)) }
common <- function(g, contains) list(list(contains = contains, facts = facts_of(g)), "先看大小和正负", "相关分析（", "相关只说明两个变量一起变化",
  "为两个变量共同有值的个案数", "CI 的置信水平为", "变量共同有值的个案", "直线为最小二乘拟合线")
case <- function(name, form, got, says, ...) c(list(name = name, form = form), list(...), list(expect = got$expect, says = says))

x4 <- c("臭氧", "日照", "风速", "气温")
one <- numbers(air, x4, cov = TRUE)
two <- numbers(na.omit(air[, x4]), x4, "spearman", adjust = "holm")
w <- rep(seq_len(nrow(air)), air$天数)
three <- numbers(air[w, ], c("臭氧", "风速"), "kendall", alt = "less", level = .9)
w2 <- numbers(air[w, ], c("日照", "气温"), "pearson", alt = "greater")
four <- numbers(air, c("风速", "气温"), y = c("臭氧", "日照"), adjust = "fdr_bh")
early <- numbers(air[air$时段 == "五至七月", ], x4[1:3], "kendall", adjust = "bonferroni", at = "五至七月")
late <- numbers(air[air$时段 != "五至七月", ], x4[1:3], "kendall", adjust = "bonferroni", at = "八至九月")
grouped <- list(expect = c(early$expect, late$expect))
car <- function(method) numbers(cars, c("油耗", "重量"), method)
small <- function(method, alt = "two.sided") numbers(few, c("甲", "乙"), method, alt)
quiet <- numbers(air, c("日照", "风速"))
quiet_up <- numbers(air, c("日照", "风速"), "spearman", "greater")
# Two categories as 0 and 1; the point-biserial coefficient written out from the two means gives the same
two_parts <- transform(air, 时段 = as.numeric(air$时段 != "五至七月"))
season <- numbers(two_parts, c("时段", "气温"))
local({ y <- two_parts$气温; g <- two_parts$时段; s <- sqrt(mean((y - mean(y))^2))
  stopifnot(abs((mean(y[g == 1]) - mean(y[g == 0])) / s * sqrt(mean(g) * mean(!g)) - season$top$r) < 1e-12) })
season$expect <- lapply(season$expect, function(b) { if (b$table == "descriptives" && b$where$name == "时段") b$cells$normal <- NULL; b })
season$expect <- Filter(function(b) length(b$cells) > 0, season$expect)

cases <- list(
  case("空气质量，成对剔除", list(variables = x4, covariance = TRUE), one, c(common(one, "最强的相关是“臭氧”与“气温”"),
    list("偏度的绝对值都不超过 2", list(contains = "共检验", facts = list(m = 6, plain = one$s, holm = sum(p.adjust(sapply(one$found, `[[`, "p"), "holm") < .05))), "对角线为方差"))),
  case("Spearman，整行剔除，Holm", list(variables = x4, method = "spearman", missing = "listwise", adjust = "holm"), two,
    c(common(two, "最强的相关是"), list("*p* 已用 Holm 校正"))),
  case("Kendall，频数权重，单尾", list(variables = x4[c(1, 3)], method = "kendall", alternative = "less", conf_level = .9, weight = "天数"), three,
    common(three, "“臭氧”与“风速”负相关")),
  case("Pearson，频数权重，单尾", list(variables = x4[c(2, 4)], alternative = "greater", weight = "天数"), w2, c(common(w2, "“日照”与“气温”正相关"), list("偏度的绝对值"))),
  case("两组变量相互之间，FDR", list(variables = x4[3:4], y = x4[1:2], adjust = "fdr_bh"), four, c(common(four, "最强的相关是"), list("偏度的绝对值", "*p* 已用 FDR-BH 校正", "只算 X × Y"))),
  case("分组，Kendall，Bonferroni", list(variables = x4[1:3], group = "时段", method = "kendall", adjust = "bonferroni"), grouped,
    c(common(early, "“五至七月”组：{m:integer} 对变量中有")[-1], list(list(contains = "“八至九月”组：{m_2:integer} 对变量中有", facts = c(facts_of(early), facts_of(late, "_2"))), "*p* 已用 Bonferroni 校正"))),
  case("32 种汽车（mtcars，目录给出的数），Pearson", list(variables = c("油耗", "重量")), car("pearson"), c(common(car("pearson"), "“油耗”与“重量”负相关"), list("偏度的绝对值")), data = "oracle-cars.csv"),
  case("32 种汽车，Spearman", list(variables = c("油耗", "重量"), method = "spearman"), car("spearman"), common(car("spearman"), "“油耗”与“重量”负相关"), data = "oracle-cars.csv"),
  case("32 种汽车，Kendall", list(variables = c("油耗", "重量"), method = "kendall"), car("kendall"), common(car("kendall"), "“油耗”与“重量”负相关"), data = "oracle-cars.csv"),
  case("8 例，Spearman 精确", list(variables = c("甲", "乙"), method = "spearman"), small("spearman"), c(common(small("spearman"), "“甲”与“乙”正相关"), list("由精确分布得出")), data = "oracle-few.csv"),
  case("8 例，Kendall 精确，右尾", list(variables = c("甲", "乙"), method = "kendall", alternative = "greater"), small("kendall", "greater"),
    c(common(small("kendall", "greater"), "“甲”与“乙”正相关"), list("由精确分布得出")), data = "oracle-few.csv"),
  case("点二列相关", list(variables = c("时段", "气温")), season, c(common(season, "“时段”与“气温”"), list("偏度的绝对值", "记为 0"))),
  case("未发现相关", list(variables = c("日照", "风速")), quiet, c(common(quiet, "“日照”与“风速”没有发现明显的相关"), list("偏度的绝对值"))),
  case("未发现正相关", list(variables = c("日照", "风速"), method = "spearman", alternative = "greater"), quiet_up, common(quiet_up, "“日照”与“风速”没有发现明显的正相关"))
)
writeLines(toJSON(list(sources = c("R 4.2.2: cor.test, p.adjust, cov, shapiro.test",
  "Bonett & Wright (2000)、Fieller 等 (1957)：在 R 中另写"), cases = cases, unverified = list()), auto_unbox = TRUE, digits = NA, pretty = 1))
