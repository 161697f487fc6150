"""Small tables in memory, typed by the same rules as an import; for tests, examples and results."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from hengxi.data.describe import describe, new_column
from hengxi.data.meta import Meta
from hengxi.data.table import Table


def table_of(columns: dict[str, list[Any]], measures: dict[str, str] | None = None) -> Table:
    """`{"年龄": [18, None], "性别": ["男", "女"]}` → a Table with ids c1, c2 …; `measures` overrules by name."""
    arrays = [_array(cells) for cells in columns.values()]
    described = [new_column(i, name, array.type) for i, (name, array) in enumerate(zip(columns, arrays, strict=True))]
    data = pa.table({column.id: array for column, array in zip(described, arrays, strict=True)})
    declared = {column.id for column in described if column.name in (measures or {})}
    for column in described:
        if measures and column.id in declared:
            column.measure, column.why = measures[column.name], "用户指定"  # type: ignore[assignment]
    describe(described, lambda name: data.column(name).combine_chunks(), lambda _: None, declared)
    return Table.in_memory(Meta(data=None, rows=data.num_rows, columns=described), data)


def _array(cells: list[Any]) -> pa.Array:
    array = pa.array(cells, from_pandas=True)
    if pa.types.is_null(array.type):
        return array.cast(pa.string())
    if pa.types.is_integer(array.type):
        return array.cast(pa.int64())
    return array
