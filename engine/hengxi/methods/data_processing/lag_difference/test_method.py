"""Nothing reaches over the border of a series; order, gaps and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, warnings

FRAME = pd.DataFrame({"时": [3, 1, 2, 1, 2, 3], "人": list("甲甲甲乙乙乙"), "x": [30.0, 10, 20, 0, 5, None]})
FORM = {"variables": ["x"], "time": "时", "group": ["人"]}
TRIAL = Trial("data_processing/lag_difference", FRAME, FORM, {"时": "定量", "x": "定量"})
report, refused = TRIAL.report, TRIAL.refused


def made(frame: pd.DataFrame | None = None, **form: Any) -> list[Any]:
    preview = next(e for e in report(frame, **form) if e["type"] == "data")["step"]["preview"]
    return [row[-1] for row in preview["after"]]


def test_lags_stay_within_the_individual() -> None:
    assert made() == [20, None, 10, None, 0, 5]
    assert made(operation=["lead"]) == [None, 20, 30, 5, None, None]


def test_a_difference_is_summed_back() -> None:
    x = np.random.default_rng(1).normal(size=8).round(3)
    frame = pd.DataFrame({"x": x})
    step = made(frame, time=None, group=[], operation=["diff"])
    assert np.allclose(x[0] + np.cumsum([0, *step[1:]]), x)


def test_a_large_level_costs_no_digits() -> None:
    frame = pd.DataFrame({"x": 1e9 + np.array([1.0, 2, 4, 8, 16, 32, 64, 128])})
    sd = made(frame, time=None, group=[], operation=["rolling_sd"])
    assert sd[2:] == pytest.approx([np.std([1, 2, 4], ddof=1) * 2**i for i in range(6)], rel=1e-9)


def test_a_gap_in_the_window_is_a_gap() -> None:
    frame = pd.DataFrame({"x": [1.0, None, 3, 4, 5, 6]})
    assert made(frame, time=None, group=[], operation=["rolling_mean"])[2:] == [None, None, 4, 5]
    assert made(frame, time=None, group=[], operation=["cumsum"]) == [1, None, 4, 8, 13, 19]


def test_more_periods_than_rows_are_refused() -> None:
    """期数不小于序列长度 → 期数 {k} 不小于序列长度 {n}"""
    assert "期数 3 不小于序列长度 3" in refused(periods=3).text
    assert refused(operation=["rolling_mean"], window=4).code == "lag.long"


def test_an_unsorted_table_is_told() -> None:
    """未按时间排序 → 数据未按时间排序，已按“{t}”排序后计算"""
    assert "time.unsorted" in warnings(report())
    assert "time.unsorted" not in warnings(report(FRAME.sort_values(["时"])))


def test_a_time_twice_is_refused() -> None:
    """面板内时间重复 → 个体“{i}”在“{t}”有重复记录"""
    assert "个体“甲”在“2”有重复记录" in refused(FRAME.assign(时=[2, 1, 2, 1, 2, 3])).text


def test_a_growth_from_nothing_is_missing() -> None:
    """增长率分母为0 → “{v}”含0，相应增长率设为缺失"""
    assert "lag.zero" in warnings(report(operation=["pct"])) and made(operation=["pct"])[4] is None


def test_words_are_no_time() -> None:
    assert refused(FRAME.assign(时=["a", "b", "c"] * 2)).code == "time.type"
    assert made(FRAME.assign(时=["2024-3", "2024-1", "2024-2"] * 2))[0] == 20


def test_a_centred_window_is_odd() -> None:
    assert refused(operation=["rolling_mean"], window=2, center=True).code == "lag.even"
