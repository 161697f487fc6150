# Rscript oracle.R > oracle.json   (R 4.2.2, car 3.1-1, emmeans 1.8)
# Johnson-Neyman bounds are roots of the pointwise interval, found with polyroot on coef and vcov of the model with slopes.
source("../../../../tools/oracle.R"); source("../../../../tools/oracle_linear.R")

class <- example(); t <- "协方差分析"
cars <- data.frame(气缸 = paste0(mtcars$cyl, "缸"), 车重 = mtcars$wt, 马力 = mtcars$hp, 档 = ifelse(mtcars$am == 1, "手动", "自动"), 油耗 = mtcars$mpg)
save_as <- function(x, f) write.csv(x, f, row.names = FALSE, quote = FALSE)
steep <- class; steep$后测 <- round(steep$后测 + (steep$教学法 == "项目") * (steep$前测 - 60) * .6, 1); steep$人数 <- rep(1:2, length.out = nrow(steep))
same <- data.frame(组 = rep(c("甲", "乙"), each = 8), x = c(3, 5, 4, 6, 8, 7, 9, 5, 4, 6, 5, 7, 9, 8, 3, 6), y = c(5, 7, 6, 4, 6, 8, 5, 7, 6, 5, 8, 6, 7, 4, 6, 5.5))
save_as(cars, "oracle-cars.csv"); save_as(steep, "oracle-steep.csv"); save_as(same, "oracle-same.csv")

parameters <- function(d, y, factors, covariates, level) {
  q <- function(x) paste0("`", x, "`"); for (f in factors) contrasts(d[[f]]) <- contr.treatment(nlevels(d[[f]])) |> (\(m) { rownames(m) <- levels(d[[f]]); colnames(m) <- levels(d[[f]])[-1]; m })()
  fit <- lm(as.formula(paste(q(y), "~", paste(c(paste(q(factors), collapse = "*"), q(covariates)), collapse = "+"))), d)
  s <- summary(fit)$coefficients; ci <- confint(fit, level = level); n <- gsub("`", "", rownames(s))
  for (f in factors) n <- gsub(paste0("(^|:)", f), paste0("\\1", f, "："), n)
  n <- gsub("(?<=[^：])：(?=[^：]*$)", "：", n, perl = TRUE); n <- ifelse(n == "(Intercept)", "常数", gsub(":", " × ", n))
  lapply(seq_along(n), function(i) block("parameters", list(name = n[i]), b = s[i, 1], se = s[i, 2], t = s[i, 3], df = df.residual(fit), p = s[i, 4], low = ci[i, 1], high = ci[i, 2]))
}
more <- function(y, factors, covariates, level) function(fit, d) {
  out <- parameters(d, y, factors, covariates, level); q <- function(x) paste0("`", x, "`"); cells <- interaction(d[factors], sep = " × ", lex.order = TRUE)
  for (l in levels(cells)) for (v in covariates) { x <- d[[v]][cells == l]; out <- c(out, list(block("baseline", list(cell = l, covariate = v), n = length(x), mean = mean(x), sd = sd(x)))) }
  crossed <- as.vector(outer(q(factors), q(covariates), paste, sep = ":"))
  whole <- lm(update(formula(fit), as.formula(paste(". ~ . +", paste(crossed, collapse = "+")))), d); A <- Anova(whole, type = "II"); mse <- sigma(whole)^2
  for (f in factors) for (v in covariates) { i <- match(paste(f, v, sep = ":"), gsub("`", "", rownames(A))); if (is.na(i)) i <- match(paste(v, f, sep = ":"), gsub("`", "", rownames(A)))
    F <- A[i, 1] / A[i, 2] / mse; p <- pf(F, A[i, 2], df.residual(whole), lower.tail = FALSE)
    out <- c(out, list(block("slopes", list(term = paste(f, v, sep = " × ")), ss = A[i, 1], df = A[i, 2], df_error = df.residual(whole), F = F, p = p)))
    if (p < 1 - level) { L <- list(); for (x in c(0, 1)) { at <- setNames(list(mean(d[[v]]) + x), v); g <- emmeans(whole, f, at = at, data = d); L[[x + 1]] <- g@linfct }
      lv <- levels(d[[f]]); tq <- qt((1 + level) / 2, df.residual(whole))^2
      for (ij in asplit(t(combn(length(lv), 2)), 1)) { c0 <- L[[1]][ij[1], ] - L[[1]][ij[2], ]; c1 <- (L[[2]] - L[[1]])[ij[1], ] - (L[[2]] - L[[1]])[ij[2], ]
        b <- c(sum(c0 * coef(whole)), sum(c1 * coef(whole))); V <- rbind(c0, c1) %*% vcov(whole) %*% cbind(c0, c1)
        r <- polyroot(c(b[1]^2 - tq * V[1, 1], 2 * (b[1] * b[2] - tq * V[1, 2]), b[2]^2 - tq * V[2, 2]))
        if (all(abs(Im(r)) < 1e-9)) { r <- sort(Re(r)) + mean(d[[v]]); out <- c(out, list(block("regions", list(covariate = v, first = lv[ij[1]], second = lv[ij[2]]), low = r[1], high = r[2]))) } } } }
  out
}
notes <- c(stated, lapply(c("各因素以第一个类别为参照", "水平I 与水平J 的差异在协变量的哪一段"), function(x) list(what = x, reason = "a note on how a table is made")))
slope <- "“回归斜率"; M <- list(x = "定量", y = "定量", 人数 = "定量", 马力 = "定量")
oracle(c("R 4.2.2: lm, polyroot, shapiro.test, pf(ncp)", "car 3.1-1: Anova(type = II, III), leveneTest", "emmeans 1.8"), list(
  design_case("三种教学法，前测", t, class, "教学法", "后测", list(), list("协变量“前测”与“后测”有关", "没有发现斜率不同，可以比较", "个组，每个 {least:integer} 例。", "两两比较共 {m:integer} 次，Bonferroni"), how = "bonferroni", covariates = "前测", extra = more("后测", "教学法", "前测", .95)),
  design_case("汽缸与车重（mtcars，目录给出的数），Tukey", t, cars, "气缸", "油耗", list(), list("个有数据的组，例数从 {least:integer} 到 {most:integer} 不等。类型III", "两两比较共 {m:integer} 次，Tukey"), "oracle-cars.csv", M, how = "tukey_", covariates = "车重", extra = more("油耗", "气缸", "车重", .95)),
  design_case("两个因素两个协变量，类型II，Sidak", t, cars, c("档", "气缸"), "油耗", list(c("档", "气缸")), list("个有数据的组合，例数从 {least:integer} 到 {most:integer} 不等。类型II", "两两比较共 {m:integer} 次，Šidák"), "oracle-cars.csv", M, type = "II", how = "sidak", covariates = c("车重", "马力"),
    extra = more("油耗", c("档", "气缸"), c("车重", "马力"), .95), levene = TRUE),
  design_case("斜率不同，频数权重，90%，LSD", t, steep, "教学法", "后测", list(), list("各组的斜率不同（“教学法 × 前测”", "斜率不同，协方差分析的前提不成立", "不控制整体错误率："), "oracle-steep.csv", M, how = "none_", level = .9, covariates = "前测",
    rows = steep[rep(seq_len(nrow(steep)), steep$人数), ], weight = "人数", extra = more("后测", "教学法", "前测", .9)),
  design_case("没有差异", t, same, "组", "y", list(), list("没有发现关系，控制它没有减少", "没有一个因素的 *p* 小于"), "oracle-same.csv", M, how = "bonferroni", covariates = "x", extra = more("y", "组", "x", .95))), notes)
