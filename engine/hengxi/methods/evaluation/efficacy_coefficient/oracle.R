# Own derivation in R. By hand: 10, 25, 40 with satisfactory 40 and unacceptable 10 give 60, 80, 100.
source("../../../../tools/oracle.R"); source("../../../../tools/oracle_indicators.R")
one <- function(name, d, f, vars, w = rep(1, length(vars)), c0 = 60, d0 = 40, says = list(), ...) {
  t <- read_x(d, vars); obj <- names_of(d, t$keep, f$label); w <- w / sum(w); S <- t$x; lim <- list()
  for (k in seq_along(vars)) { x <- t$x[, k]; r <- list(kind = "high"); for (q in f$bounds) if (q[["for"]] == vars[k]) r <- modifyList(r, q)
    if (r$kind == "interval") { e <- c(r$good, if (is.null(r$high)) r$good else r$high); a <- away(x, e); lim0 <- if (is.null(r$bad)) max(a) else away(r$bad, e); S[, k] <- c0 + d0 * (1 - a / lim0); g <- r$good; b <- r$bad }
    else { g <- if (!is.null(r$good)) r$good else if (r$kind == "high") max(x) else min(x); b <- if (!is.null(r$bad)) r$bad else if (r$kind == "high") min(x) else max(x); S[, k] <- c0 + d0 * (x - b) / (g - b) }
    lim[[k]] <- block("limits_", list(item = vars[k]), good = g, bad = b, weight = w[k]) }
  tot <- if (identical(f$synthesis, "geometric")) apply(S, 1, function(r) prod(r^w)) else as.vector(S %*% w); gr <- cut(round(100 * tot / (c0 + d0), 9), c(-Inf, 60, 70, 80, 90, Inf), right = FALSE, labels = c("差", "及格", "中", "良", "优"))
  case(name, f, c(lapply(seq_along(obj), function(i) block("result", list(object = obj[i]), score = tot[i], rank = place(tot)[i], grade = as.character(gr[i]))), lim,
    lapply(seq_along(obj), function(i) do.call(block, c(list("single", list(object = obj[i])), setNames(as.list(S[i, ]), paste0("score@", vars)))))),
    c(list(fact("个对象里总分最高的是", high = max(tot), low = min(tot), n = length(obj)), fact("采用功效系数法", high = max(tot), low = min(tot), m = length(vars)), "分数取决于满意值"), says), ...) }
ex <- example(); sv <- example("oracle-survey.csv"); vars <- names(ex)[2:7]
ha <- data.frame(x = c(10, 25, 40)); write.csv(ha, "oracle-hand.csv", row.names = FALSE)
form <- list(indicators = as.list(vars), label = "城市", bounds = list(list("for" = "PM2.5", kind = "low"), list("for" = "能耗强度", kind = "low", good = .4, bad = .8), list("for" = "水质pH", kind = "interval", good = 6.8, high = 7.2, bad = 5.5)),
  weights = list(list("for" = "人均GDP", w = 3), list("for" = "研发强度", w = 2)))
ms <- setNames(as.list(rep("定量", 6)), names(sv)[2:7])
oracle("R 4.2.2: own loops", list(one("示例", ex, form, vars, c(3, 1, 2, 1, 1, 1)), one("示例，几何平均，0 + 100", ex, modifyList(form, list(synthesis = "geometric", c_d = list(c = 50, d = 50))), vars, c(3, 1, 2, 1, 1, 1), 50, 50),
  one("问卷，有缺失和同分", sv, list(indicators = as.list(names(sv)[2:7]), label = "门店", bounds = list(list("for" = "投诉", kind = "low"))), names(sv)[2:7], data = "oracle-survey.csv", measures = ms),
  one("手算", ha, list(indicators = list("x"), bounds = list(list("for" = "x", kind = "high", good = 40, bad = 10))), "x", data = "oracle-hand.csv", measures = list(x = "定量"), says = list("指标少于 3 个"))))
