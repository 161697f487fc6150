"""Branches and refusals of the intraclass correlation."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, check, records, said, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv").drop(columns="对象")
TRIAL = Trial("questionnaire/icc", FRAME, {"raters": list(FRAME.columns)}, dict.fromkeys(FRAME.columns, "定量"))
report, refused = TRIAL.report, TRIAL.refused


def test_fewer_than_five_objects_are_refused() -> None:
    assert "ICC 至少需要5个被评对象" in refused(FRAME.head(4)).text


def test_ratings_all_alike_are_refused() -> None:
    assert "没有被试间变异，ICC 无法估计" in refused(FRAME * 0 + 3).text


def test_a_form_the_model_does_not_have_is_not_read() -> None:
    """One-way knows no consistency: the hidden choice changes nothing."""
    rows = records(report(model="one_way_random", type="consistency"), "result")
    assert [row["name"] for row in rows if row["read"]] == ["ICC(1)", "ICC(k)"]


def test_raters_that_agree_to_the_point_have_icc_one_without_a_test() -> None:
    frame = pd.DataFrame({"甲": [1, 2, 3, 4, 5, 3], "乙": [1, 2, 3, 4, 5, 3]})
    rows = records(report(frame, dict.fromkeys(frame.columns, "定量"), raters=["甲", "乙"]), "result")
    assert all(row["icc"] == 1 and row["F"] is None for row in rows)


def test_a_constant_shift_lowers_agreement_only() -> None:
    frame = pd.DataFrame({"甲": np.arange(8.0), "乙": np.arange(8.0) + 3})
    rows = {row["name"]: row for row in records(report(frame, raters=["甲", "乙"], model="two_way_mixed"), "result")}
    assert rows["ICC(C,1)"]["icc"] == 1 and rows["ICC(A,1)"]["icc"] < 0.7


def test_a_negative_icc_is_said() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=20)
    frame = pd.DataFrame({"甲": x, "乙": -x})
    assert "data.negative" in warnings(report(frame, raters=["甲", "乙"], type="consistency"))


def test_components_equal_the_analysis_of_variance_without_gaps_and_use_partial_rows() -> None:
    gaps = FRAME.copy()
    gaps.loc[0, "评委A"] = np.nan
    assert "方差分量（REML）" in said(report(gaps, missing="reml"))
    assert records(report(missing="reml"), "result") == records(report(), "result")


def test_the_consistency_of_unequal_raters_offers_agreement() -> None:
    found = check(report(type="consistency"), "评价者的系统差别")
    assert found["state"] == "care" and found["remedies"]


def test_units_change_errors_not_the_icc() -> None:
    a, b = report(), report(FRAME * 100)
    for one, other in zip(records(a, "result"), records(b, "result"), strict=True):
        assert one["icc"] == pytest.approx(other["icc"], rel=1e-12)
    assert records(b, "error")[0]["sem"] == pytest.approx(100 * records(a, "error")[0]["sem"], rel=1e-12)
