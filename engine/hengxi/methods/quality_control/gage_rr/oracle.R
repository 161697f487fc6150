# Rscript oracle.R   (R 4.2.2) aov, lme4; intervals and AIAG's ranges by their formulas (tools/oracle_gage.R).
for (f in c("oracle.R", "oracle_control.R", "oracle_gage.R")) source(file.path("../../../../tools", f))
suppressMessages(library(lme4))
save_as <- function(x, f) if (!file.exists(f)) write.csv(x, f, row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8", na = "")
set.seed(61); g <- expand.grid(件 = paste0("件", 1:6), 人 = c("甲", "乙"), 次 = 1:3); g$尺寸 <- round(10 + rnorm(6)[as.integer(g$件)] * .3 + c(0, .05)[as.integer(g$人)] + rnorm(12, 0, .25)[as.integer(interaction(g$件, g$人))] + rnorm(36, 0, .05), 2); g$缺 <- g$尺寸; g$缺[c(4, 17)] <- NA; g$同 <- round(rnorm(36, 5, .2), 2); g$整 <- rep(1:6, 6)[order(g$件)] + c(0, 1)[as.integer(g$人)]; save_as(g, "oracle-two.csv")
e <- example(); T <- example("oracle-two.csv")
a <- crossed(e$测量值, e$部件, e$操作者, TRUE); rr <- ranged(e$测量值, e$部件, e$操作者)
# AIAG MSA (2010), the ten parts of its gage study: published values.
stopifnot(abs(sqrt(a$v[["repeat"]]) - .199933) < 1e-6, abs(sqrt(a$v[["operator"]]) - .226838) < 1e-6, abs(sqrt(a$v[["part"]]) - 1.042327) < 1e-6, abs(sqrt(rr[["repeat"]]) - .20188) < 5e-5, abs(sqrt(rr[["operator"]]) - .22963) < 1e-4, abs(sqrt(rr[["part"]]) - 1.10456) < 2e-4)
said <- function(b) c(list(c(fact("占研究变异的", share = b$share), b$tol), if (b$rep) "重复性比再现性大" else "再现性比重复性大", c(fact(if (b$share < 10) "小于 10%，可以接受" else if (b$share <= 30) "在 10% 到 30% 之间，能不能用" else "大于 30%，先改进测量系统", share = b$share), b$tol), "个类别", "研究变异为标准差的"), b$checks)
go <- function(name, form, v, y, p, o, bounds = NULL, blocks = list(), says = list(), data = NULL, k = 6, tol = NULL, hist = NULL, t = NULL) { b <- study(v, k, tol, hist, bounds, t); m <- cells_checks(y, p, o); case(name, form, c(b$blocks, blocks), c(said(b), m, says), data = data, measures = list(测量值 = "定量", 尺寸 = "定量", 缺 = "定量", 同 = "定量", 整 = "定量")) }
f <- function(...) list(measure = "测量值", part = "部件", operator = "操作者", ...); h <- function(m, ...) list(measure = m, part = "件", operator = "人", ...)
two <- crossed(T$尺寸, T$件, T$人, FALSE); same <- crossed(T$同, T$件, T$人, TRUE); all <- crossed(T$尺寸, T$件, T$人, TRUE)
K <- T[!is.na(T$缺), ]; m <- lmer(缺 ~ 1 + (1 | 件) + (1 | 人) + (1 | 件:人), K, control = lmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-10))); z <- as.data.frame(VarCorr(m)); at <- function(g) z$vcov[z$grp == g]
un <- c(`repeat` = at("Residual"), operator = at("人"), interaction = at("件:人"), part = at("件")); un[un < 1e-12] <- 0
oracle(c("R 4.2.2: aov", "lme4 1.1: lmer", "AIAG MSA（2010）的数据与结果"), list(
  go("AIAG，方差分析，公差 8", f(tolerance = 8, hist_sigma = 1.2), a$v, e$测量值, e$部件, e$操作者, mls(a, .95), a$blocks, list(fact("交互并入重复性", p = a$p, alpha = .05)), tol = 8, hist = 1.2),
  go("AIAG，均值极差，5.15 倍", f(method = "xbar_r", study_sigma = 5.15), rr, e$测量值, e$部件, e$操作者, k = 5.15),
  go("有交互，90%", h("尺寸", conf_level = .9, tolerance = 40), two$v, T$尺寸, T$件, T$人, mls(two, .9), two$blocks, list(fact("不大于", p = two$p, alpha = .05)), "oracle-two.csv", tol = 40),
  go("交互总是合并", h("尺寸", interaction_alpha = 0, tolerance = 1), all$v, T$尺寸, T$件, T$人, mls(all, .95), all$blocks, list(), "oracle-two.csv", tol = 1),
  go("没有部件差别", h("同"), same$v, T$同, T$件, T$人, mls(same, .95), same$blocks, list("方差估计为负，已按 0 处理"), "oracle-two.csv"),
  go("缺两个读数，REML", h("缺"), un, K$缺, K$件, K$人, says = list("已改用 REML", "“方差分析”未给出", "没有区间"), data = "oracle-two.csv", t = "两个优化器的限制似然极大值，很平")))
