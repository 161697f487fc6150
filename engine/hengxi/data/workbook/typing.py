"""From gathered cells to physical columns, and the proof that nothing was lost on the way."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from hengxi.data import decide
from hengxi.data.arrays import RAW, agree
from hengxi.data.describe import storage_of
from hengxi.data.formats import Asking, Job
from hengxi.data.meta import Check, Column, ColumnReport
from hengxi.data.plan import Plan
from hengxi.data.refusal import DataRefusal
from hengxi.data.sniffed_dates import date_order
from hengxi.data.workbook.cells import Cells
from hengxi.data.workbook.long_digits import LARGEST, LONGEST, are_cut


def typed(job: Job, names: list[str], columns: list[Cells]) -> tuple[dict[str, pa.Array], dict[str, ColumnReport]]:
    """Physical arrays by id; columns of several kinds are decided from their text like those of a csv."""
    arrays: dict[str, pa.Array] = {}
    notes: dict[str, ColumnReport] = {}
    questions = []
    for place, (name, cells) in enumerate(zip(names, columns, strict=True)):
        column_id = f"c{place + 1}"
        job.tick(0.6 + 0.1 * place / len(names), "判断类型")
        notes[column_id] = ColumnReport(id=column_id, name=name, type="", why=_rounded(cells))
        array = cells.settled()
        if array is None:
            texts = _clocked(cells.as_text())
            if cells.counts["text"] == len(texts) - texts.null_count and _plainly_text(texts):
                arrays[column_id] = texts.cast(pa.large_string())
                continue
            frame = pl.DataFrame({column_id: pl.Series(texts.to_pylist(), dtype=pl.String)}).with_row_index("row")
            counts = decide.count(frame.lazy(), column_id, "row")
            order = date_order(job.settings.get("date_order"))
            answer = job.answers.get(column_id)
            plan, note, question = decide.settle(column_id, name, counts, answer, job.on_doubt, order=order)
            if question:
                questions.append(question)
                continue
            note.why = plan.why
            notes[column_id] = note
            array = _series(frame, plan.expr(column_id))
            if plan.keep_raw:
                arrays[column_id + RAW] = _series(frame, plan.raw_expr(column_id))
        arrays[column_id] = array
        columns[place].forget()
    if questions:
        raise Asking(questions)
    return arrays, notes


def _rounded(cells: Cells) -> str:
    """Numbers of more than 15 digits are no longer what was typed: an identity card ends in 000."""
    return ROUNDED if LARGEST <= cells.largest < LONGEST else ""


ROUNDED = (
    f"有取值超过 {decide.MAX_DIGITS} 位数字，表格软件只保存前 {decide.MAX_DIGITS} 位；编号请在表格中存为文本后重新上传"
)


def cut_columns(names: list[str], arrays: dict[str, pa.Array], long: list[bool]) -> list[str]:
    """Names of the columns of which the file holds only the first digits; `long`: where the reader met long numbers."""
    return [
        name
        for place, (name, is_long) in enumerate(zip(names, long, strict=True))
        if is_long and are_cut(arrays[f"c{place + 1}"])
    ]


_SPELT = r"^(-?)PT(\d+)H(\d{1,2})M(\d{1,2}(?:\.\d*[1-9])?)\.?0*S$"
"""How ods writes a time of more than a day."""


def _clocked(texts: pa.Array) -> pa.Array:
    """25:01:30 instead of PT25H01M30S, and -12:00:00 instead of -PT12H00M00S."""
    if not pc.any(pc.or_(pc.starts_with(texts, "PT"), pc.starts_with(texts, "-PT"))).as_py():
        return texts
    return pc.replace_substring_regex(texts, _SPELT, r"\1\2:\3:\4")


def _plainly_text(texts: pa.Array) -> bool:
    """Whether cells spread over the column look like neither numbers nor dates; the rest then need not be counted."""
    places = np.unique(np.linspace(0, max(len(texts) - 1, 0), min(2000, len(texts))).astype(np.int64))
    return decide.guess(texts.take(pa.array(places)).drop_null().to_pylist()) == Plan()


def _series(frame: pl.DataFrame, expr: pl.Expr) -> pa.Array:
    array = frame.select(expr.alias("x")).to_series().to_arrow()
    return array.cast(pa.large_string()) if pa.types.is_string_view(array.type) else array


def write(names: list[str], arrays: dict[str, pa.Array], notes: dict[str, ColumnReport], out: Path) -> list[Column]:
    """The Arrow file of the import and its bare columns."""
    table = pa.table(arrays)
    with pa.OSFile(str(out), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table, max_chunksize=1 << 17)
    return [
        Column(id=f"c{i + 1}", name=name, measure="文本", storage=storage_of(arrays[f"c{i + 1}"].type),  # type: ignore[arg-type]
               why=notes[f"c{i + 1}"].why)
        for i, name in enumerate(names)
    ]  # fmt: skip


def compare(
    rows: int, names: list[str], arrays: dict[str, pa.Array], columns: list[Cells], cut: list[str] | None = None
) -> Check:
    """Sums of the cells as read against sums of the stored columns; of those that are `cut` nothing is proved."""
    compared, left = 0, []
    gone = {place for place, name in enumerate(names) if name in (cut or [])}
    for place, cells in enumerate(columns):
        array = arrays[f"c{place + 1}"]
        if not (pa.types.is_integer(array.type) or pa.types.is_floating(array.type)):
            continue
        if cells.counts["text"] or cells.counts["moment"] or place in gone:
            left.append(names[place])
            continue
        compared += 1
        stored = pc.sum(array.cast(pa.float64())).as_py() or 0.0
        if not agree(float(stored), cells.sum):
            text = f"读入的数据与原文件不一致（{names[place]}），已停止导入，原文件未受影响。请联系我们。"
            raise DataRefusal("import.check", text, {"column": names[place]})
    text = f"原文件 {rows:,} 行 × {len(names)} 列；已读 {rows:,} × {len(names)}" + (
        _told_sums(compared, left) if rows else ""
    )
    sums = "same" if compared and rows else "none"
    return Check(
        raw_rows=rows, raw_columns=len(names), rows=rows, columns=len(names), sums=sums,  # type: ignore[arg-type]
        checked_rows=rows, text=text,
    )  # fmt: skip


def _told_sums(compared: int, left: list[str]) -> str:
    """Only what was compared is called the same."""
    if not left:
        return "；数值列合计一致" if compared else ""
    unchecked = f"“{left[0]}”" + (f"等 {len(left)} 列" if len(left) > 1 else "")
    return (f"；{compared} 个数值列合计一致，" if compared else "；") + f"{unchecked}的合计没有核对"
