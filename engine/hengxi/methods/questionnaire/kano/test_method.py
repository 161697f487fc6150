"""What is particular to Kano: the table, ties, questionable answers, refusals."""

import pandas as pd
import pytest

from hengxi.testing import Trial, check, records, warnings

FRAME = pd.DataFrame({"停车_有": [5, 5, 4, 4, 5, 5], "停车_无": [1, 1, 1, 1, 3, 5]})
PAIR = {"positive": "停车_有", "negative": "停车_无"}
TRIAL = Trial("questionnaire/kano", FRAME, {"features": [PAIR]}, dict.fromkeys(FRAME.columns, "定量"))


def test_a_pair_without_its_half_is_refused() -> None:
    assert "还缺“反向题" in TRIAL.refused(features=[{"positive": "停车_有", "negative": None}]).text


def test_a_value_beyond_five_is_refused() -> None:
    assert "题项“停车_有”出现 1–5 以外的取值“6”" in TRIAL.refused(FRAME.assign(停车_有=[6, 5, 4, 4, 5, 5])).text


def test_classes_that_tie_are_all_told_and_counted_by_hand() -> None:
    (row,) = records(TRIAL.report(), "summary")
    assert (row["O"], row["M"], row["A"], row["Q"]) == pytest.approx((2 / 6, 2 / 6, 1 / 6, 1 / 6))
    assert row["verdict"] == "必备／期望（并列）" and row["name"] == "停车"


def test_many_questionable_answers_ask_for_care() -> None:
    assert check(TRIAL.report(), "可疑回答")["state"] == "care"


def test_questionable_people_are_left_out_and_counted() -> None:
    report = TRIAL.report(exclude_q=True)
    assert warnings(report) == ["data.questionable"] and records(report, "summary")[0]["n"] == 5


def test_all_questionable_is_refused() -> None:
    assert "没有可用的数据" in TRIAL.refused(FRAME.assign(停车_有=5, 停车_无=5), exclude_q=True).text


def test_a_table_of_other_letters_is_refused() -> None:
    assert "25 个字母" in TRIAL.refused(table="custom", table_value="AAAAA BBBBB").text


def test_both_halves_missing_is_refused() -> None:
    frame = FRAME.assign(停车_有=[5, 5, 5, None, None, None], 停车_无=[None, None, None, 1, 1, 1])
    assert "正反两题都答" in TRIAL.refused(frame).text


def test_the_other_direction_of_the_scale() -> None:
    turned = 6 - FRAME
    assert records(TRIAL.report(turned, scale_order="like_low"), "summary") == records(TRIAL.report(), "summary")
