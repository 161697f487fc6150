"""Refusals of the Pareto chart; combining, classes, facets."""

import pandas as pd

from hengxi.testing import Trial, records

FRAME = pd.DataFrame(
    {"因": ["甲"] * 50 + ["乙"] * 30 + ["丙"] * 10 + list("丁戊己庚辛壬癸子丑寅"), "次": 1, "组": ["一", "二"] * 50}
)
TRIAL = Trial("quality_control/pareto_chart", FRAME, {"category": "因"}, {"因": "定类", "次": "定量", "组": "定类"})


def test_negative_counts_are_refused_by_row_and_zeros_by_name() -> None:
    assert "第 3 行的“次”小于 0" in TRIAL.refused(FRAME.assign(次=[1, 1, -1] + [1] * 97), count="次").text
    assert "合计为 0" in TRIAL.refused(FRAME.assign(次=0), count="次").text


def test_the_rest_is_combined_after_the_share() -> None:
    rows = records(TRIAL.report(combine_after=90), "table")
    assert [row["category"] for row in rows] == ["甲", "乙", "丙", "其他（10 类）"] and rows[-1]["cumulated"] == 1
    assert len(records(TRIAL.report(combine_after=100), "table")) == 13


def test_classes_follow_the_share_before() -> None:
    assert [row["abc"] for row in records(TRIAL.report(combine_after=90), "table")] == ["A", "A", "B", "B"]


def test_three_hundred_levels_stay_readable() -> None:
    many = pd.DataFrame({"因": [f"因{i}" for i in range(300)], "次": 1.0, "组": "一"})
    assert len(records(TRIAL.report(many, combine_after=100), "table")) == 41


def test_groups_have_shares_of_their_own() -> None:
    rows = records(TRIAL.report(by="组"), "table")
    assert {row["group"] for row in rows} == {"一", "二"}
