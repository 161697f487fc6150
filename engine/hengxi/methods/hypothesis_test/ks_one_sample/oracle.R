# Rscript oracle.R   (R 4.2.2, nortest) Michelson's light speeds; ks.test, lillie.test; the discrete case by hand.
source("../../../../tools/oracle.R")
source("../../../../tools/oracle_samples.R")
suppressMessages(library(nortest))

ks <- function(x, F, p = NULL, before = F, names, values) {
  n <- length(x); v <- sort(unique(x)); e <- ecdf(x)(v); up <- max(0, e - F(v)); down <- max(0, before(v) - c(0, head(e, -1)))
  D <- max(up, down); k <- 1:100; z <- sqrt(n) * D; a <- if (z < .3) 1 else min(1, 2 * sum((-1)^(k - 1) * exp(-2 * k^2 * z^2)))
  c(list(do.call(block, c(list("result", n = n, D = D, z = z, asymptotic = a), if (is.null(p)) NULL else list(p = if (is.function(p)) p(D, a) else p))),
         block("extremes", list(difference = "绝对值"), value = D), block("extremes", list(difference = "正（样本在上）"), value = up),
         block("extremes", list(difference = "负（样本在下）"), value = -down)),
    lapply(seq_along(names), function(i) block("used", list(parameter = names[i]), value = values[i])))
}
m <- example(); v <- m[["速度"]]; K <- list(速度 = "定量", 次数 = "定量"); f <- function(...) list(variables = list("速度"), ...)
counts <- rep(0:6, c(14, 27, 27, 18, 9, 4, 1)); write.csv(data.frame(次数 = counts), "oracle-counts.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
g <- function(...) list(variables = list("次数"), ...)
l <- lillie.test(v); s <- suppressWarnings(ks.test(v, "pnorm", mean(v), sd(v)))
N <- function(x) pnorm(x, mean(v), sd(v)); asym <- function(D, a) a
first <- ks(v, N, l$p.value, names = c("均值", "标准差"), values = c(mean(v), sd(v)))
stopifnot(abs(first[[1]]$cells$D - s$statistic) < 1e-12, abs(first[[1]]$cells$asymptotic - s$p.value) < 1e-5)
few <- v[1:20] + (1:20) / 100; write.csv(data.frame(速度 = few), "oracle-few.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
E20 <- ks.test(few, "punif", 600, 1100); X20 <- ks.test(few, "pexp", 1 / 900)
OWN <- "本检验要求各行数据互不影响"

oracle(c("R 4.2.2: ks.test", "nortest: lillie.test"), list(
  case("光速，正态，估计", f(), c(first, list(described("速度", v))), said(FALSE, "none", OWN, "已作校正", "样本量合适"), measures = K),
  case("不校正", f(lilliefors = FALSE), ks(v, N, asym, names = c("均值", "标准差"), values = c(mean(v), sd(v))), list("没有校正，*p* 偏大"), measures = K),
  case("给定正态", f(parameters = "given", param_values = list(800, 80)), ks(v, function(x) pnorm(x, 800, 80), asym, names = c("均值", "标准差"), values = c(800, 80)),
    said(TRUE, "none", OWN, "事先给定"), measures = K),
  case("均匀，给定，精确", f(distribution = "uniform", parameters = "given", param_values = list(600, 1100)),
    ks(few, function(x) punif(x, 600, 1100), E20$p.value, names = c("最小值", "最大值"), values = c(600, 1100)), said(TRUE, "none", OWN, "样本量合适"), data = "oracle-few.csv", measures = K),
  case("指数，给定，精确", f(distribution = "expon", parameters = "given", param_values = list(900)),
    ks(few, function(x) pexp(x, 1 / 900), X20$p.value, names = "均值（1/λ）", values = 900), said(TRUE, "none", OWN), data = "oracle-few.csv", measures = K),
  case("泊松，给定", g(distribution = "poisson", parameters = "given", param_values = list(2)),
    ks(counts, function(x) ppois(x, 2), asym, function(x) ppois(x - 1, 2), names = "λ（均值）", values = 2), said(FALSE, "none", OWN), data = "oracle-counts.csv", measures = K),
  case("泊松，估计，模拟", g(distribution = "poisson"),
    ks(counts, function(x) ppois(x, mean(counts)), NULL, function(x) ppois(x - 1, mean(counts)), names = "λ（均值）", values = mean(counts)),
    said(FALSE, "none", OWN, "已作校正"), data = "oracle-counts.csv", measures = K)))
