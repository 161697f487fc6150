"""A new version out of an old one: variables added or changed, rows chosen, columns left out; the old one stays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from msgspec import UNSET, UnsetType

from hengxi.contract.derived import COPY, Answers, Made, Part, Words
from hengxi.data import cases, store
from hengxi.data.arrays import RAW, Bools, decoded, one_chunk
from hengxi.data.describe import describe_one, storage_of
from hengxi.data.finish import publish
from hengxi.data.levels import label_of
from hengxi.data.meta import Column, Imputed, Level, Meta, Missing
from hengxi.data.names import tidy
from hengxi.data.rewording import reword
from hengxi.data.table import Table
from hengxi.data.writing import shrink, write_data

Rows = npt.NDArray[np.int64]
WHOLE = 2.0**53


@dataclass
class Derived:
    """The new version, not yet stored. `ids`: id of each `Made`, in order; `renamed`: names that were taken already."""

    table: Table
    ids: list[str]
    renamed: dict[str, str]

    def write(self, key: str) -> Meta:
        """Stored under a new key; nothing remains if it fails."""
        return write(self.table, store.table_path(key))


def write(table: Table, target: Path) -> Meta:
    """A table in memory as a folder."""
    meta = msgspec.convert(table.meta.wire(), Meta)
    shrunk = {column.id: shrink(column, table.source.array(column.id)) for column in meta.columns}
    with store.work_folder(target.parent) as work:
        part = work / "table"
        part.mkdir()
        meta.sha256 = write_data(table.source, shrunk, part, lambda _: None)
        publish(meta, part, target)
    return meta


def derive(
    table: Table,
    changes: list[Made],
    *,
    index: Rows | None = None,
    removed: set[str] | frozenset[str] = frozenset(),
    first: int = 0,
    why: str = "",
    copies: int | None = None,
    origins: list[int] | None = None,
    words: Sequence[Words] = (),
    order: Sequence[str] | None = None,
    sets: Sequence[Answers] = (),
) -> Derived:
    """`made[i].values` has a cell for every row of the result; `index` lists the rows of `table` that make it.

    −1 stands for a new, empty row; `origins` are those of the new rows (`cases`), in their order.

    Untouched cells stay as they lie in the file (user-missing codes, text of a column read as numbers).
    `words`, `order` and `sets` are of the result: see `Words`, `Answers`.
    """
    meta = msgspec.convert(table.meta.wire(), Meta)
    meta.data, meta.sha256 = None, {}
    replaced = {one.source.id: one for one in changes if one.replaces}
    arrays: dict[str, pa.ChunkedArray] = {}
    columns: list[Column] = []
    for column in meta.columns:
        if column.id in removed:
            continue
        _keep(table, column, replaced.get(column.id), index, arrays)
        columns.append(column)
    new = [one for one in changes if not one.replaces]
    names, _ = tidy([*(column.name for column in columns), *(one.name for one in new)])
    highest = max((int(column.id[1:]) for column in table.meta.columns), default=0)
    start = max(highest + 1, first)
    for i, (one, name) in enumerate(zip(new, names[len(columns) :], strict=True)):
        columns.append(_added(one, f"c{start + i}", name, table, why, arrays))
    _trim_sets(meta, {column.id for column in columns})
    meta.columns, meta.rows = columns, table.rows if index is None else len(index)
    if index is not None or table.source.has(cases.CASES):
        known = cases.origins(table)
        arrays[cases.CASES] = cases.column_of(known if index is None else _origins(known, index, origins))
    data = pa.table(arrays) if arrays else pa.table({"~rows": pa.nulls(meta.rows)})
    fresh = iter(range(start, start + len(new)))
    ids = [one.source.id if one.replaces else f"c{next(fresh)}" for one in changes]
    if copies is not None:
        meta.imputed = Imputed(
            m=copies, column=next(i for i, one in zip(ids, changes, strict=True) if one.name == COPY)
        )
    renamed = {
        one.name: name for one, name in zip(new, names[len(names) - len(new) :], strict=True) if one.name != name
    }
    if words or order or sets:
        reword(table, meta, arrays, words, order, sets)
    return Derived(Table.in_memory(meta, data), ids, renamed)


def _trim_sets(meta: Meta, left: set[str]) -> None:
    """Multiple-answer sets lose the columns that are gone, and go themselves with the last but one; so the copies."""
    if not isinstance(meta.imputed, UnsetType) and meta.imputed.column not in left:
        meta.imputed = UNSET
    if isinstance(meta.sets, UnsetType):
        return
    for one in meta.sets:
        one.columns = [column_id for column_id in one.columns if column_id in left]
    meta.sets = [one for one in meta.sets if len(one.columns) > 1] or UNSET


def head(table: Table, rows: int) -> Table:
    """The first rows, under the metadata of the whole."""
    if table.rows <= rows:
        return table
    data = pa.table({name: table.source.array(name).slice(0, rows) for name in table.source.names})
    return Table.in_memory(msgspec.structs.replace(table.meta, rows=rows), data)


# ---- columns that stay ---------------------------------------------------------------------------------------------
def _keep(
    table: Table, column: Column, change: Made | None, index: Rows | None, arrays: dict[str, pa.ChunkedArray]
) -> None:
    if change is not None and change.parts is not None:
        _laid(column, change, arrays)
        return
    physical = _taken(table.source.array(column.id), index)
    if change is None:
        arrays[column.id] = physical
        if table.source.has(column.id + RAW):
            arrays[column.id + RAW] = _taken(table.source.array(column.id + RAW), index)
        if index is not None:
            describe_one(column, physical, declared=True)
        return
    arrays[column.id] = pa.chunked_array([_overwritten(table, column, change, physical, index)])
    column.storage = storage_of(arrays[column.id].type)  # type: ignore[assignment]
    column.physical = UNSET
    column.ordered = change.ordered or (column.ordered and change.keeps_words)
    column.measure = change.measure or column.measure
    if not change.keeps_words:
        column.levels = _levels(change)
        column.missing_labels, column.clock = UNSET, UNSET
    describe_one(column, arrays[column.id], declared=change.measure is not None or change.keeps_words)


def _taken(column: pa.ChunkedArray, index: Rows | None) -> pa.ChunkedArray:
    return column if index is None else column.take(pa.array(index, mask=index < 0))


def _laid(column: Column, change: Made, arrays: dict[str, pa.ChunkedArray]) -> None:
    """Cells of other columns, one below the other, under the words of `column`."""
    parts: list[Part] = change.parts or []
    cells, texts = [], []
    for part in parts:
        lies, raw = (None, None) if part.column is None else part.column.physical
        rows = part.rows if lies is None else len(lies) if part.index is None else len(part.index)
        cells.append(pa.nulls(rows) if lies is None else _plain(_taken(lies, part.index)))
        texts.append(pa.nulls(rows, pa.string()) if raw is None else _plain(_taken(raw, part.index)))
    known = [one.type for one in cells if one.type != pa.null()]
    kind = _common(known)
    arrays[column.id] = pa.chunked_array([one_chunk(pa.chunked_array([one])).cast(kind) for one in cells], kind)
    if any(one.null_count < len(one) for one in texts):
        arrays[column.id + RAW] = pa.chunked_array([one.cast(pa.string()) for one in texts], pa.string())
    if change.then is not None:
        for key in (column.id, column.id + RAW):
            if key in arrays:
                arrays[key] = _taken(arrays[key], change.then)
    column.storage = storage_of(kind) if column.stored == column.storage else column.storage  # type: ignore[assignment]
    if column.measure == "定类" and column.levels is not None and len(parts) > 1:
        column.levels = [level for level in column.levels if level.label != label_of(level.value)] or None
    describe_one(column, arrays[column.id], declared=True)


def _plain(column: pa.ChunkedArray) -> pa.Array:
    return decoded(one_chunk(column))


def _common(kinds: list[pa.DataType]) -> pa.DataType:
    """One kind for the parts: whole numbers and others are numbers, dates with times of day are moments."""
    if not kinds:
        return pa.string()
    if len({"time" if pa.types.is_temporal(kind) else _family(kind) for kind in kinds}) > 1:
        raise ValueError("parts of several kinds make no column")
    if any(pa.types.is_large_string(kind) or pa.types.is_string(kind) for kind in kinds):
        return pa.string()
    if len(set(kinds)) == 1:
        return kinds[0]
    if any(pa.types.is_timestamp(kind) for kind in kinds):
        return pa.timestamp("us")
    return pa.float64() if any(pa.types.is_floating(kind) for kind in kinds) else pa.int64()


def _origins(known: Rows, index: Rows, new: list[int] | None) -> Rows:
    found = np.append(known, -1)[index]
    empty = index < 0
    found[empty] = cases.of_a_step(known, int(empty.sum())) if new is None else new
    return found


def _overwritten(table: Table, column: Column, change: Made, physical: pa.ChunkedArray, index: Rows | None) -> pa.Array:
    """New values where they differ from what was read; elsewhere the cell as it lay, if the kind stays the same."""
    values = array_of(change)
    old = decoded(one_chunk(physical))
    if _family(old.type) != _family(values.type):
        column.missing = Missing()
        return values
    changed = changed_cells(table, column.id, change.values, change.stored, index)
    if pa.types.is_integer(old.type) and pa.types.is_floating(values.type):
        old = old.cast(pa.float64())
    if pa.types.is_integer(values.type):
        # Whole new values in a column with decimals; or codes of the old kept beside them.
        values = values.cast(pa.float64()) if pa.types.is_floating(old.type) else values
    old = old.cast(values.type, safe=False) if old.type != values.type else old
    return pc.if_else(pa.array(changed), values, old)


def changed_cells(table: Table, column_id: str, values: Any, stored: str, index: Rows | None) -> Bools:
    """Where the new value differs from the old one as analyses read it (missing equals missing)."""
    column = table.column(column_id)
    if stored != "text" and column.storage != "text":
        old = table.numeric(column_id)
        old = old if index is None else np.append(old, np.nan)[index]
        new = np.asarray(values, dtype=np.float64)
        differs: Bools = (old != new) & ~(np.isnan(old) & np.isnan(new))
        return differs
    before = table.text(column_id)
    before = before if index is None else np.append(before, np.array([None], dtype=object))[index]
    if stored != "text":
        gained: Bools = _filled(before) | ~np.isnan(values)
        return gained
    texts = np.asarray(values, dtype=object)
    if column.storage != "text":
        either: Bools = _filled(before) | _filled(texts)
        return either
    unlike: Bools = np.not_equal(before, texts).astype(np.bool_)
    return unlike


_NOTHING = np.array(None, dtype=object)


def _filled(texts: npt.NDArray[Any]) -> Bools:
    filled: Bools = np.not_equal(texts, _NOTHING).astype(np.bool_)
    return filled


def _family(kind: pa.DataType) -> str:
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return "number"
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return "text"
    return str(kind)


# ---- columns that come ---------------------------------------------------------------------------------------------
def array_of(column: Made) -> pa.Array:
    """int64 where every number is whole, else float64; texts; dates from days since 1970-01-01."""
    values = column.values
    if column.stored == "text":
        try:
            return pa.array(values, type=pa.string(), from_pandas=False)
        except (pa.ArrowInvalid, pa.ArrowTypeError):  # something else than texts among them
            return pa.array([None if v is None else str(v) for v in values.tolist()], type=pa.string())
    numbers = np.asarray(values, dtype=np.float64)
    gone = ~np.isfinite(numbers)
    if column.stored in ("date", "datetime"):
        return _moments(numbers, gone, column.stored)
    known = numbers[~gone]
    if len(known) and bool(np.all(known == np.floor(known))) and float(np.abs(known).max()) < WHOLE:
        return pa.array(np.where(gone, 0, numbers).astype(np.int64), mask=gone)
    return pa.array(np.where(gone, 0.0, numbers), mask=gone)


def _moments(days: npt.NDArray[np.float64], gone: Bools, stored: str) -> pa.Array:
    whole = np.where(gone, 0.0, days)
    if stored == "date" or bool(np.all(whole == np.floor(whole))):
        return pa.array(np.floor(whole).astype(np.int32), mask=gone).cast(pa.date32())
    return pa.array(np.round(whole * 86_400_000_000.0).astype(np.int64), mask=gone).cast(pa.timestamp("us"))


def _added(
    change: Made, column_id: str, name: str, table: Table, why: str, arrays: dict[str, pa.ChunkedArray]
) -> Column:
    if change.parts is not None:
        column = msgspec.convert(msgspec.to_builtins(change.source.info), Column)
        column.id, column.name, column.label = column_id, name, change.label
        _laid(column, change, arrays)
        return column
    array = array_of(change)
    arrays[column_id] = pa.chunked_array([array])
    if change.keeps_words and change.source is not None:
        source = table.column(change.source.id)
        column = msgspec.convert(msgspec.to_builtins(source), Column)
        column.id, column.name, column.label = column_id, name, change.label
        column.missing, column.missing_labels, column.physical = Missing(), UNSET, UNSET
        column.flags = [flag for flag in column.flags if flag != "标识"]
        if column.measure == "文本" and change.stored == "text":
            column.levels = None
    else:
        column = Column(id=column_id, name=name, label=change.label, measure=change.measure or "文本", storage="text")
        column.levels = _levels(change)
        column.ordered = change.ordered
    column.flags = change.flags or column.flags
    column.storage, column.why = storage_of(array.type), why  # type: ignore[assignment]
    describe_one(column, array, declared=change.measure is not None or change.keeps_words)
    return column


def _levels(one: Made) -> list[Level] | None:
    return [Level(value=value, label=label) for value, label in one.levels] if one.levels else None
