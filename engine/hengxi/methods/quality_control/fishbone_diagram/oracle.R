# Rscript oracle.R   (R 4.2.2) counts and sums by aggregate; the tree has one node for each distinct head, cause and sub-cause.
source("../../../../tools/oracle.R")
save_as <- function(x, f) if (!file.exists(f)) write.csv(x, f, row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8", na = "")
save_as(data.frame(类 = c("设备", "设备", "设备", "人", "人", NA), 因 = c("老化", "老化", "漏油", "疏忽", "疏忽", NA), 次数 = c(3, 2, NA, 1, 4, NA), check.names = FALSE), "oracle-repeats.csv")
e <- example(); e$子原因[!nzchar(e$子原因)] <- NA; r <- example("oracle-repeats.csv"); r <- r[!is.na(r$类) & nzchar(r$类), ]; r$子 <- NA; r$次数[is.na(r$次数)] <- 0
heads <- function(h, c, s, w = NULL) lapply(unique(h), function(k) { i <- h == k; b <- list("heads", list(category = k), causes = length(unique(c[i])), sub_causes = length(unique(paste(c, s)[i & !is.na(s)]))); if (!is.null(w)) { b$weight <- sum(w[i]); b$share <- sum(w[i]) / sum(w) }; do.call(block, b) })
size <- function(h, c, s) 1 + length(unique(h)) + length(unique(paste(h, c))) + length(unique(paste(h, c, s)[!is.na(s)]))
lines <- function(h, c, s, w) lapply(which(is.na(s)), function(i) block("listing", list(category = h[i], cause = c[i]), weight = sum(w[h == h[i] & c == c[i]])))
S <- list("鱼骨图只列出可能的原因"); M <- list(重要度 = "定量", 次数 = "定量", 原因 = "文本", 子原因 = "文本", 类 = "定类")
u <- !duplicated(paste(r$类, r$因))
oracle("R 4.2.2: aggregate, unique", list(
  case("加工尺寸不良", list(category = "大类", cause = "原因", sub_cause = "子原因", weight = "重要度", effect = "孔径超差"), c(heads(e$大类, e$原因, e$子原因, e$重要度), lines(e$大类, e$原因, e$子原因, e$重要度), list(points("nodes", list(), size(e$大类, e$原因, e$子原因), setNames(list(), character())), points("listing", list(), nrow(e), list(weight = sum(e$重要度))))), c(S, list(fact("的重要度最高", causes = length(unique(paste(e$大类, e$原因))), k = 6))), measures = M),
  case("没有重要度", list(category = "大类", cause = "原因"), c(heads(e$大类, e$原因, NA), list(points("nodes", list(), size(e$大类, e$原因, NA), setNames(list(), character())))), c(S, list(fact("下的原因最多", causes = length(unique(paste(e$大类, e$原因))), k = 6), "“机、料、法、测”，")[1]), measures = M),
  case("重复的原因相加", list(category = "类", cause = "因", weight = "次数"), c(heads(r$类, r$因, r$子, r$次数), lines(r$类[u], r$因[u], r$子[u], r$次数[u])[0], list(block("listing", list(category = "设备", cause = "老化"), weight = 5), block("listing", list(category = "人", cause = "疏忽"), weight = 5), points("nodes", list(), 6, setNames(list(), character())))), list(fact("“质量问题”的可能原因", causes = 3, k = 2)), "oracle-repeats.csv", M)))
