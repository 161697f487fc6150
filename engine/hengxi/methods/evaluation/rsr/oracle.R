# Own derivation in R: rank(), qnorm(), lm(), bartlett.test(), aov(). Textbook example (ten regions, maternal care): RSR .6000
# .4000 .7667 .4000 .6000 .6667 .5000 .9000 .5667 .1000; RSR = −.6085 + .2217 Probit, R² .9379, F 90.63.
source("../../../../tools/oracle.R"); source("../../../../tools/oracle_indicators.R")
one <- function(name, d, f, ends = list(), given = NULL, says = list(), ...) {
  t <- read_x(d, unlist(f$positive), unlist(f$negative), unlist(f$moderate)); z <- minmax(t$x, t$kind, ends); obj <- names_of(d, t$keep, f$label); n <- nrow(t$x)
  src <- if (is.null(f$weight_source)) "equal" else f$weight_source; w <- source_w(z, src, given); K <- if (is.null(f$grades)) 3 else f$grades
  g <- if (identical(f$ranking, "non_integer")) 1 + (n - 1) * z else rank_grid(t$x, t$kind, ends); rsr <- as.vector(g %*% w) / n
  u <- sort(unique(round(rsr, 12))); cnt <- as.vector(table(factor(round(rsr, 12), levels = u))); cum <- cumsum(cnt); mr <- cum - (cnt - 1) / 2; p <- mr / n; p[length(p)] <- 1 - 1 / (4 * n)
  pr <- qnorm(p) + 5; at <- match(round(rsr, 12), u); out <- lapply(seq_along(u), function(i) block("spread", list(cumulative = cum[i]), cumulative = cum[i], rsr = u[i], f = cnt[i], mean_rank = mr[i], share = p[i], probit = pr[i]))
  for (k in seq_along(w)) out[[length(out) + 1]] <- block("used", list(item = colnames(t$x)[k]), kind = kind_words(t$x, t$kind, ends)[k], weight = w[k])
  enough <- length(u) >= 4; graded <- FALSE; fit <- NULL
  if (enough) { m <- lm(u ~ pr); s <- summary(m); fp <- pf(s$fstatistic[1], 1, s$fstatistic[3], lower.tail = FALSE); graded <- fp < .05; sh <- shapiro.test(resid(m)); fit <- list(a = coef(m)[[1]], b = coef(m)[[2]], r2 = s$r.squared, F = s$fstatistic[[1]], p = fp[[1]])
    out[[length(out) + 1]] <- block("line", a = fit$a, b = fit$b, r2 = fit$r2, F = fit$F, p = fit$p, w = sh$statistic[[1]], w_p = sh$p.value, tolerance = 1e-6, reason = "Shapiro-Wilk p by another approximation of the same algorithm") }
  cuts <- 2 + 6 * (1:(K - 1)) / K; gr <- sapply(pr[at], function(v) 1 + sum(round(v, 12) >= cuts))
  for (i in seq_len(n)) { out[[length(out) + 1]] <- block("result", list(object = obj[i]), rsr = rsr[i], rank = place(rsr)[i], probit = pr[at[i]], fitted = if (enough) fit$a + fit$b * pr[at[i]], grade = if (graded) gr[i])
    out[[length(out) + 1]] <- do.call(block, c(list("ranks", list(object = obj[i])), setNames(as.list(g[i, ]), paste0("rank@", colnames(t$x))))) }
  if (graded) { lo <- c(-Inf, cuts); hi <- c(cuts, Inf)
    for (k in 1:K) out[[length(out) + 1]] <- block("levels", list(grade = k), grade = k, probit_low = lo[k], probit_high = hi[k], rsr_low = fit$a + fit$b * lo[k], rsr_high = fit$a + fit$b * hi[k], n = sum(gr == k))
    says <- c(says, list("档次的数字越大越好", fact("最高一档有", top = sum(gr == max(gr)))))
    if (all(table(gr) >= 2) && length(unique(gr)) > 1) { b <- bartlett.test(rsr, gr); a <- oneway.test(rsr ~ factor(gr), var.equal = TRUE)
      out <- c(out, list(block("tests", list(test = "方差一致性（Bartlett χ²）"), statistic = b$statistic[[1]], p = b$p.value), block("tests", list(test = "各档差异（方差分析 F）"), statistic = a$statistic[[1]], p = a$p.value))) }
    else says <- c(says, list("有的档少于 2 个对象")) }
  list(rsr = rsr, fit = fit, case = case(name, f, out, c(list(fact("RSR 最高的是", high = max(rsr), low = min(rsr), n = n), fact("采用秩和比法", high = max(rsr), low = min(rsr), m = length(w)), "RSR 只用名次",
    if (enough) fact("回归方程 RSR", a = fit$a, b = fit$b, r2 = fit$r2, p = fit$p) else "不能作回归"), says), ...)) }
ex <- example(); sv <- example("oracle-survey.csv"); ca <- example("oracle-care.csv")
form <- list(positive = list("人均GDP", "城镇化率", "研发强度"), negative = list("PM2.5", "能耗强度"), moderate = list("水质pH"),
  best = list(list("for" = "水质pH", low = 6.8, high = 7.2)), label = "城市"); ends <- list(水质pH = c(6.8, 7.2))
tb <- one("十个地区的妇幼保健，等权", ca, list(positive = list("产前检查率"), negative = list("孕产妇死亡率", "围产儿死亡率"), label = "地区"), data = "oracle-care.csv")
stopifnot(abs(tb$rsr - c(.6, .4, .7667, .4, .6, .6667, .5, .9, .5667, .1)) < 6e-5, abs(unlist(tb$fit[1:3]) - c(-.6085, .2217, .9379)) < 6e-5, abs(tb$fit$F - 90.63) < .006)
sf <- list(positive = as.list(names(sv)[2:6]), negative = list("投诉"), label = "门店"); ms <- setNames(as.list(rep("定量", 6)), names(sv)[2:7])
few <- data.frame(a = c(1, 1, 1, 2, 2), b = c(3, 3, 3, 4, 4)); write.csv(few, "oracle-few.csv", row.names = FALSE)
oracle(c("R 4.2.2: rank, qnorm, lm, shapiro.test, bartlett.test, oneway.test", "ten regions, maternal care (孙振球)"), list(one("示例，一个区间型", ex, form, ends)$case, tb$case,
  one("问卷，有缺失和同分，手工权重，4 档", sv, modifyList(sf, list(weight_source = "manual", grades = 4, weights_value = list(list("for" = "环境", w = 3), list("for" = "服务", w = 2)))), given = c(3, 2, 1, 1, 1, 1), data = "oracle-survey.csv", measures = ms)$case,
  one("非整次法，熵权，5 档", ex, modifyList(form, list(ranking = "non_integer", weight_source = "entropy", grades = 5)), ends)$case,
  one("只有两种 RSR", few, list(positive = list("a", "b")), data = "oracle-few.csv", measures = list(a = "定量", b = "定量"), says = list("“回归方程”未给出", "“拟合线”未给出", "“分档界值”未给出", "“各档的检验”未给出"))$case))
