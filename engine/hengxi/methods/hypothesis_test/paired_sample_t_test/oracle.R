# Rscript oracle.R   (R 4.2.2) Darwin's maize (1876): t.test paired, cor.test; intervals of d by solving pt(…, ncp).
source("../../../../tools/oracle.R")
source("../../../../tools/oracle_samples.R")

pair <- function(a, b, mu = 0, alt = "two_sided", level = .95) {
  r <- t.test(a, b, paired = TRUE, mu = mu, alternative = r_side(alt), conf.level = level)
  n <- length(a); t <- unname(r$statistic); d <- c(t / sqrt(n), ends(function(p) ncp(t, n - 1, p) / sqrt(n), alt, level))
  k <- cor.test(a, b); av <- sd(a - b) / ((sd(a) + sd(b)) / 2); rm <- sqrt(2 * (1 - k$estimate))
  J <- exp(lgamma((n - 1) / 2) - lgamma((n - 2) / 2)) / sqrt((n - 1) / 2)
  row <- function(name, f) block("effects", list(effect = name), value = d[1] * f, low = d[2] * f, high = d[3] * f)
  list(block("result", n = n, mean1 = mean(a), sd1 = sd(a), mean2 = mean(b), sd2 = sd(b), diff = mean(a - b),
             diff_sd = sd(a - b), se = r$stderr, low = r$conf.int[1], high = r$conf.int[2], t = t, df = n - 1,
             p = r$p.value, effect = d[1], effect_low = d[2], effect_high = d[3]),
       row("Cohen's d_z", 1), row("d_av", av), row("d_rm", unname(rm)), row("Hedges' g（由 d_av）", av * J),
       block("correlation", n = n, r = unname(k$estimate), p = k$p.value))
}
m <- example(); a <- m[["异花授粉"]]; b <- m[["自花授粉"]]
x <- sleep$extra[1:10]; y <- sleep$extra[11:20]
write.csv(setNames(data.frame(x, y), c("药1", "药2")), "oracle-sleep.csv", row.names = FALSE, quote = FALSE)
all4 <- list("dz", "dav", "drm", "hedges_g"); s <- function(...) list(pairs_a = list("药1"), pairs_b = list("药2"), effect = all4, ...)
maize <- list(pairs_a = list("异花授粉"), pairs_b = list("自花授粉"), effect = all4)
OWN <- "本检验要求各对之间互不影响"; SIZE <- "有八成把握"

oracle(c("R 4.2.2: t.test(paired), cor.test, shapiro.test, pt(ncp)"), list(
  case("达尔文的玉米", maize, c(pair(a, b), list(described("异花授粉", a), described("自花授粉", b), described("差值", a - b))),
    said(TRUE, "two_sided", OWN, SIZE, "“异花授粉”的平均值高于“自花授粉”", "近似正态")),
  case("安眠药，左侧", s(alternative = "less", conf_level = .99), pair(x, y, 0, "less", .99), said(TRUE, "less", OWN, SIZE,
    "“药1”的平均值低于“药2”", "明显不正态而样本不大"), data = "oracle-sleep.csv"),
  case("差值检验值 −1", s(null_diff = -1), pair(x, y, -1), said(FALSE, "two_sided", OWN, SIZE,
    "平均差值与 −1 有明显差异"), data = "oracle-sleep.csv"),
  case("右侧，没有", s(alternative = "greater"), pair(x, y, 0, "greater"), said(FALSE, "greater", OWN, SIZE,
    "没有发现“药1”的平均值高于“药2”"), data = "oracle-sleep.csv")))
