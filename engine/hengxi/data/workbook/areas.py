"""The part of a sheet that is the table: chosen as A3:F40, or proposed where a sheet holds several tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hengxi.data.refusal import DataRefusal
from hengxi.data.workbook.references import number

_CELL = re.compile(r"\$?([A-Z]{1,3})\$?(\d{1,7})")
MOST = 6
"""So many tables of a sheet are proposed."""
ABOVE = 3
"""Lines of a title and of headings over several columns that may stand above a header."""


@dataclass(frozen=True)
class Area:
    """Rows and columns counted from 0, the end not included; `bottom` None = to the last row."""

    top: int = 0
    left: int = 0
    bottom: int | None = None
    right: int | None = None

    @property
    def whole(self) -> bool:
        return self == Area()

    def row(self, cells: list[Any], shift: int) -> list[Any]:
        """The cells of a row that belong to it; the row begins in column `shift` of the sheet."""
        end = None if self.right is None else max(self.right - shift, 0)
        return cells[max(self.left - shift, 0) : end]

    def moved(self, shift: int) -> Area:
        """The same area of rows that begin in column `shift`, counted from the corner of the sheet."""
        right = None if self.right is None else self.right + shift
        return Area(self.top, self.left + shift, self.bottom, right)

    @property
    def text(self) -> str:
        """As the spreadsheet writes it; an open end is left out: C3:F."""
        if self.whole:
            return ""
        last = "" if self.right is None else _letters(self.right)
        return f"{_letters(self.left + 1)}{self.top + 1}:{last}{self.bottom if self.bottom is not None else ''}"


def area_of(given: Any) -> Area:
    """`A3:F40`, `A3:F` (to the last row) or empty for the whole sheet. DataRefusal `xlsx.range`."""
    text = str(given or "").strip().upper().replace("：", ":")
    if not text:
        return Area()
    start, _, end = text.partition(":")
    first, last = _CELL.fullmatch(start), re.fullmatch(r"\$?([A-Z]{1,3})\$?(\d{1,7})?", end)
    if first and last:
        left, top = number(first[1].encode()) - 1, int(first[2]) - 1
        right, bottom = number(last[1].encode()), int(last[2]) if last[2] else None
        if left < right and top >= 0 and (bottom is None or top < bottom):
            return Area(top, left, bottom, right)
    raise DataRefusal(
        "xlsx.range", f"“{str(given)[:40]}”不是单元格区域，请写成 A3:F40 的样子。", {"given": str(given)[:40]}
    )


def tables(rows: Sequence[Sequence[Any]], more: bool) -> list[Area]:
    """Areas of the tables that empty rows or columns keep apart in the first rows; none where there is but one.

    `more`: the sheet goes on below the rows seen, so a table that reaches their end is open.
    """
    parts = _split(rows, Area(0, 0, len(rows), max(map(len, rows), default=0)))
    sure = [area for area in parts if _is_table(rows, area)]
    found = [area for area in parts if area in sure or any(_stands_apart(rows, area, other) for other in sure)]
    if len(found) < 2:
        return []
    return [Area(a.top, a.left, None if more and a.bottom == len(rows) else a.bottom, a.right) for a in found[:MOST]]


def _split(rows: Sequence[Sequence[Any]], area: Area, depth: int = 4) -> list[Area]:
    bottom, right = area.bottom or 0, area.right or 0
    lines = [any(cell != "" for cell in row[area.left : right]) for row in rows[area.top : bottom]]
    bands = [(area.top + a, area.top + b) for a, b in _runs(lines)]
    out: list[Area] = []
    for top, end in bands:
        used = [any(row[i] != "" for row in rows[top:end] if i < len(row)) for i in range(area.left, right)]
        parts = [Area(top, area.left + a, end, area.left + b) for a, b in _runs(used)]
        if len(parts) == 1 or depth == 0:
            out += parts
        else:
            for part in parts:
                out += _split(rows, part, depth - 1)
    return out


def _runs(flags: list[bool]) -> list[tuple[int, int]]:
    runs, start = [], None
    for place, flag in enumerate([*flags, False]):
        if flag and start is None:
            start = place
        elif not flag and start is not None:
            runs.append((start, place))
            start = None
    return runs


def _is_table(rows: Sequence[Sequence[Any]], area: Area) -> bool:
    """A header of words over at least one row with a number: a title is none, and what a blank row cuts off neither.

    Its own title and headings over several columns may stand above the header.
    """
    lines = [row[area.left : area.right] for row in rows[area.top : area.bottom]]
    above = 0
    while above < min(ABOVE, len(lines) - 2) and _is_heading(lines[above]):
        above += 1
    header, *below = lines[above:]
    names = [cell for cell in header if cell != ""]
    worded = len(names) > 1 and all(isinstance(cell, str) for cell in names)
    return worded and any(cell != "" and not isinstance(cell, str) for row in below for cell in row)


def _is_heading(line: Sequence[Any]) -> bool:
    """Words with gaps between or after them, as merged cells leave them."""
    words = [cell for cell in line if cell != ""]
    return 0 < len(words) < len(line) and all(isinstance(cell, str) for cell in words)


def _stands_apart(rows: Sequence[Sequence[Any]], area: Area, other: Area) -> bool:
    """Words only, but under a full header of their own, and in other columns, or other rows, than the table `other`."""
    header, *below = [row[area.left : area.right] for row in rows[area.top : area.bottom]]
    names = [cell for cell in header if isinstance(cell, str) and cell != ""]
    full = len(names) > 1 and len(set(names)) == len(header) and len(below) > 1
    beside = area.top == other.top
    return full and (area.bottom != other.bottom if beside else (area.left, area.right) != (other.left, other.right))


def cell_name(row: int, column: int) -> str:
    """As the spreadsheet calls a cell: C2. Counted from 0."""
    return f"{_letters(column + 1)}{row + 1}"


def _letters(number: int) -> str:
    text = ""
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(65 + rest) + text
    return text
