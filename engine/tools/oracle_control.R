# What the oracles of control charts share, written from the formulas: constants from R's distribution of the studentised
# range, rules by loops over the points. A script sources oracle.R, then this.

d2 <- function(n) integrate(function(w) 1 - ptukey(w, n, Inf), 0, 12, rel.tol = 1e-11, subdivisions = 2000)$value
d3 <- function(n) sqrt(2 * integrate(function(w) w * (1 - ptukey(w, n, Inf)), 0, 14, rel.tol = 1e-11, subdivisions = 2000)$value - d2(n)^2)
d4 <- function(n) uniroot(function(w) ptukey(w, n, Inf) - .5, c(.1, 6), tol = 1e-13)$root
c4 <- function(n) sqrt(2 / (n - 1)) * gamma(n / 2) / gamma((n - 1) / 2)
stopifnot(abs(d2(2) - 2 / sqrt(pi)) < 1e-9, abs(d2(5) - 2.32593) < 1e-4, abs(d3(5) - .86408) < 1e-4, abs(c4(5) - .93999) < 1e-4)

SAME <- c(gbt = 9, nelson = 9, western_electric = 8, aiag = 7)
RULE <- function(r, set = "gbt") c(`1` = "1 点超出控制限", `2` = paste0("连续 ", SAME[[set]], " 点在中心线同侧"), `3` = "连续 6 点递增或递减", `4` = "连续 14 点上下交替",
  `5` = "3 点中有 2 点在同侧 2σ 以外", `6` = "5 点中有 4 点在同侧 1σ 以外", `7` = "连续 15 点在 1σ 以内", `8` = "连续 8 点在 1σ 以外")[[as.character(r)]]

# Rules broken at point i of v (one phase), looking back only.
broken <- function(v, cl, se, low, high, i, rules, same) {
  back <- function(k) if (i >= k) (i - k + 1):i else NULL
  z <- (v - cl) / se; hit <- c()
  for (r in rules) {
    yes <- switch(r,
      v[i] > high[i] + 1e-9 * abs(high[i]) || v[i] < low[i] - 1e-9 * abs(low[i]),
      { j <- back(same); length(j) > 0 && (all(v[j] > cl[j]) || all(v[j] < cl[j])) },
      { j <- back(6); length(j) > 0 && (all(diff(v[j]) > 0) || all(diff(v[j]) < 0)) },
      { j <- back(14); length(j) > 0 && { d <- sign(diff(v[j])); all(d != 0) && all(d[-1] != d[-length(d)]) } },
      { j <- max(1, i - 2):i; (z[i] > 2 && sum(z[j] > 2) >= 2) || (z[i] < -2 && sum(z[j] < -2) >= 2) },
      { j <- max(1, i - 4):i; (z[i] > 1 && sum(z[j] > 1) >= 4) || (z[i] < -1 && sum(z[j] < -1) >= 4) },
      { j <- back(15); length(j) > 0 && all(abs(z[j]) < 1) },
      { j <- back(8); length(j) > 0 && all(abs(z[j]) > 1) })
    if (isTRUE(yes)) hit <- c(hit, r)
  }
  hit
}

# One panel in phases: v, cl, se, low, high over all points (NA in v where there is none); gives the broken rules of each.
marks <- function(v, cl, se, low, high, phase, rules, same) {
  out <- vector("list", length(v))
  for (p in unique(phase)) { at <- which(phase == p & !is.na(v)); for (i in seq_along(at)) { h <- broken(v[at], cl[at], se[at], low[at], high[at], i, rules, same); if (length(h)) out[[at[i]]] <- h } }
  out
}

# Blocks of all tables of a chart. panels: list(name, v, cl, se, lower, upper, zones, low, high); run: labels, n, phase, rows.
chart_blocks <- function(panels, n, labels = as.character(seq_along(n)), phase = rep("无", length(n)), sigma = NULL, rules = 1, set = "gbt", k = 3, last = FALSE) {
  out <- list()
  for (p in panels) {
    low <- if (is.null(p[["low"]])) p$cl - k * p$se else p[["low"]]; high <- if (is.null(p[["high"]])) p$cl + k * p$se else p[["high"]]
    low <- pmax(low, if (is.null(p$lower)) -Inf else p$lower); high <- pmin(high, if (is.null(p$upper)) Inf else p$upper)
    use <- if (isFALSE(p$zones)) intersect(rules, 1:4) else rules
    m <- marks(p$v, p$cl, p$se, low, high, phase, use, SAME[[set]]); hit <- lengths(m) > 0
    shared <- function(x) if (last && length(unique(n)) == 1) tail(x, 1) else if (diff(range(x)) <= 1e-12 * max(1, abs(x[1]))) x[1] else NULL
    for (q in unique(phase)) { at <- phase == q & !is.na(p$v)
      out <- c(out, list(do.call(block, c(list("control_limits", c(if (q != "无") list(phase = q), list(panel = p$name)), points = sum(at), signals = sum(hit & phase == q)),
        Filter(Negate(is.null), list(cl = shared(p$cl[at]), lcl = shared(low[at]), ucl = shared(high[at]), sigma = if (is.null(sigma)) shared((p$se + 0 * p$v)[at]) else sigma[[q]])))))) }
    for (i in which(!is.na(p$v))) {
      cells <- list(index = i, label = labels[i], n = n[i], value = p$v[i], cl = p$cl[i], lcl = low[i], ucl = high[i])
      out <- c(out, list(do.call(block, c(list("points", list(panel = p$name, index = i)), cells, if (hit[i]) list(signal = paste0("准则 ", paste(m[[i]], collapse = "、")))))))
      if (hit[i]) out <- c(out, list(do.call(block, c(list("signals", list(panel = p$name, index = i)), cells[names(cells) != "n"], list(rules = paste(sapply(m[[i]], function(r) paste0("准则 ", r, "：", RULE(r, set))), collapse = "；"))))))
    }
  }
  out
}

groups <- function(x, g) { ok <- !is.na(x) & !is.na(g); split(x[ok], factor(g[ok], unique(g[ok]))) }

# The points limits rest on: all, or those of the baseline phase, whose limits then hold for all.
based <- function(phase, base) if (is.null(base)) rep(TRUE, length(phase)) else phase == base
frozen <- function(base, n) fact("其余阶段的点按它判断", v = base, n = n)

# X̄ with R or S of a list of subgroups, in phases; `drop`: limits again without the points beyond them, until all are within.
xbar_chart <- function(G, spread = "R", phase = rep("无", length(G)), way = "own", rules = 1, set = "gbt", k = 3, centre = NULL, sigma = NULL, drop = FALSE, base = NULL) {
  n <- unname(lengths(G)); m <- unname(sapply(G, mean)); N <- pmax(n, 2)
  v <- unname(sapply(G, function(x) if (length(x) < 2) NA else if (spread == "R") diff(range(x)) else sd(x)))
  mid <- sapply(N, if (spread == "R") d2 else c4); wide <- if (spread == "R") sapply(N, d3) else sqrt(1 - mid^2)
  keep <- based(phase, base); ph <- if (is.null(base)) phase else rep(base, length(G)); s <- c0 <- numeric(length(G)); sig <- list()
  repeat {
    for (q in unique(ph)) {
      i <- which(keep & ph == q & n > 1); at <- ph == q
      sig[[q]] <- if (!is.null(sigma)) sigma else if (way == "own") mean(v[i] / mid[i]) else sqrt(sum(sapply(G[i], function(x) sum((x - mean(x))^2))) / sum(n[i] - 1))
      s[at] <- sig[[q]]; c0[at] <- if (is.null(centre)) mean(unlist(G[keep & ph == q])) else centre
    }
    if (!is.null(base)) for (q in unique(phase)) sig[[q]] <- sig[[base]]
    P <- list(list(name = "均值", v = m, cl = c0, se = s / sqrt(n)), list(name = if (spread == "R") "极差" else "标准差", v = v, cl = mid * s, se = wide * s, lower = 0, zones = FALSE))
    out <- Reduce(`|`, lapply(P, function(p) { y <- abs(p$v - p$cl) > k * p$se + 1e-9 * abs(p$cl); y[is.na(y)] <- FALSE; y }))
    now <- keep & !out
    if (!drop || all(now == keep)) break
    keep <- now
  }
  b <- chart_blocks(P, n, names(G), phase, sig, rules, set, k)
  for (q in sort(unique(n[n > 1]))) {
    w <- if (spread == "R") k * d3(q) / d2(q) else k * sqrt(1 - c4(q)^2) / c4(q); A <- k / ((if (spread == "R") d2(q) else c4(q)) * sqrt(q))
    b <- c(b, list(if (spread == "R") block("constants", list(n = q), n = q, d2 = d2(q), A2 = A, D3 = max(0, 1 - w), D4 = 1 + w) else block("constants", list(n = q), n = q, c4 = c4(q), A3 = A, B3 = max(0, 1 - w), B4 = 1 + w)))
  }
  b
}

# Individuals: x and the moving ranges of w values, in phases.
imr_chart <- function(x, w = 2, labels = as.character(seq_along(x)), phase = rep("无", length(x)), way = "mean", rules = 1, set = "gbt", k = 3, centre = NULL, sigma = NULL, drop = FALSE, base = NULL) {
  mr <- sapply(seq_along(x), function(i) if (i < w || length(unique(phase[(i - w + 1):i])) > 1) NA else diff(range(x[(i - w + 1):i])))
  keep <- based(phase, base); ph <- if (is.null(base)) phase else rep(base, length(x)); s <- c0 <- numeric(length(x)); sig <- list()
  repeat {
    for (q in unique(ph)) { at <- ph == q; r <- mr[keep & at]; r <- r[!is.na(r)]
      sig[[q]] <- if (!is.null(sigma)) sigma else if (way == "mean") mean(r) / d2(w) else median(r) / d4(w)
      s[at] <- sig[[q]]; c0[at] <- if (is.null(centre)) mean(x[keep & at]) else centre }
    if (!is.null(base)) for (q in unique(phase)) sig[[q]] <- sig[[base]]
    out <- abs(x - c0) > k * s + 1e-9 * abs(c0); b <- mr > (d2(w) + k * d3(w)) * s + 1e-9; b[is.na(b)] <- FALSE; now <- keep & !(out | b)
    if (!drop || all(now == keep)) break
    keep <- now
  }
  chart_blocks(list(list(name = "单值", v = x, cl = c0, se = s), list(name = "移动极差", v = mr, cl = d2(w) * s, se = d3(w) * s, lower = 0, zones = FALSE)), rep(1, length(x)), labels, phase, sig, rules, set, k)
}

# Laney's σ_z by phase.
laney <- function(z, phase) { out <- numeric(length(z)); for (q in unique(phase)) out[phase == q] <- mean(abs(diff(z[phase == q]))) / (2 / sqrt(pi)); out }
