"""What a box or violin shows."""

from dataclasses import dataclass

import numpy as np

from hengxi.stats.moments import Floats, between, exponent, moments, order_statistics, quantiles, ranks_around

OUTLIERS = 100
"""Most single points drawn at each end; the extremes come first."""


@dataclass(frozen=True, slots=True)
class Box:
    low: float
    q1: float
    median: float
    q3: float
    high: float
    outliers: list[float]
    outside: int
    """How many cases lie outside the whiskers (more than `outliers` holds when they are many)."""


def hinges(x: Floats, counts: Floats | None = None) -> tuple[float, float, float]:
    """Tukey's lower hinge, median, upper hinge (R's fivenum)."""
    n = int(x.size if counts is None else round(float(counts.sum())))
    places = hinge_places(n)
    at = order_statistics(x, ranks_around(places, n), counts)
    lower, middle, upper = (between(h, at, n) for h in places)
    return lower, middle, upper


def hinge_places(n: int) -> list[float]:
    """Where the hinges and the median lie among the ranks 0 … n - 1."""
    quarter = ((n + 3) // 2) / 2
    return [quarter - 1, (n - 1) / 2, n - quarter]


def box(x: Floats, counts: Floats | None = None, at: tuple[float, float, float] | None = None) -> Box:
    """Whiskers end at the last value within 1.5 hinge spreads (Tukey 1977). `at`: the hinges, where already known."""
    lower, middle, upper = at or hinges(x, counts)
    with np.errstate(over="ignore"):
        reach = 1.5 * (upper - lower)
        outside = (x < lower - reach) | (x > upper + reach)
    if outside.any():
        low = float(np.min(x, initial=np.inf, where=~outside))
        high = float(np.max(x, initial=-np.inf, where=~outside))
    else:
        low, high = float(x.min()), float(x.max())
    shown = np.unique(x[outside])
    if shown.size > 2 * OUTLIERS:
        shown = np.concatenate((shown[:OUTLIERS], shown[-OUTLIERS:]))
    far = outside.sum() if counts is None else round(float(counts[outside].sum()))
    return Box(min(low, lower), lower, middle, upper, max(high, upper), [float(v) for v in shown], int(far))


def density(x: Floats, counts: Floats | None = None, points: int = 80) -> list[list[float]]:
    """Gaussian kernel density on a grid: pairs (value, height), Silverman's bandwidth (R's bw.nrd0), cut at the data.

    Empty where all values are the same. Values are gathered on 512 bins first, as R's density() does.
    """
    least, most = float(x.min()), float(x.max())
    narrow = most / 2 - least / 2 <= 1e-12 * max(abs(least), abs(most))
    if least == most or narrow or exponent(np.array([least, most])):
        return []
    m = moments(x, counts)
    q1, q3 = quantiles(x, [0.25, 0.75], counts, kind=7)
    spread = min(m.sd, (q3 - q1) / 1.34) or m.sd
    width = 0.9 * spread * m.n**-0.2
    if width <= 0 or (most - least) / width > 2000:
        return []
    heights, edges = np.histogram(x, bins=512, range=(least, most), weights=counts)
    middles = (edges[:-1] + edges[1:]) / 2
    grid = np.linspace(least, most, points)
    with np.errstate(under="ignore"):
        kernel = np.exp(-0.5 * ((grid[:, None] - middles[None, :]) / width) ** 2)
    values = kernel @ heights.astype(float) / (m.n * width * np.sqrt(2 * np.pi))
    return [[float(a), float(b)] for a, b in zip(grid, values, strict=True)]


def evenly(x: Floats, counts: Floats | None = None, most: int = 200) -> Floats:
    """The cases themselves, or as many evenly spaced in order of size (minimum and maximum among them)."""
    n = int(x.size if counts is None else round(float(counts.sum())))
    if n <= most:
        return np.sort(x if counts is None else np.repeat(x, np.rint(counts).astype(np.int64)))
    ranks = np.linspace(0, n - 1, most).astype(np.int64)
    at = order_statistics(x, [int(r) for r in np.unique(ranks)], counts)
    return np.array([at[int(r)] for r in ranks])
