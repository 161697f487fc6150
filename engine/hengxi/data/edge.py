"""Ctrl and an arrow: from a cell to the edge of its block of filled cells, or over a gap to the next one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from hengxi.data import pages
from hengxi.data.arrays import Bools
from hengxi.data.table import Table


def edge(key: str, body: dict[str, Any]) -> dict[str, int]:
    """`{row, column, to, sort, condition, find}` → `{row, column}`: where the jump ends.

    `row` counts places in the view (sorted, filtered), `column` those in the table, both from 0; `to` is down, up,
    right or left. As in a spreadsheet: from a filled cell to the last filled one before a gap, from the rim of a block
    or a gap to the next filled cell, where there is none to the last row or column. Codes for no answer are filled.
    """
    table = Table.open(key)
    columns = [column.id for column in table.meta.columns]
    order = pages.view(table, body.get("sort") or [], body.get("condition"), body.get("find"))
    if not columns or not len(order):
        return {"row": 0, "column": 0}
    row = min(max(int(body["row"]), 0), len(order) - 1)
    column = min(max(int(body["column"]), 0), len(columns) - 1)
    to = body["to"]
    if to in ("right", "left"):
        place = int(order[row])
        step = 1 if to == "right" else -1
        end = _along(column, step, len(columns), lambda at: _blank_at(table, columns[at], place))
        return {"row": row, "column": end}
    blank = _blank(table, columns[column])[order]
    if to == "down":
        return {"row": row + _jump(blank[row:]), "column": column}
    return {"row": row - _jump(blank[row::-1]), "column": column}


def _jump(blank: Bools) -> int:
    """Steps from the first of these cells to where the jump over them ends."""
    ahead = blank[1:]
    if not len(ahead):
        return 0
    if blank[0] or ahead[0]:
        return int(np.argmin(ahead)) + 1 if not ahead.all() else len(ahead)
    return int(np.argmax(ahead)) if ahead.any() else len(ahead)


def _along(at: int, step: int, columns: int, is_blank: Callable[[int], bool]) -> int:
    """The same from column to column, reading no further than the end of the jump."""
    places: Iterator[int] = iter(range(at + step, columns if step > 0 else -1, step))
    last = at
    first = next(places, None)
    if first is None:
        return at
    if is_blank(at) or is_blank(first):
        for last in (first, *places):
            if not is_blank(last):
                break
        return last
    last = first
    for place in places:
        if is_blank(place):
            break
        last = place
    return last


def _blank(table: Table, column_id: str) -> Bools:
    if _is_read(table, column_id):
        unread: Bools = np.isnan(table.numeric(column_id))
        return unread
    return np.concatenate([_empty(chunk) for chunk in table.source.array(column_id).chunks] or [np.zeros(0, np.bool_)])


def _blank_at(table: Table, column_id: str, place: int) -> bool:
    if _is_read(table, column_id):
        return bool(np.isnan(table.numeric(column_id)[place]))
    return bool(_empty(table.source.array(column_id).slice(place, 1).chunk(0))[0])


def _is_read(table: Table, column_id: str) -> bool:
    """A text declared a number: what is none is shown as missing."""
    column = table.column(column_id)
    return column.storage != "text" and column.stored == "text"


def _empty(cells: pa.Array) -> Bools:
    """Cells the grid shows as missing without being told to: null and the empty text."""
    flags: Bools = cells.is_null(nan_is_null=True).to_numpy(zero_copy_only=False)
    if pa.types.is_dictionary(cells.type):
        words = cells.dictionary
        if pa.types.is_string(words.type) and (empty := pc.index(words, "").as_py()) >= 0:
            flags = flags | pc.equal(cells.indices, empty).fill_null(True).to_numpy(zero_copy_only=False)
    elif pa.types.is_string(cells.type) or pa.types.is_large_string(cells.type):
        flags = flags | pc.equal(cells, "").fill_null(True).to_numpy(zero_copy_only=False)
    return flags
