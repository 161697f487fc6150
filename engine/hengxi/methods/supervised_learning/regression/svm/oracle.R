# How oracle.json was made: Rscript oracle.R > oracle.json. What learners share is in ../../_shared/learner.R. The tube is walked from its exported supports
# and must meet the conditions of the best one; e1071 1.7-13 (the same libsvm) must find the same supports where no row is weighted.
source("../../_shared/learner.R"); source("../../_shared/machines.R"); suppressMessages(library(e1071))
tube_case <- function(title, name, data, form, measures, kernel_of, cost, epsilon, w_of = function(rows) rep(1, length(rows)), shap = FALSE, names = NULL, says = list(), check = NULL) { case <- read_learner(name); d <- case$d; train <- which(d$part == "train"); on <- one_scale(case$X, train); Z <- on(case$X)
  K <- kernel_of(Z[train, ]); e <- read.csv(sprintf("oracle-%s-supports.csv", name)); b0 <- e$dual[e$row == 0]; e <- e[e$row > 0, ]; m <- mean(d$y[train]); s <- sd(d$y[train]); inner <- function(X) as.numeric(K(on(X), Z[e$row, ]) %*% e$dual) + b0
  dual <- numeric(nrow(d)); dual[e$row] <- e$dual; best_tube((d$y[train] - m) / s, dual[train], inner(case$X[train, ]), epsilon, cost * w_of(train), near = if (is.null(form$tol)) 2e-3 else 1e-4)
  if (!is.null(check)) { g <- check(Z[train, ], (d$y[train] - m) / s); stopifnot(setequal(train[g$index], e$row)) }
  more <- function(case, add) { add("vectors", none, list(n = nrow(e), rows = length(train), share = nrow(e) / length(train), intercept = b0))
    if (!is.null(names)) { b <- s * as.numeric(e$dual %*% Z[e$row, ]) / apply(case$X[train, ], 2, sd); b1 <- s * b0 + m - sum(b * colMeans(case$X[train, ])); for (j in 0:length(b)) add("coefficients", list(name = c("常数项", names)[j + 1]), list(b = c(b1, b)[j + 1])) } }
  learner_case(title, name, data, form, measures, function(X) matrix(inner(X) * s + m), shap = shap, more = more, tolerance = 1e-9, says = c(list("误差超过 ε 的行"), says)) }
radial <- function(Z) kernels("rbf", gamma_scale(Z)); curved <- list("只有线性核有方程")
cars_case <- tube_case("车型的油耗，RBF", "cars", "example.csv", list(y = "mpg", x = c("disp", "hp", "wt"), cv_folds = 4, tol = 1e-6), list(), radial, 1, .1, shap = TRUE, says = curved,
  check = function(Z, y) svm(Z, y, scale = FALSE, gamma = gamma_scale(Z), tolerance = 1e-6))
raw <- read.csv("oracle-rent.csv", check.names = FALSE); levels <- lapply(c("区", "装修"), function(x) setdiff(unique(raw[[x]]), c("", NA)))
rent_form <- list(y = "月租", x = c("面积", "区", "装修", "楼层"), weight = "权重", missing = "median", kernel = "linear", C = 10, cv_folds = 3, shap = FALSE, tol = 1e-6)
rent_case <- tube_case("房租，线性核，加权，有缺失", "rent", "oracle-rent.csv", rent_form, list(区 = "定类", 装修 = "定类"), function(Z) kernels("linear"), 10, .1, function(rows) raw$权重[rows],
  names = c("面积", sprintf("区（%s）", levels[[1]]), sprintf("装修（%s）", levels[[2]][2]), "楼层"), says = list("的预测值，x1 ="))
wide_case <- tube_case("车型的油耗，带很宽", "wide", "example.csv", list(y = "mpg", x = c("disp", "wt"), cv_folds = 0, shap = FALSE, epsilon = 1.2, kernel = "poly", degree = 1), list(), function(Z) kernels("poly", gamma_scale(Z), 1, 0), 1, 1.2,
  says = c(curved, list(list(contains = "大于因变量的标准差", facts = list(e = 1.2, s = 1)))))
finish(c("R 4.2.2：由导出的支持向量另算预测，核对最优的条件；得分、置换重要性、Shapley 值、学习曲线由导出的切分另算", "e1071 1.7-13 svm"), list(cars_case, rent_case, wide_case), quick = list(cv_folds = 0, shap = FALSE))
