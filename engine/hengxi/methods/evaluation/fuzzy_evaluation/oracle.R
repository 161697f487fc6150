# Own loops in R. By hand: W = (.40,.35,.25), R = [.5 .3 .2 0; .3 .4 .2 .1; .2 .3 .3 .2]: weighted .355 .335 .225 .085,
# score 79.2; M(min,max) .40 .35 .25 .20 before it is brought to sum 1.
source("../../../../tools/oracle.R")
comp <- function(w, R, op) { b <- numeric(ncol(R)); for (j in seq_along(b)) { r <- R[, j]; b[j] <- switch(op, min_max = max(pmin(w, r)), product_max = max(w * r),
  min_bounded_sum = min(1, sum(pmin(w, r))), weighted_average = sum(w * r), balanced = sum(pmin(w, r / sum(r)))) }; b / sum(b) }
stopifnot(abs(comp(c(.4, .35, .25), rbind(c(.5, .3, .2, 0), c(.3, .4, .2, .1), c(.2, .3, .3, .2)), "min_max") - c(.4, .35, .25, .2) / 1.2) < 1e-12)
alpha <- function(b) { s <- sort(b, decreasing = TRUE); n <- length(b); if (s[2] == 0) NULL else (n * s[1] - 1) / (2 * s[2] * (n - 1)) }
fall <- function(t, kind) switch(kind, triangular = max(0, 1 - t), trapezoid = min(1, max(0, 1.5 - 2 * t)), gaussian = exp(-log(2) * 4 * t^2), ridge = if (t >= 1) 0 else .5 + .5 * cos(pi * t))
mem <- function(x, s, kind) { if (s[1] > s[2]) { s <- -s; x <- -x }; k <- length(s); m <- sapply(1:k, function(j) if (x == s[j]) 1 else if (x < s[j]) { if (j == 1) 1 else fall((s[j] - x) / (s[j] - s[j - 1]), kind) } else if (j == k) 1 else fall((x - s[j]) / (s[j + 1] - s[j]), kind)); m / sum(m) }
one <- function(name, form, objects, R, dims, own, outer, says = list(), ...) {    # R: list of matrices (items × grades)
  g <- sapply(form$grades, function(r) r$name); p <- sapply(form$grades, function(r) r$score); op <- if (is.null(form$operator)) "weighted_average" else form$operator
  whole <- function(M, own, outer) { L <- t(sapply(seq_along(dims), function(k) comp(own[[k]], M[dims[[k]], , drop = FALSE], op))); list(L = L, b = if (length(dims) == 1) L[1, ] else comp(outer, L, op)) }
  W <- lapply(R, whole, own, outer); sc <- sapply(W, function(w) sum(w$b * p)); rk <- rank(-round(sc, 12), ties.method = "min"); out <- list(); add <- function(b) out[[length(out) + 1]] <<- b
  wide <- function(v, key) setNames(as.list(v), paste0(key, "@", g)); nm <- names(dims); items <- rownames(R[[1]]); al <- lapply(W, function(w) alpha(w$b))
  for (i in seq_along(objects)) { b <- W[[i]]$b; add(block("result", list(object = objects[i]), grade = g[which.max(b)], top = max(b), alpha = al[[i]], level = sum(seq_along(b) * b), score = sc[i], rank = rk[i]))
    add(do.call(block, c(list("vector", list(object = objects[i], node = "总评价"), score = sc[i]), wide(b, "b"))))
    for (k in seq_along(dims)) { if (length(dims) > 1) add(do.call(block, c(list("vector", list(object = objects[i], node = nm[k]), score = sum(W[[i]]$L[k, ] * p)), wide(W[[i]]$L[k, ], "b"))))
      for (j in seq_along(dims[[k]])) add(do.call(block, c(list("relation", list(object = objects[i], item = items[dims[[k]][j]]), weight = own[[k]][j] * outer[k]), wide(R[[i]][dims[[k]][j], ], "r")))) } }
  share <- unlist(lapply(seq_along(dims), function(k) own[[k]] * outer[k])); f1 <- which.max(round(sc, 12)); turned <- 0
  for (j in seq_along(share)) { cells <- list(); for (f in c(.9, 1.1)) { w <- share; w[j] <- w[j] * f; w <- w / sum(w); o2 <- sapply(dims, function(d) sum(w[d])); A <- lapply(R, whole, lapply(seq_along(dims), function(k) w[dims[[k]]] / o2[k]), o2)
      key <- if (f < 1) "down" else "up"; cells[[key]] <- sum(sapply(seq_along(R), function(i) which.max(round(A[[i]]$b, 12)) != which.max(round(W[[i]]$b, 12)))); cells[[paste0(key, "_score")]] <- sum(A[[f1]]$b * p); turned <- turned + (cells[[key]] > 0) }
    if (length(share) > 1) add(do.call(block, c(list("shaken", list(item = items[j])), cells))) }
  weak <- sum(sapply(al, function(a) !is.null(a) && a < .5)); many <- length(objects) > 1
  case(name, form, out, c(list(if (many) fact("个对象里得分最高的是“", n = length(objects), score = max(sc), low = min(sc)) else fact("总体隶属“", top = max(W[[1]]$b), score = sc[1]),
    if (many) fact("采用模糊综合评价", score = max(sc), low = min(sc), n = length(objects)) else fact("采用模糊综合评价", top = max(W[[1]]$b), score = sc[1]), "得分随评语的分值而变",
    if (weak > 0) fact("的有效度 α 小于 0.5", k = weak) else if (is.null(al[[f1]])) "隶属度全在一个等级上" else "有效度 α 都不小于 0.5", "权重是指标在总评价里的份额"),
    if (length(share) > 1) list(if (turned > 0) fact("次改变了等级", k = turned) else "等级都不变", "每次只改一个指标的权重") else list("“权重增减 10% 时的结果”未给出"),
    if (op %in% c("min_max", "product_max")) list("这个算子只看权重乘后最大的一项"), if (length(dims) < 3) list("维度少于 3 个"), says), ...) }
G <- list(list(id = "r1", name = "优", score = 100), list(id = "r2", name = "良", score = 80), list(id = "r3", name = "中", score = 60), list(id = "r4", name = "差", score = 40))
ex <- example(); ex[ex == ""] <- NA; q <- names(ex)[-1]; ex1 <- ex[complete.cases(ex), ]
share <- function(d, answers) t(sapply(q, function(v) sapply(answers, function(a) mean(d[[v]] == a))))
bl <- function(k, w) list(list(id = "b1", name = "教学内容", columns = as.list(q[1:3]), weight = w[1]), list(id = "b2", name = "教学方法", columns = as.list(q[4:6]), weight = w[2]), list(id = "b3", name = "教学效果", columns = as.list(q[7:9]), weight = w[3]))
dims <- list(教学内容 = 1:3, 教学方法 = 4:6, 教学效果 = 7:9); even <- list(rep(1 / 3, 3), rep(1 / 3, 3), rep(1 / 3, 3))
Rs <- share(ex1, c("优", "良", "中", "差")); f <- list(source = "survey", items = bl(3, c(4, 3, 3)), grades = G)
hand <- rbind(师资 = c(.5, .3, .2, 0), 课程 = c(.3, .4, .2, .1), 设施 = c(.2, .3, .3, .2)); typed <- function(R) list(rows = rownames(R), columns = c("优", "良", "中", "差"), values = lapply(1:nrow(R), function(i) as.list(R[i, ])))
ft <- function(R, w, op = NULL) { z <- list(source = "membership_matrix", typed = typed(R), typed_weights = as.list(w), grades = G); if (!is.null(op)) z$operator <- op; z }
water <- data.frame(河段 = c("一", "二", "三", "四", "四"), 氨氮 = c(.12, .5, 1.1, 1.9, .75), 溶解氧 = c(8, 5.6, 4.2, 2.2, 6.4), 总磷 = c(.02, .15, .2, .45, NA)); write.csv(water, "oracle-water.csv", row.names = FALSE, na = "")
GW <- list(list(id = "r1", name = "Ⅰ类", score = 5), list(id = "r2", name = "Ⅱ类", score = 4), list(id = "r3", name = "Ⅲ类", score = 3), list(id = "r4", name = "Ⅳ类", score = 2))
st <- list(氨氮 = c(.15, .5, 1, 1.5), 溶解氧 = c(7.5, 6, 5, 3), 总磷 = c(.02, .1, .2, .3)); wt <- water[1:4, ]
fw <- function(kind) list(source = "measured_values", items = list(list(id = "b1", name = "水质", columns = as.list(names(st)), weight = 1)), label = "河段", grades = GW, membership = kind,
  item_weights = list(list("for" = "氨氮", w = 2)), standards = lapply(names(st), function(v) list("for" = v, values = as.list(st[[v]]))))
Rw <- function(kind) lapply(1:4, function(i) { m <- t(sapply(names(st), function(v) mem(wt[i, v], st[[v]], kind))); rownames(m) <- names(st); m })
w2 <- list(c(.5, .25, .25)); q2 <- list(氨氮 = "定量", 溶解氧 = "定量", 总磷 = "定量"); obj <- c("一", "二", "三", "四"); wd <- list(水质 = 1:3)
num5 <- ex1[, -1]; num5[] <- lapply(num5, function(v) match(v, c("差", "中", "良", "优"))); write.csv(num5, "oracle-codes.csv", row.names = FALSE)
GN <- Map(function(g, a) c(g, list(answer = a)), G, c("4", "3", "2", "1"))
oracle("R 4.2.2: own loops", list(one("示例问卷，三个维度", f, "全体答卷", list(Rs), dims, even, c(.4, .3, .3)),
  one("录入矩阵，手算", ft(hand, c(.4, .35, .25)), "评价对象", list(hand), list(总评价 = 1:3), list(c(.4, .35, .25)), 1),
  one("取小取大", ft(hand, c(.4, .35, .25), "min_max"), "评价对象", list(hand), list(总评价 = 1:3), list(c(.4, .35, .25)), 1),
  one("有界和，各指标相近", ft(hand[, 4:1], c(.2, .3, .5), "min_bounded_sum"), "评价对象", list(hand[, 4:1]), list(总评价 = 1:3), list(c(.2, .3, .5)), 1),
  one("乘积取大，全在一级", ft(rbind(a = c(1, 0, 0, 0), b = c(1, 0, 0, 0)), c(1, 1), "product_max"), "评价对象", list(rbind(a = c(1, 0, 0, 0), b = c(1, 0, 0, 0))), list(总评价 = 1:2), list(c(.5, .5)), 1),
  one("数字答案，均衡型", list(source = "survey", items = list(list(id = "b1", name = "总体", columns = as.list(q), weight = 1)), grades = GN, operator = "balanced"), "全体答卷", list(share(ex1, c("优", "良", "中", "差"))), list(总体 = 1:9), list(rep(1 / 9, 9)), 1, data = "oracle-codes.csv"),
  one("一个指标", list(source = "survey", items = list(list(id = "b1", name = "总体", columns = list(q[1]), weight = 1)), grades = G), "全体答卷", list(Rs1 <- { m <- t(sapply(c("优", "良", "中", "差"), function(a) mean(ex[[q[1]]] == a, na.rm = TRUE))); rownames(m) <- q[1]; m }), list(总体 = 1), list(1), 1),
  one("实测值，梯形", fw("trapezoid"), obj, Rw("trapezoid"), wd, w2, 1, data = "oracle-water.csv", measures = q2), one("实测值，三角形", fw("triangular"), obj, Rw("triangular"), wd, w2, 1, data = "oracle-water.csv", measures = q2),
  one("实测值，正态型", fw("gaussian"), obj, Rw("gaussian"), wd, w2, 1, data = "oracle-water.csv", measures = q2), one("实测值，岭形", fw("ridge"), obj, Rw("ridge"), wd, w2, 1, data = "oracle-water.csv", measures = q2)))
