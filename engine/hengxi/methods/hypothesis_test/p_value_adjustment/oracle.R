# Rscript oracle.R   (R 4.2.2: p.adjust; Šidák from its formula). A made-up screening of 100 genes, ten with an effect.
source("../../../../tools/oracle.R")

if (!file.exists("example.csv")) { set.seed(11)
  z <- c(rnorm(10, 3.2), rnorm(90)); p <- signif(2 * pnorm(-abs(z)), 4); o <- sample(100)
  write.csv(data.frame(基因 = sprintf("基因%03d", 1:100), p值 = p[o], check.names = FALSE), "example.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8") }
titles <- c(bonferroni = "Bonferroni", sidak = "Šidák", holm = "Holm", hochberg = "Hochberg", hommel = "Hommel", fdr_bh = "Benjamini-Hochberg", fdr_by = "Benjamini-Yekutieli")
how <- function(p, way) switch(way, sidak = 1 - (1 - p)^length(p), fdr_bh = p.adjust(p, "BH"), fdr_by = p.adjust(p, "BY"), p.adjust(p, way))
adjusted <- function(p, rows, ways, alpha, labels = NULL) {
  a <- sapply(ways, function(w) how(p, w))
  c(list(block("summary", list(method = "不校正"), n = length(p), count = sum(p < alpha), least = min(p))),
    lapply(ways, function(w) block("summary", list(method = titles[[w]]), n = length(p), count = sum(a[, w] < alpha), least = min(a[, w]))),
    lapply(seq_along(p), function(i) { h <- titles[ways[a[i, ] < alpha]]
      do.call(block, c(list("result"), if (is.null(labels)) list(list(row = rows[i])) else list(list(label = labels[i]), row = rows[i]), list(p = p[i]), as.list(a[i, ]),
        list(significant = if (length(h) == 0) "—" else if (length(h) == length(ways) && length(h) > 1) "全部" else paste(h, collapse = "、")))) }))
}
e <- example(); p <- e[["p值"]]
few <- data.frame(检验 = c("年龄", "性别", "学历", "收入", "城乡", "婚姻", "职业", "工龄"), p = c(0.01, 0.04, NA, 0.03, 0.01, 1, 0.0004, 0.2), check.names = FALSE)
write.csv(few, "oracle-few.csv", row.names = FALSE, quote = FALSE, na = "", fileEncoding = "UTF-8")
keep <- which(!is.na(few$p)); none <- data.frame(p = c(0.3, 0.8, 0.06))
write.csv(none, "oracle-none.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
K <- list(基因 = "文本", p值 = "定量"); all7 <- names(titles)

oracle(c("R 4.2.2: p.adjust (bonferroni, holm, hochberg, hommel, BH, BY)"), list(
  case("一百个基因", list(p_values = "p值", label = "基因", methods = as.list(all7)), adjusted(p, 1:100, all7, .05, e[["基因"]]),
    list("不校正有", "做多重校正", "按原 *p*", "校正后仍显著的", "检验做得越多", "错误发现率是", "一共校正"), measures = K),
  case("默认方法，缺一个", list(p_values = "p", label = "检验"), adjusted(few$p[keep], keep, c("bonferroni", "holm", "fdr_bh"), .05),
    list("不校正有", "做多重校正", "错误发现率是"), data = "oracle-few.csv", measures = list(检验 = "文本", p = "定量")),
  case("Šidák 与 Hommel，α = 0.1", list(p_values = "p", methods = list("sidak", "hommel"), alpha = .1), adjusted(few$p[keep], keep, c("sidak", "hommel"), .1),
    list("不校正有", "做多重校正", "整体错误率是“至少错一个”的机会。方法要"), data = "oracle-few.csv", measures = list(检验 = "文本", p = "定量")),
  case("没有显著的", list(p_values = "p"), adjusted(none$p, 1:3, c("bonferroni", "holm", "fdr_bh"), .05),
    list("不校正也没有显著的"), data = "oracle-none.csv", measures = list(p = "定量"))))
