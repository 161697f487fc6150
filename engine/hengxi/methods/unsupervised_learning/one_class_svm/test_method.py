"""What is particular to the one-class machine: its share, its border, its refusals."""

import numpy as np
import pandas as pd

from hengxi.testing import Trial, cells, records, warnings

RNG = np.random.default_rng(4)
FRAME = pd.DataFrame(np.vstack([RNG.normal(0, 1, (59, 2)), [[9.0, 9.0]]]), columns=["甲", "乙"])
TRIAL = Trial("unsupervised_learning/one_class_svm", FRAME, {"x": ["甲", "乙"]}, {"甲": "定量", "乙": "定量"})


def test_the_row_far_away_comes_first() -> None:
    assert records(TRIAL.report(nu=0.1), "odd_rows")[0]["row"] == 60


def test_a_share_outside_is_refused() -> None:
    for nu in (0, 1):
        refusal = TRIAL.refused(nu=nu)
        assert refusal.code == "number.range" and "ν" in refusal.text


def test_few_rows_and_constants_are_refused() -> None:
    assert "至少需要10行" in TRIAL.refused(FRAME[:9]).text
    assert TRIAL.refused(FRAME * 0).code == "role.constant"


def test_a_straight_border_around_the_origin_is_refused() -> None:
    refusal = TRIAL.refused(kernel="linear")
    assert refusal.code == "data.origin" and refusal.faults[0].remedies


def test_the_border_is_drawn_of_two_variables_only() -> None:
    assert len(cells(TRIAL.report(), "field")) == 31 * 31
    three = FRAME.assign(丙=RNG.normal(size=60))
    assert not cells(TRIAL.report(three, {"丙": "定量"}, x=["甲", "乙", "丙"]), "field")


def test_many_rows_are_called_slow() -> None:
    many = pd.DataFrame(RNG.normal(size=(20_100, 1)), columns=["甲"])
    assert "data.slow" in warnings(TRIAL.report(many, x=["甲"], nu=0.002))
