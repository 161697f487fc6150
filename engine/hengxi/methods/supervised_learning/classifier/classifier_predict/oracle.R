# How oracle.json was made: Rscript oracle.R > oracle.json
# The model is the forest of random_forest/example.csv; oracle-predictions.py exports its probabilities for example.csv, and
# random_forest/oracle-iris-predictions.csv says which rows trained. R 4.2.2 computes everything else: scores as in
# random_forest/oracle.R (pROC 1.18.0), counts, ranges, means, quantile(type = 7), PSI and its limit by qchisq.
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

new <- read.csv("example.csv"); p <- read.csv("oracle-predictions.csv")
iris0 <- read.csv("../random_forest/example.csv")
train <- iris0[read.csv("../random_forest/oracle-iris-predictions.csv")$part == "train", ]
classes <- unique(iris0$species); x <- c("sepal_length", "sepal_width", "petal_length", "petal_width"); k <- 3
good <- complete.cases(new[x]); y <- match(new$species, classes); P <- as.matrix(p)[good, ]; got <- apply(P, 1, which.max); out <- list()
add <- function(...) out[[length(out) + 1]] <<- block(...)
for (c in 1:k) add("counts", list(level = classes[c]), list(n = sum(got == c), share = mean(got == c), trained = mean(iris0$species == classes[c])))
s <- scores(y[good], P); add("evaluation", list(part = "新数据"), s)
M <- table(factor(y[good], 1:k), factor(got, 1:k))
for (c in 1:k) add("confusion", list(actual = classes[c]), c(setNames(as.list(M[c, ]), paste0("n@", classes)), setNames(as.list(M[c, ] / sum(M[c, ])), paste0("share@", classes))))
each <- lapply(1:k, function(c) list(precision = M[c, c] / sum(M[, c]), recall = M[c, c] / sum(M[c, ]), f1 = 2 * M[c, c] / (sum(M[c, ]) + sum(M[, c])),
  auc = area(P[, c], y[good] == c), n = sum(M[c, ])))
for (c in 1:k) add("classes", list(level = classes[c]), each[[c]])
for (kind in c("宏平均", "加权平均")) { v <- if (kind == "宏平均") rep(1, k) else rowSums(M)
  add("classes", list(level = kind), c(sapply(c("precision", "recall", "f1", "auc"), function(n) weighted.mean(sapply(each, function(e) e[[n]]), v), simplify = FALSE), n = sum(M))) }
for (c in 1:k) { score <- P[, c]; hit <- y[good] == c; cuts <- sort(unique(score), decreasing = TRUE)
  rec <- sapply(cuts, function(t) sum(hit & score >= t) / sum(hit)); pre <- sapply(cuts, function(t) mean(hit[score >= t]))
  add("areas", list(level = classes[c]), list(auc = area(score, hit), ap = sum(diff(c(0, rec)) * pre), base = mean(hit), brier = mean((score - hit)^2))) }
outside <- rep(FALSE, nrow(new)); moved <- 0
for (name in x) { v <- new[[name]]; t <- train[[name]]; far <- !is.na(v) & (v < min(t) | v > max(t)); outside <- outside | far
  add("mapping", list(feature = name), list(missing = sum(is.na(v)), unseen = 0, outside = sum(far)))
  edges <- unique(quantile(t, 1:9 / 10, type = 7)); bin <- function(z) tabulate(findInterval(z, edges, left.open = TRUE) + 1, length(edges) + 1)
  a <- pmax(bin(t) / length(t), 1e-4); z <- v[!is.na(v)]; b <- pmax(bin(z) / length(z), 1e-4); psi <- sum((b - a) * log(b / a))
  limit <- qchisq(.95, length(edges)) * (1 / length(z) + 1 / length(t)); moved <- moved + (psi > max(.25, limit))
  add("drift", list(name = name), list(trained = mean(t), mean = mean(z), psi = psi, limit = limit)) }
stopifnot(moved == 0)
add("states", list(status = "成功"), list(n = sum(good & !outside))); add("states", list(status = "成功（超出训练范围）"), list(n = sum(good & outside)))
add("states", list(status = "缺少变量值"), list(n = sum(!good)))
for (i in c(1, which(good)[20])) add("predictions", list(row = i), list(p = max(p[i, ])))
none_of <- list(contains = "多分类 Brier", facts = list(b = mean(rowSums((P - diag(k)[y[good], ])^2))))
says <- list(list(contains = "用模型", facts = list(n = nrow(new), k = sum(good), share = max(table(got)) / sum(good), accuracy = s$accuracy, low = s$low, high = s$high)),
  "各变量的分布与训练数据相近", "预测概率按 10 个等宽的箱分组", none_of)
model <- list(path = "supervised_learning/classifier/random_forest", form = list(y = "species", x = x), measures = list(species = "定类"))
form <- list(model = list(model_id = 1, columns = setNames(as.list(x), paste0("x", 1:4))), y_true = "species")
cat(toJSON(list(sources = c("R 4.2.2：由导出的预测概率另行计算各项得分、PSI", "pROC 1.18.0 auc"),
  cases = list(list(name = "iris", data = "example.csv", form = form, models = list(model = model), measures = list(species = "定类"), expect = out, says = says)),
  unverified = list(list(what = "evaluation.auc_low", reason = "示例全部判对，DeLong 区间没有宽度；同一函数在随机森林分类的两个案例里核对"),
    list(what = "evaluation.auc_high", reason = "同上"))), auto_unbox = TRUE, digits = NA, pretty = TRUE))
