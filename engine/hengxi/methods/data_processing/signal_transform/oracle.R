# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2: fft; Welch and Torrence & Compo from their formulas; Daubechies' filter from Table 6.1)
source("../../../../tools/steps.R")
if (!file.exists("example.csv")) {
  set.seed(93); t <- (0:999) / 1000; save_example(data.frame(时刻 = t, 信号 = round(1.5 * sin(2 * pi * 50 * t) + .8 * cos(2 * pi * 120 * t + .7) + rnorm(1000, 0, .5) + 3, 4), 对照 = round(rnorm(1000), 4)))
  save_example(data.frame(年月 = format(seq(as.Date("1949-01-01"), by = "month", length.out = 144), "%Y-%m"), 乘客数 = as.integer(AirPassengers)), "oracle-months.csv")
}
x <- example(); m <- example("oracle-months.csv")
window_of <- function(w, n) { k <- 2 * pi * (0:(n - 1)) / n; switch(w, boxcar = rep(1, n), hann = .5 - .5 * cos(k), hamming = .54 - .46 * cos(k), blackman = .42 - .5 * cos(k) + .08 * cos(2 * k)) }
sided <- function(n) { f <- rep(2, n %/% 2 + 1); f[1] <- 1; if (n %% 2 == 0) f[length(f)] <- 1; f }
half <- function(z) z[seq_len(length(z) %/% 2 + 1)]
segments <- function(y, size, centre) { hop <- size - size %/% 2; lapply(seq(1, length(y) - size + 1, by = hop), function(i) { p <- y[i:(i + size - 1)]; if (centre) p - mean(p) else p }) }
spectrum_of <- function(y, fs, method, w = "hann", size = 256, centre = TRUE) { n <- length(y); if (centre) y <- y - mean(y); size <- min(size, n)
  switch(method, fft = { f <- half(fft(y * window_of(w, n))); list(f = (seq_along(f) - 1) * fs / n, h = Mod(f) * sided(n) / sum(window_of(w, n)), p = Arg(f), rows = length(f)) },
    welch = { k <- window_of(w, size); p <- sapply(segments(y, size, centre), function(s) Mod(half(fft(s * k)))^2 * sided(size) / (fs * sum(k^2))); list(f = (0:(size %/% 2)) * fs / size, h = rowMeans(p), rows = nrow(p)) },
    stft = { k <- window_of(w, size); p <- sapply(segments(y, size, centre), function(s) Mod(half(fft(s * k))) * sided(size) / sum(k)); list(f = (0:(size %/% 2)) * fs / size, h = rowMeans(p), rows = length(p)) },
    cwt = { j <- floor(8 * log2(n / 4)); s <- 2 * 2^((0:j) / 8); N <- 2^ceiling(log2(n)); om <- 2 * pi * c(0:(N / 2), -((N / 2 - 1):1)) / N; X <- fft(c(y, rep(0, N - n)))
      pw <- sapply(s, function(a) { psi <- sqrt(2 * pi * a) * pi^-.25 * exp(-(a * om - 6)^2 / 2) * (om > 0); mean(Mod(fft(X * psi, inverse = TRUE)[1:n] / N)^2) }); f <- (6 + sqrt(38)) / (4 * pi * s) * fs; list(f = c(0, rev(f)), h = c(0, rev(pw)), rows = length(s)) }) }
top <- function(s) { h <- s$h[-1]; k <- which(h >= c(-Inf, head(h, -1)) & h > c(h[-1], -Inf)) + 1; k <- k[s$h[k] > 1e-12 * max(s$h)]; head(k[order(-s$h[k])], 5) }
student <- c(fft = "峰的高度是振幅", welch = "分段平均后谱更平滑", stft = "颜色深的地方", cwt = "两端受补零影响", dwt = "分量从低频到高频排列", hilbert = "包络是振幅随时间的变化")
form_of <- function(vars, method, form, time) c(list(variables = as.list(vars), method = method), if (!is.null(time)) list(time = time), form)
series <- function(vars, d, fs) lapply(vars, function(v) block("series", list(variable = v), n = nrow(d), fs = fs, step = fs / nrow(d)))
finish <- function(name, d, vars, method, form, time, rows, lead, after, told, data) case(name, form_of(vars, method, form, time), c(rows, list(record("信号变换（FFT/小波）", after[1], after[2], c(nrow(d), ncol(d))))), c(list(lead, student[[method]]), told), data = data, measures = list(时刻 = "定量", 年月 = "文本"))
spectral <- function(name, d, vars, method, fs, form = list(), time = NULL, w = "hann", size = 256, centre = TRUE, told = list(), data = NULL) {
  rows <- series(vars, d, fs); lead <- NULL; made <- 0
  for (v in vars) { s <- spectrum_of(d[[v]], fs, method, w, size, centre); k <- top(s); made <- s$rows
    if (is.null(lead)) lead <- fact(paste0("“", v, "”最强的频率是"), n = nrow(d), fs = fs, f = s$f[k[1]], period = 1 / s$f[k[1]])
    for (i in seq_along(k)) rows <- c(rows, list(do.call(block, c(list("peaks", list(variable = v, rank = as.character(i)), frequency = s$f[k[i]], period = 1 / s$f[k[i]], height = s$h[k[i]]), if (method == "fft") list(phase = s$p[k[i]]))))) }
  cols <- c(fft = 1 + 2 * length(vars), welch = 1 + length(vars), stft = 2 + length(vars), cwt = 2 + length(vars))[[method]]
  finish(name, d, vars, method, form, time, rows, lead, c(made, cols), told, data)
}
haar <- c(1, 1) / sqrt(2); db4 <- c(.230377813308896, .714846570552915, .630880767929859, -.027983769416859, -.187034811719093, .030841381835561, .032883011666885, -.010597401785069)
down <- function(y, h) { L <- length(h); n <- length(y); i <- outer(2 * (0:((n + L - 1) %/% 2 - 1)) + 1, 0:(L - 1), `-`); i <- ifelse(i < 0, -i - 1, ifelse(i >= n, 2 * n - 1 - i, i)); f <- rev(h); g <- (-1)^((L - 1):0) * h
  z <- matrix(y[i + 1], nrow(i)); list(a = as.numeric(z %*% f), d = as.numeric(z %*% g)) }
wavelet <- function(name, wave, h, level, v = "信号") { y <- x[[v]] - mean(x[[v]]); parts <- list(); a <- y; for (k in seq_len(level)) { z <- down(a, h); parts <- c(setNames(list(z$d), paste0("D", k)), parts); a <- z$a }; parts <- c(setNames(list(a), paste0("A", level)), parts); e <- sapply(parts, function(p) sum(p^2))
  rows <- c(series(v, x, 1), lapply(names(parts), function(p) block("energy", list(variable = v, part = p), n = length(parts[[p]]), energy = e[[p]], share = e[[p]] / sum(e))))
  finish(name, x, v, "dwt", list(wavelet = wave, level = level), NULL, rows, fact("做离散小波变换", n = 1000, fs = 1), c(1000, 3 + level + 1), list(), NULL) }
hil <- { y <- x$信号 - mean(x$信号); n <- length(y); z <- fft(fft(y) * c(1, rep(2, n / 2 - 1), 1, rep(0, n / 2 - 1)), inverse = TRUE) / n; p <- Arg(z); d <- diff(p); d <- d - 2 * pi * round(d / (2 * pi)); f <- d * 1000 / (2 * pi)
  finish("希尔伯特", x, "信号", "hilbert", list(), "时刻", c(series("信号", x, 1000), list(block("analytic", list(variable = "信号"), envelope = mean(Mod(z)), middle = median(f), lowest = quantile(f, .05)[[1]], highest = quantile(f, .95)[[1]]))), fact("做希尔伯特变换", n = n, fs = 1000), c(n, 6), list(), NULL) }
oracle(c("R 4.2.2: fft()", "Welch 1967、Torrence & Compo 1998 的公式", "Daubechies 1992，表 6.1"), list(
  spectral("两个频率", x, "信号", "fft", 1000, time = "时刻"), spectral("矩形窗，两个变量", x, c("信号", "对照"), "fft", 500, list(fs = 500, window = "boxcar"), w = "boxcar"), spectral("不去均值", x, "信号", "fft", 1, list(detrend = FALSE, window = "blackman"), w = "blackman", centre = FALSE),
  spectral("Welch", x, c("信号", "对照"), "welch", 1000, list(window = "hamming", segment = 200), "时刻", "hamming", 200), spectral("短时", x, "信号", "stft", 1000, list(segment = 101), "时刻", size = 101), spectral("连续小波", x, "信号", "cwt", 1000, time = "时刻"),
  spectral("按月", m, "乘客数", "fft", 1, time = "年月", data = "oracle-months.csv"),
  wavelet("Haar", "haar", haar, 3), wavelet("db4", "db4", db4, 4), hil))
