# ca::ca with its datasets smoke (Greenacre 1984) and author (12 × 26), supplementary points by suprow and supcol; chisq.test.
# The catalogue: smoke 0.07476, 0.01002, 0.00041, total 0.08519, χ² = 16.44. Signs by the stated convention.
source("../../../../tools/oracle.R"); suppressMessages(library(ca)); data(smoke); data(author)
S <- as.matrix(smoke); rownames(S) <- c("高级经理", "初级经理", "高级雇员", "初级雇员", "秘书"); colnames(S) <- c("不吸", "少量", "中等", "大量")
long <- data.frame(职位 = rep(rownames(S), each = 4), 吸烟 = rep(colnames(S), 5), 人数 = as.vector(t(S))); write.csv(long, "example.csv", row.names = FALSE, quote = FALSE)
A <- as.matrix(author); write.csv(data.frame(作品 = paste0("书", 1:12), A, check.names = FALSE), "oracle-author.csv", row.names = FALSE, quote = FALSE); rownames(A) <- paste0("书", 1:12)
raw <- long[rep(seq_len(20), long$人数), 1:2]; raw <- rbind(raw, data.frame(职位 = c("高级经理", NA), 吸烟 = c(NA, "不吸"))); write.csv(raw, "oracle-raw.csv", row.names = FALSE, quote = FALSE, na = "")
ind <- expand.grid(甲 = c("a", "b", "c"), 乙 = c("x", "y", "z")); ind$n <- c(20, 22, 18, 21, 19, 20, 19, 20, 21); write.csv(ind, "oracle-weak.csv", row.names = FALSE, quote = FALSE); I <- xtabs(n ~ 甲 + 乙, ind); I <- matrix(I, 3, dimnames = list(c("a", "b", "c"), c("x", "y", "z")))
run <- function(T, dims, pr, pc, sr = NA, sc = NA) {
  act <- T[setdiff(rownames(T), sr), setdiff(colnames(T), sc), drop = FALSE]; i <- if (is.na(sr[1])) NA else match(sr, rownames(T)); j <- if (is.na(sc[1])) NA else match(sc, colnames(T)); f <- ca(T, suprow = i, supcol = j); k <- min(dim(act)) - 1; sv <- f$sv[1:k]
  keep <- rownames(f$rowcoord) %in% rownames(act); R <- f$rowcoord[, 1:k]; s <- apply(R[keep, ], 2, function(v) sign(v[which.max(abs(v))])); R <- R %*% diag(s); C <- f$colcoord[, 1:k] %*% diag(s); rownames(R) <- rownames(f$rowcoord); rownames(C) <- rownames(f$colcoord)
  t <- suppressWarnings(chisq.test(act, correct = FALSE)); n <- sum(act); out <- list(block("test", list(), n = n, chi2 = t$statistic[[1]], df = t$parameter[[1]], p = t$p.value, v = sqrt(t$statistic[[1]] / n / k), inertia = t$statistic[[1]] / n)); tot <- sum(sv^2)
  for (d in 1:k) out <- c(out, list(block("dimensions", list(dimension = paste0("维", d)), singular = sv[d], inertia = sv[d]^2, share = sv[d]^2 / tot, running = sum(sv[1:d]^2) / tot)))
  for (r in rownames(act)) { cells <- list(); for (q in colnames(act)) { cells[[paste0("n@", q)]] <- act[r, q]; cells[[paste0("row_share@", q)]] <- act[r, q] / sum(act[r, ]); cells[[paste0("column_share@", q)]] <- act[r, q] / sum(act[, q]); cells[[paste0("residual@", q)]] <- t$stdres[r, q] }; if (ncol(act) < 10) out <- c(out, list(do.call(block, c(list("cross", list(row = r)), cells)))) }
  side <- function(table, X, mass, act_names, prof, centre, p) { for (nm in rownames(X)) { std <- X[nm, ]; pcp <- std * sv; dist <- sum((prof[nm, ] - centre)^2 / centre); cells <- list(); sup <- !(nm %in% act_names)
      for (d in seq_len(dims)) { cells[[paste0("score@维", d)]] <- std[[d]] * sv[d]^p; cells[[paste0("cos2@维", d)]] <- pcp[[d]]^2 / dist; if (!sup) cells[[paste0("contribution@维", d)]] <- mass[[nm]] * std[[d]]^2 }
      if (!sup) cells <- c(cells, list(mass = mass[[nm]], inertia = mass[[nm]] * dist)); out <<- c(out, list(do.call(block, c(list(table, list(name = nm), quality = sum(pcp[1:dims]^2) / dist), cells)))) } }
  full <- T[, colnames(act), drop = FALSE]; pr1 <- full / rowSums(full); full2 <- t(T[rownames(act), , drop = FALSE]); pr2 <- full2 / rowSums(full2); rm <- rowSums(act) / n; cm <- colSums(act) / n
  side("rows", R, rm, rownames(act), pr1, cm, pr); side("columns", C, cm, colnames(act), pr2, rm, pc)
  w <- which(t$stdres == max(t$stdres), arr.ind = TRUE)[1, ]; list(out = out, p = t$p.value, chi2 = t$statistic[[1]], df = t$parameter[[1]], v = sqrt(t$statistic[[1]] / n / k), n = n, d = min(2, dims), share = sum(sv[1:min(2, dims)]^2) / tot, res = max(t$stdres), a = rownames(act)[w[1]], b = colnames(act)[w[2]], few = any(c(rowSums(act), colSums(act)) < 5))
}
says <- function(a, extra = NULL) c(list("图上同一变量的两个类别靠近", fact(if (a$p < .05) "有关联（χ²" else "没有发现明显关联", chi2 = a$chi2, df = a$df, p = a$p, share = a$share, d = a$d, res = a$res), fact(if (a$p < .05) "联系最强的是" else "调整残差最大的是", n = a$n, res = a$res), if (a$p < .05) "有关联可以解释" else "图上的远近可能只是偶然", if (a$few) "的频数不足 5" else "各类别的频数都不少于 5"), extra)
f <- function(...) list(row = "职位", column = "吸烟", input = "frequency", weight = "人数", ...); q <- list(职位 = "定类", 吸烟 = "定类", 人数 = "定量"); W <- run(S, 2, .5, .5); stopifnot(all(abs(W$chi2 - 16.44) < .01)); X <- run(S, 2, 1, 0, sr = "秘书"); Y <- run(S, 3, 0, 1); Z <- run(A, 4, 1, 1, sc = "z"); K <- run(I, 1, .5, .5)
Y2 <- lapply(Y$out, identity)
oracle(c("ca: ca（smoke, author）", "R 4.2.2: chisq.test"), list(
  case("职位与吸烟", f(), W$out, says(W), measures = q),
  case("补充行，行主成分", f(supplementary = "秘书", normalization = "row_principal"), X$out, says(X), measures = q),
  case("一行一个个案，列主成分，三维", list(row = "职位", column = "吸烟", dims = 10, normalization = "column_principal"), Y2, says(Y, list(fact("维数最大为", k = 3))), data = "oracle-raw.csv", measures = list(职位 = "定类", 吸烟 = "定类")),
  case("列联表，十二部作品的字母，补充列", list(row = "作品", input = "contingency_table", counts = as.list(colnames(A)), dims = 4, normalization = "principal", supplementary = "z"), Z$out, says(Z), data = "oracle-author.csv", measures = c(list(作品 = "定类"), setNames(as.list(rep("定量", 26)), colnames(A)))),
  case("没有关联，一维", list(row = "甲", column = "乙", input = "frequency", weight = "n", dims = 1), K$out, says(K), data = "oracle-weak.csv", measures = list(甲 = "定类", 乙 = "定类", n = "定量"))))
