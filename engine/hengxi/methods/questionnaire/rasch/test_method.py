"""Branches and refusals of the Rasch model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.contract import Refusal
from hengxi.testing import Elements, Trial, records, said, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
ITEMS = [f"题{i}" for i in range(1, 13)]
TRIAL = Trial("questionnaire/rasch", FRAME, {"items": ITEMS})


def measures(frame: pd.DataFrame) -> dict[str, str]:
    return {name: "定类" if name == "性别" else "定量" for name in frame.columns}


def report(frame: pd.DataFrame = FRAME, **form: Any) -> Elements:
    return TRIAL.report(frame, measures(frame), **form)


def refused(frame: pd.DataFrame = FRAME, **form: Any) -> Refusal:
    return TRIAL.refused(frame, measures(frame), **form)


def test_known_difficulties_come_back_within_three_errors() -> None:
    rows = records(report(), "difficulty")
    for row, truth in zip(rows, np.linspace(-2, 2, 12), strict=True):
        assert abs(row["b"] - truth) < 3 * row["se"]
    assert sum(row["b"] for row in rows) == pytest.approx(0, abs=1e-10)


def test_two_items_have_a_closed_solution() -> None:
    """Of three items, two alike: with everybody alike on the third pair only, b₂ − b₁ = ln(n₁₀/n₀₁)."""
    answers = [(1, 0)] * 40 + [(0, 1)] * 10 + [(1, 1)] * 5 + [(0, 0)] * 5
    frame = pd.DataFrame([(*pair, np.nan) for pair in answers] + [(1, np.nan, 0), (0, np.nan, 1)], columns=list("abc"))
    rows = {row["item"]: row["b"] for row in records(report(frame, items=list("abc")), "difficulty")}
    assert rows["b"] - rows["a"] == pytest.approx(np.log(4), abs=1e-9)
    assert rows["c"] - rows["a"] == pytest.approx(0, abs=1e-9)


def test_extreme_people_change_no_difficulty_and_are_counted() -> None:
    more = pd.concat([FRAME, FRAME.assign(**dict.fromkeys(ITEMS, 1)).head(7), FRAME.assign(
        **dict.fromkeys(ITEMS, 0)).head(3)])  # fmt: skip
    usual, elements = report(), report(more)
    before, after = records(usual, "difficulty"), records(elements, "difficulty")
    assert [row["b"] for row in after] == pytest.approx([row["b"] for row in before], abs=1e-10)
    added = records(elements, "whole")[0]["extreme"] - records(usual, "whole")[0]["extreme"]
    assert added == 10 and "data.extreme" in warnings(elements)
    assert "条件似然不含其信息，能力值用 WLE 外推" in said(elements)


def test_items_nobody_can_compare_are_refused_by_name() -> None:
    frame = FRAME.assign(题12=((FRAME[ITEMS[:11]].sum(axis=1) == 11) & (FRAME["题12"] == 1)).astype(int))
    frame.loc[0, ITEMS] = 1
    refusal = refused(frame)
    assert refusal.code == "data.disconnected" and "部分题目难度不可比" in refusal.text and "题12" in refusal.text


def test_items_all_alike_are_refused_by_name() -> None:
    refusal = refused(FRAME.assign(题3=1, 题5=0))
    assert refusal.code == "data.constant" and "“题3”“题5”" in refusal.text


def test_graded_answers_want_another_model() -> None:
    refusal = refused(FRAME.assign(题1=FRAME["题1"] + (FRAME["题2"] == 1)))
    assert refusal.code == "data.binary" and refusal.faults[0].remedies
    assert refused(FRAME.assign(题1=np.arange(len(FRAME)))).code == "data.categories"
    wide = FRAME.assign(题1=FRAME["题1"] * 7 + 3, 题2=np.arange(len(FRAME)) % 9 + 4)
    assert refused(wide, model="rsm").code == "data.scale"


def test_a_split_by_group_wants_the_group() -> None:
    assert refused(split="group").code == "role.required"


def test_few_people_are_refused() -> None:
    assert refused(FRAME.head(20)).code == "data.few"


def test_too_many_ways_of_missing_are_refused_before_any_work() -> None:
    rng = np.random.default_rng(7)
    answers = np.where(rng.random((900, 60)) < 0.1, np.nan, rng.integers(0, 2, (900, 60)))
    frame = pd.DataFrame(answers, columns=[f"q{i}" for i in range(60)])
    assert refused(frame, items=list(frame.columns)).code == "data.size"


def test_rating_scale_and_partial_credit_of_two_categories_are_rasch() -> None:
    rasch = [row["b"] for row in records(report(), "difficulty")]
    for model in ("rsm", "pcm"):
        assert [row["b"] for row in records(report(model=model), "difficulty")] == pytest.approx(rasch, abs=1e-9)


def test_gaps_between_grades_and_turned_items_are_said() -> None:
    graded = FRAME.assign(题1=FRAME["题1"] * 2 + 1, 题12=1 - FRAME["题12"])
    elements = report(graded)
    assert {"data.gaps", "data.reversed"} <= set(warnings(elements))


def test_a_category_chosen_by_too_few_is_refused_by_partial_credit() -> None:
    frame = FRAME.assign(题1=FRAME["题1"].where(FRAME.index != FRAME[ITEMS].sum(axis=1).idxmax(), 2))
    frame.loc[frame["题1"] == 2, ITEMS[1:]] = 1
    assert refused(frame, model="pcm").code == "data.unconverged"
