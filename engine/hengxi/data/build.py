"""Small tables in memory, typed by the same rules as an import; for tests, examples and results."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from hengxi.data.arrays import finite
from hengxi.data.describe import describe, new_column
from hengxi.data.meta import Column, Meta
from hengxi.data.table import Table


def table_of(columns: dict[str, list[Any]], measures: dict[str, str] | None = None) -> Table:
    """`{"年龄": [18, None], "性别": ["男", "女"]}` → a Table with ids c1, c2 …; `measures` overrules by name."""
    data, described = columns_of(list(columns), [array_of(cells) for cells in columns.values()], measures)
    return Table.in_memory(Meta(data=None, rows=data.num_rows, columns=described), data)


def columns_of(
    names: list[str], arrays: list[pa.Array], measures: dict[str, str] | None = None
) -> tuple[pa.Table, list[Column]]:
    """Arrow columns c1, c2 … and their full metadata."""
    described = [new_column(i, name, array.type) for i, (name, array) in enumerate(zip(names, arrays, strict=True))]
    data = pa.table({column.id: array for column, array in zip(described, arrays, strict=True)})
    declared = {column.id for column in described if column.name in (measures or {})}
    for column in described:
        if measures and column.id in declared:
            column.measure, column.why = measures[column.name], "用户指定"  # type: ignore[assignment]
    describe(described, lambda name: data.column(name).combine_chunks(), lambda _: None, declared)
    return data, described


def array_of(cells: list[Any]) -> pa.Array:
    """A list as an Arrow array: int64, float64, text, date, datetime or bool; None, NaN and infinities are missing."""
    array = pa.array(cells, from_pandas=True)
    if pa.types.is_null(array.type):
        return array.cast(pa.string())
    if pa.types.is_integer(array.type):
        return array.cast(pa.int64())
    return finite(array)[0] if pa.types.is_floating(array.type) else array
