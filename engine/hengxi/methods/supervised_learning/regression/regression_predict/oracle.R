# How oracle.json was made: Rscript oracle.R > oracle.json. The model is the one of ../knn on its example (3 neighbours); its
# neighbours are found here anew (R 4.2.2), and so are scores, ranges, PSI and the interval from the residuals of its test rows.
source("../../_shared/learner.R"); source("../../_shared/neighbours.R")
new <- read.csv("example.csv", check.names = FALSE); x <- c("cyl", "disp", "hp", "wt"); good <- complete.cases(new[x]); cars0 <- read.csv("../knn/example.csv"); d <- read.csv("../knn/oracle-cars-rows.csv"); train <- d$part == "train"
one <- scaled_by(as.matrix(cars0[x]), train); near <- nearest(one(as.matrix(cars0[train, x])), matrix(cars0$mpg[train]), 3); p <- rep(NA, nrow(new)); p[good] <- near(one(as.matrix(new[good, x])))[, 1]
stopifnot(max(abs(p[good] - read.csv("oracle-predictions.csv")$p)) < 1e-10)
out <- list(); add <- function(...) out[[length(out) + 1]] <<- block(...)
r <- sort(abs(d$y - d$p1)[!train]); n <- length(r); half <- r[ceiling((n + 1) * .9)]; stopifnot(n == 10)
s <- value_scores(new$mpg[good], p[good]); add("evaluation", list(part = "新数据"), s)
add("values", none, list(n = sum(good), mean = mean(p[good]), sd = sd(p[good]), low = min(p[good]), high = max(p[good])))
outside <- rep(FALSE, nrow(new)); moved <- 0
for (name in x) { v <- new[[name]]; t <- cars0[[name]][train]; far <- !is.na(v) & (v < min(t) | v > max(t)); outside <- outside | far
  add("mapping", list(feature = name), list(missing = sum(is.na(v)), unseen = 0, outside = sum(far)))
  edges <- unique(quantile(t, 1:9 / 10, type = 7)); bin <- function(z) tabulate(findInterval(z, edges, left.open = TRUE) + 1, length(edges) + 1)
  a <- pmax(bin(t) / length(t), 1e-4); z <- v[!is.na(v)]; b <- pmax(bin(z) / length(z), 1e-4); psi <- sum((b - a) * log(b / a)); limit <- qchisq(.95, length(edges)) * (1 / length(z) + 1 / length(t))
  moved <- moved + (psi > max(.25, limit)); add("drift", list(name = name), list(trained = mean(t), mean = mean(z), psi = psi, limit = limit)) }
drifted <- if (moved > 0) list(contains = "个变量的分布与训练数据明显不同", facts = list(k = moved)) else "各变量的分布与训练数据相近"
add("states", list(status = "成功"), list(n = sum(good & !outside))); add("states", list(status = "成功（超出训练范围）"), list(n = sum(good & outside))); add("states", list(status = "缺少变量值"), list(n = sum(!good)))
for (i in which(good)[c(1, 9)]) add("predictions", list(row = i), list(predicted = p[i], low = p[i] - half, high = p[i] + half))
e <- new$mpg - p; for (i in order(-abs(ifelse(good, e, NA)))[1:9]) add("worst", list(row = i), list(actual = new$mpg[i], predicted = p[i], residual = e[i]))
own <- list(n = nrow(new), k = sum(good), mean = mean(p[good]), low = min(p[good]), high = max(p[good]), half = half, level = 90, rmse = s$rmse, mae = s$mae, rest = sum(!good))
says <- list(list(contains = "用模型", facts = own), "误差与因变量的单位相同", list(contains = "用已训练的模型", facts = list(k = sum(good), rmse = s$rmse, mae = s$mae)), list(contains = "行，平均差", facts = list(k = sum(good), mae = s$mae)),
  "只有在这些行没有参与训练时", drifted, "RMSE、MAE 与因变量的单位相同", "斜线上的点预测得正好", "残差 = 真实值 − 预测值", "点越贴近对角线", "基线要用训练集的均值")
model <- list(path = "supervised_learning/regression/knn", form = list(y = "mpg", x = x, n_neighbors = 3, cv_folds = 4), measures = none)
form <- list(model = list(model_id = 1, columns = setNames(as.list(x), paste0("x", 1:4))), y_true = "mpg", interval = "90")
known <- list(name = "新车，用已保存的模型预测", data = "example.csv", form = form, models = list(model = model), measures = none, expect = out, says = says)
out <- list(); add("values", none, list(n = sum(good), mean = mean(p[good])))
unknown <- list(name = "新车，没有真实值", data = "example.csv", form = list(model = form$model, compare = FALSE), models = list(model = model), measures = none, expect = out,
  says = list(list(contains = "原因见各行状态", facts = own[c("n", "k", "mean", "low", "high", "rest")]), "没有真实值，差多少无从知道", list(contains = "没有真实值可比", facts = list(k = sum(good))), list(contains = "行，平均", facts = list(k = sum(good), mean = mean(p[good]))), "数据里没有真实值"))
finish(c("R 4.2.2：模型的近邻、得分、区间、PSI 另行计算"), list(known, unknown), quick = none)
