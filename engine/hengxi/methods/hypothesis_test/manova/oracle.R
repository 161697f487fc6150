# Rscript oracle.R > oracle.json   (R 4.2.2, car 3.1-1, rstatix; the example is iris of R's datasets (Fisher 1936))
# Canonical variates: eigen(solve(E, H)), scaled to a'(E/df)a = 1. Mardia by its definition on the residuals, divisor n.
source("../../../../tools/oracle.R"); source("../../../../tools/oracle_repeated.R")
I <- example(); V <- names(I)[1:4]
set.seed(11); Q <- data.frame(年级 = rep(c("大一", "大二", "大三"), c(14, 11, 9)), 性别 = rep(c("女", "男", "男", "女", "女"), length.out = 34), 基础 = round(rnorm(34, 60, 8)))
for (v in c("兴趣", "投入", "满意")) Q[[v]] <- pmin(5, pmax(1, round(2.2 + .9 * (Q$年级 == "大三") * (v != "投入") + .02 * Q$基础 + rnorm(34, 0, .8))))
Q$投入[c(4, 20)] <- NA; small <- data.frame(组 = rep(c("甲", "乙"), c(3, 6)), a = c(2, 3, 2, 5, 4, 6, 5, 7, 5), b = c(1, 4, 3, 2, 5, 3, 6, 4, 4), c = c(3, 1, 2, 2, 4, 5, 3, 3, 6))
same <- data.frame(组 = rep(c("甲", "乙", "丙"), each = 8), x = c(5, 3, 4, 6, 2, 5, 4, 3, 4, 5, 3, 6, 2, 4, 5, 3, 3, 4, 6, 5, 2, 4, 3, 5.5), y = c(2.1, 3, 5, 4, 4, 6, 3, 5, 3, 4, 5, 2, 6, 4, 3, 5.2, 5, 3, 4, 2, 6, 4.4, 5, 3))
save_as <- function(x, f) write.csv(x, f, row.names = FALSE, quote = FALSE, na = ""); save_as(Q, "oracle-items.csv"); save_as(small, "oracle-small.csv"); save_as(same, "oracle-same.csv")

body <- function(d, y, factors, covariates = c(), how = "bonferroni", cross = TRUE, single = TRUE, level = .95) { d <- d[complete.cases(d[c(y, factors, covariates)]), ]; for (f in factors) d[[f]] <- in_order(d[[f]]); for (v in covariates) d[[v]] <- d[[v]] - mean(d[[v]])
  q <- function(x) paste0("`", x, "`"); Y <- as.matrix(d[y]); fit <- lm(as.formula(paste("Y ~", paste(c(paste(q(factors), collapse = if (cross) "*" else "+"), q(covariates)[length(covariates) > 0]), collapse = "+"))), d); A <- Anova(fit, type = "III"); rdf <- fit$df.residual; E <- A$SSPE; out <- list(); p <- length(y)
  g <- interaction(d[factors], sep = " × ", lex.order = TRUE, drop = TRUE); boxed <- all(table(g) > p) && all(sapply(levels(g), function(l) min(eigen(cov(Y[g == l, , drop = FALSE]))$values) > 1e-10)); if (boxed) { B <- boxm_block("box", Y, g, TRUE); out <- list(B) }; read <- if (boxed && B$cells$p >= .001) "Wilks Λ" else "Pillai 迹"
  for (r in setdiff(A$terms, "(Intercept)")) { nm <- gsub(":", " × ", gsub("`", "", r)); H <- A$SSP[[r]]; df <- A$df[[match(r, A$terms)]]
    for (one in four(H, E, df, rdf)) out <- c(out, list(do.call(block, c(list("many", list(source = nm, criterion = one$criterion)), one[-1], if (one$criterion == read) list(read = "采用")))))
    ps <- sapply(seq_len(p), function(j) pf(H[j, j] / df / (E[j, j] / rdf), df, rdf, lower.tail = FALSE)); pa <- if (how == "none") ps else p.adjust(ps, how)
    if (single) for (j in seq_len(p)) out <- c(out, list(block("single", list(source = nm, outcome = y[j]), ss = H[j, j], df = df, df_error = rdf, F = H[j, j] / df / (E[j, j] / rdf), p = ps[j], adjusted = pa[j], eta = H[j, j] / (H[j, j] + E[j, j]))))
    if (!(nm %in% covariates)) { e <- eigen(solve(E, H)); s <- min(p, df); l <- Re(e$values)[seq_len(s)]; sd <- sqrt(diag(E) / rdf)
      for (a in seq_len(s)) { v <- Re(e$vectors[, a]); v <- v / sqrt(as.numeric(v %*% (E / rdf) %*% v)); S <- as.numeric((E / rdf) %*% v) / sd; v <- v * sign(S[which.max(abs(S))]); S <- as.numeric((E / rdf) %*% v) / sd
        out <- c(out, list(block("canonical", list(source = nm, axis = paste("第", a)), root = l[a], share = l[a] / sum(l), r = sqrt(l[a] / (1 + l[a])))))
        for (j in seq_len(p)) out <- c(out, list(block("loadings", list(source = nm, axis = paste("第", a), outcome = y[j]), weight = v[j] * sd[j], structure = S[j], tolerance = 1e-7, reason = "eigenvectors of an unsymmetric matrix in R"))) } } }
  for (l in levels(g)) for (j in seq_len(p)) { x <- Y[g == l, j]; out <- c(out, list(block("cells", list(outcome = y[j], group = l), n = length(x), mean = mean(x), sd = sd(x)))) }
  R <- resid(fit); n <- nrow(R); S <- crossprod(R) / n; D <- R %*% solve(S) %*% t(R); b1 <- sum(D^3) / n^2; b2 <- sum(diag(D)^2) / n; k <- (p + 1) * (n + 1) * (n + 3) / (n * ((n + 1) * (p + 1) - 6)); f <- p * (p + 1) * (p + 2) / 6
  z <- (b2 - p * (p + 2)) / sqrt(8 * p * (p + 2) / n);
  out <- c(out, list(block("shapes", list(test = "Mardia 偏度"), value = b1, statistic = n * b1 / 6, df = f, p = pchisq(n * b1 / 6, f, lower.tail = FALSE)), block("shapes", list(test = "Mardia 偏度（小样本校正）"), value = b1, statistic = k * n * b1 / 6, df = f, p = pchisq(k * n * b1 / 6, f, lower.tail = FALSE)), block("shapes", list(test = "Mardia 峰度"), value = b2, statistic = z, p = 2 * pnorm(-abs(z)))))
  for (j in seq_len(p)) { v <- leveneTest(R[, j] ~ g, center = mean); out <- c(out, list(block("spread", list(outcome = y[j]), F = v[1, 2], df1 = v[1, 1], df2 = v[2, 1], p = v[1, 3], tolerance = 1e-7, reason = "distances of residuals, whose last digits are those of the fit"))) }
  out }
b <- body(I, V, "品种"); check <- summary(manova(as.matrix(I[V]) ~ I$品种), test = "Wilks")$stats[1, ]
stopifnot(abs(Filter(function(x) identical(x$where$criterion, "Wilks Λ"), b)[[1]]$cells$F - check[3]) < 1e-8, abs(Filter(function(x) identical(x$where$criterion, "Hotelling-Lawley 迹"), b)[[1]]$cells$F - 580.5321) < 1e-3)
of <- function(x, source) Filter(function(b) b$table == "many" && identical(b$where$source, source) && identical(b$cells$read, "采用"), x)[[1]]$cells$p
lead <- function(text, p) list(contains = text, facts = list(p0 = p))
all <- list("把几个因变量当作一个整体比较", "采用多元方差分析（", "Mardia 检验最小的", "Levene *p* 最小的是", "因变量 {p:integer} 个。"); M <- setNames(as.list(rep("定量", 9)), c("兴趣", "投入", "满意", "基础", "a", "b", "c", "x", "y"))
b2 <- body(Q, c("兴趣", "投入", "满意"), c("年级", "性别"), "基础", "holm"); b3 <- body(small, c("a", "b", "c"), "组", how = "none", level = .9); b4 <- body(same, c("x", "y"), "组", single = FALSE)
oracle(c("R 4.2.2: lm, eigen, stats:::Pillai, Wilks, HL, Roy, pchisq", "car 3.1-1: Anova(type = III) of an mlm, leveneTest", "rstatix: box_m（核对）"), list(
  case("三种鸢尾花（目录给出的数）", list(y = as.list(V), factors = list("品种")), b, c(all, list(lead("单看每一个也都不同", of(b, "品种")), "各组协方差不同，采用较稳健的 Pillai 迹。"))),
  case("1–5 分，有缺失，两个因素与协变量，Holm", list(y = list("兴趣", "投入", "满意"), factors = list("年级", "性别"), covariates = list("基础"), adjust = "holm"), b2, c(all, list(lead("个因变量上", of(b2, "年级")))), data = "oracle-items.csv", measures = M),
  case("有一组例数不多于因变量，不校正，90%", list(y = list("a", "b", "c"), factors = list("组"), adjust = "none", conf_level = .9), b3, c(all, list(lead("各组在", of(b3, "组")), "Box *M* 算不出来", "不大于因变量个数")), data = "oracle-small.csv", measures = M),
  case("没有差异，不做单变量", list(y = list("x", "y"), factors = list("组"), univariate = FALSE), b4, c(all, list(lead("没有发现明显差异", of(b4, "组")), "没有发现各组协方差明显不同")), data = "oracle-same.csv", measures = M)),
  lapply(c("效应自由度为 1 时四种结果相同", "各因变量单位不同，所以画", "求的前两个典型变量", "”未给出："), function(x) list(what = x, reason = "a note on how a table or figure is made")))
