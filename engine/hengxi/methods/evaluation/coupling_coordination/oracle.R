# Own derivation in R from the formulas of 廖重斌 (1999) and 王淑佳 (2021). By hand: U = (.6,.4): C .9798, T .5, D .6999;
# U = (.6,.4,.7): C .9737, D .7428.
source("../../../../tools/oracle.R"); source("../../../../tools/oracle_indicators.R")
cc <- function(r, how) { n <- length(r); if (how == "standard") n * prod(r)^(1 / n) / sum(r) else if (how == "squared_product") (prod(r) / (sum(r) / n)^n)^2
  else { g <- 0; for (i in 1:n) for (j in seq_len(i - 1)) g <- g + abs(r[i] - r[j]); sqrt(max(1 - g / sum(1:(n - 1)), 0) * (prod(r / 1) / max(r))^(1 / (n - 1))) } }
stopifnot(abs(cc(c(.6, .4), "standard") - .9798) < 6e-5, abs(cc(c(.6, .4, .7), "standard") - .9737) < 6e-5, abs(sqrt(cc(c(.6, .4, .7), "standard") * mean(c(.6, .4, .7))) - .7428) < 6e-5)
ten <- c("极度失调", "严重失调", "中度失调", "轻度失调", "濒临失调", "勉强协调", "初级协调", "中级协调", "良好协调", "优质协调"); four <- c("低度协调", "中度协调", "高度协调", "极度协调")
one <- function(name, d, f, vars, w = rep(1, length(vars)), says = list(), ...) {
  t <- read_x(d, vars); obj <- names_of(d, t$keep, f$label); w <- w / sum(w); how <- if (is.null(f$formula)) "standard" else f$formula; nm <- if (is.null(f$normalize)) "interval" else f$normalize; m <- length(vars)
  U <- apply(t$x, 2, function(v) switch(nm, none = v, minmax = (v - min(v)) / (max(v) - min(v)), interval = .01 + .98 * (v - min(v)) / (max(v) - min(v)))); C <- apply(U, 1, function(r) if (sum(r) == 0) 0 else cc(r, how)); T3 <- as.vector(U %*% w); D <- sqrt(C * T3)
  isfour <- identical(f$levels, "four"); ends <- if (isfour) c(.3, .5, .8, 1) else (1:10) / 10; words <- if (isfour) four else ten; L <- sapply(round(D, 12), function(v) min(sum(v >= ends[-length(ends)]) + 1, length(ends)))
  out <- lapply(seq_along(obj), function(i) block("result", list(object = obj[i]), c = C[i], t = T3[i], d = D[i], level = L[i], word = words[L[i]], ratio = if (m == 2 && all(U[, 2] > 0)) U[i, 1] / U[i, 2], type_ = if (max(U[i, ]) - min(U[i, ]) <= .1 + 1e-12) "同步" else paste0(vars[which.min(U[i, ])], "滞后"), rank = place(D)[i]))
  for (k in seq_along(ends)) out[[length(out) + 1]] <- block("counts", list(word = words[k]), level = k, low = if (k == 1) 0 else ends[k - 1], high = ends[k], n = sum(L == k), share = mean(L == k))
  for (q in list(list("耦合度 C", C), list("协调指数 T", T3), list("耦合协调度 D", D))) out[[length(out) + 1]] <- block("summary", list(item = q[[1]]), mean = mean(q[[2]]), sd = sd(q[[2]]), least_ = min(q[[2]]), most_ = max(q[[2]]))
  for (i in seq_along(obj)) for (j in 1:m) out[[length(out) + 1]] <- block("used", list(object = obj[i], system = vars[j]), raw = t$x[i, j], value = U[i, j])
  case(name, f, out, c(list(fact("耦合协调度最高的是", high = max(D), low = min(D), mean = mean(D)), fact("耦合度采用", n = length(obj), mean = mean(D), fine = sum(D >= .5)), "C 只说明系统之间是否相近"), if (nm != "none") list("只能在这批对象之间比较"), if (any(D <= 0)) list(fact("个对象的某个系统为 0", zero = sum(D <= 0))), says), ...) }
ex <- example(); un <- data.frame(o = c("甲", "乙", "丙", "丁"), a = c(.6, .2, .9, .45), b = c(.4, .25, .3, .5), c = c(.7, .6, .35, .42)); write.csv(un, "oracle-unit.csv", row.names = FALSE)
q <- list(a = "定量", b = "定量", c = "定量")
oracle(c("R 4.2.2: own loops", "廖重斌 (1999), 王淑佳 (2021)"), list(one("示例，两个系统", ex, list(systems = list("城镇化指数", "生态指数"), label = "对象"), c("城镇化指数", "生态指数")),
  one("三个系统，不处理，四级", un, list(systems = list("a", "b", "c"), label = "o", normalize = "none", levels = "four"), c("a", "b", "c"), data = "oracle-unit.csv", measures = q),
  one("廖重斌式，贡献系数 2:1", un, list(systems = list("a", "b"), label = "o", normalize = "none", formula = "squared_product", weights = list(list("for" = "a", w = 2))), c("a", "b"), c(2, 1), data = "oracle-unit.csv", measures = q),
  one("王淑佳修正式，0–1，有 0", ex, list(systems = list("城镇化指数", "生态指数"), label = "对象", normalize = "minmax", formula = "modified_wang"), c("城镇化指数", "生态指数"))))
