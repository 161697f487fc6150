"""Preview and import of batches of typed columns; what the file promises is counted again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from hengxi.data import clock, decide
from hengxi.data.arrays import ArrowFile, agree, finite, wire_value
from hengxi.data.columnar.index import index_names, index_places, index_warnings, is_counting
from hengxi.data.columnar.kinds import Reader, period_of, reader_of, too_long
from hengxi.data.columnar.known import known_of, take_over
from hengxi.data.describe import storage_of
from hengxi.data.formats import Job, Staged
from hengxi.data.meta import MAX_LEVELS, Check, Column, ColumnReport, Level, Warn, left_out
from hengxi.data.names import tidy
from hengxi.data.refusal import DataRefusal

MAX_CELLS = 2_000_000_000
MAX_ROWS = 20_000_000
MAX_COLUMNS = 20_000
BATCH_CELLS = 2_000_000
FAULTS = (pa.ArrowException, OSError, ValueError, KeyError, IndexError, TypeError, OverflowError, MemoryError)
"""What Arrow raises on hostile bytes."""


class Batches(Protocol):
    """An opened file of columns."""

    schema: pa.Schema
    rows: int | None

    def read(self, places: list[int], size: int) -> Iterator[pa.RecordBatch]: ...


@dataclass
class _Flat:
    """The columns that can be read, by their place in the file."""

    places: list[int]
    names: list[str]
    readers: list[Reader]
    left_out: list[str]
    told: list[Warn]


def damaged(name: str) -> DataRefusal:
    text = f"“{name}”不完整或已损坏，无法读取。请重新导出后再上传。"
    return DataRefusal("columnar.damaged", text, {"name": name})


def check_size(name: str, rows: int, columns: int) -> None:
    """Promised or counted, before anything is allocated. DataRefusal `columnar.size`, `columnar.columns`."""
    if columns > MAX_COLUMNS:
        text = f"文件有 {columns:,} 列，最多支持 {MAX_COLUMNS:,} 列。请拆分后上传。"
        raise DataRefusal("columnar.columns", text, {"columns": columns})
    if rows < 0:
        raise damaged(name)
    if rows > MAX_ROWS or rows * columns > MAX_CELLS:
        text = f"“{name}”有 {rows:,} 行 × {columns:,} 列，超过 {MAX_ROWS:,} 行或 {MAX_CELLS:,} 个单元格。请筛选后上传。"
        raise DataRefusal("columnar.size", text, {"rows": rows, "columns": columns})


def check_names(schema: pa.Schema) -> None:
    """ValueError where a name is no text: Arrow decodes it only when asked."""
    for name in schema.names:
        name.encode("utf-8")


def _flat(file: Batches, name: str) -> _Flat:
    if not len(file.schema):
        raise DataRefusal("file.empty", f"“{name}”中没有列。", {"name": name})
    readers = [_reader(file, i) for i in range(len(file.schema))]
    counting = [i for i in index_places(file.schema) if _is_counting(file, i)]
    places = [i for i, reader in enumerate(readers) if reader and i not in counting]
    if not places:  # nothing but row numbers: then they are the data
        places, counting = [i for i, reader in enumerate(readers) if reader], []
    left = [file.schema.field(i).name for i, reader in enumerate(readers) if not reader]
    if not places:
        text = f"“{name}”中没有可以读取的列（嵌套的列和二进制列不能作变量）。"
        raise DataRefusal("columnar.nested", text, {"columns": left[:50]})
    renamed = index_names(file.schema)
    names = [renamed.get(i, file.schema.field(i).name) for i in places]
    told = index_warnings([renamed[i] for i in places if i in renamed], bool(counting))
    return _Flat(places, names, [reader for i in places if (reader := readers[i])], left, told)


def _is_counting(file: Batches, place: int) -> bool:
    try:
        return is_counting(batch.column(0) for batch in file.read([place], 1 << 17))
    except FAULTS:
        return False  # said where the file is read


def _reader(file: Batches, place: int) -> Reader | None:
    """How a column is read; only its cells tell whether unsigned whole numbers fit."""
    field = file.schema.field(place)
    kind = field.type
    if not pa.types.is_uint64(kind):
        return period_of(field) or reader_of(kind)
    try:
        tops = [pc.max(batch.column(0)).as_py() or 0 for batch in file.read([place], 1 << 17)]
    except FAULTS:
        return reader_of(kind)  # said where the file is read
    return reader_of(pa.int64() if max(tops, default=0) < 2**63 else kind)


def _batches(file: Batches, flat: _Flat, name: str, size: int) -> Iterator[tuple[list[pa.Array], int]]:
    """Converted columns and the infinities left out, batch by batch; a file may hold more rows than it says."""
    rows = 0
    try:
        for batch in file.read(flat.places, size):
            batch.validate(full=True)
            rows += batch.num_rows
            check_size(name, rows, len(flat.places))
            gone = sum(finite(column)[1] for column in batch.columns if pa.types.is_floating(column.type))
            yield [reader.convert(batch.column(i)) for i, reader in enumerate(flat.readers)], gone
    except FAULTS as error:
        raise damaged(name) from error


def preview(job: Job, kind: str, file: Batches) -> dict[str, Any]:
    """First 50 rows and types."""
    flat = _flat(file, job.name)
    names, _ = tidy(flat.names)
    arrays, _ = next(_batches(file, flat, job.name, 50), ([pa.array([], reader.kind) for reader in flat.readers], 0))
    columns = []
    known = known_of(file.schema)
    measures = {one.name: one.measure for one in known.columns} if known else {}
    for own, name, reader, array in zip(flat.names, names, flat.readers, arrays, strict=True):
        storage = storage_of(reader.kind)
        few = array.slice(0, 50).drop_null().unique()
        measure = {"int": "定量", "float": "定量", "date": "时间", "datetime": "时间", "bool": "定类"}.get(storage)
        columns.append(
            {
                "name": name,
                "measure": measures.get(own) or measure or ("定类" if len(few) <= 20 else "文本"),
                "why": "文件中声明" if own in measures else "文件中的类型",
            }
        )
    clocks = [pa.types.is_duration(file.schema.field(place).type) for place in flat.places]
    cells = [
        [
            clock.word(cell) if timed and cell is not None else wire_value(cell)
            for cell in array.slice(0, 50).to_pylist()
        ]
        for array, timed in zip(arrays, clocks, strict=True)
    ]
    return {
        "kind": kind,
        "settings": {},
        "candidates": {},
        "columns": columns,
        "rows": [list(row) for row in zip(*cells, strict=True)],
        "total_rows": file.rows,
    }


def stage(job: Job, file: Batches) -> Staged:
    """Reads the flat columns into an Arrow file. DataRefusal `columnar.*`."""
    flat = _flat(file, job.name)
    schema = pa.schema([(f"c{i + 1}", reader.kind) for i, reader in enumerate(flat.readers)])
    out = job.work / "raw.arrow"
    size = max(256, min(1 << 17, BATCH_CELLS // len(flat.places)))
    sums, rows, infinite = np.zeros(len(flat.places)), 0, 0
    with pa.OSFile(str(out), "wb") as sink, pa.ipc.new_file(sink, schema) as writer:
        for arrays, gone in _batches(file, flat, job.name, size):
            infinite += gone
            batch = pa.RecordBatch.from_arrays(arrays, schema=schema)
            writer.write_batch(batch)
            sums += [_sum(array) for array in arrays]
            rows += batch.num_rows
            job.tick(0.02 + 0.65 * min(rows / max(file.rows or rows, 1), 1), "读取")
    if file.rows is not None and file.rows != rows:
        raise damaged(job.name)
    names, warnings = tidy(flat.names)
    check = _check(names, rows, sums, out)
    long = [i for i, reader in enumerate(flat.readers) if reader.kind == pa.int64() and too_long(_column(out, i))]
    if long:
        out = _as_text(out, long, job.work / "text.arrow")
    columns = _columns(file, flat, names, set(long), rows)
    if flat.left_out:
        text = f"{len(flat.left_out)} 列是嵌套或二进制内容，没有读入：{'、'.join(flat.left_out[:3])}" + (
            " 等。" if len(flat.left_out) > 3 else "。"
        )
        warnings.append(Warn(code="columnar.nested", text=text, facts={"names": flat.left_out[:50]}))
    warnings += [*flat.told, *left_out(infinite)]
    if rows == 0:
        warnings.append(Warn(code="rows.none", text="文件只有列名，没有数据行。"))
    notes: dict[str, ColumnReport] = {}
    staged = Staged(out, columns, notes, {}, check, warnings)
    known = known_of(file.schema)
    if known is not None:
        staged.declared, staged.flags, staged.sets = take_over(known, flat.names, columns)
    return staged


def _columns(file: Batches, flat: _Flat, names: list[str], long: set[int], rows: int) -> list[Column]:
    columns = []
    for i, (place, name, reader) in enumerate(zip(flat.places, names, flat.readers, strict=True)):
        storage = "text" if i in long else storage_of(reader.kind)
        column = Column(id=f"c{i + 1}", name=name, measure="文本", storage=storage)  # type: ignore[arg-type]
        column.why = f"有取值超过 {decide.MAX_DIGITS} 位数字，按编号保留为文本" if i in long else reader.note
        column.unit = reader.unit
        kind = file.schema.field(place).type
        if pa.types.is_duration(kind):
            column.clock = "TIME8"
        if pa.types.is_dictionary(kind) and rows:
            _take_levels(column, file, place, bool(kind.ordered))
        columns.append(column)
    return columns


def _take_levels(column: Column, file: Batches, place: int, ordered: bool) -> None:
    """The dictionary of the first batch gives the order of the levels; values it lacks follow."""
    array = next(file.read([place], 1024)).column(0)
    values = [wire_value(value) for value in array.dictionary.to_pylist()] if hasattr(array, "dictionary") else []
    if column.storage == "text" and 0 < len(values) <= MAX_LEVELS and all(isinstance(v, str) and v for v in values):
        column.levels = [Level(value=value, label=str(value)) for value in dict.fromkeys(values)]
        column.ordered = ordered


def _sum(array: pa.Array) -> float:
    numeric = pa.types.is_integer(array.type) or pa.types.is_floating(array.type)
    return float(pc.sum(array.cast(pa.float64(), safe=False)).as_py() or 0.0) if numeric else 0.0


def _column(out: Path, place: int) -> pa.ChunkedArray:
    return ArrowFile(out).array(f"c{place + 1}")


def _as_text(out: Path, places: list[int], target: Path) -> Path:
    """The staged file again, with some columns of whole numbers as their digits."""
    wanted = {f"c{i + 1}" for i in places}
    with pa.memory_map(str(out)) as raw, pa.ipc.open_file(raw) as old:
        schema = pa.schema([(f.name, pa.large_string() if f.name in wanted else f.type) for f in old.schema])
        with pa.OSFile(str(target), "wb") as sink, pa.ipc.new_file(sink, schema) as writer:
            for place in range(old.num_record_batches):
                writer.write_batch(old.get_batch(place).cast(schema))
    out.unlink()
    return target


def _check(names: list[str], rows: int, sums: Any, out: Path) -> Check:
    """Sums of the batches as read against those of the staged file."""
    source = ArrowFile(out)
    compared = False
    for i, name in enumerate(names):
        stored = source.array(f"c{i + 1}")
        if not (pa.types.is_integer(stored.type) or pa.types.is_floating(stored.type)):
            continue
        compared = True
        with np.errstate(over="ignore", invalid="ignore"):
            again = float(np.sum([_sum(chunk) for chunk in stored.chunks]))
        if not agree(again, sums[i]):
            text = f"读入的数据前后不一致（{name}），已停止导入，原文件未受影响。请联系我们。"
            raise DataRefusal("import.check", text, {"column": name})
    width = len(names)
    compared = compared and rows > 0
    text = f"原文件 {rows:,} 行 × {width} 列；已读 {rows:,} × {width}" + ("；数值列合计一致" if compared else "")
    return Check(
        raw_rows=rows, raw_columns=width, rows=rows, columns=width, sums="same" if compared else "none",
        checked_rows=rows, text=text,
    )  # fmt: skip
