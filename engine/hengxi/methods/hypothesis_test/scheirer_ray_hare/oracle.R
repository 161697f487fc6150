# Rscript oracle.R   (R 4.2.2, car 3.1) Ranks, Anova type II, H = SS / total mean square; ART by its definition and Anova type III.
source("../../../../tools/oracle.R")
suppressMessages(library(car))

if (!file.exists("example.csv")) { set.seed(14); d <- expand.grid(i = 1:12, 光照 = c("弱", "强"), 肥料 = c("无", "有机", "化肥"), stringsAsFactors = FALSE)
  m <- 2 + .3 * (d$光照 == "强") + .5 * (d$肥料 == "有机") + .6 * (d$肥料 == "化肥") + .5 * (d$光照 == "强" & d$肥料 == "化肥")
  write.csv(data.frame(光照 = d$光照, 肥料 = d$肥料, 产量 = round(exp(m + rnorm(72, 0, .45)), 1), check.names = FALSE), "example.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8") }
prep <- function(y, a, b) { k <- !is.na(y); data.frame(y = y, a = factor(a, unique(a)), b = factor(b, unique(b)))[k, ] }
cellrows <- function(d) { r <- rank(d$y); unlist(lapply(levels(d$a), function(i) lapply(levels(d$b), function(j) { s <- d$a == i & d$b == j
  block("cells", list(first = i, second = j), n = sum(s), median = median(d$y[s]), mean_rank = mean(r[s])) })), recursive = FALSE) }
dunn <- function(d, names) unlist(lapply(1:2, function(m) { g <- d[[c("a", "b")[m]]]; r <- rank(d$y); N <- length(r); S <- var(r); L <- levels(g); P <- combn(length(L), 2)
  lapply(seq_len(ncol(P)), function(q) { u <- r[g == L[P[1, q]]]; v <- r[g == L[P[2, q]]]; se <- sqrt(S * (1 / length(u) + 1 / length(v))); dd <- mean(u) - mean(v); p <- 2 * pnorm(-abs(dd / se))
    block("pairs", list(factor = names[m], first = L[P[1, q]], second = L[P[2, q]]), difference = dd, se = se, z = dd / se, p = p, adjusted = min(1, p * ncol(P))) }) }), recursive = FALSE)
srh <- function(d, names) { d$r <- rank(d$y); A <- Anova(lm(r ~ a * b, d), type = 2); MS <- var(d$r); src <- c(names, paste(names, collapse = " × "))
  lapply(1:3, function(i) { H <- A[i, "Sum Sq"] / MS; block("result", list(source = src[i]), ss = A[i, "Sum Sq"], df = A[i, "Df"], H = H, p = pchisq(H, A[i, "Df"], lower.tail = FALSE), epsilon2 = H / (nrow(d) - 1)) }) }
art <- function(d, names) { src <- c(names, paste(names, collapse = " × ")); own <- ave(d$y, d$a, d$b); A <- ave(d$y, d$a); B <- ave(d$y, d$b); M <- mean(d$y)
  part <- list(A - M, B - M, own - A - B + M)
  lapply(1:3, function(i) { d$r <- rank(round(d$y - own + part[[i]], 9)); T <- Anova(lm(r ~ a * b, d, contrasts = list(a = contr.sum, b = contr.sum)), type = 3)
    block("aligned", list(source = src[i]), ss = T[i + 1, "Sum Sq"], df = T[i + 1, "Df"], df_error = T["Residuals", "Df"], F = T[i + 1, "F value"], p = T[i + 1, "Pr(>F)"]) }) }
e <- example(); d <- prep(e[["产量"]], e[["光照"]], e[["肥料"]]); N <- c("光照", "肥料")
w <- warpbreaks; ww <- prep(w$breaks, as.character(w$wool), as.character(w$tension)); W <- c("羊毛", "张力")
write.csv(data.frame(羊毛 = ww$a, 张力 = ww$b, 断裂 = ww$y, check.names = FALSE), "oracle-warp.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
h <- srh(ww, W); stopifnot(abs(h[[1]]$cells$H - 1.32606) < 1e-5, abs(h[[2]]$cells$H - 10.80927) < 1e-5, abs(h[[3]]$cells$H - 3.64267) < 1e-5)
set.seed(3); like <- data.frame(性别 = sample(c("男", "女"), 60, TRUE), 学历 = sample(c("专科", "本科", "硕士"), 60, TRUE), 满意 = sample(c(1:5, NA), 60, TRUE), check.names = FALSE)
write.csv(like, "oracle-like.csv", row.names = FALSE, quote = FALSE, na = "", fileEncoding = "UTF-8")
l <- prep(like[["满意"]], like[["性别"]], like[["学历"]]); L <- c("性别", "学历")
cross <- data.frame(药 = rep(c("旧", "新"), each = 8), 性别 = rep(c("男", "女"), 8), 得分 = c(3, 9, 4, 8, 2, 7, 5, 10, 9, 3, 8, 2, 10, 4, 7, 1), check.names = FALSE)
write.csv(cross, "oracle-cross.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8"); x <- prep(cross[["得分"]], cross[["药"]], cross[["性别"]]); X <- c("药", "性别")
f <- function(...) list(y = "产量", factors = list("光照", "肥料"), ...); g <- function(...) list(y = "断裂", factors = list("羊毛", "张力"), ...)
q <- function(...) list(y = "满意", factors = list("性别", "学历"), ...)
K <- list(光照 = "定类", 肥料 = "定类", 产量 = "定量"); KW <- list(羊毛 = "定类", 张力 = "定类", 断裂 = "定量"); KL <- list(性别 = "定类", 学历 = "定类", 满意 = "定量")
CHECKS <- list("最小的组合有", "秩检验对交互不敏感", "相同的值取平均秩", "因素1 为", "本检验要求各行数据互不影响", "主效应问")

oracle(c("R 4.2.2, car 3.1: rank, lm, Anova (type II and III)"), list(
  case("光照与肥料", f(), c(srh(d, N), cellrows(d), dunn(d, N)), c(CHECKS, "的主效应有统计学意义", "Scheirer-Ray-Hare 检验（"), measures = K),
  case("光照与肥料，ART", f(method = "art", post_hoc = "none"), c(art(d, N), cellrows(d)), list("对齐秩变换（ART）方差分析", "的主效应"), measures = K),
  case("羊毛与张力", g(), c(h, cellrows(ww), dunn(ww, W)), list("未达到统计学意义", "Scheirer-Ray-Hare 检验（"), data = "oracle-warp.csv", measures = KW),
  case("羊毛与张力，ART", g(method = "art"), c(art(ww, W), dunn(ww, W)), list("对齐秩变换", "的主效应"), data = "oracle-warp.csv", measures = KW),
  case("五级评分，不均衡，有缺失", q(), c(srh(l, L), cellrows(l), dunn(l, L)), list("的主效应未达到统计学意义", "Scheirer-Ray-Hare 检验（"), data = "oracle-like.csv", measures = KL),
  case("只有交互", list(y = "得分", factors = list("药", "性别"), post_hoc = "none"), srh(x, X), list("两个因素有交互", "有交互时，单说一个因素", "不足 5 例", "Scheirer-Ray-Hare 检验（"), data = "oracle-cross.csv",
    measures = list(药 = "定类", 性别 = "定类", 得分 = "定量")),
  case("五级评分，ART", q(method = "art"), art(l, L), list("的主效应未达到统计学意义", "对齐秩变换（ART）方差分析"), data = "oracle-like.csv", measures = KL)))
