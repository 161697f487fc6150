"""Refusals, few values, and the same numbers whatever is added to data and test value."""

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, records, warnings

FRAME = pd.DataFrame({"值": [1.1, 2.3, 3.7, 0.4, 5.2, 2.8, 4.1]})
TRIAL = Trial("hypothesis_test/single_sample_wilcoxon_test", FRAME, {"variables": ["值"]}, {"值": "定量"})


def test_values_that_all_equal_the_test_value_are_refused() -> None:
    assert "所有观测都等于检验值，无法排秩" in TRIAL.refused(FRAME.assign(值=3), test_value=3).text


def test_fewer_than_six_differences_are_tested_exactly_and_said() -> None:
    report = TRIAL.report(FRAME.head(4), p_method="asymptotic")
    (row,) = records(report, "result")
    assert warnings(report) == ["data.few"] and row["p"] == row["exact"] == 0.125


def test_a_shift_moves_the_estimate_and_nothing_else() -> None:
    (one,) = records(TRIAL.report(test_value=3), "result")
    (other,) = records(TRIAL.report(FRAME + 1000, test_value=1003), "result")
    assert one == other
    moved = records(TRIAL.report(FRAME + 1000, test_value=1003), "effects")[-1]
    assert moved["value"] == pytest.approx(records(TRIAL.report(test_value=3), "effects")[-1]["value"] + 1000)


def test_many_values_are_bisected_to_the_same_estimate() -> None:
    x = np.random.default_rng(4).normal(0, 1, 2200)
    row = records(TRIAL.report(pd.DataFrame({"值": x})), "effects")[-1]
    i, j = np.triu_indices(x.size)
    assert row["value"] == pytest.approx(np.median((x[i] + x[j]) / 2), abs=1e-12)
