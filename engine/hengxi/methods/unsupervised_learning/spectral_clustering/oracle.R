# Graph, normalised Laplacian and eigen() written out, kmeans (200 starts) on the vectors; the rings held against kernlab::specc and the truth.
source("../_shared/clusters.R"); suppressMessages(library(kernlab))
if (!file.exists("example.csv")) { set.seed(95); t <- runif(240, 0, 2 * pi); r <- rep(c(1, 3), c(80, 160)) + rnorm(240, 0, .12); write.csv(data.frame(编号 = sprintf("点%03d", 1:240), x1 = round(r * cos(t), 5), x2 = round(r * sin(t), 5), 真实类别 = rep(c("内圈", "外圈"), c(80, 160))), "example.csv", row.names = FALSE, quote = FALSE)
  set.seed(96); write.csv(data.frame(a = round(c(rnorm(30), rnorm(25, 6), rnorm(20, 3)), 5), b = round(c(rnorm(30), rnorm(25, 3), rnorm(20, 8)), 5), c = round(rnorm(75) / 4, 5)), "oracle-three.csv", row.names = FALSE, quote = FALSE)
  S <- round(exp(-as.matrix(dist(rbind(matrix(rnorm(16), 8), matrix(rnorm(14, 4), 7))))), 6); colnames(S) <- paste0("s", 1:15); write.csv(S, "oracle-alike.csv", row.names = FALSE, quote = FALSE) }
knn <- function(u, k) { d <- as.matrix(dist(u)); n <- nrow(d); g <- matrix(0, n, n); for (i in 1:n) g[i, setdiff(order(d[i, ]), i)[1:(k - 1)]] <- 1; (g + t(g)) / 2 }
run <- function(name, X, u, a, form, k = NULL, unit = 1, given = FALSE, ids = NULL, says = list(), data = NULL, measures) {
  n <- nrow(a); diag(a) <- 0; r <- sqrt(rowSums(a)); L <- diag(n) - a / outer(r, r); e <- eigen(L, symmetric = TRUE); v <- rev(e$values); V <- e$vectors[, n:1] / r; gap <- diff(v); K <- if (is.null(k)) 1 + which.max(round(gap[2:min(10, n - 2)], 10)) else k
  set.seed(1); m <- kmeans(V[, 1:K], K, nstart = 200, iter.max = 100); l <- if (given) { o <- order(-table(m$cluster)); match(m$cluster, o) } else ordered(u, m$cluster); parts <- sum(v < 1e-9)
  z <- lapply(1:min(19, n - 1), function(i) { b <- list("eigenvalues", list(order = i), order = i, gap = gap[i]); if (v[i] > 1e-9) b$value <- v[i]; b$tolerance <- 1e-7; b$reason <- "两种特征值算法的舍入"; do.call(block, b) })
  z <- Filter(function(b) is.null(b$cells$gap) || abs(b$cells$gap) > 1e-9, z); S <- lapply(1:K, function(i) block("sizes", list(name = named(i)), n = sum(l == i), share = mean(l == i)))
  con <- if (parts > K) fact("多于类数，分法不唯一", parts = parts) else if (parts > 1) fact("类不会跨过它们", parts = parts) else "图是连通的"; own <- list("第 K 个与第 K + 1 个特征值之间", "对角线上的方块是类", fact("再把图切成连接最少的几块", kk = K), con)
  if (given) return(case(name, form, c(S, z, lapply(1:n, function(i) block("members", list(row = i), row = i, cluster = named(l[i])))), c(list(fact("个变量聚成", n = n, k = K), "没有参与聚类的变量比较各类", "得到 {k:integer} 类", "预计算矩阵只有相似度"), own, says), data, measures))
  args <- list(X, u, l, unit, "euclidean", FALSE); if (!is.null(ids)) args$ids <- ids; j <- do.call(judged, args); case(name, form, c(S, z, j$blocks), c(spoken(j), own, says), data, measures) }
E <- example(); X <- as.matrix(E[c("x1", "x2")]); G <- as.matrix(example("oracle-three.csv")); top <- max(apply(G, 2, sd)); v <- as.list(colnames(X)); gv <- as.list(colnames(G)); M <- list(编号 = "文本", x1 = "定量", x2 = "定量", 真实类别 = "定类"); gm <- setNames(as.list(rep("定量", 3)), colnames(G))
S0 <- as.matrix(example("oracle-alike.csv")); set.seed(3); s <- specc(scale(X), 2, kernel = "rbfdot", kpar = list(sigma = 8)); stopifnot(all(apply(table(s, E$真实类别), 1, function(r) sum(r > 0)) == 1)); g <- scale(G)
oracle(c("R 4.2.2: eigen, kmeans", "kernlab 0.9-32: specc", "cluster: silhouette"), list(
  run("两个圆环", X, scale(X), knn(scale(X), 10), list(x = v, label = "编号", n_clusters = 2), 2, ids = E$编号, measures = M, says = list(units_said$yes)),
  run("三团，RBF，自动类数", G, g, exp(-.5 * as.matrix(dist(g))^2), list(x = gv, affinity = "rbf", gamma = .5), data = "oracle-three.csv", measures = gm, says = list(map_said(g))),
  run("三团，不标准化", G, G / top, knn(G / top, 12), list(x = gv, n_clusters = 3, n_neighbors = 12, standardize = FALSE), 3, unit = top, data = "oracle-three.csv", measures = gm, says = list(units_said$bad, map_said(G))),
  run("相似度矩阵", NULL, NULL, S0, list(x = as.list(colnames(S0)), affinity = "precomputed", n_clusters = 2), 2, given = TRUE, data = "oracle-alike.csv", measures = setNames(as.list(rep("定量", 15)), colnames(S0)))))
