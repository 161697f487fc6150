"""Samples of columns of few whole numbers: their distinct values with how often each occurs.

They are counted once instead of gathered again for each pair; every function of this package that takes counts gives
the same number for such a sample as for the cases themselves.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hengxi.contract.columns import tally
from hengxi.contract.few_values import FewValues

Floats = NDArray[np.float64]
Counts = NDArray[np.float64]
PACKED = 256
"""Codes of several columns together that one byte holds."""
ROWS_A_CELL = 16


def tabulate(column: FewValues, counts: Floats | None) -> Counts:
    """How many cases each of the values has."""
    if counts is None:
        return np.asarray(tally(column.codes, column.width)[1:], dtype=np.float64)
    return np.bincount(column.codes, weights=counts, minlength=column.width)[1:].astype(np.float64)


def sample(column: FewValues, counts: Floats | None) -> tuple[Floats, Counts]:
    """The values that occur, and how often each does. `counts`: cases a row stands for."""
    held = tabulate(column, counts)
    kept = held > 0
    return column.values[kept], held[kept]


class Pairs:
    """Tables of counts of any two of many columns.

    Columns are packed into bytes as far as their codes go, and two bytes counted at once: ten items of 1–5 take six
    passes over the rows instead of forty-five.
    """

    def __init__(self, columns: Sequence[FewValues | None], counts: Floats | None) -> None:
        self._columns, self._counts = columns, counts
        self._rows = max((column.codes.size for column in columns if column is not None), default=0)
        self._packed: dict[int, NDArray[np.uint8]] = {}
        self._joint: dict[tuple[int, int], Counts] = {}

    @cached_property
    def _groups(self) -> list[list[int]]:
        groups: list[list[int]] = []
        # A table of many more cells than rows takes longer to add up than the rows.
        most = min(PACKED, math.isqrt(self._rows // ROWS_A_CELL))
        room = 0
        for i, column in enumerate(self._columns):
            if column is None:
                continue
            if not groups or room // column.width == 0:
                groups.append([])
                room = most
            groups[-1].append(i)
            room //= column.width
        return groups

    @cached_property
    def _group_of(self) -> dict[int, int]:
        return {i: g for g, group in enumerate(self._groups) for i in group}

    def sample(self, i: int, j: int) -> tuple[Floats, Floats, Counts]:
        """Different pairs of values of two columns where none is missing, and how often each occurs."""
        table = self.table(i, j)
        first, second = np.nonzero(table > 0)
        return self._column(i).values[first], self._column(j).values[second], table[first, second]

    def table(self, i: int, j: int) -> Counts:
        """Values of column i × values of column j, another one."""
        a, b = sorted((self._group_of[i], self._group_of[j]))
        axes = [*self._groups[a], *(self._groups[b] if a != b else [])]
        others = tuple(place for place, column in enumerate(axes) if column not in (i, j))
        found: Counts = self._counted(a, b).sum(axis=others)[1:, 1:]
        return found if axes.index(i) < axes.index(j) else found.T

    def _column(self, i: int) -> FewValues:
        column = self._columns[i]
        assert column is not None
        return column

    def _counted(self, a: int, b: int) -> Counts:
        """Of all columns of one group, or of two: an axis for each."""
        if (a, b) not in self._joint:
            codes: NDArray[np.unsignedinteger] = self._bytes(a)
            widths = self._widths(a)
            if a != b:
                more = self._widths(b)
                joined = codes.astype(np.uint16)
                joined *= np.uint16(np.prod(more))
                joined += self._bytes(b)
                codes, widths = joined, [*widths, *more]
            counts = np.bincount(codes, weights=self._counts, minlength=int(np.prod(widths)))
            self._joint[a, b] = counts.reshape(widths).astype(float)
        return self._joint[a, b]

    def _bytes(self, group: int) -> NDArray[np.uint8]:
        if group not in self._packed:
            first, *rest = self._groups[group]
            codes = self._column(first).codes
            for i in rest:
                codes = codes * np.uint8(self._column(i).width)
                codes += self._column(i).codes
            self._packed[group] = codes
        return self._packed[group]

    def _widths(self, group: int) -> list[int]:
        return [self._column(i).width for i in self._groups[group]]
