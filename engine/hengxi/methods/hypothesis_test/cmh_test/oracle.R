# Rscript oracle.R   (R 4.2.2) mantelhaen.test for the tests, the common OR and general association; Breslow-Day, Tarone, Woolf,
# the common RR and the scored statistics written out from their papers. The catalogue's numbers for UCBAdmissions must come out.
source("../../../../tools/oracle.R")
save_as <- function(x, f) write.csv(x, f, row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
U <- as.data.frame(UCBAdmissions); U <- data.frame(院系 = paste0(U$Dept, "系"), 性别 = ifelse(U$Gender == "Male", "男", "女"), 录取 = ifelse(U$Admit == "Admitted", "是", "否"), 人数 = U$Freq, check.names = FALSE); save_as(U, "example.csv")
H <- as.data.frame(HairEyeColor); H <- data.frame(发色 = H$Hair, 眼色 = H$Eye, 性 = ifelse(H$Sex == "Male", "男", "女"), 人 = H$Freq, check.names = FALSE); H <- H[order(H$性, H$发色, H$眼色, method = "radix"), ]; save_as(H, "oracle-hair.csv")
P <- data.frame(药 = rep(c("新", "旧"), 12), 效 = rep(rep(c("有", "无"), each = 2), 6), 中心 = rep(c("一", "二", "三"), each = 8), 性 = rep(rep(c("男", "女"), each = 4), 3),
  例 = c(15, 5, 4, 9, 0, 2, 5, 5, 17, 8, 3, 8, 12, 6, 4, 9, 3, 2, 0, 0, 14, 7, 2, 9), check.names = FALSE); save_as(P, "oracle-centres.csv")
in_order <- function(v) factor(v, unique(v))
cube <- function(d, s, x, y, w, flip) { t <- xtabs(d[[w]] ~ d[[x]] + d[[y]] + s, d); x_ <- unique(d[[x]]); y_ <- unique(d[[y]]); if (flip) y_ <- rev(y_); unclass(t)[x_, y_, unique(as.character(s)), drop = FALSE] }
wool <- function(t, level) { o <- t[1, 1] * t[2, 2] / (t[1, 2] * t[2, 1]); h <- qnorm((1 + level) / 2) * sqrt(sum(1 / t)); c(o, o * exp(-h), o * exp(h)) }
even <- function(T, how, O) { k <- dim(T)[3]
  if (how == "woolf") { if (any(T == 0)) T <- T + .5; l <- apply(T, 3, function(t) log(t[1, 1] * t[2, 2] / (t[1, 2] * t[2, 1]))); w <- apply(T, 3, function(t) 1 / sum(1 / t)); v <- sum(w * (l - weighted.mean(l, w))^2) }
  else { g <- v1 <- numeric(k); for (i in 1:k) { t <- T[, , i]; r <- sum(t[1, ]); c <- sum(t[, 1]); n <- sum(t); f <- function(a) a * (n - r - c + a) - O * (r - a) * (c - a)
      a <- if (abs(O - 1) < 1e-12) r * c / n else { z <- polyroot(c(-O * r * c, n - r - c + O * (r + c), 1 - O)); z <- Re(z); z[z > max(0, r + c - n) & z < min(r, c)][1] }
      stopifnot(abs(f(a)) < 1e-6); g[i] <- t[1, 1] - a; v1[i] <- 1 / (1 / a + 1 / (r - a) + 1 / (c - a) + 1 / (n - r - c + a)) }; v <- sum(g^2 / v1) - if (how == "tarone") sum(g)^2 / sum(v1) else 0 }
  c(v, k - 1, pchisq(v, k - 1, lower.tail = FALSE)) }
NAMES <- c(breslow_day = "Breslow-Day", tarone = "Breslow-Day（Tarone校正）", woolf = "Woolf")
layer_cells <- function(T) unlist(lapply(dimnames(T)[[3]], function(s) unlist(lapply(rownames(T), function(a) lapply(colnames(T), function(b) block("cells", list(layer = s, group = a, option = b), n = T[a, b, s], share = if (sum(T[a, , s]) > 0) T[a, b, s] / sum(T[a, , s])))), recursive = FALSE)), recursive = FALSE)
two <- function(T, whole, how = "breslow_day", correct = TRUE, level = .95) {
  yes <- mantelhaen.test(T, correct = TRUE, conf.level = level); no <- mantelhaen.test(T, correct = FALSE, conf.level = level); n <- apply(T, 3, sum); s1 <- apply(T[1, , ], 2, sum); s2 <- apply(T[2, , ], 2, sum); a <- T[1, 1, ]; c <- T[2, 1, ]
  R <- sum(a * s2 / n) / sum(c * s1 / n); h <- qnorm((1 + level) / 2) * sqrt(sum(((a + c) * s1 * s2 - a * c * n) / n^2) / (sum(a * s2 / n) * sum(c * s1 / n))); w <- wool(whole, level); e <- even(T, how, unname(yes$estimate))
  c(list(block("result", list(test = "CMH（连续性校正）"), read = if (correct) "采用" else "", k = dim(T)[3], n = sum(T), chi2 = yes$statistic, df = 1, p = yes$p.value), block("result", list(test = "CMH（不校正）"), read = if (correct) "" else "采用", k = dim(T)[3], n = sum(T), chi2 = no$statistic, df = 1, p = no$p.value),
    block("common", list(measure = "Mantel-Haenszel 合并OR"), value = yes$estimate, low = yes$conf.int[1], high = yes$conf.int[2]), block("common", list(measure = "Mantel-Haenszel 合并RR"), value = R, low = R * exp(-h), high = R * exp(h)),
    block("common", list(measure = "粗OR（不分层）"), value = w[1], low = w[2], high = w[3]), block("equal", list(test = NAMES[[how]]), chi2 = e[1], df = e[2], p = e[3])),
    lapply(dimnames(T)[[3]], function(s) { t <- T[, , s]; x <- suppressWarnings(chisq.test(t, correct = FALSE)); o <- wool(t, level); z <- min(t) > 0
      block("layers", list(layer = s), n = sum(t), first = t[1, 1] / sum(t[1, ]), second = t[2, 1] / sum(t[2, ]), odds = if (z) o[1], low = if (z) o[2], high = if (z) o[3], chi2 = x$statistic, df = 1, p = x$p.value) }), layer_cells(T)) }
landis <- function(T, L, R) { q <- nrow(L(T[, , 1])) * nrow(R(T[, , 1])); G <- numeric(q); V <- matrix(0, q, q)
  for (i in seq_len(dim(T)[3])) { t <- T[, , i]; n <- sum(t); r <- rowSums(t) / n; c <- colSums(t) / n; A <- kronecker(R(t), L(t)); G <- G + A %*% (c(t) - n * c(outer(r, c))); V <- V + A %*% (n^2 / (n - 1) * kronecker(diag(c) - c %o% c, diag(r) - r %o% r)) %*% t(A) }
  v <- drop(t(G) %*% solve(V, G)); c(v, q, pchisq(v, q, lower.tail = FALSE)) }
most <- function(side) function(t) { k <- dim(t)[side]; diag(k)[-k, , drop = FALSE] }; plain <- function(side) function(t) matrix(seq_len(dim(t)[side]), 1)
ranked <- function(side) function(t) { m <- apply(t, side, sum); matrix(cumsum(m) - (m - 1) / 2, 1) }
larger <- function(T, scores) { k <- list(none = list("一般关联" = landis(T, most(1), most(2))))[["none"]]; S <- list(table = plain, rank = ranked)[[scores]]
  if (scores != "none") k <- c(list("非零相关" = landis(T, S(1), S(2)), "行均值得分差异" = landis(T, most(1), S(2))), k)
  if (dim(T)[3] > 1) { m <- mantelhaen.test(T); stopifnot(abs(m$statistic - k[["一般关联"]][1]) < 1e-8) }
  c(lapply(seq_along(k), function(i) block("result", list(test = names(k)[i]), read = if (i == 1) "采用" else "", k = dim(T)[3], n = sum(T), chi2 = k[[i]][1], df = k[[i]][2], p = k[[i]][3])),
    lapply(dimnames(T)[[3]], function(s) { x <- suppressWarnings(chisq.test(T[, , s], correct = FALSE)); block("layers", list(layer = s), n = sum(T[, , s]), chi2 = x$statistic, df = x$parameter, p = x$p.value) }), layer_cells(T)) }
A <- cube(U, U$院系, "性别", "录取", "人数", FALSE); B <- mantelhaen.test(A); stopifnot(abs(B$statistic - 1.426946) < 1e-5, abs(even(A, "woolf")[1] - 17.90171) < 1e-5, abs(even(A, "breslow_day", unname(B$estimate))[1] - 18.82551) < 1e-4)
HE <- margin.table(HairEyeColor, 1:2); dim(HE) <- c(4, 4, 1); stopifnot(abs(landis(HE, plain(1), plain(2))[1] - 28.2923) < 1e-3, abs(landis(HE, most(1), most(2))[1] - 138.0562) < 1e-3)
E <- cube(H, H$性, "发色", "眼色", "人", FALSE); C <- cube(P, factor(paste(P$中心, "×", P$性), unique(paste(P$中心, "×", P$性))), "药", "效", "例", FALSE); W <- apply(C, 1:2, sum); live <- apply(C, 3, function(t) all(rowSums(t) > 0, colSums(t) > 0)); C <- C[, , live]
N <- data.frame(组 = rep(c("甲", "乙", "丙"), 6), 等级 = rep(rep(1:3, each = 3), 2), 层 = rep(c("上", "下"), each = 9), 数 = c(6, 5, 7, 8, 9, 7, 6, 6, 5, 9, 8, 10, 5, 6, 5, 7, 7, 6), check.names = FALSE); save_as(N, "oracle-none.csv"); D <- cube(N, N$层, "组", "等级", "数", FALSE)
f <- function(x, y, s, w, ...) list(x = x, y = y, strata = as.list(s), weight = w, ...); L3 <- list("“合并的比值”未给出", "“OR齐性检验”未给出", "“各层OR”未给出"); one <- list("每人（每份答卷）只能计一次")
oracle(c("R 4.2.2: mantelhaen.test, chisq.test, pchisq", "Landis 等（1978）、Breslow 与 Day（1980）、Tarone（1985）的公式，以 R 的矩阵运算写出"), list(
  case("伯克利招生（UCBAdmissions，目录给出的数）", f("性别", "录取", "院系", "人数"), two(A, apply(A, 1:2, sum)), c(one, list("没有发现明显关联", "各层的 OR 不一致，不宜合并", "这个合并 OR 只是平均", "变化超过一成", "关联无统计学意义", "OR、RR 为“", "第一组是“", "没有发现关联不等于没有关联，也许"))),
  case("Woolf，不校正，90%", f("性别", "录取", "院系", "人数", homogeneity = "woolf", correction = FALSE, conf_level = .9), two(A, apply(A, 1:2, sum), "woolf", FALSE, .9), one),
  case("三家中心 × 性别，有空格和空边，Tarone", f("药", "效", c("中心", "性"), "例", homogeneity = "tarone", conf_level = .8), two(C, W, "tarone", TRUE, .8), c(one, list("某一行或列合计为0，对合并没有贡献", "仍有关联，有统计学意义", "没有发现各层的 OR 不一致", "变化不到一成", "关联有统计学意义", "有单元格为 0 的层没有给出 OR", "有关联不等于有因果")), data = "oracle-centres.csv"),
  case("三家中心 × 性别，Woolf 加 0.5", f("药", "效", c("中心", "性"), "例", homogeneity = "woolf"), two(C, W, "woolf"), one, data = "oracle-centres.csv"),
  case("发色与眼色，一般关联", f("发色", "眼色", "性", "人"), larger(E, "none"), c(one, L3, list("仍有关联，有统计学意义（一般关联", "它问的是各组的构成有没有任何差别", "关联有统计学意义")), data = "oracle-hair.csv"),
  case("发色与眼色，表得分", f("发色", "眼色", "性", "人", scores = "table"), larger(E, "table"), c(one, list("它问的是一个变量的得分升高时", "仍有关联，有统计学意义（非零相关")), data = "oracle-hair.csv"),
  case("三组与等级，秩得分", f("组", "等级", "层", "数", scores = "rank"), larger(D, "rank"), c(one, list("没有发现明显关联（非零相关", "不小于 {alpha:alpha}。没有发现关联不等于没有关联。", "关联无统计学意义")), data = "oracle-none.csv", measures = list(等级 = "定类"))))
