from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from hengxi.testing import Trial, cells, records


def given(name: str, dist: str, *p: float | None) -> dict[str, Any]:
    values = [*p, None, None, None][:3]
    return {
        "id": f"r{name}",
        "name": name,
        "dist": dist,
        "parameters": dict(zip(("p1", "p2", "p3"), values, strict=True)),
    }


XY = [given("X", "normal", 1, 2), given("Y", "uniform", 0, 6)]
TRIAL = Trial("mathematical_modeling/monte_carlo", pd.DataFrame({"h": np.arange(30.0)}), {
    "inputs": XY, "outputs": ["Z = X + Y"], "n": 2000}, {"h": "定量"})  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"inputs": []}, "输入变量"),
        ({"inputs": [given("X", "normal", 1, 0)]}, "变量“X”的参数无效：标准差必须大于 0"),
        ({"inputs": [given("X", "normal", 1)]}, "缺少标准差"),
        ({"inputs": [given("X", "triangular", 3, 2, 4)]}, "应满足 最小 ≤ 众数 ≤ 最大"),
        ({"inputs": [given("X", "uniform", 3, 2)]}, "最小必须小于最大"),
        ({"inputs": [given("X", "binomial", 2.5, 0.5)]}, "次数是正整数"),
        ({"inputs": [given("X", "poisson", -1)]}, "均值必须大于 0"),
        ({"inputs": [given("X", "empirical")]}, "放入同名的一列"),
        ({"outputs": ["Z = X + Q"]}, "“Q”没有定义"),
        ({"outputs": ["X + Y"]}, "应是等式"),
        ({"outputs": ["X + Y = 3"]}, "左边应是结果的名称"),
        ({"outputs": ["X = Y"]}, "用了两次"),
        ({"outputs": ["Z = ln(-abs(X))"]}, "没有定义"),
        ({"outputs": ["Z = __import__('os')"]}, "有误"),
        ({"outputs": ["Z = 10^10^10"]}, "没有定义"),
        ({"corr": {"values": [[1, 0.2, 0], [0.2, 1, 0], [0, 0, 1]]}}, "相关矩阵应为 2×2"),
        ({"corr": {"values": [[2, 0.2], [0.2, 1]]}}, "相关矩阵"),
        ({"frame": pd.DataFrame({"h": [1.0, 2]}), "data": ["h"]}, "至少要 20 个数"),
        ({"frame": pd.DataFrame({"h": [1.0] * 30}), "data": ["h"]}, "没有变动"),
    ],
)  # fmt: skip
def test_what_cannot_be_simulated_is_refused(changes: dict[str, Any], text: str) -> None:
    refusal = TRIAL.refused(**changes)
    assert any(text in fault.text for fault in refusal.faults)


def test_a_sum_of_two_has_its_moments_and_its_risk() -> None:
    report = TRIAL.report(n=20000, threshold=4.0)
    (row,) = records(report, "results")
    assert abs(row["mean"] - 4) < 0.01 and abs(row["sd"] - (4 + 3) ** 0.5) < 0.03
    assert abs(records(report, "risk")[0]["p"] - 0.5) < 0.01


def test_the_interval_holds_the_truth_in_nearly_all_seeds() -> None:
    hits = 0
    for seed in range(100):
        (row,) = records(TRIAL.report(n=200, sampling="random", seed=seed), "results")
        hits += row["low"] <= 4 <= row["high"]
    assert 88 <= hits <= 100


def test_products_of_lognormals_and_pi_by_area() -> None:
    logs = [given("a", "lognormal", 0, 0.3), given("b", "lognormal", 0, 0.4)]
    (row,) = records(TRIAL.report(inputs=logs, outputs=["z = a*b"], n=20000), "results")
    assert row["mean"] == pytest.approx(np.exp(0.125), rel=0.01) and row["q50"] == pytest.approx(1, rel=0.02)
    square = [given("x", "uniform", -1, 1), given("y", "uniform", -1, 1)]
    report = TRIAL.report(inputs=square, outputs=["r = x^2 + y^2"], threshold=1.0, n=40000, sampling="sobol")
    assert abs(4 * (1 - records(report, "risk")[0]["p"]) - np.pi) < 0.02


def test_wanted_rank_correlation_is_met_and_margins_stay() -> None:
    report = TRIAL.report(outputs=["Z = X", "W = Y"], corr={"values": [[1, 0.7], [0.7, 1]]}, n=5000)
    rho = {row["name"]: row["rho"] for row in records(report, "drivers")}
    assert rho["X"] == pytest.approx(1) and rho["Y"] == pytest.approx(6 / np.pi * np.arcsin(0.35), abs=0.03)
    got = {row["name"]: row["got"] for row in records(report, "inputs_")}
    assert abs(got["Y"] - 3) < 0.01


def test_the_same_seed_gives_the_same_numbers() -> None:
    one, two, other = (cells(TRIAL.report(seed=seed), "results") for seed in (3, 3, 4))
    assert one == two != other


def test_the_best_fit_is_the_law_of_the_data() -> None:
    frame = pd.DataFrame({"h": stats.expon.ppf((np.arange(200) + 0.5) / 200, scale=3)})
    rows = records(TRIAL.report(frame, data=["h"]), "fitted")
    assert rows[0]["dist"] == "指数" and rows[0]["best"] == "是"
