from __future__ import annotations

import pandas as pd
import pytest

from hengxi.testing import Trial, records, warnings

FRAME = pd.DataFrame(
    {"名": list("甲乙丙丁戊"), "a": [1.0, 2, 4, 3, 5], "b": [5.0, 3, 4, 1, 2], "c": [2.0, 2.5, 2, 1, 9]}
)
TRIAL = Trial("evaluation/independence_weight", FRAME, {"items": ["a", "b", "c"]}, {"名": "定类"})


def test_no_more_objects_than_indicators_is_refused() -> None:
    assert "样本量须大于指标数" in TRIAL.refused(FRAME.iloc[:3]).text


def test_an_indicator_made_of_others_is_named() -> None:
    frame = FRAME.assign(d=FRAME["a"] + FRAME["b"])
    refusal = TRIAL.refused(frame, items=["a", "b", "d"])
    assert refusal.code == "data.collinear" and "可由其他指标线性表示" in refusal.text


def test_an_indicator_nobody_else_tells_of_is_held_and_said() -> None:
    grid = pd.DataFrame({"a": [1.0, 2, 3] * 3, "b": [1.0] * 3 + [2.0] * 3 + [3.0] * 3})
    report = TRIAL.report(grid.assign(c=[1.0, -2, 1, -2, 4, -2, 1, -2, 1]))
    assert warnings(report) == ["data.independent"] * 3
    assert [row["inverse"] for row in records(report, "result")] == pytest.approx([20, 20, 20])
