"""What to ask after a comparison of means: other groups, other variables held, a third variable in between."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hengxi.contract import ColumnInfo, NextStep
from hengxi.methods.hypothesis_test._shared import siblings

TWO, MANY = "hypothesis_test/independent_t_test", "hypothesis_test/variance"


def after_two_groups(form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
    steps = [*siblings.others(TWO, form), *_welch(form), _stratified(TWO, form), _held(form), *_related(form)]
    if columns[form["group"]].profile.distinct > 2:
        steps.insert(0, NextStep(title="把各组放在一起比较（单因素方差分析）", method=MANY, form=_same(form)))
    return steps


def after_many_groups(form: dict[str, Any]) -> list[NextStep]:
    title = "只比较其中两组（独立样本 t 检验）"
    pair = NextStep(title=title, method=TWO, form=_same(form), seek=["groups"])
    return [pair, *siblings.others(MANY, form), _stratified(MANY, form), _held(form), *_related(form)]


def _welch(form: dict[str, Any]) -> list[NextStep]:
    """From Student's row to Welch's; both stand in the table, the conclusion reads one."""
    if form["test"] == "welch":
        return []
    title = "改用不要求方差相等的检验（Welch 检验）"
    return [NextStep(title=title, method=TWO, form={**form, "test": "welch"})]


def _same(form: dict[str, Any]) -> dict[str, Any]:
    return {key: form.get(key) for key in ("group", "variables", "weight")}


def _held(form: dict[str, Any]) -> NextStep:
    start = {"y": form["variables"][0], "x": [form["group"]], "freq": form.get("weight")}
    title = "加入其他变量一起考虑（线性回归）"
    return NextStep(title=title, method="statistical/linear_regression", form=start, seek=["x"])


def _stratified(path: str, form: dict[str, Any]) -> NextStep:
    return NextStep(title="按另一个变量分层再比较", method=path, form=form, seek=["_split"])


def _related(form: dict[str, Any]) -> list[NextStep]:
    """How the compared variables go together, where there are several."""
    if len(form["variables"]) < 2:
        return []
    start = {"variables": form["variables"], "weight": form.get("weight")}
    return [NextStep(title="看这几个变量之间的关系（相关性分析）", method="descriptive/correlation", form=start)]
