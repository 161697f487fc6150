# Rscript oracle.R   (R 4.2.2, coin 1.4.2) Two instruments, drawn with set.seed; ties average their scores.
source("../../../../tools/oracle.R")
source("../../../../tools/oracle_samples.R")
suppressMessages(library(coin))

if (!file.exists("example.csv")) { set.seed(20); write.csv(data.frame(仪器 = rep(c("甲", "乙"), each = 40),
  读数 = round(c(rnorm(40, 50, 1.6), rnorm(40, 50, 1)), 1), check.names = FALSE), "example.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8") }
st <- function(n) { s <- numeric(n); lo <- 1; hi <- n; k <- 1; top <- FALSE; left <- 1   # one to the lowest, then two and two
  while (k <= n) { s[if (top) hi else lo] <- k; if (top) hi <- hi - 1 else lo <- lo + 1; k <- k + 1; left <- left - 1
    if (left == 0) { top <- !top; left <- 2 } }; s }
scores <- list(mood = function(n) (1:n - (n + 1) / 2)^2, ansari = function(n) pmin(1:n, n:1), klotz = function(n) qnorm(1:n / (n + 1))^2, siegel_tukey = st)
titles <- c(mood = "Mood", ansari = "Ansari-Bradley", klotz = "Klotz", siegel_tukey = "Siegel-Tukey")
scale <- function(x, y, tests, alt = "two_sided", align = FALSE) {
  if (align) { x <- x - median(x); y <- y - median(y) }; z <- c(x, y); N <- length(z); f <- factor(rep(1:2, c(length(x), length(y))))
  lapply(tests, function(t) {
    s <- scores[[t]](N); a <- ave(s[rank(z, ties.method = "first")], z); m <- length(x); T <- sum(a[1:m])
    v <- m * (N - m) / (N * (N - 1)) * sum((a - mean(a))^2); w <- (T - m * mean(a)) / sqrt(v)
    if (t != "siegel_tukey") { g <- list(mood = mood_test, ansari = ansari_test, klotz = klotz_test)[[t]]
      stopifnot(abs(abs(statistic(g(z ~ f, ties.method = "average-scores"), "standardized")[1]) - abs(w)) < 1e-8) }
    if (t %in% c("ansari", "siegel_tukey")) w <- -w
    block("result", list(test = titles[[t]]), statistic = T, z = w, p = switch(alt, two_sided = 2 * pnorm(-abs(w)), greater = pnorm(-w), less = pnorm(w)))
  })
}
spread <- function(name, x) { q <- unname(quantile(x, c(.25, .75), type = 6)); block("spreads", list(group = name), n = length(x), median = median(x), iqr = q[2] - q[1], sd = sd(x)) }
m <- example(); g <- split(m[["读数"]], m[["仪器"]]); a <- g[["甲"]]; b <- g[["乙"]]
x <- sleep$extra[1:10]; y <- sleep$extra[11:20]; write.csv(data.frame(药 = rep(c("一", "二"), each = 10), 睡眠 = c(x, y), check.names = FALSE), "oracle-sleep.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
# With ties mood.test of R 4.2.2 has another variance (Z = .4476); the permutation variance, as coin's and SciPy's, gives .4429.
stopifnot(abs(scale(x, y, "mood")[[1]]$cells$z - .4429344) < 1e-6)
f <- function(...) list(group = "仪器", variables = list("读数"), ...); s <- function(...) list(group = "药", variables = list("睡眠"), ...)
K <- list(仪器 = "定类", 读数 = "定量"); S <- list(药 = "定类", 睡眠 = "定量"); all4 <- names(scores); OWN <- "本检验要求各行数据互不影响"

oracle(c("coin 1.4.2: mood_test, ansari_test, klotz_test(ties.method = \"average-scores\")", "R 4.2.2: pnorm"), list(
  case("两台仪器", f(tests = as.list(all4)), c(scale(a, b, all4), list(spread("甲", a), spread("乙", b), described("甲", a), described("乙", b))),
    c(said(TRUE, "none", OWN, "没有发现两组的位置不同", "相同的值取平均得分", "分散")), measures = K),
  case("右侧，对齐", f(alternative = "greater", align = TRUE), scale(a, b, c("mood", "ansari"), "greater", TRUE),
    list("单侧检验支持", "差异有统计学意义", "已按中位数对齐"), measures = K),
  case("睡眠", s(tests = list("mood", "klotz")), scale(x, y, c("mood", "klotz")), said(FALSE, "none", OWN), data = "oracle-sleep.csv", measures = S),
  case("睡眠，左侧", s(tests = list("siegel_tukey"), alternative = "less"), scale(x, y, "siegel_tukey", "less"),
    list("没有发现", "不足以说", "“不显著”不等于"), data = "oracle-sleep.csv", measures = S)))
