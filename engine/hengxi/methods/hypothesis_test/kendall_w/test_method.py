import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, records

FRAME = pd.DataFrame({"甲": [1.0, 2, 1], "乙": [2.0, 3, 3], "丙": [3.0, 1, 2]})
TRIAL = Trial("hypothesis_test/kendall_w", FRAME, {"objects": ["甲", "乙", "丙"]}, dict.fromkeys("甲乙丙", "定量"))


def test_one_judge_and_two_objects_are_refused() -> None:
    assert "至少需要2名评委" in TRIAL.refused(FRAME.head(1)).text
    assert TRIAL.refused(objects=["甲", "乙"]).faults[0].field == "objects"


def test_judges_who_tell_nothing_apart() -> None:
    assert "W 无定义" in TRIAL.refused(FRAME.assign(甲=[5.0, 1, 2], 乙=[5.0, 1, 2], 丙=[5.0, 1, 2])).text


def test_all_alike_is_one() -> None:
    same = pd.concat([FRAME.head(1)] * 4)
    (row,) = records(TRIAL.report(same), "result")
    assert row["w"] == pytest.approx(1) and row["p"] == pytest.approx(6 / 6**4)


def test_many_judges_are_shuffled_from_the_seed() -> None:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.normal(size=(30, 3)), columns=list("甲乙丙"))
    (row,) = records(TRIAL.report(frame, n_resamples=999), "result")
    (chi2,) = records(TRIAL.report(frame, p_method="chi2"), "result")
    assert "随机置换 999 次" in row["how"] and abs(row["p"] - chi2["p"]) < 0.1
