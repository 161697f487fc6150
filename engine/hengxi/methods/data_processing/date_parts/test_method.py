"""Borders of weeks and months, leap days, clocks; and what is refused."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from hengxi.testing import Trial, records, warnings

DAYS = pd.to_datetime(["2020-12-31", "2021-01-03", "2024-02-29", None, "2024-12-30", "2024-01-31"])
FRAME = pd.DataFrame({"日": DAYS, "后": pd.to_datetime(["2021-01-01"] * 6), "数": [0.5, 1, 2, 3, 4, 5]})
TRIAL = Trial("data_processing/date_parts", FRAME, {"date": "日"}, {"日": "时间", "后": "时间"})
report, refused = TRIAL.report, TRIAL.refused


def made(frame: Any = None, **form: Any) -> list[Any]:
    preview = next(e for e in report(frame, **form) if e["type"] == "data")["step"]["preview"]
    return [row[-1] for row in preview["after"]]


def test_weeks_at_the_turn_of_the_year() -> None:
    assert made(parts=["week"]) == [53, 53, 9, None, 1, 5]
    assert made(parts=["weekday"]) == [4, 7, 4, None, 1, 3]


def test_holidays_are_those_of_the_notices() -> None:
    frame = pd.DataFrame({"日": pd.to_datetime(["2024-02-09", "2024-02-10", "2024-02-17", "2024-02-18", "2024-10-05"])})
    assert made(frame, parts=["is_holiday"]) == [0, 1, 1, 0, 1]


def test_months_end_on_the_last_day() -> None:
    assert [str(day)[:10] if day else day for day in made(parts=[], shift=1, diff_unit="month")] == [
        "2021-01-31", "2021-02-03", "2024-03-29", None, "2025-01-30", "2024-02-29",
    ]  # fmt: skip


def test_a_leap_day_has_its_birthday() -> None:
    frame = pd.DataFrame({"日": pd.to_datetime(["2000-02-29", "2000-03-01"])})
    assert made(frame, parts=["age"], as_of="2024-02-29") == [24, 23]


def test_the_clock_stays() -> None:
    frame = pd.DataFrame({"日": pd.to_datetime(["2024-03-10 05:00:00", "2024-03-10 23:59:59"])})
    assert made(frame, parts=["hour"]) == [5, 23] and made(frame, parts=["minute"]) == [0, 59]


def test_whole_numbers_may_be_dates() -> None:
    trial = Trial(
        TRIAL.path, pd.DataFrame({"日": [202403, 202312]}), {"date": "日", "parts": ["month"]}, {"日": "定量"}
    )
    assert records(trial.report(), "result")[0]["distinct"] == 2


def test_numbers_are_no_dates() -> None:
    """变量不是日期 → “{v}”不是日期类型，请先转换类型"""
    frame = pd.DataFrame({"日": [1, 2, 3]})
    refusal = Trial(TRIAL.path, frame, {"date": "日"}, {"日": "定量"}).refused()
    assert "“日”不是日期类型，请先转换类型" in refusal.text and refusal.faults[0].remedies


def test_an_end_before_the_start_is_told() -> None:
    """第二日期早于第一日期 → 有 {k} 行时间差为负"""
    found = report(parts=[], date2="后")
    assert warnings(found) == ["date.negative"] and made(parts=[], date2="后")[:3] == [1, -2, -1154]


def test_years_without_holidays_are_told() -> None:
    """节假日年份无数据 → 没有 {y} 年的法定节假日数据"""
    frame = pd.DataFrame({"日": pd.to_datetime(["1999-10-01", "2024-10-01"])})
    assert warnings(report(frame, parts=["is_holiday"])) == ["date.holidays"]
    assert made(frame, parts=["is_holiday"]) == [None, 1]


@pytest.mark.parametrize(
    ("form", "code"),
    [
        ({"parts": []}, "date.nothing"),
        ({"parts": ["age"]}, "date.as_of"),
        ({"parts": ["age"], "as_of": "x"}, "date.as_of"),
    ],
)
def test_what_says_too_little_is_refused(form: dict[str, Any], code: str) -> None:
    assert refused(**form).code == code
