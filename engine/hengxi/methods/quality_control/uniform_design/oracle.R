# Rscript oracle.R   (R 4.2.2) discrepancies by their formulas (Hickernell 1998; Zhou, Fang & Ning 2013), point by point; the
# lattice by its own search. Exchanges follow a seed, so their results stand in csv files and only their numbers are computed.
source("../../../../tools/oracle.R")
X <- function(L, q) (L - .5) / q
cd <- function(x) { n <- nrow(x); z <- x - .5; a <- sum(apply(1 + abs(z) / 2 - z^2 / 2, 1, prod)); b <- 0; for (i in 1:n) for (j in 1:n) b <- b + prod(1 + abs(z[i, ]) / 2 + abs(z[j, ]) / 2 - abs(z[i, ] - z[j, ]) / 2); sqrt((13 / 12)^ncol(x) - 2 * a / n + b / n^2) }
wd <- function(x) { n <- nrow(x); b <- 0; for (i in 1:n) for (j in 1:n) { d <- abs(x[i, ] - x[j, ]); b <- b + prod(1.5 - d * (1 - d)) }; sqrt(-(4 / 3)^ncol(x) + b / n^2) }
md <- function(x) { n <- nrow(x); z <- abs(x - .5); a <- sum(apply(5 / 3 - z / 4 - z^2 / 4, 1, prod)); b <- 0; for (i in 1:n) for (j in 1:n) { d <- abs(x[i, ] - x[j, ]); b <- b + prod(15 / 8 - z[i, ] / 4 - z[j, ] / 4 - 3 * d / 4 + d^2 / 2) }; sqrt((19 / 12)^ncol(x) - 2 * a / n + b / n^2) }
kinds <- list(cd2 = cd, wd2 = wd, md = md)
pw <- function(a, s, m) { v <- 1; for (k in seq_len(s - 1)) v <- c(v, (v[k] * a) %% m); v }
gcd <- function(a, b) if (b == 0) a else gcd(b, a %% b)
glp <- function(n, s, q, kind) { best <- NULL; for (m in c(n, n + 1)) for (a in 2:(m - 1)) { h <- pw(a, s, m); if (gcd(a, m) > 1 || anyDuplicated(h)) next; T <- outer(1:n, h) %% m; T[T == 0] <- m; L <- ((T - 1) * q) %/% n + 1; v <- round(kinds[[kind]](X(L, q))^2, 12); if (is.null(best) || v < best$v) best <- list(v = v, L = L, name = sprintf("好格子点 (%s) mod %d", paste(h, collapse = " "), m)) }; best }
measure <- function(L, q, source) { x <- X(L, q); block("uniformity", list(source = source), cd = cd(x), wd = wd(x), md = md(x), distance = min(dist(x))) }
rows <- function(L, names = c(LETTERS[1:8], "J")[seq_len(ncol(L))], value = function(j, l) as.character(l)) lapply(seq_len(nrow(L)), function(i) do.call(block, c(list("design", list(run = i), run = i), setNames(as.list(L[i, ]), paste0("level@", names)), setNames(lapply(seq_len(ncol(L)), function(j) value(j, L[i, j])), paste0("value@", names)))))
read <- function(f) unname(as.matrix(example(f))); A <- "均匀设计的数据不能做极差分析"
g4 <- glp(12, 4, 12, "cd2"); g3 <- glp(18, 3, 6, "wd2"); g5 <- glp(10, 5, 10, "md"); s4 <- read("oracle-swap.csv"); s3 <- read("oracle-wrap.csv"); g2 <- glp(11, 2, 11, "cd2")
oracle(c("R 4.2.2", "Hickernell (1998)", "Zhou, Fang & Ning (2013)", "Fang & Wang (1994)"), list(
  case("12 次 4 因素，好格子点", list(method = "glp"), c(rows(g4$L), list(measure(g4$L, 12, g4$name))), list(A, "请随机安排先后", "拟合不了 {s:integer} 个因素的完整二次模型")),
  case("交换优化", list(iterations = 200), c(rows(s4), list(measure(g4$L, 12, g4$name), measure(s4, 12, "交换优化后"))), list("优化保留了 {k:integer} 次交换")),
  case("18 次 6 水平，WD", list(n_factors = 3, n_runs = 18, levels = 6, criterion = "wd2", iterations = 200), c(rows(s3), list(measure(g3$L, 6, g3$name), measure(s3, 6, "交换优化后"))), list()),
  case("10 次 5 因素，MD", list(n_factors = 5, n_runs = 10, levels = 10, criterion = "md", method = "glp"), c(rows(g5$L), list(measure(g5$L, 10, g5$name))), list("只画前 {k:integer} 对因素")),
  case("自然单位", list(n_runs = 11, levels = 11, method = "glp", names = list(list(id = "r1", name = "温度", low = 80, high = 100), list(id = "r2", name = "时间", low = 1, high = 2))), rows(g2$L, c("温度", "时间"), function(j, l) format(if (j == 1) 80 + 2 * (l - 1) else 1 + (l - 1) / 10, trim = TRUE)), list())))
