# Scores by hand; friedman.test and kruskal.test; Nemenyi by ptukey(…, Inf); Plackett-Luce as exploded choices by
# survival::clogit. Kendall's W of Siegel (1956): three interviewers, six applicants, W = 0.1619, χ² = 2.4286.
source("../../../../tools/oracle.R"); suppressMessages(library(survival))
K <- paste0("购买因素(", c("价格", "质量", "品牌", "服务", "外观"), ")")
if (!file.exists("example.csv")) { RNGversion("4.2.0"); set.seed(31); n <- 200; u <- c(1.2, 1.5, .3, .1, -.6)
  r <- t(sapply(1:n, function(i) rank(-(u + -log(-log(runif(5))))))); part <- sample(n, 40); for (i in part) r[i, r[i, ] > 3] <- NA
  d <- as.data.frame(r); names(d) <- K; d$性别 <- sample(c("男", "女"), n, TRUE); write.csv(d, "example.csv", row.names = FALSE, quote = FALSE, na = "") }
d <- read.csv("example.csv", check.names = FALSE, na.strings = ""); R <- as.matrix(d[1:5]); colnames(R) <- c("价格", "质量", "品牌", "服务", "外观")
S <- rbind(c(1, 6, 3, 2, 5, 4), c(1, 5, 6, 4, 2, 3), c(6, 3, 2, 5, 4, 1)); colnames(S) <- letters[1:6]; write.csv(S, "oracle-siegel.csv", row.names = FALSE, quote = FALSE)
tied <- data.frame(甲 = c(1, 1, 2, 1, 1), 乙 = c(2, 1, 1, NA, 3), 丙 = c(3, 3, 3, 2, NA)); write.csv(tied, "oracle-tied.csv", row.names = FALSE, quote = FALSE, na = "")
one <- data.frame(甲 = c(1, 1, 1), 乙 = c(2, NA, 2), 丙 = c(NA, 2, NA)); write.csv(one, "oracle-part.csv", row.names = FALSE, quote = FALSE, na = "")
full <- function(R) t(apply(R, 1, function(v) rank(ifelse(is.na(v), 99, v))))
run <- function(R, partial, score = "borda", group = NULL, level = .95) {
  R <- t(apply(R, 1, function(v) { v[!is.na(v)] <- rank(v[!is.na(v)]); v })); k <- ncol(R); Fr <- full(R)
  P <- switch(partial, zero_score = ifelse(is.na(R), 0, k + 1 - R), tied_last = k + 1 - Fr, missing = k + 1 - R); base <- colSums(!is.na(P)); pl <- if (partial == "tied_last") Fr else R
  m <- colMeans(P, na.rm = TRUE); f <- colSums(R == 1, na.rm = TRUE) / base; out <- list(); w <- NULL
  if (score == "plackett_luce") { long <- NULL; s <- 0
    for (i in seq_len(nrow(R))) { o <- order(R[i, ]); q <- sum(!is.na(R[i, ])); there <- if (partial == "missing") o[seq_len(q)] else o
      for (t in seq_len(min(q, length(there) - 1))) { s <- s + 1; a <- there[t:length(there)]; long <- rbind(long, cbind(s, a, c(1, rep(0, length(a) - 1)))) } }
    X <- diag(k)[long[, 2], -1]; fit <- clogit(long[, 3] ~ X + strata(long[, 1]), control = coxph.control(eps = 1e-14, iter.max = 50)); b <- c(0, coef(fit)); w <- exp(b) / sum(exp(b)); V <- rbind(0, cbind(0, vcov(fit))); J <- diag(w) - w %o% w
    se <- sqrt(diag(J %*% V %*% J)); h <- qnorm((1 + level) / 2) * se / (w * (1 - w)); out <- lapply(seq_len(k), function(i) block("worths", list(option = colnames(R)[i]), worth = w[i], se = se[i], low = plogis(qlogis(w[i]) - h[i]), high = plogis(qlogis(w[i]) + h[i]))) }
  lead <- switch(score, borda = m, first_choice = f, plackett_luce = w)
  for (i in seq_len(k)) { ci <- suppressWarnings(prop.test(round(f[[i]] * base[[i]]), base[[i]], conf.level = level, correct = FALSE)$conf.int); v <- pl[!is.na(pl[, i]), i]
    out <- c(out, list(block("scores", list(option = colnames(R)[i]), standing = rank(-round(lead, 12), ties.method = "min")[[i]], n = sum(!is.na(R[, i])), score = m[[i]], mean = mean(v), sd = sd(v), first = f[[i]], low = ci[1], high = ci[2], three = sum(R[, i] <= 3, na.rm = TRUE) / base[[i]])))
    cells <- list(); for (r in 1:k) { n <- sum(ceiling(R[, i]) == r, na.rm = TRUE); cells[[paste0("n@第 ", r)]] <- n; cells[[paste0("share@第 ", r)]] <- n / base[[i]] }; cells[["n@没排"]] <- base[[i]] - sum(!is.na(R[, i])); out <- c(out, list(do.call(block, c(list("distribution", list(option = colnames(R)[i])), cells)))) }
  B <- if (partial == "missing") Fr[rowSums(is.na(R)) == 0, , drop = FALSE] else Fr; n <- nrow(B); p <- NA; W <- NA
  if (n > 1) { t <- friedman.test(B); p <- t$p.value; W <- t$statistic[[1]] / (n * (k - 1)); out <- c(out, list(block("agreement", list(), n = n, chi2 = t$statistic[[1]], df = k - 1, p = p, w = W)))
    for (i in 1:(k - 1)) for (j in (i + 1):k) { g <- mean(B[, i]) - mean(B[, j]); q <- g / sqrt(k * (k + 1) / (6 * n)) * sqrt(2); pv <- ptukey(abs(q), k, Inf, lower.tail = FALSE); cells <- list("pairs", list(first = colnames(R)[i], second = colnames(R)[j]), gap = g, q = q); if (pv > 1e-5) cells$p <- pv   # ptukey is no better than 1e-13, absolutely
      out <- c(out, list(do.call(block, cells))) } }
  if (!is.null(group)) { t <- lapply(seq_len(k), function(i) kruskal.test(P[, i], factor(group))); a <- p.adjust(sapply(t, `[[`, "p.value"), "holm")
    for (i in seq_len(k)) { out <- c(out, list(block("group_tests", list(option = colnames(R)[i]), h = t[[i]]$statistic[[1]], df = t[[i]]$parameter[[1]], p = t[[i]]$p.value, adjusted = a[i])))
      cells <- list(); for (g in unique(group)) { mm <- colMeans(P[group == g, ], na.rm = TRUE); cells[[paste0("score@", g)]] <- mm[[i]]; cells[[paste0("standing@", g)]] <- rank(-mm, ties.method = "min")[[i]] }; out <- c(out, list(do.call(block, c(list("groups", list(option = colnames(R)[i])), cells)))) } }
  list(out = out, p = p, w = W, top = max(lead), last = min(lead), n = nrow(R), k = k, partly = sum(rowSums(is.na(R)) > 0))
}
says <- function(a, word, extra = list()) c(list("平均综合得分越高", fact("份没有排全", partly = a$partly, n = a$n, share = a$partly / a$n), fact(paste0("总体上排在最前的是“"), top = a$top, last = a$last), fact("个选项排序", n = a$n, k = a$k), word),
  if (is.na(a$p)) list("“一致性检验”未给出", "“两两比较（Nemenyi）”未给出") else list("平均名次之差小于 0", fact(if (a$p < .05) "有一定共识（Kendall" else "没有发现大家的排序有共识（Kendall", w = a$w, p = a$p)), extra)
A <- run(R, "zero_score", group = d$性别); B <- run(R, "tied_last", "plackett_luce", level = .9); C <- run(R, "missing", "first_choice"); E <- run(R, "missing", "plackett_luce"); D <- run(S, "zero_score"); T <- run(as.matrix(tied), "tied_last"); O <- run(as.matrix(one), "missing")
stopifnot(abs(D$w - .1619) < 5e-5)
g <- list("Kruskal-Wallis 检验，比较各组的得分"); w <- list("价值是选项排在第一的概率")
oracle(c("R 4.2.2: friedman.test, kruskal.test, ptukey, prop.test", "survival: clogit（逐次选择）"), list(
  case("五个因素，按性别", list(items = as.list(K), group = "性别"), A$out, says(A, "（综合得分", g)),
  case("并列最后，Plackett-Luce，90%", list(items = as.list(K), partial = "tied_last", score = "plackett_luce", conf_level = .9), B$out, says(B, "（Plackett-Luce 价值", w)),
  case("没排的不算，首选率", list(items = as.list(K), partial = "missing", score = "first_choice"), C$out, says(C, "（首选率")),
  case("没排的不算，Plackett-Luce", list(items = as.list(K), partial = "missing", score = "plackett_luce"), E$out, says(E, "（Plackett-Luce 价值", w)),
  case("Siegel (1956) 三位面试官", list(items = as.list(letters[1:6])), D$out, says(D, "（综合得分"), data = "oracle-siegel.csv", measures = setNames(as.list(rep("定量", 6)), letters[1:6])),
  case("并列与跳过的名次", list(items = list("甲", "乙", "丙"), ties = "average", partial = "tied_last"), T$out, says(T, "（综合得分", list(fact("份答卷跳过了名次", n = 1))), data = "oracle-tied.csv", measures = list(甲 = "定量", 乙 = "定量", 丙 = "定量")),
  case("没有一份排全", list(items = list("甲", "乙", "丙"), partial = "missing"), O$out, says(O, "（综合得分"), data = "oracle-part.csv", measures = list(甲 = "定量", 乙 = "定量", 丙 = "定量"))))
