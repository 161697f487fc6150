# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2, jsonlite, numDeriv; PSPP 1.6.2 checks the measures)
# chisq.test, fisher.test, mantelhaen.test; standard errors by the delta method with numerical derivatives (numDeriv::grad).
suppressMessages({ library(jsonlite); library(numDeriv) })
invisible(Sys.setlocale("LC_ALL", "C.UTF-8"))
E <- setNames(list(), character())
hair <- read.csv("example.csv")

set.seed(23)
n <- 150
jobs <- matrix(c(1, 2, 1, 0, 3, 3, 6, 1, 10, 10, 14, 9, 6, 7, 12, 11), 4, 4)
job <- expand.grid(收入档 = 1:4, 满意度 = 1:4)[rep(1:16, as.vector(jobs)), ]
small <- data.frame(
  处理 = sample(c("新药", "对照"), n, TRUE), 中心 = rep(c("甲", "乙", "丙"), c(60, 60, 30)), 城市 = sample(paste0("城", 1:8), n, TRUE),
  品牌 = sample(paste0("牌", 1:7), n, TRUE), 收入档 = NA, 满意度 = NA)
small$结局 <- ifelse(runif(n) < ifelse(small$处理 == "新药", .7, .4), "有效", "无效")
small$少见 <- ifelse(seq_len(n) %in% c(3, 9, 40, 77, 100, 121, 149), "是", "否")
small$收入档[1:96] <- job$收入档; small$满意度[1:96] <- job$满意度
small$复查 <- ifelse(seq_len(n) <= 18, rep(c("阳", "阴", "阴"), 6), NA)
write.csv(small, "oracle-small.csv", row.names = FALSE, quote = FALSE, na = "")
small <- read.csv("oracle-small.csv", na.strings = "")

# ---- statistics -----------------------------------------------------------------------------------------------------
expected <- function(t) outer(rowSums(t), colSums(t)) / sum(t)
v_ci <- function(t, level) {
  q <- unname(suppressWarnings(chisq.test(t, correct = FALSE))$statistic); df <- (nrow(t) - 1) * (ncol(t) - 1); s <- sum(t) * (min(dim(t)) - 1)
  bound <- function(p) if (pchisq(q, df) <= p) 0 else uniroot(function(l) pchisq(q, df, ncp = l) - p, c(0, 10 * q + 100), tol = 1e-13)$root
  a <- (1 - level) / 2; v <- sqrt(q / s)
  c(v, min(v, sqrt(bound(1 - a) / s)), max(v, min(1, sqrt(bound(a) / s))))
}
pairs_of <- function(t) {
  C <- D <- 0 * t; r <- nrow(t); k <- ncol(t)
  for (i in 1:r) for (j in 1:k) {
    C[i, j] <- sum(t[seq_len(i - 1), seq_len(j - 1)]) + sum(t[seq_len(r) > i, seq_len(k) > j])
    D[i, j] <- sum(t[seq_len(i - 1), seq_len(k) > j]) + sum(t[seq_len(r) > i, seq_len(j - 1)])
  }
  list(C = C, D = D, P = sum(t * C), Q = sum(t * D))
}
H <- function(p) -sum(ifelse(p > 0, p * log(p), 0))
theta <- list(
  gamma = function(t) { p <- pairs_of(t); (p$P - p$Q) / (p$P + p$Q) },
  tau_b = function(t) { p <- pairs_of(t); m <- sum(t)^2; (p$P - p$Q) / sqrt((m - sum(rowSums(t)^2)) * (m - sum(colSums(t)^2))) },
  tau_c = function(t) { p <- pairs_of(t); k <- min(dim(t)); k * (p$P - p$Q) / (sum(t)^2 * (k - 1)) },
  d_both = function(t) { p <- pairs_of(t); m <- sum(t)^2; (p$P - p$Q) / (m - (sum(rowSums(t)^2) + sum(colSums(t)^2)) / 2) },
  d_rows = function(t) { p <- pairs_of(t); (p$P - p$Q) / (sum(t)^2 - sum(colSums(t)^2)) },
  d_columns = function(t) { p <- pairs_of(t); (p$P - p$Q) / (sum(t)^2 - sum(rowSums(t)^2)) },
  # Which cells are largest is read from `s`, the table itself, while `t` moves: the first of equal ones, as the tables print.
  l_columns = function(t, s = t) { a <- sum(t[cbind(1:nrow(s), apply(s, 1, which.max))]); m <- sum(t[, which.max(colSums(s))]); (a - m) / (sum(t) - m) },
  l_rows = function(t, s = t) theta$l_columns(base::t(t), base::t(s)),
  l_both = function(t, s = t) { a <- sum(t[cbind(1:nrow(s), apply(s, 1, which.max))]) + sum(t[cbind(apply(s, 2, which.max), 1:ncol(s))])
    m <- sum(t[, which.max(colSums(s))]) + sum(t[which.max(rowSums(s)), ]); (a - m) / (2 * sum(t) - m) },
  g_columns = function(t) { m <- sum(t); s <- sum(colSums(t)^2); (m * sum(t^2 / rowSums(t)) - s) / (m^2 - s) },
  g_rows = function(t) { m <- sum(t); s <- sum(rowSums(t)^2); (m * sum(t(t)^2 / colSums(t)) - s) / (m^2 - s) },
  u_columns = function(t) { p <- t / sum(t); (H(rowSums(p)) + H(colSums(p)) - H(p)) / H(colSums(p)) },
  u_rows = function(t) { p <- t / sum(t); (H(rowSums(p)) + H(colSums(p)) - H(p)) / H(rowSums(p)) },
  u_both = function(t) { p <- t / sum(t); 2 * (H(rowSums(p)) + H(colSums(p)) - H(p)) / (H(rowSums(p)) + H(colSums(p))) },
  kappa = function(t) { p <- t / sum(t); e <- sum(rowSums(p) * colSums(p)); (sum(diag(p)) - e) / (1 - e) })
ase <- function(f, t) {
  # An empty cell counts nothing in the sum, so it is left out of the derivative (entropy has none there).
  held <- as.vector(t) > 0
  own <- if (length(formals(f)) > 1) function(u) f(u, t) else f
  g <- grad(function(x) { u <- t; u[held] <- x; own(u) }, t[held], method.args = list(r = 6, eps = 1e-3))
  w <- t[held]; sqrt(sum(w * g^2) - sum(w * g)^2 / sum(w))
}
null_ase <- function(name, t) {
  m <- sum(t); p <- pairs_of(t); s <- sqrt(sum(t * (p$C - p$D)^2) - (p$P - p$Q)^2 / m)
  rt <- m^2 - sum(rowSums(t)^2); ct <- m^2 - sum(colSums(t)^2); k <- min(dim(t))
  within <- function(u) { d <- 0 * u; d[cbind(1:nrow(u), apply(u, 1, which.max))] <- 1; d }
  side <- function(u) { d <- 0 * u; d[, which.max(colSums(u))] <- 1; d }
  lam <- function(d, whole, guess) { gain <- sum(t * d); sqrt(sum(t * d^2) - gain^2 / m) / (whole - guess) }
  dc <- within(t) - side(t); dr <- t(within(t(t)) - side(t(t)))
  q <- rowSums(t) / m; w <- colSums(t) / m; e <- sum(q * w)
  switch(name, gamma = 2 * s / (p$P + p$Q), tau_b = 2 * s / sqrt(rt * ct), tau_c = 2 * k * s / ((k - 1) * m^2), d_both = 4 * s / (rt + ct),
    d_rows = 2 * s / ct, d_columns = 2 * s / rt, l_columns = lam(dc, m, max(colSums(t))), l_rows = lam(dr, m, max(rowSums(t))),
    l_both = lam(dc + dr, 2 * m, max(colSums(t)) + max(rowSums(t))), kappa = sqrt(e + e^2 - sum(q * w * (q + w))) / ((1 - e) * sqrt(m)), NULL)
}
measure <- function(name, t, level, least = -1) {
  v <- theta[[name]](t); a <- ase(theta[[name]], t); z <- qnorm(1 - (1 - level) / 2)
  out <- list(value = v, low = max(least, v - z * a), high = min(1, v + z * a), ase = a)
  a0 <- null_ase(name, t); m <- sum(t); df <- (nrow(t) - 1) * (ncol(t) - 1)
  if (!is.null(a0) && a0 > 1e-14) out <- c(out, list(t = v / a0, p = 2 * pnorm(-abs(v / a0))))
  if (name == "g_columns") out$p <- pchisq((m - 1) * (ncol(t) - 1) * v, df, lower.tail = FALSE)
  if (name == "g_rows") out$p <- pchisq((m - 1) * (nrow(t) - 1) * v, df, lower.tail = FALSE)
  if (startsWith(name, "u_")) out$p <- pchisq(g2(t), df, lower.tail = FALSE)
  out
}
g2 <- function(t) { e <- expected(t); 2 * sum(ifelse(t > 0, t * log(t / e), 0)) }
eta_of <- function(t, s) { w <- rep(s, colSums(t)); g <- unlist(lapply(seq_len(ncol(t)), function(j) rep(seq_len(nrow(t)), t[, j]))); m <- tapply(w, g, mean); sqrt(sum(tabulate(g) * (m - mean(w))^2) / sum((w - mean(w))^2)) }

pspp_agrees <- function() {
  sps <- tempfile(fileext = ".sps"); out <- tempfile(fileext = ".csv")
  writeLines(c("SET DECIMAL=DOT.", "SET FORMAT=F20.10.", "DATA LIST FREE /x y.", "BEGIN DATA.", paste(job$收入档, job$满意度), "END DATA.", "CROSSTABS x BY y /STATISTICS=ALL."), sps)
  if (system2("pspp", c("-O", "format=csv", "-o", out, sps), stdout = NULL) != 0) stop("PSPP failed")
  lines <- readLines(out)
  read <- function(word, after, k) { i <- grep(word, lines, fixed = TRUE)[1] + after; f <- strsplit(lines[i], ",")[[1]]; as.numeric(f[k]) }
  g <- function(name) measure(name, jobs, .95)
  near <- function(a, b) stopifnot(all(abs(a - b) < 2e-10))
  near(read("Pearson Chi-Square", 0, 2), suppressWarnings(chisq.test(jobs))$statistic); near(read("Likelihood Ratio", 0, 2), g2(jobs))
  for (one in list(c("tau-b", "tau_b"), c("tau-c", "tau_c"), c("Gamma", "gamma"))) near(sapply(3:5, function(k) read(paste0(",", if (one[1] == "Gamma") "" else "Kendall's ", one[1]), 0, k)), unlist(g(one[2])[c("value", "ase", "t")]))
  near(sapply(4:6, function(k) read("Lambda,Symmetric", 0, k)), unlist(g("l_both")[c("value", "ase", "t")])); near(sapply(4:6, function(k) read("Lambda,Symmetric", 2, k)), unlist(g("l_columns")[c("value", "ase", "t")]))
  near(sapply(4:5, function(k) read("Uncertainty", 0, k)), unlist(g("u_both")[c("value", "ase")])); near(sapply(4:5, function(k) read("Uncertainty", 1, k)), unlist(g("u_rows")[c("value", "ase")]))
  near(read("Kruskal tau", 0, 4), theta$g_rows(jobs)); near(sapply(4:6, function(k) read("Somers' d", 1, k)), unlist(g("d_rows")[c("value", "ase", "t")]))
  near(c(read("Kappa", 0, 3), read("Kappa", 0, 5)), unlist(g("kappa")[c("value", "t")])); near(read("Eta,x Dependent", 0, 4), eta_of(t(jobs), 1:4))
}
pspp_agrees()

# ---- blocks ---------------------------------------------------------------------------------------------------------
block <- function(.table, .where, .cells, .at = NULL) c(list(table = .table, where = .where, cells = .cells), if (!is.null(.at)) list(at = .at))
# Categories in the order of the whole file.
tab <- function(data, x, y, w, whole = data) {
  keep <- !is.na(data[[x]]) & !is.na(data[[y]]); order <- function(v) if (is.numeric(v)) sort(unique(v)) else unique(v)
  t <- xtabs(w[keep] ~ factor(data[[x]][keep], order(na.omit(whole[[x]]))) + factor(data[[y]][keep], order(na.omit(whole[[y]]))))
  t <- matrix(as.numeric(t), nrow(t), dimnames = list(rownames(t), colnames(t))); t[rowSums(t) > 0, colSums(t) > 0, drop = FALSE]
}
exact_of <- function(t) fisher.test(t, workspace = 2e8)$p.value
numbers_of <- function(t, o, layer = NULL, missing = 0) {
  at <- o$at; L <- function(...) c(if (!is.null(layer)) list(layer = layer), list(...)); m <- sum(t); e <- expected(t); two <- all(dim(t) == 2)
  z <- suppressWarnings(chisq.test(t, correct = FALSE)$stdres); out <- list()
  full <- rbind(t, 合计 = colSums(t)); full <- cbind(full, 合计 = rowSums(full))
  for (i in rownames(full)) {
    cells <- list()
    for (j in colnames(full)) {
      cells[[paste0("n@", j)]] <- full[i, j]
      if ("row" %in% o$percent) cells[[paste0("row@", j)]] <- full[i, j] / full[i, "合计"]
      if ("col" %in% o$percent) cells[[paste0("col@", j)]] <- full[i, j] / full["合计", j]
      if ("total" %in% o$percent) cells[[paste0("share@", j)]] <- full[i, j] / m
    }
    out <- c(out, list(block("cross", L(level = i), cells, at)))
  }
  for (i in rownames(t)) for (j in colnames(t)) out <- c(out, list(block("cells", L(row = i, column = j),
    list(n = t[i, j], expected = e[i, j], residual = z[i, j], p = 2 * pnorm(-abs(z[i, j]))), at)))
  plain <- suppressWarnings(chisq.test(t, correct = FALSE)); df <- unname(plain$parameter)
  out <- c(out, list(block("tests", L(test = "Pearson χ²"), list(value = unname(plain$statistic), df = df, p = plain$p.value), at),
    block("tests", L(test = "似然比 χ²"), list(value = g2(t), df = df, p = pchisq(g2(t), df, lower.tail = FALSE)), at),
    block("expectations", c(E, L()), list(n = m, missing = missing, cells = length(t), low = sum(e < 5), share = mean(e < 5), least = min(e)), at)))
  if (two) { y <- suppressWarnings(chisq.test(t)); out <- c(out, list(block("tests", L(test = "连续校正 χ²（Yates）"), list(value = if (y$statistic < 1e-20) 0 else unname(y$statistic), df = 1, p = y$p.value), at))) }
  if (o$exact && (two || isTRUE(o$list))) out <- c(out, list(block("tests", L(test = if (two) "Fisher 精确" else "Fisher-Freeman-Halton 精确"), list(p = exact_of(t)), at)))
  if (isTRUE(o$ordered)) {
    a <- rep(as.numeric(rownames(t))[row(t)], t); b <- rep(as.numeric(colnames(t))[col(t)], t); s <- (m - 1) * cor(a, b)^2
    out <- c(out, list(block("tests", L(test = "线性-线性关联"), list(value = s, df = 1, p = pchisq(s, 1, lower.tail = FALSE)), at)))
  }
  x2 <- unname(plain$statistic); v <- v_ci(t, o$level)
  phi <- if (two) (t[1] * t[4] - t[2] * t[3]) / sqrt(prod(rowSums(t), colSums(t))) else sqrt(x2 / m)
  if ("phi" %in% o$keys) out <- c(out, list(block("symmetric", L(measure = "Phi (φ)"), list(value = phi, p = plain$p.value), at)))
  if ("cramer_v" %in% o$keys) out <- c(out, list(block("symmetric", L(measure = "Cramér's V"), list(value = v[1], low = v[2], high = v[3], p = plain$p.value), at)))
  if ("contingency" %in% o$keys) out <- c(out, list(block("symmetric", L(measure = "列联系数 C"), list(value = sqrt(x2 / (x2 + m)), p = plain$p.value), at)))
  if (isTRUE(o$ordered)) for (one in list(c("gamma", "Gamma"), c("tau_b", "Kendall tau-b"), c("tau_c", "Kendall tau-c")))
    out <- c(out, list(block("symmetric", L(measure = one[2]), measure(one[1], t, o$level), at)))
  if (isTRUE(o$ordered)) out <- c(out, list(block("symmetric", L(measure = "Kappa"), measure("kappa", t, o$level), at)),
    list(block("directional", L(measure = "Eta", depends = paste(o$x, "为因变量")), list(value = eta_of(t(t), as.numeric(rownames(t)))), at),
         block("directional", L(measure = "Eta", depends = paste(o$y, "为因变量")), list(value = eta_of(t, as.numeric(colnames(t)))), at)))
  sides <- c(both = "对称", rows = paste(o$x, "为因变量"), columns = paste(o$y, "为因变量"))
  for (one in c(if ("lambda" %in% o$keys) "l", if ("gk_tau" %in% o$keys) "g", if ("uncertainty" %in% o$keys) "u", if (isTRUE(o$ordered)) "d")) for (key in names(sides)) {
    if (one == "g" && key == "both") next
    title <- c(l = "Lambda (λ)", g = "Goodman-Kruskal tau", u = "不确定性系数", d = "Somers d")[[one]]
    out <- c(out, list(block("directional", L(measure = title, depends = sides[[key]]), measure(paste0(one, "_", key), t, o$level, if (one == "d") -1 else 0), at)))
  }
  if (two && "risk" %in% o$keys) {
    zc <- qnorm(1 - (1 - o$level) / 2); r <- rowSums(t)
    ratio <- function(name, log, var) block("risk", L(measure = name), list(value = exp(log), low = exp(log - zc * sqrt(var)), high = exp(log + zc * sqrt(var))), at)
    out <- c(out, list(ratio("比值比 OR", log(t[1, 1] * t[2, 2] / (t[1, 2] * t[2, 1])), sum(1 / t))))
    for (j in 1:2) out <- c(out, list(ratio(sprintf("相对危险度 RR（“%s”）", colnames(t)[j]), log((t[1, j] / r[1]) / (t[2, j] / r[2])), unname(1 / t[1, j] - 1 / r[1] + 1 / t[2, j] - 1 / r[2]))))
  }
  out
}
strata_of <- function(tables, level) {
  a <- array(unlist(tables), c(2, 2, length(tables))); mh <- mantelhaen.test(a, correct = FALSE, conf.level = level); or <- unname(mh$estimate)
  s <- sapply(tables, function(t) { r <- sum(t[1, ]); c <- sum(t[, 1]); m <- sum(t)
    f <- uniroot(function(x) x * (m - r - c + x) - or * (r - x) * (c - x), c(max(0, r + c - m), min(r, c)), tol = 1e-14)$root
    c(t[1, 1] - f, 1 / (1 / f + 1 / (r - f) + 1 / (c - f) + 1 / (m - r - c + f))) })
  bd <- sum(s[1, ]^2 / s[2, ]) - sum(s[1, ])^2 / sum(s[2, ]); k <- length(tables) - 1
  list(block("strata", list(test = "Mantel-Haenszel 合并OR"), list(value = or, low = mh$conf.int[1], high = mh$conf.int[2])),
    block("strata", list(test = "条件独立（Cochran-Mantel-Haenszel χ²，不作连续校正）"), list(value = unname(mh$statistic), df = 1, p = mh$p.value)),
    block("strata", list(test = "各层OR齐性（Breslow-Day，Tarone校正）"), list(value = bd, df = k, p = pchisq(bd, k, lower.tail = FALSE))))
}
EVERY <- c("phi", "cramer_v", "contingency", "lambda", "gk_tau", "uncertainty", "gamma", "tau_b", "tau_c", "somers_d", "eta", "kappa", "risk")
USUAL <- c("phi", "cramer_v", "contingency")
opts <- function(x, y, keys = USUAL, percent = "row", level = .95, exact = TRUE, ...) list(x = x, y = y, keys = keys, percent = percent, level = level, exact = exact, ...)
fact <- function(contains, ...) list(contains = contains, facts = list(...))
w <- hair$人数; one <- rep(1, nrow(small))
T <- tab(hair, "发色", "眼色", w); sexes <- lapply(c(男 = "男", 女 = "女"), function(s) tab(hair[hair$性别 == s, ], "发色", "眼色", w[hair$性别 == s], hair))
v <- v_ci(T, .95); o1 <- opts("发色", "眼色", EVERY, c("row", "col", "total"))
D <- tab(small, "处理", "结局", one); centres <- lapply(c(甲 = "甲", 乙 = "乙", 丙 = "丙"), function(s) tab(small[small$中心 == s, ], "处理", "结局", one[small$中心 == s], small))
o2 <- opts("处理", "结局", c(USUAL, "risk"), level = .9); dv <- v_ci(D, .9)
J <- tab(small, "收入档", "满意度", one); o3 <- opts("收入档", "满意度", EVERY, ordered = TRUE, list = TRUE)
B <- tab(small, "处理", "少见", one); R <- tab(small, "处理", "复查", one)
share <- function(t, i, j) t[i, j] / sum(t[i, ])
Y <- suppressWarnings(chisq.test(B)); S <- tab(small, "城市", "品牌", one); SR <- abs(suppressWarnings(chisq.test(S))$stdres); top <- which(SR == max(SR), TRUE)
measures <- list(收入档 = "定量", 满意度 = "定量")
layered <- function(whole, parts, o) c(do.call(c, lapply(names(parts), function(s) numbers_of(parts[[s]], o, s))), numbers_of(whole, o, "全部"))

# ---- a question of several answers: each option chosen or not against the groups, p by Holm (p.adjust) ---------------
set.seed(57)
m <- 240
asked <- data.frame(组别 = sample(c("甲", "乙", "丙"), m, TRUE), 校区 = sample(c("东", "西"), m, TRUE), 份数 = sample(1:3, m, TRUE))
lean <- c(甲 = .25, 乙 = .5, 丙 = .75)[asked$组别]
picked <- cbind(微信 = rbinom(m, 1, lean), 微博 = rbinom(m, 1, .4), 抖音 = rbinom(m, 1, .5), 电视 = rbinom(m, 1, .03), 报纸 = 0)
picked[1:12, ] <- NA; picked[13:20, 2] <- NA
items <- paste0("渠道(", colnames(picked), ")"); asked[items] <- picked; asked$组别[30:33] <- NA
write.csv(asked, "oracle-answers.csv", row.names = FALSE, quote = FALSE, na = "")
asked <- read.csv("oracle-answers.csv", na.strings = "", check.names = FALSE)
K <- as.matrix(asked[items]); answered <- rowSums(!is.na(K)) > 0; K <- K == 1 & !is.na(K); colnames(K) <- colnames(picked)
answers_of <- function(by, base, w, in_rows, layer = NULL, held = TRUE, at = NULL, bars = FALSE) {
  g <- asked[[by]]; keep <- base & held & !is.na(g); groups <- unique(na.omit(g)); groups <- groups[groups %in% g[keep]]
  t <- sapply(groups, function(s) colSums(K[keep & g == s, , drop = FALSE] * w[keep & g == s])); people <- sapply(groups, function(s) sum(w[keep & g == s]))
  L <- function(...) c(if (!is.null(layer)) list(layer = layer), list(...))
  full <- cbind(t, 合计 = rowSums(t)); whole <- c(people, 合计 = sum(people)); sums <- colSums(full); out <- list()
  put <- function(level, cells) block("choices", L(level = level), cells, at)
  share <- function(n, j, head) setNames(list(n, n / sums[[j]], n / whole[[j]]), paste0(c("n@", "responses@", "cases@"), head))
  if (in_rows) {
    for (o in rownames(full)) out <- c(out, list(put(o, do.call(c, lapply(colnames(full), function(j) share(full[o, j], j, j))))))
    out <- c(out, list(put("合计", do.call(c, lapply(colnames(full), function(j) share(sums[[j]], j, j)))), put("人数", as.list(setNames(whole, paste0("n@", names(whole)))))))
  } else for (j in colnames(full)) out <- c(out, list(put(j, c(do.call(c, lapply(rownames(full), function(o) share(full[o, j], j, o))), share(sums[[j]], j, "合计"), list("n@人数" = whole[[j]])))))
  test <- lapply(rownames(t), function(o) {
    x <- rbind(t[o, ], people - t[o, ]); if (any(rowSums(x) == 0)) return(NULL)
    e <- expected(x); two <- ncol(x) == 2; plain <- suppressWarnings(chisq.test(x, correct = FALSE)); v <- sqrt(unname(plain$statistic) / sum(x))
    exact <- if (two) min(e) < 5 && !(sum(x) >= 40 && min(e) >= 1) else mean(e < 5) > .2 || min(e) < 1
    if (exact) return(list(test = if (two) "Fisher 精确" else "Fisher-Freeman-Halton 精确", p = exact_of(x), v = v))
    if (two && min(e) < 5) { y <- suppressWarnings(chisq.test(x)); return(list(test = "连续校正 χ²", value = if (y$statistic < 1e-20) 0 else unname(y$statistic), df = 1, p = y$p.value, v = v)) }
    list(test = "Pearson χ²", value = unname(plain$statistic), df = unname(plain$parameter), p = plain$p.value, v = v)
  })
  names(test) <- rownames(t); held <- p.adjust(unlist(lapply(test, `[[`, "p")), "holm")
  for (o in rownames(t)) out <- c(out, list(if (is.null(test[[o]])) block("option_tests", L(option = o, test = "不能检验"), list(p = NA), at) else block("option_tests", L(option = o), c(test[[o]], holm = held[[o]]), at)))
  if (bars) for (o in rownames(t)) for (s in groups) out <- c(out, list(block("reach", list(option = o, series = s), list(cases = t[o, s] / people[[s]]), at)))
  attr(out, "holm") <- held; attr(out, "shares") <- t / rep(people, each = nrow(t)); attr(out, "n") <- sum(people); out
}
channel <- list(set = "s1", name = "渠道", columns = items, counted = 1); kinds <- as.list(setNames(rep("定类", 5), items))
A <- answers_of("组别", answered, rep(1, m), TRUE, bars = TRUE); least <- function(x) min(attr(x, "holm"))
differing <- function(x) paste0("“", names(which(attr(x, "holm") < .05)), "”", collapse = "")
# The option told of is the one whose shares lie furthest apart among those that differ.
told <- function(x) { f <- names(which(attr(x, "holm") < .05)); f[which.max(apply(attr(x, "shares")[f, , drop = FALSE], 1, function(s) diff(range(s))))] }
campus <- answers_of("校区", answered, rep(1, m), TRUE); widest <- { u <- attr(campus, "shares"); u[which.max(apply(u[rowSums(u) > 0, ], 1, function(s) diff(range(s)))), ] }
parts <- do.call(c, lapply(c("西", "东"), function(s) answers_of("组别", rowSums(K) > 0, asked$份数, FALSE, s, asked$校区 == s)))
W <- answers_of("组别", rowSums(K) > 0, asked$份数, FALSE, "全部"); wide <- attr(A, "shares")["微信", ]

cases <- list(
  list(name = "发色与眼色，按性别分层，全部度量", form = list(rows = list("发色"), columns = list("眼色"), layer = "性别", weight = "人数", association = EVERY, percent = c("row", "col", "total")),
    expect = c(layered(T, sexes, o1), list(list(table = "tiles", where = list(within = "蓝", x = "金"), cells = list(n = 94, residual = unname(chisq.test(T)$stdres["金", "蓝"]))),
      list(table = "stacks", where = list(series = "蓝", x = "金"), cells = list(share = 94 / 127)))),
    says = list(fact("“眼色”为“蓝”的比例，在“金”组为 {s1:percent1}，高于全体的", s1 = 94 / 127, s0 = 215 / 592, n = 592, df = 9, v = v[1], v_low = v[2], v_high = v[3], layers = 2),
      "各层内都有关联", "强度中等到大", "先看百分比", fact("采用 Pearson χ² 检验", chi = unname(chisq.test(T)$statistic)), "“发色”与“眼色”有关联", fact("按“性别”分层", n0 = 279, n1 = 313, v0 = v_ci(sexes$男, .95)[1]), "辛普森悖论",
      "频数为权重“人数”的合计", "论文报告“采用”一行", "没有列出精确检验的表", "调整残差近似服从", "CI 的置信水平", "横轴为行变量的各类", fact("“女”层有 {low:integer} 个单元格", low = 1, share = 1 / 16), "没有缺失值", "互不影响",
      "只在两个变量都有次序时给出", "Kappa 只在", "Eta 只在", "OR 与 RR 只在", "“风险估计”未给出", "“分层合并”未给出")),
  list(name = "处理与结局，三个中心，OR与RR，90%", form = list(rows = list("处理"), columns = list("结局"), layer = "中心", association = c(USUAL, "risk"), conf_level = .9), data = "oracle-small.csv", measures = measures,
    expect = c(layered(D, centres, o2), strata_of(centres, .9)),
    says = list(fact("“结局”为“", s1 = share(D, 1, 1), s2 = share(D, 2, 1), v = dv[1], v_low = dv[2], v_high = dv[3], layers = 3), "先看百分比", "采用 Pearson χ² 检验", "“处理”与“结局”有关联", "按“中心”分成", "按“中心”分层", "辛普森", "RR 是第一行", "齐性检验", "行为“处理”", "CI 的置信水平", "横轴为行变量的各类", "论文报告“采用”一行",
      "调整残差近似", "没有期望频数小于 5 的单元格", "没有缺失值", "互不影响")),
  list(name = "收入与工作满意度，有序，精确检验", form = list(rows = list("收入档"), columns = list("满意度"), association = EVERY), data = "oracle-small.csv", measures = measures,
    expect = numbers_of(J, o3, missing = n - 96),
    says = list(fact("“收入档”与“满意度”没有发现明显的关联（Fisher-Freeman-Halton 精确检验", p = exact_of(J), v = v_ci(J, .95)[1], s1 = 11 / 21, s0 = 36 / 96), "先看百分比", "采用 Fisher-Freeman-Halton 精确检验", "没有发现明显的关联（*p* {p:peq}）", fact("的期望频数小于 5，最小", low = sum(expected(J) < 5), least = min(expected(J))),
      fact("至少缺一个变量", lost = n - 96, share = (n - 96) / n), "缺失较多", "OR 与 RR 只在", "“风险估计”未给出", "行为“收入档”", "CI 的置信水平", "横轴为行变量的各类", "论文报告“采用”一行", "调整残差近似", "互不影响")),
  list(name = "三对，连续校正与精确", form = list(rows = list("处理"), columns = c("少见", "复查", "结局"), percent = list("col"), residuals = FALSE), data = "oracle-small.csv", measures = measures,
    expect = c(Filter(function(b) b$table %in% c("cross", "tests", "expectations"), c(numbers_of(B, opts("处理", "少见", percent = "col", at = "处理 × 少见")), numbers_of(R, opts("处理", "复查", percent = "col", at = "处理 × 复查"), missing = n - 18)))),
    says = list(fact("“少见”为", s1_0 = share(B, 1, 2), s2_0 = share(B, 2, 2), s1_1 = share(R, 1, 1), s2_1 = share(R, 2, 1), s1_2 = share(D, 1, 1), s2_2 = share(D, 2, 1), p_0 = Y$p.value, p_1 = exact_of(R)), "采用连续校正的 χ²", "采用连续校正的 χ² 检验", "采用 Fisher 精确检验", "“少见”为", "“复查”为", "“结局”为",
      "行、列变量见表题", "论文报告“采用”一行", "CI 的置信水平", "横轴为行变量的各类", "个单元格", "至少缺一个变量", "互不影响", fact("一共做了 {k:integer} 个检验", k = 3))),
  list(name = "城市与品牌，蒙特卡洛", form = list(rows = list("城市"), columns = list("品牌"), mc_draws = 2000, association = list("phi")), data = "oracle-small.csv", measures = measures,
    expect = numbers_of(S, opts("城市", "品牌", "phi")),
    says = list(fact("“城市”与“品牌”没有发现明显的关联（Fisher", s1 = share(S, top[1], top[2]), s0 = sum(S[, top[2]]) / n), "先看百分比", "采用 Fisher 精确检验（蒙特卡洛法）", "没有发现明显的关联（*p* {p:peq}）", "次蒙特卡洛抽取", "已改用精确检验", "行为“城市”", "论文报告“采用”一行", "横轴为行变量的各类", "调整残差近似", "没有缺失值", "互不影响")),
  list(name = "城市与品牌，不做精确检验", form = list(rows = list("城市"), columns = list("品牌"), exact = FALSE, expected = FALSE, association = list("cramer_v")), data = "oracle-small.csv", measures = measures,
    expect = Filter(function(b) b$table %in% c("tests", "symmetric"), numbers_of(S, opts("城市", "品牌", "cramer_v", exact = FALSE))),
    says = list("这个 *p* 只能参考", fact("“城市”与“品牌”没有发现明显的关联（χ²", s1 = share(S, top[1], top[2]), s0 = sum(S[, top[2]]) / n), "采用 Pearson χ² 检验", "没有发现明显的关联（*p* {p:peq}）", "精确检验没有打开", "精确检验没有打开，没有列出", "χ² 比自由度小得多时", "行为“城市”", "论文报告“采用”一行", "CI 的置信水平", "横轴为行变量的各类", "调整残差近似", "没有缺失值", "互不影响")),
  list(name = "多选题在行，三组", form = list(rows = list(channel), columns = list("组别")), data = "oracle-answers.csv", measures = kinds, expect = A,
    says = list(fact(paste0("“组别”不同的人，选“渠道”中", differing(A), "的比例不同"), holm_s0 = least(A), s1_s0 = max(wide), s0_s0 = min(wide)), "“渠道”是多选题，先看普及率", fact("以答过这道题的人且“组别”有值者为基数", n = attr(A, "n"), tested = 4), "“组别”不同的人",
      "响应率 = 该项被选次数", "整张表的 χ² 检验不成立", "人人都选的选项不能检验", "各条是该组里", "已改用精确检验", "互不影响")),
  list(name = "多选题在列，分层，加权，选了的人为基数", form = list(rows = list("组别"), columns = list(channel), layer = "校区", weight = "份数", set_base = "chosen"), data = "oracle-answers.csv", measures = kinds, expect = c(parts, W),
    says = list(fact(paste0("“组别”不同的人，选“渠道”中", differing(W), "的比例不同"), holm_s0 = attr(W, "holm")[[told(W)]], s1_s0 = max(attr(W, "shares")[told(W), ]), s0_s0 = min(attr(W, "shares")[told(W), ]), layers_s0 = 2), "“渠道”是多选题，先看普及率", "以至少选了一项的人且“组别”有值者", "“组别”不同的人", "频数为权重“份数”", "整张表的 χ² 检验不成立", "人人都选的选项不能检验", "各条是该组里", "已改用精确检验", "互不影响")),
  list(name = "多选题与两组，没有差异", form = list(rows = list(channel), columns = list("校区")), data = "oracle-answers.csv", measures = kinds, expect = campus,
    says = list(fact("没有发现明显差异（逐项检验", least_s0 = least(campus), s1_s0 = max(widest), s0_s0 = min(widest)), "“渠道”是多选题，先看普及率", "以答过这道题的人且“校区”有值者", "没有发现明显差异（逐项检验", "响应率 = 该项被选次数", "整张表的 χ² 检验不成立", "人人都选的选项不能检验", "各条是该组里", "期望频数", "互不影响"))
)
writeLines(toJSON(list(
  sources = c("R 4.2.2: chisq.test, fisher.test, mantelhaen.test, numDeriv::grad（标准误）", "PSPP 1.6.2: CROSSTABS /STATISTICS=ALL（在脚本中比对）"),
  cases = cases, unverified = list(list(what = "tests.low", reason = "Wilson interval of a Monte Carlo share; the draws are ours alone"), list(what = "tests.high", reason = "as low"))), auto_unbox = TRUE, digits = NA, pretty = 1))
