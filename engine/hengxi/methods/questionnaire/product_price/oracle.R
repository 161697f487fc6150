# isoreg, lm, nls, glm(binomial) of base R; prop.test for Wilson; the bootstrap is of sample(), two sets of draws.
# Closed form of the catalogue: demand 1 − p/100 → revenue is largest at 50, with a cost of 20 profit at 60.
source("../../../../tools/oracle.R"); P <- c(39, 49, 59, 69, 79, 89, 99)
if (!file.exists("example.csv")) { RNGversion("4.2.0"); set.seed(23); n <- 400; t <- rnorm(n); b <- c(5.4, 5.1, 4.9, 4.6, 3.4, 3.1, 2.8)
  d <- as.data.frame(sapply(b, function(m) pmin(5, pmax(1, round(m - .4 + t + rnorm(n, 0, .25)))))); names(d) <- paste0("购买意愿_", P, "元"); d[5, 3] <- NA; d$最高价 <- sample(c(39, 49, 59, 69, 79, 99), n, TRUE, c(.1, .2, .3, .25, .1, .05)); d$次数 <- sample(0:2, n, TRUE)
  write.csv(d, "example.csv", row.names = FALSE, quote = FALSE, na = "") }
d <- read.csv("example.csv", check.names = FALSE, na.strings = ""); X <- as.matrix(d[1:7])
line <- as.data.frame(sapply(c(10, 30, 50, 70, 90), function(p) as.integer(1:100 > p))); names(line) <- paste0("p", c(10, 30, 50, 70, 90)); write.csv(line, "oracle-line.csv", row.names = FALSE)
fit <- function(kind, p, n, s) switch(kind, empirical = list(at = approxfun(p, s)), isotonic = { o <- unlist(lapply(1, function(i) { y <- -s; ir <- isoreg(rep(seq_along(p), n), rep(y, n)); tapply(-ir$yf, rep(seq_along(p), n), mean) })); list(at = approxfun(p, as.numeric(o))) },
  linear = { m <- lm(s ~ p, weights = n); a <- coef(m)[[1]]; b <- -coef(m)[[2]]; list(at = function(x) pmin(1, pmax(0, a - b * x)), best = function(c) max((a / b + c) / 2, (a - 1) / b)) },
  exponential = { st <- coef(lm(log(s) ~ p)); m <- nls(s ~ exp(la - b * p), weights = n, start = list(la = st[[1]], b = -st[[2]]), control = nls.control(tol = 1e-10, maxiter = 200, minFactor = 1e-14, warnOnly = TRUE)); q <- coef(m); list(at = function(x) pmin(1, exp(q[[1]] - q[[2]] * x)), best = function(c) max(c + 1 / q[[2]], q[[1]] / q[[2]])) },
  logit = { m <- glm(cbind(round(s * n), n - round(s * n)) ~ p, binomial, control = glm.control(1e-14, 100)); q <- coef(m); at <- function(x) plogis(q[[1]] + q[[2]] * x); list(at = at, best = function(c) { g <- function(x) 1 + (x - c) * q[[2]] * (1 - at(x)); if (g(min(p)) <= 0) min(p) else if (g(max(p)) >= 0) max(p) else uniroot(g, range(p), tol = 1e-14)$root }) })
run <- function(B, A, p, kind, cost = 0, level = .95, times = 0, w = rep(1, nrow(B))) {   # B bought, A asked
  r <- rep(seq_len(nrow(B)), w); r <- r[rowSums(A[r, ]) > 0]; B <- B[r, ]; A <- A[r, ]; z <- function(i) { n <- colSums(A[i, ]); s <- colSums(B[i, ] & A[i, ]) / n; f <- fit(kind, p, n, s); q <- f$at(p); pick <- function(c) if (is.null(f$best)) p[which.max(round((p - c) * q, 12))] else min(max(f$best(c), min(p)), max(p))
    m <- length(p); drop <- c(NA, (q[-m] - q[-1]) / q[-m] / (p[-1] / p[-m] - 1)); list(n = n, s = s, q = q, f = f, r = pick(0), pr = pick(cost), drop = drop, at = which.max(round(replace(drop, is.na(drop), -Inf), 12))) }
  a <- z(seq_len(nrow(B))); out <- list(); m <- length(p)
  for (i in seq_len(m)) { ci <- suppressWarnings(prop.test(sum(B[, i] & A[, i]), a$n[[i]], conf.level = level, correct = FALSE)$conf.int); cells <- list("table", list(price = p[i]), price = p[i], n = a$n[[i]], buyers = sum(B[, i] & A[, i]), share = a$s[[i]], low = ci[1], high = ci[2], fitted = a$q[[i]], revenue = 100 * p[i] * a$q[[i]], profit = 100 * (p[i] - cost) * a$q[[i]])
    if (i > 1 && a$q[[i]] + a$q[[i - 1]] > 0) cells$elasticity <- (a$q[[i]] - a$q[[i - 1]]) / ((a$q[[i]] + a$q[[i - 1]]) / 2) / ((p[i] - p[i - 1]) / ((p[i] + p[i - 1]) / 2)); if (i > 1) cells$drop <- a$drop[[i]]; out <- c(out, list(do.call(block, cells))) }
  v <- a$f$at(a$r); out <- c(out, list(block("best", list(aim = "收入最大"), price = a$r, share = v[[1]], value = 100 * a$r * v[[1]]))); if (cost > 0) { u <- a$f$at(a$pr); out <- c(out, list(block("best", list(aim = "利润最大"), price = a$pr, share = u[[1]], value = 100 * (a$pr - cost) * u[[1]]))) }
  out <- c(out, list(block("breaks", list(), price = p[a$at - 1], `next` = p[a$at], drop = a$drop[[a$at]], lost = a$q[[a$at - 1]] - a$q[[a$at]])))
  if (times > 0) { RNGversion("4.2.0"); set.seed(2); b <- replicate(times, { y <- z(sample(nrow(B), replace = TRUE)); c(y$r, y$pr, y$at) }); q <- function(v) quantile(v, c((1 - level) / 2, (1 + level) / 2), type = 1); why <- "两组独立的重抽样"
    out <- c(out, list(block("best", list(aim = "收入最大"), low = q(b[1, ])[[1]], high = q(b[1, ])[[2]], tolerance = .03, reason = why), block("breaks", list(), agree = mean(b[3, ] == a$at), tolerance = .1, reason = why))); if (cost > 0) out <- c(out, list(block("best", list(aim = "利润最大"), low = q(b[2, ])[[1]], high = q(b[2, ])[[2]], tolerance = .03, reason = why))) }
  odd <- sum(apply(B & A, 1, function(v) any(diff(v[!is.na(v)]) > 0))); list(out = out, n = nrow(B), a = p[a$at - 1], b = p[a$at], r = a$r, p = a$pr, lost = a$q[[a$at - 1]] - a$q[[a$at]])
}
buy <- X >= 4 & !is.na(X); ask <- !is.na(X); odd <- apply(X, 1, function(v) { v <- v[!is.na(v)] >= 4; any(diff(v) > 0) })
says <- function(a, cost, edge = FALSE, extra = list()) c(list("断裂点是再涨价就会失去很多人", "收入、利润、弹性和断裂指数按曲线计算", "次重抽样得到", "找到同一个断裂点", fact("愿买的人减少最快", a = a$a, b = a$b, lost = a$lost, r = a$r), fact("人回答。", n = a$n), if (edge) "最优价在问过的价格的边上" else "最优价在问过的价格之间"), if (cost) list(fact("扣除成本后", p = a$p)), extra)
A <- run(buy, ask, P, "isotonic", 25, times = 600); L <- run(as.matrix(line) == 1, as.matrix(line) >= 0, c(10, 30, 50, 70, 90), "linear", 20); stopifnot(abs(L$r - 50) < 1e-9, abs(L$p - 60) < 1e-9)
E <- run(buy[!odd, ], ask[!odd, ], P, "exponential", 0, .9); G <- run(buy, ask, P, "logit", 25, w = d$次数, times = 300); H <- run(outer(d$最高价, sort(unique(d$最高价)), ">="), outer(d$最高价, sort(unique(d$最高价)), ">") | TRUE, sort(unique(d$最高价)), "empirical")
it <- as.list(names(d)[1:7]); q <- setNames(as.list(rep("定量", 9)), names(d)); kept <- fact("份答卷在较低价拒绝却在较高价接受，已保留", n = sum(odd))
oracle(c("R 4.2.2: isoreg, lm, nls, glm(binomial), prop.test, sample"), list(
  case("七个价格，成本 25", list(prices = it, unit_cost = 25), A$out, says(A, TRUE, extra = list(kept)), measures = q),
  case("直线的闭式解", list(prices = as.list(names(line)), unit_cost = 20, buy_from = 1, curve = "linear"), L$out, says(L, TRUE), data = "oracle-line.csv", measures = setNames(as.list(rep("定量", 5)), names(line))),
  case("指数曲线，剔除矛盾的人，90%", list(prices = it, price_values = P, curve = "exponential", inconsistent = "exclude", conf_level = .9), E$out, says(E, FALSE, E$r %in% range(P), list(fact("较高价接受，已剔除", n = sum(odd)))), measures = q),
  case("Logit，频数权重", list(prices = it, unit_cost = 25, curve = "logit", weight = "次数"), G$out, says(G, TRUE, extra = list(fact("已保留", n = sum(odd & d$次数 > 0)))), measures = q),
  case("可接受最高价", list(max_price = "最高价", curve = "empirical"), H$out, says(H, FALSE), measures = q)), quick = list(n_resamples = 200),
  unverified = lapply(c("rl", "rh", "pl", "ph"), function(k) list(what = paste0("lead.", k), reason = "重抽样的区间见表，容差已注明")))
