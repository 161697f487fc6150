# How oracle.json was made: tools/run_oracles.py --write questionnaire/moderated_mediation   (R 4.2.2; lm; psych::Garcia)
# Every equation by lm on columns centred as stated; conditional effects and IMM from its coefficients. Garcia, model 8 (Hayes'
# worked example): a3 = .8100, b = .3593, IMM = .2910. Bootstrap numbers depend on the draws: test_method.py holds them against boot.
source("../../../../tools/oracle.R")
d <- example()
RNGversion("4.2.0"); set.seed(91); n <- 160; grade <- function(x) findInterval(x, c(-1.4, -.4, .5, 1.3)) + 1
a <- rnorm(n); w <- rnorm(n); v <- rbinom(n, 1, .5); m1 <- .4 * a + .3 * a * w + rnorm(n); m2 <- .3 * a + rnorm(n); y <- .3 * m1 + .3 * m2 + .3 * m2 * w + .2 * a * v + rnorm(n)
gaps <- data.frame(X = grade(a), M1 = grade(m1), M2 = grade(m2), W = grade(w), V = v, Y = grade(y), 班级 = sample(c("甲", "乙", "丙"), n, TRUE)); for (k in c("X", "M1", "W", "Y")) gaps[[k]][sample(n, 5)] <- NA
write.csv(gaps, "oracle-gaps.csv", row.names = FALSE, quote = FALSE, na = "")
paths <- list("7" = "a", "8" = c("a", "c"), "14" = "b", "15" = c("b", "c"), "58" = c("a", "b"), "59" = c("a", "b", "c"))
run <- function(name, d, x, m, w, y, controls = character(), model = "7", probe = "percentile_16_50_84", values = NULL, centering = "mean", level = .95, form = list(), says = list(), data = NULL, measures = NULL) {
  known <- d; d <- na.omit(d[c(x, w, m, y, controls)]); p <- paths[[model]]; given <- controls; E <- list(); add <- function(...) E[[length(E) + 1]] <<- block(...)
  for (v in controls) if (is.character(d[[v]])) { l <- unique(known[[v]]); for (k in l[-1]) d[[paste0(v, "：", k)]] <- as.numeric(d[[v]] == k); controls <- c(setdiff(controls, v), paste0(v, "：", l[-1])) }
  raw <- d; moved <- unique(c(w, if (any(c("a", "c") %in% p)) x, if ("b" %in% p) m)); at <- function(v) c(if (centering == "none") 0 else mean(raw[[v]]), if (centering == "zscore") sd(raw[[v]]) else 1); for (v in moved) d[[v]] <- (raw[[v]] - at(v)[1]) / at(v)[2]
  times <- function(v, k) { q <- paste(v, "×", k); d[[q]] <<- d[[v]] * d[[k]]; q }
  xw <- if (any(c("a", "c") %in% p)) sapply(w, function(k) times(x, k)); mw <- if ("b" %in% p) lapply(setNames(m, m), function(v) sapply(w, function(k) times(v, k)))
  to_m <- c(x, if ("a" %in% p) c(w, xw), controls); to_y <- c(x, m, if (any(c("b", "c") %in% p)) w, if ("c" %in% p) xw, unlist(mw), controls)
  q <- function(v) paste0("`", v, "`"); fit <- function(o, v) lm(as.formula(paste(q(o), "~", paste(q(v), collapse = "+"))), d); fits <- c(lapply(setNames(m, m), fit, to_m), setNames(list(fit(y, to_y)), y)); preds <- c(lapply(m, function(v) to_m), list(to_y))
  for (i in seq_along(fits)) { s <- summary(fits[[i]]); ci <- confint(fits[[i]], level = level); terms <- c("常数项", preds[[i]]); o <- names(fits)[i]
    for (k in seq_along(terms)) if (abs(s$coefficients[k, 1]) > 1e-12) add("models", list(outcome = o, term = terms[k]), b = s$coefficients[k, 1], se = s$coefficients[k, 2], t = s$coefficients[k, 3], p = s$coefficients[k, 4], low = ci[k, 1], high = ci[k, 2])
    f <- s$fstatistic; add("fits", list(outcome = o), r2 = s$r.squared, adjusted = s$adj.r.squared, F = f[[1]], df1 = f[[2]], df2 = f[[3]], p = pf(f[[1]], f[[2]], f[[3]], lower.tail = FALSE)) }
  co <- function(f, v) { b <- coef(f); names(b) <- gsub("`", "", names(b)); b[[v]] }
  lv <- lapply(w, function(k) { z <- raw[[k]]; if (probe == "manual") list(sprintf("%g", values), values) else if (length(unique(z)) == 2) list(sprintf("%g", sort(unique(z))), sort(unique(z))) else if (probe == "mean_sd") list(c("平均值 − 1 SD", "平均值", "平均值 + 1 SD"), mean(z) + (-1:1) * sd(z)) else list(c("16% 分位", "50% 分位", "84% 分位"), unname(quantile(z, c(.16, .5, .84)))) })
  grid <- if (length(w) == 1) lapply(seq_along(lv[[1]][[2]]), function(i) i) else unlist(lapply(seq_along(lv[[1]][[2]]), function(i) lapply(seq_along(lv[[2]][[2]]), function(j) c(i, j))), FALSE)
  word <- function(g) paste(sapply(seq_along(w), function(j) { nm <- lv[[j]][[1]][g[j]]; v <- lv[[j]][[2]][g[j]]; if (nm == sprintf("%g", v)) paste(w[j], "=", nm) else paste0(w[j], " = ", sprintf("%.4g", v), "（", nm, "）") }), collapse = "，"); inner <- function(g) sapply(seq_along(w), function(j) (lv[[j]][[2]][g[j]] - at(w[j])[1]) / at(w[j])[2])
  for (v in m) { eff <- sapply(grid, function(g) { z <- inner(g); A <- co(fits[[v]], x) + (if ("a" %in% p) sum(sapply(seq_along(w), function(j) co(fits[[v]], xw[[j]]) * z[j])) else 0); B <- co(fits[[y]], v) + (if ("b" %in% p) sum(sapply(seq_along(w), function(j) co(fits[[y]], mw[[v]][[j]]) * z[j])) else 0); A * B })
    for (i in seq_along(grid)) add("conditional", list(mediator = v, level = word(grid[[i]])), effect = eff[i])
    if (length(grid) > 1) for (i in 1:(length(grid) - 1)) for (j in (i + 1):length(grid)) add("contrasts", list(mediator = v, pair = paste(word(grid[[j]]), "减", word(grid[[i]]))), effect = eff[j] - eff[i])
    if (sum(c("a", "b") %in% p) == 1) for (j in seq_along(w)) add("index", list(mediator = v, w = w[j]), index = (if ("a" %in% p) co(fits[[v]], xw[[j]]) * co(fits[[y]], v) else co(fits[[v]], x) * co(fits[[y]], mw[[v]][[j]])) / at(w[j])[2]) }
  f <- fits[[y]]; V <- vcov(f); b <- coef(f); names(b) <- rownames(V) <- colnames(V) <- gsub("`", "", names(b)); tell <- function(words, z) { k <- c(x, if ("c" %in% p) xw); u <- c(1, if ("c" %in% p) z); e <- sum(b[k] * u); s <- sqrt(sum(u * (V[k, k, drop = FALSE] %*% u))); r <- qt(1 - (1 - level) / 2, f$df.residual) * s; add("direct", list(level = words), effect = e, se = s, t = e / s, p = 2 * pt(-abs(e / s), f$df.residual), low = e - r, high = e + r) }
  if ("c" %in% p) for (g in grid) tell(word(g), inner(g)) else tell("不随 W 变", NULL)
  case(name, c(list(x = x, m = as.list(m), w = as.list(w), y = y, controls = as.list(given), model = model, probe = probe, centering = centering, conf_level = level), if (!is.null(values)) list(values = as.list(values)), form), E, says, data, measures)
}
num <- function(d, words = character()) as.list(setNames(ifelse(names(d) %in% words, "定类", "定量"), names(d)))
any_ <- list("CI 的置信水平为", "不等于两个水平有差别", "采用有调节的中介", "最大的 VIF 是", "条件间接效应"); imm <- list("区间不含 0，说明间接效应随 W 变化"); low <- list("低阶系数是其他变量"); band <- list("阴影为 Bootstrap 区间")
mg <- num(gaps, "班级"); n1 <- list(n_boot = 1000)
oracle(c("R 4.2.2 lm on psych::Garcia (Hayes: a3 = .8100, b = .3593, IMM = .2910)"), list(
  run("模型 8，反抗与喜爱", d, "prot2", "respappr", "sexism", "liking", model = "8", form = n1, says = c(any_, imm, low, band, "不含 0"), measures = num(d)),
  run("模型 7，有控制变量，不处理，±1 SD", d, "prot2", "respappr", "sexism", "liking", "anger", "7", "mean_sd", centering = "none", form = list(n_boot = 1000, ci = "bias_corrected"), says = c(any_, imm, band), measures = num(d)),
  run("模型 14，两个中介，标准化，文字的控制变量", gaps, "X", c("M1", "M2"), "W", "Y", "班级", "14", "manual", c(2, 4), "zscore", .9, n1, c(any_, imm, low, band), "oracle-gaps.csv", mg),
  run("模型 15，两个调节变量", gaps, "X", "M2", c("W", "V"), "Y", model = "15", form = n1, says = c(any_, imm, low, band), data = "oracle-gaps.csv", measures = mg),
  run("模型 58，0/1 的调节变量", gaps, "X", "M1", "V", "Y", model = "58", form = n1, says = c(any_, low, "没有单一的 IMM", "“间接效应随 W 的变化”未给出"), data = "oracle-gaps.csv", measures = mg),
  run("模型 59，一个取值", gaps, "X", "M1", "W", "Y", model = "59", probe = "manual", values = 3, form = n1, says = c(any_, low, band, "没有单一的 IMM", "“条件间接效应两两之差”未给出"), data = "oracle-gaps.csv", measures = mg)),
  unverified = lapply(c("conditional.boot_se", "conditional.low", "conditional.high", "index.boot_se", "index.low", "index.high", "contrasts.boot_se", "contrasts.low", "contrasts.high"), function(k) list(what = k, reason = "随抽样而变；test_method.py 与 R 的 boot 20,000 次的结果比")), quick = list(n_boot = 500))
