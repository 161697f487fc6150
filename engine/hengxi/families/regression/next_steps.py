"""What to ask after a regression: a stratum, interactions, the variables side by side, another model of the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hengxi.contract import ColumnInfo, NextStep


def stratified(path: str, form: dict[str, Any]) -> NextStep:
    return NextStep(title="按另一个变量分层再做", method=path, form=form, seek=["_split"])


def crossed(path: str, form: dict[str, Any]) -> list[NextStep]:
    """Products of the variables, where there are several and none was asked for yet."""
    if len(form["x"]) < 2 or (form.get("terms") or {}).get("preset", "main") != "main":
        return []
    start = {**form, "terms": {"preset": "two_way"}}
    return [NextStep(title="加入交互项，看自变量是否互相配合", method=path, form=start, seek=["terms"])]


def correlated(form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
    """The outcome and the quantitative variables side by side."""
    numbers = [column for column in form["x"] if columns[column].measure == "定量"]
    title, chosen = "看各变量之间的关系（相关性分析）", {"variables": [form["y"], *numbers], "weight": form.get("freq")}
    return [NextStep(title=title, method="descriptive/correlation", form=chosen)] if numbers else []


def instead(title: str, path: str, form: dict[str, Any], *keys: str) -> NextStep:
    """Another method of the same variables; `keys` are the fields it takes beside y and x."""
    return NextStep(title=title, method=path, form={key: form[key] for key in ("y", "x", *keys) if key in form})
