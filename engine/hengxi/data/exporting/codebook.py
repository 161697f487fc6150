"""The codebook: one line per variable and value, as a sheet beside the data or as a file of its own."""

from __future__ import annotations

import csv
from typing import Any

import xlsxwriter
from msgspec import UnsetType
from xlsxwriter.worksheet import Worksheet

from hengxi.data.arrays import number_text
from hengxi.data.exporting import formulas
from hengxi.data.exporting.cells import has_label
from hengxi.data.exporting.job import Job
from hengxi.data.levels import key_of, label_of
from hengxi.data.meta import Column, Level, Value
from hengxi.data.special import letters_of
from hengxi.data.table import Table

HEAD = ["变量名", "变量标签", "类型", "单位", "缺失码", "有效", "缺失", "不同取值", "取值", "取值标签", "频数", "备注"]
WIDTHS = [20, 32, 8, 8, 16, 10, 10, 10, 16, 24, 10, 10]


def extension(job: Job) -> str:
    return f"_编码表.{job.options.sheet}"


def write(job: Job) -> None:
    lines = codebook(job.table)
    if job.options.sheet == "csv":
        _write_csv(job, lines)
    else:
        with xlsxwriter.Workbook(job.path, options=WORKBOOK | {"tmpdir": str(job.work)}) as book:
            add_sheet(book, lines)
    if job.keep is not None:
        job.note("export.codebook", "编码表里的频数是全部行的，不受筛选影响。")
    job.tick(1, "写入")


WORKBOOK: dict[str, Any] = {
    "constant_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
}
"""A cell that looks like a formula or a link stays the text it is."""


def add_sheet(book: xlsxwriter.Workbook, lines: list[list[Any]]) -> None:
    sheet = book.add_worksheet("编码表")
    bold = book.add_format({"bold": True})
    sheet.freeze_panes(1, 1)
    for place, (title, width) in enumerate(zip(HEAD, WIDTHS, strict=True)):
        sheet.set_column(place, place, width)
        sheet.write_string(0, place, title, bold)
    for row, line in enumerate(lines, 1):
        for place, cell in enumerate(line):
            if isinstance(cell, str):
                _put(sheet, row, place, cell)
            elif cell is not None:
                sheet.write_number(row, place, cell)


def _put(sheet: Worksheet, row: int, place: int, text: str) -> None:
    """The library takes a text like <r>…</r> for markup of its own and writes it as it is: it is cut into pieces."""
    if text.startswith("<r>") and text.endswith("</r>"):
        sheet.write_rich_string(row, place, "<", "r", text[2:])
    else:
        sheet.write_string(row, place, text)


def codebook(table: Table) -> list[list[Any]]:
    """Lines under HEAD; what belongs to the variable stands on its first line only."""
    lines: list[list[Any]] = []
    for column in table.meta.columns:
        head = [column.name, column.label, "定序" if column.ordered else column.measure, column.unit,
                missing_text(column), column.profile.n, column.profile.missing, column.profile.distinct]  # fmt: skip
        values = [[_shown(level), level.label if has_label(level) else None, level.count, None]
                  for level in column.levels or []]  # fmt: skip
        values += [[*_code(column, level), level.count, "缺失码"] for level in _codes(table, column)]
        for place, value in enumerate(values or [[None, None, None, None]]):
            lines.append((head if place == 0 else [column.name, *[None] * 7]) + value)
    return lines + _sets(table)


def _sets(table: Table) -> list[list[Any]]:
    """Multiple-answer questions: one line per option, with how often it was chosen."""
    lines = []
    known = table.meta.by_id()
    for answer_set in [] if isinstance(table.meta.sets, UnsetType) else table.meta.sets:
        note = "多选题的选项" if answer_set.counted is None else f"多选题的选项，计数值 {label_of(answer_set.counted)}"
        options = [known[column_id] for column_id in answer_set.columns if column_id in known]
        for place, column in enumerate(options):
            head = [answer_set.name, *([answer_set.label, "多选题集", *[None] * 5] if place == 0 else [None] * 7)]
            lines.append([*head, column.name, column.label, _chosen(column, answer_set.counted), note])
    return lines


def _chosen(column: Column, counted: Value) -> int | None:
    """Rows that hold the counted value; for any value the valid ones. None where the values are not listed."""
    if counted is None:
        return column.profile.n
    if column.levels is not None:
        return sum(level.count for level in column.levels if key_of(level.value) == key_of(counted))
    top = [one.count for one in column.profile.top if key_of(one.value) == key_of(counted)]
    return top[0] if top else None


def _code(column: Column, level: Level) -> tuple[Any, str | None]:
    """(code, label): `.a` and 拒答 for a special missing value, 9 and 不知道 for another code."""
    letter = letters_of(column).get(level.value)
    if letter:
        return letter, level.label.removeprefix(letter).strip() or None
    return _shown(level), level.label if has_label(level) else None


def _codes(table: Table, column: Column) -> list[Level]:
    """User-missing codes: those that occur with their counts, and those that only have a label."""
    found = table.missing_kinds(column.id)[1]
    known = {level.value for level in found}
    named = [] if isinstance(column.missing_labels, UnsetType) else column.missing_labels
    return [*found, *(level for level in named if level.value not in known)]


def missing_text(column: Column) -> str | None:
    """“9、-9 到 -1”, None without codes."""
    letters = letters_of(column)
    parts = [letters.get(value) or label_of(value) for value in column.missing.values]
    for span in column.missing.ranges:
        low, high = number_text(span.low) or "最小", number_text(span.high) or "最大"
        parts.append(f"{low} 到 {high}")
    return "、".join(parts) or None


def _shown(level: Level) -> Any:
    return label_of(level.value) if isinstance(level.value, bool) else level.value


def _write_csv(job: Job, lines: list[list[Any]]) -> None:
    rows = [HEAD, *lines]
    texts = [cell for line in lines for cell in line if isinstance(cell, str)]
    formula_count = int(formulas.mark(texts).sum()) if texts else 0
    if job.options.quote and formula_count:
        rows = [[_quoted(cell) for cell in line] for line in rows]
    with job.path.open("w", encoding=job.options.encoding, newline="") as out:
        csv.writer(out).writerows(rows)
    formulas.say(job, formula_count)


def _quoted(cell: Any) -> Any:
    return f"'{cell}" if isinstance(cell, str) and formulas.mark([cell]).any() else cell
