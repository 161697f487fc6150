# What the oracles of all clusterings share: labels (0 noise) in the order of the report, and the tables all of them have.
source(if (file.exists("../../../../tools/oracle.R")) "../../../../tools/oracle.R" else stop("run from the method's folder"))
suppressMessages(library(cluster))
# Clusters by falling size, then by rising centre of the first variables.
ordered <- function(u, raw) { k <- setdiff(sort(unique(raw)), 0); if (!length(k)) return(raw); n <- sapply(k, function(i) sum(raw == i))
  m <- sapply(seq_len(ncol(u)), function(j) sapply(k, function(i) mean(u[raw == i, j]))); m <- matrix(m, length(k)); o <- do.call(order, c(list(-n), lapply(seq_len(ncol(m)), function(j) round(m[, j], 9))))
  out <- match(raw, k[o]); out[raw == 0] <- 0; out }
named <- function(l) ifelse(l == 0, "噪声", paste0("第", l, "类"))
pair <- function(u, metric = "euclidean") if (metric == "cosine") { w <- u / sqrt(rowSums(u^2)); as.dist(1 - tcrossprod(w)) } else dist(u, c(euclidean = "euclidean", manhattan = "manhattan", chebyshev = "maximum")[[metric]])
# X raw, u what distances are of, unit of a distance, l ordered labels, ids labels of the rows, rows their numbers in the file
judged <- function(X, u, l, unit = 1, metric = "euclidean", noisy = TRUE, ids = paste0("第 ", rows, " 行"), rows = seq_len(nrow(X)), shown = head(seq_len(nrow(X)), 12)) {
  n <- nrow(X); k <- max(l); f <- named(seq_len(k)); z <- scale(X); g <- l > 0; B <- list(); add <- function(b) B[[length(B) + 1]] <<- b
  cen <- t(sapply(seq_len(k), function(i) colMeans(u[l == i, , drop = FALSE]))); cen <- matrix(cen, k)
  away <- rep(NA, n); away[g] <- sqrt(rowSums((u[g, , drop = FALSE] - cen[l[g], , drop = FALSE])^2)) * unit
  for (v in colnames(X)) { s <- split(X[g, v], l[g]); cells <- list("profile", list(name = v)); for (i in seq_len(k)) { cells[[paste0("mean@", f[i])]] <- mean(s[[i]]); if (length(s[[i]]) > 1) cells[[paste0("sd@", f[i])]] <- sd(s[[i]]) }
    if (k > 1) { a <- summary(aov(X[g, v] ~ factor(l[g])))[[1]]; cells$F <- a[1, 4]; add(block("profile", list(name = v), p = a[1, 5], tolerance = if (a[1, 5] < 1e-100) 1e-6 else 1e-8 * (1 + (a[1, 5] < 1e-30)), reason = "p 极小，F 的末位误差被放大")) }
    add(do.call(block, cells)) }
  val <- list("validity", list(), n = n, variables = ncol(X), k = k); val$noise <- sum(!g); val$noise_share <- mean(!g)
  if (k > 1) { val$silhouette <- mean(silhouette(l[g], pair(u[g, , drop = FALSE], metric))[, 3]); U <- u[g, , drop = FALSE]; L <- l[g]; W <- sum((U - cen[L, , drop = FALSE])^2); TT <- sum(scale(U, scale = FALSE)^2)
    val$calinski <- ((TT - W) / (k - 1)) / (W / (sum(g) - k)); S <- tapply(sqrt(rowSums((U - cen[L, , drop = FALSE])^2)), L, mean); R <- outer(S, S, "+") / as.matrix(dist(cen)); diag(R) <- -Inf; val$davies <- mean(apply(R, 1, max)) }
  add(do.call(block, val))
  for (i in shown) add(do.call(block, c(list("members", list(row = rows[i]), row = rows[i], label = ids[i], cluster = named(l)[i]), if (g[i]) list(distance = away[i]) else NULL)))
  for (i in seq_len(k)) if (abs(sum(colMeans(z[l == i, , drop = FALSE]))) > 1e-9) add(points("heat_points", list(group = f[i]), ncol(X), list(value = sum(colMeans(z[l == i, , drop = FALSE])))))
  list(blocks = B, s = val$silhouette, k = k, noise = sum(!g), n = n, vars = ncol(X), share = mean(!g)) }
# Sentences every report has; numbers beside the ones of the lead.
spoken <- function(j, ...) { f <- list(n = j$n, vars = j$vars, k = j$k, noise = j$noise, share = j$share); if (!is.null(j$s)) f$s <- j$s
  c(list(do.call(fact, c(list("个变量聚成"), f)), "各类的特点：", "得到 {k:integer} 类", "只作描述：类就是按这些变量分的", "颜色是各类的标准化均值", "距离是到本类均值的欧氏距离"),
    if (j$k > 1) list(fact("弯曲的类请看散点图", s = j$s), "三个指标都偏好圆形的类") else list("只得到 1 类，看不出分群", "只有 1 类，没有可以比较的类"), list(...)) }
units_said <- list(yes = "各变量已作 Z 标准化", no = "没有标准化，各变量的标准差相差不到 10 倍", bad = "结果几乎只由前者决定")
map_said <- function(u) { v <- svd(scale(u, scale = FALSE))$d^2; fact("横轴和纵轴是前两个主成分", share = sum(v[1:2]) / sum(v)) }
