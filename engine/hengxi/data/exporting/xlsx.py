"""xlsx, block by block in constant memory: texts stay texts, dates are dates, the codebook is the second sheet."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import xlsxwriter
from xlsxwriter.utility import xl_col_to_name

from hengxi.data import clock
from hengxi.data.exporting import codebook, sheet
from hengxi.data.exporting.cells import DAY_US, SECOND_US, TYPES, Cells, cells_of, names_of, texts, unread
from hengxi.data.exporting.job import Job, listed
from hengxi.data.meta import Value
from hengxi.data.refusal import DataRefusal

EXTENSION = ".xlsx"
BLOCK_ROWS = 10_000
"""A block is held as XML a few times over."""
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
    labels = [names_of(job, cells.column) for cells in columns]
    skeleton = job.work / "skeleton.xlsx"
    _skeleton(job, columns, skeleton)
    lost = [0]
    letters = [xl_col_to_name(place) for place in range(len(columns))]
    sheet.fill(skeleton, job.path, f"{letters[-1]}{job.rows + 1}", _rows(job, skeleton, columns, labels, letters, lost))
    _say(job, columns, lost[0])


def _fit(job: Job) -> None:
    if job.rows > MOST_ROWS or len(job.table.meta.columns) > MOST_COLUMNS:
        text = f"xlsx 最多 {MOST_ROWS:,} 行数据、{MOST_COLUMNS:,} 列，请改用 csv 或 parquet。"
        raise DataRefusal("export.size", text, {"rows": job.rows, "columns": len(job.table.meta.columns)})


def _skeleton(job: Job, columns: list[Cells], path: Path) -> None:
    """The workbook without its rows; a blank cell of each column in the header and below tells their styles."""
    with xlsxwriter.Workbook(path, codebook.WORKBOOK | {"tmpdir": str(job.work)}) as book:
        page = book.add_worksheet("数据")
        formats = {kind: book.add_format({"num_format": shown}) for kind, shown in _SHOWN.items()}
        bold = book.add_format({"bold": True})
        page.freeze_panes(1, 0)
        for place, cells in enumerate(columns):
            page.set_column(place, place, _width(cells))
            page.write_blank(0, place, None, bold)
        for place, cells in enumerate(columns):
            if (look := _look(cells)) in formats:
                page.write_blank(1, place, None, formats[look])
        codebook.add_sheet(book, codebook.codebook(job.table))


def _rows(
    job: Job, skeleton: Path, columns: list[Cells], labels: list[Labels], letters: list[str], lost: list[int]
) -> Iterator[pa.Buffer]:
    """All rows as XML; counts in `lost` the texts that were too long for a cell."""
    style = sheet.styles(skeleton)
    names = [pa.array([cells.column.name[:MOST_TEXT]], TYPES["text"]) for cells in columns]
    yield sheet.rows(1, [sheet.Column(None, name) for name in names], letters, [style[name, 1] for name in letters])
    row = 2
    looks = [style.get((name, 2)) for name in letters]
    for start, stop in job.spans(BLOCK_ROWS):
        picked = [_cells(cells, named, start, stop, lost) for cells, named in zip(columns, labels, strict=True)]
        height = stop - start if job.keep is None else int(job.keep[start:stop].sum())
        if height:
            yield sheet.rows(row, picked, letters, looks)
        row += height
        job.tick(0.95 * stop / job.table.rows, "写入")


_SHOWN = {
    "date": "yyyy-mm-dd",
    "datetime": "yyyy-mm-dd hh:mm:ss",
    "moment": "yyyy-mm-dd hh:mm:ss.000",
    "clock": "[hh]:mm:ss",
    "fine": "[hh]:mm:ss.000",
}

_WIDTHS = {"date": 12, "datetime": 20, "moment": 24}


def _look(cells: Cells) -> str:
    """Without their fractions half a second before midnight would be shown as the next day."""
    if cells.is_clock:
        return "fine" if cells.column.decimals else "clock"
    return "moment" if cells.kind == "datetime" and _is_fine(cells) else cells.kind


def _is_fine(cells: Cells) -> bool:
    array = cells.table.source.array(cells.column.id)
    if not pa.types.is_timestamp(array.type):
        return False
    micros = array.cast(pa.timestamp("us")).cast(pa.int64())
    return bool(pc.any(pc.not_equal(micros, pc.multiply(pc.divide(micros, SECOND_US), SECOND_US))).as_py())


def _width(cells: Cells) -> int:
    wide = sum(2 if char > "\xff" else 1 for char in cells.column.name) + 2
    return min(40, max(_WIDTHS.get(_look(cells), 9), wide))


def _cells(cells: Cells, labels: Labels, start: int, stop: int, lost: list[int]) -> sheet.Column:
    """Numbers and texts of a column; dates as Excel counts them, those before its calendar as text."""
    part = cells.piece(start, stop)
    if cells.kind == "text":
        return sheet.Column(None, _cut(cells.text(start, stop, labels) if labels else part, lost))
    if not labels:
        return _plain(cells, part)
    named = cells.text(start, stop, labels)
    # Values without a label stay numbers.
    own = pc.equal(named, cells.words(part)).fill_null(True)
    plain = _plain(cells, part)
    words = pc.if_else(own, pa.scalar(None, TYPES["text"]) if plain.words is None else plain.words, named)
    return sheet.Column(pc.if_else(own, plain.numbers, None), _cut(words, lost))


def _plain(cells: Cells, part: pa.Array) -> sheet.Column:
    if cells.kind == "bool":
        return sheet.Column(part.cast(pa.int8()), None)
    if cells.is_clock:
        return _clock(cells, part)
    if cells.kind == "float":
        return _finite(part)
    if cells.kind not in _SHOWN:
        return sheet.Column(part, None)
    micros = part.cast(pa.timestamp("us")).cast(pa.int64())
    # A moment far off (9999-12-31 stands for "open") has more digits than a double; whole days are exact all the same.
    days = pc.add(pc.divide(micros.cast(pa.float64(), safe=False), float(DAY_US)), float(_EPOCH))
    if cells.kind == "date":
        days = days.cast(pa.int64())
    early = pc.less(days, _FIRST)
    if not pc.any(early).as_py():
        return sheet.Column(days, None)
    return sheet.Column(pc.if_else(early, None, days), pc.if_else(early, texts(part), None))


def _clock(cells: Cells, part: pa.Array) -> sheet.Column:
    """Parts of a day; Excel shows no negative times: those are words, and codes for a missing answer too."""
    days = pc.divide(part.cast(pa.float64(), safe=False), float(clock.A_DAY))
    worded = pc.or_(clock.coded(part, cells.column), pc.less(days, 0.0).fill_null(False))
    words = pc.if_else(worded, cells.words(part), pa.scalar(None, TYPES["text"]))
    return sheet.Column(pc.if_else(worded, pa.scalar(None, pa.float64()), days), words)


def _finite(part: pa.Array) -> sheet.Column:
    """Excel knows no infinity: it becomes a word."""
    finite = pc.is_finite(part)
    if pc.all(finite).as_py() is not False:
        return sheet.Column(part, None)
    word = pc.if_else(pc.is_inf(part), pc.if_else(pc.greater(part, 0.0), "inf", "-inf"), None)
    return sheet.Column(pc.if_else(finite, part, None), word.cast(TYPES["text"]))


def _cut(words: pa.Array, lost: list[int]) -> pa.Array:
    """Texts of at most MOST_TEXT characters."""
    long = pc.greater(pc.utf8_length(words), MOST_TEXT)
    count = pc.sum(long).as_py()
    if not count:
        return words
    lost[0] += count
    return pc.utf8_slice_codeunits(words, 0, MOST_TEXT)


def _say(job: Job, columns: list[Cells], lost: int) -> None:
    if lost:
        text = f"{lost:,} 个单元格超过 {MOST_TEXT:,} 个字符，Excel 放不下，已截短。"
        job.note("export.cut", text, count=lost)
    long = [cells.column.name for cells in columns if cells.kind == "text" and cells.column.storage == "int"]
    if long:
        text = f"{listed(long)} 的数字超过 15 位，已写成文本，以免 Excel 丢掉末位。"
        job.note("export.digits", text, names=long)
