# Rscript oracle.R   (R 4.2.2) R² of every subset by lm; LMG, dominance and Johnson's weights by their definitions.
# The example is attitude of R's datasets (Chatterjee & Price 1977).
source("../../../../tools/oracle.R")
save_as <- function(x, f) if (!file.exists(f)) write.csv(x, f, row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8", na = "")
save_as(setNames(attitude, c("总体评价", "处理投诉", "没有特权", "学习机会", "按绩加薪", "过于挑剔", "晋升机会")), "example.csv")
set.seed(41); n <- 120; f0 <- rnorm(n); q <- function(w) pmin(5, pmax(1, round(3 + w * f0 + rnorm(n, 0, .9)))); d <- data.frame(质量 = q(.6), 价格 = q(.5), 配送 = q(.7), 售后 = q(.4)); d$满意 <- pmin(5, pmax(1, round(.4 * d$质量 + .3 * d$配送 + .2 * d$售后 + rnorm(n, .4, .6)))); d$配送[c(4, 50)] <- NA
save_as(d, "oracle-likert.csv")
E <- example(); L <- na.omit(example("oracle-likert.csv")); p_of <- function(d, y) setdiff(names(d), y)
sub <- function(d, y) { x <- p_of(d, y); p <- length(x); sapply(0:(2^p - 1), function(m) { k <- x[bitwAnd(m, 2^(0:(p - 1))) > 0]; if (length(k)) summary(lm(reformulate(sprintf("`%s`", k), sprintf("`%s`", y)), d))$r.squared else 0 }) }
lmg <- function(R, p) sapply(1:p, function(j) { m <- 0:(2^p - 1); w <- m[bitwAnd(m, 2^(j - 1)) == 0]; s <- sapply(w, function(k) sum(bitwAnd(k, 2^(0:(p - 1))) > 0)); sum((R[w + 2^(j - 1) + 1] - R[w + 1]) / (p * choose(p - 1, s))) })
johnson <- function(d, y) { x <- p_of(d, y); e <- eigen(cor(d[x])); L <- e$vectors %*% diag(sqrt(e$values)) %*% t(e$vectors); drop(L^2 %*% solve(L, cor(d[x], d[[y]]))^2) }
beta <- function(d, y) { z <- as.data.frame(scale(d)); coef(lm(reformulate(sprintf("`%s`", p_of(d, y)), sprintf("`%s`", y)), z))[-1] }
tables <- function(d, y, v) { x <- p_of(d, y); p <- length(x); n <- nrow(d); b <- beta(d, y); f <- summary(lm(reformulate(sprintf("`%s`", x), sprintf("`%s`", y)), d)); o <- rank(-v)
  c(lapply(1:p, function(j) block("result", list(name = x[j]), rank = o[j], importance = v[j], share = v[j] / sum(v), beta = b[[j]], r = cor(d[[x[j]]], d[[y]]), mean = mean(d[[x[j]]]))),
    list(block("summary", list(), n = n, r2 = f$r.squared, adjusted = f$adj.r.squared, F = f$fstatistic[[1]], df1 = p, df2 = n - p - 1, p = pf(f$fstatistic[[1]], p, n - p - 1, lower.tail = FALSE), vif = max(diag(solve(cor(d[x]))))))) }
dom <- function(R, x) { p <- length(x); out <- list(); m <- 0:(2^p - 1); size <- sapply(m, function(k) sum(bitwAnd(k, 2^(0:(p - 1))) > 0))
  for (j in 1:p) for (k in 0:(p - 1)) { w <- m[bitwAnd(m, 2^(j - 1)) == 0 & size == k]; out <- c(out, list(block("general", list(name = x[j], others = k), others = k, gain = mean(R[w + 2^(j - 1) + 1] - R[w + 1])))) }
  for (i in 1:(p - 1)) for (j in (i + 1):p) { w <- m[bitwAnd(m, 2^(i - 1)) == 0 & bitwAnd(m, 2^(j - 1)) == 0]; a <- R[w + 2^(i - 1) + 1]; b <- R[w + 2^(j - 1) + 1]; out <- c(out, list(block("pairs", list(item = x[i], against = x[j]), won = if (all(a - b > 1e-12)) "优于" else if (all(b - a > 1e-12)) "劣于" else "不定"))) }; out }
RE <- sub(E, "总体评价"); vE <- lmg(RE, 6); stopifnot(abs(vE - c(.37082, .05090, .15577, .12035, .00659, .02818)) < 1e-5, abs(sum(vE) - .732602) < 1e-6)
RL <- sub(L, "满意"); f <- function(y, x, ...) list(y = y, x = as.list(x), n_boot = 200, ...); xE <- p_of(E, "总体评价"); xL <- p_of(L, "满意")
M <- c(setNames(as.list(rep("定量", 7)), names(E)), setNames(as.list(rep("定量", 5)), names(L))); A <- "重要性说的是关联，不是因果"
lead <- function(v, R) fact("全部因素共解释", share = max(v) / sum(v), r2 = R[length(R)])
oracle(c("R 4.2.2: lm, eigen", "relaimpo 的定义（Grömping 2006）", "Johnson (2000)"), list(
  case("态度数据，LMG", f("总体评价", xE), tables(E, "总体评价", vE), list(lead(vE, RE), A, "重要性之和等于", "左上：重要而绩效低", "稳定的", "系数却是负的"), measures = M),
  case("优势分析", f("总体评价", xE[c(1, 3, 4)], method = "dominance"), { d <- E[c("总体评价", xE[c(1, 3, 4)])]; R <- sub(d, "总体评价"); c(tables(d, "总体评价", lmg(R, 3)), dom(R, xE[c(1, 3, 4)])) }, list("左边的因素对上边的因素"), measures = M),
  case("1–5 分，有缺失，相对权重", f("满意", xL, method = "relative_weights"), tables(L, "满意", johnson(L, "满意")), list("谁更重要还分不清"), "oracle-likert.csv", M),
  case("1–5 分，优势分析", f("满意", xL, method = "dominance"), c(tables(L, "满意", lmg(RL, 4)), dom(RL, xL)), list("应先改进的"), "oracle-likert.csv", M),
  case("标准化系数", f("满意", xL, method = "standardized_beta"), tables(L, "满意", abs(beta(L, "满意"))), list("重要性是 |*β*|"), "oracle-likert.csv", M)),
  list(list(what = "result.low", reason = "resampled by a seed; compared with an own loop in test_method.py"), list(what = "result.high", reason = "as result.low")))
