"""Workbooks (xlsx, xlsm; macros are never looked at), after workbook/guard.py has let them pass."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

from hengxi.data import decide
from hengxi.data.arrays import RAW
from hengxi.data.delimited.sniff import header_line
from hengxi.data.describe import storage_of
from hengxi.data.formats import Asking, Job, Staged
from hengxi.data.meta import Check, Column, ColumnReport, Warn
from hengxi.data.names import tidy
from hengxi.data.refusal import DataRefusal
from hengxi.data.workbook.cells import Cells, stamp, words
from hengxi.data.workbook.guard import Sheet, check, damaged

KIND = "xlsx"
PRIORITY = 20
BATCH = 10_000


def recognises(head: bytes, name: str) -> bool:
    """A zip, or the OLE container of an encrypted workbook; what else they hold is told by `check`."""
    return head.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"))


@dataclass
class _Opened:
    """The chosen sheet and how it is read."""

    sheet: CalamineSheet
    name: str
    names: list[str]
    header_row: int
    head: list[list[Any]]
    scanned: list[Sheet]

    def settings(self) -> dict[str, Any]:
        return {"sheet": self.name, "header_row": self.header_row}


def _open(job: Job) -> _Opened:
    scanned = check(job.path, job.name, lambda share: job.tick(0.02 + 0.13 * share, "检查工作簿"))
    try:
        book = CalamineWorkbook.from_path(str(job.path))
        sheets = [m for m in book.sheets_metadata if m.typ == SheetTypeEnum.WorkSheet]
        names = [m.name for m in sorted(sheets, key=lambda m: m.visible != SheetVisibleEnum.Visible)]
        wanted = job.settings.get("sheet")
        if wanted is not None and wanted not in names:
            text = f"工作簿中没有名为“{wanted}”的工作表。"
            raise DataRefusal("xlsx.sheet", text, {"sheet": wanted, "sheets": names})
        for name in [wanted] if wanted is not None else names:
            sheet = book.get_sheet_by_name(name)
            if sheet.height > 0:
                break
        else:
            raise DataRefusal("file.empty", f"“{job.name}”的工作表都是空的。", {"name": job.name})
    except CalamineError as error:
        raise damaged(job.name) from error
    head = list(islice(sheet.iter_rows(), 200))
    shown = [[_shown(cell) for cell in row] for row in head]
    given = job.settings.get("header_row")
    line = header_line([_bare(row) for row in shown]) if given is None else int(given)
    return _Opened(sheet, name, names, line, head, list(scanned.values()))


def preview(job: Job) -> dict[str, Any]:
    """First 50 rows of the chosen sheet as they look in it."""
    opened = _open(job)
    rows = opened.head[opened.header_row :]
    header = _header(opened)
    used = [i for i in range(len(header)) if header[i] or any(i < len(row) and row[i] != "" for row in rows)]
    names, _ = tidy([header[i] for i in used])
    total = max(opened.sheet.total_height - opened.header_row, 0)
    return {
        "kind": KIND,
        "settings": opened.settings(),
        "candidates": {"sheet": opened.names, "header_row": [0, *range(1, min(len(opened.head), 10) + 1)]},
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
        return str(int(cell)) if cell == int(cell) and abs(cell) < 1e15 else repr(cell)
    if hasattr(cell, "year"):
        return (stamp(cell) if hasattr(cell, "hour") else cell.isoformat()) or ""
    return words(cell) if cell != "" else ""


def _bare(row: list[str]) -> list[str]:
    """Without the empty cells at the end: a sheet is a rectangle, its lines are not."""
    end = len(row)
    while end and not row[end - 1].strip():
        end -= 1
    return row[:end]


def _header(opened: _Opened) -> list[str]:
    width = len(opened.head[0]) if opened.head else 0
    if opened.header_row <= 0 or opened.header_row > len(opened.head):
        return [f"列{i + 1}" for i in range(width)]
    return [_shown(cell).strip() for cell in opened.head[opened.header_row - 1]]


# -- import ------------------------------------------------------------------------------------------------------------


def stage(job: Job) -> Staged:
    """Reads the sheet into an Arrow file. DataRefusal `xlsx.*`, Asking."""
    opened = _open(job)
    header = _header(opened)
    columns = [Cells() for _ in header]
    rows, blank = 0, 0
    total = max(opened.sheet.total_height, 1)
    for batch, skipped in _batches(opened):
        blank += skipped
        for cells, column in zip(zip(*batch, strict=True), columns, strict=True):
            column.add(list(cells))
        rows += len(batch)
        job.tick(0.2 + 0.4 * min(rows / total, 1), "读取")
    used = [i for i, name in enumerate(header) if (name and opened.header_row > 0) or not columns[i].empty]
    if not used:
        raise DataRefusal("file.empty", f"工作表“{opened.name}”中没有数据。", {"sheet": opened.name})
    names, warnings = tidy([header[i] for i in used])
    warnings += _warnings(opened, rows, blank)
    arrays, notes = _typed(job, names, [columns[i] for i in used])
    made = [
        Column(id=f"c{i + 1}", name=name, measure="文本", storage=storage_of(arrays[f"c{i + 1}"].type),  # type: ignore[arg-type]
               why=notes[f"c{i + 1}"].why)
        for i, name in enumerate(names)
    ]  # fmt: skip
    out = job.work / "raw.arrow"
    table = pa.table(arrays)
    with pa.OSFile(str(out), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table, max_chunksize=1 << 17)
    check_ = _check(rows, blank, names, arrays, [columns[i] for i in used])
    return Staged(out, made, notes, opened.settings(), check_, warnings)


def _batches(opened: _Opened) -> Iterator[tuple[list[list[Any]], int]]:
    """(rows with at least one cell, number of empty rows left out). Empty rows at the end do not count."""
    rows = islice(opened.sheet.iter_rows(), max(opened.header_row, 0), None)
    waiting = 0
    while chunk := list(islice(rows, BATCH)):
        kept, skipped = [], 0
        for row in chunk:
            if any(cell != "" for cell in row):
                kept.append(row)
                skipped += waiting
                waiting = 0
            else:
                waiting += 1
        if kept:
            yield kept, skipped


def _typed(job: Job, names: list[str], columns: list[Cells]) -> tuple[dict[str, pa.Array], dict[str, ColumnReport]]:
    """Physical arrays by id; columns of several kinds are decided from their text like those of a csv."""
    arrays: dict[str, pa.Array] = {}
    notes: dict[str, ColumnReport] = {}
    questions = []
    for place, (name, cells) in enumerate(zip(names, columns, strict=True)):
        column_id = f"c{place + 1}"
        job.tick(0.6 + 0.1 * place / len(names), "判断类型")
        notes[column_id] = ColumnReport(id=column_id, name=name, type="", why="")
        array = cells.settled()
        if array is None:
            texts = cells.as_text()
            if cells.counts["text"] == len(texts) - texts.null_count and _plainly_text(texts):
                arrays[column_id] = texts.cast(pa.large_string())
                continue
            frame = pl.DataFrame({column_id: pl.Series(texts.to_pylist(), dtype=pl.String)}).with_row_index("row")
            counts = decide.count(frame.lazy(), column_id, "row")
            plan, note, question = decide.settle(column_id, name, counts, job.answers.get(column_id), job.on_doubt)
            if question:
                questions.append(question)
                continue
            note.why = plan.why
            notes[column_id] = note
            array = _series(frame, plan.expr(column_id))
            if plan.keep_raw:
                arrays[column_id + RAW] = _series(frame, plan.raw_expr(column_id))
        arrays[column_id] = array
        columns[place].numbers, columns[place].texts, columns[place].moments = [], [], []  # sheets are large
    if questions:
        raise Asking(questions)
    return arrays, notes


def _plainly_text(texts: pa.Array) -> bool:
    """Whether cells spread over the column look like neither numbers nor dates; the rest then need not be counted."""
    places = np.unique(np.linspace(0, max(len(texts) - 1, 0), min(2000, len(texts))).astype(np.int64))
    return decide.guess(texts.take(pa.array(places)).drop_null().to_pylist()) == decide.Plan()


def _series(frame: pl.DataFrame, expr: pl.Expr) -> pa.Array:
    array = frame.select(expr.alias("x")).to_series().to_arrow()
    return array.cast(pa.large_string()) if pa.types.is_string_view(array.type) else array


def _check(rows: int, blank: int, names: list[str], arrays: dict[str, pa.Array], columns: list[Cells]) -> Check:
    """Sums of the cells as read against sums of the stored columns."""
    compared = False
    for place, cells in enumerate(columns):
        array = arrays[f"c{place + 1}"]
        numeric = pa.types.is_integer(array.type) or pa.types.is_floating(array.type)
        if not numeric or cells.counts["text"] or cells.counts["moment"]:
            continue
        compared = True
        stored = pc.sum(array.cast(pa.float64())).as_py() or 0.0
        if not math.isclose(stored, cells.sum, rel_tol=1e-9, abs_tol=1e-6 * max(1.0, abs(cells.sum))):
            text = f"读入的数据与原文件不一致（{names[place]}），已停止导入，原文件未受影响。请联系我们。"
            raise DataRefusal("import.check", text, {"column": names[place]})
    text = f"原文件 {rows:,} 行 × {len(names)} 列；已读 {rows:,} × {len(names)}" + (
        "；数值列合计一致" if compared else ""
    )
    return Check(
        raw_rows=rows, raw_columns=len(names), rows=rows, columns=len(names), sums="same" if compared else "none",
        checked_rows=rows, text=text,
    )  # fmt: skip


def _warnings(opened: _Opened, rows: int, blank: int) -> list[Warn]:
    said = []
    if rows == 0:
        said.append(Warn(code="rows.none", text="工作表只有表头，没有数据行。"))
    merged = [area for area in opened.sheet.merged_cell_ranges or [] if area[1][0] >= opened.header_row]
    if merged:
        (top, left), _ = merged[0]
        place = f"第 {top + 1:,} 行第 {left + 1} 列"
        text = f"数据区有 {len(merged):,} 处合并单元格（如{place}），只有左上角的单元格有值，其余作缺失。"
        said.append(Warn(code="xlsx.merged", text=text, facts={"count": len(merged), "row": top + 1}))
    formulas = sum(sheet.formulas for sheet in opened.scanned)
    if formulas:
        text = f"工作簿中有 {formulas:,} 个公式没有保存计算结果，已作缺失。请在表格软件中打开、保存后重新上传。"
        said.append(Warn(code="xlsx.formulas", text=text, facts={"count": formulas}))
    errors = sum(sheet.errors for sheet in opened.scanned)
    if errors:
        text = f"工作簿中有 {errors:,} 个单元格是错误值（如 #DIV/0!、#N/A），已作缺失。"
        said.append(Warn(code="xlsx.errors", text=text, facts={"count": errors}))
    if blank:
        text = f"跳过了 {blank:,} 个空行。如果空行隔开的是两张表，请把它们放在不同的工作表中。"
        said.append(Warn(code="rows.blank", text=text, facts={"count": blank}))
    return said
