# For oracles of time series: the exact Gaussian likelihood of an ARMA from its covariance matrix (no Kalman filter, no
# innovations algorithm), unit root tests by lm, portmanteau and error measures. Beside them the scripts run R's own arima.
suppressMessages({library(numDeriv); library(tseries); library(forecast); library(urca)})

spaced <- function(x, m) if (length(x)) { y <- rep(0, length(x) * m); y[m * seq_along(x)] <- x; y } else numeric()
times <- function(a, b) { r <- rep(0, length(a) + length(b) - 1); for (i in seq_along(a)) r[i - 1 + seq_along(b)] <- r[i - 1 + seq_along(b)] + a[i] * b; r }
acvf <- function(ar, ma, n, long = 4000) { psi <- c(1, ARMAtoMA(ar, ma, long)); N <- length(psi)
  sapply(0:(n - 1), function(k) if (k >= N) 0 else sum(psi[1:(N - k)] * psi[(1 + k):N])) }
cut_up <- function(par, o, s, m) {            # coefficients of the two polynomials, seasonal factors multiplied in
  p <- o[1]; q <- o[3]; P <- s[1]; Q <- s[3]
  phi <- par[seq_len(p)]; theta <- par[p + seq_len(q)]; Phi <- par[p + q + seq_len(P)]; Theta <- par[p + q + P + seq_len(Q)]
  list(ar = -times(c(1, -phi), c(1, -spaced(Phi, m)))[-1], ma = times(c(1, theta), c(1, spaced(Theta, m)))[-1]) }
deltas <- function(o, s, m) { d <- 1; for (i in seq_len(o[2])) d <- times(d, c(1, -1)); for (i in seq_len(s[2])) d <- times(d, c(1, rep(0, m - 1), -1)); d }
taken <- function(x, o, s, m) { if (s[2]) x <- diff(x, lag = m, differences = s[2]); if (o[2]) x <- diff(x, differences = o[2]); x }

exact_arima <- function(y, o, X = NULL, s = c(0, 0, 0), m = 1, Xf = NULL, h = 0) {
  X <- if (is.null(X)) matrix(0, length(y), 0) else as.matrix(X)
  w <- taken(y, o, s, m); W <- apply(X, 2, taken, o = o, s = s, m = m); W <- matrix(W, length(w)); n <- length(w); k <- ncol(X)
  np <- o[1] + o[3] + s[1] + s[3]
  root <- function(par) { p <- cut_up(par, o, s, m); if (np == 0) diag(n) else t(chol(toeplitz(acvf(p$ar, p$ma, n)))) }
  inner <- function(par) { L <- root(par); e <- forwardsolve(L, cbind(w, W))
    b <- if (k) qr.solve(e[, -1, drop = FALSE], e[, 1]) else numeric(); list(L = L, e = e[, 1] - e[, -1, drop = FALSE] %*% b, b = b) }
  value <- function(L, e) -n / 2 * (log(2 * pi * sum(e^2) / n) + 1) - sum(log(diag(L)))
  profile <- function(par) { f <- inner(par); value(f$L, f$e) }
  joint <- function(both) { par <- both[seq_len(np)]; L <- root(par); e <- forwardsolve(L, w - W %*% both[-seq_len(np)][seq_len(k)]); value(L, e) }
  if (np == 0) joint <- function(both) { e <- w - W %*% both; value(diag(n), e) }
  par <- numeric()
  if (np) { start <- arima(w, c(o[1], 0, o[3]), seasonal = list(order = c(s[1], 0, s[3]), period = m), xreg = if (k) W else NULL,
              include.mean = FALSE, method = "ML", optim.control = list(reltol = 1e-14, maxit = 500)); par <- coef(start)[seq_len(np)]
    for (i in 1:4) par <- par - solve(hessian(profile, par), grad(profile, par)) }
  f <- inner(par); both <- c(par, f$b); ll <- value(f$L, f$e); s2 <- sum(f$e^2) / n
  V <- if (length(both)) solve(-hessian(joint, both, method.args = list(d = .03))) else matrix(0, 0, 0)
  kk <- length(both) + 1; aic <- -2 * ll + 2 * kk
  out <- list(par = unname(par), b = unname(drop(f$b)), both = unname(both), se = unname(sqrt(diag(V))), ll = ll, s2 = s2, e = drop(f$e), one = drop(f$e) * diag(f$L), n = n, k = kk,
    aic = aic, aicc = aic + 2 * kk * (kk + 1) / (n - kk - 1), bic = aic + kk * (log(n) - 2), lost = length(y) - n)
  if (h > 0) {                                # conditional mean and variance of the next h, from the joint covariance matrix
    p <- cut_up(par, o, s, m); G <- if (np) toeplitz(acvf(p$ar, p$ma, n + h)) else diag(n + h); A <- G[n + 1:h, 1:n, drop = FALSE] %*% solve(G[1:n, 1:n])
    mu <- drop(A %*% (w - W %*% f$b)); S <- (G[n + 1:h, n + 1:h, drop = FALSE] - A %*% G[1:n, n + 1:h, drop = FALSE]) * s2
    d <- deltas(o, s, m)[-1]; level <- drop(y - X %*% f$b); N <- length(y); C <- matrix(0, h, h)
    for (t in 1:h) { v <- mu[t]; C[t, t] <- 1
      for (j in seq_along(d)) { v <- v - d[j] * level[N + t - j]; if (t - j > 0) C[t, ] <- C[t, ] - d[j] * C[t - j, ] }
      level <- c(level, v) }
    out$mean <- level[N + 1:h] + if (k) drop(as.matrix(Xf) %*% f$b) else 0; out$fse <- sqrt(diag(C %*% S %*% t(C))) }
  out }

# MacKinnon (1994), tau with one variable: the polynomials of his Tables 3 and 4; (2010) for the critical values
mackinnon_p <- function(t, trend) { big <- c(n = -1.04, c = -1.61, ct = -2.89)[[trend]]
  small <- list(n = c(.6344, 1.2378, 3.2496e-2), c = c(2.1659, 1.4412, 3.8269e-2), ct = c(3.2512, 1.6047, 4.9588e-2))[[trend]]
  large <- list(n = c(.4797, .93557, -.06999, .033066), c = c(1.7339, .93202, -.12745, -.010368), ct = c(2.5261, .61654, -.37956, -.060285))[[trend]]
  co <- if (t <= big) small else large; pnorm(sum(co * t^(seq_along(co) - 1))) }
mackinnon_c <- function(trend, n) { B <- list(n = rbind(c(-2.56574, -2.2358, -3.627, 0), c(-1.94100, -.2686, -3.365, 31.223), c(-1.61682, .2656, -2.714, 25.364)),
    c = rbind(c(-3.43035, -6.5393, -16.786, -79.433), c(-2.86154, -2.8903, -4.234, -40.040), c(-2.56677, -1.5384, -2.809, 0)),
    ct = rbind(c(-3.95877, -9.0531, -28.428, -134.155), c(-3.41049, -4.3904, -9.036, -45.374), c(-3.12705, -2.5856, -3.925, -22.380)))[[trend]]
  drop(B %*% (1 / n)^(0:3)) }
adf_lm <- function(x, k, trend = "c", start = k) { d <- diff(x); t <- (start + 1):length(d); y <- d[t]; Z <- x[t]
  for (j in seq_len(k)) Z <- cbind(Z, d[t - j]); if (trend == "ct") Z <- cbind(Z, seq_along(t))
  if (trend == "n") lm(y ~ 0 + Z) else lm(y ~ Z) }
longest <- function(n, trend = "c") max(0, min(ceiling(12 * (n / 100)^.25), n %/% 2 - 1 - c(n = 0, c = 1, ct = 2)[[trend]] - 1))
own_ic <- function(m, pen) length(resid(m)) * log(sum(resid(m)^2) / length(resid(m))) + pen * length(coef(m))
pick_lag <- function(x, trend = "c", by = "aic", most = longest(length(x), trend)) {
  if (by == "t") { for (k in most:1) { co <- coef(summary(adf_lm(x, k, trend, most))); i <- k + 1 + (trend != "n"); if (abs(co[i, 3]) > qnorm(.95)) return(k) }; return(0) }
  which.min(sapply(0:most, function(k) { m <- adf_lm(x, k, trend, most); own_ic(m, if (by == "bic") log(length(resid(m))) else 2) })) - 1 }
adf_t <- function(m, trend = "c") unname(coef(summary(m))[1 + (trend != "n"), 3])
arch_lm <- function(e, q) { s <- e^2; n <- length(s); Z <- sapply(1:q, function(j) s[(q + 1 - j):(n - j)]); m <- lm(s[(q + 1):n] ~ Z); R2 <- summary(m)$r.squared; T <- n - q
  F <- R2 / q / ((1 - R2) / (T - q - 1)); list(lm = T * R2, p = pchisq(T * R2, q, lower.tail = FALSE), F = F, df2 = T - q - 1, pF = pf(F, q, T - q - 1, lower.tail = FALSE)) }
measures_of <- function(a, f, scale) list(mae = mean(abs(a - f)), rmse = sqrt(mean((a - f)^2)), mape = if (all(a != 0)) mean(abs((a - f) / a)) else NULL, mase = mean(abs(a - f)) / scale)
naive_mae <- function(y, m = 1) mean(abs(diff(y, lag = m)))
HESS <- "standard errors rest on a numerical Hessian (numDeriv)"
