# How oracle.json was made: Rscript oracle.R > oracle.json. The comparison is ../../_shared/comparison.R; the models chosen are lm and neighbours by sorting.
source("../../_shared/learner.R"); source("../../_shared/comparison.R"); source("../../_shared/neighbours.R")
comparison_case <- function(title, name, data, form, answer_of) { case <- read_comparison(name); d <- case$d; y <- d$y; xs <- form$x; train <- which(d$part == "train"); test <- which(d$part == "test"); metric <- if (is.null(form$tune_metric)) "rmse" else form$tune_metric
  score <- function(P, rows) { e <- y[rows] - P[rows, 1]; if (metric == "rmse") -sqrt(mean(e^2)) else 1 - sum(e^2) / sum((y[rows] - mean(y[rows]))^2) }
  guess <- function(rows, n) matrix(mean(y[rows]), n, 1)
  # Coefficients not below 0: the best of all subsets whose least squares are not.
  stack <- function(F, rows, asked) { p <- ncol(F); best <- list(sse = sum((y[rows] - mean(y[rows]))^2), b = c(mean(y[rows]), numeric(p))); for (set in lapply(1:(2^p - 1), function(i) which(bitwAnd(i, 2^(0:(p - 1))) > 0))) { g <- lm.fit(cbind(1, F[rows, set]), y[rows]); if (all(coef(g)[-1] >= 0) && sum(g$residuals^2) < best$sse) { b <- numeric(p); b[set] <- coef(g)[-1]; best <- list(sse = sum(g$residuals^2), b = c(coef(g)[1], b)) } }
    matrix(cbind(1, F[asked, , drop = FALSE]) %*% best$b) }
  c0 <- compared(case, score, guess, stack, if (metric == "rmse") -1 else 1, if (metric == "rmse") c(0, Inf) else c(-Inf, 1)); answer <- answer_of(case$X[train, ], y[train]); P <- as.matrix(d["p1"]); stopifnot(max(abs(answer(case$X) - P)) < 1e-9, max(abs(case$P[[c0$chosen]][test, ] - P[test, ])) < 1e-12)
  out <- c0$blocks; put <- function(...) out[[length(out) + 1]] <<- block(...); m <- mean(y[train]); s <- value_scores(y[test], P[test, 1]); r <- value_scores(y[train], P[train, 1]); base <- value_scores(y[test], rep(m, length(test)))
  put("evaluation", list(part = "测试集"), s); put("evaluation", list(part = "训练集"), r); put("evaluation", list(part = "基线：全猜训练集的均值"), base); put("gain", none, gained(y[test], P[test, 1], m)); e <- y - P[, 1]
  for (i in test[order(-abs(e[test]))][seq_len(min(10, length(test)))]) put("worst", list(row = d$row[i]), list(actual = y[i], predicted = P[i, 1], residual = e[i])); for (i in test[c(1, length(test))]) put("predictions", list(row = d$row[i]), list(actual = y[i], predicted = P[i, 1], residual = e[i]))
  out <- c(out, importances(case, xs, answer, function(A) 1 - sum((y[test] - A[, 1])^2) / sum((y[test] - mean(y[test]))^2)))
  list(name = title, data = data, form = form, measures = none, expect = out, says = c(c0$says, list(list(contains = "它在没参与挑选的", facts = list(n = s$n, mae = s$mae, rmse = s$rmse, base = base$rmse)), list(contains = "测试集", facts = list(n = s$n)),
    list(contains = "RMSE 为", facts = list(train = r$rmse, test = s$rmse)), "置换重要性是在测试集上打乱", "逐行比较平方误差", "RMSE、MAE 与因变量的单位相同", "斜线上的点预测得正好", "残差 = 真实值 − 预测值", "点越贴近对角线"))) }
near <- function(T, y) { s <- scaled_by(T, seq_len(nrow(T))); n <- nearest(s(T), matrix(y), 5); function(Z) n(s(Z)) }
line <- function(T, y) { b <- coef(lm(y ~ T)); function(Z) matrix(cbind(1, Z) %*% b) }
curve_case <- comparison_case("弯的关系", "curve", "example.csv", list(y = "y", x = c("x1", "x2"), candidates = "own", own = c("linear_regression", "decision_tree", "knn")), near)
cars_case <- comparison_case("车型的油耗，R²", "cars", "oracle-cars.csv", list(y = "mpg", x = c("disp", "hp", "wt"), candidates = "own", own = c("linear_regression", "knn"), cv_folds = 4, tune_metric = "r2"), line)
finish(c("R 4.2.2：排行榜、修正重抽样 t、Holm 校正、挑选、堆叠由导出的各模型答案另算；推荐的模型由 lm 或全部距离另算"), list(curve_case, cars_case), quick = list(candidates = "own", own = c("linear_regression", "decision_tree"), cv_folds = 3))
