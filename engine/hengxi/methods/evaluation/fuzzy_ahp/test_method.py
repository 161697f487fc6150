from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hengxi.methods.evaluation._shared.fuzzy_judgements import deviation, fuzzified
from hengxi.testing import Trial, records

NAMES = ["A", "B", "C"]


def grid(values: Any) -> dict[str, Any]:
    return {"rows": NAMES, "columns": NAMES, "values": values}


MIDDLE = grid([[1, 3, 9], [None, 1, 7], [None, None, 1]])
TRIAL = Trial("evaluation/fuzzy_ahp", form={"type": "triangular", "middle": MIDDLE})


def test_low_middle_high_out_of_order_are_refused_by_pair() -> None:
    bad = grid([[None, 4, 4], [None, None, 2], [None, None, None]])
    high = grid([[None, 5, 10], [None, None, 8], [None, None, None]])
    assert "“A”对“B”的三角模糊数须满足 0 < l ≤ m ≤ u" in TRIAL.refused(entry="three", lows=bad, highs=high).text


def test_a_complementary_pair_must_sum_to_one() -> None:
    values = grid([[0.5, 0.7, 0.6], [0.4, 0.5, 0.5], [0.4, 0.5, 0.5]])
    refusal = TRIAL.refused(type="complementary_0_1", complementary=values)
    assert refusal.code == "matrix.symmetry" and "之和应为 1" in refusal.text


def test_extent_analysis_warns_of_zero_weights() -> None:
    report = TRIAL.report(method="chang_extent", spread=0.5)
    codes = [one["code"] for one in report if one["type"] == "warning"]
    assert codes == ["data.extent", "data.zero_weight"] and records(report, "result")[2]["weight"] == 0


def test_fuzzy_judgements_are_reciprocal_and_consistent_ones_do_not_deviate() -> None:
    a = fuzzified(np.array([[1, 1, 1 / 3], [1, 1, 4], [3, 1 / 4, 1]]), 1.0)
    assert np.allclose(a[0, 1] * a[1, 0, ::-1], 1) and a[0, 1] == pytest.approx([0.5, 1, 2])
    w = np.array([0.3, 0.2, 0.1])
    assert deviation(w[:, None] - w[None] + 0.5) == pytest.approx(0)
