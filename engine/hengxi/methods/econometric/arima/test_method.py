"""Refusals of ARIMA, gaps and future rows, and what must not change a forecast."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, check, records, warnings

SALES = pd.read_csv(Path(__file__).parent / "example.csv")
GAPS = pd.read_csv(Path(__file__).parent / "oracle-gaps.csv")
MONTHS = {"column": "月份", "frequency": None}
TRIAL = Trial("econometric/arima", SALES, {"y": "销售额", "time": MONTHS}, {"月份": "时间"})
report, refused = TRIAL.report, TRIAL.refused
ONE: dict[str, Any] = {"auto": False, "order": {"p": 1, "d": 1, "q": 0}, "horizon": 3}


@pytest.mark.parametrize(
    ("frame", "code", "words"),
    [
        (SALES.head(5), "data.few", "只有 5 期有取值，至少要 8 期"),
        (SALES.assign(销售额=3.0), "data.constant", "没有变化"),
        (SALES.assign(销售额=np.arange(96.0)), "data.line", "每期的增减一样"),
        (pd.concat([SALES, SALES.tail(1)]), "timeline.duplicate", "“2023-12”有不止一行"),
        (SALES.drop(index=[3, 4]), "data.gaps", "中间缺 2 期（2016-04、2016-05）"),
        (SALES.assign(销售额=SALES["销售额"].where(SALES.index != 7)), "data.gaps", "2016-08"),
    ],
)
def test_series_that_cannot_be_modelled_are_refused_by_name(frame: pd.DataFrame, code: str, words: str) -> None:
    refusal = refused(frame)
    assert refusal.code == code and words in refusal.text


def test_a_gap_is_interpolated_where_the_form_says_so_and_counted() -> None:
    elements = report(SALES.drop(index=[3, 4]), gaps="linear", **ONE)
    assert "data.interpolated" in warnings(elements)
    assert records(elements, "summary")[0]["n"] == 96


def test_a_text_and_a_huge_number_are_no_time() -> None:
    assert refused(SALES.assign(月份=[f"第{k}月" for k in range(96)])).code == "timeline.text"
    assert refused(SALES.assign(月份=SALES["月份"] * 1e300)).code == "timeline.range"


@pytest.mark.parametrize("transform", ["log", "box_cox"])
def test_a_logarithm_of_what_is_not_positive_is_refused_with_a_way_out(transform: str) -> None:
    refusal = refused(SALES.assign(销售额=SALES["销售额"] - 250), transform=transform)
    assert refusal.code == "data.positive" and "含非正值" in refusal.text
    assert refusal.faults[0].remedies


def test_too_many_parameters_for_the_series_are_refused() -> None:
    refusal = refused(SALES.head(20), auto=False, order={"p": 5, "d": 1, "q": 4})
    assert refusal.code == "data.short" and "序列太短（T = 20）" in refusal.text
    assert refused(auto=False, order={"p": 1, "d": 3, "q": 0}).code == "data.order"
    assert refused(holdout=95).code == "data.holdout"


def test_future_values_of_exogenous_variables_are_asked_for() -> None:
    form = {"y": "满意度", "exog": ["预算"], "time": {"column": "年份", "frequency": None}, "gaps": "linear"}
    trial = Trial("econometric/arima", GAPS, form, {"年份": "时间", "满意度": "定量"})
    refusal = trial.refused(horizon=6)
    assert refusal.code == "data.future" and "请提供未来 6 期" in refusal.text and "现在有 4 期" in refusal.text
    periods = [
        row["period"] for row in records(trial.report(horizon=4, **{k: ONE[k] for k in ("auto", "order")}), "forecast")
    ]
    assert periods == ["2020", "2021", "2022", "2023"]
    twice = Trial("econometric/arima", GAPS.assign(倍=2 * GAPS["预算"] + 1), {**form, "exog": ["预算", "倍"]},
                  {"年份": "时间", "满意度": "定量"})  # fmt: skip
    assert twice.refused(horizon=4).code == "data.collinear"


def test_rows_in_another_order_give_the_same_forecast_where_there_is_a_time() -> None:
    mixed = report(SALES.sample(frac=1, random_state=3), **ONE)
    assert records(mixed, "forecast") == records(report(**ONE), "forecast")


def test_another_unit_scales_the_forecast_and_changes_no_test() -> None:
    once, scaled = report(**ONE), report(SALES.assign(销售额=1000 * SALES["销售额"]), **ONE)
    a, b = records(once, "forecast"), records(scaled, "forecast")
    assert [row["high95"] for row in b] == pytest.approx([1000 * row["high95"] for row in a], rel=1e-7)
    p = [[row["p"] for row in records(one, "residual_tests")] for one in (once, scaled)]
    assert p[1] == pytest.approx(p[0], rel=1e-5)


def test_a_moving_average_at_the_edge_is_told() -> None:
    """White noise differenced once: θ runs to −1."""
    noise = pd.DataFrame({"y": np.random.default_rng(5).normal(size=80)})
    trial = Trial("econometric/arima", noise, {"y": "y", "auto": False, "order": {"p": 0, "d": 1, "q": 1}})
    elements = trial.report(constant="yes")
    assert check(elements, "平稳与可逆")["state"] == "care"


def test_the_search_keeps_no_model_with_a_root_next_to_one() -> None:
    rows = records(report(), "search")
    assert [row["note"] for row in rows].count("采用") == 1
    used = [row["aicc"] for row in rows if row["note"] in ("", "采用")]
    assert min(used) == next(row["aicc"] for row in rows if row["note"] == "采用")
