"""Refusals of the U chart; units of one are a C chart."""

import numpy as np
import pandas as pd

from hengxi.testing import Trial, records

RNG = np.random.default_rng(1)
FRAME = pd.DataFrame({"缺": RNG.poisson(15, 25), "件": 10, "期": ["甲"] * 12 + ["乙"] * 13})
TRIAL = Trial(
    "quality_control/u_chart", FRAME, {"defects": "缺", "units": "件"}, {"缺": "定量", "件": "定量", "期": "定类"}
)


def test_units_are_positive_and_counts_are_counts() -> None:
    assert "第 1 行检验单位数必须大于 0" in TRIAL.refused(FRAME.assign(件=[0, *FRAME["件"][1:]])).text
    assert "第 1 行的缺陷数" in TRIAL.refused(FRAME.assign(缺=[-3, *FRAME["缺"][1:]])).text


def test_limits_follow_the_units() -> None:
    rows = records(TRIAL.report(FRAME.assign(件=[5] + [20] * 24)), "points")
    assert rows[0]["ucl"] > rows[1]["ucl"]


def test_units_of_one_give_the_c_chart() -> None:
    c = Trial("quality_control/c_chart", FRAME, {"defects": "缺"}, {"缺": "定量"}).report()
    u = TRIAL.report(FRAME.assign(件=1))
    keys = ("cl", "lcl", "ucl", "signals")
    assert [records(c, "control_limits")[0][k] for k in keys] == [records(u, "control_limits")[0][k] for k in keys]
