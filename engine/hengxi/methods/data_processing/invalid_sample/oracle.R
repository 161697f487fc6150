# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2: rle, table, mahalanobis, duplicated)
source("../../../../tools/steps.R")
if (!file.exists("example.csv")) {
  set.seed(17); n <- 400; f <- rnorm(n); q <- sapply(1:20, function(i) pmin(pmax(round(3 + .7 * f + rnorm(n, 0, .9)), 1), 5)); colnames(q) <- paste0("Q", 1:20)
  q[1:20, ] <- sample(1:5, 20, TRUE); for (i in 21:30) q[i, sample(20, 8)] <- NA; time <- round(rlnorm(n, 5.3, .4)); time[c(1:6, 31:40)] <- sample(15:55, 16, TRUE)
  phone <- paste0("1390000", sprintf("%04d", 1:n)); phone[c(50, 51, 90)] <- phone[10]; test <- ifelse(runif(n) < .96, "非常同意", "同意"); o <- sample(n)
  save_example(data.frame(q, 检测题 = test, 时长 = time, 手机号 = phone)[o, ])
}
x <- example(); n <- nrow(x); all20 <- paste0("Q", 1:20)
long <- function(v) { v[is.na(v)] <- -seq_len(sum(is.na(v))); r <- rle(v); max(r$lengths[r$values > 0], 0) }
run <- function(name, items, form, says = list(), same = .9, longest = 10, miss = .3, p = .001, singular = FALSE, drop = FALSE) {
  m <- as.matrix(x[items]); k <- length(items); got <- rowSums(!is.na(m)); top <- apply(m, 1, function(v) max(table(v), 0)); rules <- list()
  add <- function(l, title, hit) c(l, setNames(list(hit), title))
  if (!is.null(same)) rules <- add(rules, "相同答案过多", got > 1 & top / pmax(got, 1) >= same - 1e-12)
  if (!is.null(longest)) rules <- add(rules, "连续相同", apply(m, 1, long) >= longest)
  if (!is.null(miss)) rules <- add(rules, "漏答过多", (k - got) / k >= miss - 1e-12)
  if (!is.null(form$duration)) rules <- add(rules, "答题过快", x$时长 < 60)
  if (p > 0 && !singular) { w <- complete.cases(m); h <- rep(FALSE, n); h[w] <- pchisq(mahalanobis(m[w, ], colMeans(m[w, ]), cov(m[w, ])), k, lower.tail = FALSE) < p; rules <- add(rules, "马氏距离", h) }
  if (!is.null(form$attention)) rules <- add(rules, "检测题“检测题”", x$检测题 != "非常同意")
  if (!is.null(form$id)) rules <- add(rules, "重复标识", duplicated(x$手机号))
  t <- Reduce(`+`, rules); bad <- t > 0
  out <- lapply(names(rules), function(r) block("result", list(rule = r), hits = sum(rules[[r]]), share = mean(rules[[r]]), alone = sum(rules[[r]] & t == 1)))
  out <- c(out, list(block("result", list(rule = "合计（任一条）"), hits = sum(bad), share = mean(bad), alone = sum(t == 1)), record("无效样本清理", if (drop) sum(!bad) else n, ncol(x) + 2 * !drop, c(n, ncol(x)))))
  if (any(bad)) { f <- which(bad)[1]; out <- c(out, list(block("detail", list(row = f), times = t[f]))) }
  lead <- if (any(bad)) list(fact("份无效", rows = n, k = sum(bad), share = mean(bad), kept = sum(!bad), several = sum(t > 1)), "触发几条规则的更可疑") else list(fact("没有发现无效样本", rows = n, k = 0, share = 0, several = 0, kept = n), "不等于每份都认真")
  case(name, c(list(items = as.list(items)), form), out, c(lead, says), measures = list(检测题 = "定类", 手机号 = "文本")) }
oracle("R 4.2.2: rle(), table(), mahalanobis(), duplicated()", list(
  run("全部规则", all20, list(duration = "时长", id = "手机号", attention_items = list("检测题"), attention = list(list(`for` = "检测题", answer = "非常同意"))), list("答案组合少见")),
  run("删除", all20, list(duration = "时长", action = "drop", mahalanobis = 0), p = 0, drop = TRUE),
  run("题少", paste0("Q", 1:6), list(same_ratio = 1, missing_ratio = .5), list(fact("这一条没有作用", k = 6, limit = 10), "答案组合少见"), same = 1, miss = .5),
  run("没有发现", c("Q1", "Q9", "Q17"), list(longstring = 50, missing_ratio = 1, mahalanobis = 0), list("这一条没有作用"), same = .9, longest = 50, miss = 1, p = 0)))
