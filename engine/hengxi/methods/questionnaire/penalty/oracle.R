# Rscript oracle.R   (R 4.2.2) t.test (Welch), p.adjust, TukeyHSD, lm on the indicators of both sides.
source("../../../../tools/oracle.R")
save_as <- function(x, f) if (!file.exists(f)) write.csv(x, f, row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8", na = "")
set.seed(61); n <- 150; J <- c("甜度", "酸度", "香气", "口感", "颜色"); Q <- sapply(list(c(2, 6, 20, 10, 4), c(4, 12, 20, 4, 1), c(1, 8, 24, 6, 2), c(3, 10, 18, 8, 3), c(0, 3, 30, 3, 1)), function(w) sample(1:5, n, TRUE, w)); colnames(Q) <- J
y <- pmin(9, pmax(1, round(7.2 - .9 * (Q[, 1] > 3) - 1.1 * (Q[, 2] < 3) - .5 * (Q[, 4] < 3) + rnorm(n, 0, 1.1)))); d <- data.frame(喜好 = y, Q, check.names = FALSE); d[c(9, 77), "香气"] <- NA
save_as(d, "example.csv"); set.seed(62); o <- data.frame(评分 = round(rnorm(40, 7), 1), 咸度 = sample(3:5, 40, TRUE, c(5, 3, 2)), 油度 = c(rep(3, 37), 1, 5, 5)); save_as(o, "oracle-side.csv")
e <- na.omit(example()); S <- example("oracle-side.csv"); side <- c("不足", "恰好", "过度")
tables <- function(d, y, J, least = .2, how = "holm", jar = 3) { Y <- d[[y]]; rows <- list(); p <- c(); out <- list()
  for (j in J) for (s in -1:1) { k <- sign(d[[j]] - jar) == s; if (!any(k)) next; b <- list("result", list(name = j, side = side[s + 2]), n = sum(k), share = mean(k), mean = mean(Y[k])); r <- Y[d[[j]] == jar]
    if (s != 0) { b$penalty <- mean(r) - mean(Y[k]); b$weighted <- b$penalty * mean(k); if (mean(k) >= least) { t <- t.test(r, Y[k]); b$t <- t$statistic[[1]]; b$df <- t$parameter[[1]]; b$p <- t$p.value; p[paste(j, s)] <- t$p.value } }
    rows[[paste(j, s)]] <- b }
  a <- p.adjust(p, how); for (n in names(rows)) { if (n %in% names(a)) rows[[n]]$adjusted <- a[[n]]; out <- c(out, list(do.call(block, rows[[n]]))) }
  for (j in J) { g <- factor(side[sign(d[[j]] - jar) + 2], side); if (min(table(g)) < 2) next; f <- aov(Y ~ g); h <- TukeyHSD(f)$g; m <- tapply(Y, g, mean); N <- table(g); for (q in list(1:2, c(1, 3), 2:3)) { w <- paste(side[q[2]], side[q[1]], sep = "-"); se <- sqrt(deviance(f) / df.residual(f) * (1 / N[[q[1]]] + 1 / N[[q[2]]])); k <- abs(m[[q[1]]] - m[[q[2]]]) / se * sqrt(2)
    out <- c(out, list(block("pairs", list(name = j, first = side[q[1]], second = side[q[2]]), difference = m[[q[1]]] - m[[q[2]]], se = se, q = k, p = ptukey(k, 3, df.residual(f), lower.tail = FALSE), tolerance = 1e-5, reason = "ptukey's upper tail has few digits"))) } }
  X <- list(); for (j in J) for (s in c(-1, 1)) { k <- sign(d[[j]] - jar) == s; if (any(k)) X[[paste(j, side[s + 2])]] <- as.numeric(k) }
  M <- do.call(cbind, X); f <- lm(Y ~ M); c0 <- summary(f)$coefficients; rownames(c0) <- c("常数项（全部恰好）", colnames(M)); for (n in rownames(c0)) out <- c(out, list(block("net", list(name = n), b = c0[n, 1], se = c0[n, 2], t = c0[n, 3], p = c0[n, 4])))
  c(out, list(block("model", list(), n = length(Y), r2 = summary(f)$r.squared, adjusted = summary(f)$adj.r.squared, df = df.residual(f)))) }
f <- function(y, J, ...) list(liking = y, jar = as.list(J), ...); M <- c(setNames(as.list(rep("定量", 6)), names(e)), list(评分 = "定量", 咸度 = "定量", 油度 = "定量"))
p4 <- e[["甜度"]] > 3; w4 <- e[["酸度"]] < 3
oracle("R 4.2.2: t.test, p.adjust, TukeyHSD, lm", list(
  case("饮料，五个属性", f("喜好", J), tables(e, "喜好", J), list("先改“", "先改加权惩罚大的", "右上：偏离的人多", "水平只列出，不检验", "*B* 是其他属性都恰好时", "惩罚值是两组人的差别"), measures = M),
  case("不校正，门槛 10%", f("喜好", J[1:3], p_adjust = "none", min_share = 10), tables(e, "喜好", J[1:3], .1, "none"), list(), measures = M),
  case("Bonferroni", f("喜好", J, p_adjust = "bonferroni"), tables(e, "喜好", J, .2, "bonferroni"), list(), measures = M),
  case("只有一侧，不影响喜好", f("评分", "咸度", min_share = 30), tables(S, "评分", "咸度", .3), list("没有三组都够人数的属性", fact("没有发现哪种偏离使", p = t.test(S$评分[S$咸度 == 3], S$评分[S$咸度 > 3])$p.value)), "oracle-side.csv", M),
  case("偏离的人太少", f("评分", "油度"), tables(S, "评分", "油度"), list(fact("没有哪个属性的偏离达到", least = .2)), "oracle-side.csv", M)))
