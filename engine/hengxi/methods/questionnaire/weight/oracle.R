# R 4.2.2, written from the formulas: prcomp, varimax, cor, R² of lm, cor(method = "spearman"). attitude is R's own.
source("../../../../tools/oracle.R")
RNGversion("4.2.0"); set.seed(7); n <- 60; g <- rnorm(n); lik <- function(z) pmin(5, pmax(1, round(3 + z)))
sv <- data.frame(质量 = lik(g + rnorm(n, .8)), 价格 = lik(-g + rnorm(n)), 服务 = lik(.8 * g + rnorm(n, .3)), 配送 = lik(.5 * g + rnorm(n)), 包装 = lik(rnorm(n))); sv[c(4, 22), 2] <- NA
write.csv(sv, "oracle-survey.csv", row.names = FALSE, na = "", quote = FALSE)
alone <- expand.grid(a = 1:3, b = 1:3, c = 1:3); names(alone) <- c("甲", "乙", "丙"); write.csv(alone, "oracle-alone.csv", row.names = FALSE, quote = FALSE)
apart <- data.frame(小 = sv$质量, 大 = 20 * sv$服务); write.csv(apart, "oracle-apart.csv", row.names = FALSE, quote = FALSE)
W <- c(mean_share = "均值归一化", entropy = "熵值法", pca = "主成分法", factor = "因子法（最大方差旋转）", critic = "CRITIC 法", independence = "独立性权重法", information = "信息量权重法", priority_chart = "优序图法")
score <- function(x, turn) { p <- prcomp(x, scale. = TRUE); K <- max(1, sum(p$sdev^2 > 1 + 1e-12)); L <- p$rotation[, 1:K, drop = FALSE] %*% diag(p$sdev[1:K], K)
  if (turn && K > 1) L <- L %*% varimax(L, eps = 1e-14)$rotmat; for (j in 1:K) if (sum(L[, j]) < 0) L[, j] <- -L[, j]; a <- colSums(L^2); as.vector(sweep(L, 2, sqrt(a), "/") %*% a) / sum(a) }
one <- function(name, d, vars, methods, neg = character(), how = "minmax", dims = NULL, says = list(), data = NULL, save = FALSE, students = TRUE) {
  raw <- as.matrix(na.omit(d[vars])); x <- raw; for (v in neg) x[, v] <- max(raw[, v]) + min(raw[, v]) - raw[, v]; m <- ncol(x); n <- nrow(x)
  z <- switch(how, none = x, sum = sweep(x, 2, colSums(x), "/"), zscore = scale(x), minmax = apply(x, 2, function(v) (v - min(v)) / (max(v) - min(v))))
  mu <- colMeans(x); P <- list(mean = mu, sd = apply(x, 2, sd)); S <- list()
  for (k in methods) S[[k]] <- switch(k, mean_share = mu, priority_chart = P$ttl <- sapply(mu, function(u) sum(mu < u - 1e-12) + .5 * sum(abs(mu - u) <= 1e-12)),
    entropy = { P$entropy <- apply(z, 2, function(v) { p <- v / sum(v); -sum(ifelse(p > 0, p * log(p), 0)) / log(n) }); 1 - P$entropy },
    critic = { P$conflict <- colSums(1 - cor(z)); P$information <- apply(z, 2, sd) * P$conflict }, information = P$cv <- apply(raw, 2, sd) / colMeans(raw),
    independence = { P$r <- sapply(1:m, function(j) sqrt(summary(lm(x[, j] ~ x[, -j]))$r.squared)); P$r[P$r < 1e-7] <- 0; 1 / pmax(P$r, .05) }, pca = P$pca <- score(x, FALSE), factor = P$factor <- score(x, TRUE))
  w <- lapply(S, function(s) s / sum(s)); t <- Reduce(`+`, w) / length(w); rk <- function(v) rank(-round(v, 10), ties.method = "min"); loose <- if ("factor" %in% methods) 1e-6; why <- if ("factor" %in% methods) "an iterated rotation"
  bl <- function(...) block(..., tolerance = loose, reason = why)
  E <- list(); for (j in 1:m) { E <- c(E, list(bl("combined", list(item = vars[j]), weight = t[[j]], rank = rk(t)[[j]]), do.call(bl, c(list("parts", list(item = vars[j])), lapply(P, function(p) p[[j]])))))
    E <- c(E, list(do.call(bl, c(list("result", list(item = vars[j])), setNames(lapply(w, function(u) u[[j]]), paste0("weight@", W[methods])), setNames(lapply(w, function(u) rk(u)[[j]]), paste0("rank@", W[methods])))))) }
  low <- NULL; if (length(w) > 1 && m > 2) for (i in 2:length(w)) for (j in 1:(i - 1)) { f <- suppressWarnings(cor(round(w[[i]], 12), round(w[[j]], 12), method = "spearman")); if (!is.na(f)) { low <- min(low, f)
    E <- c(E, list(block("agreement", list(item = W[[methods[i]]], against = W[[methods[j]]]), rho = f))) } }
  lv <- c(dims, if (length(dims) && length(setdiff(vars, unlist(dims)))) list(未分维度 = setdiff(vars, unlist(dims))))
  for (q in names(lv)) for (v in lv[[q]]) { s <- sum(t[match(lv[[q]], vars)]); E <- c(E, list(bl("levels", list(item = v), dimension = q, share = s, inside = t[[match(v, vars)]] / s, weight = t[[match(v, vars)]]))) }
  wire <- c(lapply(seq_along(dims), function(i) list(id = paste0("b", i), name = names(dims)[i], columns = as.list(dims[[i]]))), if (length(r <- setdiff(vars, unlist(dims)))) list(list(id = "loose", name = NULL, columns = as.list(r))))
  span <- round(sapply(1:m, function(j) diff(range(sapply(w, `[[`, j)))), 12); j <- which.max(span); own <- sapply(w, `[[`, j); bymean <- intersect(methods, c("mean_share", "priority_chart"))
  says <- c(says, list(if (diff(range(t)) < 1e-9) fact("的综合权重相同", high = max(t), m = m) else fact("综合权重最大的是", m = m, high = max(t), low = min(t)), fact("份答卷的", n = n, m = m), fact(if (n < 5 * m) "不到 5 倍" else "每个指标至少 5 行", n = n, m = m)),
    if (length(w) > 1) list("取各方法的平均", fact("的权重相差最大", k = length(w), least = min(own), most = max(own))) else list("所得权重见表"),
    if (length(bymean) < length(methods)) list("权重大，不说明受访者"), if (length(bymean)) list("题目问的是重要程度时"),
    if (!is.null(low)) list(fact(if (low < .7) "权重次序差别大" else "权重次序相近", rho = low)) else if (length(w) < 2 || m < 3) list("两种以上方法、3 个以上指标时才有"),
    if (m < 3) list("画不成雷达图"), if (length(dims)) list("合成权重 = 维度权重 × 维度内权重") else list("没有分维度"))
  if (!is.null(loose)) says <- lapply(says, function(s) if (is.list(s)) s$contains else s)
  case(name, c(list(items = wire, methods = as.list(methods), normalize = how, direction = lapply(neg, function(v) list("for" = v, negative = TRUE))), if (save) list(save_index = TRUE)), E, says, data, as.list(setNames(rep("定量", ncol(d)), names(d)))) }
at <- example(); V <- names(at); z <- list()
check <- function(w, known) stopifnot(abs(w - known) < 6e-5)
cr <- one("attitude，CRITIC", at, V, "critic"); check(sapply(Filter(function(b) b$table == "combined", cr$expect), function(b) b$cells$weight), c(.1488, .1259, .1413, .1464, .1066, .1858, .1452))
ind <- one("attitude，独立性", at, V, "independence"); check(sapply(Filter(function(b) b$table == "combined", ind$expect), function(b) b$cells$weight), c(.1156, .1128, .1599, .1258, .1203, .2282, .1374))
cv <- one("attitude，信息量", at, V, "information"); check(sapply(Filter(function(b) b$table == "combined", cv$expect), function(b) b$cells$weight), c(.1385, .1470, .1694, .1532, .1183, .0973, .1763))
oracle(c("R 4.2.2: prcomp, varimax, cor, lm; attitude (Chatterjee & Price)"), list(
  one("示例，默认方法，两级", at, V, c("entropy", "pca"), dims = list(上级 = V[c(1, 2, 6)], 机会 = V[c(3, 4)], 待遇 = V[c(5, 7)])), cr, ind, cv,
  one("示例，全部方法，两级", at, V, names(W), dims = list(管理 = V[c(2, 3, 5)], 工作 = V[c(4, 6)]), says = list("可以比较平均分")),
  one("问卷，有缺失，负向", sv, names(sv), c("mean_share", "entropy", "pca", "critic"), "价格", "sum", data = "oracle-survey.csv", save = TRUE),
  one("问卷，方向未设", sv, names(sv), c("mean_share", "pca", "information"), how = "none", data = "oracle-survey.csv", says = list("负的权重：它与多数指标")),
  one("问卷，Z 标准化", sv, names(sv)[c(1, 3)], c("critic", "priority_chart"), how = "zscore", data = "oracle-survey.csv"),
  one("互不相关", alone, names(alone), c("independence", "information"), data = "oracle-alone.csv", says = list("几乎不相关")),
  one("量程不同", apart, names(apart), "mean_share", data = "oracle-apart.csv", says = list("取值范围相差很大"))))
