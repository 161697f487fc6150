# dbscan::dbscan and kNNdist; silhouettes by cluster::silhouette; the elbow of the sorted k distances written out. iris (raw, ε 0.6) gives 9 noise rows and clusters of 92 and 49.
source("../_shared/clusters.R"); suppressMessages(library(dbscan))
if (!file.exists("example.csv")) { set.seed(11); t <- runif(190, 0, pi); s <- runif(190, 0, pi); x <- rbind(cbind(cos(t), sin(t)), cbind(1 - cos(s), .5 - sin(s))) + matrix(rnorm(760, 0, .06), 380); x <- rbind(x, cbind(runif(20, -1.5, 2.5), runif(20, -1.1, 1.6)))
  write.csv(data.frame(编号 = sprintf("点%03d", 1:400), x1 = round(x[, 1], 4), x2 = round(x[, 2], 4), 真实类别 = rep(c("上月牙", "下月牙", "噪声"), c(190, 190, 20))), "example.csv", row.names = FALSE, quote = FALSE)
  write.csv(data.frame(萼片长 = iris[[1]], 萼片宽 = iris[[2]], 花瓣长 = iris[[3]], 花瓣宽 = iris[[4]]), "oracle-iris.csv", row.names = FALSE, quote = FALSE)
  m <- mtcars[c("mpg", "disp", "hp", "wt")]; m$mpg[c(3, 9)] <- NA; m$hp[9] <- NA; m$same <- 1; write.csv(m, "oracle-cars.csv", row.names = FALSE, quote = FALSE, na = "") }
E <- example(); I <- as.matrix(example("oracle-iris.csv")); C <- example("oracle-cars.csv")
elbow <- function(v) { n <- length(v); v[which.max(round((0:(n - 1)) / (n - 1) - (v - v[1]) / (v[n] - v[1]), 12))] }
run <- function(name, X, u, form, unit = 1, metric = "euclidean", k = 5, says = list(), data = NULL, ids = NULL, rows = seq_len(nrow(X)), measures = NULL, noise = TRUE) {
  d <- as.matrix(pair(u, metric)) * unit; near <- sort(apply(d, 1, function(r) sort(r)[k])); auto <- elbow(near); eps <- if (is.null(form$eps)) auto else form$eps
  m <- dbscan(as.dist(d), eps = eps * (1 + 1e-12), minPts = k); l <- ordered(u, m$cluster); core <- rowSums(d <= eps * (1 + 1e-12)) >= k
  clash <- sapply(which(!core & l > 0), function(i) length(unique(l[core & d[i, ] <= eps]))); stopifnot(all(clash == 1))   # no border point between two clusters: their order cannot matter
  args <- list(X, u, l, unit, metric, TRUE, rows = rows); if (!is.null(ids)) args$ids <- ids; j <- do.call(judged, args)
  S <- c(lapply(seq_len(max(l)), function(i) block("sizes", list(name = named(i)), n = sum(l == i), share = mean(l == i), core = sum(core & l == i), border = sum(!core & l == i))), list(block("sizes", list(name = "噪声"), n = sum(l == 0), share = mean(l == 0)), block("settings", list(), eps = eps, min_samples = k)))
  poor <- j$share > .5 || j$k == 1
  case(name, form, c(S, j$blocks, list(points("reach_points", list(), nrow(X), list(value = sum(near))))), c(spoken(j, "核心点的邻域里样本够多", fact("曲线开始陡升的高度适合作", k = k - 1), fact("所以类可以是任意形状", eps = eps), fact("噪声占 {share:percent1}", share = j$share, k = j$k)), if (poor) list(fact("k 距离图的拐点约在", elbow = auto)) else list("没有超过一半"), says), data, measures) }
X <- as.matrix(E[c("x1", "x2")]); M <- list(编号 = "文本", x1 = "定量", x2 = "定量", 真实类别 = "定类"); v <- as.list(c("x1", "x2")); iv <- as.list(colnames(I)); im <- setNames(as.list(rep("定量", 4)), colnames(I)); cm <- setNames(as.list(rep("定量", 5)), names(C))
whole <- complete.cases(C); D <- as.matrix(C[whole, 1:4]); F <- as.matrix(C[1:4]); for (q in 1:4) F[is.na(F[, q]), q] <- median(F[, q], na.rm = TRUE)
one <- apply(F, 2, function(z) z / max(apply(F, 2, sd)))
oracle(c("R 4.2.2: dbscan 1.1-11 (dbscan), cluster (silhouette), aov"), list(
  run("两个月牙，自动 ε", X, scale(X), list(x = v, label = "编号"), ids = E$编号, measures = M, says = list(units_said$yes)),
  run("鸢尾花，不标准化", I, I, list(x = iv, eps = .6, standardize = FALSE), data = "oracle-iris.csv", measures = im, says = list(units_said$no, map_said(I))),
  run("汽车，中位数填补，常数变量，只有一类", F, F, list(x = as.list(names(C)), missing = "median", standardize = FALSE, eps = 60, min_samples = 4), k = 4, data = "oracle-cars.csv", measures = cm, says = list(units_said$bad, map_said(F), fact("个缺失值用中位数填补", k = 3, r = 2), "变量“same”没有变化，已排除")),
  run("鸢尾花，余弦，噪声多", I, I, list(x = iv, eps = .0004, min_samples = 4, metric = "cosine", standardize = FALSE), metric = "cosine", k = 4, data = "oracle-iris.csv", measures = im),
  run("汽车，绝对值距离，删除缺失", D, scale(D), list(x = as.list(names(C)[1:4]), eps = 1.6, min_samples = 3, metric = "manhattan"), metric = "manhattan", k = 3, data = "oracle-cars.csv", measures = cm, rows = which(whole), says = list(map_said(scale(D))))))
