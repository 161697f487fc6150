"""Standardised differences of two means, with intervals that follow the alternative of the test."""

from dataclasses import dataclass

import numpy as np
from scipy import optimize, special, stats

from hengxi.stats.moments import Moments
from hengxi.stats.two_groups import Alternative, pooled_sd, student


@dataclass(frozen=True, slots=True)
class Effect:
    value: float
    low: float
    high: float


def noncentral_t_cdf(t: float, df: float, delta: float) -> float:
    """P(T ≤ t | δ). Boost first, CDFLIB where Boost has no answer, a normal approximation where neither has."""
    with np.errstate(all="ignore"):
        for found in (float(stats.nct.cdf(t, df, delta)), float(special.nctdtr(df, delta, t))):
            if 0 <= found <= 1:
                return found
        return float(special.ndtr((t * (1 - 1 / (4 * df)) - delta) / np.sqrt(1 + t * t / (2 * df))))


def noncentrality(t: float, df: float, probability: float) -> float:
    """The δ for which P(T ≤ t) = probability. Normal approximation where the series of the library gives out."""

    def gap(delta: float) -> float:
        return noncentral_t_cdf(t, df, delta) - probability

    spread = float(np.sqrt(1 + t * t / (2 * df)))
    guess = t - float(stats.norm.ppf(probability)) * spread
    if abs(t) > 1e3:
        return guess
    with np.errstate(all="ignore"):
        # With many degrees of freedom the guess is nearly right: then few values of the distribution are needed.
        for reach in (spread * min(1.0, 100 / df), 3 * spread + 1):
            low, high = guess - reach, guess + reach
            ends = gap(low), gap(high)
            if np.all(np.isfinite(ends)) and ends[0] * ends[1] <= 0:
                return float(optimize.brentq(gap, low, high, xtol=1e-13, rtol=1e-14, maxiter=500))
        return guess


def cohen_d(a: Moments, b: Moments, alternative: Alternative = "two_sided", level: float = 0.95) -> Effect:
    """Pooled sd; interval by inverting the noncentral t of Student's test (df = n - 2)."""
    sd = pooled_sd(a, b)
    t = student(a, b).t
    root, df = float(np.sqrt(1 / a.n + 1 / b.n)), a.n + b.n - 2
    alpha = (1 - level) / 2 if alternative == "two_sided" else 1 - level
    low = -np.inf if alternative == "less" else noncentrality(t, df, 1 - alpha) * root
    high = np.inf if alternative == "greater" else noncentrality(t, df, alpha) * root
    return Effect((a.centre - b.centre) / sd, low, high)


def one_sample_d(a: Moments, t: float, alternative: Alternative = "two_sided", level: float = 0.95) -> Effect:
    """Distance from the value in sds of the sample (of the differences, where they are paired); `t` of its test."""
    root, df = 1 / float(np.sqrt(a.n)), a.n - 1
    alpha = (1 - level) / 2 if alternative == "two_sided" else 1 - level
    low = -np.inf if alternative == "less" else noncentrality(t, df, 1 - alpha) * root
    high = np.inf if alternative == "greater" else noncentrality(t, df, alpha) * root
    return Effect(t * root, low, high)


def hedges_factor(df: float) -> float:
    """Exact correction Γ(m/2) / (√(m/2) Γ((m-1)/2)) of Hedges (1981)."""
    return float(np.exp(special.gammaln(df / 2) - special.gammaln((df - 1) / 2)) / np.sqrt(df / 2))


def hedges_g(d: Effect, df: float) -> Effect:
    j = hedges_factor(df)
    return Effect(d.value * j, d.low * j, d.high * j)


def glass_delta(a: Moments, b: Moments, alternative: Alternative, level: float) -> Effect | None:
    """Denominator: sd of the second group. Interval by the noncentral t with its n - 1 degrees of freedom, variances
    unequal (as effectsize::glass_delta); None when that sd is 0."""
    if b.sd == 0:
        return None
    value = (a.centre - b.centre) / b.sd
    root = float(np.sqrt(1 / b.n + (a.sd / b.sd) ** 2 / a.n))
    alpha = (1 - level) / 2 if alternative == "two_sided" else 1 - level
    low = -np.inf if alternative == "less" else noncentrality(value / root, b.n - 1, 1 - alpha) * root
    high = np.inf if alternative == "greater" else noncentrality(value / root, b.n - 1, alpha) * root
    return Effect(value, low, high)


def superiority(a: Moments, b: Moments, alternative: Alternative, level: float) -> Effect:
    """Φ(θ), θ = (m1 - m2)/√(s1² + s2²) (McGraw & Wong 1992): chance that a case of the first exceeds one of the
    second, both normal. Interval by the delta method for θ, then Φ."""
    spread = float(np.hypot(a.sd, b.sd))
    theta = (a.centre - b.centre) / spread
    share_a, share_b = (a.sd / spread) ** 2, (b.sd / spread) ** 2
    variance = share_a / a.n + share_b / b.n
    variance += theta**2 / 4 * (2 * share_a**2 / (a.n - 1) + 2 * share_b**2 / (b.n - 1))
    inner = _normal(theta, float(np.sqrt(variance)), alternative, level)
    return Effect(*(float(special.ndtr(v)) for v in (inner.value, inner.low, inner.high)))


def _normal(value: float, se: float, alternative: Alternative, level: float) -> Effect:
    alpha = (1 - level) / 2 if alternative == "two_sided" else 1 - level
    half = float(stats.norm.isf(alpha)) * se
    low = -np.inf if alternative == "less" else value - half
    return Effect(value, low, np.inf if alternative == "greater" else value + half)


def noncentral_f_interval(f: float, df1: float, df2: float, level: float) -> tuple[float, float]:
    """Interval of λ of a noncentral F, both tails; (0, …) where the observed F is too small for a positive bound."""
    alpha = (1 - level) / 2
    return _lambda(f, df1, df2, 1 - alpha), _lambda(f, df1, df2, alpha)


def _lambda(f: float, df1: float, df2: float, probability: float) -> float:
    if float(stats.f.cdf(f, df1, df2)) <= probability:
        return 0.0

    def gap(value: float) -> float:
        return float(special.ncfdtr(df1, df2, value, f)) - probability if value > 0 else 1 - probability

    spread = float(np.sqrt(2 * (df1 + 2 * f * df1) + 2 * (f * df1) ** 2 / df2))
    high = f * df1 + df1 + 10 * spread
    with np.errstate(all="ignore"):
        end = gap(high)
        if not np.isfinite(end) or end > 0:
            return max(0.0, f * df1 - df1 - float(stats.norm.ppf(probability)) * spread)
        start = 1e-12
        return float(optimize.brentq(gap, start, high, xtol=1e-12, rtol=1e-13, maxiter=500))


def detectable_one(n: int, alternative: Alternative, level: float, power: float = 0.8) -> float:
    """The smallest |d| of one mean, or of paired differences, that the t test finds with this power (α = 1 − level)."""
    return _detectable(n - 1, 1 / float(np.sqrt(n)), alternative, level, power)


def detectable(n1: int, n2: int, alternative: Alternative, level: float, power: float = 0.8) -> float:
    """The smallest |d| that Student's test finds with this power at α = 1 - level."""
    return _detectable(n1 + n2 - 2, float(np.sqrt(1 / n1 + 1 / n2)), alternative, level, power)


def _detectable(df: int, root: float, alternative: Alternative, level: float, power: float) -> float:
    alpha = 1 - level
    limit = float(stats.t.isf(alpha / 2 if alternative == "two_sided" else alpha, df))

    def gap(d: float) -> float:
        delta = d / root
        found = float(stats.nct.sf(limit, df, delta))
        # The far tail of a two-sided test; the library gives NaN where it is below 1e-20.
        far = float(stats.nct.cdf(-limit, df, delta)) if alternative == "two_sided" and delta < 5 else 0.0
        return found + (far if far == far else 0.0) - power

    guess = (limit + float(stats.norm.ppf(power))) * root
    with np.errstate(all="ignore"):
        if df > 1e5 or not np.isfinite(gap(guess)) or gap(2 * guess) < 0:
            return guess
        return float(optimize.brentq(gap, 1e-9, 2 * guess, xtol=1e-12))
