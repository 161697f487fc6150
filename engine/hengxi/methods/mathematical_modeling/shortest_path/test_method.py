from __future__ import annotations

import time
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, records, said, warnings

EDGES = [("O", "A", 2), ("O", "B", 5), ("A", "B", 2), ("A", "D", 7), ("B", "D", 4), ("D", "T", 5), ("X", "Y", 1)]
FRAME = pd.DataFrame(EDGES, columns=["从", "到", "距离"])
FORM = {"from_node": "从", "to_node": "到", "weight": "距离", "source": "O", "target": "T"}
TRIAL = Trial("mathematical_modeling/shortest_path", FRAME, FORM, {"从": "定类", "到": "定类", "距离": "定量"})


def edges(*rows: tuple[Any, Any, Any]) -> pd.DataFrame:
    return pd.DataFrame([*EDGES, *rows], columns=["从", "到", "距离"])


def test_a_negative_circle_is_refused_by_its_nodes() -> None:
    frame = edges(("T", "A", -20))
    assert "网络中存在负权回路：" in TRIAL.refused(frame).text
    refusal = TRIAL.refused(frame, directed=True)
    assert refusal.code == "data.negative_cycle" and "A → " in refusal.text and "→ T" in refusal.text


def test_unknown_nodes_same_ends_and_nodes_apart_are_refused() -> None:
    assert TRIAL.refused(source="Q").code == "level.unknown"
    assert "源点与汇点不能相同" in TRIAL.refused(target="O").text
    assert "“O”到“X”没有通路" in TRIAL.refused(target="X").text
    assert "从“T”出发没有通路" in TRIAL.refused(source="T", target=None, directed=True).text


def test_gaps_are_refused_with_their_row() -> None:
    assert "第 8 行缺少距离" in TRIAL.refused(edges(("T", "X", None))).text
    assert "第 8 行缺少“到”" in TRIAL.refused(edges(("T", None, 3))).text
    assert "太大" in TRIAL.refused(edges(("T", "X", 1e200))).text
    assert (
        "没有一条边"
        in TRIAL.refused(pd.DataFrame([("A", "A", 1)], columns=["从", "到", "距离"]), source="A", target=None).text
    )


def test_an_empty_row_counts_for_nothing_and_the_first_node_is_taken() -> None:
    report = TRIAL.report(edges((None, None, None)), source=None, target=None)
    assert {row["source"] for row in records(report, "paths")} == {"O"} and not warnings(report)


def test_circles_of_no_length_do_not_turn_forever() -> None:
    report = TRIAL.report(edges(("O", "Z", 0), ("Z", "O", 0)), directed=True)
    assert len(records(report, "paths")) == 1 and "只有一条" in said(report)


def test_ties_beyond_fifty_are_cut_and_said() -> None:
    rows = [(f"{k}", f"{k}{s}", 1) for k in range(7) for s in "ab"] + [
        (f"{k}{s}", f"{k + 1}", 1) for k in range(7) for s in "ab"
    ]
    report = TRIAL.report(pd.DataFrame(rows, columns=["从", "到", "距离"]), source="0", target="7")
    assert len(records(report, "paths")) == 50 and "超过 50 条" in said(report)


def test_a_thousand_nodes_within_two_seconds() -> None:
    rng = np.random.default_rng(1)
    rows = [(k, int(rng.integers(0, k)), float(rng.integers(1, 99))) for k in range(1, 1000) for _ in range(4)]
    frame = pd.DataFrame(rows, columns=["从", "到", "距离"])
    for algorithm in ("dijkstra", "bellman_ford", "floyd"):
        start = time.process_time()
        report = TRIAL.report(frame, source=0, target=None, algorithm=algorithm)
        assert time.process_time() - start < 4
        assert len(records(report, "paths")) >= 990


@pytest.mark.parametrize("algorithm", ["bellman_ford", "floyd", "a_star"])
def test_all_algorithms_agree(algorithm: str) -> None:
    assert records(TRIAL.report(algorithm=algorithm), "paths") == records(TRIAL.report(), "paths")
