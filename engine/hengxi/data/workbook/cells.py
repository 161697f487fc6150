"""Cells of a sheet → Arrow arrays. A column holds numbers, texts and moments side by side until its type is settled."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from hengxi.data.arrays import number_text

MAX_WHOLE = 1e15
_MIDNIGHT = 86_400_000_000


@dataclass
class Cells:
    """One column, gathered batch by batch; the three arrays of a batch have the same length."""

    numbers: list[pa.Array] = field(default_factory=list)
    texts: list[pa.Array] = field(default_factory=list)
    moments: list[pa.Array] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=lambda: {"number": 0, "text": 0, "moment": 0, "bool": 0})
    sum: float = 0.0

    def add(self, cells: list[Any]) -> None:
        """Adds a batch of cells as the reader gives them ('' is empty)."""
        kinds = set(map(type, cells))
        if kinds <= {float}:
            self._push(pa.array(cells, pa.float64()), None, None, len(cells))
        elif kinds <= {str}:
            texts = pa.array(cells, pa.string())
            self._push(None, pc.if_else(pc.equal(texts, ""), None, texts), None, len(cells))
        else:
            self._mixed(cells)

    def _mixed(self, cells: list[Any]) -> None:
        numbers: list[float | None] = [None] * len(cells)
        texts: list[str | None] = [None] * len(cells)
        moments: list[datetime | None] = [None] * len(cells)
        for i, cell in enumerate(cells):
            if isinstance(cell, bool):
                numbers[i] = float(cell)
                self.counts["bool"] += 1
            elif isinstance(cell, (float, int)):
                numbers[i] = float(cell)
            elif isinstance(cell, datetime):
                moments[i] = cell
            elif isinstance(cell, date):
                moments[i] = datetime(cell.year, cell.month, cell.day)
            elif cell != "" and cell is not None:
                texts[i] = words(cell)
        size = len(cells)
        self._push(
            pa.array(numbers, pa.float64()), pa.array(texts, pa.string()), pa.array(moments, pa.timestamp("us")), size
        )

    def _push(self, numbers: pa.Array | None, texts: pa.Array | None, moments: pa.Array | None, size: int) -> None:
        numbers = pa.nulls(size, pa.float64()) if numbers is None else numbers
        texts = pa.nulls(size, pa.string()) if texts is None else texts
        moments = pa.nulls(size, pa.timestamp("us")) if moments is None else moments
        self.numbers.append(numbers)
        self.texts.append(texts)
        self.moments.append(moments)
        self.counts["number"] += size - numbers.null_count
        self.counts["text"] += size - texts.null_count
        self.counts["moment"] += size - moments.null_count
        self.sum += float(np.sum(numbers.drop_null().to_numpy(zero_copy_only=False)))

    @property
    def empty(self) -> bool:
        return not any(self.counts.values())

    def settled(self) -> pa.Array | None:
        """The typed column where all cells are of one kind, else None (it is then decided from its text)."""
        numbers, texts, moments = self.counts["number"], self.counts["text"], self.counts["moment"]
        if texts == 0 and moments == 0:
            array = pa.concat_arrays(self.numbers) if self.numbers else pa.nulls(0, pa.float64())
            if numbers and self.counts["bool"] == numbers:
                return array.cast(pa.bool_())
            return _whole(array)
        if numbers == 0 and texts == 0:
            array = pa.concat_arrays(self.moments)
            micros = array.drop_null().cast(pa.int64()).to_numpy(zero_copy_only=False)
            return array if (micros % _MIDNIGHT).any() else array.cast(pa.date32())
        return None

    def as_text(self) -> pa.Array:
        """All cells as text, as a csv of the sheet would hold them."""
        out = []
        for numbers, texts, moments in zip(self.numbers, self.texts, self.moments, strict=True):
            shown = texts
            if numbers.null_count < len(numbers):
                shown = pc.coalesce(shown, pa.array([number_text(v) for v in numbers.to_pylist()], pa.string()))
            if moments.null_count < len(moments):
                shown = pc.coalesce(shown, pa.array([stamp(v) for v in moments.to_pylist()], pa.string()))
            out.append(shown)
        return pa.concat_arrays(out) if out else pa.nulls(0, pa.string())


def _whole(array: pa.Array) -> pa.Array:
    """Whole numbers that a double holds exactly as int64."""
    plain = array.drop_null().to_numpy(zero_copy_only=False)
    if len(plain) and bool(((plain == plain.round()) & (abs(plain) < MAX_WHOLE)).all()):
        return array.cast(pa.int64())
    return array


def stamp(moment: datetime | None) -> str | None:
    if moment is None:
        return None
    return moment.strftime("%Y-%m-%d" if moment.time() == time(0) else "%Y-%m-%d %H:%M:%S")


def words(cell: Any) -> str:
    """Times of day and durations have no date: they stay text, as shown in the sheet."""
    if isinstance(cell, timedelta):
        seconds = int(cell.total_seconds())
        return f"{seconds // 3600}:{seconds % 3600 // 60:02d}:{seconds % 60:02d}"
    if isinstance(cell, time):
        return cell.strftime("%H:%M:%S")
    return str(cell)
