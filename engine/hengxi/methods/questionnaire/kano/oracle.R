# Own derivation: the evaluation table of Berger et al. (1993) typed in, counts by table(); prop.test for Wilson. The
# catalogue's count by hand: A30 O25 M15 I20 R5 Q5 of 100 → Better 55/90 = .611, Worse −40/90 = −.444.
source("../../../../tools/oracle.R")
fs <- c("扫码点餐", "会员积分", "免费停车", "儿童座椅", "夜间营业", "机器人送餐", "背景音乐", "当场杀价")
if (!file.exists("example.csv")) { RNGversion("4.2.0"); set.seed(17); n <- 120; want <- c("O", "A", "M", "I", "O", "A", "I", "R"); out <- NULL
  for (i in 1:8) { p <- switch(want[i], A = list(c(.02, .03, .1, .2, .65), c(.05, .15, .55, .2, .05)), O = list(c(.02, .03, .1, .2, .65), c(.6, .2, .1, .05, .05)), M = list(c(.02, .08, .25, .5, .15), c(.65, .2, .1, .03, .02)), I = list(c(.05, .15, .5, .2, .1), c(.1, .2, .5, .15, .05)), R = list(c(.5, .3, .15, .03, .02), c(.03, .05, .2, .3, .42)))
    out <- cbind(out, sample(1:5, n, TRUE, p[[1]]), sample(1:5, n, TRUE, p[[2]])) }
  colnames(out) <- paste0(rep(fs, each = 2), c("_有", "_无")); d <- as.data.frame(out); d[3, 5] <- NA; d[7, 2] <- NA; d$停车重要度 <- sample(4:9, n, TRUE); write.csv(d, "example.csv", row.names = FALSE, quote = FALSE, na = "") }
d <- read.csv("example.csv", check.names = FALSE, na.strings = "")
berger <- "QAAAORIIIMRIIIMRIIIMRRRRQ"; pouliot <- "QAAAORQIIMRIIIMRIIQMRRRRQ"; L <- c("M", "O", "A", "I", "R", "Q")
hand <- data.frame(甲_有 = c(rep(5, 30), rep(5, 25), rep(3, 15), rep(3, 20), rep(1, 5), rep(5, 5)), 甲_无 = c(rep(3, 30), rep(1, 25), rep(1, 15), rep(3, 20), rep(3, 5), rep(5, 5))); write.csv(hand, "oracle-hand.csv", row.names = FALSE)
few <- data.frame(甲_有 = c(5, 5, 1, 1), 甲_无 = c(5, 5, 1, 1), 乙_有 = c(5, 5, 3, 3), 乙_无 = c(1, 1, 1, 1), 丙_有 = rep(3, 4), 丙_无 = rep(3, 4)); write.csv(few, "oracle-few.csv", row.names = FALSE)
run <- function(d, names, table = berger, low = FALSE, most = NULL, level = .95, imp = NULL) {
  T <- matrix(strsplit(table, "")[[1]], 5, byrow = TRUE); pos <- function(v) if (low) v else 6 - v
  K <- sapply(names, function(f) { a <- pos(d[[paste0(f, "_有")]]); b <- pos(d[[paste0(f, "_无")]]); ifelse(is.na(a) | is.na(b), NA, T[cbind(ifelse(is.na(a), 1, a), ifelse(is.na(b), 1, b))]) }); K <- matrix(K, nrow(d))
  keep <- rep(TRUE, nrow(d)); if (!is.null(most)) keep <- rowSums(K == "Q", na.rm = TRUE) / pmax(1, rowSums(!is.na(K))) <= most
  F <- c(4, 2, 0, -1, -2); D <- c(-2, -1, 0, 2, 4); out <- list(); z <- qnorm((1 + level) / 2); all <- list()
  for (i in seq_along(names)) { f <- names[i]; k <- K[keep, i]; ok <- !is.na(k); n <- sum(ok); c6 <- sapply(L, function(l) sum(k == l, na.rm = TRUE)); s <- as.list(c6 / n); a <- sort(c6, TRUE)
    zz <- (a[1] - a[2]) / sqrt((a[1] + a[2]) * (2 * n - a[1] - a[2]) / (2 * n)); base <- sum(c6[c("A", "O", "M", "I")]); top <- L[which(c6 == max(c6))]; bw <- c(NA, NA)
    out <- c(out, list(do.call(block, c(list("summary", list(name = f), n = n), s)), block("stability", list(name = f), z = zz[[1]], p = 2 * pnorm(-zz[[1]]), general = sum(c6[c("A", "O", "M")]) / n, strength = (a[[1]] - a[[2]]) / n)))
    if (base > 0) { ci <- function(x) suppressWarnings(prop.test(x, base, conf.level = level, correct = FALSE)$conf.int); b <- ci(c6[["A"]] + c6[["O"]]); w <- ci(c6[["O"]] + c6[["M"]]); bw <- c(c6[["A"]] + c6[["O"]], c6[["O"]] + c6[["M"]]) / base
      out <- c(out, list(block("better_worse", list(name = f), n = base, better = bw[1], low = b[1], high = b[2], worse = -bw[2], wlow = -w[2], whigh = -w[1]))) }
    x <- F[pos(d[[paste0(f, "_有")]])[keep][ok]]; y <- D[pos(d[[paste0(f, "_无")]])[keep][ok]]; sx <- sd(x) / sqrt(n); out <- c(out, list(block("continuous", list(name = f), functional = mean(x), functional_se = sx, low = mean(x) - z * sx, high = mean(x) + z * sx, dysfunctional = mean(y), dysfunctional_se = sd(y) / sqrt(n))))
    all[[f]] <- list(top = top[1], sum = sum(bw), mixed = 2 * pnorm(-zz[[1]]) >= .1, q = c6[["Q"]] / n) }
  o <- order(match(sapply(all, `[[`, "top"), L), -sapply(all, `[[`, "sum")); for (r in seq_along(o)) out <- c(out, list(block("summary", list(name = names[o[r]]), standing = r)))
  if (!is.null(imp)) out <- c(out, list(block("summary", list(name = imp[1]), importance = mean(d[[imp[2]]][keep]))))
  list(out = out, n = sum(keep & rowSums(!is.na(K)) > 0), k = length(names), m = sum(sapply(all, `[[`, "mixed")), q = max(sapply(all, `[[`, "q")), gone = sum(!keep))
}
says <- function(a, extra = list()) c(list("按优先顺序排列", "可疑和反向的回答不计入", "最多与次多的两类分不开", "必备的功能没有就不满", fact("项功能。", n = a$n, k = a$k), fact("的可疑回答最多", share = a$q)), if (a$m > 0) list(fact("项的分类不明确", m = a$m), "；"), extra)
pairs <- function(names, imp = NULL) lapply(names, function(f) { p <- list(positive = paste0(f, "_有"), negative = paste0(f, "_无")); if (identical(imp, f)) p$importance <- "停车重要度"; p })
A <- run(d, fs, imp = c("免费停车", "停车重要度")); B <- run(d, fs[1:3], pouliot, TRUE, .3, .9); H <- run(hand, "甲"); W <- run(few, c("甲", "乙", "丙")); V <- run(few, "甲"); C <- run(d, fs[8], "QAAAOQIIIMRIIIMRIIIMRRRRQ")
q <- function(d) setNames(as.list(rep("定量", ncol(d))), names(d)); tops <- list("；")
oracle(c("R 4.2.2: table, prop.test(correct = FALSE), pnorm"), list(
  case("八项功能", list(features = pairs(fs, "免费停车")), A$out, says(A, tops), measures = q(d)),
  case("Pouliot 变体，反向计分，剔除可疑，90%", list(features = pairs(fs[1:3]), table = "pouliot", scale_order = "like_low", exclude_q = TRUE, q_most = .3, conf_level = .9), B$out, says(B, list(fact("可疑回答超过", n = B$gone))), measures = q(d)),
  case("手算的一百份", list(features = pairs("甲")), H$out, says(H, list("魅力：“甲”。")), data = "oracle-hand.csv", measures = q(hand)),
  case("不能分类的功能", list(features = pairs(c("甲", "乙", "丙"))), W$out, says(W, list("不能分类")), data = "oracle-few.csv", measures = q(few)),
  case("只有不能分类的功能", list(features = pairs("甲")), V$out, says(V, list("没有一项功能算得出系数", "不能分类：“甲”。")), data = "oracle-few.csv", measures = q(few)),
  case("自定义对照表", list(features = pairs(fs[8]), table = "custom", table_value = "QAAAO QIIIM RIIIM RIIIM RRRRQ"), C$out, says(C, list("反向：“当场杀价”。")), measures = q(d))))
