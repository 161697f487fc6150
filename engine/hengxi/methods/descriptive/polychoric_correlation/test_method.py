"""What has no latent variable is refused, empty corners are said, the matrix is smoothed, both estimators agree."""

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, check, records, said, warnings

RNG = np.random.default_rng(4)
BASE = RNG.normal(size=200)
FRAME = pd.DataFrame({
    "甲": np.digitize(BASE + RNG.normal(size=200), [-1, 0, 1]),
    "乙": np.digitize(BASE + RNG.normal(size=200), [-0.5, 0.5]),
    "年龄": np.round(BASE * 8 + RNG.normal(size=200) * 5 + 40, 1), "城市": np.resize(["京", "沪", "穗"], 200),
})  # fmt: skip
KINDS = {"甲": "定量", "乙": "定量", "年龄": "定量", "城市": "定类"}
TRIAL = Trial("descriptive/polychoric_correlation", FRAME, {"variables": ["甲", "乙", "年龄"]}, KINDS)


def test_constants_and_unordered_categories_are_refused() -> None:
    assert "“甲”没有变异" in TRIAL.refused(FRAME.assign(甲=1)).text
    assert "“城市”是无序分类，不能计算多分格相关" in TRIAL.refused(variables=["甲", "城市"]).text
    assert "没有一对变量适合" in TRIAL.refused(type="tetrachoric").text
    rows = records(TRIAL.report(variables=["年龄", "城市"], type="eta"), "details")
    assert rows[0]["kind"] == "Eta" and 0 <= rows[0]["r"] < 0.3


def test_a_perfect_order_has_no_estimate_inside_and_says_so() -> None:
    frame = pd.DataFrame({"甲": [1, 2, 3, 4] * 20, "乙": [1, 2, 3, 4] * 20})
    report = TRIAL.report(frame, variables=["甲", "乙"])
    assert "data.unsettled" in warnings(report) and "未收敛" in said(report)
    assert records(report, "details")[0]["r"] == 1 and records(report, "details")[0]["se"] is None


def test_both_estimators_are_close_where_the_cases_are_many() -> None:
    one, two = (
        records(TRIAL.report(variables=["甲", "乙"], estimator=way), "details")[0] for way in ("two_step", "ml")
    )
    assert one["r"] == pytest.approx(two["r"], abs=0.01) and one["se"] == pytest.approx(two["se"], rel=0.15)


def test_an_impossible_matrix_is_smoothed_and_said() -> None:
    rows = [(0, 0, 0)] * 30 + [(1, 1, 1)] * 5 + [(0, 1, 0)] * 6 + [(1, 0, 1)] * 6 + [(0, 0, 1)] + [(1, 1, 0)] * 30
    frame = pd.DataFrame(rows, columns=["a", "b", "c"])
    held = check(TRIAL.report(frame, variables=["a", "b", "c"]), "矩阵正定")
    assert held["state"] in ("pass", "care")
    near = pd.DataFrame({"a": [0, 0, 1, 1] * 25, "b": [0, 0, 1, 1] * 24 + [0, 1, 0, 1], "c": [0, 1, 1, 1] * 25})
    report = TRIAL.report(near.assign(d=1 - near["a"]), variables=["a", "b", "c", "d"], zero_cell=0.5)
    assert check(report, "矩阵正定")["facts"]["least"] < 0.2


def test_many_variables_are_not_estimated_jointly() -> None:
    frame = pd.DataFrame(RNG.integers(1, 5, size=(60, 14)), columns=[f"q{i}" for i in range(14)])
    refusal = TRIAL.refused(frame, variables=list(frame.columns), estimator="ml")
    assert "最多用于 12 个变量" in refusal.text and refusal.faults[0].remedies
