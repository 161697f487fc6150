# What the oracles of the programming solvers share: the form of a program, and the ranges of a linear one derived from
# its optimal basis by enumeration of all bases (Hillier & Lieberman, chapter 7), with no code of ours.
suppressMessages({ library(lpSolve); library(Rglpk) })

variable <- function(name, type = "float", min = 0, max = NULL)
  list(id = paste0("r_", name), name = name, var_type = type, bounds = list(min = min, max = max))
program <- function(variables, sense, target, constraints, ...) {
  form <- list(variables = variables, sense = sense, target = target)
  if (!is.null(constraints)) form$constraints <- as.list(constraints)
  c(form, list(...))
}

# max or min cost·x with A x (dir) b and x >= 0. Gives the optimum, duals, reduced costs and ranges.
by_bases <- function(sense, cost, A, dir, b) {
  m <- nrow(A); n <- ncol(A); sign <- if (sense == "max") 1 else -1
  slack <- diag(ifelse(dir == "<=", 1, ifelse(dir == ">=", -1, 0)), m)[, dir != "=", drop = FALSE]
  full <- cbind(A, slack); owner <- c(rep(0, n), which(dir != "=")); cc <- c(cost, rep(0, ncol(slack)))
  best <- NULL
  for (k in combn(ncol(full), m, simplify = FALSE)) {
    B <- full[, k, drop = FALSE]
    if (abs(det(B)) < 1e-10) next
    x <- solve(B, b); if (any(x < -1e-9)) next
    y <- cc[k] %*% solve(B); d <- round(cc - as.vector(y %*% full), 12)
    if (all(sign * d <= 1e-9)) { best <- list(k = k, B = B, xb = x, y = as.vector(y), d = d); break }
  }
  k <- best$k; inv <- solve(best$B); x <- rep(0, ncol(full)); x[k] <- best$xb
  side_down <- side_up <- rep(Inf, m)
  for (i in 1:m) {                       # b_i + t keeps xb + t inv[, i] >= 0
    s <- inv[, i]; t <- -best$xb / s
    side_up[i] <- min(Inf, t[s < -1e-12]); side_down[i] <- min(Inf, -t[s > 1e-12])
  }
  out <- setdiff(seq_along(cc), k); up <- down <- rep(Inf, n)
  for (j in 1:n) if (j %in% k) {         # c_j + t: d_out - t (inv N)[j, ] keeps its sign
    r <- as.vector(inv[match(j, k), , drop = FALSE] %*% full[, out, drop = FALSE])
    lim <- best$d[out] / r; ok <- abs(r) > 1e-12
    up[j] <- min(Inf, lim[ok & lim >= 0 & sign * r < 0]); down[j] <- min(Inf, -lim[ok & lim <= 0 & sign * r > 0])
    up[j] <- min(up[j], lim[ok & lim > 0]); down[j] <- min(down[j], -lim[ok & lim < 0])
  } else if (sense == "max") up[j] <- -best$d[j] else down[j] <- best$d[j]
  list(x = x[1:n], value = sum(cost * x[1:n]), y = best$y, d = best$d[1:n], up = up, down = down,
       side_up = side_up, side_down = side_down)
}
