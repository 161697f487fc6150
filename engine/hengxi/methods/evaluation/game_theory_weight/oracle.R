# Own derivation in R: solve(), and for a negative coefficient optim() over squares. w1 = (.5,.3,.2), w2 = (.25,.35,.4): shares
# .6449 .3551, combined .4112 .3178 .2710.
source("../../../../tools/oracle.R")
one <- function(name, W, items, sources, method = "game_theory", alpha = .5, says = list(), tol = NULL) {
  W <- sweep(W, 2, colSums(W), "/"); K <- ncol(W); raw <- NULL
  if (method %in% c("multiplicative", "min_entropy")) { u <- apply(W, 1, function(r) prod(r)^(if (method == "multiplicative") 1 else 1 / K)); w <- u / sum(u) }
  else { raw <- switch(method, additive = if (K == 2) c(alpha, 1 - alpha) else rep(1 / K, K), distance_function = { d <- sqrt(sum((W[, 1] - W[, 2])^2) / 2); c((1 + d) / 2, (1 - d) / 2) },
      game_theory = { G <- matrix(0, K, K); for (i in 1:K) for (j in 1:K) G[i, j] <- sum(W[, i] * W[, j]); s <- solve(G, diag(G))
        if (any(s < 0)) { best <- Inf; for (keep in unlist(lapply(1:K, function(q) combn(K, q, simplify = FALSE)), recursive = FALSE)) { b <- qr.solve(G[, keep, drop = FALSE], diag(G)); if (all(b >= 0)) { e <- sum((G[, keep, drop = FALSE] %*% b - diag(G))^2); if (e < best) { best <- e; s <- numeric(K); s[keep] <- b } } } }; s })
    w <- as.vector(W %*% raw); w <- w / sum(w) }
  f <- list(weights = list(rows = as.list(items), columns = as.list(sources), values = lapply(1:nrow(W), function(i) as.list(W[i, ]))), method = method, alpha = alpha)
  if (method != "additive") f$alpha <- NULL
  list(w = w, share = raw / sum(raw), case = case(name, f, c(lapply(seq_along(items), function(i) do.call(block, c(list("result", list(item = items[i]), weight = w[i], rank = rank(-round(w, 12), ties.method = "min")[i]), setNames(as.list(W[i, ]), paste0("own@", sources))))),
    lapply(1:K, function(k) block("parts", list(source = sources[k]), raw = if (!is.null(raw)) raw[k], share = if (!is.null(raw)) raw[k] / sum(raw), distance = sqrt(sum((W[, k] - w)^2)), r = cor(W[, k], w)))),
    c(list(fact("组合后权重最大的是", high = max(w), low = min(w)), fact("套权重合成一套", w0 = max(w), k = K), "组合权重介于"), if (is.null(raw)) list("没有组合系数"), says))) }
two <- cbind(c(.5, .3, .2), c(.25, .35, .4)); a <- one("两套权重，博弈论", two, c("甲", "乙", "丙"), c("AHP", "熵值法")); stopifnot(abs(a$w - c(.4112, .3178, .2710)) < 6e-5, abs(a$share - c(.6449, .3551)) < 6e-5)
five <- cbind(c(.32, .24, .18, .16, .10), c(.12, .31, .22, .09, .26)); items <- c("价格", "质量", "服务", "外观", "交货"); three <- cbind(five, c(.25, .2, .2, .2, .15))
neg <- cbind(c(.9, .05, .05), c(.6, .2, .2), c(.34, .33, .33)); neg[, 2] <- c(.55, .3, .15)
ex <- one("五个指标，AHP 与熵值法", five, items, c("AHP", "熵值法"))
oracle("R 4.2.2: solve, qr.solve, own loops", list(ex$case, a$case, one("三套权重", three, items, c("AHP", "熵值法", "CRITIC"))$case,
  one("乘法合成", five, items, c("AHP", "熵值法"), "multiplicative")$case, one("最小相对信息熵，三套", three, items, c("AHP", "熵值法", "CRITIC"), "min_entropy")$case,
  one("加法合成，0.3", five, items, c("AHP", "熵值法"), "additive", .3)$case, one("加法合成，三套", three, items, c("AHP", "熵值法", "CRITIC"), "additive")$case,
  one("距离函数法", five, items, c("AHP", "熵值法"), "distance_function")$case, one("系数为负", neg, c("甲", "乙", "丙"), c("A", "B", "C"), says = list("出现负值"))$case))
