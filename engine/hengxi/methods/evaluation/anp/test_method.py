from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hengxi.methods.evaluation._shared.supermatrix import limiting, structure
from hengxi.testing import Trial, check, records


def network(**groups: str) -> dict[str, Any]:
    children = [
        {"id": key, "name": key, "children": [{"id": key + one, "name": one, "children": []} for one in names]}
        for key, names in groups.items()
    ]
    return {"id": "g", "name": "网络", "children": children}


def trial(values: Any, source: str = "weighted", **more: Any) -> Trial:
    names = list("ABC")
    grid = {"rows": names, "columns": names, "values": values}
    return Trial("evaluation/anp", form={"source": source, "network": network(组="ABC"), "supermatrix": grid, **more})


CIRCLE = [[0, 0, 1], [1, 0, 0], [0, 1, 0]]


def test_an_element_nothing_influences_is_refused_with_a_way_out() -> None:
    values = [[0, 0.5, 0], [1, 0, 0], [0, 0.5, 0]]
    refusal = trial(values).refused()
    assert "元素“C”没有任何影响来源，超矩阵该列为 0" in refusal.text
    rows = records(trial(values, sinks="identity").report(), "result")
    assert [row["weight"] for row in rows] == pytest.approx([0, 0, 1])


def test_periodic_powers_give_means_or_are_refused() -> None:
    report = trial(CIRCLE).report()
    assert check(report, "幂的收敛")["state"] == "care" and records(report, "facts_")[0]["period"] == 3
    assert [row["weight"] for row in records(report, "result")] == pytest.approx([1 / 3] * 3)
    assert "周期 3" in trial(CIRCLE, limit="power").refused().text


def test_a_column_that_does_not_sum_to_one_is_refused_but_are_local_weights() -> None:
    values = [[0, 3, 6], [5, 0, 4], [5, 7, 0]]
    assert "一列之和是 10，应为 1" in trial(values).refused().text
    rows = records(trial(values, source="weights").report(), "result")
    assert [row["weight"] for row in rows] == pytest.approx([0.3172, 0.3084, 0.3744], abs=6e-5)


def test_names_must_be_those_of_the_network() -> None:
    assert "行和列都要是元素的名称" in trial(CIRCLE, network=network(组="ABD")).refused().text
    assert "两个元素都叫“A”" in trial(CIRCLE, network=network(组="AB", 另="AC")).refused().text


def judged(values: Any, target: str = "A", **more: Any) -> Trial:
    sheet = {"key": ["组", "t"], "rows": list("ABC"), "columns": list("ABC"), "values": values}
    form = {
        "source": "judgements", "network": network(组="ABC"), "targets": [{"id": "t", "name": target}],
        "matrices": {"sheets": [sheet]}, "sinks": "identity", **more,
    }  # fmt: skip
    return Trial("evaluation/anp", form=form)


def test_judgements_that_are_open_or_off_the_scale_are_refused_by_name() -> None:
    assert "“A”对“C”没有填" in judged([[1, 2, None], [None, 1, 3], [None, None, 1]]).refused().text
    assert "超出 1–9 标度" in judged([[1, 2, 12], [None, 1, 3], [None, None, 1]]).refused().text
    assert "不是网络里的元素" in judged([[1, 2, 3], [None, 1, 3], [None, None, 1]], target="X").refused().text
    assert "还没有填任何一张" in judged([[1, None, None], [None, 1, None], [None, None, 1]]).refused().text


def test_structure_tells_closed_classes_and_periods() -> None:
    assert structure(np.array(CIRCLE, dtype=float)).period == 3
    found = structure(np.array([[1.0, 0.5, 0], [0, 0, 0], [0, 0.5, 1]]))
    assert not found.irreducible and found.closed == 2 and found.period == 1
    limit, _, change = limiting(np.array([[0.0, 1], [1, 0]]), True)
    assert np.allclose(limit, 0.5) and change < 1e-10
