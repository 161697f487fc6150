# Rscript oracle.R > oracle.json   (R 4.2.2, psych, lavaan, jsonlite)
# psych::alpha for α, standardised α, CITC and α if deleted; Feldt's interval by qf; lavaan for ω and its delta interval
# (covariance metric); split halves, Guttman's λ, Armor's θ, Hotelling's T² and Tukey's test from raw rows.
source("../../../../tools/oracle.R")
suppressMessages({library(psych); library(lavaan)})
LAV <- "lavaan stops its search at a gradient of about 1e-6"

omega <- function(x, level) {
  names(x) <- paste0("v", seq_along(x)); l <- paste0("l", seq_along(x)); e <- paste0("e", seq_along(x))
  m <- paste0("f =~ ", paste0("NA*", names(x), " + ", l, "*", names(x), collapse = " + "), "\nf ~~ 1*f\n",
    paste0(names(x), " ~~ ", e, "*", names(x), collapse = "\n"), "")
  fit <- cfa(m, x)
  w <- coef(fit)[l]; u <- coef(fit)[e]; V <- vcov(fit)[c(l, e), c(l, e)]; W <- sum(w)^2 + sum(u)
  g <- c(rep(2 * sum(w) * sum(u) / W^2, length(w)), rep(-sum(w)^2 / W^2, length(u)))  # the delta method by hand
  sum(w)^2 / W + c(0, -1, 1) * qnorm(1 - (1 - level) / 2) * sqrt(c(t(g) %*% V %*% g))
}
half_of <- function(x, first) {
  a <- x[, first, drop = FALSE]; b <- x[, !first, drop = FALSE]; A <- rowSums(a); B <- rowSums(b); r <- cor(A, B)
  al <- function(y) if (ncol(y) > 1) suppressWarnings(psych::alpha(y, warnings = FALSE)$total$raw_alpha)
  k <- ncol(a) * ncol(b) / ncol(x)^2; q <- r^2
  list(alpha_1 = al(a), alpha_2 = al(b), r = r, equal = 2 * r / (1 + r),
    unequal = (-q + sqrt(q^2 + 4 * q * (1 - q) * k)) / (2 * (1 - q) * k), guttman = 2 * (1 - (var(A) + var(B)) / var(A + B)))
}
numbers <- function(x, scale, level = .95, model = "alpha", odd = FALSE, tests = FALSE, items = TRUE) {
  p <- ncol(x); n <- nrow(x); a <- suppressWarnings(psych::alpha(x, warnings = FALSE)); al <- a$total$raw_alpha; T <- rowSums(x); S <- cov(x)
  q <- (1 - level) / 2; mr <- (sum(cor(x)) - p) / (p * (p - 1))
  out <- list(do.call(block, c(list("result", list(scale = scale)), list(p = p, n = n, alpha = al, standard = a$total$std.alpha,
    mean_r = mr, low = 1 - (1 - al) * qf(1 - q, n - 1, (n - 1) * (p - 1)), high = 1 - (1 - al) * qf(q, n - 1, (n - 1) * (p - 1))),
    if ("theta" %in% model) list(theta = p / (p - 1) * (1 - 1 / eigen(cor(x))$values[1])), if ("kr20" %in% model) list(kr20 =
      p / (p - 1) * (1 - sum(colMeans(x) * (1 - colMeans(x))) / (var(T) * (n - 1) / n))))))
  if ("omega" %in% model) { o <- omega(x, level)
    out <- c(out, list(block("result", list(scale = scale), omega = o[1], omega_low = o[2], omega_high = o[3], tolerance = 1e-5, reason = LAV))) }
  for (i in seq_len(p)) { v <- names(x)[i]; R <- T - x[[i]]
    if (items) out <- c(out, list(block("described", list(scale = scale, item = v), mean = mean(x[[i]]), sd = sd(x[[i]]))))
    if ("item_deleted" %in% model) out <- c(out, list(do.call(block, c(list("totals", list(scale = scale, item = v)),
      list(citc = cor(x[[i]], R), rest_mean = mean(R), rest_variance = var(R), smc = summary(lm(x[[i]] ~ ., x[-i]))$r.squared),
      if (p > 2) list(deleted = suppressWarnings(psych::alpha(x[-i], warnings = FALSE)$total$raw_alpha))))))
    if (items) for (j in seq_len(i)) out <- c(out, list(block("correlations", list(item = v, against = names(x)[j]), r = cor(x[[i]], x[[j]])))) }
  first <- if (odd) seq_len(p) %% 2 == 1 else seq_len(p) <= (p + 1) %/% 2; h <- half_of(x, first)
  if ("split_half" %in% model) out <- c(out, list(do.call(block, c(list("half", list(scale = scale)), Filter(Negate(is.null), h)))))
  if ("guttman" %in% model) { V <- sum(S); o <- S - diag(diag(S)); l1 <- 1 - sum(diag(S)) / V
    out <- c(out, list(block("bounds", list(scale = scale), l1 = l1, l2 = l1 + sqrt(p / (p - 1) * sum(o^2)) / V, l3 = al, l4 = h$guttman,
      l5 = l1 + 2 * sqrt(max(colSums(o^2))) / V, l6 = 1 - sum(diag(S) * (1 - psych::smc(cor(x)))) / V))) }
  if (tests) { D <- as.matrix(x[-1]) - x[[1]]; t2 <- n * colMeans(D) %*% solve(cov(D), colMeans(D)); d <- c(p - 1, n - p + 1)
    F <- t2 * d[2] / ((n - 1) * d[1]); y <- unlist(x); P <- factor(rep(1:n, p)); I <- factor(rep(1:p, each = n)); fit <- lm(y ~ P + I)
    w <- ave(y, P) * ave(y, I); e <- residuals(lm(w ~ P + I)); ss <- sum(e * y)^2 / sum(e^2); r <- sum(residuals(fit)^2) - ss; df <- (n - 1) * (p - 1) - 1
    out <- c(out, list(block("means", list(scale = scale, test = "Hotelling T²（各题均值相等）"), statistic = t2[1], F = F[1], df1 = d[1], df2 = d[2],
      p = pf(F[1], d[1], d[2], lower.tail = FALSE)), block("means", list(scale = scale, test = "Tukey 可加性检验"), F = ss / (r / df), df1 = 1, df2 = df,
      p = pf(ss / (r / df), 1, df, lower.tail = FALSE)))) }
  out
}
said <- list("α 高说明这些题的回答一致", "的 Cronbach α = ", "CI 的置信水平为")

write.csv(attitude, "oracle-attitude.csv", row.names = FALSE, quote = FALSE)
x <- example(); one <- x[1:4]; two <- x[5:8]; three <- x[9:12]; turned <- transform(two, 信任3 = 6 - 信任3)
loose <- function(items) list(list(id = "loose", name = NULL, columns = as.list(items)))
blocks_of <- lapply(1:3, function(k) list(id = paste0("b", k), name = paste0("维度", k), columns = as.list(names(x)[4 * k - 3:0])))
all <- c("alpha", "omega", "split_half", "guttman", "theta", "item_deleted"); base <- c("alpha", "omega", "item_deleted")
whole <- cbind(one, turned, three)
bits <- as.data.frame(1 * (x > 3)); bits$份数 <- rep(1:3, length.out = nrow(x)); write.csv(bits, "oracle-bits.csv", row.names = FALSE, quote = FALSE)
wide <- bits[rep(seq_len(nrow(bits)), bits$份数), 1:4]
pair <- one[1:2]
measure <- function(d) as.list(setNames(rep("定量", ncol(d)), names(d)))

oracle(c("R 4.2.2 psych 2.2.9: alpha, smc", "lavaan 0.6: ω 与 delta 法区间", "R 4.2.2: lm, cov, qf, pf"), list(
  case("三个维度，一道反向题", list(items = blocks_of, turned = list(list(`for` = names(x)[7], reversed = TRUE))), c(numbers(one, "服务质量", model = base), numbers(turned, "信任", model = base),
    numbers(three, "忠诚", model = base), numbers(whole, "全部题项", model = base, items = FALSE)), c(said, list(fact("个维度的 Cronbach α 最低", k = 3), "“信任3”已反向转换后计算",
    "没有题项与其余题项的总分负相关")), measures = measure(x)),
  case("没有转换的反向题", list(items = loose(names(two)), model = base), numbers(two, "信任", model = base), c(said, list("内部一致性不足", "“信任3”与同一维度其余题项的总分负相关")), measures = measure(two)),
  case("自动反向，全部系数，奇偶折半", list(items = loose(names(two)), model = all, split = "odd_even", reverse = TRUE, tests = TRUE, conf_level = .9),
    numbers(turned, "信任", .9, all, odd = TRUE, tests = TRUE), c(said, list("内部一致性可以接受", "已反向转换后计算")), measures = measure(two)),
  case("attitude（目录给出的数），前 4 后 3", list(items = loose(names(attitude)), model = all, tests = TRUE), numbers(attitude, "全部题项", model = all, tests = TRUE),
    c(said, list("内部一致性较高")), data = "oracle-attitude.csv", measures = measure(attitude)),
  case("0/1 题，频数权重，KR-20", list(items = loose(names(wide)), weight = "份数", model = c("alpha", "kr20")), numbers(wide, "服务质量", model = c("alpha", "kr20")),
    c(said[-3], list("内部一致性偏低")), data = "oracle-bits.csv", measures = measure(bits)),
  case("只有两题", list(items = loose(names(pair)), model = c("alpha", "omega", "item_deleted", "split_half")), numbers(pair, "服务质量", model = c("alpha", "item_deleted")),
    c(said, list("内部一致性偏低", "没有 ω 的维度", "只有 2 题的维度没有")), measures = measure(pair)),
  case("方向相反的两题", list(items = loose(c("信任1", "信任3")), model = list("alpha")), numbers(two[c(1, 3)], "信任"), c(said, list("Cronbach α 为负")), measures = measure(two))))
