"""Tests of equal variances beside Levene's and Bartlett's, and of means without equal variances: k groups by their
moments."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from scipy import integrate, special, stats

from hengxi.stats.moments import Moments
from hengxi.stats.one_way import ChiSquare


def fmax(groups: Sequence[Moments]) -> tuple[float, float]:
    """Hartley's (1950) largest variance over the smallest, and its p: the distribution of that ratio for normal
    groups of any sizes, by quadrature over the smallest variance. All sds must be above 0."""
    df = np.array([float(m.n - 1) for m in groups])
    sds = np.array([m.sd for m in groups])
    ratio = float((sds.max() / sds.min()) ** 2)

    def below(u: float) -> float:
        # u: logarithm of the smallest variance.
        x = float(np.exp(u))
        low = special.gammainc(df / 2, df * x / 2)
        share = special.gammainc(df / 2, df * x * ratio / 2) - low
        density = np.exp(df / 2 * np.log(df / 2) + df / 2 * u - df * x / 2 - special.gammaln(df / 2))
        total = 0.0
        for i in range(df.size):
            total += float(density[i]) * float(np.prod(np.delete(share, i)))
        return total

    middle = float(np.sqrt(2 / df.min()))
    cuts = [-60 * middle - 2, -12 * middle, -6 * middle, -3 * middle, -middle, 0.0, middle, 3 * middle + 1]
    parts = [integrate.quad(below, a, b, epsabs=1e-14, epsrel=1e-12, limit=200)[0] for a, b in pairwise(cuts)]
    return ratio, float(min(1.0, max(0.0, 1 - sum(parts))))


def cochran(groups: Sequence[Moments]) -> tuple[float, float] | None:
    """Cochran's (1941) share of the largest variance in their sum; p is k times that of one group (an upper bound,
    exact above .5). None where sizes differ."""
    sizes = {m.n for m in groups}
    if len(sizes) > 1:
        return None
    k, df = len(groups), float(sizes.pop() - 1)
    squares = (np.array([m.sd for m in groups]) / max(m.sd for m in groups)) ** 2
    share = float(squares.max() / squares.sum())
    if share >= 1:
        return share, 0.0
    value = share * (k - 1) / (1 - share)
    return share, float(min(1.0, k * stats.f.sf(value, df, (k - 1) * df)))


def alexander_govern(groups: Sequence[Moments]) -> ChiSquare:
    """Alexander & Govern (1994): normal scores of each group's t against the weighted mean; all sds above 0."""
    n = np.array([float(m.n) for m in groups])
    up = max(m.sd for m in groups)
    centres = np.array([(m.centre - groups[0].centre) / up for m in groups])
    se = np.array([m.sd / up for m in groups]) / np.sqrt(n)
    weights = (1 / se**2) / float((1 / se**2).sum())
    t = (centres - float(np.dot(weights, centres))) / se
    v = n - 1
    a, c = v - 0.5, np.sqrt((v - 0.5) * np.log1p(t**2 / v))
    b = 48 * a**2
    z = c + (c**3 + 3 * c) / b - (4 * c**7 + 33 * c**5 + 240 * c**3 + 855 * c) / (10 * b**2 + 8 * b * c**4 + 1000 * b)
    value, k = float((z**2).sum()), len(groups)
    return ChiSquare(value, k - 1.0, float(stats.chi2.sf(value, k - 1)))
