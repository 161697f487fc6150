# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2: mean, median, approx, splinefun, lm)
# Nearest neighbours and EM are written out here once more. example.csv is R's airquality with Chinese names.
suppressMessages(library(jsonlite))
invisible(Sys.setlocale("LC_ALL", "C.UTF-8"))
if (!file.exists("example.csv")) {
  d <- airquality; names(d) <- c("臭氧", "太阳辐射", "风速", "气温", "月", "日")
  d$天气 <- ifelse(d$气温 > 84, "热", ifelse(d$气温 > 72, "暖", "凉")); d$天气[c(7, 40, 41, 88, 120)] <- NA
  write.csv(d, "example.csv", row.names = FALSE, quote = FALSE, na = "")
}
if (!file.exists("oracle-series.csv")) write.csv(data.frame(序 = c(1, 2, 4, 5, 7, 8, 9, 11, 12, 14), 值 = c(NA, 1, 8, NA, 64, NA, NA, 125, 90, NA),
  备注 = c("a", "b", NA, "b", "c", NA, "c", "a", "a", NA)), "oracle-series.csv", row.names = FALSE, quote = FALSE, na = "")
x <- read.csv("example.csv", na.strings = ""); s <- read.csv("oracle-series.csv", na.strings = "")
cells <- function(.table, .where, ...) list(table = .table, where = .where, cells = list(...))
ok <- function(v) v[!is.na(v)]
line <- function(name, old, new, number = TRUE, kept = rep(TRUE, length(old)), value = NULL, sure = TRUE) {
  gone <- is.na(old); put <- ok(new[gone])
  one <- list(n = length(old), missing = sum(gone), rate = mean(gone), filled = length(put), left = sum(is.na(new[kept])))
  if (number) { one$mean <- mean(ok(old)); one$sd <- sd(ok(old)) }
  if (number && sure) { one$mean_after <- mean(ok(new[kept])); one$sd_after <- sd(ok(new[kept]))
    if (length(put)) { one$low <- min(put); one$high <- max(put) } }
  if (!is.null(value)) one$value <- value
  list(table = "result", where = list(variable = name), cells = one)
}
record <- function(rows, cols, after = rows, cols_after = cols, changed = 0) cells("record", list(method = "缺失值处理"), rows_before = rows,
  rows_after = after, columns_before = cols, columns_after = cols_after, cells = changed)
measures <- list(臭氧 = "定量", 太阳辐射 = "定量", 风速 = "定量", 气温 = "定量", 月 = "定类", 日 = "定量", 天气 = "定类")
says <- function(name, old, new, way = NULL, left = 0, cuts = NULL) { gone <- is.na(old)
  facts <- list(m0 = sum(gone), r0 = mean(gone)); if (!is.null(way)) facts$f0 <- sum(!is.na(new[gone]))
  c(list(list(contains = paste0("“", name, "”缺失"), facts = facts), "先想缺失为什么产生"),
    if (!is.null(way)) list("每个缺失只填一个值"),
    if (left) list(list(contains = "已保留缺失", facts = list(k = left))), cuts) }
case <- function(name, form, expect, says) list(name = name, form = form, measures = measures, expect = expect, says = says)
o <- x$臭氧; r <- x$太阳辐射
fill <- function(v, by) ifelse(is.na(v), by, v)
by_month <- function(v, f) ave(v, x$月, FUN = function(u) fill(u, f(ok(u))))
mode_of <- function(v) names(which.max(table(v)))
stopifnot(abs(mean(ok(o)) - 42.12931) < 1e-5, median(ok(o)) == 31.5)
carry <- function(v) { for (i in seq_along(v)[-1]) if (is.na(v[i])) v[i] <- v[i - 1]; v }
i <- seq_along(o)
lin <- fill(o, approx(i, o, i)$y)
spl <- fill(o, splinefun(i[!is.na(o)], ok(o), method = "natural")(i))
near_poly <- function(at, v, k) { known <- which(!is.na(v)); sapply(seq_along(v), function(j) { if (!is.na(v[j])) return(v[j])
  if (at[j] < min(at[known]) || at[j] > max(at[known])) return(NA)
  sets <- lapply(1:(length(known) - k), function(s) known[s:(s + k)])  # neighbours with the gap among them, the closest
  sets <- Filter(function(u) at[u[1]] < at[j] && at[j] < at[u[k + 1]], sets)
  use <- sets[[which.min(sapply(sets, function(u) max(abs(at[u] - at[j]))))]]; sum(solve(outer(at[use] - at[j], 0:k, "^"), v[use]) * c(1, rep(0, k))) }) }
near_mean <- function(v, k) { known <- which(!is.na(v)); sapply(seq_along(v), function(j) if (!is.na(v[j])) v[j] else
  mean(v[c(tail(known[known < j], k), head(known[known > j], k))])) }
fit <- lm(臭氧 ~ 风速 + 气温, x); reg <- fill(o, predict(fit, x))
knn <- function(v, others, k) { z <- scale(others, scale = apply(others, 2, function(u) sqrt(mean((ok(u) - mean(ok(u)))^2)))); known <- which(!is.na(v))
  sapply(seq_along(v), function(j) { if (!is.na(v[j])) return(v[j]); d <- round(sapply(known, function(i) { e <- (z[i, ] - z[j, ])^2; sqrt(sum(e, na.rm = TRUE) * ncol(z) / sum(!is.na(e)))^2 }), 12)
    mean(v[known[order(d)[1:k]]]) }) }
near <- knn(o, cbind(r, x$风速, x$气温), 5)
em <- function(m) { p <- ncol(m); mu <- colMeans(m, na.rm = TRUE); S <- diag(apply(m, 2, var, na.rm = TRUE))
  for (round in 1:5000) { f <- m; C <- matrix(0, p, p)
    for (q in 1:nrow(m)) { g <- is.na(m[q, ]); if (!any(g)) next; k <- !g; B <- S[g, k, drop = FALSE] %*% solve(S[k, k])
      f[q, g] <- mu[g] + B %*% (m[q, k] - mu[k]); C[g, g] <- C[g, g] + S[g, g] - B %*% S[k, g, drop = FALSE] }
    a <- colMeans(f); T <- (crossprod(sweep(f, 2, a)) + C) / nrow(m); done <- max(abs(a - mu)) + max(abs(T - S)) < 1e-11; mu <- a; S <- T; if (done) break }
  f }
e <- em(cbind(o, r, x$风速, x$气温))
whole <- !is.na(o) & !is.na(r)
v <- s$值; at <- s$序
sn <- fill(v, { f <- splinefun(at[!is.na(v)], ok(v), method = "natural")(at); f[at < 2 | at > 12] <- NA; f })
series <- function(name, form, new, way, left) list(name = name, data = "oracle-series.csv", measures = list(序 = "定量", 值 = "定量", 备注 = "定类"),
  form = c(list(variables = I("值"), order = "序"), form), expect = list(line("值", v, new), record(10, 3, cols_after = 4)), says = says("值", v, new, way, left))
note <- s$备注
cases <- list(
  case("均值", list(variables = c("臭氧", "太阳辐射"), method = "mean"), list(line("臭氧", o, fill(o, mean(ok(o)))), line("太阳辐射", r, fill(r, mean(ok(r)))),
    record(153, 7, cols_after = 9)), c(list(list(contains = "“臭氧”缺失", facts = list(m0 = 37, f0 = 37, r0 = 37 / 153, m1 = 7, f1 = 7, r1 = 7 / 153)),
    "先想缺失为什么产生", list(contains = "每个缺失只填一个值", facts = list(share = 37 / 153, m = 37))))),
  case("按月的中位数并替换", list(variables = I("臭氧"), group = I("月"), method = "median", mode = "replace"),
    list(line("臭氧", o, by_month(o, median)), record(153, 7, changed = 37)), says("臭氧", o, by_month(o, median), "中位数")),
  case("众数", list(variables = I("天气"), method = "mode"), list(line("天气", x$天气, fill(x$天气, mode_of(x$天气)), FALSE, value = mode_of(x$天气)),
    record(153, 7, cols_after = 8)), says("天气", x$天气, fill(x$天气, "暖"), "众数")),
  case("常数并加指示列", list(variables = I("臭氧"), method = "constant", value = "0", indicator = TRUE), list(line("臭氧", o, fill(o, 0)),
    record(153, 7, cols_after = 9)), says("臭氧", o, fill(o, 0), "常数")),
  case("向前填充", list(variables = I("太阳辐射"), method = "forward"), list(line("太阳辐射", r, carry(r)), record(153, 7, cols_after = 8)), says("太阳辐射", r, carry(r), "向前")),
  case("向后填充", list(variables = I("太阳辐射"), method = "backward"), list(line("太阳辐射", r, rev(carry(rev(r)))), record(153, 7, cols_after = 8)),
    says("太阳辐射", r, rev(carry(rev(r))), "向后")),
  case("线性插值", list(variables = I("臭氧"), method = "linear"), list(line("臭氧", o, lin), record(153, 7, cols_after = 8)), says("臭氧", o, lin, "线性")),
  case("样条插值", list(variables = I("臭氧"), method = "spline"), list(line("臭氧", o, spl), record(153, 7, cols_after = 8)), says("臭氧", o, spl, "样条")),
  case("多项式插值", list(variables = I("臭氧"), method = "polynomial", order_k = 2), list(line("臭氧", o, near_poly(i, o, 2)), record(153, 7, cols_after = 8)),
    says("臭氧", o, o * 0 + 1, NULL)),
  case("一次多项式", list(variables = I("臭氧"), method = "polynomial", order_k = 1), list(line("臭氧", o, lin), record(153, 7, cols_after = 8)),
    says("臭氧", o, lin, "多项式")),
  case("邻近点均值", list(variables = I("臭氧"), method = "nearby_mean", span = 2), list(line("臭氧", o, near_mean(o, 2)), record(153, 7, cols_after = 8)),
    says("臭氧", o, near_mean(o, 2), "邻近")),
  case("回归填补", list(variables = I("臭氧"), predictors = c("风速", "气温"), method = "regression"), list(line("臭氧", o, reg), record(153, 7, cols_after = 8)),
    says("臭氧", o, reg, "回归")),
  case("KNN", list(variables = I("臭氧"), predictors = c("太阳辐射", "风速", "气温"), method = "knn", k = 5), list(line("臭氧", o, near), record(153, 7, cols_after = 8)),
    says("臭氧", o, near, "KNN")),
  case("EM", list(variables = c("臭氧", "太阳辐射"), predictors = c("风速", "气温"), method = "em"), list(c(line("臭氧", o, e[, 1]), tolerance = 1e-7, reason = "EM is iterated until nothing moves by more than 1e-10"),
    c(line("太阳辐射", r, e[, 2]), tolerance = 1e-7, reason = "EM is iterated until nothing moves by more than 1e-10"), record(153, 7, cols_after = 9)),
    c(list(list(contains = "“臭氧”缺失", facts = list(m0 = 37, f0 = 37, r0 = 37 / 153, m1 = 7, f1 = 7, r1 = 7 / 153)), "先想缺失为什么产生", "每个缺失只填一个值",
      list(contains = "“臭氧”有 {k:integer} 个填补值超出原有的范围", facts = list(k = sum(e[is.na(o), 1] < min(o, na.rm = TRUE) | e[is.na(o), 1] > max(o, na.rm = TRUE)), low = min(o, na.rm = TRUE),
        high = max(o, na.rm = TRUE), least = min(e[is.na(o), 1]), most = max(e[is.na(o), 1])), tolerance = 1e-7)))),
  case("随机热卡", list(variables = I("臭氧"), group = I("月"), method = "random"), list(line("臭氧", o, fill(o, 1), sure = FALSE), record(153, 7, cols_after = 8)),
    says("臭氧", o, fill(o, 1), "随机")),
  case("删除行", list(variables = c("臭氧", "太阳辐射"), method = "drop_rows"), list(line("臭氧", o, o, kept = whole), line("太阳辐射", r, r, kept = whole),
    record(153, 7, after = sum(whole))), list(list(contains = "删除含缺失的", facts = list(m0 = 37, m1 = 7, r0 = 37 / 153, r1 = 7 / 153, dropped = 42, kept = 111)), "先想缺失为什么产生")),
  case("删除列", list(variables = c("臭氧", "太阳辐射"), method = "drop_columns", max_missing_rate = 0.2), list(line("臭氧", o, o), line("太阳辐射", r, r),
    record(153, 7, cols_after = 6)), list(list(contains = "“臭氧”缺失", facts = list(m0 = 37, m1 = 7, r0 = 37 / 153, r1 = 7 / 153)), "先想缺失为什么产生", "已从新版本中删除：“臭氧”")),
  case("仅加指示列", list(variables = I("臭氧"), method = "indicator"), list(line("臭氧", o, o), record(153, 7, cols_after = 8)), says("臭氧", o, o)),
  series("按次序线性插值", list(method = "linear"), approx(at, v, at)$y, "线性", 2),
  series("按次序样条插值", list(method = "spline"), sn, "样条", 2),
  list(name = "文字向前填充", data = "oracle-series.csv", measures = list(序 = "定量", 值 = "定量", 备注 = "定类"), form = list(variables = I("备注"), method = "forward"),
    expect = list(line("备注", note, carry(note), FALSE, value = "b、c、a"), record(10, 3, cols_after = 4)), says = says("备注", note, carry(note), "向前"))
)
# Multiple imputation: means over 200 copies of mice against 20 of ours; both are random, hence the tolerance.
nh <- mice::nhanes2; names(nh) <- c("年龄组", "体质指数", "高血压", "胆固醇")
levels(nh$高血压) <- c("否", "是")
if (!file.exists("oracle-nhanes.csv")) write.csv(nh, "oracle-nhanes.csv", row.names = FALSE, quote = FALSE, na = "")
many <- mice::mice(nh, m = 200, maxit = 10, printFlag = FALSE, seed = 1)
full <- mice::complete(many, "long")
monte <- function(name, v) list(table = "result", where = list(variable = name), tolerance = 0.04,
  reason = "both sides are random; 4 % is about three Monte Carlo standard errors of 20 copies", cells = list(mean_after = mean(full[[name]])))
counts <- function(name) cells("result", list(variable = name), n = 25, missing = sum(is.na(nh[[name]])), rate = mean(is.na(nh[[name]])),
  filled = sum(is.na(nh[[name]])), left = 0)
cases <- c(cases, list(list(name = "多重插补", data = "oracle-nhanes.csv", measures = list(年龄组 = "定类", 体质指数 = "定量", 高血压 = "定类", 胆固醇 = "定量"),
  form = list(variables = c("体质指数", "胆固醇", "高血压"), predictors = I("年龄组"), method = "mice", m = 20, iterations = 5),
  expect = list(counts("体质指数"), counts("胆固醇"), counts("高血压"), monte("体质指数"), monte("胆固醇"),
    record(25, 4, after = 500, cols_after = 5, changed = 20 * sum(is.na(nh[2:4])))),
  says = list(list(contains = "多重插补成", facts = list(m0 = 9, m1 = 10, m2 = 8, r0 = .36, r1 = .4, r2 = .32, copies = 20, rows = 25)),
    "先想缺失为什么产生", list(contains = "倍的样本", facts = list(copies = 20, rows = 25))))))
cases[[which(sapply(cases, `[[`, "name") == "多项式插值")]]$says <- c(says("臭氧", o, near_poly(i, o, 2), "多项式"))
writeLines(toJSON(list(
  sources = c("R 4.2.2: mean, median, table, approx, splinefun(method = \"natural\"), solve, lm", "mice 3: mice(nhanes2, m = 200)，在蒙特卡洛误差内", "最近邻与 EM：在 R 中另写"),
  cases = cases, unverified = list()), auto_unbox = TRUE, digits = NA, pretty = 1))
