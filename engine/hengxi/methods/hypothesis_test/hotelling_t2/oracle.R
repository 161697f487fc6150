# Rscript oracle.R   (R 4.2.2, rrcov 1.7-2) T2.test; joint intervals, Box's M and the ellipse written out from their formulas.
source("../../../../tools/oracle.R")
suppressMessages(library(rrcov))
save_as <- function(x, f) write.csv(x, f, row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8", na = "")
V <- c("花萼长", "花萼宽", "花瓣长", "花瓣宽"); I <- setNames(data.frame(iris[1:4], as.character(iris$Species)), c(V, "品种")); save_as(I, "example.csv")
set.seed(4); P <- data.frame(前甲 = sample(1:5, 30, TRUE), 前乙 = sample(1:5, 30, TRUE)); P$后甲 <- pmin(5, pmax(1, P$前甲 + sample(c(-1, 0, 0, 1), 30, TRUE))); P$后乙 <- pmin(5, pmax(1, P$前乙 + sample(c(-1, 0, 0, 1), 30, TRUE))); P$后乙[3] <- NA; save_as(P, "oracle-pairs.csv")
set.seed(12); z <- rnorm(16); C <- data.frame(组 = rep(c("甲", "乙"), each = 16), 一 = round(c(z, z + .55 + rnorm(16, 0, .02)) * 10 + 50, 2)); C$二 <- round(c(C$一[1:16] + rnorm(16), C$一[17:32] + rnorm(16)) + rep(c(0, -6), each = 16), 2); save_as(C, "oracle-joint.csv")
num <- function(d, S, df, n, level, how, names, a, second, ca, cb, N) { p <- length(d); se <- sqrt(diag(S)); T <- drop(t(d) %*% solve(S, d)); f2 <- df - p + 1; F <- T * f2 / (p * df)
  k <- if (how == "t2") sqrt(p * df / f2 * qf(level, p, f2)) else qt(1 - (1 - level) / 2 / p, df); k2 <- sqrt(p * df / f2 * qf(level, p, f2))
  c(list(block("result", list(), variables = p, n = N, t2 = T, F = F, df1 = p, df2 = f2, p = pf(F, p, f2, lower.tail = FALSE), distance = T / n)),
    lapply(seq_along(d), function(j) block("means", list(variable = names[j]), first = a[j], second = second[j], sd_first = sqrt(ca[j, j]), sd_second = if (!is.null(cb)) sqrt(cb[j, j]), difference = d[j])),
    lapply(seq_along(d), function(j) block("joint", list(variable = names[j]), difference = d[j], se = se[j], low = d[j] - k * se[j], high = d[j] + k * se[j], verdict = if (abs(d[j]) > k * se[j]) "不含 0" else "包含 0")),
    if (p == 2) { e <- eigen(S); v <- e$vectors[, 1] * sign(e$vectors[1, 1]); list(block("rim", list(), x = d[1], y = d[2], a = k2 * sqrt(e$values[1]), b = k2 * sqrt(e$values[2]), angle = atan2(v[2], v[1])), block("centre", list(), x = d[1], y = d[2])) }) }
two <- function(x, y, names, level = .95, how = "t2") { n1 <- nrow(x); n2 <- nrow(y); df <- n1 + n2 - 2; W <- ((n1 - 1) * cov(x) + (n2 - 1) * cov(y)) / df; d <- unname(colMeans(x) - colMeans(y)); h <- n1 * n2 / (n1 + n2); r <- T2.test(x, y); o <- num(d, W / h, df, h, level, how, names, unname(colMeans(x)), unname(colMeans(y)), cov(x), cov(y), n1 + n2)
  stopifnot(abs(r$p.value - o[[1]]$cells$p) < 1e-10); p <- ncol(x); M <- df * log(det(W)) - (n1 - 1) * log(det(cov(x))) - (n2 - 1) * log(det(cov(y))); s <- (1 / (n1 - 1) + 1 / (n2 - 1) - 1 / df) * (2 * p^2 + 3 * p - 1) / (6 * (p + 1)); g <- p * (p + 1) / 2
  c(o, list(block("box", list(), m = M, chi2 = M * (1 - s), df = g, p = pchisq(M * (1 - s), g, lower.tail = FALSE)))) }
one <- function(x, mu, names, level = .95, how = "t2") { r <- T2.test(x, mu = mu); n <- nrow(x); o <- num(unname(colMeans(x)) - mu, cov(x) / n, n - 1, n, level, how, names, unname(colMeans(x)), mu, cov(x), NULL, n); stopifnot(abs(r$p.value - o[[1]]$cells$p) < 1e-10); o }
set <- I[I$品种 == "setosa", V]; ver <- I[I$品种 == "versicolor", V]; vir <- I[I$品种 == "virginica", V]; r <- T2.test(set, mu = c(5, 3.4, 1.5, .25)); stopifnot(abs(r$p.value - .58276) < 1e-4); r2 <- T2.test(set, ver); stopifnot(abs(r2$statistic[2] - 625.458) < 1e-2)
S <- I[I$品种 == "setosa", ]; save_as(S, "oracle-setosa.csv"); ok <- P[!is.na(P$后乙), ]; D <- as.matrix(ok[c("前甲", "前乙")] - ok[c("后甲", "后乙")]); pp <- num(unname(colMeans(D)), cov(D) / nrow(D), nrow(D) - 1, nrow(D), .9, "bonferroni", c("前甲", "前乙"), unname(colMeans(ok[1:2])), unname(colMeans(ok[3:4])), cov(ok[1:2]), cov(ok[3:4]), nrow(D))
A <- as.matrix(C[C$组 == "甲", 2:3]); B <- as.matrix(C[C$组 == "乙", 2:3]); J <- list("T² 检验要求各变量联合正态"); PM <- setNames(as.list(rep("定量", 4)), names(P))
oracle(c("rrcov 1.7-2: T2.test", "R 4.2.2: cov, solve, qf, qt, eigen"), list(
  case("两种鸢尾花（目录给出的数）", list(y = as.list(V), group = "品种", groups = list("setosa", "versicolor")), two(set, ver, V), c(J, list("均值向量上差异有统计学意义", "联合区间不含 0 的变量：", "第一组是", "T²联合区间", "两组的协方差不同", "分组不是随机分配", "两个因变量时才画", "差异有统计学意义，*T*²"))),
  case("另两种，90%，Bonferroni", list(y = as.list(V), group = "品种", groups = list("virginica", "versicolor"), conf_level = .9, simultaneous = "bonferroni"), two(vir, ver, V, .9, "bonferroni"), c(J, list("Bonferroni区间"))),
  case("setosa 与给定向量（目录给出的数）", list(y = as.list(V), design = "one", mu = c(5, 3.4, 1.5, .25)), one(set, c(5, 3.4, 1.5, .25), V), c(J, list("没有发现明显差异", "各变量的联合区间都包含 0。", "没有发现差异不等于没有差异", "差异无统计学意义，*T*²", "一列是检验值")), data = "oracle-setosa.csv"),
  case("配对 1–5 分，有缺失", list(y = list("前甲", "前乙"), pair = list("后甲", "后乙"), design = "paired", conf_level = .9, simultaneous = "bonferroni"), pp, c(J, list("第一是因变量，第二是配对变量")), data = "oracle-pairs.csv", measures = PM),
  case("合起来不同，单看都不明显", list(y = list("一", "二"), group = "组"), two(A, B, c("一", "二")), c(J, list("差异在于几个变量的组合", "没有发现两组的协方差明显不同")), data = "oracle-joint.csv")))
