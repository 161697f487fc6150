"""What a box or violin shows."""

from dataclasses import dataclass

import numpy as np

from hengxi.stats.moments import Floats, Ordered, exponent

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
    far: int
    """How many lie outside the outer fences, 3 hinge spreads away."""


def hinges(x: Ordered) -> tuple[float, float, float]:
    """Tukey's lower hinge, median, upper hinge (R's fivenum)."""
    lower, middle, upper = x.read(hinge_places(x.n))
    return lower, middle, upper


def hinge_places(n: int) -> list[float]:
    """Where the hinges and the median lie among the ranks 0 … n - 1."""
    quarter = ((n + 3) // 2) / 2
    return [quarter - 1, (n - 1) / 2, n - quarter]


def box(x: Ordered) -> Box:
    """Whiskers end at the last value within 1.5 hinge spreads (Tukey 1977)."""
    lower, middle, upper = hinges(x)
    near, fences = _inside(x, lower, upper)
    first, last = near
    under, over, (low,), (high,) = x.rows.parts((0, first), (last, x.rows.size), (first, first + 1), (last - 1, last))
    shown = np.unique(np.concatenate((under, over)))
    if shown.size > 2 * OUTLIERS:
        shown = np.concatenate((shown[:OUTLIERS], shown[-OUTLIERS:]))
    outside, far = (_cut_off(x, span) for span in (near, fences))
    outliers = [float(v) for v in shown]
    return Box(float(min(low, lower)), lower, middle, upper, float(max(high, upper)), outliers, outside, far)


def _inside(x: Ordered, lower: float, upper: float) -> tuple[tuple[int, int], tuple[int, int]]:
    """First and last + 1 of the values within 1.5 and within 3 hinge spreads."""
    with np.errstate(over="ignore"):
        near, far = (spreads * (upper - lower) for spreads in (1.5, 3.0))
        below, above = np.array([lower - near, lower - far]), np.array([upper + near, upper + far])
        first, outer, last, outmost = x.rows.below(below, above).tolist()
    return (first, last), (outer, outmost)


def _cut_off(x: Ordered, span: tuple[int, int]) -> int:
    return round(x.cases(span[0]) + x.cases(x.rows.size) - x.cases(span[1]))


def density(x: Ordered, sd: float, points: int = 80) -> list[list[float]]:
    """Gaussian kernel density on a grid: pairs (value, height), Silverman's bandwidth (R's bw.nrd0), cut at the data.

    Empty where all values are the same. Values are gathered on 512 bins first, as R's density() does. `sd`: theirs.
    """
    least, most = x.rows.take(np.array([0, x.rows.size - 1])).tolist()
    narrow = most / 2 - least / 2 <= 1e-12 * max(abs(least), abs(most))
    if least == most or narrow or exponent(np.array([least, most])):
        return []
    q1, q3 = x.quantiles([0.25, 0.75], kind=7)
    spread = min(sd, (q3 - q1) / 1.34) or sd
    width = 0.9 * spread * x.n**-0.2
    if width <= 0 or (most - least) / width > 2000:
        return []
    edges = np.linspace(least, most, 513)
    heights = x.histogram(edges)
    middles = (edges[:-1] + edges[1:]) / 2
    grid = np.linspace(least, most, points)
    with np.errstate(under="ignore"):
        kernel = np.exp(-0.5 * ((grid[:, None] - middles[None, :]) / width) ** 2)
    values = kernel @ heights / (x.n * width * np.sqrt(2 * np.pi))
    return [[float(a), float(b)] for a, b in zip(grid, values, strict=True)]


def evenly(x: Ordered, most: int = 200) -> Floats:
    """The cases themselves, or as many evenly spaced in order of size (minimum and maximum among them)."""
    n = x.n
    if n <= most:
        counts = None if x.ends is None else np.rint(np.diff(x.ends, prepend=0.0)).astype(np.int64)
        values = x.rows.parts((0, x.rows.size))[0]
        return values if counts is None else np.repeat(values, counts)
    ranks = np.unique(np.linspace(0, n - 1, most).astype(np.int64))
    return np.array(list(x.at(ranks.tolist()).values()))
