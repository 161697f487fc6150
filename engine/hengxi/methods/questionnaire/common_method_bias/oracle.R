# How oracle.json was made: tools/run_oracles.py --write questionnaire/common_method_bias   (R 4.2.2, lavaan 0.6-14)
# eigen of the correlation matrix; lavaan::cfa for every model. The catalogue's figures: first component 35.74 %, eigenvalues
# 3.2163 1.6387 1.3652; one factor χ² = 312.264, df 27, CFI .677, RMSEA .187, SRMR .143.
source("../../../../tools/oracle.R")
source("../../../families/sem/oracle.R")
fitted <- function(model, x) lavaan_fit(model, x, std.lv = TRUE)
cells <- function(fit) { m <- measures(fit); c(list(chi2 = m$chisq, df = m$df), if (m$df > 0) list(p = m$pvalue), list(cfi = m$cfi, tli = m$tli, rmsea = m$rmsea, srmr = m$srmr)) }
model_block <- function(name, fit) row_of("models", list(model = name), cells(fit), 2e-5)
pair_block <- function(pair, narrow, wide) { a <- measures(narrow); b <- measures(wide); x <- a$chisq - b$chisq; d <- a$df - b$df
  row_of("compared", list(pair = pair), c(list(chi2 = x, df = d, p = pchisq(x, d, lower.tail = FALSE)), lapply(c(cfi = "cfi", tli = "tli", rmsea = "rmsea", srmr = "srmr"), function(k) b[[k]] - a[[k]])), 1e-4) }
harman <- function(x) { e <- eigen(cor(x))$values; lapply(seq_along(e), function(i) block("harman", list(component = i), component = i, eigenvalue = e[i], share = e[i] / ncol(x), running = sum(e[1:i]) / ncol(x))) }
traits <- function(dims) sapply(names(dims), function(k) paste(k, "=~", paste(dims[[k]], collapse = "+")))
sources_ <- function(fit, dims, m) { mean_ <- function(E) c(E, list(near("variance", list(item = "平均"), trait = mean(sapply(E, function(b) b$cells$trait)), method = mean(sapply(E, function(b) b$cells$method)), tolerance = 1e-4))); s <- standardizedSolution(fit); l <- function(f, v) { q <- s$est.std[s$lhs == f & s$op == "=~" & s$rhs == v]; if (!length(q)) q <- s$est.std[s$lhs == v & s$op == "~" & s$rhs == f]; q }
  mean_(flat(lapply(names(dims), function(k) lapply(dims[[k]], function(v) near("variance", list(item = v, dimension = k), trait = l(k, v)^2, method = l(m, v)^2, tolerance = 1e-4))))) }
wire_of <- function(dims, loose = character()) c(lapply(seq_along(dims), function(i) list(id = paste0("b", i), name = names(dims)[i], columns = as.list(dims[[i]]))), if (length(loose)) list(list(id = "loose", name = NULL, columns = as.list(loose))))
num <- function(d) as.list(setNames(rep("定量", ncol(d)), names(d)))
hs <- example(); dims <- list(visual = c("x1", "x2", "x3"), textual = c("x4", "x5", "x6"), speed = c("x7", "x8", "x9")); all_ <- unlist(dims, use.names = FALSE)
RNGversion("4.2.0"); set.seed(71); n <- 400; t <- matrix(rnorm(2 * n), n) %*% chol(matrix(c(1, .4, .4, 1), 2)); m <- rnorm(n); w <- c(1.2, .9, .6, .3)
cmv <- data.frame(sapply(1:4, function(i) w[i] * t[, 1] + .5 * m + .6 * rnorm(n)), sapply(1:4, function(i) w[i] * t[, 2] + .5 * m + .6 * rnorm(n)), sapply(1:3, function(i) .6 * m + .7 * rnorm(n))); names(cmv) <- c(paste0("甲", 1:4), paste0("乙", 1:4), paste0("标", 1:3)); cmv <- round(cmv, 3)
write.csv(cmv, "oracle-cmv.csv", row.names = FALSE, quote = FALSE)
two <- list(甲 = paste0("甲", 1:4), 乙 = paste0("乙", 1:4)); latin <- function(d) setNames(d, c(paste0("a", 1:4), paste0("b", 1:4), paste0("k", 1:3))); L <- latin(cmv); dl <- list(甲 = paste0("a", 1:4), 乙 = paste0("b", 1:4))
rename <- function(E) lapply(E, function(b) { if (b$where$item %in% names(L)) b$where$item <- names(cmv)[match(b$where$item, names(L))]; b })
base_model <- c("A =~ a1+a2+a3+a4", "B =~ b1+b2+b3+b4"); trait_fit <- fitted(base_model, L)
equal <- fitted(c(base_model, "M =~ q*a1+q*a2+q*a3+q*a4+q*b1+q*b2+q*b3+q*b4", "M ~~ 0*A", "M ~~ 0*B"), L)
s_ <- function(fit, m) { E <- sources_(fit, list(A = dl$甲, B = dl$乙), m); E <- lapply(E, function(b) { if (!is.null(b$where$dimension)) b$where$dimension <- c(A = "甲", B = "乙")[[b$where$dimension]]; b }); rename(E) }
marked <- fitted(c(base_model, "K =~ k1+k2+k3"), L); p <- parTable(marked); v <- function(l, o, r) p$est[p$lhs == l & p$op == o & p$rhs == r]
held <- c(paste("K =~", paste0(v("K", "=~", "k1"), "*k1+", v("K", "=~", "k2"), "*k2+", v("K", "=~", "k3"), "*k3")), sapply(c("k1", "k2", "k3"), function(i) paste0(i, " ~~ ", v(i, "~~", i), "*", i)), "K ~~ 0*A", "K ~~ 0*B")
ground <- fitted(c(base_model, held), L); ab <- parTable(ground); ab <- ab$est[ab$lhs == "A" & ab$op == "~~" & ab$rhs == "B"]; items <- c(dl$甲, dl$乙)
mc <- fitted(c(base_model, held, paste(items, "~ q*K")), L); mu <- fitted(c(base_model, held, paste(items, "~ K")), L); mr <- fitted(c(base_model, held, paste(items, "~ K"), paste0("A ~~ ", ab, "*B")), L)
scores <- sapply(dl, function(k) rowMeans(L[k])); k3 <- rowMeans(L[c("k1", "k2", "k3")]); partial <- function(own) { r <- cor(scores)[1, 2]; w <- cor(scores, own); rm <- w[which.min(abs(w))]; a <- (r - rm) / (1 - rm); q <- function(r, d) 2 * pt(-abs(r) * sqrt(d / (1 - r^2)), d)
  list(block("adjusted", list(pair = "甲 — 乙"), r = r, p = q(r, n - 2), corrected = a, corrected_p = q(a, n - 3))) }
rm_of <- function(own) { w <- cor(scores, own); w[which.min(abs(w))] }
said <- list("Harman 检验和单因子模型的检出力低", "用统计方法检查共同方法偏差"); h <- list("国内常用判据", "特征根大于 1 的成分"); hs1 <- fitted(paste("g =~", paste(all_, collapse = "+")), hs); hs3 <- fitted(traits(dims), hs)

oracle(c("R 4.2.2 eigen；lavaan 0.6-14（单因子：χ² = 312.264，CFI .677，RMSEA .187，SRMR .143）"), list(
  case("Harman 与单因子 CFA", list(items = wire_of(dims)), c(harman(hs), model_block("单因子模型", hs1), model_block("预设维度模型", hs3), pair_block("预设维度模型 对 单因子模型", hs1, hs3)), c(said, h, list("低于判据", "单因子模型拟合不佳", "明显不如预设维度模型")), measures = num(hs)),
  case("只做 Harman，判据 30%", list(items = wire_of(list(), all_), method = "harman", threshold = 30), harman(hs), c(said, h, list("不低于判据")), measures = num(hs)),
  case("没有维度，单因子", list(items = wire_of(list(), all_), method = "cfa_single"), model_block("单因子模型", hs1), c(said, list("单因子模型拟合不佳", "“模型比较”未给出")), measures = num(hs)),
  case("方法因子，载荷相等", list(items = wire_of(two), method = "ulmc", loadings = "equal"), c(model_block("预设维度模型", trait_fit), model_block("加入方法因子", equal), pair_block("加入方法因子 对 预设维度模型", trait_fit, equal), s_(equal, "M")), c(said, list("常用参考（温忠麟等", "标准化载荷的平方", fact("拟合没有明显变好"))), "oracle-cmv.csv", num(cmv)),
  case("标记变量三题", list(items = wire_of(two), method = "marker", marker = paste0("标", 1:3)), c(model_block("CFA（标记因子自由相关）", marked), model_block("基线", ground), model_block("方法-C（载荷相等）", mc), model_block("方法-U（载荷自由）", mu), pair_block("方法-C 对 基线", ground, mc), pair_block("方法-U 对 方法-C", mc, mu), pair_block("方法-U 对 方法-R", mr, mu), model_block("方法-R（维度相关固定）", mr), s_(mu, "K"), partial(k3)), c(said, list("方法-C 对基线：有没有", "标准化载荷的平方", "用各维度的平均分计算", "发现标记变量所代表的方法效应")), "oracle-cmv.csv", num(cmv)),
  case("标记变量一题", list(items = wire_of(two), method = "marker", marker = list("标1")), partial(L$k1), c(said, list("用各维度的平均分计算", fact("的最小相关为", smallest = rm_of(L$k1)), "“模型拟合”未给出", "“模型比较”未给出", "“方差的来源”未给出")), "oracle-cmv.csv", num(cmv))))
