# How oracle.json was made: Rscript oracle.R > oracle.json. What learners share is in ../../_shared/learner.R; the neighbours are
# found here by sorting all distances (R 4.2.2), and class 7.3-21 knn must call the irises alike where no distances tie.
source("../../_shared/learner.R"); source("../../_shared/neighbours.R"); suppressMessages(library(class))
one_hot <- function(y, k) diag(k)[y, ]
# Every K: each fold's rows from the neighbours in the other folds.
chosen <- function(case, y, k_classes, scale_by, weight, distance, event, t) { d <- case$d; own <- which(d$part == "train"); folds <- split(own, d$fold[own]); P <- array(NA, c(nrow(d), 30, k_classes))
  for (f in folds) { inner <- setdiff(own, f); s <- scale_by(case$X, inner); for (k in 1:30) P[f, k, ] <- nearest(s(case$X[inner, ]), one_hot(y[inner], k_classes), k, weight(y[inner]), FALSE, distance)(s(case$X[f, ])) }
  sapply(1:30, function(k) mean(called(P[own, k, ], event, t) == y[own])) }
by_k <- function(scores, k) list(more = function(case, add) for (i in seq_along(scores)) add("by_k", list(k = i), list(k = i, score = scores[i])),
  says = list(list(contains = "得分是交叉验证的", facts = c(list(best = which.max(scores), value = max(scores)), if (k != which.max(scores)) list(k = k, own = scores[k])))))

iris0 <- read_learner("iris"); train <- which(iris0$d$part == "train"); classes <- unique(iris0$d$y); y <- match(iris0$d$y, classes); s <- scaled_by(iris0$X, train)
near <- nearest(s(iris0$X[train, ]), one_hot(y[train], 3), 5); test <- which(iris0$d$part == "test")
stopifnot(mean(knn(s(iris0$X[train, ]), s(iris0$X[test, ]), y[train], k = 5) == apply(near(s(iris0$X[test, ])), 1, which.max)) > .95)
euclid <- function(A, x) sqrt(colSums((t(A) - x)^2)); a <- by_k(chosen(iris0, y, 3, scaled_by, function(v) rep(1, length(v)), euclid, NULL, .5), 5)
iris_case <- learner_case("鸢尾花，K = 5", "iris", "example.csv", list(y = "species", x = c("sepal_length", "sepal_width", "petal_length", "petal_width")), list(species = "定类"),
  function(Z) near(s(Z)), more = a$more, says = a$says)

churn <- read_learner("churn"); train <- which(churn$d$part == "train"); labels <- unique(read.csv("oracle-churn.csv", check.names = FALSE)$流失); y <- match(churn$d$y, labels); yes <- which(labels == "是")
balanced <- function(v) { n <- tabulate(v, 2); length(v) / (sum(n > 0) * n[v]) }; as_is <- function(X, inner) function(Z) Z
votes <- nearest(churn$X[train, ], one_hot(y[train], 2), 8, balanced(y[train]), FALSE, manhattan)
b <- by_k(chosen(churn, y, 2, as_is, balanced, manhattan, yes, .4), 8)
churn_form <- list(y = "流失", x = c("月费", "合约", "投诉次数"), event = "是", class_weight = "balanced", threshold = .4, n_neighbors = 8, cv_folds = 4, metric = "manhattan", standardize = FALSE)
spread <- apply(churn$X[train, ], 2, function(v) sqrt(mean((v - mean(v))^2)))
churn_case <- learner_case("客户流失，类别加权，不标准化", "churn", "oracle-churn.csv", churn_form, list(流失 = "定类"), votes, event = yes, t = .4, more = b$more,
  says = c(b$says, list("“SHAP 依赖图（定类变量）”未给出", list(contains = "没有标准化", facts = list(ratio = max(spread) / min(spread))), list(contains = "是偶数", facts = list(k = 8)))))
finish(c("R 4.2.2：近邻按全部距离排序另算；得分、置换重要性、全部组合的 Shapley 值、学习曲线由导出的切分另算", "pROC 1.18.0 auc、var（DeLong）", "class 7.3-21 knn"), list(iris_case, churn_case), quick = list(cv_folds = 3, shap = FALSE))
