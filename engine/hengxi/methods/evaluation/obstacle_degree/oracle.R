# Own derivation in R, object by object. By hand: x = (.8,.4,.6), w = (.5,.3,.2) give .2778 .5000 .2222.
source("../../../../tools/oracle.R"); source("../../../../tools/oracle_indicators.R")
ob <- function(x, w) { l <- w * (1 - x); l / sum(l) }; stopifnot(abs(ob(c(.8, .4, .6), c(.5, .3, .2)) - c(.2778, .5, .2222)) < 6e-5)
one <- function(name, d, f, ends = list(), given = NULL, groups = NULL, says = list(), ...) {
  t <- read_x(d, unlist(f$positive), unlist(f$negative), unlist(f$moderate)); z <- minmax(t$x, t$kind, ends); obj <- names_of(d, t$keep, f$label); n3 <- colnames(t$x)
  w <- source_w(z, if (is.null(f$weight_source)) "entropy" else f$weight_source, given); top <- if (is.null(f$top)) 5 else f$top; ok <- apply(z, 1, function(r) sum(w * (1 - r)) > 1e-12)
  O <- t(apply(z[ok, , drop = FALSE], 1, ob, w = w)); obj <- obj[ok]; mean3 <- colMeans(O); first <- table(factor(apply(O, 1, which.max), levels = seq_along(w)))
  out <- c(lapply(seq_along(w), function(k) block("overall", list(item = n3[k]), share = mean3[k], first = first[[k]])),
    lapply(seq_along(w), function(k) block("used", list(item = n3[k]), kind = kind_words(t$x, t$kind, ends)[k], weight = w[k])))
  for (i in seq_along(obj)) { out[[length(out) + 1]] <- do.call(block, c(list("degrees", list(object = obj[i])), setNames(as.list(O[i, ]), paste0("share@", n3))))
    p <- order(-O[i, ])[1:min(top, length(w))]; p <- p[O[i, p] > 1e-12]; for (q in seq_along(p)) out[[length(out) + 1]] <- block("leading", list(object = obj[i], item = n3[p[q]]), place_ = q, share = O[i, p[q]])
    if (!is.null(groups)) { g <- tapply(O[i, ], factor(groups, levels = unique(groups)), sum); out[[length(out) + 1]] <- do.call(block, c(list("layers", list(object = obj[i])), setNames(as.list(as.vector(g)), paste0("share@", names(g))))) } }
  case(name, f, out, c(list(fact("总体上障碍最大的指标", high = max(mean3), "next" = sort(mean3, decreasing = TRUE)[[2]], n = length(obj)), fact("平均障碍度为", w0 = max(mean3)), "障碍度大，是因为"), if (is.null(groups)) list("没有填准则层归属"), says), ...) }
ex <- example(); sv <- example("oracle-survey.csv")
form <- list(positive = list("人均GDP", "城镇化率", "研发强度"), negative = list("PM2.5", "能耗强度"), moderate = list("水质pH"), best = list(list("for" = "水质pH", low = 6.8, high = 7.2)), label = "城市",
  dimensions = list(list("for" = "人均GDP", group = "经济"), list("for" = "研发强度", group = "经济"), list("for" = "城镇化率", group = "社会"), list("for" = "PM2.5", group = "环境"), list("for" = "能耗强度", group = "环境")))
best <- data.frame(o = c("A", "B", "C"), a = c(9, 5, 1), b = c(9, 1, 5)); write.csv(best, "oracle-best.csv", row.names = FALSE)
sf <- list(positive = as.list(names(sv)[2:6]), negative = list("投诉"), label = "门店", weight_source = "critic", top = 2); ms <- setNames(as.list(rep("定量", 6)), names(sv)[2:7])
oracle("R 4.2.2: own loops", list(one("示例，准则层", ex, form, list(水质pH = c(6.8, 7.2)), groups = c("经济", "社会", "经济", "环境", "环境", "未归类")),
  one("问卷，有缺失和同分，CRITIC，前两项", sv, sf, data = "oracle-survey.csv", measures = ms),
  one("一个对象全部最优，手工权重", best, list(positive = list("a", "b"), label = "o", weight_source = "manual", weights_value = list(list("for" = "a", w = 3))), given = c(3, 1), says = list("没有列入"), data = "oracle-best.csv", measures = list(a = "定量", b = "定量"))))
