# Rscript oracle.R   (R 4.2.2) U charts by their formulas; with units of 1 the same as a C chart (NIST 6.3.3.1).
source("../../../../tools/oracle.R")
source("../../../../tools/oracle_control.R")
save_as <- function(x, f) if (!file.exists(f)) write.csv(x, f, row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8", na = "")
set.seed(14); u <- sample(8:12, 30, TRUE); d <- rpois(30, 1.5 * u); d[22] <- 33
save_as(data.frame(批号 = 1:30, 缺陷数 = d, 单位数 = u, check.names = FALSE), "example.csv")
set.seed(9); n <- round(runif(40, 50, 900) / 10, 1); k <- rpois(40, n * rgamma(40, 8, 4)); k[7] <- NA
save_as(data.frame(站 = paste0("站", 1:40), 投诉 = k, 千单 = n, 期 = rep(c("旧", "新"), c(18, 22)), check.names = FALSE), "oracle-shops.csv")
save_as(data.frame(缺陷 = c(16, 14, 28, 16, 12, 20, 10, 12, 10, 17, 19, 17, 14, 16, 15, 13, 14, 16, 11, 20, 11, 19, 16, 31, 13), 件 = 1, 匀 = rep(c(15, 16, 17, 16), 7)[1:25], check.names = FALSE), "oracle-units.csv")
e <- example(); S <- example("oracle-shops.csv"); S <- S[!is.na(S$投诉), ]; U <- example("oracle-units.csv")
uc <- function(d, n, limits = "variable", labels = as.character(seq_along(d)), phase = rep("无", length(d)), centre = NULL, rules = 1, set = "gbt", k = 3, drop = FALSE, base = NULL) {
  keep <- based(phase, base); shown <- phase; if (!is.null(base)) phase <- rep(base, length(d)); held <- keep; v <- d / n
  repeat {
    C <- sapply(phase, function(q) if (is.null(centre)) sum(d[keep & phase == q]) / sum(n[keep & phase == q]) else centre, USE.NAMES = FALSE); se <- sqrt(C / (if (limits == "average") mean(n) else n))
    if (limits == "laney") { s <- numeric(length(d)); for (q in unique(phase)) s[phase == q] <- mean(abs(diff(((v - C) / se)[keep & phase == q]))) / d2(2); se <- se * s }
    now <- keep & v <= C + k * se + 1e-9 & v >= pmax(0, C - k * se) - 1e-9; if (!drop || all(now == keep)) break; keep <- now
  }
  W <- sapply(phase, function(q) sum(d[held & phase == q]) / sum(n[held & phase == q]), USE.NAMES = FALSE); if (!is.null(centre)) W <- rep(centre, length(d)); z <- (v - W) / sqrt(W / n)
  c(chart_blocks(list(list(name = "单位缺陷数", v = v, cl = C, se = se, lower = 0)), round(n), labels, shown, NULL, rules, set, k), list(block("dispersion", sigma_z = mean(sapply(unique(phase), function(q) mean(abs(diff(z[held & phase == q]))) / d2(2))))))
}
b <- uc(U$缺陷, U$件); stopifnot(abs(b[[1]]$cells$ucl - 28) < 1e-9, abs(b[[1]]$cells$lcl - 4) < 1e-9)
f <- function(...) list(defects = "缺陷数", units = "单位数", label = "批号", ...); g <- function(...) list(defects = "投诉", units = "千单", label = "站", ...); m <- list(缺陷数 = "定量", 单位数 = "定量", 站 = "文本", 缺陷 = "定量", 件 = "定量", 匀 = "定量"); all8 <- as.list(paste0("nelson", 1:8))
OUT <- list("过程失控", "先找原因并消除", "个失控点"); IN <- list("过程受控", "受控只说明过程稳定", "没有失控点")
oracle(c("R 4.2.2: sqrt, ptukey", "NIST e-Handbook 6.3.3.1"), list(
  case("三十批", f(), uc(e$缺陷数, e$单位数, labels = as.character(1:30)), c(OUT, "足够稳定", "控制限逐点不同", list(fact("单位缺陷数图有", k = 1))), measures = m),
  case("剔除", f(exclude = TRUE, limits = "average"), uc(e$缺陷数, e$单位数, "average", as.character(1:30), drop = TRUE), list("剔除了"), measures = m),
  case("站点，八项准则", g(rules = all8), uc(S$投诉, S$千单, "variable", S$站, rules = 1:8), c(OUT, "大于理论波动"), data = "oracle-shops.csv", measures = m),
  case("站点，Laney，两期", g(limits = "laney", phase = "期"), uc(S$投诉, S$千单, "laney", S$站, S$期), list("已用 Laney 控制限校正", "不足 20 个"), data = "oracle-shops.csv", measures = m),
  case("旧的定限，判新的", g(phase = "期", baseline = "旧"), uc(S$投诉, S$千单, "variable", S$站, S$期, base = "旧"), list(frozen("旧", sum(S$期 == "旧"))), data = "oracle-shops.csv", measures = m),
  case("单位为 1，与 C 图相同", list(defects = "缺陷", units = "件"), b, OUT, data = "oracle-units.csv", measures = m),
  case("过于整齐，西部电气", list(defects = "匀", units = "件", rule_set = "western_electric", rules = list("nelson1", "nelson4")), uc(U$匀, U$件, set = "western_electric"), c(IN, "小于理论波动", "没有准则 4"), data = "oracle-units.csv", measures = m)))
