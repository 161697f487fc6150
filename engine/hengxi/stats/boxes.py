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
    first, last = _inside(x, lower, upper, 1.5)
    shown = np.unique(np.concatenate((x.values[:first], x.values[last:])))
    if shown.size > 2 * OUTLIERS:
        shown = np.concatenate((shown[:OUTLIERS], shown[-OUTLIERS:]))
    low, high = float(x.values[first]), float(x.values[last - 1])
    outside, far = (_cut_off(x, span) for span in ((first, last), _inside(x, lower, upper, 3.0)))
    outliers = [float(v) for v in shown]
    return Box(min(low, lower), lower, middle, upper, max(high, upper), outliers, outside, far)


def _inside(x: Ordered, lower: float, upper: float, spreads: float) -> tuple[int, int]:
    """First and last + 1 of the values within so many hinge spreads."""
    with np.errstate(over="ignore"):
        reach = spreads * (upper - lower)
        first = int(np.searchsorted(x.values, lower - reach, side="left"))
        return first, int(np.searchsorted(x.values, upper + reach, side="right"))


def _cut_off(x: Ordered, span: tuple[int, int]) -> int:
    return round(x.cases(span[0]) + x.cases(x.values.size) - x.cases(span[1]))


def density(x: Ordered, sd: float, points: int = 80) -> list[list[float]]:
    """Gaussian kernel density on a grid: pairs (value, height), Silverman's bandwidth (R's bw.nrd0), cut at the data.

    Empty where all values are the same. Values are gathered on 512 bins first, as R's density() does. `sd`: theirs.
    """
    least, most = float(x.values[0]), float(x.values[-1])
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
        return x.values if counts is None else np.repeat(x.values, counts)
    ranks = np.unique(np.linspace(0, n - 1, most).astype(np.int64))
    return np.array(list(x.at(ranks.tolist()).values()))
