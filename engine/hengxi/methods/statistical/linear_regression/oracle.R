# How oracle.json was made: Rscript oracle.R > oracle.json
# R 4.2.2: lm, sandwich 3.0-2 (HC, NeweyWest, CL), lmtest 0.9-40 (RESET, BP, BG, DW), car 3.1-1 (vif, linearHypothesis),
# influence.measures, pf(ncp) solved by uniroot. Frequencies are checked by writing each row as often as it counts.
# NIST certified values are in hengxi/stats/test_linear_nist.py. The example data are made here, too (see example()).
suppressMessages({library(car); library(lmtest); library(sandwich); library(jsonlite)})
invisible(Sys.setlocale("LC_ALL", "C.UTF-8"))

example <- function() {          # 二手房: 30 + 0.9 area - 1.2 age - 3 metro + 8 school + N(0, 12²); seed 2024, R's generator
  RNGversion("4.2.0"); set.seed(2024); n <- 200
  area <- round(pmin(pmax(rnorm(n, 95, 25), 38), 190), 1); age <- sample(1:35, n, replace = TRUE)
  floor <- sample(1:32, n, replace = TRUE); metro <- round(pmin(rexp(n, 1 / 1.2) + 0.1, 8), 2)
  school <- ifelse(runif(n) < 0.35, "是", "否")
  price <- round(30 + 0.9 * area - 1.2 * age - 3 * metro + 8 * (school == "是") + rnorm(n, 0, 12), 1)
  data.frame(房价 = price, 面积 = area, 房龄 = age, 楼层 = floor, 地铁距离 = metro, 学区 = school)
}
if (!file.exists("example.csv")) write.csv(example(), "example.csv", row.names = FALSE, quote = FALSE)
house <- read.csv("example.csv")
stopifnot(all.equal(house, example()))
house$类型 <- rep(c("板楼", "塔楼", "别墅"), length.out = 200); house$小区 <- rep(1:14, length.out = 200)
write.csv(house, "oracle-house.csv", row.names = FALSE, quote = FALSE)
cars <- data.frame(车型 = rownames(mtcars), mtcars[c("mpg", "wt", "hp", "qsec")])
write.csv(cars, "oracle-mtcars.csv", row.names = FALSE, quote = FALSE)

block <- function(.table, .where, ...) list(table = .table, where = .where, cells = lapply(list(...), unname))
none <- setNames(list(), character())

check <- function(y, X, terms, intercept = TRUE, w = NULL, f = NULL, kind = "classic", lags = NULL, cluster = NULL,
                  level = .95, at = NULL, rows = TRUE, bg_order = 1) {
  if (!is.null(f)) { k <- rep(seq_along(y), f); y <- y[k]; X <- X[k, , drop = FALSE]; if (!is.null(w)) w <- w[k] }
  W <- if (is.null(w)) rep(1, length(y)) else w
  m <- if (intercept) lm(y ~ X, weights = W) else lm(y ~ 0 + X, weights = W)
  if (is.null(w)) m <- if (intercept) lm(y ~ X) else lm(y ~ 0 + X)
  names_ <- c(if (intercept) "常数项", colnames(X)); n <- length(y); k <- length(coef(m)); p <- ncol(X); df <- n - k
  V0 <- vcov(m)
  V <- switch(kind, classic = V0, newey_west = NeweyWest(m, lag = lags, prewhite = FALSE, adjust = TRUE),
              cluster = vcovCL(m, cluster = cluster, type = "HC1"), vcovHC(m, type = toupper(kind)))
  dfi <- if (kind == "cluster") length(unique(cluster)) - 1 else df
  b <- unname(coef(m)); se <- unname(sqrt(diag(V))); t <- b / se; q <- qt((1 + level) / 2, dfi)
  t0 <- b / unname(sqrt(diag(V0))); i <- if (intercept) 2:k else 1:k
  e <- sqrt(W) * residuals(m); s <- summary(m); r2 <- s$r.squared
  Xm <- model.matrix(m); Rc <- cov2cor(V0[i, i, drop = FALSE])
  gv <- function(j) if (length(j) == p) 1 else det(Rc[j, j, drop = FALSE]) * det(Rc[-j, -j, drop = FALSE]) / det(Rc)
  vifs <- sapply(seq_len(p), function(j) if (p == 1) 1 else gv(j))
  if (!intercept) vifs <- diag(solve(crossprod(sqrt(W) * X))) * colSums(W * X^2)
  out <- list()
  for (j in seq_len(k)) {
    own <- j - intercept
    cells <- list("coefficients", list(name = names_[j]), b = b[j], se = se[j], t = t[j], p = 2 * pt(-abs(t[j]), dfi),
                  low = b[j] - q * se[j], high = b[j] + q * se[j])
    if (own > 0) cells <- c(cells, list(vif = vifs[own]))
    out <- c(out, list(do.call(block, cells)))
    if (own > 0) {
      tm <- Filter(function(x) own %in% x$columns, terms)[[1]]
      if (tm$beta) {
        sx <- if (intercept) sqrt(sum(W * (X[, own] - weighted.mean(X[, own], W))^2)) else sqrt(sum(W * X[, own]^2))
        sy <- if (intercept) sqrt(sum(W * (y - weighted.mean(y, W))^2)) else sqrt(sum(W * y^2))
        out <- c(out, list(block("coefficients", list(name = names_[j]), beta = b[j] * sx / sy)))
      }
      cells <- list("relations", list(name = names_[j]), partial = t0[j] / sqrt(t0[j]^2 + df),
                    part = t0[j] * sqrt((1 - r2) / df), tolerance = 1 / vifs[own], vif = vifs[own])
      if (length(tm$columns) > 1) cells <- c(cells, list(gvif = gv(tm$columns)^(1 / (2 * length(tm$columns)))))
      out <- c(out, list(do.call(block, cells)))
    }
  }
  F0 <- s$fstatistic
  Fr <- if (kind == "classic") F0[1] else drop(t(b[i]) %*% solve(V[i, i]) %*% b[i]) / p
  lam <- function(pr) if (pf(F0[1], p, df) <= pr) 0 else uniroot(function(l) pf(F0[1], p, df, l) - pr, c(0, 8 * F0[1] * p + 60), tol = 1e-13)$root
  l1 <- lam((1 + level) / 2); l2 <- lam((1 - level) / 2); ci <- c(l1, l2) / (c(l1, l2) + df)
  pF <- if (kind == "classic") pf(F0[1], p, df, lower.tail = FALSE) else pf(Fr, p, dfi, lower.tail = FALSE)
  sm <- list("summary", none, n = n, R = sqrt(r2), r2 = r2, adjusted = s$adj.r.squared, f2 = r2 / (1 - r2), sigma = s$sigma, rmse = sqrt(sum(e^2) / n),
             F = Fr, df1 = p, df2 = dfi, p = pF, log_likelihood = as.numeric(logLik(m)), aic = AIC(m), bic = BIC(m))
  if (is.null(f)) sm <- c(sm, list(dw = sum(diff(e)^2) / sum(e^2)))
  out <- c(out, list(do.call(block, sm)))
  r2ci <- block("summary", none, r2_low = ci[1], r2_high = ci[2]); r2ci$tolerance <- 1e-7
  r2ci$reason <- "R's pf(ncp) sums its series to about 1e-9"; out <- c(out, list(r2ci))
  sse <- sum(e^2); sst <- if (intercept) sum(W * (y - weighted.mean(y, W))^2) else sum(W * y^2)
  out <- c(out, list(
    block("anova", list(source = "回归"), ss = sst - sse, df = p, ms = (sst - sse) / p, F = F0[1], p = pf(F0[1], p, df, lower.tail = FALSE)),
    block("anova", list(source = "残差"), ss = sse, df = df, ms = sse / df), block("anova", list(source = "总计"), ss = sst, df = n - intercept)))
  for (tm in terms) if (tm$test) {
    j <- tm$columns + intercept; Fv <- drop(t(b[j]) %*% solve(V[j, j, drop = FALSE]) %*% b[j]) / length(j)
    out <- c(out, list(block("terms_tests", list(name = tm$name), F = Fv, df1 = length(j), df2 = dfi, p = pf(Fv, length(j), dfi, lower.tail = FALSE)))) }
  A <- sqrt(W) * Xm; A <- sweep(A, 2, sqrt(colSums(A^2)), "/"); d <- svd(A); ph <- sweep(d$v^2, 2, d$d^2, "/"); ph <- ph / rowSums(ph)
  for (g in seq_along(d$d)) out <- c(out, list(do.call(block, c(list("condition", list(dimension = g), dimension = g, eigenvalue = d$d[g]^2, index = d$d[1] / d$d[g]),
    setNames(as.list(ph[, g]), paste0("share@", names_))))))
  e2 <- e^2; bp <- n * summary(lm(e2 ~ X))$r.squared; bdf <- lm(e2 ~ X)$rank - 1
  ij <- which(upper.tri(diag(p), diag = TRUE), arr.ind = TRUE); wh <- lm(e2 ~ cbind(X, X[, ij[, 1]] * X[, ij[, 2]]))
  S <- mean((e - mean(e))^3) / mean((e - mean(e))^2)^1.5; K <- mean((e - mean(e))^4) / mean((e - mean(e))^2)^2 - 3; jb <- n / 6 * (S^2 + K^2 / 4)
  fh <- fitted(m); aux <- lm.fit(sqrt(W) * cbind(Xm, fh^2, fh^3), sqrt(W) * y); s1 <- sum(aux$residuals^2); rs <- ((sse - s1) / 2) / (s1 / (df - 2))
  a <- function(test, ...) block("assumptions", list(test = test), ...)
  wr <- n * summary(wh)$r.squared
  out <- c(out, list(a("Breusch-Pagan（Koenker）", value = bp, df1 = bdf, p = pchisq(bp, bdf, lower.tail = FALSE)),
    a("White", value = wr, df1 = wh$rank - 1, p = pchisq(wr, wh$rank - 1, lower.tail = FALSE)),
    a("Jarque-Bera", value = jb, df1 = 2, p = pchisq(jb, 2, lower.tail = FALSE)),
    a("RESET（2、3 次幂）", value = rs, df1 = 2, df2 = df - 2, p = pf(rs, 2, df - 2, lower.tail = FALSE))))
  if (n <= 5000) { sw <- shapiro.test(e); x <- a("Shapiro-Wilk", value = sw$statistic, p = sw$p.value); x$tolerance <- 1e-6
    x$reason <- "R's swilk.c holds the constants of AS R94 in another precision"; out <- c(out, list(x)) }
  if (is.null(f)) {
    lags <- sapply(seq_len(bg_order), function(l) c(rep(0, l), e[seq_len(n - l)]))
    bg <- n * sum(lm.fit(cbind(sqrt(W) * Xm, lags), e)$fitted.values^2) / sse
    out <- c(out, list(a(sprintf("Breusch-Godfrey（%d 阶）", bg_order), value = bg, df1 = bg_order, p = pchisq(bg, bg_order, lower.tail = FALSE)), a("Durbin-Watson", value = sum(diff(e)^2) / sum(e^2))))
    cook <- cooks.distance(m); rst <- rstudent(m); odd <- which(abs(rst) > 3 | cook > 4 / n)
    if (length(odd) && rows) { db <- dfbetas(m); db[abs(db) < 1e-12] <- 0
      for (r in odd) out <- c(out, list(do.call(block, c(list("outliers", list(row = list(r)), studentized = rst[r], leverage = hatvalues(m)[r],
        cook = cook[r], dffits = dffits(m)[r]), setNames(as.list(db[r, ]), paste0("dfbetas@", names_))))))
      out <- c(out, list(list(table = "outliers", where = none, count = length(odd), cells = none))) }
    out <- c(out, list(list(table = "points", where = none, count = n, sums = list(observed = sum(y), leverage = k, cook = sum(cook)), cells = none)))
  }
  if (!is.null(at)) for (g in seq_len(nrow(at))) {
    x0 <- c(if (intercept) 1, at[g, ]); mu <- sum(x0 * b); sf <- sqrt(drop(t(x0) %*% V %*% x0)); sp <- sqrt(sf^2 + s$sigma^2)
    out <- c(out, list(block("predicted", list(number = g), number = g, mean = mu, low = mu - q * sf, high = mu + q * sf, single_low = mu - q * sp, single_high = mu + q * sp))) }
  # the packages themselves, where they take the model as it is
  if (is.null(w) && is.null(f)) stopifnot(!intercept || isTRUE(all.equal(unname(bptest(m)$statistic), bp)), all.equal(unname(bgtest(m, order = bg_order)$statistic), bg),
    all.equal(unname(dwtest(m)$statistic), sum(diff(e)^2) / sum(e^2)), !intercept || isTRUE(all.equal(unname(resettest(m, 2:3)$statistic), rs)))
  list(expect = out, r2 = r2, b = setNames(b, names_), low = setNames(b - q * se, names_), high = setNames(b + q * se, names_), F = Fr, p = pF,
       dw = sum(diff(e)^2) / sum(e^2), bp = bp, rs = rs, cook = if (is.null(f)) max(cooks.distance(m)) else 0, vif = max(vifs), sigma = s$sigma)
}

term <- function(name, columns, numeric = TRUE, single = TRUE) list(name = name, columns = columns, beta = numeric && single, test = !(numeric && single))
mat <- function(...) { x <- cbind(...); storage.mode(x) <- "double"; x }
fact <- function(contains, ...) list(contains = contains, facts = lapply(list(...), unname), tolerance = 1e-7)
h <- house; yes <- as.numeric(h$学区 == "是")
measures <- list(房价 = "定量", 面积 = "定量", 房龄 = "定量", 楼层 = "定量", 地铁距离 = "定量", 学区 = "定类", 类型 = "定类", 小区 = "定类")

X1 <- mat(面积 = h$面积, 房龄 = h$房龄, 楼层 = h$楼层, 地铁距离 = h$地铁距离, `学区：是` = yes)
T1 <- list(term("面积", 1), term("房龄", 2), term("楼层", 3), term("地铁距离", 4), term("学区", 5, FALSE))
one <- check(h$房价, X1, T1, at = rbind(c(100, 5, 10, 1, 1), c(60, 20, 3, 0.5, 0)))
stopifnot(all.equal(unname(vif(lm(房价 ~ 面积 + 房龄 + 楼层 + 地铁距离 + 学区, h))),
  unlist(lapply(Filter(function(b) b$table == "coefficients" && !is.null(b$cells$vif), one$expect), function(b) b$cells$vif))))
X2 <- mat(面积 = h$面积, `类型：塔楼` = h$类型 == "塔楼", `类型：别墅` = h$类型 == "别墅")
two <- check(h$房价, X2, list(term("面积", 1), term("类型", 2:3, FALSE)), w = h$楼层, kind = "hc3", level = .9, at = rbind(c(80, 0, 1)))
X3 <- mat(面积 = h$面积, `学区：是` = yes, `面积 × 学区：是` = h$面积 * yes)
three <- check(h$房价, X3, list(term("面积", 1), term("学区", 2, FALSE), term("面积 × 学区", 3, FALSE)), kind = "newey_west", lags = floor(4 * (200 / 100)^(2 / 9)))
X4 <- mat(面积 = h$面积, 房龄 = h$房龄); T4 <- list(term("面积", 1), term("房龄", 2))
four <- check(h$房价, X4, T4, kind = "cluster", cluster = h$小区)
five <- check(h$房价, X4, T4, intercept = FALSE, kind = "hc0", level = .99, rows = FALSE)
X6 <- mat(面积 = h$面积, 地铁距离 = h$地铁距离, `学区：否` = 1 - yes)
six <- check(h$房价, X6, list(term("面积", 1), term("地铁距离", 2), term("学区", 3, FALSE)), f = h$房龄, kind = "hc1")
X7 <- mat(面积 = h$面积, `面积²` = h$面积^2)
seven <- check(h$房价, X7, list(term("面积", 1), term("面积²", 2, TRUE, FALSE)), kind = "hc2")
eight <- check(h$楼层, mat(地铁距离 = h$地铁距离), list(term("地铁距离", 1)))
nine <- check(cars$mpg, mat(wt = cars$wt, hp = cars$hp, qsec = cars$qsec), list(term("wt", 1), term("hp", 2), term("qsec", 3)))
eleven <- check(h$房价, X4, T4, kind = "newey_west", lags = 0, bg_order = 4)

sum1 <- function(x, ...) fact("合起来能解释", r2 = x$r2, ...)
common <- c("因变量：“", "调整 *R*² = {adjusted:num}", "偏相关、半偏相关", "各列（含常数项）", "Durbin-Watson 只给统计量", "估计值为系数", "先看模型", "各系数：", "总平方和以",
  "折线为拟合值", "折线为各段", "右上、右下角", "点越贴近对角线", "横轴、纵轴", "ŷ 为“", "列出 |学生化残差|", "影响最大的是第", "最大 VIF",
  "的置信区间（", "作线性回归", "RESET *F*", "BP χ²", "Jarque-Bera *p*", "每个系数约")
case <- function(name, form, got, says, data = "oracle-house.csv", m = measures) {
  # One variable alone has no collinearity to tell of.
  told <- if (length(form$x) == 1 && is.null(form$intercept) && is.null(form$terms)) c(setdiff(common, "最大 VIF"), "只有一个自变量，不涉及共线性") else common
  # Of powers and products and of a variable alone other things are said than of several side by side.
  told <- c(told, "系数说明变量有关联，不等于因果", "下一步：", if (!is.null(form$terms)) "要与组成它们的变量连在一起看")
  if (!is.null(form$weight)) told <- c(told, "残差为按精度权重")
  list(name = name, form = form, data = data, measures = m, expect = got$expect,
  says = c(lapply(told, identity), says))
}
main <- list(
  case("二手房，五个自变量", list(y = "房价", x = c("面积", "房龄", "楼层", "地铁距离", "学区"), save = TRUE, predict_at = list(
      list(面积 = 100, 房龄 = 5, 楼层 = 10, 地铁距离 = 1, 学区 = "是"), list(面积 = 60, 房龄 = 20, 楼层 = 3, 地铁距离 = 0.5, 学区 = "否"))), one,
    list(sum1(one, b0 = one$b["面积"], lo0 = one$low["面积"], hi0 = one$high["面积"], b1 = -one$b["房龄"], lo1 = -one$high["房龄"], F = one$F, p = one$p),
      "再看系数", fact("DW = ", dw = one$dw), fact("影响最大的是第", cook = one$cook), "定类自变量的参照水平", "一项的全部系数同时为 0", "区间的置信水平为", "没有发现明显的关系"), "example.csv",
    list(房价 = "定量", 面积 = "定量", 房龄 = "定量", 楼层 = "定量", 地铁距离 = "定量", 学区 = "定类")),
  case("精度权重，HC3，三水平", list(y = "房价", x = c("面积", "类型"), weight = "楼层", se_type = "hc3", conf_level = .9, predict_at = list(list(面积 = 80, 类型 = "别墅"))), two,
    list(sum1(two, F = two$F), "再看系数", "DW = ", "加权最小二乘", "加权：", "Wald 检验", "一项的全部系数同时为 0", "假定它的精度权重为 1", "定类自变量的参照水平", "没有发现明显的关系")),
  case("交互项，Newey-West", list(y = "房价", x = c("面积", "学区"), terms = list(preset = "two_way"), se_type = "newey_west"), three,
    list(sum1(three, p = three$p), "DW = ", "Wald 检验", "交互项或乘方，各项系数要连在一起看", "模型含交互项或乘方：", "定类自变量的参照水平", "一项的全部系数同时为 0")),
  case("聚类稳健", list(y = "房价", x = c("面积", "房龄"), se_type = "cluster", cluster = "小区"), four,
    list("再看系数", "DW = ", sum1(four, b0 = four$b["面积"]), fact("个聚类，少于", g = 14, least = 30), "自变量都是定量的", "Wald 检验")),
  case("无截距，HC0，99%", list(y = "房价", x = c("面积", "房龄"), intercept = FALSE, se_type = "hc0", conf_level = .99), five,
    list(sum1(five, F = five$F), "模型不含截距", "以 0 为中心", "Wald 检验")),
  case("频数权重，HC1，参照水平为是", list(y = "房价", x = c("面积", "地铁距离", "学区"), freq = "房龄", reference = list(list(`for` = "学区", level = "是")), se_type = "hc1"), six,
    list(sum1(six, F = six$F), "Durbin-Watson 未给", "加权：", "有频数权重时一行代表多例", "未给：", "Wald 检验", "定类自变量的参照水平", "一项的全部系数同时为 0")),
  case("二次项，HC2", list(y = "房价", x = list("面积"), terms = list(preset = "custom", terms = list(list("面积"), list("面积", "面积"))), se_type = "hc2"), seven,
    list(fact("能解释“房价”变异的", r2 = seven$r2), "β 只给单个定量自变量", "模型含交互项或乘方：", "一项的全部系数同时为 0", "Wald 检验")),
  case("没有关联", list(y = "楼层", x = list("地铁距离")), eight, list("DW = ", fact("没有发现“地铁距离”", F = eight$F, p = eight$p), "没有发现明显的关系", "自变量都是定量的")),
  case("32 种汽车（mtcars，目录给出的数）", list(y = "mpg", x = c("wt", "hp", "qsec")), nine,
    list("再看系数", "DW = ", sum1(nine, b0 = -nine$b["wt"]), "没有发现明显的关系", "自变量都是定量的", "可能漏掉了曲线"), "oracle-mtcars.csv", list(mpg = "定量", wt = "定量", hp = "定量", qsec = "定量")),
  case("Newey-West，0 阶；Breusch-Godfrey，4 阶", list(y = "房价", x = c("面积", "房龄"), se_type = "newey_west", nw_lags = 0, bg_order = 4), eleven, list(sum1(eleven, F = eleven$F)))
)
writeLines(toJSON(list(
  sources = c("R 4.2.2: lm, influence.measures, shapiro.test, pf(ncp)", "sandwich 3.0-2: vcovHC, NeweyWest, vcovCL", "lmtest 0.9-40: bptest, bgtest, dwtest, resettest",
              "car 3.1-1: vif"), cases = main, unverified = list()), auto_unbox = TRUE, digits = NA, pretty = 1))
