# Rscript oracle.R > oracle.json   (R 4.2.2, jsonlite)
# EM row by row and Little's d² written out (naniar and norm are not in Debian; naniar's published result of mcar_test on
# airquality, 35.1 with 14 df, p = .00142, is asserted); t.test, chisq.test(correct = FALSE).
source("../../../../tools/oracle.R")

em <- function(m) { p <- ncol(m); n <- nrow(m); mu <- colMeans(m, na.rm = TRUE); S <- diag(apply(m, 2, var, na.rm = TRUE))
  repeat { X <- m; C <- matrix(0, p, p)
    for (i in seq_len(n)) { g <- is.na(m[i, ]); if (!any(g)) next; k <- !g; B <- S[g, k, drop = FALSE] %*% solve(S[k, k, drop = FALSE])
      X[i, g] <- mu[g] + B %*% (m[i, k] - mu[k]); C[g, g] <- C[g, g] + S[g, g] - B %*% S[k, g, drop = FALSE] }
    a <- colMeans(X); Z <- sweep(X, 2, a); T <- (t(Z) %*% Z + C) / n; s <- sqrt(diag(T)); d <- max(abs(a - mu) / s, abs(T - S) / outer(s, s)); mu <- a; S <- T
    if (d < 1e-13) return(list(mu = mu, S = S)) } }
little <- function(x) { m <- as.matrix(x); m <- m[rowSums(!is.na(m)) > 0, ]; e <- em(m); n <- nrow(m); S <- e$S
  key <- apply(is.na(m), 1, paste, collapse = ""); d2 <- 0; df <- -ncol(m)
  for (u in unique(key)) { r <- m[key == u, , drop = FALSE]; k <- !is.na(r[1, ]); v <- colMeans(r)[k] - e$mu[k]; d2 <- d2 + nrow(r) * c(t(v) %*% solve(S[k, k]) %*% v); df <- df + sum(k) }
  list(chi2 = d2, df = df, p = pchisq(d2, df, lower.tail = FALSE), patterns = length(unique(key)), n = n, e = e) }
stopifnot(with(little(airquality), abs(chi2 - 35.1) < .05 && df == 14 && abs(p - .00142) < 5e-6))
quoted <- function(v) if (length(v)) paste0("“", v, "”", collapse = "") else "没有缺失"
numbers <- function(d, v, q = v, group = NULL, tests = TRUE, test = TRUE) { x <- d[v]; n <- nrow(x); out <- list()
  for (k in v) { z <- x[[k]][!is.na(x[[k]])]; out <- c(out, list(do.call(block, c(list("overview", list(variable = k)), list(missing = sum(is.na(x[[k]])), share = mean(is.na(x[[k]])), n = length(z)),
    if (k %in% q) list(mean = mean(z), sd = sd(z)))))) }
  key <- apply(is.na(x), 1, function(g) quoted(v[g])); for (u in unique(key)) out <- c(out, list(block("patterns", list(pattern = u), n = sum(key == u), share = mean(key == u), k = sum(is.na(x[which(key == u)[1], ])))))
  if (test) { l <- little(x[q]); out <- c(out, list(block("mcar", chi2 = l$chi2, df = l$df, p = l$p, patterns = l$patterns, n = l$n)))
    for (i in seq_along(q)) { out <- c(out, list(block("em", list(variable = q[i]), mean = l$e$mu[[i]], sd = sqrt(l$e$S[i, i]), known = mean(x[[q[i]]], na.rm = TRUE))))
      for (j in seq_len(i)) out <- c(out, list(block("relations", list(item = q[i], against = q[j]), covariance = l$e$S[i, j], r = cov2cor(l$e$S)[i, j]))) } }
  if (tests) for (i in v) for (j in q) { g <- is.na(x[[i]]); a <- x[[j]][!g]; b <- x[[j]][g]; a <- a[!is.na(a)]; b <- b[!is.na(b)]
    if (i != j && length(a) > 1 && length(b) > 1) { t <- t.test(a, b); out <- c(out, list(block("tests", list(gone = i, other = j), mean_known = mean(a), mean_gone = mean(b), difference = mean(a) - mean(b),
      t = t$statistic[[1]], df = t$parameter[[1]], p = t$p.value, n_known = length(a), n_gone = length(b)))) } }
  if (!is.null(group)) for (k in v) { T <- table(d[[group]], factor(is.na(x[[k]]), c(FALSE, TRUE))); ok <- all(colSums(T) > 0); c2 <- suppressWarnings(chisq.test(T, correct = FALSE))
    for (l in rownames(T)) out <- c(out, list(do.call(block, c(list("by_group", list(variable = k, group = l)), list(n = sum(T[l, ]), missing = T[l, 2], share = T[l, 2] / sum(T[l, ])), if (ok) list(chi2 = c2$statistic[[1]], df = c2$parameter[[1]], p = c2$p.value))))) }
  out }
x <- example(); v <- c("臭氧", "太阳辐射", "风速", "气温"); kinds <- function(d) as.list(setNames(ifelse(sapply(d, is.numeric), "定量", "定类"), names(d))); said <- list("缺失最多的是", "检验看不出缺失是不是取决于")
h <- (1:60 * 37) %% 60 / 10; r <- data.frame(甲 = h, 乙 = round(sin(1:60 * 1.7) * 3 + h / 2, 2), 丙 = round(cos(1:60 * 2.3) * 2, 2), 班 = rep(c("一", "二"), 30)); r$乙[c(3, 17, 29, 41, 52)] <- NA; r$丙[c(8, 17, 33, 50)] <- NA; r$班[c(5, 6)] <- NA
write.csv(r, "oracle-random.csv", row.names = FALSE, quote = FALSE, na = "")
w <- data.frame(a = c("x", NA, "y", "x", NA, "y"), b = c(1, 2, 3, 4, 5, 6)); write.csv(w, "oracle-words.csv", row.names = FALSE, quote = FALSE, na = "")
k5 <- as.data.frame(t(sapply(1:40, function(i) { z <- c(i %% 7, i %% 5 + i / 9, i %% 3 * 2 + i / 20, i %% 11); z[(i %/% 3) %% 5] <- NA; if (i %% 4 == 0) z[i %% 4 + 1] <- NA; z }))); names(k5) <- c("a", "b", "c", "d")
write.csv(k5, "oracle-many.csv", row.names = FALSE, quote = FALSE, na = "")
oracle(c("R 4.2.2: t.test, chisq.test", "Little (1988)、EM：在 R 中另写，与 naniar 对 airquality 公布的结果核对"), list(
  case("空气质量", list(variables = v), numbers(x, v), c(said, list("没有发现缺失与数据有关", "Little MCAR 检验：", "次均值比较中没有")), measures = kinds(x)),
  case("连同月、日", list(variables = names(x)[1:6]), numbers(x, names(x)[1:6]), c(said, list("缺失不是完全随机的", "Little MCAR 检验：", "*p* < .05，如")), measures = kinds(x)),
  case("分组，含定类变量", list(variables = c("甲", "乙", "丙", "班")), numbers(r, c("甲", "乙", "丙", "班"), c("甲", "乙", "丙")), c(said, list("没有发现缺失与数据有关", "“班”未参与", "Little MCAR 检验：", "次均值比较中")), data = "oracle-random.csv", measures = kinds(r)),
  case("对照变量", list(variables = c("乙", "丙"), group = "班", t_tests = FALSE), numbers(r, c("乙", "丙"), group = "班", tests = FALSE), c(said, list("没有发现缺失与数据有关", "Little MCAR 检验：")), data = "oracle-random.csv", measures = kinds(r)),
  case("没有 Little", list(variables = c("a", "b")), numbers(w, c("a", "b"), "b", test = FALSE), c(said, list("“a”未参与", "要 2 到 50 个有变异的定量变量", "次均值比较中")), data = "oracle-words.csv", measures = list(a = "定类", b = "定量")),
  case("很多模式", list(variables = c("a", "b", "c", "d"), max_patterns = 5, t_tests = FALSE), Filter(function(b) b$table %in% c("mcar", "em", "overview"), numbers(k5, names(k5), tests = FALSE)), c(said, list("只列出行数最多的", "Little 检验 *p*", "Little MCAR 检验：")), data = "oracle-many.csv", measures = kinds(k5)),
  case("缺失只在定类", list(variables = c("甲", "班", "乙"), little = FALSE, t_tests = TRUE), numbers(r, c("甲", "班", "乙"), c("甲", "乙"), test = FALSE), c(said, list("次均值比较中")), data = "oracle-random.csv", measures = kinds(r))))
