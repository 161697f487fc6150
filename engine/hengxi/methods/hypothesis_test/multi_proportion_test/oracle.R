# prop.test, p.adjust; Wilson and Newcombe written out; Marascuilo with qchisq; V by uniroot over pchisq(ncp). Fleiss's
# smokers (83/86, 90/93, 129/136, 70/82) must give χ² = 12.6004.
source("../../../../tools/oracle.R")
if (!file.exists("example.csv")) { set.seed(12); p <- c(短信 = .10, 邮件 = .13, 应用 = .22, 门店 = .20); d <- do.call(rbind, lapply(names(p), function(k) data.frame(渠道 = k, 下单 = ifelse(runif(300) < p[[k]], "是", "否"))))
  write.csv(as.data.frame(table(渠道 = factor(d$渠道, names(p)), 下单 = factor(d$下单, c("是", "否"))), responseName = "人数"), "example.csv", row.names = FALSE, quote = FALSE) }
wil <- function(x, n, l) { w <- suppressWarnings(prop.test(x, n, correct = FALSE, conf.level = l)$conf.int); if (x == 0) w[1] <- 0; if (x == n) w[2] <- 1; w }
many <- function(names, x, n, how = "bonferroni", level = .95) {
  t <- suppressWarnings(prop.test(x, n, correct = FALSE)); tab <- cbind(x, n - x); e <- outer(n, colSums(tab)) / sum(n); g <- 2 * sum(ifelse(tab > 0, tab * log(tab / e), 0)); k <- length(x); df <- k - 1; q <- unname(t$statistic); v <- sqrt(q / sum(n))
  bound <- function(p) if (pchisq(q, df) <= p) 0 else uniroot(function(l) pchisq(q, df, ncp = l) - p, c(0, 10 * q + 100), tol = 1e-13)$root; a <- (1 - level) / 2
  out <- c(lapply(1:k, function(i) { w <- wil(x[i], n[i], level); block("rates", list(group = names[i]), n = n[i], count = x[i], share = x[i] / n[i], low = w[1], high = w[2]) }),
    list(block("result", chi2 = q, df = df, p = t$p.value, g2 = g, g2_p = pchisq(g, df, lower.tail = FALSE), v = v, low = min(v, sqrt(bound(1 - a) / sum(n))), high = max(v, min(1, sqrt(bound(a) / sum(n)))))))
  if (how == "none") return(out)
  ij <- combn(k, 2); m <- ncol(ij); d <- apply(ij, 2, function(w) x[w[1]] / n[w[1]] - x[w[2]] / n[w[2]]); s <- apply(ij, 2, function(w) sum((x / n * (1 - x / n) / n)[w]))
  raw <- apply(ij, 2, function(w) suppressWarnings(prop.test(x[w], n[w], correct = FALSE)$p.value)); p <- if (how == "marascuilo") pchisq(d^2 / s, df, lower.tail = FALSE) else p.adjust(raw, how)
  ends <- if (how == "marascuilo") rbind(pmax(-1, d - sqrt(qchisq(level, df) * s)), pmin(1, d + sqrt(qchisq(level, df) * s))) else apply(ij, 2, function(w) { l <- 1 - (1 - level) / m; u <- wil(x[w[1]], n[w[1]], l); o <- wil(x[w[2]], n[w[2]], l); r <- x[w] / n[w]; c(r[1] - r[2] - sqrt((r[1] - u[1])^2 + (o[2] - r[2])^2), r[1] - r[2] + sqrt((u[2] - r[1])^2 + (r[2] - o[1])^2)) })
  c(out, lapply(1:m, function(i) block("pairs", list(first = names[ij[1, i]], second = names[ij[2, i]]), difference = d[i], low = ends[1, i], high = ends[2, i], p = p[i])))
}
d <- example(); k <- unique(d$渠道); x <- d$人数[d$下单 == "是"]; n <- as.vector(tapply(d$人数, factor(d$渠道, k), sum))
smoke <- data.frame(医院 = rep(c("A", "B", "C", "D"), 2), 吸烟 = rep(c("吸烟", "不吸烟"), each = 4), 人数 = c(83, 90, 129, 70, 3, 3, 7, 12)); write.csv(smoke, "oracle-smokers.csv", row.names = FALSE, quote = FALSE)
writeLines(c("组,有效", rep("甲,是", 3), rep("甲,否", 4), rep("乙,是", 2), rep("乙,否", 5), rep("丙,是", 2), rep("丙,否", 3)), "oracle-few.csv")
sx <- c(83, 90, 129, 70); sn <- c(86, 93, 136, 82); stopifnot(abs(prop.test(sx, sn)$statistic - 12.6004) < 1e-4)
count <- function(b) sum(sapply(b, function(one) one$table == "pairs" && one$cells$p < .05))
always <- list("CI 的置信水平为", "每人（每份答卷）只能计一次"); yes <- c(always, list("组的率有差异", "哪两组不同，看两两比较", "差异有统计学意义，", "差异有统计学意义（")); no <- c(always, list("组的率没有发现明显差异", "“没有发现”不等于各组", "差异没有统计学意义，", "差异没有统计学意义（"))
A <- many(k, x, n); S <- many(c("A", "B", "C", "D"), sx, sn, "marascuilo"); F <- many(c("甲", "乙", "丙"), c(3, 2, 2), c(7, 7, 5), "holm", .9)
oracle(c("R 4.2.2: prop.test(correct = FALSE), p.adjust, qchisq", "R 4.2.2: pchisq(ncp)，用 uniroot 反解（V）"), list(
  case("四个渠道", list(group = "渠道", y = list("下单"), weight = "人数"), A, c(yes, list(fact("组的率有差异", k = 4, pairs = count(A)), "法校正；区间同时成立", "χ² 近似可用"))),
  case("四家医院的吸烟者，Marascuilo", list(group = "医院", y = list("吸烟"), weight = "人数", success = "吸烟", post_hoc = "marascuilo"), S, c(yes, list(fact("组的率有差异", k = 4, pairs = count(S)), "法校正；区间同时成立", "χ² 近似可用")), data = "oracle-smokers.csv"),
  case("19 例，Holm，90%", list(group = "组", y = list("有效"), post_hoc = "holm", conf_level = .9), F, c(no, list(fact("组的率没有发现明显差异", k = 3, pairs = 0), "法校正；区间同时成立", "近似不可靠")), data = "oracle-few.csv"),
  case("不做两两比较", list(group = "组", y = list("有效"), post_hoc = "none"), many(c("甲", "乙", "丙"), c(3, 2, 2), c(7, 7, 5), "none"), c(no, list(fact("组的率没有发现明显差异", k = 3), "近似不可靠")), data = "oracle-few.csv")))
