# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2: table, dist; how many rows each class gets is not chance, Tomek links are searched here once more)
source("../../../../tools/steps.R")
if (!file.exists("example.csv")) {
  set.seed(29); n <- 300; y <- rep(c("是", "否"), c(30, 270)); f <- y == "是"; d <- data.frame(欺诈 = y, sapply(1:4, function(i) round(rnorm(n, ifelse(f, .8, 0) * i / 2, 1), 2)), 渠道 = sample(c("线上", "门店", "电话"), n, TRUE),
    集 = sample(c("训练", "测试"), n, TRUE, c(.7, .3))); names(d)[2:5] <- paste0("x", 1:4); save_example(d[sample(n), ])
}
x <- example(); n <- nrow(x); t <- table(x$欺诈); few <- t[["是"]]; most <- t[["否"]]; kinds <- list(集 = "定类")
four <- paste0("x", 1:4)
run <- function(name, way, method, form, yes, no, says = list(), features = four, base = c(few, most), feats = 4) {
  # yes, no: removed, repeated, synthetic
  b <- function(l, before, v) block("result", list(level = l), before = before, after = before - v[1] + v[2] + v[3], removed = v[1], repeated = v[2], synthetic = v[3])
  s <- yes + no; after <- sum(base) - s[1] + s[2] + s[3]
  case(name, c(list(target = "欺诈", features = as.list(features), method = method), form), list(b("是", base[1], yes), b("否", base[2], no), b("合计", sum(base), s),
    block("record", list(method = "样本均衡"), rows_before = n, rows_after = n - s[1] + s[2] + s[3], columns_before = ncol(x), columns_after = ncol(x) + 1)),
    c(list(fact(paste0("已按", way, "均衡"), before = sum(base), after = after, removed = s[1], repeated = s[2], synthetic = s[3]), "只能用来训练模型"), says), measures = kinds) }
z <- scale(as.matrix(x[four]), scale = apply(x[four], 2, function(v) sqrt(mean((v - mean(v))^2)))); d <- as.matrix(dist(z)); diag(d) <- Inf; nn <- apply(d, 1, which.min)
tomek <- which(nn[nn] == seq_len(n) & x$欺诈 != x$欺诈[nn]); cut <- sum(x$欺诈[tomek] == "否"); tr <- x$集 == "训练"; bt <- c(sum(tr & x$欺诈 == "是"), sum(tr & x$欺诈 == "否"))
none <- c(0, 0, 0); whole <- "先拆分再均衡"
w <- n / (2 * c(是 = few, 否 = most))
oracle("R 4.2.2: table(), dist(); counts, weights and Tomek links written out", list(
  run("SMOTE", "SMOTE", "smote", list(), c(0, 0, most - few), none, list(whole)), run("SMOTE一半", "SMOTE", "smote", list(ratio = .5, k = 3), c(0, 0, round(most * .5) - few), none, list(whole)),
  run("随机过采样", "随机过采样", "random_over", list(), c(0, most - few, 0), none, list(whole)), run("含定类", "SMOTE-NC（含定类）", "smotenc", list(), c(0, 0, most - few), none, list(whole), c(four, "渠道")),
  run("交界", "Borderline-SMOTE", "borderline", list(), c(0, 0, most - few), none, list(whole)), run("欠采样", "随机欠采样", "random_under", list(ratio = .5), none, c(most - few * 2, 0, 0), list(whole)),
  run("NearMiss", "NearMiss", "near_miss", list(), none, c(most - few, 0, 0), list(whole)), run("Tomek", "Tomek links", "tomek", list(), none, c(cut, 0, 0), list(whole)),
  run("只用训练行", "SMOTE", "smote", list(train = "集", train_level = "训练"), c(0, 0, bt[2] - bt[1]), none, list("只处理了训练行"), base = bt),
  run("一个特征", "随机过采样", "random_over", list(), c(0, most - few, 0), none, list("不画散点图"), "x1"),
  case("权重", list(target = "欺诈", features = as.list(four), method = "class_weight"), list(block("result", list(level = "是"), before = few, after = few, removed = 0, repeated = 0, synthetic = 0, weight = w[["是"]]),
    block("result", list(level = "否"), weight = w[["否"]]), record("样本均衡", n, ncol(x) + 1, c(n, ncol(x)))), list(fact("行有权重", n = n), "看得更重", "只生成权重"), measures = kinds)))
