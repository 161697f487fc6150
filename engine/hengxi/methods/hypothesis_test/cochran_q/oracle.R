# coin::symmetry_test(teststat = "quad") for Q, prop.test for Wilson, mcnemar.test and binom.test with p.adjust for pairs.
# The 10 × 3 data of the catalogue must give Q = 7.6, p = 0.022371.
source("../../../../tools/oracle.R"); suppressMessages(library(coin))
if (!file.exists("example.csv")) { set.seed(9); t <- rnorm(60); p <- c(产品A = .2, 产品B = 1.1, 产品C = -.6, 产品D = .1)
  d <- data.frame(编号 = 1:60, lapply(p, function(b) as.integer(runif(60) < plogis(b + t)))); write.csv(d, "example.csv", row.names = FALSE, quote = FALSE) }
run <- function(x, names, w = rep(1, nrow(x)), how = "bonferroni", level = .95) {
  x <- x[rep(seq_len(nrow(x)), w), ]; n <- nrow(x); k <- ncol(x); s <- colSums(x); wide <- data.frame(y = factor(as.vector(x)), t = factor(rep(seq_len(k), each = n)), b = factor(rep(seq_len(n), k)))
  q <- (k - 1) * (k * sum(s^2) - sum(s)^2) / (k * sum(x) - sum(rowSums(x)^2)); t <- symmetry_test(y ~ t | b, wide, teststat = "quad"); stopifnot(abs(statistic(t) - q) < 1e-8)
  out <- c(lapply(1:k, function(j) { w <- suppressWarnings(prop.test(s[j], n, correct = FALSE, conf.level = level)$conf.int); block("rates", list(variable = names[j]), count = unname(s[j]), share = unname(s[j]) / n, failures = n - unname(s[j]), low = w[1], high = w[2]) }),
    list(block("result", n = n, q = q, df = k - 1, p = pchisq(q, k - 1, lower.tail = FALSE), eta2 = q / (n * (k - 1)))))
  ij <- combn(k, 2); one <- lapply(seq_len(ncol(ij)), function(m) { u <- x[, ij[1, m]]; v <- x[, ij[2, m]]; b <- sum(u > v); c <- sum(u < v); few <- b + c < 25
    list(gap = (b - c) / n, chi2 = if (few) NULL else (b - c)^2 / (b + c), p = if (b + c == 0) 1 else if (few) binom.test(b, b + c)$p.value else pchisq((b - c)^2 / (b + c), 1, lower.tail = FALSE)) })
  adj <- p.adjust(sapply(one, `[[`, "p"), how)
  c(out, lapply(seq_along(one), function(m) do.call(block, c(list("pairs", list(first = names[ij[1, m]], second = names[ij[2, m]]), difference = one[[m]]$gap, raw = one[[m]]$p, p = adj[m]), if (is.null(one[[m]]$chi2)) list() else list(chi2 = one[[m]]$chi2)))))
}
few <- function(b) sum(sapply(b, function(o) o$table == "pairs" && o$cells$p < .05)); d <- example(); x <- as.matrix(d[, -1]); A <- run(x, colnames(x))
y <- cbind(c(1, 1, 0, 1, 0, 1, 1, 1, 0, 1), c(0, 1, 0, 0, 0, 1, 0, 0, 0, 1), c(0, 0, 0, 1, 0, 0, 0, 1, 0, 1)); z <- cbind(c(1, 1, 0, 1, 0, 1), c(0, 1, 0, 1, 1, 1), c(1, 0, 1, 1, 0, 1)); w <- c(9, 12, 11, 4, 10, 6)
k <- data.frame(初检 = ifelse(z[, 1] == 1, "合格", "不合格"), 复检 = ifelse(z[, 2] == 1, "合格", "不合格"), 终检 = ifelse(z[, 3] == 1, "合格", "不合格"), 件数 = w); write.csv(k, "oracle-checks.csv", row.names = FALSE, quote = FALSE)
writeLines(c("甲,乙,丙", apply(y, 1, paste, collapse = ",")), "oracle-ten.csv"); B <- run(y, c("甲", "乙", "丙"), how = "holm", level = .9); C <- run(z, names(k)[1:3], w, "none")
always <- list("成功指", "不能用普通的 χ² 检验"); yes <- c(always, list("差异有统计学意义", "个变量的比例有差异（*p*")); no <- c(always, list("差异没有统计学意义", "没有发现明显差异（*p*"))
oracle(c("coin: symmetry_test(teststat = \"quad\")", "R 4.2.2: mcnemar.test 的公式, binom.test, prop.test, p.adjust"), list(
  case("60 人四个产品", list(variables = as.list(colnames(x))), A, c(yes, list(fact("个变量的比例有差异（*Q*", k = 4, pairs = few(A)), "用 Bonferroni 法校正", "χ² 近似可用"))),
  case("10 人三次，Holm，90%", list(variables = list("甲", "乙", "丙"), post_hoc = "holm", conf_level = .9), B, c(yes, list(fact("个变量的比例有差异（*Q*", k = 3), "用 Holm 法校正", "χ² 近似可能不准")), data = "oracle-ten.csv", measures = list(甲 = "定类", 乙 = "定类", 丙 = "定类")),
  case("三次检验，加权，不校正", list(variables = list("初检", "复检", "终检"), weight = "件数", success = "合格", post_hoc = "none"), C, c(no, list(fact("没有发现明显差异（*Q*", k = 3, pairs = few(C)), "没有校正", "χ² 近似可用")), data = "oracle-checks.csv")))
