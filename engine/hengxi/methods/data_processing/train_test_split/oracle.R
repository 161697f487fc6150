# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2: table, round, order; which rows are drawn is chance, how many is not)
source("../../../../tools/steps.R")
if (!file.exists("example.csv")) {
  set.seed(61); id <- rep(1:100, each = 4); n <- length(id)
  save_example(data.frame(客户 = paste0("K", sprintf("%03d", id)), 天次 = sample(1:90, n, TRUE), 金额 = round(rlnorm(n, 4, .6), 1),
    次数 = rpois(n, 3), 流失 = sample(c("是", "否"), n, TRUE, c(.2, .8))))
}
x <- example(); n <- nrow(x); parts <- c("训练", "验证", "测试")
kinds <- list(天次 = "时间", 客户 = "定类")
count <- function(size, cuts) diff(c(0, round(size * cuts), size))
run <- function(name, form, counts, says, labels = parts, shown = counts > 0, strata = NULL, groups = NULL, added = 1, rows = n, facts = list(), skipped = is.null(strata)) {
  out <- lapply(which(shown), function(i) do.call(block, c(list("result", list(part = labels[i]), n = counts[i], share = counts[i] / sum(counts)), if (!is.null(groups)) list(groups = groups[i]))))
  if (!is.null(strata)) for (l in rownames(strata)) out <- c(out, list(do.call(block, c(list("composition", list(level = l)), setNames(as.list(strata[l, shown]), paste0("n@", labels[shown])),
    setNames(as.list(strata[l, shown] / counts[shown]), paste0("share@", labels[shown]))))))
  out <- c(out, list(record("数据集拆分", rows, ncol(x) + added, c(n, ncol(x)))))
  lead <- if (length(labels) == 3) fact("行拆成训练", rows = n, train = counts[1], valid = counts[2], test = counts[3]) else fact("每折", rows = n, k = length(counts), least = min(counts), most = max(counts))
  case(name, form, out, c(list(lead), if (skipped) "放入分层变量后", says), measures = kinds) }
two <- function(p) c(p, p); s <- table(x$流失); per <- function(cuts) t(sapply(c(names(s)), function(l) count(s[[l]], cuts)))
time <- function(cuts) { t <- x$天次; o <- sort(t); code <- rowSums(sapply(cuts, function(p) { k <- round(n * p); a <- sum(t < o[k + 1]); b <- sum(t <= o[k + 1]); t >= o[(if (b == n || (a > 0 && k - a <= b - k)) a else b) + 1] })); list(n = tabulate(code + 1, 3), s = t(sapply(names(s), function(l) tabulate(code[x$流失 == l] + 1, 3)))) }
tm <- time(c(.6, .8)); st <- per(two(.7)); sv <- per(c(.6, .8)); keep <- "只能由训练行求得"
fold <- function(size, k) sapply(1:k, function(i) sum((seq_len(size) - 1) %% k == i - 1))
oracle("R 4.2.2: table(), round(), order(); written out", list(
  run("随机", list(method = "random"), count(n, two(.7)), list(keep, "同一个人有几行")), run("随机验证", list(method = "random", train = .6, valid = .2), count(n, c(.6, .8)), list(keep)),
  run("分层", list(method = "stratified", strata = "流失"), colSums(st), list(keep), strata = st), run("分层验证", list(method = "stratified", strata = "流失", train = .6, valid = .2), colSums(sv), list(keep), strata = sv),
  run("按组", list(method = "group", group = "客户"), c(280, 0, 120), list("不会分在两边"), groups = c(70, 0, 30)),
  run("按组验证", list(method = "group", group = "客户", train = .6, valid = .2), c(240, 80, 80), list("不会分在两边"), groups = c(60, 20, 20)),
  run("按时间", list(method = "time", time = "天次", strata = "流失", train = .6, valid = .2), tm$n, list("适合预测未来"), strata = tm$s),
  run("只留测试", list(method = "random", output = "test"), count(n, two(.7)), list("再做一次"), added = 0, rows = n - round(n * .7)),
  run("五折", list(method = "kfold"), fold(n, 5), list("所有的折都测过一遍"), paste("第", 1:5, "折")),
  run("七折分组", list(method = "kfold", k = 7, group = "客户"), 4 * c(15, 15, rep(14, 5)), list("所有的折都测过一遍"), paste("第", 1:7, "折"), groups = c(15, 15, rep(14, 5)))))
