# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2; dplyr: bind_rows, rbind)
source("../../../../tools/steps.R")
suppressMessages(library(dplyr))
if (!file.exists("example.csv")) {
  set.seed(52)
  month <- function(n, from) data.frame(日期 = format(as.Date(from) + sample(0:27, n, TRUE)), 产品 = sample(c("甲", "乙", "丙"), n, TRUE),
    数量 = sample(c(1:9, NA), n, TRUE), 金额 = round(rlnorm(n, 5, .5), 1))
  a <- month(30, "2025-01-01"); b <- month(25, "2025-02-01"); c <- month(20, "2025-03-01")
  b$渠道 <- sample(c("线上", "门店"), 25, TRUE); c$数量 <- NULL
  save_example(a); save_example(b, "february.csv"); save_example(c, "march.csv")
  d <- month(12, "2025-04-01"); d$数量 <- paste0(d$数量, "件"); names(d) <- c("日期", "产品", "数量", "金额"); save_example(d, "april.csv")
}
read <- function(f) { d <- example(f); d[!is.na(d) & d == ""] <- NA; d }
x <- read("example.csv"); files <- list("february.csv", "march.csv", "april.csv")
one <- function(name, form, names, made, lacking, extra, conflicts, warn = NULL, cells = 0, quantities = c("数量", "金额")) {
  k <- length(names); labels <- c("本表", sub(".csv", "", names)); others <- lapply(names, read)
  made[["来源"]] <- rep(labels, c(nrow(x), sapply(others, nrow)))
  rows <- lapply(seq_along(labels), function(i) block("result", list(file = labels[i], lacking = lacking[i], extra = extra[i], conflicts = conflicts[i]),
    n = c(nrow(x), sapply(others, nrow))[i]))
  c(case(name, c(list(files = lapply(seq_len(k), function(i) list(vid = i + 1))), form), c(rows, list(block("total", list(), files = k, rows = nrow(made), columns_after = ncol(made))),
    listed(made, quantities), list(record("纵向追加文件", nrow(made), ncol(made), c(nrow(x), ncol(x)), cells = cells))),
    c(list(fact("份数据，现有", files = k, rows = nrow(made), columns_after = ncol(made)), "标出每一行来自哪份数据"), warn), measures = list(产品 = "定类", 日期 = "时间")),
    list(datasets = list(files = lapply(seq_len(k), function(i) list(vid = i + 1, data = names[[i]], measures = list(产品 = "定类", 渠道 = "定类", 日期 = "时间", 数量 = if (names[[i]] == "april.csv") "文本" else "定量"))))))
}
two <- files[1:2]
text <- lapply(list(x, read("april.csv")), function(d) transform(d, 数量 = ifelse(is.na(数量), NA, as.character(数量))))
oracle("dplyr: bind_rows(); rbind()", list(
  one("三个月", list(), two, bind_rows(x, read("february.csv"), read("march.csv")), c("渠道", "无", "数量、渠道"), c("数量", "数量、渠道", "无"), rep("无", 3)),
  one("共有的列", list(unmatched = "intersect", source_column = "来源"), two, bind_rows(x, read("february.csv"), read("march.csv"))[c("日期", "产品", "金额")],
    rep("无", 3), c("数量", "数量、渠道", "无"), rep("无", 3)),
  one("转为文本", list(conflict = "text"), files[3], bind_rows(text), rep("无", 2), rep("无", 2), rep("数量", 2),
    warn = list(fact("已转为文本", k = 1)), cells = sum(!is.na(bind_rows(text)$数量)), quantities = "金额")))
