"""Branches and refusals of item analysis."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from hengxi.testing import Trial, check, records, said

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
ITEMS = list(FRAME.columns)
TRIAL = Trial("questionnaire/discrimination", FRAME, {"items": ITEMS}, dict.fromkeys(ITEMS, "定量"))
report, refused = TRIAL.report, TRIAL.refused


def test_a_constant_item_is_refused_with_a_way_out() -> None:
    refusal = refused(FRAME.assign(raises=60))
    assert "题项“raises”所有人回答相同，无区分度" in refusal.text and refusal.faults[0].remedies


def test_groups_of_fewer_than_five_are_refused() -> None:
    refusal = refused(FRAME.head(15))
    assert "高/低分组不足5人" in refusal.text and refusal.faults[0].remedies


def test_totals_that_are_all_alike_do_not_make_two_groups() -> None:
    x = np.tile([1, 2, 3], 10)
    frame = pd.DataFrame({"a": x, "b": 4 - x, "c": [1] * 28 + [2] * 2})
    assert refused(frame, dict.fromkeys("abc", "定量"), items=list("abc")).code in ("data.overlap", "data.few")


def test_an_item_the_other_way_round_is_said_and_can_be_turned() -> None:
    frame = FRAME.assign(complaints=120 - FRAME["complaints"])
    found = check(report(frame), "题项方向")
    assert (
        found["state"] == "care"
        and "疑为反向题，请先反向计分" in found["text"]
        and found["facts"]["which"] == "“complaints”"
    )
    turned = report(frame, reverse=[{"for": "complaints", "reversed": True}])
    assert check(turned, "题项方向")["state"] == "pass"


def test_all_of_one_total_stand_in_the_group() -> None:
    frame = pd.DataFrame(
        {"a": [1] * 10 + [2] * 6 + [3] * 4, "b": [1] * 10 + [2] * 6 + [3] * 4, "c": [1] * 10 + [2] * 6 + [4] * 4}
    )
    groups = records(report(frame, dict.fromkeys("abc", "定量"), items=list("abc"), cut=25), "groups")
    assert [row["n"] for row in groups] == [10, 10] or [row["n"] for row in groups] == [10, 4 + 6]


def test_an_item_alike_inside_both_groups_has_no_t() -> None:
    frame = pd.DataFrame(
        {
            "a": [1] * 10 + [2] * 10 + [5] * 10,
            "b": [1, 2] * 5 + [3] * 10 + [4, 5] * 5,
            "c": [2, 1] * 5 + [3] * 10 + [5, 4] * 5,
        }
    )
    elements = report(frame, dict.fromkeys("abc", "定量"), items=list("abc"))
    assert records(elements, "result")[0]["t"] is None and "检验没有定义" in said(elements)


def test_binary_items_must_be_zero_or_one() -> None:
    refusal = refused(mode="binary")
    assert refusal.code == "data.binary" and refusal.faults[0].remedies
