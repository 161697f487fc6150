# Shared by the oracles of designed experiments: a linear model of given columns, its groups, pure error, PRESS, by lm.
# `X` is a named list of columns without the constant (aliased ones allowed, later ones are dropped), `groups` a named
# list of column names, `same` a key for runs at equal settings.
zero <- function(v) ifelse(abs(v) < 1e-11, 0, v)
fit_columns <- function(X, y) {
  M <- as.matrix(as.data.frame(X, check.names = FALSE)); f <- lm(y ~ M); kept <- !is.na(coef(f)[-1])
  M <- M[, kept, drop = FALSE]; names <- colnames(M); f <- lm(y ~ M); list(M = M, names = names, fit = f, y = y, lost = setdiff(names(X), names))
}
rss_without <- function(m, drop) { keep <- !(m$names %in% drop); sum(resid(if (any(keep)) lm(m$y ~ m$M[, keep, drop = FALSE]) else lm(m$y ~ 1))^2) }
variance_blocks <- function(m, groups, same, at = list()) {
  sse <- sum(resid(m$fit)^2); df <- df.residual(m$fit); if (sse < 1e-15 * sum((m$y - mean(m$y))^2)) sse <- 0; mse <- sse / df; out <- list()
  row <- function(source, ss, d, e = mse, de = df, total = FALSE, test = TRUE) { ss <- zero(ss); r <- list("variance", c(list(source = source), at), ss = ss, df = d); if (!total && d > 0) r$ms <- ss / d
    if (test && de > 0 && sse > 0) { r$F <- zero(ss / d / e); r$p <- pf(ss / d / e, d, de, lower.tail = FALSE) }; do.call(block, r) }
  for (g in names(groups)) { own <- intersect(groups[[g]], m$names); if (length(own)) out <- c(out, list(row(g, rss_without(m, own) - sse, length(own)))) }
  out <- c(out, list(row("误差", sse, df, test = FALSE)))
  pe <- lm(m$y ~ factor(same)); sp <- sum(resid(pe)^2); dp <- df.residual(pe); if (length(unique(same)) == length(same)) dp <- 0
  if (dp > 0 && dp < df) out <- c(out, list(row("失拟", sse - sp, df - dp, sp / dp, dp), row("纯误差", sp, dp, test = FALSE)))
  c(out, list(row("合计", sum((m$y - mean(m$y))^2), length(m$y) - 1, total = TRUE, test = FALSE)))
}
summary_block <- function(m, at = list()) { f <- m$fit; df <- df.residual(f); tot <- sum((m$y - mean(m$y))^2); sse <- sum(resid(f)^2); if (df == 0) return(block("summary", at, n = length(m$y), r2 = 1))
  r <- list("summary", at, n = length(m$y), s = sqrt(sse / df), r2 = 1 - sse / tot, adjusted = 1 - sse / df / (tot / (length(m$y) - 1)))
  h <- hatvalues(f); if (max(h) < 1 - 1e-9) { press <- sum((resid(f) / (1 - h))^2); r$predicted <- 1 - press / tot; r$press <- press }; do.call(block, r) }
vif_of <- function(m, j) if (ncol(m$M) == 1) 1 else 1 / (1 - summary(lm(m$M[, j] ~ m$M[, -j]))$r.squared)
