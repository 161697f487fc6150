"""What every regression shares; an estimator plugs in.

A member builds a `model.Model` (coefficients, errors, tests of terms, new cases) and writes its report with the parts:

- `design`: columns from the form's variables, with refusals; `form`: ready-made fields
- `model.Model`: any estimator with coefficients and errors (linear, robust, quantile, panel)
- `standard.StandardModel`: fitted in standard coordinates, told in the user's units; a covariance of its own choice
- `standard.LikelihoodModel`: on `stats.likelihood_fit`; a further distribution is one `Family` there
- `words.Words`: which coefficients count, how one is read (difference or ratio), sentences for student and paper
- `tables`, `charts`, `checks`, `selection`, `next_steps`: unusual cases, forests and residual plots, collinearity,
  influence and size, stepwise choice, what to ask next

Seen together in `methods/statistical/poisson_regression` (a likelihood) and `linear_regression` (an estimator).
"""
