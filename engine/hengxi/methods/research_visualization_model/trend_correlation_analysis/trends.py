"""Trends of one series with gaps: Mann-Kendall with its correction for autocorrelation, Sen's slope, a straight line.

Mann (1945); Sen (1968); Hamed and Rao (1998).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from hengxi.stats.moments import Floats
from hengxi.stats.serial import autocorrelation


@dataclass(frozen=True)
class Kendall:
    """S, τb, its variance with ties, z with continuity correction and p (two-sided)."""

    s: float
    tau: float
    variance: float

    @property
    def z(self) -> float:
        return _continuous(self.s, self.variance)

    @property
    def p(self) -> float:
        return float(2 * stats.norm.sf(abs(self.z)))


@dataclass(frozen=True)
class Trend:
    """`slope`: Sen's, per period, with its bounds; `line_slope`, `line_p`, `r2`: of least squares."""

    kendall: Kendall
    corrected_z: float
    slope: float
    low: float
    high: float
    line_slope: float
    line_p: float
    r2: float

    @property
    def corrected_p(self) -> float:
        return float(2 * stats.norm.sf(abs(self.corrected_z)))


def _continuous(s: float, variance: float) -> float:
    return 0.0 if s == 0 else float((s - np.sign(s)) / np.sqrt(variance))


def mann_kendall(y: Floats) -> Kendall:
    """Values in the order of time, not all equal."""
    n = y.size
    s = float(sum(np.sign(y[i + 1 :] - y[i]).sum() for i in range(n - 1)))
    _, ties = np.unique(y, return_counts=True)
    variance = (n * (n - 1) * (2 * n + 5) - float((ties * (ties - 1) * (2 * ties + 5)).sum())) / 18
    pairs = n * (n - 1) / 2
    tau = s / np.sqrt((pairs - float((ties * (ties - 1)).sum()) / 2) * pairs)
    return Kendall(s, float(tau), variance)


def trend(t: npt.NDArray[np.int64], y: Floats, level: float) -> Trend | None:
    """`t`: places in time. None where all values are equal."""
    if y.min() == y.max():
        return None
    kendall = mann_kendall(y)
    slopes = np.sort(np.concatenate([(y[i + 1 :] - y[i]) / (t[i + 1 :] - t[i]) for i in range(y.size - 1)]))
    slope = float(np.median(slopes))
    # Ranks of the ordered slopes, rounded to whole ones (Sen 1968; Gilbert 1987).
    reach = float(stats.norm.isf((1 - level) / 2)) * np.sqrt(kendall.variance)
    first = max(round((slopes.size - reach) / 2), 1)
    last = min(round((slopes.size + reach) / 2) + 1, slopes.size)
    found = stats.linregress(t, y)
    return Trend(
        kendall, _continuous(kendall.s, kendall.variance * _inflation(t, y, slope)), slope, float(slopes[first - 1]),
        float(slopes[last - 1]), float(found.slope), float(found.pvalue), float(found.rvalue**2),
    )  # fmt: skip


def _inflation(t: npt.NDArray[np.int64], y: Floats, slope: float) -> float:
    """What autocorrelation of the ranks, the trend taken out, adds to the variance; lags within the 95 % bounds do not
    count."""
    n = y.size
    ranks = stats.rankdata(y - slope * t)
    if ranks.min() == ranks.max():
        return 1.0
    r = autocorrelation(ranks, n - 1)[1:]
    bound = stats.norm.isf(0.025) / np.sqrt(n)
    lags = np.arange(1, n)
    used = np.where(np.abs(r) > bound, r, 0.0)
    total = float(((n - lags) * (n - lags - 1) * (n - lags - 2) * used).sum())
    return max(1 + 2 / (n * (n - 1) * (n - 2)) * total, 1e-6)
