"""What is particular to best-worst scaling: tasks that contradict themselves, items never seen together."""

from pathlib import Path

import pandas as pd

from hengxi.testing import Trial, records

FRAME = pd.read_csv(Path(__file__).parent / "oracle-small.csv")
FORM = {"respondent": "人", "task": "题", "shown": ["a", "b", "c"], "best": "好", "worst": "差"}
KINDS = dict.fromkeys(FRAME.columns, "定类")
TRIAL = Trial("questionnaire/maxdiff", FRAME, FORM, KINDS)


def first(**cells: str) -> pd.DataFrame:
    frame = FRAME.copy()
    for name, value in cells.items():
        frame.loc[0, name] = value
    return frame


def test_best_and_worst_alike_are_refused() -> None:
    assert "第 1 行（任务 1）的最好与最差相同" in TRIAL.refused(first(好="丙")).text


def test_an_item_not_shown_is_refused() -> None:
    assert "选择了未展示的属性“丁”" in TRIAL.refused(first(好="丁")).text
    assert "选择了未展示的属性“丁”" in TRIAL.refused(first(差="丁")).text


def test_items_never_shown_together_cannot_be_compared() -> None:
    frame = pd.DataFrame(
        {"人": [1, 2], "题": [1, 1], "a": ["甲", "丙"], "b": ["乙", "丁"], "好": ["甲", "丙"], "差": ["乙", "丁"]}
    )
    assert "不连通" in TRIAL.refused(frame, shown=["a", "b"]).text


def test_two_items_are_too_few() -> None:
    frame = FRAME.assign(a="甲", b="乙", c="乙", 好="甲", 差="乙")
    assert "属性要有 3 到 100 个" in TRIAL.refused(frame).text


def test_an_unknown_anchor_is_refused() -> None:
    assert "没有叫“戊”的属性" in TRIAL.refused(anchor_item="戊").text


def test_rows_without_an_answer_are_left_out() -> None:
    frame = FRAME.astype(object)
    frame.loc[0, "差"] = None
    assert records(TRIAL.report(frame, model="count"), "design")[0]["tasks"] == len(FRAME) - 1


def test_nobody_answering_is_refused() -> None:
    frame = pd.DataFrame(
        {
            "人": [1, 2],
            "题": [1, 1],
            "a": ["甲", "乙"],
            "b": ["乙", "丙"],
            "c": ["丙", "甲"],
            "好": ["甲", None],
            "差": [None, "丙"],
        }
    )
    assert "没有一行同时有" in TRIAL.refused(frame).text
