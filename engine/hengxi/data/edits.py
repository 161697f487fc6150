"""Changes of metadata: names, labels, measures, levels, missing codes. A new version that shares the cells.

No cell is ever rewritten. A text column declared 定量 keeps its text in the file and is read as numbers; declared 文本
again it shows what it always showed.
"""

from __future__ import annotations

import math
from typing import Any

import msgspec
import numpy as np
from msgspec import UnsetType

from hengxi.data import store
from hengxi.data.arrays import as_strings
from hengxi.data.describe import decimals_of, levels_for, part_missing
from hengxi.data.finish import publish
from hengxi.data.levels import is_missing
from hengxi.data.meta import AnswerSet, Column, Level, Measure, Missing, Warn
from hengxi.data.profile import profile_array
from hengxi.data.readings import ORDER_TITLES, orders_of
from hengxi.data.refusal import DataRefusal
from hengxi.data.rereading import extra_dates, read_numbers
from hengxi.data.scoring import score
from hengxi.data.special import letters_of
from hengxi.data.table import Table
from hengxi.data.values import dictionary, numbers

MEASURES: tuple[Measure, ...] = ("定类", "定量", "时间", "文本")
_KNOWN = frozenset(
    {
        "id",
        "name",
        "label",
        "measure",
        "ordered",
        "levels",
        "missing",
        "flags",
        "unit",
        "decimals",
        "date_order",
        "reading",
        "scores",
    }
)


def edit(key: str, body: dict[str, Any]) -> dict[str, Any]:
    """`{table: newKey, columns: [{id, and what of _KNOWN changes}], sets?}`

    → meta of the new version, with `warnings` [{code, text, facts}]. DataRefusal `edit.*`, `column.gone`.
    """
    table = Table.open(key)
    target = store.table_path(body["table"])
    meta = msgspec.convert(table.meta.wire(), type(table.meta))  # a copy: versions are immutable
    meta.data = table.meta.data or key
    if body.get("sets") is not None:
        meta.sets = [msgspec.convert(one, AnswerSet) for one in body["sets"]]
        for column_id in (column_id for one in meta.sets for column_id in one.columns):
            table.column(column_id)
    warnings: list[Warn] = []
    place = {column.id: i for i, column in enumerate(meta.columns)}
    for change in body["columns"]:
        table.column(str(change.get("id")))
        column = meta.columns[place[change["id"]]]
        _apply(table, column, change, warnings)
    _unique_names(meta.columns)
    with store.work_folder(target.parent) as work:
        part = work / "table"
        part.mkdir()
        publish(meta, part, target)
    return {**meta.wire(), "warnings": msgspec.to_builtins(warnings)}


def _apply(table: Table, column: Column, change: dict[str, Any], warnings: list[Warn]) -> None:
    unknown = set(change) - _KNOWN
    if unknown:
        raise DataRefusal("edit.unknown", f"不能修改 {'、'.join(sorted(unknown))}。", {"keys": sorted(unknown)})
    for field in ("name", "label", "unit"):
        if field in change:
            setattr(column, field, _text(field, change[field]))
    if "flags" in change:
        column.flags = list(dict.fromkeys(str(flag) for flag in change["flags"]))
    if "ordered" in change:
        column.ordered = bool(change["ordered"])
    if "decimals" in change:
        column.decimals = min(max(int(change["decimals"]), 0), 15)
    if "missing" in change:
        column.missing = _with_letters(_missing(change["missing"]), column)
    scored = bool(change.get("scores"))
    if "measure" in change and (change["measure"] != column.measure or scored):
        _retype(table, column, change, warnings)
    if "levels" in change:
        column.levels = _levels(change["levels"], column)
    if {"measure", "missing", "levels"} & set(change):
        _describe(table, column, "levels" in change)


def _text(field: str, value: Any) -> str | None:
    text = str(value).strip() if value is not None else ""
    if field == "name" and not text:
        raise DataRefusal("edit.name", "变量名不能为空。", {})
    if len(text) > 1000:
        raise DataRefusal("edit.name", "名称和标签最多 1,000 个字。", {})
    return text or None


def _missing(value: Any) -> Missing:
    try:
        missing = msgspec.convert(value or {}, Missing)
    except msgspec.ValidationError as error:
        raise DataRefusal("edit.missing", "缺失值的写法不正确。", {}) from error
    for span in missing.ranges:
        if span.low is not None and span.high is not None and span.low > span.high:
            text = f"缺失值范围 {span.low:g} 到 {span.high:g} 的下限大于上限。"
            raise DataRefusal("edit.missing", text, {"low": span.low, "high": span.high})
    return missing


def _with_letters(missing: Missing, column: Column) -> Missing:
    """`.a` of Stata stays missing whatever else is declared: the number behind it is nobody's answer."""
    missing.values += [code for code in letters_of(column) if not is_missing(code, missing)]
    return missing


def _levels(value: Any, column: Column) -> list[Level] | None:
    if value is None:
        return None
    try:
        levels = [
            Level(value=item["value"], label=str(item.get("label") or "").strip() or _shown(item["value"]))
            for item in value
        ]
    except (TypeError, KeyError) as error:
        raise DataRefusal("edit.levels", "取值标签的写法不正确。", {}) from error
    values = [level.value for level in levels]
    if len({(isinstance(v, str), v) for v in values}) < len(values):
        raise DataRefusal("edit.levels", f"“{column.name}”的取值有重复。", {"column": column.id})
    return levels


def _shown(value: Any) -> str:
    from hengxi.data.levels import label_of

    return label_of(value)


def _retype(table: Table, column: Column, change: dict[str, Any], warnings: list[Warn]) -> None:
    """Another measure; the storage that readers see follows for text, the file stays."""
    measure = change["measure"]
    if measure not in MEASURES:
        raise DataRefusal("edit.measure", f"没有变量类型“{measure}”。", {"measure": measure})
    was, column.measure, column.why = column.measure, measure, "用户设定"
    if column.stored == "text":
        column.levels = None if measure != "定类" or was in ("定量", "时间") else column.levels
        column.physical = column.date_order = column.scores = column.readings = msgspec.UNSET
        column.storage = "text"
        if measure == "时间":
            _order_dates(table, column, change.get("date_order"))
            column.readings = extra_dates(table.array(column.id)) or msgspec.UNSET
        if measure == "定量" and change.get("scores"):
            score(column, _scores(change["scores"], column))
            _count_lost(table, column, measure, warnings)
        elif measure in ("定量", "时间"):
            if measure == "定量":
                read_numbers(table.array(column.id), column, change.get("reading"), warnings)
            column.physical, column.storage = "text", "float" if measure == "定量" else "datetime"
            _count_lost(table, column, measure, warnings)
    elif measure == "时间" and "date" not in column.storage and not column.profile.whole:
        text = f"“{column.name}”不是日期，也不是整数的期次，不能设为时间。"
        raise DataRefusal("edit.measure", text, {"column": column.id})
    if measure != "定类":
        column.ordered = False
    column.flags = [flag for flag in column.flags if flag != "量表" or measure in ("定量", "定类")]


def _scores(given: Any, column: Column) -> dict[str, int]:
    try:
        scores = msgspec.convert(given, dict[str, int])
    except msgspec.ValidationError as error:
        text = f"“{column.name}”的计分写法不正确。"
        raise DataRefusal("edit.scores", text, {"column": column.id}) from error
    return scores


def _order_dates(table: Table, column: Column, given: str | None) -> None:
    """Finds out in which order day and month stand where the year comes last; asks where both read the same cells."""
    taken = orders_of(as_strings(dictionary(table.array(column.id)).dictionary))
    if not taken:
        return
    ways = [order for order, n in taken.items() if n == max(taken.values())]
    if len(ways) > 1 and given not in ways:
        text = f"“{column.name}”的日期年份在后，看不出是 {' 还是 '.join(ORDER_TITLES[way] for way in ways)}，请选择。"
        raise DataRefusal("edit.date_order", text, {"column": column.id, "orders": ways})
    column.date_order = given if given in ways else ways[0]  # type: ignore[assignment]


def _count_lost(table: Table, column: Column, measure: str, warnings: list[Warn]) -> None:
    """Cells with text that are no number (no date): they will count as missing."""
    values = numbers(table.array(column.id), column)
    lost = int(np.count_nonzero(np.isnan(values) & ~table.missing(column.id)))
    valid = values[~np.isnan(values)]
    if measure == "定量" and len(valid) and bool(np.all(valid == np.floor(valid))):
        column.storage = "int"
    if measure == "时间" and bool(np.all(valid == np.floor(valid))):
        column.storage = "date"
    if lost:
        noun = "日期" if measure == "时间" else "数字" if isinstance(column.scores, UnsetType) else "计分的选项"
        text = f"“{column.name}”有 {lost:,} 个单元格不是{noun}，将作缺失；改回文本即恢复。"
        warnings.append(Warn(code="edit.lost", text=text, facts={"column": column.id, "count": lost}))


def _describe(table: Table, column: Column, given: bool) -> None:
    """Profile, levels and decimals under the new metadata."""
    array = table.array(column.id)
    part_missing(column, array)
    column.profile = profile_array(array, column)
    labelled = any(level.label != _shown(level.value) for level in column.levels or [])
    if not given and column.measure != "定类" and not labelled:
        column.levels = None
    column.levels = levels_for(column, array)
    if column.storage == "float" and column.stored == "float":
        column.decimals = decimals_of(array)
    elif column.storage == "float":
        import pyarrow as pa

        column.decimals = decimals_of(pa.array(numbers(array, column), from_pandas=True))
    if column.profile.sd is not None and not math.isfinite(column.profile.sd):
        column.profile.sd = None


def _unique_names(columns: list[Column]) -> None:
    taken: set[str] = set()
    for column in columns:
        if column.name in taken:
            raise DataRefusal("edit.name", f"变量名“{column.name}”已存在，请换名。", {"column": column.id})
        taken.add(column.name)
