# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2: filter, lowess, stl, lm, runmed; mFilter: hpfilter, bkfilter, cffilter)
source("../../../../tools/steps.R")
suppressMessages(library(mFilter)); suppressMessages(library(zoo))
if (!file.exists("example.csv")) {
  save_example(data.frame(年月 = format(seq(as.Date("1949-01-01"), by = "month", length.out = 144), "%Y-%m"), 乘客数 = as.integer(AirPassengers)))
  set.seed(92); n <- 90; t <- cumsum(sample(1:3, n, TRUE)); y <- round(20 + .3 * t + 6 * sin(t / 8) + rnorm(n, 0, 2), 1); z <- y; z[c(1, 20, 21, 55)] <- NA; o <- sample(n)
  save_example(data.frame(时刻 = t, 读数 = y, 缺测 = z)[o, ], "oracle-sensor.csv")
}
a <- example(); s <- example("oracle-sensor.csv")
names_of <- c(moving_average = "移动平均", exponential = "指数平滑", savgol = "Savitzky-Golay", lowess = "LOWESS", hp = "HP滤波", bk = "BK带通", cf = "CF滤波", stl = "STL季节调整", detrend_linear = "线性去趋势", median = "中值滤波")
savgol <- function(y, w, p) { n <- length(y); h <- w %/% 2; sapply(seq_len(n), function(i) { from <- min(max(i - h, 1), n - w + 1); t <- from:(from + w - 1); u <- (t - mean(t)) / h; v <- (i - mean(t)) / h; X <- outer(u, 0:p, `^`); sum(qr.coef(qr(X), y[t]) * v^(0:p)) }) }
work <- function(y, at, m, o) switch(m,
  moving_average = list(平滑 = as.numeric(if (o$align == "right") stats::filter(y, rep(1 / o$w, o$w), sides = 1) else if (o$w %% 2) stats::filter(y, rep(1 / o$w, o$w)) else stats::filter(y, c(.5, rep(1, o$w - 1), .5) / o$w))),
  median = list(平滑 = as.numeric(rollapply(y, o$w, median, fill = NA, align = if (o$align == "right") "right" else "center"))),
  exponential = { z <- rep(NA_real_, length(y)); ok <- which(!is.na(y)); z[ok] <- Reduce(function(p, x) o$a * x + (1 - o$a) * p, y[ok], accumulate = TRUE); list(平滑 = z) },
  savgol = list(平滑 = savgol(y, o$w, o$p)), lowess = { z <- rep(NA_real_, length(y)); ok <- !is.na(y); z[ok] <- lowess(at[ok], y[ok], f = o$f)$y; list(平滑 = z) },
  detrend_linear = { z <- rep(NA_real_, length(y)); ok <- !is.na(y); z[ok] <- residuals(lm(y[ok] ~ at[ok])); list(去趋势 = z) },
  hp = { f <- hpfilter(y, freq = o$l, type = "lambda"); list(趋势 = as.numeric(f$trend), 周期 = as.numeric(f$cycle)) },
  bk = list(周期 = as.numeric(bkfilter(y, o$low, o$high, nfix = o$k, type = "fixed")$cycle)), cf = { f <- cffilter(y, o$low, o$high, root = TRUE, drift = TRUE); list(周期 = as.numeric(f$cycle), 趋势 = y - as.numeric(f$cycle)) },
  stl = { f <- stl(ts(y, frequency = o$d), s.window = 7, s.degree = 1, s.jump = 1, t.jump = 1, l.jump = 1, inner = 2)$time.series; list(季节调整 = y - f[, 1], 趋势 = as.numeric(f[, 2]), 季节 = as.numeric(f[, 1]), 残差 = as.numeric(f[, 3])) })
one <- function(name, x, vars, m, form = list(), o = list(), time = NULL, told = list(), data = NULL, loose = NULL) {
  o <- modifyList(list(w = 5, align = "center", a = .3, p = 2, f = .3, l = 1600, low = 6, high = 32, k = 12, d = 12), o); main <- NULL; rows <- list(); made <- 0
  ord <- if (is.null(time)) seq_len(nrow(x)) else order(x[[time]]); at <- if (is.null(time) || !is.numeric(x[[time]])) seq_len(nrow(x)) - 1 else x[[time]][ord]
  for (v in vars) { parts <- work(x[[v]][ord], at, m, o); for (i in seq_along(parts)) { z <- parts[[i]]; ok <- !is.na(z); y <- x[[v]][ord][ok]; both <- !is.na(y)
    suffix <- if (i == 1) (if (is.null(form$suffix)) paste0("_", names(parts)[1]) else form$suffix) else paste0("_", names(parts)[i]); shown <- if (i == 1 && identical(form$mode, "replace")) v else paste0(v, suffix)
    args <- c(list("result", list(variable = shown, part = names(parts)[i]), n = sum(ok), missing = sum(!ok), mean = { e <- mean(z[ok]); if (abs(e) < 1e-10) 0 else e }, sd = sd(z[ok]), r = cor(y[both], z[ok][both])), loose); rows <- c(rows, list(do.call(block, args))); made <- made + 1 } }
  replaced <- identical(form$mode, "replace"); changed <- if (replaced) sum(sapply(vars, function(v) { z <- work(x[[v]][ord], at, m, o)[[1]]; y <- x[[v]][ord]; sum(is.na(z) != is.na(y) | (!is.na(z) & !is.na(y) & z != y)) })) else 0
  student <- switch(m, bk = "平均在 0 附近", cf = "平均在 0 附近", stl = "可以逐期比较", detrend_linear = "围绕直线的波动", hp = "趋势越平", "检验和建模用原序列")
  case(name, c(list(variables = as.list(vars), method = m), if (!is.null(time)) list(time = time), form), c(rows, list(record("平滑与去趋势", nrow(x), ncol(x) + made - if (replaced) length(vars) else 0, c(nrow(x), ncol(x)), changed))),
    c(list(list(contains = paste0("用", names_of[[m]], "处理"), facts = list(n = nrow(x), made = made)), student), told), data = data, measures = list(年月 = "文本", 时刻 = "定量", 读数 = "定量", 缺测 = "定量"))
}
sensor <- function(name, vars, m, form = list(), o = list(), told = list(), ...) one(name, s, vars, m, form, o, "时刻", c(list("已按“时刻”排序后计算"), if (m %in% c("lowess", "detrend_linear")) NULL else list(fact("处间隔比平常长", k = sum(diff(sort(s$时刻)) > 1))), told), data = "oracle-sensor.csv", ...)
p <- "乘客数"; ym <- "年月"
oracle(c("R 4.2.2: filter(), lowess(), stl(), lm()", "mFilter: hpfilter(), bkfilter(), cffilter()", "zoo: rollapply()"), list(
  one("移动平均", a, p, "moving_average", time = ym), one("2×12", a, p, "moving_average", list(window = 12), list(w = 12), ym), one("向后", a, p, "moving_average", list(window = 12, align = "right", suffix = "_MA"), list(w = 12, align = "right")),
  one("中值", a, p, "median", list(window = 7), list(w = 7)), one("指数", a, p, "exponential", list(alpha = .2), list(a = .2)), one("SG", a, p, "savgol", list(window = 11, polyorder = 3), list(w = 11, p = 3)),
  one("HP", a, p, "hp", list(lamb = 14400), list(l = 14400)), one("BK", a, p, "bk"), one("CF", a, p, "cf", list(low = 18, high = 96), list(low = 18, high = 96)), one("STL", a, p, "stl", time = ym),
  one("LOWESS", a, p, "lowess"), one("去趋势", a, p, "detrend_linear", list(mode = "replace")),
  sensor("不等间隔的 LOWESS", c("读数", "缺测"), "lowess", list(frac = .5), list(f = .5)), sensor("不等间隔去趋势", c("读数", "缺测"), "detrend_linear"), sensor("有缺失的移动平均", "缺测", "moving_average"), sensor("有缺失的指数平滑", "缺测", "exponential")))
