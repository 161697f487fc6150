# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2, jsonlite; PSPP 1.6.2 checks the weighted counts)
# Multiple answers: colSums and shares by hand, their intervals by prop.test.
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

# A question of four options, one of which nobody knows in some rows; 15 people answered none of it, some chose nothing.
set.seed(31)
m <- 160
picked <- sapply(c(微信 = .7, 微博 = .35, 抖音 = .5, 电视 = .06), function(p) rbinom(m, 1, p))
picked[1:15, ] <- NA; picked[16:22, 4] <- NA
answers <- data.frame(picked, 性别 = sample(c("男", "女"), m, TRUE), 人数 = sample(1:4, m, TRUE))
names(answers)[1:4] <- paste0("渠道(", colnames(picked), ")")
first <- sample(c(1, 2, 3, NA), m, TRUE); second <- ifelse(is.na(first), NA, sample(c(1, 2, 3, NA), m, TRUE))
answers$第一选 <- first; answers$第二选 <- second
write.csv(answers, "oracle-answers.csv", row.names = FALSE, quote = FALSE, na = "")
answers <- read.csv("oracle-answers.csv", na.strings = "", check.names = FALSE)
chosen_of <- function() { p <- as.matrix(answers[1:4]); k <- p == 1 & !is.na(p); colnames(k) <- colnames(picked); k }
choices <- function(name, k, base, w, level, order = seq_len(ncol(k))) {
  n <- sapply(seq_len(ncol(k)), function(j) sum(w[base & k[, j]])); whole <- sum(w[base]); out <- list()
  for (j in order) {
    cells <- list(n = n[j], responses = n[j] / sum(n), cases = n[j] / whole)
    if (!is.null(level)) { ci <- wilson(n[j], whole, level); cells <- c(cells, list(low = ci[1], high = ci[2])) }
    out <- c(out, list(c(list(table = "choices", where = list(name = name, level = colnames(k)[j])), list(cells = cells)),
      list(table = "reach", where = list(level = colnames(k)[j]), at = name, cells = list(cases = n[j] / whole))))
  }
  c(out, list(list(table = "choices", where = list(name = name, level = "合计"), cells = list(n = sum(n), responses = 1, cases = sum(n) / whole)),
    list(table = "respondents", where = list(name = name), cells = list(base = whole, outside = sum(w[!base]), responses = sum(n), mean = sum(n) / whole))))
}
k <- chosen_of(); answered <- rowSums(!is.na(answers[1:4])) > 0; ones <- rep(1, m); n_of <- colSums(k[answered, ])
items <- paste0("渠道(", colnames(picked), ")")
channel <- list(set = "s1", name = "渠道", columns = items, counted = 1)
ranks <- sapply(1:3, function(v) rowSums(answers[c("第一选", "第二选")] == v, na.rm = TRUE) > 0); colnames(ranks) <- 1:3
ranked_set <- list(set = "s2", name = "前两选", columns = c("第一选", "第二选"), counted = NA)
kinds <- as.list(setNames(rep("定类", 6), c(items, "第一选", "第二选")))
at_most <- max(n_of)

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
    says = list(fact("只有一个取值", n_0 = sum(mixed$权重)), "频数相同", "“批次”", "“班组”")),
  list(name = "多选题，答过的人为基数", form = list(variables = list(channel), conf_interval = TRUE, chart = list("bar")),
    data = "oracle-answers.csv", measures = kinds, expect = choices("渠道", k, answered, ones, .95),
    says = list(fact("“渠道”中选得最多的是“微信”", n_0 = at_most, share_0 = at_most / sum(answered), base_0 = sum(answered), mean_0 = sum(n_of) / sum(answered)),
      fact("占答过这道题的人", responses = sum(n_of)), fact("普及率由高到低", n0 = sort(n_of, TRUE)[[1]], n1 = sort(n_of, TRUE)[[2]], s3 = min(n_of) / sum(answered)),
      fact("个个案不在基数里", outside = 15, share = 15 / m), "响应率 = 该项被选次数", "普及率的 CI 的置信水平", "部分选项空白的")),
  list(name = "多选题，加权，选了的人为基数，降序，并列的变量", form = list(variables = list(channel, "性别"), weight = "人数", set_base = "chosen", sort = "count_desc", chart = list("bar")),
    data = "oracle-answers.csv", measures = kinds, expect = c(choices("渠道", k, rowSums(k) > 0, answers$人数, NULL), counts("性别", answers$性别, answers$人数, TRUE, NULL, "desc")),
    says = list("占至少选了一项的人", "按权重合计，多选题", "多选题“渠道”以至少选了一项的人", "“性别”", "响应率 = 该项被选次数", "部分选项空白的", "个个案不在基数里", "没有缺失值", "百分比的分母是全部个案", "为行数；加权N",
      fact("选得最多的是“微信”", n_1 = sum(answers$人数[k[, 1]])))),
  list(name = "各列是答案本身的多选题，全部个案为基数", form = list(variables = list(ranked_set), set_base = "all", chart = list("bar")),
    data = "oracle-answers.csv", measures = kinds, expect = choices("前两选", ranks, rep(TRUE, m), ones, NULL),
    says = list("占全部个案", "多选题“前两选”以全部个案", "全部个案都在多选题的基数里", "响应率 = 该项被选次数", "部分选项空白的"))
)
writeLines(toJSON(list(
  sources = c("R 4.2.2: table, xtabs, hist, prop.test(correct = FALSE)", "PSPP 1.6.2: FREQUENCIES with WEIGHT BY（在脚本中比对）"),
  cases = cases, unverified = list()), auto_unbox = TRUE, digits = NA, na = "null", pretty = 1))
