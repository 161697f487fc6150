"""Names of the new columns, kinds, and the limits."""

from __future__ import annotations

from typing import Any

import pandas as pd

from hengxi.testing import Trial, warnings

FRAME = pd.DataFrame({"地": ["京", "沪", "穗"], "一": [1.0, None, 3.0], "二": [4.0, 5.0, 6.0], "类": ["a", "b", None]})
TRIAL = Trial("data_processing/transpose", FRAME, {"variables": ["一", "二"], "name_var": "地"}, {"地": "文本"})
report, refused = TRIAL.report, TRIAL.refused


def after(elements: list[Any]) -> list[Any]:
    return [row for row in next(e for e in elements if e["type"] == "data")["step"]["preview"]["after"] if row]


def test_a_variable_is_a_row() -> None:
    assert [row[-4:] for row in after(report())] == [["一", 1, None, 3], ["二", 4, 5, 6]]


def test_mixed_kinds_become_text() -> None:
    """类型混杂 → 所选变量类型不同，转置后统一为文本"""
    made = report(variables=["一", "类"])
    assert warnings(made) == ["data.mixed"]
    assert [row[-3:] for row in after(made)] == [["1", None, "3"], ["a", "b", None]]


def test_names_twice_or_missing_are_refused() -> None:
    """新列名重复 → 变量“{v}”有重复值，不能作为列名"""
    assert "有重复值“京”" in refused(FRAME.assign(地=["京", "沪", "京"])).text
    assert refused(name_var="类", variables=["一"]).code == "data.no_name"


def test_too_many_rows_are_refused() -> None:
    """行数超过最大列数 → 转置后将有 {k} 列，超过上限 {m}"""
    assert "转置后将有 3 列，超过上限 2" in refused(max_columns=2).text
