# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2, car 3.1-1, jsonlite)
# F tests from aov, oneway.test, car; the Brown-Forsythe F, Games-Howell, Tamhane and T3 written out from their papers.
# ptukey has no relative accuracy in the tail and qtukey stops at 4 digits, so the studentised range, the maximum
# modulus and Dunnett's integral are integrated here with integrate(); λ of the noncentral F by uniroot on pf(ncp).
suppressMessages({library(car); library(jsonlite)})
invisible(Sys.setlocale("LC_ALL", "C.UTF-8"))

food <- read.csv("example.csv")
save_as <- function(x, file, names) write.csv(setNames(x, names), file, row.names = FALSE, quote = FALSE)
save_as(InsectSprays[, c("spray", "count")], "oracle-sprays.csv", c("药剂", "虫数"))
save_as(chickwts[, c("feed", "weight")], "oracle-chicks.csv", c("饲料", "体重"))
save_as(PlantGrowth[, c("group", "weight")], "oracle-plants.csv", c("处理", "干重"))
still <- data.frame(组 = rep(c("甲", "乙", "丙"), each = 5), 值 = c(1, 2, 3, 4, 5, 6, 6, 6, 6, 6, 2, 4, 4, 5, 9))
write.csv(still, "oracle-still.csv", row.names = FALSE, quote = FALSE)
same <- data.frame(组 = rep(c("甲", "乙", "丙"), each = 4), 值 = c(1, 2, 3, 4, 0, 2, 3, 5, -1, 2, 3, 7))
write.csv(same, "oracle-same.csv", row.names = FALSE, quote = FALSE)

# A control of 8 against groups of 4000 (frequencies): Dunnett's integrand turns within .045.
control <- data.frame(组 = rep(c("对照", "一", "二"), each = 8), 值 = c(3, 5, 6, 4, 7, 5, 2, 6, 5, 6, 8, 4, 7, 9, 6, 3, 6, 7, 5, 8, 9, 7, 4, 8), 例数 = rep(c(1, 500, 500), each = 8))
write.csv(control, "oracle-control.csv", row.names = FALSE, quote = FALSE)

chi <- function(s, df) exp(log(2) + df / 2 * log(df / 2) - lgamma(df / 2) + (df - 1) * log(s) - df * s^2 / 2)
over_s <- function(f, df) {
  cuts <- c(0, 0.5, 0.8, 1, 1.25, 1.6, 3, 6)
  sum(sapply(seq_len(7), function(i) integrate(function(s) chi(s, df) * sapply(s, f), cuts[i], cuts[i + 1],
    rel.tol = 1e-11, abs.tol = 1e-17)$value))
}
range_sf <- function(w, k) if (w == 0) 1 else k * integrate(function(z) dnorm(z) * pnorm(z)^(k - 1) *
  -expm1((k - 1) * log1p(-pmin(1, pnorm(z - w) / pnorm(z)))), -9, 20, rel.tol = 1e-12, abs.tol = 1e-18, subdivisions = 500)$value
tukey_sf <- function(q, k, df) over_s(function(s) range_sf(q * s, k), df)
modulus_sf <- function(t, m, df) over_s(function(s) -expm1(m * log1p(-2 * pnorm(-t * s))), df)
# Split where the integrands turn: within r of z = w / l, and within a few standard deviations of s = 1.
pieces <- function(f, cuts, ...) sum(sapply(seq_len(length(cuts) - 1), function(i) integrate(f, cuts[i], cuts[i + 1], ..., abs.tol = 0, subdivisions = 500, stop.on.error = FALSE)$value))
dunnett_sf <- function(t, n, n0, df) { l <- sqrt(n / (n + n0)); r <- sqrt(n0 / (n + n0))
  f <- function(z, w) 2 * dnorm(z) * -expm1(rowSums(sapply(seq_along(l), function(i) log1p(-pmin(1, pnorm((-w + l[i] * z) / r[i]) + pnorm((-w - l[i] * z) / r[i]))))))
  inner <- function(w) pieces(f, sort(unique(pmax(0, c(0, w / l[1] + c(-40, -8, -4, -2, 0, 2, 4, 8) * min(r), w - 3, w, w + 3, w + 12)))), w = w, rel.tol = 1e-11)
  pieces(function(s) chi(s, df) * sapply(s, function(v) inner(t * v)), unique(pmax(.02, 1 + c(-14, -8, -5, -3, -1.5, 0, 1.5, 3, 5, 8, 14) / sqrt(2 * df))), rel.tol = 1e-10) }
root <- function(f, alpha) uniroot(function(x) f(x) - alpha, c(1, 8), tol = 1e-12, extendInt = "downX")$root

ncp <- function(F, a, b, p) if (pf(F, a, b) <= p) 0 else uniroot(function(l) pf(F, a, b, l) - p, c(0, 50 + 5 * F * a), tol = 1e-12)$root
block <- function(.table, .where, ..., tolerance = NULL, reason = NULL) {
  b <- list(table = .table, where = .where, cells = lapply(list(...), unname))
  if (!is.null(tolerance)) b <- c(b, list(tolerance = tolerance, reason = reason))
  b
}
none <- setNames(list(), character())

pairs_of <- function(x, g, how, level, control = NULL) {
  lv <- levels(g); k <- length(lv); n <- as.numeric(table(g)); m <- tapply(x, g, mean); v <- tapply(x, g, var)
  N <- sum(n); df <- N - k; mse <- sum((n - 1) * v) / df; alpha <- 1 - level; M <- k * (k - 1) / 2
  ij <- if (is.null(control)) t(combn(k, 2)) else cbind(setdiff(seq_len(k), control), control)
  d <- m[ij[, 1]] - m[ij[, 2]]
  unequal <- how %in% c("games_howell", "tamhane_t2", "dunnett_t3")
  a <- v[ij[, 1]] / n[ij[, 1]]; b <- v[ij[, 2]] / n[ij[, 2]]
  se <- if (unequal) sqrt(a + b) else sqrt(mse * (1 / n[ij[, 1]] + 1 / n[ij[, 2]]))
  dfs <- if (unequal) (a + b)^2 / (a^2 / (n[ij[, 1]] - 1) + b^2 / (n[ij[, 2]] - 1)) else rep(df, length(d))
  t <- d / se; p0 <- 2 * pt(-abs(t), dfs); each <- function(f) mapply(f, abs(t), dfs)
  by_df <- function(f) { u <- unique(dfs); sapply(u, f)[match(dfs, u)] }
  steps <- function() { o <- order(-m); P <- matrix(NA, k, k); rk <- match(seq_len(k), o)
    for (i in 1:(k - 1)) for (j in (i + 1):k) { s <- sqrt(mse / 2 * (1 / n[o[i]] + 1 / n[o[j]]))
      p <- tukey_sf(abs(m[o[i]] - m[o[j]]) / s, j - i + 1, df)
      P[i, j] <- if (how == "duncan") -expm1(log1p(-p) / (j - i)) else p }
    sapply(seq_len(nrow(ij)), function(r) { h <- sort(rk[ij[r, ]]); max(P[seq_len(h[1]), h[2]:k]) }) }
  p <- switch(how, lsd = p0, bonferroni = pmin(1, p0 * M), holm = p.adjust(p0, "holm"), sidak = , tamhane_t2 = -expm1(M * log1p(-p0)),
    scheffe = pf(t^2 / (k - 1), k - 1, df, lower.tail = FALSE), snk = , duncan = steps(),
    tukey = , games_howell = each(function(t, f) tukey_sf(t * sqrt(2), k, f)),
    dunnett_t3 = each(function(t, f) modulus_sf(t, M, f)), dunnett = each(function(t, f) dunnett_sf(t, n[-control], n[control], f)))
  reach <- switch(how, lsd = qt(1 - alpha / 2, dfs), bonferroni = , holm = qt(1 - alpha / 2 / M, dfs),
    sidak = , tamhane_t2 = qt(1 - (1 - (1 - alpha)^(1 / M)) / 2, dfs), scheffe = rep(sqrt((k - 1) * qf(level, k - 1, df)), length(d)),
    snk = , duncan = rep(NA, length(d)), tukey = , games_howell = by_df(function(f) root(function(t) tukey_sf(t * sqrt(2), k, f), alpha)),
    dunnett_t3 = by_df(function(f) root(function(t) modulus_sf(t, M, f), alpha)),
    dunnett = by_df(function(f) root(function(t) dunnett_sf(t, n[-control], n[control], f), alpha)))
  sp <- sqrt(((n[ij[, 1]] - 1) * v[ij[, 1]] + (n[ij[, 2]] - 1) * v[ij[, 2]]) / (n[ij[, 1]] + n[ij[, 2]] - 2))
  data.frame(first = lv[ij[, 1]], second = lv[ij[, 2]], d = d, se = se, t = t, df = dfs, p = p, low = d - reach * se, high = d + reach * se, cd = d / sp)
}

numbers <- function(x, g, read, how, level = .95, control = NULL, robust = FALSE, contrast = NULL, letters = NULL) {
  g <- factor(g, levels = unique(g)); lv <- levels(g); k <- length(lv)
  n <- as.numeric(table(g)); m <- tapply(x, g, mean); v <- tapply(x, g, var); N <- sum(n)
  A <- anova(aov(x ~ g)); W <- if (all(v > 0)) oneway.test(x ~ g) else NULL
  part <- (1 - n / N) * v; bf <- A[1, 2] / sum(part); bdf <- sum(part)^2 / sum(part^2 / (n - 1))
  B <- c(bf, k - 1, bdf, pf(bf, k - 1, bdf, lower.tail = FALSE))
  tests <- list(fisher = c(A[1, 4], A[1, 1], A[2, 1], A[1, 5]), brown_forsythe = B)
  if (!is.null(W)) tests$welch <- c(W$statistic, W$parameter[1], W$parameter[2], W$p.value)
  r <- tests[[read]]; ssb <- A[1, 2]; ssw <- A[2, 2]; mse <- A[2, 3]
  l <- sapply(c(1 - (1 - level) / 2, (1 - level) / 2), function(p) ncp(A[1, 4], k - 1, N - k, p))
  eta <- c(ssb / (ssb + ssw), l / (l + N - k)); above <- max(0, ssb - (k - 1) * mse); pop <- l / (l + N)
  out <- list()
  for (i in seq_len(k)) { xi <- x[g == lv[i]]; ci <- mean(xi) + c(-1, 1) * qt(1 - (1 - level) / 2, n[i] - 1) * sqrt(v[i] / n[i])
    f <- fivenum(xi); inside <- xi[xi >= f[2] - 1.5 * (f[4] - f[2]) & xi <= f[4] + 1.5 * (f[4] - f[2])]
    out <- c(out, list(block("comparison", list(group = lv[i]), n = n[i], mean = m[i], sd = sqrt(v[i]), F = r[1], df1 = r[2], df2 = r[3],
        p = r[4], eta2 = eta[1], eta2_low = eta[2], eta2_high = eta[3]),
      block("descriptives", list(group = lv[i]), n = n[i], mean = m[i], sd = sqrt(v[i]), se = sqrt(v[i] / n[i]), low = ci[1], high = ci[2]),
      block("spread", list(group = lv[i]), min = min(inside), q1 = f[2], median = f[3], q3 = f[4], max = max(inside)),
      list(table = "cases", where = list(group = lv[i]), count = n[i], sums = list(value = sum(xi)), cells = none)))
    if (var(xi) > 0) { s <- shapiro.test(xi); out <- c(out, list(block("descriptives", list(group = lv[i]), statistic = s$statistic,
      p = s$p.value, tolerance = 1e-6, reason = "R's swilk.c holds the constants of AS R94 in another precision"))) } }
  mark <- function(key) if (key == read) "采用" else ""
  out <- c(out, list(
    block("anova", list(source = "组间（经典 F）"), read = mark("fisher"), ss = ssb, df = k - 1, df_error = N - k, ms = A[1, 3], F = A[1, 4], p = A[1, 5]),
    block("anova", list(source = "组内"), ss = ssw, df = N - k, ms = mse), block("anova", list(source = "总计"), ss = ssb + ssw, df = N - 1),
    block("anova", list(source = "Brown-Forsythe F"), read = mark("brown_forsythe"), F = B[1], df = B[2], df_error = B[3], p = B[4]),
    block("effects", list(effect = "η²"), value = eta[1], low = eta[2], high = eta[3]),
    block("effects", list(effect = "ω²"), value = above / (ssb + ssw + mse), low = pop[1], high = pop[2]),
    block("effects", list(effect = "ε²"), value = above / (ssb + ssw), low = pop[1], high = pop[2]),
    block("effects", list(effect = "Cohen's f"), value = sqrt(eta[1] / (1 - eta[1])), low = sqrt(eta[2] / (1 - eta[2])), high = sqrt(eta[3] / (1 - eta[3])))))
  if (!is.null(W)) { w <- tests$welch
    out <- c(out, list(block("anova", list(source = "Welch F"), read = mark("welch"), F = w[1], df = w[2], df_error = w[3], p = w[4]))) }
  lev <- NULL
  for (c in c("mean", "median")) { h <- leveneTest(x, g, center = get(c)); if (c == "mean") lev <- h
    out <- c(out, list(block("homogeneity", list(test = if (c == "mean") "Levene（均值）" else "Brown-Forsythe（中位数）"),
      F = h[1, 2], df1 = h[1, 1], df2 = h[2, 1], p = h[1, 3]))) }
  if (all(v > 0)) { h <- bartlett.test(x, g)
    out <- c(out, list(block("homogeneity", list(test = "Bartlett"), chi2 = h$statistic, df1 = h$parameter, p = h$p.value))) }
  h <- fligner.test(round(x * 1e6), g)
  out <- c(out, list(block("homogeneity", list(test = "Fligner-Killeen"), chi2 = h$statistic, df1 = h$parameter, p = h$p.value)))
  P <- if (how == "none") NULL else pairs_of(x, g, how, level, control)
  for (i in seq_len(NROW(P))) { q <- P[i, ]; w <- list(first = q$first, second = q$second)
    cells <- list(difference = q$d, se = q$se, t = q$t, df = q$df, p = q$p, d = q$cd)
    if (!is.na(q$low)) cells <- c(cells, list(low = q$low, high = q$high))
    out <- c(out, list(do.call(block, c(list("pairs", w), cells)))) }
  for (i in seq_along(letters)) out <- c(out, list(block("subsets", list(group = names(letters)[i]), mean = m[names(letters)[i]], letters = letters[[i]])))
  for (name in names(contrast)) { w <- contrast[[name]]; e <- sum(w * m)
    for (form in c("等方差", "不等方差")) { q <- w^2 * v / n
      se <- if (form == "等方差") sqrt(mse * sum(w^2 / n)) else sqrt(sum(q)); df <- if (form == "等方差") N - k else sum(q)^2 / sum(q^2 / (n - 1))
      half <- qt(1 - (1 - level) / 2, df) * se
      out <- c(out, list(block("contrasts", list(contrast = name, form = form), estimate = e, se = se, t = e / se, df = df,
        p = 2 * pt(-abs(e / se), df), low = e - half, high = e + half))) } }
  K <- kruskal.test(x, g)
  if (robust) out <- c(out, list(block("rank", none, H = K$statistic, df = K$parameter, p = K$p.value, epsilon2 = K$statistic / (N - 1))))
  limit <- qf(level, k - 1, N - k)
  mde <- uniroot(function(f) pf(limit, k - 1, N - k, f^2 * N, lower.tail = FALSE) - .8, c(.01, 9), tol = 1e-13)$root
  res <- residuals(aov(x ~ g)); d <- res - mean(res); skew <- mean(d^3) / mean(d^2)^1.5 * sqrt(N * (N - 1)) / (N - 2)
  alpha <- 1 - level
  list(expect = out, says = list(
    list(contains = "有八成把握发现", facts = list(f = mde), tolerance = 1e-7),
    list(contains = "残差（取值减去本组均值）", facts = list(skew = skew)),
    list(contains = "Levene（均值）：*F*", facts = list(F = lev[1, 2], p = lev[1, 3])),
    list(contains = if (r[4] < alpha) "平均值差异有统计学意义" else if (!is.null(P) && any(P$p < alpha)) "整体检验未达到统计学意义" else "没有发现明显差异", facts = c(list(p = unname(r[4]), k = k,
      size = max(m) - min(m), m1 = max(m), m2 = min(m), eta = eta[1]),
      if (!is.null(P)) list(differ = sum(P$p < alpha), pairs = nrow(P)))),
    if (!is.null(P) && any(P$p < alpha)) { top <- which.max(ifelse(P$p < alpha, abs(P$d), -1))
      list(contains = "组高 {pair_size:num}", facts = list(pair_size = abs(P$d[top]), pair_p = P$p[top])) } else "*p*",
    "先看差多少", "最后看 *p*", "本检验要求各行数据互不影响",
    list(contains = if (r[4] < alpha) "各组差异有统计学意义" else "各组差异无统计学意义", facts = list(F = unname(r[1]), df2 = unname(r[3]), omega = above / (ssb + ssw + mse))),
    if (r[4] < alpha) "平均值差异有统计学意义（*p* {p:peq}），效应" else "没有发现明显差异（*p* {p:peq}）。",
    "为均值 ± 标准差；", "Bartlett 检验对偏离正态敏感", "各组单独按 t 分布计算", "三种 F 都列出", "由经典 F 的非中心 λ 反解", "点越贴近对角线"),
    P = P, K = K)
}
case <- function(name, form, got, says = list(), data = NULL, measures = NULL, ...) { c(list(name = name, form = form),
  if (!is.null(data)) list(data = data), if (!is.null(measures)) list(measures = measures), list(...), list(expect = got$expect, says = c(got$says, says))) }
with_pairs <- function(got, alpha = .05) { s <- sum(got$P$p < alpha)
  list(list(contains = "多重比较（", facts = list(m = nrow(got$P), s = s)), "比较共 {m:integer} 次", "以两组的合并标准差为分母") }

poly3 <- contr.poly(3)
one <- numbers(food$株重, food$肥料, "welch", "games_howell", robust = TRUE, contrast = list(一次 = poly3[, 1], 二次 = poly3[, 2]),
  letters = list(有机 = "a", 常规 = "b", 缓释 = "b"))
two <- numbers(food$株重, food$肥料, "fisher", "tukey", level = .9, contrast = list(自定义 = c(1, 1, -2)))
w <- rep(seq_len(60), food$株数)
three <- numbers(food$株重[w], food$肥料[w], "brown_forsythe", "games_howell")
four <- numbers(InsectSprays$count, InsectSprays$spray, "brown_forsythe", "games_howell", robust = TRUE)
five <- numbers(PlantGrowth$weight, PlantGrowth$group, "fisher", "tukey")
base <- list(group = "肥料", variables = list("株重"))
chick <- function(how, level = .95, control = NULL) numbers(chickwts$weight, as.character(chickwts$feed), "fisher", how, level, control)
chick_form <- function(how, ...) c(list(group = "饲料", variables = list("体重"), method = "fisher", post_hoc = how), list(...))
sprays <- function(how, level = .95) numbers(InsectSprays$count, InsectSprays$spray, "welch", how, level)
spray_form <- function(how, ...) c(list(group = "药剂", variables = list("虫数"), post_hoc = how), list(...))
quiet <- numbers(still$值, still$组, "brown_forsythe", "none")
flat <- numbers(same$值, same$组, "welch", "games_howell")
cat_note <- list(lsd = "LSD 不校正", snk = "SNK 为逐步法", duncan = "Duncan 为逐步法", holm = "Holm 是逐步校正", dunnett = "每组都与对照组（组J）比较")
called <- c(lsd = "LSD", scheffe = "Scheffé", bonferroni = "Bonferroni", sidak = "Šidák", holm = "Holm", snk = "SNK", duncan = "Duncan",
            tamhane_t2 = "Tamhane T2", dunnett_t3 = "Dunnett T3")
note_of <- function(how) if (how %in% names(cat_note)) cat_note[[how]] else "*p* 已校正"

cases <- list(
  case("三种肥料，默认", c(base, list(letters = TRUE, robust = TRUE, contrast = "polynomial")), one,
    c(with_pairs(one), list("有相同字母的两组之间未发现差异", "系数为正交归一的多项式", list(contains = "Kruskal-Wallis *H*", facts = list(H = unname(one$K$statistic))),
      "*H* 经结校正", "方差不齐也不影响结论"))),
  case("三种肥料，经典 F，90%，自定义对比", c(base, list(method = "fisher", conf_level = .9, contrast = "custom", contrast_value = list(1, 1, -2))), two,
    c(with_pairs(two, .1), list("系数：1、1、−2", "没有发现方差不等"))),
  case("三种肥料，频数权重，Brown-Forsythe", c(base, list(method = "brown_forsythe", weight = "株数")), three,
    c(with_pairs(three), list("样本量为频数权重的合计"))),
  case("六种杀虫剂（InsectSprays，目录给出的数）", list(group = "药剂", variables = list("虫数"), method = "brown_forsythe", robust = TRUE), four,
    c(with_pairs(four), list(list(contains = "Kruskal-Wallis *H*", facts = list(H = unname(four$K$statistic))), "*H* 经结校正")), data = "oracle-sprays.csv", measures = list(虫数 = "定量")),
  case("植物干重（PlantGrowth，目录给出的数），依 Levene", list(group = "处理", variables = list("干重"), method = "auto"), five,
    c(with_pairs(five), list("据此采用经典方差分析")), data = "oracle-plants.csv"),
  case("有一组没有变异", list(group = "组", variables = list("值"), post_hoc = "none"), quiet,
    list("结论改用 Brown-Forsythe F", "Welch F 的权数为无穷大"), data = "oracle-still.csv", measures = list(值 = "定量")),
  case("均值相近", list(group = "组", variables = list("值")), flat, with_pairs(flat), data = "oracle-same.csv", measures = list(值 = "定量"))
)
for (how in c("lsd", "scheffe", "bonferroni", "sidak", "holm", "snk", "duncan")) { got <- chick(how)
  cases <- c(cases, list(case(paste0("六种饲料，例数不等，", called[[how]]), chick_form(how), got, c(with_pairs(got), list(note_of(how))), data = "oracle-chicks.csv"))) }
got <- chick("dunnett", .99, 1)
cases <- c(cases, list(case("六种饲料，Dunnett，99%", chick_form("dunnett", control = levels(factor(as.character(chickwts$feed), unique(chickwts$feed)))[1], conf_level = .99), got,
  c(with_pairs(got, .01), list(note_of("dunnett"))), data = "oracle-chicks.csv")))
w <- rep(1:24, control$例数); got <- numbers(control$值[w], control$组[w], "fisher", "dunnett", control = 1)
got$expect <- Filter(function(b) b$table == "pairs", got$expect)
cases <- c(cases, list(case("对照组很小，Dunnett，频数权重", list(group = "组", variables = list("值"), method = "fisher", post_hoc = "dunnett", control = "对照", weight = "例数"), got,
  c(with_pairs(got), list(note_of("dunnett"), "样本量为频数权重的合计")), data = "oracle-control.csv", measures = list(值 = "定量", 例数 = "定量"))))
for (how in c("tamhane_t2", "dunnett_t3")) { got <- sprays(how)
  cases <- c(cases, list(case(paste0("六种杀虫剂，", called[[how]]), spray_form(how), got, with_pairs(got), data = "oracle-sprays.csv", measures = list(虫数 = "定量")))) }

writeLines(toJSON(list(
  sources = c("R 4.2.2: aov, oneway.test, shapiro.test, kruskal.test, p.adjust, pf(ncp), fivenum, contr.poly", "car 3.1-1: leveneTest",
    "R 4.2.2: integrate（学生化极差、最大模、Dunnett）；NIST StRD 方差分析数据集"),
  cases = cases, unverified = list()), auto_unbox = TRUE, digits = NA, pretty = 1))
