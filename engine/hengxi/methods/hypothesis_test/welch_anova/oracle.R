# Rscript oracle.R > oracle.json   (R 4.2.2, car 3.1-1)
# oneway.test for Welch; the Brown-Forsythe F and Alexander & Govern's A written out from their papers.
source("../../../../tools/oracle.R"); source("../../../../tools/oracle_linear.R")
five <- example(); save_as <- function(x, f) write.csv(x, f, row.names = FALSE, quote = FALSE)
sprays <- data.frame(药剂 = InsectSprays$spray, 虫数 = InsectSprays$count); sprays$次 <- rep(1:2, 36); save_as(sprays, "oracle-sprays.csv")
still <- data.frame(组 = rep(c("甲", "乙", "丙"), each = 5), 值 = c(1, 2, 4, 3, 6, 5, 5, 5, 5, 5, 2, 6, 3, 4, 3.5)); save_as(still, "oracle-still.csv")
T <- c(welch = "Welch", brown_forsythe = "Brown-Forsythe", alexander_govern = "Alexander-Govern")
ag <- function(n, m, v) { s2 <- v / n; w <- (1 / s2) / sum(1 / s2); t <- (m - sum(w * m)) / sqrt(s2); d <- n - 1; a <- d - .5; b <- 48 * a^2; c <- sqrt(a * log(1 + t^2 / d))
  z <- c + (c^3 + 3 * c) / b - (4 * c^7 + 33 * c^5 + 240 * c^3 + 855 * c) / (10 * b^2 + 8 * b * c^4 + 1000 * b); A <- sum(z^2); c(A, length(n) - 1, pchisq(A, length(n) - 1, lower.tail = FALSE)) }
numbers <- function(x, g, tests, how, level = .95) { g <- in_order(g); n <- as.numeric(table(g)); m <- as.numeric(tapply(x, g, mean)); v <- as.numeric(tapply(x, g, var)); N <- sum(n); k <- length(n); out <- list(); W <- oneway.test(x ~ g)
  for (t in tests) out <- c(out, list(switch(t, welch = block("result", list(test = T[[t]]), F = W$statistic, df1 = W$parameter[1], df2 = W$parameter[2], p = W$p.value),
    brown_forsythe = { q <- (1 - n / N) * v; F <- sum(n * (m - mean(x))^2) / sum(q); d <- sum(q)^2 / sum(q^2 / (n - 1)); block("result", list(test = T[[t]]), F = F, df1 = k - 1, df2 = d, p = pf(F, k - 1, d, lower.tail = FALSE)) },
    { a <- ag(n, m, v); block("result", list(test = T[[t]]), A = a[1], df1 = a[2], p = a[3]) })))
  up <- max(0, (k - 1) * (W$statistic - 1)); o <- up / (up + N); h <- leveneTest(x, g, center = mean)
  out <- c(out, list(block("effects", list(effect = "ω²（Welch）"), value = o), block("effects", list(effect = "Cohen's f"), value = sqrt(o / (1 - o))),
    block("homogeneity", list(test = "Levene（均值）"), F = h[1, 2], df1 = h[1, 1], df2 = h[2, 1], p = h[1, 3])))
  if (how != "none") { P <- group_pairs(x, g, how, level); P$q <- abs(P$t) * sqrt(2); P$m1 <- P$m2 <- NULL; out <- c(out, blocks("pairs", P, c("first", "second"))) }
  c(out, group_blocks(x, g, level)) }
notes <- lapply(c("四分位距按", "均值差 = 组I − 组J；*q*"), function(x) list(what = x, reason = "a note on how a table is made"))
M <- list(虫数 = "定量", 值 = "定量", 次 = "定量"); d <- c("welch", "brown_forsythe"); each <- sprays[rep(1:72, sprays$次), ]; live <- still[still$组 != "乙", ]
oracle(c("R 4.2.2: oneway.test, pf, pchisq, integrate（学生化极差、最大模）", "car 3.1-1: leveneTest"), list(
  case("五组，三个检验", list(group = "组别", variables = list("得分"), tests = as.list(c(d, "alexander_govern"))), numbers(five$得分, five$组别, c(d, "alexander_govern"), "games_howell"),
    list("平均值差异有统计学意义（Welch", "说明不是每一组都一样", "差异有统计学意义，*F*(", "方差不齐，用本方法是合适的")),
  case("六种杀虫剂（InsectSprays，目录给出的数），T2", list(group = "药剂", variables = list("虫数"), post_hoc = "tamhane_t2"), numbers(sprays$虫数, sprays$药剂, d, "tamhane_t2"), list("平均值差异有统计学意义（Welch"), "oracle-sprays.csv", M),
  case("频数权重，90%，T3，只看 Alexander-Govern", list(group = "药剂", variables = list("虫数"), tests = list("alexander_govern"), post_hoc = "dunnett_t3", weight = "次", conf_level = .9),
    numbers(each$虫数, each$药剂, "alexander_govern", "dunnett_t3", .9), list("平均值差异有统计学意义（Alexander-Govern", "差异有统计学意义，*A*("), "oracle-sprays.csv", M),
  case("剔除没有变异的组", list(group = "组", variables = list("值"), post_hoc = "none"), numbers(live$值, live$组, d, "none"),
    list("无变异，Welch 权重无穷大，已剔除该组", "没有发现明显差异（Welch", "没有发现差异不等于各组一样", "差异无统计学意义，*F*(", "没有发现方差不齐；"), "oracle-still.csv", M)), c(notes, list(list(what = "lead.k", reason = "the number of groups, rows of the table"), list(what = "lead.n", reason = "the number of cases, the sum of n"))))
