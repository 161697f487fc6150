# How oracle.json was made: Rscript oracle.R > oracle.json
# The model is the forest of random_forest/example.csv; oracle-predictions.py exports its probabilities for example.csv, and
# random_forest/oracle-iris-predictions.csv says which rows trained. R 4.2.2 computes everything else: scores as in
# ../_shared/scores.R, counts, ranges, means, quantile(type = 7), PSI and its limit by qchisq.
source("../_shared/scores.R")

new <- read.csv("example.csv"); p <- read.csv("oracle-predictions.csv")
iris0 <- read.csv("../random_forest/example.csv")
train <- iris0[read.csv("../random_forest/oracle-iris-predictions.csv")$part == "train", ]
classes <- unique(iris0$species); x <- c("sepal_length", "sepal_width", "petal_length", "petal_width"); k <- 3
good <- complete.cases(new[x]); y <- match(new$species, classes); P <- as.matrix(p)[good, ]; got <- apply(P, 1, which.max); out <- list()
add <- function(...) out[[length(out) + 1]] <<- block(...)
for (c in 1:k) add("counts", list(level = classes[c]), list(n = sum(got == c), share = mean(got == c), trained = mean(iris0$species == classes[c])))
s <- scores(y[good], P); add("evaluation", list(part = "新数据"), s)
confused(add, classes, y[good], P, NULL, .5); by_class(add, classes, y[good], P, NULL, .5); under_curves(add, classes, y[good], P, NULL)
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
says <- list(list(contains = "用模型", facts = list(n = nrow(new), k = sum(good), share = max(table(got)) / sum(good), accuracy = s$accuracy, low = s$low, high = s$high)),
  "概率离判定的界限越近", list(contains = "用已训练的模型", facts = list(k = sum(good), accuracy = s$accuracy, low = s$low, high = s$high)),
  list(contains = "每 100 行大约判对", facts = list(k = sum(good), share = max(table(got)) / sum(good), per = 100 * s$accuracy)), "只有在这些行没有参与训练时",
  "各变量的分布与训练数据相近", "预测概率按 10 个等宽的箱分组", "各类的 AUC、AP 与基线", list(contains = "多分类 Brier", facts = list(b = all_brier(y[good], P))))
model <- list(path = "supervised_learning/classifier/random_forest", form = list(y = "species", x = x), measures = list(species = "定类"))
form <- list(model = list(model_id = 1, columns = setNames(as.list(x), paste0("x", 1:4))), y_true = "species")
cat(toJSON(list(sources = c("R 4.2.2：由导出的预测概率另行计算各项得分、PSI", "pROC 1.18.0 auc"),
  cases = list(list(name = "鸢尾花，用已保存的模型预测", data = "example.csv", form = form, models = list(model = model), measures = list(species = "定类"), expect = out, says = says)),
  unverified = list(list(what = "evaluation.auc_low", reason = "示例全部判对，DeLong 区间没有宽度；同一函数在随机森林分类的两个案例里核对"),
    list(what = "evaluation.auc_high", reason = "同上")), quick = setNames(list(), character())), auto_unbox = TRUE, digits = NA, pretty = TRUE))
