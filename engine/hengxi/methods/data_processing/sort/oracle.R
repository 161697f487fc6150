# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2: order(), a stable radix sort; stringi's ICU for pinyin)
source("../../../../tools/steps.R")
if (!file.exists("example.csv")) {
  set.seed(41); n <- 120
  d <- data.frame(编号 = 1:n, 姓名 = sample(c("王芳", "李伟", "张敏", "刘洋", "陈静", "杨磊", "赵强", "黄丽", "周杰", "吴娜"), n, TRUE),
    学院 = sample(c("文学院", "理学院", "商学院", NA), n, TRUE, c(.3, .3, .3, .1)), 成绩 = sample(c(55:99, NA), n, TRUE),
    交卷日期 = format(as.Date("2025-06-01") + sample(0:20, n, TRUE)))
  save_example(d)
}
x <- example(); x[x == ""] <- NA
n <- nrow(x)
one <- function(name, form, words, order, keys, cell, missing = rep(FALSE, n), first = "最后") {
  same <- do.call(paste, c(lapply(keys, function(k) ifelse(is.na(k), "?", as.character(k))), sep = "\r"))
  ties <- sum(same %in% same[duplicated(same)]); moved <- sum(order != seq_len(n))
  top <- lapply(1:20, function(i) block("top", list(now = as.character(i)), row = order[i]))
  says <- list(
    fact(paste0("按", words, "排列了"), rows = n, moved = moved), fact("换了位置", rows = n, moved = moved),
    if (ties > 0) fact("保持原来的先后", ties = ties) else "排序只改变行的先后",
    if (any(missing)) fact(paste0("有缺失，放在", first), missing = sum(missing)) else "排序只改变行的先后")
  case(name, form, c(list(block("result", list(keys = words), rows = n, moved = moved, ties = ties, missing = sum(missing))), top,
    list(record("数据排序", n, ncol(x), c(n, ncol(x))))), says, measures = list(学院 = "定类", 姓名 = "定类"))
}
pinyin <- stringi::stri_rank(x$姓名, locale = "zh@collation=pinyin")
oracle(c("R 4.2.2: order()", "stringi (ICU) collation=pinyin"), list(
  one("成绩降序", list(keys = list("成绩"), orders = list(list(`for` = "成绩", direction = "desc"))), "成绩（降序）",
    order(is.na(x$成绩), -x$成绩), list(x$成绩), missing = is.na(x$成绩)),
  one("姓名拼音再成绩", list(keys = list("姓名", "成绩"), na_position = "first"), "姓名（升序）、成绩（升序）",
    order(pinyin, !is.na(x$成绩), x$成绩), list(x$姓名, x$成绩), missing = is.na(x$成绩), first = "最前"),
  one("日期降序再编号", list(keys = list("交卷日期", "编号"), orders = list(list(`for` = "交卷日期", direction = "desc"))),
    "交卷日期（降序）、编号（升序）", order(-as.numeric(as.Date(x$交卷日期)), x$编号), list(x$交卷日期, x$编号)),
  one("编码次序", list(keys = list("姓名"), collation = "binary"), "姓名（升序）",
    order(sapply(x$姓名, function(s) paste(sprintf("%06x", utf8ToInt(s)), collapse = ""))), list(x$姓名))))
