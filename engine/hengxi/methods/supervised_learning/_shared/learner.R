# What the oracles of all learners share. A method's oracle-export.py writes oracle-NAME-*.csv (see tools/export_learner.py):
# splits, codes, shuffles and answers. The method's oracle.R gives `answer`, its own implementation of the model from the
# coded rows; that it gives the exported answers is checked here, and everything the report says is computed from it anew:
# scores, importance by shuffling, Shapley values over all coalitions, folds, learning curve.
#   source("../../_shared/learner.R")
#   case <- learner_case("title", "NAME", "example.csv", form, measures, answer = function(X) matrix, …)
#   finish(sources, list(case), quick = list(...))
suppressMessages(library(jsonlite)); invisible(Sys.setlocale("LC_ALL", "C.UTF-8"))
is_classifier <- basename(dirname(getwd())) == "classifier"
if (is_classifier) source("../_shared/scores.R")
block <- function(.table, .where, .cells, ...) c(list(table = .table, where = .where, cells = lapply(.cells, unname)), list(...))
none <- setNames(list(), character())
numbers_in <- function(s) as.numeric(strsplit(as.character(s), " ")[[1]])

# ---- scores of predicted numbers
value_scores <- function(y, p) { e <- y - p
  out <- list(n = length(y), rmse = sqrt(mean(e^2)), mse = mean(e^2), mae = mean(abs(e)), median = median(abs(e)))
  if (!any(y == 0)) out$mape <- mean(abs(e / y))
  if (var(y) > 0) out$r2 <- 1 - sum(e^2) / sum((y - mean(y))^2)
  out }
gained <- function(y, p, guess) { d <- (y - guess)^2 - (y - p)^2; i <- t.test(d)$conf.int
  list(mean = mean(d), low = i[1], high = i[2], share = mean(d) / mean((y - guess)^2), n = length(y)) }

# ---- Shapley values: worth(X, S) gives the answers where only the variables of S are known
shapley_over <- function(worth, X, m) {
  sets <- lapply(0:(2^m - 1), function(b) which(bitwAnd(b, 2^(0:(m - 1))) > 0)); v <- lapply(sets, function(S) worth(X, S))
  list(phi = lapply(1:m, function(j) Reduce(`+`, lapply(which(sapply(sets, function(S) !(j %in% S))), function(b) { s <- length(sets[[b]])
    factorial(s) * factorial(m - s - 1) / factorial(m) * (v[[b + 2^(j - 1)]] - v[[b]]) }))), base = v[[1]][1, ]) }
# Absent variables take the values of the background rows; the mean answer is the worth.
by_background <- function(answer, B, variable) function(X, S) { known <- variable %in% S
  t(apply(X, 1, function(x) { Z <- B; if (any(known)) Z[, known] <- matrix(x[known], nrow(B), sum(known), byrow = TRUE); colMeans(answer(Z)) })) }
one_column <- function(worth) function(X, S) { v <- worth(X, S); if (nrow(v) == nrow(X)) v else t(v) }

read_learner <- function(name) { f <- function(kind) sprintf("oracle-%s-%s.csv", name, kind)
  X <- read.csv(f("coded"), check.names = FALSE); variable <- as.integer(sub("^x", "", names(X)))
  list(d = read.csv(f("rows"), check.names = FALSE), X = unname(as.matrix(X)), variable = variable,
    orders = read.csv(f("orders")), curve = if (file.exists(f("curve"))) read.csv(f("curve"), colClasses = c(rows = "character", answers = "character")),
    background = if (file.exists(f("background"))) read.csv(f("background"))) }

# `answer`: coded rows → rows × outputs. `share`: the model's own importance of each variable, if it has one. `worth`: the value
# of a coalition of coded columns, where it is not that of the background rows; `shap`: are there SHAP tables? `more`: further blocks of the
# method as function(case, add), and `says`: its own sentences. `scores_of`: coded rows → what the SHAP values of a classifier add up to,
# where that is not the probability. `case` holds d, X, variable, y, train, test, P, answer …
learner_case <- function(title, name, data, form, measures, answer, event = NULL, t = .5, share = NULL, worth = NULL, shap = TRUE,
                         more = function(case, add) NULL, says = list(), tolerance = 1e-10, kind = "逐个组合计算的 SHAP", scores_of = NULL) {
  case <- read_learner(name); d <- case$d; X <- case$X; raw <- read.csv(data, check.names = FALSE); out <- list()
  add <- function(...) out[[length(out) + 1]] <<- block(...)
  loose <- if (tolerance > 1e-9) list(tolerance = tolerance * 100, reason = "模型由导出的参数重算，参数与答案之间只有这样的精度") else list()
  put <- function(...) do.call(add, c(list(...), loose))
  classes <- if (is_classifier) (if (is.factor(raw[[form$y]])) levels(raw[[form$y]]) else unique(raw[[form$y]][d$row]))
  k <- if (is_classifier) length(classes) else 1; y <- if (is_classifier) match(d$y, classes) else d$y
  P <- as.matrix(d[paste0("p", seq_len(k))]); C <- as.matrix(d[paste0("cv", seq_len(k))]); train <- which(d$part == "train"); test <- which(d$part == "test")
  own <- answer(X); stopifnot(max(abs(own - P)) < tolerance)
  xs <- unlist(form$x); m <- length(xs); crossed <- !is.na(C[train[1], 1])
  case <- c(case, list(y = y, P = P, C = C, train = train, test = test, classes = classes, k = k, answer = answer, xs = xs, m = m, raw = raw, form = form, event = event, t = t))
  guess <- if (is_classifier) which.max(tabulate(y[train], k)) else mean(y[train])

  # scores of the parts
  if (is_classifier) {
    S <- function(rows, A) scores(y[rows], A, event, t); s <- S(test, P[test, , drop = FALSE]); r <- S(train, P[train, , drop = FALSE])
    always <- matrix(0, length(test), k); always[, guess] <- 1; base <- scores(y[test], always, event, .5, FALSE); base <- base[!is.nan(unlist(base))]
    put("evaluation", list(part = sprintf("基线：全猜“%s”", classes[guess])), base)
    confused(put, classes, y[test], P[test, ], event, t, at = "测试集"); confused(put, classes, y[train], P[train, ], event, t, at = "训练集")
    by_class(put, classes, y[test], P[test, ], event, t); under_curves(put, classes, y[test], P[test, ], event)
    for (c in seq_len(k)) put("counts", list(level = classes[c]), list(n = sum(y == c), share = mean(y == c), train = sum(y[train] == c), test = sum(y[test] == c)))
    for (i in test[c(1, length(test))]) put("predictions", list(row = d$row[i]), list(p = P[i, called(P[i, , drop = FALSE], event, t)]))
  } else {
    S <- function(rows, A) value_scores(y[rows], A[, 1]); s <- S(test, P[test, , drop = FALSE]); r <- S(train, P[train, , drop = FALSE])
    base <- value_scores(y[test], rep(guess, length(test))); put("evaluation", list(part = "基线：全猜训练集的均值"), base)
    put("gain", none, gained(y[test], P[test, 1], guess)); e <- y - P[, 1]
    for (i in test[order(-abs(e[test]))][seq_len(min(10, length(test)))]) put("worst", list(row = d$row[i]), list(actual = y[i], predicted = P[i, 1], residual = e[i]))
    for (i in test[c(1, length(test))]) put("predictions", list(row = d$row[i]), list(actual = y[i], predicted = P[i, 1], residual = e[i]))
  }
  put("evaluation", list(part = "测试集"), s); put("evaluation", list(part = "训练集"), r); v <- NULL
  if (crossed) { v <- S(train, C[train, , drop = FALSE]); put("evaluation", list(part = "交叉验证"), v)
    F <- lapply(split(train, d$fold[train]), function(rows) { f <- S(rows, C[rows, , drop = FALSE])
      if (!is_classifier) return(f[c("n", "rmse", "mae", "r2")])
      M <- table(factor(y[rows], 1:k), factor(called(C[rows, , drop = FALSE], event, t), 1:k)); f$f1 <- mean((2 * diag(M) / (rowSums(M) + colSums(M)))[rowSums(M) > 0]); f[c("n", "accuracy", "balanced", "f1", "auc", "log_loss")] })
    for (i in names(F)) put("folds", list(fold = sprintf("第 %s 折", i)), F[[i]])
    for (how in c("均值", "标准差")) put("folds", list(fold = how), sapply(setdiff(names(F[[1]]), "n"), function(x) (if (how == "均值") mean else sd)(sapply(F, function(f) f[[x]])), simplify = FALSE)) }

  # importance: how much the score falls when a variable's values are shuffled among the test rows
  # Rows called right are counted, so that losses and gains that cancel give 0.
  unit <- if (is_classifier) length(test) else 1; value <- function(A) if (is_classifier) sum(called(A, event, t) == y[test]) else 1 - sum((y[test] - A[, 1])^2) / sum((y[test] - mean(y[test]))^2)
  whole <- value(answer(X[test, , drop = FALSE]))
  lost <- lapply(1:m, function(j) sapply(case$orders$order[case$orders$variable == j], function(o) { Z <- X[test, , drop = FALSE]; cols <- case$variable == j
    Z[, cols] <- X[test, cols, drop = FALSE][numbers_in(o), ]; whole - value(answer(Z)) }))
  for (j in 1:m) put("importance", list(name = xs[j]), c(list(loss = mean(lost[[j]]) / unit, sd = sd(lost[[j]]) / unit), if (!is.null(share)) list(share = share[j])))

  # SHAP of the explained rows and of the first test row
  said <- list()
  if (shap) {
    b <- case$background; rows <- b$row[b$part == "explained"]; B <- X[b$row[b$part == "background"], , drop = FALSE]; first <- test[1]
    w <- one_column(if (is.null(worth)) by_background(answer, B, case$variable) else worth); n <- length(rows)
    # TreeSHAP shares out among the coded columns; those of one variable are added up.
    sh <- shapley_over(w, X[c(rows, first), , drop = FALSE], if (is.null(worth)) m else ncol(X))
    if (!is.null(worth)) sh$phi <- lapply(1:m, function(j) Reduce(`+`, sh$phi[case$variable == j]))
    sh$base <- ifelse(abs(sh$base) < 1e-14, 0, sh$base)
    every <- if (is_classifier && !is.null(event)) event else seq_len(k)
    means <- sapply(every, function(c) sapply(sh$phi, function(f) mean(abs(f[seq_len(n), c])))); means <- matrix(means, nrow = m); total <- rowSums(means)
    for (j in 1:m) put("shap_means", list(name = xs[j]), if (!is_classifier) list(mean = total[j]) else c(list(overall = total[j]), if (is.null(event)) setNames(as.list(means[j, ]), paste0("mean@", classes))))
    scale <- if (is.null(scores_of)) "概率" else if (k == 2) "对数几率" else "得分"; E <- if (is.null(scores_of)) P else scores_of(X)
    at_class <- if (is_classifier) called(P[first, , drop = FALSE], event, t) else 1; move <- sapply(sh$phi, function(f) f[n + 1, at_class]); at <- sh$base[at_class]
    put("case", list(name = "起点：平均"), list(after = at))
    for (j in order(-abs(move))) { put("case", list(name = xs[j]), list(shap = move[j], start = at, after = at + move[j])); at <- at + move[j] }
    put("case", list(name = if (!is_classifier) "结果：预测值" else if (is.null(scores_of)) "结果：预测概率" else paste0("结果：", scale)), list(after = at)); stopifnot(abs(at - E[first, at_class]) < 1e-8)
    facts <- list(n = n, of = length(test)); top <- which.max(total)
    said <- list(list(contains = kind, facts = facts), list(contains = "按 SHAP 值", facts = list(m = if (!is_classifier) total[top] else (if (is.null(scores_of)) 100 else 1) * max(means[top, ]))),
      list(contains = if (is_classifier) paste0("起点是不看任何变量时的平均", scale) else "起点是不看任何变量时的平均预测", facts = list(p = at)), "每个点是一行")
    if (nrow(B) > 0) said <- c(said, list(list(contains = "个背景行的值再平均", facts = list(b = nrow(B)))))
    if (n < length(test)) said <- c(said, list("抽取的行由随机种子决定"))
    if (is_classifier) said <- c(said, list(if (is.null(event)) "合计一列是各类之和" else "另一类的正好相反")) }

  # the learning curve
  if (!is.null(case$curve)) { cv <- case$curve; spread <- mean((y[train] - mean(y[train]))^2)
    points_of <- function(rows, a) { rows <- numbers_in(rows); a <- numbers_in(a); if (is_classifier) mean(a == y[rows]) else 1 - mean((y[rows] - a)^2) / spread }
    cv$score <- mapply(points_of, cv$rows, cv$answers); last <- max(cv$size)
    for (i in sort(unique(cv$fold))) { rows <- train[d$fold[train] == i]; a <- C[rows, , drop = FALSE]
      cv <- rbind(cv, data.frame(size = last, fold = i, kind = "crossed", rows = "", answers = "", score = if (is_classifier) mean(called(a, event, t) == y[rows]) else 1 - mean((y[rows] - a[, 1])^2) / spread)) }
    L <- sapply(sort(unique(cv$size)), function(z) { a <- cv$score[cv$size == z & cv$kind == "learned"]; b <- cv$score[cv$size == z & cv$kind == "crossed"]
      put("curve", list(size = z), list(size = z, learned = mean(a), learned_sd = sd(a), crossed = mean(b), crossed_sd = sd(b))); c(mean(a), mean(b)) })
    q <- ncol(L); sizes <- sort(unique(cv$size)); gap <- L[1, q] - L[2, q]; gain <- L[2, q] - L[2, q - 1]
    unit <- if (is_classifier) 100 else 1; said <- c(said, list(list(contains = "行增加到", facts = list(train = L[1, q], cross = L[2, q], gap = unit * gap, gain = unit * abs(gain), size = sizes[q - 1], whole = last)), "得分是", "色带为均值")) }

  more(case, put)
  said <- c(said, if (is_classifier) class_words(case, s, r, base, v) else value_words(case, s, r, base, v, guess))
  list(name = title, data = data, form = form, measures = measures, expect = out, says = c(said, says))
}

class_words <- function(case, s, r, base, v) { y <- case$y; rare <- which.min(tabulate(y, case$k)); c(list(
  list(contains = "在没参与训练的", facts = list(n = s$n, accuracy = s$accuracy, low = s$low, high = s$high, base = base$accuracy, f1 = s$f1)),
  list(contains = "测试集没有参与训练", facts = list(train = r$accuracy)),
  list(contains = "的样本", facts = list(ratio = .7, a = length(case$train), b = s$n, accuracy = s$accuracy, low = s$low, high = s$high)),
  list(contains = "每 100 个新样本", facts = list(per = 100 * s$accuracy, base = 100 * base$accuracy)),
  list(contains = "测试集", facts = list(n = s$n)),
  list(contains = if (length(unique(table(y))) == 1) "各类的行数相同" else "最少的类", facts = list(share = mean(y == rare))),
  "重要性说的是模型靠什么预测", "下一步：", "置换重要性是在测试集上打乱", "预测概率按 10 个等宽的箱分组"),
  if (!is.null(v)) list(list(contains = "“交叉验证”一行", facts = list(k = max(case$d$fold, na.rm = TRUE)))),
  if (is.null(case$event)) list("精确率、召回率与 F1 为各类的宏平均", "各类的 AUC、AP 与基线", list(contains = "多分类 Brier", facts = list(b = all_brier(y[case$test], case$P[case$test, ]))))
  else { p <- case$P[case$test, case$event]; hit <- y[case$test] == case$event; cuts <- sort(unique(p), decreasing = TRUE)
    rec <- sapply(cuts, function(x) sum(hit & p >= x) / sum(hit)); pre <- sapply(cuts, function(x) mean(hit[p >= x]))
    list(list(contains = "预测概率不低于", facts = list(t = case$t)), list(contains = "斜线是随机判断", facts = list(auc = area(p, hit))),
      list(contains = "平均精确率 AP 为", facts = list(ap = sum(diff(c(0, rec)) * pre), base = mean(hit)))) }) }

value_words <- function(case, s, r, base, v, guess) c(list(
  list(contains = "在没参与训练的", facts = c(list(n = s$n, mae = s$mae, rmse = s$rmse, base = base$rmse, guess = guess), if (!is.null(s$r2)) list(r2 = s$r2))),
  list(contains = "测试集没有参与训练", facts = list(train = r$rmse)),
  list(contains = "的样本", facts = c(list(ratio = .7, a = length(case$train), b = s$n, rmse = s$rmse, mae = s$mae, base = base$rmse), if (!is.null(s$r2)) list(r2 = s$r2))),
  list(contains = "全猜均值时平均差", facts = list(mae = s$mae, guess = base$mae)),
  list(contains = "测试集", facts = list(n = s$n)),
  "重要性说的是模型靠什么预测", "下一步：", "置换重要性是在测试集上打乱", "逐行比较平方误差", "RMSE、MAE 与因变量的单位相同",
  "斜线上的点预测得正好", "残差 = 真实值 − 预测值", "点越贴近对角线"),
  if (!is.null(v)) list(list(contains = "“交叉验证”一行", facts = list(k = max(case$d$fold, na.rm = TRUE)))))

# `quick`: the cheap form of a method that trains long; it makes the shared tests count as slow.
finish <- function(sources, cases, quick = NULL, unverified = list()) cat(toJSON(c(list(sources = as.list(sources), cases = cases, unverified = unverified), if (!is.null(quick)) list(quick = quick)),
  auto_unbox = TRUE, digits = NA, pretty = TRUE), "\n")
