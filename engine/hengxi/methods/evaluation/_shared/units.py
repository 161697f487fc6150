"""Decision making units of an envelopment analysis: their names and positive inputs and outputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hengxi.contract import Column, Refusal

from .envelopment import Floats

MOST_UNITS = 1500
FIELDS = ("inputs", "outputs", "bad_outputs")


def read_units(form: Any) -> tuple[list[str], Floats, Floats, Floats]:
    """Names, inputs, outputs, undesirable outputs (units × indicators; no columns where the form has none)."""
    parts = [getattr(form, field, []) for field in FIELDS]
    columns = [column for part in parts for column in part]
    n = len(columns[0])
    refuse_number(n, len(columns))
    row = columns[0].row_numbers
    given = [None] * n if form.label is None else list(form.label.text)
    names = [f"第 {row[k]} 行" if one is None else str(one) for k, one in enumerate(given)]
    if (again := next((name for name in names if names.count(name) > 1), None)) is not None:
        text_ = f"决策单元名称“{again}”重复，请改名，或每个单元只留一行"
        raise Refusal("data.repeated", text_, field="label")
    x, y, b = (read_positive(field, part, names, n) for field, part in zip(FIELDS, parts, strict=True))
    return names, x, y, b


def refuse_number(units: int, indicators: int) -> None:
    if units < 2:
        raise Refusal("data.few", "至少需要 2 个决策单元", field="inputs")
    if units > MOST_UNITS:
        raise Refusal("data.many", f"有 {units:,} 个决策单元，最多 {MOST_UNITS:,} 个，请先筛选", field="inputs")
    if units < indicators:
        text_ = f"决策单元只有 {units} 个，少于投入产出指标数 {indicators}，效率普遍为 1，请减少指标"
        raise Refusal("data.few", text_, field="inputs")


def read_positive(field: str, part: Sequence[Column], names: Sequence[str], n: int) -> Floats:
    """Rows × columns of one box; what is not positive, or too far apart for a linear program, is refused by name."""
    for column in part:
        values = column.numbers
        if (values <= 0).any():
            worst = int(np.argmin(values))
            bad = field == "bad_outputs"
            text_ = f"“{names[worst]}”的“{column.title}”是 {values[worst]:g}，不为正；" + (
                "非期望产出须为正，请检查或换指标" if bad else "这个模型要求正值，请检查或换指标"
            )
            at = int(column.row_numbers[worst])
            raise Refusal("data.not_positive", text_, field=field, column=column.id, row=at)
        if values.max() / values.min() > 1e9 or not 1e-100 < values.max() < 1e100:
            text_ = f"“{column.title}”的数值大小相差太多（超过 10 亿倍）或超出可计算的范围，请检查单位"
            raise Refusal("data.magnitude", text_, field=field, column=column.id)
    return np.stack([column.numbers for column in part], axis=1).astype(float) if part else np.zeros((n, 0))
