"""Which weight acts: the form's own field, or the version's active weight; other kinds are refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hengxi.contract.columns import Floats
from hengxi.contract.fields import WeightField
from hengxi.contract.fields.weight import WEIGHT_WORDS
from hengxi.contract.measures import ColumnInfo, is_number, title_of
from hengxi.contract.method import Method
from hengxi.contract.refusal import Fault, Refusal, SetRemedy
from hengxi.data.table import Table

_VALUES = ("weight.negative", "weight.whole", "weight.zero")


@dataclass(frozen=True)
class Acting:
    """One weight in force; `field` is None where the platform's weight has no box on the form."""

    field: str | None
    column: str
    kind: str
    whole: bool


def fill_in(
    method: type[Method], form: dict[str, Any], active: dict[str, Any] | None
) -> tuple[dict[str, Any], list[Fault]]:
    """The form with the active weight in the box that is for it; a weight nobody honours is a fault."""
    if active is None:
        return form, []
    kind = active.get("kind") or "frequency"
    boxes = [f for f in method.Input.fields.values() if isinstance(f, WeightField) and f.kind == kind]
    if boxes:
        key = boxes[0].key
        return ({**form, key: active["column"]} if key not in form else form), []
    if kind in method.weights:
        return form, []
    honoured = "、".join(WEIGHT_WORDS[one] for one in method.weights)
    usable = f"（可用：{honoured}）" if honoured else "，也不支持其他加权"
    text = f"“{method.title}”不能使用{WEIGHT_WORDS[kind]}{usable}；可以不加权运行，或先取消加权"
    remedy = SetRemedy(title="不加权运行", set={"_weight": None})
    fault = Fault(field="_weight", code="weight.kind", text=text, facts={"kind": kind}, remedies=[remedy])
    fault.column = active["column"]
    return form, [fault]


def acting(method: type[Method], resolved: dict[str, Any], active: dict[str, Any] | None) -> list[Acting]:
    """All weights in force, the form's boxes first."""
    acting_weights = []
    for key, field in method.Input.fields.items():
        if isinstance(field, WeightField) and resolved[key]:
            acting_weights.append(Acting(key, resolved[key], field.kind, field.whole))
    kind = (active or {}).get("kind") or "frequency"
    has_box = any(isinstance(f, WeightField) and f.kind == kind for f in method.Input.fields.values())
    if active is not None and not has_box:
        acting_weights.append(Acting(None, active["column"], kind, False))
    return acting_weights


def check_active(weight: Acting, column: ColumnInfo | None) -> list[Fault]:
    """A platform weight has no box to judge it."""
    if weight.field is not None:
        return []
    if column is None:
        return [Fault(field="_weight", code="weight.gone", text="加权变量在当前数据版本里不存在，请重新选择或取消加权")]
    if not is_number(column):
        text = f"{WEIGHT_WORDS[weight.kind]}必须是数值；变量“{title_of(column)}”是文字"
        return [Fault(field="_weight", code="weight.text", text=text, column=column.id)]
    return []


def name_rows(method: type[Method], faults: list[Fault], table: Table) -> None:
    """Faults of a weight known from the profile alone, told with the first row that is wrong."""
    for fault in faults:
        field = method.Input.fields.get(fault.field or "")
        if not isinstance(field, WeightField) or fault.column is None or fault.code not in _VALUES:
            continue
        values = table.numeric(fault.column)
        weight = Acting(field.key, fault.column, field.kind, field.whole)
        try:
            judge_values(weight, title_of(table.column(fault.column)), values, np.arange(len(values)))
        except Refusal as told:
            fault.code, fault.text, fault.row = told.faults[0].code, told.faults[0].text, told.faults[0].row


def judge_values(weight: Acting, name: str, values: Floats, rows: np.ndarray[Any, np.dtype[np.int64]]) -> None:
    """Refuse a negative or fractional weight by its row, and weights adding to nothing. `rows` count from 0."""
    words = WEIGHT_WORDS[weight.kind]
    field = weight.field or "_weight"
    if weight.kind == "precision" and len(bad := np.flatnonzero(values <= 0)):
        # A precision of 0 would be an infinite variance: not a row to leave out in silence.
        row, value = int(rows[bad[0]]) + 1, float(values[bad[0]])
        text = f"{words}必须为正数；变量“{name}”第 {row:,} 行为 {value:g}"
        raise Refusal("weight.zero", text, field=field, column=weight.column, row=row)
    if len(bad := np.flatnonzero(values < 0)):
        row, value = int(rows[bad[0]]) + 1, float(values[bad[0]])
        text = f"{words}必须是非负{'整' if weight.whole else ''}数；变量“{name}”第 {row:,} 行为 {value:g}"
        raise Refusal("weight.negative", text, field=field, column=weight.column, row=row)
    if weight.whole and len(bad := np.flatnonzero(np.isfinite(values) & (values != np.floor(values)))):
        row, value = int(rows[bad[0]]) + 1, float(values[bad[0]])
        text = f"{words}必须是非负整数；变量“{name}”第 {row:,} 行为 {value:g}"
        raise Refusal("weight.whole", text, field=field, column=weight.column, row=row)
    if not np.nansum(values) > 0:
        text = f"{words}“{name}”在参与计算的 {len(rows):,} 行中之和为 0，无法计算；请更换权重变量，或放宽筛选条件"
        raise Refusal("weight.zero", text, field=field, column=weight.column)
