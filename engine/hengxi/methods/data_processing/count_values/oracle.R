# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2: %in%, rowSums, table)
source("../../../../tools/steps.R")
if (!file.exists("example.csv") || !file.exists("oracle-survey.csv")) {
  set.seed(71); n <- 200
  ability <- rnorm(n); q <- sapply(seq(-1.5, 1.5, length.out = 10), function(b) as.integer(runif(n) < plogis(ability - b)))
  q[sample(length(q), 40)] <- NA; colnames(q) <- paste0("题", 1:10)
  save_example(data.frame(编号 = 1:n, q))
  m <- 90; s <- data.frame(replicate(4, sample(c(1:5, NA), m, TRUE, c(.1, .2, .3, .2, .1, .1))))
  names(s) <- paste0("态度", 1:4); s$意见 <- sample(c("同意", "反对", "4", NA), m, TRUE); s$温度 <- sample(c(-3.5, -1, 0, 2.25, NA), m, TRUE)
  s[7, ] <- NA; save_example(s, "oracle-survey.csv")
}
one <- function(name, form, frame, variables, hit, shown, data = NULL) {
  x <- frame[variables]; n <- nrow(x); gone <- is.na(x); also <- isTRUE(form$include_missing)
  h <- sapply(x, hit) & !gone; if (also) h <- h | gone
  counts <- rowSums(h); f <- table(counts); new <- if (is.null(form$name)) "计数" else form$name
  rows <- lapply(seq_along(f), function(i) block("frequencies", list(times = as.integer(names(f)[i])), times = as.integer(names(f)[i]), n = f[[i]], share = f[[i]] / n,
    running = sum(f[1:i]) / n))
  each <- lapply(variables, function(v) block("each", list(variable = v), hits = sum(h[, v]), valid = sum(!gone[, v]), missing = sum(gone[, v])))
  says <- list(fact("出现的次数", variables = length(variables), mean = mean(counts), least = min(counts), most = max(counts), rows = n),
    fact("一次也没有", none = sum(counts == 0)))
  if (any(gone) && !also) says <- c(says, list(fact("缺失的格没有计数", gaps = sum(rowSums(gone) > 0))))
  case(name, c(list(variables = as.list(variables)), form), c(list(block("result", list(name = new, values = shown), rows = n,
    variables = length(variables), cells = sum(h), none = sum(counts == 0), gaps = sum(rowSums(gone) > 0), mean = mean(counts),
    least = min(counts), most = max(counts))), rows, each, list(record("行内计数", n, ncol(frame) + 1, c(n, ncol(frame))))), says, data = data,
    measures = c(setNames(as.list(rep("定量", sum(sapply(frame, is.numeric)))), names(frame)[sapply(frame, is.numeric)]),
      if ("意见" %in% names(frame)) list(意见 = "定类")))
}
x <- example(); s <- example("oracle-survey.csv"); s[s == ""] <- NA
items <- paste0("题", 1:10); four <- paste0("态度", 1:4)
oracle("R 4.2.2: %in%, rowSums(), table()", list(
  one("答对题数", list(values = "1"), x, items, function(v) v %in% 1, "1"),
  one("答错或未答", list(values = "0", include_missing = TRUE, name = "失分题"), x, items, function(v) v %in% 0, "0、缺失"),
  one("高分区间", list(values = "4～5"), s, four, function(v) v >= 4 & v <= 5, "4～5", "oracle-survey.csv"),
  one("文字和数值", list(values = "4, 同意"), s, c(four, "意见"), function(v) as.character(v) %in% c("4", "同意"), "4、同意", "oracle-survey.csv"),
  one("负数和重叠", list(values = "-3.5至-1，-1，2.250"), s, c("温度", four), function(v) (v >= -3.5 & v <= -1) | v %in% c(-1, 2.25), "-3.5至-1、-1、2.250",
    "oracle-survey.csv")))
