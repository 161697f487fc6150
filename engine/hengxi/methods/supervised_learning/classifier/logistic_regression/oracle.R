# How oracle.json was made: Rscript oracle.R > oracle.json. What learners share is in ../../_shared/learner.R; the models are glm and nnet multinom
# without a penalty and glmnet 4.1-6 with one (lambda = 1 / (C n), its threshold at 1e-22). Cross-validation answers are exported.
source("../../_shared/learner.R"); suppressMessages({library(glmnet); library(nnet); library(car)})
share <- function(J) { e <- exp(J - apply(J, 1, max)); e / rowSums(e) }
drop_first <- function(variable) which(!(duplicated(variable) == FALSE & variable %in% variable[duplicated(variable)]))
# Standard errors from the information at the last coefficients: glm's own is that of the step before.
# `B`: (1 + columns) × classes on the columns' own scale.
share_of <- function(B, T, variable) { a <- rowMeans(abs(B[-1, , drop = FALSE])) * apply(T, 2, sd); s <- tapply(a, variable, sum); unname(s / sum(s)) }
answers_of <- function(B) function(Z) share(cbind(1, Z) %*% B)
inflated <- function(T, single) if (length(single) > 1) list(list(contains = "VIF", facts = list(vif = max(diag(solve(cor(T[, single])))))))
equation <- list("的概率，x1 ="); many <- list("因变量多于两类，各类的方程见系数表")
settled <- list("系数的标准误都是有限的", "“模型系数”未给出")
told <- function(co, series, names) function(case, add) for (j in seq_along(names)) { b <- co[j, 1]; se <- co[j, 2]; z <- b / se
  add("coefficients", list(series = series, name = names[j]), list(b = b, se = se, z = z, wald = z^2, p = 2 * pnorm(-abs(z)), odds = exp(b), low = exp(b - qnorm(.975) * se), high = exp(b + qnorm(.975) * se))) }
labels_of <- function(x, l) sprintf("%s（%s）", x, l)

by_glm <- function(title, name, data, form, measures, yes, t, names, w_of = function(v) rep(1, length(v)), shap = TRUE) { case <- read_learner(name); train <- which(case$d$part == "train"); T <- case$X[train, ]
  classes <- unique(read.csv(data, check.names = FALSE)[[form$y]]); y <- match(case$d$y, classes); event <- which(classes == yes); kept <- drop_first(case$variable); w <- w_of(y[train])
  fit <- suppressWarnings(glm((y[train] == event) ~ T[, kept], family = binomial, weights = w, control = list(epsilon = 1e-14, maxit = 100))); B <- matrix(0, ncol(T) + 1, 2); B[c(1, kept + 1), event] <- coef(fit); D <- cbind(1, T[, kept]); p <- plogis(D %*% coef(fit))[, 1]; single <- which(table(case$variable)[as.character(case$variable)] == 1)
  learner_case(title, name, data, form, measures, answers_of(B), event = event, t = t, share = share_of(B, T, case$variable), shap = shap, more = told(cbind(coef(fit), sqrt(diag(solve(crossprod(D * sqrt(w * p * (1 - p))), tol = 1e-20)))), yes, c("常数项", names)), says = c(settled, equation, inflated(T, single), list("系数由训练集求得；OR"))) }
cancer_form <- list(y = "diagnosis", x = c("radius", "texture", "smoothness", "concavity", "symmetry"), event = "恶性", cv_folds = 4)
cancer_case <- by_glm("乳腺肿瘤，无正则", "cancer", "example.csv", cancer_form, list(diagnosis = "定类"), "恶性", .5, cancer_form$x)
raw <- read.csv("oracle-churn.csv", check.names = FALSE); mc <- list(流失 = "定类", 合约 = "定类", 性别 = "定类"); plans <- sort(unique(raw$合约)); sexes <- unique(raw$性别)
balanced <- function(v) { n <- tabulate(v, 2); length(v) / (2 * n[v]) }
churn_form <- list(y = "流失", x = c("月费", "合约", "投诉次数", "性别"), event = "是", class_weight = "balanced", threshold = .4, cv_folds = 0, shap = FALSE)
churn_names <- c("月费", labels_of("合约", plans[-1]), "投诉次数", labels_of("性别", sexes[2]))
churn_case <- by_glm("客户流失，类别加权", "churn", "oracle-churn.csv", churn_form, mc, "是", .4, churn_names, balanced, shap = FALSE)

# Three classes: multinom against the first.
plans0 <- read_learner("plans"); train <- which(plans0$d$part == "train"); T <- plans0$X[train, ]; classes <- unique(plans0$d$y); fit <- multinom(factor(plans0$d$y[train], classes) ~ scale(T), trace = FALSE, maxit = 5000, reltol = 1e-16, abstol = 1e-14)
# BFGS stops early: three Newton steps on the deviance, on the columns' own scale.
D <- cbind(1, T); own <- diag(3)[match(plans0$d$y[train], classes), ]; s <- apply(T, 2, sd); B <- matrix(0, 3, 3); co <- coef(fit); B[-1, 2:3] <- t(co[, -1]) / s; B[1, 2:3] <- co[, 1] - colSums(colMeans(T) * B[-1, 2:3])
hessian <- function(p) { h <- matrix(0, 6, 6); for (a in 1:2) for (b in 1:2) h[3 * (a - 1) + 1:3, 3 * (b - 1) + 1:3] <- t(D) %*% (D * p[, a + 1] * ((a == b) - p[, b + 1])); h }
for (i in 1:8) { p <- share(D %*% B); B[, 2:3] <- B[, 2:3] - matrix(solve(hessian(p), as.numeric(t(D) %*% (p - own)[, 2:3]), tol = 1e-20), 3) }
p <- share(D %*% B); errors <- matrix(sqrt(diag(solve(hessian(p), tol = 1e-20))), 3); plans_form <- list(y = "套餐", x = c("月费", "投诉次数"), cv_folds = 4, shap = FALSE)
plans_case <- learner_case("套餐，三类，无正则", "plans", "oracle-plans.csv", plans_form, list(套餐 = "定类"), answers_of(B), share = share_of(B, T, 1:2), shap = FALSE,
  more = function(case, add) for (c in 2:3) told(cbind(B[, c], errors[, c - 1]), classes[c], c("常数项", plans_form$x))(case, add), says = c(settled, many, inflated(T, 1:2), list("系数由训练集求得，各类与")))

penalised <- function(title, name, data, form, measures, names, yes, C, r, scaled, t = .5) { case <- read_learner(name); train <- which(case$d$part == "train"); T <- case$X[train, ]; classes <- unique(read.csv(data, check.names = FALSE)[[form$y]]); k <- length(classes); y <- match(case$d$y, classes)[train]
  event <- if (!is.null(yes)) which(classes == yes); kept <- drop_first(case$variable); m <- colMeans(T) * scaled; s <- if (scaled) apply(T, 2, sd) else rep(1, ncol(T)); z <- sweep(sweep(T, 2, m), 2, s, `/`)[, kept]
  g <- glmnet(z, if (k == 2) y == 2 else factor(y), family = if (k == 2) "binomial" else "multinomial", alpha = r, lambda = 1 / (C * length(train)), standardize = FALSE, thresh = 1e-22, maxit = 1e7)
  B <- matrix(0, ncol(T) + 1, k); if (k == 2) B[c(1, kept + 1), 2] <- c(g$a0, as.numeric(g$beta)) else for (c in 1:k) B[c(1, kept + 1), c] <- c(g$a0[c], as.numeric(g$beta[[c]]))
  B[-1, ] <- B[-1, ] / s; B[1, ] <- B[1, ] - colSums(B[-1, ] * m); if (k > 2) B[1, ] <- B[1, ] - mean(B[1, ]); single <- which(table(case$variable)[as.character(case$variable)] == 1)
  learner_case(title, name, data, form, measures, answers_of(B), event = event, t = t, share = share_of(B, T, case$variable), shap = FALSE, tolerance = 1e-8,
    more = function(case, add) for (c in (if (k == 2) event else 1:k)) { b <- (B[, c] - (if (k == 2) B[, 3 - c] else 0))[c(1, kept + 1)]; for (j in seq_along(b)) add("plain", list(series = classes[c], name = c("常数项", names)[j]), list(b = b[j], odds = exp(b[j]))) },
    says = c(if (k == 2) equation else many, inflated(T, single), list(list(contains = "系数受罚", facts = list(k = length(kept), kept = sum(rowSums(B[kept + 1, ] != 0) > 0)))))) }
of <- function(...) { f <- churn_form; f$class_weight <- "none"; for (x in names(list(...))) f[[x]] <- list(...)[[x]]; f }
cases <- list(penalised("客户流失 L2", "l2", "oracle-churn.csv", of(penalty = "l2", C = .5), mc, churn_names, "是", .5, 0, TRUE, .4),
  penalised("客户流失 L1", "l1", "oracle-churn.csv", of(penalty = "l1", C = .2), mc, churn_names, "是", .2, 1, TRUE, .4),
  penalised("客户流失，弹性网，不标准化", "elastic", "oracle-churn.csv", of(penalty = "elastic", C = .2, l1_ratio = .4, standardize = FALSE), mc, churn_names, "是", .2, .4, FALSE, .4),
  penalised("套餐，三类，L2", "multi", "oracle-plans.csv", list(y = "套餐", x = plans_form$x, cv_folds = 0, shap = FALSE, penalty = "l2", C = 2), list(套餐 = "定类"), plans_form$x, NULL, 2, 0, TRUE))

# Twice the same column: each takes half of what glm gives one of them.
case <- read_learner("doubled"); train <- which(case$d$part == "train"); T <- case$X[train, ]; classes <- unique(read.csv("oracle-doubled.csv", check.names = FALSE)$流失); event <- which(classes == "是"); y <- match(case$d$y, classes)
fit <- glm((y[train] == event) ~ T[, 1], family = binomial, control = list(epsilon = 1e-14)); b <- c(coef(fit)[1], coef(fit)[2] / 2, coef(fit)[2] / 4); B <- matrix(0, 3, 2); B[, event] <- b
doubled_case <- learner_case("完全共线", "doubled", "oracle-doubled.csv", list(y = "流失", x = c("月费", "月费的两倍"), event = "是", cv_folds = 0, shap = FALSE), mc, answers_of(B), event = event, share = share_of(B, T, 1:2), shap = FALSE, tolerance = 1e-8,
  more = function(case, add) for (j in 1:3) add("plain", list(series = "是", name = c("常数项", case$xs)[j]), list(b = b[[j]], odds = exp(b[[j]]))),
  says = c(equation, list("“回归系数与优势比”未给出", "系数、OR 与 *p* 值都不能用", list(contains = "趋于无穷，没有标准误", facts = list(k = 2, kept = 2)))))
finish(c("R 4.2.2 glm；得分、置换重要性、全部组合的 Shapley 值、学习曲线由导出的切分另算", "nnet 7.3-18 multinom", "glmnet 4.1-6", "pROC 1.18.0 auc、var（DeLong）"), c(list(cancer_case, churn_case, plans_case), cases, list(doubled_case)), quick = list(cv_folds = 3, shap = FALSE))
