import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, records, warnings

FRAME = pd.DataFrame({"组": list("甲甲甲甲乙乙乙乙"), "结果": list("好好好差好差差差"), "人数": [1] * 8})
TRIAL = Trial("hypothesis_test/fisher_exact_test", FRAME, {"x": "组", "y": ["结果"]})
THREE = FRAME.assign(结果=list("好中好差中差好差"))


@pytest.mark.parametrize("bad", [-1, 0.5])
def test_counts_must_be_whole_and_not_negative(bad: float) -> None:
    refusal = TRIAL.refused(FRAME.assign(人数=[bad, *[1] * 7]), weight="人数")
    assert refusal.faults[0].field == "weight" and "非负" in refusal.text


def test_unconditional_tests_are_for_two_by_two() -> None:
    assert "仅适用于2×2表" in TRIAL.refused(THREE, tests=["barnard"]).text
    assert warnings(TRIAL.report(THREE, tests=["fisher", "barnard"])) == ["data.left_out"]


def test_too_many_outcomes_leave_barnard_out() -> None:
    large = FRAME.assign(人数=[200] * 8)
    assert warnings(TRIAL.report(large, weight="人数", tests=["fisher", "barnard"])) == ["data.left_out"]
    assert "加选 Fisher" in TRIAL.refused(large, weight="人数", tests=["boschloo"]).text


def test_large_tables_are_drawn_from_the_seed() -> None:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({"组": rng.integers(0, 9, 90).astype(str), "结果": rng.integers(0, 9, 90).astype(str)})
    (row,) = records(TRIAL.report(frame, mc_resamples=999), "result")
    (again,) = records(TRIAL.report(frame, mc_resamples=999), "result")
    assert row == again and row["low"] <= row["p"] <= row["high"]


def test_without_freeman_halton_the_p_is_drawn() -> None:
    (row,) = records(TRIAL.report(THREE, freeman_halton=False, mc_resamples=999), "result")
    assert "蒙特卡洛" in row["test"]
