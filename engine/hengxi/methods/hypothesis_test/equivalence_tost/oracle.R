# Rscript oracle.R   (R 4.2.2) One-sided t.test against each margin, on the logarithm for ratios; the two proportions by
# Farrington & Manning's restricted likelihood, maximised by optimize, and its interval by uniroot.
source("../../../../tools/oracle.R")
source("../../../../tools/oracle_samples.R")
save_as <- function(x, f) write.csv(x, f, row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8", na = "")
if (!file.exists("example.csv")) { set.seed(5); base <- rnorm(24, 4.6, .25); save_as(data.frame(受试者 = 1:48, 制剂 = rep(c("仿制药", "原研药"), each = 24), AUC = round(exp(c(base + rnorm(24, .02, .08), rnorm(24, 4.6, .25))), 2), check.names = FALSE), "example.csv") }
save_as(data.frame(组 = as.character(PlantGrowth$group), 重 = PlantGrowth$weight, check.names = FALSE)[1:20, ], "oracle-plants.csv")
set.seed(9); before <- round(rnorm(25, 50, 8), 1); P <- data.frame(前 = c(before, 44), 后 = c(round(before + rnorm(25, .4, 1.5), 1), NA), 次 = c(rep(1:2, 13)), check.names = FALSE); save_as(P, "oracle-pairs.csv")
Q <- data.frame(药 = rep(c("新", "旧"), c(150, 160)), 愈 = rep(c(1, 0, 1, 0), c(132, 18, 139, 21))); save_as(Q, "oracle-cured.csv")
cells <- function(where, c, asked, shown = identity, hyp = "equivalence") { z <- is.null(c$df); st <- function(v) if (z) list(z = v) else list(t = v, df = c$df)
  rows <- list(equivalence = list("高于下限" = c$above, "低于上限" = c$below), noninferiority = list("高于下限（非劣）" = c$above), superiority = list("高于上限（优效）" = c$beyond))[[hyp]]; ps <- sapply(rows, `[[`, "p")
  c(lapply(names(rows), function(n) do.call(block, c(list("result", list(test = n), read = if (n == names(rows)[which.max(ps)]) "采用" else "", margin = shown(rows[[n]]$margin), p = rows[[n]]$p), st(rows[[n]]$t)))),
    list(block("estimate", list(), value = shown(c$value), se = c$se, low = shown(c$inner[1]), high = shown(c$inner[2]), lower = shown(c$above$margin), upper = shown(c$below$margin)),
      do.call(block, c(list("usual", list(), p = c$p, value = shown(c$value), low = shown(c$outer[1]), high = shown(c$outer[2])), st(c$t))))) }
by_t <- function(x, y, lo, up, alpha, paired = FALSE, null = 0) { T <- function(mu, alt, level = .95) t.test(x, y, mu = null + mu, paired = paired, alternative = alt, conf.level = level)
  if (is.null(y)) T <- function(mu, alt, level = .95) t.test(x, mu = null + mu, alternative = alt, conf.level = level)
  s <- function(mu, alt) { r <- T(mu, alt); list(margin = mu, t = unname(r$statistic), p = r$p.value) }; u <- T(0, "two.sided", 1 - alpha); i <- T(0, "two.sided", 1 - 2 * alpha)
  list(value = unname(if (is.null(y) || paired) u$estimate else u$estimate[1] - u$estimate[2]) - null, se = u$stderr, df = unname(u$parameter), above = s(lo, "greater"), below = s(up, "less"), beyond = s(up, "greater"),
    inner = i$conf.int - null, outer = u$conf.int - null, t = unname(u$statistic), p = u$p.value) }
fm <- function(x, n, d) { l <- function(q) { p <- q + d; sum(dbinom(x, n, c(p, q), log = TRUE)) }; a <- max(0, -d) + 1e-12; b <- min(1, 1 - d) - 1e-12; f <- function(q) { p <- q + d; x[1] / p - (n[1] - x[1]) / (1 - p) + x[2] / q - (n[2] - x[2]) / (1 - q) }; q <- uniroot(f, c(a, b), tol = 1e-15)$root; p <- q + d
  stopifnot(l(q) >= l(min(b, q + 1e-4)), l(q) >= l(max(a, q - 1e-4))); (x[1] / n[1] - x[2] / n[2] - d) / sqrt(p * (1 - p) / n[1] + q * (1 - q) / n[2]) }
by_share <- function(x, n, lo, up, alpha) { d <- x[1] / n[1] - x[2] / n[2]; z <- function(g) fm(x, n, g); ends <- function(level) { k <- qnorm((1 + level) / 2); c(uniroot(function(g) z(g) - k, c(-.9, d), tol = 1e-15)$root, uniroot(function(g) z(g) + k, c(d, .9), tol = 1e-15)$root) }
  list(value = d, above = list(margin = lo, t = z(lo), p = pnorm(-z(lo))), below = list(margin = up, t = z(up), p = pnorm(z(up))), beyond = list(margin = up, t = z(up), p = pnorm(-z(up))), inner = ends(1 - 2 * alpha), outer = ends(1 - alpha), t = z(0), p = 2 * pnorm(-abs(z(0)))) }
m <- example(); E <- split(m$AUC, factor(m$制剂, c("仿制药", "原研药"))); W <- split(PlantGrowth$weight[1:20], rep(c("ctrl", "trt1"), each = 10)); ok <- P[!is.na(P$后), ]; each <- ok[rep(seq_len(nrow(ok)), ok$次), ]; dif <- round(ok$前 - ok$后, 10); dif2 <- round(each$前 - each$后, 10)
w <- by_t(W$ctrl, W$trt1, -1, 1, .05); stopifnot(abs(w$above$p - .000207245) < 1e-8, abs(w$below$p - .0299693) < 1e-7)
sh <- function(xs) lapply(names(xs), function(n) described(n, xs[[n]])); s2 <- sqrt((var(W$ctrl) + var(W$trt1)) / 2); O <- "界限应在研究之前按专业意义定好"; f <- function(...) list(variables = "重", group = "组", ...); p <- function(...) list(variables = "前", pair = "后", design = "paired", ...); D <- list(前 = "定量", 后 = "定量", 次 = "定量"); PM <- list(重 = "定量")
oracle(c("R 4.2.2: t.test, shapiro.test", "Farrington 与 Manning（1990）的约束极大似然，以 R 的 uniroot 求根"), list(
  case("仿制药与原研药，比值 0.8–1.25", list(variables = "AUC", group = "制剂", bound_type = "ratio", lower = .8, upper = 1.25), c(cells(NULL, by_t(log(E[[1]]), log(E[[2]]), log(.8), log(1.25), .05), shown = exp), sh(lapply(E, log))), list("可以认为等价", "整个落在等价界", "没有发现明显差异。合起来看：没有发现差异，并且达到了所问的要求", "标准误是对数尺度上的", "等价的 *p* 取两行中较大的一个", "双单侧检验（TOST）", O, "近似正态")),
  case("植物重量 ±1（目录给出的数）", f(), c(cells(NULL, w), sh(W)), list("可以认为等价"), data = "oracle-plants.csv", measures = PM),
  case("±0.5 个标准差，α = .1", f(lower = -.5, upper = .5, bound_type = "cohen_d", alpha = .1), cells(NULL, by_t(W$ctrl, W$trt1, -.5 * s2, .5 * s2, .1)), list("不能认为等价", "没有整个落在等价界", "证据不足"), data = "oracle-plants.csv", measures = PM),
  case("单样本，等价而有差异", list(variables = "重", design = "one", reference = 4.4, lower = -.8, upper = .8, alpha = .2), c(cells(NULL, by_t(PlantGrowth$weight[1:20], NULL, -.8, .8, .2, null = 4.4)), list(described("重", PlantGrowth$weight[1:20]))), list("差异存在，但在所问的界限之内", "差异有统计学意义。合起来看", "近似正态"), data = "oracle-plants.csv", measures = PM),
  case("单样本，比值，优效", list(variables = "重", design = "one", reference = 4, lower = 1, upper = 1.05, bound_type = "ratio", hypothesis = "superiority"), cells(NULL, by_t(log(PlantGrowth$weight[1:20]), NULL, 0, log(1.05), .05, null = log(4)), shown = exp, hyp = "superiority"), list("可以认为优效", "下限高于优效界", "差异存在，并且达到了所问的要求", "采用优效检验", "近似正态"), data = "oracle-plants.csv", measures = PM),
  case("配对，非劣，有缺失", p(hypothesis = "noninferiority", lower = -2, upper = 2), c(cells(NULL, by_t(dif, NULL, -2, 2, .05), hyp = "noninferiority"), list(described("差值", dif))), list("可以认为非劣", "下限高于非劣界", "采用非劣检验", "近似正态"), data = "oracle-pairs.csv", measures = D),
  case("配对，频数权重，优效不成立", p(hypothesis = "superiority", lower = -1, upper = .5, weight = "次"), cells(NULL, by_t(dif2, NULL, -1, .5, .05), hyp = "superiority"), list("不能认为优效", "下限没有高于优效界", "不太正态；至少有 30 例"), data = "oracle-pairs.csv", measures = D),
  case("两率，非劣不成立", list(variables = "愈", group = "药", design = "proportion", hypothesis = "noninferiority", lower = -.02, upper = .1), cells(NULL, by_share(c(132, 139), c(150, 160), -.02, .1, .05), hyp = "noninferiority"), list("不能认为非劣", "下限没有高于非劣界", "0、1 变量不画分布"), data = "oracle-cured.csv", measures = list(愈 = "定量")),
  case("两率，等价", list(variables = "愈", group = "药", design = "proportion", lower = -.1, upper = .12, alpha = .025), cells(NULL, by_share(c(132, 139), c(150, 160), -.1, .12, .025)), list("可以认为等价"), data = "oracle-cured.csv", measures = list(愈 = "定量")),
  case("等价不成立而有差异", f(lower = -.1, upper = .1, alpha = .2, design = "independent"), cells(NULL, by_t(W$ctrl, W$trt1, -.1, .1, .2)), list("不能认为等价"), data = "oracle-plants.csv", measures = PM)))
