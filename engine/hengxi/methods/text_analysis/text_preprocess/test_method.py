"""Cleaned texts one by one, rows left out, expressions, and cleaning twice."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from hengxi.testing import Trial, records

TEXTS = ["<p>很好</p>看www.a.cn吧", "电话13812345678，邮箱a@b.cn。", "ＷＩＦＩ  １２３元😀", "價格𠮷", "好", "好", None]
FRAME = pd.DataFrame({"文": TEXTS, "数": range(7)})
TRIAL = Trial("text_analysis/text_preprocess", FRAME, {"text": "文"}, {"文": "文本"})
report, refused = TRIAL.report, TRIAL.refused


def made(frame: pd.DataFrame = FRAME, **form: Any) -> list[Any]:
    preview = next(e for e in report(frame, **form) if e["type"] == "data")["step"]["preview"]
    return [row[-1] for row in preview["after"]]


def test_the_recommended_steps_leave_what_is_said() -> None:
    assert made()[:6] == ["很好 看吧", "电话，邮箱。", "WIFI 123元😀", "价格𠮷", "好", "好"]


def test_what_is_chosen_goes_and_cleaning_twice_changes_nothing() -> None:
    form = {"steps": "custom", "remove": ["emoji", "digits", "english"], "width": False, "simplify": False}
    assert made(**form)[2] == "元" and made(**form)[3] == "價格𠮷"
    once = FRAME.assign(文=made())
    assert made(once)[:6] == once["文"].tolist()[:6]


def test_repeated_and_short_rows_are_left_out() -> None:
    rows = {row["step"]: row["rows"] for row in records(report(dedup=True, min_len=1), "account")}
    assert rows["删除重复的行"] == 1 and rows["删除过短的行"] == 1
    assert "没有一行达到 1000 个字" in refused(min_len=1000).text


@pytest.mark.parametrize(("pattern", "place"), [("(好", 1), ("好[", 2), ("*", 1)])
def test_a_wrong_expression_is_refused_with_its_place(pattern: str, place: int) -> None:
    refusal = refused(steps="custom", regex=pattern)
    assert refusal.code == "pattern.wrong" and f"第 {place} 个字符处有误" in refusal.text


def test_no_expression_runs_for_ever() -> None:
    report(pd.DataFrame({"文": ["a" * 19_000 + "!好", "b好"]}), steps="custom", remove=[], regex="(a+)+$")
    assert refused(steps="custom", regex="(?=a)").code == "pattern.heavy"


def test_nothing_may_be_left_of_all_texts() -> None:
    assert "所选步骤会清空全部文本" in refused(steps="custom", regex=".+").text
    assert refused(FRAME.assign(文="")).code == "data.empty"
