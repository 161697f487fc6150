"""Gaps, single rows, words and dates, and groups that are single rows."""

from __future__ import annotations

from typing import Any

import pandas as pd

from hengxi.testing import Trial, records, warnings

DAYS = ["2024-01-03", "2024-01-01", None, "2024-01-02", "2024-01-05"]
FRAME = pd.DataFrame(
    {
        "组": ["乙", "甲", None, "甲", "乙"],
        "值": [1.0, 2.0, 3.0, None, 5.0],
        "名": ["x", None, "y", "z", "x"],
        "日": pd.to_datetime(DAYS),
    }
)
TRIAL = Trial("data_processing/aggregate_file", FRAME, {"groups": ["组"], "variables": ["值"]}, {"组": "定类"})
report, refused = TRIAL.report, TRIAL.refused


def values(elements: list[Any]) -> dict[Any, Any]:
    return {(row["group"], row["variable"]): row["value"] for row in records(elements, "values")}


def test_a_gap_is_a_group_of_its_own_and_last() -> None:
    made = values(report(functions=["mean", "sd", "n"]))
    assert made["缺失", "值_均值"] == 3 and made["缺失", "值_标准差"] is None and made["甲", "值_计数"] == 1
    assert [group for group, name in made if name == "值_均值"][-1] == "缺失"


def test_words_and_dates_have_a_first_and_a_last() -> None:
    step = next(e for e in report(variables=["名", "日"], functions=["first", "last"]) if e["type"] == "data")["step"]
    assert [row[-4:] for row in step["preview"]["after"] if row] == [
        ["x", "x", "2024-01-03", "2024-01-05"],
        ["z", "z", "2024-01-01", "2024-01-02"],
        ["y", "y", None, None],
    ]


def test_words_have_no_mean() -> None:
    assert "“名”不是数值，不能求均值" in refused(variables=["名"]).text


def test_every_row_a_group_is_said() -> None:
    """组数等于行数 → 分组变量几乎唯一，汇总没有意义，请检查"""
    alone = pd.DataFrame({"号": [1.0, 2.0, 3.0], "值": [1.0, 2.0, 3.0]})
    assert warnings(report(alone, groups=["号"])) == ["data.unique_groups"]


def test_back_to_the_rows() -> None:
    step = next(e for e in report(append=True) if e["type"] == "data")["step"]
    assert step["rows_after"] == 5 and [row[-1] for row in step["preview"]["after"]] == [3, 2, 3, 2, 3]
