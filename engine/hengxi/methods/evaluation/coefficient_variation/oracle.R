# Own derivation in R: sd(), mean(). Data: attitude of base R (Chatterjee and Price 1977), and the fighters of Hwang and Yoon.
source("../../../../tools/oracle.R"); source("../../../../tools/oracle_indicators.R")
student <- "标准差占平均值的比例"
one <- function(name, d, f, vars, ends = list(), population = FALSE, ...) {
  t <- read_x(d, vars); names3 <- colnames(t$x); dir <- sapply(names3, function(v) { k <- "high"; for (r in f$direction) if (r[["for"]] == v) k <- r$kind; k })
  m <- colMeans(t$x); s <- apply(t$x, 2, function(v) sd(v) * if (population) sqrt((length(v) - 1) / length(v)) else 1); cv <- s / m; w <- cv / sum(cv)
  z <- minmax(t$x, dir, ends)
  list(w = w, case = case(name, f, c(lapply(seq_along(w), function(k) block("result", list(item = names3[k]), mean = m[k], sd = s[k], cv = cv[k], weight = w[k])),
    score_blocks(names_of(d, t$keep, f$label), as.vector(z %*% w))), weight_says(w, nrow(t$x), student), ...))
}
ex <- example(); at <- example("oracle-attitude.csv"); fi <- example("oracle-fighters.csv"); sv <- example("oracle-survey.csv")
form <- list(items = as.list(names(ex)[2:7]), label = "城市", direction = list(list("for" = "PM2.5", kind = "low"), list("for" = "能耗强度", kind = "low"),
  list("for" = "水质pH", kind = "interval", low = 6.8, high = 7.2)))
a <- one("attitude", at, list(items = as.list(names(at))), names(at), data = "oracle-attitude.csv")
f <- one("战机，总体标准差", fi, list(items = as.list(names(fi)[2:7]), label = "机型", ddof = "population"), names(fi)[2:7], population = TRUE, data = "oracle-fighters.csv")
stopifnot(abs(a$w - c(.1385, .1470, .1694, .1532, .1183, .0973, .1763)) < 6e-5, abs(f$w - c(.1134, .2057, .0514, .1282, .2636, .2377)) < 6e-5)
oracle(c("R 4.2.2: sd, mean", "Hwang and Yoon (1981)"), list(one("示例", ex, form, names(ex)[2:7], ends = list(水质pH = c(6.8, 7.2)))$case, a$case, f$case,
  one("问卷，有缺失和同分", sv, list(items = as.list(names(sv)[2:7]), label = "门店", direction = list(list("for" = "投诉", kind = "low"))), names(sv)[2:7],
    data = "oracle-survey.csv", measures = setNames(as.list(rep("定量", 6)), names(sv)[2:7]))$case))
