from __future__ import annotations

import numpy as np
import pandas as pd

from hengxi.testing import Trial, records, said

FRAME = pd.DataFrame(
    {"名": list("甲乙丙丁戊"), "a": [1.0, 2, 4, 3, 5], "b": [5.0, 3, 4, 1, 2], "c": [2.0, 2.5, 2, 1, 9]}
)
TRIAL = Trial("evaluation/coefficient_variation", FRAME, {"items": ["a", "b", "c"]}, {"名": "定类"})


def test_a_mean_that_is_not_positive_is_refused() -> None:
    refusal = TRIAL.refused(FRAME.assign(b=FRAME["b"] - 3))
    assert refusal.code == "data.mean" and "“b”均值不大于 0" in refusal.text
    assert [one.title for one in refusal.faults[0].remedies] == ["移去“b”"]


def test_the_divisor_of_the_standard_deviation_leaves_the_weights() -> None:
    first, second = (records(TRIAL.report(ddof=one), "result") for one in ("sample", "population"))
    assert np.allclose([row["weight"] for row in first], [row["weight"] for row in second])
    assert first[0]["sd"] > second[0]["sd"]


def test_the_direction_turns_the_scores_only() -> None:
    high, low = TRIAL.report(), TRIAL.report(direction=[{"for": key, "kind": "low"} for key in "abc"])
    assert records(high, "result") == records(low, "result")
    sums = [a["score"] + b["score"] for a, b in zip(records(high, "scores"), records(low, "scores"), strict=True)]
    assert np.allclose(sums, 1)


def test_equal_weights_are_called_equal() -> None:
    same = pd.DataFrame({"a": [1.0, 2, 3], "b": [2.0, 4, 6]})
    assert "权重相同" in said(TRIAL.report(same, items=["a", "b"]))
