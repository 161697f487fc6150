"""Means other than the arithmetic one, the mode, and the median absolute deviation; frequencies count as copies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from hengxi.stats.moments import Floats, Ordered, median, moments, total


@dataclass(frozen=True, slots=True)
class Mode:
    """The smallest of the most frequent values; `shared` says how many values are that frequent."""

    value: float
    count: int
    shared: int


def mode(x: Floats, counts: Floats | None = None) -> Mode:
    if counts is None:
        values, found = np.unique(x, return_counts=True)
        n = found.astype(float)
    else:
        values, place = np.unique(x, return_inverse=True)
        n = np.bincount(place, weights=counts, minlength=values.size)
    top = float(n.max())
    return Mode(float(values[int(n.argmax())]), round(top), int((n == top).sum()))


def trimmed_mean(x: Floats, counts: Floats | None = None, per: int = 20) -> float:
    """Both ends lose ⌊n/per⌋ whole cases (R's mean(trim = 1/per)); 20 trims 5 % at each end."""
    n = int(x.size if counts is None else round(float(counts.sum())))
    cut = n // per
    if cut == 0:
        return moments(x, counts).mean
    if counts is None:
        return moments(np.partition(x, [cut, n - cut - 1])[cut : n - cut]).mean
    order = np.argsort(x, kind="stable")
    ends = np.cumsum(counts[order])
    kept = np.minimum(ends, n - cut) - np.maximum(ends - counts[order], cut)
    inside = kept > 0
    return moments(x[order][inside], kept[inside]).mean


def geometric_mean(x: Floats, counts: Floats | None = None) -> float | None:
    """None unless all values are positive. Logarithms are taken of ratios to a middle value, which keeps digits."""
    if not float(x.min()) > 0:
        return None
    with np.errstate(over="ignore", under="ignore"):
        middle = float(np.exp(np.log(x.min()) / 2 + np.log(x.max()) / 2))
        n = float(x.size if counts is None else counts.sum())
        return middle * float(np.exp(total(np.log(x / middle), counts) / n))


def harmonic_mean(x: Floats, counts: Floats | None = None) -> float | None:
    """None unless all values are positive."""
    least = float(x.min())
    if not least > 0:
        return None
    n = float(x.size if counts is None else counts.sum())
    with np.errstate(under="ignore"):
        return least * (n / total(least / x, counts))


def median_absolute_deviation(x: Floats, counts: Floats | None = None) -> float:
    """Median distance from the median, not multiplied by 1.4826."""
    with np.errstate(over="ignore"):
        return median(np.abs(x - median(x, counts)), counts)


def median_interval(x: Ordered, level: float, alternative: str = "two_sided") -> tuple[float | None, float | None]:
    """Order statistics that hold the median with at least this confidence, by the sign test (Conover 1999, 3.2).

    Two-sided x(k), x(n − k + 1) with k the largest for which P(B < k) ≤ α/2, B ~ Bin(n, ½); a one-sided alternative
    gives one bound. None where the sample is too small for any (5 cases at 95 %).
    """
    n = x.n
    alpha = (1 - level) / (2 if alternative == "two_sided" else 1)
    k = int(stats.binom.ppf(alpha, n, 0.5))
    k += int(stats.binom.cdf(k - 1, n, 0.5) <= alpha and stats.binom.cdf(k, n, 0.5) <= alpha)
    while k > 0 and stats.binom.cdf(k - 1, n, 0.5) > alpha:
        k -= 1
    if k == 0:
        return None, None
    ends = x.at(sorted({k - 1, n - k}))
    low = -np.inf if alternative == "less" else ends[k - 1]
    high = np.inf if alternative == "greater" else ends[n - k]
    return float(low), float(high)
