"""Whole numbers of more digits than a double holds: the reader rounds them, the file may still have them all.

Spreadsheet programs keep 15 digits of an identity card, but libraries write a number out as it is. Only where the
reader met such a number is the part of the sheet looked through once more.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from hengxi.data.decide import MAX_DIGITS
from hengxi.data.meta import Warn
from hengxi.data.workbook.guard import unpacked
from hengxi.data.workbook.references import number
from hengxi.data.workbook.sheet_names import sheet_names

LARGEST = 10**MAX_DIGITS
LONGEST = 1e20
"""Larger ones are measured, no codes."""
SURE_ZEROS = 3
"""Zeros behind the 15th digit, in all cells together, that are no chance."""
_LONG = re.compile(rb"v>([+-]?\d{%d,})</(?:\w+:)?v>" % (MAX_DIGITS + 1))
_CELL = re.compile(rb"""<(?:\w+:)?c\s[^>]*?\br\s*=\s*["']([A-Z]{1,3})(\d{1,7})["']""")
_BEFORE = 16_384
"""Bytes in which a cell begins before its value: a formula may stand between."""

Long = tuple[int, int, str]


def in_sheet(path: Path, sheet: str, name: str) -> Iterator[Long]:
    """(row, column, digits) of the long numbers that the file has in full, row by row, counted from 0."""
    part = next((part for part, title in sheet_names(path).items() if title == sheet), "")
    if not part:
        return
    with zipfile.ZipFile(path) as book:
        entry = book.getinfo(part)
    tail = b""
    for piece in unpacked(path, entry, name):
        data = tail + piece
        for match in _LONG.finditer(data):
            if match.end() <= len(tail):
                continue
            start = data.rfind(b"r=", max(match.start() - _BEFORE, 0), match.start())
            begin = max(data.rfind(b"<", 0, start + 1), 0)
            if cell := _CELL.match(data, begin):
                yield int(cell[2]) - 1, number(cell[1]) - 1, match[1].decode().lstrip("+")
        tail = data[-_BEFORE:]


def spelt(rows: Iterable[list[Any]], first: int, shift: int, longs: Iterator[Long]) -> Iterator[list[Any]]:
    """Rows of a sheet, from row `first` on, with the digits of the file in place of rounded numbers."""
    long = next(longs, None)
    for place, row in enumerate(rows, first):
        while long is not None and long[0] <= place:
            column = long[1] - shift
            if long[0] == place and 0 <= column < len(row) and isinstance(row[column], float):
                row[column] = long[2]
            long = next(longs, None)
        yield row


def is_long(cell: Any) -> bool:
    return isinstance(cell, float) and LARGEST <= abs(cell) < LONGEST


def are_cut(cells: pa.Array) -> bool:
    """Whether the file itself has no more than the first digits of what was typed: of numbers, or of their digits."""
    if pa.types.is_floating(cells.type) or pa.types.is_integer(cells.type):
        values = np.unique(cells.drop_null().to_numpy(zero_copy_only=False).astype(np.float64))
        values = values[(abs(values) >= LARGEST) & (abs(values) < LONGEST)]
        return bool((abs(values) >= 2.0**53).any()) or _have_zeros([str(int(value)) for value in values[:1000]])
    words = cells.drop_null().to_pylist()
    return _have_zeros([word for word in words if len(word.lstrip("-")) > MAX_DIGITS and word.lstrip("-").isdigit()])


def _have_zeros(words: list[str]) -> bool:
    """Nothing but zeros behind the 15th digit, in so many places that it is no chance."""
    ends = [word.lstrip("-")[MAX_DIGITS:] for word in words]
    return not any(end.strip("0") for end in ends) and sum(map(len, ends)) >= SURE_ZEROS


def cut_digit_warnings(names: list[str]) -> list[Warn]:
    """A warning with the names of the columns whose digits are gone."""
    if not names:
        return []
    listed = "、".join(f"“{name}”" for name in names[:5]) + (f" 等 {len(names)} 列" if len(names) > 5 else "")
    text = (
        f"{listed}中有超过 {MAX_DIGITS} 位的数字。原文件没有存下全部数字（表格软件只保留前 {MAX_DIGITS} 位），"
        "不同的编号可能变得相同。请在表格软件中把这一列设为文本，从原来的系统重新导出后再上传。"
    )
    return [Warn(code="numbers.cut", text=text, facts={"names": names[:50], "count": len(names)})]
