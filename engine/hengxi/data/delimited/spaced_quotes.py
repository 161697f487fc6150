"""Quotes behind a space (`1, "a, b"`): no reader of csv takes them for quotes, and what they hold falls apart."""

from __future__ import annotations

import re

import pyarrow as pa

from hengxi.data.arrays import Source
from hengxi.data.meta import Column, Warn

LOOKED_AT = 200
_SPACED = re.compile(r'\s+"')


def quote_warnings(columns: list[Column], source: Source) -> list[Warn]:
    """A warning where most cells of a column begin so."""
    names = [column.name for column in columns if source.has(column.id) and _is_spaced(source.array(column.id))]
    if not names:
        return []
    text = (
        f"{len(names)} 列（如“{names[0]}”）的引号前面多了空格，引号没有起作用，按普通字符读入；"
        "引号里有分隔符的单元格会被拆到两列。请去掉分隔符后面的空格后重新上传。"
    )
    return [Warn(code="csv.spaced_quotes", text=text, facts={"names": names[:50], "count": len(names)})]


def _is_spaced(array: pa.ChunkedArray) -> bool:
    if not pa.types.is_large_string(array.type):
        return False
    cells = [cell for cell in array.slice(0, LOOKED_AT).to_pylist() if cell]
    return 2 * sum(1 for cell in cells if _SPACED.match(cell)) > len(cells)
