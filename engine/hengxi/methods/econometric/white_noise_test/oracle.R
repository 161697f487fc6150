# Rscript oracle.R   (R 4.2.2) Box.test, acf; Engle's test by lm (tools/oracle_series.R)
source("../../../../tools/oracle.R"); source("../../../../tools/oracle_series.R")
made <- function() { RNGversion("4.2.0"); set.seed(2024); data.frame(月份 = rep(2014:2023, each = 12) * 100 + 1:12, 残差 = round(as.numeric(arima.sim(list(ar = .4), 120)), 2), check.names = FALSE) }
if (!file.exists("example.csv")) write.csv(made(), "example.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
d <- example(); stopifnot(all.equal(d, made()))
items <- function() { RNGversion("4.2.0"); set.seed(9); y <- sample(1:5, 60, TRUE); y[c(8, 30)] <- NA; z <- data.frame(周 = 1:60, 评分 = y, 备注 = rep(c("线上", "线下"), 30), check.names = FALSE); z[sample(60), ] }
it <- items(); write.csv(it, "oracle-items.csv", row.names = FALSE, quote = FALSE, na = "", fileEncoding = "UTF-8")
write.csv(data.frame(激素 = as.numeric(lh)), "oracle-lh.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
rows <- function(y, lags, df = 0, kinds = c("Ljung-Box", "Box-Pierce")) { n <- length(y); L <- max(1, min(12, n %/% 5)); a <- arch_lm(y - mean(y), L)
  c(unlist(lapply(kinds, function(k) lapply(lags, function(l) { b <- Box.test(y, l, k, fitdf = df); block("result", list(test = k, lag = l), lag = l, q = unname(b$statistic), df = unname(b$parameter), p = unname(b$p.value)) })), FALSE),
    list(block("arch", lag = L, lm = a$lm, p = a$p, f = a$F, df1 = L, df2 = a$df2, p_f = a$pF))) }
x <- d$残差; v <- it[order(it$周), ]$评分; v <- approx(1:60, v, 1:60)$y; h <- as.numeric(lh)
stopifnot(abs(Box.test(h, 6, "Ljung")$statistic - 22.69830) < 1e-3)
least <- min(sapply(c(6, 12, 18, 24), function(l) Box.test(x, l, "Ljung")$p.value))
base <- list("原假设：前若干阶", "对减去均值的序列", "虚线为 ±1.96", "到该阶为止", " 检验（", "最小 *p* {p:peq}（滞后")
oracle(c("R 4.2.2: Box.test", "lm: Engle (1982)"), list(
  case("AR(1) 的残差", list(y = list("残差"), time = list(column = "月份", frequency = NULL)), rows(x, c(6, 12, 18, 24)), measures = list(月份 = "时间"), says = c(base, list(fact("不是白噪声", p = least)), "序列里还有可以利用", "没有发现波动成群")),
  case("评分，插补，不显著", list(y = list("评分"), time = list(column = "周", frequency = NULL), gaps = "linear", lags = list(3, 10), stat = "ljung_box"), rows(v, c(3, 10), 0, "Ljung-Box"), data = "oracle-items.csv", measures = list(周 = "时间", 评分 = "定量"),
    says = c(base, "有自相关：2 个滞后阶都不显著", "前期的值帮不上", "波动有时大有时小", "已按前后两期")),
  case("lh，Box-Pierce，模型的残差", list(y = list("激素"), lags = list(6, 12), model_df = 2, stat = "box_pierce"), rows(h, c(6, 12), 2, "Box-Pierce"), data = "oracle-lh.csv", says = c(base, "不是白噪声"))),
  unverified = list())
