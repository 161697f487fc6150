"""What a variable counts as in a correlation: its numbers, or the places of its categories.

A column of few values stays small codes: its numbers are made only for the rows that are drawn.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hengxi.contract import Column
from hengxi.contract.few_values import MOST, FewValues
from hengxi.stats.moments import Floats

Bools = NDArray[np.bool_]


class Scores:
    """Of one variable, in some rows; NaN where missing."""

    def __init__(self, few: FewValues | None, numbers: Floats | None) -> None:
        assert few is not None or numbers is not None
        self.few, self._numbers = few, numbers

    @cached_property
    def numbers(self) -> Floats:
        if self._numbers is not None:
            return self._numbers
        assert self.few is not None
        return self.few.numbers()

    @cached_property
    def known(self) -> Bools:
        """Rows that have a value."""
        if self.few is not None:
            return self.few.codes > 0
        return ~np.isnan(self.numbers)

    @cached_property
    def is_whole(self) -> bool:
        return bool(self.known.all())

    def at(self, rows: NDArray[np.int64]) -> Floats:
        return self.few.numbers(rows) if self.few is not None else self.numbers[rows]

    def among(self, rows: Bools) -> Scores:
        numbers = None if self._numbers is None else self._numbers[rows]
        return Scores(None if self.few is None else self.few.among(rows), numbers)


def scores(column: Column) -> Scores | None:
    """Numbers, or the places of two or of ordered categories; anything else has no correlation."""
    if _is_numeric(column):
        return Scores(column.few, None) if column.few is not None else Scores(None, column.numbers)
    if is_binary(column) or (column.ordered and column.measure == "定类"):
        return _places(column)
    return None


def is_binary(column: Column) -> bool:
    """Two unordered categories: they count as 0 and 1, and Pearson's coefficient is the point-biserial one."""
    ordered = column.ordered and column.measure == "定类"
    return not _is_numeric(column) and not ordered and column.measure == "定类" and len(column.levels) <= 2


def _is_numeric(column: Column) -> bool:
    scale = "量表" in column.info.flags
    if column.is_number and (column.measure in ("定量", "时间") or column.ordered or scale):
        return True
    return column.measure == "时间"


def _places(column: Column) -> Scores:
    k = len(column.levels)
    if k <= MOST:
        return Scores(FewValues(np.arange(k, dtype=float), (column.codes + 1).astype(np.uint8)), None)
    codes: Any = column.codes.astype(float)
    return Scores(None, np.where(codes < 0, np.nan, codes))
