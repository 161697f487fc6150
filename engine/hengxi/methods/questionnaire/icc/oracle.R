# How oracle.json was made: tools/run_oracles.py --write questionnaire/icc   (R 4.2.2; aov; psych 2.2.9; lme4 1.1-31)
# All ten forms written out from McGraw & Wong (1996), tables 4, 7 and 8; the six of Shrout & Fleiss (1979), whose table the
# example is, are held against psych::ICC. With gaps: REML of the
# dense model by optim, held against lme4.
source("../../../../tools/oracle.R")
suppressMessages({library(psych); library(lme4)})
ten <- function(x, level, r0) {
  x <- as.matrix(x); n <- nrow(x); k <- ncol(x); y <- c(x); i <- factor(rep(1:n, k)); j <- factor(rep(1:k, each = n))
  ms <- anova(lm(y ~ i + j))[["Mean Sq"]]; R <- ms[1]; C <- ms[2]; E <- ms[3]; W <- ((n - 1) * (k - 1) * E + (k - 1) * C) / (n * (k - 1)); q <- 1 - (1 - level) / 2
  ratio <- function(M, d, avg) { f <- R / M; g <- function(f) if (avg) 1 - 1 / f else (f - 1) / (f + k - 1); F <- f * (1 - r0) / (if (avg) 1 else 1 + (k - 1) * r0)
    list(icc = g(f), low = g(f / qf(q, n - 1, d)), high = g(f * qf(q, d, n - 1)), F = F, df1 = n - 1, df2 = d, p = pf(F, n - 1, d, lower.tail = FALSE)) }
  absolute <- function(avg) { r <- (R - E) / (R + (k - 1) * E + k / n * (C - E)); s <- (R - E) / (R + (C - E) / n)
    a <- k * r / (n * (1 - r)); b <- 1 + k * r * (n - 1) / (n * (1 - r)); v <- (a * C + b * E)^2 / ((a * C)^2 / (k - 1) + (b * E)^2 / ((n - 1) * (k - 1)))
    L <- qf(q, n - 1, v); U <- qf(q, v, n - 1)
    if (avg) { low <- n * (R - L * E) / (L * (C - E) + n * R); high <- n * (U * R - E) / (C - E + n * U * R); a <- r0 / (n * (1 - r0)); b <- 1 + r0 * (n - 1) / (n * (1 - r0)) }
    else { low <- n * (R - L * E) / (L * (k * C + (k * n - k - n) * E) + n * R); high <- n * (U * R - E) / (k * C + (k * n - k - n) * E + n * U * R); a <- k * r0 / (n * (1 - r0)); b <- 1 + k * r0 * (n - 1) / (n * (1 - r0)) }
    d <- (a * C + b * E)^2 / ((a * C)^2 / (k - 1) + (b * E)^2 / ((n - 1) * (k - 1))); F <- R / (a * C + b * E)
    list(icc = if (avg) s else r, low = low, high = high, F = F, df1 = n - 1, df2 = d, p = pf(F, n - 1, d, lower.tail = FALSE)) }
  d1 <- n * (k - 1); d2 <- (n - 1) * (k - 1); E1 <- list()
  say <- function(name, model, z) E1[[length(E1) + 1]] <<- do.call(block, c(list("result", list(name = name, model = model)), z))
  say("ICC(1)", "单向随机", ratio(W, d1, FALSE)); say("ICC(k)", "单向随机", ratio(W, d1, TRUE))
  for (m in c("双向随机", "双向混合")) { say("ICC(A,1)", m, absolute(FALSE)); say("ICC(A,k)", m, absolute(TRUE)); say("ICC(C,1)", m, ratio(E, d2, FALSE)); say("ICC(C,k)", m, ratio(E, d2, TRUE)) }
  if (r0 == 0) { p <- psych::ICC(x, alpha = 1 - level, lmer = FALSE)$results; z <- lapply(E1[c(1, 3, 9, 2, 4, 10)], function(e) e$cells); stopifnot(abs(p$ICC - sapply(z, `[[`, "icc")) < 1e-10) }
  src <- function(s, ss, df, ...) block("sources", list(source = s), ss = ss, df = df, ...)
  E1 <- c(E1, list(src("被评对象", R * (n - 1), n - 1, ms = R), src("评价者", C * (k - 1), k - 1, ms = C, F = C / E, p = pf(C / E, k - 1, d2, lower.tail = FALSE)), src("残差", E * d2, d2, ms = E),
    src("对象内（评价者＋残差）", W * d1, d1, ms = W), src("合计", sum((y - mean(y))^2), n * k - 1)))
  c(E1, errors(W, max(C - E, 0) / n, E))
}
errors <- function(W, r, e, ...) Map(function(kind, v) block("error", list(kind = kind), sem = sqrt(v), mdc = qnorm(.975) * sqrt(2 * v), ...), c("单向", "绝对一致", "相对一致"), c(W, r + e, e), USE.NAMES = FALSE)
raters <- function(x) lapply(names(x), function(v) block("described", list(rater = v), n = sum(!is.na(x[[v]])), mean = mean(x[[v]], na.rm = TRUE), sd = sd(x[[v]], na.rm = TRUE)))
d <- example(); x <- d[-1]; judges <- names(x); why <- "optim 的搜索约在 1e-8 处停止"
RNGversion("4.2.0"); set.seed(31); n <- 40; t <- rnorm(n)   # two measurements of five grades; then three raters with gaps
two <- data.frame(前测 = findInterval(t + .6 * rnorm(n), c(-1.2, -.4, .4, 1.2)) + 1, 后测 = findInterval(t + .2 + .6 * rnorm(n), c(-1.2, -.4, .4, 1.2)) + 1)
write.csv(two, "oracle-two.csv", row.names = FALSE, quote = FALSE)
gaps <- as.data.frame(round(70 + 6 * t + outer(rep(1, n), c(-2, 0, 3)) + matrix(3 * rnorm(3 * n), n))); names(gaps) <- c("甲", "乙", "丙"); for (v in names(gaps)) gaps[[v]][sample(n, 7)] <- NA
write.csv(gaps, "oracle-gaps.csv", row.names = FALSE, quote = FALSE, na = "")
reml <- function(x, two) { k <- ncol(x); n <- nrow(x); l <- na.omit(data.frame(y = c(as.matrix(x)), s = factor(rep(1:n, k)), r = factor(rep(1:k, each = n)))); N <- nrow(l)
  Zs <- tcrossprod(model.matrix(~ 0 + s, l)); Zr <- tcrossprod(model.matrix(~ 0 + r, l)); one <- rep(1, N)
  dev <- function(p) { v <- exp(p); V <- v[1] * Zs + (if (two) v[2] * Zr else 0) + v[length(v)] * diag(N); L <- chol(V); a <- backsolve(L, one, transpose = TRUE); b <- backsolve(L, l$y, transpose = TRUE); 2 * sum(log(diag(L))) + log(sum(a^2)) + sum((b - a * sum(a * b) / sum(a^2))^2) }
  f <- as.data.frame(VarCorr(lmer(if (two) y ~ (1 | s) + (1 | r) else y ~ (1 | s), l)))$vcov; p <- log(f); for (i in 1:3) p <- optim(p, dev, method = "BFGS", control = list(reltol = 1e-15, maxit = 1000, ndeps = rep(1e-4, 2 + two)))$par
  stopifnot(abs(exp(p) / f - 1) < 1e-3); exp(p) }
rand <- function(x) { k <- ncol(x); a <- reml(x, TRUE); b <- reml(x, FALSE); E <- list(); nm <- function(...) block(..., tolerance = 1e-6, reason = why)
  add <- function(name, model, v) E[[length(E) + 1]] <<- nm("result", list(name = name, model = model), icc = v)
  add("ICC(1)", "单向随机", b[1] / sum(b)); add("ICC(k)", "单向随机", b[1] / (b[1] + b[2] / k)); for (m in c("双向随机", "双向混合")) { add("ICC(A,1)", m, a[1] / sum(a)); add("ICC(A,k)", m, a[1] / (a[1] + (a[2] + a[3]) / k)); add("ICC(C,1)", m, a[1] / (a[1] + a[3])); add("ICC(C,k)", m, a[1] / (a[1] + a[3] / k)) }
  c(E, Map(function(s, v) nm("variances", list(source = s), variance = v), c("被评对象", "评价者", "残差"), a, USE.NAMES = FALSE), errors(b[2], a[2], a[3], tolerance = 1e-6, reason = why)) }
num <- function(d) as.list(setNames(rep("定量", ncol(d)), names(d))); flat <- x; flat[] <- x[[1]]; flat$评委D <- x[[1]]
k_of <- function(k, n) fact("名评价者、{n:integer} 个对象", k = k, n = n)
common <- list("ICC 是对象之间的真实差别占", "超过 MDC95")
anova_says <- c(common, "CI 的置信水平为", "CI 的置信水平为")
oracle(c("R 4.2.2 aov；psych 2.2.9 ICC（Shrout 与 Fleiss 1979：.166 .290 .715 .443 .620 .909）", "lme4 1.1-31"), list(
  case("Shrout 与 Fleiss 的六个对象四名评委", list(raters = judges), c(ten(x, .95, 0), raters(x)), c(list(k_of(4, 6)), anova_says, "；按区间，一致性为", "模型，ICC", "评价者的平均分不同（*p* {p:peq}）；绝对一致已计入", "，偏少；Koo", "“Bland-Altman 图的点”未给出"), measures = num(d)),
  case("单向，检验值 0.3，90%", list(raters = judges, model = "one_way_random", unit = "average", null_value = .3, conf_level = .9), ten(x, .9, .3), c(list(k_of(4, 6)), anova_says, "；按区间，一致性为", "模型，ICC", "“Bland-Altman 图的点”未给出", "，偏少；Koo"), measures = num(d)),
  case("前后两次五点评分，相对一致", list(raters = names(two), model = "two_way_mixed", type = "consistency", null_value = .5), c(ten(two, .95, .5), raters(two)), c(list(k_of(2, 40)), anova_says, "；按区间，一致性为", "模型，ICC", "，偏少；Koo", "评价者的平均分不同（*p* {p:peq}）；相对"), data = "oracle-two.csv", measures = num(two)),
  case("四名评委，相对一致", list(raters = judges, type = "consistency", unit = "single"), ten(x, .95, 0), c(list(k_of(4, 6)), anova_says, "；按区间，一致性为", "模型，ICC", "；相对一致不计这部分差别", "，偏少；Koo", "“Bland-Altman 图的点”未给出"), measures = num(d)),
  case("有缺失，方差分量", list(raters = names(gaps), missing = "reml"), c(rand(gaps), raters(gaps)), c(list(k_of(3, 40)), common, "由方差分量（REML）计算", "，参考等级为良好", "模型，ICC", "未给出", "{n:integer} 个对象，{k:integer} 名评价者", "“Bland-Altman 图的点”未给出"), data = "oracle-gaps.csv", measures = num(gaps))))
