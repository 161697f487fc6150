from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hengxi.testing import Trial, element, records

NAMES = ["A", "B", "C"]


def form(values: Any, **more: Any) -> dict[str, Any]:
    return {"source": "single", "direct": {"rows": NAMES, "columns": NAMES, "values": values}, **more}


def trial(values: Any, **more: Any) -> Trial:
    return Trial("evaluation/dematel", form=form(values, **more))


def test_a_diagonal_that_is_not_zero_is_refused() -> None:
    refusal = trial([[1, 2, 1], [0, 0, 1], [1, 0, 0]]).refused()
    assert refusal.code == "matrix.cell" and "是自己对自己，应为 0" in refusal.text


def test_nothing_and_a_pure_circle_are_refused() -> None:
    assert "影响矩阵全为 0" in trial([[0, 0, 0]] * 3).refused().text
    circle = trial([[0, 2, 0], [0, 0, 2], [2, 0, 0]]).refused()
    assert circle.code == "data.radius" and "谱半径不小于 1" in circle.text


def test_total_influence_is_the_sum_of_all_paths() -> None:
    z = np.array([[0.0, 3, 2], [1, 0, 2], [1, 1, 0]])
    report = trial(z.tolist(), normalize="max_row").report()
    found = element(report, "total")["matrix"]["layers"][0]["values"]
    assert np.allclose(found, sum(np.linalg.matrix_power(z / 5, k) for k in range(1, 400)))


def test_a_threshold_nothing_exceeds_leaves_the_network_out() -> None:
    report = trial([[0, 3, 2], [1, 0, 2], [1, 1, 0]], threshold="manual", threshold_value=9).report()
    assert records(report, "cuts")[-1]["edges_"] == 0
    assert records(report, "cuts")[-1]["used"] == "是"


def test_an_experts_matrix_with_gaps_is_refused_by_name() -> None:
    tree = {"id": "g", "name": "目标", "children": [{"id": n, "name": n, "children": []} for n in NAMES]}
    sheet = {"key": ["g", "e1"], "values": [[0, 3, 2], [1, 0, 2], [1, 1, 0]]}
    people = [{"id": "e1", "name": "张"}, {"id": "e2", "name": "李"}]
    given = {"source": "experts", "factors": tree, "experts": people, "sheets": {"sheets": [sheet]}}
    assert "专家“李”的矩阵没有填完" in Trial("evaluation/dematel", form=given).refused().text


@pytest.mark.parametrize("how", ["max_row", "max_row_col"])
def test_influences_given_and_taken_balance(how: str) -> None:
    rows = records(trial([[0, 3, 2], [1, 0, 2], [1, 1, 0]], normalize=how).report(), "result")
    assert sum(row["relation"] for row in rows) == pytest.approx(0) and sum(
        row["weight"] for row in rows
    ) == pytest.approx(1)
