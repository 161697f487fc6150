# Rscript oracle.R   (R 4.2.2) the actuarial table written out; KMsurv's published example beside it; Gehan's test as in kaplan_meier.
source("../../../../tools/oracle.R")
suppressMessages(library(survival))
save_as <- function(x, f) write.csv(x, f, row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8", na = "")
L <- example()
K <- data.frame(年 = rep(0:4, 2), 结局 = rep(c("删失", "死亡"), each = 5), 人数 = c(3, 5, 4, 6, 2, 10, 8, 6, 4, 3)); K <- rbind(K, data.frame(年 = 5, 结局 = "删失", 人数 = 49)); save_as(K, "oracle-kmsurv.csv")
known <- function(x) if (is.na(x)) NULL else x
gehan <- function(t, d, g, f) { u <- sort(unique(t[d])); k <- nlevels(g); U <- rep(0, k); V <- matrix(0, k, k)
  for (x in u) { nj <- sapply(levels(g), function(l) sum(f[g == l & t >= x])); dj <- sapply(levels(g), function(l) sum(f[g == l & t == x & d])); N <- sum(nj); D <- sum(dj); U <- U + N * (dj - D * nj / N); if (N > 1) V <- V + N^2 * D * (N - D) / (N - 1) * (diag(nj / N, k) - outer(nj / N, nj / N)) }
  i <- seq_len(k - 1); v <- c(U[i] %*% solve(V[i, i, drop = FALSE], U[i])); c(v, k - 1, pchisq(v, k - 1, lower.tail = FALSE)) }
# Up to a limit the last interval ends there; who comes so far without the event has passed all of it.
table_of <- function(l, t, d, f, g, most = Inf) { through <- !d & t >= most; b <- floor(t / g + 1e-9); if (is.finite(most)) b <- pmin(b, ceiling(most / g) - 1); m <- max(b) + 1; D <- sapply(0:(m - 1), function(j) sum(f[b == j & d])); W <- sapply(0:(m - 1), function(j) sum(f[b == j & !d & !through])); N <- rev(cumsum(rev(D + W))) + sum(f[through]); n <- N - W / 2
  from <- (0:(m - 1)) * g; h <- pmin(from + g, most) - from
  q <- ifelse(n > 0, D / n, 0); p <- 1 - q; S <- c(1, cumprod(p)); v <- c(0, cumsum(ifelse(q > 0, q / (n * p), 0))); se <- ifelse(S > 0, S * sqrt(v), 0); z <- 2 * q / (h * (1 + p)); zs <- ifelse(q > 0, z * sqrt((1 - (z * h / 2)^2) / (n * q)), 0); y <- S[1:m] * q / h; ys <- ifelse(y > 0, y * sqrt(v[1:m] + ifelse(q > 0, p / (n * q), 0)), 0)
  k <- which(S <= .5)[1]; med <- if (is.na(k)) NA else from[k - 1] + h[k - 1] * (S[k - 1] - .5) / (S[k - 1] - S[k])
  c(lapply(1:m, function(j) block("life", list(group = l, start = from[j]), start = from[j], entering = N[j], censored = W[j], exposed = n[j], events = D[j], dying = q[j], living = p[j], survival = S[j + 1], se = se[j + 1], density = y[j], density_se = ys[j], hazard = z[j], hazard_se = zs[j])), list(block("medians", list(group = l), n = sum(f), events = sum(f[d]), median = known(med)))) }
run <- function(D, time, status, event, h, group = NULL, f = NULL, most = Inf) { D <- D[complete.cases(D[, c(time, status, group, f)]), ]; t <- D[[time]]; d <- D[[status]] == event; d <- d & t <= most; t <- pmin(t, most); n <- if (is.null(f)) rep(1, nrow(D)) else D[[f]]
  if (is.null(group)) return(table_of("全部", t, d, n, h, most)); g <- factor(D[[group]], unique(D[[group]])); out <- unlist(lapply(levels(g), function(l) table_of(l, t[g == l], d[g == l], n[g == l], h, most)), recursive = FALSE); x <- gehan(t, d, g, n)
  c(out, list(block("result", list(test = "Wilcoxon（Gehan）"), chi2 = x[1], df = x[2], p = x[3]))) }
x <- table_of("", K$年, K$结局 == "死亡", K$人数, 1); published <- c(98.5, 84.5, 72, 61, 53); stopifnot(all(sapply(1:5, function(j) x[[j]]$cells$exposed) == published), abs(x[[4]]$cells$survival - .6967360) < 1e-6, abs(x[[1]]$cells$hazard - .1069519) < 1e-6, abs(x[[1]]$cells$se - .0304311) < 1e-6)
case_of <- function(...) list(time = "随访天数", status = "结局", ...)
oracle(c("R 4.2.2; Klein & Moeschberger, KMsurv::lifetab (published numbers checked inside the script)"), list(
  case("肺癌，每 90 天，男女", case_of(group = "性别", width = 90), run(L, "随访天数", "结局", "死亡", 90, "性别"), list(fact("“性别”各组的生存有差异", n0 = "男", n1 = "女"), "寿命表把时间切成区间", "用寿命表法估计生存率", "区间宽度 90", "随访结束时生存率还在一半以上", "最少的一组有", "删失须与结局无关", "算事件", "不能说明是分组造成的")),
  case("不分组，上限 360", case_of(width = 30, most = 360), run(L, "随访天数", "结局", "死亡", 30, most = 360), list("走完最后一个区间", "事件有", "到 360 时，累积生存率为", "用寿命表法估计生存率。中位")),
  case("男女，上限不是区间的倍数", case_of(group = "性别", width = 100, most = 350), run(L, "随访天数", "结局", "死亡", 100, "性别", most = 350), list("走完最后一个区间", "用寿命表法估计生存率", "“性别”各组的生存有差异")),
  case("汇总的资料（KMsurv 的例）", list(time = "年", status = "结局", weight = "人数", width = 1), run(K, "年", "结局", "死亡", 1, f = "人数"), list("事件有", "中位生存时间：未达到。到 5 时，累积生存率为"), data = "oracle-kmsurv.csv")))
