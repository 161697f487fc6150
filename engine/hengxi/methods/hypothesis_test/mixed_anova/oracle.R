# Rscript oracle.R > oracle.json   (R 4.2.2, car 3.1-1, emmeans 1.8, rstatix, carData's OBrienKaiser)
source("../../../../tools/oracle.R"); source("../../../../tools/oracle_repeated.R")

E <- example(); W <- list(时间 = c("前测", "后测", "随访"))
O <- carData::OBrienKaiser; names(O)[1:2] <- c("处理", "性别"); levels(O$处理) <- c("对照", "甲", "乙"); levels(O$性别) <- c("女", "男"); O[1:2] <- lapply(O[1:2], as.character)
names(O)[3:17] <- paste0(rep(c("前", "后", "访"), each = 5), 1:5); WO <- list(阶段 = c("前", "后", "访"), 小时 = as.character(1:5))
P <- data.frame(O[1:2], lapply(list(前 = 3:7, 后 = 8:12, 访 = 13:17), function(j) rowMeans(O[j])), check.names = FALSE); P$年龄 <- c(31, 45, 28, 39, 52, 33, 41, 29, 36, 47, 30, 55, 43, 38, 26, 34)
# Long, items of 1–5 with a gap and words as categories, unbalanced groups, two conditions of two levels.
set.seed(7); n <- 17; L <- expand.grid(题 = c("看图", "看字"), 次 = c("第一次", "第二次"), 人 = paste0("s", 1:n), stringsAsFactors = FALSE)
L$组 <- rep(c("大一", "大二", "大三"), c(7, 6, 4))[as.integer(factor(L$人, levels = unique(L$人)))]; L$分 <- pmin(5, pmax(1, round(3 + .8 * (L$题 == "看图") + rnorm(n)[as.integer(factor(L$人))] + rnorm(nrow(L), 0, .8)))); L$分[c(6, 31)] <- NA
bad <- unique(L$人[is.na(L$分)]); K <- L[!(L$人 %in% bad), ]; Z <- reshape(K[c("人", "组", "题", "次", "分")] |> transform(格 = paste(题, 次)) |> subset(select = c(人, 组, 格, 分)), direction = "wide", idvar = c("人", "组"), timevar = "格")
save_as <- function(x, f) write.csv(x, f, row.names = FALSE, quote = FALSE, na = ""); save_as(O, "oracle-obk.csv"); save_as(P, "oracle-phase.csv"); save_as(L, "oracle-long.csv")
num <- function(x) setNames(as.list(rep("定量", length(x))), x)

all <- c("看大小：偏 η² 最大的是", "“不显著”不等于没有差异", "采用混合设计方差分析")
lead <- function(text, p) list(contains = text, facts = p)
of <- function(x, table, source) Filter(function(b) b$table == table && identical(b$where$source, source) && !is.null(b$cells$p) && (table == "outer" || identical(b$cells$read, "采用")), x)[[1]]$cells$p
b1 <- repeated_blocks(E, W$时间, W, "组别"); b2 <- repeated_blocks(O, names(O)[3:17], WO, c("处理", "性别"), how = "sidak"); b3 <- repeated_blocks(P, c("前", "后", "访"), list(阶段 = WO$阶段), "处理", "年龄", "gg", "none", .9, simple = FALSE)
WL <- list(题 = c("看图", "看字"), 次 = c("第一次", "第二次")); b4 <- repeated_blocks(Z, paste0("分.", rep(WL$题, each = 2), " ", WL$次), WL, "组")
stopifnot(abs(of(b2, "outer", "处理") - .05471) < 1e-4)
oracle(c("R 4.2.2: lm, pchisq, shapiro.test", "car 3.1-1: Anova (mlm, type III), leveneTest", "emmeans 1.8", "rstatix: box_m（核对）"), list(
  case("训练组与对照组，三个时点", list(measures = wide(W, W$时间), between = list("组别")), b1, c(as.list(all), list(lead("有交互作用（*p*", list(p2 = of(b1, "inner", "时间 × 组别"))), "先看交互作用", "没有发现不满足球形。", "近似正态。",
    "没有发现各组的协方差明显不同", "没有发现各组方差不等。", "{k:integer} 个组，每组 {least:integer} 人。", "“时间”的成对比较（Bonferroni）", "简单效应：{m:integer} 个中有"))),
  case("O'Brien 与 Kaiser，两个组间因素、两个组内因素，Sidak", list(measures = wide(WO, names(O)[3:17]), between = list("处理", "性别"), post_hoc = "sidak"), b2, c(as.list(all), list(lead("有交互作用（*p*", list(p4 = of(b2, "inner", "阶段 × 处理"))), "其余交互作用都无统计学意义",
    "不满足球形，*p* 已用 Greenhouse-Geisser 校正", "不太正态；样本不小时", "Box M 算不出来。", "次测量的各组方差不等；各组人数也不等", "人数很少，只有很大的差异", "简单效应：", "“处理”的成对比较（Šidák）", "“阶段”的成对比较（Šidák）", "“小时”的成对比较（Šidák）")), data = "oracle-obk.csv", measures = num(names(O)[3:17])),
  case("各阶段的平均，协变量年龄，GG，不校正，90%", list(measures = wide(list(阶段 = WO$阶段), WO$阶段), between = list("处理"), covariates = list("年龄"), correction = "gg", post_hoc = "none", conf_level = .9, simple_effects = FALSE), b3,
    c(as.list(all), list("每组 {least:integer} 到 {most:integer} 人", "“处理”的成对比较（LSD）", "“阶段”的成对比较（LSD）", lead("有交互作用（*p*", list(p2 = of(b3, "inner", "阶段 × 处理"))))), data = "oracle-phase.csv", measures = num(c("前", "后", "访", "年龄"))),
  case("长表，1–5 分，有缺失，两个二水平的组内因素", list(measures = list(layout = "long", subject = "人", factors = list("题", "次"), value = "分"), between = list("组")), b4, c(as.list(all), list(lead("有交互作用（*p*", list(p2 = of(b4, "inner", "题 × 组"))), "简单效应：", "请先核对极端值", "只有一个差值，不需要球形假设",
    "名个体缺少部分测量，已整行剔除", "“组”的成对比较（Bonferroni）")), data = "oracle-long.csv", measures = list(分 = "定量", 人 = "定类"))), notes_repeated)
