# How oracle.json was made: tools/run_oracles.py --write questionnaire/moderating_effects   (R 4.2.2; lm; psych::Garcia)
# Regressions, predictions and ΔF from lm with x:w; simple slopes from lm refitted with W put to 0 at the level; HC3 from
# hat values; Johnson-Neyman by uniroot on t² of the refitted slope.
source("../../../../tools/oracle.R")
if (!file.exists("example.csv")) write.csv(psych::Garcia[c("protest", "prot2", "sexism", "anger", "liking", "respappr")], "example.csv", row.names = FALSE, quote = FALSE)
garcia <- example()
RNGversion("4.2.0"); set.seed(23); n <- 160   # five grades, gaps, categories of words
grade <- function(x) findInterval(x, c(-1.4, -.4, .5, 1.3)) + 1
a <- rnorm(n); g <- sample(c("甲", "乙", "丙"), n, TRUE); y <- .2 * a + .6 * a * (g == "丙") + rnorm(n)
gaps <- data.frame(X = grade(a), W = grade(rnorm(n)), 班级 = g, Y = grade(y), 性别 = sample(c("男", "女"), n, TRUE))
for (v in c("X", "W", "Y")) gaps[[v]][sample(n, 5)] <- NA
write.csv(gaps, "oracle-gaps.csv", row.names = FALSE, quote = FALSE, na = "")
# `words`: the order of levels of each categorical variable
run <- function(name, d, x, w, y, controls = character(), words = list(), how = "mean", probe = "percentile_16_50_84", values = NULL, hc3 = FALSE, says = list(), data = NULL, measures = NULL) {
  d <- na.omit(d[c(x, w, y, controls)]); raw <- d[[w]]; given <- d[[x]]; E <- list(); add <- function(...) E[[length(E) + 1]] <<- block(...)
  for (v in names(words)) d[[v]] <- factor(d[[v]], words[[v]])
  put <- function(v) if (is.factor(v)) v else switch(how, mean = v - mean(v), zscore = (v - mean(v)) / sd(v), none = v)
  d$x_ <- put(d[[x]]); d$w_ <- put(d[[w]]); d$y_ <- d[[y]]
  unput <- function(v) switch(how, mean = v - mean(raw), zscore = (v - mean(raw)) / sd(raw), none = v)
  rest <- if (length(controls)) paste("+", paste0("`", controls, "`", collapse = "+")) else ""
  fit <- function(right, dd = d) lm(as.formula(paste("y_ ~", right)), dd)
  full <- paste("x_", rest, "+ w_ + x_:w_"); f <- list(fit(paste("x_", rest)), fit(paste("x_", rest, "+ w_")), fit(full))
  V <- function(m) if (!hc3) vcov(m) else { X <- model.matrix(m); B <- solve(crossprod(X)); B %*% crossprod(X * (resid(m) / (1 - hatvalues(m)))) %*% B }
  label <- function(k) { p <- strsplit(k, ":", TRUE)[[1]]; nm <- function(q) { for (r in c("x_", "w_", controls)) { col <- c(x_ = x, w_ = w)[r]; if (is.na(col)) col <- r; q <- gsub("`", "", q); if (q == r) return(unname(col)); if (startsWith(q, r)) return(paste0(col, "：", substring(q, nchar(r) + 1))) }; q }; paste(sapply(p, nm), collapse = " × ") }
  before <- 0; old <- character(); heads <- c("自变量与控制变量", "加调节变量", "加交互项")
  for (k in 1:3) { m <- f[[k]]; b <- coef(m); v <- V(m); dimnames(v) <- list(names(b), names(b)); se <- sqrt(diag(v)); X <- model.matrix(m)[, -1, drop = FALSE]; df <- m$df.residual
    for (i in names(b)) { z <- list(b = b[[i]], se = se[[i]], t = b[[i]] / se[[i]], p = 2 * pt(-abs(b[[i]] / se[[i]]), df))
      if (i != "(Intercept)") { z$beta <- b[[i]] * sd(X[, i]) / sd(d$y_); z$vif <- if (ncol(X) > 1) 1 / (1 - summary(lm(X[, i] ~ X[, colnames(X) != i]))$r.squared) else 1 }
      E[[length(E) + 1]] <- do.call(block, c(list("models", list(model = paste("模型", k), term = if (i == "(Intercept)") "常数项" else label(i))), z)) }
    s <- summary(m); new <- setdiff(names(b)[-1], old); df1 <- length(new)
    F <- if (hc3) drop(b[new] %*% solve(v[new, new]) %*% b[new]) / df1 else if (k == 1) s$fstatistic[[1]] else anova(f[[k - 1]], m)$F[2]
    add("changes", list(model = paste0("模型 ", k, "：", heads[k])), r2 = s$r.squared, adjusted = s$adj.r.squared, change = s$r.squared - before, F = F, df1 = df1, df2 = df, p = pf(F, df1, df, lower.tail = FALSE))
    before <- s$r.squared; old <- names(b)[-1]; p <- pf(F, df1, df, lower.tail = FALSE); dfull <- df }
  tc <- qt(.975, dfull)
  slope <- function(at) { dd <- d; if (is.factor(d$w_)) dd$w_ <- relevel(d$w_, at) else dd$w_ <- d$w_ - unput(at); m <- fit(full, dd); i <- which(startsWith(names(coef(m)), "x_") & !grepl(":", names(coef(m)))); list(b = unname(coef(m)[i]), se = unname(sqrt(diag(V(m)))[i]), names = sapply(names(coef(m))[i], label), m = m) }
  at <- if (is.factor(d$w_)) setNames(as.list(levels(d$w_)), levels(d$w_)) else if (!is.null(values)) setNames(as.list(values), paste("取值", values)) else if (length(unique(raw)) == 2) list(较小的值 = min(raw), 较大的值 = max(raw)) else
    if (probe == "mean_sd") setNames(as.list(mean(raw) + c(-1, 0, 1) * sd(raw)), c("平均值 − 1 SD", "平均值", "平均值 + 1 SD")) else setNames(as.list(unname(quantile(raw, c(.16, .5, .84)))), paste0(c(16, 50, 84), "% 分位"))
  numeric_x <- !is.factor(d$x_)
  for (a in names(at)) { s <- slope(at[[a]])
    for (i in seq_along(s$b)) { z <- list(slope = s$b[i], se = s$se[i], t = s$b[i] / s$se[i], p = 2 * pt(-abs(s$b[i] / s$se[i]), dfull), low = s$b[i] - tc * s$se[i], high = s$b[i] + tc * s$se[i]); if (!is.factor(d$w_)) z$w <- at[[a]]
      E[[length(E) + 1]] <- do.call(block, c(list("slopes", list(x = unname(s$names[i]), level = a)), z)) }
    if (numeric_x) { X <- model.matrix(s$m); mm <- colMeans(X); gx <- seq(min(d$x_), max(d$x_), length.out = 21)   # W at 0 of this fit, all others at their means
      P <- t(sapply(gx, function(g) { r <- mm; r[grepl("w_", names(r))] <- 0; r["x_"] <- g; r })); fitv <- drop(P %*% coef(s$m)); sev <- sqrt(rowSums((P %*% V(s$m)) * P))
      E[[length(E) + 1]] <- points("lines", list(level = a), 21, list(x = sum(seq(min(given), max(given), length.out = 21)), y = sum(fitv), low = sum(fitv - tc * sev), high = sum(fitv + tc * sev))) } }
  if (!is.factor(d$w_) && (numeric_x || nlevels(d$x_) == 2) && length(unique(raw)) > 2) {
    h <- function(v) { s <- slope(v); s$b^2 - tc^2 * s$se^2 }; grid <- seq(min(raw), max(raw), length.out = 400); hv <- sapply(grid, h); cut <- which(diff(sign(hv)) != 0)
    ends <- c(min(raw), sapply(cut, function(i) uniroot(h, grid[i + 0:1], tol = 1e-13)$root), max(raw))
    for (k in seq_len(length(ends) - 1)) { s <- slope(mean(ends[k + 0:1])); sure <- abs(s$b) > tc * s$se
      E[[length(E) + 1]] <- block("regions", list(verdict = if (!sure) "不显著" else if (s$b > 0) "显著为正" else "显著为负"), start = ends[k], end = ends[k + 1], share = mean(raw <= ends[k + 1] & (raw > ends[k] | k == 1))) }
    cv <- sapply(seq(min(raw), max(raw), length.out = 41), function(v) { s <- slope(v); c(v, s$b, s$b - tc * s$se, s$b + tc * s$se) })
    E[[length(E) + 1]] <- points("curve", list(), 41, list(w = sum(cv[1, ]), slope = sum(cv[2, ]), low = sum(cv[3, ]), high = sum(cv[4, ]))) }
  form <- list(x = x, w = w, y = y, controls = as.list(controls), centering = how, probe = if (is.null(values)) probe else "manual", se = if (hc3) "hc3" else "ols")
  if (!is.null(values)) form$values <- as.list(values)
  case(name, form, E, c(list(if (p < .05) "的调节作用显著" else "没有发现", "最大的 VIF", "（n = {n"), if (p >= .05) list("交互项不显著，不宜解读"), if (p < .05) list("调节作用显著，就是") else list("看不出来"), says), data, measures)
}
q <- as.list(setNames(rep("定量", 6), names(garcia))); three <- q; three$protest <- "定类"
g <- list(X = "定量", W = "定量", 班级 = "定类", Y = "定量", 性别 = "定类")
first <- function(v) unique(gaps[[v]])
oracle(list("R 4.2.2 lm on psych::Garcia (Hayes' worked example: −3.7727, −.4725, .8336; slopes −.182, .495, 1.120; JN 3.509, 4.975)"), list(
  run("两种抗议与性别歧视认知", garcia, "prot2", "sexism", "liking", how = "none", measures = q),
  run("三类自变量，自定义取值，有控制变量", garcia, "protest", "sexism", "liking", "anger", list(protest = PROTEST <- c(0, 1, 2)), values = c(4, 5, 6), says = list("自变量是分类变量", "须是有三个以上取值"), measures = three),
  run("五点题有缺失，文字的调节变量，标准化，HC3", gaps, "X", "班级", "Y", "性别", list(班级 = first("班级"), 性别 = first("性别")), how = "zscore", hc3 = TRUE, says = list("每增加一个标准差", "须是有三个以上取值"), data = "oracle-gaps.csv", measures = g),
  run("五点题有缺失，平均值与标准差，HC3", gaps, "X", "W", "Y", "性别", list(性别 = first("性别")), probe = "mean_sd", hc3 = TRUE, data = "oracle-gaps.csv", measures = g)))
