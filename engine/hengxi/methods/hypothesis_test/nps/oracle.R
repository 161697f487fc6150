# By hand from the multinomial: 50/30/20 of 100 give 30 ± 15.31 points (catalogue). chisq.test, fisher.test, p.adjust.
# The bootstrap is of the multinomial, two independent sets of draws.
source("../../../../tools/oracle.R")
if (!file.exists("example.csv")) { RNGversion("4.2.0"); set.seed(8); n <- 500; g <- sample(c("华东", "华南", "华北"), n, TRUE); m <- sample(1:6, n, TRUE)
  s <- pmin(10, pmax(0, round(7.6 + c(华东 = .6, 华南 = 0, 华北 = -.7)[g] + .15 * m + rnorm(n, 0, 2)))); e <- pmin(10, pmax(0, round(s + rnorm(n, -.5, 1.5)))); s[sample(n, 12)] <- NA
  write.csv(data.frame(推荐分 = s, 客服推荐分 = e, 地区 = g, 月份 = m, 次数 = sample(0:3, n, TRUE)), "example.csv", row.names = FALSE, quote = FALSE, na = "") }
d <- read.csv("example.csv", check.names = FALSE, na.strings = "")
hand <- data.frame(分 = c(rep(9, 50), rep(8, 30), rep(3, 20))); write.csv(hand, "oracle-hand.csv", row.names = FALSE)
small <- data.frame(分 = c(5, 5, 4, 2, 5, 4, 1, 5, 4, 3), 组 = rep(c("甲", "乙"), 5)); write.csv(small, "oracle-small.csv", row.names = FALSE, quote = FALSE)
same <- data.frame(分 = rep(9, 24), 组 = rep(c("甲", "乙"), 12)); write.csv(same, "oracle-same.csv", row.names = FALSE, quote = FALSE)
kinds <- function(x, w, up = 9, down = 6) c(sum(w[x >= up]), sum(w[x > down & x < up]), sum(w[x <= down]))
row <- function(name, group, k, mean, level, how) { n <- sum(k); p <- k / n; v <- p[1] - p[3]; se <- sqrt((p[1] + p[3] - v^2) / n); z <- qnorm((1 + level) / 2)
  cells <- list(n = n, promoters = k[1], promoter_share = p[1], passives = k[2], passive_share = p[2], detractors = k[3], detractor_share = p[3], nps = 100 * v, se = 100 * se, mean = mean)
  a <- k + c(.75, 1.5, .75); pa <- a / sum(a); va <- pa[1] - pa[3]; sa <- sqrt((pa[1] + pa[3] - va^2) / sum(a)); ci <- if (how == "adjusted_wald") va + c(-1, 1) * z * sa else v + c(-1, 1) * z * se
  if (how != "bootstrap") return(list(do.call(block, c(list("nps", list(name = name, group = group)), cells, list(low = 100 * ci[1], high = 100 * ci[2])))))
  RNGversion("4.2.0"); set.seed(3); b <- rmultinom(200000, n, p); q <- 100 * quantile((b[1, ] - b[3, ]) / n, c((1 - level) / 2, (1 + level) / 2))
  list(do.call(block, c(list("nps", list(name = name, group = group)), cells)), block("nps", list(name = name, group = group), low = q[[1]], high = q[[2]], tolerance = .05, reason = "两组独立的重抽样")) }
run <- function(name, x, g = NULL, w = rep(1, length(x)), level = .95, how = "wald", up = 9, down = 6) {
  ok <- !is.na(x) & w > 0; x <- x[ok]; w <- w[ok]; K <- kinds(x, w, up, down); out <- row(name, "全部", K, sum(w * x) / sum(w), level, how); p <- NA; best <- NA
  t <- tapply(w, x, sum); out <- c(out, lapply(names(t), function(v) block("distribution", list(name = name, value = v), n = t[[v]], share = t[[v]] / sum(w))))
  if (!is.null(g)) { g <- g[ok]; l <- if (is.numeric(g)) sort(unique(g)) else unique(g); k <- lapply(l, function(v) kinds(x[g == v], w[g == v], up, down)); for (i in seq_along(l)) out <- c(out, row(name, as.character(l[i]), k[[i]], sum((w * x)[g == l[i]]) / sum(w[g == l[i]]), level, how))
    m <- do.call(rbind, k); m <- m[, colSums(m) > 0, drop = FALSE]; if (ncol(m) > 1) { c2 <- suppressWarnings(chisq.test(m, correct = FALSE)); if (mean(c2$expected < 5) > .2 || min(c2$expected) < 1) { p <- fisher.test(m)$p.value; out <- c(out, list(block("tests", list(name = name), p = p))) } else { p <- c2$p.value; out <- c(out, list(block("tests", list(name = name), value = c2$statistic[[1]], df = c2$parameter[[1]], p = p))) } }
    v <- sapply(k, function(k) (k[1] - k[3]) / sum(k)); se <- sapply(k, function(k) sqrt(((k[1] + k[3]) / sum(k) - ((k[1] - k[3]) / sum(k))^2) / sum(k))); best <- 100 * range(v)
    if (length(l) <= 12) { ij <- combn(length(l), 2); gap <- v[ij[1, ]] - v[ij[2, ]]; s <- sqrt(se[ij[1, ]]^2 + se[ij[2, ]]^2); raw <- ifelse(s > 0, 2 * pnorm(-abs(gap / s)), 1); adj <- p.adjust(raw, "holm"); z <- qnorm((1 + level) / 2)
      for (q in seq_along(gap)) { cells <- list("pairs", list(name = name, first = as.character(l[ij[1, q]]), second = as.character(l[ij[2, q]])), difference = 100 * gap[q], se = 100 * s[q], raw = raw[q], p = adj[q], low = 100 * (gap[q] - z * s[q]), high = 100 * (gap[q] + z * s[q])); if (s[q] > 0) cells$z <- gap[q] / s[q]; out <- c(out, list(do.call(block, cells))) } } }
  list(out = out, nps = 100 * (K[1] - K[3]) / sum(K), n = sum(K), up = K[1] / sum(K), mean = sum(w * x) / sum(w), p = p, best = best)
}
says <- function(a, extra) c(list(fact("的 NPS 是", nps = a$nps, n = a$n, up = a$up), fact("有效样本", n = a$n, mean = a$mean), "推荐者的百分比减去贬损者的百分比"), extra)
by <- function(a) list(fact("三类人的比例在各组", na = a$best[2], nb = a$best[1], p = a$p), "*p* 用 Holm 法校正；CI")
A <- run("推荐分", d$推荐分, d$地区); B <- run("推荐分", d$推荐分, d$月份, d$次数, .9, "adjusted_wald"); B2 <- run("客服推荐分", d$客服推荐分, d$月份, d$次数, .9, "adjusted_wald"); H <- run("分", hand$分); stopifnot(abs(H$nps - 30) < 1e-9, abs(qnorm(.975) * sqrt((.7 - .09) / 100) - .1531) < 5e-5)
S <- run("分", small$分, small$组, up = 5, down = 3); Z <- run("分", same$分, same$组); T <- run("推荐分", d$推荐分, how = "bootstrap"); q <- function(...) setNames(as.list(rep("定量", ...length())), c(...))
note <- "CI 的置信水平为"; no <- "“趋势”未给出"; ks <- c(q("推荐分", "客服推荐分", "次数"), list(地区 = "定类", 月份 = "定量"))
oracle(c("R 4.2.2: qnorm, chisq.test, fisher.test, p.adjust, rmultinom"), list(
  case("三个地区", list(score = list("推荐分"), group = "地区"), A$out, says(A, c(by(A), list(note, no))), measures = ks),
  case("两道题按月，加权，校正 Wald，90%", list(score = list("推荐分", "客服推荐分"), group = "月份", weight = "次数", ci = "adjusted_wald", conf_level = .9), c(B$out, B2$out), says(B, c(by(B), list(note, "其他题目见表"))), measures = ks),
  case("50/30/20", list(score = list("分")), H$out, says(H, list(note, no)), data = "oracle-hand.csv", measures = q("分")),
  case("五分制，每组五人", list(score = list("分"), group = "组", scale = "custom", scale_value = list(最低 = 1, 最高 = 5), cut_promoter = 5, cut_detractor = 3), S$out, says(S, c(by(S), list(note, no, fact("样本过少", n = 5), "区间跨过 0"))), data = "oracle-small.csv", measures = c(q("分"), list(组 = "定类"))),
  case("都是推荐者", list(score = list("分"), group = "组"), Z$out, says(Z, list(note, no, "“三类人的比例是否不同”未给出", "没有差异可以检验", "*p* 用 Holm 法校正；CI")), data = "oracle-same.csv", measures = c(q("分"), list(组 = "定类"))),
  case("自助法", list(score = list("推荐分"), ci = "bootstrap"), T$out, says(T, list(note, no)), measures = ks)), quick = list(n_resamples = 999),
  unverified = list(list(what = "lead.low", reason = "自助区间见表，容差已注明"), list(what = "lead.high", reason = "自助区间见表，容差已注明")))
