"""Rows of a report table that are too many for the document: one Parquet file a table, one row group a page."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from hengxi.data import store
from hengxi.data.refusal import DataRefusal

PAGE = 1000
"""Rows of a row group, and the most that one call gives."""
NAME = re.compile(r"r[0-9]{1,4}_[0-9]{1,4}")


def write(key: str, name: str, body: dict[str, Any]) -> None:
    """Store `{rows, depth, totals, marks}` of a table, as laid out, under the folder `key`."""
    marks: dict[int, dict[str, str]] = {}
    for place, mark in body["marks"].items():
        row, column = place.split(",")
        marks.setdefault(int(row), {})[column] = mark
    totals = set(body["totals"])
    lines = [
        orjson.dumps(
            [cells, body["depth"][i], i in totals, marks.get(i, {})],
            option=orjson.OPT_SERIALIZE_NUMPY | orjson.OPT_NON_STR_KEYS,
        )
        for i, cells in enumerate(body["rows"])
    ]
    path = _path(key, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    # A run that dies here leaves a folder nobody names; the sweep of unowned folders takes it.
    pq.write_table(pa.table({"row": pa.array(lines, pa.binary())}), path, row_group_size=PAGE, compression="zstd")


def read(key: str, name: str, offset: int, limit: int) -> dict[str, Any]:
    """Rows `offset` to `offset + limit` (at most PAGE): `{total, rows, depth, totals, marks}`, numbered from 0.

    DataRefusal `rows.absent` when there is no such file.
    """
    path = _path(key, name)
    if not path.exists():
        raise DataRefusal("rows.absent", "这张表的其余行已不存在，请重新运行分析", {})
    page: dict[str, Any] = {"rows": [], "depth": [], "totals": [], "marks": {}}
    with pq.ParquetFile(path) as file:
        total = file.metadata.num_rows
        first = max(0, min(offset, total))
        last = min(total, first + max(0, min(limit, PAGE)))
        groups = list(range(first // PAGE, -(-last // PAGE))) if last > first else []
        lines = file.read_row_groups(groups).column("row").to_pylist() if groups else []
    start = first - (groups[0] * PAGE if groups else 0)
    for i, line in enumerate(lines[start : start + last - first]):
        cells, depth, is_total, marks = orjson.loads(line)
        page["rows"].append(cells)
        page["depth"].append(depth)
        page["totals"] += [i] if is_total else []
        page["marks"] |= {f"{i},{column}": mark for column, mark in marks.items()}
    return {"total": total, **page}


def _path(key: str, name: str) -> Path:
    """ValueError for a name that is not one of ours: names never leave the folder."""
    if not NAME.fullmatch(name):
        raise DataRefusal("rows.absent", "这张表的其余行已不存在，请重新运行分析", {})
    return store.table_path(key) / "rows" / f"{name}.parquet"
