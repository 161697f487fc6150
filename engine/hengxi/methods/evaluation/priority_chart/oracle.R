# Own derivation in R: row sums and loops over triples. Kendall and Babington Smith (1940) for ζ.
source("../../../../tools/oracle.R")
out <- function(m, n3, half, means = NULL) { diag(m) <- if (half) .5 else 0; t <- rowSums(m); w <- t / sum(t); n <- nrow(m); d <- 0; b <- m > .5
  if (n > 2) for (i in 1:(n - 2)) for (j in (i + 1):(n - 1)) for (k in (j + 1):n) d <- d + (b[i, j] && b[j, k] && b[k, i]) + (b[j, i] && b[k, j] && b[i, k])
  most <- if (n %% 2) (n^3 - n) / 24 else (n^3 - 4 * n) / 24
  list(w = w, d = d, z = if (n > 2) 1 - d / most, b = c(lapply(1:n, function(k) do.call(block, c(list("result", list(item = n3[k]), ttl = t[k], weight = w[k], rank = rank(-w, ties.method = "min")[k]), if (!is.null(means)) list(mean = means[[k]])))),
    unlist(lapply(1:n, function(i) lapply(1:n, function(j) block("chart", list(item = n3[i], against = n3[j]), value = m[i, j]))), recursive = FALSE),
    list(block("consistency", n = n, triads = d, most = most, zeta = if (n > 2) 1 - d / most)))) }
typed <- function(name, upper, n3, half = TRUE, says = list()) { n <- length(n3); m <- matrix(.5, n, n); k <- 1
  for (i in 1:(n - 1)) for (j in (i + 1):n) { m[i, j] <- upper[k]; m[j, i] <- 1 - upper[k]; k <- k + 1 }
  v <- lapply(1:n, function(i) lapply(1:n, function(j) if (j > i) m[i, j] else NULL)); r <- out(m, n3, half)
  case(name, list(source = "typed", matrix = list(rows = as.list(n3), columns = as.list(n3), values = v), diagonal = if (half) "half" else "zero"), r$b,
    c(if (max(r$w) - min(r$w) < 1e-9) list("权重相同") else list(fact("权重最大的是", high = max(r$w), low = min(r$w))), list(fact("采用优序图法", w0 = max(r$w), n = n), "相邻名次的差距都一样"), says)) }
six <- c("价格", "质量", "服务", "外观", "品牌", "交货")
d <- example("scores.csv"); mm <- colMeans(d); M <- outer(mm, mm, function(a, b) (a > b) + .5 * (a == b)); r <- out(M, names(d), TRUE, mm)
strict <- out({ m <- matrix(.5, 5, 5); m[upper.tri(m)] <- 1; m[lower.tri(m)] <- 0; m }, letters[1:5], TRUE); stopifnot(abs(strict$w - (5:1 - .5) / 12.5) < 1e-12)
oracle("R 4.2.2: own loops", list(
  typed("六项，一对同样重要", c(0, 1, 1, 1, .5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0), six, says = list("比较前后一致")),
  typed("有循环，对角线 0", c(1, 0, 1, 1, 1, 1), c("甲", "乙", "丙", "丁"), FALSE, list(fact("组循环", triads = 1, zeta = .5))),
  typed("三项循环", c(1, 0, 1), c("甲", "乙", "丙"), TRUE, list(fact("组循环", triads = 1, zeta = 0))),
  typed("两项", 1, c("甲", "乙"), says = list("只有两个指标")),
  case("由评分均值，有同分", list(source = "items", items = as.list(names(d))), r$b, list("权重最大的是", fact("采用优序图法", w0 = max(r$w)), "比较前后一致"), data = "scores.csv", measures = setNames(as.list(rep("定量", 4)), names(d)))))
