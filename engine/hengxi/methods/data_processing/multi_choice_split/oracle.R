# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2: strsplit, table)
source("../../../../tools/steps.R")
if (!file.exists("example.csv")) {
  set.seed(85); n <- 400; fruit <- c("苹果", "香蕉", "橙子", "葡萄", "西瓜", "杨桃")
  pick <- function(all, p) { z <- all[runif(length(all)) < p]; if (runif(1) < .04) z <- c(z, sample(c("其他〖榴莲〗", "其他:荔枝", "其他"), 1)); if (length(z)) paste(z, collapse = "\u250b") else "(跳过)" }
  a <- replicate(n, pick(fruit, c(.6, .5, .4, .35, .5, .01))); a[sample(n, 10)] <- NA
  b <- replicate(n, paste(sort(sample(c(1, 2, 3, 5), sample(1:4, 1))), collapse = ","))
  write.csv(data.frame(编号 = 1:n, 喜爱的水果 = a, 购买渠道 = b, 性别 = sample(c("男", "女"), n, TRUE)), "example.csv", row.names = FALSE, na = "")
}
x <- example(); n <- nrow(x)
# `options`: named by what the data hold, labels as values.
one <- function(name, form, parts, told = list()) {
  total <- list(options = 0, chosen = 0); gaps <- 0; extra <- 0; rows <- list()
  for (v in names(parts)) {
    p <- parts[[v]]; s <- x[[v]]; answered <- !(is.na(s) | s %in% c("", "(跳过)"))
    picked <- lapply(strsplit(s, p$sign, fixed = TRUE), function(z) unique(p$read(z))); hits <- sapply(names(p$options), function(o) sapply(picked, function(z) o %in% z) & answered)
    counts <- colSums(hits); sum_of <- sum(counts)
    rows <- c(rows, list(block("result", list(variable = v, sign = p$sign), answered = sum(answered), gaps = sum(!answered), options = length(counts), chosen = sum_of, mean = sum_of / sum(answered), merged = if (is.null(p$merged)) 0 else p$merged)),
      lapply(seq_along(counts), function(i) block("frequencies", list(variable = v, option = p$options[[i]]), n = counts[[i]], share = counts[[i]] / sum_of, cases = counts[[i]] / sum(answered))))
    total$options <- total$options + length(counts); total$chosen <- total$chosen + sum_of; gaps <- gaps + sum(!answered); extra <- extra + length(counts) + isTRUE(p$texts)
  }
  case(name, c(list(variables = as.list(names(parts))), form), c(rows, list(record("多选题拆分", n, ncol(x) + extra, c(n, ncol(x))))),
    c(list(list(contains = "个选项列，共", facts = total), if (gaps > 0) fact("行没有作答", gaps = gaps) else "组成一个多选题集"), told), measures = list(喜爱的水果 = "文本", 购买渠道 = "文本"))
}
same <- function(z) setNames(as.list(z), z)
other <- function(z) sub("^其他.*$", "其他", z)
seen <- unique(unlist(strsplit(x$喜爱的水果[!is.na(x$喜爱的水果) & x$喜爱的水果 != "(跳过)"], "\u250b", fixed = TRUE))); plain <- setdiff(seen[!grepl("^其他", seen) & seen != ""], "")
times <- table(unlist(strsplit(x$喜爱的水果, "\u250b", fixed = TRUE))); rare <- names(times)[times < 10 & names(times) %in% plain]
fruit <- list(sign = "\u250b", read = other, options = same(c(plain, "其他")), texts = TRUE)
channel <- list(sign = ",", read = identity, options = same(c("1", "2", "3", "5")))
listed <- list(sign = ",", read = identity, options = list(`1` = "超市", `2` = "网店", `4` = "批发"))
oracle("R 4.2.2: strsplit(), table()", list(
  one("水果", list(), list(喜爱的水果 = fruit)),
  one("两道题", list(coding = "yesno"), list(喜爱的水果 = fruit, 购买渠道 = channel)),
  one("并入其他", list(min_freq = 10, delimiter = "\u250b"), list(喜爱的水果 = list(sign = "\u250b", read = function(z) ifelse(other(z) %in% rare, "其他", other(z)), options = same(c(setdiff(plain, rare), "其他")), texts = TRUE, merged = length(rare)))),
  one("清单", list(options = "1=超市；2＝网店；4=批发", delimiter = ","), list(购买渠道 = listed), list(fact("不在选项清单里", n = sum(unlist(strsplit(x$购买渠道, ",")) %in% c("3", "5")))))))
