# What the oracles of the covariance structure methods share: lavaan fits as blocks of the report's tables.
suppressMessages(library(lavaan))
lavaan_fit <- function(model, data, ...) {
  go <- function(...) suppressWarnings(sem(paste(model, collapse = "\n"), data, fixed.x = FALSE, auto.cov.y = FALSE, ...))
  fit <- go(control = list(rel.tol = 1e-13, eval.max = 20000, iter.max = 20000), ...)
  if (lavInspect(fit, "converged")) fit else go(...)   # nlminb calls a standstill at the rounding error a failure
}
# Ordered items and groups: where nlminb ends with "false convergence" at these tolerances it stands at the minimum all the same.
tight <- list(rel.tol = 1e-15, x.tol = 1e-14, xf.tol = 1e-20, abs.tol = 0, eval.max = 20000, iter.max = 20000)
grouped_fit <- function(model, data, ...) suppressWarnings(sem(paste(model, collapse = "\n"), data, fixed.x = FALSE, auto.cov.y = FALSE, group = "班级",
  control = tight, optim.force.converged = TRUE, ...))
ordinal_fit <- function(model, data, ..., estimator = "WLSMV") suppressWarnings(sem(paste(model, collapse = "\n"), data, fixed.x = FALSE, ordered = setdiff(names(data), "班级"),
  estimator = estimator, control = tight, optim.force.converged = TRUE, ...))
categorical <- function(fit) lavInspect(fit, "categorical")
# The group whose blocks are written, where a fit has several: `own` and `seen` give its part, `near` its table.
current <- NULL; label <- NULL
own <- function(p) if (is.null(current)) p else p[p$group == current, ]
seen <- function(fit, what) { x <- lavInspect(fit, what); if (is.null(current)) x else x[[current]] }
by_group <- function(fit, make) { if (lavInspect(fit, "ngroups") == 1) return(make()); labels <- lavInspect(fit, "group.label"); E <- list()
  for (g in seq_along(labels)) { current <<- g; label <<- labels[g]; E <- c(E, make()) }; current <<- NULL; label <<- NULL
  c(E, lapply(seq_along(labels), function(g) block("groups", list(group = labels[g]), n = lavInspect(fit, "nobs")[[g]]))) }
flat <- function(x) unlist(x, FALSE)
why <- "lavaan 的 nlminb 在目标函数平坦处停止，估计值约准到 1e-7；接近 0 的数按相对误差比"
exactness <- 1e-5
near <- function(..., tolerance = exactness) block(..., .at = label, tolerance = tolerance, reason = why)
tidy <- function(x) if (length(x) == 0 || is.na(x)) NULL else unname(as.numeric(x))
# A p is z² times less exact than its z, so it has a tolerance of its own.
row_of <- function(table, at, cells, tolerance = exactness) {
  cells <- cells[!sapply(cells, is.null)]; p <- cells$p
  if (table %in% c("fit", "measurement") || is.null(p)) return(list(do.call(near, c(list(table, at), cells, tolerance = tolerance))))
  list(do.call(near, c(list(table, at), cells[names(cells) != "p"], tolerance = tolerance)),
    block(table, at, p = p, .at = label, tolerance = 1e-3, reason = paste0(why, "；p 的相对误差约为 z 的 z² 倍")))
}
measures <- function(fit) {
  m <- as.list(unclass(fitMeasures(fit))); robust <- !is.null(m$chisq.scaled)
  if (robust) for (k in c("chisq", "pvalue", "cfi", "tli", "rmsea", "nfi", "ifi", "pnfi", "baseline.chisq")) m[[k]] <- m[[paste0(k, ".scaled")]]
  if (robust) { m$rmsea.ci.lower <- m$rmsea.ci.lower.scaled; m$rmsea.ci.upper <- m$rmsea.ci.upper.scaled; m$rmsea.pvalue <- m$rmsea.pvalue.scaled
    b <- m$baseline.chisq.scaled; x <- m$chisq; d <- m$df; m$nfi <- (b - x) / b; m$ifi <- (b - x) / (b - d); m$pnfi <- m$nfi * d / m$baseline.df }
  m
}
# RMSEA's interval and its p close straight from the noncentral χ² of lavaan's own statistic: lavaan stops early there.
fit_block <- function(fit) {
  m <- measures(fit); x <- m$chisq; d <- m$df; n <- m$ntotal; g <- lavInspect(fit, "ngroups"); if (lavInspect(fit, "options")$estimator != "ML") n <- n - g
  ncp <- function(q) if (pchisq(x, d) <= q) 0 else uniroot(function(z) pchisq(x, d, z) - q, c(0, 10 * x + 100), tol = 1e-13)$root
  cells <- list(n = m$ntotal, k = m$npar, chi2 = x, df = d)
  if (d > 0) cells <- c(cells, p = m$pvalue, ratio = x / d, rmsea = m$rmsea, low = sqrt(ncp(.95) / d / n * g), high = sqrt(ncp(.05) / d / n * g),
    close = pchisq(x, d, .05^2 * n * d / g, lower.tail = FALSE), cfi = m$cfi, tli = m$tli, agfi = m$agfi, nfi = m$nfi, ifi = m$ifi, pgfi = m$pgfi, pnfi = m$pnfi, srmr = m$srmr, rmr = m$rmr)
  if (lavInspect(fit, "options")$missing == "ml") { cells$agfi <- NULL; cells$pgfi <- NULL; m$gfi <- NULL }  # not defined with gaps
  if (categorical(fit)) cells$rmr <- NULL
  row_of("fit", list(), c(cells, list(gfi = m$gfi, aic = m$aic, bic = m$bic)), 2e-5)
}
both <- function(fit) { p <- own(parTable(fit)); s <- own(standardizedSolution(fit)); k <- paste(s$lhs, s$op, s$rhs); i <- match(paste(p$lhs, p$op, p$rhs), k)
  p$std <- s$est.std[i]; p$std.se <- s$se[i]; p }
line <- function(p, l, o, r) { q <- p[p$lhs == l & p$op == o & p$rhs == r, ]; if (!nrow(q)) q <- p[p$lhs == r & p$op == o & p$rhs == l, ]; q[1, ] }
cells_of <- function(q) { free <- q$se > 0; z <- q$est / q$se
  c(list(b = q$est), if (free) list(se = q$se, z = z, p = 2 * pnorm(-abs(z))), list(standard = q$std)) }
loading_blocks <- function(fit, factors) { p <- both(fit); r2 <- seen(fit, "rsquare")
  unlist(lapply(names(factors), function(f) lapply(factors[[f]], function(v) { q <- line(p, f, "=~", v); c1 <- cells_of(q)
    if (q$se > 0) c1$standard_se <- q$std.se
    row_of("loadings", list(factor = f, item = v), c(c1, list(smc = unname(r2[[v]])))) })), FALSE) |> flat() }
arrow_blocks <- function(table, fit, op, arrows) { p <- both(fit); flat(lapply(arrows, function(k) row_of(table, list(path = paste(k[1], "→", k[2])), cells_of(line(p, k[2], "~", k[1]))))) }
# A curve stands in the order of the variables of the report: the later one second.
curve_blocks <- function(fit, curves, order_of = c(lavNames(fit, "ov"), lavNames(fit, "lv"))) { p <- both(fit); ids <- order_of
  flat(lapply(seq_len(nrow(curves)), function(i) { l <- curves$lhs[i]; r <- curves$rhs[i]; k <- order(match(c(l, r), ids))
    row_of("covaried", list(path = paste(c(l, r)[k][1], "↔", c(l, r)[k][2])), cells_of(line(p, l, "~~", r)), 1e-4) })) }
r2_blocks <- function(fit, names) { r2 <- seen(fit, "rsquare"); lapply(names, function(v) near("explained", list(variable = v), r2 = unname(r2[[v]]))) }
validity_blocks <- function(fit, factors) { p <- both(fit); E <- list(); ave <- c()
  R <- abs(cov2cor(seen(fit, "sampstat")$cov)); phi <- seen(fit, "cor.lv")
  for (f in names(factors)) { l <- sapply(factors[[f]], function(v) line(p, f, "=~", v)$std); ave[f] <- mean(l^2)
    E[[length(E) + 1]] <- near("convergent", list(factor = f), items = length(l), least = min(abs(l)), ave = mean(l^2), cr = sum(abs(l))^2 / (sum(abs(l))^2 + sum(1 - l^2))) }
  mono <- function(v) { q <- R[v, v]; mean(q[lower.tri(q)]) }
  if (length(factors) > 1) for (i in seq_along(factors)) { a <- names(factors)[i]
    E[[length(E) + 1]] <- near("discriminant", list(item = a, against = a), r = unname(sqrt(ave[a])))
    for (j in seq_len(i - 1)) { b <- names(factors)[j]
      E[[length(E) + 1]] <- near("discriminant", list(item = a, against = b), r = phi[a, b], htmt = mean(R[factors[[a]], factors[[b]]]) / sqrt(mono(factors[[a]]) * mono(factors[[b]]))) } }
  E }
# Indirect and total effects with delta-method errors, by numeric derivatives of (I − B)⁻¹ over lavaan's estimates.
effect_blocks <- function(fit, arrows) { p <- own(parTable(fit)); nodes <- unique(unlist(arrows)); V <- vcov(fit); E <- list()
  est <- sapply(arrows, function(k) line(p, k[2], "~", k[1])$est); free <- sapply(arrows, function(k) line(p, k[2], "~", k[1])$free)
  eff <- function(b) { B <- matrix(0, length(nodes), length(nodes), dimnames = list(nodes, nodes)); for (i in seq_along(arrows)) B[arrows[[i]][2], arrows[[i]][1]] <- b[i]; list(I = solve(diag(nrow(B)) - B) - diag(nrow(B)) - B, T = solve(diag(nrow(B)) - B) - diag(nrow(B))) }
  spread <- sqrt(diag(seen(fit, "cov.all")))
  base <- eff(est); h <- 1e-5
  for (s in nodes) for (t in nodes) if (abs(base$I[t, s]) > 1e-12) for (kind in c("I", "T")) {
    d <- sapply(seq_along(est), function(i) { e <- replace(numeric(length(est)), i, h); (eff(est + e)[[kind]][t, s] - eff(est - e)[[kind]][t, s]) / (2 * h) })
    b <- base[[kind]][t, s]; se <- sqrt(sum(d * (V[free, free] %*% d))); z <- b / se
    E <- c(E, row_of("effects", list(path = paste(s, "→", t), kind = if (kind == "I") "间接" else "总"), list(b = b, se = se, z = z, p = 2 * pnorm(-abs(z)), standard = unname(b * spread[s] / spread[t])))) }
  E }
residual_blocks <- function(fit, order_of = NULL) { S <- seen(fit, "sampstat")$cov; R <- (S - seen(fit, "implied")$cov) / sqrt(outer(diag(S), diag(S))); v <- colnames(S); E <- list()
  for (i in 2:length(v)) for (j in seq_len(i - 1)) if (abs(R[i, j]) > .03) E[[length(E) + 1]] <- near("residuals", list(item = v[i], against = v[j]), r = R[i, j], tolerance = 1e-4)
  E }
mi_blocks <- function(fit) { m <- own(modindices(fit, sort. = TRUE)); m <- subset(m, op == "=~" & mi > 3.85 & rhs %in% lavNames(fit, "ov.ind")); m <- head(m, 3)
  lapply(seq_len(nrow(m)), function(i) near("changes", list(parameter = paste0("“", m$rhs[i], "”在“", m$lhs[i], "”上的载荷")), mi = m$mi[i], epc = m$epc[i], standard = m$sepc.all[i], tolerance = 1e-4)) }
threshold_blocks <- function(fit, data) { p <- subset(own(parTable(fit)), op == "|"); flat(lapply(unique(p$lhs), function(v) { q <- p[p$lhs == v, ]; k <- sort(unique(data[[v]]))
  lapply(seq_len(nrow(q)), function(i) near("thresholds", list(item = v, between = paste(k[i], "|", k[i + 1])), value = q$est[i], se = q$se[i])) })) }
shifted <- function(fit) { t <- fit@test$scaled.shifted; c(fact("已作均值与方差校正", c = t$scaling.factor, b = t$shift.parameter), list(tolerance = 1e-6, reason = why)) }
# What is said of two factors over all groups: how many pairs are not apart, and the numbers of the closest.
apart_or_not <- function(fit, f) { best <- c(0, 0); k <- 0; a <- names(f)[1]; b <- names(f)[2]
  by_group(fit, function() { p <- both(fit); ave <- sapply(names(f), function(n) mean(sapply(f[[n]], function(v) line(p, n, "=~", v)$std)^2)); r <- abs(seen(fit, "cor.lv")[a, b])
    R <- abs(cov2cor(seen(fit, "sampstat")$cov)); mono <- function(v) { q <- R[v, v]; mean(q[lower.tri(q)]) }; h <- mean(R[f[[a]], f[[b]]]) / sqrt(mono(f[[a]]) * mono(f[[b]]))
    if (r >= sqrt(min(ave)) || h > .9) { k <<- k + 1; if (r > best[1]) best <<- c(r, h) }; list() })
  if (k == 0) "各因子的 √AVE 都大于" else c(fact("对因子区分得不好", k = k, r = best[1], ratio = best[2]), list(tolerance = 1e-4, reason = why)) }
step_block <- function(name, fit) { m <- measures(fit); row_of("measurement", list(model = name), list(chi2 = m$chisq, df = m$df, p = if (m$df > 0) m$pvalue, cfi = m$cfi, rmsea = m$rmsea, srmr = m$srmr), 2e-5) }
free_covariances <- function(v) if (length(v) < 2) character() else apply(combn(v, 2), 2, function(k) paste(k[1], "~~", k[2]))
