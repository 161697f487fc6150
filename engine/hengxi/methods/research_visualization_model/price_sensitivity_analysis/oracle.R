# Own derivation: shares by mean() at each price, crossings by approxfun and uniroot, resamples by sample().
# Closed form: prices of 400 people spread evenly, 便宜 over 20–60 and 贵 over 40–80 → IDP 50; 太便宜 over 0–40 and
# 太贵 over 30–70 → OPP 35.
source("../../../../tools/oracle.R")
if (!file.exists("example.csv")) { RNGversion("4.2.0"); set.seed(31); n <- 350; m <- exp(rnorm(n, log(60), .3)); r <- function(x) pmax(1, round(x / 5) * 5)
  d <- data.frame(太便宜 = r(m * .45), 便宜 = r(m * .75), 贵 = r(m * 1.2), 太贵 = r(m * 1.7)); for (i in sample(n, 35)) d[i, 2:3] <- d[i, 3:2]
  d$便宜时意愿 <- sample(1:5, n, TRUE, c(.05, .1, .2, .35, .3)); d$贵时意愿 <- pmax(1, d$便宜时意愿 - sample(1:3, n, TRUE)); d$年龄段 <- sample(c("18–29岁", "30–39岁", "40岁以上"), n, TRUE, c(.4, .35, .25)); d$权重 <- sample(c(.8, 1, 1.3), n, TRUE); d[4, 2] <- NA; d[9, 4] <- NA
  write.csv(d, "example.csv", row.names = FALSE, quote = FALSE, na = "") }
d <- read.csv("example.csv", check.names = FALSE, na.strings = ""); P <- c("太便宜", "便宜", "贵", "太贵")
i <- 1:400; even <- data.frame(太便宜 = i / 10, 便宜 = 20 + i / 10, 贵 = 40 + i / 10, 太贵 = 30 + i / 10); write.csv(even, "oracle-even.csv", row.names = FALSE)
cut <- function(f, g, grid, linear) { h <- round(g - f, 12); if (h[1] > 0 || all(h < 0)) return(NA); if (!linear) return(grid[which(h >= 0)[1]])
  a <- function(k) if (h[k] == 0) grid[k] else uniroot(approxfun(grid, h), grid[c(k - 1, k)], tol = 1e-14)$root
  if (any(h == 0)) (a(which(h >= 0)[1]) + if (any(h > 0)) a(which(h > 0)[1]) else max(grid)) / 2 else a(which(h > 0)[1]) }
sh <- function(x, w, grid) { W <- sum(w); list(a = sapply(grid, function(p) sum(w[x[, 1] >= p]) / W), b = sapply(grid, function(p) sum(w[x[, 2] >= p]) / W), c = sapply(grid, function(p) sum(w[x[, 3] <= p]) / W), d = sapply(grid, function(p) sum(w[x[, 4] <= p]) / W)) }
pts <- function(s, grid, linear = TRUE, rule = "original") { o <- rule == "original"; c(PMC = cut(s$a, if (o) 1 - s$b else s$c, grid, linear), IDP = cut(s$b, s$c, grid, linear), OPP = cut(s$a, s$d, grid, linear), PME = cut(if (o) 1 - s$c else s$b, s$d, grid, linear)) }
L <- c(PMC = "边际便宜点 PMC", IDP = "无差异价格点 IDP", OPP = "最优价格点 OPP", PME = "边际昂贵点 PME"); why <- "两组独立的重抽样"
run <- function(d, valid = TRUE, step = NULL, linear = TRUE, rule = "original", level = .95, times = 0, w = rep(1, nrow(d)), intent = NULL, group = NULL) {
  force(w); held <- stats::complete.cases(d); d <- d[held, ]; w <- w[held]; x <- as.matrix(d[P]); bad <- cbind(x[, 1] >= x[, 2], x[, 2] >= x[, 3], x[, 3] >= x[, 4]); N <- nrow(x); ok <- rowSums(bad) == 0; keep <- if (valid) ok else rep(TRUE, N)
  n <- sum(keep); out <- list(block("validity", list(item = "四题都回答"), n = N, share = 1), block("validity", list(item = "次序有效"), n = sum(ok), share = mean(ok))); for (k in 1:3) out <- c(out, list(block("validity", list(item = sprintf("“%s”不低于“%s”", P[k], P[k + 1])), n = sum(bad[, k]), share = mean(bad[, k]))))
  X <- x[keep, ]; W <- w[keep]; grid <- if (is.null(step)) sort(unique(c(X))) else seq(floor(min(X) / step) * step, ceiling(max(X) / step) * step, step); s <- sh(X, W, grid); p <- pts(s, grid, linear, rule)
  for (k in round(seq(1, length(grid), length.out = 8))) out <- c(out, list(block("cumulated", list(price = grid[k]), price = grid[k], a = s$a[k], b = s$b[k], c = s$c[k], d = s$d[k])))
  fall <- list(PMC = s$a, IDP = s$b, OPP = s$a, PME = if (rule == "original") 1 - s$c else s$b)
  R <- NULL; if (times > 0) { RNGversion("4.2.0"); set.seed(5); R <- replicate(times, { j <- sample(n, replace = TRUE); pts(sh(X[j, ], W[j], grid), grid, linear, rule) }) }
  q <- function(v) quantile(v, c((1 - level) / 2, (1 + level) / 2), names = FALSE)
  for (k in names(L)) { out <- c(out, list(block("points", list(name = L[[k]]), price = p[[k]], share = approx(grid, fall[[k]], p[[k]])$y))); if (!is.null(R)) { v <- q(R[k, ]); out <- c(out, list(block("points", list(name = L[[k]]), low = v[1], high = v[2], tolerance = .05, reason = why))) } }
  if (p[["PME"]] <= p[["PMC"]]) stop("no range"); out <- c(out, list(block("range", list(), low = p[["PMC"]], high = p[["PME"]], width = p[["PME"]] - p[["PMC"]]))); says <- list()
  if (!is.null(intent)) { pr <- rev(intent); prob <- function(i) approxfun(X[i, ], c(0, pr[d$便宜时意愿[keep][i]], pr[d$贵时意愿[keep][i]], 0), rule = 2)(grid); M <- sapply(seq_len(n), prob); re <- as.numeric(M %*% W / sum(W)); best <- function(v) which.max(round(v, 12))
    for (k in round(seq(1, length(grid), length.out = 6))) out <- c(out, list(block("intent_curve", list(price = grid[k]), price = grid[k], reach = re[k], revenue = 100 * grid[k] * re[k])))
    B <- NULL; if (times > 0) { set.seed(6); B <- replicate(times, { j <- sample(n, replace = TRUE); z <- as.numeric(M[, j] %*% W[j] / sum(W[j])); grid[c(best(z), best(z * grid))] }) }
    for (r in 1:2) { v <- if (r == 1) re else re * grid; b <- best(v); a <- c("到达率最高", "收入最大")[r]; out <- c(out, list(block("intents", list(aim = a), price = grid[b], reach = re[b], revenue = 100 * grid[b] * re[b]))); if (!is.null(B)) { z <- quantile(B[r, ], c((1 - level) / 2, (1 + level) / 2), type = 1, names = FALSE); out <- c(out, list(block("intents", list(aim = a), low = z[1], high = z[2], tolerance = .1, reason = why))) } }
    b <- best(re * grid); says <- list(fact("按购买意愿，定价", price = grid[b], share = re[b]), "收入指数是每 100 人的收入") }
  if (!is.null(group)) { G <- d[[group]][keep]; for (g in unique(G)) { m <- G == g; z <- pts(sh(X[m, ], W[m], grid), grid, linear, rule); for (k in names(L)) out <- c(out, list(block("groups", list(group = g, name = L[[k]]), n = sum(m), price = z[[k]])))
      if (times > 0) { set.seed(7); R2 <- replicate(times, { j <- sample(which(m), replace = TRUE); pts(sh(X[j, ], W[j], grid), grid, linear, rule) }); for (k in names(L)) { v <- q(R2[k, ]); out <- c(out, list(block("groups", list(group = g, name = L[[k]]), low = v[1], high = v[2], tolerance = .08, reason = why))) } } }; says <- c(says, list("区间不重叠时两组很可能不同")) }
  says <- c(says, list("阴影是可接受区间", fact("可接受的价格在", pmc = p[["PMC"]], pme = p[["PME"]], opp = p[["OPP"]], idp = p[["IDP"]]), "低于可接受区间", "这些价格来自“觉得贵不贵”", "一个人可能有不止一处矛盾", fact("人回答有效", n = n, pmc = p[["PMC"]], pme = p[["PME"]], opp = p[["OPP"]], idp = p[["IDP"]]), fact(if (n >= 30) "个，够用" else "个，结果不稳定", n = n)))
  if (times > 0) says <- c(says, list("次重抽样得到")); if (valid) says <- c(says, list(fact(if (mean(!ok) <= .2) "次序矛盾，已剔除。" else "比例偏高，请检查题目", share = mean(!ok)))) else if (any(!ok)) says <- c(says, list(fact("次序矛盾，已保留", k = sum(!ok)))); list(out = out, says = says, p = p) }
box <- function(...) c(list(too_cheap = "太便宜", cheap = "便宜", expensive = "贵", too_expensive = "太贵"), list(...)); q4 <- setNames(as.list(rep("定量", 4)), P); ex <- c(q4, list(便宜时意愿 = "定量", 贵时意愿 = "定量", 年龄段 = "定类", 权重 = "定量"))
A <- run(d[c(P, "便宜时意愿", "贵时意愿", "年龄段")], times = 600, intent = c(.7, .5, .3, .1, 0), group = "年龄段"); W <- run(d[c(P, "权重")], w = d$权重, step = 5, linear = FALSE, level = .9, times = 600); E <- run(even, valid = FALSE); stopifnot(abs(E$p[["IDP"]] - 50) < .1, abs(E$p[["OPP"]] - 35) < .1)
few <- d[c(1:3, 5:8, 10:18, 300:307), ]; few[1:6, P] <- few[1:6, rev(P)]; few$组 <- c("甲", rep("乙", nrow(few) - 1)); few <- few[c(P, "组")]; write.csv(few, "oracle-few.csv", row.names = FALSE, quote = FALSE); g <- run(few, rule = "narrower"); f2 <- few[few$组 == "乙", ]; k2 <- sum(f2[, 1] < f2[, 2] & f2[, 2] < f2[, 3] & f2[, 3] < f2[, 4])
oracle(c("R 4.2.2: mean, approxfun, uniroot, sample"), list(
  case("三个年龄段，购买意愿", box(intent_cheap = "便宜时意愿", intent_expensive = "贵时意愿", group = "年龄段"), A$out, A$says, measures = ex),
  case("等间隔，阶梯，加权，90%", box(weight = "权重", grid = "step", step = 5, intersection = "step", conf_level = .9), W$out, W$says, measures = ex),
  case("均匀分布的闭式解", box(validate = FALSE, interval = FALSE), E$out, E$says, data = "oracle-even.csv", measures = q4),
  case("收窄，样本太少", box(acceptable = "narrower", interval = FALSE, group = "组"), c(g$out, list(block("groups", list(group = "乙", name = L[["OPP"]]), n = k2))), c(g$says, list("的有效样本只有", "不到 30 人的组")), data = "oracle-few.csv", measures = c(q4, list(组 = "定类")))), quick = list(n_resamples = 200),
  unverified = lapply(c("pmcl", "pmch", "idpl", "idph", "oppl", "opph", "pmel", "pmeh"), function(k) list(what = paste0("lead.", k), reason = "重抽样的区间见表，容差已注明")))
