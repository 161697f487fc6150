# Rscript oracle.R   (R 4.2.2) hist, nclass.Sturges, diptest 0.76; skewness and kurtosis by their formulas.
source("../../../../tools/oracle.R")
suppressMessages(library(diptest))
save_as <- function(x, f) if (!file.exists(f)) write.csv(x, f, row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8", na = "")
set.seed(51); save_as(data.frame(机台 = rep(c("一号机", "二号机"), 60), 厚度 = round(rnorm(120, rep(c(2.46, 2.56), 60), .018), 3), check.names = FALSE), "example.csv")
set.seed(52); save_as(data.frame(偏 = round(rgamma(80, 1.5), 2), 左 = round(20 - rgamma(80, 1.5), 2), 岛 = round(c(rnorm(77), 9.1, 9.2, 9.4), 2), 平 = sample(round((1:80 - .5) / 80, 3)), 分 = sample(1:5, 80, TRUE), 正 = c(round(rnorm(40), 2), rep(NA, 40)), 同 = rep(c(1, 5, 5, 5, 9, 5, 5, 5), 10), 层 = rep(c("甲", "乙", NA, "甲"), 20), check.names = FALSE), "oracle-odd.csv")
e <- example(); O <- example("oracle-odd.csv"); O$层[O$层 == ""] <- NA
G <- function(x) { n <- length(x); z <- x - mean(x); m2 <- mean(z^2); g1 <- mean(z^3) / m2^1.5; if (abs(g1) < 1e-14) g1 <- 0; g2 <- mean(z^4) / m2^2 - 3; c(g1 * sqrt(n * (n - 1)) / (n - 2), (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * g2 + 6), sqrt(6 * n * (n - 1) / ((n - 2) * (n + 1) * (n + 3)))) }
edges <- function(x, how, k) { h <- switch(how, fd = 2 * IQR(x) / length(x)^(1 / 3), scott = 3.5 * sd(x) / length(x)^(1 / 3), 1)
  m <- if (how == "custom") k else if (how == "sturges" || h == 0) nclass.Sturges(x) else min(ceiling(diff(range(x)) / h), 100); seq(min(x), max(x), length.out = m + 1) }
one <- function(x, b, lsl, usl, group) { g <- G(x); d <- dip.test(x); se4 <- 2 * g[3] * sqrt((length(x)^2 - 1) / ((length(x) - 3) * (length(x) + 5))); n <- hist(x, b, right = FALSE, include.lowest = TRUE, plot = FALSE)$counts
  there <- which(n > 0); gaps <- which(diff(there) > 2); isle <- any(sapply(gaps, function(i) { a <- sum(n[1:there[i]]) / sum(n); min(a, 1 - a) < .05 }))
  name <- if (d$p.value < .05) "双峰型" else if (isTRUE(isle)) "孤岛型" else if (abs(g[1]) > qnorm(.975) * g[3]) c("左偏型", "右偏型")[1 + (g[1] > 0)] else if (g[2] < -qnorm(.975) * se4) "平顶型" else "正常型"; named <<- name
  w <- if (is.null(group)) list(n = length(x)) else list(group = group); at <- function(i) c(if (!is.null(group)) list(group = group), list(bin = i))
  c(list(do.call(block, c(list("shape", w), list(n = length(x), mean = mean(x), sd = sd(x), skewness = g[1], kurtosis = g[2], dip = unname(d$statistic), form = name), if (!is.null(lsl)) list(below = mean(x < lsl)), if (!is.null(usl)) list(above = mean(x > usl)))),
    block("shape", w, p = d$p.value, tolerance = if (d$p.value > .01) .06 else .01, reason = "diptest 与我们各用自己的模拟分位数表内插；p 到两位")),
    lapply(seq_along(n), function(i) block("frequencies", at(i), bin = i, low = b[i], high = b[i + 1], middle = (b[i] + b[i + 1]) / 2, n = n[i], share = n[i] / sum(n), cumulative = sum(n[1:i]) / sum(n)))) }
study <- function(x, how = "sturges", k = 10, lsl = NULL, usl = NULL, by = NULL) { keep <- if (is.null(by)) !is.na(x) else !is.na(x) & !is.na(by); x <- x[keep]; b <- edges(x, how, k); out <- list()
  if (!is.null(by)) for (v in unique(by[keep])) out <- c(out, one(x[by[keep] == v], b, lsl, usl, v)); top <- one(x, b, lsl, usl, NULL); if (!is.null(by)) top <- top[1:2]
  near <- c(if (!is.null(lsl)) (mean(x) - lsl) / sd(x), if (!is.null(usl)) (usl - mean(x)) / sd(x))
  says <<- c(list(do.call(fact, c(list(paste0(if (length(near)) if (any(c(x < lsl, x > usl))) "的值超出规格" else "没有值超出规格" else "的分布为"), mean = mean(x), sd = sd(x), form = named), if (length(near)) list(out = (sum(c(FALSE, x < lsl)) + sum(c(FALSE, x > usl))) / length(x)))), fact("组，组宽", k = length(b) - 1, width = b[2] - b[1])),
    if (length(near)) list(fact(if (min(near) < 3) "余量不足" else "余量够用", z = min(near)), if (length(near) == 2 && diff(range(near)) > 1) "均值偏离规格中心"))
  c(top, out) }
READ <- c(双峰型 = "有两个高峰", 孤岛型 = "旁边有一小块", 右偏型 = "右边的尾巴长", 左偏型 = "左边的尾巴长", 平顶型 = "顶部平", 正常型 = "中间高、两边低")
M <- setNames(as.list(rep("定量", 8)), c("厚度", "偏", "左", "岛", "平", "分", "正", "同"))
run <- function(name, v, b, ..., more = list(), data = "oracle-odd.csv") { force(b); case(name, list(measure = list(v), ...), b, c(Filter(Negate(is.null), says), READ[[named]], more), data = data, measures = M) }
oracle(c("R 4.2.2: hist, nclass.Sturges", "diptest 0.76"), list(
  run("两台机器，分层", "厚度", study(e$厚度, lsl = 2.4, usl = 2.6, by = e$机台), lsl = 2.4, usl = 2.6, group = "机台", more = list("第一行为全部数据", "够用"), data = "example.csv"),
  run("右偏，FD", "偏", study(O$偏, "fd", usl = 12), bins = "fd", usl = 12),
  run("左偏，Scott", "左", study(O$左, "scott", lsl = 5, usl = 30), bins = "scott", lsl = 5, usl = 30),
  run("孤岛，自定义 20 组", "岛", study(O$岛, "custom", 20), bins = "custom", n_bins = 20),
  run("平顶", "平", study(O$平)),
  run("平顶，层里有缺失", "平", study(O$平, by = O$层), group = "层"),
  run("1–5 分", "分", study(O$分, "scott"), bins = "scott"),
  run("只有 40 个", "正", study(O$正, "custom", 7, lsl = -9, usl = 9), bins = "custom", n_bins = 7, lsl = -9, usl = 9, more = list("不足 50 个")),
  run("四分位距为 0", "同", study(O$同, "fd"), bins = "fd"),
  c(case("两个变量", list(measure = list("偏", "平"), usl = 3), list(block("shape", list(variable = "偏"), n = 80, above = mean(O$偏 > 3)), block("shape", list(variable = "平"), n = 80, above = 0)), list(fact("的值超出规格。", mean = mean(O$偏), sd = sd(O$偏), out = mean(O$偏 > 3), mean_2 = mean(O$平), sd_2 = sd(O$平)), "等"), data = "oracle-odd.csv", measures = M))))
