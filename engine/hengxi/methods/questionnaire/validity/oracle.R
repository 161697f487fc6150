# How oracle.json was made: tools/run_oracles.py --write questionnaire/validity   (R 4.2.2, psych 2.2.9, lavaan 0.6-14)
# KMO and Bartlett by psych, components by eigen, varimax iterated to a standstill, MAP by psych::vss; loadings, AVE, CR and
# fit by lavaan::cfa; α by psych::alpha, ω from lavaan's one-factor model. The catalogue's figures (semTools on these pupils):
# HTMT2 .384 .387 .280 (htmt2 = TRUE is its default), AVE .371 .720 .430, CR .626 .885 .691.
source("../../../../tools/oracle.R")
source("../../../families/sem/oracle.R")
suppressMessages(library(psych))
orthomax <- function(A, steps = 4000) { h <- sqrt(rowSums(A^2)); A <- A / h; T <- varimax(A, FALSE)$rotmat
  for (k in 1:steps) { L <- A %*% T; s <- svd(t(A) %*% (L^3 - L %*% diag(colSums(L^2)) / nrow(A))); T <- s$u %*% t(s$v) }; (A %*% T) * h }
signed <- function(L) L %*% diag(apply(L, 2, function(v) sign(v[which.max(abs(v))])), ncol(L))
efa <- function(x, extraction = "principal", turn = TRUE, m = NULL) { r <- cor(x); p <- ncol(x); e <- eigen(r, TRUE); if (is.null(m)) m <- sum(e$values > 1); v <- names(x)
  initial <- if (extraction == "principal") rep(1, p) else 1 - 1 / diag(solve(r))
  L <- if (extraction == "principal") e$vectors[, 1:m, drop = FALSE] %*% diag(sqrt(e$values[1:m]), m) else { h <- initial; for (k in 1:20000) { q <- r; diag(q) <- h; w <- eigen(q, TRUE); L <- w$vectors[, 1:m, drop = FALSE] %*% diag(sqrt(w$values[1:m]), m); n <- rowSums(L^2); if (max(abs(n - h)) < 1e-14) break; h <- n }; L }
  L <- signed(L); R <- if (turn && m > 1) orthomax(L) else L; if (turn && m > 1) R <- R[, order(-colSums(R^2))]; R <- signed(R)
  f <- paste0(if (extraction == "principal") "成分" else "因子", 1:m); k <- KMO(r); b <- cortest.bartlett(r, n = nrow(x)); wide <- function(z) setNames(as.list(z), paste0("loading@", f))
  E <- list(block("adequacy", list(), kmo = k$MSA, chi2 = b$chisq, df = b$df, p = b$p.value)); add <- function(...) E[[length(E) + 1]] <<- block(...)
  for (i in 1:p) { do.call(add, c(list("loadings", list(item = v[i])), wide(R[i, ]), list(communality = sum(L[i, ]^2), belongs = f[which.max(abs(R[i, ]))])))
    if (turn && m > 1) do.call(add, c(list("unrotated", list(item = v[i])), wide(L[i, ])))
    add("communalities", list(item = v[i]), initial = initial[[i]], extracted = sum(L[i, ]^2), msa = k$MSAi[[i]])
    a <- colSums(L^2); z <- colSums(R^2); do.call(add, c(list("variance", list(number = i), number = i, eigenvalue = e$values[i], share = e$values[i] / p, running = sum(e$values[1:i]) / p),
      if (i <= m) list(square = a[i], square_share = a[i] / p, square_sum = sum(a[1:i]) / p), if (i <= m && turn && m > 1) c(list(rotated = z[i]), list(rotated_share = z[i] / p, rotated_sum = sum(z[1:i]) / p)))) }
  list(E = E, m = m, explained = sum(L^2) / p, belongs = f[apply(abs(R), 1, which.max)]) }
omega1 <- function(x) { names(x) <- paste0("v", seq_along(x)); s <- tryCatch({ f <- lavaan_fit(paste("f =~", paste(names(x), collapse = "+")), x, std.lv = TRUE); p <- parTable(f); l <- p$est[p$op == "=~"]; u <- p$est[p$op == "~~" & p$lhs != "f"]; sum(l)^2 / (sum(l)^2 + sum(u)) }, error = function(e) NULL); s }
cfa_blocks <- function(x, dims, turned = character()) { model <- sapply(names(dims), function(k) paste(k, "=~", paste(dims[[k]], collapse = "+"))); fit <- lavaan_fit(model, x); E <- loading_blocks(fit, dims); E <- lapply(E, function(b) { b$table <- "confirmed"; b }); m <- measures(fit)
  E <- c(E, list(near("fit", list(), n = m$ntotal, chi2 = m$chisq, df = m$df, cfi = m$cfi, tli = m$tli, rmsea = m$rmsea, srmr = m$srmr))); V <- validity_blocks(fit, dims); R <- abs(cor(x)); tri <- function(q) q[lower.tri(q)]
  y <- x; for (v in turned) y[[v]] <- -y[[v]]
  for (b in V) { if (b$table == "convergent") { k <- dims[[b$where$factor]]; al <- suppressWarnings(psych::alpha(y[k], warnings = FALSE)$total$raw_alpha); o <- if (length(k) > 2) omega1(y[k]); b$cells <- c(b$cells, list(alpha = al), if (!is.null(o)) list(omega = o)) } else b$cells$htmt <- NULL; E <- c(E, list(b)) }
  n <- names(dims); if (length(n) > 1) for (i in 2:length(n)) for (j in 1:(i - 1)) { a <- dims[[n[i]]]; b <- dims[[n[j]]]; gm <- function(q) exp(mean(log(q)))
    E[[length(E) + 1]] <- block("htmt", list(pair = paste(n[j], "—", n[i])), htmt = mean(R[a, b]) / sqrt(mean(tri(R[a, a])) * mean(tri(R[b, b]))), htmt2 = gm(R[a, b]) / sqrt(gm(tri(R[a, a])) * gm(tri(R[b, b])))) }
  E }
wire_of <- function(dims, loose = character()) c(lapply(seq_along(dims), function(i) list(id = paste0("b", i), name = names(dims)[i], columns = as.list(dims[[i]]))), if (length(loose)) list(list(id = "loose", name = NULL, columns = as.list(loose))))
num <- function(d) as.list(setNames(rep("定量", ncol(d)), names(d)))
hs <- example(); dims <- list(visual = c("x1", "x2", "x3"), textual = c("x4", "x5", "x6"), speed = c("x7", "x8", "x9"))
RNGversion("4.2.0"); set.seed(61); n <- 180; t <- matrix(rnorm(2 * n), n); g <- function(z) findInterval(z, c(-1.3, -.4, .4, 1.3)) + 1
two <- data.frame(a1 = g(.7 * t[, 1] + .6 * rnorm(n)), a2 = g(.4 * t[, 1] + .9 * rnorm(n)), a3 = 6 - g(.5 * t[, 1] + .8 * rnorm(n)), b1 = g(.6 * t[, 1] + .3 * t[, 2] + .6 * rnorm(n)), b2 = g(.6 * t[, 1] + .2 * t[, 2] + .7 * rnorm(n)), b3 = g(.5 * t[, 1] + .3 * t[, 2] + .7 * rnorm(n)))
write.csv(two, "oracle-two.csv", row.names = FALSE, quote = FALSE)
noise <- as.data.frame(matrix(rnorm(60 * 5), 60)); names(noise) <- paste0("n", 1:5); write.csv(noise, "oracle-noise.csv", row.names = FALSE, quote = FALSE)
run <- function(name, x, dims, loose = character(), form = list(), says = list(), turned = character(), m = NULL, data = NULL, wrong = NULL, cfa = length(dims) > 0, extraction = "principal", turn = TRUE) {
  cols <- c(unlist(dims, use.names = FALSE), loose); z <- efa(x[cols], extraction, turn, m); E <- z$E; if (cfa) E <- c(E, cfa_blocks(x[unlist(dims)], dims, turned))
  facts <- list(m = z$m, explained = z$explained); if (!is.null(wrong)) facts$k <- wrong
  case(name, c(list(items = wire_of(dims, loose)), form), E, c(says, list(do.call(fact, c(list("个题项的 KMO"), facts)))), data, num(x)) }
any_ <- list("表中为载荷", "KMO 的参考标准", "随机数据：同样多", "横线为特征根 1", "颜色深浅", "KMO = {kmo:num3}。", "Bartlett χ²(", "个题项，每个题项约", "；平行分析", "效度说明题项测到的", "作因子分析：KMO")
items_ <- list("个题项载荷低、交叉", "参考标准（Costello")
one <- list("载荷为 1、没有标准误", "常用参考：标准化载荷", "对角线是 √AVE", "HTMT 低于 0.85")
none <- as.list(paste0("“", c("题项与预设维度", "聚合效度", "区分效度（Fornell-Larcker）", "区分效度（HTMT）", "因子载荷", "预设维度模型的拟合"), "”未给出"))
oracle(c("R 4.2.2；psych 2.2.9 KMO、cortest.bartlett、vss、alpha；lavaan 0.6-14 cfa（semTools：AVE .371 .720 .430，CR .626 .885 .691，HTMT2 .384 .387 .280）"), list(
  run("三个预设维度", hs, dims, form = list(n_boot = 200), says = c(any_, one, list("题项的归属与预设维度一致", items_[[1]], items_[[2]], "主成分法的初始值为 1"))),
  run("没有预设维度，主轴因子，MAP", hs, list(), paste0("x", 1:9), list(extraction = "paf", rotation = "none", n_rule = "map", n_boot = 200), c(any_, none, list("初始特征根是相关矩阵", "没有选择旋转", items_[[1]], items_[[2]], "初始值为该题项对")), extraction = "paf", turn = FALSE, m = which.min(suppressWarnings(psych::vss(cor(hs), n = 8, n.obs = 301, plot = FALSE))$map)),
  run("两个难分的维度，有反向题", two, list(甲 = c("a1", "a2", "a3"), 乙 = c("b1", "b2", "b3")), form = list(n_boot = 200), says = c(any_, one, list(items_[[1]], items_[[2]], "主成分法的初始值为 1", "只有 1 个成分，无需旋转", "方向相反，可能是反向题")), turned = "a3", data = "oracle-two.csv", wrong = 6),
  run("不适合因子分析", noise, list(甲 = c("n1", "n2"), 乙 = c("n3", "n4")), "n5", list(n_boot = 200), c(any_, list("不适合因子分析", items_[[1]], items_[[2]], "主成分法的初始值为 1", "方向相反，可能是反向题", "没有可用的解")), data = "oracle-noise.csv", cfa = FALSE)),
  unverified = list(list(what = "htmt.low", reason = "随抽样而变；test_method.py 看它含估计值、随样本量收窄"), list(what = "htmt.high", reason = "同上"), list(what = "parallel.number", reason = "序号"), list(what = "parallel.eigenvalue", reason = "与总方差解释的特征根相同"), list(what = "parallel.mean", reason = "随机模拟；factor_analysis 的测试与模拟原始数据比"), list(what = "parallel.high", reason = "同上"), list(what = "advice.first", reason = "载荷表里的数"), list(what = "advice.second", reason = "同上"), list(what = "advice.communality", reason = "同上")), quick = list(n_boot = 200))
