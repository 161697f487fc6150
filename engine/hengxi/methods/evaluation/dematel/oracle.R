# Own derivation in R by solve(). By hand (catalogue): Z below, s = 6: D 11.0000 10.5620 10.2555 7.8029, C 7.8029 10.2555
# 10.5620 11.0000.
source("../../../../tools/oracle.R")
one <- function(name, f, nm, Zs, people = NULL, says = list()) { get <- function(k, z) if (is.null(f[[k]])) z else f[[k]]; n <- length(nm); all <- get("normalize", "max_row_col"); th <- get("threshold", "mean")
  TT <- function(Z) { s <- if (all == "max_row") max(rowSums(Z)) else max(rowSums(Z), colSums(Z)); X <- Z / s; list(s = s, X = X, T = solve(diag(n) - X) - diag(n)) }   # = X (I - X)^-1
  Z <- Reduce(`+`, Zs) / length(Zs); r <- TT(Z); T <- r$T; D <- rowSums(T); C <- colSums(T); w <- sqrt((D + C)^2 + (D - C)^2); kind <- function(v) ifelse(v > 1e-9, "原因", ifelse(v < -1e-9, "结果", "平衡")); rk <- rank(-round(D + C, 12), ties.method = "min"); out <- list(); add <- function(b) out[[length(out) + 1]] <<- b
  zero <- function(v) if (abs(v) < 1e-12) 0 else v
  for (i in 1:n) { add(block("result", list(factor = nm[i]), d = D[[i]], c = C[[i]], prominence = D[[i]] + C[[i]], weight = w[[i]] / sum(w), kind = kind(D - C)[[i]], rank = rk[[i]])); add(block("result", list(factor = nm[i]), relation = D[[i]] - C[[i]], tolerance = 1e-7, reason = "a difference of sums near each other"))
    for (j in 1:n) { add(block("total", list(item = nm[i], against = nm[j]), value = T[i, j])); add(block("scaled", list(item = nm[i], against = nm[j]), value = r$X[i, j])); if (length(people)) add(block("mean", list(item = nm[i], against = nm[j]), value = Z[i, j])) } }
  cuts <- list(mean = mean(T), mean_plus_sd = mean(T) + sd(as.vector(T)), quartile3 = quantile(as.vector(T), .75, names = FALSE), manual = if (th == "manual") f$threshold_value); cuts <- Filter(Negate(is.null), cuts); words <- c(mean = "平均值", mean_plus_sd = "平均值 + 标准差", quartile3 = "上四分位数", manual = "自定义阈值")
  for (k in names(cuts)) add(block("cuts", list(rule = words[[k]]), cut = cuts[[k]], edges_ = { u <- round(T, 10) > round(cuts[[k]], 10); sum(u) - sum(diag(u)) }, used = if (k == th) "是" else "否"))
  info <- list(s = r$s, radius = max(Mod(eigen(r$X)$values))); more <- list(); if (length(people)) { B <- Reduce(`+`, Zs[-length(Zs)]) / (length(Zs) - 1); ok <- Z > 0; g <- mean(abs(Z - B)[ok] / Z[ok]); info$gap <- g; mx <- 0
    for (k in seq_along(people)) { q <- TT(Reduce(`+`, Zs[-k]) / (length(Zs) - 1))$T; d <- rowSums(q); cc <- colSums(q); ch <- sum(kind(d - cc) != kind(D - C)); mx <- max(mx, ch); add(block("without", list(expert = people[k]), changed = ch, first = nm[which.max(round(d + cc, 12))])) }
    more <- list(fact(if (g < .05) "再加一位专家" else "最好再请几位专家", gap = g), if (mx > 0) fact("个因素的属性改变", k = mx) else "因素的属性都不变") }
  add(do.call(block, c(list("facts_", list()), info))); t1 <- which.max(round(D + C, 12)); flat <- diff(range(round(D - C, 9))) == 0
  list(D = D, C = C, case = case(name, f, out, c(list(if (flat) "没有因素偏向原因或结果" else fact("最偏向原因", m = (D + C)[[t1]], n = n), fact("换一个阈值", cut = cuts[[th]]), fact("个是原因因素", causes = sum(D - C > 1e-9)), "不是数据证明的因果"), more, says))) }
Z1 <- rbind(c(0, 3, 2, 1), c(1, 0, 3, 2), c(1, 2, 0, 3), c(2, 1, 1, 0)); nm <- c("价格", "质量", "品牌", "服务"); vals <- function(M) lapply(seq_len(nrow(M)), function(i) as.list(M[i, ]))
grid <- function(M, nm) list(rows = nm, columns = nm, values = vals(M)); f1 <- function(...) list(source = "single", direct = grid(Z1, nm), ...)
ex <- one("示例，一张矩阵", f1(), nm, list(Z1)); stopifnot(abs(ex$D - c(11, 10.5620, 10.2555, 7.8029)) < 6e-5, abs(ex$C - c(7.8029, 10.2555, 10.5620, 11)) < 6e-5)
write(toJSON(f1(), auto_unbox = TRUE, digits = NA), "example.json")
set.seed(4); n8 <- c("领导支持", "资金投入", "技术能力", "人员素质", "制度建设", "信息共享", "合作关系", "外部环境"); base <- matrix(sample(0:4, 64, TRUE, c(2, 3, 3, 2, 1)), 8); diag(base) <- 0
Zs <- lapply(1:6, function(k) { M <- pmin(pmax(base + sample(-1:1, 64, TRUE, c(1, 3, 1)), 0), 4); dim(M) <- c(8, 8); diag(M) <- 0; M }); people <- paste0("专家", 1:6)
fx <- function(Zs, ...) list(source = "experts", factors = list(id = "g", name = "绩效", children = lapply(seq_along(n8), function(i) list(id = paste0("n", i), name = n8[i], children = list()))), experts = lapply(seq_along(Zs), function(i) list(id = paste0("e", i), name = paste0("专家", i))),
  sheets = list(sheets = lapply(seq_along(Zs), function(i) list(key = list("g", paste0("e", i)), rows = n8, columns = n8, values = vals(Zs[[i]])))), ...)
same <- list(base, base, base); Z0 <- rbind(c(0, 2, 1), c(1, 0, 2), c(2, 1, 0)); Z0 <- rbind(c(0, 1, 2, 0), c(1, 0, 0, 2), c(2, 0, 0, 0), c(0, 2, 0, 0)); n4 <- c("甲", "乙", "丙", "丁")
oracle(c("R 4.2.2: own derivation", "four factors by hand"), list(ex$case, one("6 位专家，平均加标准差", fx(Zs, threshold = "mean_plus_sd"), n8, Zs, people)$case, one("3 位专家意见相同，上四分位", fx(same, threshold = "quartile3", normalize = "max_row"), n8, same, people[1:3])$case,
  one("对称，没有原因结果", list(source = "single", direct = grid(Z0, n4), threshold = "manual", threshold_value = 50), n4, list(Z0), says = list("没有大于阈值的影响"))$case))
