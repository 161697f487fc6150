"""Branches and refusals of the computed variable: types, conditions, what is undefined."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hengxi.testing import Trial

PATH = "data_processing/compute_variable"
FRAME = pd.DataFrame({"甲": [1.0, 2.0, None, -4.0], "乙": [0.0, 2.0, 3.0, 2.0], "城市": ["京", "沪", None, "12"]})


TRIAL = Trial(PATH, FRAME, {"name": "新"})
report, refused = TRIAL.document, TRIAL.refused


def values(made: dict[str, Any]) -> list[Any]:
    data = next(e for e in made["parts"][0]["elements"] if e["type"] == "data")
    return [row[0] for row in data["preview"]]


def said(made: dict[str, Any]) -> str:
    return "\n".join(e["text"] for e in made["parts"][0]["elements"] if e["type"] in ("lead", "text", "warning"))


# ---- refusals ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("form", "code", "words"),
    [
        ({"expression": "{c1} +"}, "formula.syntax", "公式第 4 个字符处有误"),
        ({"expression": "{c9} + 1"}, "formula.symbol", "不存在"),
        ({"expression": "身高 + 1"}, "formula.symbol", "公式中的变量“身高”不存在"),
        ({"expression": "新 + 1"}, "formula.symbol", "新变量不能引用自身"),
        ({"expression": "{c1}", "name": "乙"}, "words.taken", "变量“乙”已存在，请换名"),
        ({"expression": "{c3} + 1"}, "formula.type", "“城市”是文本变量，不能参与加减乘除"),
        ({"expression": "{c1} > 1"}, "formula.type", "这里应是算式"),
        ({"expression": ""}, "formula.required", "计算公式"),
        ({"expression": "{c1}", "type": "date"}, "formula.type", "不能当作日期"),
    ],
)
def test_what_cannot_be_computed_is_refused(form: dict[str, Any], code: str, words: str) -> None:
    refusal = refused(**form)
    assert refusal.code == code and words in refusal.text


# ---- branches ------------------------------------------------------------------------------------------------------
def test_undefined_is_missing_and_counted() -> None:
    made = report(expression="{c1} / {c2}")
    assert values(made) == [None, 1, None, -2] and "处除以 0" in said(made)
    made = report(expression="sqrt({c1})")
    assert values(made)[3] is None and "没有定义" in said(made)
    assert "大得无法表示" in said(report(expression="{c1} * 1e300 * 1e300"))


def test_a_condition_limits_the_rows() -> None:
    made = report(expression="{c2} * 10", condition="{c1} > 0")
    assert values(made) == [0, 20, None, None] and "只在满足“{condition}”" in said(made)


def test_an_active_filter_leaves_the_other_rows_missing() -> None:
    assert values(report(expression="{c2} + 1", filter="{c2} >= 2")) == [None, 3, 4, 3]


def test_types() -> None:
    assert values(report(expression="text({c2})")) == ["0", "2", "3", "2"]
    made = report(expression="{c3}", type="number")
    assert values(made) == [None, None, None, 12] and "不能转换" in said(made)
    assert values(report(expression="{c1}", type="text")) == ["1", "2", None, "-4"]
    assert values(report(expression="date(2024, {c2} + 1, 1)"))[1] == "2024-03-01"
    assert values(report(expression='if({c2} = 2, "2024-05-06", "x")', type="date"))[1] == "2024-05-06"


def test_the_name_and_label_reach_the_data() -> None:
    made = report(expression="{c2} + 1", label="加一")
    data = next(e for e in made["parts"][0]["elements"] if e["type"] == "data")
    assert data["columns"] == [{"id": "c4", "name": "新", "label": "加一", "measure": "定量"}]


def test_nothing_computable_says_so() -> None:
    assert "没有一行算得出值" in said(report(expression="ln(0 - abs({c2}))"))


@settings(max_examples=25, deadline=None)
@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=8), st.floats(-1e3, 1e3))
def test_values_are_those_of_numpy(cells: list[float], factor: float) -> None:
    made = report(pd.DataFrame({"x": cells}), expression=f"{{c1}} * ({factor!r}) + {{c1}}^2")
    wanted = np.array(cells) * factor + np.array(cells) ** 2
    assert np.allclose(np.array(values(made), dtype=float), wanted, rtol=1e-12)
