# Rscript oracle.R > oracle.json   (R 4.2.2, car 3.1-1, emmeans 1.8, lme4); the example is npk of R's datasets (Venables & Ripley).
# Variance components by the method of moments; where the design is balanced they are lme4's REML estimates too.
source("../../../../tools/oracle.R"); source("../../../../tools/oracle_linear.R"); suppressMessages(library(lme4))

npk3 <- example(); F <- c("氮", "磷", "钾"); two <- list(F[1:2], F[c(1, 3)], F[2:3]); t <- "多因素方差分析"
set.seed(6)
milk <- expand.grid(饲料 = c("甲", "乙", "丙"), 场 = paste0("场", 1:5), 季 = c("春", "秋"), 胎次 = c("头胎", "经产"), 次 = 1:2, stringsAsFactors = FALSE)
milk$体重 <- round(rnorm(nrow(milk), 500, 40))
milk$产奶 <- round(20 + 3 * (milk$饲料 == "乙") + rnorm(5, 0, 2)[as.integer(factor(milk$场))] + .01 * milk$体重 + rnorm(nrow(milk), 0, 2.2), 2)
milk <- milk[-c(2, 5, 17, 40, 41, 77, 90), ]; milk$头数 <- rep(1:2, length.out = nrow(milk))
write.csv(milk, "oracle-milk.csv", row.names = FALSE, quote = FALSE)
M <- list(体重 = "定量", 产奶 = "定量", 头数 = "定量", 次 = "定量"); P <- c("饲料", "季", "胎次")

info <- function(d, fixed, random) { out <- list()
  for (f in c(fixed, random)) for (l in levels(d[[f]])) out <- c(out, list(block("info", list(factor = f, level = l), n = sum(d[[f]] == l))))
  out }
# E(MS) = s2 + k s2(u): k = tr(Z'PZ)/df, P the projection on what the factor adds to all the others.
components <- function(fit, d, random) {
  X <- model.matrix(fit); asg <- attr(X, "assign"); labels <- gsub("`", "", attr(terms(fit), "term.labels")); mse <- sigma(fit)^2; found <- list()
  for (r in random) { own <- asg == match(r, labels); E <- qr.resid(qr(X[, !own]), X[, own, drop = FALSE]); Q <- qr.Q(qr(E)); y <- fit$model[[1]]
    Z <- model.matrix(~ 0 + d[[r]]); ms <- sum((t(Q) %*% y)^2) / ncol(Q); k <- sum((t(Q) %*% Z)^2) / ncol(Q); found[[r]] <- c(ms, k, max(0, (ms - mse) / k)) }
  whole <- sum(sapply(found, `[`, 3)) + mse
  c(lapply(random, function(r) block("components", list(component = r), variance = found[[r]][3], share = found[[r]][3] / whole, ms = found[[r]][1], k = found[[r]][2])),
    list(block("components", list(component = "误差"), variance = mse, share = mse / whole, ms = mse)))
}
both <- function(fixed, random) function(fit, d) c(info(d, fixed, random), if (length(random)) components(fit, d, random))
r <- lmer(产量 ~ (氮 + 磷 + 钾)^2 + (1 | 区组), npk3); v <- as.data.frame(VarCorr(r))$vcov
f <- lm(产量 ~ (氮 + 磷 + 钾)^2 + 区组, npk3); b <- anova(f)["区组", "Mean Sq"]
stopifnot(abs((b - sigma(f)^2) / 4 - v[1]) < 1e-3)

notes <- c(stated, lapply(c("方差 =（均方 − 误差均方）/ k", "方差 =（"), function(x) list(what = x, reason = "a note on how a table is made")))
oracle(c("R 4.2.2: lm, anova, shapiro.test, pf(ncp)", "car 3.1-1: Anova(type = II, III), leveneTest", "emmeans 1.8", "lme4 1.1: lmer（平衡时与矩法相同）"), list(
  design_case("氮磷钾与区组（npk，目录给出的数），二阶交互", t, npk3, F, "产量", two, list("没有发现交互作用（各交互中", "个组合，每个 {least:integer} 例。"), model = list(preset = "two_way"), random = "区组", extra = both(F, "区组")),
  design_case("氮磷钾，主效应，没有随机因素", t, npk3, F, "产量", list(), list("个组合，每个 {least:integer} 例，三种平方和结果一样"), extra = both(F, NULL)),
  design_case("产奶，随机的场，协变量，自定义交互，类型II，Sidak", t, milk, P, "产奶", list(P[2:3]), list("类型II：检验每个效应时", "扣除协变量的影响后："), "oracle-milk.csv", M,
    type = "II", how = "sidak", covariates = "体重", random = "场", model = list(preset = "custom", terms = list(list("饲料"), list("季"), list("胎次"), list("季", "胎次"))), extra = both(P, "场")),
  design_case("产奶，频数权重，90%，Holm", t, milk, P, "产奶", list(), list("不等。类型III", "两两比较共 {m:integer} 次，Holm"), "oracle-milk.csv", M, how = "holm", level = .9,
    rows = milk[rep(seq_len(nrow(milk)), milk$头数), ], weight = "头数", extra = both(P, NULL))), notes)
