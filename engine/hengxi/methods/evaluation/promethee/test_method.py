from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.methods.evaluation._shared.outranking import stable_range
from hengxi.testing import Trial, records

FRAME = pd.DataFrame({"名": list("甲乙丙丁"), "a": [1.0, 2, 4, 3], "b": [5.0, 3, 4, 1], "c": [2, 2.5, 2, 1]})
FORM: dict[str, Any] = {"positive": ["a", "c"], "negative": ["b"], "label": "名", "weight_source": "equal"}
TRIAL = Trial("evaluation/promethee", FRAME, FORM)


def test_q_beyond_p_is_refused_by_indicator() -> None:
    rows = [{"for": "a", "kind": "linear", "q": 2, "p": 1}]
    assert "指标“a”的无差异阈值 q（2）不能大于偏好阈值 p（1）" in TRIAL.refused(preference=rows).text


def test_weights_that_are_all_zero_are_refused() -> None:
    rows = [{"for": key, "w": 0} for key in "abc"]
    assert "权重不能全为 0" in TRIAL.refused(weight_source="manual", weights_value=rows).text


def test_net_flows_sum_to_zero_and_the_stable_range_holds_the_weight() -> None:
    report = TRIAL.report()
    assert sum(row["net"] for row in records(report, "result")) == pytest.approx(0)
    for row in records(report, "stable"):
        assert row["low"] <= row["weight"] <= row["high"] and row["first_low"] <= row["low"]


def test_at_the_end_of_the_stable_range_the_order_turns() -> None:
    single = np.array([[0.5, -0.2], [0.1, 0.4], [-0.6, -0.2]])
    low, high = stable_range(single, np.array([0.5, 0.5]), 0, False)
    first = [int(np.argmax(single @ np.array([v, 1 - v]))) for v in (high - 1e-6, high + 1e-6)]
    assert low == 0 and high < 1 and first == [1, 0]


def test_many_alternatives_leave_out_the_tables_of_pairs() -> None:
    frame = pd.DataFrame({"a": np.arange(40.0), "b": np.arange(40.0) ** 2 % 17, "c": np.arange(40.0) % 5})
    trial = Trial("evaluation/promethee", frame, {**FORM, "label": None})
    ids = {one.get("name") for one in trial.report() if one["type"] == "table"}
    assert "result" in ids and "pairs" not in ids
