# mcnemar.test (McNemar and Bowker), binom.test, vcd's SexualFun; Stuart-Maxwell as the quadratic form of the margins,
# Newcombe's paired interval written out. Agresti's approval must give 17.3559, 16.8178 and exact p = 3.716e-05.
source("../../../../tools/oracle.R")
two <- function(t, read, level = .95) {
  b <- t[1, 2]; c <- t[2, 1]; n <- sum(t); q <- mcnemar.test(t, correct = FALSE); y <- mcnemar.test(t); e <- binom.test(b, b + c)$p.value; k <- min(b, c)
  mid <- if (b == c) 1 - dbinom(k, b + c, .5) else 2 * pbinom(k, b + c, .5) - dbinom(k, b + c, .5); m <- function(w) if (read == w) "采用" else ""
  w <- function(x) prop.test(x, n, .9999, correct = FALSE, conf.level = level)$conf.int; a1 <- t[1, 1] + c; b1 <- t[1, 1] + b; l <- suppressWarnings(w(a1)); u <- suppressWarnings(w(b1)); p2 <- a1 / n; p1 <- b1 / n
  g <- t[1, 1] * t[2, 2] - b * c; phi <- (if (g > 0) max(g - n / 2, 0) else g) / sqrt(prod(rowSums(t)) * prod(colSums(t))); r <- function(x, y) sqrt(x^2 - 2 * phi * x * y + y^2)
  o <- binom.test(c, b + c, conf.level = level)$conf.int
  out <- list(block("result", list(test = "McNemar χ²"), read = m("asymptotic"), chi2 = unname(q$statistic), df = 1, p = q$p.value),
    block("result", list(test = "McNemar χ²（连续校正）"), read = m("corrected"), chi2 = (abs(b - c) - 1)^2 / (b + c), df = 1, p = pchisq((abs(b - c) - 1)^2 / (b + c), 1, lower.tail = FALSE)),
    block("result", list(test = "精确二项"), read = m("exact"), p = e), block("result", list(test = "mid-p"), read = m("mid_p"), p = min(1, mid)),
    block("difference", list(measure = "率差（第二次 − 第一次）"), value = p2 - p1, low = p2 - p1 - r(p2 - l[1], u[2] - p1), high = p2 - p1 + r(l[2] - p2, p1 - u[1])),
    block("difference", list(measure = "配对OR（变成 : 变走）"), value = c / b, low = o[1] / (1 - o[1]), high = o[2] / (1 - o[2])), block("difference", list(measure = "Cohen's g"), value = max(b, c) / (b + c) - .5))
  stopifnot(abs(y$statistic - (abs(b - c) - 1)^2 / (b + c)) < 1e-9); c(out, counts(t))
}
counts <- function(t) { n <- sum(t); k <- rownames(t); c(lapply(k, function(i) { cells <- setNames(as.list(t[i, ]), paste0("n@", k)); cells[["n@合计"]] <- sum(t[i, ]); do.call(block, c(list("cross", list(before = i)), cells)) }),
  lapply(k, function(i) block("margins", list(category = i), first = sum(t[i, ]) / n, second = sum(t[, i]) / n, change = (sum(t[, i]) - sum(t[i, ])) / n))) }
many <- function(t, margin = TRUE) { d <- (rowSums(t) - colSums(t))[-1]; s <- -(t + base::t(t)); diag(s) <- rowSums(t) + colSums(t) - 2 * diag(t); q <- sum(d * solve(s[-1, -1], d)); df <- nrow(t) - 1; b <- mcnemar.test(t)
  c(list(block("result", list(test = "Bowker 对称性"), read = "采用", chi2 = unname(b$statistic), df = unname(b$parameter), p = b$p.value)), if (margin) list(block("result", list(test = "Stuart-Maxwell 边际齐性"), chi2 = q, df = df, p = pchisq(q, df, lower.tail = FALSE))), counts(t)) }
square <- function(v, words) matrix(v, length(words), byrow = TRUE, dimnames = list(words, words))
A <- square(c(794, 150, 86, 570), c("支持", "不支持")); stopifnot(abs(mcnemar.test(A, correct = FALSE)$statistic - 17.3559) < 1e-4, abs(binom.test(86, 236)$p.value / 3.716e-05 - 1) < 1e-3)
F <- square(c(12, 6, 2, 10), c("阳性", "阴性")); words <- c("从不", "偶尔", "经常", "总是"); S <- square(t(matrix(vcd_sexual <- as.vector(get(data("SexualFun", package = "vcd"))), 4)), words)
write <- function(t, file) { d <- as.data.frame(as.table(base::t(t))); d <- d[, c(2, 1, 3)]; names(d) <- c("前测", "后测", "人数"); write.csv(d, file, row.names = FALSE, quote = FALSE) }; write(F, "oracle-few.csv"); write(S, "oracle-sexual.csv")
sm <- many(S)[[2]]$cells; stopifnot(abs(sm$chi2 - 3.580256) < 1e-6, abs(mcnemar.test(S)$statistic - 3.877778) < 1e-6)
always <- list("对角线上的两次相同", "每一行是同一个对象的两次结果"); f <- function(...) list(before = "前测", after = "后测", weight = "人数", ...)
oracle(c("R 4.2.2: mcnemar.test, binom.test, prop.test", "R 4.2.2: solve（Stuart-Maxwell 的二次型）"), list(
  case("首相支持率（Agresti）", list(before = "第一次", after = "第二次", weight = "人数"), two(A, "asymptotic"), c(always, list(fact("由第一次的 {s1:percent1} 变为", diff = -.04), "检验只看变了的人", "配对 {n:integer} 对", "变化有统计学意义（*p*", "CI 的置信水平为", "够用渐近检验"))),
  case("8 对不同，精确，90%", f(conf_level = .9), two(F, "exact", .9), c(always, list("没有发现明显变化（精确二项", "检验只看变了的人", "配对 {n:integer} 对", "没有发现明显变化（*p*", "CI 的置信水平为", "已用精确检验")), data = "oracle-few.csv"),
  case("8 对不同，连续校正，看阴性", f(method = "corrected", success = "阴性"), two(F[2:1, 2:1], "corrected")[1:4], c(always, list("没有发现明显变化（McNemar", "检验只看变了的人", "配对 {n:integer} 对", "没有发现明显变化（*p*", "CI 的置信水平为", "请改用精确检验")), data = "oracle-few.csv"),
  case("夫妻的评价，四类，Bowker", f(method = "exact"), many(S), c(always, list(fact("没有发现有方向的变动（Bowker", n = 91), "Bowker 检验问", "配对 {n:integer} 对", "没有发现有方向的变动（*p*", "所选的方法没有采用", "“配对率差”未给出")), data = "oracle-sexual.csv")))
