# How oracle.json was made: Rscript oracle.R > oracle.json. What learners share is in ../../_shared/learner.R; the neighbours are
# found here by sorting all distances (R 4.2.2), and caret 6.0-93 knnreg must agree on the cars. Cross-validation answers are exported.
source("../../_shared/learner.R"); source("../../_shared/neighbours.R"); suppressMessages(library(caret))

cars <- read_learner("cars"); train <- which(cars$d$part == "train"); on_one_scale <- scaled_by(cars$X, train); T <- on_one_scale(cars$X[train, ])
answer <- { near <- nearest(T, matrix(cars$d$y[train]), 3); function(Z) near(on_one_scale(Z)) }
test <- which(cars$d$part == "test"); stopifnot(max(abs(predict(knnreg(T, cars$d$y[train], k = 3), on_one_scale(cars$X[test, ])) - answer(cars$X[test, ])[, 1])) < 1e-12)

# Every K: each fold's rows from the neighbours in the other folds, scaled by those.
chosen <- function(case, scale_by, w, by_distance, distance) { d <- case$d; own <- which(d$part == "train"); folds <- split(own, d$fold[own])
  most <- min(30, sapply(folds, function(f) length(own) - length(f))); sapply(seq_len(most), function(k) { p <- numeric(nrow(d))
    for (f in folds) { inner <- setdiff(own, f); s <- scale_by(case$X, inner); p[f] <- nearest(s(case$X[inner, ]), matrix(d$y[inner]), k, w[inner], by_distance, distance)(s(case$X[f, ]))[, 1] }
    sqrt(mean((d$y[own] - p[own])^2)) }) }
by_k <- function(scores, k, says) list(more = function(case, add) for (i in seq_along(scores)) add("by_k", list(k = i), list(k = i, score = scores[i])),
  says = c(list(list(contains = "得分是交叉验证的", facts = c(list(best = which.min(scores), value = min(scores)), if (k <= length(scores) && k != which.min(scores)) list(k = k, own = scores[k])))), says))
a <- by_k(chosen(cars, scaled_by, rep(1, nrow(cars$d)), FALSE, function(A, x) sqrt(colSums((t(A) - x)^2))), 3, list("只会在训练集的范围", "“SHAP 依赖图（定类变量）”未给出"))
cars_case <- learner_case("车型的油耗，K = 3", "cars", "example.csv", list(y = "mpg", x = c("cyl", "disp", "hp", "wt"), n_neighbors = 3, cv_folds = 4), list(), answer, more = a$more, says = a$says)

rent <- read_learner("rent"); train <- which(rent$d$part == "train"); w <- read.csv("oracle-rent.csv", check.names = FALSE)$权重; to_gower <- gower_by(rent$X, train, rent$variable)
near <- nearest(to_gower(rent$X[train, ]), matrix(rent$d$y[train]), 5, w[train], TRUE, manhattan)
fold_scale <- function(X, inner) gower_by(X, inner, rent$variable)
rent_form <- list(y = "月租", x = c("面积", "区", "装修", "楼层"), weight = "权重", weights = "distance", metric = "gower", missing = "median", cv_folds = 3, shap = FALSE)
rent_case <- learner_case("房租，Gower 距离，加权，有缺失", "rent", "oracle-rent.csv", rent_form, list(区 = "定类", 装修 = "定类"), function(Z) near(to_gower(Z)), shap = FALSE,
  more = function(case, add) NULL, says = list("得分是交叉验证的"))
finish(c("R 4.2.2：近邻按全部距离排序另算；得分、置换重要性、全部组合的 Shapley 值、学习曲线由导出的切分另算", "caret 6.0-93 knnreg"), list(cars_case, rent_case))
