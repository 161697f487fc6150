"""What is particular to intervals: which class a share is of, resamples, what has no interval."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.contract import SetRemedy
from hengxi.testing import Trial, records, said, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
TRIAL = Trial("descriptive/confidence_interval", FRAME, {"variables": ["速度"]}, {"速度": "定量"})
report, refused = TRIAL.report, TRIAL.refused


def test_nothing_to_estimate_is_refused() -> None:
    assert refused(variables=[], binary=[]).code == "limit.at_least"
    assert refused(parameters=["proportion"]).code == "data.few"


def test_a_share_of_three_classes_asks_which() -> None:
    frame = FRAME.assign(档=np.array(["低", "中", "高"])[np.arange(100) % 3])
    refusal = refused(frame, {"档": "定类"}, variables=[], binary=["档"])
    assert refusal.code == "role.levels" and "“档”有 3 个类别，比例区间请先选定目标类别" in refusal.text
    (row,) = records(report(frame, variables=[], binary=["档"], target=[{"for": "档", "level": "中"}]), "result")
    assert row["value"] == 0.33 and "中" in row["variable"]


def test_equal_values_are_a_point_and_said() -> None:
    elements = report(FRAME.assign(速度=5.0), parameters=["mean", "sd"])
    assert {(row["low"], row["high"]) for row in records(elements, "result")} == {(5.0, 5.0), (0.0, 0.0)}
    assert "取值完全相同，区间退化为一点" in said(elements)


def test_too_few_cases_for_a_median() -> None:
    elements = report(FRAME.iloc[:5], parameters=["mean", "median"])
    assert [row["parameter"] for row in records(elements, "result")] == ["均值"]
    assert "data.few" in warnings(elements)


def test_the_bootstrap_agrees_with_theory_and_repeats() -> None:
    form: dict[str, Any] = {"parameters": ["mean"], "method": "bootstrap_bca", "resamples": 4000}
    (drawn,), (exact,) = (records(one, "result") for one in (report(**form), report(parameters=["mean"])))
    assert drawn["low"] == pytest.approx(exact["low"], abs=0.3 * exact["se"])
    assert drawn["se"] == pytest.approx(exact["se"], rel=0.05)
    assert records(report(**form), "result") == records(report(**form), "result")
    (other,) = records(report(**{**form, "method": "bootstrap_percentile"}), "result")
    assert other["method"] == "自助法百分位" and other["low"] == pytest.approx(drawn["low"], abs=0.2 * drawn["se"])


def test_the_bootstrap_is_bounded() -> None:
    frame = pd.DataFrame({"速度": np.random.default_rng(1).normal(size=30_001)})
    refusal = refused(frame, method="bootstrap_bca", parameters=["mean"])
    assert refusal.faults[0].remedies == [SetRemedy(title="改用参数法", set={"method": "parametric"})]


def test_a_mean_near_zero_has_no_upper_end_of_the_cv() -> None:
    frame = pd.DataFrame({"速度": [-1.0, 2.0, -2.0, 3.0, 0.5, -0.5, 1.0]})
    (row,) = records(report(frame, parameters=["cv"]), "result")
    assert row["high"] == "inf"
