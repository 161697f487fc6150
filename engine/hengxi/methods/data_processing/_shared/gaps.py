"""One variable with its gaps: what is there, what was put in, and the account of both."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hengxi.contract import Column
from hengxi.contract.columns import Floats
from hengxi.contract.derived import Stored
from hengxi.contract.fields.mapping import shown
from hengxi.stats.moments import moments

Bools = npt.NDArray[np.bool_]


@dataclass
class Gaps:
    """`gone`: where the variable has no value, declared codes and those given in the form included."""

    column: Column
    name: str
    gone: Bools
    cells: npt.NDArray[Any]
    """float64 with NaN, or texts with None."""

    @property
    def is_text(self) -> bool:
        return self.cells.dtype.kind == "O"

    @property
    def is_number(self) -> bool:
        """A number one may average: not one that stands for a category."""
        return not self.is_text and not self.column.is_categorical

    @property
    def stored(self) -> Stored:
        storage = self.column.info.storage
        return "text" if self.is_text else "datetime" if "date" in storage else "number"

    @property
    def missing(self) -> int:
        return int(self.gone.sum())

    def empty(self) -> npt.NDArray[Any]:
        """Cells with nothing in them, of the right kind."""
        return np.full(len(self.gone), None if self.is_text else np.nan, dtype=object if self.is_text else np.float64)


def gaps_of(column: Column, name: str, user_missing: list[str]) -> Gaps:
    """The cells, with the values the user calls missing taken out."""
    words = set(user_missing)
    if column.info.storage == "text":
        cells = column.text.copy()
        gone = np.array([value is None or value in words for value in cells], dtype=np.bool_)
        cells[gone] = None
        return Gaps(column, name, gone, cells)
    numbers = [float(word) for word in words if _is_number(word)]
    gone = np.isnan(column.numbers) | np.isin(column.numbers, numbers)
    return Gaps(column, name, gone, np.where(gone, np.nan, column.numbers))


def _is_number(word: str) -> bool:
    try:
        return math.isfinite(float(word))
    except ValueError:
        return False


def filled_in(cells: npt.NDArray[Any], gone: Bools, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The cells with the values in the gaps."""
    out = cells.copy()
    out[gone] = values[gone]
    return out


def known(values: npt.NDArray[Any]) -> Bools:
    if values.dtype.kind == "O":
        return np.array([value is not None for value in values], dtype=np.bool_)
    found: Bools = np.isfinite(values)
    return found


def mean_sd(gaps: Gaps, values: Floats) -> tuple[float | None, float | None]:
    """Only of what may be averaged, dates apart."""
    if not gaps.is_number or gaps.stored != "number":
        return None, None
    x = values[np.isfinite(values)]
    if not len(x):
        return None, None
    found = moments(x)
    return _finite(found.mean), _finite(found.sd) if len(x) > 1 else None


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def value_words(gaps: Gaps, values: npt.NDArray[Any]) -> str | None:
    """What was put in, where it is one value or a few words; of numbers the range stands in its own columns."""
    put = values[known(values)]
    distinct = list(dict.fromkeys(put.tolist()))
    if not distinct or gaps.stored == "datetime" or not (gaps.is_text or gaps.column.is_categorical):
        return None
    if len(distinct) > 3:
        return f"{len(distinct)} 种取值"
    labels = {level.value: level.label for level in gaps.column.all_levels}
    return "、".join(str(labels.get(value, shown(value))) for value in distinct)


def groups_of(group: list[Column], rows: int) -> list[npt.NDArray[np.int64]]:
    """Rows of each group, in order; rows whose group is missing belong to none."""
    if not group:
        return [np.arange(rows)]
    codes = np.zeros(rows, dtype=np.int64)
    gone = np.zeros(rows, dtype=np.bool_)
    for column in group:
        codes = codes * (len(column.levels) + 1) + column.codes
        gone |= column.missing
    return [np.flatnonzero((codes == one) & ~gone) for one in np.unique(codes[~gone])]


def places_of(order: Column) -> Floats:
    """Where each row stands: a number or date itself, else the place of its category."""
    if order.info.storage != "text":
        return order.numbers
    return np.where(order.missing, np.nan, order.codes.astype(np.float64))


def most_frequent(cells: npt.NDArray[Any]) -> Any:
    """The most frequent value; of several the first in order."""
    if cells.dtype.kind != "O":
        values, counts = np.unique(cells, return_counts=True)
        return float(values[np.argmax(counts)])
    tally: dict[Any, int] = {}
    for cell in cells:
        tally[cell] = tally.get(cell, 0) + 1
    best = max(tally.values())
    return min(value for value, n in tally.items() if n == best)
