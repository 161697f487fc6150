# Own derivation in R. Published data: fighters of Hwang and Yoon, ratio to the best: simple weights .8355 .7073 .8514 .7374,
# weighted product .8223 .6717 .8427 .7224.
source("../../../../tools/oracle.R"); source("../../../../tools/oracle_indicators.R")
one <- function(name, d, f, ends = list(), given = NULL, says = list(), ...) {
  t <- read_x(d, unlist(f$positive), unlist(f$negative), unlist(f$moderate)); n3 <- colnames(t$x); get <- function(k, v) if (is.null(f[[k]])) v else f[[k]]; obj <- names_of(d, t$keep, f$label); m <- minmax(t$x, t$kind, ends); n <- nrow(t$x)
  z <- switch(get("normalize", "minmax"), minmax = m, zscore = scale(forward(t$x, t$kind, ends)), rank = apply(forward(t$x, t$kind, ends), 2, function(v) rank(round(v, 12)) / n),
    base_ratio = sapply(seq_along(n3), function(k) { v <- t$x[, k]; if (t$kind[k] == "high") v / max(v) else if (t$kind[k] == "low") min(v) / v else m[, k] }))
  how <- get("synthesis", "linear"); tot <- function(w) switch(how, linear = as.vector(z %*% w), geometric = apply(z, 1, function(r) prod(r^w)), harmonic = apply(z, 1, function(r) 1 / sum(w / r)))
  w <- source_w(m, get("weight_source", "equal"), given); v <- tot(w); firm <- firm_blocks(t$x, t$kind, ends, m, w, tot, "", obj)
  out <- c(lapply(seq_along(obj), function(i) block("result", list(object = obj[i]), index = v[i], rank = place(v)[i])), firm$blocks,
    lapply(seq_along(obj), function(i) do.call(block, c(list("parts", list(object = obj[i])), setNames(as.list(z[i, ]), paste0("value@", n3)), if (how == "linear") setNames(as.list(w * z[i, ]), paste0("part@", n3))))))
  if (!is.null(f$robustness)) out <- c(out, lapply(seq_along(obj), function(i) block("spread", list(object = obj[i]), rank = place(v)[i])))
  list(v = v, case = case(name, f, out, Filter(Negate(is.null), c(firm_says(firm), list(fact("综合指数最高的是", high = max(v), low = min(v), n = n), fact("采用综合指数法", high = max(v), low = min(v), m = length(w)), "一项差可以用另一项好来补", "贡献是权重乘以处理后的值", if (is.null(f$robustness)) "没有选随机改变权重"), says)), ...)) }
ex <- example(); fi <- example("oracle-fighters.csv"); sv <- example("oracle-survey.csv"); ends <- list(水质pH = c(6.8, 7.2))
form <- list(positive = list("人均GDP", "城镇化率", "研发强度"), negative = list("PM2.5", "能耗强度"), moderate = list("水质pH"), best = list(list("for" = "水质pH", low = 6.8, high = 7.2)), label = "城市")
ff <- list(positive = as.list(names(fi)[c(2, 3, 4, 6, 7)]), negative = list("造价"), label = "机型", weight_source = "manual", normalize = "base_ratio",
  weights_value = mapply(function(a, b) list("for" = a, w = b), names(fi)[2:7], c(.2, .1, .1, .1, .2, .3), SIMPLIFY = FALSE, USE.NAMES = FALSE)); gw <- c(.2, .1, .1, .2, .3, .1)
a <- one("Hwang 和 Yoon 的战机，线性", fi, ff, given = gw, data = "oracle-fighters.csv"); b <- one("战机，几何", fi, modifyList(ff, list(synthesis = "geometric")), given = gw, data = "oracle-fighters.csv")
stopifnot(abs(a$v - c(.8355, .7073, .8514, .7374)) < 6e-5, abs(b$v - c(.8223, .6717, .8427, .7224)) < 6e-5)
ms <- setNames(as.list(rep("定量", 6)), names(sv)[2:7])
oracle(c("R 4.2.2: own loops", "Hwang and Yoon (1981): fighter aircraft"), list(one("示例", ex, form, ends)$case, a$case, b$case,
  one("问卷，有缺失和同分，名次，调和，CRITIC", sv, list(positive = as.list(names(sv)[2:6]), negative = list("投诉"), label = "门店", weight_source = "critic", normalize = "rank", synthesis = "harmonic"), data = "oracle-survey.csv", measures = ms)$case,
  one("标准化，熵权，随机改变权重", ex, modifyList(form, list(normalize = "zscore", weight_source = "entropy", robustness = 300)), ends)$case),
  unverified = list(list(what = "spread.low", reason = "quantiles of random draws"), list(what = "spread.high", reason = "quantiles of random draws")))
