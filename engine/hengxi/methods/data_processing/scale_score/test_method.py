"""Ends of the scale, dimensions, gaps that are allowed."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from hengxi.testing import Trial, warnings

FRAME = pd.DataFrame({
    "a": [1.0, 2.0, 3.0, None, 5.0], "b": [1.0, 2.0, None, None, 4.0], "c": [5.0, 4.0, 3.0, 2.0, 1.0],
    "d": [1.0, 1.0, 2.0, 6.0, 1.0],
})  # fmt: skip
TRIAL = Trial("data_processing/scale_score", FRAME, {"items": ["a", "b", "c"]}, dict.fromkeys("abcd", "定量"))
report, refused = TRIAL.report, TRIAL.refused


def scores(**form: Any) -> list[Any]:
    step = next(e for e in report(**form) if e["type"] == "data")["step"]
    return [row[-1] for row in step["preview"]["after"]]


def turned(*items: str) -> list[dict[str, Any]]:
    return [{"for": one, "reverse": True} for one in items]


def test_a_score_needs_enough_answers() -> None:
    made = scores(dimensions=turned("c"))
    assert made == [1, 2, None, None, pytest.approx(14 / 3)]
    assert scores(dimensions=turned("c"), max_missing=1) == [1, 2, 3, 4, pytest.approx(14 / 3)]


def test_a_sum_counts_the_answered_items_for_all() -> None:
    assert scores(dimensions=turned("c"), method="sum", max_missing=1)[2] == 9


def test_an_item_left_as_it_is_shows_by_its_correlation() -> None:
    assert "items.against" in warnings(report())


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"items": ["a", "d"]}, "题项“d”含超出 1—5 的值"),
        ({"dimensions": [{"for": "a", "dimension": "另"}]}, "维度“另”只有 1 题"),
        ({"scale_min": 5, "scale_max": 5}, "必须大于"),
        ({"method": "pca", "items": ["a", "b"]}, ""),
    ],
)
def test_what_has_no_score(form: dict[str, Any], words: str) -> None:
    """题项超出量表范围；同一题属于两个维度、权重个数不符：题项设置每题一行，只能填一个维度和一个权重"""
    if not words:
        assert scores(**form)[3] is None
    else:
        assert words in refused(**form).faults[0].text


def test_an_item_without_spread_has_no_component() -> None:
    assert refused(FRAME.assign(b=3.0), method="pca").code == "role.constant"
