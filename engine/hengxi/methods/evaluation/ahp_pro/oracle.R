# Own derivation in R from the published formulas: eigen(), uniroot on the derivative of λmax, loops over pairs.
# Published: AIJ and AIP of (1,2,4) and (1,1/2,2) give .4249 .4249 .1502 and .4286 .4286 .1429; random indices of
# incomplete matrices of order 4 are .583 and .306 with 1 and 2 gaps (Ágoston and Csató 2022); the table is drawn again below.
source("../../../../tools/oracle.R")
RI <- c(0, 0, .58, .90, 1.12, 1.24, 1.32, 1.41, 1.45)
one <- function(x) x / sum(x)
top <- function(m) { e <- eigen(m); k <- which.max(Re(e$values)); list(l = Re(e$values[k]), v = one(abs(Re(e$vectors[, k])))) }
gm <- function(m) one(apply(m, 1, function(r) prod(r)^(1 / length(r))))
am <- function(m) one(rowMeans(sweep(m, 2, colSums(m), "/")))
pri <- list(geometric_mean = gm, arithmetic_mean = am, eigenvector = function(m) top(m)$v)
lambda <- function(m) { l <- top(m)$l; if (l < nrow(m) * (1 + 1e-12)) nrow(m) else l }   # below that it is rounding
GAPS <- fromJSON("../../../stats/random_index.json"); stopifnot(abs(GAPS[["4"]] - c(.583, .306)) < .005)
ri <- function(n, miss) if (miss == 0) RI[n] else { g <- GAPS[[as.character(n)]]; if (miss <= length(g)) g[miss] else NULL }

read <- function(sheet) {                                    # upper half, the lower follows
  v <- sheet$values; n <- length(v); m <- diag(n)
  for (i in 1:n) for (j in 1:n) if (i < j) { x <- v[[i]][[j]]; m[i, j] <- if (is.null(x)) NA else x; m[j, i] <- 1 / m[i, j] }
  m
}
gaps <- function(m) { g <- NULL; for (i in 1:(nrow(m) - 1)) for (j in (i + 1):nrow(m)) if (is.na(m[i, j])) g <- rbind(g, c(i, j)); g }
fill <- function(m, how, bounded = TRUE) {
  g <- gaps(m); if (is.null(g)) return(m)
  hold <- function(x) if (bounded) min(max(x, 1 / 9), 9) else x
  n <- nrow(m)
  if (how == "min_lambda") {
    slope <- function(t, k) { m[g[k, 1], g[k, 2]] <- exp(t); m[g[k, 2], g[k, 1]] <- exp(-t)
      r <- top(m)$v; l <- top(t(m))$v; l[g[k, 1]] * exp(t) * r[g[k, 2]] - l[g[k, 2]] * exp(-t) * r[g[k, 1]] }
    for (k in seq_len(nrow(g))) { m[g[k, 1], g[k, 2]] <- 1; m[g[k, 2], g[k, 1]] <- 1 }
    for (round in 1:200) for (k in seq_len(nrow(g))) {         # one gap after another until nothing moves
      lo <- slope(-log(9), k); hi <- slope(log(9), k)
      t <- if (lo > 0) -log(9) else if (hi < 0) log(9) else uniroot(slope, c(-log(9), log(9)), k = k, tol = 1e-15)$root
      m[g[k, 1], g[k, 2]] <- exp(t); m[g[k, 2], g[k, 1]] <- exp(-t)
    }
    return(m)
  }
  if (how == "harker") { h <- m; for (i in 1:n) h[i, i] <- 1 + sum(is.na(m[i, ])); h[is.na(h)] <- 0; w <- top(h)$v }
  else {
    d <- NULL; y <- NULL                                       # least squares on logarithms, by lm
    for (i in 1:(n - 1)) for (j in (i + 1):n) if (!is.na(m[i, j])) { r <- numeric(n); r[i] <- 1; r[j] <- -1; d <- rbind(d, r); y <- c(y, log(m[i, j])) }
    w <- c(1, exp(coef(lm(y ~ d[, -1] - 1))))
  }
  for (k in seq_len(nrow(g))) { x <- hold(w[g[k, 1]] / w[g[k, 2]]); m[g[k, 1], g[k, 2]] <- x; m[g[k, 2], g[k, 1]] <- 1 / x }
  m
}
set.seed(1); at <- combn(4, 2); drawn <- replicate(400, { k <- sample(6, 1); x <- sample(c(1 / (9:2), 1:9), 6, TRUE)
  optimize(function(t) { x[k] <- exp(t); m <- diag(4); m[t(at)] <- x; m[t(at[2:1, ])] <- 1 / x; (top(m)$l - 4) / 3 }, c(-log(9), log(9)))$objective })
stopifnot(abs(mean(drawn) - GAPS[["4"]][1]) < 4 * sd(drawn) / sqrt(400))
triads <- function(m) { n <- nrow(m); b <- !is.na(m) & m > 1; k <- 0
  if (n > 2) for (i in 1:(n - 2)) for (j in (i + 1):(n - 1)) for (l in (j + 1):n)
    k <- k + (b[i, j] && b[j, l] && b[l, i]) + (b[j, i] && b[l, j] && b[i, l])
  k }
gci <- function(m) { n <- nrow(m); if (n < 3) return(NULL); w <- gm(m); s <- 0
  for (i in 1:(n - 1)) for (j in (i + 1):n) s <- s + log(m[i, j] * w[j] / w[i])^2
  s <- 2 * s / ((n - 1) * (n - 2)); if (s < 1e-20) 0 else s }
crof <- function(full, miss) { n <- nrow(full); if (n < 3) return(NULL)
  r <- ri(n, miss); if (is.null(r)) NULL else (lambda(full) - n) / (n - 1) / r }
shown <- function(x) if (x >= 1) format(x, digits = 4) else paste0("1/", format(1 / x, digits = 4))
suggestions <- function(full, raw) { w <- top(full)$v; s <- sort(unique(c(1:9, 1 / (1:9)))); before <- crof(full, 0); out <- list()
  for (i in 1:(nrow(full) - 1)) for (j in (i + 1):nrow(full)) { im <- w[i] / w[j]; to <- s[which.min(abs(log(s / im)))]
    if (isTRUE(all.equal(to, full[i, j])) || is.na(raw[i, j])) next
    k <- full; k[i, j] <- to; k[j, i] <- 1 / to
    if (crof(k, 0) < before) out[[length(out) + 1]] <- list(i = i, j = j, cur = full[i, j], im = im, to = to, after = crof(k, 0), d = abs(log(full[i, j] / im))) }
  head(out[order(-round(sapply(out, `[[`, "d"), 10))], 3) }

example_form <- fromJSON("example.json", simplifyVector = FALSE)
kids <- function(n) n$children
walk <- function(n, path = "", level = 0) { out <- list(list(node = n, path = path, level = level))
  for (c in kids(n)) out <- c(out, walk(c, if (path == "") c$name else paste0(path, "/", c$name), level + 1)); out }
ranks <- function(x) rank(-round(x, 12), ties.method = "min")

expected <- function(form, sheets) {                          # sheets: list of list(id, alt, expert, m)
  o <- modifyList(list(method = "geometric_mean", aggregation = "aij_geometric", expert_weights = "equal", missing = "min_lambda",
    missing_bounds = TRUE, limit = .1, inconsistent = "keep_and_flag", synthesis = "distributive"), form)
  nodes <- walk(o$hierarchy); low <- Filter(function(x) length(kids(x$node)) == 0, nodes); out <- list(); add <- function(b) out[[length(out) + 1]] <<- b
  alts <- sapply(o$alternatives, `[[`, "name"); who <- o$who
  asked <- c(lapply(Filter(function(x) length(kids(x$node)) > 0, nodes), function(x) list(id = x$node$id, alt = FALSE, title = x$node$name,
      names = sapply(kids(x$node), `[[`, "name"), level = x$level)),
    if (length(alts)) lapply(low, function(x) list(id = x$node$id, alt = TRUE, title = paste0("方案（", x$node$name, "）"), names = alts, level = NA)))
  local <- list(); group <- list(); own <- list(); over <- 0; all <- 0; worst <- c(-1, NA, NA); misscount <- 0
  basis <- c(min_lambda = "λmax 最小", harker = "Harker 特征向量", log_least_squares = "对数最小二乘")
  for (a in asked) {
    js <- list()
    for (s in Filter(function(s) s$id == a$id && s$alt == a$alt, sheets)) {
      g <- gaps(s$m); miss <- if (is.null(g)) 0 else nrow(g)
      if (o$missing == "exclude_matrix" && miss > 0) { add(block("consistency", list(expert = who[s$expert], node = a$title), missing = miss,
        treated = "有缺失，已剔除", share = NULL)); all <- all + 1; next }
      full <- fill(s$m, o$missing, o$missing_bounds); cr <- crof(full, miss); bad <- !is.null(cr) && cr >= o$limit; all <- all + 1
      if (bad) over <- over + 1; if (!is.null(cr) && cr > worst[1]) worst <- c(cr, s$expert, a$title)
      use <- !(bad && o$inconsistent == "exclude")
      w <- switch(o$expert_weights, equal = 1, manual = o$power[s$expert], authority = o$power[s$expert], consistency = 1 / (1 + 10 * (if (is.null(cr)) 0 else cr)))
      js[[length(js) + 1]] <- list(e = s$expert, full = full, w = w, use = use, raw = s$m, cr = cr, miss = miss, bad = bad)
      if (miss) for (k in seq_len(miss)) add(block("completed", list(expert = who[s$expert], node = a$title, first = a$names[g[k, 1]], second = a$names[g[k, 2]]),
        value = full[g[k, 1], g[k, 2]], basis = basis[[o$missing]]))
      if (bad && o$inconsistent == "repair_suggestion") for (r in suggestions(full, s$m)) add(block("proposals", list(expert = who[s$expert], node = a$title,
        first = a$names[r$i], second = a$names[r$j]), current = shown(r$cur), implied = r$im, proposed = shown(r$to), after = r$after))
    }
    used <- Filter(function(j) j$use, js); w <- one(sapply(used, `[[`, "w")); n <- length(a$names); G <- matrix(1, n, n)
    for (i in 1:n) for (j in 1:n) G[i, j] <- prod(mapply(function(u, x) u$full[i, j]^x, used, w))
    P <- sapply(used, function(u) pri[[o$method]](u$full))
    lw <- switch(o$aggregation, aij_geometric = pri[[o$method]](G), aip_geometric = one(apply(P, 1, function(r) prod(r^w))), aip_arithmetic = as.vector(P %*% w))
    key <- paste(a$id, a$alt); local[[key]] <- lw; group[[key]] <- G
    for (j in js) { k <- which(sapply(used, function(u) u$e == j$e))
      add(block("consistency", list(expert = who[j$e], node = a$title), n = n, largest = lambda(j$full), ratio = j$cr, gci = gci(j$full), missing = j$miss,
        triads = triads(j$raw), share = if (length(k)) w[k] else NULL,
        treated = if (!j$use) "CR 超限，已剔除" else if (j$bad) "采用，CR 超限" else "采用")) }
    add(block("groups", list(node = a$title), n = n, largest = lambda(G), index = (lambda(G) - n) / (n - 1), random = if (n > 2) RI[n], ratio = crof(G, 0),
      tolerance = if (n > 2) 1e-6, reason = if (n > 2) "λmax − n of a nearly consistent matrix loses digits in either program"))
    for (i in 1:n) for (j in 1:n) add(block("judgement", list(item = a$names[i], against = a$names[j]), value = G[i, j], .at = a$title))
    if (length(used) > 1) { al <- mean(apply(P, 2, function(p) -sum(p * log(p)))); ga <- -sum(rowMeans(P) * log(rowMeans(P))); c9 <- 9; N <- n; K <- min(ncol(P), N)
      lo <- -(c9 / (N + c9 - 1)) * log(c9 / (N + c9 - 1)) - (N - 1) / (N + c9 - 1) * log(1 / (N + c9 - 1))
      hi <- (N - K) * (-1 / (N + c9 - 1)) * log(1 / (N + c9 - 1)) - (K + c9 - 1) / (N + c9 - 1) * log((K + c9 - 1) / (N + c9 - 1) / K)
      add(block("consensus", list(node = a$title), n = ncol(P), alpha = al, beta = ga - al, gamma = ga,
        agreement = (1 / exp(ga - al) - exp(lo) / exp(hi)) / (1 - exp(lo) / exp(hi)), tolerance = 1e-7, reason = "β is a small difference of two entropies")) }
    if (!a$alt) for (u in used) own[[paste(u$e)]][[a$id]] <- pri[[o$method]](u$full)
  }
  spread <- function(loc) { g <- list(); g[[o$hierarchy$id]] <- 1
    for (x in nodes) if (length(kids(x$node))) for (k in seq_along(kids(x$node))) g[[kids(x$node)[[k]]$id]] <- g[[x$node$id]] * loc(x$node$id)[k]; g }
  g <- spread(function(id) local[[paste(id, FALSE)]]); lw <- sapply(low, function(x) g[[x$node$id]]); rk <- ranks(lw)
  for (x in nodes[-1]) { parent <- Filter(function(p) any(sapply(kids(p$node), `[[`, "id") == x$node$id), nodes)[[1]]$node
    k <- which(sapply(low, function(y) y$node$id == x$node$id))
    add(block("global_weights", list(node = x$node$name), level = x$level, local = g[[x$node$id]] / g[[parent$id]], overall = g[[x$node$id]], rank = if (length(k)) rk[k])) }
  layers <- unique(sapply(asked, function(a) if (a$alt) "方案层" else paste0("第 ", a$level + 1, " 层")))
  for (l in layers) { ci <- 0; ri <- 0; for (a in asked) if ((if (a$alt) "方案层" else paste0("第 ", a$level + 1, " 层")) == l) {
      G <- group[[paste(a$id, a$alt)]]; n <- nrow(G); ci <- ci + g[[a$id]] * (lambda(G) - n) / (n - 1); ri <- ri + g[[a$id]] * RI[n] }
    add(block("totals", list(layer = l), index = ci, random = ri, ratio = if (ri > 0) ci / ri, tolerance = 1e-7, reason = "λmax − n of nearly consistent matrices")) }
  whole <- Filter(function(e) length(own[[e]]) == sum(!sapply(asked, `[[`, "alt")), names(own))
  E <- t(sapply(whole, function(e) { ge <- spread(function(id) own[[e]][[id]]); sapply(low, function(x) ge[[x$node$id]]) }))
  m <- nrow(E); n <- ncol(E); W <- NULL
  if (m > 1) { R <- t(apply(round(E, 12), 1, rank)); S <- sum((colSums(R) - mean(colSums(R)))^2); ties <- sum(apply(R, 1, function(r) sum(table(r)^3 - table(r))))
    W <- 12 * S / (m^2 * (n^3 - n) - m * ties)
    add(block("concord", w = W, chi2 = m * (n - 1) * W, df = n - 1, p = pchisq(m * (n - 1) * W, n - 1, lower.tail = FALSE), n = m, k = n))
    C <- matrix(1, m, m); for (i in 1:m) for (j in 1:m) { C[i, j] <- if (i == j) 1 else sum(E[i, ] * E[j, ]) / sqrt(sum(E[i, ]^2) * sum(E[j, ]^2))
      add(block("similar", list(first = who[as.integer(whole[i])], second = who[as.integer(whole[j])]), cosine = C[i, j])) }
    cut <- cutree(hclust(as.dist(1 - C), "average"), h = .05)
    for (i in 1:m) add(block("circles", list(expert = who[as.integer(whole[i])]), circle = unname(cut[i]))) }
  score <- NULL
  if (length(alts)) { V <- sapply(low, function(x) local[[paste(x$node$id, TRUE)]])
    raw <- function(w) switch(o$synthesis, distributive = as.vector(V %*% w), ideal = as.vector(sweep(V, 2, apply(V, 2, max), "/") %*% w), weighted_product = apply(V, 1, function(r) prod(r^w)))
    score <- one(raw(lw)); for (i in seq_along(alts)) add(block("scores", list(alternative = alts[i]), score = score[i], rank = ranks(score)[i]))
    for (x in kids(o$hierarchy)) { ids <- sapply(walk(x), function(y) y$node$id); inside <- sapply(low, function(y) y$node$id %in% ids); now <- g[[x$id]]
      at <- function(t) raw(ifelse(inside, lw / now * t, lw / (1 - now) * (1 - t))); best <- which.max(score); turn <- NULL; lead <- NULL
      for (i in seq_along(alts)) if (i != best) { f <- function(t) log(at(t)[best] / at(t)[i]); if (f(0) * f(1) < 0) { r <- uniroot(f, c(0, 1), tol = 1e-15)$root
        if (is.null(turn) || abs(r - now) < abs(turn - now)) { turn <- r; lead <- alts[i] } } }
      add(block("turning", list(criterion = x$name), current = now, turn = turn, leader = lead)) } }
  for (k in seq_along(low)) add(block("ranges", list(node = low[[k]]$node$name), overall = lw[k]))
  list(out = out, lw = lw, score = score, W = W, over = over, all = all, worst = worst, low = sapply(low, function(x) x$node$name))
}
sheets_of <- function(f) c(lapply(f$matrices$sheets, function(s) list(id = s$key[[1]], alt = FALSE, expert = as.integer(sub("e", "", s$key[[2]])), m = read(s))),
  lapply(f$ratings$sheets, function(s) list(id = s$key[[1]], alt = TRUE, expert = as.integer(sub("e", "", s$key[[2]])), m = read(s))))
typed <- function(name, ..., says = list()) {
  set <- list(...); f <- modifyList(example_form, set)
  e <- expected(c(f, list(who = sapply(f$experts, `[[`, "name"), power = sapply(f$experts, `[[`, "weight"))), sheets_of(f))
  case(name, f, e$out, c(says, list(fact("个判断矩阵的 CR", over = e$over, all = e$all, cr = as.numeric(e$worst[1]), limit = .1),
    fact("全局权重为", w0 = max(e$lw), n = length(f$experts)), fact("Kendall W", w = e$W), fact("权重最大的是“", high = max(e$lw), least = min(e$lw)),
    "局部权重是在同一个上级里的份额", "最下层合计 100%", "判断随机变动不超过一级", "其余准则按比例调整")))
}
stopifnot(abs(gm(sqrt(outer(c(4, 2, 1), c(4, 2, 1), "/") * outer(c(2, 4, 1), c(2, 4, 1), "/"))) - c(.4249, .4249, .1502)) < 6e-5,
  abs((one(c(4, 2, 1)) + one(c(2, 4, 1))) / 2 - c(.4286, .4286, .1429)) < 6e-5)

d <- example("answers.csv")                                   # one row a person, one column a pair, negative = the second matters more
root <- list(id = "n1", name = "满意度", children = lapply(1:4, function(k) list(id = paste0("m", k), name = c("价格", "质量", "服务", "环境")[k], children = list())))
ratio <- function(x) if (is.na(x)) NA else if (x > 0) x else -1 / x
cols <- lapply(seq_len(nrow(d)), function(e) { m <- diag(4); k <- 1
  for (i in 1:3) for (j in (i + 1):4) { m[i, j] <- ratio(d[e, k + 1]); m[j, i] <- 1 / m[i, j]; k <- k + 1 }
  list(id = "n1", alt = FALSE, expert = e, m = m) })
form2 <- list(source = "columns", hierarchy = root, expert = "专家", judgements = as.list(names(d)[2:7]), sensitivity = FALSE)
col <- function(name, ..., says) { f <- modifyList(form2, list(...)); e <- expected(c(f, list(who = d$专家, power = d$权威系数)), cols)
  case(name, f, Filter(function(b) b$table != "ranges", e$out), c(says, list(fact("全局权重为", w0 = max(e$lw)))), data = "answers.csv", measures = setNames(as.list(rep("定量", 7)), names(d)[2:8])) }

two <- list(source = "typed", hierarchy = list(id = "n1", name = "目标", children = list(list(id = "n2", name = "甲", children = list()), list(id = "n3", name = "乙", children = list()))),
  experts = list(list(id = "e1", name = "专家1", weight = 1)), matrices = list(sheets = list(list(key = list("n1", "e1"), values = list(list(1, 1), list(NULL, 1))))),
  alternatives = list(list(id = "a1", name = "A"), list(id = "a2", name = "B")), ratings = list(sheets = list(list(key = list("n2", "e1"), values = list(list(1, 3), list(NULL, 1))),
  list(key = list("n3", "e1"), values = list(list(1, 1/3), list(NULL, 1))))), sensitivity = FALSE)
e2 <- expected(c(two, list(who = "专家1", power = 1)), sheets_of(two))

oracle(c("R 4.2.2: eigen, uniroot, lm, hclust, own loops", "Goepel (2013), Ágoston and Csató (2022)"), list(
  typed("示例"),
  typed("AIP 算术平均，手工权重，Harker，理想式，修改建议", method = "eigenvector", aggregation = "aip_arithmetic", expert_weights = "manual",
    missing = "harker", synthesis = "ideal", inconsistent = "repair_suggestion"),
  typed("AIP 几何平均，按一致性，对数最小二乘，加权乘积，剔除超限", method = "arithmetic_mean", aggregation = "aip_geometric", expert_weights = "consistency",
    missing = "log_least_squares", synthesis = "weighted_product", inconsistent = "exclude"),
  typed("剔除有缺失的矩阵", missing = "exclude_matrix"),
  col("问卷的判断列，有缺失", says = list("Kendall W", "没有选“列出修改建议”")),
  col("问卷的判断列，权威系数", expert_weights = "authority", authority = "权威系数", says = list("个判断矩阵的 CR")),
  case("两项，并列", two, e2$out[sapply(e2$out, function(b) !(b$table %in% c("ranges", "turning")))], list("权重相同", "并列第一", "不需要检验", "没有补全的判断", "判断了全部指标的专家不到两位", "只有一位专家", fact("全局权重为", w0 = .5)))),
  unverified = list(list(what = "ranges.low", reason = "quantiles of random draws"), list(what = "ranges.high", reason = "quantiles of random draws")))
