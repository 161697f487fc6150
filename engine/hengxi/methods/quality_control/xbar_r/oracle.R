# Rscript oracle.R   (R 4.2.2) X̄ and R by their formulas, d2 and d3 from ptukey; rules by loops (tools/oracle_control.R).
source("../../../../tools/oracle.R")
source("../../../../tools/oracle_control.R")
save_as <- function(x, f) if (!file.exists(f)) write.csv(x, f, row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8", na = "")
set.seed(20); m <- matrix(round(rnorm(125, 74, .01), 3), 25, byrow = TRUE); m[20, ] <- m[20, ] + .03
save_as(data.frame(子组 = rep(1:25, each = 5), 直径 = as.vector(t(m)), 班次 = rep(c("早班", "晚班"), c(60, 65)), check.names = FALSE), "example.csv")
# Ratings 1-5 with gaps and unequal subgroups, in words; pieces in columns with a shift and one wild subgroup.
set.seed(5); g <- rep(paste0("第", 1:22, "组"), rep(c(3, 4), 11)); v <- sample(1:5, length(g), TRUE, c(1, 2, 4, 2, 1)); v[c(5, 30, 31)] <- NA; v[g == "第9组"] <- 5
save_as(data.frame(组 = g, 分 = v, check.names = FALSE), "oracle-likert.csv")
set.seed(9); w <- matrix(round(rnorm(120, 10, 1), 1), 30); w[11:18, ] <- w[11:18, ] + 1.1; w[24, ] <- c(1, 19, 4, 16); w[3, 2] <- NA; w <- as.data.frame(w); names(w) <- paste0("样", 1:4)
save_as(w, "oracle-wide.csv")
set.seed(2); save_as(data.frame(值 = round(rnorm(48, 5, 1), 2), check.names = FALSE), "oracle-blocks.csv")
e <- example(); L <- example("oracle-likert.csv"); W <- example("oracle-wide.csv"); B <- example("oracle-blocks.csv")
E <- groups(e$直径, e$子组); half <- ifelse(as.integer(names(E)) <= 12, "早班", "晚班")
wide <- setNames(lapply(1:30, function(i) unname(unlist(W[i, ]))[!is.na(unlist(W[i, ]))]), 1:30); ml <- as.list(paste0("样", 1:4)); f <- function(...) list(measures = list("直径"), subgroup = "子组", ...)
all8 <- as.list(paste0("nelson", 1:8)); M <- list(分 = "定量")
# Montgomery (2013), constants of Appendix VI.
stopifnot(abs(3 / (d2(5) * sqrt(5)) - .577) < 5e-4, abs(1 + 3 * d3(5) / d2(5) - 2.114) < 1e-3, abs(1 - 3 * d3(7) / d2(7) - .076) < 1e-3)
OUT <- list("过程失控", "先找原因并消除", "个失控点"); IN <- list("过程受控", "受控只说明过程稳定", "没有失控点")
oracle(c("R 4.2.2: ptukey, mean, range", "Montgomery (2013): Appendix VI"), list(
  case("活塞环", f(), xbar_chart(E), c(OUT, "足够稳定", list(fact("均值图有", k = 2)))),
  case("两个班次，剔除失控点", f(phase = "班次", exclude = TRUE), xbar_chart(E, phase = half, drop = TRUE), c(OUT, "只宜试用", "剔除了", "均值图")),
  case("早班定限，判晚班", f(phase = "班次", baseline = "早班"), xbar_chart(E, phase = half, base = "早班"), list(frozen("早班", 12))),
  case("已知中心值和标准差", f(center = 74, sigma = .01, k_sigma = 3.5), xbar_chart(E, centre = 74, sigma = .01, k = 3.5), OUT),
  case("1–5 分，子组不等，有缺失", list(measures = list("分"), subgroup = "组", sigma_method = "pooled", rules = all8),
       xbar_chart(groups(L$分, L$组), way = "pooled", rules = 1:8), list("子组大小不一致", "控制限逐点不同"), data = "oracle-likert.csv", measures = M),
  case("每列一个样品，八项准则", list(measures = ml, rules = all8), xbar_chart(wide, rules = 1:8), list("极差图有失控点，说明子组内的波动不稳定", fact("也有失控点", k = sum(grepl("均值", sapply(Filter(function(b) b$table == "signals", xbar_chart(wide, rules = 1:8)), function(b) b$where$panel))))), data = "oracle-wide.csv"),
  case("西部电气", list(measures = ml, rules = all8, rule_set = "western_electric"), xbar_chart(wide, rules = c(1, 2, 5, 6), set = "western_electric"), list("西部电气没有准则 3、4、7、8"), data = "oracle-wide.csv"),
  case("每五行一个子组，受控", list(measures = list("值")), xbar_chart(setNames(split(B$值, rep(1:10, each = 5, length.out = 48)), 1:10)), c(IN, "的整数倍", "不足 20 个"), data = "oracle-blocks.csv"),
  case("每十二行", list(measures = list("值"), size = 12, rule_set = "aiag", rules = list("nelson2")), xbar_chart(setNames(split(B$值, rep(1:4, each = 12)), 1:4), rules = 2, set = "aiag"), c(IN, "超过 10 个时极差的效率低"), data = "oracle-blocks.csv")))
