"""Mean vectors: Hotelling's (1931) T² of one sample or two, joint intervals, Box's M of two covariances."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special, stats

from hengxi.stats.moments import Floats


@dataclass(frozen=True)
class Scatter:
    """`mean`: (p,); `covariance`: (p, p), n − 1."""

    n: int
    mean: Floats
    covariance: Floats

    @classmethod
    def of(cls, x: Floats) -> Scatter:
        """`x`: (n, p) without gaps, n at least 2; summed about the first row, so that large values keep digits."""
        with np.errstate(over="ignore", invalid="ignore", under="ignore"):
            moved = x - x[0]
            middle = moved.mean(axis=0)
            away = moved - middle
            return cls(x.shape[0], x[0] + middle, away.T @ away / (x.shape[0] - 1))


@dataclass(frozen=True)
class HotellingTest:
    """`distance`: Mahalanobis' D²; `reach`: T² that a joint interval of a given level allows is `reach` · F."""

    difference: Floats
    se: Floats
    t2: float
    F: float
    df1: int
    df2: int
    p: float
    distance: float
    df: int
    spread: Floats
    """Covariance of `difference`, (p, p)."""

    def factor(self, level: float) -> float:
        """What the standard errors of joint T² intervals are multiplied by."""
        share = self.df1 * self.df / self.df2
        return float(np.sqrt(share * stats.f.ppf(level, self.df1, self.df2)))

    def bonferroni(self, level: float) -> float:
        return -float(special.stdtrit(self.df, (1 - level) / 2 / self.df1))


def one(sample: Scatter, null: Floats) -> HotellingTest:
    """The mean against `null` (p,); n above p."""
    return _test(sample.mean - null, sample.covariance, sample.covariance / sample.n, sample.n - 1)


def within(a: Scatter, b: Scatter) -> Floats:
    """The pooled covariance."""
    return np.asarray(((a.n - 1) * a.covariance + (b.n - 1) * b.covariance) / (a.n + b.n - 2))


def two(a: Scatter, b: Scatter) -> HotellingTest:
    """a − b with one covariance; n1 + n2 − 1 above p."""
    df, pooled = a.n + b.n - 2, within(a, b)
    return _test(a.mean - b.mean, pooled, pooled * (1 / a.n + 1 / b.n), df)


def _test(difference: Floats, covariance: Floats, spread: Floats, df: int) -> HotellingTest:
    p = difference.size
    se = np.sqrt(np.diag(spread))
    # In units of the standard errors, so that variables of different size do not spoil the solution.
    t = difference / se
    t2 = float(t @ np.linalg.solve(spread / np.outer(se, se), t))
    df2 = df - p + 1
    F = t2 * df2 / (p * df)
    distance = t2 * float(spread[0, 0] / covariance[0, 0])
    return HotellingTest(difference, se, t2, F, p, df2, float(stats.f.sf(F, p, df2)), distance, df, spread)


def box_m(a: Scatter, b: Scatter) -> tuple[float, float, int, float] | None:
    """Box's (1949) M, its χ², degrees of freedom and p; None where a group has no more cases than variables."""
    p = a.mean.size
    if min(a.n, b.n) <= p:
        return None
    df = np.array([a.n - 1.0, b.n - 1.0])
    pooled = (df[0] * a.covariance + df[1] * b.covariance) / df.sum()
    scale = np.sqrt(np.outer(np.diag(pooled), np.diag(pooled)))
    logs = [float(np.linalg.slogdet(c / scale)[1]) for c in (pooled, a.covariance, b.covariance)]
    if not np.isfinite(logs).all():
        return None
    m = float(df.sum()) * logs[0] - float(df[0]) * logs[1] - float(df[1]) * logs[2]
    shrink = (float((1 / df).sum()) - 1 / float(df.sum())) * (2 * p**2 + 3 * p - 1) / (6 * (p + 1))
    value, free = m * (1 - shrink), p * (p + 1) // 2
    return m, value, free, float(stats.chi2.sf(value, free))
