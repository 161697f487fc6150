# chisq.test, fisher.test and p.adjust; V's interval by solving pchisq(…, ncp) with uniroot, λ's standard error written
# out (Agresti). The first case must give 91.6096 with the correction of Yates for the whole of Berkeley.
source("../../../../tools/oracle.R")
N <- "男"; F <- "女"
v_of <- function(t, level) {
  q <- unname(suppressWarnings(chisq.test(t, correct = FALSE))$statistic); df <- prod(dim(t) - 1); s <- sum(t) * (min(dim(t)) - 1)
  bound <- function(p) if (pchisq(q, df) <= p) 0 else uniroot(function(l) pchisq(q, df, ncp = l) - p, c(0, 10 * q + 100), tol = 1e-13)$root
  a <- (1 - level) / 2; v <- sqrt(q / s); c(v, min(v, sqrt(bound(1 - a) / s)), max(v, min(1, sqrt(bound(a) / s))))
}
lambda_of <- function(t, level) {
  n <- sum(t); m <- sum(apply(t, 1, max)); g <- max(colSums(t)); l <- (m - g) / (n - g); j <- which.max(colSums(t))
  both <- sum(sapply(seq_len(nrow(t)), function(i) if (which.max(t[i, ]) == j) max(t[i, ]) else 0))
  half <- qnorm(1 - (1 - level) / 2) * sqrt((n - m) * (m + g - 2 * both) / (n - g)^3); c(l, max(0, l - half), min(1, l + half))
}
g2 <- function(t) { e <- outer(rowSums(t), colSums(t)) / sum(t); 2 * sum(ifelse(t > 0, t * log(t / e), 0)) }
pick <- function(t) { e <- outer(rowSums(t), colSums(t)) / sum(t); m <- min(e)
  if (all(dim(t) == 2)) { if (sum(t) < 40 || m < 1) "exact" else if (m < 5) "yates" else "pearson" } else if (mean(e < 5) > .2 || m < 1) "exact" else "pearson" }
p_of <- function(t) switch(pick(t), exact = fisher.test(t)$p.value, yates = chisq.test(t)$p.value, chisq.test(t, correct = FALSE)$p.value)

# t: groups in rows, options in columns; `j`: the option OR and RR look at.
numbers <- function(t, level = .95, base = "x", trend = FALSE, how = "bonferroni", read = pick(t), j = 1, exact = TRUE) {
  n <- sum(t); df <- prod(dim(t) - 1); out <- list(); plain <- suppressWarnings(chisq.test(t, correct = FALSE)); two <- all(dim(t) == 2)
  mark <- function(k) if (read == k) "采用" else ""
  full <- cbind(rbind(t, 合计 = colSums(t)), 合计 = rowSums(rbind(t, colSums(t))))
  for (o in colnames(full)) { cells <- list(); for (g in rownames(full)) {
    cells[[paste0("n@", g)]] <- full[g, o]; cells[[paste0("percent@", g)]] <- full[g, o] / (if (base == "x") full[g, "合计"] else full["合计", o]) }
    out <- c(out, list(do.call(block, c(list("cross", list(option = o)), cells)))) }
  out <- c(out, list(
    block("tests", list(test = "Pearson χ²"), read = mark("pearson"), value = unname(plain$statistic), df = df, p = plain$p.value),
    block("tests", list(test = "似然比 χ²"), read = mark("likelihood"), value = g2(t), df = df, p = pchisq(g2(t), df, lower.tail = FALSE))))
  if (two) { y <- suppressWarnings(chisq.test(t)); out <- c(out, list(block("tests", list(test = "连续校正 χ²（Yates）"), read = mark("yates"), value = unname(y$statistic), df = 1, p = y$p.value))) }
  if (exact) out <- c(out, list(block("tests", list(test = if (two) "Fisher 精确" else "Fisher-Freeman-Halton 精确"), read = mark("exact"), p = fisher.test(t, workspace = 2e8)$p.value)))
  if (trend) { a <- rep(row(t), t); b <- rep(col(t), t); s <- (n - 1) * cor(a, b)^2
    out <- c(out, list(block("tests", list(test = "线性趋势（线性-线性关联）"), value = s, df = 1, p = pchisq(s, 1, lower.tail = FALSE)))) }
  v <- v_of(t, level); l <- lambda_of(t, level); x2 <- unname(plain$statistic); r <- nrow(t); k <- ncol(t)
  bias <- sqrt(max(0, x2 / n - df / (n - 1)) / (min(r - (r - 1)^2 / (n - 1), k - (k - 1)^2 / (n - 1)) - 1))
  out <- c(out, list(block("effects", list(measure = "Cramér's V"), value = v[1], low = v[2], high = v[3]),
    block("effects", list(measure = "偏差校正 Cramér's V"), value = bias), block("effects", list(measure = "列联系数 C"), value = sqrt(x2 / (x2 + n))),
    block("effects", list(measure = "λ（由X猜Y）"), value = l[1], low = l[2], high = l[3])))
  if (two) {
    z <- qnorm(1 - (1 - level) / 2); u <- t[, c(j, 3 - j)]; s <- rowSums(u)
    ratio <- function(name, log, var) block("effects", list(measure = name), value = exp(log), low = exp(log - z * sqrt(var)), high = exp(log + z * sqrt(var)))
    out <- c(out, list(block("effects", list(measure = "φ"), value = (t[1] * t[4] - t[2] * t[3]) / sqrt(prod(rowSums(t), colSums(t)))),
      ratio("OR", log(u[1, 1] * u[2, 2] / (u[1, 2] * u[2, 1])), sum(1 / u)),
      ratio("RR", log((u[1, 1] / s[[1]]) / (u[2, 1] / s[[2]])), 1 / u[1, 1] - 1 / s[[1]] + 1 / u[2, 1] - 1 / s[[2]])))
  }
  p <- 2 * pnorm(-abs(plain$stdres))
  for (g in rownames(t)) for (o in colnames(t)) out <- c(out, list(block("cells", list(group = g, option = o), n = t[g, o], share = t[g, o] / sum(t[g, ]), whole = sum(t[, o]) / n, expected = plain$expected[g, o],
    residual = plain$stdres[g, o], p = p[g, o], corrected = min(1, p[g, o] * length(t)))))
  if (how != "none" && r > 2) {
    ij <- t(combn(r, 2)); ps <- apply(ij, 1, function(w) p_of(t[w, ])); adj <- p.adjust(ps, switch(how, fdr_bh = "BH", how))
    for (m in seq_len(nrow(ij))) { u <- t[ij[m, ], ]; w <- pick(u); test <- suppressWarnings(chisq.test(u, correct = w == "yates"))
      out <- c(out, list(do.call(block, c(list("pairs", list(first = rownames(t)[ij[m, 1]], second = rownames(t)[ij[m, 2]]), p = ps[m], corrected = adj[m]),
        if (w == "exact") list() else list(value = unname(test$statistic), df = unname(test$parameter)))))) }
  }
  out
}
d <- example(); counted <- function(a, b) { t <- tapply(d$人数, list(factor(d[[a]], unique(d[[a]])), factor(d[[b]], unique(d[[b]]))), sum); t }
S <- counted("性别", "录取结果"); D <- counted("院系", "录取结果"); stopifnot(abs(chisq.test(S)$statistic - 91.6096) < 1e-4)
jobs <- matrix(c(1, 2, 1, 0, 3, 3, 6, 1, 10, 10, 14, 9, 6, 7, 12, 11), 4, dimnames = list(1:4, 1:4))
job <- expand.grid(收入档 = 1:4, 满意度 = 1:4)[rep(1:16, as.vector(jobs)), ]
write.csv(job, "oracle-jobs.csv", row.names = FALSE, quote = FALSE)
small <- data.frame(组 = rep(c("甲", "乙", "丙"), c(9, 8, 7)), 结果 = c(rep(c("好", "差"), c(7, 2)), rep(c("好", "差"), c(3, 5)), rep(c("好", "差"), c(3, 4))))
write.csv(small, "oracle-small.csv", row.names = FALSE, quote = FALSE)
T <- unclass(table(factor(small$组, unique(small$组)), factor(small$结果, unique(small$结果))))
always <- list("括号里的百分比", "CI 的置信水平为", "调整残差绝对值超过", "每人（每份答卷）只能计一次")
form <- function(x, y, ...) list(x = x, y = list(y), weight = "人数", ...)

kinds <- list(收入档 = "定类", 满意度 = "定类")
oracle(c("R 4.2.2: chisq.test, fisher.test, p.adjust", "R 4.2.2: pchisq(ncp)，用 uniroot 反解（V）；λ 的标准误按 Agresti 写出"), list(
  case("院系与录取，两两比较", form("院系", "录取结果"), numbers(D, exact = FALSE), c(always, list(
    fact("“院系”与“录取结果”有关联（", n = 4526, pairs = 13), "先看百分比", "差异有统计学意义", "“院系”与“录取结果”有关联（*p*", "采用 χ² 检验。", "校正。每对按自己的期望频数"))),
  case("收入与满意度（Agresti），精确检验与趋势，90%", list(x = "收入档", y = list("满意度"), trend = TRUE, post_hoc = FALSE, conf_level = .9), numbers(jobs, .9, how = "none", trend = TRUE), c(always, list(
    fact("没有发现明显的关联（Fisher", p = fisher.test(jobs)$p.value), "“没有发现”不等于没有关联", "χ² 比自由度小得多", "差异没有统计学意义", "没有发现明显的关联（*p*", "已采用精确检验", "线性趋势按类别的先后次序计分", "“两两比较”未给出")), data = "oracle-jobs.csv", measures = kinds),
  case("性别与录取，连续校正", form("性别", "录取结果", method = "yates"), numbers(S, read = "yates", exact = FALSE), c(always, list("有关联（χ²", "先看百分比", "采用连续校正的 χ² 检验",
    "有关联（*p*", "OR、RR 为“男”比“女”，看“录取”", "采用 χ² 检验。", "“两两比较”未给出"))),
  case("24 例三组，Fisher", list(x = "组", y = list("结果"), method = "fisher"), numbers(T), c(always, list("没有发现明显的关联（Fisher", "“没有发现”不等于没有关联",
    "差异没有统计学意义", "没有发现明显的关联（*p*", "已采用精确检验", "校正。每对按自己的期望频数")), data = "oracle-small.csv")),
  unverified = list(list(what = "tests.low", reason = "Wilson interval of a Monte Carlo share; the draws are ours alone"),
    list(what = "tests.high", reason = "as low")))
