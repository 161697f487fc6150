# Brute force over combn(); the Shapley value over all subsets by its definition (not the closed form used by the method);
# prop.test for Wilson. The greedy case is checked against the exact optimum it happens to reach.
source("../../../../tools/oracle.R")
taste <- c("香草", "巧克力", "草莓", "芒果", "抹茶", "咖啡", "海盐", "朗姆", "榴莲", "薄荷")
if (!file.exists("example.csv")) { RNGversion("4.2.0"); set.seed(19); n <- 400; t <- rnorm(n); b <- c(.1, .2, -.3, -.5, -.8, -.9, -1.4, -1.6, -1.5, -1.9); a <- c(1.4, 1.5, 1, .8, -.3, .2, .1, -.6, -1.6, -.2)
  d <- as.data.frame(sapply(1:10, function(j) as.integer(runif(n) < plogis(b[j] + a[j] * t)))); names(d) <- paste0("喜欢的口味(", taste, ")"); d$次数 <- sample(0:2, n, TRUE); write.csv(d, "example.csv", row.names = FALSE, quote = FALSE) }
d <- read.csv("example.csv", check.names = FALSE); X <- as.matrix(d[1:10]); colnames(X) <- taste
RNGversion("4.2.0"); set.seed(4); Y <- matrix(sample(c(1:5, NA), 120, TRUE), 20); colnames(Y) <- c("甲", "乙", "丙", "丁", "戊", "己"); write.csv(Y, "oracle-six.csv", row.names = FALSE, quote = FALSE, na = "")
run <- function(h, w, sizes, depth = 1, forced = NULL, pairs = NULL, greedy = FALSE) {
  keep <- w > 0; h <- h[keep, ]; w <- w[keep]; N <- sum(w); k <- ncol(h); out <- list(); before <- NA; best <- list()
  for (s in sizes) { C <- combn(k, s); ok <- apply(C, 2, function(v) all(forced %in% v) && !any(sapply(pairs, function(p) all(p %in% v)))); C <- C[, ok, drop = FALSE]
    r <- apply(C, 2, function(v) sum(w[rowSums(h[, v, drop = FALSE]) >= depth])); f <- apply(C, 2, function(v) sum(w * h[, v])); o <- order(-r, -f)[1:min(10, ncol(C))]; name <- function(v) paste(colnames(h)[v], collapse = "＋"); v <- C[, o[1]]; ci <- suppressWarnings(prop.test(r[o[1]], N, correct = FALSE)$conf.int); ci[is.na(ci)] <- 1
    cells <- list(size = s, n = r[o[1]], reach = r[o[1]] / N, low = ci[1], high = ci[2], frequency = f[o[1]], each = f[o[1]] / N); if (!is.na(before)) cells$gain <- r[o[1]] / N - before; before <- r[o[1]] / N; best[[as.character(s)]] <- before
    out <- c(out, list(do.call(block, c(list("best", list(size = s, combination = name(v))), cells)), block("searched", list(size = s, how = if (greedy) "贪心加交换" else "穷举"), size = s, possible = choose(k - length(forced), s - length(forced)))))
    if (!greedy) out <- c(out, list(block("searched", list(size = s), tried = ncol(C))), lapply(seq_along(o), function(q) block("ranked", list(size = s, rank = q), size = s, rank = q, n = r[o[q]], reach = r[o[q]] / N, frequency = f[o[q]]))) }
  V <- numeric(2^k); B <- sapply(0:(k - 1), function(j) bitwAnd(0:(2^k - 1), 2^j) > 0); for (i in seq_len(nrow(B))) V[i] <- sum(w[rowSums(h[, B[i, ], drop = FALSE]) >= depth]) / N
  size <- rowSums(B); for (j in seq_len(k)) { without <- which(!B[, j]); wt <- factorial(size[without]) * factorial(k - size[without] - 1) / factorial(k); out <- c(out, list(block("products", list(product = colnames(h)[j]), alone = sum(w * h[, j]) / N, only = V[2^k] - V[2^k - 2^(j - 1)], shapley = sum(wt * (V[without + 2^(j - 1)] - V[without]))))) }
  list(out = out, N = N, best = best, tied = sum(r == max(r)), n = max(r))
}
one <- rep(1, 400); A <- run(X, one, 1:4); W <- run(X, d$次数, 2:3, depth = 2); F <- run(X, one, 2:4, forced = 5, pairs = list(c(1, 2), c(2, 3))); G <- run(X, one, 1:3, greedy = TRUE)
hits <- ifelse(is.na(Y), 0, Y >= 4); S <- run(hits, rep(1, 20) * (rowSums(!is.na(Y)) > 0), 1:6); it <- as.list(names(d)[1:10]); q <- setNames(as.list(rep("定量", 11)), names(d))
says <- function(a, top, extra = list()) c(list(fact(if (isTRUE(extra$greedy)) "不保证是最优" else "触达最多", k = top, reach = a$best[[as.character(top)]], base = a$N, n = a$n), "个产品的人的比例", "触达要命中", "单独触达：命中"), extra$more)
enough <- function(a, k) list(fact("增加不到 2 个百分点", e = k, er = a$best[[as.character(k)]]))
oracle(c("R 4.2.2: combn, 按定义的 Shapley 值, prop.test"), list(
  case("十种口味，到四种", list(items = it, k_max = 4), A$out, says(A, 4), measures = q),
  case("要命中两种，频数权重", list(items = it, k_min = 2, k_max = 3, depth = 2, weight = "次数"), W$out, says(W, 3), measures = q),
  case("必选与互斥", list(items = it, k_max = 4, forced = "抹茶", excluded_pairs = "香草＋巧克力、巧克力＋草莓", k_min = 2), F$out, says(F, 4), measures = q),
  case("贪心", list(items = it, k_max = 3, search = "greedy"), G$out, says(G, 3, list(greedy = TRUE)), measures = q),
  case("五分意愿，缺失，全部组合", list(items = as.list(colnames(Y)), k_max = 6, reach_from = 4), S$out, says(S, 6, list(more = enough(S, max(which(diff(unlist(S$best)) >= .02)) + 1))), data = "oracle-six.csv", measures = setNames(as.list(rep("定量", 6)), colnames(Y)))),
  unverified = list(list(what = "lead.e", reason = "没有提到够用的规模时等于最大规模"), list(what = "lead.er", reason = "没有提到够用的规模时等于最大规模的触达率")))
