# Rscript oracle.R   (R 4.2.2) sort and cumsum.
source("../../../../tools/oracle.R")
save_as <- function(x, f) if (!file.exists(f)) write.csv(x, f, row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8", na = "")
set.seed(61); k <- c("划伤", "缺料", "气泡", "尺寸超差", "色差", "变形", "毛刺", "其他污渍"); p <- 1 / (1:8)^1.2
save_as(data.frame(缺陷类型 = sample(k, 300, TRUE, p), 数量 = sample(1:4, 300, TRUE), 产线 = sample(c("一线", "二线"), 300, TRUE), check.names = FALSE), "example.csv")
set.seed(62); save_as(data.frame(原因 = c(NA, sample(paste0("因", 1:30), 199, TRUE, 30:1)), 损失 = c(5, NA, round(rexp(198, .01), 1)), 组 = rep(c("甲", "乙"), 100), check.names = FALSE), "oracle-loss.csv")
e <- example(); L <- example("oracle-loss.csv"); L <- L[L$原因 != "" & !is.na(L$损失), ]
rows <- function(cat, n, after = 95, abc = c(80, 95), group = NULL, first = unique(cat)) {
  s <- tapply(n, factor(cat, unique(first)), sum); s[is.na(s)] <- 0; s <- s[order(-s)]; s <- s[s > 0]; tot <- sum(s); keep <- which(cumsum(s) / tot >= after / 100 - 1e-12)[1]
  if (length(s) - keep >= 2) s <- c(s[seq_len(keep)], setNames(sum(s[-seq_len(keep)]), paste0("其他（", length(s) - keep, " 类）")))
  cum <- cumsum(s) / tot; before <- c(0, head(cum, -1)); a <- ifelse(before < abc[1] / 100 - 1e-12, "A", ifelse(before < abc[2] / 100 - 1e-12, "B", "C"))
  list(blocks = lapply(seq_along(s), function(i) block("table", c(if (!is.null(group)) list(group = group), list(category = names(s)[i])), n = s[[i]], share = s[[i]] / tot, cumulated = cum[[i]], abc = a[[i]])), share = max(cum[a == "A"]))
}
M <- list(原因 = "定类", 损失 = "定量", 组 = "定类", 数量 = "定量"); f <- function(...) list(category = "缺陷类型", ...)
a <- rows(e$缺陷类型, rep(1, 300)); b <- rows(e$缺陷类型, e$数量); l <- rows(L$原因, L$损失, 80, c(50, 90)); g <- L$组 == "甲"; x <- rows(L$原因[g], L$损失[g], group = "甲", first = L$原因); y <- rows(L$原因[!g], L$损失[!g], group = "乙", first = L$原因)
oracle(c("R 4.2.2: tapply, order, cumsum"), list(
  case("次数", f(), a$blocks, list(fact("是主要原因", share = a$share), "次数多不等于损失大"), measures = M),
  case("数量", f(count = "数量"), b$blocks, list(fact("是主要原因", share = b$share)), measures = M),
  case("损失，三十类，有缺失", list(category = "原因", count = "损失", combine_after = 80, abc = list(50, 90)), l$blocks, list(fact("是主要原因", share = l$share)), data = "oracle-loss.csv", measures = M),
  case("界限很高", f(abc = list(95, 99)), { z <- rows(e$缺陷类型, rep(1, 300), abc = c(95, 99)); z$blocks }, list(fact("原因比较分散", share = rows(e$缺陷类型, rep(1, 300), abc = c(95, 99))$share)), measures = M),
  case("分组", list(category = "原因", count = "损失", by = "组"), c(x$blocks, y$blocks), list(fact("“甲”组的", share = x$share), fact("“乙”组：", share = y$share)), data = "oracle-loss.csv", measures = M)))
