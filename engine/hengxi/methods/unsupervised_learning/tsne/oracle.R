# The coordinates come from scikit-learn (oracle-export.py: another program cannot repeat them); every measure of them is computed here from its formula.
source("../../../../tools/oracle.R")
ranks <- function(D) { n <- nrow(D); diag(D) <- Inf; t(apply(D, 1, function(d) { r <- integer(n); r[order(round(d, 12))] <- 1:n; r })) }
measures_of <- function(u, Y, metric, perp) { D <- as.matrix(dist(u, if (metric == "manhattan") "manhattan" else "euclidean")); E <- as.matrix(dist(Y)); n <- nrow(D); k <- min(12, (n - 1) %/% 2); A <- ranks(D); B <- ranks(E); s <- 2 / (n * k * (2 * n - 3 * k - 1))
  P <- matrix(0, n, n); for (i in 1:n) { d <- D[i, -i]^2; d <- d - min(d); h <- function(lb) { w <- exp(-exp(lb) * d); p <- w / sum(w); -sum(ifelse(p > 0, p * log(p), 0)) - log(perp) }; lb <- uniroot(h, c(-40, 40), tol = 1e-14, maxiter = 10000)$root; w <- exp(-exp(lb) * d); P[i, -i] <- w / sum(w) }
  P <- (P + t(P)) / (2 * n); Q <- 1 / (1 + E^2); diag(Q) <- 0; Q <- Q / sum(Q); o <- row(P) != col(P); p <- pmax(P[o], 1e-300)
  list(kl = sum(p * log(p / Q[o])), trust = 1 - s * sum(pmax(A - k, 0)[B <= k]), continuity = 1 - s * sum(pmax(B - k, 0)[A <= k]), shared = sum(A <= k & B <= k) / (n * k), k = k) }
read <- function(tag, v) as.matrix(read.csv(sprintf("oracle-%s-%s-coordinates.csv", tag, v)))
table_of <- function(tag, file, N, metric, std, perps) { X <- as.matrix(example(file)[N]); u <- if (std) scale(X) else X / max(apply(X, 2, sd)); do.call(rbind, lapply(perps, function(v) data.frame(tag = tag, perplexity = v, measures_of(u, read(tag, v), metric, v)))) }
run <- function(name, file, form, perp, others, data = NULL, extra = list()) { d <- example(file); N <- unlist(form$x); B <- list(block("quality", list(), n = nrow(d), perplexity = perp)); for (v in others) B <- c(B, list(block("others", list(perplexity = v), perplexity = v)))
  for (r in c(1:5, nrow(d))) B <- c(B, list(block("coordinates", list(row = r), row = r, label = if (is.null(form$label)) sprintf("第 %d 行", r) else d$编号[r])))
  case(name, form, B, c(list(fact("画到", n = nrow(d), p = length(N), k = as.integer(if (is.null(form$n_components)) 2 else form$n_components), perplexity = perp, near = 12), fact("可信度和连续性最高为 1", k = 12), "大多也近", "把相似的样本画在一起", "坐标值都不可解释"), extra), data, c(list(编号 = "定类", 品种 = "定类"), setNames(as.list(rep("定量", length(v))), v))) }
v <- setdiff(names(example()), c("编号", "品种"))
M <- rbind(table_of("plain", "example.csv", v, "euclidean", TRUE, c(5, 15, 30, 50)), table_of("other", "oracle-other.csv", v[-1], "manhattan", FALSE, 10))
write.csv(format(M, digits = 15), "oracle-measures.csv", row.names = FALSE, quote = FALSE)
why <- "the path of the descent, and so the picture, depends on the processor's last bits; the measures are held against oracle-measures.csv on exported coordinates in test_method.py"
oracle(c("R 4.2.2: 由公式计算，用 scikit-learn 1.9 导出的坐标"), list(
  run("葡萄酒", "example.csv", list(x = as.list(v), color = "品种", label = "编号"), 30, c(5, 15, 30, 50), extra = list("困惑度不同时 KL 散度不能直接比较")),
  run("三维，绝对值距离，不标准化，按取值着色", "oracle-other.csv", list(x = as.list(v[-1]), shade = "酒精", n_components = "3", perplexity = 10, metric = "manhattan", standardize = FALSE, compare = FALSE), 10, c(), data = "oracle-other.csv")),
  unverified = lapply(c("quality.kl", "quality.trust", "quality.continuity", "quality.shared", "others.kl", "others.trust", "others.continuity", "others.shared", "coordinates.y"), function(w) list(what = w, reason = why)),
  quick = list(compare = FALSE, max_iter = 250))
