# Rscript oracle.R   (R 4.2.2) Trimmed means by mean(trim = ), winsorised variances and tests written out from Wilcox (2017);
# no trimming must give t.test and oneway.test of R.
source("../../../../tools/oracle.R")
source("../../../../tools/oracle_samples.R")
if (!file.exists("example.csv")) write.csv(data.frame(药物 = rep(c("甲药", "乙药"), each = 10), 增加睡眠小时 = sleep$extra, check.names = FALSE), "example.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
save_as <- function(x, f) write.csv(x, f, row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8", na = "")
win <- function(x, tr) { s <- sort(x); n <- length(x); g <- floor(tr * n + 1e-9); pmin(pmax(x, s[g + 1]), s[n - g]) }
part <- function(x, tr) { n <- length(x); h <- n - 2 * floor(tr * n + 1e-9); v <- var(win(x, tr)); list(n = n, h = h, m = mean(x, trim = tr), v = v, q = (n - 1) * v / (h * (h - 1)), median = median(x), mean = mean(x)) }
xi <- function(xs, tr) { ms <- sapply(xs, mean, trim = tr); L <- Reduce(function(a, b) a * b / (function(u, v) { while (v) { w <- u %% v; u <- v; v <- w }; u })(a, b), lengths(xs))
  whole <- unlist(lapply(xs, function(x) rep(x, each = L / length(x)))); w <- win(whole, tr); N <- sum(lengths(xs))   # each group as often as the others
  v <- mean((w - mean(w))^2) * N / (N - 1); cc <- if (tr > 0) integrate(function(z) z^2 * dnorm(z), qnorm(tr), qnorm(1 - tr), rel.tol = 1e-13)$value + 2 * qnorm(tr)^2 * tr else 1
  sqrt(min(1, var(ms) * cc / v)) }
yuen <- function(x, y, tr, alt = "two_sided", level = .95) { a <- part(x, tr); b <- part(y, tr); d <- a$m - b$m; se <- sqrt(a$q + b$q); df <- (a$q + b$q)^2 / (a$q^2 / (a$h - 1) + b$q^2 / (b$h - 1)); t <- d / se
  p <- switch(alt, two_sided = 2 * pt(-abs(t), df), greater = pt(-t, df), less = pt(t, df)); k <- qt(1 - (1 - level) / (if (alt == "two_sided") 2 else 1), df) * se
  if (tr == 0) stopifnot(abs(t.test(x, y, alternative = r_side(alt))$p.value - p) < 1e-12)
  list(t = t, df = df, p = p, difference = d, se = se, low = if (alt == "less") -Inf else d - k, high = if (alt == "greater") Inf else d + k) }
robust <- function(xs, tr) lapply(names(xs), function(g) { a <- part(xs[[g]], tr); block("robust", list(group = g), n = a$n, h = a$h, trimmed_mean = a$m, winsorised = sqrt(a$v), se = sqrt(a$q), median = a$median, mean = a$mean) })
shared <- function(xs) lapply(names(xs), function(g) described(g, xs[[g]]))
two <- function(xs, tr, alt = "two_sided", level = .95) c(list(do.call(block, c(list("result", list(pair = paste(names(xs), collapse = " − "))), yuen(xs[[1]], xs[[2]], tr, alt, level), xi = xi(xs, tr)))), robust(xs, tr), shared(xs))
many <- function(xs, tr, level = .95) { P <- lapply(xs, part, tr = tr); q <- sapply(P, `[[`, "q"); h <- sapply(P, `[[`, "h"); m <- sapply(P, `[[`, "m"); w <- 1 / q; U <- sum(w); J <- length(xs)
  A <- sum(w * (m - sum(w * m) / U)^2) / (J - 1); r <- sum((1 - w / U)^2 / (h - 1)); F <- A / (1 + 2 * (J - 2) * r / (J^2 - 1)); d2 <- (J^2 - 1) / (3 * r)
  if (tr == 0) stopifnot(abs(oneway.test(values ~ ind, stack(xs))$p.value - pf(F, J - 1, d2, lower.tail = FALSE)) < 1e-12)
  C <- combn(names(xs), 2, simplify = FALSE); T <- lapply(C, function(c) yuen(xs[[c[1]]], xs[[c[2]]], tr, level = level)); raw <- sapply(T, `[[`, "p"); adj <- p.adjust(raw, "holm")
  c(list(block("omnibus", list(), k = J, F = F, df1 = J - 1, df2 = d2, p = pf(F, J - 1, d2, lower.tail = FALSE), xi = xi(xs, tr))),
    lapply(seq_along(C), function(i) { t <- T[[i]]; block("pairs", list(first = C[[i]][1], second = C[[i]][2]), difference = t$difference, se = t$se, t = t$t, df = t$df, raw = raw[i], p = adj[i], low = t$low, high = t$high) }), robust(xs, tr), shared(xs)) }
set.seed(7); heavy <- data.frame(班 = rep(c("一班", "二班", "三班"), c(17, 23, 20)), 分 = round(c(rt(17, 2) * 4 + 60, rt(23, 2) * 4 + 66, rt(20, 2) * 4 + 61), 1), 次 = rep(1:3, 20)); heavy$分[c(4, 30)] <- NA; save_as(heavy, "oracle-heavy.csv")
ok <- heavy[!is.na(heavy$分), ]; H <- split(ok$分, factor(ok$班, c("一班", "二班", "三班"))); each <- ok[rep(seq_len(nrow(ok)), ok$次), ]; E <- split(each$分, factor(each$班, c("一班", "二班", "三班")))
likert <- data.frame(性别 = rep(c("男", "女"), c(15, 24)), 满意 = c(rep(1:5, 3), rep(2:5, 6))); save_as(likert, "oracle-likert.csv"); L <- split(likert$满意, factor(likert$性别, c("男", "女")))
m <- example(); S <- split(m$增加睡眠小时, factor(m$药物, c("甲药", "乙药")))
stopifnot(abs(yuen(S[[1]], S[[2]], .2)$t + 1.616777) < 1e-6, abs(yuen(S[[1]], S[[2]], .2)$p - .143378) < 1e-6)   # the catalogue's numbers (SciPy)
f <- function(g, y, ...) list(group = g, variables = list(y), ...); K <- list(班 = "定类", 分 = "定量", 次 = "定量"); W <- list(性别 = "定类", 满意 = "定量"); OWN <- "本检验要求各行数据互不影响"
oracle(c("R 4.2.2: mean(trim), var, pt, pf, integrate, p.adjust", "R 4.2.2: t.test、oneway.test（截尾比例为 0）"), list(
  case("两种药", f("药物", "增加睡眠小时"), two(S, .2), c(said(FALSE, "two_sided", OWN, "截尾使“甲药”组的均值"))),
  case("不截尾就是 Welch", f("药物", "增加睡眠小时", trim = 0, alternative = "less", conf_level = .9), two(S, 0, "less", .9), c(said(TRUE, "less", OWN, "没有截尾：结果与 Welch 检验相同"))),
  case("1–5 分，右侧没有", f("性别", "满意", trim = .1, alternative = "greater"), two(L, .1, "greater"), c(said(FALSE, "greater", OWN)), data = "oracle-likert.csv", measures = W),
  case("三个班，重尾，有缺失", f("班", "分"), many(H, .2), list("截尾均值差异有统计学意义", "两两比较中达到统计学意义的有", "不是每一组都一样", "差异有统计学意义，*F*(", OWN), data = "oracle-heavy.csv", measures = K),
  case("频数权重，不截尾，99.9%", f("班", "分", weight = "次", trim = 0, conf_level = .999), many(E, 0, .999), list("CI 的置信水平为"), data = "oracle-heavy.csv", measures = K),
  case("没有差异的三组", f("班", "次"), many(split(heavy$次, factor(heavy$班, names(H))), .2), list("两两比较没有一对达到统计学意义", "没有发现差异不等于各组一样", "差异无统计学意义，*F*("), data = "oracle-heavy.csv", measures = K),
  case("频数权重，截尾 25%", f("班", "分", weight = "次", trim = .25), many(E, .25), list("截尾均值差异有统计学意义", "截尾均值差 = 组I − 组J"), data = "oracle-heavy.csv", measures = K),
  case("bootstrap-t", f("药物", "增加睡眠小时", bootstrap_t = TRUE), two(S, .2), list("bootstrap-t 重抽"))),
  list(list(what = "result.boot_low", reason = "an end of a bootstrap interval; the draws are ours alone"), list(what = "result.boot_high", reason = "an end of a bootstrap interval; the draws are ours alone"), list(what = "result.boot_p", reason = "a share of bootstrap draws; the draws are ours alone")))
