# survival::clogit with cluster() on the long table (one row an alternative); shares by hand softmax, premiums and shares by
# the delta method with numeric derivatives of their own.
source("../../../../tools/oracle.R"); suppressMessages(library(survival)); Bn <- c("蓝岸", "青禾", "云岭", "自有")
if (!file.exists("example.csv")) { RNGversion("4.2.0"); set.seed(37); a <- c(4.2, 3.6, 3.3, 2.6); b <- c(-.22, -.25, -.28, -.33); out <- NULL
  for (i in 1:60) { u0 <- rnorm(4, 0, .5); for (s in 1:8) { p <- sample(c(8, 10, 12, 14, 16), 4, TRUE); u <- c(a + u0 + b * p, 0) - log(-log(runif(5))); out <- rbind(out, data.frame(i, s, t(p), c(Bn, "都不买")[which.max(u)])) } }
  names(out) <- c("受访者", "轮次", paste0("价格(", Bn, ")"), "选择"); out[5, 6] <- NA; if (out[5, 7] == "自有") out[5, 7] <- "蓝岸"; write.csv(out, "example.csv", row.names = FALSE, quote = FALSE, na = "") }
d <- read.csv("example.csv", check.names = FALSE, na.strings = ""); P <- as.matrix(d[3:6]); colnames(P) <- Bn
RNGversion("4.2.0"); set.seed(3); odd <- data.frame(人 = rep(1:12, each = 3), 轮 = rep(1:3, 12), 甲 = rep(c(8, 10, 12), 12), 乙 = rep(c(10, 8, 10, 12, 8, 12), 6)); odd$选 <- 2 - (runif(36) < plogis(.3 * (odd$甲 - 10)))
write.csv(odd, "oracle-odd.csv", row.names = FALSE)
num <- function(f, x) t(sapply(seq_along(f(x)), function(r) sapply(seq_along(x), function(i) { h <- 1e-4; e <- replace(numeric(length(x)), i, h); (f(x - 2 * e)[r] - 8 * f(x - e)[r] + 8 * f(x + e)[r] - f(x + 2 * e)[r]) / (12 * h) })))
run <- function(P, who, chosen, outside, by, scen = NULL, level = .95) { k <- ncol(P); nm <- colnames(P); L <- NULL; X <- NULL
  des <- function(p) { x <- cbind(diag(k)[, (if (outside) 1 else 2):k], if (by) diag(p, k) else p); if (outside) rbind(x, 0) else x }
  for (i in seq_len(nrow(P))) { there <- c(!is.na(P[i, ]), if (outside) TRUE); x <- des(ifelse(is.na(P[i, ]), 0, P[i, ]))[there, ]; X <- rbind(X, x); L <- rbind(L, cbind(i, who[i], (seq_len(k + outside) == chosen[i])[there])) }
  S <- L[, 1]; W <- L[, 2]; f <- clogit(L[, 3] ~ X + strata(S) + cluster(W), method = "breslow", control = coxph.control(eps = 1e-14, iter.max = 60)); b <- unname(coef(f)); V <- unname(vcov(f)); se <- sqrt(diag(V)); z <- qnorm((1 + level) / 2)
  pn <- c(paste0(nm[(if (outside) 1 else 2):k], "（常数）"), if (by) paste0(nm, "（价格）") else "价格"); out <- lapply(seq_along(b), function(j) block("coefficients", list(name = pn[j]), b = b[j], se = se[j], z = b[j] / se[j], p = 2 * pnorm(-abs(b[j] / se[j])), low = b[j] - z * se[j], high = b[j] + z * se[j]))
  u <- exp(X %*% b); q <- u / ave(u, S, FUN = sum); n <- length(unique(S)); top <- ave(q[, 1], S, FUN = max); hit <- tapply((abs(q[, 1] - top) < 1e-12) * L[, 3], S, sum) / tapply(abs(q[, 1] - top) < 1e-12, S, sum); ll <- f$loglik[2]
  out <- c(out, list(block("fit", list(), tasks = n, persons = length(unique(who)), loglik = ll, null = f$loglik[1], mcfadden = 1 - ll / f$loglik[1], aic = -2 * ll + 2 * length(b), bic = -2 * ll + length(b) * log(n), hits = mean(hit), rlh = exp(ll / n))))
  if (is.null(scen)) scen <- colMeans(P, na.rm = TRUE); D <- des(scen); sh <- function(b) { e <- exp(D %*% b); (e / sum(e))[, 1] }; s <- sh(b); J <- num(sh, b); ss <- sqrt(diag(J %*% V %*% t(J))); names <- c(nm, if (outside) "都不买"); h <- z * ss / (s * (1 - s)); why <- "数值导数；价格系数接近 0 时误差放大"
  for (j in seq_along(s)) { cells <- list("simulated", list(brand = names[j]), share = s[j]); if (j <= k) cells$price <- scen[[j]]; out <- c(out, list(do.call(block, cells), block("simulated", list(brand = names[j]), se = ss[j], low = plogis(qlogis(s[j]) - h[j]), high = plogis(qlogis(s[j]) + h[j]), tolerance = 1e-6, reason = why))) }
  sl <- if (by) tail(b, k) else rep(tail(b, 1), k); for (i in 1:k) for (j in 1:k) out <- c(out, list(block("elasticities", list(item = nm[i], against = nm[j]), e = sl[j] * scen[[j]] * (if (i == j) 1 - s[i] else -s[j]))))
  pr <- function(b) { sl <- if (by) tail(b, k) else rep(tail(b, 1), k); a <- if (outside) b[1:k] else c(0, b[1:(k - 1)]); ((a[1] + sl[1] * scen[[1]] - a) / sl - scen[[1]])[-1] }; v <- pr(b); g <- num(pr, b); if (k == 2) g <- matrix(g, 1); vs <- sqrt(diag(g %*% V %*% t(g)))
  for (j in 2:k) out <- c(out, list(block("premiums", list(brand = nm[j]), premium = v[j - 1]), block("premiums", list(brand = nm[j]), se = vs[j - 1], low = v[j - 1] - z * vs[j - 1], high = v[j - 1] + z * vs[j - 1], tolerance = 1e-6, reason = why)))
  list(out = out, s = max(s[1:k]), v = v[which.max(v)], n = n, m = length(unique(who)), slopes = sl) }
counts <- function(P, chosen) { out <- list(); for (j in seq_len(ncol(P))) for (p in unique(na.omit(P[, j]))) { at <- which(P[, j] == p); out <- c(out, list(block("shares", list(brand = colnames(P)[j], price = p), price = p, shown = length(at), chosen = sum(chosen[at] == j), share = mean(chosen[at] == j)))) }; out }
ch <- match(d$选择, c(Bn, "都不买")); A <- run(P, d$受访者, ch, TRUE, TRUE); B <- run(P, d$受访者, ch, TRUE, FALSE, c(10, 10, 9, 8), .9); keep <- ch < 5; C <- run(P[keep, ], d$受访者[keep], ch[keep], FALSE, FALSE); O <- run(as.matrix(odd[3:4]), odd$人, odd$选, FALSE, TRUE); O2 <- run(as.matrix(odd[3:4]), odd$人, odd$选, FALSE, FALSE)
d2 <- d[keep, ]; write.csv(d2, "oracle-bought.csv", row.names = FALSE, quote = FALSE, na = "")
says <- function(a, extra) c(list("品牌溢价是消费者愿意为品牌多付", "份额是这个价格下展示的次数", "标准误按受访者聚类。CI", "命中率是预测最可能", "列的价格涨 1%", "效用相同时可以贵多少", fact("的份额最大", s = a$s, n = a$n, m = a$m), fact("条件 Logit（", n = a$n)), if (all(a$slopes < 0)) list(fact(if (a$v > 0) "可以比“" else "要比“", pr = abs(a$v))), extra)
f <- function(m, ...) c(list(respondent = "受访者", step = "轮次", prices = as.list(paste0("价格(", Bn, ")")), choice = "选择", model = m), list(...)); q <- list(受访者 = "定类", 轮次 = "定量", 选择 = "定类"); fo <- function(m) list(respondent = "人", step = "轮", prices = list("甲", "乙"), choice = "选", model = m, outside = FALSE); qo <- list(人 = "定类", 轮 = "定量", 甲 = "定量", 乙 = "定量", 选 = "定类")
n1 <- table(ch)[1:4]; sign <- function(a) if (any(a$slopes >= 0)) "越贵选的人越多" else "价格系数都是负的"
oracle(c("survival: clogit(cluster)", "R 4.2.2: 数值导数的 delta 法"), list(
  case("四个品牌，各有价格系数", f("logit_brand_price"), c(counts(P, ch), A$out), says(A, list("按平均价格模拟", sign(A))), measures = q),
  case("同一价格系数，填写的价格，90%", f("logit_common_price", scenario = c(10, 10, 9, 8), conf_level = .9), B$out, says(B, list("按填写的价格模拟", sign(B))), measures = q),
  case("没有都不买", f("logit_common_price", outside = FALSE), C$out, says(C, list(sign(C))), data = "oracle-bought.csv", measures = q),
  case("只看份额", f("count"), list(block("shares", list(brand = "都不买"), shown = nrow(d), chosen = sum(ch == 5), share = mean(ch == 5))), list(fact("次选择中", whole = nrow(d), n = max(n1), share = max(n1) / nrow(d)), "份额是这个价格下展示的次数", "比较品牌要用模型"), measures = q),
  case("两个品牌，用编号", fo("logit_brand_price"), O$out, says(O, list(sign(O))), data = "oracle-odd.csv", measures = qo), case("两个品牌，同一系数", fo("logit_common_price"), O2$out, says(O2, list(sign(O2))), data = "oracle-odd.csv", measures = qo)))
