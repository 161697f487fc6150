# Rscript oracle.R > oracle.json   (R 4.2.2, car 3.1-1, emmeans 1.8); the example is npk of R's datasets (Venables & Ripley).
source("../../../../tools/oracle.R"); source("../../../../tools/oracle_linear.R")

npk3 <- example(); F <- c("氮", "磷", "钾")
two <- list(F[1:2], F[c(1, 3)], F[2:3]); three <- c(two, list(F))
set.seed(4)
shop <- expand.grid(季节 = c("春", "秋"), 城市 = c("甲", "乙", "丙"), 渠道 = c("线上", "线下"), 次 = 1:4, stringsAsFactors = FALSE)
shop$客流 <- round(rnorm(nrow(shop), 50, 8)); shop$销量 <- round(20 + .6 * shop$客流 + 12 * (shop$季节 == "春") * (shop$渠道 == "线上") + rnorm(nrow(shop), 0, 5), 1)
shop <- shop[-c(3, 9, 20, 31, 32), ]; shop$天数 <- rep(1:3, length.out = nrow(shop))
write.csv(shop, "oracle-shop.csv", row.names = FALSE, quote = FALSE)
S <- c("季节", "城市", "渠道"); stwo <- list(S[1:2], S[c(1, 3)], S[2:3])
hole <- shop[!(shop$季节 == "春" & shop$城市 == "乙"), ]; write.csv(hole, "oracle-hole.csv", row.names = FALSE, quote = FALSE)
M <- list(客流 = "定量", 销量 = "定量", 天数 = "定量", 次 = "定量"); t <- "三因素方差分析"
set.seed(9)
deep <- expand.grid(A = c("a1", "a2"), B = c("b1", "b2"), C = c("c1", "c2", "c3"), k = 1:3, stringsAsFactors = FALSE)
deep$y <- round(rnorm(nrow(deep), 10) + 6 * (deep$A == "a1") * (deep$B == "b1") * (deep$C == "c1") * 1.5, 2); write.csv(deep, "oracle-deep.csv", row.names = FALSE, quote = FALSE)
D <- c("A", "B", "C"); dall <- list(D[1:2], D[c(1, 3)], D[2:3], D)

oracle(c("R 4.2.2: lm, anova, shapiro.test, pf(ncp)", "car 3.1-1: Anova(type = II, III), leveneTest", "emmeans 1.8"), list(
  design_case("氮磷钾（npk，目录给出的数），三阶交互", t, npk3, F, "产量", three, list("个组合，每个 {least:integer} 例，三种平方和结果一样"), three_way = TRUE),
  design_case("氮磷钾，只到二阶", t, npk3, F, "产量", two, list("没有发现交互作用（各交互中")),
  design_case("城市、季节、渠道，协变量，类型II，LSD", t, shop, S, "销量", stwo, list("类型II：检验每个效应时", "不控制整体错误率：", "的多重比较（LSD）"), "oracle-shop.csv", M,
    type = "II", how = "lsd", covariates = "客流"),
  design_case("主效应，类型I，99%，Bonferroni", t, shop, S, "销量", list(), list("类型I：效应按放入", "的多重比较（Bonferroni）", "两两比较共 {m:integer} 次，Bonferroni"), "oracle-shop.csv", M,
    type = "I", how = "bonferroni", level = .99, two_way = FALSE),
  design_case("有空组合，频数权重", t, hole, S, "销量", list(S[c(1, 3)], S[2:3]), list("没有观测，“季节 × 城市”的交互效应不可估计", "另有 {gaps:integer} 个组合没有数据"), "oracle-hole.csv", M,
    rows = hole[rep(seq_len(nrow(hole)), hole$天数), ], weight = "天数", levene = TRUE),
  design_case("三个因素有交互作用", t, deep, D, "y", dall, list("其中两个因素怎样共同起作用", "交互作用有统计学意义，说明", "不要单独解释这些因素的主效应"), "oracle-deep.csv", list(y = "定量"), how = "games_howell", three_way = TRUE)), stated)
