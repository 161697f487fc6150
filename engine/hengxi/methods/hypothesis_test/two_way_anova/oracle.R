# Rscript oracle.R > oracle.json   (R 4.2.2, car 3.1-1, emmeans 1.8)
# car::Anova with sum contrasts, emmeans for marginal means, joint_tests for simple effects, hccm(type = "hc3").
source("../../../../tools/oracle.R"); source("../../../../tools/oracle_linear.R")

food <- example()
save_as <- function(x, file) write.csv(x, file, row.names = FALSE, quote = FALSE)
warp <- setNames(warpbreaks[-c(1, 2, 20), c("wool", "tension", "breaks")], c("毛线", "张力", "断头"))
tooth <- setNames(ToothGrowth[, c("supp", "dose", "len")], c("补剂", "剂量", "齿长"))
hole <- food[c(which(food$补剂 == "维C片"), which(food$补剂 == "橙汁" & food$剂量 != "中")), ]
flat <- data.frame(行 = rep(c("甲", "乙"), each = 6), 列 = rep(c("一", "二", "三"), 4), 值 = c(5.1, 4.2, 6.3, 5.8, 4.9, 5.2, 4.4, 5.6, 5.0, 6.1, 4.7, 5.5))
save_as(warp, "oracle-warp.csv"); save_as(tooth, "oracle-tooth.csv"); save_as(hole, "oracle-hole.csv"); save_as(flat, "oracle-flat.csv")

numbers <- function(d, y, factors, type = "III", how = "tukey", level = .95, covariates = NULL, joint = TRUE, hc = FALSE, letters = list(), simple = joint, levene = TRUE) {
  d[factors] <- lapply(d[factors], in_order)
  right <- c(if (joint) paste0("`", factors[1], "`*`", factors[2], "`") else paste0("`", factors, "`"), if (length(covariates)) paste0("`", covariates, "`"))
  fit <- lm(as.formula(paste0("`", y, "` ~ ", paste(right, collapse = " + "))), d)
  both <- paste(factors, collapse = " × ")
  shown <- as.list(setNames(c(factors, both, covariates), c(factors, paste(factors, collapse = ":"), covariates)))
  out <- c(anova_blocks(fit, type, shown, level, d[[y]]), cell_blocks(d, y, factors),
    mean_blocks(fit, d, factors, level, if (joint) list(factors)), assumption_blocks(fit, interaction(d[factors]), levene),
    if (how != "none") pair_blocks(fit, d, y, factors, how, level))
  for (f in names(letters)) out <- c(out, letter_blocks(fit, d, f, letters[[f]]))
  if (simple) for (a in 1:2) { f <- factors[a]; g <- factors[3 - a]
    e <- emmeans(fit, g, by = f); L <- e@linfct; grid <- e@grid
    for (l in levels(d[[f]])) { rows <- L[grid[[f]] == l, , drop = FALSE]; H <- sweep(rows[-nrow(rows), , drop = FALSE], 2, rows[nrow(rows), ])
      b <- H %*% coef(fit); ss <- as.numeric(t(b) %*% solve(H %*% summary(fit)$cov.unscaled %*% t(H), b)); df <- nrow(H); mse <- sigma(fit)^2; rdf <- df.residual(fit)
      j <- as.data.frame(joint_tests(fit, by = f)); j <- j[j[["model term"]] == g & j[[f]] == l, ]
      stopifnot(abs(j$F.ratio - ss / df / mse) < .001)
      out <- c(out, list(block("simple", list(fixed = paste(f, "=", l), tested = g), ss = ss, df = df, df_error = rdf, F = ss / df / mse,
        p = pf(ss / df / mse, df, rdf, lower.tail = FALSE), eta = ss / (ss + rdf * mse)))) } }
  if (hc) { A <- Anova(fit, type = "III", white.adjust = "hc3"); names <- rownames(A)
    for (i in which(names %in% names(shown))) out <- c(out, list(block("robust", list(source = shown[[names[i]]]), F = A[i, "F"], df = A[i, "Df"],
      df_error = df.residual(fit), p = A[i, "Pr(>F)"]))) }
  out
}
run <- function(name, d, f, y, says = list(), data = NULL, measures = NULL, ..., type = "III", how = "tukey", level = .95, covariates = NULL,
                joint = TRUE, hc = FALSE, letters = list(), levene = TRUE, rows = d) {
  expect <- numbers(rows, y, f, type, how, level, covariates, joint, hc, letters, joint, levene)
  terms <- c(f, if (joint) paste(f, collapse = " × "), covariates)
  form <- c(list(y = y, factors = as.list(f)), if (type != "III") list(ss_type = type), if (how != "tukey") list(post_hoc = how),
    if (level != .95) list(conf_level = level), if (length(covariates)) list(covariates = as.list(covariates)), if (hc) list(hc = TRUE), list(...))
  case(name, form, expect, c(said_of(y, "双因素方差分析"), claims_of(expect, terms, 1 - level, length(covariates)), says), data, measures)
}
A <- c("补剂", "剂量"); W <- c("毛线", "张力")
heavy <- food; heavy$只数 <- rep(c(1, 2, 3), length.out = nrow(food)); save_as(heavy, "oracle-weights.csv")

oracle(c("R 4.2.2: lm, anova, shapiro.test, pf(ncp)", "car 3.1-1: Anova(type = II, III, white.adjust = hc3), leveneTest", "emmeans 1.8: emmeans, joint_tests",
  "R 4.2.2: integrate（学生化极差、最大模）"), list(
  run("两种补剂三个剂量，不平衡", food, A, "齿长", list("请先看简单效应和交互作用图", "不等。类型III", "两两比较共 {m:integer} 次，Tukey HSD 在每个因素内"),
    hc = TRUE, letters = list(剂量 = list(低 = "c", 中 = "b", 高 = "a"))),
  run("毛线与张力（warpbreaks 去 3 行，目录给出的数），类型II", warp, W, "断头", list("类型II：检验每个效应时"), "oracle-warp.csv", list(断头 = "定量"), type = "II", how = "bonferroni"),
  run("毛线与张力，类型III，90%，Scheffe", warp, W, "断头", list(), "oracle-warp.csv", list(断头 = "定量"), how = "scheffe", level = .9),
  run("牙齿生长（ToothGrowth，目录给出的数），Games-Howell", tooth, A, "齿长", list("个组合，每个 {least:integer} 例，三种平方和结果一样"), "oracle-tooth.csv", list(剂量 = "定类"), how = "games_howell"),
  run("加协变量，无交互，Holm", food, A, "齿长", list("扣除协变量的影响后：", "{m:integer} 对的差异都有统计学意义", "类型I：效应按放入"), type = "I", how = "holm", covariates = "体重", joint = FALSE, interaction = FALSE),
  run("协变量，类型III，Sidak", food, A, "齿长", how = "sidak", covariates = "体重"),
  run("有空组合，改为主效应模型，LSD", hole, A, "齿长", list("没有观测，“补剂 × 剂量”的交互效应不可估计", "另有 {gaps:integer} 个组合没有数据", "不控制整体错误率：", "的多重比较（LSD）"),
    "oracle-hole.csv", how = "lsd", joint = FALSE),
  run("没有差异", flat, c("行", "列"), "值", list("没有发现交互作用", "没有一个因素的 *p* 小于", "对中没有一对的差异达到统计学意义", "每个组合的例数很少", "Levene 检验算不出来，请看残差"),
    "oracle-flat.csv", list(值 = "定量"), how = "tamhane_t2", levene = FALSE),
  run("频数权重，Dunnett T3", heavy, A, "齿长", list(), "oracle-weights.csv", list(只数 = "定量"), how = "dunnett_t3", rows = heavy[rep(seq_len(nrow(heavy)), heavy$只数), ], weight = "只数")), stated)
