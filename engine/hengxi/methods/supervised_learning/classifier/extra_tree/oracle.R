# How oracle.json was made: Rscript oracle.R > oracle.json. The trees are exported node by node and walked here (R 4.2.2):
# probabilities, importance, TreeSHAP by all coalitions, rows by the trees that had not seen them. ranger 0.14.1 with random cuts
# on the same rows must call the test rows about as well.
source("../../_shared/learner.R"); source("../../_shared/trees.R"); suppressMessages(library(ranger))
run <- function(title, name, data, form, measures, event = NULL, t = .5, says = list(), oob = FALSE) {
  trees <- lapply(read_trees(sprintf("oracle-%s-trees.csv", name)), function(tree) { tree$p <- tree$p / rowSums(tree$p); tree }); case <- read_learner(name); said <- list()
  more <- function(case, add) if (oob) { o <- left_out_answers(sprintf("oracle-%s-seen.csv", name), trees, case$X)[case$train, , drop = FALSE]; known <- !is.na(o[, 1]); y <- case$y[case$train][known]
    s <- scores(y, o[known, ], event, t); add("oob", none, s[c("n", "accuracy", "low", "high", "balanced", "kappa")]); confused(add, case$classes, y, o[known, ], event, t, at = "袋外")
    test <- scores(case$y[case$test], case$P[case$test, ], event, t); said <<- list(list(contains = "袋外准确率", facts = list(oob = s$accuracy, test = test$accuracy, low = test$low, high = test$high)))
    if (any(!known)) said <<- c(said, list(list(contains = "没有袋外预测", facts = list(k = sum(!known))))) }
  out <- learner_case(title, name, data, form, measures, forest_answers(trees), event, t, share = impurity_shares(trees, case$variable, length(form$x)), worth = by_trees(trees), more = more, kind = "TreeSHAP")
  out$says <- c(out$says, says, said); out }
iris_case <- run("鸢尾花，50 棵树", "iris", "example.csv", list(y = "species", x = c("sepal_length", "sepal_width", "petal_length", "petal_width"), n_estimators = 50, cv_folds = 4), list(species = "定类"))
d <- read_learner("iris")$d; iris0 <- read.csv("example.csv", stringsAsFactors = TRUE); set.seed(1)
fit <- ranger(species ~ ., iris0[d$part == "train", ], num.trees = 500, splitrule = "extratrees", num.random.splits = 1, replace = FALSE, sample.fraction = 1, min.node.size = 1)
own <- Filter(function(b) b$table == "evaluation" && b$where$part == "测试集", iris_case$expect)[[1]]$cells$accuracy
stopifnot(abs(mean(predict(fit, iris0[d$part == "test", ])$predictions == iris0$species[d$part == "test"]) - own) < .07)
churn_case <- run("客户流失，类别加权，有放回采样", "churn", "oracle-churn.csv", list(y = "流失", x = c("月费", "合约", "投诉次数", "性别"), event = "是", class_weight = "balanced", threshold = .4, min_samples_leaf = 5, cv_folds = 0, n_estimators = 15,
  bootstrap = TRUE, oob_score = TRUE), list(流失 = "定类", 性别 = "定类"), event = which(unique(read.csv("oracle-churn.csv", check.names = FALSE)$流失) == "是"), t = .4, oob = TRUE,
  says = list("没有要求交叉验证", "学习曲线需要交叉验证", list(contains = "切分点又是随机的", facts = list(k = 15))))
finish(c("R 4.2.2：由导出的树另行计算预测、袋外、重要性、全部组合的 Shapley 值与各项得分", "ranger 0.14.1：splitrule = extratrees，测试行的准确率相近", "pROC 1.18.0 auc、var（DeLong）"), list(iris_case, churn_case), quick = list(n_estimators = 10, cv_folds = 3, shap = FALSE))
