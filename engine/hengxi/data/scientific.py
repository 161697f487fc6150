"""Long numbers that a spreadsheet wrote as 1.23457E+17: the end of an order number or an identity card is gone."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from hengxi.data.arrays import Source
from hengxi.data.meta import Column, Warn

LONG = 1e11
"""From here on spreadsheets show a number so, and write it to a csv as they show it."""
DIGITS = 6
LEAST = 3
"""Cells; of one or two nothing can be said."""
HEAD = 1_000
"""Nearly every column holds a shorter number among its first: the rest of it is not read."""


def scientific_warnings(columns: list[Column], source: Source) -> list[Warn]:
    """A warning about columns of nothing but long numbers of a few digits.

    A number written out in full is a whole number to the import, so that these were not.
    """
    shortened = {column.name: cell for column in columns if (cell := _shortened(column, source))}
    if not shortened:
        return []
    name, cell = next(iter(shortened.items()))
    text = (
        f"{len(shortened)} 列的数是用科学计数法写的（如“{name}”中的 {cell}），只有前几位数字。"
        "如果原本是订单号、证件号一类的编号，后面的数字在原文件中已经丢失："
        "请在表格软件中把这一列设为文本，从原来的系统重新导出后再上传。"
    )
    return [Warn(code="numbers.scientific", text=text, facts={"names": list(shortened)[:50], "count": len(shortened)})]


def _shortened(column: Column, source: Source) -> str:
    if column.storage != "float" or not source.has(column.id):
        return ""
    array = source.array(column.id)
    if not pa.types.is_floating(array.type) or _is_short(array.slice(0, HEAD)):
        return ""
    low = pc.min_max(array).as_py()["min"]
    if low is None or low < LONG or len(array) - array.null_count < LEAST:
        return ""
    values = np.unique(array.drop_null().to_numpy())
    short = all(float(f"{value:.{DIGITS - 1}e}") == value for value in values[:1000])
    return f"{values[0]:.{DIGITS - 1}E}" if short else ""


def _is_short(cells: pa.ChunkedArray) -> bool:
    low = pc.min_max(cells).as_py()["min"]
    return low is not None and low < LONG
