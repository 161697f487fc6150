# friedman.test (its χ² = m(k − 1)W with ties); W without the correction written out; the exact p by listing every order
# of every rater but the first. RoundingTimes of friedman.test's help must give W = 0.253247.
source("../../../../tools/oracle.R")
if (!file.exists("example.csv")) { set.seed(77); q <- c(.2, 1.1, -.4, .6, 1.6, -1, 0, .9); d <- data.frame(评委 = 1:12, t(sapply(1:12, function(i) round(pmin(10, pmax(1, 6 + 1.2 * q + rnorm(8))), 1)))); names(d)[-1] <- paste0("作品", 1:8); write.csv(d, "example.csv", row.names = FALSE, quote = FALSE) }
perms <- function(v) if (length(v) <= 1) list(v) else do.call(c, lapply(seq_along(v), function(i) lapply(perms(v[-i]), function(u) c(v[i], u))))
run <- function(x, ties = TRUE, how = "chi2") {
  m <- nrow(x); k <- ncol(x); r <- t(apply(x, 1, rank)); s <- colSums(r); T <- if (ties) sum(apply(r, 1, function(v) { t <- table(v); sum(t^3 - t) })) else 0; w <- 12 * sum((s - mean(s))^2) / (m^2 * (k^3 - k) - m * T); q <- m * (k - 1) * w
  if (ties) stopifnot(abs(q - friedman.test(as.matrix(x))$statistic) < 1e-9)
  p <- if (how == "chi2") pchisq(q, k - 1, lower.tail = FALSE) else { sums <- matrix(r[1, ], 1); P <- do.call(rbind, perms(seq_len(k))); for (i in 2:m) sums <- do.call(rbind, lapply(seq_len(nrow(P)), function(j) sweep(sums, 2, r[i, P[j, ]], "+"))); mean(rowSums((sums - mean(s))^2) >= sum((s - mean(s))^2) - 1e-9) }
  c(list(block("result", m = m, k = k, w = w, chi2 = q, df = k - 1, p = p, rho = (m * w - 1) / (m - 1))), lapply(seq_len(k), function(j) block("ranks", list(object = colnames(x)[j]), rank = mean(r[, j]), place_ = rank(-colMeans(r))[[j]])))
}
d <- example(); x <- d[, -1]; W <- cbind(甲 = c(3, 2, 3, 1, 2), 乙 = c(1, 1, 2, 2, 1), 丙 = c(2, 3, 1, 3, 3)); write.csv(W, "oracle-three.csv", row.names = FALSE); F <- cbind(A = c(7, 7, 5, 5), B = c(6, 8, 5, 9), C = c(9, 8, 5, 6), D = c(2, 3, 5, 4)); write.csv(F, "oracle-ties.csv", row.names = FALSE)
rt <- matrix(c(5.40,5.50,5.55,5.85,5.70,5.75,5.20,5.60,5.50,5.55,5.50,5.40,5.90,5.85,5.70,5.45,5.55,5.60,5.40,5.40,5.35,5.45,5.50,5.35,5.25,5.15,5.00,5.85,5.80,5.70,5.25,5.20,5.10,5.65,5.55,5.45,5.60,5.35,5.45,5.05,5.00,4.95,5.50,5.50,5.40,5.45,5.55,5.50,5.55,5.55,5.35,5.45,5.50,5.55,5.50,5.45,5.25,5.65,5.60,5.40,5.70,5.65,5.55,6.30,6.30,6.25), 22, byrow = TRUE, dimnames = list(NULL, c("a", "b", "c"))); stopifnot(abs(run(rt)[[1]]$cells$w - .253247) < 1e-6)
always <- list("平均秩越大", "*W* 为 0 是各排各的", "各评委应当独立评分"); f <- function(x, ...) list(objects = as.list(colnames(x)), ...); num <- function(x) as.list(setNames(rep("定量", ncol(x)), colnames(x)))
oracle("R 4.2.2: friedman.test；精确 p 由列举全部排列得出", list(
  case("十二位评委八件作品", f(x), run(x), c(always, list("名评委的排序一致，程度", "个对象）。", "（*W* = {w:num}，*p* {p:peq}）"))),
  case("五位评委三个对象，精确置换", f(W), run(W, how = "exact"), c(always, list("没有发现好于碰巧的一致（*W*", "个对象）。", "没有发现好于碰巧的一致（*W* = {w:num}，*p* {p:peq}）")), data = "oracle-three.csv", measures = num(W)),
  case("有结，不校正，χ²", f(F, ties = FALSE, p_method = "chi2"), run(F, FALSE), c(always, list("没有发现好于碰巧的一致（*W*", "个对象）。", "没有发现好于碰巧的一致（*W* = {w:num}，*p* {p:peq}）", "拉低了 *W*")), data = "oracle-ties.csv", measures = num(F))))
