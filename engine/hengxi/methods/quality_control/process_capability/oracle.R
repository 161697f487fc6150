# Rscript oracle.R   (R 4.2.2) Indices by their formulas; constants by ptukey; nortest, shapiro.test, numDeriv.
for (f in c("oracle.R", "oracle_control.R", "oracle_capability.R")) source(file.path("../../../../tools", f))
save_as <- function(x, f) if (!file.exists(f)) write.csv(x, f, row.names = FALSE, quote = FALSE, fileEncoding = "UTF-8", na = "")
set.seed(11); m <- matrix(round(rnorm(125, 10.004, .02), 3), 25); d <- data.frame(子组 = 1:25, m); names(d)[-1] <- paste0("样品", 1:5); save_as(d, "example.csv")
# Unequal subgroups with gaps and a drift; skewed times in single rows; answers 1-5.
set.seed(7); g <- rep(1:30, rep(c(3, 5, 4), 10)); v <- round(50 + rnorm(120) + 1.6 * sin(g / 3), 2); v[c(4, 50)] <- NA; save_as(data.frame(批 = paste0("批", g), 值 = v, check.names = FALSE), "oracle-drift.csv")
set.seed(8); save_as(data.frame(时间 = round(rgamma(90, 2, 1) + .05, 2), 均匀 = round(rbeta(90, 1.2, 1.5), 3), 双侧 = round(sinh(rnorm(90) / 1.5), 3), 少 = c(sample(1:5, 24, TRUE), rep(NA, 66)), check.names = FALSE), "oracle-skew.csv")
e <- example(); D <- na.omit(example("oracle-drift.csv")); K <- example("oracle-skew.csv")
G <- lapply(1:25, function(i) unname(unlist(e[i, -1]))); B <- unname(split(D$值, factor(D$批, unique(D$批))))
study <- function(G, way, lsl = NULL, usl = NULL, target = NULL, level = .95, to = identity, t = NULL) {
  raw <- unlist(G); out <- if (length(raw) >= 8) shape_blocks(raw, "原始数据") else list(); L0 <- lsl; U0 <- usl
  if (!is.null(t)) { for (p in names(t$par)) out <- c(out, list(block("fitted", list(parameter = p), name = t$name, parameter = p, value = t$par[[p]]))); G <- lapply(G, t$to)
    out <- c(out, shape_blocks(unlist(G), "变换后")); at <- function(v) if (!is.null(v) && v > t$low && v < t$high) t$to(v); lsl <- at(lsl); usl <- at(usl); target <- at(target) }
  x <- unlist(G); n <- lengths(G); k <- length(G); N <- length(x); s <- sd(x); w <- G[n > 1]; nw <- n[n > 1]
  if (way == "rbar") { r <- sapply(w, function(v) diff(range(v))) / sapply(nw, d2); sw <- mean(r); cv2 <- sum((sapply(nw, d3) / sapply(nw, d2))^2) / length(w)^2; df <- 1 / (2 * cv2) }
  if (way == "sbar") { sw <- mean(sapply(w, sd) / sapply(nw, c4)); cv2 <- sum(1 / sapply(nw, c4)^2 - 1) / length(w)^2; df <- 1 / (2 * cv2) }
  if (way == "pooled") { df <- sum(nw - 1); sw <- sqrt(sum(sapply(w, function(v) sum((v - mean(v))^2))) / df) }
  # Moving ranges: covariance of |x2 - x1| and |x3 - x2| by integration over two correlated normal differences.
  if (way == "mr") { sw <- mean(abs(diff(x))) * sqrt(pi) / 2; q <- N - 1
    cross <- integrate(function(u) sapply(u, function(a) a * integrate(function(b) b * (dnorm((b + a / 2) / sqrt(1.5)) + dnorm((b - a / 2) / sqrt(1.5))) / sqrt(1.5), 0, 40, rel.tol = 1e-11)$value * 2 * dnorm(a, 0, sqrt(2)) ), 0, 30, rel.tol = 1e-11)$value
    cv2 <- (q * (2 - 4 / pi) + 2 * (q - 1) * (cross - 4 / pi)) / q^2 / (4 / pi); df <- 1 / (2 * cv2) }
  tol <- function(...) c(list(...), if (way == "mr") list(tolerance = 1e-7, reason = "移动极差的协方差由数值积分得到"))
  out <- c(out, list(do.call(block, c(list("process", list()), cap(list(lsl = lsl, usl = usl, target = target)), list(n = N, subgroups = k, mean = mean(x), within = sw, overall = s), tol(df = df)))))
  for (z in list(list("潜在能力（组内）", sw, df, c("Cp", "CPL", "CPU", "Cpk")), list("整体能力", s, N - 1, c("Pp", "PPL", "PPU", "Ppk")))) {
    v <- sides(mean(x), 3 * z[[2]], 3 * z[[2]], lsl, usl); v$least <- min(v$lower, v$upper); names(v) <- z[[4]][match(names(v), c("both", "lower", "upper", "least"))]
    for (i in names(v)) { ci <- if (i %in% c("Cp", "Pp")) chi_ci(v[[i]], z[[3]], level) else bissell(v[[i]], N, z[[3]], level); out <- c(out, list(do.call(block, c(list("indices", list(index = i), kind = z[[1]], value = v[[i]]), tol(low = ci[1], high = ci[2]))))) }
    name <- if (z[[1]] == "整体能力") "整体" else "组内"; pb <- if (is.null(lsl)) 0 else pnorm(lsl, mean(x), z[[2]]); pa <- if (is.null(usl)) 0 else pnorm(usl, mean(x), z[[2]], lower.tail = FALSE)
    out <- c(out, list(shares(paste0("期望（", name, "）"), pb, pa, L0, U0), do.call(block, c(list("bench", list(basis = name), z_bench = qnorm(pa + pb, lower.tail = FALSE)), cap(list(z_lower = if (!is.null(lsl)) (mean(x) - lsl) / z[[2]], z_upper = if (!is.null(usl)) (usl - mean(x)) / z[[2]], sigma_level = if (name == "整体") qnorm(pa + pb, lower.tail = FALSE) + 1.5))))))
    if (name == "组内") { cpk <<- v$Cpk; cp <<- v[["Cp"]]; beyond <<- sum(abs(sapply(G, mean) - mean(x)) > 3 * sw / sqrt(n)) + if (way == "mr") sum(abs(diff(x)) > (d2(2) + 3 * d3(2)) * sw) else { u <- way == "sbar" || max(n) > 10; mid <- sapply(nw, if (u) c4 else d2); wide <- if (u) sqrt(1 - mid^2) else sapply(nw, d3); v1 <- sapply(w, if (u) sd else function(v) diff(range(v))); sum(v1 > (mid + 3 * wide) * sw | v1 < (mid - 3 * wide) * sw) }; size <<- N; odd <<- if (min(n) < max(n)) "已按各组的 n 分别计算"; p <<- shapiro.test(x)$p.value } else { ppk <<- v$Ppk; ppm <<- 1e6 * (pa + pb) } }
  if (!is.null(lsl) && !is.null(usl) && !is.null(target)) { a <- (mean(x) - target) / s; cm <- (usl - lsl) / (6 * sqrt(s^2 + (mean(x) - target)^2)); ci <- chi_ci(cm, N * (1 + a^2)^2 / (1 + 2 * a^2), level); out <- c(out, list(block("indices", list(index = "Cpm"), value = cm, low = ci[1], high = ci[2]))) }
  c(out, list(observed(raw, L0, U0)))
}
GRADE <- c("四级", "三级", "二级", "一级", "特级"); lead <- function() fact("按整体波动预计每百万件有", cpk = cpk, ppk = ppk, ppm = ppm, grade = GRADE[findInterval(cpk, c(.67, 1, 1.33, 1.67)) + 1])
words <- function() cap(list(if (ppk < .9 * cpk) "Ppk 明显小于 Cpk，子组之间还有波动" else "两者接近，子组之间没有明显的漂移", if (!is.null(cp)) fact(if (cpk < .9 * cp) "均值偏离规格中心" else "均值接近规格中心", cp = cp), if (size < 100) "不足 100 个，指数的误差大" else "个值，够用", odd, if (beyond) fact("个点超出控制限，过程不稳定", k = beyond) else "控制图上没有点超出控制限",
  fact(if (p < .05) "数据偏离正态，指数和预计的 PPM 不可靠" else "没有发现明显偏离正态", p = p)))
M <- setNames(as.list(rep("定量", 5)), c("值", "时间", "均匀", "双侧", "少")); one <- function(v) as.list(v[!is.na(v)])
run <- function(name, form, G, way, ..., says = list(), data = NULL) { b <- study(G, way, ...); case(name, form, b, c(list(lead()), words(), as.list(says)), data = data, measures = M) }
w <- list(measures = as.list(paste0("样品", 1:5)))
box <- function(v) { l <- box_lambda(v); list(name = "Box-Cox", par = c(λ = l), to = function(u) box_to(u, l), low = 0, high = Inf) }
jt <- johnson(K$时间); ju <- johnson(K$均匀); jd <- johnson(K$双侧)
stopifnot(length(unique(c(jt$name, ju$name, jd$name))) >= 2)
oracle(c("R 4.2.2: ptukey, qchisq, pnorm", "nortest 1.0, numDeriv", "NIST e-Handbook 6.1.6"), list(
  run("二十五个子组，两侧规格", c(w, lsl = 9.94, usl = 10.06, target = 10), G, "rbar", 9.94, 10.06, 10),
  run("s̄/c4，居中", c(w, lsl = 9.9, usl = 10.11, sigma_within = "sbar", conf_level = .9), G, "sbar", 9.9, 10.11, level = .9),
  run("子组不等，只有上限，漂移", list(measures = list("值"), subgroup = "批", usl = 55), B, "rbar", usl = 55, data = "oracle-drift.csv"),
  run("合并标准差，两侧很宽", list(measures = list("值"), subgroup = "批", lsl = 42, usl = 58, sigma_within = "pooled"), B, "pooled", 42, 58, data = "oracle-drift.csv"),
  run("移动极差，只有下限", list(measures = list("双侧"), lsl = -1, sigma_within = "mr"), one(K$双侧), "mr", lsl = -1, data = "oracle-skew.csv"),
  run("1–5 分，每组一个值", list(measures = list("少"), lsl = 0, usl = 6.5, size = 1), one(K$少), "mr", lsl = 0, usl = 6.5, says = "组内 σ 改用移动极差估计", data = "oracle-skew.csv"),
  run("Box-Cox", list(measures = list("时间"), usl = 12, transform = "boxcox", size = 1), one(K$时间), "mr", usl = 12, t = box(K$时间), data = "oracle-skew.csv"),
  run("Johnson，一侧在范围外", list(measures = list("均匀"), lsl = .02, usl = 5, transform = "johnson", size = 1), one(K$均匀), "mr", lsl = .02, usl = 5, t = ju, says = list("规格上限在", "各值都在变换后的尺度上"), data = "oracle-skew.csv"),
  run("Johnson SU，每五个一组", list(measures = list("双侧"), lsl = -4, usl = 5, transform = "johnson"), unname(split(K$双侧, rep(1:18, each = 5))), "rbar", lsl = -4, usl = 5, t = jd, data = "oracle-skew.csv")))
