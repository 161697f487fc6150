# How oracle.json was made: Rscript oracle.R > oracle.json. What learners share is in ../../_shared/learner.R. Training by chance cannot be repeated: the network
# is walked here from its exported weights, its last loss computed anew, and nnet 7.3-18 must tell the irises apart about as well.
source("../../_shared/learner.R"); source("../../_shared/networks.R"); suppressMessages(library(nnet))
share <- function(J) { e <- exp(J - apply(J, 1, max)); e / rowSums(e) }
answer_of <- function(net, kind, on) function(X) { A <- walk(net, on(X), kind); share(if (ncol(A) == 1) cbind(0, A) else A) }
X <- c("sepal_length", "sepal_width", "petal_length", "petal_width")
iris0 <- read_learner("iris"); train <- which(iris0$d$part == "train"); y <- match(iris0$d$y, unique(iris0$d$y)); on <- scaled_to(iris0$X, train); net <- read_network("iris"); answer <- answer_of(net, "relu", on)
P <- answer(iris0$X[train, ]); loss <- -mean(log(P[cbind(seq_along(train), y[train])])) + .1 / 2 * squares(net) / length(train)
set.seed(1); other <- nnet(on(iris0$X[train, ]), class.ind(y[train]), size = 8, decay = .1, maxit = 500, softmax = TRUE, trace = FALSE); test <- which(iris0$d$part == "test")
right <- function(P) mean(max.col(P) == y[test]); stopifnot(abs(right(answer(iris0$X[test, ])) - right(predict(other, on(iris0$X[test, ])))) < .08)
a <- told_network(net, NULL, NULL, "iris", length(train), 1000, loss)
iris_case <- learner_case("鸢尾花，一层 8 个", "iris", "example.csv", list(y = "species", x = X, hidden_layers = "8", solver = "lbfgs", alpha = .1, cv_folds = 3), list(species = "定类"), answer, more = a$more, says = c(a$says, list("lbfgs 没有逐轮的损失")))
churn <- read_learner("churn"); train <- which(churn$d$part == "train"); classes <- unique(read.csv("oracle-churn.csv", check.names = FALSE)$流失); net <- read_network("churn"); b <- told_network(net, NULL, NULL, "churn", length(train), 40)
form <- list(y = "流失", x = c("月费", "合约", "投诉次数"), event = "是", class_weight = "balanced", threshold = .4, hidden_layers = "6,3", activation = "tanh", max_iter = 40, learning_rate_init = .05, cv_folds = 0, shap = FALSE)
churn_case <- learner_case("客户流失，两层，tanh", "churn", "oracle-churn.csv", form, list(流失 = "定类"), answer_of(net, "tanh", scaled_to(churn$X, train)), event = which(classes == "是"), t = .4, shap = FALSE, more = b$more, says = b$says)
finish(c("R 4.2.2：由导出的权重逐层另算，损失另算；得分、置换重要性、全部组合的 Shapley 值、学习曲线由导出的切分另算", "nnet 7.3-18", "pROC 1.18.0 auc、var（DeLong）"), list(iris_case, churn_case), quick = list(cv_folds = 0, shap = FALSE, hidden_layers = "4", max_iter = 20))
