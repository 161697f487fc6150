from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, records

FRAME = pd.DataFrame({
    "专家": list("甲乙丙丁") * 2, "轮": [1] * 4 + [2] * 4, "a": [5, 4, 5, 3, 5, 5, 5, 4], "b": [2, 3, 2, 4, 2, 2, 2, 3],
    "c": [4, 4, 3, 5, 4, 4, 4, 4],
})  # fmt: skip
FORM: dict[str, Any] = {"items": ["a", "b", "c"], "expert": "专家", "round": "轮"}
KINDS = {"a": "定量", "b": "定量", "c": "定量", "轮": "定类"}
TRIAL = Trial("evaluation/delphi", FRAME, FORM, KINDS)


def test_scores_above_the_scale_are_refused_by_item() -> None:
    assert "指标“a”存在超过满分 4 的评分" in TRIAL.refused(scale_max=4).text


def test_fewer_than_three_experts_are_refused() -> None:
    assert "至少需要 3 位专家" in TRIAL.refused(FRAME.iloc[[0, 1, 4, 5, 6]]).text


def test_the_same_expert_twice_in_a_round_is_refused() -> None:
    assert "专家“甲”在2有两份答卷" in TRIAL.refused(FRAME.assign(专家=list("甲乙丙丁甲甲丙丁"))).text


def test_a_gap_only_leaves_its_item() -> None:
    frame = FRAME.assign(a=[5, np.nan, 5, 3, 5, 5, 5, 4])
    rows = records(TRIAL.report(frame), "items_")
    assert [row["n"] for row in rows[:3]] == [3, 4, 4]
    assert records(TRIAL.report(frame), "concord")[0]["experts"] == 3


def test_authority_is_the_mean_of_both_and_within_one() -> None:
    frame = FRAME.assign(ca=[0.9, 0.8, 1, 0.7] * 2, cs=[0.7, 0.8, 0.6, 0.9] * 2)
    basis = {"judgement_basis": ["ca"], "familiarity": ["cs"]}
    kinds = {**KINDS, "ca": "定量", "cs": "定量"}
    rows = records(TRIAL.report(frame, kinds, **basis), "authority")
    assert rows[4]["cr"] == pytest.approx((0.85 + 0.75) / 2)
    assert "要在 0 到 1 之间" in TRIAL.refused(frame.assign(ca=[9, 8, 1, 7] * 2), kinds, **basis).text


def test_rand_needs_nine_grades_and_more_answers_than_sent_are_refused() -> None:
    assert "只用于 1–9 级" in TRIAL.refused(rule="rand_ucla").text
    assert "发放 3 份，却有 4 份" in TRIAL.refused(invited=[3]).text


def test_items_decided_in_an_earlier_round_are_not_asked_again() -> None:
    frame = FRAME.assign(c=[4, 4, 3, 5, np.nan, np.nan, np.nan, np.nan], d=[np.nan] * 4 + [5, 4, 4, 5])
    form = {"items": ["a", "b", "c", "d"]}
    report = TRIAL.report(frame, {**KINDS, "d": "定量"}, **form)
    rows = [(row["round"], row["item"]) for row in records(report, "items_")]
    assert rows == [("1", "a"), ("1", "b"), ("1", "c"), ("2", "a"), ("2", "b"), ("2", "d")]
    assert [row["k"] for row in records(report, "concord")] == [3, 3]
    assert [row["whole"] for row in records(report, "response")] == [4, 4]
    assert [row["item"] for row in records(report, "stable")] == ["a", "b"]
    once = frame.assign(d=[np.nan] * 4 + [5, np.nan, np.nan, np.nan])
    assert "指标“d”在每一轮都最多 1 位专家评分" in TRIAL.refused(once, {**KINDS, "d": "定量"}, **form).text
    one = FRAME.assign(b=[2, 3, 2, 4] + [np.nan] * 4, c=[4, 4, 3, 5] + [np.nan] * 4)
    assert "2只有 1 个指标有 2 位以上专家评分" in TRIAL.refused(one).text
