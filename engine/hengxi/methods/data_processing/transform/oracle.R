# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2: base; λ from the likelihood written out, checked against car)
source("../../../../tools/columns.R")
if (!file.exists("example.csv")) {
  set.seed(47); n <- 300
  d <- data.frame(编号 = 1:n, 收入 = round(exp(rnorm(n, 8.6, .6))), 满意比例 = round(rbeta(n, 4, 2), 3), 盈亏 = round(rt(n, 4) * 10 + 3, 1),
    得分 = round(100 - rgamma(n, 2, .15), 1), 相关 = round(runif(n, -.9, .9), 3), 等待 = rpois(n, 3))
  d$满意比例[d$满意比例 == 1 | d$满意比例 == 0] <- .5; d$收入[c(9, 77)] <- NA; save_example(d)
}
x <- example()
G <- function(v) { n <- length(v); d <- v - mean(v); m <- function(k) mean(d^k)
  g1 <- m(3) / m(2)^1.5; g2 <- m(4) / m(2)^2 - 3
  c(g1 * sqrt(n * (n - 1)) / (n - 2), (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * g2 + 6)) }
shape <- function(name, old, new) { a <- shapiro.test(old); b <- shapiro.test(new); block("shape", list(variable = name), skewness = G(old)[1], kurtosis = G(old)[2],
  W = a$statistic, p = a$p.value, skewness_after = G(new)[1], kurtosis_after = G(new)[2], W_after = b$statistic, p_after = b$p.value, test = "Shapiro-Wilk",
  tolerance = 1e-6, reason = "p of Shapiro-Wilk is read from 1 - W; scores of R have fewer digits for ties") }
bc <- function(v, l) if (abs(l) < 1e-12) log(v) else (v^l - 1) / l
yj <- function(v, l) ifelse(v >= 0, if (abs(l) < 1e-12) log1p(v) else ((v + 1)^l - 1) / l, if (abs(l - 2) < 1e-12) -log1p(-v) else -((1 - v)^(2 - l) - 1) / (2 - l))
ll <- function(v, l, f, jac) (l - 1) * jac - length(v) / 2 * log(mean((f(v, l) - mean(f(v, l)))^2))
# The maximum as the root of a five-point derivative of the likelihood: good to 1e-9.
# Box-Cox in units of the geometric mean, where the jacobian is constant: no digit is lost at either end.
unit <- function(v) v / exp(mean(log(v)))
best <- function(v, f, jac) { d <- function(l, h = 2e-3) (ll(v, l - 2 * h, f, jac) - 8 * ll(v, l - h, f, jac) + 8 * ll(v, l + h, f, jac) - ll(v, l + 2 * h, f, jac)) / (12 * h)
  lam <- uniroot(d, c(-3, 3), tol = 1e-13)$root; top <- ll(v, lam, f, jac) - qchisq(.95, 1) / 2; g <- function(l) ll(v, l, f, jac) - top
  c(lam, uniroot(g, c(lam - 1.5, lam), tol = 1e-12)$root, uniroot(g, c(lam, lam + 1.5), tol = 1e-12)$root) }
b1 <- best(unit(trees$Volume), bc, 0); b2 <- best(trees$Volume, yj, sum(log1p(trees$Volume)))
stopifnot(abs(b1[1] + 0.074766) < 1e-5, abs(b2[1] + 0.116436) < 1e-5, abs(car::powerTransform(trees$Volume)$lambda - b1[1]) < 1e-4)
johnson <- function(v) { s <- sort(v); sc <- qnorm((seq_along(s) - .375) / (length(s) + .25)); top <- -Inf; out <- NULL
  for (z in seq(.25, 1.25, .01)) { q <- quantile(v, pnorm(c(-3, -1, 1, 3) * z), names = FALSE); m <- q[4] - q[3]; n <- q[2] - q[1]; p <- q[3] - q[2]; if (min(m, n, p) <= 0) next
    qr <- m * n / p^2; mid <- (q[3] + q[2]) / 2
    if (qr > 1) { eta <- 2 * z / acosh((m + n) / (2 * p)); ga <- eta * asinh((n - m) / p / (2 * sqrt(qr - 1)))
      la <- 2 * p * sqrt(qr - 1) / (((m + n) / p - 2) * sqrt((m + n) / p + 2)); ep <- mid + (n - m) / (2 * ((m + n) / p - 2)); y <- ga + eta * asinh((s - ep) / la) }
    else { k <- (1 + p / m) * (1 + p / n); eta <- z / acosh(sqrt(k) / 2); ga <- eta * asinh((p / n - p / m) * sqrt(k - 4) / (2 * (1 / qr - 1)))
      la <- p * sqrt((k - 2)^2 - 4) / (1 / qr - 1); ep <- mid - la / 2 + p * (p / n - p / m) / (2 * (1 / qr - 1)); if (ep >= s[1] || s[length(s)] >= ep + la) next
      y <- ga + eta * log((s - ep) / (la + ep - s)) }
    if (any(!is.finite(y))) next; r <- cor(y, sc); if (r > top + 1e-12) { top <- r; out <- list(p = c(ga, eta, ep, la), f = qr > 1) } }
  a <- out$p; list(p = a, y = if (out$f) a[1] + a[2] * asinh((v - a[3]) / a[4]) else a[1] + a[2] * log((v - a[3]) / (a[4] + a[3] - v))) }
run <- function(name, way, variable, method, f, form = list(), says = list(), shift = NULL, extra = list(), tolerance = NULL) {
  v <- x[[variable]]; old <- ok(v); new <- f(old); all <- rep(NA_real_, nrow(x)); all[!is.na(v)] <- new; n <- nrow(x); why <- if (is.null(tolerance)) NULL else "λ at the top of a flat likelihood"
  loose <- function(b) if (is.null(tolerance)) b else { b$tolerance <- tolerance; b$reason <- why; b }
  cells <- c(list(formula = way), if (!is.null(shift)) list(shift = shift), extra)
  facts <- list(skewness0 = G(old)[1], skewness_after0 = G(new)[1])
  lead <- do.call(fact, c(list(paste0("已按", way, "变换")), facts)); if (!is.null(tolerance)) lead$tolerance <- tolerance
  case(name, c(list(variables = list(variable), method = method), form), list(shape(variable, old, new), loose(do.call(block, c(list("parameters", list(variable = variable)), cells))),
    loose(compared(variable, v, all)), record("数据变换", n, ncol(x) + if (identical(form$mode, "replace")) 0 else 1, c(n, ncol(x)), if (identical(form$mode, "replace")) length(old) else 0)),
    c(list(lead), if (length(says)) says else list("解释结果时要换算回来")), measures = list(等待 = "定量")) }
inc <- ok(x$收入); lb <- best(unit(inc), bc, 0); pl <- x$盈亏; ly <- best(pl, yj, sum(sign(pl) * log1p(abs(pl)))); jo <- johnson(inc); js <- johnson(pl)
jx <- function(j) list(gamma = j$p[1], eta = j$p[2], epsilon = j$p[3], width = j$p[4])
six <- c("收入", "满意比例", "得分", "等待", "相关", "编号"); n <- nrow(x)
many <- case("六个变量", list(variables = as.list(six), method = "cbrt"), c(lapply(six, function(s) compared(s, x[[s]], sign(x[[s]]) * abs(x[[s]])^(1 / 3))),
  list(record("数据变换", n, ncol(x) + 6, c(n, ncol(x))))), list(fact("其余变量见结果表", variables = 6)), measures = list(等待 = "定量", 编号 = "定量"))
oracle(c("R 4.2.2: log(), shapiro.test(), quantile(); λ by uniroot on the likelihood; car::powerTransform"), list(
  run("自然对数", "自然对数", "收入", "ln", log, says = list("几何平均", "更对称"), shift = 0), run("常用对数", "常用对数", "收入", "log10", log10, list(mode = "replace"), shift = 0),
  run("平移", "以2为底的对数", "盈亏", "log2", function(v) log2(v + 100), list(shift = 100), shift = 100, says = list("没有变得更对称")),
  run("log1p", "ln(1+x)", "等待", "log1p", log1p, shift = 0), run("平方根", "平方根", "等待", "sqrt", sqrt, shift = 0), many,
  run("平方", "平方", "得分", "square", function(v) v^2), run("倒数", "倒数", "收入", "reciprocal", function(v) 1 / v, shift = 0), run("指数", "指数", "满意比例", "exp", exp),
  run("反正弦", "反正弦平方根（比例）", "满意比例", "asin_sqrt", function(v) asin(sqrt(v))), run("Logit", "Logit", "满意比例", "logit", qlogis, shift = 0),
  run("Probit", "Probit", "满意比例", "probit", qnorm, shift = 0), run("反射", "反射对数（左偏）", "得分", "reflect_log", function(v) log(max(v) + 1 - v), says = list("大小次序颠倒")),
  run("Fisher", "Fisher z", "相关", "fisher_z", atanh), run("绝对值", "绝对值", "盈亏", "abs", abs), run("幂", "幂", "收入", "power", function(v) v^-.5, list(power = -.5), shift = 0),
  run("BoxCox", "Box-Cox", "收入", "boxcox", function(v) bc(v, lb[1]), shift = 0, extra = list(lam = lb[1], low = lb[2], high = lb[3]), tolerance = 1e-6, says = list("更容易解释的选择", "（λ = ")),
  run("BoxCox给定", "Box-Cox", "收入", "boxcox", function(v) bc(v, .5), list(lam = .5), shift = 0, extra = list(lam = .5), says = list("解释结果时")),
  run("YeoJohnson", "Yeo-Johnson", "盈亏", "yeojohnson", function(v) yj(v, ly[1]), extra = list(lam = ly[1], low = ly[2], high = ly[3]), tolerance = 1e-6),
  run("Johnson", "Johnson", "收入", "johnson", function(v) johnson(v)$y, extra = jx(jo)), run("JohnsonSU", "Johnson", "盈亏", "johnson", function(v) johnson(v)$y, extra = jx(js))))
