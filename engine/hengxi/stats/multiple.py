"""Distributions of the largest of several differences, adjusted p values, and letters for what does not differ.

SciPy's studentised range is slow for many pairs and its Dunnett is drawn at random; R's ptukey has no relative
accuracy in the tail. Here both are plain trapezoid sums of analytic integrands, which converge faster than any power.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from scipy import optimize, special

from hengxi.stats.moments import Floats

WIDEST = 45.0
NODES = 240
"""Ranges and maxima beyond this many standard deviations have probability 0 in a double."""
DUNNETT_STEP = 1e-3
"""No finer step, which only a control a million times smaller than the groups would want."""
_Z = np.arange(-9.0, 40.0, 0.1)
_PHI = np.exp(-0.5 * _Z**2) / np.sqrt(2 * np.pi) * 0.1


def range_tail(w: Floats, k: int) -> Floats:
    """P(range of k standard normals > w), accurate in the tail."""
    below = special.ndtr(_Z)
    ratio = special.ndtr(_Z[None, :] - w[:, None]) / below
    with np.errstate(under="ignore", divide="ignore"):
        inner = -np.expm1((k - 1) * np.log1p(-np.minimum(ratio, 1.0)))
    tail: Floats = np.minimum(1.0, k * (inner @ (_PHI * below ** (k - 1))))
    return tail


def maximum_tail(w: Floats, m: int) -> Floats:
    """P(the largest of m independent |normals| > w)."""
    with np.errstate(under="ignore", divide="ignore"):
        tail: Floats = -np.expm1(m * np.log1p(-np.minimum(1.0, 2 * special.ndtr(-w))))
    return tail


@lru_cache(maxsize=256)
def _smooth(k: int) -> Floats:
    """log of the range's tail as Chebyshev series on [0, WIDEST]: one evaluation costs nothing."""
    angles = np.pi * (np.arange(NODES) + 0.5) / NODES
    values = np.log(range_tail((np.cos(angles) + 1) / 2 * WIDEST, k))
    series: Floats = np.cos(np.outer(np.arange(NODES), angles)) @ values * (2 / NODES)
    series[0] /= 2
    # Past the last coefficient that tells anything stands the rounding of the others.
    return series[: int(np.flatnonzero(np.abs(series) > 1e-14 * np.abs(series).max())[-1]) + 1]


def _range(w: Floats, k: int) -> Floats:
    angles = np.arccos(np.minimum(w, WIDEST) / WIDEST * 2 - 1)
    series = _smooth(k)
    found = np.exp(np.minimum(0.0, np.cos(np.outer(angles, np.arange(series.size))) @ series))
    # Where the tail is nearly 1 its logarithm carries no error worth speaking of.
    return np.where(w > WIDEST, 0.0, found)


def studentised(t: float, df: float, tail: Callable[[Floats], Floats], squared: float) -> float:
    """P(a maximum divided by s > t), s² ~ χ²(df)/df; `squared`: the tail falls like exp(-squared·w²)."""
    if t <= 0:
        return 1.0
    sigma = 1 / np.sqrt(2 * df)
    peak = -0.5 * np.log1p(2 * squared * t * t / df)
    low = peak - max(12 * sigma, 40 / df if df < 10 else 0.0)
    high = min(12 * sigma, 0.5 * np.log1p(60 / df) + 12 * sigma / 2)
    u = np.linspace(low, high, int(min(4000, max(80, (high - low) / (sigma / (6 if df < 20 else 4))))))
    # ln of the density of u = ln s
    log_f = df * (u + 0.5 - 0.5 * np.exp(2 * u)) + _log_constant(df)
    with np.errstate(under="ignore"):
        return float(min(1.0, np.sum(np.exp(log_f) * tail(t * np.exp(u))) * (u[1] - u[0])))


def _log_constant(df: float) -> float:
    """ln of 2 (df/2)^(df/2) e^(-df/2) / Γ(df/2)."""
    half = df / 2
    if half > 1e4:
        # Stirling: the three large terms cancel.
        return float(np.log(2) + 0.5 * np.log(half / (2 * np.pi)) - 1 / (12 * half) + 1 / (360 * half**3))
    return float(np.log(2) + half * np.log(half) - half - special.gammaln(half))


def tukey_sf(q: float, k: int, df: float) -> float:
    """Upper tail of the studentised range."""
    return studentised(q, df, lambda w: _range(w, k), 0.25)


def modulus_sf(t: float, m: int, df: float) -> float:
    """Upper tail of the studentised maximum modulus of m."""
    return studentised(t, df, lambda w: maximum_tail(w, m), 0.5)


def dunnett_sf(t: float, n: Floats, control: float, df: float) -> float:
    """Upper tail of max |t| of several groups against one control: correlations λiλj, λ = √(n/(n + n0))."""
    loading = np.sqrt(n / (n + control))
    rest = np.sqrt(control / (n + control))
    # A control much smaller than the groups turns the integrand within `rest`: the step has to see that.
    step = max(DUNNETT_STEP, min(0.1, float(rest.min()) / 2))

    def tail(w: Floats) -> Floats:
        # The integrand is even in z, and in the tail it stands around z = w.
        z = np.arange(0.0, min(40.0, 9.0 + float(w.max())), step)
        weight = np.exp(-0.5 * z**2) * np.where(z == 0, 1.0, 2.0) * step / np.sqrt(2 * np.pi)
        missed = np.zeros((w.size, z.size))
        for a, b in zip(loading, rest, strict=True):
            upper = special.ndtr((-w[:, None] + a * z[None, :]) / b) + special.ndtr((-w[:, None] - a * z[None, :]) / b)
            with np.errstate(divide="ignore"):
                missed += np.log1p(-np.minimum(upper, 1.0))
        found: Floats = np.minimum(1.0, -np.expm1(missed) @ weight)
        return found

    return studentised(t, df, tail, 0.5)


def critical(tail: Callable[[float], float], alpha: float, near: float = 2.5, step: float = 0.05) -> float:
    """The value whose upper tail is alpha. `near`: a guess, wrong by about a share `step` of it, so that few values of
    the tail are needed."""

    def gap(x: float) -> float:
        # The logarithm of a tail bends little.
        return float(np.log(max(tail(x), 1e-300) / alpha))

    a, b = near, near * (1 + step)
    left, right = gap(a), gap(b)
    for _ in range(12):
        if abs(right) < 1e-12:
            return b
        if left == right:
            break
        a, b, left = b, b - right * (b - a) / (right - left), right
        if not 1e-9 < b < 1e6:
            break
        right = gap(b)
    high = 4.0
    while tail(high) > alpha and high < 1e6:
        high *= 2
    return float(optimize.brentq(lambda x: tail(x) - alpha, 1e-9, high, xtol=1e-13, rtol=1e-14))


# ---- adjusting p values -------------------------------------------------------------------------------------------
HOMMEL_MOST = 20_000
"""Hommel's procedure takes time with the square of their number."""


def adjust(p: Sequence[float] | Floats, how: str) -> list[float]:
    """p values to be compared with α itself, in the order given.

    `how`: none, bonferroni (Dunn 1961), sidak (1967), holm (1979), hochberg (1988), hommel (1988), fdr_bh (Benjamini &
    Hochberg 1995), fdr_by (Benjamini & Yekutieli 2001).
    """
    values = np.asarray(p, dtype=float)
    m = values.size
    if m == 0 or how == "none":
        return [float(v) for v in values]
    if how == "bonferroni":
        return [float(v) for v in np.minimum(1.0, values * m)]
    if how == "sidak":
        with np.errstate(divide="ignore"):
            return [float(v) for v in -np.expm1(m * np.log1p(-values))]
    order = np.argsort(values, kind="stable")
    out = np.empty(m)
    out[order] = np.minimum(1.0, _STEPWISE[how](values[order]))
    return [float(v) for v in out]


def _holm(p: Floats) -> Floats:
    adjusted: Floats = np.maximum.accumulate(p * (p.size - np.arange(p.size)))
    return adjusted


def _hochberg(p: Floats) -> Floats:
    adjusted: Floats = np.minimum.accumulate((p * (p.size - np.arange(p.size)))[::-1])[::-1]
    return adjusted


def _benjamini_hochberg(p: Floats) -> Floats:
    adjusted: Floats = np.minimum.accumulate((p * p.size / (np.arange(p.size) + 1))[::-1])[::-1]
    return adjusted


def _benjamini_yekutieli(p: Floats) -> Floats:
    adjusted: Floats = _benjamini_hochberg(p) * float(np.sum(1 / np.arange(1.0, p.size + 1)))
    return adjusted


def _hommel(p: Floats) -> Floats:
    """The largest Simes p value of the m smallest and the others, over all m (Wright 1992, as R's p.adjust)."""
    n = p.size
    simes = np.full(n, float(np.min(n * p / np.arange(1, n + 1))))
    adjusted = simes.copy()
    for m in range(n - 1, 1, -1):
        tail = float(np.min(m * p[n - m + 1 :] / np.arange(2, m + 1)))
        simes[: n - m + 1] = np.minimum(m * p[: n - m + 1], tail)
        simes[n - m + 1 :] = simes[n - m]
        np.maximum(adjusted, simes, out=adjusted)
    np.maximum(adjusted, p, out=adjusted)
    return adjusted


_STEPWISE: dict[str, Callable[[Floats], Floats]] = {
    "holm": _holm,
    "hochberg": _hochberg,
    "hommel": _hommel,
    "fdr_bh": _benjamini_hochberg,
    "fdr_by": _benjamini_yekutieli,
}


# ---- letters -------------------------------------------------------------------------------------------------------
def letters(k: int, different: Sequence[tuple[int, int]]) -> list[str]:
    """Groups that share a letter were not found to differ (insert and absorb, Piepho 2004); 0 is the first group."""
    columns: list[set[int]] = [set(range(k))]
    for i, j in different:
        split: list[set[int]] = []
        for column in columns:
            split += [column - {i}, column - {j}] if i in column and j in column else [column]
        columns = [c for n, c in enumerate(split) if not any(c < d or (c == d and n > o) for o, d in enumerate(split))]
    columns.sort(key=lambda column: sorted(column))
    return ["".join(_letter(n) for n, column in enumerate(columns) if i in column) for i in range(k)]


def _letter(n: int) -> str:
    return chr(97 + n) if n < 26 else f"{chr(97 + n % 26)}{n // 26}"
