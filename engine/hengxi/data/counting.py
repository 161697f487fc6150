"""The distinct numbers of a column, ascending, and how often each occurs: counted where they allow it, else sorted."""

from __future__ import annotations

from threading import Lock
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from hengxi.data.arrays import Floats

Counted: TypeAlias = tuple[Floats, npt.NDArray[np.int64]]

PIECE = 1 << 14
PART = 1 << 16
MAX_SHORT = 2**31
ALONE = Lock()
"""Counting is one call of numpy after another, most of which let go of the interpreter: two threads that count at once
hand it to each other all the time and take longer than one after the other."""
MAX_EXACT = 2**53
"""Whole numbers up to here are the same as doubles."""
SCALES = tuple(float(10**decimals) for decimals in range(7))
SAMPLED = 500
FEW = 4096
"""Up to this many numbers are sorted at once: there is nothing to gain."""
LARGEST = 1 << 20


def counted(*pieces: Floats) -> Counted:
    """Of numbers without NaN, in one piece or several: they are not joined where there is no need."""
    full = [piece for piece in pieces if len(piece)]
    found = _by_units(full) if sum(map(len, full)) > FEW else None
    return _by_order(full) if found is None else found


def _by_order(pieces: list[Floats]) -> Counted:
    ordered: Floats = np.concatenate(pieces) if pieces else np.empty(0)
    ordered.sort()
    first = np.ones(len(ordered), dtype=np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    starts = np.flatnonzero(first)
    distinct = ordered if len(starts) == len(ordered) else ordered[starts]
    distinct += 0.0  # −0 is 0
    return distinct, np.diff(starts, append=len(ordered))


def _by_units(pieces: list[Floats]) -> Counted | None:
    """Numbers with a few decimals are whole numbers of a small unit, and those are counted ten times as fast.

    That a number multiplied and divided again is the same double is proved for each one; None where it is not, or
    where the units spread too far.
    """
    total = sum(map(len, pieces))
    low, high = min(float(piece.min()) for piece in pieces), max(float(piece.max()) for piece in pieces)
    scale = _scale(np.concatenate([piece[:: max(total // SAMPLED, 1)] for piece in pieces]))
    while scale is not None:
        first, last = np.rint(low * scale), np.rint(high * scale)
        if not (last - first <= 2 * total and max(abs(first), abs(last)) < MAX_EXACT):
            return None
        kind: type[np.int32 | np.int64] = np.int32 if total < MAX_SHORT else np.int64
        counts = np.zeros(int(last - first) + 1, kind)
        with ALONE:
            wrong = _count(pieces, scale, first, counts)
        if wrong is None:
            held = np.flatnonzero(counts != 0)  # three times as fast as of the counts themselves
            distinct = held.astype(np.float64)
            distinct += first
            distinct /= scale
            return distinct, counts[held].astype(np.int64)
        finer = _scale(wrong)
        scale = finer if finer is not None and finer > scale else None
    return None


def _count(pieces: list[Floats], scale: float, first: float, counts: npt.NDArray[np.int32 | np.int64]) -> Floats | None:
    """Adds each number to the count of its unit, counted from the first; else some numbers of which one has none."""
    unit = counts.dtype.type(1)
    for piece in pieces:
        for start in range(0, len(piece), PART):
            part = piece[start : start + PART]
            units = np.rint(part * scale)
            if not np.array_equal(units / scale, part):
                return part
            units -= first
            np.add.at(counts, units.astype(np.int64), unit)  # of the numbers as they come: no second column in memory
    return None


def _scale(sample: Floats) -> float | None:
    """The smallest power of ten that makes some numbers whole; None without one."""
    if np.abs(sample).max() >= MAX_EXACT / SCALES[-1]:
        return None
    return next((scale for scale in SCALES if np.array_equal(np.rint(sample * scale) / scale, sample)), None)


def counted_whole(array: pa.Array | pa.ChunkedArray) -> Counted | None:
    """The same for whole numbers and days of a short range, straight from their cells; None for others."""
    if not (pa.types.is_integer(array.type) or pa.types.is_date32(array.type)):
        return None
    pieces = array.chunks if isinstance(array, pa.ChunkedArray) else [array]
    plain = [piece.drop_null() for piece in pieces]
    if pa.types.is_date32(array.type):
        plain = [piece.view(pa.int32()) for piece in plain]
    numbers = [piece.to_numpy() for piece in plain if len(piece)]
    if not numbers:
        return np.empty(0), np.empty(0, np.int64)
    low, high = min(int(part.min()) for part in numbers), max(int(part.max()) for part in numbers)
    if high - low > 4 * len(array) + 1000 or max(abs(low), abs(high)) > MAX_EXACT:
        return None
    if high - low > len(numbers[0]) // 4:  # few large counts rather than many
        numbers = [np.concatenate(numbers)]
    base = 0 if low >= 0 and high <= 4 * len(array) + 1000 else low
    counts = np.zeros(high - base + 1, np.int64)
    for part in numbers:
        counts += np.bincount(part.astype(np.int64) - base if base else part, minlength=len(counts))
    places = np.flatnonzero(counts != 0)
    return places.astype(np.float64) + base, counts[places]


def ranked(counts: npt.NDArray[np.int64], place: int) -> int:
    """The count at this place when the largest stands first; `counts` are positive."""
    top = int(counts.max())
    if top > LARGEST:
        return int(np.partition(counts, -place)[-place])
    above = np.cumsum(np.bincount(counts)[::-1])
    return top - int(np.searchsorted(above, place))
