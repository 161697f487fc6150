from __future__ import annotations

import numpy as np
import pandas as pd

from hengxi.testing import Trial, records

FRAME = pd.DataFrame(
    {"名": list("甲乙丙丁戊"), "a": [1.0, 2, 4, 3, 5], "b": [5.0, 3, 4, 1, 2], "c": [2.0, 2.5, 2, 1, 9]}
)
TRIAL = Trial("evaluation/critic", FRAME, {"positive": ["a"], "negative": ["b", "c"], "label": "名"})


def test_one_indicator_is_too_few() -> None:
    assert "至少需要 2 个指标" in TRIAL.refused(negative=[]).text


def test_indicators_that_say_the_same_have_no_conflict() -> None:
    refusal = TRIAL.refused(FRAME.assign(b=-FRAME["a"], c=-2 * FRAME["a"]))
    assert refusal.code == "data.no_conflict" and "完全正相关" in refusal.text


def test_contrast_by_variation_needs_values_that_are_not_negative() -> None:
    refusal = TRIAL.refused(normalize="zscore", contrast="cv")
    assert refusal.faults[0].field == "contrast" and "有负值" in refusal.text


def test_standardised_indicators_differ_by_conflict_alone() -> None:
    rows = records(TRIAL.report(normalize="zscore"), "result")
    conflict = np.array([row["conflict"] for row in rows])
    assert np.allclose([row["weight"] for row in rows], conflict / conflict.sum())
