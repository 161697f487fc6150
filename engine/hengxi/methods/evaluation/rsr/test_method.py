from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from hengxi.testing import Trial, check, records

FRAME = pd.DataFrame(
    {"名": list("甲乙丙丁戊己"), "a": [1.0, 2, 4, 3, 5, 2], "b": [5.0, 3, 4, 1, 2, 6], "c": [2, 2.5, 2, 1, 9, 3]}
)
FORM: dict[str, Any] = {"positive": ["a"], "negative": ["b", "c"], "label": "名"}
TRIAL = Trial("evaluation/rsr", FRAME, FORM)


def test_fewer_than_five_objects_are_refused() -> None:
    assert "至少需要 5 个评价对象" in TRIAL.refused(FRAME.iloc[:4]).text


def test_equal_ratios_cannot_be_graded() -> None:
    frame = pd.DataFrame({"a": [1.0, 2, 3, 4, 5], "b": [1.0, 2, 3, 4, 5]})
    refusal = TRIAL.refused(frame, positive=["a"], negative=["b"], label=None)
    assert refusal.code == "data.same" and "RSR 无差异" in refusal.text


def test_grades_follow_probit_bounds() -> None:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({key: rng.normal(size=60) for key in "ab"})
    report = TRIAL.report(frame, positive=["a", "b"], negative=[], label=None, grades=5)
    cuts = [3.2, 4.4, 5.6, 6.8]
    for row in records(report, "result"):
        assert row["grade"] == 1 + sum(row["probit"] >= cut for cut in cuts)
    assert check(report, "Probit 回归")["state"] == "pass"
