# Rscript oracle.R   (R 4.2.2, survey) rake, postStratify, calibrate, svymean; trimming by its definition.
source("../../../../tools/oracle.R"); suppressMessages(library(survey))
save_as <- function(x, f) if (!file.exists(f)) write.csv(x, f, row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8", na = "")
set.seed(71); n <- 300; d <- data.frame(性别 = sample(c("女", "男"), n, TRUE, c(.65, .35)), 年龄段 = sample(c("青年", "中年", "老年"), n, TRUE, c(.6, .3, .1)), 地区 = sample(c("东", "中", "西"), n, TRUE, c(.5, .3, .2)))
d$满意度 <- pmin(5, pmax(1, round(3.2 + .4 * (d$年龄段 == "老年") - .3 * (d$性别 == "男") + rnorm(n, 0, .9)))); d$购买 <- ifelse(runif(n) < .35 + .2 * (d$地区 == "东"), "是", "否"); d$设计权重 <- round(runif(n, .5, 2), 2); d$满意度[c(3, 90)] <- NA
save_as(d, "example.csv"); g <- d; g$年龄段[c(11, 12, 200)] <- NA; g$设计权重[5] <- 0; save_as(g, "oracle-gaps.csv")
E <- example(); G <- example("oracle-gaps.csv"); G <- G[!is.na(G$年龄段) & nzchar(G$年龄段) & G$设计权重 > 0, ]
P <- list(性别 = c(女 = 48.8, 男 = 51.2), 年龄段 = c(青年 = 30, 中年 = 45, 老年 = 25), 地区 = c(东 = 40, 中 = 30, 西 = 30))
pop <- function(v, total, d) lapply(v, function(k) { x <- data.frame(names(P[[k]]), P[[k]] / 100 * total); names(x) <- c(k, "Freq"); x })
forms <- function(v) lapply(v, function(k) reformulate(k))
weigh <- function(d, v, base, how, total, trim = 5) { d$b <- base; s <- svydesign(ids = ~1, weights = ~b, data = d); p <- pop(v, total, d)
  r <- switch(how, raking = rake(s, forms(v), p, control = list(maxit = 200, epsilon = 1e-9)), cell = postStratify(s, forms(v)[[1]], p[[1]]), linear_calibration = calibrate(s, forms(v), p, calfun = "linear", epsilon = 1e-12)); w <- weights(r); over <- rep(FALSE, length(w)); if (!is.null(trim)) { cap <- trim * mean(w); repeat { x <- ifelse(over, cap, w * (sum(w) - cap * sum(over)) / sum(w[!over])); k <- x > cap * (1 + 1e-12) & !over; if (!any(k)) break; over <- over | k }; w <- x }
  list(s = s, r = r, w = w, cut = sum(over), d = d, v = v, base = base, scale = NA) }
tables <- function(m, counts = FALSE, name = "Raking（迭代比例拟合）") { w <- m$w * if (counts) 1 else length(m$w) / sum(m$w); n <- length(w); deff <- n * sum(w^2) / sum(w)^2; out <- list(block("diagnosis", list(), least = min(w), most = max(w), cv = sqrt(deff - 1), deff = deff, effective = n / deff, trimmed = m$cut), block("run_of", list(method = name), n = n, whole = sum(w)))
  for (k in m$v) for (l in names(P[[k]])) { i <- m$d[[k]] == l; out <- c(out, list(block("compared", list(name = k, level = l), n = sum(i), sample = sum(m$base[i]) / sum(m$base), population = P[[k]][[l]] / 100, weighted = sum(w[i]) / sum(w)))) }
  out }
near <- function(...) block(..., tolerance = 1e-6, reason = "rake() in R goes back over its rounds for the residuals")
change <- function(m) { q <- function(f, s) { a <- svymean(f, s, na.rm = TRUE); c(coef(a)[[1]], SE(a)[[1]]) }; one <- function(name, level, f, n) { b <- q(f, m$s); a <- q(f, m$r); near("changed", list(name = name, level = level), n = n, before = b[1], before_se = b[2], after = a[1], after_se = a[2], low = a[1] - qnorm(.975) * a[2], high = a[1] + qnorm(.975) * a[2]) }
  list(one("满意度", "均值", ~满意度, sum(!is.na(m$d$满意度))), one("购买", "是", ~I(1 * (购买 == "是")), nrow(m$d)), one("购买", "否", ~I(1 * (购买 == "否")), nrow(m$d))) }
told <- function(v, times = 1) lapply(v, function(k) list(`for` = k, shares = paste(paste0(names(P[[k]]), "=", format(P[[k]] * times, scientific = FALSE, trim = TRUE)), collapse = "；")))
v3 <- c("性别", "年龄段", "地区"); f <- function(v, times = 1, ...) list(margins = as.list(v), population = told(v, times), ...); tg <- list(targets = list("满意度", "购买"))
M <- list(满意度 = "定量", 设计权重 = "定量"); one <- rep(1, nrow(E)); a <- weigh(E, v3, one, "raking", nrow(E), NULL); NEG <- "个不大于 0 的权重"; A <- list("加权只修正所选的控制变量", "迭代已经收敛")
steps <- function(d, v, base, total) { w <- base; for (s in 1:100) { for (k in v) for (l in names(P[[k]])) { i <- d[[k]] == l; w[i] <- w[i] * P[[k]][[l]] / 100 * total / sum(w[i]) }; if (max(sapply(v, function(k) max(abs(sapply(names(P[[k]]), function(l) sum(w[d[[k]] == l])) / (P[[k]] / 100 * total) - 1)))) <= 1e-10) return(s) } }
b <- weigh(G, v3[1:2], G$设计权重, "raking", 20000, 1.8); x <- weigh(E, v3, one, "raking", nrow(E), 1.6)
apart <- function(m, total) max(sapply(m$v, function(k) max(abs(sapply(names(P[[k]]), function(l) sum(m$w[m$d[[k]] == l])) / (P[[k]] / 100 * total) - 1))))
lead <- function(m, s = 1) { w <- m$w * s; fact("份问卷加权后，结构与总体一致", n = length(w), least = min(w), most = max(w), effective = sum(w)^2 / sum(w^2)) }
oracle(c("survey（R）：rake、postStratify、calibrate、svymean", "R 4.2.2"), list(
  case("性别、年龄、地区", c(f(v3, cap = FALSE), tg), c(tables(a), change(a), list(block("run_of", list(), steps = steps(E, v3, one, nrow(E))))), c(A, list("少数问卷代表了很多人", lead(a), "定类变量是各类别的比例")), measures = M),
  case("截断", c(f(v3, trim = 1.6)), c(tables(x), list(block("run_of", list(), apart = apart(x, nrow(E))))), list(fact("的权重被截断", cut = x$cut), "边际偏差来自截断", "没有放入目标变量"), measures = M),
  case("设计权重，人数，有缺失", c(f(v3[1:2], 200, base_weight = "设计权重", trim = 1.8)), tables(b, TRUE), list("有 {lost:integer} 行缺控制变量", "“样本”一列按设计权重计算"), "oracle-gaps.csv", M),
  case("单元加权", c(f("年龄段", method = "cell"), tg), { m <- weigh(E, "年龄段", one, "cell", nrow(E)); c(tables(m, name = "单元加权（事后分层）"), change(m)) }, list("迭代已经收敛"), measures = M),
  case("线性校准", c(f(v3, method = "linear_calibration", cap = FALSE), tg), { m <- weigh(E, v3, one, "linear_calibration", nrow(E), NULL); c(tables(m, name = "线性校准"), change(m)) }, list(NEG), measures = M),
  case("没有收敛", c(f(v3, max_iter = 1, cap = FALSE)), list(block("run_of", list(), steps = 1)), list("没有收敛，最大边际偏差"), measures = M)))
