"""Moments and quantiles of a sample in which a value may stand for several cases (frequency weights).

Every function gives the same number for a value with frequency 3 as for the value written three times.
Sums are taken on centred values, and values of extreme size are scaled by a power of two first: one-pass
sums lose every digit on data such as 1000000.1, 1000000.2 (NIST NumAcc4).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from hengxi.stats.in_order import InOrder, Sorted, in_order

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Moments:
    """`centre` is the mean counted from `anchor`: differences of two means are taken from it, not from `mean`."""

    n: int
    anchor: float
    centre: float
    sd: float
    skewness: float | None
    kurtosis: float | None
    least: float
    most: float

    @property
    def mean(self) -> float:
        return self.anchor + self.centre

    @property
    def se(self) -> float:
        return self.sd / float(np.sqrt(self.n))

    @property
    def skewness_se(self) -> float | None:
        n = self.n
        return float(np.sqrt(6.0 * n * (n - 1) / ((n - 2) * (n + 1) * (n + 3)))) if n > 2 else None

    @property
    def kurtosis_se(self) -> float | None:
        if self.n < 4 or self.skewness_se is None:
            return None
        return float(2 * self.skewness_se * np.sqrt((self.n**2 - 1.0) / ((self.n - 3) * (self.n + 5))))

    def mean_interval(self, level: float) -> tuple[float, float]:
        half = float(stats.t.isf((1 - level) / 2, self.n - 1)) * self.se
        return self.mean - half, self.mean + half


@dataclass(frozen=True, slots=True)
class PopulationMoments(Moments):
    """With g1 and g2 of the values as they are, not corrected for a sample; the standard errors are theirs."""

    @property
    def skewness_se(self) -> float | None:
        n = self.n
        return float(np.sqrt(6.0 * (n - 2) / ((n + 1) * (n + 3)))) if n > 2 else None

    @property
    def kurtosis_se(self) -> float | None:
        n = self.n
        return float(np.sqrt(24.0 * n * (n - 2) * (n - 3) / ((n + 3) * (n + 5))) / (n + 1)) if n > 3 else None


def of_population(m: Moments) -> Moments:
    """The same moments with g1 = m3 / m2^1.5 and g2 = m4 / m2² − 3 (Joanes & Gill 1998) in place of G1 and G2."""
    n, skewness, kurtosis = m.n, m.skewness, m.kurtosis
    if skewness is not None:
        skewness *= (n - 2) / math.sqrt(n * (n - 1.0))
    if kurtosis is not None:
        kurtosis = (kurtosis * (n - 2.0) * (n - 3.0) / (n - 1.0) - 6) / (n + 1)
    return PopulationMoments(n, m.anchor, m.centre, m.sd, skewness, kurtosis, m.least, m.most)


EPS = float(np.finfo(np.float64).eps)


def levelled(groups: Sequence[Moments]) -> list[Moments]:
    """Means that lie no further apart than the rounding of their values become the very same mean.

    0.1, 0.2, 0.3 added up in another order, or shifted and shifted back, differ in the last digit: no difference
    to tell of. The moments must share their anchor.
    """
    room = EPS * max(abs(m.mean) for m in groups) + 4 * EPS * max(m.sd for m in groups)
    shifted, centre = list(groups), -math.inf
    for i in sorted(range(len(shifted)), key=lambda i: shifted[i].centre):
        if shifted[i].centre - centre <= room:
            shifted[i] = replace(shifted[i], centre=centre)
        centre = shifted[i].centre
    return shifted


def exponent(x: Floats) -> int:
    """The power of two to divide by before taking fourth powers: 0 unless the size is extreme."""
    top = float(np.max(np.abs(x))) if x.size else 0.0
    if top == 0 or not np.isfinite(top) or 1e-70 < top < 1e70:
        return 0
    return int(np.frexp(top)[1]) - 1


def total(x: Floats, counts: Floats | None) -> float:
    return float(np.sum(x)) if counts is None else float(np.dot(counts, x))


BLOCK = 1 << 15
"""Cells worked on at once: their temporaries stay in the processor's cache."""


def moments(x: Floats, counts: Floats | None = None, anchor: float | None = None, shape: bool = True) -> Moments:
    """Mean, sd (n - 1) and adjusted skewness G1 and kurtosis G2 (SPSS, Excel; Joanes & Gill 1998), if wanted."""
    n = int(x.size if counts is None else round(float(counts.sum())))
    least, most = float(x.min()), float(x.max())
    start = anchor if anchor is not None else least / 2 + most / 2
    up = exponent(np.array([least, most]))
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        centre = math.fsum(total(d, f) for d, f in _blocks(x, counts, start, up)) / n
        ends = np.array([least, most])
        down = exponent((np.ldexp(ends, -up) - np.ldexp(start, -up)) - centre)
        rest, m2, m3, m4 = _central_sums(x, counts, n, (start, centre, up, down), shape)
        sd = float(np.ldexp(np.sqrt(m2 / (n - 1)), up + down)) if n > 1 else 0.0
        g1, g2 = corrected_shape(n, m2, m3, m4) if shape and least < most else (None, None)
        centre = float(np.ldexp(centre + float(np.ldexp(rest, down)), up))
    return Moments(n, start, centre, sd, g1, g2, least, most)


def _blocks(x: Floats, counts: Floats | None, start: float, up: int) -> Iterator[tuple[Floats, Floats | None]]:
    """Distances from `start`, scaled by 2^-up, a block at a time."""
    from_start = np.ldexp(start, -up)
    for i in range(0, x.size, BLOCK):
        d = x[i : i + BLOCK]
        d = np.ldexp(d, -up) - from_start if up else d - start
        yield d, None if counts is None else counts[i : i + BLOCK]


def _central_sums(
    x: Floats, counts: Floats | None, n: int, scale: tuple[float, float, int, int], shape: bool
) -> tuple[float, float, float, float]:
    """What rounding left of the mean, and the sums of 2nd, 3rd and 4th powers around the mean, scaled by 2^-down."""
    start, centre, up, down = scale
    sums: list[tuple[float, float, float, float]] = []
    for d, f in _blocks(x, counts, start, up):
        d -= centre
        if down:
            d = np.ldexp(d, -down)
        square = d * d
        if not shape:
            sums.append((total(d, f), total(square, f), 0.0, 0.0))
            continue
        weighted = square if f is None else square * f
        sums.append((total(d, f), total(square, f), float(np.dot(weighted, d)), float(np.dot(weighted, square))))
    s1, s2, s3, s4 = (
        math.fsum(column) if np.all(np.isfinite(column)) else math.inf for column in zip(*sums, strict=True)
    )
    r = s1 / n
    return r, s2 - n * r * r, s3 - 3 * r * s2 + 2 * n * r**3, s4 - 4 * r * s3 + 6 * r * r * s2 - 3 * n * r**4


SYMMETRIC = 1e-13
"""A skewness below this is what rounding left of 0."""


def corrected_shape(n: int, s2: float, s3: float, s4: float) -> tuple[float | None, float | None]:
    """G1 and G2 from the sums of the 2nd, 3rd and 4th powers around the mean."""
    if n < 3 or s2 <= 0:
        return None, None
    m2 = s2 / n
    skewness = float(s3 / n / m2**1.5 * np.sqrt(n * (n - 1.0)) / (n - 2))
    if abs(skewness) < SYMMETRIC:
        skewness = 0.0
    if n < 4:
        return skewness, None
    g2 = s4 / n / m2**2 - 3
    return skewness, float((n - 1.0) / ((n - 2.0) * (n - 3.0)) * ((n + 1) * g2 + 6))


def drop_empty(x: Floats, counts: Floats | None) -> tuple[Floats, Floats | None]:
    """A frequency of 0 means that the case does not exist: it must not set the minimum or the scale."""
    if counts is None:
        return x, None
    held = counts > 0
    return (x, counts) if held.all() else (x[held], counts[held])


def quantiles(x: Floats, probabilities: list[float], counts: Floats | None = None, kind: int = 6) -> list[float]:
    """Hyndman-Fan types 6 (SPSS) and 7 (R, Excel), on the cases the frequencies stand for."""
    return Ordered.of(x, counts).quantiles(probabilities, kind)


def quantile_places(n: int, probabilities: Sequence[float], kind: int = 6) -> list[float]:
    """Where the quantiles lie among the ranks 0 … n - 1; fractions lie between two cases."""
    places = []
    for p in probabilities:
        h = (n + 1) * p - 1 if kind == 6 else (n - 1) * p
        places.append(min(max(h, 0.0), n - 1.0))
    return places


def ranks_around(places: Sequence[float], n: int) -> list[int]:
    """The ranks needed to read these places."""
    below = {int(np.floor(h)) for h in places}
    return sorted({*below, *(min(k + 1, n - 1) for k in below)})


def between(place: float, at: Mapping[int, float], n: int) -> float:
    k = int(np.floor(place))
    j = min(k + 1, n - 1)
    return at[k] if place == k or at[j] == at[k] else at[k] * (1 - (place - k)) + at[j] * (place - k)


@dataclass(frozen=True, slots=True)
class Ordered:
    """A sample put in order once, for everything that is read from the order of its cases."""

    rows: InOrder
    ends: Floats | None
    """Cumulated frequencies."""

    @classmethod
    def of(cls, x: Floats, counts: Floats | None = None) -> Ordered:
        if counts is None:
            return cls(in_order(x), None)
        order = np.argsort(x, kind="stable")
        return cls(Sorted(x[order]), np.cumsum(counts[order]))

    @property
    def n(self) -> int:
        """Cases."""
        return self.rows.size if self.ends is None else round(float(self.ends[-1]))

    def at(self, ranks: Iterable[int]) -> dict[int, float]:
        """The values at these ranks (from 0, ascending), each case as often as its frequency says."""
        asked = list(ranks)
        rows = np.array(asked, dtype=np.int64)
        if self.ends is not None:
            rows = np.searchsorted(self.ends, rows, side="right")
        return dict(zip(asked, self.rows.take(rows).tolist(), strict=True))

    def read(self, places: Sequence[float]) -> list[float]:
        """Values at places among the ranks; between two cases where a place is no whole number."""
        at = self.at(ranks_around(places, self.n))
        return [between(h, at, self.n) for h in places]

    def quantiles(self, probabilities: Sequence[float], kind: int = 6) -> list[float]:
        """Hyndman-Fan types 6 (SPSS) and 7 (R, Excel)."""
        return self.read(quantile_places(self.n, probabilities, kind))

    @property
    def median(self) -> float:
        return self.quantiles([0.5], 7)[0]

    def cases(self, rows: int) -> float:
        """How many cases the first of these values stand for."""
        return float(rows) if self.ends is None else float(self.ends[rows - 1]) if rows else 0.0

    def histogram(self, edges: Floats) -> Floats:
        """Cases between ascending edges that hold all values; the last bin is closed on both sides."""
        rows = np.concatenate(([0], self.rows.below(edges[1:-1]), [self.rows.size]))
        if self.ends is None:
            return np.diff(rows).astype(np.float64)
        return np.asarray(np.diff(np.concatenate(([0.0], self.ends))[rows]))


def median(x: Floats, counts: Floats | None = None) -> float:
    return Ordered.of(x, counts).median


def expand(x: Floats, counts: Floats | None) -> Floats:
    """The cases themselves. Only for samples known to be small."""
    return x if counts is None else np.repeat(x, np.rint(counts).astype(np.int64))
