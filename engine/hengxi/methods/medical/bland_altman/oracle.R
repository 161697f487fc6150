# Rscript oracle.R   (R 4.2.2, epiR, psych, lm, shapiro.test) PEFR of 17 people (Bland & Altman 1986); repeats by anova().
source("../../../../tools/oracle.R")
suppressMessages({library(epiR); library(psych)})
save_as <- function(x, f) write.csv(x, f, row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8", na = "")
P <- data.frame(编号 = 1:17, Wright计 = c(494, 395, 516, 434, 476, 557, 413, 442, 650, 433, 417, 656, 267, 478, 178, 423, 427), mini计 = c(512, 430, 520, 428, 500, 600, 364, 380, 658, 445, 432, 626, 260, 477, 259, 350, 451)); save_as(P, "example.csv")
set.seed(7); who <- rep(1:12, times = c(3, 2, 4, 2, 3, 3, 2, 4, 3, 2, 3, 2)); true <- 60 + 4 * rnorm(12)[who]; Q <- data.frame(人 = paste0("P", who), 新法 = round(true * exp(.05 * rnorm(33)) + .8 * rnorm(12)[who], 1), 旧法 = round(true * exp(.05 * rnorm(33)), 1)); Q$新法[5] <- NA; save_as(Q, "oracle-repeats.csv")
run <- function(D, A, B, scale = "difference", k = 1.96, level = .95, subject = NULL) { D <- D[complete.cases(D[, c(A, B, subject)]), ]; a <- D[[A]]; b <- D[[B]]; n <- length(a); back <- if (scale == "ratio") exp else identity
  d <- switch(scale, difference = a - b, percent = 100 * (a - b) / ((a + b) / 2), ratio = log(a / b)); m <- mean(d); out <- list(); w <- NULL
  if (is.null(subject)) s <- sd(d) else { g <- factor(D[[subject]]); v <- anova(lm(d ~ g)); N <- as.numeric(table(g)); m0 <- (n - sum(N^2) / n) / (length(N) - 1); within <- v[2, 3]; between <- max(0, (v[1, 3] - v[2, 3]) / m0); s <- sqrt(within + between); out <- list(block("components", within = within, between = between, subjects = nlevels(g))) }
  L <- m - k * s; U <- m + k * s; tt <- qt((1 + level) / 2, n - 1); f <- sqrt(1 / n + k^2 / (2 * (n - 1)))
  row <- function(name, x, se) if (is.null(subject)) block("result", list(measure = name), value = back(x), low = back(x - tt * s * se), high = back(x + tt * s * se)) else block("result", list(measure = name), value = back(x))
  o <- sum(d < L | d > U); z <- qnorm((1 + level) / 2); c1 <- epi.ccc(a, b, conf.level = level)$rho.c; r <- cor.test(a, b, conf.level = level); i <- ICC(cbind(a, b), alpha = 1 - level, lmer = FALSE)$results; i <- i[i$type == "ICC2", ]
  x <- if (scale == "ratio") (log(a) + log(b)) / 2 else (a + b) / 2; q <- summary(lm(d ~ x))$coefficients[2, ]; rc <- 1.96 * sqrt(mean((a - b)^2))
  c(list(row(c(difference = "平均差（A − B）", percent = "平均百分差（%）", ratio = "平均比值（A ÷ B，几何平均）")[[scale]], m, 1 / sqrt(n)), row("界限下端", L, f), row("界限上端", U, f), block("result", list(measure = if (scale == "ratio") "标准差（对数）" else "标准差"), value = s),
    block("counts", n = n, inside = n - o, outside = o, share = o / n), block("repeat", value = rc),
    block("agreement", list(name = "CCC（Lin）"), value = c1[[1]], low = c1[[2]], high = c1[[3]]), block("agreement", list(name = "Pearson *r*"), value = unname(r$estimate), low = r$conf.int[1], high = r$conf.int[2]),
    block("agreement", list(name = "ICC（绝对一致）"), value = i$ICC, low = i$`lower bound`, high = i$`upper bound`, tolerance = 1e-6, reason = "psych rounds nothing but its sums of squares come from another order of operations"),
    block("slope", slope = q[[1]], se = q[[2]], t = q[[3]], df = n - 2, p = q[[4]])), out) }
norm <- function(d) unname(shapiro.test(d)$p.value)
stopifnot(abs(mean(P$Wright计 - P$mini计) + 2.117647) < 1e-6, abs(sd(P$Wright计 - P$mini计) - 38.76513) < 1e-5)
f <- function(...) list(a = "Wright计", b = "mini计", ...); m <- list(人 = "定类")
oracle(c("R 4.2.2: epiR::epi.ccc, psych::ICC, cor.test, lm, shapiro.test, anova"), list(
  case("呼气峰流速，17 人（1986 年文中的数）", f(), run(P, "Wright计", "mini计"), list(fact("“Wright计”平均比“mini计”低 {bias:num}；一致性界限为", bias = 2.1176470588235294), "用 Bland-Altman 法比较两种方法", "界限说明同一次测量换一种方法", "约 95% 的差值落在两个界限之间", "相关高不等于一致", "斜线是两法完全相等", fact("没有发现差值随测量值的大小改变", p = summary(lm(I(P$Wright计 - P$mini计) ~ I((P$Wright计 + P$mini计) / 2)))$coefficients[2, 4]), fact("没有发现差值偏离正态", p = norm(P$Wright计 - P$mini计)))),
  case("百分差，90%，可接受的差 30", f(scale = "percent", conf_level = .9, limit = 30, xaxis = "a"), run(P, "Wright计", "mini计", "percent", level = .9), list("一致性界限为 {low:num}% 到", "界限在可接受的差之内（{floor:num} 到 {ceiling:num}），但界限的区间超出了它")),
  case("比值，2 倍标准差，可接受 1.1 倍", f(scale = "ratio", k = 2, limit = 1.1, xaxis = "b"), run(P, "Wright计", "mini计", "ratio", k = 2), list("平均是“mini计”的", "约 95.4% 的差值", "界限超出了可接受的差", "差值偏离正态，界限之间的比例")),
  case("可接受的差 150", f(limit = 150), run(P, "Wright计", "mini计"), list("界限连同它的区间都在可接受的差之内")),
  case("12 人重复测量，有缺失", list(a = "新法", b = "旧法", subject = "人", limit = 30), run(Q, "新法", "旧法", subject = "人"), list("同一个体测了多次", "“新法”平均比“旧法”高", "用 Bland-Altman 法比较两种方法（*N* = {n:integer}）。“新法”平均", "没有考虑重复测量", "界限在可接受的差之内（{floor:num} 到 {ceiling:num}）。"), data = "oracle-repeats.csv", measures = m)))
