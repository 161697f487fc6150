"""Distances of a sample from a distribution: Kolmogorov-Smirnov, Anderson-Darling, Cramér-von Mises.

Each takes the distribution at the ordered values and `ends`, the cumulated frequencies of these values, so that a value
of frequency 3 counts as three cases.
"""

from __future__ import annotations

import numpy as np
from scipy import special, stats

from hengxi.stats.moments import Floats, Moments, Ordered, of_population
from hengxi.stats.normality import Normality, lilliefors_p, standardise

FEWEST = 8
"""The fitted p values of A², W² and K² begin with eight cases."""
EXACT_MOST = 100


def starts(ends: Floats) -> Floats:
    return np.concatenate(([0.0], ends[:-1]))


def kolmogorov(cdf: Floats, ends: Floats) -> float:
    n = float(ends[-1])
    return float(max(np.max(ends / n - cdf), np.max(cdf - starts(ends) / n)))


def anderson(log_cdf: Floats, log_sf: Floats, ends: Floats) -> float:
    """A² = −n − (1/n) Σ (2i − 1)(ln F(x_i) + ln(1 − F(x_{n+1−i}))), summed over the copies of each value."""
    n, before = float(ends[-1]), starts(ends)
    low, high = (ends - before) * (ends + before), (ends - before) * (2 * n - ends - before)
    return float(-n - (np.dot(low, log_cdf) + np.dot(high, log_sf)) / n)


def cramer(cdf: Floats, ends: Floats) -> float:
    """W² = 1/(12n) + Σ (F(x_i) − (2i − 1)/(2n))²."""
    n, before = float(ends[-1]), starts(ends)
    copies = ends - before
    inside = (copies**3 - copies) / (12 * n * n)
    return float(1 / (12 * n) + np.dot(copies, (cdf - (ends + before) / (2 * n)) ** 2) + inside.sum())


def kolmogorov_p(d: float, n: int, tied: bool) -> float:
    """Of fully given distributions: exact below 100 cases without ties, else the limit (as R's ks.test)."""
    if n < EXACT_MOST and not tied:
        return float(stats.kstwo.sf(d, n))
    return float(special.kolmogorov(np.sqrt(n) * d))


class OfNormal:
    """A sample against the normal distribution with its own mean and sd; sorted once for all tests."""

    def __init__(self, x: Floats, counts: Floats | None, m: Moments) -> None:
        self.m, self.n = m, m.n
        ordered = Ordered.of(x, counts)
        self.values = ordered.rows.parts((0, ordered.rows.size))[0]
        ends = ordered.ends if ordered.ends is not None else np.arange(1.0, self.values.size + 1)
        last = np.append(self.values[1:] != self.values[:-1], True)
        self.values, self.ends = self.values[last], ends[last]
        self.z = standardise(self.values, m.mean, m.sd)

    @property
    def tied(self) -> bool:
        return self.values.size < self.n

    def lilliefors(self) -> Normality | None:
        if self.n <= 4:
            return None
        d = kolmogorov(special.ndtr(self.z), self.ends)
        return Normality("Lilliefors", d, lilliefors_p(d, self.n))

    def anderson(self) -> Normality | None:
        """p of Stephens (1986), as nortest::ad.test."""
        if self.n < FEWEST:
            return None
        a = anderson(special.log_ndtr(self.z), special.log_ndtr(-self.z), self.ends)
        return Normality("Anderson-Darling", a, _pieces(a * (1 + 0.75 / self.n + 2.25 / self.n**2), _ANDERSON))

    def cramer(self) -> Normality | None:
        """p of Stephens (1986), as nortest::cvm.test."""
        if self.n < FEWEST:
            return None
        w = cramer(special.ndtr(self.z), self.ends)
        return Normality("Cramér-von Mises", w, _pieces(w * (1 + 0.5 / self.n), _CRAMER))

    def given(self, mean: float, sd: float) -> Normality:
        """Against a normal distribution named beforehand."""
        d = kolmogorov(special.ndtr((self.values - mean) / sd), self.ends)
        return Normality("K-S", d, kolmogorov_p(d, self.n, self.tied))

    def dagostino(self) -> Normality | None:
        """K² of D'Agostino, Belanger & D'Agostino (1990)."""
        p = of_population(self.m)
        if self.n < FEWEST or p.skewness is None or p.kurtosis is None:
            return None
        value = skewness_z(p.skewness, self.n) ** 2 + kurtosis_z(p.kurtosis, self.n) ** 2
        return Normality("D'Agostino K²", value, float(stats.chi2.sf(value, 2)))


_ANDERSON = (
    (0.2, True, (-13.436, 101.14, -223.73)), (0.34, True, (-8.318, 42.796, -59.938)),
    (0.6, False, (0.9177, -4.279, -1.38)), (10.0, False, (1.2937, -5.709, 0.0186)),
    (np.inf, False, (float(np.log(3.7e-24)),)),
)  # fmt: skip
_CRAMER = (
    (0.0275, True, (-13.953, 775.5, -12542.61)), (0.051, True, (-5.903, 179.546, -1515.29)),
    (0.092, False, (0.886, -31.62, 10.897)), (1.1, False, (1.111, -34.242, 12.832)),
    (np.inf, False, (float(np.log(7.37e-10)),)),
)  # fmt: skip
"""Upper end, whether 1 − exp, polynomial in the statistic; beyond the last the smallest p they give."""


def _pieces(value: float, pieces: tuple[tuple[float, bool, tuple[float, ...]], ...]) -> float:
    for end, lower, coefficients in pieces:
        if value < end:
            p = float(np.exp(np.polynomial.polynomial.polyval(value, coefficients)))
            return 1 - p if lower else p
    return 0.0


def skewness_z(g1: float, n: int) -> float:
    """D'Agostino (1970): a normal deviate from √b₁ (moments divided by n)."""
    y = g1 * np.sqrt((n + 1) * (n + 3) / (6 * (n - 2)))
    b2 = 3 * (n**2 + 27 * n - 70) * (n + 1) * (n + 3) / ((n - 2) * (n + 5) * (n + 7) * (n + 9))
    w2 = np.sqrt(2 * (b2 - 1)) - 1
    return float(np.arcsinh(y / np.sqrt(2 / (w2 - 1))) / np.sqrt(np.log(w2) / 2))


def kurtosis_z(g2: float, n: int) -> float:
    """Anscombe & Glynn (1983): a normal deviate from b₂ − 3 (moments divided by n)."""
    mean = 3 * (n - 1) / (n + 1)
    variance = 24.0 * n * (n - 2) * (n - 3) / ((n + 1) ** 2 * (n + 3) * (n + 5))
    x = (g2 + 3 - mean) / np.sqrt(variance)
    root = 6 * (n**2 - 5 * n + 2) / ((n + 7) * (n + 9)) * np.sqrt(6.0 * (n + 3) * (n + 5) / (n * (n - 2) * (n - 3)))
    a = 6 + 8 / root * (2 / root + np.sqrt(1 + 4 / root**2))
    share = (1 - 2 / a) / (1 + x * np.sqrt(2 / (a - 4)))
    return float((1 - 2 / (9 * a) - np.cbrt(share)) / np.sqrt(2 / (9 * a)))


def normal_places(ends: Floats, n: float) -> Floats:
    """Blom's places (i − 3/8)/(n + 1/4) of the ordered values, at the middle of equal ones (SPSS)."""
    found: Floats = ((ends + starts(ends) + 1) / 2 - 0.375) / (n + 0.25)
    return found
