# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2: rowMeans, prcomp, cor; psych::alpha, psych::scoreItems)
source("../../../../tools/columns.R")
if (!file.exists("example.csv")) {
  set.seed(37); n <- 350; f <- MASS::mvrnorm(n, c(0, 0, 0), matrix(c(1, .4, .3, .4, 1, .5, .3, .5, 1), 3)); k <- rep(1:3, each = 4)
  q <- sapply(1:12, function(i) pmin(pmax(round(3.2 + .8 * f[, k[i]] + rnorm(n, 0, .8)), 1), 5)); q[, c(4, 7)] <- 6 - q[, c(4, 7)]
  q[sample(length(q), 90)] <- NA; q[5, 1:4] <- NA; colnames(q) <- paste0("Q", 1:12); save_example(data.frame(编号 = 1:n, q))
}
x <- example(); n <- nrow(x); kinds <- setNames(as.list(rep("定量", 12)), paste0("Q", 1:12))
turn <- function(m, rev) { m[, rev] <- 6 - m[, rev]; m }
dims <- list(服务 = paste0("Q", 1:4), 信任 = paste0("Q", 5:8), 忠诚 = paste0("Q", 9:12)); tails <- c(mean = "均分", sum = "总分", weighted = "加权分", pca = "主成分")
keyed <- psych::scoreItems(list(服务 = c("Q1", "Q2", "Q3", "-Q4")), x, impute = "none", totals = FALSE, min = 1, max = 5)$scores[, 1]
stopifnot(max(abs(keyed - rowMeans(turn(as.matrix(x[dims$服务]), 4), na.rm = TRUE)), na.rm = TRUE) < 1e-12)
run <- function(name, which, method, rev = c("Q4", "Q7"), form = list(), w = NULL, says = list(), most = .2) {
  out <- list(); facts <- list(); gone <- 0; rows <- list()
  for (i in seq_along(which)) { d <- which[i]; its <- dims[[d]]; m <- turn(as.matrix(x[its]), its %in% rev); miss <- rowSums(is.na(m)); ok4 <- miss <= most * length(its) + 1e-9; whole <- m[miss == 0, ]; load <- NULL; ex <- NULL
    s <- switch(method, mean = rowMeans(m, na.rm = TRUE), sum = rowMeans(m, na.rm = TRUE) * length(its), weighted = apply(m, 1, function(v) weighted.mean(v, w[its], na.rm = TRUE)),
      pca = { p <- prcomp(whole, scale. = TRUE); v <- p$rotation[, 1]; v <- v * sign(v[which.max(abs(v))]); load <- v * p$sdev[1]; ex <- p$sdev[1]^2 / length(its); r <- rep(NA, n); r[miss == 0] <- scale(whole) %*% v; r })
    if (method != "pca") s[!ok4] <- NA; k <- ok(s); a <- psych::alpha(as.data.frame(whole), warnings = FALSE, check.keys = FALSE)$total$raw_alpha; gone <- gone + sum(is.na(s))
    out <- c(out, list(do.call(block, c(list("result", list(dimension = d), name = paste0(d, tails[[method]]), k = length(its), reversed = sum(its %in% rev), n = length(k), missing = sum(is.na(s)), filled = sum(miss > 0 & !is.na(s)),
      mean = centre(k), sd = sd(k), least = min(k), most = max(k), alpha = a), if (is.null(ex)) list() else list(explained = ex)))))
    for (j in seq_along(its)) out <- c(out, list(do.call(block, c(list("each", list(dimension = d, item = its[j]), n = sum(!is.na(m[, j])), mean = mean(m[, j], na.rm = TRUE), rest = cor(whole[, j], rowSums(whole[, -j]))),
      if (is.null(load)) list() else list(loading = load[[j]])))))
    rows <- c(rows, lapply(its, function(q) c(list(`for` = q, dimension = d, reverse = q %in% rev), if (is.null(w)) list() else list(weight = w[[q]]))))
    facts <- c(facts, setNames(list(length(its), length(k), centre(k), sd(k), a), paste0(c("k", "n", "mean", "sd", "alpha"), i - 1))) }
  out <- c(out, list(record("变量合成（量表得分）", n, ncol(x) + length(which), c(n, ncol(x)))))
  case(name, c(list(items = as.list(unlist(dims[which], use.names = FALSE)), dimensions = rows, method = method), form), out, c(list(do.call(fact, c(list("题合成，均值"), facts))), says, if (gone > 0) list(fact("因缺题太多", gone = gone))), measures = kinds) }
w <- setNames(as.list(rep(c(.4, .3, .2, .1), 3)), paste0("Q", 1:12)); w <- unlist(w)
oracle(c("R 4.2.2: rowMeans(), prcomp(), cor()", "psych: alpha(), scoreItems()"), list(
  run("三个维度均分", names(dims), "mean", says = list("同一个尺度")), run("总分允许一题", c("服务", "信任"), "sum", form = list(max_missing = .25), most = .25, says = list("按答了的题折算")),
  run("加权", "忠诚", "weighted", form = list(max_missing = .5), w = w, most = .5, says = list("权重要有依据")), run("主成分", c("服务", "忠诚"), "pca", says = list("只表示相对高低")),
  run("忘了反向", "服务", "mean", rev = character(), says = list("可能是没有转换的反向题"))))
