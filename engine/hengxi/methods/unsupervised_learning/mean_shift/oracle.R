# Flat-kernel mean shift written out: every row climbs, peaks are merged by how many rows they hold; the automatic bandwidth by its definition.
source("../_shared/clusters.R")
if (!file.exists("example.csv")) { write.csv(data.frame(喷发时长 = faithful[[1]], 等待时间 = faithful[[2]]), "example.csv", row.names = FALSE, quote = FALSE)
  set.seed(31); write.csv(data.frame(a = round(c(rnorm(40), rnorm(40, 6), 30), 4), b = round(c(rnorm(40), rnorm(40, 3), 25), 4), c = round(rnorm(81) / 4, 4)), "oracle-three.csv", row.names = FALSE, quote = FALSE) }
automatic <- function(u, q) { k <- max(1, floor(nrow(u) * q)); mean(apply(as.matrix(dist(u)), 1, function(r) sort(r)[k])) }
climb <- function(u, h, seeds = u, all = TRUE) { near <- function(m) which(colSums((t(u) - m)^2) <= h^2); P <- list(); N <- integer(0)
  for (s in seq_len(nrow(seeds))) { m <- seeds[s, ]; n <- 0; for (it in 0:300) { w <- near(m); if (!length(w)) break; n <- length(w); new <- colMeans(u[w, , drop = FALSE]); still <- sqrt(sum((new - m)^2)) <= 1e-3 * h; m <- new; if (still) break }; if (n) { P[[length(P) + 1]] <- m; N <- c(N, n) } }
  P <- do.call(rbind, P); o <- do.call(order, c(list(-N), lapply(seq_len(ncol(P)), function(j) -P[, j]))); P <- P[o, , drop = FALSE]; kept <- rep(TRUE, nrow(P)); for (i in seq_len(nrow(P))) if (kept[i]) { d <- sqrt(colSums((t(P) - P[i, ])^2)); kept[d <= h] <- FALSE; kept[i] <- TRUE }
  P <- P[kept, , drop = FALSE]; D <- apply(P, 1, function(m) sqrt(colSums((t(u) - m)^2))); D <- matrix(D, nrow(u)); raw <- max.col(-D, "first"); if (!all) raw[D[cbind(seq_along(raw), raw)] > h] <- 0; list(raw = raw, peaks = P) }
grid <- function(u, h, f) { b <- round(u / h); key <- apply(b, 1, paste, collapse = " "); k <- names(which(table(key) >= f)); unique(b[key %in% k, , drop = FALSE]) * h }
run <- function(name, X, u, form, back, unit = 1, q = .3, f = 1, all = TRUE, says = list(), data = NULL, measures) {
  h <- if (is.null(form$bandwidth)) automatic(u, q) else form$bandwidth / unit; seeds <- function(h) if (f > 1) grid(u, h, f) else u; m <- climb(u, h, seeds(h), all); l <- ordered(u, m$raw); j <- judged(X, u, l, unit)
  S <- lapply(seq_len(max(l)), function(i) { b <- list("sizes", list(name = named(i)), n = sum(l == i), share = mean(l == i)); p <- back(m$peaks[m$raw[l == i][1], ]); for (v in seq_len(ncol(X))) b[[paste0("centre@", colnames(X)[v])]] <- p[v]; do.call(block, b) }); if (any(l == 0)) S <- c(S, list(block("sizes", list(name = "噪声"), n = sum(l == 0), share = mean(l == 0))))
  C <- lapply(c(.5, .75, 1, 1.25, 1.5, 2), function(z) block("curve", list(multiple = z), bandwidth = z * h * unit, multiple = z, k = nrow(climb(u, h * z, seeds(h * z), all)$peaks))); poor <- j$share > .5 || j$k == 1
  case(name, form, c(S, C, list(block("settings", list(), bandwidth = h * unit, k = j$k)), j$blocks), c(spoken(j, "中心是密度的峰", "类数在一段带宽里不变", fact("向附近最密的地方移动", h = h * unit), fact("噪声占 {share:percent1}", share = j$share, k = j$k)), if (poor) list("请换一个带宽") else list("没有超过一半"), says), data, measures) }
X <- as.matrix(example()); z <- scale(X); G <- as.matrix(example("oracle-three.csv")); g <- scale(G); top <- max(apply(G, 2, sd)); v <- as.list(colnames(X)); gv <- as.list(colnames(G)); M <- setNames(as.list(rep("定量", 2)), colnames(X)); gm <- setNames(as.list(rep("定量", 3)), colnames(G))
up <- function(w) function(p) p * attr(w, "scaled:scale") + attr(w, "scaled:center")
oracle(c("R 4.2.2: 按定义写出的平核均值漂移", "cluster: silhouette", "faithful: Azzalini & Bowman (1990)"), list(
  run("老忠实泉，自动带宽", X, z, list(x = v), up(z), measures = M, says = list(units_said$yes)),
  run("两团和一个孤立点，不归簇", G, g, list(x = gv, bandwidth = .8, cluster_all = FALSE), up(g), all = FALSE, data = "oracle-three.csv", measures = gm, says = list(map_said(g))),
  run("不标准化，网格种子，一类", G, G / top, list(x = gv, bandwidth = 40, min_bin_freq = 2, standardize = FALSE), function(p) p * top, unit = top, f = 2, data = "oracle-three.csv", measures = gm, says = list(units_said$bad, map_said(G)))))
