"""A text or a pattern replaced in the cells of some columns or of all: one step, asked again when it is replayed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from hengxi.data import cells, clock, store
from hengxi.data.arrays import Bools, wire_value
from hengxi.data.derive import write
from hengxi.data.evaluate import rows_where
from hengxi.data.meta import Column, Meta
from hengxi.data.refusal import DataRefusal
from hengxi.data.seeking import Sought, names_of, shown_words
from hengxi.data.special import letters_of
from hengxi.data.table import Table
from hengxi.data.values import dictionary, indices

SAMPLES = 20
"""Changed cells told of each column."""
_CLOCK = re.compile(r"(-?)(\d{1,6}):([0-5]\d)(?::([0-5]\d(?:\.\d+)?))?")


@dataclass
class Change:
    """The rows of one column that change, and what each becomes."""

    rows: npt.NDArray[np.int64]
    new: list[Any]


def replace(key: str, body: dict[str, Any]) -> dict[str, Any]:
    """`{table: newKey, seek, with, condition?}` → meta of the new version and `told`.

    `told`: {cells, rows, columns: [{id, cells}], samples: [{row, column, old, new}]}. Only in rows that the condition
    keeps. A result that the type of its column does not take is refused with its cell: DataRefusal `cells.*`, `seek.*`.
    """
    table = Table.open(key)
    by = str(body.get("with") or "")
    if len(by) > cells.LONGEST:
        raise DataRefusal("seek.with", f"替换内容最多 {cells.LONGEST:,} 个字。", {"length": len(by)})
    condition = str(body.get("condition") or "").strip()
    keep = rows_where(table, condition) if condition else None
    derived, told = replaced(table, Sought.read(body["seek"]), by, keep)
    meta = write(derived, store.table_path(body["table"]))
    return {**meta.wire(), "told": told}


def with_fresh(table: Table, body: dict[str, Any], hit: dict[str, Any]) -> dict[str, Any]:
    """A row that was looked for (`seeking.find`), with what its cells would become where `with` is told.

    `fresh`: column → {old, value}, or {fault} where the column does not take it.
    """
    if body.get("with") is None or hit["row"] is None:
        return hit
    sought, row = Sought.read(body["seek"]), np.array([hit["number"]], dtype=np.int64)
    keep = np.zeros(table.rows, dtype=np.bool_)
    keep[row] = True
    fresh: dict[str, dict[str, Any]] = {}
    for column_id in hit["columns"]:
        column = table.column(column_id)
        old = wire_value(table.shown(column_id, row)[0])
        try:
            change = _change(table, column, sought, str(body["with"]), keep)
        except DataRefusal as refusal:
            fresh[column_id] = {"fault": refusal.text}
            continue
        new = old if change is None else wire_value(change.new[0])
        fresh[column_id] = {"old": old, "value": letters_of(column).get(new, new)}
    return {**hit, "fresh": fresh}


def replaced(table: Table, sought: Sought, by: str, keep: Bools | None) -> tuple[Table, dict[str, Any]]:
    meta = msgspec.convert(table.meta.wire(), Meta)
    meta.data, meta.sha256 = None, {}
    arrays = {name: table.source.array(name) for name in table.source.names}
    wanted = set(sought.ids(table))
    touched = np.zeros(table.rows, dtype=np.bool_)
    columns: list[dict[str, Any]] = []
    samples: list[dict[str, Any]] = []
    for column in meta.columns:
        change = _change(table, column, sought, by, keep) if column.id in wanted else None
        if change is None:
            continue
        touched[change.rows] = True
        columns.append({"id": column.id, "cells": len(change.rows)})
        samples += _samples(table, column, change)
        cells.overwrite(table, column, change.rows, change.new, arrays)
    summary = {
        "cells": sum(one["cells"] for one in columns),
        "rows": int(np.count_nonzero(touched)),
        "columns": columns,
        "samples": samples,
    }
    return Table.in_memory(meta, pa.table(arrays)), summary


def _change(table: Table, column: Column, sought: Sought, by: str, keep: Bools | None) -> Change | None:
    """Worked out once for each distinct value, not for each cell."""
    encoded = dictionary(table.array(column.id))
    places = indices(encoded)
    words = shown_words(encoded.dictionary, column, sought.labels)
    hit: Bools = np.append(sought.matched(words), False)[places]
    if keep is not None:
        hit &= keep
    rows = np.flatnonzero(hit)
    if not len(rows):
        return None
    entries, first = np.unique(places[rows], return_index=True)
    old = words.take(pa.array(entries))
    read = _reader(column, sought)
    fresh: dict[int, Any] = {}
    for entry, before, after, at in zip(
        entries.tolist(), old.to_pylist(), sought.rewritten(old, by).to_pylist(), rows[first].tolist(), strict=True
    ):
        if after != before:
            fresh[entry] = read(after, at)
    changes = np.zeros(len(words) + 1, dtype=np.bool_)
    changes[list(fresh)] = True
    rows = rows[changes[places[rows]]]
    return Change(rows, [fresh[entry] for entry in places[rows].tolist()]) if len(rows) else None


def _reader(column: Column, sought: Sought) -> Any:
    """A new text as a value of the column: by its label where labels are shown, else as if it were typed."""
    named = {name: value for value, name in names_of(column).items()} if sought.labels else {}

    def read(text: str, row: int) -> Any:
        if text in named:
            return cells.read(named[text], column, row)
        match = _CLOCK.fullmatch(text.strip()) if clock.is_clock(column) else None
        if match:
            seconds = int(match[2]) * 3600 + int(match[3]) * 60 + float(match[4] or 0)
            return cells.read(-seconds if match[1] else seconds, column, row)
        return cells.read(text, column, row)

    return read


def _samples(table: Table, column: Column, change: Change) -> list[dict[str, Any]]:
    first = change.rows[:SAMPLES]
    before = table.shown(column.id, first)
    return [
        {"row": int(row), "column": column.id, "old": wire_value(old), "new": wire_value(new)}
        for row, old, new in zip(first, before, change.new, strict=False)
    ]
