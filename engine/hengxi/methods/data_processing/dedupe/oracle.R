# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2: duplicated(), table())
source("../../../../tools/steps.R")
if (!file.exists("example.csv")) {
  set.seed(42); n <- 190
  d <- data.frame(姓名 = sample(c("王芳", "李伟", "张敏", "刘洋", "陈静", "杨磊"), n, TRUE), 手机号 = paste0("138", sample(1e7:9e7, n)),
    金额 = sample(c(20:300, NA), n, TRUE), 渠道 = sample(c("网页", "微信", NA), n, TRUE, c(.5, .4, .1)))
  again <- d[sample(n, 10), ]; again$金额[1:4] <- again$金额[1:4] + 5
  d <- rbind(d, again); d <- d[sample(nrow(d)), ]
  save_example(d)
}
x <- example(); x[x == ""] <- NA; n <- nrow(x)
one <- function(name, form, keys, stays, rows = sum(stays), cols = ncol(x), says) {
  key <- do.call(paste, c(lapply(x[keys], function(k) ifelse(is.na(k), "?", as.character(k))), sep = "\r"))
  size <- table(key)[key]; again <- key %in% key[duplicated(key)]
  groups <- unique(key[again])
  result <- block("result", list(keys = paste(keys, collapse = "、")), rows = n, distinct = length(unique(key)), groups = length(groups),
    repeated = sum(again), removed = n - sum(stays), kept = sum(stays))
  lines <- function(r) if (length(r) == 0) "无" else paste0(paste(head(r, 10), collapse = "、"), if (length(r) > 10) paste0(" 等 ", length(r), " 行") else "")
  detail <- lapply(seq_along(head(groups, 100)), function(i) { r <- which(key == groups[i])
    block("detail", list(number = as.character(i), lines = lines(r), stays = lines(r[stays[r]])), n = length(r)) })
  facts <- list(rows = n, groups = length(groups), repeated = sum(again), removed = n - sum(stays))
  if (grepl("留下", says)) facts$kept <- sum(stays)
  case(name, form, c(list(result), detail, list(record("去除重复", rows, cols, c(n, ncol(x))))),
    list(list(contains = says, facts = facts), "先看明细表"), measures = list(渠道 = "定类", 姓名 = "定类", 手机号 = "文本"))
}
first <- !duplicated(x[c("姓名", "手机号")]); last <- !duplicated(x[c("姓名", "手机号")], fromLast = TRUE)
key <- paste(x$姓名, x$手机号)
most <- unlist(lapply(split(seq_len(n), key), function(r) r[order(is.na(x$金额[r]), -x$金额[r])][1]))
oracle("R 4.2.2: duplicated(), table(), order()", list(
  one("姓名和手机号", list(keys = list("姓名", "手机号")), c("姓名", "手机号"), first, says = "已删除，留下"),
  one("最后一条", list(keys = list("姓名", "手机号"), keep = "last"), c("姓名", "手机号"), last, says = "已删除，留下"),
  one("金额最大", list(keys = list("姓名", "手机号"), keep = "max", by = "金额"), c("姓名", "手机号"), seq_len(n) %in% most, says = "已删除，留下"),
  one("全部删除", list(keys = list("手机号"), keep = "none"), "手机号",
    !(x$手机号 %in% x$手机号[duplicated(x$手机号)]), says = "已删除，留下"),
  one("整行", list(keys = as.list(names(x))), names(x), !duplicated(x), says = "已删除，留下"),
  one("缺失相同", list(keys = list("姓名", "渠道"), action = "flag"), c("姓名", "渠道"), !duplicated(x[c("姓名", "渠道")]),
    rows = n, cols = ncol(x) + 2, says = "中标为 1，行数不变")))
