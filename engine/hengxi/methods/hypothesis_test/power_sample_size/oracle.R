# Rscript oracle.R   (R 4.2.2, pwr 1.3) Cohen's designs by pwr; equivalence, survival and surveys by their formulas.
source("../../../../tools/oracle.R")
suppressMessages(library(pwr))

W <- list(t_one = "单样本 t 检验", t_paired = "配对 t 检验", t_ind = "独立样本 t 检验", anova = "单因素方差分析", prop_one = "单个率", prop_two = "两个率", chi2 = "卡方检验",
  corr = "相关系数", regression = "多元回归 *R*²", tost = "两组等价性（TOST）", survey = "抽样调查", logrank = "生存比较（log-rank）")
tost <- function(n, m, a, ratio) { se <- sqrt(1 / n + 1 / (n * ratio)); df <- n * (1 + ratio) - 2; t <- qt(1 - a, df)   # Phillips (1990), over the estimated sd
  f <- function(s) (2 * pnorm(m / se - t * s) - 1) * 2 * df * s * dchisq(df * s^2, df); integrate(f, max(0, 1 - 8 / sqrt(2 * df)), min(m / (t * se), 1 + 8 / sqrt(2 * df)), rel.tol = 1e-12, subdivisions = 1000)$value }
power_of <- function(design, n, e, a = .05, alt = "two_sided", ratio = 1, k = 3, df = 1, u = 1, ev = 1) { s <- if (alt == "two_sided") "two.sided" else "greater"
  switch(design, t_one = pwr.t.test(n, e, a, type = "one.sample", alternative = s)$power, t_paired = pwr.t.test(n, e, a, type = "paired", alternative = s)$power,
    t_ind = pwr.t2n.test(n, n * ratio, e, a, alternative = s)$power, anova = pwr.anova.test(k, n, e, a)$power, prop_one = pwr.p.test(e, n, a, alternative = s)$power,
    prop_two = pwr.2p2n.test(e, n, n * ratio, a, alternative = s)$power, chi2 = pwr.chisq.test(e, n, df, a)$power, corr = pwr.r.test(n, e, a, alternative = s)$power,
    regression = pwr.f2.test(u, n - u - 1, e, a)$power, tost = tost(n, e, a, ratio), logrank = pnorm(abs(log(e)) * sqrt(n * ev * ratio / (1 + ratio)^2) - qnorm(1 - a / 2))) }
least <- function(design, u) switch(design, corr = 4, regression = u + 2, 2)
size <- function(design, e, p, ..., u = 1) { f <- function(n) power_of(design, n, e, ..., u = u) - p; lo <- least(design, u); if (f(lo) >= 0) return(lo); hi <- lo * 2; while (f(hi) < 0) hi <- hi * 2; uniroot(f, c(max(lo, hi / 2), hi), tol = 1e-11)$root }
grouped <- c("t_ind", "prop_two", "tost")
whole <- function(design, n, ratio, k) { n <- ceiling(n - 1e-7); if (design %in% grouped) n + ceiling(n * ratio - 1e-7) else if (design == "anova") n * k else n }
# pwr asks for at least 5 (t_ind: 2) cases in some designs; the rows of the table keep clear of that.
table_of <- function(design, e, ..., ratio = 1, k = 3) lapply(c(.5, .75, 1, 1.25, 1.5), function(times) { o <- if (design == "logrank") exp(log(e) * times) else e * times; q <- function(p) whole(design, size(design, o, p, ratio = ratio, k = k, ...), ratio, k)
  block("sensitivity", list(times = paste(times, "倍")), effect = o, n70 = q(.7), n80 = q(.8), n90 = q(.9), n95 = q(.95)) })
near <- function(...) block("result", ..., tolerance = 1e-7, reason = "pwr's root")
solved <- function(design, e, p, ..., ratio = 1, k = 3, u = 1, ev = 1, dropout = 0) { x <- size(design, e, p, ..., ratio = ratio, k = k, u = u, ev = ev); n <- ceiling(x); t <- whole(design, n, ratio, k); n2 <- ceiling(n * ratio - 1e-9)
  c(list(do.call(near, c(list(list(design = W[[design]])), list(effect = e, alpha = if (is.null(list(...)$a)) .05 else list(...)$a, exact = x, n_all = t, power = power_of(design, n, e, ..., ratio = if (design %in% grouped) n2 / n else ratio, k = k, u = u, ev = ev)),
    if (design %in% c(grouped, "anova")) list(n1 = n), if (design %in% grouped) list(n2 = n2), if (dropout) list(with_dropout = { up <- function(v) ceiling(v / (1 - dropout) - 1e-9); if (design %in% grouped) up(n) + up(n2) else if (design == "anova") k * up(n) else up(t) }), if (design == "logrank") list(events = t * ev)))),
    table_of(design, e, ..., ratio = ratio, k = k, u = u, ev = ev)) }
# The numbers of the pwr vignette and of Cohen (1988), once more.
stopifnot(abs(size("t_ind", .5, .8) - 63.76561) < 1e-4, abs(size("anova", .25, .8, k = 4) - 44.59927) < 1e-4, abs(size("chi2", .3, .8) - 87.20954) < 1e-4, abs(size("corr", .3, .8) - 84.07364) < 1e-4, abs(size("t_paired", .4, .9) - 67.62138) < 1e-4)
h <- abs(2 * asin(sqrt(.5)) - 2 * asin(sqrt(.3))); stopifnot(abs(size("prop_two", h, .8) - 92.69608) < 1e-4)
f <- function(design, ...) list(design = design, ...); COMMON <- list("样本量取决于预期的效应", "敏感性表列出", "空格表示超过一千万", "估计样本量")
survey <- function(e, p, level, N = NULL) { z <- qnorm((1 + level) / 2); n0 <- z^2 * p * (1 - p) / e^2; if (is.null(N)) n0 else n0 * N / (n0 + N - 1) }
up <- function(x) ceiling(x - 1e-9)
margins <- function(e, p, N = NULL) lapply(c(.5, .75, 1, 1.25, 1.5), function(k) { m <- k * e; block("margins", list(times = paste(k, "倍")), effect = m, n90 = up(survey(m, p, .9, N)), n95 = up(survey(m, p, .95, N)), n99 = up(survey(m, p, .99, N))) })
e_of <- uniroot(function(d) power_of("t_ind", 30, d) - .8, c(.1, 2), tol = 1e-12)$root; hr <- exp(-(qnorm(.975) + qnorm(.9)) / sqrt(200 * .6 / 4))
N <- 2000; sv <- survey(.04, .3, .95, N)
oracle(c("pwr 1.3: pwr.t.test, pwr.t2n.test, pwr.anova.test, pwr.p.test, pwr.2p2n.test, pwr.chisq.test, pwr.r.test, pwr.f2.test", "Phillips (1990), Schoenfeld (1983), Cochran (1977): own R"), list(
  case("独立样本", f("t_ind", effect = .5, dropout = .1), solved("t_ind", .5, .8, dropout = .1), c(COMMON, "需要每组", "的把握发现两组均值相差", "要招募", "按独立样本 t 检验（双侧")),
  case("比例 2，单侧", f("t_ind", effect = .4, ratio = 2, alternative = "greater", alpha = .01), solved("t_ind", .4, .8, a = .01, alt = "greater", ratio = 2), c(COMMON, "需要第一组", "单侧")),
  case("单样本", f("t_one", effect = .3, power = .7), solved("t_one", .3, .7), c(COMMON, "需要 {n:integer} 人", "目标功效低于 80%", "均值与检验值相差")),
  case("配对", f("t_paired", effect = .4, power = .9), solved("t_paired", .4, .9), c(COMMON, "前后相差", "对")),
  case("方差分析", f("anova", effect = .25, groups = 4), solved("anova", .25, .8, k = 4), c(COMMON, "各组均值的差异", "需要每组")),
  case("单个率", f("prop_one", p1 = .6, p2 = .5), solved("prop_one", 2 * asin(sqrt(.6)) - 2 * asin(sqrt(.5)), .8), c(COMMON, "率与检验值的差异")),
  case("两个率", f("prop_two", p1 = .5, p2 = .3), solved("prop_two", h, .8), c(COMMON, "两个率的差异")),
  case("卡方", f("chi2", effect = .3, df = 4), solved("chi2", .3, .8, df = 4), c(COMMON, "两个变量的关联")),
  case("相关", f("corr", effect = .3), solved("corr", .3, .8), c(COMMON, "发现相关")),
  case("回归", f("regression", effect = .15, predictors = 5), solved("regression", .15, .8, u = 5), c(COMMON, "全部自变量的作用")),
  case("等价", f("tost", effect = .5, power = .9), solved("tost", .5, .9), c(COMMON, "两组等价（界限", "每侧")),
  case("生存", f("logrank", effect = .6, events = .4, ratio = 2), solved("logrank", .6, .8, ratio = 2, ev = .4), c(COMMON, "个事件", "两组风险的差异")),
  case("求功效", f("t_ind", solve = "power", effect = .5, n = 30), c(list(block("result", list(), power = power_of("t_ind", 30, .5), n1 = 30, n_all = 60)), table_of("t_ind", .5)), c(COMMON, "时，有 {power:percent1} 的把握", "不到 80%")),
  case("求效应", f("t_ind", solve = "effect", n = 30), list(near(list(), effect = e_of, n1 = 30, n_all = 60, power = .8)), c(COMMON, "最小效应是 *d* =")),
  case("求 HR", f("logrank", solve = "effect", n = 200, events = .6, power = .9), list(near(list(), effect = hr, n_all = 200, events = 120)), c(COMMON, "最小效应是 HR =")),
  case("抽样", f("survey", effect = .04, share = .3, population = N, dropout = .2), c(list(block("result", list(), effect = .04, exact = sv, n_all = ceiling(sv), with_dropout = ceiling(ceiling(sv) / .8))), margins(.04, .3, N)),
    list("份有效问卷，误差才不超过", "要发放", "简单随机抽样", "每一类都要有这么多份", "抽样调查看下一张表")),
  case("抽样误差", f("survey", solve = "effect", n = 400), c(list(block("result", list(), effect = qnorm(.975) * .5 / 20, n_all = 400)), margins(qnorm(.975) * .5 / 20, .5)), list("份有效问卷的误差约为"))))
