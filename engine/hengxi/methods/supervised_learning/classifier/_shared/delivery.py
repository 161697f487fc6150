"""The answers as rows, as csv and xlsx to take away, and as new variables."""

from __future__ import annotations

import csv
import io
from typing import Any

import numpy as np

from hengxi.contract import Report
from hengxi.contract.spreadsheets import tame
from hengxi.methods.supervised_learning.classifier._shared.found import Found
from hengxi.stats.moments import Floats
from hengxi.stats.names import unique

MOST_XLSX = 100_000
"""Rows a workbook is written for; beyond that the csv holds them all."""


def predictions(report: Report, method: Any, found: Found) -> None:
    """Of the test rows; new variables hold every row used and say which part it was in."""
    task = found.task
    chosen = found.called(found.proba)
    rows = task.columns[0].row_numbers
    names = np.array(task.classes, dtype=object)
    own = found.proba[np.arange(task.y.size), chosen]
    test = task.test
    cells = {
        "row": np.asarray(rows[test]),
        "actual": names[task.y[test]],
        "called": names[chosen[test]],
        "p": own[test],
    }
    report.add_rows(method.predictions, cells)
    head = ["行号", "真实值", "预测值", *(f"概率_{name}" for name in task.classes)]
    lines = [[int(rows[i]), task.classes[task.y[i]], task.classes[chosen[i]], *found.proba[i].tolist()] for i in test]
    hand_out(report, method, "测试集预测", head, lines)
    part = np.full(task.y.size, "训练集", dtype=object)
    part[test] = "测试集"
    made: dict[str, Any] = {"预测类别": names[chosen], **probabilities(task.classes, found.proba, task.event)}
    report.columns(method.columns, {**made, "数据划分": part})


def hand_out(report: Report, method: Any, name: str, head: list[str], lines: list[list[Any]]) -> None:
    """The same rows twice; a NaN is an empty cell."""
    report.file(method.download, f"{name}.csv", csv_bytes(head, lines))
    if len(lines) <= MOST_XLSX:
        report.file(method.download, f"{name}.xlsx", xlsx_bytes(name, head, lines))
    else:
        report.note(method.download, "超过 {k:integer} 行，只给 csv。", k=MOST_XLSX)


def probabilities(classes: list[str], proba: Floats, event: int | None) -> dict[str, Floats]:
    """New columns: of two classes the event's probability is enough."""
    shown = [event] if event is not None else list(range(len(classes)))
    names = unique([f"概率_{classes[c]}" for c in shown])
    return {name: np.ascontiguousarray(proba[:, c]) for name, c in zip(names, shown, strict=True)}


def csv_bytes(head: list[str], lines: list[list[Any]]) -> bytes:
    """For spreadsheets: UTF-8 with its mark; texts that would start a formula get a quote before them."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([_tame(one) for one in head])
    writer.writerows([[_tame(one) for one in line] for line in lines])
    return b"\xef\xbb\xbf" + out.getvalue().encode()


def _tame(value: Any) -> Any:
    if isinstance(value, float):
        return "" if np.isnan(value) else repr(value)
    return tame(value) if isinstance(value, str) else value


def xlsx_bytes(name: str, head: list[str], lines: list[list[Any]]) -> bytes:
    """Numbers as numbers, texts as texts whatever they begin with. No date of making: the same rows, the same bytes."""
    import datetime

    import xlsxwriter

    out = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(out, options) as book:
        book.set_properties({"created": datetime.datetime(2000, 1, 1)})
        page = book.add_worksheet(name)
        page.freeze_panes(1, 0)
        bold = book.add_format({"bold": True})
        for place, title in enumerate(head):
            page.write_string(0, place, title, bold)
            page.set_column(place, place, min(40, max(9, 2 * len(title) + 2)))
        for row, line in enumerate(lines, 1):
            for place, value in enumerate(line):
                if isinstance(value, str):
                    page.write_string(row, place, value)
                elif not (isinstance(value, float) and np.isnan(value)):
                    page.write_number(row, place, value)
    return out.getvalue()
