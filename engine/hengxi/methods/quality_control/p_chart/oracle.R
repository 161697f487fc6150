# Rscript oracle.R   (R 4.2.2) P charts by their formulas; NIST 6.3.3.2 as a check; Laney (2002).
source("../../../../tools/oracle.R")
source("../../../../tools/oracle_control.R")
save_as <- function(x, f) if (!file.exists(f)) write.csv(x, f, row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8", na = "")
d <- c(12, 15, 8, 10, 4, 7, 16, 9, 14, 10, 5, 6, 17, 12, 22, 8, 10, 5, 13, 11, 20, 18, 24, 15, 9, 12, 7, 13, 9, 6)
save_as(data.frame(批号 = 1:30, 检验数 = 50, 不合格数 = d, check.names = FALSE), "example.csv")
set.seed(4); n <- round(runif(40, 300, 5000)); p <- plogis(rnorm(40, -3, .5)); k <- rbinom(40, n, p); k[c(6)] <- NA
save_as(data.frame(店 = paste0("门店", 1:40), 差评 = k, 订单 = n, 期 = rep(c("旧规则", "新规则"), c(18, 22)), check.names = FALSE), "oracle-shops.csv")
set.seed(8); save_as(data.frame(月 = 1:24, 退货 = rbinom(24, 60, .03) + c(rep(0, 23), 9), 售出 = 60, check.names = FALSE), "oracle-few.csv")
e <- example(); S <- example("oracle-shops.csv"); S <- S[!is.na(S$差评), ]; F <- example("oracle-few.csv")
pc <- function(d, n, limits = "variable", labels = as.character(seq_along(d)), phase = rep("无", length(d)), centre = NULL, rules = 1, set = "gbt", k = 3, drop = FALSE, base = NULL) {
  keep <- based(phase, base); shown <- phase; if (!is.null(base)) phase <- rep(base, length(d)); held <- keep
  repeat {
    P <- sapply(phase, function(q) if (is.null(centre)) sum(d[keep & phase == q]) / sum(n[keep & phase == q]) else centre, USE.NAMES = FALSE)
    se <- sqrt(P * (1 - P) / (if (limits == "average") mean(n) else n)); s0 <- se; v <- d / n
    if (limits == "laney") { s <- numeric(length(d)); for (q in unique(phase)) { z <- ((v - P) / se)[keep & phase == q]; s[phase == q] <- mean(abs(diff(z))) / d2(2) }; se <- se * s }
    out <- abs(v - P) > k * se + 1e-9
    if (!drop || all((keep & !out) == keep)) break
    keep <- keep & !out
  }
  W <- sapply(phase, function(q) sum(d[held & phase == q]) / sum(n[held & phase == q]), USE.NAMES = FALSE); if (!is.null(centre)) W <- rep(centre, length(d)); z <- (v - W) / sqrt(W * (1 - W) / n)
  ratio <- mean(sapply(unique(phase), function(q) mean(abs(diff(z[held & phase == q]))) / d2(2)))
  one <- if (limits == "standardized") list(name = "标准化值 Z", v = (v - P) / se, cl = 0 * v, se = 0 * v + 1) else list(name = "不合格品率", v = v, cl = P, se = se, lower = 0, upper = 1)
  c(chart_blocks(list(one), n, labels, shown, NULL, rules, set, k), list(block("dispersion", sigma_z = ratio)))
}
b <- pc(e$不合格数, e$检验数, labels = as.character(1:30)); u <- b[[1]]$cells; stopifnot(abs(u$cl - .231333) < 1e-6, abs(u$ucl - .410239) < 1e-5, abs(u$lcl - .052428) < 1e-5, u$signals == 2)   # NIST 6.3.3.2
f <- function(...) list(defectives = "不合格数", size = "检验数", label = "批号", ...); g <- function(...) list(defectives = "差评", size = "订单", label = "店", ...); h <- function(...) list(defectives = "退货", size = "售出", ...)
OUT <- list("过程失控", "先找原因并消除", "个失控点"); IN <- list("过程受控", "受控只说明过程稳定", "没有失控点"); all8 <- as.list(paste0("nelson", 1:8)); m <- list(退货 = "定量", 售出 = "定量", 检验数 = "定量", 不合格数 = "定量")
oracle(c("R 4.2.2: sqrt, ptukey", "NIST e-Handbook 6.3.3.2"), list(
  case("晶圆", f(), b, c(OUT, "足够稳定", "近似可用", list(fact("不合格品率图有", k = 2))), measures = m),
  case("晶圆，剔除，标准化", f(limits = "standardized", exclude = TRUE), pc(e$不合格数, e$检验数, "standardized", as.character(1:30), drop = TRUE), list("剔除了"), measures = m),
  case("门店，八项准则", g(rules = all8), pc(S$差评, S$订单, "variable", S$店, rules = 1:8), c(OUT, "大于理论波动", "控制限逐点不同"), data = "oracle-shops.csv", measures = list(店 = "文本")),
  case("门店，Laney，两期", g(limits = "laney", phase = "期"), pc(S$差评, S$订单, "laney", S$店, S$期), list("已用 Laney 控制限校正", "不足 20 个", "控制限由过程自身的波动算出"), data = "oracle-shops.csv", measures = list(店 = "文本")),
  case("旧规则定限，判新规则", g(phase = "期", baseline = "旧规则", limits = "laney"), pc(S$差评, S$订单, "laney", S$店, S$期, base = "旧规则"), list(frozen("旧规则", sum(S$期 == "旧规则"))), data = "oracle-shops.csv", measures = list(店 = "文本")),
  case("门店，平均", g(limits = "average", k_sigma = 6, center = .05), pc(S$差评, S$订单, "average", S$店, centre = .05, k = 6), list("控制限由给定的中心值算出"), data = "oracle-shops.csv", measures = list(店 = "文本")),
  case("退货，预期少", h(), pc(F$退货, F$售出), c(OUT, "少于 5 件", "与理论相符"), data = "oracle-few.csv", measures = m),
  case("退货，受控，西部电气", h(k_sigma = 6, rule_set = "western_electric", rules = list("nelson1", "nelson3"), center = .04), pc(F$退货, F$售出, centre = .04, k = 6, set = "western_electric"), c(IN, "没有准则 3", "控制限由给定的中心值算出"), data = "oracle-few.csv", measures = m)))
