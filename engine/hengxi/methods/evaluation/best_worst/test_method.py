from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hengxi.methods.evaluation._shared.best_worst import Vectors, linear, nonlinear
from hengxi.testing import Trial, check, records


def form(bo: list[float], ow: list[float], **more: Any) -> dict[str, Any]:
    names = [chr(65 + k) for k in range(len(bo))]

    def grid(values: list[float]) -> dict[str, Any]:
        return {"rows": names, "columns": ["张"], "values": [[v] for v in values]}

    return {"bo": grid(bo), "ow": grid(ow), **more}


def trial(bo: list[float], ow: list[float], **more: Any) -> Trial:
    return Trial("evaluation/best_worst", form=form(bo, ow, **more))


def test_the_best_against_itself_must_be_one() -> None:
    assert "BO 向量中最优准则须为 1" in trial([2, 3, 8], [8, 2, 1]).refused().text
    assert "OW 向量中最劣准则须为 1" in trial([1, 3, 8], [8, 2, 2]).refused().text


def test_best_against_worst_must_be_the_largest_and_the_same_twice() -> None:
    assert "应为最大值" in trial([1, 9, 8], [8, 2, 1]).refused().text
    assert "两处要相同" in trial([1, 3, 8], [7, 2, 1]).refused().text


def test_consistent_judgements_give_their_weights_in_both_models() -> None:
    one = Vectors(np.array([1.0, 2, 4, 8]), np.array([8.0, 4, 2, 1]), 0, 3)
    wanted = np.array([8, 4, 2, 1]) / 15
    w, xi = linear(one)
    v, star, low, high = nonlinear(one)
    assert w == pytest.approx(wanted) and xi == pytest.approx(0, abs=1e-9)
    assert v == pytest.approx(wanted, abs=1e-6) and star == 0 and high - low == pytest.approx(0, abs=1e-6)


def test_inconsistent_judgements_are_told_with_their_expert() -> None:
    report = trial([1, 6, 2, 8], [8, 5, 6, 1]).report()
    row = records(report, "consistency")[0]
    assert row["verdict"] == "不一致" and check(report, "一致性")["state"] == "fail" and row["order"] == 0


def test_two_criteria_that_are_best_and_worst() -> None:
    rows = records(trial([1, 3], [3, 1]).report(), "result")
    assert [row["weight"] for row in rows] == pytest.approx([0.75, 0.25])
    assert "同一个准则" in trial([1, 2], [1, 2]).refused().text
