# The ordering written out by the paper (ties to the row that comes first); core distances of dbscan::optics, clusters by dbscan::extractDBSCAN on it.
source("../_shared/clusters.R"); suppressMessages(library(dbscan))
if (!file.exists("example.csv")) { set.seed(21); x <- rbind(cbind(rnorm(150, 0, .25), rnorm(150, 0, .25)), cbind(rnorm(150, 1.8, .25), rnorm(150, 0, .25)), cbind(rnorm(200, 7, 1), rnorm(200, 4, 1)))
  write.csv(data.frame(x1 = round(x[, 1], 6), x2 = round(x[, 2], 6)), "example.csv", row.names = FALSE, quote = FALSE) 
  set.seed(22); write.csv(data.frame(a = round(c(rnorm(30), rnorm(30, 7)), 6), b = round(c(rnorm(30), rnorm(30, 4)), 6), c = round(rnorm(60) / 4, 6)), "oracle-three.csv", row.names = FALSE, quote = FALSE) }
walk <- function(d, m, far = Inf) { n <- nrow(d); core <- apply(d, 1, function(r) sort(r)[m]); core[core > far] <- Inf; reach <- rep(Inf, n); pred <- rep(NA, n); done <- rep(FALSE, n); o <- integer(n)
  for (s in 1:n) { i <- which(!done)[which.min(reach[!done])]; done[i] <- TRUE; o[s] <- i; if (is.finite(core[i])) { new <- pmax(core[i], d[i, ]); up <- !done & d[i, ] <= far & new < reach; reach[up] <- new[up]; pred[up] <- i } }
  structure(list(order = o, reachdist = reach, coredist = core, predecessor = pred, minPts = m, eps = if (is.finite(far)) far else max(d), eps_cl = NA, xi = NA), class = "optics") }
# Steep areas and clusters of figure 19 of the paper, with the correction by predecessors (Schubert & Gertz, 2018); extractXi of the dbscan package has neither that nor areas of min_samples.
steep <- function(w, m, xi) { o <- w$order; n <- length(o); r <- c(w$reachdist[o], Inf); at <- match(w$predecessor[o], o); c1 <- 1 - xi; q <- r[1:n] / r[2:(n + 1)]; q[is.nan(q)] <- NaN; up <- q <= c1; dn <- q >= 1 / c1; down <- q > 1; upw <- q < 1; for (v in c("up", "dn", "down", "upw")) { z <- get(v); z[is.na(z)] <- FALSE; assign(v, z) }
  extend <- function(st, other, s) { non <- 0; e <- s; i <- s; while (i <= n) { if (st[i]) { non <- 0; e <- i } else if (!other[i]) { non <- non + 1; if (non > m) break } else return(e); i <- i + 1 }; e }
  D <- list(); C <- list(); i <- 1; mib <- 0; prune <- function() { D <<- Filter(function(a) mib <= r[a$s] * c1, D); D <<- lapply(D, function(a) { a$mib <- max(a$mib, mib); a }) }
  for (k in which(up | dn)) { if (k < i) next; mib <- max(mib, r[i:k]); prune(); if (is.infinite(mib)) D <- list()
    if (dn[k]) { e <- extend(dn, upw, k); D[[length(D) + 1]] <- list(s = k, e = e, mib = 0); i <- e + 1; mib <- r[i] } else { e <- extend(up, down, k); i <- e + 1; mib <- r[i]; U <- list()
      for (a in D) { s1 <- a$s; e1 <- e; if (r[e1 + 1] * c1 < a$mib) next; top <- r[a$s]
        if (top * c1 >= r[e1 + 1]) { while (r[s1 + 1] > r[e1 + 1] && s1 < a$e) s1 <- s1 + 1 } else if (r[e1 + 1] * c1 >= top) while (r[e1 - 1] > top && e1 > k) e1 <- e1 - 1
        ok <- FALSE; while (s1 < e1) { if (r[s1] > r[e1] || (!is.na(at[e1]) && at[e1] >= s1 && at[e1] < e1)) { ok <- TRUE; break }; e1 <- e1 - 1 }
        if (!ok || e1 - s1 + 1 < m || s1 > a$e || e1 < k) next; U[[length(U) + 1]] <- c(s1, e1) }
      C <- c(C, rev(U)) } }
  l <- integer(n); k <- 0; for (a in C) if (all(l[a[1]:a[2]] == 0)) { k <- k + 1; l[a[1]:a[2]] <- k }; out <- integer(n); out[o] <- l; list(cluster = out) }
run <- function(name, X, u, form, m = 5, far = Inf, metric = "euclidean", unit = 1, says = list(), data = NULL, measures) {
  n <- nrow(X); key <- order(Reduce(`+`, lapply(seq_len(ncol(X)), function(j) X[, j] / max(abs(X[, j])) * sqrt(1 + j)))); d <- as.matrix(pair(u, metric))[key, key] * unit; w <- walk(d, m, far)
  stopifnot(isTRUE(all.equal(unname(w$coredist), unname(optics(as.dist(d), eps = if (is.finite(far)) far else max(d), minPts = m)$coredist))))
  e <- if (form$method == "dbscan") extractDBSCAN(w, eps_cl = form$eps) else steep(w, m, form$xi); raw <- integer(n); raw[key] <- e$cluster; l <- ordered(u, raw); j <- judged(X, u, l, unit, metric, TRUE)
  S <- c(lapply(seq_len(max(l)), function(i) block("sizes", list(name = named(i)), n = sum(l == i), share = mean(l == i))), list(block("sizes", list(name = "噪声"), n = sum(l == 0), share = mean(l == 0))))
  fin <- function(v) if (is.finite(v)) v else NULL; R <- lapply(c(1:15, n), function(s) { i <- w$order[s]; b <- list("ordering", list(position = s), position = s, row = key[i], cluster = named(l)[key[i]]); b$core <- fin(w$coredist[i]); b$reach <- fin(w$reachdist[i]); if (!is.na(w$predecessor[i])) b$before <- I(key[w$predecessor[i]]); do.call(block, b) })
  poor <- j$share > .5 || j$k == 1
  case(name, form, c(S, R, list(points("ordering", list(), n, list(reach = sum(w$reachdist[is.finite(w$reachdist)]), core = sum(w$coredist[is.finite(w$coredist)])))), j$blocks), c(spoken(j, "第一个样本没有前驱", "低处是密集的类", "可达图上的谷就是类", fact("噪声占 {share:percent1}", share = j$share, k = j$k)), if (poor) list("换一个切割的高度") else list("没有超过一半"), says), data, measures) }
X <- as.matrix(example()); G <- as.matrix(example("oracle-three.csv")); M <- list(x1 = "定量", x2 = "定量"); v <- as.list(colnames(X)); gv <- as.list(colnames(G)); gm <- setNames(as.list(rep("定量", 3)), colnames(G)); top <- max(apply(G, 2, sd))
oracle(c("R 4.2.2: 按 Ankerst 等 (1999) 写出的排序和陡度法", "dbscan 1.1-11: optics（核心距离）、extractDBSCAN", "cluster: silhouette"), list(
  run("嵌套的三个团，按半径切割", X, scale(X), list(x = v, method = "dbscan", eps = .2, min_samples = 8), 8, measures = M, says = list(units_said$yes)),
  run("嵌套的三个团，陡度", X, scale(X), list(x = v, method = "xi", xi = .1, min_samples = 15), 15, measures = M),
  run("两团，不标准化，最大半径", G, G / top, list(x = gv, method = "dbscan", eps = 1, max_eps = 2, standardize = FALSE), far = 2, unit = top, data = "oracle-three.csv", measures = gm, says = list(units_said$bad, map_said(G))),
  run("两团，余弦", G, scale(G), list(x = gv, method = "dbscan", eps = .05, metric = "cosine"), metric = "cosine", data = "oracle-three.csv", measures = gm)))
