# Rscript oracle.R   (R 4.2.2, coin 1.4.2) Every arrangement gone through here; intervals by moving the data and looking again.
source("../../../../tools/oracle.R")
source("../../../../tools/oracle_samples.R")
suppressMessages(library(coin))

p_of <- function(all, seen, alt) { e <- 1e-9 * max(abs(all)); switch(alt, two_sided = mean(abs(all) >= abs(seen) - e), greater = mean(all >= seen - e), less = mean(all <= seen + e)) }
# Ends of the shifts that are not rejected: the one-sided p of the data moved by s, as a function of s, cut at the tail.
ends_of <- function(p, from, to, tail) { # p rises with s
  for (i in 1:80) { mid <- (from + to) / 2; if (p(mid) > tail + 1e-12) to <- mid else from <- mid }; to }
row <- function(name, seen, all, alt, ci = NULL) block("result", list(statistic = name), observed = seen, low = ci[1], high = ci[2], of = length(all),
  extreme = round(p_of(all, seen, alt) * length(all)), p = p_of(all, seen, alt))
# Independent samples: every choice of the first group. `f` takes both samples.
apart <- function(x, y, f, name, alt = "two_sided", level = NULL) {
  z <- c(x, y); m <- length(x); ways <- combn(length(z), m); all <- apply(ways, 2, function(i) f(z[i], z[-i])); ci <- NULL
  if (!is.null(level)) { tail <- if (alt == "two_sided") (1 - level) / 2 else 1 - level; n <- length(y)
    up <- function(s) { w <- c(x - s, y); t <- colSums(matrix(w[ways], m)); seen <- sum(x - s); mean(t >= seen - 1e-13 * sum(abs(w))) }
    ci <- c(if (alt == "less") -Inf else ends_of(up, -50, 50, tail),
            if (alt == "greater") Inf else -ends_of(function(s) { w <- c(x + s, y); t <- colSums(matrix(w[ways], m)); mean(t <= sum(x + s) + 1e-13 * sum(abs(w))) }, -50, 50, tail)) }
  row(name, f(x, y), all, alt, ci) }
flipped <- function(d, f, name, alt = "two_sided", level = NULL) {
  s <- as.matrix(expand.grid(rep(list(c(1, -1)), length(d)))); all <- apply(s, 1, function(v) f(v * d)); ci <- NULL
  if (!is.null(level)) { tail <- if (alt == "two_sided") (1 - level) / 2 else 1 - level; up <- function(k, way) { e <- d - k; t <- way * drop(s %*% e); mean(t >= way * sum(e) - 1e-13 * sum(abs(e))) }
    ci <- c(if (alt == "less") -Inf else ends_of(function(k) up(k, 1), -200, 200, tail), if (alt == "greater") Inf else -ends_of(function(k) up(-k, -1), -200, 200, tail)) }
  row(name, f(d), all, alt, ci) }
orders <- function(v) if (length(v) == 1) list(v) else do.call(c, lapply(seq_along(v), function(i) lapply(orders(v[-i]), function(o) c(v[i], o))))
md <- function(a, b) mean(a) - mean(b); welch <- function(a, b) md(a, b) / sqrt(var(a) / length(a) + var(b) / length(b))
utf <- function(d, f) write.csv(d, f, row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8", na = "")

m <- example(); a <- m[["异花授粉"]]; b <- m[["自花授粉"]]
maize <- flipped(a - b, mean, "均值差", level = .95); stopifnot(abs(maize$cells$p - 1726 / 32768) < 1e-12)   # Fisher (1935), section 21
x <- sleep$extra[1:10]; y <- sleep$extra[11:20]
two <- apart(x, y, md, "均值差", level = .95); stopifnot(abs(two$cells$p - pvalue(oneway_test(extra ~ group, sleep, distribution = "exact"))) < 1e-9)
utf(data.frame(药 = rep(c("药1", "药2"), each = 10), 睡眠 = c(x, y)), "oracle-sleep.csv")
# A small survey: words for groups, answers of 1 to 5 with gaps and ties, how many gave each.
s <- data.frame(班 = c("甲", "甲", "甲", "乙", "乙", "乙", "丙", "丙", "丙", "甲"), 评分 = c(1, 2, 4, 3, 5, 5, 2, 2, NA, 5), 上次 = c(2, 1, 3, 3, 3, 4, 2, 5, 4, NA), 份数 = c(1, 2, 1, 2, 1, 1, 2, 1, 3, 0), check.names = FALSE)
utf(s, "oracle-class.csv"); g <- function(k) { q <- s[s$班 == k & !is.na(s$评分), ]; rep(q$评分, q$份数) }
plain <- function(k) { v <- s$评分[s$班 == k]; v[!is.na(v)] }
both <- s[!is.na(s$评分) & !is.na(s$上次), ]; r_all <- sapply(orders(seq_len(nrow(both))), function(o) cor(both$评分, both$上次[o]))
# F of three groups: every way to share nine cases out as 4, 3 and 2.
z <- c(plain("甲"), plain("乙"), plain("丙")); label <- rep(1:3, c(4, 3, 2)); F <- function(v) { q <- anova(lm(v ~ factor(label))); q$F[1] }
f_all <- unlist(lapply(combn(9, 4, simplify = FALSE), function(i) { rest <- setdiff(1:9, i); lapply(combn(5, 3, simplify = FALSE), function(j) F(c(z[i], z[rest[j]], z[rest[-j]]))) }))
f_p <- mean(f_all >= F(z) - 1e-9)
NONE <- list("先看差多少", "差异无统计学意义", "没有发现", "本检验要求各行")
ind <- function(...) list(design = "independent", ...); W <- "分组不是随机分配时"; K <- list(班 = "定类", 评分 = "定量", 上次 = "定量", 份数 = "定量")
oracle(c("R 4.2.2: combn, expand.grid, uniroot by halving", "coin 1.4.2: oneway_test(distribution = \"exact\")", "Fisher (1935): 1726 of 32768"), list(
  case("达尔文的玉米", list(design = "paired", variables = list("异花授粉"), pair = "自花授粉"), list(maize, described("异花授粉", a), described("自花授粉", b), described("差值", a - b)),
    c(said(FALSE, "none", "本检验要求各行"), list("全部排列都算过", "包含 0", "再看区间", fact("共 {of:integer} 种排列", of = 32768, least = 2 / 32768, alpha = .05), "足够检验", fact("差值的偏度为", skewness = skewness(a - b)), "符号翻转假定差值对称", "真实差值可能在这个范围内"))),
  case("玉米，右侧", list(design = "paired", variables = list("异花授粉"), pair = "自花授粉", alternative = "greater"), list(flipped(a - b, mean, "均值差", "greater", .95)), list("单侧检验支持", "单侧检验差异有统计学意义", "单侧检验只给一端", "差异有统计学意义", "比较“异花授粉”与“自花授粉”", "的平均值为", "本检验要求各行")),
  case("玉米，t", list(design = "paired", variables = list("异花授粉"), pair = "自花授粉", statistic = "t"), list(flipped(a - b, function(d) mean(d) / sd(d) * sqrt(15), "配对 *t*")), NONE),
  case("玉米，中位数", list(design = "paired", variables = list("异花授粉"), pair = "自花授粉", statistic = "median_diff"), list(flipped(a - b, median, "中位数差")), c(NONE, "中位数差 {est:num}", "的中位数为")),
  case("安眠药", ind(group = "药", variables = list("睡眠")), list(two, described("药1", x), described("药2", y)), c(NONE, "真实差值可能在这个范围内", "包含 0", W, "标准差最大的一组是最小的"), data = "oracle-sleep.csv", measures = list(药 = "定类", 睡眠 = "定量")),
  case("班级，Welch t", ind(group = "班", variables = list("评分"), groups = list("甲", "乙"), statistic = "t", weight = "份数"), list(apart(g("甲"), g("乙"), welch, "*t*（Welch）")), c(NONE, W, "Welch 形式不要求"), data = "oracle-class.csv", measures = K),
  case("班级，中位数，左侧", ind(group = "班", variables = list("评分"), groups = list("丙", "乙"), statistic = "median_diff", alternative = "less"), list(apart(plain("丙"), plain("乙"), function(a, b) median(a) - median(b), "中位数差", "less")),
    list("先看差多少", "单侧检验未达到统计学意义", "没有发现“丙”组", "单侧检验不足以说", "现有数据不足以说", "样本太小", "也会使 *p* 变小"), data = "oracle-class.csv", measures = K),
  case("班级，F", ind(group = "班", variables = list("评分"), statistic = "f"), list(block("result", list(statistic = "*F*"), observed = F(z), of = 10000), block("result", list(statistic = "*F*"), p = f_p, tolerance = .05, reason = "drawn 9999 times: a standard error of 0.01 of p")),
    list("个组的“评分”没有发现明显差异", "平均值最高的是“", "随机种子"), data = "oracle-class.csv", measures = K),
  case("两次评分", list(design = "correlation", variables = list("评分"), pair = "上次"), list(row("相关系数 *r*", cor(both$评分, both$上次), r_all, "two_sided")), list("没有发现“评分”与“上次”相关", "相关系数 *r* =", "本检验要求各行", "相关无统计学意义", "没有发现相关不等于没有相关"), data = "oracle-class.csv", measures = K)),
  unverified = list(list(what = "result.p_low", reason = "Clopper-Pearson of drawn arrangements, compared with scipy's in test_method.py"), list(what = "result.p_high", reason = "the same")))
