# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2, cluster 2.1.4)
# kmeans (Hartigan-Wong, nstart 200), cluster::silhouette, summary of aov by variable; Davies-Bouldin and
# Calinski-Harabasz written out from their papers; cluster::clusGap (d.power 2, spaceH0 = "scaledPCA") for the gap.
# PSPP 1.6.2: QUICK CLUSTER 萼片长 萼片宽 花瓣长 花瓣宽 /CRITERIA=CLUSTERS(3) MXITER(100) CONVERGE(0.000001) on example.csv gives
# the same sizes (50, 62, 38) and centres to the three decimals it prints (compared by hand).
suppressMessages({library(cluster); library(jsonlite)})
invisible(Sys.setlocale("LC_ALL", "C.UTF-8"))
d <- data.frame(编号 = sprintf("花%03d", 1:150), 萼片长 = iris[[1]], 萼片宽 = iris[[2]], 花瓣长 = iris[[3]], 花瓣宽 = iris[[4]])
write.csv(d, "example.csv", row.names = FALSE, quote = FALSE)

block <- function(.table, .where, ...) list(table = .table, where = .where, cells = lapply(list(...), unname))
loose <- function(b, tolerance, reason) c(b, list(tolerance = tolerance, reason = reason))
none <- setNames(list(), character())
wide <- function(v, key, names_) setNames(as.list(v), paste0(key, "@", names_))

best <- function(u, k) { set.seed(1); m <- kmeans(u, k, iter.max = 200, nstart = 200)
  o <- order(-m$size, m$centers[, 1]); m$centers <- m$centers[o, , drop = FALSE]; m$size <- m$size[o]; m$withinss <- m$withinss[o]; m$cluster <- match(m$cluster, o); m }
db <- function(u, m) { s <- sapply(seq_along(m$size), function(i) mean(sqrt(rowSums(sweep(u[m$cluster == i, , drop = FALSE], 2, m$centers[i, ])^2))))
  D <- as.matrix(dist(m$centers)); R <- outer(s, s, "+") / D; diag(R) <- -Inf; mean(apply(R, 1, max)) }
judge <- function(u, m) { n <- nrow(u); k <- length(m$size); list(within = m$tot.withinss, between = m$betweenss / m$totss,
  silhouette = mean(silhouette(m$cluster, dist(u))[, 3]), calinski = (m$betweenss / (k - 1)) / (m$tot.withinss / (n - k)), davies = db(u, m)) }

case <- function(name, x, k, scale, form, says, label = FALSE, compare = FALSE) {
  X <- as.matrix(d[x]); n <- nrow(X); z <- scale(X)
  u <- switch(scale, none = X, z = z, range = apply(X, 2, function(v) (v - min(v)) / (max(v) - min(v)))); u <- matrix(u, n, dimnames = list(NULL, x))
  m <- best(u, k); f <- paste0("第", 1:k, "类"); B <- list(); add <- function(b) B[[length(B) + 1]] <<- b
  si <- silhouette(m$cluster, dist(u))
  for (v in x) {
    g <- split(X[, v], m$cluster); s <- split(z[, v], m$cluster)
    add(do.call(block, c(list("centres", list(name = v)), wide(c(sapply(g, mean), mean(X[, v])), "mean", c(f, "全部")), wide(c(sapply(g, sd), sd(X[, v])), "sd", c(f, "全部")))))
    add(do.call(block, c(list("standard_centres", list(name = v)), wide(sapply(s, mean), "centre", f))))
    a <- summary(aov(X[, v] ~ factor(m$cluster)))[[1]]
    add(block("anova", list(name = v), F = a[1, 4], df1 = a[1, 1], df2 = a[2, 1], p = a[1, 5], eta2 = a[1, 2] / sum(a[, 2])))
  }
  for (i in 1:k) add(block("sizes", list(name = f[i]), n = m$size[i], share = m$size[i] / n, width = mean(si[m$cluster == i, 3]), negative = sum(si[m$cluster == i, 3] < 0)))
  add(block("sizes", list(name = "合计"), n = n, share = 1, width = mean(si[, 3]), negative = sum(si[, 3] < 0)))
  j <- judge(u, m); add(do.call(block, c(list("evaluation", none, n = n, variables = length(x), k = k, total_squares = m$totss, between_squares = m$betweenss), j)))
  away <- sqrt(rowSums((u - m$centers[m$cluster, , drop = FALSE])^2))
  for (i in 1:k) { rows <- which(m$cluster == i); rows <- rows[order(round(away[rows], 12), rows)][1:3]
    for (r in rows) add(block("nearest", list(row = I(r)), name = f[i], label = if (label) d$编号[r], distance = away[r])) }
  if (compare) {
    add(block("comparison", list(k = 1), k = 1, within = sum(scale(u, scale = FALSE)^2), between = 0))
    for (q in 2:5) add(do.call(block, c(list("comparison", list(k = q), k = q), judge(u, best(u, q)))))   # beyond, 25 restarts need not reach the minimum that 200 find
    if (isTRUE(form$compare_k)) { set.seed(2); gp <- clusGap(u, function(x, k) kmeans(x, k, iter.max = 100, nstart = 10), 10, B = 300, d.power = 2, spaceH0 = "scaledPCA", verbose = FALSE)$Tab
      for (q in 1:10) { add(loose(block("comparison", list(k = q), gap = gp[q, "gap"]), .05 + (q == 1) * .5, "随机参照：50 次对 300 次独立参照")) 
        add(loose(block("comparison", list(k = q), gap_se = gp[q, "SE.sim"] * sqrt(1 + 1/50) / sqrt(1 + 1/300)), .45, "50 次参照的标准差的抽样误差")) } }
  }
  list(name = name, form = form, data = "example.csv", measures = list(编号 = "文本", 萼片长 = "定量", 萼片宽 = "定量", 花瓣长 = "定量", 花瓣宽 = "定量"), expect = B,
    says = c(as.list(says), list(list(contains = "（平均轮廓系数 {s:num3}）", facts = list(s = j$silhouette, n = n, k = k, between = j$between)))))
}
v <- c("萼片长", "萼片宽", "花瓣长", "花瓣宽")
all <- c("均值 ± 标准差", "轮廓系数比较一个个案", "平方和在", "只作描述：类别正是", "以全部个案的标准差", "每类离中心最近的", "每类的个案按轮廓系数", "先看怎么分的", "再看每一类", "然后看分得清不清", "最后注意",
  "对 {n:integer} 例作 K-Means", "聚类是探索性的描述", "个案小于 0", " 例分成 {k:integer} 类，", "最小的一类有")
cases <- list(
  case("鸢尾花，不标准化", v, 3, "none", list(x = v, label = "编号", scale = "none"), c(all, "投到方差最大的两个方向", "各类的标准化中心", "没有标准化，"), label = TRUE),
  case("Z 标准化，自动选 K", v, 2, "z", list(x = v, k_rule = "auto"), c(all, "下降明显变缓", "K = 1 为不分类", "各变量已按"), compare = TRUE),
  case("极差标准化，四类，对照与 Gap", v, 4, "range", list(x = v, k = 4, scale = "range", compare_k = TRUE), c(all, "1 个标准误的规则"), compare = TRUE),
  case("一个变量", v[3], 3, "z", list(x = I(v[3])), c(all, "画不出主成分平面", "画不成雷达图")))
cat(toJSON(list(sources = c("R 4.2.2: kmeans, aov", "cluster 2.1.4: silhouette, clusGap", "PSPP 1.6.2: QUICK CLUSTER（鸢尾花不标准化，三位小数）", "iris: Fisher (1936), public domain"), cases = cases, unverified = list(), quick = none), auto_unbox = TRUE, digits = NA, pretty = 1, null = "null", na = "null"))
