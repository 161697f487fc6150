# How oracle.json was made: tools/run_oracles.py --write questionnaire/response_quality   (R 4.2.2)
# rle for the longest string, stats::mahalanobis for D², cor of half means over dimensions for even-odd, duplicated for copies.
source("../../../../tools/oracle.R")
if (!file.exists("example.csv")) { RNGversion("4.2.0"); set.seed(101); n <- 240; f <- matrix(rnorm(4 * n), n); g <- function(z) findInterval(z, c(-1.4, -.5, .4, 1.3)) + 1
  x <- sapply(1:20, function(j) g(.8 * f[, (j - 1) %/% 5 + 1] + .6 * rnorm(n))); x[, 5] <- 6 - x[, 5]; x[, 10] <- 6 - x[, 10]
  bad <- sample(n, 25); for (i in bad[1:12]) x[i, ] <- sample(2:5, 1); for (i in bad[13:20]) x[i, ] <- sample(5, 20, TRUE); for (i in bad[21:25]) x[i, ] <- x[(i %% n) + 1, ]
  d <- as.data.frame(x); names(d) <- paste0("题", 1:20); d$时长 <- round(exp(rnorm(n, 4.8, .35))); d$时长[bad[1:20]] <- round(runif(20, 15, 60)); d$检测题 <- 4; d$检测题[bad[c(1:6, 13:18)]] <- sample(5, 12, TRUE); write.csv(d, "example.csv", row.names = FALSE, quote = FALSE) }
d <- example(); items <- paste0("题", 1:20)
set.seed(7); gaps <- d[1:60, c(items[1:6], "时长")]; for (v in items[1:6]) gaps[[v]][sample(60, 4)] <- NA; write.csv(gaps, "oracle-gaps.csv", row.names = FALSE, quote = FALSE, na = "")
run <- function(name, d, items, form = list(), long = .5, alpha = .001, sec = 2, need = 2, time = NULL, att = NULL, pairs = NULL, dims = NULL, turned = character(), says = list(), data = NULL) {
  x <- as.matrix(d[items]); n <- nrow(x); lo <- min(x, na.rm = TRUE); hi <- max(x, na.rm = TRUE); E <- list(); add <- function(...) E[[length(E) + 1]] <<- block(...); F <- list(); tell <- function(k, m, told) { m[is.na(m)] <- FALSE; F[[k]] <<- m; add("summary", list(indicator = k), told = told, n = sum(m), share = sum(m) / told) }
  ans <- rowSums(!is.na(x)); ls <- apply(x, 1, function(v) { v[is.na(v)] <- -seq_len(sum(is.na(v))) * 1e6; r <- rle(unname(v)); r <- r$lengths[r$values > -1e5]; if (length(r)) max(r) else 0 }) / pmax(ans, 1); tell("最长同选", ans >= 5 & ls >= long, sum(ans >= 5)); irv <- apply(x, 1, sd, na.rm = TRUE)
  full <- complete.cases(x); D <- P <- rep(NA, n); D[full] <- mahalanobis(x[full, ], colMeans(x[full, ]), cov(x[full, ])); P <- pchisq(D, ncol(x), lower.tail = FALSE); tell("马氏距离", P < alpha, sum(full))
  eo <- rep(NA, n); if (!is.null(dims)) { y <- x; for (v in turned) y[, v] <- lo + hi - y[, v]; h <- function(k) sapply(unique(dims), function(g) { w <- which(dims == g); rowMeans(y[, w[seq(k, length(w), 2)], drop = FALSE]) }); o <- h(1); e <- h(2); eo <- sapply(seq_len(n), function(i) suppressWarnings(cor(o[i, ], e[i, ]))); eo <- pmax(2 * eo / (1 + eo), -1); tell("偶奇一致性", eo < -1e-9, sum(!is.na(eo))) }
  ct <- rep(NA, n); if (!is.null(pairs)) { q <- sapply(pairs, function(p) abs(d[[p[1]]] + d[[p[2]]] - lo - hi) >= .75 * (hi - lo)); ct <- rowSums(q, na.rm = TRUE); k <- rowSums(!is.na(q)); ct[k == 0] <- NA; tell("正反题矛盾", ct > 0 & 2 * ct >= k, sum(k > 0)) }
  if (!is.null(time)) tell("作答过快", d[[time]] < sec * length(items), sum(!is.na(d[[time]])))
  if (!is.null(att)) tell("注意力检测题", is.na(d[[att[1]]]) | d[[att[1]]] != as.numeric(att[2]), n)
  tell("完全相同", duplicated(d[items]) | duplicated(d[items], fromLast = TRUE), n)
  fl <- Reduce(`+`, F); for (k in 0:max(fl)) add("counts", list(flags = k), flags = k, n = sum(fl == k), share = mean(fl == k))
  for (i in which(fl > 0)) do.call(add, c(list("suspects", list(row = list(i)), longest = ls[i], irv = irv[[i]], flags = fl[i]), if (!is.na(D[i])) list(d2 = D[i], p = P[i]), if (!is.na(eo[i]) && abs(eo[i]) > 1e-9) list(even_odd = eo[i]), if (!is.na(ct[i])) list(contradictions = ct[i]), if (!is.null(time)) list(seconds = d[[time]][i])))
  facts <- if (!any(fl > 0)) list(n = n) else if (!any(fl >= need)) list(n = n, need = need, some = sum(fl > 0)) else list(n = n, need = need, some = sum(fl > 0), bad = sum(fl >= need), share = mean(fl >= need))
  case(name, c(list(items = as.list(items)), form), E, c(says, list(do.call(fact, c(list("份"), facts)), "标记只是疑点，不是结论", "等指标检查作答质量")), data, as.list(setNames(rep("定量", ncol(d)), names(d)))) }
dims <- rep(1:4, each = 5); set_ <- lapply(1:20, function(i) list(`for` = items[i], number = dims[i], reversed = i %in% c(5, 10)))
oracle(c("R 4.2.2: rle, mahalanobis, cor, duplicated"), list(
  run("全部指标", d, items, list(duration = "时长", attention = list("检测题"), answers = list(list(`for` = "检测题", answer = "4")), pairs = list(list(first = "题1", second = "题5"), list(first = "题6", second = "题10")), dimension = set_), time = "时长", att = c("检测题", "4"), pairs = list(c("题1", "题5"), c("题6", "题10")), dims = dims, turned = c("题5", "题10"), says = list("建议剔除（", "用了 {k:integer} 个指标")),
  run("只有题项，一个标记", d, items, list(longstring_limit = .3, mahal_alpha = .01, flags_needed = 4, save_flag = FALSE), .3, .01, need = 4, says = list("没有一份达到", "；没有：", "“时长的分布”未给出")),
  run("有空题", gaps, items[1:6], list(duration = "时长", seconds_per_item = 8, flags_needed = 1, longstring_limit = .8), .8, sec = 8, need = 1, time = "时长", says = list("建议剔除（", "；没有："), data = "oracle-gaps.csv")))
