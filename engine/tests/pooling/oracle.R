# Rubin's rules on five given completions of R's airquality (New York, May to September 1973; public domain).
# imputed.csv was made once by mice (pmm) and is given from then on: no number below depends on its random draws.
source("../../tools/oracle.R")
suppressMessages(library(mice))
if (!file.exists("imputed.csv")) {
  set <- mice(airquality[, c("Ozone", "Solar.R", "Wind", "Temp", "Month")], m = 5, seed = 1973, printFlag = FALSE)
  long <- complete(set, "long")
  made <- data.frame(`臭氧` = long$Ozone, `日照` = long$Solar.R, `风速` = long$Wind, `气温` = long$Temp,
    `月份` = paste0(long$Month, "月"), `炎热` = ifelse(long$Temp >= 80, "是", "否"),
    `超标` = ifelse(long$Ozone > 60, "是", "否"), `_imp_` = long$.imp, check.names = FALSE)
  write.csv(made, "imputed.csv", row.names = FALSE, fileEncoding = "UTF-8", quote = FALSE)
}
data <- example("imputed.csv")
copies <- split(data, data[["_imp_"]])
m <- length(copies)

# From estimates, standard errors and the complete df: pool.scalar takes n − k for the latter.
scalar <- function(q, se, df) {
  f <- pool.scalar(q, se^2, n = df + 1, k = 1)
  list(value = f$qbar, se = sqrt(f$t), df = f$df, fmi = f$fmi, within = f$ubar, between = f$b, total = f$t, riv = f$r,
    share = (1 + 1 / m) * f$b / f$t)
}
pooled <- function(name, f, null = 0, side = "two_sided", holm = NULL) {
  t <- (f$value - null) / f$se
  p <- switch(side, two_sided = 2 * pt(-abs(t), f$df), greater = pt(-t, f$df))
  reach <- qt(if (side == "two_sided") 0.975 else 0.95, f$df) * f$se
  list(block("pooled", list(name = name), estimate = f$value, se = f$se, low = f$value - reach,
    high = if (side == "two_sided") f$value + reach else Inf, t = t, df = f$df, p = if (is.null(holm)) p else holm,
    m = m, fmi = f$fmi),
    block("parts", list(name = name), within = f$within, between = f$between, variance = f$total, riv = f$riv,
      share = f$share, fmi = f$fmi, df = f$df))
}
means <- function(name, x) {
  f <- scalar(sapply(x, mean), sapply(x, function(v) sd(v) / sqrt(length(v))), length(x[[1]]) - 1)
  reach <- qt(0.975, f$df) * f$se
  list(block("means", list(name = name), estimate = f$value, se = f$se, low = f$value - reach, high = f$value + reach,
    df = f$df, m = m, fmi = f$fmi))
}
each <- function(column, rows = TRUE) lapply(copies, function(d) d[[column]][if (isTRUE(rows)) rows else d[[rows[1]]] == rows[2]])

two <- function(equal) {
  tests <- lapply(copies, function(d) t.test(d[["臭氧"]][d[["炎热"]] == "否"], d[["臭氧"]][d[["炎热"]] == "是"], var.equal = equal))
  scalar(sapply(tests, function(t) unname(t$estimate[1] - t$estimate[2])), sapply(tests, function(t) t$stderr),
    mean(sapply(tests, function(t) t$parameter)))
}
independent <- c(pooled("否 − 是，Student", two(TRUE)), pooled("否 − 是，Welch", two(FALSE)),
  means("否", each("臭氧", c("炎热", "否"))), means("是", each("臭氧", c("炎热", "是"))))

single <- lapply(copies, function(d) t.test(d[["日照"]], mu = 180))
one <- scalar(sapply(single, function(t) t$estimate - 180), sapply(single, function(t) t$stderr), 152)
pairs <- lapply(copies, function(d) t.test(d[["日照"]], d[["臭氧"]], paired = TRUE))
paired <- scalar(sapply(pairs, function(t) t$estimate), sapply(pairs, function(t) t$stderr), 152)

# One-way: mice's own D1 (through mitml) on lm, and all pairs with the common variance.
fits <- as.mira(lapply(copies, function(d) lm(`臭氧` ~ `月份`, d)))
none <- as.mira(lapply(copies, function(d) lm(`臭氧` ~ 1, d)))
d1 <- D1(fits, none)$result
joint <- function(name, r) list(block("joint", list(name = name), F = r[1, "F.value"], df1 = r[1, "df1"],
  df2 = r[1, "df2"], p = r[1, "P(>F)"], m = m, riv = r[1, "RIV"]))
groups <- paste0(5:9, "月")
places <- combn(5, 2, simplify = FALSE)
found <- lapply(places, function(ij) scalar(
  sapply(copies, function(d) diff(rev(tapply(d[["臭氧"]], d[["月份"]], mean)[groups[ij]]))),
  mapply(function(f, d) sigma(f) * sqrt(sum(1 / table(d[["月份"]])[groups[ij]])), fits$analyses, copies), 148))
holm <- p.adjust(sapply(found, function(f) 2 * pt(-abs(f$value / f$se), f$df)), "holm")
anova <- c(joint("各组均值的差异，经典F", d1), unlist(Map(function(ij, f, p)
  pooled(paste(groups[ij[1]], "−", groups[ij[2]]), f, holm = p), places, found, holm), recursive = FALSE),
  means("7月", each("臭氧", c("月份", "7月"))))

regression <- function(fits, names, ratio = FALSE) {
  s <- summary(pool(fits), conf.int = TRUE)
  u <- pool(fits)$pooled
  c(lapply(seq_along(names), function(i) block("pooled", list(name = names[i]), estimate = s$estimate[i],
      se = s$std.error[i], low = s[i, "2.5 %"], high = s[i, "97.5 %"], t = s$statistic[i], df = s$df[i],
      p = s$p.value[i], m = m, fmi = u$fmi[i])),
    lapply(seq_along(names), function(i) block("parts", list(name = names[i]), within = u$ubar[i], between = u$b[i],
      variance = u$t[i], riv = u$riv[i], share = u$lambda[i], fmi = u$fmi[i], complete = u$dfcom[i], df = u$df[i])),
    if (ratio) lapply(2:length(names), function(i) block("ratios", list(name = names[i]), value = exp(s$estimate[i]),
      low = exp(s[i, "2.5 %"]), high = exp(s[i, "97.5 %"]), m = m, fmi = u$fmi[i])))
}
linear <- as.mira(lapply(copies, function(d) lm(`臭氧` ~ `日照` + `风速` + `月份`, d)))
months <- as.mira(lapply(copies, function(d) lm(`臭氧` ~ `日照` + `风速`, d)))
names <- c("常数项", "日照", "风速", paste0("月份：", groups[-1]))
share <- function(name, adjusted) {
  r2 <- sapply(linear$analyses, function(f) if (adjusted) summary(f)$adj.r.squared else summary(f)$r.squared)
  f <- pool.scalar(atanh(sqrt(r2)), rep(1 / (153 - 3), m))
  ends <- tanh(f$qbar + c(0, -1, 1) * qnorm(0.975) * sqrt(f$t))^2
  list(block("shares", list(name = name), value = ends[1], low = ends[2], high = ends[3], m = m, fmi = f$fmi))
}
stopifnot(abs(share("", FALSE)[[1]]$cells$value - pool.r.squared(linear)[1]) < 1e-12)
logistic <- as.mira(lapply(copies, function(d) glm(`超标` ~ `风速` + `日照`, binomial,
  within(d, `超标` <- `超标` == "是"), control = list(epsilon = 1e-14, maxit = 100))))

run <- function(name, path, form, expect, says = list()) c(list(path = path), case(name, form, expect, says))
oracle(c("R 4.2.2 mice 3.15.0 pool, pool.scalar, D1 (mitml 0.4-4), pool.r.squared"), list(
  run("two groups", "hypothesis_test/independent_t_test", list(group = "炎热", variables = list("臭氧")), independent,
    list("没有合并的表")),
  run("one-sided", "hypothesis_test/single_sample_t_test",
    list(variables = list("日照"), test_value = 180, alternative = "greater"),
    pooled("样本均值 − 180", one, side = "greater")),
  run("pairs", "hypothesis_test/paired_sample_t_test", list(pairs_a = list("日照"), pairs_b = list("臭氧"), null_diff = 140),
    pooled("日照 − 臭氧", paired, null = 140)),
  run("groups", "hypothesis_test/variance", list(group = "月份", variables = list("臭氧"), method = "fisher"), anova),
  run("linear", "statistical/linear_regression", list(y = "臭氧", x = list("日照", "风速", "月份")),
    c(regression(linear, names), joint("全部自变量", D1(linear, none)$result), joint("月份", D1(linear, months)$result),
      share("R²", FALSE), share("调整 R²", TRUE))),
  run("logistic", "statistical/logistic_regression", list(y = "超标", x = list("风速", "日照")),
    regression(logistic, c("常数项", "风速", "日照"), ratio = TRUE))))
