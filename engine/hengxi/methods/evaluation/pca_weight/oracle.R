# R: prcomp() on standardised data, varimax() with Kaiser normalisation. attitude: eigenvalues 3.7164 1.1409 .8472.
source("../../../../tools/oracle.R"); source("../../../../tools/oracle_indicators.R")
student <- "它看的是共同的变化"
one <- function(name, d, f, vars, ends = list(), says = list(), tol = NULL, why = NULL, ...) {
  t <- read_x(d, vars); n3 <- colnames(t$x); dir <- sapply(n3, function(v) { k <- "high"; for (r in f$direction) if (r[["for"]] == v) k <- r$kind; k }); m <- ncol(t$x); n <- nrow(t$x)
  z <- scale(forward(t$x, dir, ends)); p <- prcomp(z); ev <- p$sdev^2; K <- if (is.null(f$n)) max(1, sum(ev > 1)) else f$n; factor <- identical(f$method, "factor_varimax")
  L <- p$rotation[, 1:K, drop = FALSE] %*% diag(p$sdev[1:K], K); if (factor && K > 1) { L <- L %*% varimax(L, eps = 1e-14)$rotmat; L <- L[, order(-colSums(L^2)), drop = FALSE] }
  for (j in 1:K) if (sum(L[, j]) < 0) L[, j] <- -L[, j]; pw <- colSums(L^2); own <- sweep(L, 2, sqrt(pw), "/"); comp <- as.vector(own %*% pw) / sum(pw)
  use <- if (identical(f$negative_loading, "absolute")) abs(comp) else comp; w <- use / sum(use); s <- as.vector(z %*% w); word <- if (factor) "因子" else "成分"
  R <- cor(z); I <- solve(R); A <- -I / sqrt(outer(diag(I), diag(I))); diag(A) <- 0; Q <- R; diag(Q) <- 0; kmo <- sum(Q^2) / (sum(Q^2) + sum(A^2)); chi <- -(n - 1 - (2 * m + 5) / 6) * log(det(R)); df <- m * (m - 1) / 2
  list(ev = ev, case = case(name, f, c(lapply(1:m, function(k) block("result", list(item = n3[k]), coefficient = comp[k], weight = w[k], tolerance = tol, reason = why)),
    lapply(1:m, function(k) block("explained", list(component = as.character(k)), value = ev[k], share = ev[k] / m, cumulative = sum(ev[1:k]) / m)),
    if (factor) lapply(1:K, function(k) block("explained", list(component = as.character(k)), rotated = pw[k], rotated_share = pw[k] / m, tolerance = tol, reason = why)),
    lapply(1:m, function(k) do.call(block, c(list("coefficients", list(item = n3[k])), setNames(as.list(c(L[k, ], own[k, ])), c(paste0("loading@", word, " ", 1:K), paste0("coefficient@", word, " ", 1:K))), list(tolerance = tol, reason = why)))),
    list(block("fit", kmo = kmo, chi2 = chi, df = df, p = pchisq(chi, df, lower.tail = FALSE), tolerance = 1e-7, reason = "a far tail")),
    if (is.null(tol)) score_blocks(names_of(d, t$keep, f$label), s)), c(if (is.null(tol)) weight_says(w, n, student) else list("权重最大的是", "个对象，多于", "方差解释率加权法计算", student, "综合得分是"), list(fact("KMO", kmo = kmo)), says), ...)) }
ex <- example(); at <- example("oracle-attitude.csv"); sv <- example("oracle-survey.csv")
a <- one("attitude", at, list(items = as.list(names(at))), names(at), data = "oracle-attitude.csv"); stopifnot(abs(a$ev[1:3] - c(3.7164, 1.1409, .8472)) < 6e-5)
form <- list(items = as.list(names(ex)[2:7]), label = "城市", direction = list(list("for" = "PM2.5", kind = "low"), list("for" = "能耗强度", kind = "low"), list("for" = "水质pH", kind = "interval", low = 6.8, high = 7.2))); ends <- list(水质pH = c(6.8, 7.2))
sf <- list(items = as.list(names(sv)[2:7]), label = "门店", n = 3, negative_loading = "absolute"); ms <- setNames(as.list(rep("定量", 6)), names(sv)[2:7])
oracle("R 4.2.2: prcomp, varimax", list(one("示例", ex, form, names(ex)[2:7], ends)$case, a$case,
  one("问卷，有缺失和同分，3 个成分，取绝对值", sv, sf, names(sv)[2:7], data = "oracle-survey.csv", measures = ms)$case,
  one("attitude，因子", at, list(items = as.list(names(at)), method = "factor_varimax"), names(at), tol = 1e-5, why = "an iterated rotation", data = "oracle-attitude.csv")$case,
  one("示例不设方向，有负系数", ex, list(items = as.list(names(ex)[2:6]), label = "城市", n = 1), names(ex)[2:6], says = list("综合得分系数是负的"))$case))
