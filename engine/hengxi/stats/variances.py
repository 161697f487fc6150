"""One variance against a value, the ratio of two, and their intervals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special, stats

from hengxi.stats.moments import Floats, Moments
from hengxi.stats.trimmed import trimmed
from hengxi.stats.two_groups import Alternative

BONETT_LEAST = 5


@dataclass(frozen=True)
class Test:
    """`low`, `high`: of the variance, or of the ratio; one end where the alternative is one-sided."""

    value: float
    df: tuple[int, ...]
    p: float
    estimate: float
    low: float
    high: float


def _sided(lower: float, upper: float, side: Alternative) -> float:
    return {"greater": upper, "less": lower}.get(side, min(1.0, 2 * min(lower, upper)))


def _error(level: float, side: Alternative) -> float:
    return (1 - level) / (2 if side == "two_sided" else 1)


def _one_end(low: float, high: float, side: Alternative) -> tuple[float, float]:
    return {"greater": (low, float("inf")), "less": (0.0, high)}.get(side, (low, high))


def chi_square(m: Moments, sigma: float, side: Alternative, level: float) -> Test:
    """(n − 1)s²/σ² of normal values; `m.sd` above 0."""
    df, alpha = m.n - 1, _error(level, side)
    value = df * (m.sd / sigma) ** 2
    lower, upper = float(special.chdtr(df, value)), float(special.chdtrc(df, value))
    low, high = df * m.sd**2 / float(stats.chi2.isf(alpha, df)), df * m.sd**2 / float(stats.chi2.ppf(alpha, df))
    return Test(value, (df,), _sided(lower, upper, side), m.sd**2, *_one_end(low, high, side))


def ratio(a: Moments, b: Moments, side: Alternative, level: float) -> Test:
    """Fisher's F of a over b; both sds above 0."""
    df, alpha = (a.n - 1, b.n - 1), _error(level, side)
    value = (a.sd / b.sd) ** 2
    lower, upper = float(stats.f.cdf(value, *df)), float(stats.f.sf(value, *df))
    low, high = value / float(stats.f.isf(alpha, *df)), value / float(stats.f.ppf(alpha, *df))
    return Test(value, df, _sided(lower, upper, side), value, *_one_end(low, high, side))


def bonett(x: Floats, counts: Floats | None, m: Moments, side: Alternative, level: float) -> tuple[float, float] | None:
    """Interval of the variance that allows for long tails (Bonett 2006): the kurtosis is about a trimmed mean. None
    below five cases."""
    n = m.n
    if n < BONETT_LEAST:
        return None
    z = -float(special.ndtri(_error(level, side)))
    middle = trimmed(x, counts, 1 / (2 * float(np.sqrt(n - 4)))).mean
    away = (x - middle) / m.sd
    fourth = float(np.sum(away**4) if counts is None else counts @ away**4)
    kurtosis = n * fourth / (n - 1) ** 2
    scale = n / (n - z)
    half = z * scale * float(np.sqrt((kurtosis - (n - 3) / n) / (n - 1)))
    centre = scale * m.sd**2
    return _one_end(centre * float(np.exp(-half)), centre * float(np.exp(half)), side)
