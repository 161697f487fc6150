# Rscript oracle.R   (R 4.2.2) t.test(paired = TRUE); quadrants by comparison; derived importance by lm and by partial correlation.
source("../../../../tools/oracle.R")
save_as <- function(x, f) if (!file.exists(f)) write.csv(x, f, row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8", na = "")
A <- c("自然风光", "交通便利", "门票价格", "卫生环境", "服务态度", "餐饮质量", "住宿条件", "标识清晰"); set.seed(51); n <- 90
lik <- function(m) pmin(5, pmax(1, round(rnorm(n, m, .8)))); g <- rnorm(n, 0, .4)
I <- sapply(c(4.4, 4.0, 4.1, 4.3, 4.2, 3.4, 3.3, 3.1), lik); P <- sapply(c(4.5, 3.2, 3.0, 3.5, 4.1, 3.6, 3.8, 3.0), function(m) pmin(5, pmax(1, round(rnorm(n, m, .7) + g))))
d <- as.data.frame(cbind(I, P)); names(d) <- c(paste0(A, "重要性"), paste0(A, "满意度")); d$总体满意度 <- pmin(5, pmax(1, round(rowMeans(P[, c(1, 4, 5)]) + rnorm(n, 0, .5)))); d[c(7, 30), 3] <- NA
save_as(d, "example.csv"); e <- na.omit(example()); vi <- paste0(A, "重要性"); vp <- paste0(A, "满意度")
quad <- function(y, x, cy, cx) ifelse(y >= cy, ifelse(x >= cx, "继续保持", "加强改善"), ifelse(x >= cx, "供给过度", "优先顺序低"))
tables <- function(k, cross, level = colMeans(e[vi[k]]), stated = TRUE, d = e) { m <- colMeans(d[vp[k]]); C <- list(mean = c(mean(m), mean(level)), median = c(median(m), median(level)), scale_mid = c(3, 3), custom = c(3.5, 4)); c0 <- C[[cross]]; q <- quad(level, m, c0[2], c0[1])
  s <- if (stated) (level - m) * level else level / m; o <- order(q != "加强改善", -s)
  c(lapply(seq_along(k), function(i) { b <- list("result", list(name = vp[k[i]]), pm = m[[i]], psd = sd(d[[vp[k[i]]]]), quadrant = q[[i]]); if (stated) { t <- t.test(d[[vp[k[i]]]], d[[vi[k[i]]]], paired = TRUE); x <- d[[vp[k[i]]]] - d[[vi[k[i]]]]; b <- c(b, list(im = level[[i]], isd = sd(d[[vi[k[i]]]]), gap = mean(x), t = t$statistic[[1]], df = nrow(d) - 1, p = t$p.value, d = mean(x) / sd(x))) } else b$derived <- level[[i]]; do.call(block, b) }),
    lapply(seq_along(o), function(r) block("priority", list(order = r), order = r, name = vp[k[o[r]]], score = s[[o[r]]], quadrant = q[[o[r]]])),
    lapply(c("mean", "median"), function(r) { w <- vp[k][quad(level, m, C[[r]][2], C[[r]][1]) == "加强改善"]; block("summary", list(rule = c(mean = "均值", median = "中位数")[[r]]), x = C[[r]][1], y = C[[r]][2], first = if (length(w)) paste(w, collapse = "、") else "无") })) }
D <- example(); D <- na.omit(D[c(vp, "总体满意度")]); z <- as.data.frame(scale(D)); b <- coef(lm(reformulate(vp, "总体满意度"), z))[-1]; names(b) <- vp
pc <- sapply(vp, function(v) { o <- setdiff(vp, v); cor(resid(lm(reformulate(o, v), D)), resid(lm(reformulate(o, "总体满意度"), D))) })
f <- function(k = 1:8, ...) list(importance = as.list(vi[k]), performance = as.list(vp[k]), ...); g <- function(how) list(performance = as.list(vp), overall = "总体满意度", derived = how)
M <- setNames(as.list(rep("定量", 17)), names(e)); S <- "左上：加强改善"
w8 <- sum(quad(colMeans(e[vi]), colMeans(e[vp]), mean(colMeans(e[vi])), mean(colMeans(e[vp]))) == "加强改善")
oracle("R 4.2.2: t.test(paired = TRUE), lm", list(
  case("景区，均值", f(), tables(1:8, "mean"), list("换用均值或中位数作界", fact("应先改进的有", weak = w8, n = nrow(e), k = 8), S, "应继续保持的", "象限是相互比较的结果"), measures = M),
  case("中位数", f(cross = "median"), tables(1:8, "median"), list(), measures = M),
  case("量表中点", f(cross = "scale_mid"), tables(1:8, "scale_mid"), list(), measures = M),
  case("自定义", f(cross = "custom", cross_x = 3.5, cross_y = 4), tables(1:8, "custom"), list(), measures = M),
  case("没有要改进的", f(c(1, 8)), { d <- na.omit(example()[c(vi[c(1, 8)], vp[c(1, 8)])]); tables(c(1, 8), "mean", colMeans(d[vi[c(1, 8)]]), d = d) }, list("没有重要而做得不好的", "加强改善的属性相同"), measures = M),
  case("回归推导", g("derived_regression"), tables(1:8, "mean", b, FALSE, D), list(), measures = M),
  case("偏相关推导", g("derived_partial_r"), tables(1:8, "mean", pc, FALSE, D), list(), measures = M)))
