# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2: merge(), match())
source("../../../../tools/steps.R")
if (!file.exists("example.csv")) {
  set.seed(51); n <- 80
  d <- data.frame(学号 = sprintf("S%03d", 1:n), 班级 = sample(c("一班", "二班", "三班"), n, TRUE), 入学年 = sample(2021:2024, n, TRUE))
  d$学号[c(13, 40)] <- NA
  s <- data.frame(学号 = sample(sprintf("S%03d", 1:95), 70), 科目 = "数学", 分数 = round(rnorm(70, 75, 10)), 班级 = "待定")
  s <- rbind(s, transform(s[sample(70, 30), ], 科目 = "语文", 分数 = 分数 - 3)); s$分数[c(5, 50)] <- NA; s$学号[9] <- NA
  save_example(d); save_example(s[sample(nrow(s)), ], "scores.csv")
  save_example(data.frame(班级 = c("一班", "二班", "四班"), 入学年 = c(2021, 2022, 2021), 班主任 = c("王", "李", "赵")), "teachers.csv")
}
x <- example(); x[x == ""] <- NA; s <- example("scores.csv"); s[s == ""] <- NA; t <- example("teachers.csv"); n <- nrow(x)
key <- function(d, by) { k <- do.call(paste, c(d[by], sep = "\r")); k[!complete.cases(d[by])] <- NA; k }
one <- function(name, other, file, how, form, by, says, extra = NULL) {
  a <- key(x, by); b <- key(other, by)
  met <- !is.na(a) & a %in% b; theirs <- !is.na(b) & b %in% a
  rest <- setdiff(names(other), by)
  row <- function(i, j) cbind(x[i, , drop = FALSE], setNames(other[j, rest, drop = FALSE], ifelse(rest %in% names(x), paste0(rest, "_2"), rest)))
  i <- unlist(lapply(seq_len(n), function(r) { h <- if (is.na(a[r])) integer() else which(b == a[r]); if (length(h)) rep(r, length(h)) else if (how %in% c("left", "outer", "anti")) r }))
  j <- unlist(lapply(seq_len(n), function(r) { h <- if (is.na(a[r])) integer() else which(b == a[r]); if (length(h)) h else if (how %in% c("left", "outer", "anti")) NA_integer_ }))
  if (how %in% c("outer", "right")) { i <- c(i, rep(NA, sum(!theirs))); j <- c(j, which(!theirs)) }
  if (how == "anti") { i <- i[is.na(j)]; j <- j[is.na(j)] }
  # The counts are also R's merge() of the rows whose keys are whole.
  whole <- merge(cbind(x[!is.na(a), ], .k = a[!is.na(a)]), cbind(other[!is.na(b), ], .k = b[!is.na(b)]), by = ".k")
  if (how == "inner") stopifnot(nrow(whole) == length(i))
  made <- row(i, j); added <- if (how == "anti") 0 else length(rest) + (how != "inner")
  list_of <- if (how == "anti") made[by] else made[setdiff(names(made), names(x))]
  if (!how %in% c("anti", "inner")) list_of[["_merge"]] <- factor(ifelse(is.na(i), "仅另表", ifelse(is.na(j), "仅本表", "两表匹配")))
  twice <- function(k) sum(table(k) > 1)
  counts <- list(left = n, right = nrow(other), matched = sum(met), left_only = sum(!met), right_only = sum(!theirs),
    left_repeated = twice(a), right_repeated = twice(b), rows = length(i), added = added)
  shown <- function(d, r) apply(d[r, by, drop = FALSE], 1, function(v) paste(ifelse(is.na(v), "缺失", trimws(v)), collapse = "，"))
  samples <- function(side, d, r) if (length(r)) { r <- head(r, 20); k <- shown(d, r); lapply(seq_along(r), function(q) block("samples", list(side = side, key = unname(k[q]), row = r[q]), row = r[q])) }
  lead <- if (how == "anti") list(left = n, left_only = sum(!met), rows = length(i)) else list(left = n, matched = sum(met), rows = length(i), added = added)
  c(case(name, c(list(right = list(vid = 2), how = how, keys = lapply(by, function(k) list(left = k, right = paste0("c", match(k, names(other)))))), form),
    c(list(do.call(block, c(list("result", list()), counts))), samples("仅本表", x, which(!met)), samples("仅另表", other, which(!theirs)),
      listed(list_of, "分数"), list(record("横向合并文件", length(i), ncol(x) + added, c(n, ncol(x))))),
    c(list(list(contains = says, facts = lead)), if (how == "anti") list("核对漏录") else list(fact("未匹配：仅本表", left_only = sum(!met), right_only = sum(!theirs))), extra(counts)),
    measures = list(学号 = "文本", 班级 = "定类", 入学年 = "定量")),
    list(datasets = list(right = list(list(vid = 2, data = file, measures = if (file == "scores.csv") list(学号 = "文本", 科目 = "定类", 班级 = "定类") else list(班级 = "定类", 入学年 = "定量"))))))
}
repeated <- function(k) list(fact("不止一行，本表的行会因此重复", right_repeated = k$right_repeated))
none <- function(k) list()
aside <- function() { rest <- names(s); m <- max(n, nrow(s)); made <- setNames(s[seq_len(m), ], ifelse(rest %in% names(x), paste0(rest, "_2"), rest))
  made[["_merge"]] <- factor(ifelse(seq_len(m) <= n, "两表匹配", "仅另表"))
  c(case("按行号", list(right = list(vid = 2), how = "cross_row"), c(list(block("result", list(), left = n, right = nrow(s), matched = n, left_only = 0,
    right_only = nrow(s) - n, left_repeated = 0, right_repeated = 0, rows = m, added = 5)), listed(made, "分数"), list(record("横向合并文件", m, ncol(x) + 5, c(n, ncol(x))))),
    list(fact("并排，合并后", rows = m, added = 5), "按行号并排要求", "按行号并排时没有关键字", fact("两表行数不同", left = n, right = nrow(s))), measures = list(学号 = "文本", 班级 = "定类", 入学年 = "定量")),
    list(datasets = list(right = list(list(vid = 2, data = "scores.csv", measures = list(学号 = "文本", 科目 = "定类", 班级 = "定类")))))) }
oracle("R 4.2.2: merge(), match(), table()", list(
  one("左连接", s, "scores.csv", "left", list(), "学号", "中找到匹配，合并后", repeated),
  one("内连接", s, "scores.csv", "inner", list(validate = "one_to_many"), "学号", "中找到匹配，合并后", repeated),
  one("全连接", s, "scores.csv", "outer", list(), "学号", "中找到匹配，合并后", repeated),
  one("右连接", s, "scores.csv", "right", list(), "学号", "中找到匹配，合并后", repeated),
  one("本表独有", s, "scores.csv", "anti", list(), "学号", "中没有匹配，已留下", none),
  one("两个关键字", t, "teachers.csv", "left", list(validate = "many_to_one"), c("班级", "入学年"), "中找到匹配，合并后", none),
  aside()))
