# Rscript oracle.R   (R 4.2.2) lm on coded columns; Lenth (1989) and aliases by their definitions; BHH's pilot plant.
source("../../../../tools/oracle.R"); source("../../../../tools/oracle_design.R")
save_as <- function(x, f) if (!file.exists(f)) write.csv(x, f, row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8", na = "")
set.seed(21); g <- expand.grid(A = c(-1, 1), B = c(-1, 1), C = c(-1, 1)); g$D <- g$A * g$B * g$C; g$批 <- ifelse(g$A * g$B > 0, "甲", "乙")
g <- rbind(g, data.frame(A = 0, B = 0, C = 0, D = 0, 批 = rep(c("甲", "乙"), each = 2))); g <- rbind(g[1:8, ], g); g <- g[sample(nrow(g)), ]
g$强度 <- round(50 + 4 * g$A - 2 * g$B + 1.5 * g$A * g$C + ifelse(g$A == 0, 6, 0) + rnorm(nrow(g)), 1)
save_as(data.frame(温度 = 170 + 10 * g$A, 压力 = 2 + .5 * g$B, 时间 = 30 + 5 * g$C, 转速 = 100 + 20 * g$D, 批次 = g$批, 强度 = g$强度), "oracle-centre.csv")
set.seed(22); h <- expand.grid(供应商 = c("老厂", "新厂"), 压力 = c(1, 2), 班次 = c("早", "晚"), 次 = 1:3)
h$硬度 <- round(60 + 3 * (h$供应商 == "新厂") + rnorm(24), 1); h$分 <- sample(1:5, 24, TRUE); h <- h[-c(3, 17), ]; h$硬度[5] <- NA
save_as(h[c("供应商", "压力", "班次", "硬度", "分")], "oracle-gaps.csv")
e <- example(); C <- example("oracle-centre.csv"); H <- example("oracle-gaps.csv")
code <- function(x, low) if (is.numeric(x)) (x - mean(range(x))) / diff(range(x)) * 2 else ifelse(x == low, -1, 1)
effects_of <- function(Z, order) { X <- list(); for (s in 1:order) for (i in combn(length(Z), s, simplify = FALSE)) X[[paste(names(Z)[i], collapse = " × ")]] <- Reduce(`*`, Z[i]); X }
lenth <- function(e, a = .05) { s0 <- 1.5 * median(abs(e)); pse <- 1.5 * median(abs(e)[abs(e) < 2.5 * s0]); m <- length(e); c(pse, qt(1 - a / 2, m / 3) * pse, qt((1 + (1 - a)^(1 / m)) / 2, m / 3) * pse) }
LOW <- list(产率 = "A", 强度 = "25", 硬度 = "早", 分 = "早"); ORD <- c("线性", "二阶交互", "三阶交互")
analysis <- function(y, Z, order, bl = NULL, alpha = .05, v) { X <- effects_of(Z, order); at <- list(variable = v); centre <- as.numeric(Reduce(`&`, lapply(Z, function(z) z == 0)))
  B <- list(); if (!is.null(bl)) { l <- unique(bl); B <- setNames(lapply(l[-length(l)], function(k) (bl == k) - (bl == l[length(l)])), paste0("b", l[-length(l)])) }
  m <- fit_columns(c(B, X, if (any(centre == 1)) list(中心 = centre)), y); own <- intersect(names(X), m$names); grp <- list(模型 = m$names); if (length(B)) grp$区组 <- names(B)
  for (s in 1:order) grp[[ORD[s]]] <- names(X)[lengths(strsplit(names(X), " × ", fixed = TRUE)) == s]; if ("中心" %in% m$names) grp$弯曲 <- "中心"
  same <- do.call(paste, c(Z, if (length(B)) list(bl))); b <- coef(m$fit)[-1]; names(b) <- m$names; e <- zero(2 * b[own]); df <- df.residual(m$fit); out <- c(variance_blocks(m, grp, same, at), list(summary_block(m, at)))
  if (df > 0) { s <- summary(m$fit)$coefficients[-1, , drop = FALSE]; rownames(s) <- m$names }
  L <- lenth(e, alpha)
  for (n in own) { r <- list("effects", c(list(name = n), at), effect = e[[n]], b = e[[n]] / 2, vif = vif_of(m, match(n, m$names))); if (df > 0) { r$se <- s[n, 2]; r$t <- zero(s[n, 3]); r$p <- s[n, 4]; r$verdict <- if (s[n, 4] < alpha) "有影响" else "未发现" } else r$verdict <- if (abs(e[[n]]) > L[2]) "有影响" else "未发现"; out <- c(out, list(do.call(block, r))) }
  if (df == 0) out <- c(out, list(block("margins", at, pse = L[1], me = L[2], sme = L[3])))
  for (n in names(Z)) { z <- Z[[n]]; out <- c(out, list(points("cells", c(list(factor = n), at), length(unique(z)), list(mean = sum(tapply(y, z, mean)), n = length(y))))); if (n %in% names(Z)[3]) out <- c(out, list(block("cells", c(list(factor = n, level = LOW[[v]]), at), mean = mean(y[z == -1]), n = sum(z == -1)))) }
  c(out, lapply(setdiff(m$lost, "中心"), function(n) block("lost", c(list(name = n), at), other = { k <- own[sapply(own, function(o) isTRUE(all.equal(abs(sum(X[[o]] * X[[n]])), sum(X[[n]]^2))))]; if (length(k)) k[1] else "区组" })),
    list(points("halfs", at, length(own), list(size = sum(abs(e)))), points("pareto", at, length(own), list(size = if (df > 0) sum(abs(s[own, 3])) else sum(abs(e)))))) }
z3 <- list(温度 = code(e$温度), 浓度 = code(e$浓度), 催化剂 = code(e$催化剂, "A")); E <- effects_of(z3, 3); stopifnot(abs(sapply(E, function(z) mean(e$产率[z > 0]) - mean(e$产率[z < 0])) - c(23, -5, 1.5, 1.5, 10, 0, .5)) < 1e-9)   # BHH (2005), table 5.3
zc <- lapply(C[1:4], code); k <- !is.na(H$硬度); zh <- list(供应商 = code(H$供应商, "老厂"), 压力 = code(H$压力), 班次 = code(H$班次, "早"))
M <- list(产率 = "定量", 强度 = "定量", 硬度 = "定量", 分 = "定量"); f <- function(y, x, ...) list(response = as.list(y), factors = as.list(x), ...)
cr <- function(...) list(task = "create", randomize = FALSE, ...)
one <- function(run, standard, ..., names = LETTERS[c(1:8, 10)]) { v <- c(...); do.call(block, c(list("design", list(run = run), standard = standard, run = run), setNames(as.list(v), paste0("value@", names[seq_along(v)])))) }
plan <- function(Z, names = LETTERS[seq_along(Z)], w = as.character) lapply(seq_along(Z[[1]]), function(i) do.call(one, c(list(i, i), lapply(Z, function(z) w(z[i])), list(names = names))))
sg <- function(v) c("−1", "1")[(v > 0) + 1]; G <- function(k) as.list(expand.grid(rep(list(c(-1, 1)), k)))
g5 <- G(3); g5[[4]] <- g5[[1]] * g5[[2]]; g5[[5]] <- g5[[1]] * g5[[3]]
pb <- c(1, 1, -1, 1, 1, 1, -1, -1, -1, 1, -1); P <- lapply(1:5, function(j) c(sapply(0:10, function(i) pb[(j - 1 - i) %% 11 + 1]), -1))
ov <- function(...) block("overview", list(), ...)
D <- list("请按“试验顺序”做", "没有重复，也没有中心点")
oracle(c("R 4.2.2: lm, anova, qt", "Box, Hunter & Hunter (2005): 2³ 试产", "Lenth (1989)", "Plackett & Burman (1946)"), list(
  case("试产 2³，饱和", f("产率", names(z3), max_order = 3), analysis(e$产率, z3, 3, v = "产率"), list(fact("影响最大的是“温度”", size = 23, k = 2), "已用 Lenth 法", "超过 ME 才算", "有交互作用", "没有中心点，看不出", "误差自由度，残差全部是 0", "不能估计的效应”未给出", "常数项为", "预测 *R*² 和 PRESS 不能计算", "向右上为")),
  case("试产 2³，二阶", f("产率", names(z3)), analysis(e$产率, z3, 2, v = "产率"), list("误差自由度太少", "不能检验模型是否缺项", "有误差自由度，用 *t* 检验")),
  case("2⁴⁻¹，中心点，区组", f("强度", names(zc), block = "批次"), analysis(C$强度, zc, 2, C$批次, v = "强度"), list("响应是弯的", "没有放进模型", "没有发现明显偏离正态", "只在 2 个或 3 个因子时画立方图"), "oracle-centre.csv"),
  case("有缺失，两个响应，一阶", f(c("硬度", "分"), names(zh), max_order = 1, alpha = .1), c(analysis(H$硬度[k], lapply(zh, function(z) z[k]), 1, alpha = .1, v = "硬度"), analysis(H$分[k], lapply(zh, function(z) z[k]), 1, alpha = .1, v = "分")), list(fact("影响最大的是“供应商”", k = 2), "没有发现模型缺项", "模型里没有两因子交互", "各因子可以分开解释"), "oracle-gaps.csv"),
  case("2⁴⁻¹，一阶", f("强度", names(zc), max_order = 1), analysis(C$强度, zc, 1, v = "强度"), list(fact("影响最大的是“温度”", k = 2), "模型还缺项，请提高“最高交互阶”"), "oracle-centre.csv"),
  case("没有发现", f("分", names(zh)[1:2], alpha = .01), analysis(H$分, zh[1:2], 2, alpha = .01, v = "分"), list("没有发现哪一项影响", "向上为“压力”高水平。"), "oracle-gaps.csv"),
  case("设计：2³，自然单位", cr(names = list(list(id = "r1", name = "温度", low = "160", high = "180"), list(id = "r2", name = "浓度", low = "20", high = "40"), list(id = "r3", name = "催化剂", low = "老厂", high = "新厂"))), c(plan(list(rep(c("160", "180"), 4), rep(rep(c("20", "40"), each = 2), 2), rep(c("老厂", "新厂"), each = 4)), c("温度", "浓度", "催化剂")), list(ov(name = "全因子", factors = 3, runs = 8))), c(D, "依次代表所填的因子", "全因子没有别名")),
  case("设计：2⁵⁻²，区组，中心点", cr(n_factors = 5, fraction = "quarter", blocks = 2, center_points = 1, replicates = 2), list(points("design", list(block = 1), 9, list(block = 9)), points("design", list(point = "中心点"), 2, list(block = 3)), block("design", list(run = 9), block = 1), ov(runs = 18, resolution = "III", relation = "I = ABD = ACE = BCDE", confounded = "BC"), block("alias", list(effect = "A"), others = "BD + CE")), list("分辨度 III：主效应", "区组与两因子交互“BC”混杂", "只列 {n:integer} 阶以内")),
  case("设计：2⁵⁻²，无重复", cr(n_factors = 5, fraction = "res3"), plan(g5, w = sg), list("2^(5−2)")),
  case("设计：2⁷⁻³，随机", list(task = "create", n_factors = 7, fraction = "eighth"), list(ov(runs = 16, factors = 7, resolution = "IV", generators = "E = ABC, F = ABD, G = ACD"), points("design", list(), 16, list(standard = 136, run = 136)), block("alias", list(effect = "AB"), others = "CE + DF")), list("分辨度 IV：主效应与两因子交互分得开")),
  case("设计：2⁶⁻¹", cr(n_factors = 6, fraction = "half"), list(ov(runs = 32, resolution = "VI", relation = "I = ABCDEF")), list("所选阶数以内的效应都分得开")),
  case("设计：PB", cr(n_factors = 11, fraction = "plackett_burman"), list(ov(runs = 12, resolution = "III"), one(1, 1, sapply(1:9, function(j) sg(pb[j]))), one(12, 12, rep("−1", 9))), list("Plackett-Burman 是部分混杂"))))
