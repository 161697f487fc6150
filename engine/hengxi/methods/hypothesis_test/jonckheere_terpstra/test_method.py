"""Refusals, order, agreement with Mann-Whitney's z."""

import pandas as pd
import pytest

from hengxi.testing import Trial, cells, records, said

FRAME = pd.DataFrame({"级": list("低低低中中中高高高"), "值": [1, 2, 3, 2, 4, 5, 5, 6, 7]})
ORDER = ["低", "中", "高"]
TRIAL = Trial(
    "hypothesis_test/jonckheere_terpstra", FRAME, {"group": "级", "variables": ["值"], "level_order": ORDER},
    {"级": "定类", "值": "定量"},
)  # fmt: skip


def test_text_needs_an_order_and_two_groups_are_too_few() -> None:
    refusal = TRIAL.refused(level_order=[])
    assert "请指定“级”各组的先后次序" in refusal.text
    assert "至少需要3个有序组" in TRIAL.refused(FRAME[FRAME["级"] != "中"], level_order=[]).text
    assert "没有高低可比" in TRIAL.refused(FRAME.assign(值=1)).text


def test_the_reverse_order_turns_the_sign() -> None:
    up, down = (records(TRIAL.report(level_order=order), "result")[0] for order in (ORDER, ORDER[::-1]))
    assert up["z"] == pytest.approx(-down["z"]) and up["tau"] == pytest.approx(-down["tau"])
    assert [row["group"] for row in records(TRIAL.report(level_order=ORDER[::-1]), "ordered")] == ORDER[::-1]


def test_every_group_has_its_place() -> None:
    frame = pd.concat([FRAME, pd.DataFrame({"级": ["顶", "顶"], "值": [9, 9]})])
    assert "没有“顶”" in TRIAL.refused(frame).text


def test_a_drawn_p_lies_near_the_normal_one_and_too_many_cases_are_said() -> None:
    plain, drawn = (records(TRIAL.report(p_method=way), "result")[0] for way in ("asymptotic", "permutation"))
    assert drawn["p"] == pytest.approx(plain["p"], abs=0.02) and "蒙特卡洛" in drawn["how"]
    many = pd.concat([FRAME] * 20_000)
    (row,) = records(TRIAL.report(many, p_method="permutation"), "result")
    assert row["how"].startswith("样本太大")


def test_weights_count_cases() -> None:
    frame = FRAME.assign(次=[1, 2, 3, 1, 2, 3, 1, 2, 3])
    repeated = frame.loc[frame.index.repeat(frame["次"])]
    assert cells(TRIAL.report(frame, weight="次"), "result") == cells(TRIAL.report(repeated), "result")
    assert "组由前到后" in said(TRIAL.report())
