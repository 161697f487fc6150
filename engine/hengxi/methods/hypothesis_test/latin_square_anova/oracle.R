# Rscript oracle.R > oracle.json   (R 4.2.2, car 3.1-1, emmeans 1.8); the example is OrchardSprays of R's datasets (Finney).
# Relative efficiencies by the formulas of Cochran & Cox; Tukey's test as a regression on the square of the fitted values.
source("../../../../tools/oracle.R"); source("../../../../tools/oracle_linear.R")
save_as <- function(x, f) write.csv(x, f, row.names = FALSE, quote = FALSE, na = "")
O <- with(OrchardSprays, data.frame(行 = paste0("第", rowpos, "行"), 列 = paste0("第", colpos, "列"), 处理 = as.character(treatment), 减少量 = decrease)); save_as(O, "example.csv"); O <- example()
set.seed(3); B <- expand.grid(口味 = c("甜", "咸", "酸", "辣"), 人 = paste0("评委", 1:9), stringsAsFactors = FALSE); B$分 <- pmin(5, pmax(1, round(3 + .9 * (B$口味 == "甜") + rnorm(9, 0, .8)[as.integer(factor(B$人))] + rnorm(36, 0, .8)))); B$分[c(7, 30)] <- NA
save_as(B, "oracle-taste.csv"); W <- B; W$分 <- ifelse(is.na(W$分), 3, W$分) + (W$口味 == "甜") * .5; save_as(W, "oracle-whole.csv")
X <- O; X$处理[1:2] <- rev(X$处理[1:2]); X <- X[X$行 != "第8行", ]; save_as(X, "oracle-broken.csv")
extra <- function(cols, whole) function(fit, d) { s <- sapply(c(cols), function(f) nlevels(d[[f]])); a <- Anova(fit, type = "III"); ms <- sapply(cols, function(f) a[f, 1] / a[f, 2]); if (any(is.na(ms))) ms <- sapply(cols, function(f) { i <- match(f, gsub("`", "", rownames(a))); a[i, 1] / a[i, 2] }); mse <- sigma(fit)^2; t <- s[1]; f1 <- df.residual(fit); out <- list()
  fix <- function(f2) (f1 + 1) * (f2 + 3) / ((f2 + 1) * (f1 + 3)); put <- function(n, v, f2) list(block("efficiency", list(other = n), value = unname(v), corrected = unname(v * fix(f2))))
  if (whole && length(cols) == 3) out <- c(put("完全随机设计", (ms[2] + ms[3] + (t - 1) * mse) / ((t + 1) * mse), t * (t - 1)), put("只用行作区组", (ms[3] + (t - 1) * mse) / (t * mse), (t - 1)^2), put("只用列作区组", (ms[2] + (t - 1) * mse) / (t * mse), (t - 1)^2))
  if (whole && length(cols) == 2) { b <- s[2]; out <- put("完全随机设计", ((b - 1) * ms[2] + b * (t - 1) * mse) / ((b * t - 1) * mse), t * (b - 1)) }
  q <- fitted(fit)^2; e <- qr.resid(fit$qr, q); ssn <- sum(e * resid(fit))^2 / sum(e^2); rd <- f1 - 1; FN <- ssn / ((sum(resid(fit)^2) - ssn) / rd)
  c(out, list(block("additivity", list(source = "非可加性"), ss = ssn, df = 1, df_error = rd, F = FN, p = pf(FN, 1, rd, lower.tail = FALSE), tolerance = 1e-7, reason = "a square of fitted values, whose last digits are those of the fit"),
    block("counts", list(), treatments = unname(t), rows = unname(s[2]), n = nrow(d)), if (length(s) > 2) block("counts", list(), columns = unname(s[3])))) |> Filter(f = Negate(is.null)) }
remade <- function(x, cols, ...) { f <- x$form; x$form <- c(list(y = f$y, treatment = cols[1], row = cols[2]), if (length(cols) > 2) list(column = cols[3]), f[setdiff(names(f), c("y", "factors", "random"))]); x }
t <- "拉丁方/随机区组方差分析"; M <- list(分 = "定量", 减少量 = "定量")
g <- function(name, d, y, cols, whole, says, data = NULL, ...) remade(design_case(name, t, d, cols[1], y, list(), says, data, M, random = cols[-1], extra = extra(cols, whole), ...), cols)
notes <- c(stated, lapply(c("150% 表示另一种设计"), function(x) list(what = x, reason = "a note on how a table is made")))
oracle(c("R 4.2.2: lm, anova, shapiro.test, pf(ncp)", "car 3.1-1: Anova(type = III), leveneTest", "emmeans 1.8"), list(
  g("果园喷洒，8×8 拉丁方（目录给出的数）", O, "减少量", c("处理", "行", "列"), TRUE, list("是完整的拉丁方。", "个组，每个 {least:integer} 例。", "Tukey 检验：*F*(1, "), how = "tukey"),
  g("四种口味，九名评委，1–5 分，缺两个，Holm", B[!is.na(B$分), ], "分", c("口味", "人"), FALSE, list("出现 {k:integer} 次，不是完整的随机区组", "设计不完整，处理的比较", "个有数据的组", "两两比较共 {m:integer} 次，Holm"), "oracle-taste.csv", how = "holm"),
  g("完整的随机区组，LSD，90%", W, "分", c("口味", "人"), TRUE, list("是完整的随机区组。", "不控制整体错误率：", "没有发现处理与区组之间有"), "oracle-whole.csv", how = "lsd", level = .9),
  g("不是拉丁方，Sidak", X, "减少量", c("处理", "行", "列"), FALSE, list("数目不同，不是拉丁方", "两两比较共 {m:integer} 次，Šidák"), "oracle-broken.csv", how = "sidak")), notes)
