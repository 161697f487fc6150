# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2, jsonlite; PSPP 1.6.2 checks the weighted counts)
# Counts by xtabs/table, Wilson intervals by prop.test(correct = FALSE), classes by hist().
suppressMessages(library(jsonlite))
invisible(Sys.setlocale("LC_ALL", "C.UTF-8"))

hair <- read.csv("example.csv")
set.seed(7)
n <- 320
mixed <- data.frame(
  收入 = round(exp(rnorm(n, 8.5, 0.5)), 1), 子女数 = sample(c(0:3, NA), n, TRUE, c(.3, .35, .2, .1, .05)),
  满意 = ifelse(runif(n) < .25, "", sample(c("满意", "一般", "不满意"), n, TRUE, c(.5, .3, .2))),
  批次 = "甲", 班组 = rep(c("一班", "二班"), n / 2), 权重 = rep(c(0.5, 1.25), each = n / 2))
write.csv(mixed, "oracle-mixed.csv", row.names = FALSE, quote = FALSE, na = "")
mixed <- read.csv("oracle-mixed.csv", na.strings = "")

block <- function(.table, .where, ...) list(table = .table, where = .where, cells = lapply(list(...), unname))
wilson <- function(x, n, level) suppressWarnings(prop.test(x, n, conf.level = level, correct = FALSE)$conf.int)

counts <- function(name, x, w, show, level, order = "value", labels = unique(na.omit(x))) {
  base <- sum(w); held <- !is.na(x); valid <- sum(w[held])
  f <- sapply(labels, function(l) sum(w[held & x == l]))
  if (order == "desc") o <- order(-f) else if (order == "asc") o <- order(f) else o <- seq_along(f)
  labels <- labels[o]; f <- f[o]; cum <- cumsum(f) / valid
  out <- list()
  for (i in seq_along(f)) {
    where <- list(name = name, level = as.character(labels[i]))
    out <- c(out, list(block("counts", where, n = f[i], percent = f[i] / base, valid = f[i] / valid, cumulative = cum[i])))
    if (!is.null(level)) { ci <- wilson(f[i], valid, level)
      out <- c(out, list(block("intervals", where, share = f[i] / valid, low = ci[1], high = ci[2]))) }
  }
  lost <- base - valid
  if (show && lost > 0) out <- c(out, list(block("counts", list(name = name, level = "缺失"), n = lost, percent = lost / base)))
  whole <- if (show) base else valid
  c(out, list(block("counts", list(name = name, level = "合计"), n = whole, percent = whole / base, valid = 1),
              block("summary", list(variable = name), valid = sum(held), missing = sum(!held), weighted = valid, lost = lost, lost_share = lost / base, levels = length(f))))
}

classes <- function(name, x) {
  raw <- 2 * IQR(x) / length(x)^(1 / 3); base <- 10^floor(log10(raw))
  width <- base * c(1, 2, 5, 10)[which(base * c(1, 2, 5, 10) >= raw * .999)[1]]
  edges <- seq(floor(min(x) / width), ceiling(max(x) / width)) * width
  h <- hist(x, breaks = edges, right = FALSE, include.lowest = TRUE, plot = FALSE)
  out <- list(); k <- length(h$counts)
  for (i in seq_len(k)) {
    label <- sprintf("[%g, %g%s", edges[i], edges[i + 1], if (i == k) "]" else ")")
    out <- c(out, list(block("counts", list(name = name, level = label), n = h$counts[i], percent = h$counts[i] / length(x),
                             valid = h$counts[i] / length(x), cumulative = cumsum(h$counts)[i] / length(x))))
  }
  c(out, list(block("summary", list(variable = name), valid = length(x), missing = 0, weighted = length(x), lost = 0, lost_share = 0, levels = length(unique(x))),
              list(table = "bins", where = setNames(list(), character()), at = name, count = k, sums = list(n = length(x)),
                   cells = setNames(list(), character()))))
}

pspp_agrees <- function() {
  syntax <- tempfile(fileext = ".sps"); out <- tempfile(fileext = ".csv")
  writeLines(c("SET DECIMAL=DOT.", "DATA LIST FREE /a b c w.", "BEGIN DATA.",
    paste(match(hair$发色, unique(hair$发色)), match(hair$眼色, unique(hair$眼色)), match(hair$性别, unique(hair$性别)), hair$人数),
    "END DATA.", "WEIGHT BY w.", "FREQUENCIES a."), syntax)
  if (system2("pspp", c("-O", "format=csv", "-o", out, syntax), stdout = NULL) != 0) stop("PSPP failed")
  rows <- strsplit(grep("^(Valid)?,[1-4]\\.00,", readLines(out), value = TRUE), ",")
  got <- as.numeric(sapply(rows, `[`, 3))
  stopifnot(all.equal(got, as.numeric(xtabs(人数 ~ factor(发色, unique(发色)), hair))))
}
pspp_agrees()

w <- hair$人数
hair_numbers <- c(counts("发色", hair$发色, w, TRUE, .95), counts("眼色", hair$眼色, w, TRUE, .95), counts("性别", hair$性别, w, TRUE, .95),
  list(block("ranked", list(level = "棕"), n = 286, cumulative = 286 / 592)))
hair_numbers[[length(hair_numbers)]]$at <- "发色"
one <- rep(1, n)
fact <- function(contains, ...) list(contains = contains, facts = list(...))
all_charts <- c("bar", "pie", "ring", "pareto", "hist")
brown <- wilson(286, 592, .95)

cases <- list(
  list(name = "发色、眼色、性别，按人数加权", form = list(variables = c("发色", "眼色", "性别"), weight = "人数", conf_interval = TRUE, chart = all_charts),
    expect = hair_numbers,
    says = list(fact("“发色”中最多的是“棕”", n_0 = 286, share_0 = 286 / 592, low_0 = brown[1], high_0 = brown[2], n_1 = 220, n_2 = 313),
      fact("加权后有 {valid:integer} 例有效", n = 286), fact("按权重合计", s1 = 286 / 592), "“发色”中最多的是“棕”，{n:integer} 例",
      "没有缺失值", "百分比的分母是全部个案", "为行数；加权N", "n 为有效个案数", "“直方图”未给出", "“发色”", "“眼色”", "“性别”")),
  list(name = "混合变量，降序", form = list(variables = c("收入", "子女数", "满意"), sort = "count_desc", max_levels = 200, chart = all_charts),
    data = "oracle-mixed.csv", measures = list(收入 = "定量", 子女数 = "定量", 满意 = "定类"),
    expect = c(classes("收入", mixed$收入), counts("子女数", mixed$子女数, one, TRUE, NULL, "desc", 0:3), counts("满意", mixed$满意, one, TRUE, NULL, "desc")),
    says = list(fact("“收入”最集中的一组是", n_2 = max(table(mixed$满意))), "另有 {lost:integer} 例缺失", "缺失 {lost:integer} 例",
      fact("缺失最多的是“满意”", lost = sum(is.na(mixed$满意)), share = mean(is.na(mixed$满意))), "缺失较多", "组距 {width:num}", "已按组距",
      "缺失的行不计入", "“收入”", "“子女数”", "“满意”")),
  list(name = "不列缺失，升序，99%", form = list(variables = c("满意"), sort = "count_asc", show_missing = FALSE, conf_interval = TRUE, conf_level = .99, chart = list("pareto")),
    data = "oracle-mixed.csv", measures = list(收入 = "定量", 子女数 = "定量", 满意 = "定类"),
    expect = counts("满意", mixed$满意, one, FALSE, .99, "asc"),
    says = list("“满意”", "百分比的分母是全部个案，有效", fact("另有 {lost_0:integer} 例缺失", share_0 = max(table(mixed$满意)) / sum(!is.na(mixed$满意))))),
  list(name = "一个取值、并列、带小数的权重", form = list(variables = c("批次", "班组"), weight = "权重", chart = list()),
    data = "oracle-mixed.csv", measures = list(收入 = "定量", 批次 = "定类", 班组 = "定类"),
    expect = c(counts("批次", mixed$批次, mixed$权重, TRUE, NULL), counts("班组", mixed$班组, mixed$权重, TRUE, NULL)),
    says = list(fact("只有一个取值", n_0 = sum(mixed$权重)), "频数相同", "“批次”", "“班组”"))
)
writeLines(toJSON(list(
  sources = c("R 4.2.2: table, xtabs, hist, prop.test(correct = FALSE)", "PSPP 1.6.2: FREQUENCIES with WEIGHT BY（在脚本中比对）"),
  cases = cases, unverified = list()), auto_unbox = TRUE, digits = NA, pretty = 1))
