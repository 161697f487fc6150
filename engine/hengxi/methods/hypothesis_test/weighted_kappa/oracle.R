# vcd::Kappa with its weights given (value, ASE), psych::ICC (ICC2) for ICC(A,1); H0 error written out. vcd's SexualFun
# must give 0.237381 (ASE 0.078316) and 0.33205 (ASE 0.097298).
source("../../../../tools/oracle.R"); suppressMessages({ library(vcd); library(psych) })
if (!file.exists("example.csv")) { set.seed(33); t <- rnorm(120); g <- function(s) pmin(5, pmax(1, round(3 + 1.1 * (t + s * rnorm(120))))); write.csv(data.frame(编号 = 1:120, 教师A = g(.45), 教师B = g(.5)), "example.csv", row.names = FALSE, quote = FALSE) }
W <- function(k, kind) { d <- abs(outer(1:k, 1:k, "-")) / (k - 1); if (kind == "linear") 1 - d else 1 - d^2 }
row_of <- function(t, w, name, read, level) { n <- sum(t); p <- t / n; K <- Kappa(t, weights = w)$Weighted; r <- rowSums(p); c <- colSums(p); e <- sum(w * outer(r, c)); m <- outer(as.vector(w %*% c), as.vector(base::t(w) %*% r), "+")
  a0 <- sqrt(sum(outer(r, c) * (w - m)^2) - e^2) / (1 - e) / sqrt(n); v <- K[["value"]]; h <- qnorm(1 - (1 - level) / 2) * K[["ASE"]]
  block("result", list(kind = name), read = if (read) "采用" else "", kappa = v, ase = K[["ASE"]], ase0 = a0, z = v / a0, p = 2 * pnorm(-abs(v / a0)), low = max(-1, v - h), high = min(1, v + h)) }
run <- function(t, kind = "linear", level = .95, own = NULL) {
  n <- sum(t); k <- nrow(t); p <- t / n; words <- rownames(t); w <- if (kind == "custom") own else W(k, kind); long <- cbind(rep(row(t), t), rep(col(t), t)); icc <- suppressWarnings(suppressMessages(ICC(long, lmer = FALSE)))$results["Single_random_raters", "ICC"]
  c(list(row_of(t, W(k, "linear"), "线性加权 Kappa", kind == "linear", level), row_of(t, W(k, "quadratic"), "平方加权 Kappa", kind == "quadratic", level)), if (kind == "custom") list(row_of(t, own, "自定义加权 Kappa", TRUE, level)),
    list(block("rates", list(measure = "完全一致的比例"), value = sum(diag(p))), block("rates", list(measure = "相差不超过一级的比例"), value = sum(p[abs(row(p) - col(p)) <= 1])), block("rates", list(measure = "加权一致率"), value = sum(w * p)),
      block("rates", list(measure = "期望的加权一致率（碰巧）"), value = sum(w * outer(rowSums(p), colSums(p)))), block("rates", list(measure = "ICC(A,1)"), value = icc)),
    lapply(1:k, function(i) do.call(block, c(list("scheme", list(first = words[i])), setNames(as.list(w[i, ]), paste0("w@", words))))),
    lapply(words, function(i) { s <- as.list(c(t[i, ], t[i, ] / n, sum(t[i, ]), sum(t[i, ]) / n)); do.call(block, c(list("cross", list(first = i)), setNames(s, c(paste0("n@", words), paste0("percent@", words), "n@合计", "percent@合计")))) }))
}
d <- example(); A <- unclass(table(factor(d$教师A, 1:5), factor(d$教师B, 1:5))); e <- new.env(); data("SexualFun", package = "vcd", envir = e); k <- c("从不", "偶尔", "经常", "总是"); S <- matrix(as.vector(e$SexualFun), 4, dimnames = list(k, k))
stopifnot(all(abs(Kappa(S)$Weighted - c(.237381, .078316)) < 1e-5)); f <- as.data.frame(as.table(S)); names(f) <- c("丈夫", "妻子", "人数"); write.csv(f[nrow(f):1, ], "oracle-sexual.csv", row.names = FALSE, quote = FALSE)
own <- matrix(c(1, .5, 0, 0, .5, 1, .5, 0, 0, .5, 1, .5, 0, 0, .5, 1), 4); s <- function(...) list(rater1 = "丈夫", rater2 = "妻子", weight = "人数", order = k, ...)
always <- list("百分比以全部", "CI 的置信水平为", "κ 为 1 是完全一致", "例的评定中", "一致率 {agree:percent1}，κ", "两人应当各自评定", "等级由低到高", "几乎相等", "没有出现一致率很高")
oracle(c("vcd: Kappa(weights = )", "psych: ICC", "R 4.2.2: H0 标准误由公式写出"), list(
  case("两位教师评作文", list(rater1 = "教师A", rater2 = "教师B"), run(A), c(always, list("扣去碰巧相同的部分，一致性")), measures = list(教师A = "定类", 教师B = "定类")),
  case("夫妻的评价，平方，90%", s(weights = "quadratic", conf_level = .9), run(S, "quadratic", .9), c(always, list("扣去碰巧相同的部分，一致性较低", "等级由低到高：从不 < 偶尔 < 经常 < 总是")), data = "oracle-sexual.csv"),
  case("自定义权重", s(weights = "custom", weight_matrix = as.vector(own)), run(S, "custom", own = own), c(always, list("扣去碰巧相同的部分，一致性")), data = "oracle-sexual.csv")))
