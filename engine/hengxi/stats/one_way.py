"""Several independent groups of one variable: analysis of variance and its forms without equal variances, Levene,
contrasts, Kruskal-Wallis.

Everything is computed on group means counted from one anchor and scaled by a power of two: NIST's SmLs sets
(values around 10^12) lose no more digits than their storage already did, and magnitudes of 1e300 do not overflow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import optimize, special, stats

from hengxi.stats.effect_size import noncentral_f_interval
from hengxi.stats.moments import Floats, Moments, corrected_shape
from hengxi.stats.ties import settled
from hengxi.stats.two_groups import Middle, Ratio, deviations

Sample = tuple[Floats, Floats | None]


@dataclass(frozen=True)
class OneWay:
    """Means (from the anchor) and sds divided by 2^up; `between` and `within` are sums of squares on that scale."""

    up: int
    n: Floats
    centres: Floats
    sds: Floats
    between: float
    within: float

    @classmethod
    def of(cls, groups: Sequence[Moments]) -> OneWay:
        """The moments must share their anchor."""
        n = np.array([float(m.n) for m in groups])
        centres, sds = np.array([m.centre for m in groups]), np.array([m.sd for m in groups])
        top = max(float(np.abs(centres - centres[0]).max()), float(sds.max()))
        up = 0 if top == 0 or 1e-70 < top < 1e70 else int(np.frexp(top)[1])
        centres, sds = np.ldexp(centres - centres[0], -up), np.ldexp(sds, -up)
        with np.errstate(under="ignore"):
            centres = centres - float(np.dot(n, centres)) / float(n.sum())
            return cls(up, n, centres, sds, float(np.dot(n, centres**2)), float(np.dot(n - 1, sds**2)))

    @property
    def k(self) -> int:
        return int(self.n.size)

    @property
    def total(self) -> float:
        return float(self.n.sum())

    @property
    def df1(self) -> float:
        return float(self.k - 1)

    @property
    def df2(self) -> float:
        return self.total - self.k

    @property
    def mse(self) -> float:
        return self.within / self.df2

    def back(self, value: float, power: int = 1) -> float | None:
        """In the data's own unit; None where a square leaves the range of a double."""
        with np.errstate(over="ignore", under="ignore"):
            found = float(np.ldexp(value, power * self.up))
        return found if np.isfinite(found) and (found != 0 or value == 0) else None

    def fisher(self) -> Ratio:
        return _ratio(self.between / self.df1 / self.mse, self.df1, self.df2)

    def welch(self) -> Ratio | None:
        """Welch (1951); None when a group has no variance (its weight would be infinite)."""
        if not np.all(self.sds > 0):
            return None
        w = self.n / self.sds**2
        share = w / w.sum()
        centre = float(np.dot(share, self.centres))
        a = float(np.sum((1 - share) ** 2 / (self.n - 1)))
        k = self.k
        value = float(np.dot(w, (self.centres - centre) ** 2)) / (k - 1) / (1 + 2 * (k - 2) * a / (k**2 - 1))
        return _ratio(value, self.df1, (k**2 - 1) / (3 * a))

    def brown_forsythe(self) -> Ratio:
        """Brown & Forsythe (1974), the test of means; degrees of freedom by Satterthwaite, as SPSS."""
        parts = (1 - self.n / self.total) * self.sds**2
        whole = float(parts.sum())
        df2 = 1 / float(np.sum((parts / whole) ** 2 / (self.n - 1)))
        return _ratio(self.between / whole, self.df1, df2)


def _ratio(value: float, df1: float, df2: float) -> Ratio:
    return Ratio(value, df1, df2, float(stats.f.sf(value, df1, df2)))


def shape_within(groups: Sequence[Moments]) -> tuple[float, float] | None:
    """Skewness and kurtosis (G1, G2) of all distances from their own group's mean; None where a group's are unknown."""
    top = max(m.sd for m in groups)
    s2 = s3 = s4 = 0.0
    for m in groups:
        if m.sd == 0:
            continue
        if m.skewness is None or m.kurtosis is None:
            return None
        n, variance = float(m.n), (m.sd / top) ** 2 * (m.n - 1) / m.n
        g2 = (m.kurtosis * (n - 2) * (n - 3) / (n - 1) - 6) / (n + 1)
        s2 += n * variance
        s3 += m.skewness * (n - 2) / float(np.sqrt(n * (n - 1))) * n * variance**1.5
        s4 += (g2 + 3) * n * variance**2
    skewness, kurtosis = corrected_shape(sum(m.n for m in groups), s2, s3, s4)
    return None if skewness is None or kurtosis is None else (skewness, kurtosis)


@dataclass(frozen=True, slots=True)
class Share:
    """An effect size; the bounds are None where no interval is given."""

    value: float
    low: float
    high: float


def effects(anova: OneWay, level: float) -> dict[str, Share]:
    """η² (bounds λ/(λ + df2), R effectsize), ω² and ε² (bounds λ/(λ + N), Steiger 2004), Cohen's f from η²."""
    whole = anova.between + anova.within
    eta = anova.between / whole
    above = max(0.0, anova.between - anova.df1 * anova.mse)
    low, high = noncentral_f_interval(anova.fisher().F, anova.df1, anova.df2, level)
    n = anova.total
    eta_bounds = low / (low + anova.df2), high / (high + anova.df2)
    bounds = low / (low + n), high / (high + n)
    f = [float(np.sqrt(v / (1 - v))) for v in (eta, *eta_bounds)]
    return {
        "eta": Share(eta, *eta_bounds),
        "omega": Share(above / (whole + anova.mse), *bounds),
        "epsilon": Share(above / whole, *bounds),
        "f": Share(*f),
    }


def levene(samples: Sequence[Sample], middles: Sequence[Middle]) -> Ratio | None:
    """Levene (1960) with the means as middles, Brown & Forsythe (1974) with the medians; None where all deviations are
    the same."""
    made = [deviations(x, counts, middle) for (x, counts), middle in zip(samples, middles, strict=True)]
    if max(m.sd for m in made) <= 1e-13 * max(m.most for m in made):
        return None
    return OneWay.of(made).fisher()


@dataclass(frozen=True, slots=True)
class ChiSquare:
    value: float
    df: float
    p: float


FLIGNER_MOST = 50_000
"""Cases up to which all distances are ranked: beyond, any difference of variances has a tiny p."""


def bartlett(groups: Sequence[Moments]) -> ChiSquare | None:
    """Bartlett's (1937) test of equal variances from sizes and standard deviations (n - 1); None where one is 0."""
    n = np.array([m.n for m in groups], dtype=float) - 1
    top = max(m.sd for m in groups)
    if min(m.sd for m in groups) <= 0 or not np.isfinite(top) or (n < 1).any():
        return None
    logs = 2 * np.log(np.array([m.sd / top for m in groups]))
    whole, k = float(n.sum()), len(groups)
    pooled = float(np.log(np.dot(n, np.exp(logs)) / whole))
    correction = 1 + (float((1 / n).sum()) - 1 / whole) / (3 * (k - 1))
    value = max(0.0, (whole * pooled - float(np.dot(n, logs))) / correction)
    return ChiSquare(value, k - 1.0, float(stats.chi2.sf(value, k - 1)))


def fligner(samples: Sequence[Sample], medians: Sequence[float]) -> ChiSquare | None:
    """Fligner & Killeen (1976) with medians as centres, as R's fligner.test, but distances that differ by rounding
    alone are ties; None where all distances are the same."""
    distances = np.concatenate([np.abs(x - m) for (x, _), m in zip(samples, medians, strict=True)])
    distances = settled(distances, max(float(np.abs(x).max()) for x, _ in samples))
    f = np.concatenate([np.ones(x.size) if counts is None else counts for x, counts in samples])
    group = np.repeat(np.arange(len(samples)), [x.size for x, _ in samples])
    total = float(f.sum())
    _, code = np.unique(distances, return_inverse=True)
    held = np.bincount(code, weights=f)
    ranks = (np.cumsum(held) - (held - 1) / 2)[code]
    scores = stats.norm.ppf((1 + ranks / (total + 1)) / 2)
    mean = float(np.dot(f, scores)) / total
    variance = float(np.dot(f, (scores - mean) ** 2)) / (total - 1)
    if variance <= 0:
        return None
    sizes, sums = np.bincount(group, weights=f), np.bincount(group, weights=f * (scores - mean))
    value, k = float((sums**2 / sizes).sum()) / variance, len(samples)
    return ChiSquare(value, k - 1.0, float(stats.chi2.sf(value, k - 1)))


@dataclass(frozen=True, slots=True)
class Contrast:
    estimate: float
    se: float
    t: float
    df: float
    p: float
    low: float
    high: float


def contrast(anova: OneWay, weights: Floats, level: float, equal: bool) -> Contrast | None:
    """Σ c·mean on the scaled means; Satterthwaite's df without equal variances. None when its standard error is 0."""
    estimate = float(np.dot(weights, anova.centres))
    if equal:
        se, df = float(np.sqrt(anova.mse * np.sum(weights**2 / anova.n))), anova.df2
    else:
        parts = weights**2 * anova.sds**2 / anova.n
        whole = float(parts.sum())
        if whole == 0:
            return None
        se, df = float(np.sqrt(whole)), 1 / float(np.sum((parts / whole) ** 2 / (anova.n - 1)))
    t = estimate / se
    half = float(stats.t.isf((1 - level) / 2, df)) * se
    p = float(min(1.0, 2 * stats.t.sf(abs(t), df)))
    return Contrast(estimate, se, t, df, p, estimate - half, estimate + half)


def polynomial(k: int, most: int = 5) -> list[Floats]:
    """Orthonormal trend coefficients for equally spaced groups, rising in their last step (R's contr.poly)."""
    x = np.arange(k) - (k - 1) / 2
    q, r = np.linalg.qr(np.vander(x, min(k, most + 1), increasing=True))
    return [q[:, j] * np.sign(r[j, j]) for j in range(1, q.shape[1])]


@dataclass(frozen=True, slots=True)
class Ranks:
    H: float
    df: float
    p: float
    epsilon2: float


def kruskal(samples: Sequence[Sample]) -> Ranks | None:
    """Corrected for ties, p by χ²; ε² = H/(N - 1). None when all values are the same."""
    values = np.concatenate([x for x, _ in samples])
    levels, code = np.unique(values, return_inverse=True)
    at, tables = 0, []
    for x, counts in samples:
        tables.append(np.bincount(code[at : at + x.size], weights=counts, minlength=levels.size).astype(float))
        at += x.size
    ties = np.sum(tables, axis=0)
    n = float(ties.sum())
    ranks = np.cumsum(ties) - (ties - 1) / 2
    middle = (n + 1) / 2
    spread = float(np.dot(ties, (ranks - middle) ** 2))
    if spread == 0:
        return None
    between = sum(float(f.sum()) * (float(np.dot(f, ranks)) / float(f.sum()) - middle) ** 2 for f in tables)
    h = (n - 1) * between / spread
    return Ranks(h, float(len(samples) - 1), float(stats.chi2.sf(h, len(samples) - 1)), h / (n - 1))


def detectable(anova: OneWay, level: float, power: float = 0.8) -> float | None:
    """The smallest Cohen's f that the F test finds with this power at α = 1 - level, groups as large as these."""
    limit = float(stats.f.isf(1 - level, anova.df1, anova.df2))

    def gap(f: float) -> float:
        return 1 - float(special.ncfdtr(anova.df1, anova.df2, f * f * anova.total, limit)) - power

    high = 1.0
    with np.errstate(all="ignore"):
        while gap(high) < 0 and high < 1e4:
            high *= 2
        ends = gap(1e-6), gap(high)
        if not np.all(np.isfinite(ends)) or ends[0] * ends[1] > 0:
            return None
        return float(optimize.brentq(gap, 1e-6, high, xtol=1e-13, rtol=1e-13))
