"""Two independent groups: t tests, homogeneity of variance, rank test. Differences are first minus second."""

import math
from dataclasses import dataclass

import numpy as np
from scipy import special, stats

from hengxi.stats.moments import BLOCK, Floats, Moments, exponent, moments, total

Alternative = str
"""two_sided, greater (first above second), less."""


@dataclass(frozen=True, slots=True)
class TTest:
    t: float
    df: float
    p: float
    difference: float
    se: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Ratio:
    """A test with an F distribution."""

    F: float
    df1: float
    df2: float
    p: float


@dataclass(frozen=True, slots=True)
class RankTest:
    u: float
    z: float | None
    p: float
    exact: bool
    superiority: float
    """Share of pairs in which the first is larger, ties counted half."""


def tail(t: float, df: float, alternative: Alternative) -> float:
    """By the function that `stats.t` itself calls, without what it looks at first: a fiftieth of the time."""
    if alternative == "greater":
        return float(special.stdtr(df, -t))
    if alternative == "less":
        return float(special.stdtr(df, t))
    return float(min(1.0, 2 * special.stdtr(df, -abs(t))))


def bounds(
    estimate: float, se: float, quantile_df: float, alternative: Alternative, level: float
) -> tuple[float, float]:
    """One-sided alternatives give one-sided intervals: p < 1 - level and "0 outside" say the same."""
    if alternative == "two_sided":
        half = float(-special.stdtrit(quantile_df, (1 - level) / 2)) * se
        return estimate - half, estimate + half
    reach = float(-special.stdtrit(quantile_df, 1 - level)) * se
    return (estimate - reach, np.inf) if alternative == "greater" else (-np.inf, estimate + reach)


def pooled_sd(a: Moments, b: Moments) -> float:
    df = a.n + b.n - 2
    return float(np.hypot(a.sd * np.sqrt((a.n - 1) / df), b.sd * np.sqrt((b.n - 1) / df)))


def student(a: Moments, b: Moments, alternative: Alternative = "two_sided", level: float = 0.95) -> TTest:
    df = float(a.n + b.n - 2)
    se = pooled_sd(a, b) * float(np.sqrt(1 / a.n + 1 / b.n))
    return _t_test(a.centre - b.centre, se, df, alternative, level)


def welch(a: Moments, b: Moments, alternative: Alternative = "two_sided", level: float = 0.95) -> TTest:
    """Satterthwaite's degrees of freedom, written with shares of the variance so that no fourth power overflows."""
    se = float(np.hypot(a.se, b.se))
    df = 1 / ((a.se / se) ** 4 / (a.n - 1) + (b.se / se) ** 4 / (b.n - 1))
    return _t_test(a.centre - b.centre, se, df, alternative, level)


def one_sample(a: Moments, value: float, alternative: Alternative = "two_sided", level: float = 0.95) -> TTest:
    """The mean against a fixed value; paired differences against 0."""
    return _t_test(a.anchor - value + a.centre, a.se, float(a.n - 1), alternative, level)


def _t_test(difference: float, se: float, df: float, alternative: Alternative, level: float) -> TTest:
    t = difference / se
    low, high = bounds(difference, se, df, alternative, level)
    return TTest(t, df, tail(t, df, alternative), difference, se, low, high)


Middle = tuple[float, float]
"""What deviations are counted from: an anchor and the distance from it, so that a mean keeps its digits."""


def levene(
    a: Floats, b: Floats, counts_a: Floats | None, counts_b: Floats | None, middles: tuple[Middle, Middle]
) -> Ratio | None:
    """Levene (1960) with the means as middles, Brown & Forsythe (1974) with the medians.

    With two groups the analysis of variance of the absolute deviations is the square of Student's t.
    None where all deviations are the same inside both groups.
    """
    za, zb = deviations(a, counts_a, middles[0]), deviations(b, counts_b, middles[1])
    if pooled_sd(za, zb) <= 1e-13 * max(za.most, zb.most):
        return None
    test = student(za, zb)
    return Ratio(test.t**2, 1.0, test.df, test.p)


def deviations(x: Floats, counts: Floats | None, middle: Middle) -> Moments:
    """Of the absolute distances from the middle, counted from 0."""
    with np.errstate(over="ignore", under="ignore"):
        found = _deviations_at_once(x, counts, middle) if x.size > BLOCK else None
        return found or moments(_distances(x, middle), counts, anchor=0.0, shape=False)


def _distances(x: Floats, middle: Middle) -> Floats:
    distances = x - middle[0]
    if middle[1]:
        distances -= middle[1]
    return np.abs(distances, out=distances)


def _deviations_at_once(x: Floats, counts: Floats | None, middle: Middle) -> Moments | None:
    """In one pass without a copy of all values; None where the sums would lose digits: distances that hardly vary
    beside their size, or of extreme size."""
    sums, least, most = [], np.inf, 0.0
    for start in range(0, x.size, BLOCK):
        d = _distances(x[start : start + BLOCK], middle)
        f = None if counts is None else counts[start : start + BLOCK]
        sums.append((total(d, f), total(d * d, f)))
        least, most = min(least, float(d.min())), max(most, float(d.max()))
    if not np.isfinite(most) or exponent(np.array([most])):
        return None
    n = int(x.size if counts is None else round(float(counts.sum())))
    s1, s2 = (math.fsum(column) for column in zip(*sums, strict=True))
    rest = s2 - s1 * s1 / n
    if rest < 0.1 * s2:
        return None
    return Moments(n, 0.0, s1 / n, float(np.sqrt(rest / (n - 1))), None, None, least, most)


def variance_ratio(a: Moments, b: Moments) -> Ratio | None:
    """F test of two variances, two-sided (Fisher); sensitive to non-normality. None when a variance is 0."""
    if a.sd == 0 or b.sd == 0:
        return None
    with np.errstate(over="ignore", under="ignore"):
        value = float(np.float64(a.sd / b.sd) ** 2)
    below = float(stats.f.cdf(value, a.n - 1, b.n - 1))
    above = float(stats.f.sf(value, a.n - 1, b.n - 1))
    return Ratio(value, float(a.n - 1), float(b.n - 1), min(1.0, 2 * min(below, above)))


EXACT_MOST = 50


def mann_whitney(
    a: Floats, b: Floats, counts_a: Floats | None, counts_b: Floats | None, alternative: Alternative
) -> RankTest:
    """Exact when both groups have fewer than 50 cases and no value is tied; else normal, tie-corrected, no continuity
    correction."""
    values = np.concatenate((a, b))
    levels, code = np.unique(values, return_inverse=True)
    fa = np.bincount(code[: a.size], weights=counts_a, minlength=levels.size).astype(float)
    fb = np.bincount(code[a.size :], weights=counts_b, minlength=levels.size).astype(float)
    na, nb, ties = fa.sum(), fb.sum(), fa + fb
    below = np.cumsum(fb) - fb
    u = float(np.dot(fa, below + fb / 2))
    share = u / (na * nb)
    if levels.size == na + nb and na < EXACT_MOST and nb < EXACT_MOST:
        side = {"two_sided": "two-sided"}.get(alternative, alternative)
        exact = (
            stats.mannwhitneyu(a, b, alternative=side, method="exact")
            if counts_a is None
            else stats.mannwhitneyu(
                a[counts_a > 0],
                b[(counts_b if counts_b is not None else np.ones(b.size)) > 0],
                alternative=side,
                method="exact",
            )
        )
        return RankTest(u, None, float(exact.pvalue), True, share)
    n = na + nb
    spread = float(np.sqrt(na * nb / 12 * ((n + 1) - np.sum(ties**3 - ties) / (n * (n - 1)))))
    if spread == 0:
        return RankTest(u, None, 1.0, False, share)
    z = (u - na * nb / 2) / spread
    p = {"greater": stats.norm.sf(z), "less": stats.norm.cdf(z)}.get(alternative, min(1.0, 2 * stats.norm.sf(abs(z))))
    return RankTest(u, float(z), float(p), False, share)
