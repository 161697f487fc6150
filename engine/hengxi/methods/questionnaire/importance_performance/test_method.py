"""Refusals; order of the two lists decides the pairs; a gap that is the same for all has no test."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from hengxi.testing import Trial, records, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
IMPORTANCE = [name for name in FRAME.columns if name.endswith("重要性")]
PERFORMANCE = [name for name in FRAME.columns if name.endswith("满意度") and not name.startswith("总体")]
FORM = {"importance": IMPORTANCE, "performance": PERFORMANCE}
TRIAL = Trial("questionnaire/importance_performance", FRAME, FORM, dict.fromkeys(FRAME.columns, "定量"))


def test_lists_of_different_length_are_refused() -> None:
    assert "两组题项数量不一致（重要性 7 题，绩效 8 题）" in TRIAL.refused(importance=IMPORTANCE[:7]).text


def test_different_scales_are_refused_with_a_way_on() -> None:
    ten = FRAME.copy()
    ten[PERFORMANCE] = ten[PERFORMANCE] * 2
    refusal = TRIAL.refused(ten)
    assert "重要性最大到 5、绩效最大到 10" in refusal.text and refusal.faults[0].remedies
    assert records(TRIAL.report(ten, same_scale=False), "result")


def test_derived_importance_asks_for_an_overall_judgement() -> None:
    assert "请放入“总体评价”" in TRIAL.refused(derived="derived_regression").text
    form = {"derived": "derived_partial_r", "overall": "总体满意度"}
    assert "不足以由 8 个属性推导" in TRIAL.refused(FRAME[:9], None, **form).text
    same = FRAME.assign(**{PERFORMANCE[1]: FRAME[PERFORMANCE[0]]})
    assert "完全共线" in TRIAL.refused(same, None, **form).text
    assert "没有量表中点" in TRIAL.refused(None, None, cross="scale_mid", **form).text


def test_a_cross_of_ones_own_needs_both_ends() -> None:
    assert "要填绩效的界和重要性的界" in TRIAL.refused(cross="custom", cross_x=3).text


def test_pairs_follow_the_order_of_the_lists() -> None:
    turned = TRIAL.report(importance=IMPORTANCE[::-1], performance=PERFORMANCE[::-1])
    plain = {row["name"]: row["gap"] for row in records(TRIAL.report(), "result")}
    assert {row["name"]: row["gap"] for row in records(turned, "result")} == plain


def test_the_same_answers_twice_are_noticed() -> None:
    same = FRAME.dropna().assign(**{p: FRAME[i] for p, i in zip(PERFORMANCE, IMPORTANCE, strict=True)})
    report = TRIAL.report(same)
    assert "data.same" in warnings(report) and all(row["t"] is None for row in records(report, "result"))
