"""Refusals of the CUSUM chart, head start, V-mask, change point."""

import numpy as np
import pandas as pd

from hengxi.testing import Trial, records

RNG = np.random.default_rng(1)
FRAME = pd.DataFrame({"值": RNG.normal(10, 1, 40)})
SHIFTED = FRAME.assign(值=FRAME["值"] + np.r_[np.zeros(25), np.full(15, 2.0)])
TRIAL = Trial("quality_control/cusum_chart", FRAME, {"measures": ["值"], "target": 10, "sigma": 1}, {"值": "定量"})


def test_few_points_and_constants_are_refused() -> None:
    assert "至少需要 5 个点，现在有 4 个" in TRIAL.refused(FRAME[:4]).text
    assert "没有变异" in TRIAL.refused(FRAME.assign(值=2.0), sigma=None).text


def test_the_change_point_is_near_the_shift() -> None:
    (change,) = records(TRIAL.report(SHIFTED), "changes")
    assert change["side"] == "偏大" and abs(change["change"] - 25) <= 2 and change["alarm"] > change["change"]


def test_a_fall_is_the_mirror_of_a_rise() -> None:
    (fall,) = records(TRIAL.report(SHIFTED.assign(值=20 - SHIFTED["值"])), "changes")
    (rise,) = records(TRIAL.report(SHIFTED), "changes")
    assert fall["side"] == "偏小" and (fall["alarm"], fall["change"]) == (rise["alarm"], rise["change"])


def test_a_head_start_signals_sooner() -> None:
    moved = FRAME.assign(值=FRAME["值"] + 1)
    sooner, later = (records(TRIAL.report(moved, fir=fir), "changes")[0]["alarm"] for fir in (True, False))
    assert sooner <= later


def test_the_mask_signals_where_the_sums_do() -> None:
    end = SHIFTED[:30]
    assert records(TRIAL.report(end, form="vmask"), "control_limits")[0]["signals"] > 0
    assert records(TRIAL.report(FRAME, form="vmask"), "control_limits")[0]["signals"] == 0
