# Rscript oracle.R   (R 4.2.2) RoundingTimes (Hollander & Wolfe 1973) and the hand lotion data of Quade's help page.
# Whole numbers for fligner.test and quade.test: distances of decimals are no ties in binary.
source("../../../../tools/oracle.R")
source("../../../../tools/oracle_samples.R")

fried <- function(x, how, adjust, variants = TRUE) {
  t <- friedman.test(as.matrix(x)); n <- nrow(x); k <- ncol(x); c2 <- unname(t$statistic); W <- c2 / (n * (k - 1))
  r <- t(apply(x, 1, rank)); m <- colMeans(r); F <- (n - 1) * c2 / (n * (k - 1) - c2); q <- quade.test(round(as.matrix(x) * 1e6)); v <- (n - 1) * (k - 1)
  pr <- combn(k, 2); d <- m[pr[1, ]] - m[pr[2, ]]; se <- sqrt(k * (k + 1) / (6 * n)); s <- p <- d; e <- rep(se, length(d))
  if (how == "nemenyi") { s <- d / se * sqrt(2); p <- ptukey(abs(s), k, Inf, lower.tail = FALSE) }
  if (how == "dunn") { s <- d / se; p <- 2 * pnorm(-abs(s)) }
  if (how == "conover") { e <- rep(sqrt(2 * (n * sum(r^2) - sum(colSums(r)^2)) / v) / n, length(d)); s <- d / e; p <- 2 * pt(-abs(s), v) }
  if (how == "wilcoxon") for (i in seq_along(d)) { u <- x[, pr[1, i]] - x[, pr[2, i]]; u <- u[u != 0]; a <- rank(abs(u))
    s[i] <- sum(a * sign(u)) / 2 / sqrt(sum(a^2) / 4); p[i] <- 2 * pnorm(-abs(s[i])) }
  adj <- if (how == "nemenyi") p else p.adjust(p, adjust); N <- names(x)
  c(list(block("result", k = k, n = n, chi2 = c2, df = k - 1, p = t$p.value, w = W),
         block("others", list(test = "Iman-Davenport F"), statistic = F, df1 = k - 1, df2 = v, p = pf(F, k - 1, v, lower.tail = FALSE)),
         block("effects", list(effect = "Kendall W"), value = W), block("effects", list(effect = "Cohen's f（由 W）"), value = sqrt(W / (1 - W))),
         block("effects", list(effect = "平均 Spearman ρ"), value = { z <- cor(t(r)); mean(z[lower.tri(z)]) })),
    if (variants) list(block("others", list(test = "Quade F"), statistic = unname(q$statistic), df1 = k - 1, df2 = v, p = q$p.value),
                       block("others", list(test = "Kendall W（χ²）"), statistic = W, df1 = k - 1, p = t$p.value)),
    lapply(seq_len(k), function(j) { z <- unname(quantile(x[[j]], c(.25, .5, .75), type = 6))
      block("mean_ranks", list(condition = N[j]), n = n, median = z[2], q1 = z[1], q3 = z[3], mean_rank = unname(m[j])) }),
    lapply(seq_len(k), function(j) described(N[j], x[[j]])),
    lapply(seq_along(d), function(i) block("pairs", list(first = N[pr[1, i]], second = N[pr[2, i]]), difference = unname(d[i]),
      se = if (how == "wilcoxon") NULL else unname(e[i]), statistic = unname(s[i]), p = unname(p[i]), adjusted = unname(adj[i]),
      tolerance = if (how == "nemenyi") 1e-6 else NULL, reason = if (how == "nemenyi") "ptukey holds about eight digits of 1 - p" else NULL)))
}
round3 <- data.frame(matrix(c(5.40, 5.50, 5.55, 5.85, 5.70, 5.75, 5.20, 5.60, 5.50, 5.55, 5.50, 5.40, 5.90, 5.85, 5.70, 5.45, 5.55, 5.60,
  5.40, 5.40, 5.35, 5.45, 5.50, 5.35, 5.25, 5.15, 5.00, 5.85, 5.80, 5.70, 5.25, 5.20, 5.10, 5.65, 5.55, 5.45, 5.60, 5.35, 5.45,
  5.05, 5.00, 4.95, 5.50, 5.50, 5.40, 5.45, 5.55, 5.50, 5.55, 5.55, 5.35, 5.45, 5.50, 5.55, 5.50, 5.45, 5.25, 5.65, 5.60, 5.40,
  5.70, 5.65, 5.55, 6.30, 6.30, 6.25), 22, byrow = TRUE)); names(round3) <- c("外绕", "窄角", "宽角")
stopifnot(abs(friedman.test(as.matrix(round3))$statistic - 11.142857) < 1e-6)
write.csv(cbind(队员 = 1:22, round3), "example.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
lotion <- data.frame(matrix(c(5, 4, 7, 10, 12, 1, 3, 1, 0, 2, 16, 12, 22, 22, 35, 5, 4, 3, 5, 4, 10, 9, 7, 13, 10, 19, 18, 28, 37, 58, 10, 7, 6, 8, 7), 7, byrow = TRUE))
names(lotion) <- c("甲", "乙", "丙", "丁", "戊"); q <- quade.test(as.matrix(lotion)); stopifnot(abs(q$statistic - 3.829252) < 1e-5)
write.csv(lotion, "oracle-lotion.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
R <- list(外绕 = "定量", 窄角 = "定量", 宽角 = "定量"); L <- setNames(as.list(rep("定量", 5)), names(lotion))
all3 <- list("iman_davenport", "quade", "kendall_w")
r3 <- function(...) list(variables = as.list(names(round3)), variant = all3, ...); l5 <- function(...) list(variables = as.list(names(lotion)), variant = all3, ...)
OWN <- "本检验要求各对象之间互不影响"; CHECK <- list("的对象在几个条件下取值相同", "个对象，{k:integer} 个条件")

oracle(c("R 4.2.2: friedman.test, quade.test, ptukey, pt"), list(
  case("跑垒", r3(), fried(round3, "nemenyi", "none"), c(said(TRUE, "none", OWN, "事后比较（Nemenyi）", "统计量为 *q*"), CHECK), measures = R),
  case("跑垒，Conover", r3(post_hoc = "conover", adjust = "holm"), fried(round3, "conover", "holm"), list("统计量为 *t*", "对的差异有统计学意义"), measures = R),
  case("跑垒，Dunn", r3(post_hoc = "dunn"), fried(round3, "dunn", "bonferroni"), list("统计量为 *Z*", "事后比较（Dunn）"), measures = R),
  case("护手霜，两两Wilcoxon", l5(post_hoc = "wilcoxon", adjust = "none"), fried(lotion, "wilcoxon", "none"),
    c(said(FALSE, "none", OWN, "事后比较（两两Wilcoxon）", "符号秩检验的 *Z*"), CHECK), data = "oracle-lotion.csv", measures = L)))
