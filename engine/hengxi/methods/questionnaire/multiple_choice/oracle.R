# prop.test (Wilson), mcnemar.test's formula and binom.test with p.adjust, and Q as the stratified mantelhaen.test of base R.
# The second case is countable by hand: ten people, four options.
source("../../../../tools/oracle.R")
brands <- c("华为", "小米", "苹果", "荣耀", "一加", "都不了解")
if (!file.exists("example.csv")) {
  RNGversion("4.2.0"); set.seed(11); n <- 300; t <- rnorm(n); k <- sapply(c(1.2, .5, .9, -.2, -1.1), function(b) runif(n) < plogis(b + t))
  none <- rowSums(k) == 0 | runif(n) < .01; k <- cbind(k, none) * 1; asked <- runif(n) < .96; k[!asked, ] <- NA
  d <- as.data.frame(k); names(d) <- paste0("手机品牌认知(", brands, ")")
  d$手机品牌认知文本 <- apply(k, 1, function(v) paste(brands[which(v == 1)], collapse = "┋"))
  d$性别 <- sample(c("男", "女"), n, TRUE); d$年龄段 <- cut(t + rnorm(n), c(-9, -1, 0, 1, 9), c("18-25", "26-35", "36-45", "46以上"))
  d$次数 <- sample(0:3, n, TRUE); d$权数 <- sample(c(.5, 1, 1.5), n, TRUE); write.csv(d, "example.csv", row.names = FALSE, quote = FALSE, na = "")
}
d <- read.csv("example.csv", check.names = FALSE, na.strings = ""); items <- names(d)[1:6]; k <- as.matrix(d[1:6]); colnames(k) <- brands
ten <- data.frame(甲 = c(1, 1, 0, 1, 0, 1, 1, 0, 1, NA), 乙 = c(0, 1, 0, 1, 0, 1, 0, 0, 1, NA), 丙 = c(0, 0, 1, 0, 0, 1, 0, 0, 0, NA), 丁 = c(0, 0, 0, 0, 0, 1, 0, 0, 0, NA))
write.csv(ten, "oracle-ten.csv", row.names = FALSE, quote = FALSE, na = "")
lists <- data.frame(第一 = c("茶", "水", "茶", NA, "酒", "茶"), 第二 = c("水", "酒", NA, NA, NA, "酒")); write.csv(lists, "oracle-lists.csv", row.names = FALSE, quote = FALSE, na = "")
same <- data.frame(甲 = c(1, 1, NA), 乙 = c(1, 1, NA)); write.csv(same, "oracle-same.csv", row.names = FALSE, quote = FALSE, na = "")

run <- function(k, base, w = rep(1, nrow(k)), level = .95) {
  h <- (k == 1 & !is.na(k))[base, , drop = FALSE]; v <- w[base]; n <- colSums(h * v); h <- h[, order(-n), drop = FALSE]; n <- sort(n, TRUE)[colnames(h)]; N <- sum(v); o <- colnames(h)
  out <- lapply(seq_along(n), function(j) { ci <- if (n[j] > 0) suppressWarnings(prop.test(n[j], N, conf.level = level, correct = FALSE)$conf.int) else c(0, qnorm(.975)^2 / (N + qnorm(.975)^2)); block("choices", list(option = o[j]), n = n[[j]], responses = n[[j]] / sum(n), cases = n[[j]] / N, low = ci[1], high = ci[2]) })
  out <- c(out, list(block("summary", list(), base = N, outside = sum(w) - N, responses = sum(n), mean = sum(n) / N)))
  p <- NA
  if (all(v == floor(v)) && any(rowSums(h) > 0 & rowSums(h) < ncol(h))) {
    x <- h[rep(seq_len(nrow(h)), v), ]; long <- data.frame(y = as.vector(x), t = factor(rep(seq_along(o), each = nrow(x))), s = factor(rep(seq_len(nrow(x)), length(o))))
    m <- mantelhaen.test(long$t, factor(long$y), long$s); p <- m$p.value
    out <- c(out, list(block("test", list(), n = N, q = m$statistic[[1]], df = ncol(h) - 1, p = p)))
    ij <- combn(length(o), 2); raw <- apply(ij, 2, function(q) { b <- sum(x[, q[1]] > x[, q[2]]); c <- sum(x[, q[1]] < x[, q[2]]); if (b + c == 0) c(1, NA) else if (b + c < 25) c(binom.test(b, b + c)$p.value, NA) else c(pchisq((b - c)^2 / (b + c), 1, lower.tail = FALSE), (b - c)^2 / (b + c)) })
    adj <- p.adjust(raw[1, ], "holm")
    out <- c(out, lapply(seq_len(ncol(ij)), function(z) { cells <- list(difference = (n[ij[1, z]] - n[ij[2, z]])[[1]] / N, raw = raw[1, z], p = adj[z]); if (!is.na(raw[2, z])) cells$chi2 <- raw[2, z]; do.call(block, c(list("pairs", list(first = o[ij[1, z]], second = o[ij[2, z]])), cells)) }))
  }
  words <- apply(h, 1, function(r) if (any(r)) paste(o[r], collapse = "＋") else "一项都没选"); q <- sort(tapply(v, words, sum), TRUE)
  for (w1 in names(q)[q > (if (length(q) > 10) q[11] else -1)][1:min(10, length(q))]) if (!is.na(w1)) { same <- q == q[[w1]]; cells <- list("combinations", list(combination = w1), n = q[[w1]], share = q[[w1]] / N); if (sum(same) == 1) cells$rank <- which(names(q) == w1); out <- c(out, list(do.call(block, cells))) }
  list(out = out, n = n, N = N, mean = sum(n) / N, p = p, kinds = sum(q > 0))
}
answered <- rowSums(!is.na(k)) > 0; any1 <- rowSums(k == 1, na.rm = TRUE) > 0
says <- function(a, p = TRUE, extra = list()) c(list("这是多选题，一个人可以选几项", "普及率的分母是", fact("选得最多的是", n = max(a$n), base = a$N, mean = a$mean), fact("共有 {k:integer} 种组合", k = a$kinds),
  fact("普及率最高的是", low = min(a$n) / a$N), fact("选得最多的是“", share = max(a$n) / a$N)), if (p) list("用 Holm 法校正", if (a$p < .05) "普及率有差异" else "没有发现明显差异"), extra)
A <- run(k, any1); B <- run(as.matrix(ten), rowSums(!is.na(ten)) > 0, level = .9); C <- run(k, rep(TRUE, 300), d$权数)
W <- run(k, answered, d$次数); L <- run(cbind(茶 = rowSums(lists == "茶", na.rm = TRUE), 水 = rowSums(lists == "水", na.rm = TRUE), 酒 = rowSums(lists == "酒", na.rm = TRUE)), rowSums(lists == "茶" | lists == "水" | lists == "酒", na.rm = TRUE) > 0)
S <- run(as.matrix(same), c(TRUE, TRUE, FALSE)); kinds <- c(setNames(as.list(rep("定类", 6)), items), list(手机品牌认知文本 = "定类"))
both <- sum(k[, 6] == 1 & rowSums(k[, 1:5]) > 0, na.rm = TRUE); nm <- function(x) as.list(names(x)); cat2 <- function(x) setNames(as.list(rep("定类", ncol(x))), names(x))
oracle(c("R 4.2.2: prop.test(correct = FALSE), mantelhaen.test, binom.test, p.adjust"), list(
  case("六个品牌，至少选一项的人", list(items = as.list(items), exclusive_option = "都不了解"), A$out, says(A, extra = list(fact("行选了互斥项“都不了解”", k = both))), measures = kinds),
  case("十人四项，手算，90%", list(items = nm(ten), empty_as = "none_selected", conf_level = .9, exclusive_option = "丁"), B$out[1:12], says(B, extra = list()), data = "oracle-ten.csv", measures = cat2(ten)),
  case("分隔文本，权重带小数，全部个案", list(items = list("手机品牌认知文本"), coding = "delimited", weight = "权数", empty_as = "all"), C$out, says(C, FALSE, list("“选项差异检验”未给出", "“两两比较（McNemar）”未给出")), measures = kinds),
  case("频数权重", list(items = as.list(items), weight = "次数", empty_as = "none_selected"), W$out, says(W), measures = kinds),
  case("每列一个答案", list(items = nm(lists), coding = "category"), L$out, says(L), data = "oracle-lists.csv", measures = cat2(lists)),
  case("选择都相同", list(items = nm(same), exclusive_option = "甲"), S$out, says(S, FALSE, list("无法比较", "又选了其他项")), data = "oracle-same.csv", measures = cat2(same))))
