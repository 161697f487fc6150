"""The second opinion of an import: cells read again by Python and compared with the stored numbers, one by one."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import pyarrow as pa

from hengxi.data.arrays import ArrowFile, Floats, as_floats
from hengxi.data.decide import MAX_DIGITS
from hengxi.data.readings import NUMBER, holds_numbers

WHOLE = 300_000
"""Tables up to this many cells are compared whole, larger ones in blocks spread over the file."""
BLOCKS, ROWS = 8, 300
_NUMBER = re.compile(NUMBER)


def verify(
    path: Path, marks: list[tuple[int, int]], delimiter: str, quote: str, columns: int, numeric: list[int], arrow: Path
) -> tuple[int, str | None]:
    """(rows compared, id of the first column that differs or None). `marks` = (row, byte) where rows begin."""
    table = ArrowFile(arrow)
    if not numeric or not table.rows:
        return 0, None
    table.release()  # opening it reads the heads of all its batches, and what stands around them
    if table.rows * columns <= WHOLE:
        places, most = marks[:1], table.rows
    else:
        step = max(len(marks) // BLOCKS, 1)
        places, most = marks[::step][:BLOCKS], max(min(ROWS, WHOLE // columns // BLOCKS), 1)
    typed = {place: table.array(f"c{place + 1}") for place in numeric[: WHOLE // 100]}
    compared = 0
    for first, at in places:
        rows = [row or [""] for row in islice(_rows(path, at, delimiter, quote), min(most, table.rows - first))]
        compared += len(rows)
        for place, values in typed.items():
            if not _same([row[place] for row in rows], as_floats(values.slice(first, len(rows)))):
                return compared, f"c{place + 1}"
    return compared, None


def _rows(path: Path, at: int, delimiter: str, quote: str) -> Iterator[list[str]]:
    with path.open("rb") as raw:
        raw.seek(at)
        lines = io.TextIOWrapper(raw, encoding="utf-8-sig", newline="")
        if quote:
            yield from csv.reader(lines, delimiter=delimiter, quotechar=quote)
        else:
            yield from csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE)


def _same(cells: list[str], values: Floats) -> bool:
    """Every plain number equal to the stored one, every empty cell missing; converted cells are judged elsewhere.

    A number beyond the largest is missing in the table.
    """
    if holds_numbers(cells):  # as nearly all are
        read = np.fromiter(map(float, cells), np.float64, len(cells))
        return bool(np.array_equal(np.where(np.isinf(read), np.nan, read), values, equal_nan=True))
    stripped = [cell.strip() for cell in cells]
    fits = [bool(_NUMBER.fullmatch(cell)) for cell in stripped]
    raw = np.array([float(cell) if ok else math.nan for cell, ok in zip(stripped, fits, strict=True)])
    plain = np.isfinite(raw)  # 1e400 is beyond the largest number
    empty = np.array([cell == "" for cell in stripped], dtype=np.bool_)
    return bool(np.array_equal(raw[plain], values[plain])) and bool(np.isnan(values[empty]).all())


def too_long(column: pa.ChunkedArray) -> bool:
    """A whole number of more digits than a double holds exactly."""
    pieces = [piece.drop_null().to_numpy(zero_copy_only=False) for piece in column.chunks]
    most = 10**MAX_DIGITS  # numpy finds the largest ten times as fast as Arrow does
    return any(len(cells) > 0 and (cells.max() >= most or cells.min() <= -most) for cells in pieces)
