"""Cells typed into one version, written into another: where they stand there, and what was changed there since."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hengxi.data import cases
from hengxi.data.arrays import wire_value
from hengxi.data.meta import Column
from hengxi.data.table import Table

MOST_TOLD = 100


@dataclass
class Carried:
    """`cells` as they are to be written, with what they were typed over (`was`) and what stands there now (`now`)."""

    cells: list[dict[str, Any]] = field(default_factory=list)
    gone: int = 0


def preview(key: str, body: dict[str, Any]) -> dict[str, Any]:
    """`{of: key of the table the cells were typed into, cells}` → `{gone, both, both_total}`; nothing is written.

    `both`: cells that were changed there too, [{row, column, old, now, value}], the first hundred.
    """
    carried = carry(Table.open(key), Table.open(body["of"]), list(body["cells"]))
    both = [
        {"row": cell["row"], "column": cell["column"], "old": cell["was"], "now": cell["now"], "value": cell["value"]}
        for cell in carried.cells
        if is_theirs(cell)
    ]
    return {"gone": carried.gone, "both": both[:MOST_TOLD], "both_total": len(both)}


def is_theirs(cell: dict[str, Any]) -> bool:
    """Was the cell changed by somebody else since it was read, to something other than what is typed here?"""
    return bool(cell["now"] != cell["was"] and cell["now"] != cell["value"])


def carry(table: Table, of: Table, wanted: list[dict[str, Any]]) -> Carried:
    """Rows by their case, columns by their id, or by their name where the id is another variable's by now."""
    inside = [cell for cell in wanted if 0 <= int(cell["row"]) < of.rows]
    at = cases.rows_of(table, cases.cases_at(of, [int(cell["row"]) for cell in inside]))
    carried = Carried(gone=len(wanted) - len(inside))
    by_column: dict[str, list[tuple[dict[str, Any], int]]] = {}
    for cell, row in zip(inside, at, strict=True):
        if row is None:
            carried.gone += 1
        else:
            by_column.setdefault(str(cell["column"]), []).append((cell, row))
    for column_id, cells in by_column.items():
        column = _same(table, of, column_id)
        if column is None:
            carried.gone += len(cells)
            continue
        before = _values(of, column_id, [int(cell["row"]) for cell, _ in cells])
        after = _values(table, column.id, [row for _, row in cells])
        for (cell, row), was, now in zip(cells, before, after, strict=True):
            value = cell.get("value")
            carried.cells.append({"row": row, "column": column.id, "value": value, "was": was, "now": now})
    return carried


def _same(table: Table, of: Table, column_id: str) -> Column | None:
    known = of.column(column_id)
    here = {column.id: column for column in table.meta.columns}
    same = here.get(column_id)
    if same is not None and same.name == known.name:
        return same
    named = next((column for column in table.meta.columns if column.name == known.name), None)
    if named is not None:
        return named
    # Renamed: the id is the variable's own unless its new name is one that the other table knows as well.
    others = {column.name for column in of.meta.columns}
    return same if same is not None and same.name not in others else None


def _values(table: Table, column_id: str, rows: list[int]) -> list[Any]:
    return [wire_value(value) for value in table.shown(column_id, np.array(rows, dtype=np.int64))]
