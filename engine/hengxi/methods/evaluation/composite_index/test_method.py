from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, records

FRAME = pd.DataFrame({"名": list("甲乙丙丁"), "a": [1.0, 2, 4, 3], "b": [5.0, 3, 1, 2]})
TRIAL = Trial("evaluation/composite_index", FRAME, {"positive": ["a"], "negative": ["b"], "label": "名"})


def test_geometric_synthesis_needs_positive_values() -> None:
    refusal = TRIAL.refused(synthesis="geometric")
    assert refusal.code == "data.not_positive" and "几何、调和合成要求全部为正" in refusal.text
    assert TRIAL.report(synthesis="geometric", normalize="rank")


def test_parts_add_to_the_index() -> None:
    report = TRIAL.report()
    parts = [cell for e in report if e.get("name") == "parts" for cell in e["rows"]]
    index = [row["index"] for row in records(report, "result")]
    assert [row[2] + row[4] for row in parts] == pytest.approx(index)


def test_rank_intervals_hold_the_rank() -> None:
    rows = records(TRIAL.report(robustness=200), "spread")
    assert all(row["low"] <= row["rank"] <= row["high"] for row in rows)


def test_constants_are_refused() -> None:
    assert "“b”的 4 个值都相同" in TRIAL.refused(FRAME.assign(b=1.0)).text


def test_harmonic_is_below_geometric_is_below_linear() -> None:
    values = [
        np.array([row["index"] for row in records(TRIAL.report(synthesis=how, normalize="rank"), "result")])
        for how in ("harmonic", "geometric", "linear")
    ]
    assert np.all(values[0] <= values[1] + 1e-12) and np.all(values[1] <= values[2] + 1e-12)
