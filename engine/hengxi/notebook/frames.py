"""Any data frame → a table of ours, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from hengxi.data.arrays import finite
from hengxi.data.build import columns_of
from hengxi.data.describe import describe_one
from hengxi.data.levels import label_of
from hengxi.data.meta import Column, Level, Meta
from hengxi.data.table import Table
from hengxi.notebook.names import unknown

MEASURES = ("定量", "定类", "时间", "文本")


def table(
    data: Any,
    measures: Mapping[str, str] | None = None,
    levels: Mapping[str, Sequence[Any]] | None = None,
    labels: Mapping[str, Mapping[Any, str]] | None = None,
) -> Table:
    """A table in memory from a frame (pandas, Polars, Arrow: whatever speaks Arrow's interface), a dict of columns or
    a file of any format the product imports.

    `measures`: 定量, 定类, 时间 or 文本 by name of the variable. `levels`: the order of its values, which makes it
    ordered. `labels`: what its codes are called. Raises UnknownName for a variable that is not there, TypeError for
    what is no frame, ValueError for a measure there is none of.
    """
    if isinstance(data, Table):
        read = data
    elif isinstance(data, str | Path):
        from hengxi.data.files import open_file

        read = open_file(Path(data))
    else:
        read = _in_memory(_arrow(data), dict(measures or {}))
        measures = None
    described = read.meta.columns
    names = [column.name for column in described]
    for name in [*(measures or {}), *(levels or {}), *(labels or {})]:
        if name not in names:
            raise unknown("变量", name, names)
    if not (measures or levels or labels):
        return read
    changed = [_declared(read, column, measures or {}, levels or {}, labels or {}) for column in described]
    return read.with_meta(msgspec.structs.replace(read.meta, columns=changed))


def _arrow(data: Any) -> pa.Table:
    if isinstance(data, pd.DataFrame):
        unnamed = data.reset_index(drop=True)
        unnamed.columns = [str(name) for name in unnamed.columns]
        return pa.table({name: _array(unnamed[name]) for name in unnamed.columns})
    if isinstance(data, Mapping):
        return pa.table({str(name): pa.array(list(cells), from_pandas=True) for name, cells in data.items()})
    if hasattr(data, "__arrow_c_stream__"):
        return pa.table(data)
    raise TypeError(f"要一个数据框（pandas、Polars、Arrow）、按列的 dict 或文件路径，得到的是 {type(data).__name__}")


def _array(series: pd.Series) -> pa.Array:
    """A column of a frame; one that mixes kinds (numbers with words) becomes text, as in a file."""
    try:
        return pa.Array.from_pandas(series)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return pa.array([None if pd.isna(cell) else str(cell) for cell in series], pa.string())


def _in_memory(frame: pa.Table, measures: dict[str, str]) -> Table:
    names = list(frame.column_names)
    for name, measure in measures.items():
        if name not in names:
            raise unknown("变量", name, names)
        _check_measure(name, measure)
    chunks = [frame.column(name).combine_chunks() for name in names]
    order = {name: _categories(chunk) for name, chunk in zip(names, chunks, strict=True)}
    data, columns = columns_of(names, [_plain(chunk) for chunk in chunks], measures)
    for column in columns:
        if (values := order[column.name]) and column.name not in measures:
            _order(column, values, {}, lambda c: data.column(c.id).combine_chunks())
    return Table.in_memory(Meta(data=None, rows=data.num_rows, columns=columns), data)


def _check_measure(name: str, measure: str) -> None:
    if measure not in MEASURES:
        raise ValueError(f"“{name}”的测量尺度“{measure}”不是 {'、'.join(MEASURES)} 之一")


def _categories(array: pa.Array) -> list[Any]:
    """The values of a categorical column in the order of its frame, ordered ones only."""
    return array.dictionary.to_pylist() if pa.types.is_dictionary(array.type) and array.type.ordered else []


def _plain(array: pa.Array) -> pa.Array:
    """An Arrow array in one of the types a table holds; NaN and infinities are missing."""
    kind = array.type
    if pa.types.is_dictionary(kind):
        array = array.dictionary_decode()
        kind = array.type
    if pa.types.is_null(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return array.cast(pa.string())
    if pa.types.is_integer(kind):
        return array.cast(pa.int64())
    if pa.types.is_decimal(kind) or pa.types.is_floating(kind):
        return finite(array.cast(pa.float64()))[0]
    if pa.types.is_timestamp(kind):
        return array.cast(pa.timestamp("us", kind.tz)).cast(pa.timestamp("us"))
    if pa.types.is_date(kind):
        return array.cast(pa.date32())
    if pa.types.is_string(kind) or pa.types.is_boolean(kind):
        return array
    if pa.types.is_duration(kind) or pa.types.is_time(kind):
        return pc.cast(array.cast(pa.int64()), pa.float64())
    return pa.array([None if cell is None else str(cell) for cell in array.to_pylist()], pa.string())


def _declared(
    table: Table,
    column: Column,
    measures: Mapping[str, str],
    levels: Mapping[str, Sequence[Any]],
    labels: Mapping[str, Mapping[Any, str]],
) -> Column:
    """A copy of the column with what the caller says of it."""
    name = column.name
    if name not in {*measures, *levels, *labels}:
        return column
    column = msgspec.structs.replace(column)
    if name in measures:
        _check_measure(name, measures[name])
        column.measure, column.why = measures[name], "用户指定"  # type: ignore[assignment]
        describe_one(column, table.array(column.id), declared=True)
    if name in levels or name in labels:
        _order(column, list(levels.get(name, ())), labels.get(name, {}), lambda c: table.array(c.id))
    return column


def _order(column: Column, values: list[Any], labels: Mapping[Any, str], array: Any) -> None:
    """Levels in the order given, then those not named; an order given makes the variable ordered."""
    column.measure, column.why = "定类", "用户指定"
    describe_one(column, array(column), declared=True)
    there = {level.value: level for level in column.levels or []}
    known = [value for value in values if value in there]
    column.levels = [
        Level(value=value, label=labels.get(value, there[value].label or label_of(value)), count=there[value].count)
        for value in [*known, *(value for value in there if value not in known)]
    ]
    column.ordered = column.ordered or bool(values)


def frame_of(table: Table) -> pd.DataFrame:
    """All cells of a table as a pandas data frame, variables by name, missing codes as they stand."""
    every = np.arange(table.rows)
    return pd.DataFrame({column.name: table.cells(column.id, every) for column in table.meta.columns})
