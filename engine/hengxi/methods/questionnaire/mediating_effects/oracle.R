# How oracle.json was made: tools/run_oracles.py --write questionnaire/mediating_effects   (R 4.2.2; lm; psych::Tal_Or)
# Regressions from lm, indirect effects as products of their slopes, Sobel by the delta method. Bootstrap numbers depend on
# the draws: they are held in test_method.py against limits that R's boot gave with 20,000 draws.
source("../../../../tools/oracle.R")
if (!file.exists("example.csv")) write.csv(psych::Tal_Or[c("cond", "pmi", "import", "reaction", "gender", "age")], "example.csv", row.names = FALSE, quote = FALSE)
tal <- example()
RNGversion("4.2.0"); set.seed(22); n <- 150   # five grades, gaps, a control of words
grade <- function(x) findInterval(x, c(-1.4, -.4, .5, 1.3)) + 1
a <- rnorm(n); b <- .5 * a + rnorm(n); d <- .4 * b + rnorm(n); y <- .3 * a + .4 * b + .3 * d + rnorm(n)
gaps <- data.frame(X1 = grade(a), X2 = grade(rnorm(n)), M1 = grade(b), M2 = grade(d), Y = grade(y), 班级 = sample(c("甲", "乙", "丙"), n, TRUE))
for (v in names(gaps)[1:5]) gaps[[v]][sample(n, 5)] <- NA
write.csv(gaps, "oracle-gaps.csv", row.names = FALSE, quote = FALSE, na = "")
run <- function(name, d, x, m, y, controls = character(), serial = FALSE, std = FALSE, form = list(), says = list(), data = NULL, measures = NULL) {
  known <- d; d <- na.omit(d[c(x, m, y, controls)]); given <- controls
  for (v in controls) if (is.character(d[[v]])) { l <- unique(known[[v]]); for (k in l[-1]) d[[paste0(v, "：", k)]] <- as.numeric(d[[v]] == k); controls <- c(setdiff(controls, v), paste0(v, "：", l[-1])); d[[v]] <- NULL }
  if (std) d <- as.data.frame(scale(d)); E <- list()
  q <- function(v) paste0("`", v, "`"); fit <- function(o, p) lm(as.formula(paste(q(o), "~", paste(q(p), collapse = "+"))), d)
  preds <- lapply(seq_along(m), function(i) c(x, if (serial) m[seq_len(i - 1)], controls)); fits <- Map(fit, m, preds)
  fy <- fit(y, c(x, m, controls)); ft <- fit(y, c(x, controls))
  tell <- function(f, o, p) { s <- summary(f); co <- s$coefficients; sdd <- sapply(d[c(p)], sd)
    for (k in seq_along(c("常数项", p))) { z <- list(b = co[k, 1], se = co[k, 2], t = co[k, 3], p = co[k, 4]); if (k > 1) z$beta <- unname(co[k, 1] * sdd[k - 1] / sd(d[[f$terms[[2]] |> as.character()]]))
      if (std && k == 1) z <- NULL   # a constant of 0 to rounding
      if (!is.null(z)) E[[length(E) + 1]] <<- do.call(block, c(list("models", list(outcome = o, term = c("常数项", p)[k])), z)) }
    fs <- s$fstatistic; E[[length(E) + 1]] <<- block("fits", list(outcome = o), r2 = s$r.squared, adjusted = s$adj.r.squared, F = fs[[1]], df1 = fs[[2]], df2 = fs[[3]], p = pf(fs[[1]], fs[[2]], fs[[3]], lower.tail = FALSE)) }
  for (i in seq_along(m)) tell(fits[[i]], m[i], preds[[i]]); tell(fy, y, c(x, m, controls)); tell(ft, paste0(y, "（总效应模型）"), c(x, controls))
  co <- function(f, v) { r <- summary(f)$coefficients; r[match(v, gsub("`", "", rownames(r))), 1:2] }
  chains <- if (serial) unlist(lapply(seq_along(m), function(k) combn(m, k, simplify = FALSE)), FALSE) else as.list(m)
  for (xx in x) { total <- co(ft, xx)[1]; ind <- c(); rows <- list()
    for (ch in chains) { nodes <- c(xx, ch, y); st <- sapply(seq_len(length(nodes) - 1), function(i) co(if (nodes[i + 1] == y) fy else fits[[nodes[i + 1]]], nodes[i]))
      e <- prod(st[1, ]); se <- sqrt(sum(sapply(seq_len(ncol(st)), function(i) (prod(st[1, -i]) * st[2, i])^2))); ind <- c(ind, e)
      rows[[length(rows) + 1]] <- list(path = paste(nodes, collapse = " → "), effect = e, sobel = e / se, p = 2 * pnorm(-abs(e / se))) }
    for (r in rows) { z <- r[-1]; if (r$effect * total > 0 && sum(ind) * total > 0) z$share <- unname(r$effect / total); E[[length(E) + 1]] <- do.call(block, c(list("indirect", list(path = r$path)), z)) }
    for (kk in 1:2) { f <- list(ft, fy)[[kk]]; s <- summary(f)$coefficients; i <- match(xx, gsub("`", "", rownames(s))); ci <- confint(f)[i, ]
      E[[length(E) + 1]] <- block("whole", list(x = xx, kind = c("总效应 c", "直接效应 c′")[kk]), effect = s[i, 1], se = s[i, 2], t = s[i, 3], p = s[i, 4], low = ci[[1]], high = ci[[2]]) }
    E[[length(E) + 1]] <- block("whole", list(x = xx, kind = "总间接效应"), effect = sum(ind))
    if (length(rows) > 1) for (i in 1:(length(rows) - 1)) for (j in (i + 1):length(rows)) E[[length(E) + 1]] <- block("contrasts", list(pair = paste(rows[[i]]$path, "减", rows[[j]]$path)), effect = ind[i] - ind[j]) }
  if (is.null(measures)) measures <- as.list(setNames(rep("定量", 6), names(tal)))
  case(name, c(list(x = as.list(x), m = as.list(m), y = y, controls = as.list(given), model = if (serial) "serial" else "parallel", standardize = std), form), E, c(list("总间接效应的标准误", "区间不含 0 即显著", "最大的 VIF", "不能证明因果", "Bootstrap {level"), says), data, measures)
}
sure <- list("不含 0"); none <- list("每个自变量只有一条")
oracle(list("R 4.2.2 lm on psych::Tal_Or (Hayes' worked example: a = .4765, b = .5064, c' = .2544, ab = .2413; serial .203, .140, .049)"), list(
  run("简单中介", tal, "cond", "pmi", "reaction", form = list(n_boot = 1000), says = c(none, "CI [")),
  run("链式中介，有控制变量，BCa", tal, "cond", c("import", "pmi"), "reaction", c("gender", "age"), serial = TRUE, form = list(ci = "bca", n_boot = 1000), says = list("CI [")),
  run("五点题有缺失，两个自变量，文字的控制变量，标准化", gaps, c("X1", "X2"), c("M1", "M2"), "Y", "班级", std = TRUE, form = list(ci = "bias_corrected", n_boot = 1000), says = list("CI ["), data = "oracle-gaps.csv", measures = as.list(c(setNames(rep("定量", 5), names(gaps)[1:5]), 班级 = "定类")))),
  unverified = list(list(what = "indirect.boot_se", reason = "随抽样而变；test_method.py 与 R 的 boot 20,000 次的结果比"), list(what = "indirect.low", reason = "同上"), list(what = "indirect.high", reason = "同上"),
    list(what = "contrasts.boot_se", reason = "同上"), list(what = "contrasts.low", reason = "同上"), list(what = "contrasts.high", reason = "同上"),
    list(what = "lead.low", reason = "Bootstrap 区间"), list(what = "lead.high", reason = "Bootstrap 区间")), quick = list(n_boot = 500))
