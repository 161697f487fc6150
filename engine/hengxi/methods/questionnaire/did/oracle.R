# Rscript oracle.R   (R 4.2.2) lm, sandwich; tools/oracle_difference.R. The published fast-food means are checked in test_method.py
source("../../../../tools/oracle.R"); source("../../../../tools/oracle_difference.R")

made <- function() {            # 60 units x 8 periods, effect 2 from period 5, common trend .5; seed 2024
  RNGversion("4.2.0"); set.seed(2024); d <- expand.grid(year = 1:8, id = 1:60); tr <- as.integer(d$id %% 2 == 0); a <- rnorm(60, 20, 3); x <- round(rnorm(480, 5, 2), 1)
  data.frame(编号 = d$id, 年 = d$year, 培训 = ifelse(tr == 1, "参加", "未参加"), 得分 = round(a[d$id] + .5 * d$year + 2 * tr * (d$year >= 5) + .4 * x + rnorm(480, 0, 1.5), 1), 学时 = x, check.names = FALSE) }
if (!file.exists("example.csv")) write.csv(made(), "example.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
d <- example(); stopifnot(all.equal(d, made()))
waves <- function() {           # two waves of other people, items 1-5, gaps, a word control, groups of unequal size
  RNGversion("4.2.0"); set.seed(8); n <- 150; g <- rbinom(n, 1, .3); w <- rbinom(n, 1, .5); y <- pmin(5, pmax(1, round(2.6 + .2 * g + .3 * w + .4 * g * w + rnorm(n)))); y[c(7, 20)] <- NA
  data.frame(组 = g, 期 = w, 满意 = y, 性别 = sample(c("男", "女"), n, TRUE), check.names = FALSE) }
v0 <- waves(); write.csv(v0, "oracle-waves.csv", row.names = FALSE, quote = FALSE, na = "", fileEncoding = "UTF-8")
y <- d$得分; tr <- as.numeric(d$培训 == "参加"); post <- as.numeric(d$年 >= 5); D <- tr * post; t <- factor(d$年); u <- factor(d$编号)
times <- c(-4, -3, -2, 0:3); E <- sapply(times, function(k) tr * (d$年 - 5 == k)); row <- function(name, f, m, n = 480) do.call(block, c(list("effects", list(model = name)), effect_cells(f, m, n)))
simple <- lm(y ~ D + tr + post); full <- lm(y ~ D + tr + post + d$学时); c1 <- clustered(simple, 2, d$编号, 4); c2 <- clustered(full, 2, d$编号, 5)
ev1 <- lm(y ~ E + tr + t + d$学时); e1 <- clustered(ev1, 2:8, d$编号, 17)
one <- c(list(row("经典 2×2，不含控制变量", c1, simple), row("经典 2×2，含控制变量", c2, full), joint_cells(e1, 1:3)), event_cells(e1, times), four_means(y, tr, post))
two_way <- lm(y ~ D + t + u); c3 <- clustered(two_way, 2, d$编号, 8); ev2 <- lm(y ~ E + t + u); e2 <- clustered(ev2, 2:8, d$编号, 14)
two <- c(list(row("双向固定效应，不含控制变量", c3, two_way), joint_cells(e2, 1:3), block("placebo_table", draws = 50, observed = c3$b)), event_cells(e2, times))
ordinary <- function(m, at) list(b = unname(coef(m)[at]), V = vcov(m)[at, at, drop = FALSE], df = df.residual(m))
unit <- lm(y ~ D + post + u); three <- list(row("个体固定效应，不含控制变量", ordinary(unit, 2), unit))
by_time <- lm(y ~ D + tr + t); few <- d$编号 <= 12; m4 <- lm(y[few] ~ D[few] + tr[few] + t[few]); c4 <- clustered(m4, 2, d$编号[few], length(coef(m4)))
write.csv(d[few, ], "oracle-few.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
v <- v0[!is.na(v0$满意), ]; m5 <- lm(满意 ~ 组 * 期, v); m6 <- lm(满意 ~ 组 * 期 + 性别, v)
five <- c(list(row("经典 2×2，不含控制变量", hc1(m5, 4), m5, nrow(v)), row("经典 2×2，含控制变量", hc1(m6, 5), m6, nrow(v))), four_means(v$满意, v$组, v$期))
form <- list(y = "得分", treat = "培训", treated = "参加", period = list(column = "年", frequency = NULL), unit = "编号", treat_start = "5"); kinds <- list(年 = "时间", 编号 = "定类", 得分 = "定量")
base <- list("双重差分拿处理组", "只有在没有政策时", "*SE* = ", "政策效应 {effect", "所有处理组同时开始", "差中差 =", "政策从 "); ev <- list("没有发现处理前趋势不同", "系数是处理组与对照组", "统计量为 *F*")
oracle(c("R 4.2.2: lm", "sandwich 3.0: vcovHC"), list(
  case("按个体聚类，含控制变量", c(form, list(controls = list("学时"))), one, measures = kinds, says = c(base, ev, list(fact("平均提高", effect = c2$b), "标准误：按个体聚类", "共 {g:integer} 个聚类", "没有要求做安慰剂"))),
  case("双向固定效应，安慰剂", c(form, list(fixed_effects = "two_way", placebo = 50)), two, measures = kinds, says = c(base, ev, "把处理随机分给")),
  case("个体固定效应，普通标准误", c(form, list(fixed_effects = "unit", se = "classic", event_study = FALSE)), three, measures = kinds, says = c(base, "标准误：普通", "没有要求做事件研究", "处理前的期数不够")),
  case("12 人，时间固定效应", c(form, list(fixed_effects = "time", event_study = FALSE)), list(row("时间固定效应，不含控制变量", c4, m4, sum(few))), measures = kinds, data = "oracle-few.csv", says = c(base, "聚类太少")),
  case("两轮不同的人", list(y = "满意", treat = "组", period = list(column = "期", frequency = NULL), controls = list("性别")), five, data = "oracle-waves.csv", measures = list(期 = "时间", 组 = "定类", 满意 = "定量"),
    says = c(base, "标准误：稳健（HC1）", "处理前只有一期，看不出", "没有发现政策对"))),
  unverified = list(list(what = "placebo_table.mean", reason = "random: test_method.py of did_panel compares it with 0"), list(what = "placebo_table.sd", reason = "random: as above"), list(what = "placebo_table.p", reason = "random: as above")))
