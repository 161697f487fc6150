"""Counts, moments and pictures of a column: exact, from its distinct values, stable (two passes, centred)."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from hengxi.data import values
from hengxi.data.arrays import Bools, Floats, as_floats, decoded, wire_value
from hengxi.data.counting import ALONE, PIECE, counted, counted_whole, ranked
from hengxi.data.levels import is_missing
from hengxi.data.meta import Bin, Column, Profile, Top, Value

BINS = 20
TOPS = 10
ENDS = 5


def profile_array(array: pa.Array | pa.ChunkedArray, column: Column) -> Profile:
    """The profile of a physical column under its metadata (user-missing codes count as missing)."""
    if column.storage == "text":
        return text_profile(values.dictionary(array), column)
    if column.stored == column.storage and not column.missing:
        found = counted_whole(array)
        if found is not None:
            return _profile(*found, len(array), column.storage)
    if column.stored == "text" or column.missing:
        return number_profile(values.numbers(array, column), storage=column.storage)
    pieces = array.chunks if isinstance(array, pa.ChunkedArray) else [array]
    return number_profile(*map(as_floats, pieces), storage=column.storage)


def number_profile(*pieces: Floats, storage: str = "float") -> Profile:
    """Profile of numbers in one piece or several, NaN being missing. Dates are days since 1970-01-01."""
    return _profile(*counted(*map(_valid, pieces)), sum(map(len, pieces)), storage)


def _valid(numbers: Floats) -> Floats:
    gone = np.isnan(numbers)
    return numbers[~gone] if gone.any() else numbers


def _profile(distinct: Floats, counts: np.ndarray, rows: int, storage: str) -> Profile:
    """Profile of `rows` cells by their distinct values, ascending, and how often each occurs."""
    n = int(counts.sum())
    if n == 0:
        return Profile(n=0, missing=rows)
    low, high = float(distinct[0]), float(distinct[-1])
    profile = Profile(n=n, missing=rows - n, distinct=len(distinct), unique=len(distinct) == n)
    profile.min, profile.max = _moment(low, storage), _moment(high, storage)
    best = _largest(counts)
    profile.top = _tops([_moment(float(v), storage) for v in distinct[best]], counts[best])
    if storage in ("date", "datetime"):
        return profile
    finite = math.isfinite(low) and math.isfinite(high)
    profile.whole = finite and bool(np.array_equal(distinct, np.floor(distinct)))
    profile.non_negative, profile.positive = low >= 0, low > 0
    if profile.whole:
        profile.lowest = _tops(distinct[:ENDS].tolist(), counts[:ENDS])
        profile.highest = _tops(distinct[::-1][:ENDS].tolist(), counts[::-1][:ENDS])
    if not finite:
        return profile
    with ALONE:
        profile.mean, profile.sd = mean_sd(distinct, counts)
    last = np.cumsum(counts)
    profile.q1, profile.median, profile.q3 = (_quantile(distinct, last, share) for share in (0.25, 0.5, 0.75))
    profile.histogram = _histogram(distinct, last, profile.whole)
    return profile


def mean_sd(numbers: Floats, counts: np.ndarray | None = None) -> tuple[float, float | None]:
    """Mean and sample standard deviation (n − 1), centred first: no loss for 1e9 + small.

    `counts` says how often each number occurs; without it each occurs once.
    """
    # A power of two changes no digit and keeps squares of 1e300 and 1e-300 representable.
    _, exponent = math.frexp(max(abs(float(numbers.max())), abs(float(numbers.min()))))
    n = len(numbers) if counts is None else int(counts.sum())
    mean = math.fsum(float(np.sum(times * part)) for part, times in _pieces(numbers, counts, exponent)) / n
    if n < 2:
        return math.ldexp(mean, exponent), None
    lefts, squares = [], []
    for part, times in _pieces(numbers, counts, exponent):
        part -= mean
        centred = times * part
        lefts.append(float(np.sum(centred)))
        squares.append(float(np.sum(centred * part)))  # not np.dot: the threads of BLAS would wait for each other
    # The correction removes what rounding of the mean left over.
    left = math.fsum(lefts) / n
    spread = math.fsum(squares) - n * left**2
    share, power = math.frexp(math.sqrt(max(spread, 0.0) / (n - 1)))
    # Of the largest numbers the deviation may be beyond what a double holds.
    sd = math.ldexp(share, power + exponent) if power + exponent <= sys.float_info.max_exp else None
    return math.ldexp(mean + left, exponent), sd


def _pieces(numbers: Floats, counts: np.ndarray | None, exponent: int) -> Iterator[tuple[Floats, Floats | int]]:
    """(a copy of some numbers divided by 2^exponent, how often each occurs), small enough for the processor's cache."""
    share = math.ldexp(1.0, -exponent) if exponent > -sys.float_info.max_exp else None
    for start in range(0, len(numbers), PIECE):
        part = numbers[start : start + PIECE]
        times = 1 if counts is None else counts[start : start + PIECE].astype(np.float64)
        yield np.ldexp(part, -exponent) if share is None else part * share, times


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
        least = ranked(counts, TOPS)
        above = np.flatnonzero(counts > least)
        ties = np.flatnonzero(counts == least)[: TOPS - len(above)]
        return np.concatenate((above[np.argsort(-counts[above], kind="stable")], ties))
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
    occurring: Bools = counts > 0
    if words.null_count:
        occurring &= ~words.is_null().to_numpy(zero_copy_only=False)
    if column.missing:
        occurring &= np.array([not is_missing(v, column.missing) for v in words.to_pylist()], dtype=np.bool_)
    places = np.flatnonzero(occurring)
    best = places[_largest(counts[places])]
    n = int(counts[places].sum())
    found = Profile(n=n, missing=len(encoded) - n, distinct=len(places), unique=len(places) == n and n > 0)
    found.top = _tops([wire_value(v) for v in words.take(pa.array(best)).to_pylist()], counts[best])
    return found
