# Rscript oracle.R > oracle.json   (R 4.2.2, lme4, nlme). Coefficients of expected mean squares as traces of projections; F as ratios of
# aov's strata where balanced, Satterthwaite's denominators by solving for the mean squares below; REML by lme4 with tight tolerances.
source("../../../../tools/oracle.R"); suppressMessages({library(lme4); library(nlme)})
save_as <- function(x, f) write.csv(x, f, row.names = FALSE, quote = FALSE, na = "")
set.seed(21); E <- expand.grid(次 = 1:2, 炉 = paste0("炉", 1:3), 批 = paste0("批", 1:4), stringsAsFactors = FALSE); E$测定值 <- round(50 + rnorm(4, 0, 3)[as.integer(factor(E$批))] + rnorm(12, 0, 1.5)[as.integer(factor(paste(E$批, E$炉)))] + rnorm(24, 0, .6), 2); E <- E[c("批", "炉", "测定值")]; save_as(E, "example.csv"); E <- example()
Ca <- data.frame(植株 = rep(paste0("株", 1:4), each = 6), 叶 = rep(paste0("叶", 1:12), each = 2), 钙 = c(3.28, 3.09, 3.52, 3.48, 2.88, 2.80, 2.46, 2.44, 1.87, 1.92, 2.19, 2.19, 2.77, 2.66, 3.74, 3.44, 2.55, 2.55, 3.78, 3.87, 4.07, 4.12, 3.31, 3.31)); save_as(Ca, "oracle-calcium.csv")
set.seed(5); U <- data.frame(校 = sample(c("甲校", "乙校", "丙校", "丁校", "戊校"), 120, TRUE, c(.3, .25, .2, .15, .1)), 班 = sample(c("1班", "2班", "3班"), 120, TRUE), 组 = sample(c("a", "b"), 120, TRUE)); U$分 <- pmin(5, pmax(1, round(3 + c(甲校 = .9, 乙校 = -.6, 丙校 = .2, 丁校 = 0, 戊校 = -.3)[U$校] + rnorm(15, 0, .5)[as.integer(factor(paste(U$校, U$班)))] + rnorm(120, 0, .9)))); U$分[c(5, 50, 77)] <- NA; save_as(U, "oracle-items.csv")
body <- function(d, y, levels, fixed = FALSE, reml = FALSE, level = .95) { d <- d[complete.cases(d[c(y, levels)]), ]; Y <- d[[y]]; L <- length(levels); n <- length(Y)
  G <- lapply(seq_len(L), function(j) factor(do.call(paste, c(d[levels[1:j]], sep = " / ")), levels = unique(do.call(paste, c(d[levels[1:j]], sep = " / "))))); Z <- lapply(G, function(g) model.matrix(~ 0 + g)); P <- c(list(matrix(1 / n, n, n)), lapply(Z, function(z) z %*% solve(crossprod(z)) %*% t(z)))
  df <- sapply(1:L, function(j) round(sum(diag(P[[j + 1]])) - sum(diag(P[[j]])))); ss <- sapply(1:L, function(j) as.numeric(t(Y) %*% (P[[j + 1]] - P[[j]]) %*% Y)); de <- n - nlevels(G[[L]]); se <- as.numeric(t(Y) %*% (diag(n) - P[[L + 1]]) %*% Y); ms <- ss / df; mse <- se / de
  K <- sapply(1:L, function(l) sapply(1:L, function(j) sum(diag(t(Z[[l]]) %*% (P[[j + 1]] - P[[j]]) %*% Z[[l]])) / df[j])); K[abs(K) < 1e-9] <- 0
  nm <- c(levels[1], if (L > 1) paste0(levels[-1], "（", levels[-L], "之内）")); out <- list(); p <- c()
  for (j in 1:L) { full <- cbind(K, 1); want <- c(K[j, ], 1); want[j] <- 0; rows <- rbind(full[-seq_len(j), , drop = FALSE], c(rep(0, L), 1)); w <- qr.solve(t(rows), want); m <- c(ms[-seq_len(j)], mse); f <- c(df[-seq_len(j)], de); D <- sum(w * m); dfd <- D^2 / sum((w * m)^2 / f); F <- ms[j] / D; p[j] <- pf(F, df[j], dfd, lower.tail = FALSE)
    out <- c(out, list(block("anova", list(source = nm[j]), ss = ss[j], df = df[j], ms = ms[j], F = F, df_error = dfd, p = p[j]))); for (l in j:L) out <- c(out, list(block("shares_of", list(source = nm[j], component = nm[l]), k = K[j, l]))) }
  out <- c(out, list(block("anova", list(source = "误差"), ss = se, df = de, ms = mse))); v <- solve(K, ms - mse); s2 <- mse; tol <- NULL
  if (reml) { D <- data.frame(Y = Y, G); names(D)[-1] <- paste0("g", 1:L); f <- lmer(as.formula(paste("Y ~", if (fixed) "g1 +" else "", paste0("(1 | g", (if (fixed) 2 else 1):L, ")", collapse = " + "))), D, control = lmerControl(optimizer = "Nelder_Mead", optCtrl = list(FtolAbs = 1e-14, FtolRel = 1e-15, XtolRel = 1e-12, maxfun = 1e5), check.conv.singular = "ignore")); vc <- as.data.frame(VarCorr(f)); v <- rep(0, L); for (l in (if (fixed) 2 else 1):L) v[l] <- vc$vcov[vc$grp == paste0("g", l)]; s2 <- vc$vcov[vc$grp == "Residual"]; tol <- 1e-5 }
  keep <- if (fixed) 2:L else 1:L; V <- pmax(0, v[keep]); T <- sum(V) + s2; ic <- cumsum(V) / T
  for (i in seq_along(keep)) out <- c(out, list(do.call(block, c(list("components", list(source = nm[keep[i]]), variance = V[i], share = V[i] / T, sd = sqrt(V[i]), icc = ic[i]), if (reml) list(tolerance = 1e-5, reason = "lme4's optimiser stops near the top of the likelihood")))))
  out <- c(out, list(do.call(block, c(list("components", list(source = "误差"), variance = s2, share = s2 / T, sd = sqrt(s2)), if (reml) list(tolerance = 1e-5, reason = "lme4's optimiser stops near the top of the likelihood")))))
  for (j in 1:L) for (g in levels(G[[j]])) { x <- Y[G[[j]] == g]; out <- c(out, list(do.call(block, c(list("groups", list(group = g), n = length(x), mean = mean(x)), if (length(x) > 1) list(sd = sd(x)))))) }
  list(blocks = out, p = p) }
a <- body(E, "测定值", c("批", "炉")); b <- body(Ca, "钙", c("植株", "叶"), reml = TRUE); c0 <- body(U, "分", c("校", "班", "组")); d <- body(U, "分", c("校", "班"), TRUE, TRUE, .9)
s <- summary(aov(钙 ~ 植株 + Error(叶), transform(Ca, 叶 = factor(叶)))); stopifnot(abs(s[[1]][[1]]["植株", "F value"] - 7.6652) < 1e-3, abs(b$blocks[[1]]$cells$F - s[[1]][[1]]["植株", "F value"]) < 1e-9)
vc <- as.numeric(VarCorr(lme(钙 ~ 1, random = ~ 1 | 植株/叶, Ca))[c(2, 4, 5), 1]); stopifnot(max(abs(vc - c(.365221, .161060, .006654))) < 1e-4)
lead <- function(text, p) list(contains = text, facts = list(p0 = p[1], p1 = p[2])); M <- list(测定值 = "定量", 钙 = "定量", 分 = "定量"); all <- list("先看方差分量", "采用嵌套方差分析（", "偏度 {skew:num}。", "“{name}”有 {k:integer} 组。")
all[[4]] <- "{k:integer} 组。"
oracle(c("R 4.2.2: projections, aov(Error), pf", "lme4: lmer(REML)", "nlme: lme（核对目录给出的数）"), list(
  case("四批三炉，每炉测两次", list(y = "测定值", levels = list("批", "炉")), a$blocks, c(all, list(lead("之间", a$p), "各组例数相同，*F* 是", "同名水平出现在多个")), measures = M),
  case("芜菁叶的钙（目录给出的数），REML", list(y = "钙", levels = list("植株", "叶"), method = "reml"), b$blocks, c(all, list(lead("之间", b$p))), data = "oracle-calcium.csv", measures = M),
  case("1–5 分，三层，例数不等，有缺失", list(y = "分", levels = list("校", "班", "组")), c0$blocks, c(all, list(lead("之间", c0$p), "*F* 的分母是合成的")), data = "oracle-items.csv", measures = M),
  case("最高层固定，REML，90%", list(y = "分", levels = list("校", "班"), fixed_top = TRUE, method = "reml", conf_level = .9), d$blocks, c(all, list(lead("之间", d$p))), data = "oracle-items.csv", measures = M)),
  c(lapply(c("期望均方里的系数 k", "组内相关是同一组的", "同一列的点散得开", "的估计是负的，记作 0"), function(x) list(what = x, reason = "a note on how a table is made"))))
