# How oracle.json was made: tools/run_oracles.py --write questionnaire/discrimination   (R 4.2.2, psych 2.2.9)
# t.test of the extreme groups, Levene as lm on absolute deviations, psych::alpha for α and α without the item.
# attitude: CITC rating .6713, critical .2650, α = .8431 (the catalogue's figures).
source("../../../../tools/oracle.R")
suppressMessages(library(psych))
if (!file.exists("example.csv")) write.csv(attitude, "example.csv", row.names = FALSE, quote = FALSE)
run <- function(x, cut = .27, mode = "likert", how = "auto", turned = character(), counts = NULL) {
  if (!is.null(counts)) x <- x[rep(seq_len(nrow(x)), counts), ]
  for (v in turned) x[[v]] <- min(x) + max(x) - x[[v]]
  T <- rowSums(x); n <- nrow(x); k <- floor(n * cut); s <- sort(T); lo <- T <= s[k]; hi <- T >= s[n - k + 1]; E <- list(); add <- function(...) E[[length(E) + 1]] <<- block(...)
  add("groups", list(group = "低分组"), n = sum(lo), share = mean(lo), mean = mean(T[lo])); add("groups", list(group = "高分组"), n = sum(hi), share = mean(hi), mean = mean(T[hi]))
  a <- suppressWarnings(psych::alpha(x, warnings = FALSE)); add("whole", list(), items = ncol(x), n = n, alpha = a$total$raw_alpha, mean = mean(T), sd = sd(T))
  for (i in seq_along(x)) { v <- names(x)[i]; h <- x[[i]][hi]; l <- x[[i]][lo]; rest <- T - x[[i]]
    if (mode == "binary") add("difficulty", list(item = v), p = mean(x[[i]]), high = mean(h), low = mean(l), d = mean(h) - mean(l))
    else { g <- rep(1:0, c(length(h), length(l))); z <- c(abs(h - mean(h)), abs(l - mean(l))); lev <- anova(lm(z ~ factor(g)))[1, 5]
      eq <- if (how == "auto") lev >= .05 else how == "student"; t <- t.test(h, l, var.equal = eq); sp <- sqrt(((length(h) - 1) * var(h) + (length(l) - 1) * var(l)) / (n2 <- length(h) + length(l) - 2))
      add("result", list(item = v), high_mean = mean(h), high_sd = sd(h), low_mean = mean(l), low_sd = sd(l), t = t$statistic[[1]], df = t$parameter[[1]], p = t$p.value, levene = lev, d = (mean(h) - mean(l)) / sp) }
    add("totals", list(item = v), r = cor(x[[i]], T), citc = cor(x[[i]], rest), p = cor.test(x[[i]], rest)$p.value, deleted = suppressWarnings(psych::alpha(x[-i], warnings = FALSE)$total$raw_alpha)) }
  E
}
d <- example(); num <- function(d) as.list(setNames(rep("定量", ncol(d)), names(d)))
RNGversion("4.2.0"); set.seed(51); n <- 120; t <- rnorm(n)
five <- as.data.frame(lapply(setNames(c(.9, .8, -.8, .7, 0), paste0("题", 1:5)), function(b) findInterval(b * t + .6 * rnorm(n), c(-1.2, -.4, .4, 1.2)) + 1)); five$题3[3] <- 1; write.csv(five, "oracle-five.csv", row.names = FALSE, quote = FALSE)
bits <- as.data.frame(lapply(setNames(c(-1, -.3, .4, 1, 0), paste0("Q", 1:5)), function(b) 1 * (1.2 * t - b + rnorm(n) > 0))); bits$Q5 <- rbinom(n, 1, .5); bits$份数 <- rep(0:2, length.out = n); write.csv(bits, "oracle-bits.csv", row.names = FALSE, quote = FALSE)
says <- function(k, n, weak, few, turned = FALSE, odd = FALSE, rule = "*t* 检验", level = TRUE) c(list(fact("份答卷：" , k = k, n = n), "界上同分的全部归入", "区分度低，说明高分者", "个题项作项目分析", paste0("保留的条件：", rule), if (odd) "负相关，疑为反向题" else "没有题项与其余题项的总分负相关", if (few) "偏少，区分度的估计" else "低分组 {low:integer} 人，高分组 {high:integer} 人"),
  if (weak) list("建议修改或删除：") else list("各题都能区分"), if (turned) list("已反向转换后计算") else NULL, if (rule != "*t* 检验") list("参考等级（Ebel") else NULL)
oracle(c("R 4.2.2 t.test, cor.test；psych 2.2.9 alpha（attitude：α = .8431）"), list(
  case("attitude，27%", list(items = names(d)), run(d), says(7, 30, TRUE, TRUE), measures = num(d)),
  case("五点题，一道反向题已标，25%", list(items = names(five)[1:4], cut = 25, reverse = list(list(`for` = "题3", reversed = TRUE)), test = "welch", r_threshold = .2), run(five[1:4], .25, how = "welch", turned = "题3"), says(4, n, FALSE, FALSE, TRUE), data = "oracle-five.csv", measures = num(five)),
  case("没有转换的反向题，合并方差，33%", list(items = names(five), cut = 33, test = "student"), run(five, .33, how = "student"), says(5, n, TRUE, FALSE, odd = TRUE), data = "oracle-five.csv", measures = num(five)),
  case("0/1 题，频数权重", list(items = names(bits)[1:5], mode = "binary", weight = "份数"), run(bits[1:5], mode = "binary", counts = bits$份数), says(5, sum(bits$份数), TRUE, FALSE, rule = "鉴别度 D"), data = "oracle-bits.csv", measures = num(bits))))
