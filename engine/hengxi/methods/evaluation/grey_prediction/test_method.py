from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, check, records, said, warnings

FRAME = pd.DataFrame({"v": [100 * 1.05**k for k in range(6)]})
TRIAL = Trial("evaluation/grey_prediction", FRAME, {"series": "v"})


def test_fewer_than_four_periods_are_refused() -> None:
    assert "至少需要 4 期" in TRIAL.refused(FRAME.iloc[:3]).text


def test_values_that_are_not_positive_need_a_shift() -> None:
    frame = FRAME.assign(v=FRAME["v"] - 105)
    refusal = TRIAL.refused(frame, shift=False)
    assert "要求序列为正" in refusal.text and refusal.faults[0].remedies[0].title == "级比不合格时平移"
    assert check(TRIAL.report(frame), "级比检验")["state"] == "care"


def test_an_exponential_is_carried_on() -> None:
    value = records(TRIAL.report(model="dgm11"), "forecast")[0]["value"]
    assert value == pytest.approx(100 * 1.05**6)


def test_a_constant_and_a_long_series_are_refused() -> None:
    assert "没有变化" in TRIAL.refused(FRAME.assign(v=3.0)).text
    assert "最多 40 期" in TRIAL.refused(pd.DataFrame({"v": np.arange(1.0, 60)})).text
    assert warnings(TRIAL.report(pd.DataFrame({"v": [50 * 1.02**k for k in range(18)]}))) == ["data.long"]


def test_a_good_grade_does_not_hide_a_large_relative_error() -> None:
    """Fitted badly where the values are small: C and P, ruled by the last values, do not see it."""
    report = TRIAL.report(FRAME.assign(v=[1.0, 3, 4, 30, 60, 160]), shift=False)
    row = records(report, "model_")[0]
    assert row["grade"] == "一级（好）" and row["error"] > 0.2
    assert check(report, "平均相对误差")["state"] == "fail" and "，但平均相对误差" in said(report)
    assert check(TRIAL.report(), "平均相对误差")["state"] == "pass"
