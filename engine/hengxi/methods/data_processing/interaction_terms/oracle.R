# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2: model.matrix, lm, splines::bs)
source("../../../../tools/steps.R")
suppressMessages(library(splines))
if (!file.exists("example.csv")) {
  set.seed(88); n <- 300; s <- round(rnorm(n, 30, 6), 1); u <- round(rnorm(n, 22, 5) - .2 * (s - 30), 1); s[sample(n, 5)] <- NA; u[sample(n, 4)] <- NA
  save_example(data.frame(编号 = 1:n, 压力 = s, 社会支持 = u, 年龄 = sample(18:60, n, TRUE), 抑郁 = round(10 + .3 * ifelse(is.na(s), 30, s) - .02 * (ifelse(is.na(s), 30, s) - 30) * ifelse(is.na(u), 22, u) + rnorm(n, 0, 4), 1)))
}
x <- example(); n <- nrow(x)
ready <- function(v, how) switch(how, none = v, center = v - mean(v, na.rm = TRUE), zscore = as.numeric(scale(v)))
vif_of <- function(d) { d <- as.data.frame(d); d <- d[complete.cases(d), ]; sapply(seq_along(d), function(j) 1 / (1 - summary(lm(d[[j]] ~ ., data = d[-j]))$r.squared)) }
# `sets`: names of the variables that are multiplied, one character vector for each term.
one <- function(name, form, vars, sets, how = "center", mods = character()) {
  all <- c(vars, mods); d <- x[all]; term <- function(set, how) Reduce(`*`, lapply(set, function(v) ready(x[[v]], how)))
  made <- sapply(sets, term, how = how); raw <- sapply(sets, term, how = "none")
  label <- sapply(sets, function(set) { k <- table(factor(set, unique(set))); paste(ifelse(k == 1, names(k), paste0(names(k), "^", k)), collapse = "×") })
  after <- vif_of(cbind(d, made))[-seq_along(all)]; before <- vif_of(cbind(d, raw))[-seq_along(all)]
  rows <- lapply(seq_along(sets), function(j) block("result", list(variable = label[j], formula = paste0(label[j], c(none = "", center = "（中心化）", zscore = "（标准化）")[[how]])), n = sum(!is.na(made[, j])), mean = mean(made[, j], na.rm = TRUE),
    sd = sd(made[, j], na.rm = TRUE), r = cor(x[[sets[[j]][1]]], made[, j], use = "complete.obs"), before = before[j], after = after[j]))
  from <- lapply(all, function(v) block("sources", list(variable = v), n = sum(!is.na(x[[v]])), mean = mean(x[[v]], na.rm = TRUE), sd = sd(x[[v]], na.rm = TRUE)))
  facts <- list(v = length(all), k = length(sets), before = max(before), after = max(after))
  case(name, c(list(variables = as.list(vars), center = how), if (length(mods)) list(moderators = as.list(mods)), form), c(rows, from, list(record("交互项与多项式项", n, ncol(x) + length(sets), c(n, ncol(x))))),
    list(list(contains = "最大 VIF 由", facts = facts), if (how == "none") "交互看乘积项的系数" else "中心化只减轻乘积与原变量的相关"))
}
spline <- function(v, df) { b <- matrix(NA, n, df); ok <- !is.na(x[[v]]); b[ok, ] <- bs(x[[v]][ok], df = df)
  rows <- lapply(seq_len(df), function(j) block("result", list(variable = paste0(v, "_样条", j)), n = sum(ok), mean = mean(b[, j], na.rm = TRUE), sd = sd(b[, j], na.rm = TRUE), r = cor(x[[v]], b[, j], use = "complete.obs")))
  case(paste("样条", df), list(variables = list(v), basis = "spline", spline = df), c(rows, list(record("交互项与多项式项", n, ncol(x) + df, c(n, ncol(x))))), list(fact("个样条基", v = 1, k = df), "单个系数没有含义", "不列 VIF")) }
p <- "压力"; s <- "社会支持"; a <- "年龄"
oracle(c("R 4.2.2: lm(), cor(), scale()", "splines: bs()"), list(
  one("压力与支持", list(), p, list(c(p, s)), mods = s),
  one("标准化", list(), c(p, a), list(c(p, s), c(a, s)), "zscore", s),
  one("两两乘积", list(), c(p, s, a), list(c(p, s), c(p, a), c(s, a))),
  one("二次多项式", list(interaction_only = FALSE), c(p, s), list(c(p, p), c(p, s), c(s, s))),
  one("三次", list(interaction_only = FALSE, degree = 3), p, list(c(p, p), c(p, p, p)), "none"),
  one("乘积和平方", list(interaction_only = FALSE), p, list(c(p, s), c(p, p)), mods = s),
  spline(p, 4), spline(a, 6), spline(a, 3)))
