# vcd::Kappa (value, ASE), psych::cohen.kappa for its bounds; H0 error, PABAK, conditional κ and the largest κ written
# out (the largest by linear search over the margins). vcd's SexualFun must give κ = 0.12933, ASE 0.068599.
source("../../../../tools/oracle.R"); suppressMessages(library(vcd))
if (!file.exists("example.csv")) { set.seed(27); w <- c("正常", "可疑", "异常"); t <- sample(1:3, 100, TRUE, c(.5, .3, .2)); r <- function(p) w[ifelse(runif(100) < p, t, pmin(3, pmax(1, t + sample(c(-1, 1), 100, TRUE))))]
  write.csv(data.frame(编号 = 1:100, 医师A = r(.85), 医师B = r(.8)), "example.csv", row.names = FALSE, quote = FALSE) }
W <- function(k, kind) { d <- abs(outer(1:k, 1:k, "-")) / (k - 1); switch(kind, simple = diag(k), linear = 1 - d, quadratic = 1 - d^2) }
row_of <- function(t, kind, name, read, level) {
  n <- sum(t); k <- nrow(t); p <- t / n; zc <- qnorm(1 - (1 - level) / 2)
  if (kind == "pabak") { o <- sum(diag(p)); v <- (k * o - 1) / (k - 1); a <- k / (k - 1) * sqrt(o * (1 - o) / n); a0 <- k / (k - 1) * sqrt((k - 1) / k^2 / n) }
  else { w <- W(k, kind); K <- Kappa(t, weights = w); v <- K$Weighted[["value"]]; a <- K$Weighted[["ASE"]]; r <- rowSums(p); c <- colSums(p); e <- sum(w * outer(r, c)); m <- outer(as.vector(w %*% c), as.vector(base::t(w) %*% r), "+")
    a0 <- sqrt(sum(outer(r, c) * (w - m)^2) - e^2) / (1 - e) / sqrt(n); if (kind == "simple") stopifnot(abs(v - K$Unweighted[["value"]]) < 1e-12, abs(a - K$Unweighted[["ASE"]]) < 1e-10) }
  block("result", list(kind = name), read = if (read) "采用" else "", kappa = v, ase = a, ase0 = a0, z = v / a0, p = 2 * pnorm(-abs(v / a0)), low = max(-1, v - zc * a), high = min(1, v + zc * a))
}
names <- c(simple = "简单 Kappa", linear = "线性加权 Kappa", quadratic = "平方加权 Kappa", pabak = "PABAK")
run <- function(t, kind = "simple", level = .95) {
  n <- sum(t); p <- t / n; r <- rowSums(p); c <- colSums(p); e <- sum(r * c); k <- rownames(t)
  c(lapply(unique(c("simple", kind, "pabak")), function(u) row_of(t, u, names[[u]], u == kind, level)),
    list(block("rates", list(measure = "观察一致率"), value = sum(diag(p))), block("rates", list(measure = "期望一致率（碰巧）"), value = e), block("rates", list(measure = "最大 Kappa"), value = (sum(pmin(r, c)) - e) / (1 - e))),
    lapply(seq_along(k), function(i) do.call(block, c(list("categories", list(category = k[i]), specific = 2 * t[i, i] / (sum(t[i, ]) + sum(t[, i]))), if (r[i] > 0 && c[i] < 1) list(conditional = unname((p[i, i] - r[i] * c[i]) / (r[i] * (1 - c[i]))))))),
    lapply(k, function(i) { s <- as.list(c(t[i, ], t[i, ] / n, sum(t[i, ]), sum(t[i, ]) / n)); do.call(block, c(list("cross", list(first = i)), setNames(s, c(paste0("n@", k), paste0("percent@", k), "n@合计", "percent@合计")))) }))
}
square <- function(v, words) matrix(v, length(words), byrow = TRUE, dimnames = list(words, words))
d <- example(); w <- unique(c(d$医师A, d$医师B)); A <- unclass(table(factor(d$医师A, w), factor(d$医师B, w))); words <- 1:4; e <- new.env(); data("SexualFun", package = "vcd", envir = e); S <- matrix(as.vector(e$SexualFun), 4, dimnames = list(words, words))
stopifnot(abs(Kappa(S)$Unweighted - c(.12933, .068599)) < 1e-5); P <- square(c(85, 5, 6, 4), c("阴性", "阳性"))
write <- function(t, file) { f <- as.data.frame(as.table(t)); names(f) <- c("丈夫", "妻子", "人数"); write.csv(f, file, row.names = FALSE, quote = FALSE) }; write(S, "oracle-sexual.csv"); write(P, "oracle-rare.csv")
U <- square(c(10, 3, 0, 4, 8, 0, 2, 1, 0), c("低", "中", "高")); write(base::t(base::t(U)), "oracle-union.csv")
always <- list("百分比以全部", "CI 的置信水平为", "κ 为 1 是完全一致", "例的评定中", "一致率 {agree:percent1}，κ", "两人应当各自评定"); f <- function(...) list(rater1 = "丈夫", rater2 = "妻子", weight = "人数", ...); kinds <- list(丈夫 = "定类", 妻子 = "定类")
agree <- function(t) sum(diag(t)) / sum(t)
oracle(c("vcd: Kappa", "R 4.2.2: 其余由公式写出（Fleiss、Cohen 和 Everitt，1969；Byrt 等，1993；Light，1971）"), list(
  case("两位医师", list(rater1 = "医师A", rater2 = "医师B"), run(A), c(always, list(fact("扣去碰巧相同的部分，一致性", agree = agree(A)), "没有出现一致率很高"))),
  case("夫妻的评价，线性加权，90%", f(type = "linear", conf_level = .9), run(S, "linear", .9), c(always, list(fact("扣去碰巧相同的部分，一致性较低", agree = agree(S)), "没有出现一致率很高")), data = "oracle-sexual.csv", measures = kinds),
  case("少见的阳性，κ 的悖论", f(), run(P), c(always, list(fact("扣去碰巧相同的部分，一致性", agree = agree(P)), fact("κ 被压低", most = (90 + 91) / 200))), data = "oracle-rare.csv"),
  case("一人没有用过“高”，PABAK", f(type = "pabak"), run(U, "pabak"), c(always, list(fact("扣去碰巧相同的部分，一致性", agree = agree(U)), "没有出现一致率很高", "评估者1出现了评估者2没有的类别“高”", fact("不足 30", n = 28))), data = "oracle-union.csv")))
