from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from hengxi.testing import Trial, records

NAMES = list("甲乙丙丁")


def typed(*upper: float) -> dict[str, Any]:
    cells = iter(upper)
    values = [[next(cells) if j > i else None for j in range(4)] for i in range(4)]
    return {"rows": NAMES, "columns": NAMES, "values": values}


TRIAL = Trial("evaluation/priority_chart", form={"source": "typed", "matrix": typed(1, 1, 1, 1, 1, 1)})


def test_halves_that_do_not_sum_to_one_are_refused() -> None:
    matrix = typed(1, 1, 1, 1, 1, 1)
    matrix["values"][1][0] = 0.5
    assert "之和应为 1" in TRIAL.refused(matrix=matrix).text


def test_only_one_half_and_zero_are_taken() -> None:
    refusal = TRIAL.refused(matrix=typed(0.7, 1, 1, 1, 1, 1))
    assert refusal.code == "data.value" and "“甲”对“乙”是 0.7" in refusal.text


def test_a_strict_order_gives_weights_by_rank() -> None:
    weights = [row["weight"] for row in records(TRIAL.report(), "result")]
    assert np.allclose(weights, np.array([3.5, 2.5, 1.5, 0.5]) / 8)
    assert records(TRIAL.report(diagonal="zero"), "result")[-1]["weight"] == 0


def test_equal_means_are_compared_as_equal() -> None:
    frame = pd.DataFrame({"a": [1.0, 3.0], "b": [2.0, 2.0], "c": [5.0, 4.0]})
    rows = records(TRIAL.report(frame, source="items", items=["a", "b", "c"], matrix=None), "result")
    assert [row["ttl"] for row in rows] == [1, 1, 2.5] and rows[0]["mean"] == 2
