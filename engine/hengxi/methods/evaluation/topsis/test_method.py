from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from hengxi.testing import Trial, records

FRAME = pd.DataFrame(
    {"名": list("甲乙丙丁戊己"), "a": [1.0, 2, 4, 3, 5, 2], "b": [5.0, 3, 4, 1, 2, 6], "c": [2, 2.5, 2, 1, 9, 3]}
)
FORM: dict[str, Any] = {"positive": ["a"], "negative": ["b", "c"], "label": "名"}
TRIAL = Trial("evaluation/topsis", FRAME, FORM)


def test_objects_that_are_all_the_same_cannot_be_ranked() -> None:
    assert "所有对象在全部指标上相同" in TRIAL.refused(FRAME.assign(a=1.0, b=2.0, c=3.0)).text
    assert "“b”的 6 个值都相同" in TRIAL.refused(FRAME.assign(b=2.0)).text


def test_weights_that_are_negative_or_all_zero_are_refused() -> None:
    rows = [{"for": key, "w": 0} for key in "abc"]
    assert "权重不能全为 0" in TRIAL.refused(weight_source="manual", weights_value=rows).text
    rows[0]["w"] = -1
    assert TRIAL.refused(weight_source="manual", weights_value=rows).code == "number.range"


def test_weights_are_brought_to_sum_one() -> None:
    rows = [{"for": "a", "w": 2}, {"for": "b", "w": 1}, {"for": "c", "w": 1}]
    used = records(TRIAL.report(weight_source="manual", weights_value=rows), "used")
    assert [row["weight"] for row in used] == [0.5, 0.25, 0.25]


def test_a_best_object_in_everything_has_closeness_one() -> None:
    frame = FRAME.assign(a=[9.0, 2, 4, 3, 5, 2], b=[0.5, 3, 4, 1, 2, 6], c=[0.1, 2, 3, 1, 9, 3])
    first = records(TRIAL.report(frame), "result")[0]
    assert first["closeness"] == pytest.approx(1) and first["rank"] == 1


def test_mahalanobis_needs_more_objects_than_indicators() -> None:
    refusal = TRIAL.refused(FRAME.iloc[:3], distance="mahalanobis")
    assert refusal.code == "data.singular" and refusal.faults[0].remedies[0].title == "改用欧氏距离"


def test_years_make_a_trend() -> None:
    frame = pd.concat([FRAME.assign(年=2020), FRAME.assign(年=2021, a=FRAME["a"] + 1)])
    rows = records(TRIAL.report(frame, year="年", measures={"年": "定类"}), "result")
    assert {row["year"] for row in rows} == {"2020", "2021"} and len(rows) == 12


def test_reciprocals_need_positive_values() -> None:
    refusal = TRIAL.refused(FRAME.assign(b=[0.0, 3, 4, 1, 2, 6]), forward="reciprocal")
    assert refusal.faults[0].remedies[0].title == "改用 max − x"
