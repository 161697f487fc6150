# Rscript oracle.R   (R 4.2.2) glm(binomial) with three links, sandwich, pROC; MASS::birthwt. The example is made here.
source("../../../../tools/oracle.R"); source("../../../../tools/oracle_counts.R")
suppressMessages(library(pROC))

made <- function() {        # married women at work: probit of age, years of schooling, income of the family, small children; seed 2024
  RNGversion("4.2.0"); set.seed(2024); n <- 500
  age <- sample(22:58, n, replace = TRUE); school <- pmin(pmax(round(rnorm(n, 12, 2.8)), 5), 19)
  income <- round(exp(rnorm(n, 2.3, .5)), 1); kids <- rbinom(n, 2, ifelse(age < 38, .4, .08))
  work <- ifelse(rnorm(n) < .1 - .012 * (age - 40) + .12 * (school - 12) - .02 * (income - 11) - .75 * kids + .2, "是", "否")
  data.frame(就业 = work, 年龄 = age, 教育年限 = school, 家庭收入 = income, 幼儿数 = kids, check.names = FALSE)
}
if (!file.exists("example.csv")) write.csv(made(), "example.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
d <- example(); stopifnot(all.equal(d, made()))
d$地区 <- rep(1:20, length.out = 500); d$学历 <- ifelse(d$教育年限 < 10, "初中", ifelse(d$教育年限 < 13, "高中", "大学"))
write.csv(d, "oracle-work.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
b <- with(birthwt, data.frame(低体重 = low, 年龄 = age, 体重 = lwt, 吸烟 = smoke, check.names = FALSE))
write.csv(b, "oracle-birthwt.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")

L <- list(probit = list(f = dnorm, F = pnorm, df = function(x) -x * dnorm(x)), logit = list(f = dlogis, F = plogis, df = function(x) dlogis(x) * (1 - 2 * plogis(x))),
  cloglog = list(f = function(x) exp(x - exp(x)), F = function(x) -expm1(-exp(x)), df = function(x) exp(x - exp(x)) * (1 - exp(x))))
binary <- function(y, X, names_, link = "probit", kind = "classic", level = .95, cluster = NULL) {
  m <- glm(y ~ X, family = binomial(link), epsilon = 1e-15, maxit = 100); M <- model.matrix(m); k <- ncol(M); n <- length(y)
  at <- coef(m)        # Fisher scoring to the last digit: glm stops a few steps before
  for (i in 1:60) { eta <- drop(M %*% at); p <- L[[link]]$F(eta); f <- L[[link]]$f(eta); w <- f^2 / (p * (1 - p))
    at <- at + drop(solve(crossprod(M * w, M), colSums(M * ((y - p) * f / (p * (1 - p)))))) }
  stopifnot(all.equal(at, coef(m), tolerance = 1e-6)); V0 <- settled(m, w)
  U <- M * ((y - p) * f / (p * (1 - p)))
  meat <- if (kind == "cluster") { g <- rowsum(U, cluster); crossprod(g) * nrow(g) / (nrow(g) - 1) } else crossprod(U)
  V <- if (kind == "classic") V0 else V0 %*% meat %*% V0
  rao <- function(E) {
    A <- cbind(M, scale(E)); g <- colSums(A * ((y - p) * f / (p * (1 - p)))); x <- drop(g %*% solve(crossprod(A * w, A), g))
    wide <- glm(y ~ X + E, family = binomial(link)); stopifnot(abs(anova(m, wide, test = "Rao")$Rao[2] - x) < 1e-4); x
  }
  list(m = m, M = M, b = unname(at), V = unname(V), V0 = unname(V0), eta = eta, p = p, w = w, ll = sum(log(ifelse(y == 1, p, 1 - p))), y = y, link = link, level = level,
       names = names_, kind = kind, rao = rao, X = X)
}
coefficients_ <- function(r) { q <- qnorm((1 + r$level) / 2); se <- sqrt(diag(r$V)); v <- diag(solve(cor(r$X)))
  lapply(seq_along(r$b), function(i) do.call(block, c(list("coefficients", list(name = r$names[i]), b = r$b[i], se = se[i], z = r$b[i] / se[i],
    p = 2 * pnorm(-abs(r$b[i] / se[i])), low = r$b[i] - q * se[i], high = r$b[i] + q * se[i]), if (i > 1) list(vif = unname(v[i - 1]))))) }
summary_ <- function(r) {
  n <- length(r$y); k <- length(r$b); e <- mean(r$y); ll0 <- n * (e * log(e) + (1 - e) * log(1 - e)); B <- r$b[-1]
  chi2 <- if (r$kind == "classic") 2 * (r$ll - ll0) else drop(B %*% solve(r$V[-1, -1], B))
  a <- roc(r$y, r$p, quiet = TRUE, direction = "<"); ci <- ci.auc(a, conf.level = r$level)
  list(block("summary", n = n, events = sum(r$y), rate = e, base = max(e, 1 - e), ll = r$ll, ll_null = ll0, chi2 = chi2, df = k - 1, p = pchisq(chi2, k - 1, lower.tail = FALSE), mcfadden = 1 - r$ll / ll0,
    aic = 2 * k - 2 * r$ll, bic = log(n) * k - 2 * r$ll, accuracy = mean((r$p >= .5) == (r$y == 1)), auc = as.numeric(auc(a)), auc_low = ci[1], auc_high = ci[3]))
}
# The leading sentence: effects of these rows of the table in percentage points, the larger end of the interval last.
lead_ <- function(text, effects, at) { out <- list(text)
  for (i in seq_along(at)) { c <- effects[[at[i]]]$cells; up <- c$value > 0; ends <- 100 * c(c$low, c$high) * (if (up) 1 else -1)
    out[[paste0("b", i - 1)]] <- 100 * abs(c$value); out[[paste0("lo", i - 1)]] <- min(ends); out[[paste0("hi", i - 1)]] <- max(ends) }
  do.call(fact, out) }
# Average marginal effects: slopes of columns in `slopes`, changes of the dummies in `sets` (columns of M of one variable).
effect_block <- function(r, name, value, g) { se <- sqrt(drop(g %*% r$V %*% g)); q <- qnorm((1 + r$level) / 2)
  block("effects", list(name = name), value = value, se = se, z = value / se, p = 2 * pnorm(-abs(value / se)), low = value - q * se, high = value + q * se) }
average <- function(r, slopes, sets = list()) { o <- L[[r$link]]
  c(lapply(slopes, function(j) { g <- r$b[j] * colMeans(r$M * o$df(r$eta)); g[j] <- g[j] + mean(o$f(r$eta)); effect_block(r, r$names[j], r$b[j] * mean(o$f(r$eta)), g) }),
    unlist(lapply(sets, function(s) lapply(s, function(j) { A <- B <- r$M; A[, s] <- 0; B[, s] <- 0; B[, j] <- 1; a <- drop(A %*% r$b); b <- drop(B %*% r$b)
      effect_block(r, r$names[j], mean(o$F(b)) - mean(o$F(a)), colMeans(B * o$f(b)) - colMeans(A * o$f(a))) })), recursive = FALSE)) }
at_point <- function(r, x, slopes, sets = list()) { o <- L[[r$link]]; e <- sum(x * r$b)
  c(lapply(slopes, function(j) { g <- o$df(e) * r$b[j] * x; g[j] <- g[j] + o$f(e); effect_block(r, r$names[j], r$b[j] * o$f(e), g) }),
    unlist(lapply(sets, function(s) lapply(s, function(j) { a <- b <- x; a[s] <- 0; b[s] <- 0; b[j] <- 1
      effect_block(r, r$names[j], o$F(sum(b * r$b)) - o$F(sum(a * r$b)), b * o$f(sum(b * r$b)) - a * o$f(sum(a * r$b))) })), recursive = FALSE)) }
compared_ <- function(y, X, names_) { p <- binary(y, X, names_); l <- binary(y, X, names_, "logit")
  lapply(2:length(p$b), function(i) block("compared", list(name = names_[i]), probit = p$b[i], probit_se = sqrt(p$V0[i, i]), logit = l$b[i], logit_se = sqrt(l$V0[i, i]), ratio = l$b[i] / p$b[i])) }
lm_ <- function(r) { k <- ncol(r$X); h <- r$rao(r$eta * scale(r$X))
  c(if (r$link == "probit") { n <- r$rao(cbind(r$eta^2, r$eta^3)); list(block("lm_tests", list(name = "正态性"), chi2 = n, df = 2, p = pchisq(n, 2, lower.tail = FALSE))) },
    list(block("lm_tests", list(name = "异方差"), chi2 = h, df = k, p = pchisq(h, k, lower.tail = FALSE)))) }
cases_ <- function(r) { h <- r$w * rowSums((r$M %*% r$V0) * r$M); s <- (r$y - r$p) / sqrt(r$p * (1 - r$p) * (1 - h)); c <- s^2 * h / (1 - h) / length(r$b)
  lapply(head(order(-c), 2), function(i) block("outliers", list(row = list(i)), observed = r$y[i], fitted = r$p[i], standardized = s[i], leverage = unname(h[i]), cook = unname(c[i]))) }

y <- as.numeric(d$就业 == "是"); X <- as.matrix(d[c("年龄", "教育年限", "家庭收入", "幼儿数")]); N <- c("常数项", colnames(X))
form <- list(y = "就业", x = as.list(colnames(X)), event = "是"); r <- binary(y, X, N); x <- c(1, 30, 14, 10, 1); e <- sum(x * r$b); h <- qnorm(.975) * sqrt(drop(x %*% r$V %*% x))
s4 <- average(r, 2:5)
X2 <- cbind(d$年龄, d$学历 == "初中", d$学历 == "大学"); N2 <- c("常数项", "年龄", "学历：初中", "学历：大学"); form2 <- list(y = "就业", x = list("年龄", "学历"), event = "是")
first <- unique(d$学历); N2 <- c("常数项", "年龄", paste0("学历：", first[2:3])); X2 <- cbind(d$年龄, d$学历 == first[2], d$学历 == first[3]) + 0
r2 <- binary(y, X2, N2, "logit", "robust", .9); r3 <- binary(y, X2, N2, "cloglog", "cluster", cluster = d$地区)
lwt <- as.matrix(b[c("年龄", "体重", "吸烟")]); N4 <- c("常数项", "年龄", "体重", "吸烟：1"); r4 <- binary(b$低体重, lwt, N4)
average4 <- average(r4, 2:3, list(4)); kinds <- list(低体重 = "定类", 吸烟 = "定类"); form4 <- list(y = "低体重", x = list("年龄", "体重", "吸烟"))
q <- colMeans(r2$M); mean2 <- at_point(r2, q, 2, list(3:4)); mode3 <- first[which.max(table(factor(d$学历, levels = first)))]; x3 <- c(1, median(d$年龄), (first[2:3] == mode3) + 0)
oracle(c("R 4.2.2: glm(binomial), anova(test = Rao)", "pROC 1.18: roc, ci.auc"), list(
  case("已婚女性是否就业", c(form, list(predict_at = list(list(年龄 = 30, 教育年限 = 14, 家庭收入 = 10, 幼儿数 = 1)))),
    c(coefficients_(r), summary_(r), s4, compared_(y, X, N), lm_(r), cases_(r), list(block("predicted", list(number = 1), number = 1, value = pnorm(e), low = pnorm(e - h), high = pnorm(e + h)))),
    says = list(lead_("合起来与“就业”为“是”有关", s4, c(4, 2)), "平均边际效应：先按", "虚线为 0", "Probit 连接", "标准误都是经典的", "整体检验是似然比", "曲线越靠左上角",
      "其余各列取均值", "得分（LM）检验", "没有两类以上", "区间先在预测指数上", "较少的一类", "误差项近似正态", "误差的方差处处相同", "最大 VIF", "影响最大的是第", "先看边际效应",
      "再看大小", "最后看区分", "作 Probit 回归", "各系数：", "不等于因果", "下一步：", "列出 |标准化")),
  case("Logit，均值处，稳健，90%", c(form2, list(link = "logit", margeff = "means", se_type = "robust", conf_level = .9)),
    c(coefficients_(r2), summary_(r2), mean2, list(wald_block("学历", r2$b, r2$V, 3:4), wald_block("年龄", r2$b, r2$V, 2))), data = "oracle-work.csv",
    says = list(lead_("合起来与“就业”为“是”有关", mean2, match("学历：初中", N2) - 1), "均值处：其余自变量", "定类自变量的参照水平", "Logit 连接", "按所选标准误", "再看大小", "先看边际效应", "作 Logit 回归", "各系数：", "的 Wald 检验；定类", "合起来与“就业”")),
  case("互补双对数，中位数处，聚类稳健", c(form2, list(link = "cloglog", margeff = "medians", se_type = "cluster", cluster = "地区")),
    c(coefficients_(r3), summary_(r3), at_point(r3, x3, 2, list(3:4)), lm_(r3)), data = "oracle-work.csv", says = list("中位数处：其余自变量", "互补双对数 连接", "作 互补双对数 回归", "先看边际效应", "各系数：", "没有发现这", "没有哪一行单独左右结果", "没有发现明显的关系", "下一步：")),
  case("低出生体重（MASS::birthwt）", form4, c(coefficients_(r4), summary_(r4), average4, lm_(r4)), data = "oracle-birthwt.csv", measures = kinds,
    says = list(lead_("合起来与“低体重”", average4, c(3, 2)), "没有发现明显的关系", "再看大小"))))
