# How oracle.json was made: Rscript oracle.R > oracle.json. What learners share is in ../../_shared/learner.R; the models are lm, solved normal
# equations, glmnet 4.1-6 on the same columns (its threshold at 1e-22), and the best of all subsets where coefficients may not be negative.
source("../../_shared/learner.R"); suppressMessages({library(glmnet); library(lmtest); library(car)})
spread <- function(v, w) sqrt(weighted.mean((v - weighted.mean(v, w))^2, w))
scaler <- function(T) { m <- colMeans(T); s <- apply(T, 2, sd); s[s == 0] <- 1; function(Z) sweep(sweep(Z, 2, m), 2, s, `/`) }
drop_first <- function(variable) which(!(duplicated(variable) == FALSE & variable %in% variable[duplicated(variable)]))
weights_share <- function(b, T, variable) { a <- abs(b * apply(T, 2, sd)); s <- tapply(a, variable, sum); unname(s / sum(s)) }
# The table of coefficients from lm; `kept`: coded columns with a coefficient, `names` theirs.
tested <- function(fit, T, y, w, kept, names, weighted) function(case, add) { co <- summary(fit)$coefficients; ci <- confint(fit); v <- if (length(kept) > 1) vif(fit) else 1; df <- fit$df.residual
  add("coefficients", list(name = "常数项"), list(b = co[1, 1], se = co[1, 2], t = co[1, 3], p = co[1, 4], low = ci[1, 1], high = ci[1, 2], df = df))
  for (j in seq_along(names)) add("coefficients", list(name = names[j]), list(b = co[j + 1, 1], se = co[j + 1, 2], t = co[j + 1, 3], p = co[j + 1, 4], low = ci[j + 1, 1], high = ci[j + 1, 2],
    df = df, vif = v[[j]], beta = co[j + 1, 1] * spread(T[, kept[j]], w) / spread(y, w))) }
equation <- list("的预测值，x1 =")
linear_shap <- function(answer, T) function(X, S) { Z <- matrix(colMeans(T), nrow(X), ncol(X), byrow = TRUE); Z[, S] <- X[, S]; answer(Z) }

fitted_by_lm <- function(title, name, data, form, measures, w_of, names, ...) { case <- read_learner(name); d <- case$d; train <- which(d$part == "train"); T <- case$X[train, ]; y <- d$y[train]; w <- w_of(train); kept <- drop_first(case$variable)
  frame <- setNames(as.data.frame(T[, kept]), paste0("v", seq_along(kept))); frame$y <- y; fit <- lm(y ~ ., frame, weights = w); b <- numeric(ncol(T)); b[kept] <- coef(fit)[-1]; answer <- function(Z) Z %*% b + coef(fit)[1]
  v <- vif(fit); weighted <- any(w != 1); test <- if (!weighted) bptest(fit); p <- if (!weighted) unname(test$p.value)
  learner_case(title, name, data, form, measures, answer, share = weights_share(b, T, case$variable), worth = linear_shap(answer, T), kind = "线性 SHAP", more = tested(fit, T, y, w, kept, names, weighted),
    says = c(equation, list("“模型系数”未给出", "系数由训练集求得", list(contains = "VIF", facts = list(vif = max(v)))),
      if (!weighted) list(list(contains = "Breusch-Pagan", facts = list(lm = unname(test$statistic), df = unname(test$parameter), p = p)))), ...) }
cars_case <- fitted_by_lm("车型的油耗，最小二乘", "cars", "example.csv", list(y = "mpg", x = c("disp", "hp", "wt"), cv_folds = 4), list(), function(rows) rep(1, length(rows)), c("disp", "hp", "wt"))
raw <- read.csv("oracle-rent.csv", check.names = FALSE); mc <- list(区 = "定类", 装修 = "定类"); levels <- lapply(c("区", "装修"), function(x) setdiff(unique(raw[[x]]), c("", NA)))
rent_form <- list(y = "月租", x = c("面积", "区", "装修", "楼层"), weight = "权重", missing = "median", cv_folds = 3, shap = FALSE)
rent_case <- fitted_by_lm("房租，加权，有缺失", "rent", "oracle-rent.csv", rent_form, mc, function(rows) { w <- raw$权重[rows]; w / mean(w) },
  c("面积", sprintf("区（%s）", levels[[1]][-1]), sprintf("装修（%s）", levels[[2]][2]), "楼层"), shap = FALSE)

# Penalised: coefficients of scaled columns; the path and its errors from the same solver in every fold.
solvers <- list(
  ridge = function(z, y, a) solve(crossprod(z) + a * diag(ncol(z)), crossprod(z, y)),
  lasso = function(z, y, a) as.numeric(glmnet(z, y, lambda = a, standardize = FALSE, intercept = FALSE, thresh = 1e-22, maxit = 1e7)$beta),
  # glmnet divides y by its spread first, and only the part in |b| follows: another penalty in its words.
  elastic = function(z, y, a) { s <- sqrt(mean(y^2)); l <- a * .3 + a * .7 * s; as.numeric(glmnet(z, y, alpha = a * .3 / l, lambda = l, standardize = FALSE, intercept = FALSE, thresh = 1e-22, maxit = 1e7)$beta) })
made <- function(X, y, rows, kind, a) { s <- scaler(X[rows, ]); z <- s(X[rows, ]); m <- colMeans(z); b <- solvers[[kind]](sweep(z, 2, m), y[rows] - mean(y[rows]), a); own <- as.numeric(b) / apply(X[rows, ], 2, sd)
  list(b = own, b0 = mean(y[rows]) - sum(colMeans(X[rows, ]) * own)) }
penalised <- function(kind, form, alpha, top, low) { case <- read_learner(kind); d <- case$d; train <- which(d$part == "train"); y <- d$y; X <- case$X; fit <- made(X, y, train, kind, alpha); answer <- function(Z) Z %*% fit$b + fit$b0; sds <- apply(X[train, ], 2, sd); xs <- form$x
  z <- scaler(X[train, ])(X[train, ]); top <- top(max(abs(crossprod(sweep(z, 2, colMeans(z)), y[train] - mean(y[train])))) / length(train), length(train)); alphas <- exp(seq(log(top), log(top * low), length.out = 25)); folds <- split(train, d$fold[train])
  error <- sapply(alphas, function(a) { p <- numeric(length(y)); for (f in folds) { g <- made(X, y, setdiff(train, f), kind, a); p[f] <- X[f, ] %*% g$b + g$b0 }; sqrt(mean((y[train] - p[train])^2)) })
  more <- function(case, add) { add("plain", list(name = "常数项"), list(b = fit$b0)); for (j in seq_along(xs)) add("plain", list(name = xs[j]), list(b = fit$b[j], beta = fit$b[j] * sds[j] / sd(y[train])))
    for (i in seq(2, 25, 4)) { g <- made(X, y, train, kind, alphas[i]); add("strengths", list(place_of = i), c(list(place_of = i, alpha = alphas[i], log = log10(alphas[i]), kept = sum(g$b != 0)), if (length(folds)) list(rmse = error[i]))) } }
  learner_case(paste("车型的油耗", kind), kind, "example.csv", form, list(), answer, share = weights_share(fit$b, X[train, ], case$variable), shap = FALSE, more = more, tolerance = 1e-8,
    says = c(equation, list(list(contains = "系数受罚或受限", facts = list(k = ncol(X), kept = sum(fit$b != 0)))),
      if (length(folds)) list(list(contains = "交叉验证误差最小的强度", facts = list(best = alphas[which.min(error)], rmse = min(error), own = alpha))) else list("没有做交叉验证，只给系数的路径"))) }
of <- function(...) c(list(y = "mpg", x = c("cyl", "disp", "hp", "wt"), shap = FALSE), list(...))
ridge_case <- penalised("ridge", of(cv_folds = 4, penalty = "ridge", alpha = 3), 3, function(g, n) 1e3 * n, 1e-6)
lasso_case <- penalised("lasso", of(cv_folds = 4, penalty = "lasso", alpha = .5), .5, function(g, n) g, 1e-3)
elastic_case <- penalised("elastic", of(cv_folds = 0, penalty = "elastic", alpha = .5, l1_ratio = .3), .5, function(g, n) g / .3, 1e-3)

# Not below 0: the best of all subsets whose least squares are not negative.
case <- read_learner("positive"); train <- which(case$d$part == "train"); T <- case$X[train, ]; y <- case$d$y[train]; best <- list(sse = Inf)
for (set in lapply(1:7, function(i) which(bitwAnd(i, c(1, 2, 4)) > 0))) { g <- lm.fit(T[, set, drop = FALSE], y); if (all(coef(g) >= 0) && sum(g$residuals^2) < best$sse) { b <- numeric(3); b[set] <- coef(g); best <- list(sse = sum(g$residuals^2), b = b) } }
positive_case <- learner_case("不低于 0 的系数，无截距", "positive", "example.csv", list(y = "mpg", x = c("drat", "wt", "qsec"), cv_folds = 4, shap = FALSE, positive = TRUE, fit_intercept = FALSE), list(), function(Z) Z %*% best$b, share = weights_share(best$b, T, 1:3), shap = FALSE,
  more = function(case, add) for (j in 1:3) add("plain", list(name = case$xs[j]), list(b = best$b[j], beta = best$b[j] * sd(T[, j]) / sd(y))), says = c(equation, list(list(contains = "系数受罚或受限", facts = list(k = 3, kept = sum(best$b != 0))))))
finish(c("R 4.2.2 lm；岭回归由正规方程求解；得分、置换重要性、Shapley 值、学习曲线由导出的切分另算", "glmnet 4.1-6", "lmtest 0.9-40 bptest", "car 3.1-1 vif"),
  list(cars_case, rent_case, ridge_case, lasso_case, elastic_case, positive_case), quick = list(cv_folds = 3, shap = FALSE))
