from __future__ import annotations

import time

import numpy as np
import pandas as pd

from hengxi.testing import Trial, records

FRAME = pd.DataFrame({"产": ["A", "B"], "x": [1.0, 4], "y": [2.0, 3], "量": [5.0, 4]})
KINDS = {"产": "定类", "x": "定量", "y": "定量", "量": "定量"}
FORM = {"origin": "产", "cost": ["x", "y"], "supply": "量", "demand": [4, 5]}
TRIAL = Trial("mathematical_modeling/transportation", FRAME, FORM, KINDS)


def test_bad_amounts_are_refused() -> None:
    assert "产量与需求量不能为负：第 2 行" in TRIAL.refused(FRAME.assign(量=[5, -1])).text
    assert TRIAL.refused(demand=[4, -1]).code == "numbers.each"
    assert "需要 2 个需求量，收到 3 个" in TRIAL.refused(demand=[4, 5, 6]).text
    assert "不能全为 0" in TRIAL.refused(demand=[0, 0]).text
    assert "不能全为 0" in TRIAL.refused(FRAME.assign(量=[0, 0])).text
    assert "第 1 行缺少产量" in TRIAL.refused(FRAME.assign(量=[None, 4])).text
    assert "要是整数" in TRIAL.refused(demand=[4.5, 5], integer=True).text


def test_roads_that_are_all_shut_are_refused() -> None:
    shut = FRAME.assign(x=[1, None], y=[2, None], z=[None, 1.0])
    assert TRIAL.refused(shut, cost=["x", "y", "z"], demand=[4, 4, 1]).code == "data.infeasible"


def test_the_tableau_ends_where_the_linear_program_does() -> None:
    rng = np.random.default_rng(8)
    for way in ("northwest", "least", "vogel"):
        for _ in range(6):
            m, n = rng.integers(2, 6, 2)
            frame = pd.DataFrame(rng.integers(1, 30, (m, n)).astype(float), columns=[f"c{k}" for k in range(n)])
            frame["量"] = rng.integers(1, 20, m).astype(float)
            form = {"origin": None, "cost": [f"c{k}" for k in range(n)], "init": way,
                    "demand": rng.integers(1, 20, n).tolist()}  # fmt: skip
            report = TRIAL.report(frame, dict.fromkeys(frame.columns, "定量"), **form)
            (total,) = records(report, "total")
            assert records(report, "steps")[-1]["value"] == total["value"]


def test_a_hundred_by_a_hundred_in_time() -> None:
    rng = np.random.default_rng(9)
    frame = pd.DataFrame(rng.integers(1, 99, (100, 100)).astype(float), columns=[f"c{k}" for k in range(100)])
    frame["量"] = 10.0
    begun = time.process_time()
    TRIAL.report(frame, dict.fromkeys(frame.columns, "定量"), origin=None, cost=list(frame.columns[:100]),
                 demand=[10] * 100)  # fmt: skip
    assert time.process_time() - begun < 6
