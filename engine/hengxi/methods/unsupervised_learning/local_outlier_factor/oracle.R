# dbscan::lof (minPts = k + 1: it counts the row itself), equal where no distances tie; by the definition with cosine distances.
source("../_shared/outliers.R"); suppressMessages(library(dbscan))
if (!file.exists("example.csv")) { set.seed(41); x <- rbind(cbind(rnorm(140, 0, .3), rnorm(140, 0, .3)), cbind(rnorm(150, 5, 1.2), rnorm(150, 4, 1.2)), cbind(runif(10, 1.1, 2.2), runif(10, -1.8, -.9)))
  write.csv(data.frame(编号 = sprintf("点%03d", 1:300), x1 = round(x[, 1], 6), x2 = round(x[, 2], 6), 是否异常 = rep(c("否", "是"), c(290, 10))), "example.csv", row.names = FALSE, quote = FALSE)
  set.seed(42); write.csv(data.frame(a = round(rexp(40), 6), b = round(rnorm(40, 5), 6), c = round(runif(40, 1, 3), 6), 标记 = rep(c("甲", "乙"), 20)), "oracle-three.csv", row.names = FALSE, quote = FALSE) }
define <- function(d, k) { n <- nrow(d); nn <- t(sapply(1:n, function(i) setdiff(order(d[i, ]), i)[1:k])); nn <- matrix(nn, n); kd <- sapply(1:n, function(i) d[i, nn[i, k]]); lrd <- sapply(1:n, function(i) 1 / mean(pmax(d[i, nn[i, ]], kd[nn[i, ]]))); sapply(1:n, function(i) mean(lrd[nn[i, ]]) / lrd[i]) }
why <- "分母加了 1e-10"
run <- function(name, X, u, form, k = 20, cos = FALSE, share = NULL, truth = NULL, event = NULL, ids = NULL, says = list(), data = NULL, measures) {
  d <- if (cos) { w <- u / sqrt(rowSums(u^2)); 1 - tcrossprod(w) } else as.matrix(dist(u)); f <- function(k) if (cos) define(d, k) else { a <- lof(u, minPts = k + 1); stopifnot(all.equal(unname(a), define(d, k))); a }; s <- f(k); cut <- if (is.null(share)) 1.5 else unname(quantile(s, 1 - share))
  a <- list(scale(X), s, cut, truth, event, tolerance = 1e-7, reason = why); if (!is.null(ids)) a$ids <- ids; j <- do.call(scored, a); ks <- seq(10, 50, 10); ks <- ks[ks < nrow(X)]
  S <- c(list(block("summary", list(), n = nrow(X), count = j$count, share = j$share), block("summary", list(), threshold = cut, largest = max(s), tolerance = 1e-7, reason = why)), lapply(ks, function(q) block("sensitivity", list(neighbours = q), neighbours = q, largest = max(f(q)), mean = mean(f(q)), tolerance = 1e-7, reason = why)))
  case(name, form, c(S, j$blocks), c(j$says, list(fact("LOF 比较一行与它的近邻", k = k), "没有一行的重复行多到近邻数"), says), data, measures) }
E <- example(); X <- as.matrix(E[c("x1", "x2")]); G <- as.matrix(example("oracle-three.csv")[1:3]); t <- example("oracle-three.csv")$标记; top <- max(apply(G, 2, sd)); v <- as.list(colnames(X)); gv <- as.list(colnames(G)); M <- list(编号 = "文本", x1 = "定量", x2 = "定量", 是否异常 = "定类"); gm <- c(setNames(as.list(rep("定量", 3)), colnames(G)), list(标记 = "定类"))
oracle(c("R 4.2.2: dbscan 1.1-11 (lof)，按 Breunig 等 (2000) 的定义核对"), list(
  run("两个密度不同的团", X, scale(X), list(x = v, label = "编号", truth = "是否异常"), truth = E$是否异常 == "是", event = "是", ids = E$编号, measures = M, says = list("各变量已作 Z 标准化")),
  run("给异常比例，不标准化，三个变量", G, G, list(x = gv, n_neighbors = 12, contamination = .3, standardize = FALSE, truth = "标记"), 12, share = .3, truth = t == "乙", event = "乙", data = "oracle-three.csv", measures = gm, says = list(map_said(G), "没有标准化，各变量的标准差相差不到 10 倍")),
  run("余弦", G, G, list(x = gv, n_neighbors = 5, metric = "cosine", standardize = FALSE), 5, cos = TRUE, data = "oracle-three.csv", measures = gm)))
