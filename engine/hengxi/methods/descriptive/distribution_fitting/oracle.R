# Rscript oracle.R   (R 4.2.2, MASS, numDeriv) optim polished on the log-likelihood of R's own densities; D and A² by hand.
source("../../../../tools/oracle.R")
suppressMessages({library(MASS); library(numDeriv)})
dgum <- function(x, a, b) { z <- (x - a) / b; exp(-z - exp(-z)) / b }; pgum <- function(x, a, b) exp(-exp(-(x - a) / b))
qgum <- function(p, a, b) a - b * log(-log(p))
F <- list(
  norm = list("正态", c("均值", "标准差"), dnorm, pnorm, qnorm, "fp"), lognorm = list("对数正态", c("对数均值", "对数标准差"), dlnorm, plnorm, qlnorm, "fp"),
  expon = list("指数", "均值（1/λ）", function(x, m) dexp(x, 1 / m), function(x, m) pexp(x, 1 / m), function(p, m) qexp(p, 1 / m), "p"),
  gamma = list("伽马", c("形状", "尺度"), function(x, k, s) dgamma(x, k, scale = s), function(x, k, s) pgamma(x, k, scale = s), function(p, k, s) qgamma(p, k, scale = s), "pp"),
  weibull_min = list("威布尔", c("形状", "尺度"), dweibull, pweibull, qweibull, "pp"), beta = list("贝塔", c("α", "β"), dbeta, pbeta, qbeta, "pp"),
  logistic = list("逻辑斯蒂", c("位置", "尺度"), dlogis, plogis, qlogis, "fp"), gumbel_r = list("极值（I 型）", c("位置", "尺度"), dgum, pgum, qgum, "fp"),
  t = list("t", c("自由度", "位置", "尺度"), function(x, v, m, s) dt((x - m) / s, v) / s, function(x, v, m, s) pt((x - m) / s, v), function(p, v, m, s) m + s * qt(p, v), "pfp"),
  poisson = list("泊松", "λ（均值）", dpois, ppois, qpois, "p", TRUE),
  nbinom = list("负二项", c("size（离散参数）", "均值"), function(x, r, m) dnbinom(x, r, mu = m), function(x, r, m) pnbinom(x, r, mu = m), function(p, r, m) qnbinom(p, r, mu = m), "pp", TRUE),
  geom = list("几何", "概率", dgeom, pgeom, qgeom, "s", TRUE),
  binom = list("二项", "概率", function(x, p) dbinom(x, 10, p), function(x, p) pbinom(x, 10, p), function(q, p) qbinom(q, 10, p), "s", TRUE),
  gamma3 = list("伽马", c("形状", "尺度", "位置"), function(x, k, s, a) dgamma(x - a, k, scale = s), function(x, k, s, a) pgamma(x - a, k, scale = s),
    function(p, k, s, a) a + qgamma(p, k, scale = s), "ppf"))
call <- function(f, x, t) do.call(f, c(list(x), as.list(unname(t))))
fit <- function(key, x, start) { f <- F[[key]]; kinds <- strsplit(f[[6]], "")[[1]]
  go <- function(u) ifelse(kinds == "p", exp(u), ifelse(kinds == "s", plogis(u), u)); back <- function(t) ifelse(kinds == "p", log(pmax(t, 1e-300)), ifelse(kinds == "s", qlogis(pmin(pmax(t, 1e-9), 1 - 1e-9)), t))
  nll <- function(u) { v <- -sum(log(call(f[[3]], x, go(u)))); if (is.finite(v)) v else 1e10 }
  u <- back(start); for (i in 1:3) u <- optim(u, nll, method = if (length(u) > 1) "Nelder-Mead" else "BFGS", control = list(reltol = 1e-14, maxit = 5000))$par
  for (i in 1:6) u <- u - solve(hessian(nll, u), grad(nll, u))
  t <- go(u); n <- length(x); k <- length(t); L <- -nll(u); v <- sort(unique(x)); e <- ecdf(x)(v); P <- call(f[[4]], v, t)
  B <- if (length(f) == 7) call(f[[4]], v - 1, t) else P; D <- max(e - P, B - c(0, head(e, -1)))
  y <- sort(x); Y <- call(f[[4]], y, t); i <- seq_len(n)
  A <- if (length(f) == 7) NULL else -n - mean((2 * i - 1) * (log(Y) + log(1 - rev(Y))))
  se <- sqrt(diag(solve(hessian(function(t) -sum(log(call(f[[3]], x, t))), t))))
  z <- qnorm(.975); lo <- ifelse(kinds == "p", t * exp(-z * se / t), ifelse(kinds == "s", plogis(qlogis(t) - z * se / (t * (1 - t))), t - z * se))
  hi <- ifelse(kinds == "p", t * exp(z * se / t), ifelse(kinds == "s", plogis(qlogis(t) + z * se / (t * (1 - t))), t + z * se))
  list(f = f, t = t, L = L, aic = 2 * k - 2 * L, bic = k * log(n) - 2 * L, D = D, A = A, se = se, lo = lo, hi = hi, x = x) }
WHY <- "最大值处似然很平，optim 加 Newton 的数值导数只到这一位"
row <- function(r, rank = NULL) do.call(block, c(list("compare", list(distribution = r$f[[1]]), loglik = r$L, aic = r$aic, bic = r$bic, D = r$D),
  if (is.null(r$A)) NULL else list(A2 = r$A), if (is.null(rank)) NULL else list(rank = rank), list(tolerance = 1e-6, reason = WHY)))
top <- function(r) c(lapply(seq_along(r$t), function(i) block("best", list(parameter = r$f[[2]][i]), value = r$t[i], se = r$se[i], low = r$lo[i], high = r$hi[i],
    tolerance = 1e-5, reason = "标准误由似然的数值二阶导数得出")),
  lapply(c(1, 5, 10, 25, 50, 75, 90, 95, 99), function(p) block("percentiles", list(place_p = paste0("P", p)), theory = call(r$f[[5]], p / 100, r$t),
    sample = unname(quantile(r$x, p / 100)), tolerance = 1e-6, reason = WHY)))
all <- function(keys, x, starts, by = "aic") { r <- Map(function(k, s) fit(k, x, s), keys, starts); o <- order(sapply(r, `[[`, by))
  c(Map(function(i, k) row(r[[i]], k), o, seq_along(o)), top(r[[o[1]]])) |> unname() }
set.seed(20240115)
if (!file.exists("example.csv")) write.csv(data.frame(等待时间 = round(rgamma(200, 2, scale = 3), 2), 死亡数 = rep(0:4, c(109, 65, 22, 3, 1))), "example.csv", row.names = FALSE, quote = FALSE)
e <- example(); x <- e$等待时间; h <- e$死亡数
odd <- data.frame(比例 = round(qbeta((1:60 - .5) / 60, 2, 5), 3), 误差 = round(qt((1:60 - .5) / 60, 3) * 2 + 10, 2), 评分 = rep(1:5, c(4, 9, 20, 17, 10)),
  次数 = rep(1:3, 20), 访问 = qnbinom((1:60 - .5) / 60, 1.5, mu = 4)); write.csv(odd, "oracle-odd.csv", row.names = FALSE, quote = FALSE)
K <- list(等待时间 = "定量", 死亡数 = "定量", 比例 = "定量", 误差 = "定量", 评分 = "定量", 次数 = "定量", 访问 = "定量")
g <- function(v, d, ...) list(variables = list(v), distributions = as.list(d), ...)
ms <- function(x) c(mean(x), sd(x)); d5 <- c("norm", "lognorm", "expon", "gamma", "weibull_min")
s5 <- function(x) list(ms(x), ms(log(x)), mean(x), c(2, mean(x) / 2), c(1.3, mean(x)))
w <- odd$误差[rep(1:60, odd$次数)]; mo <- max(odd$访问)
said <- list("排第一只是", "可以互相比较", "普通 K-S 的", "不同的取值有", "中，“", "排在第二的是")
f1 <- fitdistr(x, "gamma"); stopifnot(abs(f1$loglik - fit("gamma", x, c(2, 3))$L) < 1e-4)
set.seed(1); ny <- odd$比例; nD <- function(y) { y <- sort(y); n <- length(y); P <- pnorm(y, mean(y), sqrt(mean((y - mean(y))^2))); max((1:n) / n - P, P - (0:(n - 1)) / n) }
nb <- mean(replicate(20000, nD(rnorm(60))) >= nD(ny))
oracle(c("R 4.2.2: optim", "MASS::fitdistr", "numDeriv: hessian", "由公式在 R 中另写的 D、A²"), list(
  case("等待时间，默认", list(variables = list("等待时间")), all(d5, x, s5(x)), said, measures = K),
  case("BIC 排序", list(variables = list("等待时间"), criterion = "bic"), all(d5, x, s5(x), "bic"), list(), measures = K),
  case("A-D 排序", list(variables = list("等待时间"), criterion = "ad"), all(d5, x, s5(x), "A"), list(), measures = K),
  case("马踢死亡", g("死亡数", c("poisson", "geom", "binom"), trials = 10), all(c("poisson", "geom", "binom"), h, list(.61, .6, .06)), list("没有 *A*²"), measures = K),
  case("访问次数，离散", g("访问", c("poisson", "nbinom", "geom")), all(c("poisson", "nbinom", "geom"), odd$访问, list(4, c(1.5, 4), .2)), list(), data = "oracle-odd.csv", measures = K),
  case("比例，贝塔", g("比例", c("beta", "norm")), all(c("beta", "norm"), odd$比例, list(c(2, 5), ms(odd$比例))), list("排在第二的是“正态”"), data = "oracle-odd.csv", measures = K),
  case("厚尾，频数权重", g("误差", c("norm", "logistic", "gumbel_r", "t"), weight = "次数"), all(c("norm", "logistic", "gumbel_r", "t"), w, list(ms(w), c(10, 1.5), c(9, 2), c(3, 10, 2))),
    list(), data = "oracle-odd.csv", measures = K),
  case("五点题", g("评分", c("norm", "gamma")), all(c("norm", "gamma"), odd$评分, list(ms(odd$评分), c(8, .4))), list("取值太粗", "排在第二的是“伽马”"), data = "oracle-odd.csv", measures = K),
  case("位置也估计", g("等待时间", "gamma", fix_loc = FALSE), { r <- fit("gamma3", x, c(2, 3, min(x) - .1)); c(list(row(r)), top(r)) }, list("只有“伽马”"), measures = K),
  case("均匀", g("评分", "uniform"), list(block("best", list(parameter = "最小值"), value = 1), block("best", list(parameter = "最大值"), value = 5),
    block("compare", list(distribution = "均匀"), loglik = -60 * log(4), aic = 4 + 120 * log(4), bic = 2 * log(60) + 120 * log(4))), list("由样本的最小、最大值决定"), data = "oracle-odd.csv", measures = K),
  case("自助法", g("比例", "norm", bootstrap = TRUE), list(block("compare", list(distribution = "正态"), p = nb, tolerance = 0.5,
    reason = "产品抽 199 个样本，R 抽 20000 个；相对的抽样误差")), list("用参数自助法得出", "自助法 *p*"), data = "oracle-odd.csv", measures = K),
  case("类型混用", g("死亡数", c("poisson", "norm", "gamma")), list(row(fit("poisson", h, .6)), row(fit("norm", h, ms(h)))), list("不宜互相比较", "含小于等于0的值"), measures = K)))
