# Rscript oracle.R   (R 4.2.2) lm with dummies of units and periods, sandwich and plm; group-time effects by regressions (tools/oracle_difference.R)
source("../../../../tools/oracle.R"); source("../../../../tools/oracle_difference.R")

made <- function() {            # 60 cities x 10 years, half treated from the sixth year, effect 5; seed 2024
  RNGversion("4.2.0"); set.seed(2024); a <- rnorm(60, 50, 8); d <- expand.grid(t = 1:10, i = 1:60); tr <- as.integer(d$i > 30); post <- as.integer(d$t >= 6)
  pop <- round(rnorm(600, 100, 10), 1)
  data.frame(城市 = paste0("城", d$i), 年份 = 2009 + d$t, 处理 = tr, 政策后 = tr * post, 产值 = round(a[d$i] + 1.2 * d$t + 5 * tr * post + .1 * pop + rnorm(600, 0, 3), 2), 人口 = pop, check.names = FALSE) }
if (!file.exists("example.csv")) write.csv(made(), "example.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
d <- example(); stopifnot(all.equal(d, made()))
steps <- function() {           # three cohorts and a never-treated group, effects that grow, one cell missing in each of three units
  RNGversion("4.2.0"); set.seed(11); d <- expand.grid(t = 1:8, i = 1:48); g <- c(0, 4, 5, 7)[1 + d$i %% 4]; D <- g > 0 & d$t >= g; a <- rnorm(48, 3, .6)
  data.frame(店 = sprintf("店%02d", d$i), 月 = d$t, 首次 = g, 评分 = round(a[d$i] + .1 * d$t + ifelse(D, .4 + .15 * (d$t - g), 0) + rnorm(384, 0, .4), 1), check.names = FALSE) }
st <- steps(); write.csv(st, "oracle-steps.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
set.seed(5); un <- st[-sample(384, 25), ]; write.csv(un, "oracle-unbalanced.csv", row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8")
survey <- function() {          # two waves of different people, satisfaction 1-5 with ties and gaps, words for the group
  RNGversion("4.2.0"); set.seed(3); n <- 240; g <- sample(c("试点", "非试点"), n, TRUE); w <- rep(0:1, n / 2); s <- sample(c("城", "乡", "郊"), n, TRUE)
  y <- pmin(5, pmax(1, round(3 + .3 * (g == "试点") + .2 * w + .5 * (g == "试点") * w + rnorm(n)))); y[c(5, 60, 199)] <- NA
  data.frame(组 = g, 轮 = w, 满意 = y, 户口 = s, check.names = FALSE) }
sv <- survey(); write.csv(sv, "oracle-waves.csv", row.names = FALSE, quote = FALSE, na = "", fileEncoding = "UTF-8")

# 1, 2: the example
u <- factor(d$城市); y <- factor(d$年份); D <- d$政策后; m0 <- lm(d$产值 ~ D + y + u); m1 <- lm(d$产值 ~ D + 人口 + y + u, d)
f0 <- clustered(m0, 2, d$城市, 1 + 9); f1 <- clustered(m1, 2, d$城市, 2 + 9)       # k without the dummies of the units
p1 <- plm(产值 ~ 政策后 + 人口 + factor(年份), d, index = c("城市", "年份"), model = "within"); stopifnot(abs(sqrt(vcovHC(p1, type = "sss", cluster = "group")[1, 1]) - sqrt(f1$V[1, 1])) < 1e-8, abs(coef(p1)[1] - f1$b) < 1e-8)
times <- c(-5, -4, -3, -2, 0:4); E <- sapply(times, function(k) as.numeric(d$处理 == 1 & d$年份 - 2015 == k))
me <- lm(d$产值 ~ E + 人口 + y + u, d); fe <- clustered(me, 2:10, d$城市, 10 + 9)
one <- c(list(do.call(block, c(list("effects", list(model = "双向固定效应，不含控制变量")), effect_cells(f0, m0, 600))), do.call(block, c(list("effects", list(model = "双向固定效应，含控制变量")), effect_cells(f1, m1, 600))),
  joint_cells(fe, 1:4), block("placebo_table", observed = f1$b)), event_cells(fe, times), four_means(d$产值, d$处理, d$年份 >= 2015))
h0 <- hc1(m0, 2); E3 <- sapply(c(-5, -4, -2, -1, 0:4), function(k) as.numeric(d$处理 == 1 & d$年份 - 2015 == k)); m3 <- lm(d$产值 ~ E3 + y + u); h3 <- hc1(m3, 2:10)
two <- c(list(do.call(block, c(list("effects", list(model = "双向固定效应，不含控制变量")), effect_cells(h0, m0, 600))), joint_cells(h3, 1:4)), event_cells(h3, c(-5, -4, -2, -1, 0:4)))
# 3, 4: adoption at several times
staggered <- function(x, balanced) {
  Y <- matrix(NA, 48, 8); Y[cbind(match(x$店, sprintf("店%02d", 1:48)), x$月)] <- x$评分; first <- c(0, 4, 5, 7)[1 + 1:48 %% 4]
  cells <- unlist(lapply(c(4, 5, 7), function(g) lapply(setdiff(1:8, g - 1), function(t) cell(Y, first, g, t, g - 1))), FALSE)
  all <- averaged(Filter(function(c) c$t >= c$g, cells), first); z <- all$b / all$se
  ev <- sort(unique(sapply(cells, function(c) c$t - c$g))); by <- lapply(ev, function(k) averaged(Filter(function(c) c$t - c$g == k, cells), first))
  pre <- sapply(by[ev < 0], `[[`, "psi"); b <- sapply(by[ev < 0], `[[`, "b"); w <- drop(b %*% solve(crossprod(pre), b))
  D <- x$首次 > 0 & x$月 >= x$首次; m <- lm(x$评分 ~ D + factor(x$月) + factor(x$店)); f <- clustered(m, 2, x$店, 1 + 7)
  row <- function(table, where, a, ci = TRUE) do.call(block, c(list(table, where, effect = a$b, se = a$se, p = 2 * pnorm(-abs(a$b / a$se))), if (ci) list(low = a$b - qnorm(.975) * a$se, high = a$b + qnorm(.975) * a$se)))
  out <- c(list(row("effects", list(model = "组-时效应的平均（采用）"), all), block("effects", list(model = "组-时效应的平均（采用）"), t = z, clusters = 48),
      do.call(block, c(list("effects", list(model = "双向固定效应，不含控制变量（对照用）")), effect_cells(f, m, nrow(x)))),
      block("pretrend", statistic = w, df1 = sum(ev < 0), p = pchisq(w, sum(ev < 0), lower.tail = FALSE)), block("placebo_table", draws = 60, observed = all$b)),
    lapply(seq_along(ev), function(i) row("events", list(since = ev[i]), by[[i]])),
    lapply(cells[c(1, 5, 12, 20)], function(c) block("group_times", list(cohort = as.character(c$g), period = as.character(c$t)), effect = c$att, se = sqrt(sum(c$psi^2)), p = 2 * pnorm(-abs(c$att / sqrt(sum(c$psi^2)))), n_treated = c$n1, n_control = c$n0)),
    lapply(c(4, 5, 7), function(g) row("cohort_table", list(cohort = as.character(g)), averaged(Filter(function(c) c$g == g && c$t >= g, cells), first))))
  if (balanced) { parts <- list(); G <- c(4, 5, 7); nk <- function(g) mean(first == g); dk <- function(g) (8 - g + 1) / 8
    two <- function(rows) { s <- x[rows, ]; D <- s$首次 > 0 & s$月 >= s$首次; unname(coef(lm(s$评分 ~ D + factor(s$月) + factor(s$店)))[2]) }
    for (g in G) parts <- c(parts, list(list("处理组与从未处理的", nk(g) * nk(0) * dk(g) * (1 - dk(g)), two(x$首次 %in% c(0, g)))))
    for (a in 1:2) for (l in (a + 1):3) { k <- G[a]; e <- G[l]
      parts <- c(parts, list(list("早处理与晚处理的（晚的尚未处理）", nk(k) * nk(e) * (dk(k) - dk(e)) * (1 - dk(k)), two(x$首次 %in% c(k, e) & x$月 < e)),
                             list("晚处理与早处理的（早的已处理）", nk(k) * nk(e) * dk(e) * (dk(k) - dk(e)), two(x$首次 %in% c(k, e) & x$月 >= k)))) }
    W <- sapply(parts, `[[`, 2); B <- sapply(parts, `[[`, 3); K <- sapply(parts, `[[`, 1); stopifnot(abs(sum(W / sum(W) * B) - f$b) < 1e-10)
    out <- c(out, lapply(unique(K), function(k) block("bacon_table", list(kind = k), weight = sum(W[K == k]) / sum(W), effect = sum((W * B)[K == k]) / sum(W[K == k]), pairs = sum(K == k))),
      list(block("bacon_table", list(kind = "双向固定效应系数"), weight = 1, effect = f$b, pairs = length(W)))) }
  list(blocks = out, all = all, f = f) }
s3 <- staggered(st, TRUE); s4 <- staggered(un, FALSE)
# 5: repeated samples
v <- sv[!is.na(sv$满意), ]; tr <- as.numeric(v$组 == "试点"); m5 <- lm(满意 ~ tr * 轮, v); m6 <- lm(满意 ~ tr * 轮 + 户口, v)
five <- c(list(do.call(block, c(list("effects", list(model = "经典 2×2，不含控制变量")), effect_cells(hc1(m5, 4), m5, nrow(v)))), do.call(block, c(list("effects", list(model = "经典 2×2，含控制变量")), effect_cells(hc1(m6, 6), m6, nrow(v))))),
  four_means(v$满意, tr, v$轮))
# 6: two-way fixed effects on several times of adoption, asked for by name: told, with the decomposition refused
time <- list(column = "年份", frequency = NULL); month <- list(column = "月", frequency = NULL)
base <- list("双重差分拿处理组", "只有在没有政策时", "*SE* = ", "政策效应 {effect")
same <- list("所有处理组同时开始")
oracle(c("R 4.2.2: lm", "sandwich 3.0: vcovHC, estfun", "plm 2.6: vcovHC sss", "own regressions: Callaway and Sant'Anna (2021), Goodman-Bacon (2021)"), list(
  case("60 城，双向固定效应，含控制变量", list(y = "产值", treat = "政策后", time = time, entity = "城市", x = list("人口"), placebo = 60), one, measures = list(年份 = "时间", 政策后 = "定类"),
    says = c(base, same, list(fact("平均提高", effect = f1$b), "标准误：按个体聚类", "没有发现处理前趋势不同", "共 {g:integer} 个聚类", "政策从 2015 开始", "差中差 =", "系数是处理组与对照组", "统计量为 *F*", "把处理随机分给"))),
  case("稳健标准误，另取基期，政策时点另填", list(y = "产值", treat = "处理", time = time, entity = "城市", policy_time = "2015", se = "robust", base = -3, placebo = 0), two, measures = list(年份 = "时间", 处理 = "定类"),
    says = c(base, same, "标准误：稳健（HC1）", "没有发现处理前趋势不同", "政策从 2015 开始", "差中差 =", "系数是处理组与对照组", "统计量为 *F*", "没有要求做安慰剂")),
  case("三批，组-时效应", list(y = "评分", treat = "首次", time = month, entity = "店", placebo = 60), s3$blocks, data = "oracle-steps.csv", measures = list(月 = "时间", 首次 = "定量", 评分 = "定量"),
    says = c(base, list(fact("平均提高", effect = s3$all$b), "采用的一行标准误由影响函数", "没有发现处理前趋势不同", "采用组-时效应，不受", "共 {g:integer} 个聚类", "政策从 4、5、7 开始", "没有共同的“前”", "每期是各批", "统计量为 Wald", "对照是从未处理的", "晚处理与早处理的”把", "把处理随机分给"))),
  case("三批，缺格", list(y = "评分", treat = "首次", time = month, entity = "店", placebo = 60), s4$blocks, data = "oracle-unbalanced.csv", measures = list(月 = "时间", 首次 = "定量", 评分 = "定量"),
    says = c(base, "面板不平衡，不作", "面板不平衡：有的")),
  case("两轮不同的人，词作组", list(y = "满意", treat = "组", treated = "试点", time = list(column = "轮", frequency = NULL), x = list("户口")), five, data = "oracle-waves.csv", measures = list(轮 = "时间", 满意 = "定量"),
    says = c(base, same, "标准误：稳健（HC1）", "处理前的期数不够", "没有个体标识，不能把", "处理前只有一期，看不出")),
  case("聚类自助", list(y = "产值", treat = "政策后", time = time, entity = "城市", se = "bootstrap", placebo = 0), list(block("effects", list(model = "双向固定效应，不含控制变量"), effect = f0$b, n = 600, clusters = 60)),
    measures = list(年份 = "时间", 政策后 = "定类"), says = c(base, "标准误：按个体聚类自助"))),
  unverified = list(list(what = "placebo_table.draws", reason = "random; the count is checked in one case"), list(what = "placebo_table.mean", reason = "random: test_method.py compares it with 0"),
    list(what = "placebo_table.sd", reason = "random: test_method.py compares it with the standard error"), list(what = "placebo_table.p", reason = "random: test_method.py")))
