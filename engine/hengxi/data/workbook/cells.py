"""Cells of a sheet → Arrow arrays. A column holds numbers, texts and moments side by side until its type is settled."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from hengxi.data.arrays import finite, number_text

MAX_WHOLE = 1e15
_NUMBER, _TEXT, _MOMENT = pa.float64(), pa.string(), pa.timestamp("us")
_MIDNIGHT = 86_400_000_000


_PLAIN = {float, str, datetime, type(None)}


@dataclass
class Cells:
    """One column, gathered batch by batch; the arrays of a batch have the same length, None = nothing of that kind."""

    sizes: list[int] = field(default_factory=list)
    numbers: list[pa.Array | None] = field(default_factory=list)
    texts: list[pa.Array | None] = field(default_factory=list)
    moments: list[pa.Array | None] = field(default_factory=list)
    truths: list[pa.Array | None] = field(default_factory=list)
    """Which of the numbers are TRUE and FALSE: among texts these are words."""
    counts: dict[str, int] = field(default_factory=lambda: {"number": 0, "text": 0, "moment": 0, "bool": 0})
    sum: float = 0.0
    largest: float = 0.0
    infinite: int = 0
    """Numbers beyond the largest that a table can hold: they are left out, and counted."""

    def add(self, cells: Sequence[Any]) -> None:
        """Adds a batch of cells as the reader gives them ('' is empty)."""
        first = type(cells[0]) if cells else None
        if first is float and (array := _array_if(cells, _NUMBER)) is not None:
            return self._push(len(cells), array, None, None)
        if first is str and (array := _array_if(cells, _TEXT)) is not None:
            texts = pc.if_else(pc.equal(array, ""), None, array) if "" in cells else array
            return self._push(len(cells), None, texts, None)
        kinds = set(map(type, cells))
        if kinds <= _PLAIN:
            numbers = [cell if type(cell) is float else None for cell in cells] if float in kinds else None
            words = [cell if type(cell) is str and cell else None for cell in cells] if str in kinds else None
            moments = [cell if type(cell) is datetime else None for cell in cells] if datetime in kinds else None
            self._push(len(cells), _array(numbers, _NUMBER), _array(words, _TEXT), _array(moments, _MOMENT))
        else:
            self._mixed(cells)

    def _mixed(self, cells: Sequence[Any]) -> None:
        numbers: list[float | None] = [None] * len(cells)
        texts: list[str | None] = [None] * len(cells)
        moments: list[datetime | None] = [None] * len(cells)
        truths: list[bool | None] = [None] * len(cells)
        known = self.counts["bool"]
        for i, cell in enumerate(cells):
            if isinstance(cell, bool):
                numbers[i], truths[i] = float(cell), cell
                self.counts["bool"] += 1
            elif isinstance(cell, (float, int)):
                numbers[i] = float(cell)
            elif isinstance(cell, datetime):
                moments[i] = cell
            elif isinstance(cell, date):
                moments[i] = datetime(cell.year, cell.month, cell.day)
            elif cell != "" and cell is not None:
                texts[i] = words(cell)
        self._push(len(cells), _array(numbers, _NUMBER), _array(texts, _TEXT), _array(moments, _MOMENT))
        self.truths[-1] = _array(truths, pa.bool_()) if self.counts["bool"] > known else None

    def _push(self, size: int, numbers: pa.Array | None, texts: pa.Array | None, moments: pa.Array | None) -> None:
        self.sizes.append(size)
        self.truths.append(None)
        if numbers is not None and not math.isfinite(pc.sum(numbers).as_py() or 0.0):
            numbers, gone = finite(numbers)
            self.infinite += gone
        for key, pieces, array in (
            ("number", self.numbers, numbers),
            ("text", self.texts, texts),
            ("moment", self.moments, moments),
        ):
            found = 0 if array is None else size - array.null_count
            pieces.append(array if found else None)
            self.counts[key] += found
        if numbers is not None:
            plain = numbers.drop_null() if numbers.null_count else numbers
            self.sum += float(np.sum(plain.to_numpy()))
            if abs(self.sum) >= MAX_WHOLE:  # hardly ever: only then is a second look worth its time
                self.largest = max(self.largest, float(np.max(np.abs(plain.to_numpy()), initial=0.0)))

    def _joined(self, pieces: list[pa.Array | None], kind: pa.DataType) -> pa.Array:
        """One array of all batches."""
        arrays = [
            pa.nulls(size, kind) if piece is None else piece for size, piece in zip(self.sizes, pieces, strict=True)
        ]
        return pa.concat_arrays(arrays) if arrays else pa.nulls(0, kind)

    def forget(self) -> None:
        """Lets go of the cells: sheets are large."""
        self.sizes, self.numbers, self.texts, self.moments, self.truths = [], [], [], [], []

    @property
    def empty(self) -> bool:
        return not any(self.counts.values())

    def settled(self) -> pa.Array | None:
        """The typed column where all cells are of one kind, else None (it is then decided from its text)."""
        numbers, texts, moments = self.counts["number"], self.counts["text"], self.counts["moment"]
        if texts == 0 and moments == 0:
            array = self._joined(self.numbers, _NUMBER)
            if numbers and self.counts["bool"] == numbers:
                return array.cast(pa.bool_())
            return _whole(array)
        if numbers == 0 and texts == 0:
            array = self._joined(self.moments, _MOMENT)
            micros = array.drop_null().cast(pa.int64()).to_numpy(zero_copy_only=False)
            return array if (micros % _MIDNIGHT).any() else array.cast(pa.date32())
        return None

    def as_text(self) -> pa.Array:
        """All cells as text, as a csv of the sheet would hold them."""
        shown = self._joined(self.texts, _TEXT)
        for pieces, kind, word in (
            (self.truths, pa.bool_(), truth),
            (self.numbers, _NUMBER, number_text),
            (self.moments, _MOMENT, stamp),
        ):
            if any(piece is not None for piece in pieces):
                cells = self._joined(pieces, kind).to_pylist()
                shown = pc.coalesce(shown, pa.array([word(cell) for cell in cells], _TEXT))
        return shown


def _array_if(cells: Sequence[Any], kind: pa.DataType) -> pa.Array | None:
    """The cells as an array if all of them are of the kind: asking Arrow is cheaper than looking at each first."""
    try:
        return pa.array(cells, kind)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return None


def _array(cells: list[Any] | None, kind: pa.DataType) -> pa.Array | None:
    return None if cells is None else pa.array(cells, kind)


def _whole(array: pa.Array) -> pa.Array:
    """Whole numbers that a double holds exactly as int64."""
    plain = array.drop_null().to_numpy(zero_copy_only=False)
    if len(plain) and bool(((plain == plain.round()) & (abs(plain) < MAX_WHOLE)).all()):
        return array.cast(pa.int64())
    return array


def truth(cell: bool | None) -> str | None:
    return None if cell is None else str(cell).upper()


def stamp(moment: datetime | None) -> str | None:
    if moment is None:
        return None
    shown = moment.strftime("%Y-%m-%d" if moment.time() == time(0) else "%Y-%m-%d %H:%M:%S")
    return shown + _fraction(moment.microsecond)


def words(cell: Any) -> str:
    """Times of day and durations have no date: they stay text, as shown in the sheet, to the fraction of a second."""
    if isinstance(cell, timedelta):
        length = abs(cell)
        seconds = length.days * 86_400 + length.seconds
        sign = "-" if cell < timedelta(0) else ""
        shown = f"{sign}{seconds // 3600}:{seconds % 3600 // 60:02d}:{seconds % 60:02d}"
        return shown + _fraction(length.microseconds)
    if isinstance(cell, time):
        return cell.strftime("%H:%M:%S") + _fraction(cell.microsecond)
    return str(cell)


def _fraction(micros: int) -> str:
    """Parts of a day are rounded in the last of their digits: what is below a thousandth of a second is no part."""
    thousandths = round(micros / 1000)
    return f".{thousandths:03d}".rstrip("0") if 0 < thousandths < 1000 else ""
