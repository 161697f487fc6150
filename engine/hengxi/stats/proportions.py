"""Proportions: intervals of one, tests against a value, the difference, ratio and odds of two.

`side` is the alternative: "greater" leaves the upper bound open, "less" the lower one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import optimize, stats

Bounds = tuple[float, float]


def z_of(level: float) -> float:
    """The normal quantile of a two-sided interval."""
    return float(stats.norm.isf((1 - level) / 2))


def wilson(count: float, n: float, level: float) -> Bounds:
    """Score interval of Wilson (1927) without continuity correction; stays inside [0, 1] and exact at 0 and n."""
    z = z_of(level)
    p = count / n
    # Written without n²: tiny weights must not underflow.
    middle = (count + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * float(np.sqrt(count * (1 - p) + z * z / 4))
    low = 0.0 if count <= 0 else max(0.0, middle - half)
    high = 1.0 if count >= n else min(1.0, middle + half)
    return low, high


def wilson_corrected(count: float, n: float, level: float) -> Bounds:
    """Wilson's interval with a continuity correction of ½ (Newcombe 1998, method 4)."""
    z = z_of(level)

    def bound(x: float, sign: int) -> float:
        p = min(1.0, max(0.0, x / n))
        half = z * float(np.sqrt(p * (1 - p) / n + z * z / (4 * n * n)))
        return (p + z * z / (2 * n) + sign * half) / (1 + z * z / n)

    low = 0.0 if count <= 0 else max(0.0, bound(count - 0.5, -1))
    return low, 1.0 if count >= n else min(1.0, bound(count + 0.5, 1))


def clopper_pearson(count: float, n: float, level: float) -> Bounds:
    """Exact interval by inverting the two binomial tails (Clopper & Pearson 1934)."""
    tail = (1 - level) / 2
    low = 0.0 if count <= 0 else float(stats.beta.ppf(tail, count, n - count + 1))
    high = 1.0 if count >= n else float(stats.beta.isf(tail, count + 1, n - count))
    return low, high


def wald(count: float, n: float, level: float) -> Bounds:
    """p ± z √(p(1 − p)/n), cut at 0 and 1."""
    p = count / n
    half = z_of(level) * float(np.sqrt(p * (1 - p) / n))
    return max(0.0, p - half), min(1.0, p + half)


def agresti_coull(count: float, n: float, level: float) -> Bounds:
    """Wald's interval with z²/2 successes and failures added (Agresti & Coull 1998)."""
    z = z_of(level)
    return wald(count + z * z / 2, n + z * z, level)


def jeffreys(count: float, n: float, level: float) -> Bounds:
    """Quantiles of Beta(x + ½, n − x + ½); 0 and 1 themselves where the count is (Brown, Cai & DasGupta 2001)."""
    half = (1 - level) / 2
    low = float(stats.beta.ppf(half, count + 0.5, n - count + 0.5)) if count > 0 else 0.0
    return low, float(stats.beta.isf(half, count + 0.5, n - count + 0.5)) if count < n else 1.0


Interval = Callable[[float, float, float], Bounds]
INTERVALS: dict[str, Interval] = {
    "exact": clopper_pearson, "wilson": wilson, "wilsoncc": wilson_corrected, "wald": wald,
    "agresti_coull": agresti_coull, "jeffreys": jeffreys,
}  # fmt: skip


def interval(how: str, count: float, n: float, level: float, side: str = "two_sided") -> Bounds:
    """By name; one-sided bounds have the whole error on one side."""
    if side == "two_sided":
        return INTERVALS[how](count, n, level)
    low, high = INTERVALS[how](count, n, 2 * level - 1)
    return (low, 1.0) if side == "greater" else (0.0, high)


def tail(z: float, side: str) -> float:
    """p of a standard normal statistic."""
    if side == "two_sided":
        return float(min(1.0, 2 * stats.norm.sf(abs(z))))
    return float(stats.norm.sf(z) if side == "greater" else stats.norm.cdf(z))


def binomial(count: int, n: int, p0: float, side: str) -> float:
    """Exact p; two-sided: all counts no likelier than the one observed."""
    return float(stats.binomtest(count, n, p0, alternative=side.replace("_", "-")).pvalue)


def cohen_h(p: float, q: float) -> float:
    """2 arcsin √p − 2 arcsin √q (Cohen 1988, chapter 6)."""
    return float(2 * np.arcsin(np.sqrt(p)) - 2 * np.arcsin(np.sqrt(q)))


# ---- two proportions -----------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Two:
    """x1 of n1 against x2 of n2."""

    x1: float
    n1: float
    x2: float
    n2: float

    @property
    def p1(self) -> float:
        return self.x1 / self.n1

    @property
    def p2(self) -> float:
        return self.x2 / self.n2

    @property
    def difference(self) -> float:
        return self.p1 - self.p2

    def restricted(self, gap: float) -> float:
        """The variance of p1 − p2 at the likeliest proportions that differ by `gap` (Farrington & Manning 1990)."""
        if gap == 0:
            p = q = (self.x1 + self.x2) / (self.n1 + self.n2)
        else:
            p = _restricted_p(self, gap)
            q = p - gap
        p, q = min(1.0, max(0.0, p)), min(1.0, max(0.0, q))
        return p * (1 - p) / self.n1 + q * (1 - q) / self.n2

    def z(self, gap: float = 0.0) -> float | None:
        """Score statistic of H0: p1 − p2 = gap; None where it has no spread."""
        variance = self.restricted(gap)
        return None if variance <= 0 else (self.difference - gap) / float(np.sqrt(variance))


def _restricted_p(two: Two, gap: float) -> float:
    """The root of the cubic likelihood equation, in closed form."""
    ratio = two.n2 / two.n1
    a = 1 + ratio
    b = -(1 + ratio + two.p1 + ratio * two.p2 + gap * (ratio + 2))
    c = gap**2 + gap * (2 * two.p1 + ratio + 1) + two.p1 + ratio * two.p2
    d = -two.p1 * gap * (1 + gap)
    v = (b / (3 * a)) ** 3 - b * c / (6 * a**2) + d / (2 * a)
    u = float(np.copysign(np.sqrt(max(0.0, (b / (3 * a)) ** 2 - c / (3 * a))), v))
    if u == 0:
        return -b / (3 * a)
    w = (np.pi + float(np.arccos(max(-1.0, min(1.0, v / u**3))))) / 3
    return float(2 * u * np.cos(w) - b / (3 * a))


def newcombe(two: Two, level: float) -> Bounds:
    """From Wilson's intervals of the two (Newcombe 1998, method 10)."""
    l1, u1 = wilson(two.x1, two.n1, level)
    l2, u2 = wilson(two.x2, two.n2, level)
    d = two.difference
    low = d - float(np.hypot(two.p1 - l1, u2 - two.p2))
    return low, d + float(np.hypot(u1 - two.p1, two.p2 - l2))


def wald_difference(two: Two, level: float) -> Bounds:
    half = z_of(level) * float(np.sqrt(two.p1 * (1 - two.p1) / two.n1 + two.p2 * (1 - two.p2) / two.n2))
    return max(-1.0, two.difference - half), min(1.0, two.difference + half)


def agresti_caffo(two: Two, level: float) -> Bounds:
    """Wald's interval with one success and one failure added to each (Agresti & Caffo 2000)."""
    return wald_difference(Two(two.x1 + 1, two.n1 + 2, two.x2 + 1, two.n2 + 2), level)


def miettinen(two: Two, level: float) -> Bounds:
    """Differences that the score test with the factor N/(N − 1) keeps (Miettinen & Nurminen 1985)."""
    n = two.n1 + two.n2
    return farrington(two, level, n / (n - 1))


def farrington(two: Two, level: float, factor: float = 1.0) -> Bounds:
    """Differences that the score test keeps (Farrington & Manning 1990), its variance times `factor`."""
    z = z_of(level)

    def gap(d: float, sign: int) -> float:
        spread = float(np.sqrt(max(two.restricted(d) * factor, 1e-300)))
        return (two.difference - d) / spread - sign * z

    edge = 1 - 1e-12
    low = -1.0 if two.difference <= -edge or gap(-edge, 1) <= 0 else _root(lambda d: gap(d, 1), -edge, two.difference)
    high = 1.0 if two.difference >= edge or gap(edge, -1) >= 0 else _root(lambda d: gap(d, -1), two.difference, edge)
    return low, high


def _root(f: Callable[[float], float], low: float, high: float) -> float:
    return float(optimize.brentq(f, low, high, xtol=1e-14, rtol=1e-14, maxiter=300))


DIFFERENCES: dict[str, Callable[[Two, float], Bounds]] = {
    "newcomb": newcombe, "wald": wald_difference, "agresti_caffo": agresti_caffo, "score": miettinen,
}  # fmt: skip


def difference(how: str, two: Two, level: float, side: str = "two_sided") -> Bounds:
    """Interval of p1 − p2 by name."""
    if side == "two_sided":
        return DIFFERENCES[how](two, level)
    low, high = DIFFERENCES[how](two, 2 * level - 1)
    return (low, 1.0) if side == "greater" else (-1.0, high)
