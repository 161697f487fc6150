"""Computes a report of a 复现包 again and compares every number with the one that was exported.

A package is a folder with 设置.json, 变量.json, 数据.csv and 报告.json, as the server writes it; its script calls
`reproduce`. Nothing but the package is read.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa

from hengxi import registry
from hengxi.contract.fields import DatasetField, ModelField, WeightField
from hengxi.contract.method import Method
from hengxi.contract.refusal import Refusal
from hengxi.data.describe import describe_one
from hengxi.data.meta import Column, Meta
from hengxi.data.table import Table
from hengxi.jobs.analysis import analyse, plain
from hengxi.jobs.identity import libraries
from hengxi.jobs.validation import Request

NEAR = 1e-8
"""Relative difference that other versions of the libraries and other processors may make; what is larger is named."""
SHOWN, LINE = 20, 200
WORDS = ("text", "title", "hint", "more", "file", "key")
KEPT = ("kept", "file_id", "model_id", "bytes", "sha256")
"""Sentences may be worded anew, and files and models that a run keeps are its own: neither is a result."""

TYPES = {
    "int": pa.int64(),
    "float": pa.float64(),
    "text": pa.string(),
    "bool": pa.bool_(),
    "date": pa.date32(),
    "datetime": pa.timestamp("us"),
}


def reproduce(folder: Path) -> int:
    """Every report of a package; 0 where all of them come out again."""
    reports = sorted(path.parent for path in folder.glob("**/设置.json"))
    return max([_one(report) for report in reports]) if reports else _said(f"{folder} 里没有 设置.json")


def _said(text: str) -> int:
    print(text)
    return 1


def _one(folder: Path) -> int:
    settings = _json(folder / "设置.json")
    path = settings["method"]["path"]
    print(f"{settings['title']}（{path}）")
    _versions(settings["libraries"])
    if not (folder / "数据.csv").exists():
        return _said("  本包没有带数据，不能重新计算")
    method = registry.load(path)
    if any(isinstance(field, ModelField) for field in method.Input.fields.values()):
        return _said("  这份报告用到一个已保存的模型，模型不在包里，不能重新计算")
    if any(isinstance(field, DatasetField) for field in method.Input.fields.values()):
        return _said("  这份报告用到另一份数据，它不在包里，不能重新计算")
    try:
        made = plain(analyse(_request(method, settings), table_from(folder)))
    except Refusal as refusal:
        return _said("  不能重新计算：" + "；".join(fault.text for fault in refusal.faults))
    return _compare(_json(folder / "报告.json"), made)


def _request(method: type[Method], settings: dict[str, Any]) -> Request:
    form, weight = settings["form"], settings["weight"]
    # A weight of the form is named in the form; what the report says of it besides would weight twice.
    boxes = [key for key, field in method.Input.fields.items() if isinstance(field, WeightField)]
    if weight is not None and weight["column"] in [form.get(key) for key in boxes]:
        weight = None
    return Request.read(
        {
            "path": settings["method"]["path"],
            "form": form,
            "filter": settings["filter"],
            "split": settings["split"],
            "weight": weight,
            "fill_missing": settings["fill_missing"],
            "seed": settings["seed"],
        }
    )


def _versions(exported: dict[str, str]) -> None:
    here = libraries()
    for name in sorted(exported.keys() | here.keys()):
        if exported.get(name) != here.get(name):
            print(f"  {name}：导出时 {exported.get(name, '没有')}，这里 {here.get(name, '没有')}")


# ---- the data --------------------------------------------------------------------------------------------------------
def table_from(folder: Path) -> Table:
    """The columns of 变量.json with the cells of 数据.csv, under the ids they have in the settings."""
    known = {field.name for field in msgspec.structs.fields(Column)}
    described: list[dict[str, Any]] = _json(folder / "变量.json")
    columns = [msgspec.convert({k: v for k, v in one.items() if k in known}, Column) for one in described]
    with (folder / "数据.csv").open(encoding="utf-8-sig", newline="") as lines:
        rows = list(csv.reader(lines))[1:]
    # A row whose only cell is empty is an empty line.
    cells = [[(row[i] if i < len(row) else "") or None for row in rows] for i in range(len(columns))]
    arrays = [_array(column, values) for column, values in zip(columns, cells, strict=True)]
    for column, array in zip(columns, arrays, strict=True):
        describe_one(column, array, declared=True)
    data = pa.table({column.id: array for column, array in zip(columns, arrays, strict=True)})
    return Table.in_memory(Meta(data=None, rows=len(rows), columns=columns), data)


def _array(column: Column, cells: list[str | None]) -> pa.Array:
    kind = TYPES[column.storage]
    if column.storage in ("int", "float"):
        numbers = [_number(cell) for cell in cells]
        return pa.array(numbers, pa.float64()).cast(kind)
    return pa.array(cells, pa.string()).cast(kind)


def _number(cell: str | None) -> float | None:
    try:
        return None if cell is None else float(cell)
    except ValueError:
        return None


# ---- the numbers -----------------------------------------------------------------------------------------------------
def _compare(exported: dict[str, Any], recomputed: dict[str, Any]) -> int:
    """Says how many numbers are the same, and names those that are not."""
    counted = 0
    different: list[str] = []
    _cut_alike(exported["parts"], recomputed["parts"])
    before, after = dict(_leaves(exported["parts"])), dict(_leaves(recomputed["parts"]))
    for where in before.keys() | after.keys():
        old, new = before.get(where), after.get(where)
        counted += _is_number(old)
        # What a later engine says besides is nothing that was exported.
        if not (_same(old, new) or (where not in before and not _is_number(new))):
            different.append(f"  {where}：导出时 {old}，这里 {new}"[:LINE])
    for line in sorted(different)[:SHOWN]:
        print(line)
    if different:
        return _said(f"  {counted:,} 个数字里有 {len(different):,} 处不同")
    print(f"  {counted:,} 个数字全部相同（相对误差不超过 {NEAR:g}）")
    return 0


def _cut_alike(exported: list[Any], made: list[Any]) -> None:
    """A package holds long tables whole, a run of the engine alone only their first rows: these are compared."""
    for old_part, new_part in zip(exported, made, strict=False):
        found = {one["id"]: one for one in new_part["elements"] if one["type"] == "table" and one["more"]}
        for table in old_part["elements"]:
            rows = len(found[table["id"]]["rows"]) if table["id"] in found else None
            if rows is not None:
                table["rows"], table["depth"] = table["rows"][:rows], table["depth"][:rows]
                table["totals"] = [row for row in table["totals"] if row < rows]
                table["marks"] = {k: v for k, v in table["marks"].items() if int(k.split(",")[0]) < rows}


def _leaves(value: Any, where: str = "") -> Iterator[tuple[str, Any]]:
    """Every result of a report by its place."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in WORDS and key not in KEPT:
                named = inner.get("id") if isinstance(inner, dict) else None
                yield from _leaves(inner, f"{where}/{named or key}")
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            named = inner.get("id") if isinstance(inner, dict) else None
            yield from _leaves(inner, f"{where}/{named or i}")
    else:
        yield where, value


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _same(old: Any, new: Any) -> bool:
    if _is_number(old) and _is_number(new):
        return bool(old == new or abs(old - new) <= NEAR * max(abs(old), abs(new)))
    return bool(old == new)


def _json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
