# Written out from the papers, case by case rather than by patterns: Fleiss (1971), Fleiss, Nee & Landis (1979), Conger
# (1980), Gwet (2008), Krippendorff (2004, coincidence matrix); jackknife by leaving out each case. The classic table of
# 10 cases, 14 raters, 5 categories (Fleiss κ = 0.209931) and Krippendorff's own data (nominal α = 0.743) must come out.
source("../../../../tools/oracle.R")
counts <- function(x, k) t(apply(x, 1, function(r) sapply(k, function(j) sum(r == j, na.rm = TRUE))))
fleiss <- function(n) { m <- sum(n[1, ]); p <- colSums(n) / sum(n); (mean((rowSums(n^2) - m) / (m * (m - 1))) - sum(p^2)) / (1 - sum(p^2)) }
classic <- rbind(c(0,0,0,0,14), c(0,2,6,4,2), c(0,0,3,5,6), c(0,3,9,2,0), c(2,2,8,1,1), c(7,7,0,0,0), c(3,2,6,3,0), c(2,5,3,2,2), c(6,5,2,1,0), c(0,2,2,3,7)); stopifnot(abs(fleiss(classic) - .209931) < 1e-6)
coef_of <- function(kind, x, k) { n <- counts(x, k); m <- ncol(x); p <- colSums(n) / sum(n); o <- mean((rowSums(n^2) - m) / (m * (m - 1)))
  e <- switch(kind, fleiss = sum(p^2), randolph = 1 / length(k), gwet = sum(p * (1 - p)) / (length(k) - 1), conger = { q <- sapply(k, function(j) colMeans(x == j)); s <- 0; for (a in 1:m) for (b in 1:m) if (a != b) s <- s + sum(q[a, ] * q[b, ]); s / (m * (m - 1)) }); (o - e) / (1 - e) }
alpha <- function(x, k, scale) { v <- seq_along(k); o <- matrix(0, length(k), length(k)); for (u in seq_len(nrow(x))) { r <- match(x[u, ], k); r <- r[!is.na(r)]; if (length(r) < 2) next
  for (a in seq_along(r)) for (b in seq_along(r)) if (a != b) o[r[a], r[b]] <- o[r[a], r[b]] + 1 / (length(r) - 1) }
  nc <- rowSums(o); n <- sum(nc); d <- switch(scale, nominal = 1 - diag(length(k)), ordinal = outer(v, v, Vectorize(function(a, b) { s <- sort(c(a, b)); (sum(nc[s[1]:s[2]]) - (nc[a] + nc[b]) / 2)^2 })), interval = outer(as.numeric(k), as.numeric(k), function(a, b) (a - b)^2))
  1 - (n - 1) * sum(o * d) / sum(outer(nc, nc) * d) }
kr <- rbind(c(1,2,3,3,2,1,4,1,2,NA,NA,NA), c(1,2,3,3,2,2,4,1,2,5,NA,3), c(NA,3,3,3,2,3,4,2,2,5,1,NA), c(1,2,3,3,2,4,4,1,2,5,1,NA)); K <- t(kr); stopifnot(abs(alpha(K, 1:5, "nominal") - .743) < 5e-4, abs(alpha(K, 1:5, "ordinal") - .815) < 5e-4, abs(alpha(K, 1:5, "interval") - .849) < 5e-4)
jack <- function(f, x) { v <- sapply(seq_len(nrow(x)), function(i) f(x[-i, , drop = FALSE])); n <- nrow(x); sqrt((n - 1) / n * sum((v - mean(v))^2)) }
names <- c(fleiss = "Fleiss κ", conger = "Conger κ", randolph = "Randolph κ（自由边际）", krippendorff = "Krippendorff α", gwet = "Gwet AC1")
run <- function(x, k, kinds = "fleiss", scale = "nominal", level = .95, plain = FALSE, who = colnames(x)) {
  whole <- x[complete.cases(x), , drop = FALSE]; n <- counts(whole, k); m <- ncol(x); N <- nrow(whole); p <- colSums(n) / sum(n); q <- 1 - p; zc <- qnorm(1 - (1 - level) / 2)
  out <- lapply(names(names)[names(names) %in% kinds], function(u) { f <- if (u == "krippendorff") function(y) alpha(y, k, scale) else function(y) coef_of(u, y, k); y <- if (u == "krippendorff") x[rowSums(!is.na(x)) > 0, ] else whole; v <- f(y); se <- jack(f, y)
    se0 <- sqrt(2 / (N * m * (m - 1))) * sqrt(sum(p * q)^2 - sum(p * q * (q - p))) / sum(p * q); cells <- c(list("result", list(kind = names[[u]]), value = v, se = se), if (u == "fleiss") list(se0 = se0, z = v / se0, p = 2 * pnorm(-abs(v / se0))), if (plain) list(low = max(-1, v - zc * se), high = min(1, v + zc * se))); do.call(block, cells) })
  if ("fleiss" %in% kinds) out <- c(out, lapply(seq_along(k), function(j) { kj <- 1 - sum(n[, j] * (m - n[, j])) / (N * m * (m - 1) * p[j] * q[j]); z <- kj / sqrt(2 / (N * m * (m - 1))); block("categories", list(category = as.character(k[j])), share = p[j], conditional = sum(n[, j] * (n[, j] - 1)) / (N * m * (m - 1) * p[j]), kappa = kj, z = z, p = 2 * pnorm(-abs(z))) }))
  out <- c(out, list(block("rates", list(measure = "观察一致率（两两平均）"), value = mean((rowSums(n^2) - m) / (m * (m - 1)))), block("rates", list(measure = "碰巧一致率（Fleiss）"), value = sum(p^2))))
  c(out, lapply(seq_along(k), function(j) { s <- colSums(x == k[j], na.rm = TRUE); t <- colSums(!is.na(x)); do.call(block, c(list("use", list(category = as.character(k[j]))), setNames(as.list(c(s, s / t)), c(paste0("n@", who), paste0("percent@", who))))) }),
    lapply(2:ncol(x), function(b) { h <- !is.na(x[, 1]) & !is.na(x[, b]); block("pairs", list(first = who[1], second = who[b]), agree = mean(x[h, 1] == x[h, b])) }))
}
if (!file.exists("example.csv")) { set.seed(61); w <- c("抑郁", "焦虑", "精神分裂", "人格障碍", "其他"); t <- sample(5, 50, TRUE, c(.3, .25, .2, .15, .1)); d <- data.frame(编号 = 1:50, sapply(1:6, function(i) w[ifelse(runif(50) < .62, t, sample(5, 50, TRUE))])); names(d)[-1] <- paste0("医师", 1:6); write.csv(d, "example.csv", row.names = FALSE, quote = FALSE) }
d <- example(); x <- as.matrix(d[, -1]); k <- unique(as.vector(x)); colnames(K) <- paste0("编码员", 1:4); write.csv(K, "oracle-coders.csv", row.names = FALSE, na = "", quote = FALSE)
always <- list("1 为完全一致", "个对象，", "名评估者一致性", "各人应当独立评定"); kinds <- as.list(setNames(rep("定类", 4), colnames(K)))
oracle("R 4.2.2: 由公式逐例写出；Fleiss（1971）与 Krippendorff（2004）的经典数据在脚本中核对", list(
  case("六位医师诊断 50 例", list(raters = as.list(colnames(x))), run(x, k), c(always, list(fact("名评估者评了", m = 6, n = 50), "由重抽对象"))),
  case("五种系数，不用自助法，90%", list(raters = as.list(colnames(x)), statistic = names(names), bootstrap_ci = FALSE, conf_level = .9), run(x, k, names(names), level = .9, plain = TRUE), c(always, list(fact("名评估者评了", m = 6, n = 50), "为估计值 ± *z*"))),
  case("Krippendorff 的四位编码员，有序", list(raters = as.list(colnames(K)), statistic = list("krippendorff"), level = "ordinal", bootstrap_ci = FALSE), run(K, 1:5, "krippendorff", "ordinal", plain = TRUE), c(always, list(fact("名评估者评了", m = 4, n = 12), "为估计值 ± *z*", "没有人人评定", fact("不足 30", n = 12))), data = "oracle-coders.csv", measures = kinds),
  case("同上，区间尺度与 Fleiss", list(raters = as.list(colnames(K)), statistic = c("fleiss", "krippendorff"), level = "interval", bootstrap_ci = FALSE), Filter(function(b) b$table != "categories" || b$where$category %in% 1:4, run(K, 1:5, c("fleiss", "krippendorff"), "interval", plain = TRUE)), c(always, list(fact("名评估者评了", m = 4, n = 8), "为估计值 ± *z*", "没有人人评定", fact("不足 30", n = 12))), data = "oracle-coders.csv", measures = kinds)))
