# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2: aov, lm, cor, chisq.test, step, quantile; glmnet)
# Scores of sums by class, mutual information, IV, RFE and VIF are written out.
source("../../../../tools/steps.R")
suppressMessages(library(glmnet))
if (!file.exists("example.csv")) { set.seed(41); n <- 240
  z <- matrix(rnorm(n * 8), n); z[, 2] <- .6 * z[, 1] + .8 * z[, 2]; z[, 7] <- z[, 1] + z[, 3] + .15 * z[, 7]; d <- as.data.frame(round(z * 10 + 50, 1)); names(d) <- c("广告", "价格", "口碑", "距离", "面积", "客流", "综合", "噪声")
  s <- 1.2 * z[, 1] - .8 * z[, 3] + .5 * z[, 6]; d$客流 <- pmax(0, round(d$客流 / 10)); d$业态 <- c("超市", "便利店", "专卖店")[1 + (runif(n) < plogis(s / 2)) + (runif(n) < .3)]
  d$销售 <- round(100 + 8 * s + rnorm(n, 0, 8), 1); d$达标 <- ifelse(s + rnorm(n) > .2, "是", "否"); d$档 <- c("低", "中", "高")[1 + (s > -.7) + (s > .7)]; d$集 <- rep(c("训练", "训练", "测试"), length.out = n); d$店 <- paste0("店", 1:n)
  save_example(d); d$广告[c(5, 40)] <- NA; d$业态[7] <- NA; d$销售[9] <- NA; d$常 <- 1; save_example(d, "oracle-gaps.csv"); set.seed(1); save_example(d[sort(sample(n, 150)), names(d) != "常"], "trained.csv") }
x <- example(); rd <- function(f) { d <- example(f); d[!is.na(d) & d == ""] <- NA; d }; gaps <- rd("oracle-gaps.csv"); old <- rd("trained.csv"); q8 <- names(x)[1:8]
kinds <- list(业态 = "定类", 达标 = "定类", 档 = "定类", 集 = "定类", 店 = "定类", 客流 = "定量", 常 = "定量")
words <- c(variance = "方差阈值", correlation = "相关系数", f_test = "F检验", chi2 = "卡方", mutual_info = "互信息", iv = "IV值", lasso = "Lasso", rfe = "递归消除RFE", stepwise = "逐步（AIC）", vif = "VIF剔除")
bin <- function(v) if (is.numeric(v)) findInterval(v, unique(quantile(v, 1:9 / 10)), left.open = TRUE) else v
alone <- function(way, v, y) { k <- !is.na(v); v <- v[k]; y <- y[k]; num <- is.numeric(y); y01 <- if (num) y else as.numeric(y == sort(unique(y))[2]); if (length(unique(v)) < 2) return(c(NA, NA))
  switch(way, correlation = { r <- cor.test(v, y01); c(r$estimate, r$p.value) },
    f_test = if (!num && !is.numeric(v)) c(NA, NA) else { a <- if (num) anova(lm(y ~ v)) else anova(lm(v ~ factor(y))); c(a$F[1], a$`Pr(>F)`[1]) },
    chi2 = if (is.numeric(v)) { o <- tapply(v, y, sum); s <- suppressWarnings(chisq.test(o, p = table(y) / length(y))); c(s$statistic, s$p.value) } else { s <- suppressWarnings(chisq.test(table(v, y), correct = FALSE)); c(s$statistic, s$p.value) },
    mutual_info = { t <- table(bin(v), bin(y)); p <- t / sum(t); e <- outer(rowSums(p), colSums(p)); m <- sum(ifelse(p > 0, p * log(p / e), 0)); c(m, pchisq(2 * sum(t) * m, (nrow(t) - 1) * (ncol(t) - 1), lower.tail = FALSE)) },
    iv = { t <- table(bin(v), y); h <- ifelse(t[, 1] == 0 | t[, 2] == 0, .5, 0); a <- (t[, 1] + h) / sum(t[, 1]); b <- (t[, 2] + h) / sum(t[, 2]); c(sum((a - b) * log(a / b)), NA) }) }
order_of <- function(s, low = FALSE) { r <- rank(if (low) s else -s, ties.method = "first", na.last = "keep"); r }
vifs <- function(d) sapply(names(d), function(j) if (ncol(d) < 2) 1 else 1 / (1 - summary(lm(d[[j]] ~ ., d[setdiff(names(d), j)]))$r.squared))
# Score, rank, p and choice of every feature of d for target y.
way_of <- function(way, d, y, k, form) { f <- names(d); na <- rep(NA_real_, length(f)); p <- na
  if (way == "variance") { s <- sapply(d, var, na.rm = TRUE); return(list(s = s, kept = s > form$threshold, rank = order_of(s), p = na)) }
  if (!way %in% c("lasso", "rfe", "stepwise", "vif")) { r <- sapply(d, function(v) alone(way, v, y)); s <- r[1, ]; rank <- order_of(abs(s)); return(list(s = s, kept = !is.na(rank) & rank <= k, rank = rank, p = r[2, ])) }
  move <- sapply(d, function(v) length(unique(v[!is.na(v)])) > 1); ok <- complete.cases(d); w <- d[ok, move]; if (!is.null(y)) { y <- y[ok]; if (!is.numeric(y)) y <- as.numeric(y == sort(unique(y))[2]) }; s <- na; rank <- na; names(s) <- names(rank) <- f; gone <- character()
  if (way == "vif") { left <- w; repeat { v <- vifs(left); s[names(v)] <- v; if (max(v) <= form$most_vif) break; g <- names(which.max(v)); gone <- c(gone, g); left <- left[setdiff(names(left), g)] }; kept <- names(left); rank[kept] <- order_of(s[kept], TRUE) }
  if (way == "rfe") { left <- names(w); repeat { b <- abs(coef(lm(scale(y) ~ scale(as.matrix(w[left]))))[-1]); names(b) <- left; s[left] <- b; if (length(left) <= k) break; g <- names(which.min(b)); gone <- c(gone, g); left <- setdiff(left, g) }; kept <- left; rank[kept] <- order_of(s[kept]) }
  if (length(gone)) rank[rev(gone)] <- length(kept) + seq_along(gone)
  if (way == "stepwise") { m <- step(lm(y ~ ., cbind(w, y = y)), trace = 0); kept <- names(coef(m))[-1]; kept <- gsub("`", "", kept); a <- function(v) extractAIC(lm(y ~ ., cbind(w[v], y = y)))[2]; base <- a(kept)
    for (j in names(w)) s[j] <- if (j %in% kept) a(setdiff(kept, j)) - base else base - a(c(kept, j)); all <- c(kept[order(-s[kept])], setdiff(names(w), kept)[order(-s[setdiff(names(w), kept)])]); rank[all] <- seq_along(all) }
  if (way == "lasso") { X <- as.matrix(w); n <- nrow(X); Z <- apply(X, 2, function(v) (v - mean(v)) / sqrt(mean((v - mean(v))^2))); top <- max(abs(crossprod(Z, y - mean(y)))) / n; path <- top * 1e-3^(0:99 / 99); fold <- (seq_len(n) - 1) %% form$cv
    fit <- function(a, b) glmnet(a, b, lambda = path, thresh = 1e-22, maxit = 1e7); err <- rowSums(sapply(0:(form$cv - 1), function(i) { g <- fit(X[fold != i, ], y[fold != i]); colSums((y[fold == i] - predict(g, X[fold == i, ]))^2) }))
    at <- which.min(err); b <- abs(as.matrix(coef(fit(X, y)))[-1, at] * apply(X, 2, function(v) sqrt(mean((v - mean(v))^2)))) / sqrt(mean((y - mean(y))^2)); s[names(b)] <- b; kept <- names(b)[b > 0]; rank[names(b)] <- order_of(b); lambda <<- path[at] }
  list(s = s, kept = f %in% kept, rank = rank, p = p) }
run <- function(name, ways, vars = q8, target = NULL, form = list(), data = x, file = NULL, from = data, keep = rep(TRUE, nrow(from)), says = list(), datasets = FALSE) { set <- modifyList(list(threshold = .01, most_vif = 10, cv = 5, combine = "all"), form); ways <- intersect(names(words), ways)
  rows <- keep & if (is.null(target)) TRUE else !is.na(from[[target]]); d <- from[rows, vars]; y <- if (is.null(target)) NULL else from[rows, target]; k <- if (is.null(form$k)) min(10, ceiling(length(vars) / 2)) else form$k
  o <- lapply(setNames(ways, ways), way_of, d, y, k, set); votes <- rowSums(sapply(o, function(a) a$kept)); stay <- votes >= c(all = length(ways), half = ceiling(length(ways) / 2), any = 1)[[set$combine]]; out <- list()
  loose <- function(...) if ("lasso" %in% ways) block(..., tolerance = 1e-6, reason = "坐标下降停止时的精度") else block(...)
  for (i in seq_along(vars)) { cells <- list(n = sum(!is.na(d[[i]])), votes = votes[i], chosen = if (stay[i]) "入选" else "去掉")
    for (w in ways) { put <- function(key, v) if (!is.na(v)) cells[[paste0(key, "@", words[[w]])]] <<- unname(v); put("score", o[[w]]$s[[i]]); put("rank", o[[w]]$rank[[i]]); put("p", o[[w]]$p[[i]]); cells[[paste0("kept@", words[[w]])]] <- if (o[[w]]$kept[i]) "是" else "否" }
    out <- c(out, list(do.call(loose, c(list("result", list(feature = vars[i])), cells)))) }
  for (a in seq_along(ways)) { w <- ways[a]; s <- abs(o[[w]]$s); s[is.na(s)] <- 0; out <- c(out, list(block("ways", list(method = words[[w]]), n = sum(o[[w]]$kept), features = paste(vars[o[[w]]$kept], collapse = "、"))))
    b <- points("bars", list(method = words[[w]]), length(s), list(share = sum(s / max(s)))); if (w == "lasso") b <- c(b, list(tolerance = 1e-6, reason = "坐标下降停止时的精度")); out <- c(out, list(b))
    for (b in seq_along(ways)) if (b > a) out <- c(out, list(block("overlap", list(first = words[[w]], second = words[[ways[b]]]), both = sum(o[[w]]$kept & o[[ways[b]]]$kept)))) }
  q <- vars[sapply(d, is.numeric)]; if (length(q) > 1) { r <- suppressWarnings(cor(d[q], use = "pairwise")); out <- c(out, list(points("pairs", list(), length(r), list(r = sum(r, na.rm = TRUE))))) } else says <- c(says, list("没有相关可画"))
  lost <- sum(!stay) + if (identical(form$rest, "drop")) ncol(data) - length(vars) - length(target) else 0
  out <- c(out, list(record("特征筛选", nrow(data), ncol(data) - lost, c(nrow(data), ncol(data))))); if (length(ways) < 2) says <- c(says, list("只选了一种方法")); if ("lasso" %in% ways) says <- c(says, list(c(fact("Lasso 的 λ", v = lambda))))
  rule <- c(all = "都入选才", half = "至少一半入选就", any = "任一入选就")[[set$combine]]
  tail <- if (datasets) "筛选由“trained”求得" else if (!is.null(form$train)) "筛选只用训练行" else if (!is.null(target) && any(!ways %in% c("variance", "vif"))) "筛选用到了目标" else "这里没有用到目标"
  made <- case(name, c(list(features = as.list(vars), method = as.list(ways)), if (!is.null(target)) list(target = target), form), out, c(list(if (length(ways) > 1) fact(paste0("种方法", rule), p = length(vars), k = sum(stay), n = nrow(d), m = length(ways)) else fact(paste0("方法是", words[[ways]]), p = length(vars), k = sum(stay), n = nrow(d)), tail), says), data = file, measures = if (is.null(file)) kinds[names(kinds) != "常"] else kinds)
  if (datasets) c(made, list(datasets = list(learn_from = list(list(vid = 2, data = "trained.csv", measures = kinds[names(kinds) != "常"]))))) else made }
stopifnot(max(abs(sapply(iris[1:4], function(v) alone("f_test", v, as.character(iris$Species))[1]) - c(119.2645, 49.1600, 1180.1612, 960.0071))) < 1e-3)
oracle(c("R 4.2.2: lm(), cor.test(), chisq.test(), step(), quantile(type = 7)", "glmnet: lasso path", "mutual information, IV, RFE and VIF written out"), list(
  run("方差与F", c("variance", "f_test"), target = "达标"), run("回归", c("correlation", "f_test", "mutual_info"), target = "销售", form = list(k = 3, combine = "half")),
  run("线性方法", c("rfe", "stepwise"), target = "销售"), run("Lasso", "lasso", target = "销售"), run("Lasso两类", c("lasso", "correlation"), target = "达标", form = list(combine = "any", cv = 4)),
  run("VIF", c("variance", "vif"), form = list(rest = "drop", threshold = 20, most_vif = 5)),
  run("类别特征", c("chi2", "mutual_info", "iv"), c("客流", "业态", "面积"), "达标", list(combine = "any")), run("只有类别", "chi2", c("业态", "档"), "达标"),
  run("三类目标", c("f_test", "mutual_info"), target = "档", form = list(train = "集", train_level = "训练"), keep = x$集 == "训练"),
  run("缺失与常数", "f_test", c("广告", "业态", "常"), "销售", data = gaps, file = "oracle-gaps.csv", says = list("没有变异，不入选")),
  run("缺失逐步", "stepwise", c("广告", "口碑", "客流", "常"), "销售", data = gaps, file = "oracle-gaps.csv", says = list("没有变异，不入选", fact("只用所有特征都有值", k = 237))),
  run("取自另一份", c("f_test", "rfe"), target = "销售", form = list(learn_from = list(vid = 2)), from = old, datasets = TRUE)))
