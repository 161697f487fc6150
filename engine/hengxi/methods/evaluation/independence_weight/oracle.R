# Each indicator regressed on the others by lm(). Data: attitude of base R; R .8559 .8775 .6190 .7871 .8228 .4338 .7202.
source("../../../../tools/oracle.R"); source("../../../../tools/oracle_indicators.R")
student <- "越能由其他指标推算出来"
one <- function(name, d, f, vars, says = list(), ...) {
  t <- read_x(d, vars); x <- as.data.frame(t$x); n3 <- names(x); dir <- sapply(n3, function(v) { k <- "high"; for (r in f$direction) if (r[["for"]] == v) k <- r$kind; k })
  r2 <- sapply(seq_along(n3), function(k) summary(lm(x[[k]] ~ ., data = x[-k]))$r.squared); r2 <- ifelse(r2 < 1e-14, 0, r2); r <- sqrt(r2); h <- pmax(r, .05); w <- (1 / h) / sum(1 / h)
  z <- minmax(t$x, dir)
  list(w = w, r = r, case = case(name, f, c(lapply(seq_along(w), function(k) block("result", list(item = n3[k]), r = r[k], inverse = 1 / h[k], weight = w[k], vif = 1 / (1 - r2[k]))),
    score_blocks(names_of(d, t$keep, f$label), as.vector(z %*% w))), c(weight_says(w, nrow(t$x), student), says), ...))
}
ex <- example(); at <- example("oracle-attitude.csv"); sv <- example("oracle-survey.csv")
i <- 1:9; alone <- data.frame(a = rep(c(-1, 0, 1), 3) + 10, b = rep(c(-1, 0, 1), each = 3) + 10, c = c(1, 3, 2, 5, 4, 6, 9, 7, 8))
alone$c <- 10 + c(1, -2, 1, -2, 4, -2, 1, -2, 1)  # uncorrelated with both
alone$d <- alone$a + .5 * c(1, -1, 0, 0, 1, -1, -1, 0, 1); write.csv(alone, "oracle-alone.csv", row.names = FALSE, quote = FALSE)
a <- one("attitude", at, list(items = as.list(names(at))), names(at), data = "oracle-attitude.csv")
stopifnot(abs(a$r - c(.8559, .8775, .6190, .7871, .8228, .4338, .7202)) < 6e-5, abs(a$w - c(.1156, .1128, .1599, .1258, .1203, .2282, .1374)) < 6e-5)
oracle("R 4.2.2: lm", list(one("示例", ex, list(items = as.list(names(ex)[2:7]), label = "城市", direction = list(list("for" = "PM2.5", kind = "low"), list("for" = "能耗强度", kind = "low"))), names(ex)[2:7])$case,
  a$case, one("问卷，有缺失和同分", sv, list(items = as.list(names(sv)[2:7]), label = "门店"), names(sv)[2:7], data = "oracle-survey.csv", measures = setNames(as.list(rep("定量", 6)), names(sv)[2:7]))$case,
  { f <- list(items = as.list(c("a", "b", "c", "d"))); one("一个指标与其余无关", alone, f, c("a", "b", "c", "d"), says = list("几乎是 0"), data = "oracle-alone.csv", measures = setNames(as.list(rep("定量", 4)), c("a", "b", "c", "d")))$case }))
