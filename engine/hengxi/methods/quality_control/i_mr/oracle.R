# Rscript oracle.R   (R 4.2.2) individuals and moving ranges by their formulas, d2, d3, d4 from ptukey; NIST 6.3.2.2 as a check.
source("../../../../tools/oracle.R")
source("../../../../tools/oracle_control.R")
suppressMessages(library(MASS))
save_as <- function(x, f) if (!file.exists(f)) write.csv(x, f, row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8", na = "")
save_as(data.frame(序号 = 1:10, 流量 = c(49.6, 47.6, 49.9, 51.3, 47.8, 51.2, 52.6, 52.4, 53.6, 52.1), check.names = FALSE), "example.csv")
set.seed(12); y <- round(c(rnorm(20, 30, 2), rnorm(25, 36, 3)), 1); y[38] <- 55; o <- c(3, 1, 2, 4:45)
save_as(data.frame(序 = o, 温度 = y[o], 期 = rep(c("改前", "改后"), c(20, 25))[o], check.names = FALSE), "oracle-phases.csv")
set.seed(3); save_as(data.frame(班 = paste0("班", 1:60), 分 = { v <- sample(1:5, 60, TRUE); v[c(7, 20)] <- NA; v }, 时 = round(rexp(60, .2), 2) + .05, check.names = FALSE), "oracle-likert.csv")
e <- example(); P <- example("oracle-phases.csv"); L <- example("oracle-likert.csv"); P <- P[order(P$序), ]
shape <- function(x, lam = NULL) { a <- x - mean(x); w <- shapiro.test(x); c(list("shape", W = unname(w$statistic), p = w$p.value, r = sum(a[-1] * a[-length(a)]) / sum(a^2), bound = 2 / sqrt(length(x))), if (is.null(lam)) NULL else list(lam = lam)) }
sh <- function(...) list(do.call(block, shape(...)))
x <- e$流量; b <- imr_chart(x, labels = as.character(1:10)); u <- Filter(function(z) z$table == "control_limits" && z$where$panel == "单值", b)[[1]]$cells
stopifnot(abs(u$cl - 50.81) < 1e-9, abs(50.81 + (u$ucl - 50.81) * d2(2) / 1.128 - 55.8041) < 5e-4)   # NIST e-Handbook 6.3.2.2, which rounds d2 to 1.128
l <- L$分[!is.na(L$分)]; t <- L$时
profile <- function(q) { z <- if (abs(q) < 1e-12) log(t) else (t^q - 1) / q; -length(t) / 2 * log(mean((z - mean(z))^2)) + (q - 1) * sum(log(t)) }
lam <- optimize(profile, c(-2, 2), maximum = TRUE, tol = 1e-12)$maximum; bc <- boxcox(t ~ 1, lambda = seq(lam - .01, lam + .01, .001), plotit = FALSE); stopifnot(abs(bc$x[which.max(bc$y)] - lam) < .002)
loose <- function(bs) lapply(bs, function(q) { q$tolerance <- 1e-5; q$reason <- "λ is found by a search; the logarithm of the likelihood is flat there"; q })
all8 <- as.list(paste0("nelson", 1:8)); lab <- L$班[!is.na(L$分)]
OUT <- list("过程失控", "个失控点"); IN <- list("过程受控", "受控只说明过程稳定", "没有失控点")
oracle(c("R 4.2.2: ptukey, qtukey, shapiro.test", "MASS: boxcox", "NIST e-Handbook 6.3.2.2"), list(
  case("流量", list(measure = "流量", time = "序号"), c(b, sh(x)), c(IN, "只宜试用", "没有发现明显的自相关", "没有发现明显偏离正态"), measures = list(流量 = "定量")),
  case("改前改后，按序号，剔除", list(measure = "温度", time = "序", phase = "期", exclude = TRUE, rules = all8), c(imr_chart(P$温度, 2, as.character(P$序), P$期, rules = 1:8, drop = TRUE), sh(P$温度)), c(OUT, "移动极差图有失控点", "剔除了", "误报会增多，可拉长", "偏离正态"), data = "oracle-phases.csv", measures = list(期 = "定类")),
  case("改前定限，判改后", list(measure = "温度", time = "序", phase = "期", baseline = "改前"), c(imr_chart(P$温度, 2, as.character(P$序), P$期, base = "改前"), sh(P$温度)), list(frozen("改前", 20)), data = "oracle-phases.csv", measures = list(期 = "定类")),
  case("1–5 分，跨度 3，中位数", list(measure = "分", time = "班", span = 3, sigma_method = "mr_median", k_sigma = 1, rules = all8, rule_set = "aiag"),
       c(imr_chart(l, 3, lab, way = "median", rules = 1:8, set = "aiag", k = 1), sh(l)), c(OUT, "足够稳定"), data = "oracle-likert.csv", measures = list(分 = "定量")),
  case("已知标准，西部电气", list(measure = "分", center = 2.5, sigma = 1, rule_set = "western_electric", rules = list("nelson1", "nelson2", "nelson3")), c(imr_chart(l, centre = 2.5, sigma = 1, rules = 1:2, set = "western_electric"), sh(l)), list("西部电气没有准则 3", "控制限由给定的中心值和标准差算出"), data = "oracle-likert.csv", measures = list(分 = "定量")),
  case("Box-Cox", list(measure = "时", boxcox = TRUE), loose({ z <- (t^lam - 1) / lam; c(imr_chart(z), sh(z, lam)) }), list(), data = "oracle-likert.csv")))
