# Rscript oracle.R   (R 4.2.2, tseries) Michelson's light speeds in their order; runs.test of tseries without correction.
source("../../../../tools/oracle.R")
source("../../../../tools/oracle_samples.R")
suppressMessages(library(tseries))

runs <- function(x, cut, ge = TRUE, correct = TRUE, exact = FALSE, up = x >= cut, words = NULL) {
  if (!ge) up <- up[x != cut]; n1 <- sum(!up); n2 <- sum(up); N <- n1 + n2; r <- length(rle(up)$lengths)
  e <- 2 * n1 * n2 / N + 1; s <- sqrt(2 * n1 * n2 * (2 * n1 * n2 - N) / (N^2 * (N - 1))); d <- r - e
  stopifnot(abs(runs.test(factor(up))$statistic - d / s) < 1e-9)
  if (correct && N < 50) d <- sign(d) * max(abs(d) - .5, 0)
  q <- 2:(2 * min(n1, n2) + 1); h <- q %/% 2
  f <- ifelse(q %% 2 == 0, 2 * choose(n1 - 1, h - 1) * choose(n2 - 1, h - 1),
              choose(n1 - 1, h) * choose(n2 - 1, h - 1) + choose(n1 - 1, h - 1) * choose(n2 - 1, h)) / choose(N, n1)
  stopifnot(abs(sum(f) - 1) < 1e-9); x2 <- if (exact) sum(f[f <= f[q == r] * (1 + 1e-7)]) else NULL; p <- 2 * pnorm(-abs(d / s))
  b <- list("result", below = n1, above = n2, n = N, runs = r, expected = e, sd = s, z = d / s, asymptotic = p, p = if (exact) x2 else p)
  list(do.call(block, if (exact) c(b, exact = x2) else b))
}
m <- example(); v <- m[["速度"]]; K <- list(速度 = "定量"); f <- function(...) list(variables = list("速度"), ...)
few <- data.frame(值 = c(3, 8, 2, 9, 1, 7, 2, 8, 1, 9, 3, 6, 2), 面 = c("正", "反", "反", "正", "正", "正", "反", "反", "反", "反", "正", "正", "正"), check.names = FALSE)
write.csv(few, "oracle-few.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
z <- runs(v, 850, FALSE)[[1]]$cells$z; stopifnot(abs(z + 4.82015) < 1e-5)
OWN <- "检验按数据的行序"; modal <- as.numeric(names(which.max(table(v)))); C <- list(值 = "定量", 面 = "定类")

oracle(c("R 4.2.2: choose, pnorm", "tseries: runs.test"), list(
  case("光速，中位数", f(), runs(v, median(v)), said(TRUE, "none", OWN, "足够检验", "连成片"), measures = K),
  case("剔除相等", f(equal_handling = "drop", exact = TRUE), runs(v, 850, FALSE, exact = TRUE), said(TRUE, "none", OWN, "足够检验"), measures = K),
  case("均值", f(cut = "mean"), runs(v, mean(v)), said(TRUE, "none", OWN, "足够检验"), measures = K),
  case("众数", f(cut = "mode"), runs(v, modal), measures = K),
  case("十三个数", list(variables = list("值"), cut = "custom", cut_value = 5), runs(few[["值"]], 5),
    said(TRUE, "none", OWN, "有一类不足 10 个", "交替出现", "0.5 的连续性校正"), data = "oracle-few.csv", measures = C),
  case("正反面，精确", list(variables = list("面"), cut = "binary", exact = TRUE, continuity = FALSE),
    runs(1:13, 0, correct = FALSE, exact = TRUE, up = few[["面"]] == "反"), said(FALSE, "none", OWN, "足够检验"), data = "oracle-few.csv", measures = C)))
