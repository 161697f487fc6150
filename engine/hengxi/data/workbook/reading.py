"""Preview and import of a workbook's sheet, after a guard has let the file pass. Macros are never looked at."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import IO, Any, TypeAlias

from python_calamine import CalamineError, CalamineSheet

from hengxi.data import decide
from hengxi.data.delimited.sniff import header_line
from hengxi.data.formats import Job, Staged
from hengxi.data.meta import left_out
from hengxi.data.names import tidy
from hengxi.data.notes import footnote_warnings, notes_at_end, without_notes
from hengxi.data.questionnaire import headers
from hengxi.data.refusal import DataRefusal
from hengxi.data.sniffed_dates import DATE_ORDERS, date_order, has_late_dates
from hengxi.data.workbook.areas import Area, area_of, tables
from hengxi.data.workbook.biff5 import Book, open_book
from hengxi.data.workbook.cells import Cells, stamp, words
from hengxi.data.workbook.guard import Sheet, damaged
from hengxi.data.workbook.import_warnings import Read, Scanned, import_warnings, of_sheet
from hengxi.data.workbook.long_digits import LARGEST, LONGEST, cut_digit_warnings, in_sheet, is_long, spelt
from hengxi.data.workbook.merged import BLANK, FILL, Span, filled, spans_of
from hengxi.data.workbook.password import unlocked
from hengxi.data.workbook.typing import compare, cut_columns, typed, write

HEAD = 200
"""Rows from which header and tables are guessed."""
BATCH = 2_000
"""Rows: so few that their cells stay in the processor's cache until they are sorted into columns."""
Guard: TypeAlias = Callable[[Path, str, Callable[[float], None]], dict[str, Sheet]]


@dataclass
class _Opened:
    """The chosen sheet and how it is read. `held`: the decrypted workbook, open while it is read."""

    sheet: CalamineSheet
    name: str
    names: list[str]
    header_row: int
    header_rows: int
    head: list[list[Any]]
    scanned: Scanned
    held: IO[bytes] | None
    area: Area
    areas: list[Area]
    date_order: str
    path: Path
    exact: bool = False
    """Whether long numbers are taken from the file itself: the reader rounds them."""
    fills: bool = False
    """Whether merged cells of the body hold their value in all of their rows."""

    def rows(self) -> Iterator[list[Any]]:
        """All rows of the sheet, from its first."""
        rows, shift = iter(self.sheet.iter_rows()), shift_of(self.sheet)
        if self.exact:
            rows = spelt(rows, 0, shift, in_sheet(self.path, self.name, self.path.name))
        return filled(rows, 0, shift, self.spans) if self.fills else rows

    @property
    def spans(self) -> list[Span]:
        """Cells of the body that are merged with those below."""
        return spans_of(self.sheet.merged_cell_ranges or [], self.area.top + self.first)

    @property
    def first(self) -> int:
        """Lines of the area above the data."""
        return self.header_row + self.header_rows - 1 if self.header_row > 0 else 0

    def settings(self) -> dict[str, Any]:
        return {
            "sheet": self.name,
            "range": self.area.text,
            "header_row": self.header_row,
            "header_rows": self.header_rows,
            "date_order": self.date_order,
            **({"merged": FILL if self.fills else BLANK} if self.spans else {}),
        }


def _open(job: Job, guard: Guard) -> _Opened:
    path, held = unlocked(job)
    scanned = guard(path, job.name, lambda share: job.tick(0.02 + 0.13 * share, "检查工作簿"))
    try:
        book = open_book(path, job.name)
        names = [sheet.name for sheet in book.sheets]
        wanted = job.settings.get("sheet")
        if wanted is not None and wanted not in names:
            text = f"工作簿中没有名为“{wanted}”的工作表。"
            raise DataRefusal("xlsx.sheet", text, {"sheet": wanted, "sheets": names})
        name, sheet = _chosen(book, wanted)
        if sheet is None:
            raise DataRefusal("file.empty", f"“{job.name}”的工作表都是空的。", {"name": job.name})
    except CalamineError as error:
        raise damaged(job.name) from error
    area = area_of(job.settings.get("range"))
    head = _part(sheet.iter_rows(), sheet, area, HEAD)
    if any(is_long(cell) for row in head for cell in row):
        longs = in_sheet(path, name, job.name)
        head = _part(spelt(sheet.iter_rows(), 0, shift_of(sheet), longs), sheet, area, HEAD)
    if not area.whole and not any(cell != "" for row in head for cell in row):
        text = f"工作表“{name}”的 {area.text} 中没有数据，请检查区域。"
        raise DataRefusal("xlsx.range", text, {"sheet": name, "range": area.text})
    seen = tables(head if area.whole else _part(sheet.iter_rows(), sheet, Area(), HEAD), _rows(sheet) > HEAD)
    areas = [one.moved(shift_of(sheet)) for one in seen]
    shown = [[_shown(cell) for cell in row] for row in head]
    given = job.settings.get("header_row")
    line = header_line(_bared(shown, sheet, area)) if given is None else int(given)
    if given is None and headers.is_title(shown, line):
        line += 1
    elif given is None and line > 1 and _is_grouped(shown, line - 1):
        line -= 1  # the questions above their options: a merged heading leaves its line shorter
    lines = job.settings.get("header_rows")
    lines = headers.rows_of_header(shown, line) if lines is None else headers.bounded(lines)
    opened = _Opened(
        sheet,
        name,
        names,
        line,
        lines,
        head,
        of_sheet(scanned, name, names),
        held,
        area,
        areas,
        date_order(job.settings.get("date_order")),
        path,
        fills=job.settings.get("merged") == FILL,
    )
    if opened.fills:
        left = shift_of(sheet) if area.whole else area.left
        opened.head = list(filled(opened.head, area.top, left, opened.spans))
    return opened


def _is_grouped(shown: list[list[str]], line: int) -> bool:
    return headers.rows_of_header(shown, line) > 1 and not headers.is_title(shown, line)


def _chosen(book: Book, wanted: str | None) -> tuple[str, CalamineSheet | None]:
    """The sheet asked for, else the first that looks like a table, else the first that holds anything."""
    some: tuple[str, CalamineSheet | None] = ("", None)
    for named in [one for one in book.sheets if wanted in (None, one.name)]:
        sheet = book.sheet(named)
        if sheet.height > 1 and sheet.width > 1:
            return named.name, sheet
        if sheet.height > 0 and some[1] is None:
            some = named.name, sheet
    return some


def _rows(sheet: CalamineSheet) -> int:
    """Rows down to the last one that is used."""
    return sheet.end[0] + 1 if sheet.end else 0


def _part(every: Iterator[list[Any]], sheet: CalamineSheet, area: Area, most: int) -> list[list[Any]]:
    """The first rows of the area, of all rows of the sheet."""
    end = area.top + most if area.bottom is None else min(area.bottom, area.top + most)
    rows = islice(every, area.top, end)
    return list(rows) if area.whole else [area.row(row, shift_of(sheet)) for row in rows]


def shift_of(sheet: CalamineSheet) -> int:
    """Empty columns on the left, which the reader leaves out (it keeps the empty rows above)."""
    return sheet.start[1] if sheet.start else 0


@contextmanager
def _no_panic(name: str) -> Iterator[None]:
    """The reader panics on some broken bytes, and a panic is no Exception: left alone it would end the process."""
    try:
        yield
    except BaseException as error:
        if type(error).__name__ == "PanicException":
            raise damaged(name) from error
        raise


def preview(job: Job, kind: str, guard: Guard) -> dict[str, Any]:
    """First 50 rows of the chosen sheet as they look in it."""
    with _no_panic(job.name):
        return _preview(job, kind, guard)


def _preview(job: Job, kind: str, guard: Guard) -> dict[str, Any]:
    opened = _open(job, guard)
    rows = opened.head[opened.first :]
    header, _ = _header(opened)
    used = [i for i in range(len(header)) if header[i] or any(i < len(row) and row[i] != "" for row in rows)]
    names, _ = tidy([header[i] for i in used])
    area = opened.area
    end = _rows(opened.sheet) if area.bottom is None else min(area.bottom, _rows(opened.sheet))
    total = max(end - area.top - opened.first, 0)
    if total <= len(rows):
        below = len(notes_at_end(rows))
        rows, total = rows[: len(rows) - below], max(total - below, 0)
    return {
        "kind": kind,
        "settings": opened.settings(),
        "candidates": {
            "sheet": opened.names,
            "range": list(dict.fromkeys(["", *(one.text for one in opened.areas), area.text])),
            **({"date_order": DATE_ORDERS} if has_late_dates(rows) else {}),
            "header_row": [0, *range(1, min(len(opened.head), 10) + 1)],
            "header_rows": headers.choices(opened.header_rows),
            **({"merged": [BLANK, FILL]} if opened.spans else {}),
        },
        "columns": [{"name": name, **_outlook(rows, i)} for name, i in zip(names, used, strict=True)],
        "rows": [[_shown(row[i]) for i in used] for row in rows[:50] if any(cell != "" for cell in row)],
        "total_rows": total,
    }


def _outlook(rows: list[list[Any]], place: int) -> dict[str, str]:
    cells = [row[place] for row in rows if row[place] != ""]
    if cells and all(isinstance(cell, (int, float)) for cell in cells):
        return {"measure": "定量", "why": "前几行是数字"}
    if cells and all(hasattr(cell, "year") for cell in cells):
        return {"measure": "时间", "why": "前几行是日期"}
    distinct = len({_shown(cell) for cell in cells})
    plan = decide.guess([_shown(cell) for cell in cells])
    if cells and plan.kind in ("int", "float"):
        return {"measure": "定量", "why": "前几行是文本型数字"}
    return {"measure": "定类" if distinct <= 20 else "文本", "why": f"前几行有 {distinct} 个不同取值"}


def _shown(cell: Any) -> str:
    """A cell as text."""
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, (int, float)):
        return str(int(cell)) if cell == cell and abs(cell) < 1e15 and cell == int(cell) else repr(cell)
    if hasattr(cell, "year"):
        return (stamp(cell) if hasattr(cell, "hour") else cell.isoformat()) or ""
    return words(cell) if cell != "" else ""


def _bared(rows: list[list[str]], sheet: CalamineSheet, area: Area) -> list[list[str]]:
    """Rows without the empty cells at their ends: a sheet is a rectangle, its lines are not. A merged cell is whole."""
    left = area.left if not area.whole else shift_of(sheet)
    reach: dict[int, int] = {}
    for (top, _), (bottom, right) in sheet.merged_cell_ranges or []:
        for place in range(max(top - area.top, 0), min(bottom - area.top + 1, len(rows))):
            reach[place] = max(reach.get(place, 0), right + 1 - left)
    bared = []
    for place, row in enumerate(rows):
        end = len(row)
        while end > reach.get(place, 0) and not row[end - 1].strip():
            end -= 1
        bared.append(row[:end])
    return bared


def _header(opened: _Opened) -> tuple[list[str], list[str | None]]:
    """(names, labels) of all columns of the rectangle."""
    width = len(opened.head[0]) if opened.head else 0
    if opened.header_row <= 0 or opened.first > len(opened.head):
        return [f"列{i + 1}" for i in range(width)], [None] * width
    lines = [[_shown(cell).strip() for cell in row] for row in opened.head[opened.header_row - 1 : opened.first]]
    return headers.join(lines)


# -- import ------------------------------------------------------------------------------------------------------------


def stage(job: Job, guard: Guard) -> Staged:
    """Reads the sheet into an Arrow file. DataRefusal `xlsx.*`, Asking."""
    with _no_panic(job.name):
        return _stage(job, guard)


def _stage(job: Job, guard: Guard) -> Staged:
    opened = _open(job, guard)
    header, labels = _header(opened)
    columns, rows, blank, below = _gathered(job, opened, len(header))
    long = [LARGEST <= column.largest < LONGEST for column in columns]
    if any(long) and _has_long(opened):
        opened = replace(opened, exact=True)
        columns, rows, blank, below = _gathered(job, opened, len(header))
    used = [i for i, name in enumerate(header) if (name and opened.header_row > 0) or not columns[i].empty]
    if not used:
        raise DataRefusal("file.empty", f"工作表“{opened.name}”中没有数据。", {"sheet": opened.name})
    names, warnings = tidy([header[i] for i in used])
    infinite = sum(column.infinite for column in columns)
    warnings += [*import_warnings(_seen(opened), rows, blank), *footnote_warnings(below), *left_out(infinite)]
    cells = [columns[i] for i in used]
    arrays, notes = typed(job, names, cells)
    out = job.work / "raw.arrow"
    metas = write(names, arrays, notes, out)
    for named, i in zip(metas, used, strict=True):
        named.label = labels[i]
    cut = cut_columns(names, arrays, [long[i] for i in used])
    compared = compare(rows, names, arrays, cells, cut)
    return Staged(out, metas, notes, opened.settings(), compared, [*cut_digit_warnings(cut), *warnings])


def _gathered(job: Job, opened: _Opened, width: int) -> tuple[list[Cells], int, int, list[str]]:
    """(columns, rows, empty rows between them, lines below the table)."""
    notes: list[str] = []
    columns = [Cells() for _ in range(width)]
    rows, blank = 0, 0
    total = max(_rows(opened.sheet), 1)
    with _no_collection():
        for batch, skipped in without_notes(_batches(opened), notes):
            blank += skipped
            for cells, column in zip(zip(*batch, strict=True), columns, strict=True):
                column.add(cells)
            rows += len(batch)
            job.tick(0.2 + 0.4 * min(rows / total, 1), "读取")
    return columns, rows, blank, notes


def _has_long(opened: _Opened) -> bool:
    return next(in_sheet(opened.path, opened.name, opened.path.name), None) is not None


def _seen(opened: _Opened) -> Read:
    merged = [start for start, _ in opened.sheet.merged_cell_ranges or []]
    last = opened.sheet.end or (-1, -1)
    spans = opened.spans
    way = "" if not spans else FILL if opened.fills else BLANK
    return Read(opened.scanned, merged, opened.area, opened.areas, opened.first, (last[0] + 1, last[1] + 1), way)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Lists of plain cells hold no cycles; looking for some costs a fifth of the reading."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _batches(opened: _Opened) -> Iterator[tuple[list[list[Any]], int]]:
    """(rows with at least one cell, number of empty rows left out). Empty rows at the end do not count."""
    area = opened.area
    rows = islice(opened.rows(), area.top + max(opened.first, 0), area.bottom)
    waiting = 0
    while chunk := list(islice(rows, BATCH)):
        if not area.whole:
            chunk = [area.row(row, shift_of(opened.sheet)) for row in chunk]
        if "" not in [row[0] for row in chunk]:  # as nearly always: no need to look at each row
            yield chunk, waiting
            waiting = 0
            continue
        batch, skipped = [], 0
        for row in chunk:
            if row[0] != "" or row.count("") < len(row):
                batch.append(row)
                skipped += waiting
                waiting = 0
            else:
                waiting += 1
        if batch:
            yield batch, skipped
