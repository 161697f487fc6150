from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from hengxi.testing import Trial, check, records

FRAME = pd.DataFrame({"名": list("甲乙丙"), "a": [0.6, 0.2, 0.0], "b": [0.4, 0.3, 0.5]})
TRIAL = Trial("evaluation/coupling_coordination", FRAME, {"systems": ["a", "b"], "label": "名", "normalize": "none"})


def test_the_hand_computed_pair() -> None:
    first = records(TRIAL.report(), "result")[0]
    assert first["c"] == pytest.approx(0.9797959) and first["d"] == pytest.approx(0.6999, abs=5e-5)


def test_a_zero_is_told_with_a_way_out() -> None:
    found = check(TRIAL.report(), "零值")
    assert found["state"] == "care" and found["remedies"][0].get("title") == "化到 0.01–0.99"


def test_values_outside_the_unit_interval_are_refused() -> None:
    refusal = TRIAL.refused(FRAME.assign(a=[0.6, 1.2, 0.1]))
    assert "“a”的“乙”是 1.2" in refusal.text and refusal.faults[0].remedies
    assert TRIAL.report(FRAME.assign(a=[0.6, 1.2, 0.1]), normalize="interval")


def test_no_contribution_at_all_is_refused() -> None:
    weights: list[dict[str, Any]] = [{"for": "a", "w": 0}, {"for": "b", "w": 0}]
    assert "不能全为 0" in TRIAL.refused(weights=weights).text


def test_equal_systems_are_fully_coupled_by_every_formula() -> None:
    same = pd.DataFrame({"a": [0.3, 0.8], "b": [0.3, 0.8]})
    for formula in ("standard", "squared_product"):
        rows = records(TRIAL.report(same, label=None, formula=formula), "result")
        assert [row["c"] for row in rows] == pytest.approx([1, 1])
