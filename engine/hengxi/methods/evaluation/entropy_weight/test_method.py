from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from hengxi.testing import Trial, records, said, warnings

FRAME = pd.DataFrame(
    {"名": list("甲乙丙丁戊"), "a": [1.0, 2, 4, 3, 5], "b": [5.0, 3, 4, 1, 2], "c": [2.0, 2.5, 2, 1, 9]}
)
TRIAL = Trial(
    "evaluation/entropy_weight", FRAME, {"positive": ["a"], "negative": ["b", "c"], "label": "名"}, {"名": "定类"}
)


def test_an_indicator_that_does_not_vary_is_refused_with_a_way_out() -> None:
    refusal = TRIAL.refused(FRAME.assign(b=3.0))
    assert refusal.code == "data.constant" and "“b”的 5 个值都相同（3）" in refusal.text
    assert [one.title for one in refusal.faults[0].remedies] == ["移去“b”"]


def test_negative_values_need_another_scaling() -> None:
    refusal = TRIAL.refused(FRAME.assign(a=[-1.0, 2, 4, 3, 5]), normalize="sum")
    assert "有不大于 0 的值（甲：-1）" in refusal.text and refusal.faults[0].remedies[0].title == "改用极差法"
    assert TRIAL.report(FRAME.assign(a=[-1.0, 2, 4, 3, 5]))


def test_one_object_is_too_few() -> None:
    assert "至少需要 2 个评价对象" in TRIAL.refused(FRAME.iloc[:1]).text


def test_zeros_and_no_zeros_are_told_by_the_shift_table() -> None:
    report = TRIAL.report(normalize="minmax_shift", shift=0.01)
    rows = records(report, "shifted")
    assert [row["item"] for row in rows] == ["a", "b", "c"] and len(rows[0]) == 5


def test_a_year_of_a_single_object_cannot_be_weighed_alone() -> None:
    frame = FRAME.assign(y=[1, 1, 1, 1, 2])
    refusal = TRIAL.refused(frame, year="y", scope="by_year", measures={"y": "定类"})
    assert "“2”只有 1 个对象" in refusal.text and refusal.faults[0].remedies[0].title == "各年合并"


def test_the_weights_open_a_ranking() -> None:
    document = TRIAL.document()
    steps = {step["method"]: step["form"] for step in document["next_steps"]}
    for form in steps.values():
        assert np.isclose(sum(row["w"] for row in form["weights_value"]), 1)


def test_scores_can_be_kept_as_a_variable() -> None:
    assert any(element["type"] == "data" for element in TRIAL.report(save_score=True))
    assert "综合得分是各指标处理后的值" in said(TRIAL.report())


def test_a_middle_type_needs_its_best_value() -> None:
    form: dict[str, Any] = {"moderate": ["c"], "negative": ["b"]}
    assert "最优值" in TRIAL.refused(**form).text
    assert "大于上限" in TRIAL.refused(**form, best=[{"for": "c", "low": 5, "high": 2}]).text
    assert not warnings(TRIAL.report(**form, best=[{"for": "c", "low": 2}]))
