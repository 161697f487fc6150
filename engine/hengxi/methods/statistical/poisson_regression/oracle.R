# Rscript oracle.R   (R 4.2.2) glm(poisson), AER::dispersiontest, sandwich; warpbreaks (base R) and MASS::quine. The example is made here.
source("../../../../tools/oracle.R"); source("../../../../tools/oracle_counts.R")
suppressMessages(library(AER))

made <- function() {        # visits: log-linear in age, chronic disease and insurance, by months of observation; seed 2024
  RNGversion("4.2.0"); set.seed(2024); n <- 250
  age <- sample(20:75, n, replace = TRUE); chronic <- ifelse(runif(n) < .3 + (age - 45) / 200, "有", "无")
  insured <- sample(c("职工", "居民", "无"), n, replace = TRUE, prob = c(.5, .35, .15)); months <- sample(c(6, 12, 18, 24), n, replace = TRUE)
  rate <- exp(-2.6 + .012 * age + .55 * (chronic == "有") + .25 * (insured == "职工") + .12 * (insured == "居民"))
  data.frame(就诊次数 = rpois(n, rate * months), 年龄 = age, 慢病 = chronic, 医保 = insured, 观察月数 = months, check.names = FALSE)
}
if (!file.exists("example.csv")) write.csv(made(), "example.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
d <- example(); stopifnot(all.equal(d, made()))
wb <- data.frame(断头数 = warpbreaks$breaks, 羊毛 = warpbreaks$wool, 张力 = warpbreaks$tension, check.names = FALSE)
write.csv(wb, "oracle-warpbreaks.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")

fit_blocks <- function(m, names_, X, kind = "classic", level = .95) {
  y <- m$y; mu <- fitted(m); k <- length(coef(m)); n <- length(y); ll <- sum(dpois(y, mu, log = TRUE))
  phi <- sum(residuals(m, "pearson")^2) / (n - k)
  V0 <- settled(m, mu); stopifnot(all.equal(V0, vcov(m), tolerance = 1e-6, check.attributes = FALSE))
  V <- switch(kind, classic = V0, robust = V0 %*% crossprod(estfun(m)) %*% V0, quasi = V0 * phi)
  null <- if (is.null(m$offset)) glm(y ~ 1, family = poisson, epsilon = 1e-14) else glm(y ~ 1, family = poisson, offset = m$offset, epsilon = 1e-14)
  ll0 <- sum(dpois(y, fitted(null), log = TRUE)); b <- coef(m)[-1]
  chi2 <- if (kind == "classic") 2 * (ll - ll0) else drop(b %*% solve(V[-1, -1], b))
  t <- dispersiontest(m)
  list(V = V, phi = phi, p = pchisq(chi2, k - 1, lower.tail = FALSE), blocks = c(count_coefficients(m, V, names_, level), count_vif(X, names_), list(
    block("summary", n = n, deviance = deviance(m), pearson = phi * (n - k), df = n - k, ratio = phi, ll = ll, chi2 = chi2,
      chi2_df = k - 1, p = pchisq(chi2, k - 1, lower.tail = FALSE), mcfadden = 1 - ll / ll0, aic = -2 * ll + 2 * k, bic = -2 * ll + log(n) * k),
    block("spread", dispersion = unname(t$estimate), z = unname(t$statistic), p = unname(t$p.value)),
    block("outcome", events = sum(y), mean = mean(y), variance = var(y), most = max(y)),
    block("zeros", observed = sum(y == 0), expected = sum(dpois(0, mu)), ratio = sum(y == 0) / sum(dpois(0, mu))))))
}
X1 <- model.matrix(~ 年龄 + I(慢病 == "有") + I(医保 == "居民") + I(医保 == "无"), d)[, -1]
m1 <- glm(d$就诊次数 ~ X1, family = poisson, offset = log(d$观察月数), epsilon = 1e-14)
names1 <- c("常数项", "年龄", "慢病：有", "医保：居民", "医保：无")
f1 <- fit_blocks(m1, names1, X1)
seen <- tabulate(d$就诊次数 + 1)
expected <- sapply(seq_along(seen) - 1, function(k) sum(dpois(k, fitted(m1))))
form1 <- list(y = "就诊次数", x = list("年龄", "慢病", "医保"), exposure = "观察月数")
X2 <- model.matrix(~ wool + tension, warpbreaks)[, -1]; names2 <- c("常数项", "羊毛：B", "张力：M", "张力：H")
m2 <- glm(warpbreaks$breaks ~ X2, family = poisson, epsilon = 1e-14)
form2 <- list(y = "断头数", x = list("羊毛", "张力")); kinds <- list(断头数 = "定量")
f2 <- fit_blocks(m2, names2, X2); f2r <- fit_blocks(m2, names2, X2, "robust", .9); f2q <- fit_blocks(m2, names2, X2, "quasi")
m3 <- glm(就诊次数 ~ 年龄 + I(年龄^2), family = poisson, d, epsilon = 1e-14)
f3 <- fit_blocks(m3, c("常数项", "年龄", "年龄²"), cbind(d$年龄, d$年龄^2))
V1 <- f1$V
oracle(c("R 4.2.2: glm(poisson), hatvalues", "AER 1.2: dispersiontest", "sandwich 3.0: sandwich"), list(
  case("门诊次数，有暴露量", c(form1, list(predict_at = list(list(年龄 = 60, 慢病 = "有", 医保 = "职工"), list(年龄 = 30, 慢病 = "无", 医保 = "居民")))),
    c(f1$blocks, list(wald_block("年龄", coef(m1), V1, 2), wald_block("慢病", coef(m1), V1, 3), wald_block("医保", coef(m1), V1, 4:5)),
      count_frequencies(seen, expected), count_cases(m1, top_cook(3)),
      list(count_new(1, c(1, 60, 1, 0, 0), coef(m1), V1), count_new(2, c(1, 30, 0, 1, 0), coef(m1), V1))),
    says = count_says(count_lead("“就诊次数”的发生率是“无”的", coef(m1), V1, 3, f1$p), "再看大小", "没有发现过离散", "零的个数与模型相符", "暴露量：“",
      "定类自变量的参照水平", "预测的是暴露量为 1 时", "Cameron-Trivedi 检验。")),
  case("断头数，过离散", form2, c(f2$blocks, count_cases(m2, top_cook(3))), data = "oracle-warpbreaks.csv", measures = kinds,
    says = list("次数比泊松分布更分散，这里的 *p* 值和区间偏乐观", "定类自变量的参照水平", "经典标准误偏小", "先看 IRR", "再看大小", "每个系数约", "作泊松回归", "各系数：",
      "下一步：", "零的个数")),
  case("稳健标准误", c(form2, list(se_type = "robust", conf_level = .9)), f2r$blocks, data = "oracle-warpbreaks.csv", measures = kinds,
    says = list("合起来与“断头数”有关", "标准误：稳健", "所选标准误已考虑", "标准误为稳健", "下一步：", "整体检验是")),
  case("准泊松", c(form2, list(se_type = "quasi")), c(f2q$blocks, count_cases(m2, top_cook(2), f2q$phi)), data = "oracle-warpbreaks.csv", measures = kinds,
    says = list("合起来与“断头数”有关", "标准误：准泊松", "标准误为准泊松", "各系数：", "没有发现明显的关系")),
  case("平方项，无暴露量", list(y = "就诊次数", x = list("年龄"), terms = list(preset = "custom", terms = list(list("年龄"), list("年龄", "年龄")))), f3$blocks,
    says = list("模型含交互项或乘方", "组成它们的变量", "零太多", "没有两类以上", "交互项、乘方", "各系数：", "作泊松回归"))))
