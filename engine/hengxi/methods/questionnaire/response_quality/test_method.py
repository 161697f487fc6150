"""Branches and refusals of careless-response screening; planted offenders are found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from hengxi.contract import Refusal
from hengxi.testing import Elements, Trial, records, said, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
ITEMS = [f"题{i}" for i in range(1, 21)]
TRIAL = Trial("questionnaire/response_quality", FRAME, {"items": ITEMS})


def report(frame: pd.DataFrame = FRAME, **form: Any) -> Elements:
    return TRIAL.report(frame, dict.fromkeys(frame.columns, "定量"), **form)


def refused(frame: pd.DataFrame = FRAME, **form: Any) -> Refusal:
    return TRIAL.refused(frame, dict.fromkeys(frame.columns, "定量"), **form)


def test_items_of_another_scale_are_refused() -> None:
    refusal = refused(FRAME.assign(题3=(FRAME["题3"] + 2)))
    assert "题项取值范围不同" in refusal.text and "“题3”" in refusal.text


def test_collinear_items_skip_the_distance_only() -> None:
    elements = report(FRAME.assign(题2=FRAME["题1"]))
    assert "data.singular" in warnings(elements)
    assert "马氏距离" not in {row["indicator"] for row in records(elements, "summary")}


def test_every_straight_liner_and_copy_is_found() -> None:
    frame = FRAME.copy()
    frame.loc[10, ITEMS] = 3
    frame.loc[20, ITEMS] = frame.loc[21, ITEMS]
    rows = {row["row"][0]: row for row in records(report(frame), "suspects")}
    assert rows[11]["longest"] == 1 and {21, 22} <= rows.keys()
    assert rows[21]["same"] == rows[22]["same"] == "是"


def test_an_attention_item_needs_its_answer() -> None:
    assert "检测题" in refused(attention=["检测题"]).text
    elements = report(attention=["检测题"], answers=[{"for": "检测题", "answer": "4"}])
    row = next(row for row in records(elements, "summary") if row["indicator"] == "注意力检测题")
    assert row["n"] == int((FRAME["检测题"] != 4).sum())


def test_a_gap_breaks_a_string_and_has_no_distance() -> None:
    frame = FRAME.copy()
    frame.loc[0, ITEMS] = [3] * 9 + [np.nan] + [3] * 10
    (row,) = [row for row in records(report(frame), "suspects") if row["row"] == [1]]
    assert row["longest"] == 10 / 19 and row["d2"] is None


def test_clean_answers_are_said_to_be_clean() -> None:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.integers(1, 6, (60, 8)), columns=[f"q{i}" for i in range(8)])
    assert "没有被标记" in said(report(frame, items=list(frame.columns), longstring_limit=1.0, mahal_alpha=0.00001))
