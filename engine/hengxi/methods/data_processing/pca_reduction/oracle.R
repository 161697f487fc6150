# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2: prcomp, svd, eigen; MASS::lda; psych::fa for a check)
# Kernels and regression factor scores are written out. Data: USArrests and state.region of R's datasets (public domain).
source("../../../../tools/columns.R")
suppressMessages({library(psych); library(MASS)})
if (!file.exists("example.csv")) {
  d <- data.frame(州 = rownames(USArrests), 谋杀 = USArrests$Murder, 袭击 = USArrests$Assault, 城市人口 = USArrests$UrbanPop, 强奸 = USArrests$Rape, 大区 = c("东北部", "南部", "中北部", "西部")[as.integer(state.region)], 集 = rep(c("训练", "训练", "测试"), length.out = 50))
  save_example(d); d$谋杀[c(4, 9)] <- NA; d$袭击[9] <- NA; d$常 <- 7; save_example(d, "oracle-gaps.csv"); save_example(d[seq(1, 50, 2), 1:7], "trained.csv") }
x <- example(); gaps <- example("oracle-gaps.csv"); old <- example("trained.csv"); v4 <- c("谋杀", "袭击", "城市人口", "强奸"); kinds <- list(常 = "定量")
flip <- function(L) apply(L, 2, function(l) sign(l[which.max(abs(l))]))
zof <- function(z, by, sc) scale(z, colMeans(by), if (sc) apply(by, 2, sd) else FALSE)
kern <- list(rbf = function(a, b) exp(-outer(seq_len(nrow(a)), seq_len(nrow(b)), Vectorize(function(i, j) sum((a[i, ] - b[j, ])^2))) / ncol(a)),
  poly = function(a, b) (a %*% t(b) / ncol(a) + 1)^3, cosine = function(a, b) (a %*% t(b)) / outer(sqrt(rowSums(a^2)), sqrt(rowSums(b^2))))
# Of training rows t: eigenvalues, the total, centre, scale, and for k components loadings, coefficients and scores of rows z.
learn <- function(t, form, group) { m <- form$method; sc <- !identical(form$matrix, "covariance"); p <- ncol(t); n <- nrow(t); none <- list(center = colMeans(t), scale = rep(1, p))
  lin <- function(values, total, W, center, scale) list(values = values, total = total, center = center, scale = scale, build = function(k) { W <- W[, 1:k, drop = FALSE]; f <- function(z) scale(z, center, scale) %*% W; L <- cor(t, f(t)); s <- flip(L); list(L = L %*% diag(s, k), W = W %*% diag(s, k), f = function(z) f(z) %*% diag(s, k)) })
  if (m == "pca") { r <- prcomp(t, scale. = sc); return(lin(r$sdev^2, sum(r$sdev^2), r$rotation, r$center, if (sc) r$scale else rep(1, p))) }
  if (m == "svd") { r <- svd(t); return(lin(r$d^2, sum(r$d^2), r$v, rep(0, p), rep(1, p))) }
  if (m == "lda") { r <- lda(t, group); e <- r$svd^2 * (length(unique(group)) - 1) / (n - length(unique(group))); return(lin(e, sum(e), r$scaling, colMeans(t), rep(1, p))) }
  if (m == "factor") { R <- cor(t); e <- eigen(R)$values; return(list(values = e, total = p, center = colMeans(t), scale = apply(t, 2, sd), build = function(k) {
    h <- 1 - 1 / diag(solve(R)); for (i in 1:50000) { q <- R; diag(q) <- h; g <- eigen(q); L <- g$vectors[, 1:k, drop = FALSE] %*% diag(sqrt(g$values[1:k]), k); new <- rowSums(L^2); if (max(abs(new - h)) < 1e-15) break; h <- new }
    pa <- suppressWarnings(fa(R, k, fm = "pa", rotate = "none", SMC = TRUE, max.iter = 20000, min.err = 1e-12)); stopifnot(max(abs(abs(unclass(pa$loadings)) - abs(L))) < 1e-5)
    L <- L %*% diag(flip(L), k); W <- solve(R, L); list(L = L, W = W, f = function(z) zof(z, t, TRUE) %*% W) })) }
  K <- kern[[if (is.null(form$kernel)) "rbf" else form$kernel]]; z <- zof(t, t, sc); J <- diag(n) - 1 / n; g <- eigen(J %*% K(z, z) %*% J, symmetric = TRUE); keep <- g$values > 1e-12 * n * g$values[1]; e <- g$values[keep]
  list(values = e, total = sum(e), build = function(k) { A <- g$vectors[, 1:k, drop = FALSE] %*% diag(1 / sqrt(e[1:k]), k); k0 <- K(z, z); f <- function(new) { b <- K(zof(new, t, sc), z); (b - rowMeans(b) - matrix(colMeans(k0), nrow(b), n, TRUE) + mean(k0)) %*% A }
    L <- cor(t, f(t)); s <- flip(L); list(L = L %*% diag(s, k), f = function(w) f(w) %*% diag(s, k)) }) }
way <- c(pca = "主成分", kernel_pca = "核主成分", factor = "因子得分", svd = "截断SVD", lda = "线性判别"); pre <- c(pca = "PC", kernel_pca = "KPC", factor = "因子", svd = "SVD", lda = "LD")
run <- function(name, k, form = list(), vars = v4, data = x, file = NULL, from = data, keep = rep(TRUE, nrow(from)), used = vars, says = list(), datasets = FALSE, most = 50) { if (is.null(form$method)) form$method <- "pca"; m <- form$method
  ok <- keep & complete.cases(from[vars]); t <- as.matrix(from[ok, used, drop = FALSE]); s <- learn(t, form, from$大区[ok]); b <- s$build(k); P <- paste0(pre[[m]], seq_along(s$values)); share <- s$values / s$total; out <- list()
  for (j in seq_len(min(length(P), most))) out <- c(out, list(block("explained", list(component = P[j]), value = s$values[j], share = share[j], cumulative = sum(share[1:j]), kept = if (j <= k) "是" else "否")))
  for (i in seq_along(used)) { out <- c(out, list(do.call(block, c(list("loadings", list(variable = used[i])), setNames(as.list(b$L[i, ]), paste0("loading@", P[1:k]))))))
    if (m != "kernel_pca") out <- c(out, list(do.call(block, c(list("coefficients", list(variable = used[i]), center = s$center[[i]], scale = s$scale[[i]]), setNames(as.list(b$W[i, ]), paste0("coefficient@", P[1:k])))))) }
  whole <- complete.cases(data[used]); y <- b$f(as.matrix(data[whole, used, drop = FALSE]))
  for (j in 1:k) out <- c(out, list(block("scores", list(variable = P[j]), n = sum(whole), missing = sum(!whole), mean = centre(y[, j]), sd = sd(y[, j]), least = min(y[, j]), most = max(y[, j]))))
  if (k > 1) { f <- b$f(t)[, 1:2]; u <- f %*% diag(1 / apply(f, 2, sd)); reach <- max(abs(u)); all <- rbind(u, b$L[, 1:2] * reach)
    out <- c(out, lapply(c(1, 2, nrow(f)), function(i) points("score_points", list(row = i), 1, list(x = f[i, 1], y = f[i, 2]))), list(points("score_points", list(), nrow(f), list(row = sum(seq_len(nrow(f))))), points("both_points", list(), nrow(all), list(x = sum(all[, 1]), y = sum(all[, 2]))))) } else says <- c(says, list("不画平面图"))
  out <- c(out, list(record("数据降维", nrow(data), ncol(data) + k, c(nrow(data), ncol(data)))))
  facts <- list(p = length(used), k = k, n = nrow(t), share = sum(share[1:k])); if (m != "factor") facts$first <- share[1]
  tail <- if (datasets) "参数由“trained”求得" else if (!is.null(form$train)) "参数只由训练行求得" else if (m == "lda") "判别用到了类别" else "要训练预测模型时"
  made <- case(name, c(list(variables = as.list(vars)), form), out, c(list(do.call(fact, c(list(paste0("按", way[[m]], "降为")), facts)), tail), if (m == "kernel_pca") list("没有系数"), if (m == "factor") list("不是因子抽取后的方差"), says), data = file, measures = if (is.null(file)) NULL else kinds)
  if (datasets) c(made, list(datasets = list(learn_from = list(list(vid = 2, data = "trained.csv"))))) else made }
oracle(c("R 4.2.2: prcomp(), svd(), eigen()", "MASS: lda()", "kernels, principal axes and regression scores written out; psych::fa agrees"), list(
  run("主成分", 2), run("特征值大于1", 1, list(rule = "eigen")), run("协方差", 2, list(matrix = "covariance", rule = "fixed")), run("协方差平均特征值", 1, list(matrix = "covariance", rule = "eigen")),
  run("训练行", 3, list(rule = "variance", variance = .95, train = "集", train_level = "训练"), keep = x$集 == "训练"),
  run("缺失与常数", 2, vars = c(v4, "常"), used = v4, data = gaps, file = "oracle-gaps.csv", says = list("没有变异，已剔除", fact("行有缺失，得分为缺失", k = 2))),
  run("取自另一份", 2, list(learn_from = list(vid = 2)), from = old, datasets = TRUE),
  run("截断SVD", 2, list(method = "svd", rule = "fixed")), run("线性判别", 2, list(method = "lda", category = "大区", rule = "fixed")),
  run("判别个数", 3, list(method = "lda", category = "大区", rule = "fixed", n_components = 4), says = list(fact("特征值大于 0", k = 3))),
  run("因子", 1, list(method = "factor", rule = "eigen")), run("因子太多", 2, list(method = "factor", rule = "fixed", n_components = 3), says = list(fact("个变量最多取", p = 4, k = 2))),
  run("核RBF", 2, list(method = "kernel_pca", rule = "fixed")), run("核多项式", 2, list(method = "kernel_pca", rule = "fixed", kernel = "poly", train = "集", train_level = "训练"), keep = x$集 == "训练"),
  run("核余弦", 2, list(method = "kernel_pca", rule = "fixed", kernel = "cosine", matrix = "correlation"))))
