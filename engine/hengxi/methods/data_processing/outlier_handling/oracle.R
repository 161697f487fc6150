# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2: boxplot.stats, mad, quantile, mahalanobis; LOF written out)
# example.csv is R's morley (Michelson's speed of light, public domain) with Chinese names.
source("../../../../tools/columns.R")
if (!file.exists("example.csv") || !file.exists("oracle-joint.csv")) {
  save_example(data.frame(试验组 = paste0("第", morley$Expt, "组"), 序号 = morley$Run, 速度 = morley$Speed))
  set.seed(23); n <- 80; a <- round(rnorm(n, 50, 8), 1); b <- round(a * .8 + rnorm(n, 0, 3), 1); c <- round(rnorm(n, 10, 2), 1)
  a[5] <- 95; b[5] <- 20; c[40] <- 30; d <- data.frame(甲 = a, 乙 = b, 丙 = c); d$丙[12] <- NA; save_example(d, "oracle-joint.csv")
}
x <- example(); j <- example("oracle-joint.csv"); n <- nrow(x); speed <- x$速度; groups <- unique(x$试验组)
stopifnot(all(sort(boxplot.stats(speed)$out) == c(620, 650, 1070)), abs(mad(speed) - 66.717) < 1e-3)
ends <- function(v, rule, k, lo, hi) switch(rule, iqr = { h <- fivenum(v); c(h[2] - k * (h[4] - h[2]), h[4] + k * (h[4] - h[2])) },
  mad = median(v) + c(-k, k) * mad(v), percentile = unname(quantile(v, c(lo, hi) / 100)), range = c(lo, hi), mean(v) + c(-k, k) * sd(v))
find <- function(v, rule, k, lo, hi, iterate) { odd <- rep(FALSE, length(v)); e <- ends(v, rule, k, lo, hi)
  repeat { e <- ends(v[!odd], rule, k, lo, hi); more <- (v < e[1] | v > e[2]) & !odd; if (!any(more)) break; odd <- odd | more; if (!iterate) break }
  list(odd = odd, e = e) }
mode_of <- function(v) { t <- table(v); as.numeric(names(t)[which.max(t)]) }
rules <- c(iqr = "箱线图IQR", sigma = "3σ准则", mad = "MAD准则", zscore = "Z分数", percentile = "百分位", range = "业务范围")
run <- function(name, rule, action, k = 3, lo = NULL, hi = NULL, group = FALSE, iterate = FALSE, form = list(), says, extra = list(), values = TRUE) {
  new <- speed; odd <- rep(FALSE, n); out <- list()
  for (g in if (group) groups else NA) { at <- if (is.na(g)) seq_len(n) else which(x$试验组 == g); f <- find(speed[at], rule, k, lo, hi, iterate); o <- f$odd; v <- speed[at]; rest <- v[!o]
    odd[at] <- o; new[at][o] <- switch(action, missing = NA, drop = v[o], flag = v[o], mean = mean(rest), median = median(rest), mode = mode_of(rest), constant = form$constant,
      winsorize = pmin(pmax(v[o], f$e[1]), f$e[2]), interpolate = approx(at[!o], rest, at[o], rule = 2)$y, random_normal = NA)
    where <- list(variable = "速度"); if (!is.na(g)) where$group <- g
    out <- c(out, list(block("result", where, n = length(v), low = f$e[1], high = f$e[2], below = sum(v < f$e[1]), above = sum(v > f$e[2]), outliers = sum(o), share = mean(o)))) }
  keep <- if (action == "drop") !odd else rep(TRUE, n); first <- which(odd)[1]
  if (values) out <- c(out, list(compared("速度", speed, new[keep])))
  if (any(odd) && action != "random_normal") out <- c(out, list(do.call(block, c(list("detail", list(row = first)), list(old = speed[first]), if (action %in% c("drop", "flag", "missing")) list() else list(new = new[first])))))
  changed <- if (action %in% c("drop", "flag")) 0 else if (action == "random_normal") sum(odd) else sum(is.na(new) | new != speed)
  out <- c(out, list(record("异常值处理", sum(keep), ncol(x) + (action == "flag"), c(n, ncol(x)), changed)))
  lead <- if (any(odd)) list(fact(paste0("按", rules[[rule]], "，"), cells = sum(odd), k = 1, odd = sum(odd), rows = n, rest = n - sum(odd))) else list()
  case(name, c(list(variables = list("速度"), rule = rule, action = action), form, if (group) list(group = "试验组"), if (iterate) list(iterate = TRUE)), out, c(lead, says)) }
care <- "异常不等于错误"; small <- "标准差变小"
m <- as.matrix(j); whole <- complete.cases(m); w <- m[whole, ]; N <- nrow(w)
joint <- function(name, rule, action, odd_rows, form, says) { odd <- rep(FALSE, nrow(j)); odd[which(whole)[odd_rows]] <- TRUE; new <- j; if (action == "missing") new[odd, ] <- NA
  keep <- if (action == "drop") !odd else rep(TRUE, nrow(j))
  case(name, c(list(variables = as.list(names(j)), rule = rule, action = action), form), c(list(block("result", list(variable = "所有变量（整行）"), n = N, outliers = sum(odd), share = sum(odd) / N)),
    lapply(names(j), function(s) compared(s, j[[s]], new[[s]][keep])), list(record("异常值处理", sum(keep), 3 + (action == "flag"), c(nrow(j), 3), if (action == "missing") 3 * sum(odd) - sum(is.na(m[odd, ])) else 0))),
    c(list(fact("行中有", odd = sum(odd), rows = nrow(j), rest = nrow(j) - sum(odd)), fact("没有判断", k = sum(!whole))), says), data = "oracle-joint.csv") }
far <- which(pchisq(mahalanobis(w, colMeans(w), cov(w)), 3, lower.tail = FALSE) < .001)
lof <- local({ z <- scale(w, scale = apply(w, 2, function(v) sqrt(mean((v - mean(v))^2)))); d <- as.matrix(dist(z)); k <- 20; nb <- t(sapply(1:N, function(i) order(d[i, ] + ifelse(1:N == i, Inf, 0))[1:k]))
  kd <- sapply(1:N, function(i) d[i, nb[i, k]]); lrd <- sapply(1:N, function(i) 1 / mean(pmax(kd[nb[i, ]], d[i, nb[i, ]]))); sapply(1:N, function(i) mean(lrd[nb[i, ]]) / lrd[i]) })
high <- which(lof > quantile(lof, .95))
forest <- list(case("孤立森林", list(variables = as.list(names(j)), rule = "iforest", action = "flag"), list(block("result", list(variable = "所有变量（整行）"), n = N,
  outliers = N - 1 - floor((N - 1) * .95), share = (N - 1 - floor((N - 1) * .95)) / N)), list(fact("按孤立森林", odd = N - 1 - floor((N - 1) * .95), rows = nrow(j), rest = nrow(j) - (N - 1 - floor((N - 1) * .95))), "“异常比例”决定"), data = "oracle-joint.csv"))
oracle(c("R 4.2.2: boxplot.stats(), mad(), quantile(), mahalanobis(), approx(); LOF written out from Breunig et al. (2000)"), c(list(
  run("箱线图标记", "iqr", "flag", 1.5, says = list(care)), run("箱线图缩尾", "iqr", "winsorize", 1.5, says = list(care, small)), run("删除", "iqr", "drop", 1.5, says = list(care)),
  run("设为缺失", "mad", "missing", says = list(small)), run("组内均值", "zscore", "mean", 2, group = TRUE, form = list(multiplier = 2), says = list(small)),
  run("中位数迭代", "zscore", "median", 2, iterate = TRUE, form = list(multiplier = 2), says = list(small)), run("众数", "zscore", "mode", 2, form = list(multiplier = 2), says = list(small)),
  run("常数", "range", "constant", lo = 700, hi = 1000, form = list(lower = 700, upper = 1000, constant = 850), says = list(small)),
  run("插值", "percentile", "interpolate", lo = 5, hi = 95, form = list(lower = 5, upper = 95), says = list(small)),
  run("随机", "iqr", "random_normal", 1.5, says = list(small), values = FALSE), run("三倍", "sigma", "missing", says = list(fact("没有发现异常值", rows = n), "没有发现异常，不等于", "没有异常值。")),
  joint("马氏标记", "mahalanobis", "flag", far, list(), list(care)), joint("马氏删除", "mahalanobis", "drop", far, list(), list(care)), joint("LOF", "lof", "missing", high, list(), list("“异常比例”决定"))), forest))
