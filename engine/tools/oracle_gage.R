# What the oracles of gage studies share, from the published formulas (AIAG 2010; Graybill & Wang 1980; Ting et al. 1990).
# A script sources oracle.R, oracle_control.R, then this.
d2star <- function(n, g) sqrt(d2(n)^2 + d3(n)^2 / g)
stopifnot(abs(1 / d2star(3, 1) - .5231) < 5e-5, abs(1 / d2star(2, 1) - .7071) < 5e-5, abs(1 / d2star(10, 1) - .3146) < 5e-5, abs(1 / d2(3) - .5908) < 5e-5)
ranged <- function(y, p, o) { m <- tapply(y, list(p, o), mean); R <- tapply(y, list(p, o), function(v) diff(range(v))); r <- length(y) / length(m); g <- length(m)
  ev <- mean(R) / (if (g > 15) d2(r) else d2star(r, g)); c(`repeat` = ev^2, operator = (diff(range(colMeans(m))) / d2star(ncol(m), 1))^2 - ev^2 / (nrow(m) * r), interaction = NA, part = (diff(range(rowMeans(m))) / d2star(nrow(m), 1))^2) }
F_row <- function(where, d, ss, F = NA, p = NA) do.call(block, c(list("anova", where), df = d, ss = ss, Filter(function(x) !is.na(x), list(ms = ss / d, F = F, p = p))))
crossed <- function(y, p, o, pool) {
  d <- data.frame(y, p = factor(p), o = factor(o)); s <- summary(aov(y ~ p * o, d))[[1]]; ss <- s[["Sum Sq"]]; df <- s[["Df"]]; ms <- ss / df; P <- nlevels(d$p); O <- nlevels(d$o); r <- nrow(d) / (P * O)
  one <- function(model, bottom, q, extra) { Fp <- function(i) { F <- ms[i] / ms0[q]; list(F, pf(F, df[i], df0[q], lower.tail = FALSE)) }; w <- function(n) list(model = model, source = n)
    a <- Fp(1); b <- Fp(2); c(list(F_row(w("部件"), df[1], ss[1], a[[1]], a[[2]]), F_row(w("操作者"), df[2], ss[2], b[[1]], b[[2]])), extra, list(block("anova", w("合计"), df = sum(df), ss = sum(ss)))) }
  ms0 <- ms; df0 <- df; pint <- s[["Pr(>F)"]][3]
  out <- one("含交互", 3, 3, list(F_row(list(model = "含交互", source = "部件×操作者"), df[3], ss[3], ms[3] / ms[4], pint), F_row(list(model = "含交互", source = "重复性"), df[4], ss[4])))
  e <- if (pool) (ss[3] + ss[4]) / (df[3] + df[4]) else ms[3]; dfe <- df[3] + df[4]
  if (pool) { ms0[3] <- e; df0[3] <- dfe; out <- c(out, one("不含交互", 3, 3, list(F_row(list(model = "不含交互", source = "重复性"), dfe, ss[3] + ss[4])))) }
  v <- c(`repeat` = if (pool) e else ms[4], operator = (ms[2] - e) / (P * r), interaction = if (pool) NA else (ms[3] - ms[4]) / r, part = (ms[1] - e) / (O * r))
  list(v = v, blocks = out, p = pint, ms = if (pool) c(ms[1:2], NA, e) else ms, df = if (pool) c(df[1:2], NA, dfe) else df, P = P, O = O, r = r, pool = pool)
}
# Bounds of sum(co * ms): co by source (part, operator, interaction, repeat).
mls_one <- function(co, ms, df, level) {
  a <- (1 - level) / 2; k <- which(co != 0 & !is.na(ms)); co <- co[k]; S <- ms[k]; n <- df[k]; g <- sum(co * S); q <- which(co > 0); r <- which(co < 0)
  G <- 1 - 1 / (qchisq(1 - a, n) / n); H <- 1 / (qchisq(a, n) / n) - 1; x <- abs(co) * S
  L <- sum((G[q] * x[q])^2) + sum((H[r] * x[r])^2); U <- sum((H[q] * x[q])^2) + sum((G[r] * x[r])^2)
  for (i in q) for (j in r) { F1 <- qf(1 - a, n[i], n[j]); F2 <- qf(a, n[i], n[j]); L <- L + ((F1 - 1)^2 - G[i]^2 * F1^2 - H[j]^2) / F1 * x[i] * x[j]; U <- U + ((1 - F2)^2 - H[i]^2 * F2^2 - G[j]^2) / F2 * x[i] * x[j] }
  star <- function(s, o) { t <- 0; if (length(s) > 1 && length(o) > 0) for (u in combn(s, 2, simplify = FALSE)) { i <- u[1]; j <- u[2]; w <- (1 - 1 / (qchisq(1 - a, n[i] + n[j]) / (n[i] + n[j])))^2 * (n[i] + n[j])^2 / (n[i] * n[j]) - G[i]^2 * n[i] / n[j] - G[j]^2 * n[j] / n[i]; t <- t + w / (length(s) - 1) * x[i] * x[j] }; t }
  c(g - sqrt(max(0, L + star(q, r))), g + sqrt(max(0, U + star(r, q))))
}
mls <- function(a, level) { P <- a$P; O <- a$O; r <- a$r; z <- if (a$pool) list(`repeat` = c(0, 0, 0, 1), operator = c(0, 1, 0, -1) / (P * r), reproducibility = c(0, 1, 0, -1) / (P * r), gage = c(0, 1, 0, P * r - 1) / (P * r), part = c(1, 0, 0, -1) / (O * r), total = c(1 / (O * r), 1 / (P * r), 0, 1 - 1 / (O * r) - 1 / (P * r)))
  else list(`repeat` = c(0, 0, 0, 1), operator = c(0, 1, -1, 0) / (P * r), interaction = c(0, 0, 1, -1) / r, reproducibility = c(0, 1, P - 1, -P) / (P * r), gage = c(0, 1, P - 1, P * (r - 1)) / (P * r), part = c(1, 0, -1, 0) / (O * r), total = c(1 / (O * r), 1 / (P * r), (P * O - P - O) / (P * O * r), (r - 1) / r))
  lapply(z, mls_one, a$ms, a$df, level) }
NAMES <- c(gage = "合计量具 R&R", `repeat` = "重复性", reproducibility = "再现性", operator = "操作者", interaction = "操作者×部件", part = "部件间", total = "合计变异")
study <- function(v, k = 6, tol = NULL, hist = NULL, bounds = NULL, t = NULL, nested = FALSE) {
  v <- pmax(v, 0); i <- if (is.na(v[["interaction"]])) 0 else v[["interaction"]]; repro <- v[["operator"]] + i; w <- c(gage = v[["repeat"]] + repro, v["repeat"], reproducibility = repro, v["operator"], v["interaction"], v["part"], total = v[["repeat"]] + repro + v[["part"]]); w <- w[!is.na(w)]
  if (nested) w <- w[names(w) != "operator"]; loose <- if (is.null(t)) list() else list(tolerance = 1e-4, reason = t)
  b <- unlist(lapply(names(w), function(s) { ci <- if (is.null(bounds)) NULL else pmax(bounds[[s]], 0); sd <- sqrt(w[[s]])
    list(do.call(block, c(list("components", list(source = NAMES[[s]]), variance = w[[s]], share = 100 * w[[s]] / w[["total"]]), if (!is.null(ci)) list(low = ci[1], high = ci[2]), loose)),
      do.call(block, c(list("evaluation", list(source = NAMES[[s]]), sd = sd, study = k * sd, percent_study = 100 * sd / sqrt(w[["total"]])), if (!is.null(tol)) list(percent_tolerance = 100 * k * sd / tol), if (!is.null(hist)) list(percent_process = 100 * sd / hist), loose))) }), FALSE)
  ndc <- max(1, floor(1.41 * sqrt(v[["part"]] / w[["gage"]]))); of <- if (!is.null(tol)) 100 * k * sqrt(w[["gage"]]) / tol
  share <- 100 * sqrt(w[["gage"]] / w[["total"]])
  list(blocks = c(b, list(block("verdict", list(), ndc = ndc))), share = share, tol = if (is.null(t)) list() else list(tolerance = 1e-4), rep = w[["repeat"]] >= repro,
    checks = Filter(Negate(is.null), list(fact(if (ndc < 5) "分辨部件的能力不够" else "，够用", ndc = ndc), if (!is.null(of)) fact(if (of < 10) "足够精细" else if (of <= 30) "靠近规格限时容易误判" else "不适合判断产品合不合格", of = of))))
}
cells_checks <- function(y, p, o) { R <- tapply(y, list(p, o), function(v) diff(range(v))); n <- tapply(y, list(p, o), length); m <- tapply(y, list(p, o), mean); k <- !is.na(n); R <- R[k]; n <- n[k]; m <- m[k]; if (min(n) < 2) return(list()); D <- sapply(n, d2); s <- mean(R / D); wild <- sum(R > (D + 3 * sapply(n, d3)) * s * (1 + 1e-9)); apart <- mean(abs(m - mean(y)) > 3 * s / sqrt(n))
  list(fact(if (wild) "这些部件重测一次" else "极差图上没有点超出控制限", k = wild), fact(if (apart >= .5) "部件之间的差别看得出来" else "不到一半", share = apart)) }
