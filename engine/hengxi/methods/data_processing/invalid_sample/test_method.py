"""Planted careless answers are found; what a rule cannot judge is said."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.methods.data_processing._shared.careless import longest_run, most_equal
from hengxi.testing import Trial, records, warnings

RANDOM = np.random.default_rng(9)
FRAME = pd.DataFrame(RANDOM.integers(1, 6, (60, 12)), columns=[f"q{i}" for i in range(12)]).astype(float)
FRAME.iloc[3] = 4.0
FRAME.iloc[7, :5] = np.nan
FRAME["秒"] = [30.0, np.nan] + [200.0] * 58
FRAME["号"] = ["a", "a", None, None] + [f"x{i}" for i in range(56)]
ITEMS = [f"q{i}" for i in range(12)]
TRIAL = Trial("data_processing/invalid_sample", FRAME, {"items": ITEMS}, dict.fromkeys(ITEMS, "定量") | {"号": "文本"})
report, refused = TRIAL.report, TRIAL.refused


def hits(**form: Any) -> dict[str, int]:
    return {row["rule"]: row["hits"] for row in records(report(**form), "result")}


def test_planted_rows_are_found_and_gaps_are_not_fast_nor_repeated() -> None:
    found = hits(duration="秒", id="号", mahalanobis=0)
    assert (
        found["相同答案过多"] == found["连续相同"] == found["漏答过多"] == found["答题过快"] == found["重复标识"] == 1
    )


def test_a_gap_ends_a_run_and_counts_for_no_answer() -> None:
    coded = [np.array([1, 1]), np.array([1, -1]), np.array([1, 1]), np.array([2, -1])]
    assert longest_run(coded).tolist() == [3, 1]
    assert [part.tolist() for part in most_equal(coded)] == [[3, 2], [4, 2]]


def test_words_are_answers_too() -> None:
    frame = pd.DataFrame({f"q{i}": ["是", "否", "是"] if i else ["是", "是", "否"] for i in range(4)})
    found = report(frame, items=[f"q{i}" for i in range(4)], longstring=4)
    assert "rule.no_distance" in warnings(found) and records(found, "result")[1]["hits"] == 1


def test_items_that_repeat_each_other_have_no_distance() -> None:
    frame = FRAME.assign(q1=FRAME["q0"])
    assert "rule.singular" in warnings(report(frame))


@pytest.mark.parametrize(
    ("form", "code"),
    [
        ({"items": ITEMS[:2]}, "role.few"),
        ({"duration": "秒", "min_seconds": 1000, "missing_ratio": 1e-9}, "data.none_left"),
        ({"same_ratio": 0.1}, "number.range"),
    ],
)
def test_what_is_refused(form: dict[str, Any], code: str) -> None:
    """题项少于3、全部判为无效"""
    frame = FRAME.assign(秒=5.0) if code == "data.none_left" else FRAME
    assert refused(frame, **form).code == code
