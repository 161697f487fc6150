# Rscript oracle.R   (R 4.2.2, survival): survfit, survdiff; Gehan, Tarone-Ware, Fleming-Harrington and the trend written out.
source("../../../../tools/oracle.R")
suppressMessages(library(survival))
save_as <- function(x, f) write.csv(x, f, row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8", na = "")
L <- data.frame(随访天数 = lung$time, 结局 = ifelse(lung$status == 2, "死亡", "删失"), 性别 = ifelse(lung$sex == 1, "男", "女"), 年龄 = lung$age, ECOG评分 = lung$ph.ecog, 体重下降 = lung$wt.loss, check.names = FALSE); save_as(L, "example.csv")
A <- data.frame(周 = aml$time, 复发 = aml$status, 维持治疗 = ifelse(aml$x == "Maintained", "维持", "不维持"), 例数 = rep(c(1, 2, 1), length.out = nrow(aml))); save_as(A, "oracle-aml.csv")
V <- data.frame(天 = veteran$time, 状态 = veteran$status, 细胞 = as.character(veteran$celltype), 治疗 = ifelse(veteran$trt == 1, "标准", "新药")); save_as(V, "oracle-veteran.csv")
TYPES <- c(plain = "plain", log = "log", log_log = "log-log", logit = "logit", arcsine = "arcsin")
NAMES <- c(logrank = "Log-rank", gehan = "Breslow（Gehan）", tarone = "Tarone-Ware", peto = "Peto-Peto")
known <- function(x) if (is.na(x)) NULL else x
sums <- function(t, d, g, f = rep(1, length(t)), w = function(n, s) rep(1, length(n)), strata = rep(1, length(t))) {
  k <- nlevels(g); O <- E <- U <- rep(0, k); V <- matrix(0, k, k)
  for (s in unique(strata)) { i <- strata == s; u <- sort(unique(t[i & d])); all <- sapply(sort(unique(t[i])), function(x) c(sum(f[i & t >= x]), sum(f[i & t == x & d]))); S <- cumprod(1 - all[2, ] / all[1, ])
    before <- c(1, S)[match(u, sort(unique(t[i])))]; n <- sapply(u, function(x) sum(f[i & t >= x])); ww <- w(n, before)
    for (j in seq_along(u)) { nj <- sapply(levels(g), function(l) sum(f[i & g == l & t >= u[j]])); dj <- sapply(levels(g), function(l) sum(f[i & g == l & t == u[j] & d])); D <- sum(dj); N <- n[j]
      O <- O + dj; E <- E + D * nj / N; U <- U + ww[j] * (dj - D * nj / N)
      if (N > 1) V <- V + ww[j]^2 * D * (N - D) / (N - 1) * (diag(nj / N, k) - outer(nj / N, nj / N)) } }
  list(O = O, E = E, U = U, V = V) }
chi <- function(s) { k <- length(s$U) - 1; v <- c(s$U[1:k] %*% solve(s$V[1:k, 1:k, drop = FALSE], s$U[1:k])); c(v, k, pchisq(v, k, lower.tail = FALSE)) }
W <- list(logrank = function(n, s) rep(1, length(n)), gehan = function(n, s) n, tarone = function(n, s) sqrt(n), peto = function(n, s) s)
pretty_axis <- function(last) { size <- 10^floor(log10(last / 6)); step <- c(1, 2, 2.5, 5, 10)[c(1, 2, 2.5, 5, 10) * size >= last / 6][1] * size; seq(0, last, by = step) }
run <- function(D, time, status, event, group = NULL, strata = NULL, f = NULL, ci = "log_log", level = .95, times = c(), tau = NULL, tests = c("logrank", "gehan"), rho = 0, gamma = 1, adjust = "bonferroni", trend = FALSE, life = TRUE) {
  D <- D[complete.cases(D[, c(time, status, group, strata, f)]), ]; t <- D[[time]]; d <- D[[status]] %in% event; n <- if (is.null(f)) rep(1, nrow(D)) else D[[f]]
  g <- if (is.null(group)) factor(rep("全部", nrow(D))) else factor(D[[group]], if (is.numeric(D[[group]])) sort(unique(D[[group]])) else unique(D[[group]])); out <- list()
  if (is.null(tau)) tau <- min(tapply(t, g, max))
  z <- qnorm((1 + level) / 2); area <- list(); marks <- pretty_axis(max(t))
  for (l in levels(g)) { i <- g == l; X <- data.frame(t = t[i], d = d[i], n = n[i])
    s <- survfit(Surv(t, d) ~ 1, X, weights = n, conf.type = TYPES[[ci]], conf.int = level); r <- survfit(Surv(t, !d) ~ 1, X, weights = n, conf.type = TYPES[[ci]], conf.int = level)
    q <- quantile(s, c(.25, .5, .75)); m <- quantile(r, .5); b <- summary(s, rmean = tau)$table; N <- sum(n[i]); e <- sum(n[i & d])
    out <- c(out, list(block("summary", list(group = l), n = N, events = e, censored = N - e, share = 1 - e / N),
      block("survival", list(group = l), median = known(q$quantile[2]), low = known(q$lower[2]), high = known(q$upper[2]), q25 = known(q$quantile[1]), q75 = known(q$quantile[3]), mean = b[["rmean"]], se = b[["se(rmean)"]]),
      block("follow", list(group = l), median = known(m$quantile), low = known(m$lower), high = known(m$upper)),
      block("areas", list(group = l), rmst = b[["rmean"]], se = b[["se(rmean)"]], low = b[["rmean"]] - z * b[["se(rmean)"]], high = b[["rmean"]] + z * b[["se(rmean)"]])))
    out <- c(out, list(do.call(block, c(list("risk", list(group = l)), setNames(lapply(marks, function(x) sum(n[i & t >= x])), paste0("n@", marks))))))
    area[[l]] <- c(b[["rmean"]], b[["se(rmean)"]])
    if (life) { y <- summary(s, censored = TRUE); for (j in seq_along(y$time)) out <- c(out, list(block("life", list(group = l, time = y$time[j]), time = y$time[j], n = y$n.risk[j], events = y$n.event[j], censored = y$n.censor[j], survival = y$surv[j], se = if (y$surv[j] > 0) y$std.err[j] else 0, low = known(y$lower[j]), high = known(y$upper[j])))) }
    for (x in times[times <= max(t[i])]) { y <- summary(s, times = x); out <- c(out, list(block("at", list(group = l, time = x), time = x, risk = sum(n[i & t >= x]), survival = y$surv, se = y$std.err, low = y$lower, high = y$upper))) } }
  if (nlevels(g) == 1) return(out)
  h <- if (is.null(strata)) rep(1, nrow(D)) else D[[strata]]; k <- nlevels(g)
  for (l in levels(g)[-1]) { a <- area[[l]]; b <- area[[1]]; s <- sqrt(a[2]^2 + b[2]^2); v <- sqrt((a[2] / a[1])^2 + (b[2] / b[1])^2); R <- a[1] / b[1]
    out <- c(out, list(block("gaps", list(pair = paste0(l, " − ", levels(g)[1])), gap = a[1] - b[1], low = a[1] - b[1] - z * s, high = a[1] - b[1] + z * s, p = 2 * pnorm(-abs(a[1] - b[1]) / s), ratio = R, ratio_low = R * exp(-z * v), ratio_high = R * exp(z * v)))) }
  main <- NULL
  for (w in tests) { fun <- if (w == "fh") function(n, s) s^rho * (1 - s)^gamma else W[[w]]; x <- chi(sums(t, d, g, n, fun, h)); name <- if (w == "fh") sprintf("Fleming-Harrington（ρ = %g，γ = %g）", rho, gamma) else NAMES[[w]]
    if (is.null(f) && w %in% c("logrank", "peto")) { o <- survdiff(if (is.null(strata)) Surv(t, d) ~ g else Surv(t, d) ~ g + strata(h), rho = if (w == "peto") 1 else 0); stopifnot(abs(o$chisq - x[1]) < 1e-8 * max(1, x[1])) }
    out <- c(out, list(block("result", list(test = name), chi2 = x[1], df = x[2], p = x[3]))); if (is.null(main)) main <- fun }
  s <- sums(t, d, g, n, W$logrank, h)
  for (i in seq_len(k)) out <- c(out, list(block("expected", list(group = levels(g)[i]), observed = s$O[i], expected = s$E[i], ratio = s$O[i] / s$E[i])))
  if (k > 2) { if (trend) { c1 <- seq_len(k); x <- sum(c1 * s$U)^2 / c(c1 %*% s$V %*% c1); out <- c(out, list(block("result", list(test = "趋势（Log-rank）"), chi2 = x, df = 1, p = pchisq(x, 1, lower.tail = FALSE)))) }
    P <- combn(k, 2); X <- apply(P, 2, function(q) { i <- g %in% levels(g)[q]; chi(sums(t[i], d[i], factor(g[i], levels(g)[q]), n[i], main, h[i])) }); a <- p.adjust(X[3, ], c(bonferroni = "bonferroni", holm = "holm", none = "none", fdr_bh = "BH")[[adjust]])
    for (i in seq_len(ncol(P))) out <- c(out, list(block("pairs", list(first = levels(g)[P[1, i]], second = levels(g)[P[2, i]]), chi2 = X[1, i], p = X[3, i], adjusted = a[i]))) }
  out }
x <- chi(sums(lung$time, lung$status == 2, factor(lung$sex))); stopifnot(abs(x[1] - 10.32674) < 1e-5)
oracle(c("R 4.2.2: survival::survfit, survival::survdiff"), list(
  case("肺癌，男女比较", list(time = "随访天数", status = "结局", group = "性别", times = c(180, 365)), run(L, "随访天数", "结局", "死亡", "性别", times = c(180, 365)),
    list(fact("“性别”各组的生存曲线有差异", n0 = "男", m0 = 270, n1 = "女", m1 = 426), "“结局”中“死亡”算事件，“删失”算删失", "前 965 内", "“女”的平均生存时间最长", "没有明显交叉", "差异有统计学意义", "短竖线是删失", "最少的一组有", "删失须与结局无关", "算到 965 为止", "不能说明是分组造成的", "表头是时间", "检验比较的是整条曲线，不只是中位时间。组与组差", "期望是各组风险相同时应有的事件数", "没有作多重比较校正", "用 Kaplan-Meier 法估计生存率")),
  case("不分组，普通区间，90%", list(time = "随访天数", status = "结局", ci = "plain", conf_level = .9, times = c(0, 100, 2000), tau = 365), run(L, "随访天数", "结局", "死亡", ci = "plain", level = .9, times = c(0, 100), tau = 365), list("中位生存时间为", "事件有", "没有给出时点 2000", "曲线在某个时间的高度")),
  case("ECOG 四组，全部检验，趋势，按性别分层，Holm", list(time = "随访天数", status = "结局", event = "死亡", group = "ECOG评分", strata = "性别", tests = list("logrank", "gehan", "tarone", "peto", "fh"), trend = TRUE, adjust = "holm", ci = "log"), run(L, "随访天数", "结局", "死亡", "ECOG评分", strata = "性别", tests = c("logrank", "gehan", "tarone", "peto", "fh"), trend = TRUE, adjust = "holm", ci = "log", life = FALSE), list("按“性别”分层", "“3”1 例", "“ECOG评分”各组的生存曲线有差异", "χ²({df:integer})", "（在“性别”的各层内）", "χ² 的自由度为 1"), measures = list(ECOG评分 = "定类")),
  case("白血病，频数，logit", list(time = "周", status = "复发", group = "维持治疗", weight = "例数", ci = "logit", tests = list("peto", "fh"), rho = .5, gamma = .5), run(A, "周", "复发", 1, "维持治疗", f = "例数", ci = "logit", tests = c("peto", "fh"), rho = .5, gamma = .5), list("“复发”中“1”算事件"), data = "oracle-aml.csv", measures = list(复发 = "定类")),
  case("白血病，反正弦", list(time = "周", status = "复发", group = "维持治疗", ci = "arcsine"), run(A, "周", "复发", 1, "维持治疗", ci = "arcsine"), list("没有发现“维持治疗”各组的生存曲线有明显差异", "差异无统计学意义", "“不显著”不等于各组相同"), data = "oracle-aml.csv", measures = list(复发 = "定类")),
  case("老兵，四种细胞，FH(0, 1)，不校正", list(time = "天", status = "状态", group = "细胞", tests = list("tarone", "fh"), adjust = "none"), run(V, "天", "状态", 1, "细胞", tests = c("tarone", "fh"), adjust = "none", life = FALSE), list("的曲线交叉", "“细胞”各组的生存曲线有差异", "“squamous”", "χ² 的自由度为 1", "用 Kaplan-Meier 法估计生存率"), data = "oracle-veteran.csv", measures = list(状态 = "定类"))))
