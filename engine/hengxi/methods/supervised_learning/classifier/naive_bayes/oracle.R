# How oracle.json was made: Rscript oracle.R > oracle.json. What learners share is in ../../_shared/learner.R; the densities are written
# out here (R 4.2.2), and e1071 1.7-13 naiveBayes must agree where it does the same: normal densities with the spreads set to those divided by n.
source("../../_shared/learner.R"); suppressMessages(library(e1071))
share <- function(J) { e <- exp(J - apply(J, 1, max)); e / rowSums(e) }
sd_n <- function(v) sqrt(mean((v - mean(v))^2))
# Log densities of rows × classes: numbers `N` normal with variance + eps, categories `L` (columns of one level each, or one column of 0 and 1) by smoothed shares.
mixed <- function(X, y, k, prior, alpha, N, L) { eps <- if (length(N)) 1e-9 * max(apply(X[, N, drop = FALSE], 2, sd_n)^2) else 0
  m <- sapply(1:k, function(c) colMeans(X[y == c, N, drop = FALSE])); v <- sapply(1:k, function(c) apply(X[y == c, N, drop = FALSE], 2, sd_n)^2 + eps); m <- matrix(m, length(N)); v <- matrix(v, length(N))
  lev <- function(Z, cols) if (length(cols) > 1) max.col(Z[, cols]) else Z[, cols] + 1
  P <- lapply(L, function(cols) { n <- table(factor(lev(X, cols), seq_len(max(2, length(cols)))), factor(y, 1:k)) + alpha; sweep(n, 2, colSums(n), `/`) })
  list(m = m, s = sqrt(v), P = P, answer = function(Z) { J <- matrix(log(prior), nrow(Z), k, byrow = TRUE)
    for (c in 1:k) { for (i in seq_along(N)) J[, c] <- J[, c] + dnorm(Z[, N[i]], m[i, c], sqrt(v[i, c]), log = TRUE)
      for (i in seq_along(L)) J[, c] <- J[, c] + log(P[[i]][lev(Z, L[[i]]), c]) }
    share(J) }) }
told <- function(fit, prior, xs, N, levels, n) function(case, add) { k <- case$k
  for (c in 1:k) add("priors", list(level = case$classes[c]), list(n = n[c], prior = prior[c]))
  for (i in seq_along(N)) add("normals", list(name = xs[N[i]]), c(setNames(as.list(fit$m[i, ]), paste0("mean@", case$classes)), setNames(as.list(fit$s[i, ]), paste0("sd@", case$classes))))
  for (x in names(levels)) for (l in seq_along(levels[[x]])) add("shares", list(name = x, level = levels[[x]][l]), setNames(as.list(fit$P[[match(x, names(levels))]][l, ]), paste0("share@", case$classes))) }
strongest <- function(X, numbers) { r <- cor(X[, numbers]); r[upper.tri(r, TRUE)] <- 0; list(r = r[which.max(abs(r))], k = sum(abs(r) > .8)) }

iris0 <- read_learner("iris"); train <- which(iris0$d$part == "train"); classes <- unique(iris0$d$y); y <- match(iris0$d$y, classes); X <- iris0$X
p <- tabulate(y[train], 3) / length(train); fit <- mixed(X[train, ], y[train], 3, p, 1, 1:4, list())
nb <- naiveBayes(X[train, ], factor(y[train])); for (j in 1:4) nb$tables[[j]][, 2] <- fit$s[j, ]
stopifnot(max(abs(predict(nb, X, type = "raw") - fit$answer(X))) < 1e-6)
xs <- c("sepal_length", "sepal_width", "petal_length", "petal_width")
iris_case <- learner_case("鸢尾花，正态密度", "iris", "example.csv", list(y = "species", x = xs), list(species = "定类"), fit$answer,
  more = told(fit, p, xs, 1:4, list(), tabulate(y[train], 3)), says = list(list(contains = "各变量独立的假设不成立", facts = strongest(X[train, ], 1:4)), "没有按类别处理的变量"))

churn <- read_learner("churn"); train <- which(churn$d$part == "train"); raw <- read.csv("oracle-churn.csv", check.names = FALSE); labels <- unique(raw$流失); y <- match(churn$d$y, labels); yes <- which(labels == "是"); X <- churn$X
own <- c(.6, .4); fit <- mixed(X[train, ], y[train], 2, own, .5, c(1, 5), list(2:4, 6)); mc <- list(流失 = "定类", 性别 = "定类", 合约 = "定类")
form <- list(y = "流失", x = c("月费", "合约", "投诉次数", "性别"), event = "是", threshold = .4, cv_folds = 4, alpha = .5, prior = "own", prior_values = own)
named <- fit; levels <- list(合约 = as.character(sort(unique(raw$合约))), 性别 = unique(raw$性别))
churn_case <- learner_case("客户流失，混合，自定先验", "churn", "oracle-churn.csv", form, mc, fit$answer, event = yes, t = .4,
  more = told(fit, own, c("月费", "", "", "", "投诉次数"), c(1, 5), levels, tabulate(y[train], 2)), says = list(list(contains = "两两相关最强的是", facts = strongest(X[train, ], c(1, 5)))))

# Columns as counts, as signs, and against the other classes.
plain <- function(kind) { case <- read_learner(kind); train <- which(case$d$part == "train"); y <- match(case$d$y, labels)[train]; X <- case$X; T <- X[train, ]; n <- tabulate(y, 2); prior <- n / sum(n); one <- diag(2)[y, ]
  W <- if (kind == "bernoulli") sweep(t(T > 0) %*% one + 1, 2, n + 2, `/`) else { C <- t(T) %*% one; if (kind == "complement") C <- rowSums(C) - C; sweep(C + 1, 2, colSums(C + 1), `/`) }
  answer <- function(Z) share(if (kind == "bernoulli") sweep((Z > 0) %*% log(W) + (Z <= 0) %*% log(1 - W), 2, log(prior), `+`) else if (kind == "multinomial") sweep(Z %*% log(W), 2, log(prior), `+`) else -Z %*% log(W))
  titles <- c(paste0("合约（", levels$合约, "）"), "投诉次数", sprintf("性别（%s）", levels$性别[2]))
  more <- function(case, add) { for (c in 1:2) add("priors", list(level = labels[c]), c(list(n = n[c]), if (kind != "complement") list(prior = prior[c])))
    for (j in seq_along(titles)) add("shares", list(name = titles[j], level = if (kind == "bernoulli") "大于 0" else "计数"), setNames(as.list(W[j, ]), paste0("share@", labels))) }
  learner_case(paste("客户流失", kind), kind, "oracle-churn.csv", list(y = "流失", x = c("合约", "投诉次数", "性别"), event = "是", cv_folds = 0, shap = FALSE, variant = kind), mc, answer, event = yes, shap = FALSE, more = more,
    says = c(list("没有按正态分布处理的变量", c(multinomial = "占这一类各列总计数的份额", bernoulli = "该列大于 0 的占比", complement = "占其余各类总计数的份额")[[kind]]), if (kind == "complement") list("补集模型不用先验概率"))) }
finish(c("R 4.2.2：各密度与份额按公式另算；得分、置换重要性、全部组合的 Shapley 值、学习曲线由导出的切分另算", "e1071 1.7-13 naiveBayes", "pROC 1.18.0 auc、var（DeLong）"),
  c(list(iris_case, churn_case), lapply(c("multinomial", "bernoulli", "complement"), plain)), quick = list(cv_folds = 3, shap = FALSE))
