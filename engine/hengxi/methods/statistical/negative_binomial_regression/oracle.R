# Rscript oracle.R   (R 4.2.2) MASS::glm.nb on MASS::quine; NB1 by maxLik on its own likelihood. The example is made here.
source("../../../../tools/oracle.R"); source("../../../../tools/oracle_counts.R")
suppressMessages(library(maxLik))

made <- function() {        # visits as those of poisson_regression, but negative binomial with α = 0.6; seed 2024
  RNGversion("4.2.0"); set.seed(2024); n <- 250
  age <- sample(20:75, n, replace = TRUE); chronic <- ifelse(runif(n) < .3 + (age - 45) / 200, "有", "无")
  insured <- sample(c("职工", "居民", "无"), n, replace = TRUE, prob = c(.5, .35, .15)); months <- sample(c(6, 12, 18, 24), n, replace = TRUE)
  rate <- exp(-2.6 + .012 * age + .55 * (chronic == "有") + .25 * (insured == "职工") + .12 * (insured == "居民"))
  data.frame(就诊次数 = rnbinom(n, mu = rate * months, size = 1 / .6), 年龄 = age, 慢病 = chronic, 医保 = insured, 观察月数 = months, check.names = FALSE)
}
if (!file.exists("example.csv")) write.csv(made(), "example.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
d <- example(); stopifnot(all.equal(d, made()))
q <- data.frame(缺课天数 = quine$Days, 族群 = quine$Eth, 性别 = quine$Sex, 年级 = quine$Age, 学习 = quine$Lrn, check.names = FALSE)
write.csv(q, "oracle-quine.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")

nb <- function(y, X, offset = rep(0, length(y))) {        # to machine precision: beta and theta in turn
  m <- glm.nb(y ~ X + offset(offset), control = glm.control(epsilon = 1e-14, maxit = 200))
  for (i in 1:200) {
    t <- theta.ml(y, fitted(m), limit = 200, eps = 1e-15); old <- m$theta
    g <- glm(y ~ X + offset(offset), family = negative.binomial(as.numeric(t)), epsilon = 1e-15, maxit = 200, start = coef(m))
    m$coefficients <- coef(g); m$fitted.values <- fitted(g); m$theta <- as.numeric(t)
    if (abs(m$theta - old) < 1e-14) break
  }
  g$call <- NULL; list(glm = g, theta = m$theta, se = attr(t, "SE"))
}
ll_nb <- function(y, mu, theta) sum(dnbinom(y, mu = mu, size = theta, log = TRUE))
blocks_nb <- function(y, X, names_, offset = rep(0, length(y)), kind = "classic", level = .95) {
  f <- nb(y, X, offset); m <- f$glm; n <- length(y); k <- length(coef(m)); th <- f$theta; mu <- fitted(m)
  V0 <- settled(m, mu / (1 + mu / th)); U <- model.matrix(m) * ((y - mu) / (1 + mu / th))
  V <- if (kind == "classic") V0 else V0 %*% crossprod(U) %*% V0
  null <- nb0(y, offset); ll <- ll_nb(y, mu, th); ll0 <- null$ll; b <- coef(m)[-1]
  chi2 <- if (kind == "classic") 2 * (ll - ll0) else drop(b %*% solve(V[-1, -1], b))
  llp <- sum(dpois(y, fitted(glm(y ~ X + offset(offset), family = poisson, epsilon = 1e-14)), log = TRUE))
  s <- f$se / th; z <- qnorm((1 + level) / 2); a <- 1 / th; e <- exp(z * s); x <- 2 * (ll - llp)
  list(V = V, p = pchisq(chi2, k - 1, lower.tail = FALSE), glm = m, theta = th, blocks = c(count_coefficients(m, V, names_, level), count_vif(X, names_), list(
    block("summary", n = n, ll = ll, chi2 = chi2, chi2_df = k - 1, p = pchisq(chi2, k - 1, lower.tail = FALSE), mcfadden = 1 - ll / ll0,
      aic = -2 * ll + 2 * (k + 1), bic = -2 * ll + log(n) * (k + 1), deviance = deviance(m), pearson = sum((y - mu)^2 / (mu + mu^2 / th)), df = n - k),
    block("shape", list(name = "α"), value = a, se = a * s, low = a / e, high = a * e, tolerance = 1e-7, reason = "theta.ml stops at 1e-8 of its information"),
    block("shape", list(name = "θ = 1/α"), value = th, se = f$se, low = th / e, high = th * e, tolerance = 1e-7, reason = "theta.ml stops at 1e-8 of its information"),
    block("against", poisson = llp, ll = ll, chi2 = x, p = pchisq(x, 1, lower.tail = FALSE) / 2, poisson_aic = -2 * llp + 2 * k, aic = -2 * ll + 2 * (k + 1)),
    block("outcome", events = sum(y), mean = mean(y), variance = var(y), most = max(y)),
    block("zeros", observed = sum(y == 0), expected = sum(dnbinom(0, mu = mu, size = th)), ratio = sum(y == 0) / sum(dnbinom(0, mu = mu, size = th))))))
}
nb0 <- function(y, offset) {
  f <- function(p) -ll_nb(y, exp(p[1] + offset), exp(p[2]))
  o <- optim(c(log(sum(y) / sum(exp(offset))), 0), f, method = "BFGS", control = list(reltol = 1e-16, maxit = 1000))
  list(ll = -o$value)
}
# NB1: variance μ(1 + α); Newton with analytic derivatives of R's own digamma and trigamma.
nb1 <- function(y, X, offset) {
  M <- cbind(1, X); k <- ncol(M)
  f <- function(p) { mu <- exp(drop(M %*% p[1:k]) + offset); a <- exp(p[k + 1]); dnbinom(y, size = mu / a, prob = 1 / (1 + a), log = TRUE) }
  g <- function(p) {
    mu <- exp(drop(M %*% p[1:k]) + offset); a <- exp(p[k + 1]); r <- mu / a; u <- r * (digamma(y + r) - digamma(r) - log1p(a))
    cbind(M * u, -u + y / (1 + a) - r * a / (1 + a))
  }
  h <- function(p) {
    mu <- exp(drop(M %*% p[1:k]) + offset); a <- exp(p[k + 1]); r <- mu / a; G <- digamma(y + r) - digamma(r) - log1p(a); B <- trigamma(y + r) - trigamma(r)
    bb <- r * G + r^2 * B; s <- a / (1 + a); ba <- -bb - r * s; aa <- bb + r * s + r * s - y * s / (1 + a) - r * s / (1 + a)
    H <- matrix(0, k + 1, k + 1); H[1:k, 1:k] <- crossprod(M * bb, M); H[1:k, k + 1] <- H[k + 1, 1:k] <- crossprod(M, ba); H[k + 1, k + 1] <- sum(aa); H
  }
  start <- c(coef(glm(y ~ X + offset(offset), family = poisson)), 0)
  o <- maxNR(f, g, h, start = start, control = list(tol = 0, reltol = 0, gradtol = 1e-10, iterlim = 200))
  list(b = unname(o$estimate[1:k]), a = exp(unname(o$estimate[k + 1])), V = solve(-h(o$estimate)), ll = sum(f(o$estimate)))
}
cases_nb <- function(f, y) {
  m <- f$glm; m$y <- y; mu <- fitted(m); w <- mu / (1 + mu / f$theta); M <- model.matrix(m); h <- w * rowSums((M %*% settled(m, w)) * M)
  r <- (y - mu) / sqrt(mu * (1 + mu / f$theta)) / sqrt(1 - h); d <- r^2 * h / (1 - h) / ncol(M)
  lapply(head(order(-d), 3), function(i) block("outliers", list(row = list(i)), observed = y[i], fitted = unname(mu[i]),
    standardized = unname(r[i]), leverage = unname(h[i]), cook = unname(d[i])))
}
X1 <- model.matrix(~ 年龄 + I(慢病 == "有") + I(医保 == "居民") + I(医保 == "无"), d)[, -1]
names1 <- c("常数项", "年龄", "慢病：有", "医保：居民", "医保：无"); y1 <- d$就诊次数; o1 <- log(d$观察月数)
form1 <- list(y = "就诊次数", x = list("年龄", "慢病", "医保"), exposure = "观察月数")
f1 <- blocks_nb(y1, X1, names1, o1); f1r <- blocks_nb(y1, X1, names1, o1, "robust", .9)
g <- nb1(y1, X1, o1); se <- sqrt(diag(g$V)); k <- length(g$b); e <- exp(qnorm(.975) * se[k + 1])
Xq <- model.matrix(~ Eth + I(Sex == "F") + Age + I(Lrn == "AL"), quine)[, -1]
names2 <- c("常数项", "族群：N", "性别：F", "年级：F1", "年级：F2", "年级：F3", "学习：AL")
f2 <- blocks_nb(quine$Days, Xq, names2)
nb1_blocks <- c(lapply(1:k, function(i) block("coefficients", list(name = names1[i]), b = g$b[i], se = se[i], z = g$b[i] / se[i],
    p = 2 * pnorm(-abs(g$b[i] / se[i])), irr = exp(g$b[i]), low = exp(g$b[i] - qnorm(.975) * se[i]), high = exp(g$b[i] + qnorm(.975) * se[i]))), list(
  block("shape", list(name = "α"), value = g$a, se = g$a * se[k + 1], low = g$a / e, high = g$a * e),
  block("summary", n = length(y1), ll = g$ll, aic = -2 * g$ll + 2 * (k + 1), bic = -2 * g$ll + log(length(y1)) * (k + 1)),
  block("frequencies", list(count = "3"), expected = sum(dnbinom(3, size = exp(drop(cbind(1, X1) %*% g$b) + o1) / g$a, prob = 1 / (1 + g$a)))),
  block("zeros", observed = sum(y1 == 0), expected = sum(dnbinom(0, size = exp(drop(cbind(1, X1) %*% g$b) + o1) / g$a, prob = 1 / (1 + g$a))))))
oracle(c("R 4.2.2: glm, dnbinom", "MASS 7.3: glm.nb, theta.ml", "maxLik 1.5: maxNR (NB1)"), list(
  case("门诊次数，过离散", c(form1, list(predict_at = list(list(年龄 = 60, 慢病 = "有", 医保 = "职工")))),
    c(f1$blocks, list(wald_block("医保", coef(f1$glm), f1$V, 4:5), count_new(1, c(1, 60, 1, 0, 0), coef(f1$glm), f1$V)),
      count_frequencies(tabulate(y1 + 1)[1:39], sapply(0:38, function(k) sum(dnbinom(k, mu = fitted(f1$glm), size = f1$theta)))),
      cases_nb(f1, y1)), says = count_says(count_lead("“就诊次数”的发生率是“无”的", coef(f1$glm), f1$V, 3, f1$p), "再看大小", "次数过离散，用负二项是对的",
      "暴露量：“", "定类自变量的参照水平", "预测的是暴露量为 1 时", "方差 = μ + αμ²", "检验 α = 0")),
  case("稳健标准误", c(form1, list(se_type = "robust", conf_level = .9)), f1r$blocks,
    says = list("标准误：稳健", "标准误为稳健", "按稳健标准误")),
  case("NB1", c(form1, list(type = "nb1")), nb1_blocks, says = list("（NB1，", "方差 = μ + αμ；")),
  case("缺课天数（MASS::quine）", list(y = "缺课天数", x = list("族群", "性别", "年级", "学习")), c(f2$blocks,
    list(wald_block("年级", coef(f2$glm), f2$V, 4:6))), data = "oracle-quine.csv", measures = list(缺课天数 = "定量"),
    says = list("合起来与“缺课天数”有关", "先看 IRR", "再看大小", "作负二项回归", "各系数：", "没有发现明显的关系", "定类自变量的参照水平"))))
