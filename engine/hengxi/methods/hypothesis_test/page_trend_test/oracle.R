# Rscript oracle.R   (R 4.2.2, coin 1.4.2) Z by coin's friedman_test of an ordered factor; exact p by counting permutations.
source("../../../../tools/oracle.R")
source("../../../../tools/oracle_samples.R")
suppressMessages(library(coin))

if (!file.exists("example.csv")) { set.seed(8); base <- rnorm(20, 600, 60)
  m <- sapply(1:4, function(j) round(base + 25 * (j - 1) + rnorm(20, 0, 35))); colnames(m) <- paste0("难度", 1:4)
  write.csv(data.frame(编号 = 1:20, m, check.names = FALSE), "example.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8") }
perms <- function(v) if (length(v) <= 1) list(v) else do.call(c, lapply(seq_along(v), function(i) lapply(perms(v[-i]), function(w) c(v[i], w))))
exact_p <- function(r, L) {  # a table of sums and their chances, row after row
  d <- c("0" = 1); k <- ncol(r)
  for (i in seq_len(nrow(r))) { s <- table(sapply(perms(r[i, ]), function(v) sum(v * 1:k))); s <- s / sum(s)
    o <- outer(as.numeric(names(d)), as.numeric(names(s)), "+"); q <- outer(as.numeric(d), as.numeric(s)); a <- tapply(c(q), c(round(o, 1)), sum); d <- setNames(as.numeric(a), names(a)) }
  sum(d[as.numeric(names(d)) >= L - 1e-9])
}
pages <- function(x, exact = TRUE) {
  x <- as.matrix(x); n <- nrow(x); k <- ncol(x); r <- t(apply(x, 1, rank)); L <- sum(colSums(r) * 1:k)
  d <- data.frame(y = c(x), j = ordered(rep(1:k, each = n)), b = factor(rep(1:n, k))); t <- friedman_test(y ~ j | b, data = d)
  z <- unname(statistic(t, "standardized")[1]); rho <- mean(na.omit(suppressWarnings(apply(r, 1, cor, 1:k))))
  if (all(apply(r, 1, function(v) !anyDuplicated(v)))) stopifnot(abs(z - (L - n * k * (k + 1)^2 / 4) / sqrt(n * k^2 * (k + 1)^2 * (k - 1) / 144)) < 1e-9)
  c(list(block("result", k = k, n = n, L = L, expected = n * k * (k + 1)^2 / 4, z = z, p = if (exact) exact_p(r, L) else pnorm(-z), rho = rho)),
    lapply(1:k, function(j) block("mean_ranks", list(condition = colnames(x)[j]), place_no = j, n = n, median = median(x[, j]), mean_rank = mean(r[, j]))),
    lapply(1:k, function(j) described(colnames(x)[j], x[, j])))
}
stopifnot(abs(exact_p(rbind(1:3, 1:3), 28) - 1 / 36) < 1e-12)  # Page (1963): the largest sum of two rows
e <- example(); M <- paste0("难度", 1:4)
# Ten students, three ways of teaching (the example of SciPy's page_trend_test; Derrick & White): L = 133.5 with ties.
teach <- data.frame(讲座 = c(3, 2, 3, 3, 3, 2, 3, 2, 3, 4), 研讨 = c(4, 2, 3, 4, 2, 3, 4, 4, 3, 3), 辅导 = c(4, 4, 5, 2, 5, 4, 5, 4, 5, 5), check.names = FALSE)
write.csv(teach, "oracle-teach.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
K <- setNames(as.list(rep("定量", 4)), M); T <- setNames(as.list(rep("定量", 3)), names(teach))
f <- function(...) list(variables = as.list(M), ...); g <- function(v = names(teach), ...) list(variables = as.list(v), ...)
OWN <- "本检验要求各对象之间互不影响"; CHECKS <- list("预定次序", "的对象在几个条件下取值相同")

oracle(c("R 4.2.2, coin 1.4.2: friedman_test with an ordered factor (Page test)", "own enumeration of the permutations inside rows, in R"), list(
  case("四种难度，精确", f(), pages(e[, M]), c(list("差异有统计学意义", "单侧检验支持", "先看差多少", OWN), CHECKS), measures = K),
  case("四种难度，渐近", f(method = "asymptotic"), pages(e[, M], FALSE), list("单侧检验支持"), measures = K),
  case("三种教法，有结", g(), pages(teach), list("单侧检验支持"), data = "oracle-teach.csv", measures = T),
  case("教法倒过来", g(rev(names(teach))), pages(teach[, rev(names(teach))]), list("没有发现", "不足以说", "“不显著”不等于", "把变量倒过来放"), data = "oracle-teach.csv", measures = T)))
