# What the oracle.R of the designs with repeated measures share, beside tools/oracle.R: car::Anova of an mlm (type III, sums to
# zero), emmeans of it, linearHypothesis for simple effects within subjects; Mauchly's p by its formula (R's own has a slip).
suppressMessages({library(car); library(emmeans); library(rstatix)})
options(contrasts = c("contr.sum", "contr.poly"), warn = 1)
in_order <- function(x) factor(x, levels = if (is.numeric(x)) sort(unique(x)) else unique(x))
swilk <- "R's swilk.c holds the constants of AS R94 in another precision"
CORR <- c(none = "球形假设", gg = "Greenhouse-Geisser", hf = "Huynh-Feldt", lower = "下限")

mauchly <- function(W, d, n) { f <- d * (d + 1) / 2 - 1; rho <- 1 - (2 * d^2 + d + 2) / (6 * d * n)
  w2 <- (d + 2) * (d - 1) * (d - 2) * (2 * d^3 + 6 * d^2 + 3 * d + 2) / (288 * (n * d * rho)^2); z <- -n * rho * log(W)
  a <- pchisq(z, f, lower.tail = FALSE); b <- pchisq(z, f + 4, lower.tail = FALSE); c(chi2 = z, df = f, p = a + w2 * (b - a)) }
four <- function(H, E, q, v) { l <- Re(eigen(solve(E) %*% H)$values); s <- min(q, nrow(H))
  r <- list(pillai = stats:::Pillai(l, q, v), wilks = stats:::Wilks(l, q, v), hotelling = stats:::HL(l, q, v), roy = stats:::Roy(l, q, v))
  eta <- c(r$pillai[1] / s, 1 - r$wilks[1]^(1 / s), (r$hotelling[1] / s) / (1 + r$hotelling[1] / s), r$roy[1] / (1 + r$roy[1]))
  lapply(1:4, function(i) c(criterion = c("Pillai 迹", "Wilks Λ", "Hotelling-Lawley 迹", "Roy 最大根")[i],
    list(value = unname(r[[i]][1]), F = unname(r[[i]][2]), df1 = unname(r[[i]][3]), df2 = unname(r[[i]][4]),
    p = unname(pf(r[[i]][2], r[[i]][3], r[[i]][4], lower.tail = FALSE)), eta = unname(eta[i])))) }
adj <- function(p, how, m = length(p)) switch(how, none = p, sidak = -expm1(m * log1p(-p)), p.adjust(p, how))
reach <- function(how, m, df, a) qt(1 - switch(how, none = a, sidak = 1 - (1 - a)^(1 / m), a / m) / 2, df)

# `within`: a list, name → levels, the last changing fastest; `cells`: columns of d in that order.
repeated_blocks <- function(d, cells, within, between = c(), covariates = c(), correction = "auto", how = "bonferroni", level = .95, simple = TRUE) {
  for (b in between) d[[b]] <- in_order(d[[b]]); for (v in covariates) d[[v]] <- d[[v]] - mean(d[[v]])
  q <- function(x) paste0("`", x, "`"); Y <- as.matrix(d[cells]); out <- list(); alpha <- 1 - level
  right <- c(if (length(between)) paste(q(between), collapse = "*"), q(covariates)[length(covariates) > 0]); if (!length(right)) right <- "1"
  fit <- lm(as.formula(paste("Y ~", paste(right, collapse = "+"))), d); rdf <- fit$df.residual
  idata <- rev(expand.grid(rev(lapply(within, function(l) factor(l, levels = l))))); names(idata) <- names(within); N <- nrow(d)
  A <- Anova(fit, idata = idata, idesign = as.formula(paste("~", paste(q(names(within)), collapse = "*"))), type = "III"); u <- summary(A, multivariate = FALSE)
  tab <- u$univariate.tests; gges <- u$pval.adjustments; ms <- u$sphericity.tests
  all_error <- sum(unique(data.frame(round(tab[, "Error SS"], 8), tab[, "den Df"]))[, 1])
  split_name <- function(r) { p <- gsub("`", "", strsplit(r, ":")[[1]]); list(w = p[p %in% names(within)], b = p[!(p %in% names(within))]) }
  named <- function(r) { s <- split_name(r); paste(c(s$w, s$b), collapse = " × ") }
  seen <- c(); read_by <- list()
  for (r in setdiff(rownames(tab), "(Intercept)")) { s <- split_name(r); x <- tab[r, ]; F <- unname(x["F value"]); ss <- unname(x["Sum Sq"]); se <- unname(x["Error SS"]); df <- unname(x["num Df"]); de <- unname(x["den Df"])
    ges <- ss / (ss + all_error); eta <- ss / (ss + se); d1 <- de / rdf
    if (!length(s$w)) { out <- c(out, list(block("outer", list(source = named(r)), ss = ss, df = df, df_error = de, ms = ss / df, F = F, p = pf(F, df, de, lower.tail = FALSE), eta = eta, ges = ges)))
      if (!("误差" %in% seen)) { seen <- c(seen, "误差"); out <- c(out, list(block("outer", list(source = "误差"), ss = se, df = de, ms = se / de))) }; next }
    E <- A$SSPE[[r]]; H <- A$SSP[[r]]; P <- A$P[[r]]; O <- solve(t(P) %*% P) %*% E; l <- eigen(O)$values; l <- Re(l); gg <- sum(l)^2 / (d1 * sum(l^2)); lower <- 1 / d1
    hf <- min(1, ((rdf + 1) * d1 * gg - 2) / (d1 * (rdf - d1 * gg))); if (d1 > 1 && rdf >= d1 && r %in% rownames(gges)) { stopifnot(abs(gges[r, "GG eps"] - gg) < 1e-8, abs(min(1, gges[r, "HF eps"]) - hf) < 1e-8) }
    W <- prod(l) / mean(l)^d1; main <- paste(s$w, collapse = " × "); M <- if (d1 > 1 && rdf >= d1) mauchly(W, d1, rdf) else NULL
    if (!is.null(M) && r %in% rownames(ms)) stopifnot(abs(ms[r, "Test statistic"] - W) < 1e-8, abs(ms[r, "p-value"] - M["p"]) < .02)
    if (d1 > 1 && !(main %in% seen)) out <- c(out, list(do.call(block, c(list("spheres", list(source = main)), if (!is.null(M)) list(w = W, chi2 = unname(M["chi2"]), p = unname(M["p"])), list(df = d1 * (d1 + 1) / 2 - 1, gg = gg, hf = hf, lower = lower)))))
    read <- if (d1 == 1) "none" else if (correction != "auto") correction else if (!is.null(M) && M["p"] >= .05) "none" else if (gg < .75) "gg" else "hf"
    if (!(main %in% seen)) out <- c(out, list(block("inner", list(source = paste0("误差（", main, "）")), ss = se, df = de, ms = se / de))); seen <- c(seen, main); eps <- c(none = 1, gg = gg, hf = hf, lower = lower); if (d1 == 1) eps <- eps[1]
    for (k in names(eps)) out <- c(out, list(do.call(block, c(list("inner", list(source = named(r), correction = unname(CORR[k])), ss = ss, df = df * eps[[k]], df_error = de * eps[[k]], ms = ss / df / eps[[k]],
      F = F, p = pf(F, df * eps[[k]], de * eps[[k]], lower.tail = FALSE), eta = eta, ges = ges), if (k == read) list(read = "采用")))))
    if (rdf >= d1) for (one in four(H, E, df / d1, rdf)) out <- c(out, list(do.call(block, c(list("many", list(source = named(r), criterion = one$criterion)), one[-1]))))
  }
  # means, pairs, simple effects: emmeans of the mlm; what is within by its own contrasts.
  levs <- rev(lapply(within, function(l) l)); mult <- setNames(levs, rev(names(within))); h <- qt((1 + level) / 2, rdf)
  grid <- ref_grid(fit, mult.levs = mult, data = d)
  for (f in c(between, names(within))) { e <- as.data.frame(emmeans(grid, f, level = level))
    for (i in seq_len(nrow(e))) out <- c(out, list(block("means", list(effect = f, level = as.character(e[i, 1])), mean = e$emmean[i], se = e$SE[i], low = e$lower.CL[i], high = e$upper.CL[i]))) }
  rows <- function(f, at, by = NULL, l = NULL) { em <- emmeans(grid, f, by = by); lv <- levels(as.data.frame(em)[[f]]); m <- length(lv) * (length(lv) - 1) / 2; c0 <- as.data.frame(contrast(em, "pairwise", adjust = "none")); c0$t.ratio[abs(c0$estimate) < 1e-12] <- 0; c0$estimate[abs(c0$estimate) < 1e-12] <- 0; if (!is.null(by)) c0 <- c0[as.character(c0[[by]]) == l, ]; ij <- t(combn(length(lv), 2)); p <- adj(c0$p.value, how, m)
    lapply(seq_len(nrow(ij)), function(i) block("pairs", c(list(effect = f), list(at_level = at), list(first = lv[ij[i, 1]], second = lv[ij[i, 2]])), difference = c0$estimate[i], se = c0$SE[i], t = c0$t.ratio[i], df = c0$df[i], p = p[i],
      low = c0$estimate[i] - reach(how, m, rdf, alpha) * c0$SE[i], high = c0$estimate[i] + reach(how, m, rdf, alpha) * c0$SE[i])) }
  for (f in c(between, names(within))) out <- c(out, rows(f, NULL))
  for (f in c(between, names(within))) { e <- as.data.frame(emmeans(grid, f)); if (nrow(e) > 2) for (i in seq_len(nrow(e))) out <- c(out, list(block("letters", list(effect = f, level = as.character(e[i, 1])), mean = e$emmean[i]))) }
  # T² of a factor within at one place: contrasts averaged over the other factors within.
  avg <- function(f, g = NULL, at = NULL) { K <- sapply(within[[f]], function(l) { w <- as.numeric(idata[[f]] == l); if (!is.null(g)) w <- w * (idata[[g]] == at); w / sum(w) }); K[, -ncol(K), drop = FALSE] - K[, ncol(K)] }
  t2 <- function(L, K) { B <- coef(fit); S <- t(K) %*% crossprod(resid(fit)) %*% K; v <- t(K) %*% t(B) %*% t(L); k <- ncol(K); if (rdf - k + 1 < 1) return(NULL)
    T <- as.numeric(t(v) %*% solve(S) %*% v) / as.numeric(L %*% solve(crossprod(model.matrix(fit))) %*% t(L)); F <- T * (rdf - k + 1) / k; list(F = F, df1 = k, df2 = rdf - k + 1, p = pf(F, k, rdf - k + 1, lower.tail = FALSE)) }
  # F of a factor between at one level within: contrasts of emmeans by their own covariance.
  f_at <- function(b, f, l) { em <- contrast(emmeans(grid, b, by = f), "consec"); k <- as.character(em@grid[[f]]) == l; L <- em@linfct[k, , drop = FALSE]; v <- L %*% em@bhat; S <- L %*% em@V %*% t(L); c(as.numeric(t(v) %*% solve(S) %*% v) / nrow(L), nrow(L)) }
  if (simple) { base <- if (length(between)) ref_grid(lm(as.formula(paste("Y[, 1] ~", paste(right, collapse = "+"))), d), data = d)
    for (f in names(within)) { for (b in between) { L <- emmeans(base, b)@linfct
        for (i in seq_along(levels(d[[b]]))) { at <- paste(b, "=", levels(d[[b]])[i]); s <- t2(L[i, , drop = FALSE], avg(f)); if (!is.null(s)) out <- c(out, list(do.call(block, c(list("simple", list(effect = f, at_level = at)), s))))
          out <- c(out, rows(f, at, b, levels(d[[b]])[i])) }
        for (l in within[[f]]) { at <- paste(f, "=", l); J <- f_at(b, f, l)
          out <- c(out, list(block("simple", list(effect = b, at_level = at), F = J[1], df1 = J[2], df2 = rdf, p = pf(J[1], J[2], rdf, lower.tail = FALSE))), rows(b, at, f, l)) } }
      L0 <- if (length(between)) emmeans(base, ~1)@linfct else matrix(1)
      for (g in setdiff(names(within), f)) for (l in within[[g]]) { at <- paste(g, "=", l); s <- t2(L0, avg(f, g, l)); out <- c(out, list(do.call(block, c(list("simple", list(effect = f, at_level = at)), s))), rows(f, at, g, l)) } } }
  # description, assumptions
  g <- if (length(between)) interaction(d[between], sep = " × ", lex.order = TRUE, drop = TRUE) else factor(rep("全部", N)); words <- apply(idata, 1, function(r) paste(r, collapse = " × "))
  for (l in levels(g)) for (j in seq_along(cells)) { x <- Y[g == l, j]; n <- length(x); hw <- qt((1 + level) / 2, n - 1) * sd(x) / sqrt(n); out <- c(out, list(block("cells", list(group = l, cell = words[j]), n = n, mean = mean(x), sd = sd(x), low = mean(x) - hw, high = mean(x) + hw))) }
  R <- resid(fit); G1 <- function(x) { n <- length(x); m <- x - mean(x); g <- mean(m^3) / mean(m^2)^1.5; g * sqrt(n * (n - 1)) / (n - 2) }; G2 <- function(x) { n <- length(x); m <- x - mean(x); k <- mean(m^4) / mean(m^2)^2 - 3; (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * k + 6) }
  for (j in seq_along(cells)) { s <- shapiro.test(R[, j]); out <- c(out, list(block("shapes", list(cell = words[j]), skewness = if (abs(G1(R[, j])) < 1e-12) 0 else G1(R[, j]), kurtosis = G2(R[, j])), block("shapes", list(cell = words[j]), statistic = unname(s$statistic), p = s$p.value, tolerance = 1e-6, reason = swilk)))
    if (length(between)) { v <- leveneTest(R[, j] ~ g, center = mean); out <- c(out, list(block("spread", list(cell = words[j]), F = v[1, 2], df1 = v[1, 1], df2 = v[2, 1], p = v[1, 3], tolerance = 1e-7, reason = "distances of residuals, whose last digits are those of the fit"))) } }
  if (length(between) && all(table(g) > length(cells))) out <- c(out, list(boxm_block("box", Y, g)))
  out
}
boxm_block <- function(name, Y, g, chi = FALSE) { p <- ncol(Y); k <- nlevels(g); v <- as.numeric(table(g)) - 1; S <- lapply(levels(g), function(l) cov(Y[g == l, ])); W <- Reduce(`+`, Map(`*`, v, S)) / sum(v)
  M <- sum(v) * log(det(W)) - sum(v * sapply(S, function(s) log(det(s)))); c1 <- (sum(1 / v) - 1 / sum(v)) * (2 * p^2 + 3 * p - 1) / (6 * (p + 1) * (k - 1)); c2 <- (sum(1 / v^2) - 1 / sum(v)^2) * (p - 1) * (p + 2) / (6 * (k - 1))
  f1 <- p * (p + 1) * (k - 1) / 2; f2 <- (f1 + 2) / abs(c2 - c1^2); F <- if (c2 > c1^2) M * (1 - c1 - f1 / f2) / f1 else { b <- f2 / (1 - c1 + 2 / f2); f2 * M / (f1 * (b - M)) }
  stopifnot(abs(rstatix::box_m(as.data.frame(Y), g)$statistic - M * (1 - c1)) < 1e-6); x <- M * (1 - c1)
  do.call(block, c(list(name, list(), m = M, F = F, df1 = f1, df2 = f2, p = pf(F, f1, f2, lower.tail = FALSE)), if (chi) list(chi2 = x, chi2_p = pchisq(x, f1, lower.tail = FALSE)))) }
wide <- function(within, cells) list(layout = "wide", factors = lapply(names(within), function(n) list(name = n, levels = as.list(within[[n]]))), cells = as.list(cells))
notes_repeated <- lapply(c("“采用”一行是结论所读的", "其余因素各水平同等看待", "每条线是“", "色带为 ", "比较的是每名个体各次测量的平均", "组内因素的简单效应用多变量", "均值差 = 水平I − 水平J", "按估计均值从高到低", "Roy 最大根的", "”未给出："),
  function(x) list(what = x, reason = "a note on how a table is made; no claim about the data"))
