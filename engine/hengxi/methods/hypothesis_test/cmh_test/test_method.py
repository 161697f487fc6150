"""Refusals of the stratified test, strata that say nothing, orientation."""

import pandas as pd
import pytest

from hengxi.testing import Trial, records, warnings

FRAME = pd.DataFrame(
    {
        "组": ["甲", "甲", "乙", "乙"] * 2, "治愈": ["否", "是"] * 4, "层": ["轻"] * 4 + ["重"] * 4,
        "数": [10, 30, 20, 20, 25, 15, 30, 10],
    }
)  # fmt: skip
TRIAL = Trial(
    "hypothesis_test/cmh_test",
    FRAME,
    {"x": "组", "y": "治愈", "strata": ["层"], "weight": "数"},
    {"数": "定量", "层": "定类"},
)


def test_strata_without_contrast_are_dropped_or_refused() -> None:
    empty = FRAME.assign(数=[10, 30, 20, 20, 25, 0, 30, 0])
    assert warnings(TRIAL.report(empty)) == ["data.empty_level"]
    assert len(records(TRIAL.report(empty), "layers")) == 1
    assert "分层后无法比较" in TRIAL.refused(FRAME.assign(数=[10, 30, 0, 0, 0, 0, 30, 10])).text


def test_too_many_strata_are_refused() -> None:
    frame = pd.concat([FRAME.assign(层=f"第{i}层") for i in range(210)])
    assert "分层变量有 210 个水平，请合并" in TRIAL.refused(frame).text


def test_the_ratio_is_of_the_event_for_the_first_group() -> None:
    row = records(TRIAL.report(), "layers")[0]
    assert row["first"] == pytest.approx(0.75) and row["odds"] == pytest.approx(3)
