"""Refusals of seasonal ARIMA, its period, and what it shares with ARIMA."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, records, said

AIR = pd.read_csv(Path(__file__).parent / "example.csv")
TRIAL = Trial(
    "econometric/sarima", AIR, {"y": "旅客数", "time": {"column": "月份", "frequency": None}}, {"月份": "时间"}
)
report, refused = TRIAL.report, TRIAL.refused
ONE: dict[str, Any] = {"auto": False, "horizon": 3, "transform": "log"}


@pytest.mark.parametrize(
    ("frame", "form", "code", "words"),
    [
        (AIR.head(20), {}, "data.cycles", "至少需要两个完整周期（当前 20 期，周期 12）"),
        (AIR.head(5), {}, "data.few", "只有 5 期"),
        (AIR.assign(旅客数=7), {}, "data.constant", "没有变化"),
        (AIR, {"seasonal_order": {"P": 0, "D": 2, "Q": 0}, "auto": False}, "data.order", "D 最多 1"),
        (AIR, {"holdout": 130}, "data.holdout", "不足两个周期"),
    ],
)
def test_what_has_no_seasons_to_fit_is_refused(
    frame: pd.DataFrame, form: dict[str, Any], code: str, words: str
) -> None:
    refusal = refused(frame, **form)
    assert refusal.code == code and words in refusal.text


def test_without_seasons_the_way_to_arima_is_shown() -> None:
    noise = pd.DataFrame({"y": np.random.default_rng(2).normal(size=90)})
    refusal = Trial("econometric/sarima", noise, {"y": "y"}).refused()
    assert refusal.code == "data.period" and "未发现显著季节性，建议用 ARIMA" in refusal.text
    assert refusal.faults[0].remedies


def test_the_period_is_found_where_there_is_no_time() -> None:
    found = Trial("econometric/sarima", AIR, {"y": "旅客数"}).report(**ONE)
    assert records(found, "coefficients") == records(report(**ONE), "coefficients")


def test_negative_values_are_not_logged_by_themselves() -> None:
    lower = AIR.assign(旅客数=AIR["旅客数"] - 300)
    assert "自动变换：不变换" in said(report(lower, **{**ONE, "transform": "auto"}))
    assert refused(lower, **ONE).code == "data.positive"


def test_orders_without_seasons_are_those_of_arima() -> None:
    plain: dict[str, Any] = {**ONE, "order": {"p": 1, "d": 1, "q": 0}, "holdout": 0}
    own = report(**plain, seasonal_order={"P": 0, "D": 0, "Q": 0})
    arima = Trial("econometric/arima", AIR, TRIAL.form, {"月份": "时间"}).report(**plain)
    assert records(own, "coefficients") == records(arima, "coefficients")
    assert records(own, "forecast") == records(arima, "forecast")
