"""One column on its way out: typed as its metadata says, user-missing codes still in it, in pieces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from msgspec import UnsetType

from hengxi.data import clock
from hengxi.data.arrays import as_strings, decoded, one_chunk, wire_value
from hengxi.data.exporting.job import Job, short
from hengxi.data.levels import key_of, label_of
from hengxi.data.meta import Column, Level, Storage, Value
from hengxi.data.special import letters_of
from hengxi.data.table import Table
from hengxi.data.values import text_as_numbers

TYPES: dict[Storage, pa.DataType] = {
    "int": pa.int64(),
    "float": pa.float64(),
    "text": pa.large_string(),
    "date": pa.date32(),
    "datetime": pa.timestamp("us"),
    "bool": pa.bool_(),
}
SECOND_US = 1_000_000
DAY_US = 86_400 * SECOND_US
EXACT = 2**53
"""Beyond this a whole number is not the same any more as a double."""


@dataclass(frozen=True)
class Cells:
    """`kind` is what the pieces are, `name` what the column is called in the file."""

    job: Job
    column: Column
    kind: Storage

    @property
    def table(self) -> Table:
        return self.job.table

    def piece(self, start: int, stop: int) -> pa.Array:
        """Rows of the table from `start` to `stop` that go out, as TYPES[kind]."""
        part = one_chunk(self.table.source.array(self.column.id).slice(start, stop - start))
        if self.job.keep is not None:
            part = part.filter(pa.array(self.job.keep[start:stop]))
        if self.column.stored == "text" and self.column.storage != "text" and self.kind != "text":
            return _read(part, self.column, self.kind)
        return as_strings(part).cast(TYPES["text"]) if self.kind == "text" else decoded(part).cast(TYPES[self.kind])

    def text(self, start: int, stop: int, labels: dict[Value, str] | None = None) -> pa.Array:
        """The same rows as text, with value labels in place of the values that have one."""
        part = self.piece(start, stop)
        if not labels:
            return self.words(part)
        encoded = part.dictionary_encode()
        words = self.words(encoded.dictionary).to_pylist()
        values = [wire_value(value) for value in encoded.dictionary.to_pylist()]
        shown = [labels.get(value, word) for value, word in zip(values, words, strict=True)]
        return pa.array(shown, TYPES["text"]).take(encoded.indices)

    def words(self, part: pa.Array) -> pa.Array:
        """Cells of a piece as people write them."""
        return clock.words(part, self.column) if self.is_clock else texts(part)

    @property
    def is_clock(self) -> bool:
        return self.kind in ("int", "float") and clock.is_clock(self.column)

    def whole(self) -> pa.Array:
        """All rows that go out at once."""
        pieces = [self.piece(start, stop) for start, stop in self.job.spans()]
        return pa.concat_arrays(pieces) if pieces else pa.array([], TYPES[self.kind])


def cells_of(job: Job, column: Column, exact: int | None = None) -> Cells:
    """The column as the file will hold it. Numbers beyond `exact` would lose digits there and go out as text."""
    kind = column.storage
    if kind in ("int", "float") and column.stored != "text":
        kind = _number_kind(job.table, column)
    if kind == "int" and exact is not None and _beyond(job.table, column, exact):
        kind = "text"
    return Cells(job, column, kind)


def _number_kind(table: Table, column: Column) -> Storage:
    """SPSS keeps whole numbers as doubles; written as doubles they would read 3.0."""
    array = table.source.array(column.id)
    if column.storage == "float" or not pa.types.is_floating(array.type):
        return column.storage if not pa.types.is_floating(array.type) else "float"
    is_whole = pc.all(pc.and_(pc.equal(pc.floor(array), array), pc.less(pc.abs(array), float(EXACT)))).as_py()
    return "float" if is_whole is False else "int"


def _beyond(table: Table, column: Column, exact: int) -> bool:
    ends = pc.min_max(table.source.array(column.id)).as_py() if column.stored != "text" else {}
    return any(end is not None and abs(end) >= exact for end in ends.values())


def _read(part: pa.Array, column: Column, kind: Storage) -> pa.Array:
    """Text that was declared a number or a date; what is none of it goes out empty (see `unread`)."""
    values = pa.array(text_as_numbers(part, column), from_pandas=True)
    if kind in ("date", "datetime"):
        stamps = pc.round(pc.multiply(values, float(DAY_US))).cast(pa.int64()).cast(pa.timestamp("us"))
        return stamps.cast(TYPES[kind], safe=False)
    return values.cast(TYPES[kind])


def unread(job: Job, all_cells: list[Cells]) -> None:
    """Says which columns lose text because they were declared numbers or dates."""
    for cells in all_cells:
        if cells.column.stored == cells.kind or cells.column.stored != "text":
            continue
        array = job.table.source.array(cells.column.id)
        lost = int(np.isnan(text_as_numbers(array, cells.column)).sum()) - array.null_count
        if lost:
            noun = "日期" if "date" in cells.kind else "数字"
            text = f"“{short(cells.column.name)}”有 {lost:,} 个单元格不是{noun}，导出为空；改回文本后再导出可保留原文。"
            job.note("export.unread", text, column=cells.column.id, count=lost)


def texts(array: pa.Array) -> pa.Array:
    """Cells as people write them; moments keep their fractions of a second if there are any."""
    if pa.types.is_timestamp(array.type):
        try:
            array = array.cast(pa.timestamp("s"))
        except pa.ArrowInvalid:
            shown = pc.strftime(array, format="%Y-%m-%d %H:%M:%S").cast(TYPES["text"])
            return pc.replace_substring_regex(shown, r"\.?0+$", "")  # behind the point: there are always six digits
    return as_strings(array).cast(TYPES["text"])


def labels_of(column: Column) -> dict[Value, str]:
    """Value → label of the levels and user-missing codes that have a label of their own."""
    codes = [] if isinstance(column.missing_labels, UnsetType) else column.missing_labels
    return {level.value: level.label for level in [*(column.levels or []), *codes] if has_label(level)}


def names_of(job: Job, column: Column) -> dict[Value, str]:
    """What stands in a cell in place of its value: the label if labels are asked for, else only `.a` of Stata."""
    return labels_of(column) if job.options.cells == "labels" else letters_of(column)


def has_label(level: Level) -> bool:
    return bool(level.label) and key_of(level.label) != key_of(label_of(level.value))
