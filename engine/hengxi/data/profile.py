"""Counts, moments and pictures of a column: exact, from one sorted copy, stable (two passes, centred)."""

from __future__ import annotations

import math

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from hengxi.data import values
from hengxi.data.arrays import Bools, Floats, decoded, wire_value
from hengxi.data.levels import is_missing
from hengxi.data.meta import Bin, Column, Profile, Top, Value

BINS = 20
TOPS = 10


def profile_array(array: pa.Array, column: Column) -> Profile:
    """The profile of a physical column under its metadata (user-missing codes count as missing)."""
    if column.storage == "text":
        return text_profile(array, column)
    return number_profile(values.numbers(array, column), column.storage)


def number_profile(numbers: Floats, storage: str = "float") -> Profile:
    """Profile of numbers, NaN being missing. Dates are days since 1970-01-01."""
    rows = len(numbers)
    ordered: Floats = np.sort(numbers)  # NaN last
    n = rows - int(np.count_nonzero(np.isnan(numbers)))
    if n == 0:
        return Profile(n=0, missing=rows)
    ordered = ordered[:n]
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    counts = np.diff(np.append(starts, n))
    finite = bool(np.isfinite(ordered[0]) and np.isfinite(ordered[-1]))
    low, high = float(ordered[0]), float(ordered[-1])
    found = Profile(n=n, missing=rows - n, distinct=len(starts), unique=len(starts) == n)
    found.min, found.max = _moment(low, storage), _moment(high, storage)
    best = _largest(counts)
    found.top = _tops([_moment(float(v), storage) for v in ordered[starts[best]]], counts[best])
    if storage in ("date", "datetime"):
        return found
    found.whole = finite and bool(np.array_equal(ordered, np.floor(ordered)))
    found.non_negative, found.positive = low >= 0, low > 0
    if not finite:
        return found
    found.mean, found.sd = mean_sd(ordered)
    found.q1, found.median, found.q3 = (_quantile(ordered, share) for share in (0.25, 0.5, 0.75))
    found.histogram = _histogram(ordered, found.whole)
    return found


def mean_sd(numbers: Floats) -> tuple[float, float | None]:
    """Mean and sample standard deviation (n − 1), centred first: no loss for 1e9 + small."""
    mean = float(np.mean(numbers))
    if len(numbers) < 2:
        return mean, None
    centred = numbers - mean
    # The correction removes what rounding of the mean left over.
    mean += float(np.mean(centred))
    spread = float(np.dot(centred, centred) - len(numbers) * float(np.mean(centred)) ** 2)
    return mean, math.sqrt(max(spread, 0.0) / (len(numbers) - 1))


def _quantile(ordered: Floats, share: float) -> float:
    """Linear interpolation between order statistics (type 7)."""
    place = (len(ordered) - 1) * share
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    low, high = float(ordered[below]), float(ordered[above])
    return low if low == high else low + (high - low) * (place - below)


def _histogram(ordered: Floats, whole: bool) -> list[Bin]:
    """Equal bins over the range, at most 20; whole numbers of a short range get one bin each."""
    low, high = float(ordered[0]), float(ordered[-1])
    if low == high:
        return [Bin(low=low, high=high, count=len(ordered))]
    width = high - low
    if not math.isfinite(width):
        return []
    if whole and width < BINS:
        edges = np.arange(low - 0.5, high + 1.0)
    else:
        edges = np.linspace(low, high, min(BINS, max(5, math.ceil(math.log2(len(ordered)) + 1))) + 1)
    places = np.searchsorted(ordered, edges, side="left")
    places[-1] = len(ordered)
    return [
        Bin(low=float(a), high=float(b), count=int(c))
        for a, b, c in zip(edges[:-1], edges[1:], np.diff(places), strict=True)
    ]


def _largest(counts: np.ndarray) -> np.ndarray:
    """Places of the most frequent values, most frequent first, ties in order of value."""
    if len(counts) > 10_000:
        short = np.argpartition(counts, -TOPS)[-TOPS:]
        short.sort()
        return short[np.argsort(-counts[short], kind="stable")]
    return np.argsort(-counts, kind="stable")[:TOPS]


def _tops(cells: list[Value], counts: np.ndarray) -> list[Top]:
    return [Top(value=value, count=int(count)) for value, count in zip(cells, counts, strict=True)]


def _moment(value: float, storage: str) -> float | str | None:
    """A number for the wire; days since 1970 as ISO text for dates."""
    if storage == "date":
        return str(np.datetime64(round(value), "D"))
    if storage == "datetime":
        return str(np.datetime64(round(value * 86_400), "s")).replace("T", " ")
    return value if math.isfinite(value) else None


def text_profile(array: pa.Array, column: Column) -> Profile:
    """Counts of a text column."""
    counted = pc.value_counts(array)
    cells, counts = decoded(counted.field("values")), counted.field("counts").to_numpy()
    kept: Bools = ~cells.is_null().to_numpy(zero_copy_only=False)
    if column.missing:
        kept &= np.array([not is_missing(v, column.missing) for v in cells.to_pylist()], dtype=np.bool_)
    places = np.flatnonzero(kept)
    best = places[_largest(counts[places])]
    n = int(counts[places].sum())
    found = Profile(n=n, missing=len(array) - n, distinct=len(places), unique=len(places) == n and n > 0)
    found.top = _tops([wire_value(v) for v in cells.take(pa.array(best)).to_pylist()], counts[best])
    return found
