"""What to ask after a regression: a stratum, interactions, the variables side by side, another model of the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hengxi.contract import ColumnInfo, NextStep

LINEAR, LOGISTIC = "statistical/linear_regression", "statistical/logistic_regression"
FOREST = "supervised_learning/classifier/random_forest"


def after_linear(form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
    numbers = [one for one in form["x"] if columns[one].measure == "定量"]
    related = NextStep(
        title="看各变量之间的关系（相关性分析）",
        method="descriptive/correlation",
        form={"variables": [form["y"], *numbers], "weight": form.get("freq")},
    )
    return [*_crossed(LINEAR, form), _stratified(LINEAR, form), *([related] if numbers else [])]


def after_logistic(form: dict[str, Any]) -> list[NextStep]:
    forest = NextStep(title="只要预测：与随机森林分类比较准确率", method=FOREST, form={"y": form["y"], "x": form["x"]})
    weighted = form.get("freq") is not None
    return [*_crossed(LOGISTIC, form), _stratified(LOGISTIC, form), *([] if weighted else [forest])]


def _stratified(path: str, form: dict[str, Any]) -> NextStep:
    return NextStep(title="按另一个变量分层再做", method=path, form=form, seek=["_split"])


def _crossed(path: str, form: dict[str, Any]) -> list[NextStep]:
    """Products of the variables, where there are several and none was asked for yet."""
    if len(form["x"]) < 2 or (form.get("terms") or {}).get("preset", "main") != "main":
        return []
    start = {**form, "terms": {"preset": "two_way"}}
    return [NextStep(title="加入交互项，看自变量是否互相配合", method=path, form=start, seek=["terms"])]
