# How oracle.json was made: Rscript oracle.R > oracle.json
# A forest cannot be grown equally by two programs: their generators of chance differ. oracle-predictions.py exports the forest
# itself (nodes, coded rows, which tree saw which row, how rows were shuffled) and what the models of the folds, of the learning
# curve and of the search called. R 4.2.2 computes every number anew from them: scores as in ../_shared/scores.R, Shapley values
# by summing over all coalitions (no TreeSHAP), importance by impurity and by shuffling, scaling by cmdscale. That the forest is
# the library's, and that it splits as rpart does, is held by test_method.py and stats/learning/test_forests.py; here R's own
# randomForest (4.7.1.1) on the same rows must come close to the learning curve.
source("../_shared/scores.R"); suppressMessages(library(randomForest))
words <- function(s) as.integer(strsplit(s, " ")[[1]])

# ---- the forest: answers, importance, Shapley values, leaves
forest_of <- function(name) lapply(split(d <- read.csv(sprintf("oracle-%s-trees.csv", name)), d$tree), function(t) list(left = t$left, right = t$right,
  feature = t$feature, cut = t$cut, cover = t$cover, p = as.matrix(t[grep("^p", names(t))])))
leaf <- function(t, X) { at <- rep(1L, nrow(X)); repeat { inner <- which(t$left[at] > 0); if (!length(inner)) return(at)
  n <- at[inner]; at[inner] <- ifelse(X[cbind(inner, t$feature[n])] <= t$cut[n], t$left[n], t$right[n]) } }
answers <- function(trees, X) Reduce(`+`, lapply(trees, function(t) t$p[leaf(t, X), , drop = FALSE])) / length(trees)
impurity <- function(trees, m) { v <- rowMeans(sapply(trees, function(t) { g <- t$cover * (1 - rowSums(t$p^2)); i <- which(t$left > 0); one <- numeric(m)
  for (n in i) one[t$feature[n]] <- one[t$feature[n]] + g[n] - g[t$left[n]] - g[t$right[n]]; if (sum(one) > 0) one / sum(one) else one })); v / sum(v) }
# The value of a coalition: splits on absent variables go both ways by the rows they were learned from.
worth <- function(t, X, S) { go <- function(n) { if (t$left[n] == 0) return(matrix(t$p[n, ], nrow(X), ncol(t$p), byrow = TRUE)); l <- t$left[n]; r <- t$right[n]
    if (t$feature[n] %in% S) { yes <- X[, t$feature[n]] <= t$cut[n]; out <- go(r); out[yes, ] <- go(l)[yes, , drop = FALSE]; out }
    else (t$cover[l] * go(l) + t$cover[r] * go(r)) / t$cover[n] }; go(1L) }
shapley <- function(trees, X) {
  m <- ncol(X); sets <- lapply(0:(2^m - 1), function(b) which(bitwAnd(b, 2^(0:(m - 1))) > 0))
  v <- lapply(sets, function(S) Reduce(`+`, lapply(trees, worth, X, S)) / length(trees))
  phi <- lapply(1:m, function(j) Reduce(`+`, lapply(which(sapply(sets, function(S) !(j %in% S))), function(b) { s <- length(sets[[b]])
    factorial(s) * factorial(m - s - 1) / factorial(m) * (v[[b + 2^(j - 1)]] - v[[b]]) })))
  list(phi = phi, base = v[[1]][1, ]) }

case <- function(name, data, form, measures, event = NULL, t = .5) {
  d <- read.csv(sprintf("oracle-%s-predictions.csv", name), check.names = FALSE); raw <- read.csv(data, check.names = FALSE)
  classes <- unique(raw[[form$y]]); k <- length(classes); d$y <- match(d$y, classes)
  P <- function(kind, rows) as.matrix(rows[paste0(kind, seq_len(k))])
  train <- d[d$part == "train", ]; test <- d[d$part == "test", ]; out <- list()
  add <- function(...) out[[length(out) + 1]] <<- block(...)
  add("evaluation", list(part = "测试集"), scores(test$y, P("p", test), event, t))
  add("evaluation", list(part = "交叉验证"), scores(train$y, P("cv", train), event, t))
  add("evaluation", list(part = "训练集"), scores(train$y, P("p", train), event, t))
  major <- which.max(tabulate(train$y, k)); always <- matrix(0, nrow(test), k); always[, major] <- 1
  base <- scores(test$y, always, event, .5, FALSE); base <- base[!is.nan(unlist(base))]
  add("evaluation", list(part = sprintf("基线：全猜“%s”", classes[major])), base)
  confused(add, classes, test$y, P("p", test), event, t, at = "测试集"); confused(add, classes, train$y, P("p", train), event, t, at = "训练集")
  left <- train[!is.na(train$oob1), ]; confused(add, classes, left$y, P("oob", left), event, t, at = "袋外")
  o <- scores(left$y, P("oob", left), event, t); add("oob", none, o[c("n", "accuracy", "low", "high", "balanced", "kappa")])
  by_class(add, classes, test$y, P("p", test), event, t)
  for (c in seq_len(k)) add("counts", list(level = classes[c]), list(n = sum(d$y == c), share = mean(d$y == c), train = sum(train$y == c), test = sum(test$y == c)))
  under_curves(add, classes, test$y, P("p", test), event)
  F <- lapply(split(train, train$fold), function(r) { one <- scores(r$y, P("cv", r), event, t)
    Mf <- table(factor(r$y, 1:k), factor(called(P("cv", r), event, t), 1:k)); one$f1 <- mean(2 * diag(Mf) / (rowSums(Mf) + colSums(Mf)))
    one[c("n", "accuracy", "balanced", "f1", "auc", "log_loss")] })
  for (i in names(F)) add("folds", list(fold = sprintf("第 %s 折", i)), F[[i]])
  for (kind in c("均值", "标准差")) add("folds", list(fold = kind), sapply(c("accuracy", "balanced", "f1", "auc", "log_loss"),
    function(x) (if (kind == "均值") mean else sd)(sapply(F, function(f) f[[x]])), simplify = FALSE))
  for (i in c(1, nrow(test))) add("predictions", list(row = test$row[i]), list(p = test[i, paste0("p", called(P("p", test[i, ]), event, t))]))

  # the forest
  trees <- forest_of(name); X <- as.matrix(read.csv(sprintf("oracle-%s-coded.csv", name))); m <- ncol(X); xs <- form$x; stopifnot(length(xs) == m)
  stopifnot(max(abs(answers(trees, X) - P("p", d))) < 1e-12)
  seen <- do.call(rbind, lapply(strsplit(read.csv(sprintf("oracle-%s-seen.csv", name), colClasses = "character")$trees, ""), as.integer)); unseen <- 1 - seen
  L <- sapply(trees, leaf, X)
  votes <- function(i) { u <- which(unseen[i, ] == 1); colMeans(t(sapply(trees[u], function(tr) tr$p[leaf(tr, X[i, , drop = FALSE]), ]))) }
  for (i in train$row[!is.na(train$oob1)]) stopifnot(max(abs(votes(i) - unlist(d[i, paste0("oob", 1:k)]))) < 1e-12)
  Xt <- X[test$row, ]; right <- function(Z) mean(called(answers(trees, Z), event, t) == test$y)
  lost <- tapply(seq_len(10 * m), rep(1:m, each = 10), function(rows) sapply(rows, function(r) { j <- orders$variable[r]; Z <- Xt; Z[, j] <- Xt[words(orders$order[r]), j]; right(Xt) - right(Z) }))
  share <- impurity(trees, m)
  for (j in 1:m) add("importance", list(name = xs[j]), list(share = share[j], loss = mean(lost[[j]]), sd = sd(lost[[j]])))
  sh <- shapley(trees, Xt); every <- if (is.null(event)) 1:k else event
  means <- sapply(every, function(c) sapply(sh$phi, function(v) mean(abs(v[, c])))); total <- rowSums(means)
  for (j in 1:m) add("shap_means", list(name = xs[j]), c(list(overall = total[j]), if (is.null(event)) setNames(as.list(means[j, ]), paste0("mean@", classes))))
  c1 <- called(P("p", test[1, ]), event, t); move <- sapply(sh$phi, function(v) v[1, c1]); by <- order(-abs(move)); at <- sh$base[c1]
  add("case", list(name = "起点：平均"), list(after = at))
  for (j in by) { add("case", list(name = xs[j]), list(shap = move[j], start = at, after = at + move[j])); at <- at + move[j] }
  add("case", list(name = "结果：预测概率"), list(after = at)); stopifnot(abs(at - P("p", test)[1, c1]) < 1e-12)
  top <- which.max(total); most <- max(means[top, ])

  # the picture of the rows: dissimilarity 1 - share of common leaves among the trees that saw neither
  pairs <- unseen %*% t(unseen); diag(pairs) <- 1; fair <- all(pairs > 0); use <- if (fair) unseen else matrix(1, nrow(X), length(trees))
  near <- Reduce(`+`, lapply(seq_along(trees), function(b) outer(L[, b], L[, b], `==`) * outer(use[, b], use[, b]))) / (if (fair) pairs else length(trees)); diag(near) <- 1
  map <- cmdscale(as.dist(1 - near), k = 2, eig = TRUE); pts <- apply(map$points, 2, function(v) v * sign(v[which.max(abs(v))]))
  for (c in 1:k) add("near", list(series = classes[c]), list(), count = sum(d$y == c), sums = list(x = sum(pts[d$y == c, 1]), y = sum(pts[d$y == c, 2])),
    tolerance = 1e-6, reason = "坐标是矩阵的特征向量，两个程序的求解相差在 1e-9 上下，求和后相对误差放大")

  # the learning curve, and R's own forest on the same rows
  cv <- read.csv(sprintf("oracle-%s-curve.csv", name), colClasses = c(called = "character", rows = "character")); set.seed(1)
  cv$score <- mapply(function(rows, said) mean(d$y[words(rows)] == words(said)), cv$rows, cv$called)
  folds <- max(cv$fold); last <- max(cv$size); Xr <- raw[xs]; Xr[] <- lapply(Xr, function(v) if (is.character(v)) factor(v) else v)
  for (i in seq_len(folds)) { r <- train[train$fold == i, ]; cv <- rbind(cv, list(size = last, fold = i, kind = "crossed", rows = "", called = "", score = mean(called(P("cv", r), event, t) == r$y))) }
  for (s in sort(unique(cv$size))) { a <- cv$score[cv$size == s & cv$kind == "learned"]; b <- cv$score[cv$size == s & cv$kind == "crossed"]
    add("curve", list(size = s), list(size = s, learned = mean(a), learned_sd = sd(a), crossed = mean(b), crossed_sd = sd(b)))
    if (s == last) next
    own <- sapply(seq_len(folds), function(f) { i <- words(cv$rows[cv$size == s & cv$kind == "learned" & cv$fold == f]); o <- words(cv$rows[cv$size == s & cv$kind == "crossed" & cv$fold == f])
      y <- factor(d$y[i]); w <- if (is.null(event)) NULL else length(i) / (nlevels(y) * table(y))
      fit <- randomForest(Xr[i, ], y, ntree = 500, nodesize = if (is.null(event)) 1 else 3, classwt = w)
      p <- predict(fit, Xr[o, ], type = "prob"); full <- matrix(0, length(o), k); full[, as.integer(colnames(p))] <- p; mean(called(full, event, t) == d$y[o]) })
    stopifnot(abs(mean(own) - mean(b)) < (if (is.null(event)) .06 else .12)) }
  C <- sapply(sort(unique(cv$size)), function(s) mean(cv$score[cv$size == s & cv$kind == "crossed"])); A <- mean(cv$score[cv$size == last & cv$kind == "learned"])
  nx <- sort(unique(cv$size)); n <- length(C); gain <- C[n] - C[n - 1]; gap <- A - C[n]

  s <- scores(test$y, P("p", test), event, t); b <- out[[4]]$cells
  rare <- which.min(tabulate(d$y, k)); tr <- scores(train$y, P("p", train), event, t)
  says <- list(
    list(contains = "在没参与训练的", facts = list(n = s$n, accuracy = s$accuracy, low = s$low, high = s$high, base = b$accuracy, f1 = s$f1)),
    list(contains = "测试集没有参与训练", facts = list(train = tr$accuracy)),
    list(contains = "的样本", facts = list(ratio = .7, a = nrow(train), b = nrow(test), accuracy = s$accuracy, low = s$low, high = s$high)),
    list(contains = "每 100 个新样本", facts = list(per = 100 * s$accuracy, base = 100 * b$accuracy)),
    list(contains = "测试集有", facts = list(n = nrow(test))),
    list(contains = if (length(unique(table(d$y))) == 1) "各类的行数相同" else "最少的类", facts = list(share = mean(d$y == rare))),
    list(contains = if (gap > .2 * (1 - mean(train$y == major))) "过拟合：训练得分" else "相近，没有明显的过拟合", facts = list(train = A, cross = C[n], gap = 100 * gap, gain = 100 * abs(gain), size = nx[n - 1], whole = last)),
    list(contains = "袋外准确率", facts = list(oob = o$accuracy, test = s$accuracy)),
    list(contains = "TreeSHAP", facts = list(n = nrow(test), of = nrow(test))),
    list(contains = "按 SHAP 值", facts = list(m = 100 * most)),
    list(contains = "起点是不看任何变量时的平均概率", facts = list(p = at)),
    list(contains = "经典多维标度", facts = list(share = sum(map$eig[1:2]) / sum(pmax(map$eig, 0)))),
    "得分是准确率", "色带为均值", "每个点是一行", "混在他类里的点",
    "重要性说的是模型靠什么预测", "下一步：", "置换重要性是在测试集上打乱", list(contains = "“交叉验证”一行", facts = list(k = folds)), "预测概率按 10 个等宽的箱分组")
  says <- c(says, if (is.null(event)) list("精确率、召回率与 F1 为各类的宏平均", "合计一列是各类之和", "各类的 AUC、AP 与基线",
      list(contains = "多分类 Brier", facts = list(b = all_brier(test$y, P("p", test)))))
    else { one <- Filter(function(x) x$table == "areas", out)[[1]]$cells
      list(list(contains = "预测概率不低于", facts = list(t = t)), "另一类的正好相反", list(contains = "斜线是随机判断", facts = list(auc = one$auc)),
        list(contains = "平均精确率 AP 为", facts = list(ap = one$ap, base = one$base))) })
  titles <- c(iris = "鸢尾花", churn = "客户流失，类别加权")
  list(name = titles[[name]], data = data, form = form, measures = measures, expect = out, says = says)
}

iris_form <- list(y = "species", x = c("sepal_length", "sepal_width", "petal_length", "petal_width"))
churn_form <- list(y = "流失", x = c("月费", "合约", "投诉次数", "年龄", "性别"), event = "是", class_weight = "balanced", min_samples_leaf = 3, threshold = .4, n_estimators = 30)
classes <- unique(read.csv("oracle-churn.csv", check.names = FALSE)$流失)
orders <- read.csv("oracle-iris-orders.csv"); iris_case <- case("iris", "example.csv", iris_form, list(species = "定类"))
orders <- read.csv("oracle-churn-orders.csv"); churn_case <- case("churn", "oracle-churn.csv", churn_form, list(流失 = "定类", 性别 = "定类"), which(classes == "是"), .4)

# The search: the macro F1 of every fold of every trial.
T <- read.csv("oracle-search-trials.csv"); macro_f1 <- function(y, said) { k <- max(y, said); M <- table(factor(y, 1:k), factor(said, 1:k)); mean((2 * diag(M) / (rowSums(M) + colSums(M)))[rowSums(M) > 0]) }
T$score <- mapply(function(y, said) macro_f1(words(y), words(said)), T$y, T$called); ranks <- sort(unique(T$rank)); stopifnot(!is.unsorted(-tapply(T$score, T$rank, mean)))
search_case <- list(name = "鸢尾花，自动搜索参数", data = "example.csv", form = c(iris_form, tune = "tpe", tune_trials = 6, cv_folds = 3, n_estimators = 30, shap = FALSE), measures = list(species = "定类"),
  expect = lapply(ranks, function(r) block("trials", list(rank = r), list(rank = r, mean = mean(T$score[T$rank == r]), sd = sd(T$score[T$rank == r])))),
  says = list(list(contains = "搜索与交叉验证用同样的折", facts = list(k = length(ranks))), "每个点是一组参数的得分"))
cat(toJSON(list(sources = c("R 4.2.2：由导出的森林与预测另行计算各项得分、重要性、全部子集的 Shapley 值、学习曲线", "R 4.2.2 cmdscale", "pROC 1.18.0 auc、var（DeLong）",
    "randomForest 4.7-1.1：同样的行上另长一片森林，与学习曲线相差不超过 6 个百分点（流失例不超过 12 个）"),
  cases = list(iris_case, churn_case, search_case), quick = list(n_estimators = 30)), auto_unbox = TRUE, digits = NA, pretty = TRUE))
