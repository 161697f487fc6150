"""Refusals; the example of the textbook by hand; sides few people choose are listed and not tested."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from hengxi.testing import Trial, records, said, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
KINDS = dict.fromkeys(FRAME.columns, "定量")
TRIAL = Trial("questionnaire/penalty", FRAME, {"liking": "喜好", "jar": ["甜度", "酸度"]}, KINDS)


def test_nobody_who_finds_it_just_right_is_refused() -> None:
    refusal = TRIAL.refused(FRAME.assign(甜度=FRAME["甜度"].replace(3, 4)))
    assert "属性“甜度”没有人选择“恰好”" in refusal.text


def test_one_side_alone_is_shown_alone() -> None:
    rows = records(TRIAL.report(FRAME.assign(甜度=FRAME["甜度"].clip(lower=3))), "result")
    assert [row["side"] for row in rows if row["name"] == "甜度"] == ["恰好", "过度"]


def test_an_example_by_hand() -> None:
    """60 just right with a mean of 7.2, 30 too weak with 5.9: 1.3, of 30 % of all 0.39."""
    y = [7, 7, 7, 7, 8] * 12 + [5, 6, 6, 6, 6, 6, 6, 6, 6, 6] * 3 + [7] * 10
    frame = pd.DataFrame({"喜好": y, "甜度": [3] * 60 + [1] * 30 + [5] * 10, "酸度": [3, 4] * 50})
    row = next(r for r in records(TRIAL.report(frame), "result") if (r["name"], r["side"]) == ("甜度", "不足"))
    assert row["penalty"] == pytest.approx(1.3) and row["weighted"] == pytest.approx(0.39)


def test_few_people_are_listed_and_not_tested() -> None:
    rows = records(TRIAL.report(min_share=50), "result")
    assert all(row["p"] is None for row in rows) and any(row["penalty"] is not None for row in rows)


def test_liking_that_does_not_vary_is_refused() -> None:
    assert "没有变异" in TRIAL.refused(FRAME.assign(喜好=7)).text


def test_attributes_that_say_the_same_are_left_out_of_the_net_effects() -> None:
    report = TRIAL.report(FRAME.assign(酸度=FRAME["甜度"]))
    assert "data.collinear" in warnings(report)


def test_no_penalty_is_said() -> None:
    better = FRAME.assign(喜好=5 + (FRAME["甜度"] - 3).abs() + FRAME.index % 2, 酸度=FRAME["甜度"])
    assert "没有更低" in said(TRIAL.report(better))
