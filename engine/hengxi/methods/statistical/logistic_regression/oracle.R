# How oracle.json was made: Rscript oracle.R > oracle.json
# R 4.2.2: glm (epsilon 1e-15), drop1, step, cooks.distance, rstandard(type = "pearson"), quantile(type = 7); pROC 1.18.0
# (auc, ci.auc by DeLong); car 3.1-1 (vif); brglm2 0.9, Debian's r-cran-brglm2 (Firth: brglmFit, type AS_mean); MASS::birthwt as in the catalogue.
# MASS's own profile confint interpolates by splines: here the profile is solved by uniroot over glm(offset =).
# Penalised profiles (logistf is not packaged) are written out below after Heinze & Schemper (2002).
# Frequencies are checked by writing each row as often as it counts. The example data are made here, too.
suppressMessages({library(pROC); library(brglm2); library(jsonlite); library(car)})
invisible(Sys.setlocale("LC_ALL", "C.UTF-8"))

example <- function() {          # 客户流失: logit p = -2 + 0.03 fee - 0.5 years + 0.8 complaints; seed 2024, R's generator
  RNGversion("4.2.0"); set.seed(2024); n <- 300
  fee <- round(pmin(pmax(rnorm(n, 70, 20), 18), 150), 1); years <- sample(1:3, n, replace = TRUE)
  complaints <- rpois(n, 0.8); age <- sample(18:70, n, replace = TRUE); sex <- ifelse(runif(n) < 0.5, "男", "女")
  y <- rbinom(n, 1, plogis(-2 + 0.03 * fee - 0.5 * years + 0.8 * complaints))
  data.frame(流失 = ifelse(y == 1, "是", "否"), 月费 = fee, 合约 = years, 投诉次数 = complaints, 年龄 = age, 性别 = sex)
}
if (!file.exists("example.csv")) write.csv(example(), "example.csv", row.names = FALSE, quote = FALSE)
churn <- read.csv("example.csv")
stopifnot(all.equal(churn, example()))
churn$单位 <- rep(c("企业", "个人", "学校"), length.out = 300); churn$次数 <- rep(0:3, length.out = 300)
churn$投诉过 <- ifelse(churn$流失 == "否", "无", ifelse(seq_len(300) %% 3 == 0, "有", "无"))   # 有 occurs only with 是: quasi-complete
churn$编号尾数 <- rep(c(3, 1, 4, 1, 5, 9, 2, 6, 5, 4), length.out = 300)
write.csv(churn, "oracle-churn.csv", row.names = FALSE, quote = FALSE)
birth <- MASS::birthwt; birth <- transform(birth, race = c("白", "黑", "其他")[race])
birth <- birth[c("low", "age", "lwt", "race", "smoke", "ptl", "ht", "ui", "ftv")]
birth <- birth[order(birth$race != "白", birth$race != "黑"), ]          # so that 白 is the first level (first appearance)
write.csv(birth, "oracle-birthwt.csv", row.names = FALSE, quote = FALSE)

block <- function(.table, .where, ...) list(table = .table, where = .where, cells = lapply(list(...), unname))
none <- setNames(list(), character())
fitted_ml <- function(y, X, offset = NULL) suppressWarnings({       # the second call: weights (and errors) at the final coefficients
  again <- function(...) if (is.null(X) || ncol(X) == 0) glm(y ~ 1, binomial, offset = offset, control = glm.control(1e-15, 60), ...)
           else glm(y ~ X, binomial, offset = offset, control = glm.control(1e-15, 60), ...)
  again(start = coef(again()))
})

# Firth's penalty written out (Heinze & Schemper 2002); coefficients in `held` are kept at their value.
penal <- function(y, Z, b, held = NULL) {
  free <- setdiff(seq_len(ncol(Z)), held)
  for (i in 1:3000) {
    p <- plogis(drop(Z %*% b)); w <- p * (1 - p); I <- crossprod(Z, w * Z); h <- w * rowSums((Z %*% solve(I)) * Z)
    if (!length(free)) break
    s <- solve(I[free, free, drop = FALSE], crossprod(Z, y - p + h * (.5 - p))[free]); s <- s / max(1, max(abs(s)) / 3)
    b[free] <- b[free] + s
    if (max(abs(s)) < 1e-14) break
  }
  eta <- drop(Z %*% b); p <- plogis(eta); I <- crossprod(Z, p * (1 - p) * Z)
  list(b = b, V = solve(I), ll = sum(y * plogis(eta, log.p = TRUE) + (1 - y) * plogis(-eta, log.p = TRUE)),
       value = sum(y * plogis(eta, log.p = TRUE) + (1 - y) * plogis(-eta, log.p = TRUE)) + as.numeric(determinant(I)$modulus) / 2)
}

# terms: list(name, columns); ame: list(name, D = derivative columns) or list(name, A, B = designs as if); bt: list(name, column)
check <- function(y, X, terms, ame, bt = NULL, f = NULL, firth = FALSE, level = .95, cutoff = .5, groups = 10, at = NULL, labels = c("否", "是")) {
  if (!is.null(f)) { k <- rep(seq_along(y), f); y <- y[k]; X <- X[k, , drop = FALSE]
    ame <- lapply(ame, function(a) { for (q in c("D", "A", "B")) if (!is.null(a[[q]])) a[[q]] <- a[[q]][k, , drop = FALSE]; a })
    bt <- lapply(bt, function(a) { a$x <- a$x[k]; a }) }
  n <- length(y); Z <- cbind(1, X); k <- ncol(Z); names_ <- c("常数项", colnames(X)); q <- qnorm((1 + level) / 2)
  c0 <- colMeans(X); s0 <- apply(X, 2, sd); Zs <- cbind(1, sweep(sweep(X, 2, c0), 2, s0, "/"))     # for the profiles only
  if (firth) {
    pf <- penal(y, Zs, c(qlogis(mean(y)), rep(0, k - 1)))
    br <- glm(y ~ X, binomial, method = "brglmFit", type = "AS_mean", epsilon = 1e-13, maxit = 10000)
    T <- diag(c(1, 1 / s0)); T[1, -1] <- -c0 / s0; b <- drop(T %*% pf$b); V <- T %*% pf$V %*% t(T); ll <- pf$ll
    stopifnot(isTRUE(all.equal(unname(coef(br)), b, tolerance = 1e-8)), isTRUE(all.equal(unname(sqrt(diag(vcov(br)))), sqrt(diag(V)), tolerance = 1e-7)))
    lr <- function(j) { b0 <- pf$b; b0[j + 1] <- 0; max(0, 2 * (pf$value - penal(y, Zs, b0, j + 1)$value)) }
    drop2 <- function(j, v) { b0 <- pf$b; b0[j + 1] <- v * s0[j]; 2 * (pf$value - penal(y, Zs, b0, j + 1)$value) }
  } else {
    m <- fitted_ml(y, X); b <- unname(coef(m)); V <- unname(vcov(m)); ll <- as.numeric(logLik(m))
    lr <- function(j) deviance(fitted_ml(y, X[, -j, drop = FALSE])) - deviance(m)
    drop2 <- function(j, v) deviance(fitted_ml(y, X[, -j, drop = FALSE], v * X[, j])) - deviance(m)
  }
  se <- sqrt(diag(V)); p <- plogis(drop(Z %*% b)); wald <- (b / se)^2; pw <- pchisq(wald, 1, lower.tail = FALSE)
  low <- b - q * se; high <- b + q * se; plow <- phigh <- plr <- rep(NA, k); vifs <- rep(NA, k)
  Rx <- solve(cor(X)); vifs[-1] <- diag(Rx)
  out <- list()
  for (j in seq_len(k)) {
    cells <- list("coefficients", list(name = names_[j]), b = b[j], se = se[j], wald = wald[j], df = 1, p = pw[j], odds = exp(b[j]), low = exp(low[j]), high = exp(high[j]))
    if (j > 1) {
      g <- function(v) drop2(j - 1, v) - q^2
      plow[j] <- uniroot(g, b[j] + c(-12, -.2) * se[j], tol = 1e-14)$root; phigh[j] <- uniroot(g, b[j] + c(.2, 12) * se[j], tol = 1e-14)$root
      plr[j] <- pchisq(lr(j - 1), 1, lower.tail = FALSE)
      cells <- c(cells, list(profile_low = exp(plow[j]), profile_high = exp(phigh[j]), lr_p = plr[j], vif = vifs[j]))
    }
    out <- c(out, list(do.call(block, cells)))
  }
  chi <- lr(seq_len(k - 1)); e <- sum(y); l0 <- as.numeric(logLik(glm(y ~ 1, binomial))); snell <- 1 - exp(2 * (l0 - ll) / n)
  sm <- list("summary", none, n = n, events = e, minus2 = -2 * ll, minus2_null = -2 * l0, chi2 = chi, df = k - 1, p = pchisq(chi, k - 1, lower.tail = FALSE))
  if (!firth) sm <- c(sm, list(aic = AIC(m), bic = BIC(m), mcfadden = 1 - ll / l0, snell = snell, nagelkerke = snell / (1 - exp(2 * l0 / n))))
  out <- c(out, list(do.call(block, sm)))
  for (tm in terms) { i <- tm$columns + 1; W <- drop(b[i] %*% solve(V[i, i, drop = FALSE], b[i])); L <- lr(tm$columns)
    out <- c(out, list(block("terms_tests", list(name = tm$name), df = length(i), wald = W, wald_p = pchisq(W, length(i), lower.tail = FALSE),
                             lr = L, p = pchisq(L, length(i), lower.tail = FALSE)))) }
  for (a in ame) {
    if (!is.null(a$D)) { w <- p * (1 - p); d <- drop(a$D %*% b); v <- mean(w * d); G <- colMeans(w * a$D) + colMeans(w * (1 - 2 * p) * d * Z) }
    else { pa <- plogis(drop(a$A %*% b)); pb <- plogis(drop(a$B %*% b)); v <- mean(pa - pb); G <- colMeans(pa * (1 - pa) * a$A) - colMeans(pb * (1 - pb) * a$B) }
    s <- sqrt(drop(G %*% V %*% G)); out <- c(out, list(block("effects", list(name = a$name), value = v, se = s, z = v / s, p = 2 * pnorm(-abs(v / s)), low = v - q * s, high = v + q * s))) }
  if (length(bt) && !firth) { XB <- do.call(cbind, lapply(bt, function(a) a$x * log(a$x))); mb <- fitted_ml(y, cbind(X, XB)); cb <- coef(mb); vb <- diag(vcov(mb))
    for (g in seq_along(bt)) { W <- cb[k + g]^2 / vb[k + g]; out <- c(out, list(block("linearity", list(name = bt[[g]]$name), wald = W, df = 1, p = pchisq(W, 1, lower.tail = FALSE)))) } }
  ps <- signif(p, 12); cut_ <- cut(ps, unique(signif(quantile(ps, 0:groups / groups), 12)), include.lowest = TRUE)
  N <- as.vector(table(cut_)); O <- as.vector(tapply(y, cut_, sum)); E <- as.vector(tapply(p, cut_, sum)); full <- N > 0; N <- N[full]; O <- O[full]; E <- E[full]; gg <- length(N)
  hl <- sum((O - E)^2 / E + (O - E)^2 / (N - E))
  if (gg > 2) out <- c(out, list(block("hosmer", none, groups = gg, chi2 = hl, df = gg - 2, p = pchisq(hl, gg - 2, lower.tail = FALSE))))
  for (g in seq_len(gg)) { r <- O[g] / N[g]; mid <- (r + q^2 / (2 * N[g])) / (1 + q^2 / N[g]); half <- q / (1 + q^2 / N[g]) * sqrt(r * (1 - r) / N[g] + q^2 / (4 * N[g]^2))
    lo <- if (O[g] == 0) 0 else mid - half; hi <- if (O[g] == N[g]) 1 else mid + half
    out <- c(out, list(block("fit_groups", list(number = g), number = g, n = N[g], events = O[g], expected = E[g], others = N[g] - O[g], others_expected = N[g] - E[g], mean = E[g] / N[g], rate = r, low = lo, high = hi))) }
  r <- suppressMessages(roc(y, ps, levels = c(0, 1), direction = "<")); ci <- ci.auc(r, conf.level = level, method = "delong")
  out <- c(out, list(block("discrimination", none, auc = as.numeric(auc(r)), se = sqrt(var(r, method = "delong")), low = ci[1], high = ci[3])))
  yes <- ps >= cutoff; tp <- sum(yes & y == 1); fp <- sum(yes & y == 0); tn <- sum(!yes & y == 0); fn <- sum(!yes & y == 1)
  out <- c(out, list(block("classes", list(actual = labels[1]), no = tn, yes = fp, right = tn / (tn + fp)), block("classes", list(actual = labels[2]), no = fn, yes = tp, right = tp / (tp + fn)),
    block("accuracy", none, sensitivity = tp / (tp + fn), specificity = tn / (tn + fp), accuracy = (tp + tn) / n, precision = tp / (tp + fp), f1 = 2 * tp / (2 * tp + fp + fn), brier = mean((y - p)^2)),
    block("outcome", list(code = 1), code = 1, n = e, share = e / n), block("outcome", list(code = 0), code = 0, n = n - e, share = 1 - e / n)))
  cook <- 0
  if (!firth && is.null(f)) { rs <- rstandard(m, type = "pearson"); cd <- cooks.distance(m); h <- hatvalues(m); cook <- max(cd); hit <- which(abs(rs) > 3 | cd > 4 / n)
    for (i in hit) out <- c(out, list(block("outliers", list(row = list(i)), fitted = p[i], standardized = rs[i], leverage = h[i], cook = cd[i])))
    out <- c(out, list(list(table = "outliers", where = none, count = length(hit), cells = none))) }
  if (!is.null(at)) for (g in seq_len(nrow(at))) { x0 <- c(1, at[g, ]); eta <- sum(x0 * b); s <- sqrt(drop(x0 %*% V %*% x0))
    out <- c(out, list(block("predicted", list(number = g), number = g, value = plogis(eta), low = plogis(eta - q * s), high = plogis(eta + q * s)))) }
  list(expect = out, b = setNames(b, names_), low = setNames(exp(if (firth) plow else low), names_), high = setNames(exp(if (firth) phigh else high), names_),
       chi2 = chi, df = k - 1, p = pchisq(chi, k - 1, lower.tail = FALSE), auc = as.numeric(auc(r)), m = length(terms), n = n, k = e, hl = hl, cook = cook, vif = max(sapply(terms, function(t) { j <- t$columns; if (length(j) == 1) return(vifs[j + 1])   # several columns together: GVIF^(1/df), as car::vif
         R <- cor(X); (det(R[j, j]) * det(R[-j, -j, drop = FALSE]) / det(R))^(1 / length(j)) })),
       epv = min(e, n - e) / (k - 1), acc = (tp + tn) / n)
}

term <- function(name, columns) list(name = name, columns = columns)
mat <- function(...) { x <- cbind(...); storage.mode(x) <- "double"; x }
slope <- function(name, X, j) { D <- matrix(0, nrow(X), ncol(X) + 1); D[, j + 1] <- 1; list(name = name, D = D) }
change <- function(name, X, j, group) { A <- B <- cbind(1, X); A[, group + 1] <- 0; B[, group + 1] <- 0; A[, j + 1] <- 1; list(name = name, A = A, B = B) }
fact <- function(contains, ...) list(contains = contains, facts = lapply(list(...), unname), tolerance = 1e-7)
levels_of <- function(v, y, f = NULL, ref = NULL) { if (!is.null(f)) { k <- rep(seq_along(y), f); y <- y[k]; u <- unique(v); v <- v[k] } else u <- unique(v)
  lapply(u, function(l) block("coding", list(level = l), n = sum(v == l), events = sum(y[v == l]), rate = mean(y[v == l]))) }
h <- churn; y <- as.numeric(h$流失 == "是"); male <- as.numeric(h$性别 == "男")

X1 <- mat(月费 = h$月费, 合约 = h$合约, 投诉次数 = h$投诉次数, 年龄 = h$年龄, `性别：男` = male)
T1 <- list(term("月费", 1), term("合约", 2), term("投诉次数", 3), term("年龄", 4), term("性别", 5))
A1 <- c(lapply(1:4, function(j) slope(colnames(X1)[j], X1, j)), list(change("性别：男", X1, 5, 5)))
B1 <- list(list(name = "月费", x = h$月费), list(name = "合约", x = h$合约), list(name = "年龄", x = h$年龄))
one <- check(y, X1, T1, A1, B1, at = rbind(c(80, 1, 2, 30, 0), c(50, 3, 0, 45, 1)))
one$expect <- c(one$expect, levels_of(h$性别, y))

Xb <- with(birth, mat(age = age, lwt = lwt, `race：黑` = race == "黑", `race：其他` = race == "其他", smoke = smoke, ptl = ptl, ht = ht, ui = ui, ftv = ftv))
two <- check(birth$low, Xb, list(term("age", 1), term("lwt", 2), term("race", 3:4), term("smoke", 5), term("ptl", 6), term("ht", 7), term("ui", 8), term("ftv", 9)),
  c(lapply(c(1, 2, 5:9), function(j) slope(colnames(Xb)[j], Xb, j)), lapply(3:4, function(j) change(colnames(Xb)[j], Xb, j, 3:4))),
  list(list(name = "age", x = birth$age), list(name = "lwt", x = birth$lwt)), labels = c("0", "1"))
stopifnot(isTRUE(all.equal(unname(vif(lm(y ~ 月费 + 合约 + 投诉次数 + 年龄 + 性别, h))), unlist(lapply(Filter(function(b) b$table == "coefficients", one$expect), function(b) b$cells$vif)), tolerance = 1e-10)))
stopifnot(isTRUE(all.equal(two$vif, max(with(list(v = vif(lm(low ~ age + lwt + race + smoke + ptl + ht + ui + ftv, birth))), v[, 1]^(1 / v[, 2]))), tolerance = 1e-10)))
stopifnot(abs(two$b["smoke"] - .938846) < 1e-6, abs(two$hl - 3.94342) < 1e-5)      # the catalogue's numbers

Xf <- mat(月费 = h$月费, `性别：女` = 1 - male)
three <- check(1 - y, Xf, list(term("月费", 1), term("性别", 2)), list(slope("月费", Xf, 1), change("性别：女", Xf, 2, 2)), list(list(name = "月费", x = h$月费)),
               f = h$次数, level = .9, cutoff = .3, groups = 5, labels = c("是", "否"))
three$expect <- c(three$expect, levels_of(h$性别, 1 - y, h$次数))

d <- h$月费
Xi <- mat(月费 = d, `性别：男` = male, `月费 × 性别：男` = d * male, `月费²` = d^2)
Di <- cbind(0, 1, 0, male, 2 * d); Ai <- cbind(1, d, 1, d, d^2); Bi <- cbind(1, d, 0, 0, d^2)
four <- check(y, Xi, list(term("月费", 1), term("性别", 2), term("月费 × 性别", 3), term("月费²", 4)), list(list(name = "月费", D = Di), list(name = "性别：男", A = Ai, B = Bi)),
              list(list(name = "月费", x = d)))

Xs <- mat(月费 = d, `投诉过：有` = h$投诉过 == "有")
five <- check(y, Xs, list(term("月费", 1), term("投诉过", 2)), list(slope("月费", Xs, 1), change("投诉过：有", Xs, 2, 2)), firth = TRUE)
X6 <- mat(合约 = h$合约, 投诉次数 = h$投诉次数, `单位：个人` = h$单位 == "个人", `单位：学校` = h$单位 == "学校")
six <- check(y, X6, list(term("合约", 1), term("投诉次数", 2), term("单位", 3:4)), c(lapply(1:2, function(j) slope(colnames(X6)[j], X6, j)), lapply(3:4, function(j) change(colnames(X6)[j], X6, j, 3:4))),
             firth = TRUE, at = rbind(c(1, 2, 0, 1)))

# choosing: drop1/add1 by likelihood ratio, step() by AIC
XS <- data.frame(y = y, 月费 = d, 合约 = h$合约, 投诉次数 = h$投诉次数, 年龄 = h$年龄, 性别 = h$性别, 单位 = h$单位)
line <- function(number, action, term, before, after) { a <- abs(deviance(before) - deviance(after)); df <- abs(df.residual(before) - df.residual(after))
  block("steps", list(number = number), number = number, chi2 = a, df = df, p = pchisq(a, df, lower.tail = FALSE), aic = AIC(after)) |> modifyList(list(where = list(number = number, action = action, term = term))) }
tight <- glm.control(1e-15, 60); g <- function(f) suppressWarnings(glm(f, binomial, XS, control = tight))
scope <- ~ 月费 + 合约 + 投诉次数 + 年龄 + 性别 + 单位
now <- g(y ~ 1); fwd <- list()
repeat { a <- add1(now, scope, test = "LRT"); if (is.null(a)) break; i <- which.min(a$`Pr(>Chi)`); if (!length(i) || a$`Pr(>Chi)`[i] >= .05) break
  nm <- rownames(a)[i]; nxt <- g(update(formula(now), paste(". ~ . +", nm))); fwd <- c(fwd, list(line(length(fwd) + 1, "进入", nm, now, nxt))); now <- nxt
  stopifnot(all(drop1(now, test = "LRT")$`Pr(>Chi)`[-1] <= .1)) }
fwd_terms <- attr(terms(now), "term.labels")
now <- g(update(scope, y ~ .)); bwd <- list()
repeat { a <- drop1(now, test = "LRT"); i <- which.max(a$`Pr(>Chi)`); if (a$`Pr(>Chi)`[i] <= .1) break
  nm <- rownames(a)[i]; nxt <- g(update(formula(now), paste(". ~ . -", nm))); bwd <- c(bwd, list(line(length(bwd) + 1, "剔除", nm, now, nxt))); now <- nxt }
bwd_terms <- attr(terms(now), "term.labels")
now <- g(update(scope, y ~ .)); aic <- list(); st <- step(now, trace = 0)
for (s in st$anova$Step[-1]) { nm <- sub("^- ", "", s); nxt <- g(update(formula(now), paste(". ~ . -", nm))); aic <- c(aic, list(line(length(aic) + 1, "剔除", nm, now, nxt))); now <- nxt }
stopifnot(setequal(fwd_terms, c("月费", "合约", "投诉次数")), setequal(bwd_terms, fwd_terms), setequal(attr(terms(now), "term.labels"), fwd_terms))
X7 <- X1[, 1:3]; T7 <- T1[1:3]; A7 <- lapply(1:3, function(j) slope(colnames(X7)[j], X7, j)); B7 <- B1[1:2]
seven <- check(y, X7, T7, A7, B7)
count <- function(steps) list(list(table = "steps", where = none, count = length(steps), cells = none))
with_steps <- function(steps) { s <- seven; s$expect <- c(s$expect, steps, count(steps)); s }

X8 <- mat(编号尾数 = h$编号尾数); eight <- check(y, X8, list(term("编号尾数", 1)), list(slope("编号尾数", X8, 1)), list(list(name = "编号尾数", x = h$编号尾数)), groups = 10)

measures <- list(流失 = "定类", 月费 = "定量", 合约 = "定量", 投诉次数 = "定量", 年龄 = "定量", 性别 = "定类", 单位 = "定类", 次数 = "定量", 投诉过 = "定类", 编号尾数 = "定量")
lead <- function(x, ...) fact("似然比 χ²({df:integer}) = {chi2:num}", chi2 = x$chi2, df = x$df, p = x$p, auc = x$auc, m = x$m, n = x$n, k = x$k, ...)
common <- c("事件水平为“", "OR = exp(*B*)", "每项在其余各项之后", "按预测概率的分位数", "AUC 是随机取一个事件", "预测概率 ≥", "全部判为多数类", "先按每行自己的取值算",
  "曲线越靠左上角", "点为每组的预测概率均值", "两类的预测概率分得越开", "较少的一类有", "最大 VIF", "先看发生比", "最后看区分", "为因变量作二元 Logistic 回归", "各系数（", "OR 说明变量有关联", "下一步：", "影响最大的是第", "估计值为 OR，区间为", "*df* = 实际组数", "Hosmer-Lemeshow χ²({df:integer})", "把自变量按大小分成")
ml <- list("没有自变量（或它们的组合）", "零模型只含常数项", "列出 |标准化 Pearson 残差|", "各变量的 *x* ln *x*", "Box-Tidwell：")
coded <- list("定类自变量的参照水平")
missed <- list("没有发现明显的关系"); seen <- list("再看 OR：")
or <- function(x, i, name) { o <- list(exp(x$b[name]), x$low[name], x$high[name]); names(o) <- paste0(c("o", "lo", "hi"), i); o }
case <- function(name, form, got, says, data = "oracle-churn.csv", m = measures) list(name = name, form = form, data = data, measures = m, expect = got$expect,
  says = c(lapply(common, identity), list(if (got$p < .05) "模型能排对先后的机会" else "没有发现", if (got$p < .05) "AUC = {auc:num}" else "下一步：看线性性图"), list(lead(got)), says, list(fact("较少的一类有", ratio = got$epv), fact("最大 VIF", vif = got$vif))))
cases <- list(
  case("客户流失，五个自变量", list(y = "流失", x = c("月费", "合约", "投诉次数", "年龄", "性别"), predict_at = list(
      list(月费 = 80, 合约 = 1, 投诉次数 = 2, 年龄 = 30, 性别 = "女"), list(月费 = 50, 合约 = 3, 投诉次数 = 0, 年龄 = 45, 性别 = "男"))), one,
    c(ml, coded, missed, seen, list("区间先在 logit 上", "未检验："), list(do.call(fact, c(list("其他自变量相同时"), or(one, 0, "月费"))), fact("Hosmer-Lemeshow χ²", x = one$hl), fact("影响最大的是第", cook = one$cook))), "example.csv", measures[1:6]),
  case("低出生体重（目录给出的数）", list(y = "low", x = c("age", "lwt", "race", "smoke", "ptl", "ht", "ui", "ftv")), two, c(ml, coded, missed, seen, list("未检验："), list(fact("Hosmer-Lemeshow χ²", x = two$hl), fact("影响最大的是第", cook = two$cook))),
    "oracle-birthwt.csv", list(low = "定类", age = "定量", lwt = "定量", race = "定类", smoke = "定量", ptl = "定量", ht = "定量", ui = "定量", ftv = "定量")),
  case("频数权重，事件为否，90%", list(y = "流失", x = c("月费", "性别"), freq = "次数", event = "否", reference = list(list(`for` = "性别", level = "男")), conf_level = .9, cutoff = .3, hl_groups = 5), three, c(coded, missed, list("没有自变量（或", "Box-Tidwell："), list("加权：频数权重", "事件是“流失”的“否”"))),
  case("交互项与二次项", list(y = "流失", x = c("月费", "性别"), terms = list(preset = "custom", terms = list(list("月费"), list("性别"), list("月费", "性别"), list("月费", "月费")))), four, c(ml, coded, list("模型含交互项或乘方："), list())),
  case("准完全分离，自动 Firth", list(y = "流失", x = c("月费", "投诉过")), five, c(coded, seen, list("Firth 估计时结论读", "Firth 估计不作 Box-Tidwell", "χ² 为惩罚似然比"), list(do.call(fact, c(list("其他自变量相同时"), or(five, 0, "投诉过：有"))), "准完全分离结局"))),
  case("总是 Firth", list(y = "流失", x = c("合约", "投诉次数", "单位"), firth = "always", predict_at = list(list(合约 = 1, 投诉次数 = 2, 单位 = "学校"))), six, c(coded, missed, seen, list("区间先在 logit 上", "没有自变量（或", "Firth 估计时结论读"), list())),
  case("向前选择", list(y = "流失", x = names(XS)[-1], method = "forward_lr"), with_steps(fwd), c(ml, seen, list("自变量经逐步选择", "χ² 为该步前后两个模型"), list("按似然比向前选择"))),
  case("向后剔除", list(y = "流失", x = names(XS)[-1], method = "backward_lr"), with_steps(bwd), c(ml, seen, list("自变量经逐步选择", "χ² 为该步前后两个模型"), list("按似然比向后剔除"))),
  case("逐步 AIC", list(y = "流失", x = names(XS)[-1], method = "step_aic"), with_steps(aic), c(ml, seen, list("自变量经逐步选择", "χ² 为该步前后两个模型"), list("按 AIC 逐步选择"))),
  case("没有关联", list(y = "流失", x = list("编号尾数")), eight, c(ml, missed, list("模型里没有定类自变量", "没有发现“编号尾数”")))
)
writeLines(toJSON(list(sources = c("R 4.2.2: glm, drop1, add1, step, hatvalues, cooks.distance, rstandard, quantile(type = 7)", "pROC 1.18.0: auc, ci.auc, var (DeLong)",
  "brglm2 0.9: brglmFit(AS_mean)", "car 3.1-1: vif", "轮廓似然：uniroot 在 glm(offset =) 上精确求解（MASS 的 confint 在轮廓上插值，可差 2×10⁻⁴）；惩罚的按 Heinze & Schemper (2002) 在 R 中另写，估计值与 brglm2 比对", "MASS 7.3: birthwt"), cases = cases, unverified = list()), auto_unbox = TRUE, digits = NA, pretty = 1, na = "null"))
