# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2, psych 2.2.9, GPArotation 2022.10-2, mnormt)
# KMO, cortest.bartlett, fa(fm = "pa", iterated to a standstill), varimax, GPArotation (quartimax, cfT for equamax, oblimin);
# ML and minres: factanal and fa, finished by Newton steps on numeric derivatives, since optim stops early.
# fa(fm = "minres") itself stops at a slope of 1e-6 and oblimin at 1e-8, with a sum of squared residuals above ours.
# Promax is written out as SPSS states it (PSPP 1.6.2 FACTOR /ROTATION=PROMAX(4) gives the same to its two decimals).
# Polychoric: the likelihood of Olsson (1979) with mnormt's bivariate probabilities, its slope solved by uniroot.
# Order and signs of the factors follow the report's stated convention. Frequencies: every row written as often as it counts.
suppressMessages({library(psych); library(GPArotation); library(jsonlite)})
invisible(Sys.setlocale("LC_ALL", "C.UTF-8"))

example <- function() {          # 12 items, 3 factors, loadings .6 to .85, five grades; seed 2024
  RNGversion("4.2.0"); set.seed(2024); n <- 300
  f <- matrix(rnorm(3 * n), n); load <- c(.85, .8, .75, .7, .8, .75, .7, .65, .8, .7, .65, .6)
  y <- sapply(1:12, function(j) load[j] * f[, (j - 1) %/% 4 + 1] + sqrt(1 - load[j]^2) * rnorm(n))
  d <- as.data.frame(apply(y, 2, function(v) findInterval(v, c(-1.5, -.5, .5, 1.5)) + 1)); names(d) <- paste0("Q", 1:12); d
}
if (!file.exists("example.csv")) write.csv(example(), "example.csv", row.names = FALSE, quote = FALSE)
scale5 <- read.csv("example.csv"); stopifnot(all(scale5 == example()))
scale5$次数 <- rep(c(1, 2, 0, 3, 1), length.out = 300)
write.csv(scale5, "oracle-weighted.csv", row.names = FALSE, quote = FALSE)
# Harman74.cor as 145 cases with exactly these correlations.
RNGversion("4.2.0"); set.seed(74)
H <- Harman74.cor$cov; Z <- scale(matrix(rnorm(145 * 24), 145)); Z <- Z %*% solve(chol(cov(Z))) %*% chol(H)
harman <- as.data.frame(round(Z, 12)); names(harman) <- colnames(H)
write.csv(format(harman, digits = 15, trim = TRUE), "oracle-harman.csv", row.names = FALSE, quote = FALSE)
harman <- read.csv("oracle-harman.csv", check.names = FALSE)

poly <- function(x, y) {
  tab <- table(x, y); n <- sum(tab)
  cut <- function(v) c(-8, qnorm(head(cumsum(table(v)) / n, -1)), 8)
  a <- cut(x); b <- cut(y)
  slope <- function(rho) {
    S <- matrix(c(1, rho, rho, 1), 2); s <- 0
    for (i in seq_len(nrow(tab))) for (j in seq_len(ncol(tab))) if (tab[i, j] > 0) {
      pr <- mnormt::sadmvn(c(a[i], b[j]), c(a[i + 1], b[j + 1]), c(0, 0), S)
      d <- function(u, v) exp(-(u^2 + v^2 - 2 * rho * u * v) / (2 * (1 - rho^2))) / (2 * pi * sqrt(1 - rho^2))
      s <- s + tab[i, j] * (d(a[i + 1], b[j + 1]) - d(a[i], b[j + 1]) - d(a[i + 1], b[j]) + d(a[i], b[j])) / pr
    }
    s
  }
  uniroot(slope, c(-.6, .9), tol = 1e-14)$root
}
polymatrix <- function(d) { p <- ncol(d); r <- diag(p); for (i in 2:p) for (j in 1:(i - 1)) r[i, j] <- r[j, i] <- poly(d[[i]], d[[j]]); r }

newton <- function(f, x) {       # finishes a minimum found by optim: central differences of the gradient
  g <- function(x) sapply(seq_along(x), function(i) { h <- 1e-4; e <- replace(numeric(length(x)), i, h); (f(x - 2 * e) - 8 * f(x - e) + 8 * f(x + e) - f(x + 2 * e)) / (12 * h) })
  for (k in 1:4) { s <- g(x); J <- sapply(seq_along(x), function(i) { h <- 1e-4; e <- replace(numeric(length(x)), i, h); (g(x + e) - g(x - e)) / (2 * h) }); x <- x - solve((J + t(J)) / 2, s) }
  x
}
extract <- function(r, m, how) {
  p <- ncol(r); smc <- 1 - 1 / diag(solve(r))
  if (how == "principal") { e <- eigen(r); return(list(L = e$vectors[, 1:m, drop = FALSE] %*% diag(sqrt(e$values[1:m]), m), initial = rep(1, p))) }
  if (how == "ml") {
    F <- function(psi) { e <- eigen(r / sqrt(outer(psi, psi)), TRUE, TRUE)$values[-(1:m)]; sum(e - log(e) - 1) }
    psi <- factanal(covmat = r, n.obs = 100, factors = m, rotation = "none", control = list(opt = list(factr = 1)))$uniquenesses
    psi <- newton(F, psi); e <- eigen(r / sqrt(outer(psi, psi)))
    return(list(L = sqrt(psi) * e$vectors[, 1:m] %*% diag(sqrt(e$values[1:m] - 1), m), initial = smc, F = F(psi)))
  }
  h <- smc                        # principal axes; minres has the same minimum
  for (k in 1:20000) { q <- r; diag(q) <- h; e <- eigen(q, TRUE); L <- e$vectors[, 1:m, drop = FALSE] %*% diag(sqrt(e$values[1:m]), m); new <- rowSums(L^2); if (max(abs(new - h)) < 1e-14) break; h <- new }
  list(L = L, initial = smc)
}
orthomax <- function(A, gamma, steps = 4000) {   # R's varimax stops on its criterion, which is flat at the maximum: here until nothing moves
  T <- varimax(A, FALSE)$rotmat; if (gamma == 0) T <- diag(ncol(A))
  for (k in 1:steps) { L <- A %*% T; s <- svd(t(A) %*% (L^3 - gamma / nrow(A) * L %*% diag(colSums(L^2)))); T <- s$u %*% t(s$v) }
  A %*% T
}
turn <- function(L, how) {
  m <- ncol(L); p <- nrow(L); h <- sqrt(rowSums(L^2)); phi <- diag(m)
  o <- list(eps = 1e-9, maxit = 5000, normalize = TRUE)
  P <- suppressWarnings(switch(how, none = L, varimax = orthomax(L / h, 1) * h,
    quartimax = { Q <- orthomax(L / h, 0) * h; stopifnot(all.equal(sort(colSums(Q^2)), sort(colSums(do.call(quartimax, c(list(L), o))$loadings^2)), 1e-5, check.attributes = FALSE)); Q }, equamax = do.call(cfT, c(list(L, kappa = m / (2 * p)), o))$loadings,
    oblimin = { q <- do.call(oblimin, c(list(L), o)); phi <- q$Phi; q$loadings },
    promax = { V <- orthomax(L / h, 1) * h; Q <- (V / h) * abs(V / h)^3; U <- lm.fit(V, Q)$coefficients
      U <- U %*% diag(sqrt(diag(solve(t(U) %*% U)))); phi <- solve(U) %*% t(solve(U)); V %*% U }))
  P <- unclass(P); attributes(P) <- list(dim = c(p, m))
  S <- P %*% phi
  if (how != "none") { k <- order(-colSums(S^2)); P <- P[, k]; phi <- phi[k, k] }
  s <- apply(P, 2, function(v) sign(v[which.max(abs(v))])); P <- P %*% diag(s, m); phi <- phi * outer(s, s)
  list(P = P, phi = phi, S = P %*% phi)
}

block <- function(.table, .where, ...) list(table = .table, where = .where, cells = lapply(list(...), unname))
loose <- function(b, tolerance, reason) c(b, list(tolerance = tolerance, reason = reason))
none <- setNames(list(), character())
wide <- function(v, key, names_) setNames(lapply(v, identity), paste0(key, "@", names_))

case <- function(name, file, d, form, extraction = "principal", rotation = "varimax", m = NULL, matrix = "pearson", freq = NULL, says = list(), tolerance = 1e-8) {
  items <- as.character(form$items); full <- d; x <- d[items]
  if (!is.null(freq)) x <- x[rep(seq_len(nrow(x)), d[[freq]]), ]
  n <- nrow(x); p <- ncol(x)
  r <- switch(matrix, pearson = cor(x), spearman = cor(x, method = "spearman"), polychoric = polymatrix(x)); dimnames(r) <- list(items, items)
  e <- eigen(r, TRUE)$values; if (is.null(m)) m <- sum(e > 1)
  ex <- extract(r, m, extraction); L <- ex$L; s <- apply(L, 2, function(v) sign(v[which.max(abs(v))])); L <- L %*% diag(s, m)
  ro <- turn(L, rotation); h2 <- rowSums(L^2); oblique <- rotation %in% c("oblimin", "promax")
  f <- paste0(if (extraction == "principal") "成分" else "因子", 1:m)
  k <- KMO(r); b <- cortest.bartlett(r, n = n)
  B <- list(block("adequacy", none, kmo = k$MSA, chi2 = b$chisq, df = b$df, p = b$p.value))
  add <- function(...) { q <- block(...); if (tolerance > 1e-8) q <- loose(q, tolerance, "迭代算法（optim、数值导数、GPArotation）停止时的精度；接近 0 的系数按相对误差比"); B[[length(B) + 1]] <<- q }
  after <- colSums(ro$S^2); before <- colSums(L^2); W <- solve(r, ro$S)
  for (i in seq_len(p)) {
    do.call(add, c(list("loadings", list(item = items[i])), wide(ro$P[i, ], "loading", f), communality = h2[[i]], belongs = f[which.max(abs(ro$P[i, ]))]))
    if (rotation != "none") do.call(add, c(list("unrotated", list(item = items[i])), wide(L[i, ], "loading", f)))
    if (oblique) do.call(add, c(list("structure", list(item = items[i])), wide(ro$S[i, ], "loading", f)))
    do.call(add, c(list("coefficients", list(item = items[i])), wide(W[i, ], "coefficient", f)))
    add("communalities", list(item = items[i]), initial = ex$initial[[i]], extracted = h2[[i]], msa = k$MSAi[[i]])
    cells <- list(number = i, eigenvalue = e[i], share = e[i] / p, running = sum(e[1:i]) / p)
    if (i <= m) cells <- c(cells, square = before[i], square_share = before[i] / p, square_sum = sum(before[1:i]) / p)
    if (i <= m && rotation != "none") cells <- c(cells, rotated = after[i])
    if (i <= m && rotation != "none" && !oblique) cells <- c(cells, rotated_share = after[i] / p, rotated_sum = sum(after[1:i]) / p)
    do.call(add, c(list("variance", list(number = i)), cells))
  }
  if (oblique) for (i in 1:m) for (j in 1:i) add("correlations", list(item = f[i], against = f[j]), phi = ro$phi[i, j])
  if (!oblique) for (i in 1:m) add("importance", list(factor = f[i]), share = after[i] / p, weight = after[i] / sum(after))
  q <- r - L %*% t(L); rms <- sqrt(sum(q[lower.tri(q)]^2) / (p * (p - 1) / 2)); cells <- list(rmsr = rms)
  if (extraction == "ml") {
    df <- ((p - m)^2 - p - m) / 2; chi <- (n - 1 - (2 * p + 5) / 6 - 2 * m / 3) * ex$F
    bound <- function(q) if (pchisq(chi, df) <= q) 0 else uniroot(function(z) pchisq(chi, df, z) - q, c(0, 10 * chi + 100), tol = 1e-12)$root
    st <- suppressMessages(suppressWarnings(fa.stats(r, L, n.obs = n)))
    stopifnot(abs(st$STATISTIC - chi) < 1e-5, st$dof == df)
    cells <- c(cells, chi2 = chi, df = df, p = pchisq(chi, df, lower.tail = FALSE), rmsea = sqrt(max(0, chi - df) / (df * (n - 1))),
      low = sqrt(bound(.95) / (df * (n - 1))), high = sqrt(bound(.05) / (df * (n - 1))), tli = st$TLI, bic = chi - df * log(n))
  }
  do.call(add, c(list("fit", none), cells))
  set.seed(1); sim <- replicate(4000, eigen(cor(matrix(rnorm(n * p), n)), TRUE, TRUE)$values)
  for (i in seq_len(p)) { B[[length(B) + 1]] <- loose(block("parallel", list(number = i), mean = mean(sim[i, ]), high = quantile(sim[i, ], .95)), .035, "模拟值：100 次对 4000 次独立模拟")
    add("parallel", list(number = i), number = i, eigenvalue = e[i]) }
  size <- t(apply(abs(ro$P), 1, sort, decreasing = TRUE)); if (m == 1) size <- cbind(c(size), NA)
  for (i in seq_len(p)) { told <- c(if (size[i, 1] < .4) "载荷低", if (m > 1 && size[i, 2] >= .32) "交叉载荷", if (h2[i] < .4) "共同度低")
    if (length(told)) add("advice", list(item = items[i]), problem = paste(told, collapse = "、"), first = size[i, 1], second = size[i, 2], communality = h2[[i]]) }
  list(name = name, form = form, data = file, measures = setNames(as.list(rep("定量", length(names(full)))), names(full)), expect = B,
       says = c(as.list(says), list(list(contains = "KMO = {kmo:num3}，Bartlett", facts = list(kmo = k$MSA, m = m, explained = sum(before) / p, n = n, items = p, p = b$p.value), tolerance = tolerance))))
}

q <- paste0("Q", 1:12); 
all <- c("KMO = {kmo:num3}。", "归属为绝对值最大的一列", "横线为特征根 1", "Bartlett χ²({df:integer})", "每个题项约", "平行分析建议", "先看能不能做", "再看几个", "然后看载荷", "最后起名字", "因子分析描述题项之间的相关结构",
  "KMO 的参考标准", "MSA 为该题项的取样适当性", "随机数据：同样多的个案", "得分 = Σ 系数", "RMSR 为非对角线", "颜色深浅为载荷", "作探索性因子分析", "个题项可以归成")
cases <- list(
  case("十二题的主成分与最大方差", "example.csv", read.csv("example.csv"), list(items = I(q)), says = c(all, "每个题项都主要归属", "没有需要删除", "权重 = 该", "一个点是一个题项")),
  case("Harman 的二十四项测验，最大似然四因子", "oracle-harman.csv", harman, list(items = I(names(harman)), extraction = "ml", n_rule = "fixed", n_factors = 4), "ml", "varimax", 4, tolerance = 1e-6, says = c(all, "初始特征根是相关矩阵的特征根", "载荷低、交叉载荷或共同度低", "参考标准（Costello", "权重 = 该", "最大似然拟合：", "这么多因子就够", "一个点是一个题项")),
  case("主轴因子，直接斜交，频数权重，Spearman", "oracle-weighted.csv", scale5, list(items = I(q), weight = "次数", extraction = "paf", rotation = "oblimin", n_rule = "fixed", n_factors = 3, matrix = "spearman"), "paf", "oblimin", 3, "spearman", "次数", tolerance = 1e-6, says = c(all, "斜交旋转后因子彼此相关，平方和", "载荷低、交叉载荷或共同度低", "结构矩阵是题项与因子的相关", "“权重计算”未给出", "“综合得分”未给出")),
  case("最小残差，直接斜交", "example.csv", read.csv("example.csv"), list(items = I(q), extraction = "minres", rotation = "oblimin", n_rule = "fixed", n_factors = 3), "minres", "oblimin", 3, tolerance = 1e-6, says = c(all, "斜交旋转后因子彼此相关，平方和", "载荷低、交叉载荷或共同度低", "结构矩阵是题项与因子的相关", "“权重计算”未给出", "“综合得分”未给出")),
  case("最小残差，Promax，多分格", "example.csv", read.csv("example.csv"), list(items = I(q), extraction = "minres", rotation = "promax", n_rule = "parallel", matrix = "polychoric"), "minres", "promax", 3, "polychoric", tolerance = 1e-6, says = c(all, "载荷低、交叉载荷或共同度低", "多分格相关对应看不见的连续变量")),
  case("四次方最大，主轴因子", "oracle-harman.csv", harman, list(items = I(names(harman)), extraction = "paf", rotation = "quartimax", n_rule = "fixed", n_factors = 4), "paf", "quartimax", 4, tolerance = 1e-7, says = c(all, "载荷低、交叉载荷或共同度低")),
  case("等量最大", "example.csv", read.csv("example.csv"), list(items = I(q[1:10]), rotation = "equamax", n_rule = "fixed", n_factors = 3), "principal", "equamax", 3, tolerance = 1e-6, says = c(all, "的题项不足 3 个")),
  case("一个因子，不旋转", "example.csv", read.csv("example.csv"), list(items = I(q[1:4]), extraction = "ml", rotation = "none"), "ml", "none", 1, tolerance = 1e-6, says = c(all, "没有选择旋转", "画不出平面", "每个题项都主要归属", "最大似然拟合：")))
cat(toJSON(list(sources = c("R 4.2.2: eigen, cor, factanal, varimax", "psych 2.2.9: KMO, cortest.bartlett, fa.stats", "GPArotation 2022.10-2: quartimax, cfT, oblimin", "PSPP 1.6.2 FACTOR (PROMAX)", "mnormt: bivariate normal probabilities; datasets: Harman74.cor"),
  cases = cases, unverified = list()), auto_unbox = TRUE, digits = NA, pretty = 1, null = "null", na = "null"))
