# Rscript oracle.R > oracle.json   (R 4.2.2, psych, jsonlite)
# Pearson and Spearman from residuals of lm (of ranks), checked against psych::partial.r; t by the slope of the regression
# with the controls; intervals by atanh; Kendall's from the inverse of the τ-b matrix (ppcor is not in Debian).
source("../../../../tools/oracle.R")
suppressMessages(library(psych))

tail_p <- function(t, d, alt) switch(alt, two_sided = 2 * d(-abs(t)), greater = d(-t), less = d(t))
numbers <- function(d, v, h, method = "pearson", alt = "two_sided", level = .95, semi = FALSE, zero = TRUE) {
  x <- na.omit(d[c(v, h)]); n <- nrow(x); k <- length(h); out <- list(); y <- if (method == "spearman") as.data.frame(lapply(x, rank)) else x
  names(y) <- names(x); side <- c(two_sided = "two.sided", greater = "greater", less = "less")[[alt]]
  res <- function(a) residuals(lm(y[[a]] ~ as.matrix(y[h]))); ij <- t(combn(length(v), 2)); if (semi) ij <- rbind(ij, ij[, 2:1, drop = FALSE])
  for (m in seq_len(nrow(ij))) { a <- v[ij[m, 1]]; b <- v[ij[m, 2]]
    if (method == "kendall") { P <- -cov2cor(solve(cor(x[c(a, b, h)], method = "kendall"))); r <- P[1, 2]; z <- r / sqrt(2 * (2 * (n - k) + 5) / (9 * (n - k) * (n - 1 - k)))
      p <- tail_p(z, pnorm, alt); se <- sqrt(.437 / (n - k - 4)); stat <- z; df <- NULL; own <- r }
    else { own <- cor(res(a), res(b)); df <- n - 2 - k; stat <- summary(lm(y[[a]] ~ y[[b]] + as.matrix(y[h])))$coefficients[2, 3]; p <- tail_p(stat, function(t) pt(t, df), alt)
      r <- if (semi) cor(y[[a]], res(b)) else own; se <- if (method == "spearman") sqrt((1 + r^2 / 2) / (n - k - 3)) else 1 / sqrt(n - k - 3)
      stopifnot(abs(own - psych::partial.r(y, c(a, b), h)[1, 2]) < 1e-10) }
    q <- qnorm(1 - (if (alt == "two_sided") (1 - level) / 2 else 1 - level)) * se
    out <- c(out, list(do.call(block, c(list("result", list(a = a, b = b)), list(r = r, statistic = stat, p = p, n = n), if (!is.null(df)) list(df = df),
      if (!semi) list(low = if (alt == "less") -1 else tanh(atanh(r) - q), high = if (alt == "greater") 1 else tanh(atanh(r) + q))))))
    if (zero) { c0 <- suppressWarnings(if (method == "spearman") cor.test(rank(x[[a]]), rank(x[[b]]), alternative = side) else cor.test(x[[a]], x[[b]], method = method, alternative = side, exact = FALSE))
      out <- c(out, list(block("zero", list(a = a, b = b), r = unname(c0$estimate), p = c0$p.value, partial = r, change = r - unname(c0$estimate)))) } }
  for (a in c(v, h)) out <- c(out, list(block("descriptives", list(name = a), n = n, mean = mean(x[[a]]), sd = sd(x[[a]]))))
  out }
s <- example(); said <- list("控制只能去掉放进来的变量的影响"); ci <- list("CI 的置信水平为")
cars <- data.frame(油耗 = mtcars$mpg, 重量 = mtcars$wt, 马力 = mtcars$hp, 份数 = rep(1:4, 8)); write.csv(cars, "oracle-cars.csv", row.names = FALSE, quote = FALSE)
long <- cars[rep(1:32, cars$份数), ]; kinds <- function(d) as.list(setNames(rep("定量", ncol(d)), names(d)))
chance <- data.frame(甲 = c(3, 8, 1, 6, 4, 9, 2, 7, 5, 10), 乙 = c(2, 9, 6, 1, 7, 4, 10, 3, 8, 5), 丙 = c(1, 4, 2, 8, 5, 7, 6, 10, 3, 9)); write.csv(chance, "oracle-chance.csv", row.names = FALSE, quote = FALSE)

oracle(c("R 4.2.2: lm, cor.test", "psych 2.2.9: partial.r", "Kendall (1942)：由 τ-b 矩阵求逆"), list(
  case("学习时长与成绩，控制智力", list(variables = c("学习时长", "成绩"), controls = list("智力")), numbers(s, c("学习时长", "成绩"), "智力"), c(said, ci, list("控制“智力”后，“学习时长”与“成绩”仍正相关", "（双尾）")), measures = kinds(s)),
  case("三个变量，控制两个，Spearman", list(variables = c("智力", "学习时长", "成绩"), controls = list("年龄"), method = "spearman", conf_level = .9),
    numbers(s, c("智力", "学习时长", "成绩"), "年龄", "spearman", level = .9), c(said, ci, list("最强的是“智力”与“成绩”仍正相关", "（双尾）")), measures = kinds(s)),
  case("mtcars（目录给出的数）", list(variables = c("油耗", "重量"), controls = list("马力")), numbers(cars, c("油耗", "重量"), "马力"), c(said, ci, list("“油耗”与“重量”仍负相关", "（双尾）")), data = "oracle-cars.csv", measures = kinds(cars)),
  case("频数权重，单尾", list(variables = c("油耗", "重量"), controls = list("马力"), weight = "份数", alternative = "less", zero_order = FALSE), numbers(long, c("油耗", "重量"), "马力", alt = "less", zero = FALSE),
    c(said, ci, list("仍负相关", "备择假设为负相关")), data = "oracle-cars.csv", measures = kinds(cars)),
  case("半偏相关", list(variables = c("油耗", "重量"), controls = list("马力"), type = "semi"), numbers(cars, c("油耗", "重量"), "马力", semi = TRUE), c(said, list("变量2 减去了控制变量", "仍负相关", "的半偏相关为")), data = "oracle-cars.csv", measures = kinds(cars)),
  case("Kendall", list(variables = c("油耗", "重量"), controls = list("马力"), method = "kendall"), numbers(cars, c("油耗", "重量"), "马力", "kendall"), c(said, ci, list("仍负相关", "（双尾）")), data = "oracle-cars.csv", measures = kinds(cars)),
  case("没有发现", list(variables = c("甲", "乙"), controls = list("丙")), numbers(chance, c("甲", "乙"), "丙"), c(said, ci, list("没有发现明显的相关", "（双尾）")), data = "oracle-chance.csv", measures = kinds(chance)),
  case("没有发现正相关", list(variables = c("甲", "乙"), controls = list("丙"), alternative = "greater"), numbers(chance, c("甲", "乙"), "丙", alt = "greater"), c(said, ci, list("没有发现明显的正相关", "备择假设为正相关")), data = "oracle-chance.csv", measures = kinds(chance))))
