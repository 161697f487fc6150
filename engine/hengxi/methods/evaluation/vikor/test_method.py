from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from hengxi.testing import Trial, records, said, warnings

FRAME = pd.DataFrame(
    {"名": list("甲乙丙丁戊己"), "a": [1.0, 2, 4, 3, 5, 2], "b": [5.0, 3, 4, 1, 2, 6], "c": [2, 2.5, 2, 1, 9, 3]}
)
FORM: dict[str, Any] = {"positive": ["a"], "negative": ["b", "c"], "label": "名"}
TRIAL = Trial("evaluation/vikor", FRAME, FORM)


def test_an_indicator_without_variation_is_left_out_and_said() -> None:
    report = TRIAL.report(FRAME.assign(b=2.0))
    assert warnings(report) == ["data.constant"] and [row["item"] for row in records(report, "used")] == ["a", "c"]


def test_a_single_alternative_is_too_few() -> None:
    assert "至少需要 2 个" in TRIAL.refused(FRAME.iloc[:1]).text


def test_the_best_in_everything_is_the_only_compromise() -> None:
    frame = FRAME.assign(a=[9.0, 2, 4, 3, 5, 2], b=[0.5, 3, 4, 1, 2, 6], c=[0.1, 2, 3, 1, 9, 3])
    report = TRIAL.report(frame)
    assert records(report, "result")[0]["q"] == 0 and "折衷最优的是" in said(report)


def test_v_decides_between_sum_and_worst() -> None:
    s = records(TRIAL.report(v=1), "result")
    assert np.argmin([row["q"] for row in s]) == np.argmin([row["s"] for row in s])
    r = records(TRIAL.report(v=0), "result")
    assert min(row["q"] for row in r) == 0 and min(r, key=lambda row: row["r"])["q"] == 0
