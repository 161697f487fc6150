# Rscript oracle.R   (R 4.2.2, coin 1.4.2, effectsize 0.8.3) Student's sleep data; exact p under ties by coin.
source("../../../../tools/oracle.R")
source("../../../../tools/oracle_samples.R")
suppressMessages({library(coin); library(effectsize)})

# Hodges-Lehmann with the ranks of the interval by qwilcox below 50, else by the normal approximation with ties.
hl <- function(x, y, alt, level) {
  a <- if (alt == "two_sided") (1 - level) / 2 else 1 - level
  d <- sort(as.vector(outer(x, y, "-"))); m <- length(x); n <- length(y); N <- m + n; t <- table(c(x, y))
  s <- sqrt(m * n / 12 * (N + 1 - sum(t^3 - t) / (N * (N - 1))))
  k <- if (m < 50 && n < 50) qwilcox(a, m, n) else max(1, round(m * n / 2 - qnorm(1 - a) * s))
  if (k == 0) return(median(d))
  c(median(d), if (alt == "less") -Inf else d[k], if (alt == "greater") Inf else d[m * n + 1 - k])
}
both <- function(x, y, names, alt = "two_sided", level = .95, exact = TRUE, correct = FALSE, used = NULL) {
  m <- length(x); n <- length(y); r <- rank(c(x, y)); W <- sum(r[1:m]); U <- W - m * (m + 1) / 2
  f <- factor(rep(1:2, c(m, n))); side <- r_side(alt)
  w <- suppressWarnings(wilcox.test(x, y, alternative = side, exact = FALSE, correct = correct))
  z <- (if (correct) { g <- U - m * n / 2; g - switch(alt, two_sided = sign(g) * .5, greater = .5, less = -.5) } else U - m * n / 2) /
    sqrt(m * n / 12 * (m + n + 1 - { t <- table(c(x, y)); sum(t^3 - t) / ((m + n) * (m + n - 1)) }))
  e <- if (exact) pvalue(wilcox_test(c(x, y) ~ f, distribution = "exact", alternative = side)) else NULL
  zz <- statistic(wilcox_test(c(x, y) ~ f), "standardized")[1]
  rb <- rank_biserial(x, y, ci = level, alternative = side); h <- hl(x, y, alt, level)
  row <- function(name, v) if (length(v) > 1) block("effects", list(effect = name), value = v[1], low = v[2], high = v[3]) else
    block("effects", list(effect = name), value = v[1], low = NULL, high = NULL)
  rr <- c(rb$r_rank_biserial, rb$CI_low, rb$CI_high)
  t <- t.test(x, y, var.equal = TRUE)$statistic; root <- sqrt(1 / m + 1 / n)
  g <- function(i) { v <- list(x, y)[[i]]; q <- unname(quantile(v, c(.25, .5, .75), type = 6)); s <- sum(r[f == i])
    block("mean_ranks", list(group = names[i]), n = length(v), median = q[2], q1 = q[1], q3 = q[3],
          mean_rank = s / length(v), rank_sum = s) }
  c(list(block("result", U = U, W = W, z = z, asymptotic = w$p.value, exact = if (exact) as.numeric(e) else NULL,
               p = if (exact) as.numeric(e) else w$p.value),
         g(1), g(2), row("秩二列相关（Cliff's δ）", rr), row("优势概率", (rr + 1) / 2), row("Hodges-Lehmann 差值", h),
         row("Cohen's d（参考）", c(t * root, ends(function(p) ncp(t, m + n - 2, p) * root, alt, level))),
         block("effects", list(effect = "r = |Z|/√N"), value = abs(zz) / sqrt(m + n)),
         described(names[1], x), described(names[2], y)))
}
bm <- function(x, y, alt) {   # Brunner & Munzel (2000), formula (2.9) and following
  m <- length(x); n <- length(y); r <- rank(c(x, y)); a <- r[1:m]; b <- r[-(1:m)]
  v1 <- sum((a - rank(x) - mean(a) + (m + 1) / 2)^2) / (m - 1); v2 <- sum((b - rank(y) - mean(b) + (n + 1) / 2)^2) / (n - 1)
  w <- m * n * (mean(a) - mean(b)) / ((m + n) * sqrt(m * v1 + n * v2))
  df <- (m * v1 + n * v2)^2 / ((m * v1)^2 / (m - 1) + (n * v2)^2 / (n - 1))
  block("brunner", statistic = w, df = df, p = switch(alt, two_sided = 2 * pt(-abs(w), df), greater = pt(-w, df), less = pt(w, df)))
}
s <- example(); a <- s[["增加睡眠小时"]][s[["药物"]] == "药1"]; b <- s[["增加睡眠小时"]][s[["药物"]] == "药2"]
air <- na.omit(airquality[airquality$Month %in% c(5, 8), c("Ozone", "Month")])
few <- data.frame(组 = c("甲", "甲", "甲", "乙", "乙"), 值 = c(5, 7, 10, 1, 5), check.names = FALSE)
big <- data.frame(组 = rep(c("甲", "乙"), c(60, 55)), 值 = c((1:60 * 7) %% 5 + 1, (1:55 * 3) %% 4 + .5), check.names = FALSE)
for (n in c("few", "big")) write.csv(get(n), paste0("oracle-", n, ".csv"), row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
form <- function(...) list(group = "药物", variables = list("增加睡眠小时"), ...); g <- function(...) list(group = "组", variables = list("值"), ...)
OWN <- "本检验要求各行数据互不影响"
one <- list(药物 = "定类", 增加睡眠小时 = "定量"); kinds <- list(组 = "定类", 值 = "定量")
B <- split(big[["值"]], big[["组"]])

oracle(c("R 4.2.2: wilcox.test, qwilcox, t.test", "coin 1.4.2: wilcox_test(distribution = \"exact\")", "effectsize 0.8.3: rank_biserial"), list(
  case("两种安眠药", form(brunner_munzel = TRUE), c(both(a, b, c("药1", "药2")), list(bm(a, b, "two_sided"))),
    said(FALSE, "two_sided", OWN, "足够做秩检验", "相同的值取平均秩"), measures = one),
  case("渐近，双侧", form(p_method = "asymptotic"), both(a, b, c("药1", "药2"), exact = FALSE), said(FALSE, "two_sided", OWN), measures = one),
  case("左侧，连续性校正，90%", form(alternative = "less", continuity = TRUE, conf_level = .9, brunner_munzel = TRUE),
    c(both(a, b, c("药1", "药2"), "less", .9, correct = TRUE), list(bm(a, b, "less"))),
    said(TRUE, "less", OWN, "总体上比“药2”组低"), measures = one),
  case("右侧，没有", form(alternative = "greater", p_method = "asymptotic"),
    both(a, b, c("药1", "药2"), "greater", exact = FALSE), said(FALSE, "greater", OWN), measures = one),
  case("三例对两例", g(), both(few[["值"]][1:3], few[["值"]][4:5], c("甲", "乙")),
    said(FALSE, "two_sided", OWN, "样本太小：数据再极端", "没有区间", "相同的值取平均秩"), data = "oracle-few.csv", measures = kinds),
  case("五级评分，渐近", g(), both(B[["甲"]], B[["乙"]], c("甲", "乙"), exact = FALSE),
    said(TRUE, "two_sided", OWN, "足够做秩检验", "总体上比“乙”组高", "*Z* = "), data = "oracle-big.csv", measures = kinds),
  case("蒙特卡洛", form(p_method = "monte_carlo"), list(
    block("result", p = as.numeric(pvalue(wilcox_test(c(a, b) ~ factor(rep(1:2, each = 10)), distribution = "exact"))),
          tolerance = .12, reason = "Monte Carlo of 10,000 draws: three standard errors of p = .066 are 11 %")),
    list("蒙特卡洛 *p* 的 99% CI"), measures = one)))
