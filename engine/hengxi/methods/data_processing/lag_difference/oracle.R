# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2: diff, cumsum, zoo::rollapply, TTR::EMA's recursion by Reduce)
source("../../../../tools/steps.R")
suppressMessages(library(zoo))
if (!file.exists("example.csv")) {
  a <- data.frame(年月 = format(seq(as.Date("1949-01-01"), by = "month", length.out = 144), "%Y-%m"), 乘客数 = as.integer(AirPassengers)); save_example(a)
  set.seed(89); p <- expand.grid(年份 = 2010:2021, 省份 = c("甲省", "乙省", "丙省", "丁省")); p$产值 <- round(100 * exp(.06 * (p$年份 - 2010) + rnorm(48, 0, .05)), 1); p$净利 <- round(rnorm(48, 5, 6))
  p$净利[7] <- 0; p$产值[c(5, 30)] <- NA; p <- p[sample(48), ]; p <- p[!(p$年份 == 2015 & p$省份 == "乙省"), ]; save_example(p, "oracle-panel.csv")
}
a <- example(); p <- example("oracle-panel.csv")
shift <- function(v, k) { m <- length(v); if (k > 0) c(rep(NA, k), v[seq_len(m - k)]) else c(v[(1 - k):m], rep(NA, -k)) }
of <- list(lag = function(v, o) shift(v, o$k), lead = function(v, o) shift(v, -o$k), diff = function(v, o) v - shift(v, o$k), seasonal_diff = function(v, o) v - shift(v, o$s), pct = function(v, o) { z <- v / shift(v, o$k) - 1; z[!is.finite(z)] <- NA; z },
  log_diff = function(v, o) { z <- suppressWarnings(log(v)); z[!is.finite(z)] <- NA; z - shift(z, o$k) }, cumsum = function(v, o) { z <- cumsum(ifelse(is.na(v), 0, v)); z[is.na(v)] <- NA; z }, cumprod = function(v, o) { z <- cumprod(ifelse(is.na(v), 1, v)); z[is.na(v) | !is.finite(z)] <- NA; z },
  rolling_mean = function(v, o) as.numeric(rollapply(v, o$w, mean, fill = NA, align = o$al)), rolling_sd = function(v, o) as.numeric(rollapply(v, o$w, sd, fill = NA, align = o$al)),
  ewm = function(v, o) { z <- rep(NA_real_, length(v)); ok <- which(!is.na(v)); al <- 2 / (o$w + 1); z[ok] <- Reduce(function(s, x) al * x + (1 - al) * s, v[ok], accumulate = TRUE); z })
names_of <- c(lag = "滞后", lead = "领先", diff = "差分", seasonal_diff = "季节差分", pct = "增长率", log_diff = "对数差分", cumsum = "累计和", cumprod = "累乘", rolling_mean = "移动平均", rolling_sd = "移动标准差", ewm = "指数加权")
one <- function(name, x, vars, ops, time = NULL, group = NULL, k = 1, s = 12, w = 3, center = FALSE, told = list(), data = NULL) {
  o <- list(k = k, s = s, w = w, al = if (center) "center" else "right"); g <- if (is.null(group)) rep("1", nrow(x)) else x[[group]]; sizes <- table(g)
  suffix <- function(op) paste0(names_of[[op]], if (op %in% c("cumsum", "cumprod")) "" else if (op == "seasonal_diff") s else if (op %in% c("rolling_mean", "rolling_sd", "ewm")) w else k)
  rows <- list(); for (v in vars) for (op in ops) { z <- rep(NA_real_, nrow(x))
    for (one in unique(g)) { at <- which(g == one); if (!is.null(time)) at <- at[order(x[[time]][at])]; z[at] <- of[[op]](x[[v]][at], o) }
    ok <- z[!is.na(z)]; rows <- c(rows, list(block("result", list(variable = paste0(v, "_", suffix(op))), n = length(ok), missing = sum(is.na(z)), mean = mean(ok), sd = sd(ok), least = min(ok), most = max(ok)))) }
  new <- length(vars) * length(ops)
  form <- c(list(variables = as.list(vars), operation = as.list(ops), periods = k, season = s, window = w, center = center), if (!is.null(time)) list(time = time), if (!is.null(group)) list(group = list(group)))
  lead <- if (is.null(group)) fact("期。", k = new, n = nrow(x)) else fact("个个体分开算，最长", k = new, who = length(sizes), n = max(sizes))
  case(name, form, c(rows, list(record("滞后与差分", nrow(x), ncol(x) + new, c(nrow(x), ncol(x))))), c(list(lead, if ("lead" %in% ops) "领先项用到以后的值" else "结果缺失，不是 0"), told), data = data, measures = list(年月 = "文本", 省份 = "定类", 年份 = "定量", 净利 = "定量"))
}
panel <- list("已按“年份”排序后计算", fact("处间隔比平常长", k = 1)); zero <- function(v) { k <- 0; neg <- 0; for (i in unique(p$省份)) { z <- p[p$省份 == i, ]; z <- z[order(z$年份), v]; b <- shift(z, 1); k <- k + sum(b == 0 & !is.na(z), na.rm = TRUE); neg <- neg + sum(b < 0 & !is.na(z), na.rm = TRUE) }; c(k, neg) }
oracle(c("R 4.2.2: diff(), cumsum(), Reduce()", "zoo: rollapply()"), list(
  one("滞后", a, "乘客数", "lag", "年月"),
  one("全部运算", a, "乘客数", names(names_of), "年月", k = 2, s = 12, w = 5, center = TRUE, told = list(fact("的累乘有", k = sum(!is.finite(cumprod(a$乘客数)))))),
  one("行的先后", a, "乘客数", c("diff", "rolling_mean", "rolling_sd", "ewm"), w = 12),
  one("面板", p, c("产值", "净利"), c("lag", "diff", "pct", "cumsum", "rolling_mean", "ewm"), "年份", "省份", told = c(panel, list(fact("格的分母是 0", k = zero("净利")[1]), fact("格的分母是负数", k = zero("净利")[2]), "只画第一个变量")), data = "oracle-panel.csv"),
  one("面板对数差分", p, c("产值", "净利"), c("log_diff", "lead", "cumprod"), "年份", "省份", told = c(panel, list(fact("个值不是正数", k = sum(p$净利 <= 0)))), data = "oracle-panel.csv")))
