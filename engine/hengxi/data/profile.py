"""Counts, moments and pictures of a column: exact, from one sorted copy, stable (two passes, centred)."""

from __future__ import annotations

import math

import numpy as np
import pyarrow as pa

from hengxi.data import values
from hengxi.data.arrays import Bools, Floats, decoded, wire_value
from hengxi.data.levels import is_missing
from hengxi.data.meta import Bin, Column, Profile, Top, Value

BINS = 20
TOPS = 10


def profile_array(array: pa.Array | pa.ChunkedArray, column: Column) -> Profile:
    """The profile of a physical column under its metadata (user-missing codes count as missing)."""
    if column.storage == "text":
        return text_profile(values.dictionary(array), column)
    return number_profile(values.numbers(array, column), column.storage)


def number_profile(numbers: Floats, storage: str = "float") -> Profile:
    """Profile of numbers, NaN being missing. Dates are days since 1970-01-01."""
    rows = len(numbers)
    gone = np.isnan(numbers)
    valid = numbers[~gone] if gone.any() else numbers
    n = len(valid)
    if n == 0:
        return Profile(n=0, missing=rows)
    distinct, counts = _counted(valid)
    low, high = float(distinct[0]), float(distinct[-1])
    found = Profile(n=n, missing=rows - n, distinct=len(distinct), unique=len(distinct) == n)
    found.min, found.max = _moment(low, storage), _moment(high, storage)
    best = _largest(counts)
    found.top = _tops([_moment(float(v), storage) for v in distinct[best]], counts[best])
    if storage in ("date", "datetime"):
        return found
    finite = math.isfinite(low) and math.isfinite(high)
    found.whole = finite and bool(np.array_equal(distinct, np.floor(distinct)))
    found.non_negative, found.positive = low >= 0, low > 0
    if not finite:
        return found
    found.mean, found.sd = mean_sd(distinct, counts)
    last = np.cumsum(counts)
    found.q1, found.median, found.q3 = (_quantile(distinct, last, share) for share in (0.25, 0.5, 0.75))
    found.histogram = _histogram(distinct, last, found.whole)
    return found


def _counted(valid: Floats) -> tuple[Floats, np.ndarray]:
    """Distinct values ascending, and their counts; numbers of few decimals in a short range need no sorting."""
    low, high = float(valid.min()), float(valid.max())
    span = high - low
    if math.isfinite(span) and span < 4 * len(valid) + 1000 and abs(low) < 1e15 and low == math.floor(low):
        whole = valid.astype(np.int64)
        if np.array_equal(whole, valid):
            counts = np.bincount(whole - int(low))
            places = np.flatnonzero(counts)
            return places.astype(np.float64) + low, counts[places]
    scale = _scale(valid, span)
    if scale:
        first = round(low * scale)
        whole = np.rint(valid * scale).astype(np.int64)
        if np.array_equal(whole / scale, valid):
            counts = np.bincount(whole - first)
            places = np.flatnonzero(counts)
            return (places + first) / scale, counts[places]
    ordered: Floats = np.sort(valid)
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    return ordered[starts], np.diff(np.append(starts, len(ordered)))


def _scale(valid: Floats, span: float) -> float:
    """10, 100 … that makes whole numbers of a sample, if there are few enough of them to be counted; else 0."""
    some = valid[:: max(len(valid) // 200, 1)]
    if not math.isfinite(span) or float(np.max(np.abs(some))) > 1e9:
        return 0.0
    for scale in (10.0, 100.0, 1e3, 1e4):
        if span * scale >= 4 * len(valid) + 1000:
            return 0.0
        if np.array_equal(np.rint(some * scale) / scale, some):
            return scale
    return 0.0


def mean_sd(numbers: Floats, counts: np.ndarray | None = None) -> tuple[float, float | None]:
    """Mean and sample standard deviation (n − 1), centred first: no loss for 1e9 + small.

    `counts` says how often each number occurs; without it each occurs once.
    """
    times = np.ones(len(numbers)) if counts is None else counts.astype(np.float64)
    n = float(times.sum())
    # A power of two changes no digit and keeps squares of 1e300 and 1e-300 representable.
    _, exponent = math.frexp(float(np.max(np.abs(numbers))))
    scaled = np.ldexp(numbers, -exponent)
    mean = float(np.sum(times * scaled)) / n
    if n < 2:
        return math.ldexp(mean, exponent), None
    centred = scaled - mean
    # The correction removes what rounding of the mean left over.
    left = float(np.sum(times * centred)) / n
    spread = float(np.dot(times * centred, centred)) - n * left**2
    return math.ldexp(mean + left, exponent), math.ldexp(math.sqrt(max(spread, 0.0) / (n - 1)), exponent)


def _quantile(distinct: Floats, last: np.ndarray, share: float) -> float:
    """Linear interpolation between order statistics (type 7); `last` = cumulated counts of the distinct values."""
    place = (int(last[-1]) - 1) * share
    below = math.floor(place)
    above = min(below + 1, int(last[-1]) - 1)
    low = float(distinct[np.searchsorted(last, below, side="right")])
    high = float(distinct[np.searchsorted(last, above, side="right")])
    return low if low == high else low + (high - low) * (place - below)


def _histogram(distinct: Floats, last: np.ndarray, whole: bool) -> list[Bin]:
    """Equal bins over the range, at most 20; whole numbers of a short range get one bin each."""
    low, high, n = float(distinct[0]), float(distinct[-1]), int(last[-1])
    if low == high:
        return [Bin(low=low, high=high, count=n)]
    width = high - low
    if not math.isfinite(width):
        return []
    if whole and width < BINS:
        edges = np.arange(low - 0.5, high + 1.0)
    else:
        edges = np.linspace(low, high, min(BINS, max(5, math.ceil(math.log2(n) + 1))) + 1)
    places = np.searchsorted(distinct, edges, side="left")
    below = np.where(places > 0, last[np.maximum(places - 1, 0)], 0)
    below[-1] = n
    return [
        Bin(low=float(a), high=float(b), count=int(c))
        for a, b, c in zip(edges[:-1], edges[1:], np.diff(below), strict=True)
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


def text_profile(encoded: pa.DictionaryArray, column: Column) -> Profile:
    """Counts of a text column."""
    words = decoded(encoded.dictionary)
    codes = values.indices(encoded)
    counts = np.bincount(codes[codes >= 0] if encoded.null_count else codes, minlength=len(words))
    kept: Bools = counts > 0
    if words.null_count:
        kept &= ~words.is_null().to_numpy(zero_copy_only=False)
    if column.missing:
        kept &= np.array([not is_missing(v, column.missing) for v in words.to_pylist()], dtype=np.bool_)
    places = np.flatnonzero(kept)
    best = places[_largest(counts[places])]
    n = int(counts[places].sum())
    found = Profile(n=n, missing=len(encoded) - n, distinct=len(places), unique=len(places) == n and n > 0)
    found.top = _tops([wire_value(v) for v in words.take(pa.array(best)).to_pylist()], counts[best])
    return found
