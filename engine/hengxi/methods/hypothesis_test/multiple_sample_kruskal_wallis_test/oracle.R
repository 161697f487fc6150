# Rscript oracle.R   (R 4.2.2, rstatix) New York air 1973 (airquality); post-hoc from their formulas, Dunn also by rstatix.
source("../../../../tools/oracle.R")
source("../../../../tools/oracle_samples.R")

kw <- function(y, g, how, adjust, result = TRUE) {
  keep <- !is.na(y) & !is.na(g); y <- y[keep]; g <- factor(g[keep], unique(sort(g[keep]))); r <- rank(y); N <- length(y)
  t <- kruskal.test(y, g); H <- unname(t$statistic); k <- nlevels(g); ties <- table(y); S <- var(r)
  e2 <- H / (N - 1); eta <- max(0, (H - k + 1) / (N - k)); L <- levels(g); n <- table(g); m <- tapply(r, g, mean)
  pairs <- combn(k, 2); st <- se <- p <- d <- rep(NA, ncol(pairs))
  for (i in seq_len(ncol(pairs))) {
    a <- pairs[1, i]; b <- pairs[2, i]; d[i] <- m[a] - m[b]
    if (how == "dunn") { se[i] <- sqrt(S * (1 / n[a] + 1 / n[b])); st[i] <- d[i] / se[i]; p[i] <- 2 * pnorm(-abs(st[i])) }
    if (how == "conover") { se[i] <- sqrt(S * (N - 1 - H) / (N - k) * (1 / n[a] + 1 / n[b])); st[i] <- d[i] / se[i]; p[i] <- 2 * pt(-abs(st[i]), N - k) }
    if (how %in% c("dscf", "pairwise_mw")) {
      u <- y[g == L[a]]; v <- y[g == L[b]]; q <- rank(c(u, v)); nn <- length(q); d[i] <- mean(q[seq_along(u)]) - mean(q[-seq_along(u)])
      z <- (sum(q[seq_along(u)]) - length(u) * (nn + 1) / 2) / sqrt(length(u) * length(v) / nn * var(q))
      st[i] <- if (how == "dscf") z * sqrt(2) else z
      p[i] <- if (how == "dscf") ptukey(abs(st[i]), k, Inf, lower.tail = FALSE) else 2 * pnorm(-abs(z))
    }
  }
  if (how == "dunn") { f <- rstatix::dunn_test(data.frame(y, g), y ~ g, p.adjust.method = sub("fdr_bh", "BH", adjust))
    stopifnot(max(abs(abs(f$statistic) - abs(st))) < 1e-10) }
  adj <- if (how == "dscf") p else p.adjust(p, sub("fdr_bh", "BH", adjust))
  c(if (result) list(block("result", k = k, n = N, H = H, df = k - 1, p = t$p.value, epsilon2 = e2)),
    list(block("effects", list(effect = "ε²"), value = e2), block("effects", list(effect = "η²H"), value = eta),
         block("effects", list(effect = "Cohen's f（由 η²H）"), value = sqrt(eta / (1 - eta)))),
    lapply(L, function(l) { q <- unname(quantile(y[g == l], c(.25, .5, .75), type = 6))
      block("mean_ranks", list(group = l), n = sum(g == l), median = q[2], q1 = q[1], q3 = q[3], mean_rank = unname(m[l])) }),
    lapply(L, function(l) described(l, y[g == l])),
    if (how != "none") lapply(seq_along(p), function(i) block("pairs", list(first = L[pairs[1, i]], second = L[pairs[2, i]]),
      difference = unname(d[i]), se = if (is.na(se[i])) NULL else unname(se[i]), statistic = unname(st[i]), p = unname(p[i]), adjusted = unname(adj[i]),
      tolerance = if (how == "dscf") 1e-6 else NULL, reason = if (how == "dscf") "ptukey holds about eight digits of 1 - p" else NULL)))
}
a <- example(); m <- list(月 = "定类", 臭氧 = "定量", 日 = "定量")
f <- function(...) list(group = "月", variables = list("臭氧"), ...)
OWN <- "本检验要求各行数据互不影响"
g3 <- data.frame(组 = rep(c("甲", "乙", "丙"), c(4, 3, 3)), 值 = c(1, 3, 3, 6, 2, 4, 5.5, 3, 2, 6), check.names = FALSE)
write.csv(g3, "oracle-few.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
kinds <- list(组 = "定类", 值 = "定量")

oracle(c("R 4.2.2: kruskal.test, ptukey, p.adjust", "rstatix: dunn_test"), list(
  case("臭氧按月，Dunn", f(), kw(a[["臭氧"]], a[["月"]], "dunn", "bonferroni"), c(said(TRUE, "none", OWN, "事后比较（Dunn）：",
    "样本量足够做秩检验", "相同的值取平均秩"), list("中位数最高的是", "统计量为 *Z*")), measures = m),
  case("Conover，Holm", f(post_hoc = "conover", adjust = "holm"), kw(a[["臭氧"]], a[["月"]], "conover", "holm"),
    list("事后比较（Conover-Iman）", "统计量为 *t*"), measures = m),
  case("DSCF", f(post_hoc = "dscf"), kw(a[["臭氧"]], a[["月"]], "dscf", "none"), list("事后比较（DSCF）", "统计量为 *q*"), measures = m),
  case("两两，不校正", f(post_hoc = "pairwise_mw", adjust = "none"), kw(a[["臭氧"]], a[["月"]], "pairwise_mw", "none"),
    list("事后比较（两两Mann-Whitney）", "不控制整体错误率"), measures = m),
  case("小样本，没有发现", list(group = "组", variables = list("值"), adjust = "fdr_bh"),
    kw(g3[["值"]], factor(g3[["组"]], c("甲", "乙", "丙")), "dunn", "fdr_bh"), c(said(FALSE, "none", OWN, "样本很小", "没有一对")),
    data = "oracle-few.csv", measures = kinds)))
