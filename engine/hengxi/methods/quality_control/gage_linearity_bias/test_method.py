"""Refusals of gage linearity and bias; one reference gives the bias alone."""

import numpy as np
import pandas as pd

from hengxi.testing import Trial, records, warnings

RNG = np.random.default_rng(1)
R = np.repeat([2.0, 4, 6, 8], 10)
FRAME = pd.DataFrame({"标": R, "读": R + 0.5 - 0.1 * R + RNG.normal(0, 0.1, 40)})
TRIAL = Trial(
    "quality_control/gage_linearity_bias", FRAME, {"measure": "读", "reference": "标"}, {"标": "定量", "读": "定量"}
)


def test_a_reference_measured_once_is_named() -> None:
    assert "参考值“9”只有 1 次测量" in TRIAL.refused(FRAME.assign(标=[9.0, *FRAME["标"][1:]])).text


def test_one_reference_gives_bias_and_capability() -> None:
    elements = TRIAL.report(FRAME[:10], type1_tolerance=5)
    assert "data.one_reference" in warnings(elements) and records(elements, "line") == []
    assert records(elements, "type1")[0]["Cg"] > 0


def test_readings_equal_to_their_reference_have_no_test() -> None:
    rows = records(TRIAL.report(FRAME.assign(读=FRAME["标"])), "biases")
    assert all(row["bias"] == 0 and row["t"] is None for row in rows)


def test_a_shift_of_the_gage_is_the_bias_everywhere() -> None:
    rows = records(TRIAL.report(FRAME.assign(读=FRAME["标"] + 0.25 + RNG.normal(0, 1e-3, 40))), "biases")
    assert all(abs(row["bias"] - 0.25) < 0.01 and row["p"] < 0.05 for row in rows)
