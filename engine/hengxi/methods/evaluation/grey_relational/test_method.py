from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, records

FRAME = pd.DataFrame({"y": [1.0, 2, 3, 5], "a": [2.0, 4, 6, 10], "b": [5.0, 4, 3, 1]})
TRIAL = Trial("evaluation/grey_relational", FRAME, {"features": ["a", "b"], "reference": "y"})


def test_a_first_value_of_zero_has_no_initial_scaling() -> None:
    refusal = TRIAL.refused(FRAME.assign(a=[0.0, 4, 6, 10]), normalize="initial")
    assert "“a”首项为 0" in refusal.text and refusal.faults[0].remedies


def test_short_series_and_no_reference_are_refused() -> None:
    assert "序列过短" in TRIAL.refused(FRAME.iloc[:2]).text
    assert "母序列" in TRIAL.refused(reference=None).text


def test_a_multiple_of_the_reference_is_nearest() -> None:
    rows = records(TRIAL.report(), "result")
    assert rows[0]["degree"] == pytest.approx(1) and rows[0]["rank"] == 1
    for degree in ("relative", "slope"):
        assert records(TRIAL.report(degree=degree), "result")[0]["degree"] == pytest.approx(1)


def test_series_all_alike_cannot_be_ranked() -> None:
    assert "完全相同" in TRIAL.refused(FRAME.assign(b=3 * FRAME["y"])).text


def test_evaluation_prefers_high_and_low() -> None:
    rows = records(TRIAL.report(mode="evaluation", features=["a"], negative=["b"], normalize="minmax"), "result")
    assert rows[-1]["degree"] == 1 and np.argmin([row["degree"] for row in rows]) == 0


def test_weights_of_zero_are_refused() -> None:
    weights = [{"for": "a", "w": 0}, {"for": "b", "w": 0}]
    refusal = TRIAL.refused(mode="evaluation", features=["a", "b"], weights=weights)
    assert "权重不能全为 0" in refusal.text
