# Own derivation in R with cor() and sd(). Published: Diakoulaki et al. (1995), eight firms, three criteria: .2022 .4809 .3169.
source("../../../../tools/oracle.R"); source("../../../../tools/oracle_indicators.R")
student <- "与其他指标越不重复"
one <- function(name, d, f, how = "minmax", contrast = "sd", cor_kind = "pearson", ends = list(), ...) {
  t <- read_x(d, unlist(f$positive), unlist(f$negative), unlist(f$moderate)); names3 <- colnames(t$x); m <- ncol(t$x)
  z <- switch(how, minmax = minmax(t$x, t$kind, ends), zscore = scale(forward(t$x, t$kind, ends)), none = forward(t$x, t$kind, ends))
  a <- switch(contrast, sd = apply(z, 2, sd), cv = apply(z, 2, sd) / colMeans(z), entropy = 1 - entropy_of(z))
  R <- cor(z, method = if (cor_kind == "spearman") "spearman" else "pearson"); Q <- if (cor_kind == "abs_pearson") abs(R) else R
  conflict <- sapply(1:m, function(k) sum(1 - Q[, k])); info <- a * conflict; w <- info / sum(info); s <- as.vector(as.matrix(z) %*% w)
  out <- list(); for (k in 1:m) { out[[length(out) + 1]] <- block("result", list(item = names3[k]), contrast = a[k], conflict = conflict[k], information = info[k], weight = w[k])
    for (j in seq_len(k - 1)) out[[length(out) + 1]] <- block("matrix", list(item = names3[k], against = names3[j]), r = R[k, j]) }
  list(w = w, case = case(name, f, c(out, score_blocks(names_of(d, t$keep, f$label), s)), weight_says(w, nrow(t$x), student), ...))
}
ex <- example(); sv <- example("oracle-survey.csv")
di <- data.frame(a = c(61, 20.7, 16.3, 9, 5.4, 4, -6.1, -34.6), b = c(1.08, .26, 1.98, 3.29, 2.77, 4.12, 3.52, 3.31), c = c(4.33, 4.34, 2.53, 1.65, 2.33, 1.21, 2.10, .98))
write.csv(di, "oracle-firms.csv", row.names = FALSE, quote = FALSE)
form <- list(positive = list("人均GDP", "城镇化率", "研发强度"), negative = list("PM2.5", "能耗强度"), moderate = list("水质pH"),
  best = list(list("for" = "水质pH", low = 6.8, high = 7)), label = "城市")
ends <- list(水质pH = c(6.8, 7)); firms <- one("Diakoulaki 等的八家企业", di, list(positive = list("a", "b", "c")), data = "oracle-firms.csv")
stopifnot(abs(firms$w - c(.2022, .4809, .3169)) < 6e-5)
sf <- list(positive = as.list(names(sv)[2:6]), negative = list("投诉"), label = "门店"); ms <- setNames(as.list(rep("定量", 6)), names(sv)[2:7])
oracle(c("R 4.2.2: cor, sd, own loops", "Diakoulaki et al. (1995)"), list(
  one("示例，一个区间型指标", ex, form, ends = ends)$case, firms$case,
  one("问卷，有缺失和同分，Spearman，熵", sv, modifyList(sf, list(correlation = "spearman", contrast = "entropy")), contrast = "entropy", cor_kind = "spearman", data = "oracle-survey.csv", measures = ms)$case,
  one("示例，标准化，|r|", ex, modifyList(form, list(normalize = "zscore", correlation = "abs_pearson")), how = "zscore", cor_kind = "abs_pearson", ends = ends)$case,
  one("示例，不处理，变异系数", ex, modifyList(form, list(normalize = "none", contrast = "cv")), how = "none", contrast = "cv", ends = ends)$case))
