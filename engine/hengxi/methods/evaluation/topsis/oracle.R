# Own derivation in R row by row. Published: Hwang and Yoon (1981), fighter aircraft, weights .2 .1 .1 .1 .2 .3, cost the
# fourth: C .643 .268 .613 .312.
source("../../../../tools/oracle.R"); source("../../../../tools/oracle_indicators.R")
closeness <- function(x, kind, ends, w, how = "vector", neg = "ideal", dist = "euclidean") {
  m <- ncol(x); up <- rep(TRUE, m); z <- x
  if (how == "minmax") z <- minmax(x, kind, ends) else for (k in 1:m) { u <- x[, k]
    if (kind[k] == "interval") { d <- away(u, ends[[colnames(x)[k]]]); u <- max(d) - d }
    else if (kind[k] == "low") { if (neg == "difference") u <- max(u) - u else if (neg == "reciprocal") u <- 1 / u else up[k] <- FALSE }
    z[, k] <- u / if (how == "vector") sqrt(sum(u^2)) else sum(u) }
  v <- sweep(z, 2, w, "*"); good <- ifelse(up, apply(v, 2, max), apply(v, 2, min)); bad <- ifelse(up, apply(v, 2, min), apply(v, 2, max))
  far <- function(end) switch(dist, euclidean = apply(v, 1, function(r) sqrt(sum((r - end)^2))), manhattan = apply(v, 1, function(r) sum(abs(r - end))),
    mahalanobis = { S <- solve(cov(z)); apply(z, 1, function(r) { a <- sqrt(w) * (r - end / w); sqrt(as.numeric(t(a) %*% S %*% a)) }) })
  grade <- function(end) { d <- abs(sweep(v, 2, end)); rowMeans((min(d) + .5 * max(d)) / (d + .5 * max(d))) }
  p <- if (dist == "grey_relational") grade(bad) else far(good); q <- if (dist == "grey_relational") grade(good) else far(bad)
  list(plus = p, minus = q, c = q / (p + q), good = good, bad = bad) }
one <- function(name, d, f, ends = list(), given = NULL, says = list(), ...) {
  t <- read_x(d, unlist(f$positive), unlist(f$negative), unlist(f$moderate)); z <- minmax(t$x, t$kind, ends); obj <- names_of(d, t$keep, f$label)
  get <- function(key, default) if (is.null(f[[key]])) default else f[[key]]
  w <- source_w(z, get("weight_source", "entropy"), given); score <- function(u) closeness(t$x, t$kind, ends, u, get("normalize", "vector"), get("forward", "ideal"), get("distance", "euclidean"))
  r <- score(w); firm <- firm_blocks(t$x, t$kind, ends, z, w, function(u) score(u)$c, "TOPSIS", obj); o <- order(-r$c)
  list(c = r$c, case = case(name, f, c(lapply(seq_along(obj), function(i) block("result", list(object = obj[i]), plus = r$plus[i], minus = r$minus[i], closeness = r$c[i], rank = place(r$c)[i])),
    lapply(seq_along(w), function(k) block("ideals", list(item = colnames(t$x)[k]), good = r$good[k], bad = r$bad[k])), firm$blocks),
    c(firm_says(firm), list(fact("个对象里", c1 = r$c[o[1]], c2 = r$c[o[2]], c9 = min(r$c), n = length(obj)), fact("采用 TOPSIS", c1 = r$c[o[1]], c9 = min(r$c), m = length(w)), "增减对象后"), says), ...)) }
ex <- example(); fi <- example("oracle-fighters.csv"); sv <- example("oracle-survey.csv")
form <- list(positive = list("人均GDP", "城镇化率", "研发强度"), negative = list("PM2.5", "能耗强度"), moderate = list("水质pH"),
  best = list(list("for" = "水质pH", low = 6.8, high = 7.2)), label = "城市"); ends <- list(水质pH = c(6.8, 7.2))
ff <- list(positive = as.list(names(fi)[c(2, 3, 4, 6, 7)]), negative = list("造价"), label = "机型", weight_source = "manual",
  weights_value = mapply(function(a, b) list("for" = a, w = b), names(fi)[2:7], c(.2, .1, .1, .1, .2, .3), SIMPLIFY = FALSE, USE.NAMES = FALSE))
hy <- one("Hwang 和 Yoon 的战机", fi, ff, given = c(.2, .1, .1, .2, .3, .1), data = "oracle-fighters.csv")
stopifnot(abs(hy$c - c(.643, .268, .613, .312)) < 6e-4)
sf <- list(positive = as.list(names(sv)[2:6]), negative = list("投诉"), label = "门店"); ms <- setNames(as.list(rep("定量", 6)), names(sv)[2:7])
more <- function(...) modifyList(form, list(...))
tie <- data.frame(a = c(1, 3, 3, 2), b = c(5, 1, 1, 3)); write.csv(tie, "oracle-tie.csv", row.names = FALSE)
oracle(c("R 4.2.2: own loops", "Hwang and Yoon (1981): fighter aircraft"), list(one("示例，熵权，一个区间型", ex, form, ends)$case, hy$case,
  one("问卷，有缺失和同分，CRITIC，曼哈顿，正向化", sv, modifyList(sf, list(weight_source = "critic", distance = "manhattan", forward = "difference")), data = "oracle-survey.csv", measures = ms)$case,
  one("等权，极差法", ex, more(weight_source = "equal", normalize = "minmax"), ends)$case,
  one("变异系数，比重法，1/x，灰色关联度", ex, more(weight_source = "cv", normalize = "sum", forward = "reciprocal", distance = "grey_relational"), ends)$case,
  one("马氏距离", ex, more(distance = "mahalanobis"), ends)$case,
  one("两个对象并列", tie, list(positive = list("a"), negative = list("b")), data = "oracle-tie.csv", says = list("并列最好"))$case))
