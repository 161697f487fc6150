# Rscript oracle.R   (R 4.2.2) binom.test, poisson.test, qnorm, chisq.
source("../../../../tools/oracle.R")
save_as <- function(x, f) if (!file.exists(f)) write.csv(x, f, row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8", na = "")
set.seed(41); u <- sample(5:12, 30, TRUE); d <- rpois(30, .7 * u); d[3] <- NA; save_as(data.frame(日 = 1:30, 缺陷 = d, 台数 = u, 件数 = 40, 无 = 0, 全 = 40, 好坏 = rbinom(30, 40, rep(c(.05, .3), 15)), check.names = FALSE), "oracle-days.csv")
e <- example(); O <- example("oracle-days.csv"); K <- na.omit(O)
# Published: 3.4 DPMO is 6 sigma and 66807 is 3 sigma with a shift of 1.5.
stopifnot(round(qnorm(1 - 3.4e-6) + 1.5, 2) == 6, abs(qnorm(1 - .066807) + 1.5 - 3) < 1e-5)
ability <- function(d, n, type = "binomial", k = 1, shift = 1.5, level = .95) {
  D <- sum(d); N <- sum(n); bin <- type == "binomial"
  ci <- if (D == 0) c(0, if (bin) binom.test(0, N, alternative = "less", conf.level = level)$conf.int[2] else poisson.test(0, alternative = "less", conf.level = level)$conf.int[2] / N) else if (bin) binom.test(D, N, conf.level = level)$conf.int else poisson.test(D, conf.level = level)$conf.int / N
  r <- c(D / N, ci[1], ci[2]); if (!bin) k <- k else k <- 1; o <- r / k; good <- if (bin) 1 - r else exp(-r); z <- qnorm(pmin(o, 1), lower.tail = FALSE)
  row <- function(name, v, turn = FALSE) { v <- if (turn) v[c(1, 3, 2)] else v; v <- ifelse(is.finite(v), v, NA); do.call(block, c(list("summary", list(measure = name)), Filter(function(x) !is.na(x), list(value = v[1], low = v[2], high = v[3])))) }
  out <- list(block("summary", list(measure = if (bin) "检验数合计" else "单位数合计"), value = N), block("summary", list(measure = if (bin) "不合格品数合计" else "缺陷数合计"), value = D), row(if (bin) "平均不合格率" else "DPU", r), if (bin) row("PPM", 1e6 * o) else row("DPO", o), row("DPMO", 1e6 * o), row("一次合格率", good, TRUE), row("直通率 RTY", pmax(1 - o, 0)^k, TRUE), row("Z", z, TRUE), row("西格玛水平", z + shift, TRUE))
  v <- if (bin) r[1] * (1 - r[1]) / n else r[1] / n; s <- d / n; top <- if (bin) pmin(r[1] + 3 * sqrt(v), 1) else r[1] + 3 * sqrt(v)
  if (all(v > 0)) { x2 <- sum((s - r[1])^2 / v); q <- length(d) - 1; p <<- pchisq(x2, q, lower.tail = FALSE); out_k <<- sum(s > top | s < pmax(r[1] - 3 * sqrt(v), 0)); out <- c(out, list(block("homogeneity", list(), batches = length(d), chi2 = x2, df = q, p = p, ratio = x2 / q, beyond = out_k))) }
  now <<- if (D == 0) fact("没有发现", n = N, high = 1e6 * o[3]) else if (is.finite(z[1])) fact("每百万", dpmo = 1e6 * o[1], low = 1e6 * o[2], high = 1e6 * o[3], sigma = z[1] + shift) else fact("每百万", dpmo = 1e6, low = 1e6 * o[2], high = 1e6); flat <<- !all(v > 0)
  out
}
M <- setNames(as.list(rep("定量", 8)), c("检验数", "不合格数", "缺陷", "台数", "件数", "无", "全", "好坏"))
run <- function(name, form, b, says = list(), data = NULL) { force(b); case(name, form, b, c(list(now), if (!flat) list(fact(if (p < .05) "各批的率不一致" else "各批的率没有发现明显的差异", k = out_k, p = p)), says), data = data, measures = M) }
f <- function(a, b, ...) list(count = a, size = b, ...); d <- "oracle-days.csv"
oracle(c("R 4.2.2: binom.test, poisson.test, qnorm"), list(
  run("晶圆", f("不合格数", "检验数"), ability(e$不合格数, e$检验数), list("和别人比较时先核对漂移", "够用")),
  run("缺陷，每台 20 处", f("缺陷", "台数", type = "poisson", opportunities = 20, shift = 0, conf_level = .9), ability(K$缺陷, K$台数, "poisson", 20, 0, .9), data = d),
  run("缺陷，机会数为 1", f("缺陷", "台数", type = "poisson"), ability(K$缺陷, K$台数, "poisson"), data = d),
  run("两种水平交替", f("好坏", "件数"), ability(O$好坏, O$件数), data = d),
  run("全部合格", f("无", "件数"), ability(O$无, O$件数), list("仅能给出置信上限", "没有有限的 Z", "“各批是否一致”未给出"), d),
  run("没有缺陷", f("无", "件数", type = "poisson"), ability(O$无, O$件数, "poisson"), data = d),
  c(run("全部不合格，前五批", f("全", "件数"), ability(rep(40, 5), rep(40, 5)), list("不足 25 批"), d), list(filter = "{c1} <= 5"))))
