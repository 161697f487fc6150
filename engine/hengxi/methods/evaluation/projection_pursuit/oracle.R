# Own derivation in R: Q from its definition by outer differences, its maximum by a separate search (simulated evolution by
# best/1 and rand/1 steps from many seeds, then contracting random steps), not by ridges as the engine does.
source("../../../../tools/oracle.R")
parts <- function(a, X, al) { z <- as.vector(X %*% a); s <- sd(z); r <- al * s; u <- r - abs(outer(z, z, "-")); c(s = s, r = r, d = sum(u[u > 0])) }
Q <- function(a, X, al) { a <- a / sqrt(sum(a^2)); p <- parts(a, X, al); p[["s"]] * p[["d"]] }
hand <- parts(c(1, 0), cbind(c(0, 0, 1), c(0, 1, 0)), .1); stopifnot(abs(hand[["d"]] - 5 * .1 * sqrt(1 / 3)) < 1e-14)
best <- function(X, al, pos, seeds = 8) { m <- ncol(X); fit <- function(a) Q(if (pos) abs(a) else a, X, al); top <- NULL; tq <- -1
  for (sd_ in 1:seeds) { set.seed(sd_); N <- 40; P <- matrix(rnorm(N * m), N); v <- apply(P, 1, fit)
    for (g in 1:150) for (i in 1:N) { k <- sample(N, 3); t <- P[k[1], ] + runif(1, .4, .9) * (P[k[2], ] - P[k[3], ]); t <- ifelse(runif(m) < .9, t, P[i, ]); q <- fit(t); if (q > v[i]) { P[i, ] <- t; v[i] <- q } }
    if (max(v) > tq) { tq <- max(v); top <- P[which.max(v), ] } }
  a <- top / sqrt(sum(top^2)); if (pos) a <- abs(a); for (h in c(.02, .001, 1e-5)) { miss <- 0                   # contracting steps
  while (h > 1e-13) { t <- a + h * rnorm(m) * sample(0:1, m, TRUE); if (pos) t <- pmax(t, 0); q <- Q(t, X, al); if (q > tq) { a <- t / sqrt(sum(t^2)); tq <- q; miss <- 0; h <- h * 1.5 } else { miss <- miss + 1; if (miss > 60) { h <- h / 1.6; miss <- 0 } } } }
  if (sum(a) < 0) -a else a }
scale01 <- function(d, f) { x <- sapply(unlist(f$positive), function(k) { u <- d[[k]]; (u - min(u)) / diff(range(u)) }); y <- sapply(unlist(f$negative), function(k) { u <- d[[k]]; (max(u) - u) / diff(range(u)) }); if (length(y)) cbind(x, y) else x }
why <- "the maximum is flat along its ridges: Q agrees to 1e-8, which fixes the direction to its root; the folder's test recomputes all from the direction"
one <- function(name, d, f, says = list(), ...) { items <- c(unlist(f$positive), unlist(f$negative)); d <- d[complete.cases(d[, items]), ]; X <- scale01(d, f); al <- if (is.null(f$window)) .1 else f$window; pos <- is.null(f$nonnegative)
  nm <- as.character(d[[f$label]]); a <- best(X, al, pos); z <- as.vector(X %*% a); zr <- round(z, 6); out <- list(); add <- function(...) out[[length(out) + 1]] <<- block(..., tolerance = 2e-4, reason = why); same <- function(...) out[[length(out) + 1]] <<- block(..., tolerance = 1e-7, reason = "two different searches for one maximum")
  kind <- c(rep("正向", length(f$positive)), rep("负向", length(f$negative))); for (j in seq_along(items)) add("result", list(item = items[j]), kind = kind[j], a = a[j], weight = a[j]^2)
  rk <- rank(-zr, ties.method = "min"); for (i in seq_along(nm)) add("scores", list(object = nm[i]), z = z[i], rank = rk[i])
  pc <- prcomp(X)$rotation[, 1]; if (sum(pc) < 0) pc <- -pc; W <- list(最佳投影 = a, 等权 = rep(1, length(a)) / sqrt(length(a)), 第一主成分 = pc); rho <- function(b) cor(zr, round(as.vector(X %*% b), 6), method = "spearman")
  for (k in names(W)) { p <- parts(W[[k]], X, al); add("compared", list(way = k), s = p[["s"]], r = p[["r"]], d = p[["d"]], rho = rho(W[[k]])); same("compared", list(way = k), q = p[["s"]] * p[["d"]]) }
  first <- nm[which.max(zr)]; moved <- 0; for (w in c(.05, .1, .2, .5)) { b <- if (w == al) a else best(X, w, pos); fb <- nm[which.max(round(as.vector(X %*% b), 6))]; moved <- moved + (fb != first)
    same("windows", list(alpha = w), q = Q(b, X, w)); add("windows", list(alpha = w), alpha = w, rho = rho(b), first = fb); out[[length(out)]]$cells <- c(out[[length(out)]]$cells, setNames(as.list(b^2), paste0("weight@", items))) }
  tf <- function(s, ...) list(contains = s, facts = list(...), tolerance = 2e-4)
  case(name, f, out, c(list(tf("个对象里投影值最大的是", n = length(nm), w = max(a^2), z = max(z)), tf("采用投影寻踪模型", q = Q(a, X, al), m = length(a)), "次达到同一个最大值", "权重由这批数据的结构决定", "第一主成分的分量可以为负", "不同 α 的 Q 不能比较",
    if (moved > 0) fact("个换了第一名", t = 4, k = moved) else fact("第一名都不变", t = 4)), says), ...) }
ex <- example(); f <- list(positive = list("人均GDP", "研发强度", "优良天数比例"), negative = list("能耗强度"), label = "地区")
small <- ex[1:9, ]; small$研发强度[2] <- NA; write.csv(small, "oracle-gap.csv", row.names = FALSE, na = "")
two <- data.frame(名 = paste0("T", 1:7), 甲指标 = c(25, 4, 13, 14, 10, 24, 29), 乙指标 = c(8, 9, 24, 3, 18, 22, 6)); write.csv(two, "oracle-two.csv", row.names = FALSE)
oracle(c("R 4.2.2: own derivation and search", "by hand: three objects"), list(one("示例，两组地区", ex, f), one("有缺失，α = 0.3，方向可负", small, c(f, list(window = .3, nonnegative = FALSE)), data = "oracle-gap.csv"),
  one("两个指标，窗宽换了第一名", two, list(positive = list("甲指标", "乙指标"), label = "名"), data = "oracle-two.csv")), unverified = list(list(what = "searches.q", reason = "where a single random search ends is chance; the largest is compared.q"), list(what = "searches.gap", reason = "from searches.q; a test recomputes it")), quick = list(runs = 2))
