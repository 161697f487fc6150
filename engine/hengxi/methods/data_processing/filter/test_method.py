"""Branches and refusals of the filter, and what the new version holds."""

from __future__ import annotations

from typing import Any

import pandas as pd

from hengxi.testing import Trial

PATH = "data_processing/filter"
FRAME = pd.DataFrame(
    {"年龄": [15.0, 20.0, None, 40.0, 18.0], "性别": ["男", "女", "男", None, "女"], "城市": list("甲乙丙甲乙")}
)


TRIAL = Trial(PATH, FRAME)
report, refused = TRIAL.document, TRIAL.refused


def data(made: dict[str, Any]) -> dict[str, Any]:
    return next(e for e in made["parts"][0]["elements"] if e["type"] == "data")


def said(made: dict[str, Any]) -> str:
    return "\n".join(e["text"] for e in made["parts"][0]["elements"] if e["type"] in ("lead", "text", "warning"))


# ---- refusals ------------------------------------------------------------------------------------------------------
def test_an_empty_condition_is_refused() -> None:
    assert refused(condition="  ").code == "formula.required"


def test_nothing_left_makes_no_version() -> None:
    refusal = refused(condition="{c1} > 100")
    assert refusal.text == "没有满足条件的数据，未生成新版本" and refusal.faults[0].field == "condition"


def test_a_number_is_not_compared_with_text() -> None:
    refusal = refused(condition='{c1} = "三十"')
    assert refusal.code == "formula.type" and "“年龄”是数值变量，不能与文本“三十”比较" in refusal.text


def test_contains_is_for_texts() -> None:
    assert "包含条件仅适用于文本变量" in refused(condition='contains({c1}, "1")').text


def test_a_syntax_fault_says_its_place() -> None:
    refusal = refused(condition="{c1} >")
    assert refusal.code == "formula.syntax" and refusal.faults[0].facts["at"] == 6


def test_rows_are_not_dropped_under_an_active_filter() -> None:
    refusal = refused(condition="{c1} >= 18", filter='{c3} = "甲"')
    assert refusal.code == "data.filtered"
    assert refusal.faults[0].remedies[0].set == {"_filter": None}  # type: ignore[union-attr]


# ---- branches ------------------------------------------------------------------------------------------------------
def test_a_missing_condition_keeps_no_row_and_drops_none() -> None:
    kept, dropped = (report(condition="{c1} >= 18", filter_type=way) for way in ("keep", "drop"))
    assert data(kept)["rows"] == 3 and data(dropped)["rows"] == 2
    assert "按不满足处理" in said(kept) and "按不满足处理" in said(dropped)


def test_a_flag_changes_no_row_and_is_missing_outside_an_active_filter() -> None:
    step = data(report(condition="{c1} >= 18", filter_type="flag", filter='{c3} = "乙"'))["step"]
    assert step["rows_before"] == step["rows_after"] == 5
    assert [one["name"] for one in step["added"]] == ["filter_$"]
    flags = [row[-1] for row in step["preview"]["after"]]
    assert flags == [None, 1, None, None, 1]


def test_dropped_rows_are_empty_in_the_look_after() -> None:
    look = data(report(condition="{c1} >= 18"))["step"]["preview"]
    assert look["rows"] == [1, 2, 3, 4, 5]
    assert [row is None for row in look["after"]] == [True, False, True, False, False]


def test_the_first_and_random_rows() -> None:
    assert data(report(condition="{c1} > 0", take="first", take_value=2))["rows"] == 2
    one, other = (data(report(condition="{c1} > 0", take="random", take_value=2, seed=s))["step"] for s in (1, 1))
    assert one == other and one["rows_after"] == 2
    few = report(condition="{c1} > 0", take="first", take_value=99)
    assert data(few)["rows"] == 4 and "不足" in said(few)


def test_every_single_condition_is_counted() -> None:
    made = report(condition='{c1} >= 18 且 ({c2} = "女" 或 {c3} = "甲")')
    table = next(e for e in made["parts"][0]["elements"] if e.get("name") == "conditions")
    assert [(row[0], row[1], row[3]) for row in table["rows"]] == [
        ("年龄 ≥ 18", 3, 1),
        ("性别 = “女” 或 城市 = “甲”", 4, 0),
    ]


def test_active_weight_and_split_do_not_matter() -> None:
    assert data(report(condition="{c1} >= 18", weight={"column": "年龄", "kind": "frequency"}))["rows"] == 3
    assert data(report(condition="{c1} >= 18", split={"column": "性别"}))["rows"] == 3


def test_what_was_taken_and_what_a_flag_does_is_said() -> None:
    first = said(report(condition="{c1} >= 18", take="first", take_value=1))
    assert "再按现有次序取前" in first and "满足条件（" in first
    flagged = said(report(condition="{c1} >= 18", filter_type="flag"))
    assert "只作标记" in flagged and "筛掉的行" not in flagged
    every = said(report(condition="{c1} >= 18", take="random", take_value=50))
    assert "再从中随机取" not in every
