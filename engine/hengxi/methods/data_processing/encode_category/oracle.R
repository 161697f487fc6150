# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2: tapply, table, log, utf8ToInt; formulas written out)
source("../../../../tools/steps.R")
make <- function(n, seed, file) { set.seed(seed); c <- paste0("城", sprintf("%02d", sample(12, n, TRUE, prob = 12:1))); p <- plogis(-1 + (as.integer(sub("城", "", c)) %% 5) / 3)
  d <- data.frame(城市 = c, 渠道 = sample(c("线上", "门店", "电话", "罕见"), n, TRUE, c(.5, .3, .18, .02)), 档次 = sample(c("低", "中", "高"), n, TRUE), 流失 = ifelse(runif(n) < p, "是", "否"), 金额 = round(rlnorm(n, 4, .6), 1),
    集 = sample(c("训练", "测试"), n, TRUE, c(.7, .3))); d$渠道[c(3, 60)] <- NA; d$流失[d$渠道 %in% "罕见"] <- "否"; d$流失[1:2] <- c("否", "是"); d$集[1] <- "训练"; save_example(d, file) }
if (!file.exists("example.csv")) { make(400, 13, "example.csv"); make(300, 14, "trained.csv") }
rd <- function(f) { x <- example(f); x[x == ""] <- NA; x }
x <- rd("example.csv"); old <- rd("trained.csv"); n <- nrow(x); kinds <- list(金额 = "定量", 城市 = "定类", 集 = "定类")
hash <- function(w, b) { h <- 0; for (k in utf8ToInt(w)) h <- (31 * h + k) %% 1000003; h %% b }
run <- function(name, vars, method, form = list(), code, from = x, keep = rep(TRUE, nrow(from)), says = list(), oof = FALSE, unseen = NA, datasets = NULL, warn = list()) {
  out <- list(); facts <- list()
  for (i in seq_along(vars)) { v <- vars[i]; s <- from[[v]]; l <- unique(s[!is.na(s)]); k <- code(s, l, keep, from); size <- sapply(l, function(a) sum(s %in% a & keep)); val <- unname(k$code[match(x[[v]], l)])
    lost <- !is.na(x[[v]]) & is.na(val); val[lost] <- unseen
    for (a in seq_along(l)) out <- c(out, list(do.call(block, c(list("codes", list(variable = v, level = l[a]), n = size[[a]]), if (is.na(k$code[[a]])) list() else list(code = k$code[[a]]), if (is.null(k$iv)) list() else list(iv = k$iv[[a]])))))
    cells <- list(levels = length(l), rows = sum(size), unseen = sum(lost), missing = sum(is.na(x[[v]]))); if (!oof) cells$distinct <- length(unique(round(val[!is.na(val)], 12))); if (!is.null(k$iv)) cells$iv <- sum(k$iv)
    out <- c(out, list(do.call(block, c(list("summary", list(variable = v)), cells)))); w <- val[!is.na(val)]
    out <- c(out, list(do.call(block, c(list("columns", list(variable = if (identical(form$mode, "replace")) v else paste0(v, "_编码"))), if (oof) list(n = sum(!is.na(x[[v]])), missing = sum(is.na(x[[v]]))) else list(n = length(w), missing = n - length(w), mean = mean(w))))))
    facts <- c(facts, setNames(list(length(l), sum(size)), paste0(c("levels", "rows"), i - 1))) }
  rep <- identical(form$mode, "replace")
  out <- c(out, list(block("record", list(method = "类别编码（标签/频数/目标）"), rows_before = n, rows_after = n, columns_before = ncol(x), columns_after = ncol(x) + if (rep) 0 else length(vars), cells = if (rep) sum(!is.na(x[[vars]])) else 0)))
  made <- case(name, c(list(variables = as.list(vars), method = method), form), out, c(list(do.call(fact, c(list("变为数值"), facts))), says, warn), measures = kinds)
  if (is.null(datasets)) made else c(made, list(datasets = list(learn_from = list(list(vid = 2, data = "trained.csv", measures = kinds))))) }
target <- function(y, m) function(s, l, keep, from) { t <- y(from); k <- keep & !is.na(s); all <- mean(t[k]); list(code = sapply(l, function(a) { i <- k & s %in% a; if (!any(i)) NA else (sum(t[i]) + m * all) / (sum(i) + m) })) }
woe <- function(s, l, keep, from) { e <- from$流失 == "是"; k <- keep & !is.na(s); E <- sum(e & k); N <- sum(!e & k); r <- t(sapply(l, function(a) { i <- k & s %in% a; p <- sum(e & i); q <- sum(!e & i); h <- if (p == 0 || q == 0) .5 else 0; c((p + h) / E, (q + h) / N) }))
  w <- log(r[, 1] / r[, 2]); list(code = w, iv = (r[, 1] - r[, 2]) * w) }
yes <- function(d) as.numeric(d$流失 == "是")
oracle("R 4.2.2: tapply(), table(), log(), utf8ToInt(); smoothed mean of Micci-Barreca (2001) and WOE written out", list(
  run("标签", c("城市", "渠道"), "label", code = function(s, l, ...) list(code = setNames(as.numeric(seq_along(l)), l)), says = list("只适合树模型")),
  run("指定次序", "档次", "ordinal", list(order = "低 < 中 < 高", mode = "replace"), function(s, l, ...) list(code = setNames(as.numeric(match(l, c("低", "中", "高"))), l)), says = list("距离当作相等")),
  run("频数", "城市", "frequency", code = function(s, l, ...) list(code = sapply(l, function(a) sum(s == a) / length(s))), says = list("频数相同的类别")),
  run("哈希", "城市", "hash", list(buckets = 8), function(s, l, ...) list(code = sapply(l, hash, b = 8)), says = list("同一个桶")),
  run("目标编码", "城市", "target", list(target = "流失", event = "是"), target(yes, 10), says = list("不含它自己的目标", "测试行的目标才不会参与"), oof = TRUE),
  run("目标取自另一份", "城市", "target", list(target = "流失", event = "是", smoothing = 5, learn_from = list(vid = 2)), target(yes, 5), old, says = list("不含它自己的目标"), datasets = TRUE),
  run("数值目标取自另一份", "渠道", "target", list(target = "金额", unknown = "global", learn_from = list(vid = 2)), target(function(d) d$金额, 10), old, says = list("不含它自己的目标"), datasets = TRUE),
  run("训练行频数", "渠道", "frequency", list(train = "集", train_level = "训练"), function(s, l, keep, ...) list(code = sapply(l, function(a) { z <- sum(s %in% a & keep); if (z) z / sum(!is.na(s) & keep) else NA })), keep = x$集 == "训练", says = list("频数相同")),
  run("WOE", "渠道", "woe", list(target = "流失", event = "是"), woe, says = list("请放入训练标记"), warn = list(fact("已加0.5平滑", k = 1)))))
