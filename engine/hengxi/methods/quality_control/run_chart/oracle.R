# Rscript oracle.R   (R 4.2.2, tseries: runs.test) Runs up and down by their formulas; the example is morley of R's datasets.
source("../../../../tools/oracle.R"); suppressMessages(library(tseries))
save_as <- function(x, f) write.csv(x, f, row.names = FALSE, quote = FALSE, na = "")
E <- example(); set.seed(8); W <- data.frame(日 = sample(1:40), 件1 = NA, 件2 = NA, 件3 = NA); W <- W[order(W$日), ]; for (j in 2:4) W[[j]] <- round(20 + .12 * W$日 + rnorm(40, 0, .6), 2); W <- W[sample(40), ]; save_as(W, "oracle-days.csv")
set.seed(2); L <- data.frame(批 = rep(paste0("批", 1:12), each = 2), 分 = sample(1:5, 24, TRUE)); L$分[c(3, 10)] <- NA; save_as(L, "oracle-items.csv"); S <- data.frame(值 = c(5, 7, 6, 8, 7, 9, 8)); save_as(S, "oracle-few.csv")
body <- function(x, mid = median) { c0 <- mid(x); s <- sign(x - c0); s <- s[s != 0]; out <- list(); N <- length(s); r <- rle(s); t <- runs.test(factor(s)); n1 <- sum(s > 0); n2 <- sum(s < 0); e <- 1 + 2 * n1 * n2 / N; v <- sqrt(2 * n1 * n2 * (2 * n1 * n2 - N) / (N^2 * (N - 1))); z <- unname(t$statistic)
  row <- function(p, o, e, v, z, tail) block("tests", list(pattern = p), observed = o, expected = e, sd = v, z = z, p = pnorm(z, lower.tail = tail))
  u <- rle(x)$values; d <- rle(sign(diff(u))); M <- length(u); ud <- length(d$lengths); eu <- (2 * M - 1) / 3; vu <- sqrt((16 * M - 29) / 90); zu <- (ud - eu) / vu; dd <- sign(diff(x)); dd <- rle(dd[dd != 0])
  list(b = list(row("聚集", length(r$lengths), e, v, z, TRUE), row("混合", length(r$lengths), e, v, z, FALSE), row("趋势", ud, eu, vu, zu, TRUE), row("振荡", ud, eu, vu, zu, FALSE),
    block("summary", list(), n = length(x), center = c0, above = sum(x > c0), below = sum(x < c0), on = sum(x == c0), longest = max(r$lengths), most = round(log2(N)) + 3, monotone = max(dd$lengths) + 1)), p = c(pnorm(z), pnorm(-z), pnorm(zu), pnorm(-zu))) }
a <- body(E$速度); stopifnot(abs(a$b[[1]]$cells$z + 4.82015) < 1e-4); w <- W[order(W$日), ]; b <- body(rowMeans(w[2:4]), mean); l <- tapply(L$分, factor(L$批, levels = unique(L$批)), mean, na.rm = TRUE); d <- body(as.numeric(l)); s <- body(S$值)
all <- list("游程是一段连续在同一侧", "绘制运行图（", "点，随机时一般不超过"); lead <- function(text, p) list(contains = text, facts = list(p0 = p)); M <- list(速度 = "定量", 分 = "定量", 值 = "定量", 日 = "定量", 件1 = "定量", 件2 = "定量", 件3 = "定量")
oracle(c("R 4.2.2: rle, pnorm", "tseries: runs.test"), list(
  case("光速，中位数", list(measures = list("速度")), a$b, c(all, list(lead("数据的次序不像是随机的", min(a$p)), "可以做游程检验。")), measures = M),
  case("三件一天，按日排序，均值", list(measures = list("件1", "件2", "件3"), time = "日", center = "mean"), b$b, c(all, list(lead("数据的次序不像是随机的", min(b$p)))), data = "oracle-days.csv", measures = M),
  case("1–5 分按批，有缺失", list(measures = list("分"), subgroup = "批"), d$b, c(all, list(lead(if (min(d$p) < .05) "数据的次序不像是随机的" else "没有发现聚集、混合、趋势或振荡", min(d$p)))), data = "oracle-items.csv", measures = M),
  case("七个点", list(measures = list("值")), s$b, c(all, list("只作参考。", lead(if (min(s$p) < .05) "数据的次序不像是随机的" else "没有发现聚集", min(s$p)))), data = "oracle-few.csv", measures = M)))
