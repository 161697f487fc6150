# Rscript oracle.R   (R 4.2.2, cluster 2.1) USArrests of base R: dist, mahalanobis, cor, daisy(metric = "gower").
source("../../../../tools/oracle.R")
suppressMessages(library(cluster))

u <- USArrests; x <- setNames(u[1:15, ], c("谋杀", "袭击", "城市人口", "强奸")); utf <- function(d, f) write.csv(d, f, row.names = FALSE, quote = FALSE, na = "", fileEncoding = "UTF-8")
utf(cbind(州 = rownames(x), x), "example.csv")
# A survey of categories, ordered answers and 0/1 ticks, with gaps; the rows with a gap are left out.
s <- data.frame(编号 = paste0("P", 1:8), 性别 = c("男", "女", "女", "男", "女", NA, "男", "女"), 年龄 = c(20, 31, 45, 22, 38, 27, 60, 33), 甲 = c(1, 0, 1, 1, 0, 1, 0, 1), 乙 = c(0, 0, 1, 1, 0, 0, 1, 1), 丙 = c(1, 0, 1, 0, 0, 0, 1, 1), 次数 = c(4, 2, 7, 1, 3, 5, 2, 6), check.names = FALSE)
utf(s, "oracle-survey.csv")
# All cells below the diagonal, and the summary.
rows <- function(m, names, alike = FALSE, number = TRUE) { n <- length(names); p <- which(lower.tri(m), arr.ind = TRUE); v <- m[lower.tri(m)]; near <- if (alike) which.max(v) else which.min(v); far <- if (alike) which.min(v) else which.max(v)
  c(do.call(c, lapply(seq_len(n), function(i) lapply(seq_len(i), function(j) block("matrix", list(item = names[i], against = names[j]), d = unname(m[i, j]))))),
    list(block("summary", list(item = "最相近的一对"), value = v[near]), block("summary", list(item = "最不同的一对"), value = v[far]), block("summary", list(item = if (alike) "平均相似系数" else "平均距离"), value = mean(v)), block("summary", list(item = "对象数"), value = n))) }
z <- scale(x); n <- rownames(x); f <- function(...) list(variables = as.list(names(x)), label = "州", ...); D <- function(m) as.matrix(m)
k <- s[!is.na(s$性别), ]; B <- as.matrix(k[, c("甲", "乙", "丙")]); g <- function(vars, ...) list(variables = as.list(vars), label = "编号", ...)
jac <- 1 - D(dist(B, "binary")); jac[is.nan(jac)] <- 0; both0 <- outer(rowSums(B) == 0, rowSums(B) == 0, "&"); jac[both0] <- 0; diag(jac) <- 1
sm <- 1 - D(dist(B, "manhattan")) / 3; a11 <- B %*% t(B); dice <- 2 * a11 / outer(rowSums(B), rowSums(B), "+"); dice[is.nan(dice)] <- 0; diag(dice) <- 1
tick <- s[, c("甲", "乙", "丙")]; full <- as.matrix(tick); fs <- s$编号; jf <- 1 - D(dist(full, "binary")); jf[outer(rowSums(full) == 0, rowSums(full) == 0, "&")] <- 0; diag(jf) <- 1
smf <- 1 - D(dist(full, "manhattan")) / 3; df2 <- 2 * (full %*% t(full)) / outer(rowSums(full), rowSums(full), "+"); df2[is.nan(df2)] <- 0; diag(df2) <- 1
gow <- D(daisy(transform(k[, c("性别", "年龄", "次数")], 性别 = factor(性别)), metric = "gower"))
ham <- D(outer(seq_len(nrow(k)), seq_len(nrow(k)), Vectorize(function(i, j) mean(c(k$性别[i] != k$性别[j], k$甲[i] != k$甲[j])))))
chi <- outer(1:15, 1:15, Vectorize(function(i, j) if (i == j) 0 else sqrt(suppressWarnings(chisq.test(rbind(unlist(x[i, ]), unlist(x[j, ])), correct = FALSE))$statistic)))
mah <- outer(1:15, 1:15, Vectorize(function(i, j) sqrt(mahalanobis(unlist(x[i, ]), unlist(x[j, ]), cov(x)))))
cosine <- function(m) { r <- m %*% t(m) / sqrt(outer(rowSums(m^2), rowSums(m^2))); r }
near <- function(d, k) do.call(c, lapply(seq_along(n), function(i) { o <- order(d[i, ]); o <- o[o != i][1:k]; lapply(1:k, function(r) block("nearest", list(thing = n[i], other = n[o[r]]), order = r, d = unname(d[i, o[r]]))) }))
de <- D(dist(z)); stopifnot(abs(D(dist(scale(USArrests)))["Alabama", "Alaska"] - 2.703754) < 1e-6)
cm <- cmdscale(dist(z), 2, eig = TRUE); share <- sum(cm$eig[1:2]) / sum(cm$eig[cm$eig > 0])
SAY <- list("最相近（距离", "距离越小越相近"); SIM <- list("最相近（相似系数", "相似系数越大越相近"); kinds <- list(编号 = "文本", 性别 = "定类", 年龄 = "定量", 甲 = "定量", 乙 = "定量", 丙 = "定量", 次数 = "定量")
oracle(c("R 4.2.2: dist, cor, mahalanobis, chisq.test, cmdscale", "cluster: daisy(metric = \"gower\")"), list(
  case("欧氏", f(), rows(de, n), c(SAY, list(fact("二维图表达了距离信息的", share = share)))),
  case("平方欧氏，0-1", f(measure = "sqeuclidean", standardize = "range01"), rows(D(dist(apply(x, 2, function(v) (v - min(v)) / diff(range(v)))))^2, n), SAY),
  case("城市街区，不标准化", f(measure = "cityblock", standardize = "none"), rows(D(dist(x, "manhattan")), n), SAY),
  case("切比雪夫，最大值1", f(measure = "chebyshev", standardize = "max1"), rows(D(dist(apply(x, 2, function(v) v / max(abs(v))), "maximum")), n), SAY),
  case("闵可夫斯基", f(measure = "minkowski", p = 4), rows(D(dist(z, "minkowski", p = 4)), n), SAY),
  case("马氏", f(measure = "mahalanobis"), rows(mah, n), SAY),
  case("余弦", f(measure = "cosine"), rows(cosine(z), n, TRUE), SIM),
  case("相关，变量间", f(measure = "pearson", between = "variables"), rows(cor(x), names(x), TRUE), SIM),
  case("秩相关，变量间", f(measure = "spearman", between = "variables"), rows(cor(x, method = "spearman"), names(x), TRUE), SIM),
  case("兰氏", f(measure = "canberra"), rows(D(dist(x, "canberra")), n), SAY),
  case("Bray-Curtis", f(measure = "braycurtis"), rows(D(dist(x, "manhattan")) / outer(rowSums(x), rowSums(x), "+"), n), SAY),
  case("卡方", f(measure = "chi2"), rows(chi, n), SAY),
  case("最近邻", f(output = "nearest", k = 3), near(de, 3), list("“热力图数据”未给出：输出最近邻时不画", "“二维坐标”未给出：输出最近邻时不画", "最相近（距离", "距离越小越相近")),
  case("Jaccard", g(c("甲", "乙", "丙"), measure = "jaccard"), rows(jf, fs, TRUE), SIM, data = "oracle-survey.csv", measures = kinds),
  case("Dice", g(c("甲", "乙", "丙"), measure = "dice"), rows(df2, fs, TRUE), SIM, data = "oracle-survey.csv", measures = kinds),
  case("简单匹配", g(c("甲", "乙", "丙"), measure = "simple_matching"), rows(smf, fs, TRUE), SIM, data = "oracle-survey.csv", measures = kinds),
  case("Gower", g(c("性别", "年龄", "次数"), measure = "gower"), rows(gow, k$编号), SAY, data = "oracle-survey.csv", measures = kinds),
  case("汉明", g(c("性别", "甲"), measure = "hamming"), rows(ham, k$编号), SAY, data = "oracle-survey.csv", measures = kinds)))
