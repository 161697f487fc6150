# How oracle.json was made: Rscript oracle.R > oracle.json
# A forest cannot be grown equally by two programs: their generators of chance differ. What is checked here is every number
# computed from it. oracle-predictions.py exports the probabilities of the model, of each fold's model and of the trees that
# left a row out; R 4.2.2 computes scores, intervals, confusion, curves from them: pROC 1.18.0 (auc, ci.auc by DeLong), the
# other formulas written out. Trees, seeds, stored models and importance are held by invariants in test_method.py and
# tests/learning: one tree of all rows and variables against R's rpart, a forest against scikit-learn's own.
suppressMessages({library(pROC); library(jsonlite)})
invisible(Sys.setlocale("LC_ALL", "C.UTF-8"))

wilson <- function(k, n) { z <- qnorm(.975); p <- k / n; m <- (p + z^2 / (2 * n)) / (1 + z^2 / n)
  h <- z / (1 + z^2 / n) * sqrt(p * (1 - p) / n + z^2 / (4 * n^2)); c(if (k == 0) 0 else m - h, if (k == n) 1 else m + h) }
area <- function(score, hit) as.numeric(suppressMessages(auc(hit, score, direction = "<", quiet = TRUE)))
# Placements of DeLong, DeLong & Clarke-Pearson; the macro average of K one-against-rest areas is a sum of them.
placed <- function(score, hit) {
  below <- numeric(length(score)); ones <- score[hit]; zeros <- score[!hit]
  below[hit] <- sapply(ones, function(s) mean((zeros < s) + (zeros == s) / 2))
  below[!hit] <- 1 - sapply(zeros, function(s) mean((ones > s) + (ones == s) / 2))
  a <- mean(below[hit]); out <- numeric(length(score))
  out[hit] <- (below[hit] - a) / sqrt(sum(hit) * (sum(hit) - 1)); out[!hit] <- (1 - below[!hit] - a) / sqrt(sum(!hit) * (sum(!hit) - 1)); out }
macro <- function(y, p) {
  k <- ncol(p); here <- which(sapply(seq_len(k), function(c) any(y == c) && any(y != c))); if (k == 2) here <- tail(here, 1)
  value <- mean(sapply(here, function(c) area(p[, c], y == c)))
  v <- sum(rowMeans(sapply(here, function(c) placed(p[, c], y == c)))^2)
  if (k == 2 && v > 1e-20) stopifnot(abs(var(roc(y == 2, p[, 2], direction = "<", quiet = TRUE)) - v) < 1e-12)   # as pROC
  if (v < 1e-20) return(list(value = value)); half <- qnorm(.975) * sqrt(v)
  list(value = value, low = max(0, value - half), high = min(1, value + half)) }
called <- function(p, event, t) if (is.null(event)) apply(p, 1, which.max) else ifelse(p[, event] >= t, event, 3 - event)
scores <- function(y, p, event = NULL, t = .5, loss = TRUE) {
  k <- ncol(p); n <- length(y); got <- called(p, event, t); M <- table(factor(y, 1:k), factor(got, 1:k)); hits <- sum(diag(M))
  precision <- diag(M) / colSums(M); recall <- diag(M) / rowSums(M); f1 <- 2 * diag(M) / (rowSums(M) + colSums(M))
  here <- rowSums(M) > 0; w <- wilson(hits, n); A <- macro(y, p); pe <- sum(rowSums(M) * colSums(M)) / n^2
  s <- as.numeric(sum(diag(M))); a <- as.numeric(rowSums(M)); b <- as.numeric(colSums(M))
  below <- sqrt(n^2 - sum(b^2)) * sqrt(n^2 - sum(a^2))
  own <- p[cbind(seq_len(n), y)]; if (is.null(event)) precision[is.nan(precision)] <- 0   # nobody called so: no precision
  out <- list(n = n, accuracy = hits / n, low = w[1], high = w[2], balanced = mean(recall[here]),
    precision = if (is.null(event)) mean(precision[here]) else unname(precision[event]),
    recall = if (is.null(event)) mean(recall[here]) else unname(recall[event]),
    f1 = if (is.null(event)) mean(f1[here]) else unname(f1[event]), auc = A$value, kappa = (hits / n - pe) / (1 - pe))
  if (!is.null(A$low)) out <- c(out, auc_low = A$low, auc_high = A$high)
  if (below > 0) out$mcc <- (s * n - sum(a * b)) / below
  if (loss) out$log_loss <- -mean(log(pmax(own, 1e-15)))
  out }
block <- function(.table, .where, .cells, ...) c(list(table = .table, where = .where, cells = lapply(.cells, unname)), list(...))
none <- setNames(list(), character())

case <- function(name, data, form, measures, event = NULL, t = .5) {
  d <- read.csv(sprintf("oracle-%s-predictions.csv", name), check.names = FALSE)
  classes <- unique(read.csv(data, check.names = FALSE)[[form$y]]); k <- length(classes); d$y <- match(d$y, classes)
  P <- function(kind, rows) as.matrix(rows[paste0(kind, seq_len(k))])
  train <- d[d$part == "train", ]; test <- d[d$part == "test", ]; out <- list()
  add <- function(...) out[[length(out) + 1]] <<- block(...)
  add("evaluation", list(part = "测试集"), scores(test$y, P("p", test), event, t))
  add("evaluation", list(part = "交叉验证"), scores(train$y, P("cv", train), event, t))
  add("evaluation", list(part = "训练集"), scores(train$y, P("p", train), event, t))
  major <- which.max(tabulate(train$y, k)); always <- matrix(0, nrow(test), k); always[, major] <- 1
  base <- scores(test$y, always, event, .5, FALSE); base <- base[!is.nan(unlist(base))]
  add("evaluation", list(part = sprintf("基线：总判为“%s”", classes[major])), base)
  confused <- function(at, rows, kind) for (c in seq_len(k)) {
    mine <- rows[rows$y == c, ]; got <- tabulate(called(P(kind, mine), event, t), k)
    cells <- c(setNames(as.list(got), paste0("n@", classes)), setNames(as.list(got / nrow(mine)), paste0("share@", classes)))
    add("confusion", list(actual = classes[c]), cells, at = at) }
  confused("测试集", test, "p"); confused("训练集", train, "p")
  left <- train[!is.na(train$oob1), ]; confused("袋外", left, "oob")
  o <- scores(left$y, P("oob", left), event, t); add("oob", none, o[c("n", "accuracy", "low", "high", "balanced", "kappa")])
  M <- table(factor(test$y, 1:k), factor(called(P("p", test), event, t), 1:k))
  each <- lapply(seq_len(k), function(c) list(precision = M[c, c] / sum(M[, c]), recall = M[c, c] / sum(M[c, ]),
    f1 = 2 * M[c, c] / (sum(M[c, ]) + sum(M[, c])), auc = area(test[[paste0("p", c)]], test$y == c), n = sum(M[c, ])))
  for (c in seq_len(k)) add("classes", list(level = classes[c]), each[[c]])
  w <- rowSums(M); pick <- function(what) sapply(each, function(e) e[[what]])
  for (kind in c("宏平均", "加权平均")) { v <- if (kind == "宏平均") rep(1, k) else w
    add("classes", list(level = kind), c(sapply(c("precision", "recall", "f1", "auc"), function(x) weighted.mean(pick(x), v), simplify = FALSE), n = sum(w))) }
  for (c in seq_len(k)) add("counts", list(level = classes[c]), list(n = sum(d$y == c), share = mean(d$y == c), train = sum(train$y == c), test = sum(test$y == c)))
  for (c in (if (is.null(event)) seq_len(k) else event)) {
    s <- test[[paste0("p", c)]]; hit <- test$y == c; cuts <- sort(unique(s), decreasing = TRUE)
    rec <- sapply(cuts, function(x) sum(hit & s >= x) / sum(hit)); pre <- sapply(cuts, function(x) mean(hit[s >= x]))
    add("areas", list(level = classes[c]), list(auc = area(s, hit), ap = sum(diff(c(0, rec)) * pre), base = mean(hit), brier = mean((s - hit)^2))) }
  F <- lapply(split(train, train$fold), function(r) { one <- scores(r$y, P("cv", r), event, t)
    Mf <- table(factor(r$y, 1:k), factor(called(P("cv", r), event, t), 1:k)); one$f1 <- mean(2 * diag(Mf) / (rowSums(Mf) + colSums(Mf)))
    one[c("n", "accuracy", "balanced", "f1", "auc", "log_loss")] })
  for (i in names(F)) add("folds", list(fold = sprintf("第 %s 折", i)), F[[i]])
  for (kind in c("均值", "标准差")) add("folds", list(fold = kind), sapply(c("accuracy", "balanced", "f1", "auc", "log_loss"),
    function(x) (if (kind == "均值") mean else sd)(sapply(F, function(f) f[[x]])), simplify = FALSE))
  for (i in c(1, nrow(test))) add("predictions", list(row = test$row[i]), list(p = test[i, paste0("p", called(P("p", test[i, ]), event, t))]))
  s <- scores(test$y, P("p", test), event, t); b <- out[[4]]$cells
  rare <- which.min(tabulate(d$y, k)); tr <- scores(train$y, P("p", train), event, t)
  macroB <- mean(rowSums((P("p", test) - diag(k)[test$y, ])^2))
  says <- list(
    list(contains = "在没参与训练的", facts = list(n = s$n, accuracy = s$accuracy, low = s$low, high = s$high, base = b$accuracy, f1 = s$f1)),
    list(contains = "测试集没有参与训练", facts = list(train = tr$accuracy)),
    list(contains = "的样本", facts = list(ratio = .7, a = nrow(train), b = nrow(test), accuracy = s$accuracy, low = s$low, high = s$high)),
    list(contains = "每 100 个新样本", facts = list(per = 100 * s$accuracy, base = 100 * b$accuracy)),
    list(contains = "测试集有", facts = list(n = nrow(test))),
    list(contains = "最少的类", facts = list(share = mean(d$y == rare))),
    list(contains = "训练集准确率|训练集与测试集", facts = list(train = tr$accuracy, test = s$accuracy)),
    list(contains = "袋外准确率", facts = list(oob = o$accuracy, test = s$accuracy)),
    "重要性说的是模型靠什么预测", "置换重要性是在测试集上打乱", "交叉验证一行由训练行", "预测概率按 10 个等宽的箱分组")
  says[[7]]$contains <- if (tr$accuracy - s$accuracy > .1) "训练集准确率 {train" else "训练集与测试集的准确率"
  says <- c(says, if (is.null(event)) list("精确率、召回率与 F1 为各类的宏平均", list(contains = "多分类 Brier", facts = list(b = macroB)))
            else list(list(contains = "预测概率不低于", facts = list(t = t))))
  list(name = name, data = data, form = form, measures = measures, expect = out, says = says)
}

iris_form <- list(y = "species", x = c("sepal_length", "sepal_width", "petal_length", "petal_width"))
churn_form <- list(y = "流失", x = c("月费", "合约", "投诉次数", "年龄", "性别"), event = "是", class_weight = "balanced", min_samples_leaf = 3, threshold = .4)
classes <- unique(read.csv("oracle-churn.csv", check.names = FALSE)$流失)
cat(toJSON(list(sources = c("R 4.2.2：由导出的预测概率另行计算各项得分", "pROC 1.18.0 auc、var（DeLong）"),
  cases = list(case("iris", "example.csv", iris_form, list(species = "定类")),
               case("churn", "oracle-churn.csv", churn_form, list(流失 = "定类", 性别 = "定类"), which(classes == "是"), .4)),
  unverified = list(
    list(what = "importance.share", reason = "两个程序的森林不同，不能逐位核对；与 scikit-learn 的 feature_importances_ 相等，见 test_method.py"),
    list(what = "importance.loss", reason = "置换的抽样因程序而异；在人造数据上核对无关变量为 0、有关变量为正，见 test_method.py"),
    list(what = "importance.sd", reason = "同上"))),
  auto_unbox = TRUE, digits = NA, pretty = TRUE))
