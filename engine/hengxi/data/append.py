"""New columns: kept by an analysis as a small table of their own, later joined to a version as its next one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa

from hengxi.data import store
from hengxi.data.arrays import RAW, Source, finite
from hengxi.data.build import array_of, columns_of
from hengxi.data.cases import CASES
from hengxi.data.finish import publish
from hengxi.data.meta import Column, Meta
from hengxi.data.names import tidy
from hengxi.data.refusal import DataRefusal
from hengxi.data.table import Table
from hengxi.data.writing import shrink, write_data


class _Joined:
    """Columns of several sources under new names."""

    def __init__(self, rows: int, parts: dict[str, tuple[Source, str]]) -> None:
        self.rows, self._parts = rows, parts

    @property
    def names(self) -> list[str]:
        return list(self._parts)

    def has(self, name: str) -> bool:
        return name in self._parts

    def array(self, name: str) -> pa.ChunkedArray:
        source, own = self._parts[name]
        return source.array(own)

    def release(self) -> None:
        for source, _ in self._parts.values():
            source.release()


def write_columns(key: str, columns: dict[str, np.ndarray[Any, Any]]) -> Meta:
    """A table of new columns (name → values of all rows: floats with NaN, or objects with None) under a new key."""
    arrays = [
        finite(pa.array(values, from_pandas=True))[0] if values.dtype.kind == "f" else array_of(values.tolist())
        for values in columns.values()
    ]
    names, _ = tidy(list(columns))
    data, described = columns_of(names, arrays)
    table = Table.in_memory(Meta(data=None, rows=data.num_rows, columns=described), data)
    return keep(table, store.table_path(key))


def keep(table: Table, target: Path) -> Meta:
    """A table in memory into a folder that is not there yet."""
    _store(table.meta, table.source, target)
    return table.meta


def append(key: str, body: dict[str, Any]) -> dict[str, Any]:
    """`{table: newKey, from: key, columns?: [ids in from], first?: lowest number of the new ids}` → meta.

    The version `key` with columns of `from` added: names made unique, ids going on after the highest (or `first`).
    DataRefusal `append.rows` if the tables differ in length.
    """
    base, other = Table.open(key), Table.open(body["from"])
    if base.rows != other.rows:
        text = f"两份数据的行数不同（{base.rows:,} 与 {other.rows:,}），不能合并列。"
        raise DataRefusal("append.rows", text, {"rows": base.rows, "other": other.rows})
    wanted = body.get("columns") or [column.id for column in other.meta.columns]
    highest = max((int(column.id[1:]) for column in base.meta.columns), default=0)
    first = max(highest + 1, int(body.get("first") or 0))
    meta = msgspec.convert(base.meta.wire(), Meta)
    meta.data = None
    added = [msgspec.convert(msgspec.to_builtins(other.column(column_id)), Column) for column_id in wanted]
    names, _ = tidy([column.name for column in [*meta.columns, *added]])
    parts: dict[str, tuple[Source, str]] = {}
    for column in meta.columns:
        for suffix in ("", RAW):
            if base.source.has(column.id + suffix):
                parts[column.id + suffix] = (base.source, column.id + suffix)
    if base.source.has(CASES):
        parts[CASES] = (base.source, CASES)
    for place, (column, name) in enumerate(zip(added, names[len(meta.columns) :], strict=True)):
        own, column.id, column.name = column.id, f"c{first + place}", name
        for suffix in ("", RAW):
            if other.source.has(own + suffix):
                parts[column.id + suffix] = (other.source, own + suffix)
    meta.columns += added
    _store(meta, _Joined(base.rows, parts), store.table_path(body["table"]))
    return meta.wire()


def _store(meta: Meta, source: Source, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shrunk = {column.id: shrink(column, source.array(column.id)) for column in meta.columns}
    with store.work_folder(target.parent) as work:
        part = work / "table"
        part.mkdir()
        meta.sha256 = write_data(source, shrunk, part, lambda _: None)
        publish(meta, part, target)
