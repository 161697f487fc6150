# How oracle.json was made: Rscript oracle.R > oracle.json   (R 4.2.2: contr.treatment, contr.sum, contr.helmert, contr.poly; MASS::contr.sdif)
source("../../../../tools/steps.R")
if (!file.exists("example.csv")) {
  set.seed(91); n <- 150; z <- sample(c("阿德利", "巴布亚", "帽带"), n, TRUE, c(.44, .36, .2)); z[1] <- "阿德利"
  d <- data.frame(编号 = 1:n, 企鹅 = z, 岛屿 = ifelse(z == "帽带", "梦岛", sample(c("比斯科", "梦岛", "托尔格森"), n, TRUE, c(.5, .3, .2))),
    性别 = sample(c("雌", "雄"), n, TRUE), 阶段 = sample(1:4, n, TRUE), 体重 = round(rnorm(n, 4200, 700)),
    观察站 = sample(c("东站", "西站", "南站", "北站", "临时甲", "临时乙"), n, TRUE, c(.35, .25, .2, .15, .03, .02)))
  d$性别[c(4, 30, 99)] <- NA; d$岛屿[c(8, 120)] <- NA; save_example(d)
}
x <- example(); x[x == ""] <- NA; n <- nrow(x)
kinds <- list(阶段 = "定类")
levels_of <- function(v) if (is.numeric(v)) sort(unique(v[!is.na(v)])) else unique(v[!is.na(v)])
code <- function(coding, k, r) switch(coding, onehot = diag(k), dummy = contr.treatment(k, base = r), effect = { m <- diag(k)[, -r, drop = FALSE]; m[r, ] <- -1; m },
  helmert = contr.helmert(k), orthogonal = contr.poly(k), difference = MASS::contr.sdif(k), binary = { b <- ceiling(log2(k + 1)); t(sapply(1:k, function(i) rev(as.integer(intToBits(i))[1:b]))) })
stopifnot(all(code("effect", 4, 4) == contr.sum(4)))
heads <- function(coding, l, r) switch(coding, onehot = l, dummy = l[-r], effect = l[-r], helmert = paste0(l[-1], "对前面"), difference = paste0(l[-1], "减", l[-length(l)]),
  orthogonal = c("一次", "二次", "三次")[seq_len(length(l) - 1)], binary = paste0("位", seq_len(ceiling(log2(length(l) + 1)))))
run <- function(name, variables, coding, form = list(), ref = list(), says = list(), missing = "missing", rare = 0, prefix = NULL, order = list()) {
  out <- list(); facts <- list(); total <- 0; gaps <- 0
  for (i in seq_along(variables)) { v <- variables[i]; cell <- as.character(x[[v]]); l <- as.character(if (is.null(order[[v]])) levels_of(x[[v]]) else order[[v]]); few <- l[table(factor(cell, l)) < rare]
    cell[cell %in% few] <- "其他"; l <- c(setdiff(l, few), if (length(few)) "其他"); if (missing == "own" && anyNA(cell)) { cell[is.na(cell)] <- "缺失"; l <- c(l, "缺失") }
    r <- if (is.null(ref[[v]])) 1 else match(ref[[v]], l); m <- code(coding, length(l), r); h <- paste0(if (is.null(prefix)) v else prefix, "_", heads(coding, l, r))
    for (a in seq_along(l)) out <- c(out, list(do.call(block, c(list("coding", list(level = l[a]), .at = v, n = sum(cell %in% l[a])), setNames(as.list(m[a, ]), paste0("value@", h))))))
    made <- m[match(cell, l), , drop = FALSE]; lost <- sum(is.na(cell)); gaps <- gaps + lost; if (missing == "zero") made[is.na(cell), ] <- 0
    for (j in seq_along(h)) out <- c(out, list(block("columns", list(variable = h[j]), n = sum(!is.na(made[, j])), missing = sum(is.na(made[, j])), mean = { s <- mean(made[, j], na.rm = TRUE); if (abs(s) < 1e-15) 0 else s },
      tolerance = if (coding %in% c("orthogonal", "difference")) 1e-6 else NULL, reason = if (coding %in% c("orthogonal", "difference")) "a mean near zero of contrasts that sum to zero" else NULL)))
    with <- coding %in% c("dummy", "effect")
    out <- c(out, list(block("summary", list(variable = v), levels = length(l), merged = length(few), columns = ncol(m), missing = lost)))
    total <- total + ncol(m); facts <- c(facts, setNames(list(length(l), ncol(m)), paste0(c("k", "c"), i - 1))) }
  out <- c(out, list(record("虚拟变量转换", n, ncol(x) + total, c(n, ncol(x)))))
  case(name, c(list(variables = as.list(variables), coding = coding), form), out, c(list(do.call(fact, c(list("个新变量", total = total), facts))), says), measures = kinds) }
lost <- function(k) fact("新变量里也是缺失", gaps = k)
oracle(c("R 4.2.2: contr.treatment(), contr.sum(), contr.helmert(), contr.poly(), intToBits()", "MASS 7.3: contr.sdif()"), list(
  run("虚拟变量", c("企鹅", "性别"), "dummy", says = list("与参照水平的差", lost(3), "参照水平为“阿德利”")),
  run("换参照水平", c("企鹅", "岛屿"), "dummy", list(reference = list(list(`for` = "企鹅", level = "巴布亚"))), list(企鹅 = "巴布亚"), list("参照水平为“巴布亚”", lost(2))),
  run("独热", "岛屿", "onehot", list(missing = "own"), says = list("各列之和恒为 1"), missing = "own"),
  run("独热全零", "岛屿", "onehot", list(missing = "zero", prefix = "岛"), says = list(fact("写成了 0", gaps = 2)), missing = "zero", prefix = "岛"),
  run("效应", "企鹅", "effect", says = list("与各类平均的差")), run("Helmert", "阶段", "helmert", says = list("前面各类的平均之差")),
  run("多项式", "阶段", "orthogonal", says = list("线性、二次等趋势")), run("差分", "阶段", "difference", says = list("相邻两类的差")),
  run("二进制", "阶段", "binary", says = list("混合了几个类别")), run("并入其他", "观察站", "dummy", list(min_freq = 10), rare = 10, says = list("与参照水平的差"))))
