# Rscript oracle.R   (R 4.2.2) C charts by their formulas, qpois, pchisq; NIST 6.3.3.1 as a check.
source("../../../../tools/oracle.R")
source("../../../../tools/oracle_control.R")
save_as <- function(x, f) if (!file.exists(f)) write.csv(x, f, row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8", na = "")
save_as(data.frame(晶圆 = 1:25, 缺陷数 = c(16, 14, 28, 16, 12, 20, 10, 12, 10, 17, 19, 17, 14, 16, 15, 13, 14, 16, 11, 20, 11, 19, 16, 31, 13), check.names = FALSE), "example.csv")
set.seed(8); k <- rpois(18, .6); k[4] <- NA; save_as(data.frame(天 = paste0("第", 1:18, "天"), 差错 = k, 甲 = rpois(18, 9), 期 = rep(c("旧", "新"), c(10, 8)), check.names = FALSE), "oracle-few.csv")
e <- example(); F <- example("oracle-few.csv"); G <- F[!is.na(F$差错), ]
cc <- function(d, labels, centre = NULL, exact = FALSE, rules = 1, set = "gbt", k = 3, drop = FALSE, phase = rep("无", length(d)), base = NULL) {
  keep <- based(phase, base); one <- rep(1, length(d))
  repeat { c0 <- if (is.null(centre)) mean(d[keep]) else centre; lo <- if (exact) qpois(pnorm(-k), c0) else max(0, c0 - k * sqrt(c0)); hi <- if (exact) qpois(pnorm(-k), c0, lower.tail = FALSE) else c0 + k * sqrt(c0); now <- keep & d <= hi & d >= lo; if (!drop || all(now == keep)) break; keep <- now }
  x <- sum((d - mean(d))^2) / mean(d)
  c(chart_blocks(list(list(name = "缺陷数", v = d, cl = c0 * one, se = sqrt(c0) * one, lower = 0, low = lo * one, high = hi * one)), one, labels, phase, rules = rules, set = set, k = k),
    list(block("dispersion", variance = var(d), mean = mean(d), ratio = var(d) / mean(d), chi2 = x, df = length(d) - 1, p = pchisq(x, length(d) - 1, lower.tail = FALSE)))) }
b <- cc(e$缺陷数, as.character(1:25)); stopifnot(abs(b[[1]]$cells$cl - 16) < 1e-9, abs(b[[1]]$cells$ucl - 28) < 1e-9, abs(b[[1]]$cells$lcl - 4) < 1e-9, b[[1]]$cells$signals == 1)   # NIST 6.3.3.1
m <- list(缺陷数 = "定量", 差错 = "定量", 甲 = "定量", 天 = "文本"); all8 <- as.list(paste0("nelson", 1:8))
oracle(c("R 4.2.2: qpois, pchisq", "NIST e-Handbook 6.3.3.1"), list(
  case("晶圆", list(defects = "缺陷数", label = "晶圆"), b, list("过程失控", "先找原因并消除", "个失控点", "足够稳定", "会误报", fact("缺陷数图有", k = 1)), measures = m),
  case("晶圆，剔除，精确，八项", list(defects = "缺陷数", exclude = TRUE, exact = TRUE, rules = all8), cc(e$缺陷数, as.character(1:25), exact = TRUE, rules = 1:8, drop = TRUE), list("剔除了"), measures = m),
  case("缺陷很少", list(defects = "差错", label = "天"), cc(G$差错, G$天), list("过程受控", "受控只说明过程稳定", "没有失控点", "不足 20 个", "不到 1，3σ 控制限很不准", "与泊松分布相符"), data = "oracle-few.csv", measures = m),
  case("旧的定限，判新的", list(defects = "甲", label = "天", phase = "期", baseline = "旧"), cc(F$甲, F$天, phase = F$期, base = "旧"), list(frozen("旧", 10)), data = "oracle-few.csv", measures = m),
  case("已知中心值，西部电气", list(defects = "甲", label = "天", center = 8, rule_set = "western_electric", rules = list("nelson1", "nelson2", "nelson4")), cc(F$甲, F$天, centre = 8, rules = 1:2, set = "western_electric"), list("没有准则 4", "控制限由给定的中心值算出"), data = "oracle-few.csv", measures = m)))
