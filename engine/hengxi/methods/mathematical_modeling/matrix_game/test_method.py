from __future__ import annotations

import time
from typing import Any

import numpy as np
import pandas as pd

from hengxi.testing import Trial, check, records, said

FRAME = pd.DataFrame({"行": ["a", "b"], "x": [3.0, -1], "y": [-2.0, 4]})
KINDS = {"行": "定类", "x": "定量", "y": "定量"}
TRIAL = Trial("mathematical_modeling/matrix_game", FRAME, {"name": "行", "payoff": ["x", "y"]}, KINDS)


def test_bad_matrices_are_refused() -> None:
    assert "第 2 行“x”缺少收益" in TRIAL.refused(FRAME.assign(x=[3, None])).text
    assert "至少需要两个行策略" in TRIAL.refused(FRAME[:1]).text
    wrong = {"values": [[1, 2], [3, 4], [5, 6]]}
    assert "行列数必须相同" in TRIAL.refused(kind="bimatrix", payoff2=wrong).text
    assert TRIAL.refused(kind="bimatrix").code == "matrix.required"


def test_a_large_bimatrix_game_lists_its_pure_equilibria_or_is_refused() -> None:
    rng = np.random.default_rng(4)
    size = 8
    frame = pd.DataFrame(rng.random((size, size)), columns=list("abcdefgh"))
    form: Any = {"name": None, "payoff": list("abcdefgh"), "kind": "bimatrix", "dominated": False}
    same = {"values": frame.to_numpy().tolist()}
    assert check(TRIAL.report(frame, payoff2=same, **form), "是否全部")["state"] == "care"
    hands = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]])
    circle = pd.DataFrame(np.kron(hands, np.ones((3, 3)))[:8, :8], columns=list("abcdefgh"))
    refused = TRIAL.refused(circle, payoff2={"values": (-circle).to_numpy().tolist()}, **form)
    assert "只找了纯策略均衡" in refused.text


def test_a_zero_sum_game_as_bimatrix_has_the_same_value() -> None:
    (result,) = records(TRIAL.report(), "result")
    other = TRIAL.report(kind="bimatrix", payoff2={"values": (-FRAME[["x", "y"]]).to_numpy().tolist()})
    (row,) = records(other, "equilibria")
    assert abs(row["gain"] - result["value"]) < 1e-12 and abs(row["gain"] + row["gain2"]) < 1e-12


def test_fifty_by_fifty_in_time_and_says_what_it_left_out() -> None:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(rng.normal(size=(50, 50)), columns=[f"c{k}" for k in range(50)])
    begun = time.process_time()
    report = TRIAL.report(frame, dict.fromkeys(frame.columns, "定量"), name=None, payoff=list(frame.columns))
    assert time.process_time() - begun < 4 and "没有检查最优策略是否唯一" in said(report)
    assert check(report, "最优性")["state"] == "pass"
