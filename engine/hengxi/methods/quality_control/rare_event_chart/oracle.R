# Rscript oracle.R   (R 4.2.2) qgeom, qexp, qweibull; Weibull by the root of its score.
source("../../../../tools/oracle.R")
source("../../../../tools/oracle_control.R")
save_as <- function(x, f) write.csv(x, f, row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8", na = "")
set.seed(31); gaps <- ceiling(rexp(40, 1 / 12)); gaps[26] <- 95; D <- data.frame(发生日期 = format(as.Date("2024-01-05") + cumsum(gaps)), check.names = FALSE); save_as(D, "example.csv")
set.seed(4); S <- data.frame(间隔 = c(rgeom(24, .3), NA, 0, 0), 小时 = c(round(rweibull(26, 1.6, 30), 2), NA), check.names = FALSE); save_as(S, "oracle-gaps.csv")
d <- diff(as.numeric(as.Date(D$发生日期))); lab <- as.character(D$发生日期)[-1]; g <- S$间隔[!is.na(S$间隔)]; h <- S$小时[!is.na(S$小时)]
wei <- function(x) { s <- function(k) sum(x^k * log(x)) / sum(x^k) - 1 / k - mean(log(x)); k <- uniroot(s, c(.05, 50), tol = 1e-15)$root; c(k, mean(x^k)^(1 / k)) }
run <- function(x, kind, labels = as.character(seq_along(x)), centre = NULL, rules = 1, set = "gbt", k = 3, drop = FALSE) {
  keep <- rep(TRUE, length(x)); one <- rep(1, length(x)); tail <- pnorm(-k)
  repeat { m <- if (is.null(centre)) mean(x[keep]) else centre; w <- if (kind == "weibull") wei(x[keep])
    q <- switch(kind, g = function(p) qgeom(p, 1 / (1 + m)), exponential = function(p) qexp(p, 1 / m), weibull = function(p) qweibull(p, w[1], w[2])); sdv <- switch(kind, g = sqrt(m * (1 + m)), exponential = m, weibull = w[2] * sqrt(gamma(1 + 2 / w[1]) - gamma(1 + 1 / w[1])^2))
    lo <- q(tail); hi <- q(1 - tail); now <- keep & x <= hi & x >= lo; if (!drop || all(now == keep)) break; keep <- now }
  M <- if (is.null(centre)) mean(x) else centre; f <- switch(kind, g = list(p = 1 / (1 + M)), exponential = list(scale = M), weibull = { w <- wei(x); list(shape = w[1], scale = w[2]) })
  c(chart_blocks(list(list(name = "间隔", v = x, cl = q(.5) * one, se = sdv * one, lower = 0, zones = FALSE, low = lo * one, high = hi * one)), one, labels, sigma = list(无 = sdv), rules = rules, set = set, k = k), list(do.call(block, c(list("fitted", list(), events = length(x), mean = M), f)))) }
all8 <- as.list(paste0("nelson", 1:8)); m <- list(发生日期 = "时间", 间隔 = "定量", 小时 = "定量"); note <- "间隔越长，事件越少"; low <- "下限为 0，单个点低不过它"
say <- function(b) if (b[[1]]$cells$signals > 0) list("过程失控", "先找原因并消除", "个失控点") else list("过程受控", "受控只说明过程稳定", "没有失控点")
tight <- function(b) lapply(b, function(q) { q$tolerance <- 1e-7; q$reason <- "the shape is found by a search in R, near the limit of its accuracy"; q })
a <- run(d, "g", lab); b <- run(d, "exponential", lab, drop = TRUE, rules = 1:8, k = 2); c1 <- run(g, "g", centre = 3, rules = 1:2, k = 2); w <- run(h, "weibull")
oracle(c("R 4.2.2: qgeom, qexp, qweibull, uniroot"), list(
  case("感染日期，G 图", list(value = "发生日期", input = "dates"), a, c(say(a), list("足够稳定", low, note)), measures = m),
  case("感染日期，T 图，指数，剔除，八项", list(value = "发生日期", chart = "t", input = "dates", exclude = TRUE, rules = all8, k_sigma = 2), b, c(say(b), list("剔除了", "由全部间隔估计", note)), measures = m),
  case("间隔件数，已知平均，2σ", list(value = "间隔", center = 3, k_sigma = 2, rules = list("nelson1", "nelson2")), c1, c(say(c1), list(low)), data = "oracle-gaps.csv", measures = m),
  case("威布尔", list(value = "小时", chart = "t", model = "weibull"), tight(w), c(say(w), list(note)), data = "oracle-gaps.csv", measures = m)))
