"""Refusals of the EWMA chart, λ = 1 as a Shewhart chart, run lengths."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.families.control import run_lengths
from hengxi.testing import Trial, records

RNG = np.random.default_rng(1)
FRAME = pd.DataFrame({"值": RNG.normal(10, 1, 40), "组": np.repeat(range(20), 2)})
TRIAL = Trial("quality_control/ewma_chart", FRAME, {"measures": ["值"]}, {"值": "定量"})


def test_constants_and_a_lambda_of_zero_are_refused() -> None:
    assert "没有变异" in TRIAL.refused(FRAME.assign(值=2.0)).text
    assert "λ" in TRIAL.refused(lam=0).text


def test_lambda_of_one_plots_the_values_themselves() -> None:
    rows = records(TRIAL.report(lam=1), "values")
    assert [row["z"] for row in rows] == pytest.approx(FRAME["值"].tolist())
    assert run_lengths.ewma(1, 3) == pytest.approx(370.398, abs=1e-3)


def test_subgroups_narrow_the_limits() -> None:
    form: dict[str, Any] = {"sigma": 1, "target": 10, "steady": True}
    (single,) = records(TRIAL.report(**form), "control_limits")
    (pairs,) = records(TRIAL.report(subgroup="组", **form), "control_limits")
    assert (pairs["ucl"] - 10) * np.sqrt(2) == pytest.approx(single["ucl"] - 10)


def test_a_shift_signals() -> None:
    shifted = FRAME.assign(值=FRAME["值"] + np.r_[np.zeros(20), np.full(20, 2.0)])
    assert records(TRIAL.report(shifted, target=10, sigma=1), "control_limits")[0]["signals"] > 5
