"""xlsx, row by row in constant memory: texts stay texts, dates are dates, the codebook is the second sheet."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import xlsxwriter
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from hengxi.data.exporting import codebook
from hengxi.data.exporting.cells import DAY_US, Cells, cells_of, labels_of, texts, unread
from hengxi.data.exporting.job import Job, listed
from hengxi.data.meta import Value
from hengxi.data.refusal import DataRefusal

EXTENSION = ".xlsx"
MOST_ROWS = 1_048_575
MOST_COLUMNS = 16_384
MOST_TEXT = 32_767
EXACT = 10**15
"""Excel keeps fifteen digits of a number."""
_EPOCH = 25_569  # days from 1899-12-30 to 1970-01-01
_FIRST = 61  # 1900-03-01: before it Excel counts a day that never was

Labels = dict[Value, str]


def write(job: Job) -> None:
    columns = [cells_of(job, column, EXACT) for column in job.table.meta.columns]
    _fit(job)
    unread(job, columns)
    labels = [labels_of(cells.column) if job.options.cells == "labels" else {} for cells in columns]
    with xlsxwriter.Workbook(job.path, codebook.WORKBOOK | {"tmpdir": str(job.work)}) as book:
        book.use_zip64()
        sheet = book.add_worksheet("数据")
        lost = _data(job, book, sheet, columns, labels)
        codebook.add_sheet(book, codebook.codebook(job.table))
        job.tick(0.95, "压缩")
    _say(job, columns, lost)


def _fit(job: Job) -> None:
    if job.rows > MOST_ROWS or len(job.table.meta.columns) > MOST_COLUMNS:
        text = f"xlsx 最多 {MOST_ROWS:,} 行数据、{MOST_COLUMNS:,} 列，请改用 csv 或 parquet。"
        raise DataRefusal("export.size", text, {"rows": job.rows, "columns": len(job.table.meta.columns)})


def _data(job: Job, book: xlsxwriter.Workbook, sheet: Worksheet, columns: list[Cells], labels: list[Labels]) -> int:
    """Writes all rows; how many texts were too long for a cell."""
    formats = {kind: book.add_format({"num_format": shown}) for kind, shown in _SHOWN.items()}
    bold = book.add_format({"bold": True})
    sheet.freeze_panes(1, 0)
    for place, cells in enumerate(columns):
        sheet.set_column(place, place, _width(cells))
        sheet.write_string(0, place, cells.column.name[:MOST_TEXT], bold)
    row, lost = 1, 0
    for start, stop in job.spans():
        picked = [_cells(cells, named, start, stop) for cells, named in zip(columns, labels, strict=True)]
        shown = [formats.get(cells.kind) for cells in columns]
        lost += _rows(sheet, row, picked, shown)
        row += len(picked[0])
        job.tick(0.9 * stop / job.table.rows, "写入")
    return lost


_SHOWN = {"date": "yyyy-mm-dd", "datetime": "yyyy-mm-dd hh:mm:ss"}


def _width(cells: Cells) -> int:
    wide = sum(2 if char > "\xff" else 1 for char in cells.column.name) + 2
    return min(40, max(20 if cells.kind == "datetime" else 12 if cells.kind == "date" else 9, wide))


def _cells(cells: Cells, labels: Labels, start: int, stop: int) -> list[Any]:
    """Python numbers, texts and None; dates as Excel counts them, those before its calendar as text."""
    part = cells.piece(start, stop)
    if labels:
        named = cells.text(start, stop, labels)
        if cells.kind == "text":
            return list(named.to_pylist())
        # Values without a label stay numbers.
        plain = pc.equal(named, texts(part)).fill_null(True).to_numpy(zero_copy_only=False)
        values = _plain(cells, part)
        return [value if is_plain else label
                for value, is_plain, label in zip(values, plain, named.to_pylist(), strict=True)]  # fmt: skip
    return _plain(cells, part)


def _plain(cells: Cells, part: pa.Array) -> list[Any]:
    if cells.kind == "bool":
        return list(part.cast(pa.int8()).to_pylist())
    if cells.kind not in _SHOWN:
        return list(part.to_pylist())
    micros = part.cast(pa.timestamp("us")).cast(pa.int64()).to_numpy(zero_copy_only=False)
    days = np.asarray(micros, dtype=np.float64) / DAY_US + _EPOCH
    if not np.any(days < _FIRST):
        return [None if day != day else day for day in days.tolist()]
    words = texts(part).to_pylist()
    return [
        None if day != day else day if day >= _FIRST else word for day, word in zip(days.tolist(), words, strict=True)
    ]


def _rows(sheet: Worksheet, first: int, columns: list[list[Any]], shown: list[Format | None]) -> int:
    """One row after the other, as constant memory demands."""
    number, string = sheet.write_number, sheet.write_string
    lost = 0
    for row, line in enumerate(zip(*columns, strict=True), first):
        for place, cell in enumerate(line):
            if cell is None:
                continue
            if isinstance(cell, str):
                lost += string(row, place, cell) == -2
            elif cell - cell == 0:
                number(row, place, cell, shown[place])
            else:
                string(row, place, "inf" if cell > 0 else "-inf")
    return lost


def _say(job: Job, columns: list[Cells], lost: int) -> None:
    if lost:
        text = f"{lost:,} 个单元格超过 {MOST_TEXT:,} 个字符，Excel 放不下，已截短。"
        job.note("export.cut", text, count=lost)
    long = [cells.column.name for cells in columns if cells.kind == "text" and cells.column.storage == "int"]
    if long:
        text = f"{listed(long)} 的数字超过 15 位，已写成文本，以免 Excel 丢掉末位。"
        job.note("export.digits", text, names=long)
