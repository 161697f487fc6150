# Rscript oracle.R   (R 4.2.2) aov with nested factors; unbalanced: traces of projections; AIAG's shares (tools/oracle_gage.R).
for (f in c("oracle.R", "oracle_control.R", "oracle_gage.R")) source(file.path("../../../../tools", f))
save_as <- function(x, f) if (!file.exists(f)) write.csv(x, f, row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8", na = "")
set.seed(71); b <- round(rnorm(15, 30, .8), 3); save_as(data.frame(操作者 = rep(c("甲", "乙", "丙"), each = 10), 批 = rep(paste0("批", sprintf("%02d", 1:15)), each = 2), 强度 = round(rep(b, each = 2) + rep(c(0, .9, -.6), each = 10) + rnorm(30, 0, .25), 2), check.names = FALSE), "example.csv")
save_as(data.frame(植株 = rep(paste0("株", 1:4), each = 6), 叶 = rep(paste0("叶", sprintf("%02d", 1:12)), each = 2), 钙 = c(3.28, 3.09, 3.52, 3.48, 2.88, 2.80, 2.46, 2.44, 1.87, 1.92, 2.19, 2.19, 2.77, 2.66, 3.74, 3.44, 2.55, 2.55, 3.78, 3.87, 4.07, 4.12, 3.31, 3.31)), "oracle-calcium.csv")
set.seed(72); n <- sample(1:4, 12, TRUE); p <- rep(sprintf("p%02d", 1:12), n); save_as(data.frame(人 = rep(rep(c("一", "二", "三"), c(5, 4, 3)), n), 件 = p, 分 = pmin(5, pmax(1, round(3 + rnorm(12)[as.integer(factor(p))] * .3 + rnorm(length(p)))))), "oracle-odd.csv")
e <- example(); C <- example("oracle-calcium.csv"); O <- example("oracle-odd.csv")
study_of <- function(y, o, p) { o <- factor(o, unique(o)); p <- factor(p, unique(p)); N <- length(y); Z <- list(model.matrix(~ 0 + o), model.matrix(~ 0 + p)); P <- c(list(matrix(1 / N, N, N)), lapply(Z, function(z) z %*% solve(crossprod(z)) %*% t(z)))
  df <- c(nlevels(o) - 1, nlevels(p) - nlevels(o), N - nlevels(p)); ss <- c(sapply(1:2, function(j) c(t(y) %*% (P[[j + 1]] - P[[j]]) %*% y)), c(t(y) %*% (diag(N) - P[[3]]) %*% y)); ms <- ss / df
  k <- function(l, j) sum(diag(t(Z[[l]]) %*% (P[[j + 1]] - P[[j]]) %*% Z[[l]])) / df[j]; k22 <- k(2, 2); k12 <- k(2, 1); k11 <- k(1, 1)
  vp <- (ms[2] - ms[3]) / k22; vo <- (ms[1] - ms[3] - k12 * vp) / k11; w <- k12 / k22; D <- w * ms[2] + (1 - w) * ms[3]; dd <- D^2 / ((w * ms[2])^2 / df[2] + ((1 - w) * ms[3])^2 / df[3])
  F <- c(ms[1] / D, ms[2] / ms[3]); pv <- c(pf(F[1], df[1], dd, lower.tail = FALSE), pf(F[2], df[2], df[3], lower.tail = FALSE)); s <- function(n) list(source = n)
  list(v = c(`repeat` = ms[3], operator = vo, interaction = NA, part = vp), blocks = list(F_row(s("操作者"), df[1], ss[1], F[1], pv[1]), F_row(s("部件（操作者）"), df[2], ss[2], F[2], pv[2]), F_row(s("重复性"), df[3], ss[3]), block("anova", s("合计"), df = N - 1, ss = sum((y - mean(y))^2)))) }
a <- study_of(e$强度, e$操作者, e$批); c0 <- study_of(C$钙, C$植株, C$叶); o <- study_of(O$分, O$人, O$件)
# Snedecor & Cochran (1967): components of calcium, .3652, .1611 and .0067; aov agrees.
stopifnot(max(abs(c0$v[c("operator", "part", "repeat")] - c(.365221, .161060, .006654))) < 1e-5, abs(summary(aov(钙 ~ 植株 + Error(叶), C))[[1]][[1]][1, "F value"] - c0$blocks[[1]]$cells$F) < 1e-9)
go <- function(name, form, s, y, o, p, says = list(), data = NULL, k = 6, tol = NULL) { b <- study(s$v, k, tol, nested = TRUE); case(name, form, c(b$blocks, s$blocks), c(list(fact("占研究变异的", share = b$share), if (b$rep) "重复性比再现性大" else "再现性比重复性大", fact(if (b$share < 10) "小于 10%，可以接受" else if (b$share <= 30) "在 10% 到 30% 之间，能不能用" else "大于 30%，先改进测量系统", share = b$share), "个类别", "研究变异为标准差的", "这个差别会算进重复性"), b$checks, cells_checks(y, p, o), says), data = data, measures = list(强度 = "定量", 钙 = "定量", 分 = "定量")) }
low <- transform(e, 强度 = 强度)
oracle(c("R 4.2.2: aov, projections", "Snedecor & Cochran（1967）的数据与结果"), list(
  go("三名操作者，公差 12", list(measure = "强度", part = "批", operator = "操作者", tolerance = 12), a, e$强度, e$操作者, e$批, tol = 12),
  go("芜菁叶的钙，5.15 倍", list(measure = "钙", part = "叶", operator = "植株", study_sigma = 5.15), c0, C$钙, C$植株, C$叶, data = "oracle-calcium.csv", k = 5.15),
  go("1–5 分，个数不等", list(measure = "分", part = "件", operator = "人", tolerance = 60), o, O$分, O$人, O$件, list("*F* 的分母由均方合成", "已按 0 处理", "画不出极差图"), "oracle-odd.csv", tol = 60),
  go("公差很大", list(measure = "强度", part = "批", operator = "操作者", tolerance = 60), a, e$强度, e$操作者, e$批, tol = 60),
  go("公差很小", list(measure = "强度", part = "批", operator = "操作者", tolerance = 2), a, e$强度, e$操作者, e$批, tol = 2)))
