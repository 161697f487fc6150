# Rscript oracle.R   (R 4.2.2) Michelson's light speeds; Z from pnorm and qnorm by hand, z(λ) = (m - mu) / (σ/√n).
source("../../../../tools/oracle.R")
source("../../../../tools/oracle_samples.R")

z <- function(xs, names, sigma, value = 0, alt = "two_sided", level = .95) {
  se <- sigma / sqrt(lengths(xs)); m <- sapply(xs, mean); two <- length(xs) == 2
  d <- if (two) m[1] - m[2] else m - value; null <- if (two) value else 0; s <- sqrt(sum(se^2)); z <- (d - null) / s
  a <- if (alt == "two_sided") (1 - level) / 2 else 1 - level
  p <- switch(alt, two_sided = 2 * pnorm(-abs(z)), greater = pnorm(-z), less = pnorm(z))
  c(list(block("result", z = z, p = p, difference = d, se = s, low = if (alt == "less") -Inf else d - qnorm(1 - a) * s,
               high = if (alt == "greater") Inf else d + qnorm(1 - a) * s, d = (d - null) / sqrt(mean(sigma^2)))),
    lapply(seq_along(xs), function(i) block("means", list(sample = names[i]), n = length(xs[[i]]), mean = m[i], sigma = sigma[i], sd = sd(xs[[i]]), se = se[i])),
    lapply(seq_along(xs), function(i) described(names[i], xs[[i]])))
}
m <- example(); v <- m[["速度"]]; g <- split(v, m[["试验组"]]); K <- list(试验组 = "定类", 速度 = "定量")
one <- function(...) list(variables = list("速度"), ...); two <- function(...) one(group = "试验组", groups = list(1, 5), ...)
first <- z(list(v), "速度", 80, 734.5); stopifnot(abs(first[[1]]$cells$z - 14.7375) < 1e-9)
OWN <- c("本检验要求各行数据互不影响", "均值近似正态", "没有明显出入"); FEW <- c("本检验要求各行数据互不影响", "不足 30 例")

oracle(c("R 4.2.2: pnorm, qnorm"), list(
  case("光速与 734.5", one(test_value = 734.5, sigma = list(80)), first, c(said(TRUE, "two_sided"), as.list(OWN)), measures = K),
  case("右侧", one(test_value = 840, sigma = list(60), alternative = "greater"), z(list(v), "速度", 60, 840, "greater"),
    c(said(TRUE, "greater"), "相差较大"), measures = K),
  case("左侧，没有", one(test_value = 850, sigma = list(80), alternative = "less", conf_level = .9), z(list(v), "速度", 80, 850, "less", .9),
    c(said(FALSE, "less"), as.list(OWN)), measures = K),
  case("双侧，没有", one(test_value = 850, sigma = list(80)), z(list(v), "速度", 80, 850), c(said(FALSE, "two_sided"), as.list(OWN)), measures = K),
  case("两组", two(sigma = list(80, 75)), z(g[c(1, 5)], c("1", "5"), c(80, 75)), c(said(TRUE, "two_sided"), as.list(FEW)), measures = K),
  case("两组，差值与 60", two(sigma = list(105, 55), test_value = 60), z(g[c(1, 5)], c("1", "5"), c(105, 55), 60),
    c(said(FALSE, "two_sided"), as.list(FEW), "没有明显出入"), measures = K),
  case("两组，左侧", two(sigma = list(105, 55), alternative = "less"), z(g[c(1, 5)], c("1", "5"), c(105, 55), 0, "less"),
    c(said(FALSE, "less"), as.list(FEW)), measures = K),
  case("两组，右侧", two(sigma = list(105, 55), alternative = "greater"), z(g[c(1, 5)], c("1", "5"), c(105, 55), 0, "greater"),
    c(said(TRUE, "greater"), as.list(FEW)), measures = K)))
