"""Workbooks made on the spot."""

from __future__ import annotations

import datetime as dt
import io
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
import xlsxwriter

from hengxi.data.refusal import DataRefusal
from tests.data.conftest import Import


def book(rows: list[list[Any]], change: Callable[[Any, Any], None] | None = None) -> bytes:
    out = io.BytesIO()
    workbook = xlsxwriter.Workbook(out, {"in_memory": True, "default_date_format": "yyyy-mm-dd"})
    sheet = workbook.add_worksheet("数据")
    for i, row in enumerate(rows):
        for j, cell in enumerate(row):
            if cell is not None:
                sheet.write(i, j, cell)
    if change:
        change(workbook, sheet)
    workbook.close()
    return out.getvalue()


def repacked(content: bytes, part: str, change: Callable[[bytes], bytes]) -> bytes:
    """The workbook with one part replaced."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for info in old.infolist():
            data = old.read(info)
            new.writestr(info.filename, change(data) if info.filename == part else data)
    return out.getvalue()


def refused(read: Import, content: bytes, name: str = "数据.xlsx", **options: Any) -> DataRefusal:
    with pytest.raises(DataRefusal) as caught:
        read(content, name, **options)
    return caught.value


SIMPLE: list[list[Any]] = [
    ["姓名", "分数", "日期", "编号", "选中"],
    ["张三", 1.5, dt.date(2024, 1, 2), "001", True],
    ["李四", 2, dt.date(2024, 1, 3), "002", False],
    ["王五", None, None, "003", True],
]
SHEET = "xl/worksheets/sheet1.xml"
