"""Intervals for linear combinations of independent mean squares: modified large samples.

Graybill & Wang (1980) where all coefficients are positive; Ting, Burdick, Graybill, Jeyaratnam & Lu (1990) else.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from scipy import stats

Term = tuple[float, float, float]
"""Coefficient, mean square, degrees of freedom."""


def interval(terms: Sequence[Term], level: float) -> tuple[float, float]:
    """Bounds of Σ c E(MS), each with error (1 − level)/2; not cut at 0."""
    tail = (1 - level) / 2
    plus = [(c * ms, df) for c, ms, df in terms if c > 0 and df > 0]
    minus = [(-c * ms, df) for c, ms, df in terms if c < 0 and df > 0]
    value = sum(size for size, _ in plus) - sum(size for size, _ in minus)
    low = _squared(plus, minus, tail, lower=True)
    high = _squared(minus, plus, tail, lower=False)
    return value - float(np.sqrt(max(low, 0.0))), value + float(np.sqrt(max(high, 0.0)))


def _g(df: float, tail: float) -> float:
    return 1 - df / float(stats.chi2.isf(tail, df))


def _h(df: float, tail: float) -> float:
    return df / float(stats.chi2.ppf(tail, df)) - 1


def _squared(
    toward: list[tuple[float, float]], against: list[tuple[float, float]], tail: float, *, lower: bool
) -> float:
    """Squared distance to the bound. For the lower one `toward` are the positive parts, which may be too large; for the
    upper one the negative parts."""
    total = sum((_g(df, tail) * size) ** 2 for size, df in toward)
    total += sum((_h(df, tail) * size) ** 2 for size, df in against)
    for size, df in toward:
        for other, df_other in against:
            g, h = _g(df, tail), _h(df_other, tail)
            # F of positive over negative: its upper point for the lower bound, its lower point for the upper bound.
            f = float(stats.f.isf(tail, df, df_other)) if lower else float(stats.f.ppf(tail, df_other, df))
            cross = ((f - 1) ** 2 - g**2 * f**2 - h**2) / f if lower else ((1 - f) ** 2 - h**2 * f**2 - g**2) / f
            total += cross * size * other
    if against and len(toward) > 1:
        for (size, df), (other, df_other) in combinations(toward, 2):
            both = _g(df + df_other, tail) ** 2 * (df + df_other) ** 2 / (df * df_other)
            star = both - _g(df, tail) ** 2 * df / df_other - _g(df_other, tail) ** 2 * df_other / df
            total += star / (len(toward) - 1) * size * other
    return total
