# Rscript oracle.R   (R 4.2.2) X̄ and S by their formulas, c4 by the gamma function; rules by loops (tools/oracle_control.R).
source("../../../../tools/oracle.R")
source("../../../../tools/oracle_control.R")
save_as <- function(x, f) if (!file.exists(f)) write.csv(x, f, row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8", na = "")
set.seed(31); m <- matrix(round(rnorm(300, 500, 4), 1), 25, byrow = TRUE); m[17, ] <- round(500 + (m[17, ] - 500) * 2.4, 1)
save_as(data.frame(批次 = rep(1:25, each = 12), 克重 = as.vector(t(m)), 产线 = rep(c("一线", "二线"), c(156, 144)), check.names = FALSE), "example.csv")
set.seed(6); g <- rep(paste0("第", 1:24, "组"), rep(c(5, 8), 12)); v <- sample(1:5, length(g), TRUE, c(1, 2, 4, 2, 1)); v[c(5, 30, 31, 90)] <- NA; v[g %in% c("第9组", "第10组")] <- rep(c(5, 4), 10)[seq_len(sum(g %in% c("第9组", "第10组")))]
save_as(data.frame(组 = g, 分 = v, check.names = FALSE), "oracle-likert.csv")
set.seed(2); save_as(data.frame(值 = round(rnorm(118, 5, 1), 2), check.names = FALSE), "oracle-blocks.csv")
e <- example(); L <- example("oracle-likert.csv"); B <- example("oracle-blocks.csv"); E <- groups(e$克重, e$批次); half <- ifelse(as.integer(names(E)) <= 13, "一线", "二线")
f <- function(...) list(measures = list("克重"), subgroup = "批次", ...); all8 <- as.list(paste0("nelson", 1:8)); x <- function(...) xbar_chart(..., spread = "S")
stopifnot(abs(3 / (c4(5) * sqrt(5)) - 1.427) < 5e-4, abs(1 + 3 * sqrt(1 - c4(5)^2) / c4(5) - 2.089) < 1e-3)   # Montgomery (2013), Appendix VI: A3, B4
OUT <- list("过程失控", "个失控点"); IN <- list("过程受控", "受控只说明过程稳定", "没有失控点")
oracle(c("R 4.2.2: gamma, sd", "Montgomery (2013): Appendix VI"), list(
  case("克重", f(), x(E), c(OUT, "标准差图有失控点", "足够稳定", list(fact("标准差图有", k = 1)))),
  case("两条产线，剔除失控点", f(phase = "产线", exclude = TRUE), x(E, phase = half, drop = TRUE), c(OUT, "只宜试用", "剔除了")),
  case("一线定限，判二线，剔除", f(phase = "产线", baseline = "一线", exclude = TRUE), x(E, phase = half, base = "一线", drop = TRUE), list(frozen("一线", 13))),
  case("已知中心值和标准差", f(center = 503, sigma = 4, k_sigma = 2), x(E, centre = 503, sigma = 4, k = 2), c(OUT, "也有失控点", "控制限由给定的中心值和标准差算出")),
  case("1–5 分，子组不等，有缺失", list(measures = list("分"), subgroup = "组", sigma_method = "pooled", rules = all8), x(groups(L$分, L$组), way = "pooled", rules = 1:8),
       list("子组大小不一致", "控制限逐点不同", "先找原因并消除"), data = "oracle-likert.csv", measures = list(分 = "定量")),
  case("每十行，受控，AIAG", list(measures = list("值"), rule_set = "aiag"), x(setNames(split(B$值, rep(1:12, each = 10, length.out = 118)), 1:12), set = "aiag"), c(IN, "的整数倍", "不足 20 个"), data = "oracle-blocks.csv"),
  case("西部电气", list(measures = list("值"), rule_set = "western_electric", rules = all8), x(setNames(split(B$值, rep(1:12, each = 10, length.out = 118)), 1:12), rules = c(1, 2, 5, 6), set = "western_electric"), list("西部电气没有准则 3、4、7、8"), data = "oracle-blocks.csv")))
