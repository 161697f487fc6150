"""Branches and refusals of item response theory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.contract import Refusal
from hengxi.testing import Elements, Trial, records, said, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
ITEMS = [f"题{i}" for i in range(1, 6)]
TRIAL = Trial("questionnaire/item_response", FRAME, {"items": ITEMS, "weight": "人数"})


def report(frame: pd.DataFrame = FRAME, **form: Any) -> Elements:
    return TRIAL.report(frame, dict.fromkeys(frame.columns, "定量"), **form)


def refused(frame: pd.DataFrame = FRAME, **form: Any) -> Refusal:
    return TRIAL.refused(frame, dict.fromkeys(frame.columns, "定量"), **form)


def test_published_estimates_of_lsat6() -> None:
    """Bock & Lieberman (1970), as ltm prints them."""
    rows = records(report(), "parameters")
    a = [row["value"] for row in rows if row["parameter"] == "区分度 a"]
    b = [row["value"] for row in rows if row["parameter"] == "难度 b"]
    assert a == pytest.approx([0.826, 0.723, 0.891, 0.688, 0.657], abs=6e-4)
    assert b == pytest.approx([-3.359, -1.370, -0.280, -1.866, -3.126], abs=6e-4)
    assert records(report(), "model_fit")[0]["loglik"] == pytest.approx(-2466.653, abs=6e-4)
    assert records(report(model="1pl"), "model_fit")[0]["loglik"] == pytest.approx(-2466.938, abs=6e-4)


def test_an_item_all_right_is_left_out_by_name() -> None:
    elements = report(FRAME.assign(题1=1))
    assert "data.constant" in warnings(elements) and "已剔除" in said(elements)


def test_a_missing_grade_is_said() -> None:
    rng = np.random.default_rng(1)
    t = rng.normal(size=200)
    frame = pd.DataFrame({k: np.digitize(t + rng.normal(size=200), [-0.7, 0.7]) + 1 for k in "abc"})
    frame["c"] = frame["c"].replace(2, 1)
    elements = report(frame, items=list("abc"), weight=None)
    assert "data.gaps" in warnings(elements)


def test_graded_answers_do_not_enter_a_binary_model() -> None:
    refusal = refused(FRAME.assign(题1=FRAME["题1"] + (FRAME["题2"] == 1)), model="2pl")
    assert "检测到多级评分" in refusal.text and refusal.faults[0].remedies


def test_a_reversed_item_has_a_negative_slope_and_is_named() -> None:
    rng = np.random.default_rng(4)
    t = rng.normal(size=500)
    frame = pd.DataFrame({k: (1.5 * t + rng.logistic(size=500) > 0).astype(int) for k in "abcd"})
    frame["d"] = 1 - frame["d"]
    assert "data.reversed" in warnings(report(frame, items=list("abcd"), weight=None))


def test_rasch_is_one_discrimination_in_other_units() -> None:
    one, rasch = report(model="1pl"), report(model="rasch")
    assert records(one, "model_fit")[0]["loglik"] == pytest.approx(records(rasch, "model_fit")[0]["loglik"], rel=1e-12)
    a = next(row["value"] for row in records(one, "parameters") if row["parameter"] == "区分度 a")
    for x, y in zip(records(one, "parameters"), records(rasch, "parameters"), strict=True):
        if x["parameter"] == "难度 b":
            assert y["value"] == pytest.approx(a * x["value"], rel=1e-8)


def test_few_people_and_items_of_many_values_are_refused() -> None:
    assert refused(FRAME.assign(人数=1)).code == "data.few"
    assert refused(FRAME.assign(题1=np.arange(len(FRAME)))).code == "data.categories"
