from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, check, records

FRAME = pd.DataFrame({"名": list("甲乙丙丁"), "x": [2.0, 3, 4, 6], "z": [1.0, 2, 1, 3], "y": [1.0, 3, 3, 5]})
TRIAL = Trial("evaluation/dea", FRAME, {"inputs": ["x"], "outputs": ["y"], "label": "名"})


def test_inputs_that_are_not_positive_are_refused_with_their_unit() -> None:
    refusal = TRIAL.refused(FRAME.assign(x=[2.0, 0, 4, 6]))
    assert "“乙”的“x”是 0，不为正" in refusal.text


def test_fewer_units_than_indicators_and_repeated_names_are_refused() -> None:
    assert "少于投入产出指标数 3" in TRIAL.refused(FRAME.iloc[:2], inputs=["x", "z"]).text
    assert "名称“甲”重复" in TRIAL.refused(FRAME.assign(名=list("甲甲丙丁")), measures={"名": "定类"}).text


def test_units_of_measurement_change_nothing() -> None:
    first = records(TRIAL.report(inputs=["x", "z"]), "result")
    second = records(TRIAL.report(FRAME.assign(x=FRAME["x"] * 1e4), inputs=["x", "z"]), "result")
    for key in ("te", "oe"):
        assert np.allclose([row[key] for row in first], [row[key] for row in second])


def test_one_input_one_output_is_the_ratio_to_the_best() -> None:
    rows = records(TRIAL.report(model="ccr"), "result")
    ratio = FRAME["y"] / FRAME["x"]
    assert [row["oe"] for row in rows] == pytest.approx(list(ratio / ratio.max()))


def test_the_same_under_constant_returns_whatever_the_orientation() -> None:
    first = records(TRIAL.report(model="ccr"), "result")
    second = records(TRIAL.report(model="ccr", orientation="output"), "result")
    assert [row["oe"] for row in first] == pytest.approx([row["oe"] for row in second])


def test_too_few_units_are_told() -> None:
    assert check(TRIAL.report(), "单元个数")["state"] == "care"
