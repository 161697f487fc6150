# Rscript oracle.R   (R 4.2.2, epiR::epi.tests, vcd::Kappa, prop.test, binom.test) Scott et al. 2008 as in epiR's documentation.
source("../../../../tools/oracle.R")
suppressMessages({library(epiR); library(vcd)})
save_as <- function(x, f) write.csv(x, f, row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8", na = "")
E <- data.frame(金标准 = c("患病", "未患病", "患病", "未患病"), 检测 = c("阳性", "阳性", "阴性", "阴性"), 人数 = c(670, 202, 74, 640)); save_as(E, "example.csv")
set.seed(3); d <- rep(c(1, 0), c(40, 60)); T <- data.frame(病理 = d, 甲法 = ifelse(runif(100) < ifelse(d == 1, .85, .2), "是", "否"), 乙法 = ifelse(runif(100) < ifelse(d == 1, .7, .1), "是", "否"), 丙法 = ifelse(d == 1 & runif(100) < .6, "是", "否")); T$甲法[c(3, 50)] <- NA; save_as(T, "oracle-three.csv")
ci_of <- function(x, n, how, level) { z <- qnorm((1 + level) / 2); switch(how, exact = as.numeric(binom.test(x, n, conf.level = level)$conf.int), wilson = as.numeric(prop.test(x, n, conf.level = level, correct = FALSE)$conf.int), agresti_coull = { m <- n + z^2; p <- (x + z^2 / 2) / m; pmax(0, pmin(1, p + c(-1, 1) * z * sqrt(p * (1 - p) / m))) }) }
cells <- function(name, tp, fp, fn, tn, how = "exact", level = .95, pi = NULL) { n <- tp + fp + fn + tn; z <- qnorm((1 + level) / 2); out <- list(block("cross", list(test = name, call = "阳性"), ill = tp, well = fp, both = tp + fp), block("cross", list(test = name, call = "阴性"), ill = fn, well = tn, both = fn + tn))
  K <- list(灵敏度 = c(tp, tp + fn), 特异度 = c(tn, fp + tn), 准确率 = c(tp + tn, n), PPV = c(tp, tp + fp), NPV = c(tn, fn + tn), 患病率 = c(tp + fn, n))
  for (k in names(K)) { b <- ci_of(K[[k]][1], K[[k]][2], how, level); out <- c(out, list(block("shares", list(test = name, measure = k), value = K[[k]][1] / K[[k]][2], low = b[1], high = b[2]))) }
  q <- c(tp, fp, fn, tn); if (min(q) == 0) q <- q + .5; e <- summary(epi.tests(matrix(q, 2, byrow = TRUE), conf.level = level)); g <- function(s) unlist(e[e$statistic == s, 2:4])
  row <- function(m, v) block("ratios", list(test = name, measure = m), value = v[[1]], low = v[[2]], high = v[[3]]); s1 <- tp / (tp + fn); s0 <- tn / (tn + fp); h <- z * sqrt(s1 * (1 - s1) / (tp + fn) + s0 * (1 - s0) / (tn + fp)); kp <- Kappa(matrix(c(tp, fn, fp, tn), 2))$Unweighted
  or <- q[1] * q[4] / (q[2] * q[3]); w <- z * sqrt(sum(1 / q)); if (min(tp, fp, fn, tn) > 0) stopifnot(abs(g("lr.pos")[1] - s1 / (1 - s0)) < 1e-9)
  lr <- function(a, b, n1, n0) { r <- (a / n1) / (b / n0); s <- sqrt(1 / a - 1 / n1 + 1 / b - 1 / n0); c(r, r * exp(-z * s), r * exp(z * s)) }
  out <- c(out, list(row("LR+", lr(q[1], q[2], q[1] + q[3], q[2] + q[4])), row("LR−", lr(q[3], q[4], q[1] + q[3], q[2] + q[4])), row("诊断优势比", c(or, or * exp(-w), or * exp(w))), row("约登指数", c(s1 + s0 - 1, max(-1, s1 + s0 - 1 - h), min(1, s1 + s0 - 1 + h))), block("ratios", list(test = name, measure = "F1"), value = 2 * tp / (2 * tp + fp + fn)), row("Kappa", c(kp[[1]], max(-1, kp[[1]] - z * kp[[2]]), min(1, kp[[1]] + z * kp[[2]])))))
  if (!is.null(pi)) out <- c(out, list(block("adjusted", list(test = name), ppv = s1 * pi / (s1 * pi + (1 - s0) * (1 - pi)), npv = s0 * (1 - pi) / ((1 - s1) * pi + s0 * (1 - pi)))))
  out }
e <- summary(epi.tests(matrix(c(670, 202, 74, 640), 2, byrow = TRUE))); pick <- function(s) unlist(e[e$statistic == s, 2:4]); stopifnot(abs(pick("se")[1] - .9005376) < 1e-6, abs(pick("lr.pos")[1] - 3.753726) < 1e-5, abs(pick("diag.or")[1] - 28.68611) < 1e-4)
three <- function(names, how, level, pi = NULL) { D <- T[complete.cases(T[, c("病理", names)]), ]; ill <- D$病理 == 1; out <- unlist(lapply(names, function(k) { p <- D[[k]] == "是"; cells(k, sum(p & ill), sum(p & !ill), sum(!p & ill), sum(!p & !ill), how, level, pi) }), recursive = FALSE)
  C <- combn(names, 2); for (i in seq_len(ncol(C))) { a <- D[[C[1, i]]] == "是"; b <- D[[C[2, i]]] == "是"; for (m in c("灵敏度", "特异度")) { r <- if (m == "灵敏度") ill else !ill; x <- if (m == "灵敏度") sum(r & a & !b) else sum(r & !a & b); y <- if (m == "灵敏度") sum(r & !a & b) else sum(r & a & !b); out <- c(out, list(block("compared", list(pair = paste(C[1, i], "−", C[2, i]), measure = m), gap = (x - y) / sum(r), first = x, second = y, p = if (x + y > 0) binom.test(x, x + y)$p.value else 1))) } }
  out }
f <- function(...) list(gold = "金标准", tests = list("检测"), weight = "人数", ...); M <- list(病理 = "定类")
oracle(c("R 4.2.2: epiR::epi.tests, vcd::Kappa, binom.test, prop.test"), list(
  case("Scott 等 2008（epiR 文档的数）", f(), cells("检测", 670, 202, 74, 640), list("以“金标准”为准，“检测”的灵敏度为", "灵敏度是患者中被查出来的比例", "中“患病”算患病", "较少的一类有", "只在样本的患病比例与实际人群相同时", "由似然比换算", "“两种方法的比较”未给出：只有一种方法")),
  case("Wilson，90%，患病率 5%", f(ci = "wilson", conf_level = .9, prevalence = .05), cells("检测", 670, 202, 74, 640, "wilson", .9, .05), list("患病率按")),
  case("三种方法，有缺失，有 0 格", list(gold = "病理", tests = list("甲法", "乙法", "丙法"), ci = "agresti_coull"), three(c("甲法", "乙法", "丙法"), "agresti_coull", .95), list("以“病理”为准，“甲法”的灵敏度为", "的四格表有 0 格", "“甲法”的结果出来后"), data = "oracle-three.csv", measures = M)))
