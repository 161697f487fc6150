# Rscript oracle.R   (R 4.2.2) New York air 1973 (airquality); chisq.test(correct = FALSE), fisher.test.
source("../../../../tools/oracle.R")
source("../../../../tools/oracle_samples.R")

med <- function(y, g, ties = "below", fisher = FALSE) {
  keep <- !is.na(y) & !is.na(g); y <- y[keep]; g <- factor(g[keep], unique(g[keep])); M <- median(y)
  if (ties == "ignore") { k <- y != M; y2 <- y[k]; g2 <- g[k] } else { y2 <- y; g2 <- g }
  up <- if (ties == "above") y2 >= M else y2 > M
  t <- cbind(tapply(up, g2, sum), tapply(!up, g2, sum)); c2 <- suppressWarnings(chisq.test(t, correct = FALSE)); L <- levels(g)
  fe <- if (nrow(t) == 2) fisher.test(t)$p.value else NULL; used <- nrow(t) == 2 && min(c2$expected) < 5
  pr <- combn(length(L), 2)
  pair <- function(i) { o <- t[pr[, i], ]; x <- suppressWarnings(chisq.test(o, correct = FALSE))
    p <- if (min(x$expected) < 5) fisher.test(o)$p.value else x$p.value; s <- o[, 1] / rowSums(o)
    block("pairs", list(first = L[pr[1, i]], second = L[pr[2, i]]), difference = unname(s[1] - s[2]), p = p, adjusted = min(1, p * ncol(pr))) }
  c(list(block("result", k = length(L), n = sum(t), median = M, chi2 = unname(c2$statistic), df = length(L) - 1, chi2_p = c2$p.value,
               fisher = fe, p = if (used) fe else c2$p.value, w = sqrt(unname(c2$statistic) / sum(t)))),
    lapply(L, function(l) block("counts", list(group = l), above = unname(t[l, 1]), below = unname(t[l, 2]), share = unname(t[l, 1] / sum(t[l, ])))),
    lapply(L, function(l) described(l, y[g == l])), lapply(seq_len(ncol(pr)), pair))
}
a <- example(); m <- list(月 = "定类", 臭氧 = "定量"); f <- function(...) list(group = "月", variables = list("臭氧"), ...)
few <- data.frame(组 = c("甲", "甲", "甲", "甲", "乙", "乙", "乙"), 值 = c(1, 2, 3.5, 4, 4, 6, 9), check.names = FALSE)
write.csv(few, "oracle-few.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
g <- function(...) list(group = "组", variables = list("值"), ...); K <- list(组 = "定类", 值 = "定量"); OWN <- "本检验要求各行数据互不影响"
two <- function(...) med(few[["值"]], few[["组"]], ...)
first <- med(a[["臭氧"]], a[["月"]]); stopifnot(abs(first[[1]]$cells$chi2 - 24.40318) < 1e-4)

oracle(c("R 4.2.2: chisq.test(correct = FALSE), fisher.test"), list(
  case("臭氧按月", f(), first, said(TRUE, "none", OWN, "事后比较（Bonferroni）：", "最小的期望频数为", "高于总中位数的比例不同"), measures = m),
  case("归入大于", f(ties = "above", post_hoc = FALSE), med(a[["臭氧"]], a[["月"]], "above")[1:6], measures = m),
  case("两组小样本", g(), two(), said(FALSE, "none", OWN, "采用了 Fisher 精确", "没有一对"), data = "oracle-few.csv", measures = K),
  case("剔除相等", g(ties = "ignore", exact = FALSE), { x <- two("ignore"); x[[1]]$cells$fisher <- NULL; x[[1]]$cells$p <- x[[1]]$cells$chi2_p; x[1:5] },
    said(TRUE, "none", OWN, "不足 5", "没有一对"), data = "oracle-few.csv", measures = K)))
