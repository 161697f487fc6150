"""Rules that cannot be used, what is left, and the ways that lose nothing."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from hengxi.testing import Trial, records, warnings

FRAME = pd.DataFrame({
    "x": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 100.0, None], "多": [1.0] * 7 + [2.0, 3.0],
    "y": [2.0, 1.0, 4.0, 3.0, 6.0, 5.0, 8.0, 7.0, 9.0], "组": ["甲"] * 4 + ["乙"] * 4 + [None],
})  # fmt: skip
TRIAL = Trial("data_processing/outlier_handling", FRAME, {"variables": ["x"]}, {"x": "定量", "多": "定量", "y": "定量"})
report, refused = TRIAL.report, TRIAL.refused


def column(**form: Any) -> list[Any]:
    step = next(e for e in report(**form) if e["type"] == "data")["step"]
    assert len(step["preview"]["rows"]) == 8
    return [row and row[-1] for row in step["preview"]["after"]]


def test_marking_changes_no_cell_and_leaves_gaps_gaps() -> None:
    found = report(action="flag")
    step = next(e for e in found if e["type"] == "data")["step"]
    assert step["cells"] == 0 and [one["name"] for one in step["added"]] == ["x_异常"]
    assert records(found, "detail")[0] | {} == {"row": 8, "variable": "x", "old": 100, "new": None}


def test_trimming_drops_the_row_and_winsorising_keeps_it() -> None:
    assert None in column(action="drop")
    assert column(action="winsorize")[7] == pytest.approx(records(report(action="winsorize"), "result")[0]["high"])


def test_interpolation_takes_the_nearest_value_at_the_end() -> None:
    assert column(action="interpolate")[7] == 7


def test_same_seed_same_numbers() -> None:
    assert column(action="random_normal") == column(action="random_normal")
    assert column(action="random_normal", seed=1) != column(action="random_normal")


def test_rows_with_gaps_are_not_judged_together() -> None:
    found = report(variables=["x", "y"], rule="mahalanobis", action="flag")
    assert "data.not_judged" in warnings(found)


@pytest.mark.parametrize(
    ("form", "code"),
    [
        ({"variables": ["多"], "rule": "iqr"}, "rule.no_spread"),
        ({"variables": ["多"], "rule": "mad"}, "rule.no_spread"),
        ({"rule": "range", "lower": 1000, "action": "drop"}, "data.none_left"),
        ({"rule": "range", "lower": 1000, "action": "mean"}, "data.none_left"),
        ({"rule": "range", "lower": 1000, "action": "interpolate"}, "data.none_left"),
        ({"rule": "range"}, "limits.none"),
        ({"rule": "range", "lower": 5, "upper": 5}, "limit.less"),
        ({"rule": "percentile", "lower": -1}, "limits.percent"),
        ({"rule": "lof", "action": "mean"}, "action.row"),
        ({"variables": ["y", "多"], "rule": "mahalanobis", "action": "flag", "level": 0.2}, "number.range"),
    ],
)
def test_what_cannot_be_done_is_refused(form: dict[str, Any], code: str) -> None:
    """IQR或MAD为0、删除后没有行、范围未填、下限不小于上限"""
    frame = FRAME.iloc[:8] if code == "data.none_left" else FRAME
    assert refused(frame, **form).code == code


def test_variables_that_repeat_each_other_have_no_distance() -> None:
    frame = FRAME.assign(z=FRAME["y"] * 2)
    assert refused(frame, variables=["y", "z"], rule="mahalanobis", action="flag").code == "data.singular"
