"""What is particular to questions of several answers: how they are read, their base, their refusals."""

import pandas as pd

from hengxi.testing import Trial, records, said

FRAME = pd.DataFrame(
    {
        "甲": [1, 1, 0, None, 0],
        "乙": [0, 1, 0, None, 1],
        "文本": ["甲", "甲┋乙┋乙", "", None, "乙 "],
        "数": [2, 1, 1, 3, 1],
    }
)
TRIAL = Trial(
    "questionnaire/multiple_choice", FRAME, {"items": ["甲", "乙"]}, {"甲": "定类", "乙": "定类", "文本": "定类"}
)
SET = {"set": "s1", "name": "饮料", "columns": ["甲", "乙"], "counted": 1}


def base(empty_as: str) -> float:
    return float(records(TRIAL.report(empty_as=empty_as), "summary")[0]["base"])


def test_a_third_value_is_refused_by_name() -> None:
    refused = TRIAL.refused(FRAME.assign(甲=[1, 2, 0, 0, 1]))
    assert "列“甲”含有选中值“1”以外的 2 种取值" in refused.text


def test_nothing_chosen_is_refused() -> None:
    assert "没有任何选项被选中" in TRIAL.refused(FRAME.assign(甲=0, 乙=0)).text


def test_one_column_is_no_question() -> None:
    assert "至少需要两个选项列" in TRIAL.refused(items=["甲"]).text


def test_three_bases() -> None:
    assert [base(one) for one in ("missing", "none_selected", "all")] == [3, 4, 5]


def test_a_text_and_a_set_give_what_columns_give() -> None:
    columns = records(TRIAL.report(), "choices")
    assert records(TRIAL.report(items=[SET]), "choices") == columns
    text = records(TRIAL.report(items=["文本"], coding="delimited"), "choices")
    assert sorted(text, key=str) == sorted(columns, key=str)


def test_two_questions_at_once_are_refused() -> None:
    assert "一次分析一道" in TRIAL.refused(items=[SET, "文本"]).text


def test_two_texts_are_refused() -> None:
    assert "分隔符文本是一列" in TRIAL.refused(items=["甲", "文本"], coding="delimited").text


def test_an_unknown_exclusive_option_is_refused_with_the_names() -> None:
    assert "没有叫“丙”的选项，现有的选项是“甲”“乙”" in TRIAL.refused(exclusive_option="丙").text


def test_an_exclusive_option_chosen_alone_passes() -> None:
    frame = FRAME.assign(乙=[0, 0, 1, None, 1])
    assert "都没有选其他项" in said(TRIAL.report(frame, exclusive_option="乙"))


def test_many_options_are_refused() -> None:
    frame = pd.DataFrame({"文本": [f"项{i}" for i in range(101)]})
    assert "最多 100 个选项" in TRIAL.refused(frame, items=["文本"], coding="delimited").text
