"""Periods, gaps and individuals; and what is refused or told."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from hengxi.testing import Trial, records, warnings

TIMES = pd.to_datetime(["2024-01-05", "2024-03-02", "2024-01-20", "2024-03-09", None])
FRAME = pd.DataFrame({"日": TIMES, "店": list("甲甲乙乙乙"), "x": [1.0, 3, 10, 30, 7]})
FORM = {"time": "日", "variables": ["x"], "group": ["店"]}
TRIAL = Trial("data_processing/resample_time", FRAME, FORM, {"日": "时间", "店": "定类", "x": "定量"})
report, refused = TRIAL.report, TRIAL.refused


def made(frame: pd.DataFrame | None = None, **form: Any) -> list[Any]:
    preview = next(e for e in report(frame, **form) if e["type"] == "data")["step"]["preview"]
    names = [column["name"] for column in preview["columns"]]
    new = [i for i, column in enumerate(preview["columns"]) if column["change"] == "new"]
    assert {names[i] for i in new} >= {"日", "x"}
    return [[row[i] for i in new] for row in preview["after"] if row is not None]


def test_every_period_of_each_individual() -> None:
    rows = made()
    assert [row[0] for row in rows] == ["甲", "甲", "甲", "乙", "乙", "乙"] and [row[2] for row in rows] == [
        1,
        None,
        3,
        10,
        None,
        30,
    ]


@pytest.mark.parametrize(("fill", "middle"), [("ffill", [1, 10]), ("linear", [2, 20]), ("zero", [0, 0])])
def test_fills_stay_within_the_individual(fill: str, middle: list[float]) -> None:
    assert [row[2] for row in made(fill=fill)][1::3] == middle


def test_hours_keep_their_clock() -> None:
    frame = pd.DataFrame(
        {"日": pd.to_datetime(["2024-03-10 01:30", "2024-03-10 03:10"]), "店": ["甲"] * 2, "x": [1.0, 2]}
    )
    assert len(made(frame, freq="hour")) == 3


def test_rows_without_a_time_are_told() -> None:
    assert "time.without" in warnings(report()) and records(report(), "result")[0]["unused"] == 1


def test_an_irregular_series_takes_the_frequency_chosen() -> None:
    """时间无法识别频率 → 时间间隔不规则，请先选择目标频率"""
    days = pd.to_datetime(["2024-01-01", "2024-01-02", "2024-01-09", "2024-02-20", "2024-02-23"])
    found = records(report(FRAME.assign(日=days), group=[]), "result")[0]
    assert (found["before"], found["after"], found["periods"]) == ("不规则", "月", 2)


def test_a_time_twice_is_told() -> None:
    """同一时间多条记录 → “{t}”有 {k} 条记录，已按{agg}汇总"""
    frame = FRAME.assign(日=pd.to_datetime(["2024-01-05"] * 2 + ["2024-01-20", "2024-03-09", "2024-03-09"]))
    assert "time.twice" in warnings(report(frame)) and made(frame, agg="sum")[0][2] == 4


def test_too_many_periods_are_refused() -> None:
    frame = pd.DataFrame(
        {"日": pd.to_datetime(["1000-01-01", "9000-01-01"]).astype("datetime64[s]"), "店": ["甲"] * 2, "x": [1.0, 2]}
    )
    assert refused(frame, freq="hour").code == "data.too_many_rows"
