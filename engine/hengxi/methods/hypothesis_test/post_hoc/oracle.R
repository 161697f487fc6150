# Rscript oracle.R > oracle.json   (R 4.2.2); distributions by integrate(), PlantGrowth as in the catalogue.
source("../../../../tools/oracle.R"); source("../../../../tools/oracle_linear.R")
food <- example(); plants <- data.frame(处理 = PlantGrowth$group, 干重 = PlantGrowth$weight); save_as <- function(x, f) write.csv(x, f, row.names = FALSE, quote = FALSE)
chicks <- data.frame(饲料 = as.character(chickwts$feed), 体重 = chickwts$weight); save_as(plants, "oracle-plants.csv"); save_as(chicks, "oracle-chicks.csv")
same <- data.frame(组 = rep(c("甲", "乙", "丙"), each = 4), 值 = c(1, 2, 3, 4, 0, 2, 3, 5, -1, 2, 3, 7)); save_as(same, "oracle-same.csv")
L <- c(lsd = "LSD", tukey = "Tukey HSD", scheffe = "Scheffe", bonferroni = "Bonferroni", sidak = "Sidak", holm = "Holm", snk = "SNK-q", duncan = "Duncan", hochberg_gt2 = "Hochberg GT2", gabriel = "Gabriel",
  games_howell = "Games-Howell", tamhane_t2 = "Tamhane T2", dunnett_t3 = "Dunnett T3", dunnett = "Dunnett")
chi_f <- function(s, df) chi(s, df)
dunnett_sf <- function(t, n, n0, df) { l <- sqrt(n / (n + n0)); r <- sqrt(n0 / (n + n0)); f <- function(z, w) dnorm(z) * -expm1(rowSums(sapply(seq_along(l), function(i) log1p(-pmin(1, pnorm((-w + l[i] * z) / r[i]) + pnorm((-w - l[i] * z) / r[i]))))))
  inner <- function(w) sum(sapply(seq_len(6), function(i) integrate(f, c(-12, -4, -1, 0, 1, 4, 12)[i], c(-12, -4, -1, 0, 1, 4, 12)[i + 1], w = w, rel.tol = 1e-11, abs.tol = 1e-18)$value)); over_s(function(s) inner(t * s), df) }
numbers <- function(x, g, hows, level = .95, control = NULL, cd = TRUE) { g <- in_order(g); A <- anova(lm(x ~ g)); out <- list(block("anova", F = A[1, 4], df1 = A[1, 1], df2 = A[2, 1], p = A[1, 5], eta = A[1, 2] / sum(A[, 2])))
  for (h in hows) { if (h == "dunnett") { P <- group_pairs(x, g, "lsd", level); lv <- levels(g); P <- do.call(rbind, lapply(setdiff(lv, control), function(l) { r <- P[(P$first == l & P$second == control) | (P$first == control & P$second == l), ]
        if (r$first == control) { r[c("first", "second", "m1", "m2")] <- r[c("second", "first", "m2", "m1")]; r[c("difference", "t", "d")] <- -r[c("difference", "t", "d")] }; r }))
      n <- table(g); q <- function(t) dunnett_sf(t, as.numeric(n[setdiff(lv, control)]), n[[control]], P$df[1]); P$p <- sapply(abs(P$t), q); c0 <- critical_of(q, 1 - level); P$low <- P$difference - c0 * P$se; P$high <- P$difference + c0 * P$se
    } else { P <- group_pairs(x, g, h, level); m <- tapply(x, g, mean); for (l in levels(g)) out <- c(out, list(block("marks", list(method = L[[h]], group = l), mean = m[[l]]))) }
    names(P)[3:4] <- c("mean1", "mean2"); if (!cd) P$d <- NULL; if (h %in% c("snk", "duncan")) P$low <- P$high <- NULL; P$method <- L[[h]]; out <- c(out, blocks("pairs", P, c("method", "first", "second"))) }
  c(out, group_blocks(x, g, level)) }
subset_of <- function(how, k, members, p) block("subsets", list(method = L[[how]], subset = k), members = members, p = p)
p_of <- function(e, how, a, b) Filter(function(x) x$table == "pairs" && x$where$method == L[[how]] && x$where$first == a && x$where$second == b, e)[[1]]$cells$p
one <- numbers(food$株重, food$肥料, c("lsd", "tukey")); one <- c(one, list(subset_of("tukey", 1, "有机", NULL), subset_of("tukey", 2, "常规，缓释", p_of(one, "tukey", "常规", "缓释"))))
eight <- c("scheffe", "bonferroni", "sidak", "holm", "snk", "duncan", "hochberg_gt2", "gabriel")
notes <- lapply(c("CI 的置信水平为", "四分位距按", "有相同字母的两组", "”未给出："), function(x) list(what = x, reason = "a note on how a table is made"))
M <- list(值 = "定量", 体重 = "定量"); said <- list("校正 *p* 小于", "对 {k:integer} 个组的", "整体错误率"); w <- rep(seq_len(60), food$株数)
oracle(c("R 4.2.2: lm, anova, p.adjust, integrate（学生化极差、最大模、Dunnett）"), list(
  case("三种肥料，默认", list(group = "肥料", variables = list("株重")), one, c(said, list("各方法有统计学意义的对数", "有 {s:integer} 对的差异有统计学意义"))),
  case("植物干重（PlantGrowth，目录给出的数），Dunnett 与七种", list(group = "处理", variables = list("干重"), methods = as.list(c("lsd", "tukey", "scheffe", "bonferroni", "sidak", "snk", "duncan", "dunnett")), control = "ctrl", effect_size = FALSE),
    numbers(plants$干重, plants$处理, c("lsd", "tukey", "scheffe", "bonferroni", "sidak", "snk", "duncan", "dunnett"), control = "ctrl", cd = FALSE), c(said, list("各方法有统计学意义的对数", "有 {s:integer} 对的差异有统计学意义")), "oracle-plants.csv"),
  case("六种饲料，例数不等，八种方法，90%", list(group = "饲料", variables = list("体重"), methods = as.list(eight), conf_level = .9), numbers(chicks$体重, chicks$饲料, eight, .9), c(said, list("等（只列出差值最大的", "各方法有统计学意义的对数")), "oracle-chicks.csv", M),
  case("频数权重，不等方差的三种", list(group = "肥料", variables = list("株重"), methods = list("games_howell", "tamhane_t2", "dunnett_t3"), weight = "株数", letters = FALSE),
    Filter(function(b) b$table != "marks", numbers(food$株重[w], food$肥料[w], c("games_howell", "tamhane_t2", "dunnett_t3"))), c(said, list("各方法有统计学意义的对数", "差异"))),
  case("均值相近，只用 LSD", list(group = "组", variables = list("值"), methods = list("lsd")), numbers(same$值, same$组, "lsd"), c(said, list("对中没有发现有差异的一对")), "oracle-same.csv", M)), c(notes, list(list(what = "lead.k", reason = "the number of groups, rows of the table"), list(what = "lead.n", reason = "the number of cases, the sum of n"), list(what = "subsets.subset", reason = "counts the subsets"), list(what = "lead.s", reason = "pairs of the table with a small p"), list(what = "lead.m", reason = "pairs of the table"))))
