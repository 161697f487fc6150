"""Values by their rank: sorted, or, where they are many, only as far as they are asked for.

Sorting a million values takes ten times as long as counting them into bins. A bin's place grows with the value, so the
value of any rank lies in a bin that is known by counting, and only the bins asked for need be sorted. Both ways give
the same values.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ranks = NDArray[np.int64]
BINS = 1 << 16
MANY = 100_000
"""Values from which counting first is quicker."""
BLOCK = 1 << 16
WIDEST = 1e200
FIRST = (21, 200)
"""Evenly spaced ranks whose bins are kept at hand: quartiles, hinges, medians and most else lie there."""


class InOrder(Protocol):
    @property
    def size(self) -> int: ...

    def take(self, ranks: Ranks) -> Floats:
        """The values of these ranks (from 0, ascending)."""
        ...

    def parts(self, *spans: tuple[int, int]) -> list[Floats]:
        """The values of the ranks first … last - 1 of each span."""
        ...

    def below(self, edges: Floats, on: Floats | None = None) -> Ranks:
        """How many values lie below each edge, then how many below or on each of `on`."""
        ...


class Sorted:
    def __init__(self, values: Floats) -> None:
        self.values = values

    @property
    def size(self) -> int:
        return int(self.values.size)

    def take(self, ranks: Ranks) -> Floats:
        return self.values[ranks]

    def parts(self, *spans: tuple[int, int]) -> list[Floats]:
        return [self.values[first:last] for first, last in spans]

    def below(self, edges: Floats, on: Floats | None = None) -> Ranks:
        return _places(self.values, edges, on)


class Binned:
    """Bins of equal width between the least and the largest value."""

    def __init__(self, x: Floats, least: float, most: float) -> None:
        self._x, self._least, self._most = x, least, most
        self._scale = (BINS - 1) / (most - least)
        self._codes = np.empty(x.size, dtype=np.uint16)
        self._counts = np.zeros(BINS, dtype=np.int64)
        for i in range(0, x.size, BLOCK):
            codes = self._bin(x[i : i + BLOCK])
            self._codes[i : i + BLOCK] = codes
            self._counts += np.bincount(codes, minlength=BINS)
        self._starts = np.cumsum(self._counts) - self._counts
        first = self._bins_of(
            np.unique(np.concatenate([np.linspace(0, x.size - 1, k) for k in FIRST]).astype(np.int64))
        )
        self._wanted = np.zeros(BINS, dtype=bool)
        for step in (-1, 0, 1):
            self._wanted[np.clip(first + step, 0, BINS - 1)] = True
        self._values: Floats | None = None
        self._ahead = np.zeros(BINS, dtype=np.int64)

    @property
    def size(self) -> int:
        return int(self._x.size)

    def _bin(self, values: Floats) -> NDArray[np.uint16]:
        # Never falls as the value rises: neither a difference nor a product with a positive number does, rounded.
        return ((values - self._least) * self._scale).astype(np.uint16)

    def _gathered(self, bins: Ranks) -> tuple[Floats, Ranks]:
        """The values of these bins in order, and how far each bin asked for stands before its place in all."""
        if self._values is None or not self._wanted[bins].all():
            # Kept from now on: what is asked for once is often asked for again, or its neighbours are.
            self._wanted[bins] = True
            self._values = self._sorted(self._wanted)
            held = np.flatnonzero(self._wanted)
            self._ahead[held] = self._starts[held] - (np.cumsum(self._counts[held]) - self._counts[held])
        return self._values, self._ahead[bins]

    def _sorted(self, wanted: NDArray[np.bool_]) -> Floats:
        # take and compress do what indexing does, in half the time; in blocks, since take widens the codes.
        spans = [slice(i, i + BLOCK) for i in range(0, self._x.size, BLOCK)]
        return np.sort(np.concatenate([self._x[s].compress(wanted.take(self._codes[s])) for s in spans]))

    def _bins_of(self, ranks: Ranks) -> Ranks:
        found: Ranks = np.searchsorted(self._starts, ranks, side="right") - 1
        return found

    def take(self, ranks: Ranks) -> Floats:
        bins = self._bins_of(ranks)
        values, ahead = self._gathered(bins)
        found: Floats = values[ranks - ahead]
        return found

    def parts(self, *spans: tuple[int, int]) -> list[Floats]:
        held = [(first, last) for first, last in spans if first < last]
        ends = self._bins_of(np.array([rank for first, last in held for rank in (first, last - 1)], dtype=np.int64))
        bins = [np.arange(a, b + 1) for a, b in ends.reshape(-1, 2)]
        values, ahead = self._gathered(np.concatenate([np.empty(0, np.int64), *bins]))
        starts = np.cumsum([0, *(part.size for part in bins)])
        found = {
            span: values[span[0] - ahead[i] : span[1] - ahead[i]] for span, i in zip(held, starts[:-1], strict=True)
        }
        return [found.get(span, np.empty(0)) for span in spans]

    def below(self, edges: Floats, on: Floats | None = None) -> Ranks:
        every = edges if on is None else np.concatenate((edges, on))
        bins = self._bin(np.clip(every, self._least, self._most)).astype(np.int64)
        values, ahead = self._gathered(bins)
        return _places(values, edges, on) + ahead


def _places(values: Floats, edges: Floats, on: Floats | None) -> Ranks:
    left = np.searchsorted(values, edges, side="left")
    return left if on is None else np.concatenate((left, np.searchsorted(values, on, side="right")))


def in_order(x: Floats) -> InOrder:
    if x.size >= MANY:
        least, most = float(x.min()), float(x.max())
        if max(-least, most) < WIDEST and most - least > 1 / WIDEST:
            return Binned(x, least, most)
    return Sorted(np.sort(x))
