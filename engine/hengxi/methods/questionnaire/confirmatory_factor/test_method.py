"""Branches and refusals of confirmatory factor analysis."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.contract import Refusal
from hengxi.testing import Elements, Trial, records, said, warnings

PATH = "questionnaire/confirmatory_factor"
FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
FACTORS = [
    {"id": f"b{i}", "name": name, "columns": [f"x{3 * i - 2}", f"x{3 * i - 1}", f"x{3 * i}"]}
    for i, name in ((1, "空间"), (2, "文字"), (3, "速度"))
]
TRIAL = Trial(PATH, FRAME, {"factors": FACTORS})


def report(frame: pd.DataFrame = FRAME, **form: Any) -> Elements:
    return TRIAL.report(frame, dict.fromkeys(frame.columns, "定量"), **form)


def refused(frame: pd.DataFrame = FRAME, **form: Any) -> Refusal:
    return TRIAL.refused(frame, dict.fromkeys(frame.columns, "定量"), **form)


def test_one_item_and_an_item_twice_are_refused_by_name() -> None:
    one = refused(factors=[{**FACTORS[0], "columns": ["x1"]}, *FACTORS[1:]])
    assert one.code == "blocks.size" and "空间" in one.text
    twice = refused(factors=[*FACTORS[:2], {**FACTORS[2], "columns": ["x7", "x8", "x1"]}])
    assert twice.code == "blocks.overlap" and "“x1”" in twice.text


def test_one_factor_of_two_items_is_refused() -> None:
    refusal = refused(factors=[{**FACTORS[0], "columns": ["x1", "x2"]}])
    assert refusal.code == "data.unidentified" and "待估参数 4 个，多于已知的方差和协方差 3 个" in refusal.text


def test_a_second_order_needs_three_factors() -> None:
    refusal = refused(factors=FACTORS[:2], second_order=True)
    assert refusal.code == "data.few" and refusal.faults[0].remedies


def test_a_factor_of_two_items_is_warned_of() -> None:
    assert "model.two_items" in warnings(report(factors=[{**FACTORS[0], "columns": ["x1", "x2"]}, *FACTORS[1:]]))


def test_one_factor_of_three_items_fits_exactly_and_says_so() -> None:
    elements = report(factors=FACTORS[:1])
    assert "自由度为 0" in said(elements) and "恰好识别" in said(elements)
    assert records(elements, "fit")[0]["rmsea"] is None


def test_identification_changes_nothing_that_is_standardised() -> None:
    one, other = report(), report(identification="std_lv")
    for key in ("standard", "smc"):
        first, second = ([row[key] for row in records(e, "loadings")] for e in (one, other))
        assert np.allclose(first, second, atol=1e-9)
    assert records(one, "fit")[0]["chi2"] == pytest.approx(records(other, "fit")[0]["chi2"], rel=1e-10)


def test_a_second_order_of_three_factors_fits_as_the_first() -> None:
    one, other = report(), report(second_order=True)
    assert records(one, "fit")[0]["chi2"] == pytest.approx(records(other, "fit")[0]["chi2"], rel=1e-9)


def test_a_reversed_item_changes_signs_only() -> None:
    one, other = report(), report(FRAME.assign(x2=-FRAME["x2"]))
    assert np.allclose(
        [abs(row["standard"]) for row in records(one, "loadings")],
        [abs(row["standard"]) for row in records(other, "loadings")], atol=1e-9,
    )  # fmt: skip


def test_a_copied_item_is_refused() -> None:
    assert refused(FRAME.assign(x9=FRAME["x1"])).code == "data.singular"


# ---- ordered items, least squares ----------------------------------------------------------------------------------
GRADED = pd.read_csv(Path(__file__).parent / "oracle-gaps.csv").dropna()
TWO = [
    {"id": "k1", "name": "甲", "columns": ["q1", "q2", "q3"]},
    {"id": "k2", "name": "乙", "columns": ["q4", "q5", "q6"]},
]


def test_numbers_are_no_ordered_items() -> None:
    refusal = refused(estimator="wlsmv")
    assert refusal.code == "data.categories" and "“x1”有" in refusal.text
    assert refusal.faults[0].remedies and refusal.faults[0].field == "estimator"


@pytest.mark.parametrize("estimator", ["wlsmv", "dwls", "gls", "uls"])
def test_fiml_goes_with_likelihood_only(estimator: str) -> None:
    assert refused(GRADED, factors=TWO, estimator=estimator, missing="fiml").code == "choice.greyed"


def test_fixing_the_variance_or_a_loading_is_one_model_of_ordered_items() -> None:
    marker, variance = (
        report(GRADED, factors=TWO, estimator="wlsmv", identification=way) for way in ("marker", "std_lv")
    )
    chi2 = [records(one, "fit")[0]["chi2"] for one in (marker, variance)]
    assert chi2[0] == pytest.approx(chi2[1], rel=1e-9)
    loads = [[abs(row["standard"]) for row in records(one, "loadings")] for one in (marker, variance)]
    assert loads[0] == pytest.approx(loads[1], abs=1e-9)


def test_least_squares_without_weights_follow_one_unit_for_all() -> None:
    plain, wide = (report(frame, estimator="uls") for frame in (FRAME, FRAME * 1000))
    a, b = (records(one, "fit")[0] for one in (plain, wide))
    assert a["chi2"] == pytest.approx(b["chi2"], rel=1e-8) and b["rmr"] == pytest.approx(a["rmr"] * 1e6, rel=1e-8)


def test_ordered_items_without_anything_in_common_do_not_give_a_sound_report() -> None:
    rng = np.random.default_rng(5)
    noise = pd.DataFrame(rng.integers(1, 5, size=(40, 6)), columns=GRADED.columns)
    try:
        elements = report(noise, factors=TWO, estimator="wlsmv")
    except Refusal as refusal:
        assert refusal.code in ("data.unconverged", "data.unidentified")
    else:
        assert {"model.heywood", "model.not_positive"} & set(warnings(elements)) or "不佳" in said(elements)


def test_a_correlation_of_factors_above_1_is_no_sound_solution() -> None:
    rng = np.random.default_rng(3)
    first = rng.normal(size=(240, 1)) * 0.8 + rng.normal(size=(240, 3)) * 0.6
    second = first + rng.normal(size=(240, 3)) * 0.3
    frame = pd.DataFrame(np.hstack((first, second)), columns=[f"q{i}" for i in range(1, 7)])
    elements = report(frame, factors=TWO)
    assert "model.not_positive" in warnings(elements)
    assert "没有负的方差，也没有超出范围的解" not in said(elements)


def test_units_far_apart_are_named_where_nothing_is_weighted() -> None:
    assert "单位相差悬殊" in refused(FRAME.assign(x1=FRAME["x1"] * 1e6), estimator="uls").text


def test_a_reversed_item_changes_no_composite_reliability() -> None:
    plain, turned = (records(report(frame), "convergent") for frame in (FRAME, FRAME.assign(x2=-FRAME["x2"])))
    assert [row["cr"] for row in turned] == pytest.approx([row["cr"] for row in plain], rel=1e-8)
