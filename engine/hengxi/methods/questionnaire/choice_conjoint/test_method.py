"""What is particular to choice-based conjoint: tasks that are none, attributes that cannot be told apart, scenarios."""

from pathlib import Path

import pandas as pd

from hengxi.testing import Trial, cells, records

FRAME = pd.read_csv(Path(__file__).parent / "oracle-up.csv").assign(价格=lambda d: -d["价格"])
FORM = {"respondent": "受访者", "task": "任务", "alternative": "选项", "attributes": ["品牌", "屏幕"], "choice": "选中"}
KINDS = {
    "受访者": "定类",
    "任务": "定量",
    "选项": "定类",
    "品牌": "定类",
    "屏幕": "定类",
    "价格": "定量",
    "选中": "定类",
}
TRIAL = Trial("questionnaire/choice_conjoint", FRAME, FORM, KINDS)


def test_a_task_without_a_choice_is_refused() -> None:
    frame = FRAME.assign(选中=FRAME["选中"].where(FRAME.index > 2, 0))
    assert "选中了 0 个" in TRIAL.refused(frame).text


def test_a_task_with_two_choices_is_refused() -> None:
    assert "选中了 3 个" in TRIAL.refused(FRAME.assign(选中=FRAME["选中"].where(FRAME.index > 2, 1))).text


def test_an_attribute_that_never_differs_in_a_task_is_refused() -> None:
    frame = FRAME.assign(屏幕=FRAME["受访者"].mod(2).map({0: "大", 1: "小"}))
    assert "属性“屏幕”在同一任务内没有差异" in TRIAL.refused(frame).text


def test_one_level_is_refused() -> None:
    assert "只有一个水平" in TRIAL.refused(FRAME.assign(屏幕="大")).text


def test_many_levels_are_refused() -> None:
    frame = FRAME.assign(屏幕=[f"s{i % 31}" for i in range(len(FRAME))])
    assert "31 个水平" in TRIAL.refused(frame).text


def test_none_must_be_somewhere() -> None:
    assert "找不到“都不选”" in TRIAL.refused(none_option=True).text


def test_one_product_is_no_market() -> None:
    assert "至少要两个产品" in TRIAL.refused(scenario=[{"品牌": "岚峰", "屏幕": "6.1寸"}]).text


def test_part_worths_of_an_attribute_add_to_zero() -> None:
    rows = [row["utility"] for row in records(TRIAL.report(), "worths") if row["attribute"] == "品牌"]
    assert abs(sum(rows)) < 1e-9


def test_one_task_a_person_holds_nothing_out() -> None:
    assert not cells(TRIAL.report(FRAME[FRAME["任务"] == 1]), "holdout")


def test_attributes_missing_throughout_are_refused() -> None:
    gone = FRAME.assign(品牌=FRAME["品牌"].where(FRAME["选项"] != 1), 屏幕=FRAME["屏幕"])
    assert "没有完整的任务" in TRIAL.refused(gone).text
