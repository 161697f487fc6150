# Scores of papers without the severity of judges, by lme4; writes model.oracle.json beside it.
#   Rscript server/src/features/contest/model.oracle.R
suppressMessages({ library(lme4); library(jsonlite) })
here <- dirname(sub("--file=", "", grep("--file=", commandArgs(FALSE), value = TRUE)))
one <- function(papers, judges, each, spread, seed) {
  set.seed(seed)
  rows <- do.call(rbind, lapply(seq_len(papers), function(p)
    data.frame(paper = p, judge = sample(judges, each + (p %% 7 == 0)))))
  quality <- rnorm(papers, 70, 8)
  severity <- rnorm(judges, 0, spread)
  rows$score <- pmin(100, pmax(0, round(quality[rows$paper] + severity[rows$judge] + rnorm(nrow(rows), 0, 5))))
  rows$paper <- factor(rows$paper)
  lf <- lFormula(score ~ 0 + paper + (1 | judge), rows, REML = TRUE)
  dev <- do.call(mkLmerDevfun, lf)
  th <- optimise(dev, c(0, 20), tol = 1e-10)$minimum
  # Looking at values alone stops at about 1e-8: the last steps are made by the root of the slope.
  slope <- function(t) (-dev(t + 2e-4) + 8 * dev(t + 1e-4) - 8 * dev(t - 1e-4) + dev(t - 2e-4)) / 12e-4
  th <- if (dev(0) <= dev(th) + 1e-9) 0 else uniroot(slope, c(th * .99, th * 1.01), tol = 1e-14)$root
  fit <- mkMerMod(environment(dev), list(par = th, fval = dev(th), conv = 0, message = ""), lf$reTrms, fr = lf$fr)
  rows$paper <- as.integer(rows$paper)
  list(rows = rows, theta = th, adjusted = unname(fixef(fit)), se = unname(sqrt(diag(as.matrix(vcov(fit))))),
    judges = as.integer(rownames(ranef(fit)$judge)), effects = ranef(fit)$judge[[1]], error = sigma(fit)^2)
}
cases <- list(one(12, 4, 3, 6, 1), one(24, 8, 3, 6, 2), one(60, 20, 3, 8, 3), one(40, 10, 3, 0, 4), one(200, 30, 3, 4, 5), Find(function(case) case$theta == 0, lapply(7:40, function(seed) one(20, 8, 3, 0, seed))))
write_json(cases, file.path(here, "model.oracle.json"), digits = 14, auto_unbox = TRUE)
