# Parts that the oracle scripts of count regressions share: blocks of a fitted glm or glm.nb, sandwich errors, new cases.
suppressMessages({library(sandwich); library(MASS)})

# Rows of the table of coefficients; `names_` are the report's names of them, V the covariance.
count_coefficients <- function(m, V, names_, level = .95) {
  b <- unname(coef(m)); se <- unname(sqrt(diag(V))); q <- qnorm((1 + level) / 2)
  lapply(seq_along(b), function(i) {
    p <- 2 * pnorm(-abs(b[i] / se[i]))        # so far out a relative error of z counts a thousandfold
    do.call(block, c(list("coefficients", list(name = names_[i]), b = b[i], se = se[i], z = b[i] / se[i], irr = exp(b[i]),
      low = exp(b[i] - q * se[i]), high = exp(b[i] + q * se[i])), if (p > 1e-100) list(p = p)))
  })
}
count_vif <- function(X, names_) {
  v <- if (ncol(X) == 1) 1 else diag(solve(cor(X)))
  lapply(seq_along(v), function(j) block("coefficients", list(name = names_[j + 1]), vif = unname(v[j])))
}
wald_block <- function(term, b, V, at) {
  w <- drop(b[at] %*% solve(V[at, at], b[at]))
  block("terms_tests", list(name = term), wald = w, df = length(at), p = pchisq(w, length(at), lower.tail = FALSE))
}
# Inverse information at the maximum itself: glm's own is that of the step before. `w` are the weights of the rows.
settled <- function(m, w) { M <- model.matrix(m); solve(crossprod(M * w, M)) }
# The most influential rows: standardized Pearson residuals, leverage and Cook's distance.
count_cases <- function(m, at, phi = 1, w = fitted(m)) {
  M <- model.matrix(m); h <- w * rowSums((M %*% settled(m, w)) * M); r <- residuals(m, "pearson") / sqrt(phi * (1 - h)); d <- r^2 * h / (1 - h) / length(coef(m))
  lapply(at(d), function(i) block("outliers", list(row = list(i)), observed = unname(m$y[i]), fitted = unname(fitted(m)[i]),
    standardized = unname(r[i]), leverage = unname(h[i]), cook = unname(d[i])))
}
top_cook <- function(n) function(d) unname(head(order(-d), n))
# A new case: the mean with Wald's interval on the logarithm.
count_new <- function(number, x, b, V, level = .95) {
  eta <- sum(x * b); half <- qnorm((1 + level) / 2) * sqrt(drop(x %*% V %*% x))
  block("predicted", list(number = number), number = number, value = exp(eta), low = exp(eta - half), high = exp(eta + half))
}
count_frequencies <- function(observed, expected) lapply(seq_along(observed), function(k)
  block("frequencies", list(count = as.character(k - 1)), observed = observed[k], expected = expected[k]))
# What every report of a count regression says, whatever the numbers.
count_says <- function(...) c(list("因变量：“", "估计值为 IRR", "每个系数约", "最大 VIF", "影响最大的是第", "先看 IRR", "“不显著”不等于没有关系",
  "最后看离散", "为因变量作", "各系数：", "IRR 说明变量有关联", "下一步：", "期望的零是", "条的上端是期望", "残差是标准化的",
  "列出 |标准化", "整体检验是", "的 Wald 检验；定类"), list(...))
# The main sentence with its largest ratio.
count_lead <- function(text, b, V, i, p, level = .95) {
  h <- qnorm((1 + level) / 2) * sqrt(V[i, i]); fact(text, o0 = unname(exp(b[i])), lo0 = unname(exp(b[i] - h)), hi0 = unname(exp(b[i] + h)), p = p)
}
