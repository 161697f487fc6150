# How oracle.json was made: Rscript oracle.R > oracle.json. What learners share is in ../../_shared/learner.R. The machines are walked from their exported
# supports and must meet the conditions of the widest margin; e1071 1.7-13 (the same libsvm) must find the same supports. The calibration is glm's, on the
# exported decisions of rows left out (which inner fold a row was in, R cannot know).
source("../../_shared/learner.R"); source("../../_shared/machines.R"); suppressMessages(library(e1071))
read_machines <- function(name) list(s = read.csv(sprintf("oracle-%s-supports.csv", name)), m = read.csv(sprintf("oracle-%s-machines.csv", name)), left = read.csv(sprintf("oracle-%s-left.csv", name)))
platt <- function(f, yes, w) { n1 <- sum(w[yes]); n0 <- sum(w[!yes]); t <- ifelse(yes, (n1 + 1) / (n1 + 2), 1 / (n0 + 2)); -coef(suppressWarnings(glm(t ~ f, family = quasibinomial, weights = w, control = list(epsilon = 1e-15, maxit = 100))))[2:1] }
# `sides`: machines × classes of 1, -1, 0; `w`: weights of the training rows.
machines_case <- function(title, name, data, form, measures, sides, borders, kernel_of, scaled, bound, pairs, event = NULL, t = .5, w_of = function(y, k) rep(1, length(y)), says = list(), shap = FALSE, planes = FALSE) {
  case <- read_learner(name); d <- case$d; train <- which(d$part == "train"); classes <- unique(d$y); y <- match(d$y, classes); k <- length(classes); on <- one_scale(case$X, train, scaled); Z <- on(case$X); K <- kernel_of(Z[train, ]); e <- read_machines(name); w <- numeric(nrow(d)); w[train] <- w_of(y[train], k)
  D <- as.matrix(e$s[, -1, drop = FALSE]); f_of <- function(X) sweep(K(on(X), Z[e$s$row, ]) %*% D, 2, e$m$intercept, `+`); F <- f_of(case$X)
  ab <- t(sapply(seq_len(nrow(sides)), function(m) { own <- train[sides[m, y[train]] != 0]; s <- sides[m, y[own]]; dual <- numeric(length(own)); at <- match(e$s$row, own); dual[at[!is.na(at)]] <- D[!is.na(at), m]; best_margin(s, dual, F[own, m], bound * w[own])
    l <- e$left[e$left$machine == m, ]; o <- order(match(l$row, own)); platt(l$f[o], s > 0, w[own]) })); stopifnot(max(abs(ab - as.matrix(e$m[, c("a", "b")]))) < 1e-7)
  answer <- function(X) { F <- f_of(X); p <- sapply(seq_len(ncol(F)), function(m) plogis(-(ab[m, 1] * F[, m] + ab[m, 2]))); p <- matrix(p, nrow(X)); q <- p %*% (sides == 1); if (pairs) q <- q + (1 - p) %*% (sides == -1); q / rowSums(q) }
  if (all(w[train] == 1) || k == 2) { g <- if (name == "rest") NULL else svm(Z[train, ], factor(y[train]), scale = FALSE, kernel = c(iris = "radial", churn = "linear")[[name]], cost = bound, gamma = gamma_scale(Z[train, ]), tolerance = 1e-6,
    class.weights = if (k == 2) setNames(tapply(w[train], y[train], mean), 1:k)); if (!is.null(g)) stopifnot(setequal(train[g$index], e$s$row)) }
  held <- tabulate(y[e$s$row], k); rows <- tabulate(y[train], k)
  more <- function(case, add) { for (c in 1:k) add("vectors", list(level = classes[c]), list(n = held[c], rows = rows[c], share = held[c] / rows[c])); add("vectors", list(level = "合计"), list(n = sum(held), rows = length(train), share = sum(held) / length(train)))
    for (m in seq_along(borders)) add("borders", list(border = borders[m]), list(n = sum(D[, m] != 0), intercept = e$m$intercept[m], a = ab[m, 1], b = ab[m, 2]))
    if (planes) { b <- as.numeric(t(D) %*% Z[e$s$row, ]) / apply(case$X[train, ], 2, sd); names <- c("常数项", case$xs); values <- c(e$m$intercept - sum(b * colMeans(case$X[train, ])), b); for (j in seq_along(names)) add("coefficients", list(border = borders, name = names[j]), list(b = values[j])) } }
  learner_case(title, name, data, form, measures, answer, event = event, t = t, shap = shap, more = more, tolerance = 1e-8, says = c(list("分界面只由支持向量决定", "概率 = 1/(1 + exp(A·f + B))"), says)) }
kinds <- c("setosa", "versicolor", "virginica"); X <- c("sepal_length", "sepal_width", "petal_length", "petal_width")
pairs3 <- rbind(c(-1, 1, 0), c(-1, 0, 1), c(0, -1, 1)) * -1; rest3 <- 2 * diag(3) - 1; none_linear <- list("只有线性核有方程")
iris_case <- machines_case("鸢尾花，RBF，两两", "iris", "example.csv", list(y = "species", x = X, decision = "ovo", tol = 1e-6, cv_folds = 3), list(species = "定类"), pairs3, c("setosa 对 versicolor", "setosa 对 virginica", "versicolor 对 virginica"),
  function(Z) kernels("rbf", gamma_scale(Z)), TRUE, 1, TRUE, shap = TRUE, says = none_linear)
labels <- unique(read.csv("oracle-churn.csv", check.names = FALSE)$流失); d <- read.csv("oracle-churn-rows.csv"); first <- unique(d$y)[1]; yes <- which(unique(d$y) == "是")
churn_form <- list(y = "流失", x = c("月费", "合约", "投诉次数"), event = "是", class_weight = "balanced", threshold = .4, kernel = "linear", cv_folds = 3, tol = 1e-6, shap = FALSE)
churn_case <- machines_case("客户流失，线性核，类别加权", "churn", "oracle-churn.csv", churn_form, list(流失 = "定类"), matrix(c(-1, 1), 1), sprintf("%s 对 %s", labels[2], labels[1]), function(Z) kernels("linear"), TRUE, 1, TRUE, event = yes, t = .4,
  w_of = function(y, k) { n <- tabulate(y, k); length(y) / (k * n[y]) }, planes = TRUE, says = list("f 为判别值，越大越像"))
rest_form <- list(y = "species", x = X[1:2], kernel = "poly", gamma = "own", gamma_value = .5, degree = 2, coef0 = 1, standardize = FALSE, cv_folds = 0, shap = FALSE, tol = 1e-6)
rest_case <- machines_case("鸢尾花，多项式核，一对其余，不标准化", "rest", "example.csv", rest_form, list(species = "定类"), rest3, paste(kinds, "对 其余"), function(Z) kernels("poly", .5, 2, 1), FALSE, 1, FALSE, says = none_linear)
finish(c("R 4.2.2：由导出的支持向量另算判别值，核对最大间隔的条件，glm 另算校准；得分、置换重要性、Shapley 值、学习曲线由导出的切分另算", "e1071 1.7-13 svm", "pROC 1.18.0 auc、var（DeLong）"), list(iris_case, churn_case, rest_case), quick = list(cv_folds = 0, shap = FALSE))
