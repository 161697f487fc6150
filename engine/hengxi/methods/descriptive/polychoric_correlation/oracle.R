# Rscript oracle.R   (R 4.2.2, polycor 0.8, psych 2.2.9, mvtnorm) Likelihoods written out here; polycor and psych beside them.
source("../../../../tools/oracle.R")
suppressMessages({library(mvtnorm); library(numDeriv)})

P2 <- function(a, b, r) if (a == -Inf || b == -Inf) 0 else if (a == Inf) pnorm(b) else if (b == Inf) pnorm(a) else as.numeric(pmvnorm(upper = c(a, b), corr = matrix(c(1, r, r, 1), 2), algorithm = TVPACK(abseps = 1e-15)))
cells <- function(h, k, r) { F <- outer(seq_along(h), seq_along(k), Vectorize(function(i, j) P2(h[i], k[j], r))); F <- diff(F); t(diff(t(F))) }
d2 <- function(a, b, r) ifelse(is.finite(a) & is.finite(b), exp(-(a^2 + b^2 - 2 * r * a * b) / (2 * (1 - r^2))) / (2 * pi * sqrt(1 - r^2)), 0)
cut_at <- function(n) c(-Inf, qnorm(cumsum(n)[-length(n)] / sum(n)), Inf)
two_step <- function(T) { h <- cut_at(rowSums(T)); k <- cut_at(colSums(T))
  score <- function(r) { G <- outer(h, k, d2, r); G <- diff(G); G <- t(diff(t(G))); sum((T / cells(h, k, r) * G)[T > 0]) }
  r <- uniroot(score, c(-.97, .97), tol = 1e-14)$root; se <- 1 / sqrt(-grad(score, r)); p <- cells(h, k, r); df <- length(T) - nrow(T) - ncol(T)
  list(r = r, se = se, chi2 = if (df > 0) 2 * sum((T * log(T / sum(T) / p))[T > 0]), df = if (df > 0) df) }
serial <- function(x, y) { z <- (x - mean(x)) / sd(x); n <- table(y); c <- cut_at(n); i <- as.integer(factor(y)); L <- function(r) { s <- sqrt(1 - r^2); sum(log(pnorm((c[i + 1] - r * z) / s) - pnorm((c[i] - r * z) / s))) }
  score <- function(r) grad(L, r); r <- uniroot(score, c(-.6, .6), tol = 1e-13)$root; list(r = r, se = 1 / sqrt(-drop(hessian(L, r)))) }
row <- function(a, b, kind, f, n, level = .95, ...) { z <- f$r / f$se; h <- qnorm((1 + level) / 2) * f$se / (1 - f$r^2)
  do.call(block, c(list("details", list(a = a, b = b), kind = kind, r = f$r, se = f$se, low = tanh(atanh(f$r) - h), high = tanh(atanh(f$r) + h), statistic = z, p = 2 * pnorm(-abs(z)), n = n), if (!is.null(f$chi2)) list(chi2 = f$chi2, df = f$df, p_fit = pchisq(f$chi2, f$df, lower.tail = FALSE)), list(...))) }
plain <- function(a, b, kind, x, y) { t <- cor.test(x, y); n <- length(x); block("details", list(a = a, b = b), kind = kind, r = unname(t$estimate), se = sqrt((1 - unname(t$estimate)^2) / (n - 2)), low = t$conf.int[1], high = t$conf.int[2], statistic = unname(t$statistic), p = t$p.value, n = n) }
utf <- function(d, f) write.csv(d, f, row.names = FALSE, quote = FALSE, na = "", fileEncoding = "UTF-8")
if (!file.exists("example.csv")) { set.seed(20240101); n <- 500; f1 <- rnorm(n); f2 <- .4 * f1 + sqrt(.84) * rnorm(n); q <- sapply(1:8, function(i) { y <- .75 * (if (i < 5) f1 else f2) + sqrt(1 - .75^2) * rnorm(n); findInterval(y, c(-1.3, -.4, .5, 1.2)) + 1 })
  d <- as.data.frame(q); names(d) <- paste0("Q", 1:8); d$性别 <- ifelse(.3 * f1 + rnorm(n) > 0, "女", "男"); d$年龄 <- round(35 + 8 * (.25 * f2 + rnorm(n))); utf(d, "example.csv") }
m <- example(); g <- m[["性别"]]; sex <- match(g, unique(g)); age <- m[["年龄"]]
# Hout et al. (1987): sexual fun of husband and wife, 91 couples.
fun <- matrix(c(7, 7, 2, 3, 2, 8, 3, 7, 1, 5, 4, 9, 2, 8, 9, 14), 4, byrow = TRUE); e <- expand.grid(妻 = 1:4, 夫 = 1:4); e$对数 <- as.vector(t(fun)); utf(e[, c("夫", "妻", "对数")], "oracle-fun.csv")
one <- two_step(fun); p1 <- polycor::polychor(fun, std.err = TRUE); stopifnot(abs(one$r - p1$rho) < 1e-4, abs(one$r - .387136) < 1e-4, abs(one$se - .106947) < 2e-3, abs(one$chi2 - p1$chisq) < 1e-4)
ml <- polycor::polychor(fun, ML = TRUE, std.err = TRUE, control = list(reltol = 1e-14, maxit = 5000))
tet <- matrix(c(61661, 1610, 85, 20), 2, byrow = TRUE); utf(data.frame(甲 = c("无", "无", "有", "有"), 乙 = c("无", "有", "无", "有"), 人数 = c(61661, 1610, 85, 20), 丙 = c(3.1, 2.5, 4.4, 5.2)), "oracle-tet.csv")
t1 <- two_step(tet); stopifnot(abs(t1$r - .348073) < 1e-5)
zero <- matrix(c(10, 0, 3, 8), 2, byrow = TRUE); utf(data.frame(甲 = c("a", "b", "b"), 乙 = c("x", "x", "y"), 数 = c(10, 3, 8)), "oracle-zero.csv"); zc <- zero; zc[zc == 0] <- .5; z1 <- two_step(zc); stopifnot(abs(z1$r - as.numeric(suppressMessages(psych::tetrachoric(zero))$rho)[1]) < 1e-4)
qn <- function(i) factor(m[[paste0("Q", i)]]); pair <- function(i, j) two_step(unclass(table(qn(i), qn(j)))); name <- function(i) paste0("Q", i)
# Wide spread of ρ: a pattern that is not positive definite.
s <- data.frame(甲 = c(1, 1, 2, 2, 3, 3, 3, 1, 2, 3), 乙 = c(1, 2, 2, 3, 3, 3, 1, 1, 2, 3), 丙 = c(10, 12, 15, NA, 21, 30, 33.5, 9, 14, 25), 男 = c("是", "是", "否", "否", "是", "是", "否", "否", "是", "是"), 份 = c(2, 3, 1, 4, 2, 3, 2, 1, 3, 2), check.names = FALSE); utf(s, "oracle-mixed.csv")
i <- which(!is.na(s$丙)); w <- rep(i, s$份[i]); yes <- as.integer(factor(s$男[w], levels = c("是", "否"))); eta <- function(x, by) { a <- anova(lm(x ~ factor(by))); list(r = sqrt(a$Sum[1] / sum(a$Sum)), F = a$F[1], p = a$P[1]) }
et <- function(a, b, x, by) { q <- eta(x, by); block("details", list(a = a, b = b), kind = "Eta", r = q$r, statistic = q$F, p = q$p, n = length(x)) }
idx <- c(1, 2, 5); R <- diag(5); cf <- list(); vs <- c(name(idx), "性别", "年龄"); get <- function(v) if (v == "性别") sex else m[[v]]
rows <- list(); for (b in 2:5) for (a in 1:(b - 1)) { A <- vs[a]; B <- vs[b]; f <- if (B == "年龄") serial(age, get(A)) else two_step(unclass(table(get(A), get(B)))); R[a, b] <- R[b, a] <- f$r
  kind <- if (B == "年龄") (if (A == "性别") "二列" else "多列") else if (B == "性别" && A == "性别") "四分" else "多分格"; rows <- c(rows, list(row(A, B, kind, f, 500)), list(block("matrix", list(item = B, against = A), r = f$r))) }
ev <- eigen(R)$values; cuts <- function(v, n) { c <- cut_at(n); lapply(seq_len(length(n) - 1), function(j) block("cuts", list(variable = v, between = paste(names(n)[j], "|", names(n)[j + 1])), value = c[j + 1])) }
best <- function(A, B) list(fact(paste0("“", A, "”与“", B, "”的关系最强")))
SAY <- list("这里的系数说的是类别背后的", "相关不等于因果", "阈值由各变量自己的")
kinds <- c(setNames(as.list(rep("定量", 8)), name(1:8)), list(性别 = "定类", 年龄 = "定量"))
K2 <- list(甲 = "定类", 乙 = "定类", 人数 = "定量", 丙 = "定量", 数 = "定量"); KM <- list(甲 = "定量", 乙 = "定量", 丙 = "定量", 男 = "定类", 份 = "定量")
oracle(c("R 4.2.2: uniroot, cor.test, anova, eigen", "mvtnorm: pmvnorm(TVPACK)", "numDeriv: grad, hessian", "polycor 0.8: polychor, psych 2.2.9: tetrachoric (beside)"), list(
  case("五个变量", list(variables = as.list(vs)), c(rows, lapply(1:5, function(o) block("roots", list(order = o), value = ev[o])), cuts("性别", table(factor(g, levels = unique(g)))), cuts("Q1", table(m[["Q1"]]))), c(SAY, list("关系最强", fact("最小的特征值为", least = ev[5]), "没有发现偏离二元正态")), measures = kinds),
  case("夫妻，两步", list(variables = list("夫", "妻"), weight = "对数"), list(row("夫", "妻", "多分格", one, 91)), c(SAY, list("关系最强", "没有发现偏离")), data = "oracle-fun.csv", measures = list(夫 = "定量", 妻 = "定量", 对数 = "定量")),
  case("夫妻，极大似然", list(variables = list("夫", "妻"), weight = "对数", estimator = "ml"), list(block("details", list(a = "夫", b = "妻"), r = ml$rho, chi2 = ml$chisq, tolerance = 1e-4, reason = "polycor stops its optimiser early"), block("details", list(a = "夫", b = "妻"), se = sqrt(ml$var[1, 1]), tolerance = 1e-2, reason = "polycor's Hessian by differences")), list(), data = "oracle-fun.csv", measures = list(夫 = "定量", 妻 = "定量", 对数 = "定量")),
  case("四格表", list(variables = list("甲", "乙"), weight = "人数", conf_level = .9), list(row("甲", "乙", "四分", t1, sum(tet), .9, tolerance = 1e-6, reason = "a p of 1e-14 keeps seven digits")), list(), data = "oracle-tet.csv", measures = K2),
  case("有零格", list(variables = list("甲", "乙"), weight = "数"), list(row("甲", "乙", "四分", z1, 21)), list(), data = "oracle-zero.csv", measures = K2),
  case("点二列", list(variables = list("男", "丙", "甲"), type = "point_biserial", weight = "份"), list(plain("男", "丙", "点二列", yes, s$丙[w]), plain("男", "甲", "点二列", yes, s$甲[w])), list("尺度不适合所选的类型", "“特征值”未给出"), data = "oracle-mixed.csv", measures = KM),
  case("Eta", list(variables = list("丙", "男"), type = "eta", weight = "份"), list(et("丙", "男", s$丙[w], yes)), list("“丙”与“男”的关系最强"), data = "oracle-mixed.csv", measures = KM)),
  unverified = list(list(what = "roots.order", reason = "the place by which a row is found")))
