"""Answers as csv and xlsx to take away."""

from __future__ import annotations

import csv
import io
from typing import Any

import numpy as np

from hengxi.contract import Report
from hengxi.contract.spreadsheets import tame

MOST_XLSX = 100_000
"""Rows a workbook is written for; beyond that the csv holds them all."""


def hand_out(report: Report, method: Any, name: str, head: list[str], lines: list[list[Any]]) -> None:
    """The same rows twice; a NaN is an empty cell."""
    report.file(method.download, f"{name}.csv", csv_bytes(head, lines))
    if len(lines) <= MOST_XLSX:
        report.file(method.download, f"{name}.xlsx", xlsx_bytes(name, head, lines))
    else:
        report.note(method.download, "超过 {k:integer} 行，只给 csv。", k=MOST_XLSX)


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
