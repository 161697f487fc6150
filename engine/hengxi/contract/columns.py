"""What `run` reads: a column in the rows used, with values, codes and levels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from .few_values import FewValues
from .measures import ColumnInfo, is_number, title_of

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]


_BLOCK = 1 << 16
_FEW = 16
"""Up to here looking for each code in turn is quicker than counting all at once, which needs wider codes."""


def tally(codes: npt.NDArray[np.integer[Any]], k: int) -> npt.NDArray[np.int64]:
    """How often each of the codes 0 … k − 1 occurs; −1 is not counted. In blocks: no wider copy of all codes."""
    if k <= _FEW:
        return np.array([np.count_nonzero(codes == i) for i in range(k)], dtype=np.int64)
    found = np.zeros(k + 1, dtype=np.int64)
    for start in range(0, len(codes), _BLOCK):
        found += np.bincount(codes[start : start + _BLOCK].astype(np.int64) + 1, minlength=k + 1)
    return found[1:]


@dataclass(frozen=True)
class Level:
    """One category; `count` is the number of rows in the rows used, `code` its place in `Column.codes`."""

    value: Any
    label: str
    count: int
    code: int


class Cells(Protocol):
    """Where a column's cells come from (a stored table, or a frame in a test)."""

    @property
    def rows(self) -> int: ...

    def numeric(self, column_id: str) -> Floats: ...

    def few(self, column_id: str) -> FewValues | None: ...

    def codes(self, column_id: str) -> tuple[Ints, Sequence[Any]]: ...

    def text(self, column_id: str) -> npt.NDArray[np.object_]: ...

    def missing_kinds(self, column_id: str) -> tuple[Ints, Sequence[Any]]: ...

    def physical(self, column_id: str) -> tuple[Any, Any]: ...

    def identities(self, column_id: str) -> npt.NDArray[np.int64]: ...

    def cell(self, column_id: str, row: int) -> Any: ...

    def release(self) -> None: ...


class Column:
    """A variable. Cells are read when first asked for, and only in the rows used; arrays are read-only.

    `id` is its identity; `name` and `label` are the user's words and never keys. `values` is float64 for numbers
    and dates, text otherwise; `codes` counts levels from 0 and holds −1 for missing.
    """

    def __init__(self, info: ColumnInfo, cells: Cells, rows: npt.NDArray[np.int64] | None) -> None:
        self.info = info
        self._cells, self._rows = cells, rows

    # ---- what it is ------------------------------------------------------------------------------------------------
    @property
    def id(self) -> str:
        return self.info.id

    @property
    def name(self) -> str:
        return self.info.name

    @property
    def label(self) -> str | None:
        return self.info.label

    @property
    def title(self) -> str:
        """What a report calls it."""
        return title_of(self.info)

    @property
    def measure(self) -> str:
        return self.info.measure

    @property
    def ordered(self) -> bool:
        return self.info.ordered

    @property
    def unit(self) -> str | None:
        return self.info.unit

    @property
    def decimals(self) -> int:
        return self.info.decimals

    @property
    def is_number(self) -> bool:
        return is_number(self.info)

    @property
    def is_categorical(self) -> bool:
        """Does the user call it categories? (A number with few values is a number.)"""
        return self.info.measure == "定类"

    def __repr__(self) -> str:
        return f"Column({self.id}, {self.name!r})"

    # ---- its cells -------------------------------------------------------------------------------------------------
    @property
    def physical(self) -> tuple[Any, Any]:
        """The cells as they lie in the table, all rows of it, and the text of the file beside them or None."""
        return self._cells.physical(self.id)

    def cell(self, row: int) -> Any:
        """One cell as it is analysed: None where it is missing; a date as it is written."""
        at = row if self._rows is None else int(self._rows[row])
        return self._cells.cell(self.id, at)

    @property
    def identities(self) -> npt.NDArray[np.int64]:
        """Equal numbers for equal cells (codes that count as missing are values here), −1 where a cell is empty."""
        return self._pick(self._cells.identities(self.id))

    def _pick(self, whole: npt.NDArray[Any]) -> npt.NDArray[Any]:
        picked = whole if self._rows is None else whole.take(self._rows)
        if picked.flags.writeable:
            picked.flags.writeable = False
        return picked

    @cached_property
    def numbers(self) -> Floats:
        """float64; NaN is missing. Dates are days since 1970-01-01."""
        return self._pick(self._cells.numeric(self.id))

    @cached_property
    def few(self) -> FewValues | None:
        """Small codes where the column holds a few whole numbers: an eighth of the memory of `numbers`, and of the
        time that goes through it. None for any other column."""
        found = self._cells.few(self.id)
        return found if found is None or self._rows is None else found.among(self._rows)

    def let_go(self) -> None:
        """Gives back the memory of what was read of the file so far, of all columns; to be called when a copy has been
        made. Arrays stay valid: cells looked at again are read again."""
        self._cells.release()

    @cached_property
    def text(self) -> npt.NDArray[np.object_]:
        """Cells as people write them; None is missing."""
        return self._pick(self._cells.text(self.id))

    @cached_property
    def values(self) -> npt.NDArray[Any]:
        return self.numbers if self.info.storage != "text" else self.text

    @cached_property
    def row_numbers(self) -> npt.NDArray[np.int64]:
        """The file's row number (from 1) of each row used, to point back to the data."""
        return np.arange(1, len(self) + 1) if self._rows is None else self._rows + 1

    @cached_property
    def _coded(self) -> tuple[Ints, list[Any]]:
        codes, levels = self._cells.codes(self.id)
        return self._pick(codes), list(levels)

    @property
    def distinct_known(self) -> int | None:
        """How many different values there are, where all rows are used: known without reading a cell."""
        return self.info.profile.distinct if self._rows is None else None

    @property
    def distinct_least(self) -> int:
        """So many different values there are at least, known without reading a cell: a row left out takes one away."""
        profile = self.info.profile
        return profile.distinct if self._rows is None else profile.distinct - (profile.n + profile.missing - len(self))

    @cached_property
    def all_levels(self) -> list[Level]:
        """Every level the file knows, in its order, with counts in the rows used (0 where it does not occur there)."""
        codes, levels = self._coded
        counts = tally(codes, len(levels))
        return [Level(one.value, one.label, int(counts[i]), i) for i, one in enumerate(levels)]

    @cached_property
    def levels(self) -> list[Level]:
        """The levels that occur in the rows used; `codes` counts along this list."""
        occurring = [level for level in self.all_levels if level.count > 0]
        return [Level(one.value, one.label, one.count, i) for i, one in enumerate(occurring)]

    @cached_property
    def codes(self) -> Ints:
        """int32 along `levels`; −1 is missing."""
        codes, levels = self._coded
        present = [i for i, level in enumerate(self.all_levels) if level.count > 0]
        if len(present) == len(levels):
            return codes
        place = np.full(len(levels) + 1, -1, dtype=np.int32)
        place[present] = np.arange(len(present), dtype=np.int32)
        return place[codes]  # the last place catches −1

    @cached_property
    def _missing_coded(self) -> tuple[Ints, list[Any]]:
        codes, kinds = self._cells.missing_kinds(self.id)
        return self._pick(codes), list(kinds)

    @cached_property
    def missing_kinds(self) -> list[Level]:
        """The codes declared missing that occur in the rows used (99 “拒答”); `missing_codes` counts along it."""
        codes, kinds = self._missing_coded
        if not kinds:
            return []
        counts = np.bincount(codes[codes >= 0], minlength=len(kinds))
        found = [Level(kind.value, kind.label, int(n), 0) for kind, n in zip(kinds, counts, strict=True) if n > 0]
        return [Level(kind.value, kind.label, kind.count, i) for i, kind in enumerate(found)]

    @cached_property
    def missing_codes(self) -> Ints:
        """int32 along `missing_kinds`; −1 where the cell is valid or empty."""
        codes, kinds = self._missing_coded
        counts = np.bincount(codes[codes >= 0], minlength=len(kinds))
        place = np.full(len(kinds) + 1, -1, dtype=np.int32)
        kept = np.flatnonzero(counts)
        place[kept] = np.arange(len(kept), dtype=np.int32)
        return place[codes]

    @property
    def labels(self) -> list[str]:
        return [level.label for level in self.levels]

    @cached_property
    def varies(self) -> bool:
        """Are there at least two different values in the rows used?"""
        cells: npt.NDArray[Any] = self._coded[0] if self.info.storage == "text" else self.numbers
        known = cells[~self.missing] if self.missing.any() else cells
        return bool(len(known)) and bool(known.min() < known.max())

    @cached_property
    def missing(self) -> npt.NDArray[np.bool_]:
        if self.info.storage == "text":
            declared = self.info.missing
            if "_coded" in self.__dict__ or declared.values or declared.ranges:
                return self._coded[0] < 0
            return np.asarray(self.identities < 0)  # levels of a million different texts need not be listed
        if "few" in self.__dict__ and self.few is not None:  # read already
            return np.asarray(self.few.codes == 0)
        return np.isnan(self.numbers)

    def __len__(self) -> int:
        return self._cells.rows if self._rows is None else len(self._rows)

    def where(self, level: Level) -> npt.NDArray[np.bool_]:
        """The rows of one level (of this column's `levels`, or of a `level` field)."""
        match = next((one for one in self.levels if one.value == level.value), None)
        return np.zeros(len(self), dtype=bool) if match is None else self.codes == match.code
