# Own derivation in R, column by column. Published: Hwang and Yoon (1981), fighter aircraft, shares of raw values:
# entropies .99469 .98295 .99889 .99327 .97032 .97714, weights .0642 .2061 .0134 .0813 .3587 .2763.
source("../../../../tools/oracle.R"); source("../../../../tools/oracle_indicators.R")
student <- "一个指标在各对象之间差别越大"
weigh <- function(z) { e <- entropy_of(z); list(e = e, w = (1 - e) / sum(1 - e), s = as.vector(z %*% ((1 - e) / sum(1 - e)))) }
rows <- function(names, r, at = NULL) lapply(seq_along(names), function(k) block("result", list(item = names[k]), entropy = r$e[k], gain = 1 - r$e[k],
  weight = r$w[k], .at = at, tolerance = 1e-7, reason = "1 − e is a small difference"))
share <- function(x, kind) sapply(seq_len(ncol(x)), function(k) { v <- if (kind[k] == "low") 1 / x[, k] else x[, k]; v / sum(v) })
one <- function(name, d, form, how = "minmax", shift = 0, ends = list(), extra = list(), says = list(), ...) {
  t <- read_x(d, form$positive, form$negative, form$moderate)
  z <- switch(how, minmax = minmax(t$x, t$kind, ends), minmax_shift = minmax(t$x, t$kind, ends) + shift, sum = share(t$x, t$kind),
    none = sweep(t$x, 2, colSums(t$x), "/"))
  r <- weigh(z); obj <- names_of(d, t$keep, form$label)
  if (how == "minmax_shift") extra <- lapply(seq_len(ncol(z)), function(k) { v <- sapply(shift * c(.1, 1, 10, 100), function(s) weigh(z - shift + s)$w[k])
    do.call(block, c(list("shifted", list(item = colnames(t$x)[k])), setNames(as.list(v), paste0("weight@平移 ", format(shift * c(.1, 1, 10, 100), scientific = FALSE, drop0trailing = TRUE, trim = TRUE))))) })
  case(name, form, c(rows(colnames(t$x), r), score_blocks(obj, r$s), extra), c(weight_says(r$w, nrow(t$x), student), says), ...)
}
ex <- example(); fi <- example("oracle-fighters.csv"); sv <- example("oracle-survey.csv"); pa <- example("oracle-panel.csv")
pos <- list("人均GDP", "城镇化率", "研发强度"); neg <- list("PM2.5", "能耗强度")
form <- list(positive = pos, negative = neg, moderate = list("水质pH"), best = list(list("for" = "水质pH", low = 7)), label = "城市")
u <- function(f) modifyList(f, list(positive = f$positive)); v <- function(l) unlist(l)
fx <- read_x(fi, names(fi)[2:7]); stopifnot(abs(weigh(sweep(fx$x, 2, colSums(fx$x), "/"))$w - c(.0642, .2061, .0134, .0813, .3587, .2763)) < 6e-5)
plain <- function(f) modifyList(f, list(positive = unlist(f$positive), negative = unlist(f$negative), moderate = unlist(f$moderate)))
go <- function(name, d, f, ...) { c <- one(name, d, plain(f), ...); c$form <- f; c }
form_p <- list(positive = list("人均GDP", "城镇化率"), negative = list("PM2.5"), label = "城市", year = "年份")
tp <- read_x(pa, c("人均GDP", "城镇化率"), "PM2.5"); zp <- minmax(tp$x, tp$kind); rp <- weigh(zp); names3 <- colnames(tp$x)
objs <- names_of(pa, tp$keep, "城市")
yearly <- function(s) lapply(unique(pa$年份), function(y) { k <- which(pa$年份 == y); b <- k[which.max(s[k])]; block("yearly", list(year = as.character(y)), object = objs[b], score = s[b]) })
each <- lapply(unique(pa$年份), function(y) weigh(minmax(tp$x[pa$年份 == y, ], tp$kind))); s_each <- numeric(nrow(pa))
for (i in seq_along(each)) s_each[pa$年份 == unique(pa$年份)[i]] <- each[[i]]$s
last <- each[[length(each)]]
measures <- list(年份 = "定类")
oracle(c("R 4.2.2: own loops over columns", "Hwang and Yoon (1981): fighter aircraft"), list(
  go("示例，极差法，一个中间型指标", ex, form, ends = list(水质pH = c(7, 7))),
  go("Hwang 和 Yoon 的战机，比重法", fi, list(positive = as.list(names(fi)[2:7]), label = "机型", normalize = "sum"), how = "sum", data = "oracle-fighters.csv"),
  go("问卷，有缺失和同分，平移", sv, list(positive = as.list(names(sv)[2:6]), negative = list("投诉"), label = "门店", normalize = "minmax_shift", shift = .001),
    how = "minmax_shift", shift = .001, data = "oracle-survey.csv", measures = setNames(as.list(rep("定量", 6)), names(sv)[2:7])),
  go("示例，比重法，负向取倒数", ex, modifyList(form[c("positive", "negative", "label")], list(normalize = "sum")), how = "sum"),
  go("示例，不处理", ex, list(positive = c(pos, neg), normalize = "none"), how = "none"),
  case("面板，各年合并", form_p, c(rows(names3, rp), yearly(rp$s), lapply(seq_along(objs), function(i) block("scores", list(object = objs[i]), score = rp$s[i], rank = place(rp$s)[i]))),
    weight_says(rp$w, nrow(pa), student), data = "oracle-panel.csv", measures = measures),
  case("面板，逐年计算", modifyList(form_p, list(scope = "by_year")), c(unlist(lapply(seq_along(each), function(i) rows(names3, each[[i]], as.character(unique(pa$年份)[i]))), recursive = FALSE),
    yearly(s_each), score_blocks(objs, s_each)), list(fact("权重最大的是“", high = max(last$w), low = min(last$w)), "（2022）计算", fact("个对象", n = nrow(pa)), student, "综合得分是"), data = "oracle-panel.csv", measures = measures)))
