# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2: written out; which rows are drawn is chance, how many and with what weight is not)
source("../../../../tools/steps.R")
if (!file.exists("example.csv")) {
  set.seed(83); n <- 500; class <- sample(rep(1:25, each = 20)); school <- c("文学院", "理学院", "工学院", "商学院", "艺术学院")[c(1, 2, 2, 3, 3, 3, 4, 4, 1, 3, 2, 4, 3, 1, 2, 3, 4, 2, 3, 1, 3, 2, 4, 3, 5)[class]]
  d <- data.frame(学院 = school, 班级 = paste0(class, "班"), 性别 = sample(c("男", "女"), n, TRUE), 成绩 = round(rnorm(n, 75, 9), 1), 规模 = round(rlnorm(n, 3, 1)) + 1); d$规模[7] <- 30000
  d$成绩[c(3, 50)] <- NA; save_example(d)
}
x <- example(); n <- nrow(x); strata <- table(factor(x$学院, unique(x$学院)))
share <- function(size, total) { e <- size * total / sum(size); g <- floor(e + 1e-9); o <- order(-(e - g), seq_along(e)); k <- total - sum(g); if (k > 0) g[o[1:k]] <- g[o[1:k]] + 1; g }
chance <- function(s, k) { sure <- rep(FALSE, length(s)); repeat { p <- ifelse(sure, 1, (k - sum(sure)) * s / sum(s[!sure])); if (!any(p >= 1 & !sure)) return(p); sure <- sure | p >= 1 } }
row <- function(name, N, m, w = N / m) do.call(block, c(list("result", list(stratum = name), population = N, sample = m, rate = m / N), if (is.null(w)) list() else list(weight = w)))
run <- function(name, way, form, rows, N, says, expect = list(), added = 1, distinct = NULL) case(name, form, c(rows, expect, list(record("抽样", N, ncol(x) + added, c(n, ncol(x))))),
  c(list(do.call(fact, c(list(paste0("按", way, "从")), list(rows = n, n = N, rate = N / n), if (is.null(distinct)) list() else list(distinct = distinct)))), says, if (is.null(form$compare)) "后给出对比"))
layers <- function(m) lapply(names(strata), function(s) row(s, strata[[s]], m[[s]]))
prop <- setNames(as.list(share(as.numeric(strata), 100)), names(strata)); equal <- setNames(as.list(rep(15, 5)), names(strata)); few <- share(as.numeric(strata), 5); low <- setNames(as.list(pmax(few, 1)), names(strata))
p <- chance(x$规模, 40); sure <- sum(p >= 1); h <- x[1:60, ]; m <- function(v) mean(v, na.rm = TRUE)
sex <- unique(x$性别)
oracle("R 4.2.2: table(), order(); inclusion probabilities written out", list(
  run("简单随机", "简单随机", list(), list(row("全部", n, 100)), 100, list("机会相同"), distinct = 100),
  run("简单行数", "简单随机", list(size_type = "count", size = 37), list(row("全部", n, 37)), 37, list("机会相同")),
  run("分层", "分层（按比例）", list(method = "stratified", strata = list("学院")), layers(prop), 100, list("比简单随机更稳定")),
  run("分层太少", "分层（按比例）", list(method = "stratified", strata = list("学院"), size = 5, size_type = "count"), layers(low), sum(unlist(low)), list("比简单随机更稳定", "已至少抽1个")),
  run("分层等量", "分层等量", list(method = "stratified_equal", strata = list("学院"), size_type = "count", size = 15), layers(equal), 75, list("各层行数相同")),
  run("系统", "系统", list(method = "systematic"), list(row("全部", n, 100)), 100, list("次序有周期")),
  run("整群", "整群", list(method = "cluster", cluster = "班级"), list(row("群", 25, 5), row("行", n, 100, 5)), 100, list("要考虑群", "抽中的群")),
  run("PPS", "PPS", list(method = "pps", weight = "规模", size_type = "count", size = 40), list(row("必定抽中", sure, sure, 1), row("按规模", n - sure, 40 - sure, NULL)), 40, list("规模大的更容易抽中", "权重各不相同")),
  run("有放回", "有放回", list(method = "bootstrap", size = 100), list(row("全部", n, n)), n, list("可能出现几次")),
  run("前N行", "前N行", list(method = "head", size_type = "count", size = 60, compare = list("性别", "成绩")), list(row("全部", n, 60, NULL)), 60, list("只适合试算"),
    c(lapply(sex, function(s) block("composition", list(variable = "性别", level = s), population = mean(x$性别 == s), sample = mean(h$性别 == s))),
      list(block("composition", list(variable = "成绩"), mean = m(x$成绩), mean_sample = m(h$成绩)))), added = 0)),
  unverified = list(list(what = "lead.distinct", reason = "how many rows differ in a draw with replacement is chance; a test counts them")))
