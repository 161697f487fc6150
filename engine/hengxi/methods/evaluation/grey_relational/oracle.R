# Own derivation in R, series by series. By hand: reference (1,1,1), series (.8,.9,.7) (.6,1,.8) (.9,.5,1), ρ = .5, degrees of
# the three columns taken as objects .5748 .6467 .6825.
source("../../../../tools/oracle.R")
xi <- function(A, r) (min(A) + r * max(A)) / (A + r * max(A))
prep <- function(v, how, neg = FALSE) switch(how, none = v, mean = v / mean(v), initial = v / v[1], minmax = if (neg) (max(v) - v) / (max(v) - min(v)) else (v - min(v)) / (max(v) - min(v)))
absd <- function(a, b) { n <- length(a); s <- function(v) { z <- v - v[1]; sum(z[2:(n - 1)]) + z[n] / 2 }; x <- s(a); y <- s(b); (1 + abs(x) + abs(y)) / (1 + abs(x) + abs(y) + abs(y - x)) }
deg <- function(kind, a, b) switch(kind, absolute = absd(a, b), relative = absd(a / a[1], b / b[1]), synthetic = (absd(a, b) + absd(a / a[1], b / b[1])) / 2, slope = { p <- diff(a) / mean(a); q <- diff(b) / mean(b); mean((1 + abs(p)) / (1 + abs(p) + abs(p - q))) })
grid <- c(.1, .3, .5, .7, .9); gn <- paste0("degree@ρ = ", grid)
pl <- function(v) rank(-round(v, 12), ties.method = "min")
one <- function(name, d, f, says = list(), ...) {
  fe <- unlist(f$features); ng <- unlist(f$negative); keep <- complete.cases(d[, c(fe, ng, f$reference)]); d <- d[keep, ]; how <- if (is.null(f$normalize)) "mean" else f$normalize; r <- if (is.null(f$rho)) .5 else f$rho; kind <- if (is.null(f$degree)) "deng" else f$degree; lab <- if (is.null(f$index)) paste0("第 ", which(keep), " 行") else as.character(d[[f$index]]); out <- list(); add <- function(b) out[[length(out) + 1]] <<- b
  Z <- sapply(c(fe, ng), function(v) prep(d[[v]], how, v %in% ng))
  if (!is.null(f$reference)) { ref <- prep(d[[f$reference]], how); A <- abs(Z - ref); w <- rep(1 / nrow(d), nrow(d)); items <- fe
    val <- if (kind == "deng") as.vector(w %*% xi(A, r)) else sapply(fe, function(v) deg(kind, d[[f$reference]], d[[v]])) }
  else { best <- apply(Z, 2, max); for (v in ng) if (how != "minmax") best[v] <- min(Z[, v]); A <- t(abs(sweep(Z, 2, best))); w <- rep(1, ncol(Z)); for (q in f$weights) w[match(q[["for"]], c(fe, ng))] <- q$w; w <- w / sum(w); items <- lab; val <- as.vector(w %*% xi(A, r)) }
  for (i in seq_along(items)) { add(block("result", list(item = items[i]), degree = val[[i]], rank = pl(val)[[i]])); if (kind == "deng") add(do.call(block, c(list("over", list(item = items[i])), setNames(as.list(sapply(grid, function(g) (w %*% xi(A, g))[i])), gn)))) }
  if (kind == "deng") { X <- if (is.null(f$reference)) t(xi(A, r)) else xi(A, r); for (i in seq_along(lab)) add(do.call(block, c(list("coefficients", list(index = lab[i])), setNames(as.list(X[i, ]), paste0("value@", c(fe, ng)))))) }
  list(val = val, case = case(name, f, out, c(list(fact(if (is.null(f$reference)) "最接近最优的是" else "关系最近的是", high = max(val), low = min(val)), fact("采用灰色关联分析", k = length(items), high = max(val)), "它不是相关系数"), says), ...)) }
ex <- example(); h <- data.frame(ref = 1, a = c(.8, .9, .7), b = c(.6, 1, .8), c = c(.9, .5, 1)); write.csv(h, "oracle-hand.csv", row.names = FALSE)
q <- list(ref = "定量", a = "定量", b = "定量", c = "定量"); hd <- one("手算", h, list(features = list("a", "b", "c"), reference = "ref", normalize = "none"), data = "oracle-hand.csv", measures = q)
f <- list(features = list("固定投资", "出口", "人口", "用电"), reference = "GDP", index = "年份"); city <- example("oracle-cities.csv")
fc <- list(mode = "evaluation", features = list("人均GDP", "城镇化率", "研发强度"), negative = list("PM2.5"), index = "城市", normalize = "minmax", weights = list(list("for" = "人均GDP", w = 2)))
more <- function(...) modifyList(f, list(...)); gone <- list("没有逐期的关联系数", "不用 ρ")
oracle("R 4.2.2: own loops", list(one("示例，GDP 与四个因素", ex, f)$case, hd$case, one("综合评价，区间化，负向，权重", city, fc, data = "oracle-cities.csv")$case, one("综合评价，均值化", city, modifyList(fc, list(normalize = "mean", rho = .3)), data = "oracle-cities.csv")$case,
  one("初值化，ρ = 0.2", ex, more(normalize = "initial", rho = .2))$case, one("绝对关联度", ex, more(degree = "absolute"), says = gone)$case, one("相对关联度", ex, more(degree = "relative"), says = gone)$case, one("综合关联度", ex, more(degree = "synthetic"), says = gone)$case, one("斜率关联度", ex, more(degree = "slope"), says = gone)$case))
