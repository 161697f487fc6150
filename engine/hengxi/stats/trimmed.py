"""Trimmed means with winsorised variances, and the tests on them: Yuen (1974), Welch's F of trimmed means, bootstrap-t.

`floor(trim · n)` cases are cut at each end (Wilcox 2017); a value may stand for several cases.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special, stats

from hengxi.stats.moments import Floats
from hengxi.stats.two_groups import Alternative, bounds, tail


@dataclass(frozen=True)
class Trimmed:
    """One group. `h`: cases left; `variance`: of the winsorised values, n − 1; `q`: squared standard error."""

    n: int
    h: int
    mean: float
    variance: float

    @property
    def sd(self) -> float:
        return float(np.sqrt(self.variance))

    @property
    def q(self) -> float:
        return (self.n - 1) * self.variance / (self.h * (self.h - 1))


@dataclass(frozen=True)
class YuenTest:
    t: float
    df: float
    p: float
    difference: float
    se: float
    low: float
    high: float


@dataclass(frozen=True)
class TrimmedF:
    F: float
    df1: int
    df2: float
    p: float


def cut(n: int, trim: float) -> int:
    """Cases cut at each end; 0.29 · 100 is 29, not 28."""
    return int(np.floor(trim * n + 1e-9))


def trimmed(x: Floats, counts: Floats | None, trim: float) -> Trimmed:
    """`x`: (m,) values without gaps; `counts`: (m,) whole frequencies. `variance` is nan for a single case."""
    order = np.argsort(x, kind="stable")
    values = x[order]
    weights = np.ones(values.size) if counts is None else counts[order]
    ends = np.cumsum(weights)
    n = round(float(ends[-1]))
    g = cut(n, trim)
    kept = np.clip(np.minimum(ends, n - g) - np.maximum(ends - weights, g), 0, None)
    h = n - 2 * g
    # Counted from the middle, so that large values with a small spread keep their digits.
    middle = values[np.searchsorted(ends, n / 2)]
    moved = values - middle
    low, high = moved[np.searchsorted(ends, g, side="right")], moved[np.searchsorted(ends, n - g)]
    return Trimmed(n, h, float(middle + kept @ moved / h), _variance(np.clip(moved, low, high), weights, n))


def _variance(x: Floats, weights: Floats, n: float) -> float:
    if n < 2:
        return float("nan")
    total = float(weights.sum())
    away = x - float(weights @ x) / total
    return float(weights @ away**2) / total * n / (n - 1)


def yuen(a: Trimmed, b: Trimmed, alternative: Alternative, level: float) -> YuenTest:
    """a − b; bounds of a one-sided test are infinite on one side. Both variances above 0."""
    difference, se = a.mean - b.mean, float(np.sqrt(a.q + b.q))
    df = (a.q + b.q) ** 2 / (a.q**2 / (a.h - 1) + b.q**2 / (b.h - 1))
    t = difference / se
    low, high = bounds(difference, se, df, alternative, level)
    return YuenTest(t, df, tail(t, df, alternative), difference, se, low, high)


def welch_f(groups: Sequence[Trimmed]) -> TrimmedF:
    """Equal trimmed means of k groups without equal variances (Wilcox 2017, section 7.1.1)."""
    weights = 1 / np.array([group.q for group in groups])
    h = np.array([group.h for group in groups])
    means = np.array([group.mean - groups[0].mean for group in groups])
    k, u = len(groups), float(weights.sum())
    between = float(weights @ (means - float(weights @ means) / u) ** 2) / (k - 1)
    rest = float(np.sum((1 - weights / u) ** 2 / (h - 1)))
    F, df2 = between / (1 + 2 * (k - 2) / (k**2 - 1) * rest), (k**2 - 1) / (3 * rest)
    return TrimmedF(F, k - 1, df2, float(stats.f.sf(F, k - 1, df2)))


def explanatory(samples: Sequence[tuple[Floats, Floats | None]], groups: Sequence[Trimmed], trim: float) -> float:
    """ξ of Wilcox & Tian (2011): root of the variance of the trimmed means over the winsorised variance of all values,
    rescaled so that both agree under normality. Groups of different size count alike, as their definition says; they
    draw subsamples for it, here the groups are weighted. At most 1."""
    means = np.array([group.mean - groups[0].mean for group in groups])
    middle = groups[0].mean
    x = np.concatenate([values - middle for values, _ in samples])
    weights = np.concatenate(
        [
            (np.ones(values.size) if f is None else f) / group.n
            for (values, f), group in zip(samples, groups, strict=True)
        ]
    ) / len(groups)
    order = np.argsort(x, kind="stable")
    x, weights = x[order], weights[order]
    ends = np.cumsum(weights)
    # The first value beyond the trimmed share, from either end; a share that ends exactly there is cut.
    low = x[np.searchsorted(ends, trim * (1 + 1e-9) + 1e-12, side="right")] if trim else x[0]
    high = x[np.searchsorted(ends, (1 - trim) * (1 - 1e-9) - 1e-12)] if trim else x[-1]
    whole = _variance(np.clip(x, low, high), weights, sum(group.n for group in groups))
    z = float(special.ndtri(1 - trim)) if trim else 0.0
    inner = (1 - 2 * trim) - 2 * z * float(np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)) + 2 * z**2 * trim if trim else 1.0
    return float(np.sqrt(min(1.0, float(means.var(ddof=1)) * inner / whole))) if whole > 0 else 1.0


def bootstrap_t(samples: Sequence[Floats], trim: float, draws: int, rng: np.random.Generator) -> Floats:
    """Yuen's t of two groups whose trimmed means are moved to 0, each drawn with replacement: (draws,), nan where a
    drawn group does not vary."""
    parts = []
    for x in samples:
        n = x.size
        g = cut(n, trim)
        h = n - 2 * g
        centred = x - trimmed(x, None, trim).mean
        means, squares = np.empty(draws), np.empty(draws)
        step = max(1, 2_000_000 // n)
        for start in range(0, draws, step):
            drawn = np.sort(centred[rng.integers(0, n, (min(step, draws - start), n))], axis=1)
            at = slice(start, start + drawn.shape[0])
            means[at] = drawn[:, g : n - g].mean(axis=1)
            squares[at] = np.clip(drawn, drawn[:, [g]], drawn[:, [n - g - 1]]).var(axis=1, ddof=1)
        parts.append((means, (n - 1) * squares / (h * (h - 1))))
    (m1, q1), (m2, q2) = parts
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((m1 - m2) / np.sqrt(q1 + q2))
