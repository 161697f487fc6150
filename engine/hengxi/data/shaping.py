"""Rows and columns put in and taken out by hand: one step each, which finds its rows again as cases."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hengxi.contract.derived import Made, Stored
from hengxi.contract.measures import Measure
from hengxi.data import cases
from hengxi.data.derive import Derived, derive
from hengxi.data.refusal import DataRefusal
from hengxi.data.table import Table

MOST_ROWS = 10_000
MOST_NEW = 1_000
MOST_COLUMNS = 100
NEW = -1
"""In place of a row of the table: one that is put in."""

_KINDS: dict[str, tuple[Stored, Measure]] = {
    "数值": ("number", "定量"),
    "文字": ("text", "文本"),
    "日期": ("date", "时间"),
}


def shape(key: str, body: dict[str, Any]) -> dict[str, Any]:
    """`{table: newKey, act, of?}` → meta of the new version and `act`, as it is to be remembered and asked again.

    `act` is one of {op: "insert_rows", at, count}, {op: "delete_rows", rows}, {op: "insert_columns", before, columns:
    [{name, kind}]}, {op: "delete_columns", columns}. Rows count from 0 in the table `of` (this one, where none is
    told); a remembered act has `cases` in their place. DataRefusal `shape.*`, `column.gone`.
    """
    table = Table.open(key)
    of = Table.open(body["of"]) if body.get("of") else table
    acts = {
        "insert_rows": _insert_rows,
        "delete_rows": _delete_rows,
        "insert_columns": _insert_columns,
        "delete_columns": _delete_columns,
    }
    derived, act = acts[body["act"]["op"]](table, of, dict(body["act"]))
    return {**derived.write(body["table"]).wire(), "act": act}


def _insert_rows(table: Table, of: Table, act: dict[str, Any]) -> tuple[Derived, dict[str, Any]]:
    count, at = int(act["count"]), int(act["at"])
    if not 1 <= count <= MOST_NEW:
        raise DataRefusal("shape.count", f"一次最多插入 {MOST_NEW:,} 行。", {"count": count})
    new = [int(origin) for origin in act.get("new") or cases.drawn(count)]
    before = act.get("before")
    if before is None and 0 <= at < of.rows:
        before = list(cases.cases_at(of, [at])[0])
    here = cases.rows_of(table, [(int(before[0]), int(before[1]))])[0] if before is not None else None
    place = here if here is not None else min(max(at, 0), table.rows) if before is not None else table.rows
    index = np.insert(np.arange(table.rows, dtype=np.int64), place, np.full(count, NEW))
    act |= {"at": place, "count": count, "before": before, "new": new}
    return derive(table, [], index=index, origins=new), act


def _delete_rows(table: Table, of: Table, act: dict[str, Any]) -> tuple[Derived, dict[str, Any]]:
    wanted = act.get("cases")
    if wanted is None:
        rows = sorted({int(row) for row in act["rows"]})
        if not rows or rows[0] < 0 or rows[-1] >= of.rows:
            raise DataRefusal("shape.row", f"没有这一行，数据共 {of.rows:,} 行。", {"rows": of.rows})
        if len(rows) > MOST_ROWS:
            text = f"一次最多删除 {MOST_ROWS:,} 行，已选 {len(rows):,} 行；更多的行请用数据处理里的筛选。"
            raise DataRefusal("shape.count", text, {"count": len(rows), "most": MOST_ROWS})
        wanted = cases.cases_at(of, rows)
    gone = [row for row in cases.rows_of(table, [(int(a), int(b)) for a, b in wanted]) if row is not None]
    if len(gone) >= table.rows > 0:
        raise DataRefusal("shape.all", "不能删除全部行，至少留一行。", {"rows": table.rows})
    index = np.delete(np.arange(table.rows, dtype=np.int64), gone)
    act |= {"cases": [list(case) for case in wanted], "rows": sorted(gone)}
    return derive(table, [], index=index), act


def _insert_columns(table: Table, of: Table, act: dict[str, Any]) -> tuple[Derived, dict[str, Any]]:
    columns = list(act["columns"])
    if not 1 <= len(columns) <= MOST_COLUMNS:
        raise DataRefusal("shape.count", f"一次最多插入 {MOST_COLUMNS} 列。", {"count": len(columns)})
    new_columns = [_empty(one, table.rows) for one in columns]
    taken = {column.name for column in table.meta.columns}
    for one in new_columns:
        if one.name in taken:
            raise DataRefusal("shape.name", f"变量名“{one.name}”已存在，请换名。", {"name": one.name})
        taken.add(one.name)
    derived = derive(table, new_columns, why="手工插入")
    meta = derived.table.meta
    before = act.get("before")
    place = next((i for i, column in enumerate(table.meta.columns) if column.id == before), len(table.meta.columns))
    rest, new = meta.columns[: -len(new_columns)], meta.columns[-len(new_columns) :]
    meta.columns = [*rest[:place], *new, *rest[place:]]
    act |= {"ids": derived.ids}
    return derived, act


def _empty(asked: dict[str, Any], rows: int) -> Made:
    name = str(asked.get("name") or "").strip()
    if not name:
        raise DataRefusal("shape.name", "变量名不能为空。", {})
    if len(name) > 1000:
        raise DataRefusal("shape.name", "名称最多 1,000 个字。", {})
    stored, measure = _KINDS[str(asked.get("kind") or "文字")]
    values: npt.NDArray[Any] = np.full(rows, None, dtype=object) if stored == "text" else np.full(rows, np.nan)
    return Made(name=name, values=values, stored=stored, measure=measure)


def _delete_columns(table: Table, of: Table, act: dict[str, Any]) -> tuple[Derived, dict[str, Any]]:
    ids = {table.column(str(column_id)).id for column_id in act["columns"]}
    if len(ids) >= len(table.meta.columns):
        raise DataRefusal("shape.all", "不能删除全部列，至少留一列。", {"columns": len(ids)})
    return derive(table, [], removed=ids), act
