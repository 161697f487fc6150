"""What is particular to trends and their correlation: periods, gaps, lags, what the catalogue wants said."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, check, records, warnings

from .trends import mann_kendall

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
KINDS = {
    "月份": "时间",
    "店": "定类",
    "广告": "定量",
    "访客": "定量",
    "退货": "定量",
    "期": "时间",
    "甲": "定量",
    "乙": "定量",
}
FORM: dict[str, Any] = {"time": {"column": "月份", "frequency": None}, "variables": ["广告", "访客"]}
TRIAL = Trial("research_visualization_model/trend_correlation_analysis", FRAME, FORM, KINDS)
YEARS: dict[str, Any] = {"time": {"column": "期", "frequency": None}, "variables": ["甲"]}


def years(**columns: Any) -> pd.DataFrame:
    return pd.DataFrame({"期": range(2001, 2001 + len(next(iter(columns.values())))), **columns})


def test_words_are_no_time() -> None:
    assert "读不出时间" in TRIAL.refused(years(甲=[1, 2, 3, 4, 5]).assign(期=list("一二三四五")), **YEARS).text


def test_few_periods_are_refused_or_ask_for_care() -> None:
    assert "至少要 4 期" in TRIAL.refused(years(甲=[1, 2, 3]), **YEARS).text
    assert "“甲”只有 3 期有值" in TRIAL.refused(years(甲=[1, None, 2, None, 3]), **YEARS).text
    assert check(TRIAL.report(years(甲=[1, 2, 4, 3, 5]), **YEARS), "期数")["state"] == "care"


def test_rows_of_one_period_are_put_together_and_said() -> None:
    rows = records(TRIAL.report(), "trends")
    assert rows[0]["n"] == FRAME["月份"].nunique()
    assert rows[0]["first"] == pytest.approx(FRAME["广告"][:2].mean())


def test_too_many_periods_are_refused() -> None:
    frame = pd.DataFrame({"期": np.arange(6000.0) + 5000, "甲": np.arange(6000.0)})
    assert "最多 5,000 期" in TRIAL.refused(frame, **YEARS).text


def test_a_long_lag_is_shortened_and_gaps_leave_no_lags() -> None:
    frame = years(甲=[1.0, 3, 2, 5, 4, 6, 8, 7, 9], 乙=[2.0, 1, 3, 2, 5, 4, 6, 8, 7])
    report = TRIAL.report(frame, **{**YEARS, "variables": ["甲", "乙"]})
    assert abs(records(report, "lagged")[0]["lag"]) <= 2
    gap = frame.assign(乙=frame["乙"].where(frame["期"] != 2004))
    assert "data.gaps" in warnings(TRIAL.report(gap, **{**YEARS, "variables": ["甲", "乙"]}))


def test_a_series_that_follows_another_is_found_behind_it() -> None:
    z = np.random.default_rng(2).normal(size=62)
    frame = years(甲=z[2:], 乙=z[:-2])
    (row,) = records(TRIAL.report(frame, **{**YEARS, "variables": ["甲", "乙"]}, detrend=False), "lagged")
    assert row["leads"] == "“甲”领先“乙” 2 期" and row["lag"] == -2


def test_kendall_counts_every_pair_once() -> None:
    found = mann_kendall(np.array([1.0, 2, 2, 3]))
    assert found.s == 5 and found.variance == pytest.approx((4 * 3 * 13 - 2 * 1 * 9) / 18)
