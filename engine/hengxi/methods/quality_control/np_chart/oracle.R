# Rscript oracle.R   (R 4.2.2) NP charts by their formulas; NIST 6.3.3.2 times 50 as a check.
source("../../../../tools/oracle.R")
source("../../../../tools/oracle_control.R")
save_as <- function(x, f) if (!file.exists(f)) write.csv(x, f, row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8", na = "")
d <- c(12, 15, 8, 10, 4, 7, 16, 9, 14, 10, 5, 6, 17, 12, 22, 8, 10, 5, 13, 11, 20, 18, 24, 15, 9, 12, 7, 13, 9, 6)
save_as(data.frame(批号 = 1:30, 不合格数 = d, check.names = FALSE), "example.csv")
set.seed(8); k <- rbinom(18, 20, .1); k[4] <- NA; save_as(data.frame(盒 = paste0("盒", 1:18), 坏 = k, 期 = rep(c("旧", "新"), c(10, 8)), check.names = FALSE), "oracle-few.csv")
e <- example(); F <- example("oracle-few.csv"); F <- F[!is.na(F$坏), ]
np <- function(d, n, labels, centre = NULL, rules = 1, set = "gbt", k = 3, drop = FALSE, phase = rep("无", length(d)), base = NULL) {
  keep <- based(phase, base); repeat { p <- if (is.null(centre)) sum(d[keep]) / (n * sum(keep)) else centre / n; se <- sqrt(n * p * (1 - p)); now <- keep & abs(d - n * p) <= k * se + 1e-9; if (!drop || all(now == keep)) break; keep <- now }
  one <- rep(1, length(d)); chart_blocks(list(list(name = "不合格品数", v = d, cl = n * p * one, se = se * one, lower = 0, upper = n)), n * one, labels, phase, rules = rules, set = set, k = k) }
b <- np(e$不合格数, 50, as.character(1:30)); stopifnot(abs(b[[1]]$cells$cl - 11.5667) < 1e-4, abs(b[[1]]$cells$ucl - 20.5120) < 1e-3, abs(b[[1]]$cells$lcl - 2.6214) < 1e-3)
m <- list(不合格数 = "定量", 坏 = "定量", 盒 = "文本"); all8 <- as.list(paste0("nelson", 1:8))
oracle(c("R 4.2.2: sqrt", "NIST e-Handbook 6.3.3.2"), list(
  case("晶圆", list(defectives = "不合格数", label = "批号"), b, list("过程失控", "先找原因并消除", "个失控点", "足够稳定", "近似可用", fact("不合格品数图有", k = 2)), measures = m),
  case("晶圆，剔除，八项", list(defectives = "不合格数", exclude = TRUE, rules = all8), np(e$不合格数, 50, as.character(1:30), rules = 1:8, drop = TRUE), list("剔除了"), measures = m),
  case("小子组，受控", list(defectives = "坏", label = "盒", size = 20), np(F$坏, 20, F$盒), list("过程受控", "受控只说明过程稳定", "没有失控点", "不足 20 个", "少于 5 件"), data = "oracle-few.csv", measures = m),
  case("旧的定限，判新的", list(defectives = "坏", label = "盒", size = 20, phase = "期", baseline = "旧"), np(F$坏, 20, F$盒, phase = F$期, base = "旧"), list(frozen("旧", sum(F$期 == "旧"))), data = "oracle-few.csv", measures = m),
  case("已知中心值，西部电气", list(defectives = "坏", label = "盒", size = 20, center = 3, rule_set = "western_electric", rules = list("nelson2", "nelson4")), np(F$坏, 20, F$盒, centre = 3, rules = 2, set = "western_electric"), list("没有准则 4", "控制限由给定的中心值算出"), data = "oracle-few.csv", measures = m)))
