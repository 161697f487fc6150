# Rscript oracle.R > oracle.json   (R 4.2.2, car 3.1-1; lme4 where the design is balanced)
# Means: linear functions of lm(y ~ subject + period + treatment) in which sequences count alike; carryover as a factor of the period before.
source("../../../../tools/oracle.R"); suppressMessages({library(car)}); options(contrasts = c("contr.sum", "contr.poly"))
save_as <- function(x, f) write.csv(x, f, row.names = FALSE, quote = FALSE, na = "")
set.seed(12); n <- 24; A <- data.frame(受试者 = rep(1:n, each = 2), 顺序 = rep(rep(c("TR", "RT"), n / 2), each = 2), 周期 = rep(c("一", "二"), n)); A$制剂 <- substr(A$顺序, ifelse(A$周期 == "一", 1, 2), ifelse(A$周期 == "一", 1, 2))
A$AUC <- round(exp(log(900) + rep(rnorm(n, 0, .3), each = 2) + log(.95) * (A$制剂 == "T") + .03 * (A$周期 == "二") + rnorm(2 * n, 0, sqrt(log(1 + .2^2)))), 1); save_as(A, "example.csv"); A <- example()
S <- c("甲乙丙", "乙丙甲", "丙甲乙", "甲丙乙", "乙甲丙", "丙乙甲"); W <- data.frame(人 = rep(paste0("s", 1:20), each = 3), 组 = rep(S[c(1:6, 1:6, 1:6, 1:2)], each = 3), 期 = rep(1:3, 20)); W$药 <- substr(W$组, W$期, W$期)
W$分 <- pmin(5, pmax(1, round(2.6 + .9 * (W$药 == "乙") + rep(rnorm(20, 0, .7), each = 3) + .2 * (W$期 == 3) + rnorm(60, 0, .7)))); W$分[c(8, 31)] <- NA; save_as(W, "oracle-williams.csv")
before <- function(d, s, p, t) { o <- order(d[[s]], d[[p]]); d <- d[o, ]; d$.carry <- ave(as.character(d[[t]]), d[[s]], FUN = function(x) c("-", x[-length(x)])); d }
body <- function(d, y, s, q, p, t, ref, log = FALSE, level = .95, carry = TRUE, limits = c(80, 125)) {
  d <- d[!is.na(d[[y]]), ]; full <- names(which(table(d[[s]]) == length(unique(d[[p]])))); d <- d[as.character(d[[s]]) %in% full, ]; raw <- d[[y]]; d$Y <- if (log) log(raw) else raw
  for (f in c(s, q, p, t)) d[[f]] <- factor(d[[f]], levels = unique(d[[f]])); names(d)[match(c(s, q, p, t), names(d))] <- c("s", "q", "p", "t"); fit <- lm(Y ~ s + p + t, d); a <- Anova(fit, type = "II"); b <- anova(lm(Y ~ q + s, d)); rdf <- df.residual(fit); mse <- sigma(fit)^2; out <- list()
  put <- function(n, ss, df, dfe, F) list(block("anova", list(source = n), ss = ss, df = df, df_error = dfe, ms = ss / df, F = F, p = pf(F, df, dfe, lower.tail = FALSE)))
  Fq <- (b["q", 2] / b["q", 1]) / (b["s", 2] / b["s", 1]); out <- c(put(q, b["q", 2], b["q", 1], b["s", 1], Fq), put(paste0(s, "（顺序之内）"), b["s", 2], b["s", 1], rdf, b["s", 2] / b["s", 1] / mse), put(p, a["p", 1], a["p", 2], rdf, a["p", 1] / a["p", 2] / mse), put(t, a["t", 1], a["t", 2], rdf, a["t", 1] / a["t", 2] / mse))
  out <- c(out, list(block("anova", list(source = "个体内误差"), ss = mse * rdf, df = rdf, ms = mse)))
  g <- d[!duplicated(d$s), ]; w <- 1 / (nlevels(droplevels(d$q)) * as.numeric(table(droplevels(g$q))[as.character(g$q)])); tr <- function(f, v) contr.sum(nlevels(f))[match(v, levels(f)), , drop = FALSE]
  Ls <- colSums(w * tr(d$s, g$s)); h <- qt((1 + level) / 2, rdf); h9 <- qt(.95, rdf); V <- vcov(fit)
  for (l in levels(d$t)) { L <- c(1, Ls, rep(0, nlevels(d$p) - 1), tr(d$t, l)); m <- sum(L * coef(fit)); se <- sqrt(as.numeric(L %*% V %*% L)); out <- c(out, list(block("means", list(treatment = l), n = sum(d$t == l), mean = m, se = se, low = m - h * se, high = m + h * se))) }
  for (l in setdiff(levels(d$t), ref)) { L <- c(0, 0 * Ls, rep(0, nlevels(d$p) - 1), tr(d$t, l) - tr(d$t, ref)); m <- sum(L * coef(fit)); se <- sqrt(as.numeric(L %*% V %*% L))
    out <- c(out, list(block("differences", list(first = l, second = ref), difference = m, se = se, t = m / se, df = rdf, p = 2 * pt(-abs(m / se), rdf), low = m - h * se, high = m + h * se, low90 = m - h9 * se, high90 = m + h9 * se)))
    if (log) { lo <- 100 * exp(m - h9 * se); hi <- 100 * exp(m + h9 * se); out <- c(out, list(block("ratios", list(first = l), ratio = exp(m), low = lo, high = hi, verdict = if (lo >= limits[1] && hi <= limits[2]) "在界内" else if (hi < limits[1] || lo > limits[2]) "在界外" else "跨出界限"))) } }
  out <- c(out, list(block("variation", list(), subjects = nlevels(droplevels(d$s)), mse = mse, cv = if (log) sqrt(exp(mse) - 1) else sqrt(mse) / mean(d$Y))))
  if (carry) { e <- before(d, "s", "p", "t"); C <- sapply(seq_len(nlevels(d$t) - 1), function(j) { M <- contr.sum(nlevels(d$t)); v <- M[match(e$.carry, levels(d$t)), j]; v[is.na(v)] <- 0; v }); f2 <- lm(Y ~ s + p + t + C, e)
    if (!any(is.na(coef(f2)))) { f1 <- lm(Y ~ s + p + t, e); k <- anova(f1, f2); r <- df.residual(f2); out <- c(out, list(block("carry", list(), F = k$F[2], df1 = k$Df[2], df2 = r, p = k$`Pr(>F)`[2]))) } else out <- c(out, list(block("carry", list(), F = Fq, df1 = b["q", 1], df2 = b["s", 1], p = pf(Fq, b["q", 1], b["s", 1], lower.tail = FALSE)))) }
  for (i in levels(d$q)) for (j in levels(d$p)) { x <- raw[d$q == i & d$p == j]; out <- c(out, list(block("cells", list(sequence = i, period = j), n = length(x), mean = mean(x), sd = sd(x)))) }
  list(blocks = out, p = pf(a["t", 1] / a["t", 2] / mse, a["t", 2], rdf, lower.tail = FALSE)) }
suppressMessages(library(lmerTest)); x <- body(A, "AUC", "受试者", "顺序", "周期", "制剂", "R"); m <- lmer(AUC ~ 顺序 + 周期 + 制剂 + (1 | 受试者), A); stopifnot(abs(anova(m)["制剂", "Pr(>F)"] - x$p) < 1e-6)
y <- body(A, "AUC", "受试者", "顺序", "周期", "制剂", "R", TRUE, .9); z <- body(W, "分", "人", "组", "期", "药", "甲")
role <- function(y, s, q, p, t, ...) list(y = y, subject = s, sequence = q, period = p, treatment = t, ...); M <- list(AUC = "定量", 分 = "定量", 受试者 = "定类", 周期 = "定类", 期 = "定类")
lead <- function(text, p) list(contains = text, facts = list(pt = p)); all <- list("每名个体都用过各种处理", "采用交叉设计方差分析（", "偏度 {skew:num}。", "种顺序，")
oracle(c("R 4.2.2: lm, anova, vcov, pt", "car 3.1-1: Anova(type = II)", "lmerTest: lmer（平衡时与固定个体相同）"), list(
  case("两种制剂，2×2 交叉", role("AUC", "受试者", "顺序", "周期", "制剂", reference = "R"), x$blocks, c(all, list(lead(if (x$p < .05) "差异有统计学意义" else "没有发现明显差异", x$p), "顺序组之差（个体间）")), measures = M),
  case("生物等效，对数，90%", role("AUC", "受试者", "顺序", "周期", "制剂", reference = "R", log_transform = TRUE, conf_level = .9), y$blocks, c(all, list(lead("几何均值比为", y$p))), measures = M),
  case("三种药，Williams 设计，1–5 分，有缺失，残留", role("分", "人", "组", "期", "药", reference = "甲"), z$blocks, c(all, list(lead("已扣除个体和周期", z$p), "名受试者的周期不完整", "前一周期的处理（个体内）")), data = "oracle-williams.csv", measures = M)),
  lapply(c("均值和差值都是自然对数的", "差值 = 处理 − 参比"), function(x) list(what = x, reason = "a note on how a table is made")))
