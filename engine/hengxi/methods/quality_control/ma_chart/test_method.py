"""Refusals of the moving average chart; the first points have wider limits."""

import numpy as np
import pandas as pd

from hengxi.testing import Trial, records

RNG = np.random.default_rng(1)
FRAME = pd.DataFrame({"值": RNG.normal(10, 1, 40), "甲": RNG.normal(10, 1, 40)})
TRIAL = Trial("quality_control/ma_chart", FRAME, {"measures": ["值"]}, {"值": "定量", "甲": "定量"})


def test_a_span_beyond_the_data_is_refused_with_both_numbers() -> None:
    refusal = TRIAL.refused(FRAME[:4], span=6)
    assert "移动跨度 6 不能大于数据个数 4" in refusal.text


def test_constants_are_refused() -> None:
    assert "没有变异" in TRIAL.refused(FRAME.assign(值=2.0)).text


def test_first_points_have_wider_limits() -> None:
    rows = records(TRIAL.report(span=5), "points")
    widths = [row["ucl"] - row["cl"] for row in rows]
    assert widths[0] > widths[1] > widths[4] and abs(widths[4] - widths[30]) < 1e-9


def test_several_columns_are_subgroups() -> None:
    both = Trial("quality_control/ma_chart", FRAME, {"measures": ["值", "甲"]}, {"值": "定量", "甲": "定量"})
    assert {row["n"] for row in records(both.report(), "points")} == {2}
