# Each option: chisq.test or fisher.test of base R, p.adjust; Cramér's V by its formula. The overall statistic: the sum of
# the options' χ², its roots written out from Bilder & Loughin (2004, 2007) by kronecker(), and a permutation by sample().
source("../../../../tools/oracle.R")
if (!file.exists("example.csv")) { d <- read.csv("../multiple_choice/example.csv", check.names = FALSE, na.strings = "")
  RNGversion("4.2.0"); set.seed(5); n <- nrow(d); t <- as.integer(factor(d$年龄段, c("18-25", "26-35", "36-45", "46以上"))); use <- sapply(c(.8, .1, -.6), function(b) as.integer(runif(n) < plogis(b - .35 * (t - 2))))
  colnames(use) <- paste0("购买渠道(", c("网店", "专卖店", "运营商"), ")"); write.csv(cbind(d[c(1:6, 8:10)], use), "example.csv", row.names = FALSE, quote = FALSE, na = "") }
d <- read.csv("example.csv", check.names = FALSE, na.strings = ""); X <- as.matrix(d[1:6]); colnames(X) <- sub("手机品牌认知\\((.*)\\)", "\\1", names(d)[1:6]); Y <- as.matrix(d[10:12]); colnames(Y) <- c("网店", "专卖店", "运营商")
few <- data.frame(甲 = c(1, 1, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0), 乙 = c(0, 1, 0, 1, 1, 0, 1, 1, 1, 0, 1, 0), 丙 = rep(1, 12), 组 = rep(c("南", "北"), 6)); write.csv(few, "oracle-few.csv", row.names = FALSE, quote = FALSE)

single <- function(t, adjust) {      # t: chosen, not chosen × groups
  if (any(rowSums(t) == 0)) return(NULL)
  E <- suppressWarnings(chisq.test(t, correct = FALSE)$expected); square <- all(dim(t) == 2); pe <- suppressWarnings(chisq.test(t, correct = FALSE)); V <- sqrt(pe$statistic[[1]] / sum(t) / (min(dim(t)) - 1))
  how <- if (square) { if (sum(t) < 40 || min(E) < 1) "exact" else if (min(E) < 5) "yates" else "pearson" } else if (mean(E < 5) > .2 || min(E) < 1) "exact" else "pearson"
  if (how == "exact") return(list(p = fisher.test(t)$p.value, V = V))
  q <- if (how == "yates") suppressWarnings(chisq.test(t)) else pe
  list(p = q$p.value, V = V, value = q$statistic[[1]], df = q$parameter[[1]])
}
rows <- function(found, keys, adjust) { p <- p.adjust(sapply(found, `[[`, "p"), sub("fdr_bh", "BH", adjust)); Map(function(f, k, a) { cells <- list(p = f$p, adjusted = a, v = f$V); if (!is.null(f$value)) cells <- c(cells, list(value = f$value, df = f$df)); do.call(block, c(list("tests", k), cells)) }, found, keys, p) }
second <- function(value, lambda, df) { s <- sum(lambda); q <- sum(lambda^2); one <- value * df / s; list(value = value, one = one, df = df, p1 = pchisq(one, df, lower.tail = FALSE), two = value * s / q, df2 = s^2 / q, p2 = pchisq(value * s / q, s^2 / q, lower.tail = FALSE)) }
rao <- function(o) list(block("overall", list(test = "一阶校正"), sum = o$value, value = o$one, df = o$df, p = o$p1), block("overall", list(test = "二阶校正（采用）"), sum = o$value, value = o$two, df = o$df2, p = o$p2))
table_of <- function(h, g, lev, w, base) { out <- list(); s <- list()
  for (j in colnames(h)) { cells <- list(); for (l in lev) { n <- sum(w[g[[l]]] * h[g[[l]], j]); of <- if (base == "cases") sum(w[g[[l]]]) else sum(w[g[[l]]] * h[g[[l]], ]); cells[[paste0("n@", l)]] <- n; cells[[paste0("share@", l)]] <- n / of; s[[l]] <- n / of }
    u <- unlist(s); out <- c(out, list(block("gaps", list(option = j), most = max(u), least = min(u), gap = max(u) - min(u))))
    out <- c(out, list(do.call(block, c(list("cross", list(option = j)), cells)))) }
  cells <- setNames(lapply(lev, function(l) sum(w[g[[l]]])), paste0("n@", lev)); c(out, list(do.call(block, c(list("cross", list(option = "人数")), cells)))) }
of_groups <- function(x, g, rows, w = rep(1, nrow(x)), adjust = "holm", base = "cases", times = 0) {
  h <- (x == 1 & !is.na(x))[rows & !is.na(g) & w > 0, , drop = FALSE] * 1; v <- w[rows & !is.na(g) & w > 0]; g <- g[rows & !is.na(g) & w > 0]; lev <- unique(g); member <- setNames(lapply(lev, function(l) g == l), lev)
  found <- lapply(colnames(h), function(j) single(rbind(sapply(lev, function(l) sum((v * h[, j])[g == l])), sapply(lev, function(l) sum((v * (1 - h[, j]))[g == l]))))); ok <- !sapply(found, is.null)
  out <- c(table_of(h, member, lev, v, base), rows(found[ok], lapply(colnames(h)[ok], function(j) list(option = j)), adjust))
  hh <- h[, ok, drop = FALSE]; N <- sum(v); pool <- colSums(hh * v) / N; D <- diag(1 / sqrt(pool * (1 - pool)), ncol(hh)); n <- sapply(lev, function(l) sum(v[g == l])); r <- length(lev); k <- ncol(hh)
  value <- sum(sapply(lev, function(l) n[[l]] * sum((colSums((hh * v)[g == l, , drop = FALSE]) / n[[l]] - pool)^2 / (pool * (1 - pool)))))
  B <- matrix(0, r * k, r * k); for (i in seq_len(r)) { z <- hh[g == lev[i], , drop = FALSE]; u <- v[g == lev[i]]; B[(i - 1) * k + 1:k, (i - 1) * k + 1:k] <- D %*% cov.wt(z, u, method = "ML")$cov %*% D }
  P <- kronecker(diag(r) - outer(sqrt(n / N), sqrt(n / N)), diag(k)); o <- second(value, eigen(P %*% B %*% P, TRUE, TRUE)$values, k * (r - 1))
  if (times > 0) { RNGversion("4.2.0"); set.seed(1); s <- replicate(times, { q <- sample(g); sum(sapply(lev, function(l) n[[l]] * sum((colMeans(hh[q == l, , drop = FALSE]) - pool)^2 / (pool * (1 - pool))))) }); o$perm <- (sum(s >= value - 1e-9) + 1) / (times + 1) }
  list(out = out, o = o, hits = sum(p.adjust(sapply(found[ok], `[[`, "p"), sub("fdr_bh", "BH", adjust)) < .05), m = length(found))
}
of_both <- function(x, y, rows, adjust = "holm", base = "cases", times = 0) {
  h <- (x == 1 & !is.na(x))[rows, ] * 1; y <- (y == 1 & !is.na(y))[rows, ] * 1; v <- rep(1, nrow(h)); keys <- list(); found <- list()
  for (j in colnames(h)) for (l in colnames(y)) { found <- c(found, list(single(table(factor(h[, j], 1:0), factor(y[, l], 1:0))))); keys <- c(keys, list(list(option = j, second = l))) }
  a <- scale(h) * sqrt(nrow(h) / (nrow(h) - 1)); b <- scale(y) * sqrt(nrow(h) / (nrow(h) - 1)); U <- do.call(cbind, lapply(seq_len(ncol(a)), function(j) a[, j] * b)); n <- nrow(h); value <- sum(crossprod(a, b)^2) / n
  o <- second(value, eigen(cov(U) * (n - 1) / n, TRUE, TRUE)$values, ncol(a) * ncol(b))
  if (times > 0) { RNGversion("4.2.0"); set.seed(1); o$perm <- (sum(replicate(times, sum(crossprod(a[sample(n), ], b)^2) / n) >= value - 1e-9) + 1) / (times + 1) }
  list(out = c(table_of(h, setNames(lapply(colnames(y), function(l) y[, l] == 1), colnames(y)), colnames(y), v, base), rows(found, keys, adjust)), o = o, hits = sum(p.adjust(sapply(found, `[[`, "p"), sub("fdr_bh", "BH", adjust)) < .05), m = length(found))
}
perm <- function(o) list(c(block("overall", list(test = "置换检验"), sum = o$value, value = o$value), list()), block("overall", list(test = "置换检验"), p = o$perm, tolerance = .2, reason = "随机置换：两组独立的 1999 次与 4999 次"))
any1 <- rowSums(X == 1, na.rm = TRUE) > 0; answered <- rowSums(!is.na(X)) > 0; kinds <- setNames(as.list(rep("定类", ncol(d) - 1)), setdiff(names(d), "次数")); kinds$权数 <- "定量"
items <- as.list(names(d)[1:6]); way <- as.list(names(d)[10:12])
A <- of_groups(X, d$年龄段, any1); B <- of_groups(X, d$性别, answered, d$次数, "fdr_bh", "responses"); C <- of_both(X, Y, any1 & rowSums(Y) > 0); P <- of_groups(X, d$性别, any1, adjust = "none", times = 4999); Q <- of_both(X, Y, any1 & rowSums(Y) > 0, "bonferroni", times = 4999)
F <- of_groups(as.matrix(few[1:3]), few$组, rep(TRUE, 12)); said <- function(a, p, extra) c(list("不能对整张表做一次普通的 χ² 检验", "相差最大：", "列百分比的分母是", if (a$hits > 0) fact("次逐项检验中有", k = a$hits, m = a$m) else fact("没有哪一个选项单独显著", k = 0, m = a$m)), if (is.null(p)) NULL else list(if (p < .05) fact("（整体检验", p = p) else fact("没有发现“", p = p)), extra)
rs <- list("直接相加查 χ² 表不成立"); one <- list("没有相同字母的两组有差异")
oracle(c("R 4.2.2: chisq.test, fisher.test, p.adjust, cov.wt, eigen, sample"), list(
  case("认知与年龄段", list(items = items, group = list("年龄段")), c(A$out, rao(A$o)), said(A, A$o$p2, c(rs, one, list("用 Holm 法校正；没有 χ²"))), measures = kinds),
  case("频数权重，响应率，FDR", list(items = items, group = list("性别"), weight = "次数", base = "responses", p_adjust = "fdr_bh", empty_as = "none_selected"), c(B$out, rao(B$o)), said(B, B$o$p2, c(rs, one, list("用 FDR-BH 法校正；没有 χ²", "这一列的选择次数"))), measures = kinds),
  case("两道多选题", list(items = items, group = way, layout = "multi_by_multi"), c(C$out, rao(C$o)), said(C, C$o$p2, c(rs, list("用 Holm 法校正；没有 χ²"))), measures = kinds),
  case("置换检验，不校正", list(items = items, group = list("性别"), test = "permutation", n_resamples = 1999, p_adjust = "none"), c(P$out, perm(P$o)), said(P, NULL, c(one, list("没有校正；没有 χ²", "随机置换"))), measures = kinds),
  case("两道多选题的置换检验", list(items = items, group = way, layout = "multi_by_multi", test = "permutation", n_resamples = 1999, p_adjust = "bonferroni"), c(Q$out, perm(Q$o)), said(Q, NULL, list("用 Bonferroni 法校正；没有 χ²", "随机置换")), measures = kinds),
  case("十二人，人人都选的选项", list(items = list("甲", "乙", "丙"), group = list("组"), empty_as = "all"), c(F$out, rao(F$o)), said(F, F$o$p2, c(rs, one, list("用 Holm 法校正；没有 χ²"))), data = "oracle-few.csv", measures = list(甲 = "定类", 乙 = "定类", 丙 = "定类", 组 = "定类")),
  case("不做整体检验", list(items = items, group = list("性别"), test = "none"), list(), said(of_groups(X, d$性别, any1), NULL, c(one, list("用 Holm 法校正；没有 χ²"))), measures = kinds)),
  quick = list(n_resamples = 99))
