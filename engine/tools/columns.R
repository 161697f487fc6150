# What oracle scripts of steps share that compute cells of variables: the comparison of before and after.
source("../../../../tools/steps.R")
ok <- function(v) v[!is.na(v)]
# A mean that is only what rounding left over is zero.
centre <- function(v) if (abs(mean(v)) <= 1e-12 * max(abs(v))) 0 else mean(v)
compared <- function(name, old, new) { o <- ok(old); w <- ok(new); block("compared", list(variable = name), n = length(o), mean = centre(o), sd = sd(o),
  least = min(o), most = max(o), n_after = length(w), mean_after = centre(w), sd_after = sd(w), least_after = min(w), most_after = max(w)) }
