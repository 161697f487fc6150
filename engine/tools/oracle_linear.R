# What the oracle.R of the linear designs share, beside tools/oracle.R: car::Anova, emmeans, and the distributions of the
# post-hoc tests by integrate(), since ptukey has no relative accuracy in the tail and qtukey stops at 4 digits.
suppressMessages({library(car); library(emmeans)})
options(contrasts = c("contr.sum", "contr.poly"))

chi <- function(s, df) exp(log(2) + df / 2 * log(df / 2) - lgamma(df / 2) + (df - 1) * log(s) - df * s^2 / 2)
over_s <- function(f, df) {
  cuts <- c(0, 0.5, 0.8, 1, 1.25, 1.6, 3, 6)
  sum(sapply(seq_len(7), function(i) integrate(function(s) chi(s, df) * sapply(s, f), cuts[i], cuts[i + 1],
    rel.tol = 1e-11, abs.tol = 1e-17)$value))
}
range_sf <- function(w, k) if (w == 0) 1 else k * integrate(function(z) dnorm(z) * pnorm(z)^(k - 1) *
  -expm1((k - 1) * log1p(-pmin(1, pnorm(z - w) / pnorm(z)))), -9, 20, rel.tol = 1e-12, abs.tol = 1e-18, subdivisions = 500)$value
tukey_sf <- function(q, k, df) if (k == 2) 2 * pt(-q / sqrt(2), df) else over_s(function(s) range_sf(q * s, k), df)
modulus_sf <- function(t, m, df) over_s(function(s) -expm1(m * log1p(-2 * pnorm(-t * s))), df)
critical_of <- function(f, alpha) uniroot(function(x) f(x) - alpha, c(1, 8), tol = 1e-12, extendInt = "downX")$root
ncp_f <- function(F, a, b, p) if (pf(F, a, b) <= p) 0 else uniroot(function(l) pf(F, a, b, l) - p, c(0, 50 + 5 * F * a), tol = 1e-12)$root
eta_ci <- function(F, a, b, level) { l <- sapply(c((1 + level) / 2, (1 - level) / 2), function(p) ncp_f(F, a, b, p)); l / (l + b) }

# p and reach of pairs from |t| and df; k means, df2 of the common error.
judge <- function(t, df, how, k, df2, alpha, order_t = NULL) {
  m <- k * (k - 1) / 2; p0 <- 2 * pt(-abs(t), df); each <- function(f) mapply(f, abs(t), df)
  by_df <- function(f) { u <- unique(df); sapply(u, f)[match(df, u)] }
  p <- switch(how, lsd = p0, bonferroni = pmin(1, p0 * m), holm = p.adjust(p0, "holm"), sidak = , tamhane_t2 = -expm1(m * log1p(-p0)),
    scheffe = pf(t^2 / (k - 1), k - 1, df2, lower.tail = FALSE), tukey = , games_howell = each(function(t, f) tukey_sf(t * sqrt(2), k, f)),
    dunnett_t3 = each(function(t, f) modulus_sf(t, m, f)))
  reach <- switch(how, lsd = qt(1 - alpha / 2, df), bonferroni = , holm = qt(1 - alpha / 2 / m, df),
    sidak = , tamhane_t2 = qt(1 - (1 - (1 - alpha)^(1 / m)) / 2, df), scheffe = rep(sqrt((k - 1) * qf(1 - alpha, k - 1, df2)), length(t)),
    tukey = , games_howell = by_df(function(f) if (k == 2) qt(1 - alpha / 2, f) else critical_of(function(t) tukey_sf(t * sqrt(2), k, f), alpha)),
    dunnett_t3 = by_df(function(f) critical_of(function(t) modulus_sf(t, m, f), alpha)))
  list(p = p, reach = reach)
}

eta_bounds <- function(table, where, ci) block(table, where, eta2_low = ci[1], eta2_high = ci[2], tolerance = 1e-6,
  reason = "R's pf(ncp) is accurate to 1e-9: bounds near 0 lose digits")

in_order <- function(x) factor(x, levels = if (is.numeric(x)) sort(unique(x)) else unique(x))
swilk <- "R's swilk.c holds the constants of AS R94 in another precision"

# Rows of the anova table and its record. `terms` as shown ("A × B"), in the order of the formula.
anova_blocks <- function(fit, type, shown, level, y) {
  rdf <- df.residual(fit); N <- length(y); mse <- sum(resid(fit)^2) / rdf; tot <- sum((y - mean(y))^2)
  A <- if (type == "I") anova(fit) else Anova(fit, type = type)
  names <- gsub("`|^\\s+|\\s+$", "", rownames(A)); keep <- !(names %in% c("(Intercept)", "Residuals"))
  out <- list()
  for (i in which(keep)) {
    ss <- A[i, "Sum Sq"]; df <- A[i, "Df"]; F <- ss / df / mse; ci <- eta_ci(F, df, rdf, level)
    out <- c(out, list(block("anova", list(source = shown[[names[i]]]), ss = ss, df = df, df_error = rdf, ms = ss / df, F = F,
      p = pf(F, df, rdf, lower.tail = FALSE), eta2 = ss / (ss + mse * rdf),
      omega = max(0, (ss - df * mse) / (ss + (N - df) * mse))), eta_bounds("anova", list(source = shown[[names[i]]]), ci)))
  }
  if (type == "III") out <- c(out, list(block("anova", list(source = "截距"), ss = A["(Intercept)", "Sum Sq"], df = 1, df_error = rdf,
    F = A["(Intercept)", "F value"], p = pf(A["(Intercept)", "F value"], 1, rdf, lower.tail = FALSE))))
  r2 <- 1 - mse * rdf / tot
  c(out, list(block("anova", list(source = "误差"), ss = mse * rdf, df = rdf, ms = mse),
    block("anova", list(source = "校正总计"), ss = tot, df = N - 1),
    block("fitted", n = N, r2 = r2, adjusted = 1 - (1 - r2) * (N - 1) / rdf, rmse = sqrt(mse))))
}

assumption_blocks <- function(fit, cells, levene = TRUE) {
  h <- leveneTest(resid(fit) ~ cells, center = mean); s <- shapiro.test(resid(fit))
  c(if (levene) list(block("assumptions", list(test = "Levene（残差，均值）"), F = h[1, 2], df1 = h[1, 1], df2 = h[2, 1], p = h[1, 3], tolerance = 1e-7,
      reason = "distances of residuals, whose last digits are those of the fit")),
    list(block("assumptions", list(test = "Shapiro-Wilk（残差）"), statistic = unname(s$statistic), p = s$p.value, tolerance = 1e-6, reason = swilk)))
}

cell_blocks <- function(d, y, factors) {
  cells <- interaction(d[factors], sep = " × ", lex.order = TRUE)
  lapply(levels(droplevels(cells)), function(l) { x <- d[[y]][cells == l]
    if (length(x) > 1) block("cells", list(cell = l), n = length(x), mean = mean(x), sd = sd(x)) else
      block("cells", list(cell = l), n = 1, mean = x) })
}

# Marginal means of each factor and of the interactions, as tables `means` and `joint`.
mean_blocks <- function(fit, d, factors, level, joint = list()) {
  out <- list()
  for (f in factors) { e <- as.data.frame(emmeans(fit, f, level = level))
    for (i in seq_len(nrow(e))) out <- c(out, list(block("means", list(effect = f, level = as.character(e[i, 1])),
      n = sum(d[[f]] == e[i, 1]), mean = e$emmean[i], se = e$SE[i], low = e$lower.CL[i], high = e$upper.CL[i]))) }
  for (j in joint) { e <- as.data.frame(emmeans(fit, j, level = level)); k <- length(j)
    for (i in seq_len(nrow(e))) out <- c(out, list(block("joint", list(effect = paste(j, collapse = " × "),
      level = paste(sapply(e[i, seq_len(k)], as.character), collapse = " × ")),
      mean = e$emmean[i], se = e$SE[i], low = e$lower.CL[i], high = e$upper.CL[i]))) }
  out
}

# Pairs of marginal means; of the unequal kind from cell means with their own variances (`cells`: factors of a full design).
pair_blocks <- function(fit, d, y, factors, how, level) {
  out <- list(); sigma <- sigma(fit); rdf <- df.residual(fit)
  for (f in factors) {
    lv <- levels(d[[f]]); k <- length(lv); ij <- t(combn(k, 2))
    g <- emmeans(fit, f); L <- g@linfct; V <- L %*% vcov(fit) %*% t(L); m <- as.numeric(L %*% g@bhat)
    se <- sqrt(V[cbind(ij[, 1], ij[, 1])] + V[cbind(ij[, 2], ij[, 2])] - 2 * V[ij]); df <- rep(rdf, nrow(ij))
    if (how %in% c("games_howell", "tamhane_t2", "dunnett_t3")) {
      n <- tapply(d[[y]], d[factors], length); v <- tapply(d[[y]], d[factors], var); a <- match(f, factors)
      own <- apply(v / n, a, sum); rest <- apply((v / n)^2 / (n - 1), a, sum); q <- prod(dim(n)) / k
      se <- sqrt(own[ij[, 1]] + own[ij[, 2]]) / q; df <- (own[ij[, 1]] + own[ij[, 2]])^2 / (rest[ij[, 1]] + rest[ij[, 2]])
    }
    diff <- m[ij[, 1]] - m[ij[, 2]]; t <- diff / se; J <- judge(t, df, how, k, rdf, 1 - level)
    for (r in seq_len(nrow(ij))) out <- c(out, list(block("pairs", list(effect = f, first = lv[ij[r, 1]], second = lv[ij[r, 2]]),
      difference = diff[r], se = se[r], t = t[r], df = df[r], p = J$p[r], low = diff[r] - J$reach[r] * se[r],
      high = diff[r] + J$reach[r] * se[r], d = diff[r] / sigma)))
  }
  out
}

letter_blocks <- function(fit, d, f, letters) {
  e <- as.data.frame(emmeans(fit, f))
  lapply(seq_len(nrow(e)), function(i) block("letters", list(effect = f, level = as.character(e[i, 1])), mean = e$emmean[i],
    letters = letters[[as.character(e[i, 1])]]))
}

# Notes that state a convention and claim nothing of the data.
stated <- lapply(c("型平方和。偏 η² 的 CI", "均值差 = 水平I − 水平J", "横轴是“", "组合按 ", "”未给出：", "估计均值是其余因素各水平同等看待", "按估计均值从高到低",
  "点越贴近对角线", "截距一行检验总均值", "误差用全模型的误差均方", "Levene 检验算不出来。", "系数的协方差用 HC3", "Levene 算不出来。"),
  function(x) list(what = x, reason = "a note on how a table is made; no claim about the data"))
said_of <- function(y, title) list("残差：偏度", "看大小：偏 η² 最大的是", "“不显著”不等于没有差异", paste0("采用", title))

# What the lead, the check of homogeneity and the simple effects must say, from the expected rows. `terms` as shown, in the
# order of the model; those with × are interactions.
claims_of <- function(expect, terms, alpha, covariates = 0, simple = TRUE) {
  p <- sapply(terms, function(s) Filter(function(b) b$table == "anova" && identical(b$where$source, s) && !is.null(b$cells$p), expect)[[1]]$cells$p)
  at <- seq_along(terms) - 1; joint <- grepl("×", terms)
  slot <- function(text, i) list(contains = text, facts = setNames(list(unname(p[i])), paste0("p", at[i])))
  out <- list()
  if (any(p[joint] < alpha)) {
    held <- which(joint & p < alpha); parts <- strsplit(terms, " × ")
    for (i in held) if (!any(sapply(held, function(h) h != i && all(parts[[i]] %in% parts[[h]])))) out <- c(out, list(slot("有交互作用（*p*", i)))
    if (simple) out <- c(out, list("固定时看“"))
  } else for (i in which(!joint)[seq_len(sum(!joint) - covariates)])
    out <- c(out, list(slot(if (p[i] < alpha) paste0("“", terms[i], "”各水平的平均值差异有统计学意义（*p*") else paste0("“", terms[i], "”没有发现明显差异（*p*"), i)))
  lev <- Filter(function(b) b$table == "assumptions" && !is.null(b$cells$F), expect)
  if (length(lev)) out <- c(out, list(list(contains = if (lev[[1]]$cells$p < .05) "各组合方差不等" else "没有发现各组合方差不等",
    facts = list(F = lev[[1]]$cells$F, p = lev[[1]]$cells$p), tolerance = 1e-7)))
  out
}

# Everything a factorial design reports, as one case. `joint`: the interactions, each a vector of factors, in the order of
# the model; `extra`: further blocks; dots go to the form.
design_case <- function(name, title, d, factors, y, joint = list(), says = list(), data = NULL, measures = NULL, ..., type = "III",
                        how = "tukey", level = .95, covariates = NULL, random = NULL, letters = list(), levene = TRUE, rows = d,
                        cells = TRUE, extra = function(fit, d) list(), shapiro = TRUE) {
  given <- sub("_$", "", how); stated_how <- how != "tukey"; how <- c(none_ = "lsd", tukey_ = "tukey")[how]; if (is.na(how)) how <- given
  all <- c(factors, random); rows[all] <- lapply(rows[all], in_order); q <- function(x) paste0("`", x, "`")
  right <- c(q(factors), sapply(joint, function(j) paste(q(j), collapse = ":")), q(random)[length(random) > 0], if (length(covariates)) q(covariates))
  fit <- lm(as.formula(paste0(q(y), " ~ ", paste(unlist(right), collapse = " + "))), rows)
  terms <- c(factors, sapply(joint, paste, collapse = " × "), random, covariates)
  shown <- as.list(setNames(unlist(terms), unlist(c(factors, sapply(joint, paste, collapse = ":"), random, covariates))))
  names(shown) <- gsub("`", "", names(shown))
  expect <- c(anova_blocks(fit, type, shown, level, rows[[y]]), if (cells) cell_blocks(rows, y, factors), mean_blocks(fit, rows, factors, level, joint),
    assumption_blocks(fit, interaction(rows[factors]), levene), if (how != "none") pair_blocks(fit, rows, y, factors, how, level))
  many <- factors[sapply(factors, function(f) nlevels(rows[[f]]) > 2)]
  if (!(how %in% c("none", "dunnett"))) for (f in many) { e <- as.data.frame(emmeans(fit, f))
    expect <- c(expect, lapply(seq_len(nrow(e)), function(i) block("letters", list(effect = f, level = as.character(e[i, 1])), mean = e$emmean[i])))
    says <- c(says, list(paste0("“", f, "”的多重比较（"))) }
  expect <- c(expect, extra(fit, rows))
  form <- c(list(y = y, factors = as.list(factors)), if (length(random)) list(random = as.list(random)), if (type != "III") list(ss_type = type),
    if (stated_how) list(post_hoc = given), if (level != .95) list(conf_level = level), if (length(covariates)) list(covariates = as.list(covariates)), list(...))
  case(name, form, expect, c(said_of(y, title), claims_of(expect, unlist(terms)[!(unlist(terms) %in% random)], 1 - level, length(covariates), FALSE), says), data, measures)
}

# The description of groups (`groups`) and pairs of independent groups, for the reports on one factor.
group_blocks <- function(x, g, level) lapply(levels(g), function(l) { v <- x[g == l]; n <- length(v)
  h <- qt((1 + level) / 2, n - 1) * sd(v) / sqrt(n); q <- unname(quantile(v, c(.25, .75), type = 6))
  block("groups", list(group = l), n = n, mean = mean(v), sd = sd(v), variance = var(v), iqr = diff(q), low = mean(v) - h, high = mean(v) + h) })
group_pairs <- function(x, g, how, level, control = NULL) {
  lv <- levels(g); k <- length(lv); n <- as.numeric(table(g)); m <- as.numeric(tapply(x, g, mean)); v <- as.numeric(tapply(x, g, var))
  rdf <- sum(n) - k; mse <- sum((n - 1) * v) / rdf; ij <- t(combn(k, 2)); i <- ij[, 1]; j <- ij[, 2]; diff <- m[i] - m[j]
  unequal <- how %in% c("games_howell", "tamhane_t2", "dunnett_t3"); a <- v[i] / n[i]; b <- v[j] / n[j]
  se <- if (unequal) sqrt(a + b) else sqrt(mse * (1 / n[i] + 1 / n[j])); df <- if (unequal) (a + b)^2 / (a^2 / (n[i] - 1) + b^2 / (n[j] - 1)) else rep(rdf, length(diff))
  t <- diff / se; M <- k * (k - 1) / 2; alpha <- 1 - level
  J <- if (how %in% c("snk", "duncan")) { o <- order(-m); rk <- match(seq_len(k), o); P <- matrix(NA, k, k)
      for (c in 1:(k - 1)) for (e in (c + 1):k) { s <- sqrt(mse / 2 * (1 / n[o[c]] + 1 / n[o[e]])); p <- tukey_sf(abs(m[o[c]] - m[o[e]]) / s, e - c + 1, rdf)
        P[c, e] <- if (how == "duncan") -expm1(log1p(-p) / (e - c)) else p }
      list(p = sapply(seq_along(i), function(r) { h <- sort(rk[ij[r, ]]); max(P[seq_len(h[1]), h[2]:k]) }), reach = rep(NA, length(i)))
    } else if (how %in% c("hochberg_gt2", "gabriel")) { s <- if (how == "gabriel") (1 / sqrt(2 * n[i]) + 1 / sqrt(2 * n[j])) / sqrt(1 / n[i] + 1 / n[j]) else rep(1, length(i))
      list(p = mapply(function(t) modulus_sf(t, M, rdf), abs(t) / s), reach = s * critical_of(function(t) modulus_sf(t, M, rdf), alpha))
    } else judge(t, df, how, k, rdf, alpha)
  sp <- sqrt(((n[i] - 1) * v[i] + (n[j] - 1) * v[j]) / (n[i] + n[j] - 2))
  data.frame(first = lv[i], second = lv[j], m1 = m[i], m2 = m[j], difference = diff, se = se, t = t, df = df, p = J$p, low = diff - J$reach * se, high = diff + J$reach * se, d = diff / sp)
}
