from __future__ import annotations

import time
from typing import Any

import numpy as np
import pandas as pd

from hengxi.testing import Trial, check, records, warnings

FRAME = pd.DataFrame(
    [("A", "B", 1), ("B", "C", 2), ("C", "A", 2), ("C", "D", 3)], columns=["从", "到", "权"]
)  # fmt: skip
FORM = {"from_node": "从", "to_node": "到", "weight": "权"}
TRIAL = Trial("mathematical_modeling/minimum_spanning_tree", FRAME, FORM, {"从": "定类", "到": "定类", "权": "定量"})


def edges(*rows: tuple[Any, Any, Any]) -> pd.DataFrame:
    return pd.concat([FRAME, pd.DataFrame(rows, columns=FRAME.columns)], ignore_index=True)


def test_gaps_and_too_few_nodes_are_refused() -> None:
    assert "第 5 行缺少边权" in TRIAL.refused(edges(("A", "D", None))).text
    loop = pd.DataFrame([("A", "A", 1.0)], columns=FRAME.columns)
    assert "至少需要 2 个结点" in TRIAL.refused(loop).text


def test_a_loop_is_left_out_and_said() -> None:
    assert warnings(TRIAL.report(edges(("A", "A", 9)))) == ["data.loop"]


def test_what_may_be_exchanged_is_named() -> None:
    report = TRIAL.report()
    assert check(report, "唯一性")["facts"]["names"] in ("“C — A”", "“B — C”")
    assert check(TRIAL.report(FRAME.assign(权=[1, 2, 4, 3])), "唯一性")["state"] == "pass"


def test_both_algorithms_agree_on_a_thousand_nodes_in_time() -> None:
    rng = np.random.default_rng(3)
    rows = [(k, int(rng.integers(0, k)), float(rng.integers(1, 9))) for k in range(1, 1000) for _ in range(5)]
    frame = pd.DataFrame(rows, columns=FRAME.columns)
    begun = time.process_time()
    totals = [records(TRIAL.report(frame, algorithm=key), "total")[0]["value"] for key in ("kruskal", "prim")]
    assert totals[0] == totals[1] and time.process_time() - begun < 4
