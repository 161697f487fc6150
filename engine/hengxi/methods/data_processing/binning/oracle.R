# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2: cut, quantile, kmeans; classInt for Jenks)
# ChiMerge, MDLP and the best-first tree are written out here once more, from their papers.
suppressMessages({library(jsonlite); library(classInt)})
invisible(Sys.setlocale("LC_ALL", "C.UTF-8"))
if (!file.exists("example.csv")) {
  set.seed(31); n <- 1000
  age <- round(pmin(pmax(rnorm(n, 41, 12), 18), 75)); income <- round(exp(rnorm(n, 8.9, 0.5)))
  p <- plogis(-1.2 - 0.05 * (age - 40) - 0.9 * (log(income) - 8.9) + 0.0025 * (age - 45)^2)
  bad <- ifelse(runif(n) < p, "是", "否"); income[sample(n, 25)] <- NA
  d <- data.frame(年龄 = age, 月收入 = income, 是否违约 = bad, 地区 = sample(c("东", "中", "西"), n, TRUE))
  write.csv(d, "example.csv", row.names = FALSE, quote = FALSE, na = "")
}
if (!file.exists("oracle-mtcars.csv")) write.csv(data.frame(油耗 = mtcars$mpg, 马力 = mtcars$hp), "oracle-mtcars.csv", row.names = FALSE)
x <- read.csv("example.csv"); m <- read.csv("oracle-mtcars.csv")
cells <- function(.table, .where, ...) list(table = .table, where = .where, cells = list(...))
num <- function(v) sapply(v, function(u) if (is.infinite(u)) ifelse(u < 0, "−∞", "+∞") else sub("\\.$", "", sub("(\\.[0-9]*?)0+$", "\\1", formatC(u, digits = 6, format = "g", flag = "#"), perl = TRUE)))

# Counts by cut(); ends = the bins' ends
binned <- function(v, ends, right = TRUE) cut(v, ends, right = right, include.lowest = TRUE, labels = FALSE)
label <- function(ends, right = TRUE) { k <- length(ends) - 1; a <- ends[-(k + 1)]; b <- ends[-1]; i <- seq_len(k)
  paste0(ifelse((!right | i == 1) & is.finite(a), "[", "("), num(a), ", ", num(b), ifelse((right | i == k) & is.finite(b), "]", ")")) }
table_of <- function(name, v, ends, right = TRUE) {
  code <- binned(v, ends, right); k <- length(ends) - 1; f <- as.vector(table(factor(code, 1:k))); all <- length(v)
  out <- lapply(1:k, function(i) { one <- list(n = f[i], percent = f[i] / all)
    if (is.finite(ends[i])) one$low <- ends[i]; if (is.finite(ends[i + 1])) one$high <- ends[i + 1]
    list(table = "bins", where = list(variable = name, bin = as.character(i), label = label(ends, right)[i]), cells = one) })
  gone <- sum(is.na(code))
  if (gone) out <- c(out, list(cells("bins", list(variable = name, bin = "缺失"), n = gone, percent = gone / all)))
  out
}
woe_of <- function(name, v, y, ends, event) {
  code <- binned(v, ends); k <- length(ends) - 1; out <- list(); total <- 0; adjusted <- 0
  ok <- !is.na(code); E <- sum(y[ok] == event); G <- sum(y[ok] != event)
  for (i in 1:k) { e <- sum(y == event & code == i, na.rm = TRUE); g <- sum(y != event & code == i, na.rm = TRUE)
    h <- if (e == 0 || g == 0) { adjusted <- adjusted + 1; .5 } else 0
    w <- log(((e + h) / E) / ((g + h) / G)); iv <- ((e + h) / E - (g + h) / G) * w; total <- total + iv
    out <- c(out, list(cells("target", list(variable = name, bin = label(ends)[i]), n = e + g, events = e, rate = e / (e + g), woe = w, iv = iv))) }
  out <- c(out, list(cells("target", list(variable = name, bin = "合计"), n = E + G, events = E, rate = E / (E + G), iv = total)))
  list(expect = out, adjusted = adjusted)
}
record <- function(rows, cols, added = 1, changed = 0) list(cells("record", list(method = "数据分箱"), rows_before = rows, rows_after = rows,
  columns_before = cols, columns_after = cols + added, cells = changed))
say <- function(name, way, v, ends, right = TRUE, ...) { f <- table(factor(binned(v, ends, right), seq_len(length(ends) - 1)))
  c(list(list(contains = paste0("“", name, "”按", way, "分成"), facts = list(k0 = length(f), least0 = min(f), most0 = max(f))),
    "分箱把数值换成有先后的类别", paste0("区间", if (right) "左开右闭" else "左闭右开")), list(...)) }
ends_of <- function(v, cuts) c(min(v, na.rm = TRUE), cuts, max(v, na.rm = TRUE))

mpg <- m$油耗
width <- ends_of(mpg, min(mpg) + diff(range(mpg)) / 4 * 1:3)
stopifnot(identical(as.vector(table(cut(mpg, 4))), c(10L, 13L, 5L, 4L)))
quart <- ends_of(mpg, quantile(mpg, c(.25, .5, .75), names = FALSE))
stopifnot(identical(as.vector(table(binned(mpg, quart))), c(8L, 9L, 8L, 7L)))
km_ends <- function(v, k) { set.seed(1); v <- v[!is.na(v)]  # the best of many starts
  centres <- sort(kmeans(v, k, nstart = 2000, iter.max = 300)$centers); ends_of(v, (centres[-1] + centres[-k]) / 2) }
km <- km_ends(mpg, 4); power <- m$马力; km7 <- km_ends(power, 7)
edges <- seq(min(power), max(power), length.out = 8)  # a single start from equal widths ends above
one <- kmeans(power, (edges[-1] + edges[-8]) / 2, iter.max = 300, algorithm = "Lloyd")
set.seed(1); stopifnot(one$tot.withinss > 1.01 * kmeans(power, 7, nstart = 2000, iter.max = 300)$tot.withinss)
jenks <- classIntervals(mpg, 4, style = "jenks")$brks
s <- ends_of(mpg, Filter(function(c) c > min(mpg) & c < max(mpg), mean(mpg) + sd(mpg) * (-2:2)))
income <- x$月收入; bad <- x$是否违约; age <- x$年龄
iq <- ends_of(income, quantile(income, 1:4 / 5, na.rm = TRUE, names = FALSE))

gini <- function(y) length(y) - sum(table(y)^2) / length(y)      # n × impurity
tree_cuts <- function(v, y, leaves) { least <- ceiling(.05 * length(v)) # best-first: always the split that lowers the impurity most
  parts <- list(rep(TRUE, length(v))); cuts <- c()
  while (length(parts) < leaves) {
    best <- list(gain = 1e-12)
    for (j in seq_along(parts)) { u <- sort(unique(v[parts[[j]]])); here <- gini(y[parts[[j]]])
      for (t in head(u, -1)) { l <- parts[[j]] & v <= t; r <- parts[[j]] & v > t; gain <- if (min(sum(l), sum(r)) < least) 0 else here - gini(y[l]) - gini(y[r])
        if (gain > best$gain + 1e-9) best <- list(gain = gain, j = j, l = l, r = r, cut = (t + u[match(t, u) + 1]) / 2) } }
    if (is.null(best$j)) break
    parts[[best$j]] <- best$l; parts <- c(parts, list(best$r)); cuts <- c(cuts, best$cut)
  }
  sort(cuts)
}
chi2 <- function(a, b) { t <- rbind(a, b); e <- outer(rowSums(t), colSums(t)) / sum(t); sum(((t - e)^2 / e)[e > 0]) }
chi_cuts <- function(v, y, k) { t <- unclass(table(v, y)); u <- sort(unique(v)); top <- u
  while (nrow(t) > k) { d <- sapply(1:(nrow(t) - 1), function(i) chi2(t[i, ], t[i + 1, ])); i <- which(d < min(d) + 1e-12)[1]
    t[i + 1, ] <- t[i, ] + t[i + 1, ]; t <- t[-i, , drop = FALSE]; top <- top[-i] }
  head(top, -1) }
ent <- function(y) { p <- table(y) / length(y); p <- p[p > 0]; -sum(p * log2(p)) }
mdl_cuts <- function(v, y) { u <- sort(unique(v)); n <- length(v); if (length(u) < 2) return(c())
  e <- sapply(head(u, -1), function(t) (sum(v <= t) * ent(y[v <= t]) + sum(v > t) * ent(y[v > t])) / n); t <- u[which.min(e)]
  a <- y[v <= t]; b <- y[v > t]; k <- length(unique(y)); k1 <- length(unique(a)); k2 <- length(unique(b))
  price <- log2(n - 1) + log2(3^k - 2) - (k * ent(y) - k1 * ent(a) - k2 * ent(b))
  if (ent(y) - min(e) <= price / n) return(c())
  c(mdl_cuts(v[v <= t], a), (t + u[which.min(e) + 1]) / 2, mdl_cuts(v[v > t], b)) }
tr <- ends_of(age, tree_cuts(age, bad, 4)); ch <- ends_of(age, chi_cuts(age, bad, 4)); md <- ends_of(age, mdl_cuts(age, bad))
w_iq <- woe_of("月收入", income, bad, iq, "是"); w_tr <- woe_of("年龄", age, bad, tr, "是")
w_ch <- woe_of("年龄", age, bad, ch, "是"); w_md <- woe_of("年龄", age, bad, md, "是")
adjusted <- function(w) if (w$adjusted) list(list(contains = "计算 WOE 时该箱两侧各加了 0.5", facts = list(k = w$adjusted))) else list()
event <- "事件为“是”。只数目标有值的行"
car <- function(name, form, ends, way, right = TRUE, extra = list()) list(name = name, data = "oracle-mtcars.csv",
  measures = list(油耗 = "定量", 马力 = "定量"), form = c(list(variables = I("油耗")), form),
  expect = c(table_of("油耗", mpg, ends, right), record(32, 2)), says = c(say("油耗", way, mpg, ends, right), extra))
risk <- function(name, form, v, column, ends, way, w) list(name = name, measures = list(年龄 = "定量", 月收入 = "定量", 是否违约 = "定类", 地区 = "定类"),
  form = c(list(variables = I(column)), form), expect = c(table_of(column, v, ends), if (!is.null(w)) w$expect, record(1000, 4)),
  says = c(say(column, way, v, ends), if (!is.null(w)) c(list(event), adjusted(w))))
regions <- ends_of(age, quantile(age, 1:3 / 4, names = FALSE))
mean_tree <- ends_of(age, { # one best split of income's squares
  ok <- !is.na(income); u <- sort(unique(age[ok])); sse <- sapply(head(u, -1), function(t) { l <- income[ok & age <= t]; r <- income[ok & age > t]
    if (min(length(l), length(r)) < ceiling(.05 * sum(ok))) return(Inf)
    sum((l - mean(l))^2) + sum((r - mean(r))^2) }); i <- which.min(sse); (u[i] + u[i + 1]) / 2 })
code <- binned(age, mean_tree)
cases <- list(
  risk("收入等频五箱与WOE", list(target = "是否违约", method = "quantile", n_bins = 5, woe = TRUE, event = "是"), income, "月收入", iq, "等频", w_iq),
  car("等宽", list(method = "width"), width, "等宽"),
  car("四分位", list(method = "quantile"), quart, "等频"),
  car("K均值", list(method = "kmeans"), km, " K-means "),
  list(name = "K均值七箱", data = "oracle-mtcars.csv", measures = list(油耗 = "定量", 马力 = "定量"),
    form = list(variables = I("马力"), method = "kmeans", n_bins = 7),
    expect = c(table_of("马力", power, km7), record(32, 2)), says = say("马力", " K-means ", power, km7)),
  car("自然断点", list(method = "jenks"), jenks, "自然断点"),
  car("均值标准差", list(method = "sd"), s, "均值±标准差"),
  car("自定义两端开放", list(method = "custom", cuts = c(15, 20, 25)), c(-Inf, 15, 20, 25, Inf), "自定义切点"),
  car("自定义左闭右开", list(method = "custom", cuts = c(15, 20, 25, 30), open_ends = FALSE, right = FALSE), c(15, 20, 25, 30), "自定义切点", FALSE,
    list(list(contains = "个值落在切点之外，已设为缺失", facts = list(k = sum(mpg < 15 | mpg > 30))))),
  risk("决策树", list(target = "是否违约", method = "tree", woe = TRUE, event = "是"), age, "年龄", tr, "决策树（有监督）", w_tr),
  risk("卡方合并", list(target = "是否违约", method = "chimerge", woe = TRUE, event = "是"), age, "年龄", ch, "卡方合并（有监督）", w_ch),
  risk("MDLP", list(target = "是否违约", method = "mdlp", woe = TRUE, event = "是"), age, "年龄", md, " MDLP ", w_md),
  list(name = "目标是定量变量", measures = list(年龄 = "定量", 月收入 = "定量", 是否违约 = "定类", 地区 = "定类"),
    form = list(variables = I("年龄"), target = "月收入", method = "tree", n_bins = 2),
    expect = c(table_of("年龄", age, mean_tree), lapply(1:2, function(i) cells("target", list(variable = "年龄", bin = label(mean_tree)[i]),
      n = sum(!is.na(income) & code == i), mean = mean(income[code == i], na.rm = TRUE))), record(1000, 4)),
    says = c(say("年龄", "决策树（有监督）", age, mean_tree), "给出各箱的均值")),
  list(name = "多类目标", measures = list(年龄 = "定量", 月收入 = "定量", 是否违约 = "定类", 地区 = "定类"),
    form = list(variables = I("年龄"), target = "地区", method = "chimerge", n_bins = 3),
    expect = c(table_of("年龄", age, ends_of(age, chi_cuts(age, x$地区, 3))), record(1000, 4)),
    says = c(say("年龄", "卡方合并（有监督）", age, ends_of(age, chi_cuts(age, x$地区, 3))), "目标率和 WOE 只适用于两类目标"))
)
writeLines(toJSON(list(
  sources = c("R 4.2.2: cut, quantile, kmeans(nstart = 2000)", "classInt: classIntervals(style = \"jenks\")",
    "ChiMerge、MDLP、最佳优先树、WOE：按原文在 R 中另写"),
  cases = cases, unverified = list()), auto_unbox = TRUE, digits = NA, pretty = 1))
