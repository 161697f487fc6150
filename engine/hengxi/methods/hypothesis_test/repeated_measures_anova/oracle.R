# Rscript oracle.R > oracle.json   (R 4.2.2, car 3.1-1, emmeans 1.8, carData's OBrienKaiser)
source("../../../../tools/oracle.R"); source("../../../../tools/oracle_repeated.R")
set.seed(4); n <- 40; u <- rnorm(n, 0, 8); e <- t(sapply(1:n, function(i) as.numeric(arima.sim(list(ar = .6), 4, sd = 4)))); B <- data.frame(编号 = 1:n, round(sweep(u + e, 2, c(142, 138, 134, 131), "+")))
names(B)[2:5] <- T4 <- c("基线", "1月", "3月", "6月"); save_as <- function(x, f) write.csv(x, f, row.names = FALSE, quote = FALSE, na = ""); save_as(B, "example.csv"); B <- example()
O <- carData::OBrienKaiser[3:17]; names(O) <- paste0(rep(c("前", "后", "访"), each = 5), 1:5); WO <- list(阶段 = c("前", "后", "访"), 小时 = as.character(1:5)); save_as(O, "oracle-obk.csv")
P <- data.frame(lapply(list(前 = 1:5, 后 = 6:10, 访 = 11:15), function(j) rowMeans(O[j])), check.names = FALSE); save_as(P, "oracle-phase.csv")
# Long, items of 1–5, words as categories, gaps, subjects not in order; six subjects at six occasions: fewer subjects than contrasts ask for.
set.seed(9); L <- expand.grid(场景 = c("家", "学校", "路上"), 人 = c("王", "李", "赵", "钱", "孙", "周", "吴", "郑", "冯", "陈", "卫", "蒋"), stringsAsFactors = FALSE); L$评分 <- pmin(5, pmax(1, round(3 + rnorm(12)[as.integer(factor(L$人))] + rnorm(36, 0, 1)))); L$评分[8] <- NA; L <- L[sample(36), ]
LV <- unique(L$场景[order(match(L$场景, unique(L$场景)))]); K <- reshape(L[!(L$人 %in% L$人[is.na(L$评分)]), ], direction = "wide", idvar = "人", timevar = "场景"); save_as(L, "oracle-long.csv")
S <- as.data.frame(matrix(c(3, 4, 4, 5, 5, 3, 2, 3, 4, 4, 5, 5, 4, 4, 5, 5, 5, 4, 1, 2, 3, 2, 4, 3), 4, byrow = TRUE)); names(S) <- paste0("第", 1:6, "周"); save_as(S, "oracle-few.csv")
num <- function(x) setNames(as.list(rep("定量", length(x))), x)

contrasts_of <- function(d, cells, within, how, level) { Y <- as.matrix(d[cells]); n <- nrow(Y); idata <- rev(expand.grid(rev(within))); out <- list()
  for (f in names(within)) { l <- within[[f]]; k <- length(l); E <- diag(k)
    K <- switch(how, polynomial = { p <- contr.poly(k)[, seq_len(min(k - 1, 5)), drop = FALSE]; list(names = c("线性", "二次", "三次", "4 次", "5 次")[seq_len(ncol(p))], rows = t(p)) },
      repeated = list(names = paste(l[-1], "−", l[-k]), rows = E[-1, , drop = FALSE] - E[-k, , drop = FALSE]), simple = list(names = paste(l[-1], "−", l[1]), rows = sweep(E[-1, , drop = FALSE], 2, E[1, ])),
      helmert = list(names = paste(l[-k], "−", c(rep("其后各水平", k - 2), l[k])), rows = t(sapply(seq_len(k - 1), function(i) E[i, ] - colMeans(E[(i + 1):k, , drop = FALSE])))))
    M <- sapply(l, function(x) rowMeans(Y[, idata[[f]] == x, drop = FALSE])); h <- qt((1 + level) / 2, n - 1)
    for (i in seq_along(K$names)) { x <- as.numeric(M %*% K$rows[i, ]); se <- sd(x) / sqrt(n); F <- (mean(x) / se)^2
      out <- c(out, list(block("contrasts", list(source = f, contrast = K$names[i]), estimate = mean(x), se = se, low = mean(x) - h * se, high = mean(x) + h * se, F = F, df = 1, df_error = n - 1, p = pf(F, 1, n - 1, lower.tail = FALSE), eta = F / (F + n - 1)))) } }
  out }
all <- list("看大小：偏 η² 最大的是", "“不显著”不等于没有差异", "采用重复测量方差分析")
of <- function(x, source) Filter(function(b) b$table == "inner" && identical(b$where$source, source) && identical(b$cells$read, "采用"), x)[[1]]$cells$p
lead <- function(text, p) list(contains = text, facts = p)
run <- function(name, d, cells, within, says, how = "bonferroni", contrast = "polynomial", correction = "auto", level = .95, data = NULL, measures = num(cells), form = wide(within, cells), reads = list()) {
  b <- c(repeated_blocks(d, cells, within, correction = correction, how = how, level = level), if (contrast != "none") contrasts_of(d, cells, within, contrast, level))
  case(name, c(list(measures = form), if (how != "bonferroni") list(post_hoc = how), if (contrast != "polynomial") list(contrast = contrast), if (correction != "auto") list(correction = correction), if (level != .95) list(conf_level = level)), b, c(all, says, lapply(reads, function(r) lead(r[[1]], setNames(list(of(b, r[[3]])), r[[2]])))), data, measures) }
b <- repeated_blocks(P, names(P), list(阶段 = WO$阶段)); stopifnot(abs(of(b, "阶段") - 3.2864e-05) < 1e-3)
oracle(c("R 4.2.2: lm, contr.poly, pchisq, shapiro.test", "car 3.1-1: Anova (mlm)", "emmeans 1.8"), list(
  run("血压四次测量", B, T4, list(时间 = T4), list("“时间”的成对比较（Bonferroni）", "多项式对比把水平看作等距", "名个体，每名 {k:integer} 次测量。", "近似正态。", "不满足球形，*p* 已用"), reads = list(list("差异有统计学意义（*p*", "p0", "时间"))),
  run("O'Brien 与 Kaiser 各阶段（目录给出的数），Holm，相邻对比，90%", P, names(P), list(阶段 = WO$阶段), list("每个水平与前一个水平比较。", "“阶段”的成对比较（Holm）", "没有发现不满足球形。"), "holm", "repeated", level = .9, data = "oracle-phase.csv", reads = list(list("差异有统计学意义（*p*", "p0", "阶段"))),
  run("两个组内因素，下限校正，Sidak，Helmert", O, names(O), WO, list("每个水平与其后各水平的平均比较。", "“阶段”的成对比较（Šidák）", "“小时”的成对比较（Šidák）", "已用 下限 校正"), "sidak", "helmert", "lower", data = "oracle-obk.csv", reads = list(list("没有发现交互作用", "p2", "阶段 × 小时"))),
  run("长表，1–5 分，有缺失", K, paste0("评分.", LV), list(场景 = LV), list("名个体缺少部分测量，已整行剔除", "各水平的平均值没有发现明显差异（*p*", "“场景”的成对比较（LSD）", "每个水平与第一个水平比较。"), "none", "simple", data = "oracle-long.csv", measures = list(评分 = "定量", 人 = "定类"), form = list(layout = "long", subject = "人", factors = list("场景"), value = "评分")),
  run("个体比对比还少", S, names(S), list(周 = names(S)), list("个体太少，Mauchly 检验算不出来", "人数很少，只有很大的差异", "各水平的平均值没有发现明显差异（*p*", "请用秩检验（Friedman）对照"), contrast = "none", data = "oracle-few.csv")),
  c(notes_repeated, list(list(what = "每条线是一名个体", reason = "a note on a figure"))))
