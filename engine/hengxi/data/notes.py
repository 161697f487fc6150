"""Lines below a table that are no rows of it: 注：…, 数据来源：…."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from hengxi.data.meta import Warn

MOST = 10
"""Lines at the end that are looked at."""
_NOTE = re.compile(
    r"\s*(?:[*※#]|[（(]?\s*(?:注|备注|附注|说明|数据来源|资料来源|来源|制表|填表|单位|截至|notes?|sources?|remarks?)\s*\d*\s*"
    r"(?:[:：.、）)]|人|日期|时间))",
    re.IGNORECASE,
)


def notes_at_end(rows: Sequence[Sequence[Any]], width: int | None = None) -> list[str]:
    """The lines below the table, from the first that is a note on: each has one cell of words alone.

    A line of a table of one column is a row of it. Where a comma of the note separates, it has not the table's `width`.
    """
    place = len(rows)
    first = None
    while place > 0 and len(rows) - place < MOST:
        cells = [cell for cell in rows[place - 1] if not _is_blank(cell)]
        torn = width is not None and len(rows[place - 1]) != width and bool(cells) and _NOTE.match(str(cells[0]))
        if (len(cells) > 1 and not torn) or (cells and not isinstance(cells[0], str)):
            break
        place -= 1
        if cells and _NOTE.match(cells[0]):
            first = place
    if first is None or not any(sum(not _is_blank(cell) for cell in row) > 1 for row in rows[:first]):
        return []
    return [next((cell.strip() for cell in row if not _is_blank(cell)), "") for row in rows[first:]]


def _is_blank(cell: Any) -> bool:
    return cell is None or (isinstance(cell, str) and not cell.strip())


def footnote_warnings(notes: Iterable[str]) -> list[Warn]:
    lines = [note for note in notes if note]
    if not lines:
        return []
    first = lines[0] if len(lines[0]) <= 40 else f"{lines[0][:40]}…"
    text = f"表格下面的 {len(lines)} 行说明没有作为数据读入（“{first}”）。"
    return [Warn(code="rows.note", text=text, facts={"count": len(lines), "lines": lines})]


def without_notes(
    batches: Iterable[tuple[list[list[Any]], int]], notes: list[str]
) -> Iterator[tuple[list[list[Any]], int]]:
    """Batches of rows (with the empty rows left out) but for the lines below the table, which go to `notes`."""
    held: tuple[list[list[Any]], int] | None = None
    for rows, blank in batches:
        if held is None:
            held = rows, blank
        elif len(rows) < MOST:  # the lines may begin in the batch before
            held = [*held[0], *rows], held[1] + blank
        else:
            yield held
            held = rows, blank
    if held is None:
        return
    rows, blank = held
    notes += notes_at_end(rows)
    yield rows[: len(rows) - len(notes)], blank
