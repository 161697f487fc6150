"""Edges, gaps, replaced variables; and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.methods.data_processing._shared import smoothers
from hengxi.testing import Trial, records

T = np.arange(40)
FRAME = pd.DataFrame({"t": T, "x": 5 + 0.5 * T + np.tile([0.0, 2, -1, 3], 10), "缺": np.where(T == 9, np.nan, T * 1.0)})
TRIAL = Trial("data_processing/smoothing", FRAME, {"variables": ["x"]}, {"t": "定量", "x": "定量", "缺": "定量"})
report, refused = TRIAL.report, TRIAL.refused


def made(**form: Any) -> list[Any]:
    preview = next(e for e in report(**form) if e["type"] == "data")["step"]["preview"]
    return [row[-1] for row in preview["after"]]


def test_ends_without_a_window_are_missing() -> None:
    assert made(window=4)[:3] == [None, None, 7] and made(window=4, align="right")[:4] == [None, None, None, 6.75]


def test_a_season_of_four_is_smoothed_away() -> None:
    values = [value for value in made(window=4) if value is not None]
    assert np.allclose(np.diff(values), 0.5)


def test_the_filter_of_hodrick_and_prescott_solves_its_equations() -> None:
    y = np.random.default_rng(2).normal(size=50).cumsum()
    second = np.diff(np.eye(50), 2, axis=0)
    trend = smoothers.hodrick_prescott(y, 1600)
    assert np.allclose((np.eye(50) + 1600 * second.T @ second) @ trend, y)


def test_a_decomposition_adds_up() -> None:
    rows = {row["part"]: row["mean"] for row in records(report(method="stl", period=4), "result")}
    assert rows["趋势"] + rows["季节"] + rows["残差"] == pytest.approx(FRAME["x"].mean())


def test_a_variable_is_replaced_in_its_place() -> None:
    step = next(e for e in report(method="hp", mode="replace") if e["type"] == "data")["step"]
    assert [one["name"] for one in step["changed"]] == ["x"] and [one["name"] for one in step["added"]] == ["x_周期"]


def test_a_window_longer_than_the_series_is_refused() -> None:
    """窗口大于序列长度 → 窗口 {w} 大于数据长度 {n}"""
    assert "窗口 41 大于数据长度 40" in refused(window=41).text


def test_an_even_window_of_savitzky_and_golay_is_refused() -> None:
    """SG窗口为偶数 → Savitzky-Golay 窗口必须为奇数且大于多项式阶"""
    assert "必须为奇数且大于多项式阶" in refused(method="savgol", window=6).text
    assert "必须为奇数且大于多项式阶" in refused(method="savgol", window=3, polyorder=4).text


def test_two_periods_are_needed() -> None:
    """STL不足两个周期 → STL 至少需要两个完整周期"""
    assert "至少需要两个完整周期" in refused(method="stl", period=21).text


@pytest.mark.parametrize(
    ("form", "code"),
    [
        ({"method": "hp", "variables": ["缺"]}, "smooth.gaps"),
        ({"method": "median", "window": 4}, "smooth.even"),
        ({"method": "bk", "low": 32, "high": 6}, "smooth.band"),
        ({"method": "bk", "leads": 20}, "smooth.short"),
    ],
)
def test_what_cannot_be_smoothed_is_refused(form: dict[str, Any], code: str) -> None:
    assert refused(**form).code == code
