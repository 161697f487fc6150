# Rscript oracle.R > oracle.json   (R 4.2.2, jsonlite)
# Priorities and consistency from eigen() and row means; the first two cases are published: Saaty's drinks (weights
# .177 .019 .042 .116 .190 .129 .327, CR .022) and his choice of a house (λmax 9.669, CR .169).
source("../../../../tools/oracle.R")

RI <- c(0, 0, .58, .90, 1.12, 1.24, 1.32, 1.41, 1.45, 1.49, 1.51, 1.48, 1.56, 1.57, 1.59)
full <- function(upper, n) {
  m <- diag(n); m[lower.tri(m)] <- upper; m <- t(m)          # filled row by row above the diagonal
  for (i in 2:n) for (j in 1:(i - 1)) m[i, j] <- 1 / m[j, i]
  m
}
one <- function(x) x / sum(x)
ways <- function(m) list(
  geometric_mean = apply(m, 1, function(r) prod(r)^(1 / length(r))),
  arithmetic_mean = rowMeans(sweep(m, 2, colSums(m), "/")),
  eigenvector = one(abs(Re(eigen(m)$vectors[, which.max(Re(eigen(m)$values))]))))
lambda <- function(m) max(Re(eigen(m)$values), nrow(m))   # never below n but for rounding
cr <- function(m) (lambda(m) - nrow(m)) / (nrow(m) - 1) / RI[nrow(m)]
shown <- function(x) if (x >= 1) format(x, digits = 4) else paste0("1/", format(1 / x, digits = 4))
bad <- function(m, names, grades) {
  w <- ways(m)$eigenvector; scale <- sort(unique(c(grades, 1 / grades))); rows <- list()
  for (i in 1:(nrow(m) - 1)) for (j in (i + 1):nrow(m)) {
    implied <- w[i] / w[j]; to <- scale[which.min(abs(log(scale / implied)))]
    if (isTRUE(all.equal(to, m[i, j]))) next
    k <- m; k[i, j] <- to; k[j, i] <- 1 / to
    if (cr(k) < cr(m)) rows[[length(rows) + 1]] <- list(d = abs(log(m[i, j] / implied)), b = block("sources",
      list(first = names[i], second = names[j]), current = m[i, j], implied = implied, proposed = shown(to), ratio = cr(k)))
  }
  if (length(rows) == 0) return(list())
  lapply(head(rows[order(-sapply(rows, `[[`, "d"))], 3), `[[`, "b")
}
expected <- function(m, names, method, limit = .1, grades = 1:9, sources = TRUE, verdict = NULL) {
  n <- nrow(m); w <- ways(m); L <- lambda(m); ci <- (L - n) / (n - 1); three <- lapply(w, one)
  c(lapply(1:n, function(i) block("result", list(item = names[i]), vector = w[[method]][i], weight = three[[method]][i],
      largest = L, index = ci)),
    list(block("check", n = n, largest = L, index = ci, random = if (n > 2) RI[n], ratio = if (n > 2) ci / RI[n],
      verdict = if (!is.null(verdict)) verdict else if (n < 3) "总是一致" else if (ci / RI[n] < limit) "通过" else "未通过")),
    lapply(1:n, function(i) block("methods", list(item = names[i]), geometric = three$geometric_mean[i],
      arithmetic = three$arithmetic_mean[i], eigen = three$eigenvector[i])),
    unlist(lapply(1:n, function(i) lapply(1:n, function(j) block("judgements", list(item = names[i], against = names[j]),
      value = m[i, j]))), recursive = FALSE),
    if (sources) bad(m, names, grades))
}
typed <- function(m, names, ...) {
  values <- lapply(seq_along(names), function(i) as.list(m[i, ]))
  list(source = "typed", matrix = list(rows = as.list(names), columns = as.list(names), values = values), ...)
}

drinks <- c("咖啡", "葡萄酒", "茶", "啤酒", "汽水", "牛奶", "水")
d <- full(c(9, 5, 2, 1, 1, 1/2, 1/3, 1/9, 1/9, 1/9, 1/9, 1/3, 1/4, 1/3, 1/9, 1/2, 1, 1/3, 2, 1/2, 1/3), 7)
stopifnot(abs(ways(d)$eigenvector - c(.177, .019, .042, .116, .190, .129, .327)) < .0006, abs(cr(d) - .0223) < 5e-5)
house <- c("面积", "交通", "邻里", "房龄", "院子", "设施", "状况", "贷款")
h <- full(c(5, 3, 7, 6, 6, 1/3, 1/4, 1/3, 5, 3, 3, 1/5, 1/7, 6, 3, 4, 6, 1/5, 1/3, 1/4, 1/7, 1/8, 1/2, 1/5, 1/6,
            1/5, 1/6, 1/2), 8)
stopifnot(abs(ways(h)$eigenvector - c(.173, .054, .188, .018, .031, .036, .167, .333)) < .0006, abs(cr(h) - .169) < 5e-4)
three <- full(c(2, 4, 3), 3); names3 <- c("价格", "质量", "服务")
g <- full(9^((c(3, 5, 2) - 1) / 8), 3); grades3 <- full(c(3, 5, 2), 3)
ones <- matrix(1, 3, 3); two <- full(4, 2)
score <- example("scores.csv")
means <- outer(colMeans(score), 1 / colMeans(score)); dimnames(means) <- NULL

oracle(c("R 4.2.2: eigen, rowMeans, prod", "Saaty (1980): drinks, choice of a house"), list(
  case("Saaty 的饮料，特征根法", typed(d, drinks, method = "eigenvector"), expected(d, drinks, "eigenvector"), list(
    "权重最大的是“水”", "基本一致", "份额，合计 100%", "每行只改这一个判断", fact("通过一致性检验", cr = cr(d)))),
  case("Saaty 的选房，几何平均法，未通过", typed(h, house), expected(h, house, "geometric_mean"), list(
    "判断前后不一致", "矛盾较多", "未通过一致性检验")),
  case("三项，算术平均法，上限 0.01，1–5 标度", typed(three, names3, method = "arithmetic_mean", scale = "saaty5",
    limit = .01), expected(three, names3, "arithmetic_mean", .01, 1:5), list("未通过一致性检验")),
  case("指数标度", typed(grades3, names3, scale = "exponential"),
    expected(g, names3, "geometric_mean", grades = 9^((0:8) / 8)), list("单独改任何一个判断都不会更一致")),
  case("完全一致，权重相同", typed(ones, names3), expected(ones, names3, "geometric_mean", sources = FALSE), list("权重相同", "判断完全一致", fact("通过一致性检验", w0 = 1 / 3, cr = 0, ri = .58))),
  case("两项", typed(two, names3[1:2]), expected(two, names3[1:2], "geometric_mean", sources = FALSE), list("只有两项", "两项的判断总是一致", fact("价格（", largest = 2))),
  case("由题项均值", list(source = "items", items = as.list(names(score))),
    expected(means, names(score), "geometric_mean", sources = FALSE, verdict = "必然一致"),
    list("必然一致", "判断由均值之比生成。"), data = "scores.csv",
    measures = list(价格 = "定量", 质量 = "定量", 服务 = "定量"))))
