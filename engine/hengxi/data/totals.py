"""Sums below a table (合计, 平均): rows like any other to a reader, and counted as cases unless somebody says so."""

from __future__ import annotations

import re

import pyarrow as pa

from hengxi.data.arrays import Source
from hengxi.data.meta import Column, Warn

TAIL = 5
"""Rows at the end that are looked at: below the sum may stand an average, a note, who made the table."""
MOST = 50
"""Columns of text that may hold the word; it stands in one of the first."""
_TOTAL = re.compile(
    r"(?:合\s*计|总\s*计|小\s*计|共\s*计|累\s*计|总\s*和|汇\s*总|平\s*均(?:值|数|分)?|均\s*值"
    r"|(?:grand |sub)?total|sum|average|mean)\s*[:：]?",
    re.IGNORECASE,
)


def total_row_warnings(columns: list[Column], source: Source) -> list[Warn]:
    """A warning where one of the last rows is called a sum or an average."""
    rows = source.rows
    if rows <= TAIL:
        return []
    labels: dict[int, str] = {}
    worded = [column for column in columns if column.storage == "text" and source.has(column.id)]
    for column in worded[:MOST]:
        array = source.array(column.id)
        if not (pa.types.is_large_string(array.type) or pa.types.is_string(array.type)):
            continue
        for place, cell in enumerate(array.slice(rows - TAIL).to_pylist()):
            if cell and _TOTAL.fullmatch(cell.strip()):
                labels.setdefault(rows - TAIL + place + 1, cell.strip())
    if not labels:
        return []
    listed = "、".join(f"第 {row:,} 行“{word}”" for row, word in sorted(labels.items()))
    text = (
        f"表尾有 {len(labels)} 行像是合计或平均（{listed}），已作为普通的行读入，会算进分析结果。"
        "不需要时请用筛选去掉，或在原文件中删除后重新上传。"
    )
    return [Warn(code="rows.total", text=text, facts={"rows": sorted(labels), "count": len(labels)})]
