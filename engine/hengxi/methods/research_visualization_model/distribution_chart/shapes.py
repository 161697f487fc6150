"""Class limits, kernel densities and fitted distributions behind the figures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import fft, optimize, special, stats

from hengxi.stats.moments import Floats

MOST_BINS, GRID, FINE, EXACT = 500, 121, 1024, 20_000_000
WHOLE = 40
"""Whole numbers over at most so many values get a class each."""


def edges(x: Floats, rule: str, custom: int) -> Floats:
    """Class limits from the least to the largest value; whole numbers of a short range get classes of their own."""
    least, most = float(x.min()), float(x.max())
    if rule != "custom" and most - least <= WHOLE and most < 2**52 and bool((x == np.floor(x)).all()):
        return np.arange(least, most + 2) - 0.5
    if least == most:
        half = abs(least) / 2 or 0.5
        return np.array([least - half, least + half])
    return np.linspace(least, most, classes(x, rule, custom) + 1)


def classes(x: Floats, rule: str, custom: int) -> int:
    """How many (R's nclass): Sturges (1926), Scott (1979), Freedman and Diaconis (1981)."""
    if rule == "custom":
        return custom
    n = x.size
    sturges = int(np.ceil(np.log2(n) + 1))
    if rule == "sturges":
        return sturges
    if rule == "scott":
        width = 3.5 * float(x.std(ddof=1)) * n ** (-1 / 3)
    else:
        width = 2 * float(np.subtract(*np.quantile(x, [0.75, 0.25]))) * n ** (-1 / 3)
    if not width > 0:
        return sturges
    return int(min(MOST_BINS, max(1, np.ceil(float(np.ptp(x)) / width))))


def bandwidth(x: Floats, rule: str) -> float:
    """Of a normal kernel: Scott (1992), Silverman (1986), or the improved Sheather-Jones of Botev et al. (2010)."""
    sd, n = float(x.std(ddof=1)), x.size
    if rule == "isj":
        return improved_sheather_jones(x)
    return float(sd * (n if rule == "scott" else n * 3 / 4) ** -0.2)


def improved_sheather_jones(x: Floats) -> float:
    """The fixed point of Botev, Grotowski and Kroese (2010) on 1,024 cells over the range and a tenth to either side;
    Silverman's where there is none."""
    reach = float(np.ptp(x))
    low, span = float(x.min()) - reach / 10, reach * 1.2
    counts, _ = np.histogram(x, bins=np.linspace(low, low + span, FINE + 1))
    n = np.unique(x).size
    a2 = (fft.dct(counts / x.size)[1:] / 2) ** 2
    i2 = np.arange(1, FINE, dtype=float) ** 2

    def excess(t: float) -> float:
        f = 2 * np.pi**14 * float(np.sum(i2**7 * a2 * np.exp(-i2 * np.pi**2 * t)))
        for s in range(6, 1, -1):
            odd = float(np.prod(np.arange(1, 2 * s, 2)))
            c = (1 + 0.5 ** (s + 0.5)) / 3
            time = (2 * c * odd / np.sqrt(2 * np.pi) / n / f) ** (2 / (3 + 2 * s))
            f = 2 * np.pi ** (2 * s) * float(np.sum(i2**s * a2 * np.exp(-i2 * np.pi**2 * time)))
        return t - float((2 * n * np.sqrt(np.pi) * f) ** (-0.4))

    grid = np.geomspace(1e-9, 0.1, 60)
    with np.errstate(all="ignore"):
        values = [excess(t) for t in grid]
    for a, b, fa, fb in zip(grid, grid[1:], values, values[1:], strict=False):
        if np.isfinite(fa) and np.isfinite(fb) and fa < 0 <= fb:
            return float(np.sqrt(optimize.brentq(excess, a, b, xtol=1e-16, rtol=1e-13)) * span)
    return bandwidth(x, "silverman")


def density(x: Floats, width: float) -> tuple[Floats, Floats]:
    """Normal kernel density at 121 places from 3 bandwidths below the least to 3 above the largest value.

    Many cases are gathered on 4,096 cells first, which moves a height by less than a thousandth.
    """
    grid = np.linspace(float(x.min()) - 3 * width, float(x.max()) + 3 * width, GRID)
    at, weight = x, np.full(x.size, 1.0)
    if x.size * GRID > EXACT:
        counts, limits = np.histogram(x, bins=4096)
        at, weight = (limits[:-1] + limits[1:]) / 2, counts.astype(float)
    heights = np.array([float(weight @ np.exp(-0.5 * ((g - at) / width) ** 2)) for g in grid])
    return grid, heights / (x.size * width * np.sqrt(2 * np.pi))


@dataclass(frozen=True)
class Fit:
    """Maximum likelihood: `first`, `second` are mean and SD (of the logarithm), or shape and scale."""

    kind: str
    first: float
    second: float

    def at(self, x: Floats) -> Floats:
        if self.kind == "normal":
            return np.asarray(stats.norm.pdf(x, self.first, self.second))
        if self.kind == "lognormal":
            return np.asarray(stats.lognorm.pdf(x, self.second, scale=np.exp(self.first)))
        return np.asarray(stats.gamma.pdf(x, self.first, scale=self.second))


def fitted(x: Floats, kind: str) -> Fit | None:
    """None where it cannot be fitted: nothing varies, or a value is not above 0."""
    if x.min() == x.max() or (kind != "normal" and x.min() <= 0):
        return None
    if kind == "normal":
        return Fit(kind, float(x.mean()), float(x.std()))
    if kind == "lognormal":
        return Fit(kind, float(np.log(x).mean()), float(np.log(x).std()))
    mean = float(x.mean())
    gap = float(np.log(mean) - np.log(x).mean())
    # The shape solves log a − ψ(a) = log mean − mean log.
    shape = optimize.brentq(lambda a: np.log(a) - special.digamma(a) - gap, 1e-4, 1e9, xtol=1e-13, rtol=1e-14)
    return Fit(kind, float(shape), mean / float(shape))
