from __future__ import annotations

import time
from typing import Any

import numpy as np
import pandas as pd

from hengxi.testing import Trial, records, warnings

FRAME = pd.DataFrame(
    [("a", "b", 3, 1), ("a", "c", 2, 2), ("b", "d", 2, 1), ("c", "d", 3, 1), ("b", "c", 0, 5)],
    columns=["从", "到", "容量", "费用"],
)  # fmt: skip
FORM = {"from_node": "从", "to_node": "到", "capacity": "容量", "source": "a", "sink": "d"}
TRIAL = Trial(
    "mathematical_modeling/max_flow", FRAME, FORM, {"从": "定类", "到": "定类", "容量": "定量", "费用": "定量"}
)


def result(**form: Any) -> dict[str, Any]:
    (found,) = records(TRIAL.report(**form), "result")
    return found


def test_bad_capacities_ends_and_amounts_are_refused() -> None:
    assert "第 1 行的容量为负" in TRIAL.refused(FRAME.assign(容量=[-1, 2, 2, 3, 0])).text
    assert "源点与汇点不能相同" in TRIAL.refused(sink="a").text
    assert "给定流量 9 超过最大流 4" in TRIAL.refused(goal="amount", amount=9, cost="费用").text
    assert "请填写“给定流量”" in TRIAL.refused(goal="amount", cost="费用").text
    assert "要有单位费用" in TRIAL.refused(goal="cheapest_max").text
    assert "第 2 行缺少单位费用" in TRIAL.refused(FRAME.assign(费用=[1, None, 1, 1, 1]), cost="费用").text


def test_nodes_apart_are_a_warning() -> None:
    assert result(source="d", sink="a")["flow"] == 0
    assert "data.unreachable" in warnings(TRIAL.report(source="d", sink="a"))


def test_parallel_edges_keep_their_own_cost() -> None:
    frame = pd.DataFrame([("a", "d", 2, 1), ("a", "d", 2, 9)], columns=FRAME.columns)
    found = records(TRIAL.report(frame, cost="费用", goal="amount", amount=3), "result")
    assert found[0]["cost"] == 11


def test_an_edge_without_capacity_has_no_use_and_halves_are_kept() -> None:
    rows = records(TRIAL.report(FRAME.assign(容量=[2.5, 2, 2, 3, 0])), "arcs")
    assert rows[2]["edge"] == "b → c" and rows[2]["use"] is None
    assert result(frame=FRAME.assign(容量=[0.1, 0.2, 2, 3, 0]))["flow"] == 0.30000000000000004


def test_a_thousand_nodes_in_time_and_the_cut_proves_it() -> None:
    rng = np.random.default_rng(2)
    rows = [(int(a), int(b), float(c), 1.0) for a, b, c in rng.integers(0, 1000, (6000, 3)) if a != b]
    begun = time.process_time()
    found = result(frame=pd.DataFrame(rows, columns=FRAME.columns), source=1, sink=2)
    assert found["flow"] == found["cut"] > 0 and time.process_time() - begun < 6
