# Own derivation in R row by row. Published: three routes of Opricovic and Tzeng (2004), equal weights: S .5 .375 .5,
# R .5 .25 .5, Q 1 0 1; fighters of Hwang and Yoon.
source("../../../../tools/oracle.R"); source("../../../../tools/oracle_indicators.R")
one <- function(name, d, f, ends = list(), given = NULL, says = list(), drop = NULL, ...) {
  use <- function(l) setdiff(unlist(l), drop); t <- read_x(d, use(f$positive), use(f$negative), use(f$moderate)); z <- minmax(t$x, t$kind, ends); obj <- names_of(d, t$keep, f$label)
  w <- source_w(z, if (is.null(f$weight_source)) "entropy" else f$weight_source, given); v <- if (is.null(f$v)) .5 else f$v; r <- vikor_of(z, w, v)
  firm <- firm_blocks(t$x, t$kind, ends, z, w, function(u) -vikor_of(z, u, v)$q, "VIKOR", obj); o <- order(round(r$q, 12), round(r$s, 12)); n <- length(obj)
  gap <- r$q[o[2]] - r$q[o[1]]; ok <- gap >= 1 / (n - 1) - 1e-12; st <- r$s[o[1]] <= min(r$s) + 1e-12 || r$r[o[1]] <= min(r$r) + 1e-12
  k <- if (ok && st) 1 else if (ok) 2 else sum(r$q - r$q[o[1]] < 1 / (n - 1) - 1e-12)
  asc <- function(x) rank(round(x, 12), ties.method = "min")
  list(q = r$q, case = case(name, f, c(lapply(seq_len(n), function(i) block("result", list(object = obj[i]), s = r$s[i], r = r$r[i], q = r$q[i], s_rank = asc(r$s)[i], r_rank = asc(r$r)[i], rank = asc(r$q)[i])),
    list(block("conditions", list(condition = "可接受优势：Q(2) − Q(1)"), value = gap, bound = 1 / (n - 1), met = if (ok) "是" else "否"), block("conditions", list(condition = "决策可靠：第一名的 S 或 R 也最小"), met = if (st) "是" else "否")),
    lapply(c(0, .25, .5, .75, 1), function(g) { q <- vikor_of(z, w, g)$q; p <- order(round(q, 12)); block("firsts", list(v = as.character(g)), first = obj[p[1]], q = q[p[2]]) }), firm$blocks),
    c(firm_says(firm), list(fact(if (k == 1) "折衷最优的是" else "没有明显领先", q = r$q[o[1]], k = k), fact("采用 VIKOR 法", n = n, m = length(w), v = v), "S 小说明总的损失小"), says), ...)) }
ex <- example(); fi <- example("oracle-fighters.csv"); sv <- example("oracle-survey.csv")
ro <- data.frame(risk = c(1, 2, 5), altitude = c(3000, 3750, 4500), same = 1); write.csv(ro, "oracle-routes.csv", row.names = FALSE)
form <- list(positive = list("人均GDP", "城镇化率", "研发强度"), negative = list("PM2.5", "能耗强度"), moderate = list("水质pH"),
  best = list(list("for" = "水质pH", low = 6.8, high = 7.2)), label = "城市"); ends <- list(水质pH = c(6.8, 7.2))
rt <- one("三条路线，一个指标不变", ro, list(positive = list("altitude", "same"), negative = list("risk"), weight_source = "equal"), drop = "same", data = "oracle-routes.csv",
  measures = list(risk = "定量", altitude = "定量", same = "定量"), says = list("已剔除")); stopifnot(abs(rt$q - c(1, 0, 1)) < 1e-12)
ff <- list(positive = as.list(names(fi)[c(2, 3, 4, 6, 7)]), negative = list("造价"), label = "机型", weight_source = "manual",
  weights_value = mapply(function(a, b) list("for" = a, w = b), names(fi)[2:7], c(.2, .1, .1, .1, .2, .3), SIMPLIFY = FALSE, USE.NAMES = FALSE))
hy <- one("Hwang 和 Yoon 的战机", fi, ff, given = c(.2, .1, .1, .2, .3, .1), data = "oracle-fighters.csv")
stopifnot(abs(hy$q - c(.0306, 1, .1818, .8612)) < 6e-5)
sf <- list(positive = as.list(names(sv)[2:6]), negative = list("投诉"), label = "门店"); ms <- setNames(as.list(rep("定量", 6)), names(sv)[2:7])
oracle(c("R 4.2.2: own loops", "Opricovic and Tzeng (2004): three routes", "Hwang and Yoon (1981)"), list(one("示例，熵权，一个区间型", ex, form, ends)$case, rt$case, hy$case,
  one("问卷，有缺失和同分，CRITIC，v = 0.7", sv, modifyList(sf, list(weight_source = "critic", v = .7)), data = "oracle-survey.csv", measures = ms)$case,
  one("v = 0，等权", ex, modifyList(form, list(v = 0, weight_source = "equal")), ends)$case))
