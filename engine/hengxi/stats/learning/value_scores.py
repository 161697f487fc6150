"""How far predicted numbers are from the true ones.

R² is 1 − Σ(y − ŷ)²/Σ(y − ȳ)² with ȳ the mean of the very rows scored, so a model worse than that mean has a negative
one; the mean absolute percentage error has none where a true value is 0. What a model gains on the baseline is the mean
of the differences of their squared errors, with the interval of the paired t (Diebold & Mariano 1995, without lags).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from hengxi.stats.moments import Floats

LEVEL = 0.95
LEVELS = (0.9, 0.95)
"""Of conformal intervals."""


@dataclass(frozen=True, slots=True)
class Scores:
    """`mape` is a share; None where it is not defined, as `r2` is of rows whose outcome does not vary."""

    n: int
    mse: float
    rmse: float
    mae: float
    mape: float | None
    r2: float | None
    median: float
    """Median absolute error."""


@dataclass(frozen=True, slots=True)
class Gain:
    """Mean squared error of the baseline less that of the model; None for the interval of fewer than two rows."""

    mean: float
    low: float | None
    high: float | None

    @property
    def is_sure(self) -> bool:
        return self.low is not None and self.low > 0

    @property
    def is_loss(self) -> bool:
        return self.high is not None and self.high < 0


def score(y: Floats, predicted: Floats) -> Scores:
    """All scores of true and predicted values, both of n rows."""
    error = y - predicted
    size = np.abs(error)
    mse = float(np.mean(error**2))
    spread = float(np.mean((y - y.mean()) ** 2))
    has_zero = bool((y == 0).any())
    return Scores(
        n=y.size, mse=mse, rmse=float(np.sqrt(mse)), mae=float(size.mean()),
        mape=None if has_zero else float(np.mean(size / np.abs(y))),
        r2=1 - mse / spread if spread > 0 else None, median=float(np.median(size)),
    )  # fmt: skip


def gain(y: Floats, predicted: Floats, baseline: float) -> Gain:
    """Of a model on always predicting `baseline`."""
    won = (y - baseline) ** 2 - (y - predicted) ** 2
    mean, n = float(won.mean()), won.size
    if n < 2:
        return Gain(mean, None, None)
    half = float(stats.t.ppf((1 + LEVEL) / 2, n - 1)) * float(won.std(ddof=1)) / float(np.sqrt(n))
    return Gain(mean, mean - half, mean + half)


def margin(residual: Floats, level: float) -> float | None:
    """Half the width of the split conformal interval (Lei et al. 2018) from absolute residuals of unseen rows.

    The ⌈(n + 1)·level⌉-th smallest: a new row of the same source lies within it with at least this probability.
    None where n is too small for the level.
    """
    n = residual.size
    place = int(np.ceil((n + 1) * level - 1e-9))
    return None if place > n else float(np.sort(residual)[place - 1])
