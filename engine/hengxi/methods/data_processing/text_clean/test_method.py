"""What each operation does to awkward texts, and what is refused."""

from __future__ import annotations

import time
from typing import Any

import pandas as pd
import pytest

from hengxi.testing import Trial, cells, records

TEXTS = [" 北京市 ", "Ａｂ１２％", "𠮷野家😀", "👨\u200d👩x", "a\u200bb\x00", "<b>粗</b>&amp;a<b", None]
FRAME = pd.DataFrame({"文": TEXTS, "数": range(7)})
TRIAL = Trial("data_processing/text_clean", FRAME, {"variables": ["文"]}, {"文": "文本"})
report, refused = TRIAL.report, TRIAL.refused


def made(**form: Any) -> list[Any]:
    preview = next(e for e in report(**form) if e["type"] == "data")["step"]["preview"]
    return [row[-1] for row in preview["after"]]


def test_defaults() -> None:
    assert made() == ["北京市", "Ab12%", "𠮷野家😀", "👨\u200d👩x", "ab", "<b>粗</b>&amp;a<b", None]


def test_pictures_and_markup_go_and_rare_characters_stay() -> None:
    assert made(operations=["strip_emoji"])[2:4] == ["𠮷野家", "x"]
    assert made(operations=["strip_html"])[5] == "粗&a<b"


def test_groups_in_a_replacement() -> None:
    assert made(operations=[], pattern="(北)(京)", use_regex=True, replacement=r"$2\1")[0] == " 京北市 "
    assert made(operations=[], pattern=".", replacement="x")[0] == " 北京市 "


def test_the_first_match_is_taken_out() -> None:
    found = report(operations=["fullwidth"], pattern=r"[0-9]+", use_regex=True, extract=True)
    assert records(found, "result")[0]["emptied"] == 5 and ["文", "Ａｂ１２％", "12", 1] in cells(found, "samples")


def test_labels_and_their_order_follow() -> None:
    frame = pd.DataFrame({"级": pd.Categorical(["低 ", "高", "低"], ["低 ", "低", "高"], ordered=True)})
    found = Trial(TRIAL.path, frame, {"variables": ["级"], "mode": "replace"}).report()
    assert records(found, "result")[0]["after"] == 2
    assert next(e for e in found if e["type"] == "data")["step"]["changed"][0]["measure"] == "定类"


@pytest.mark.parametrize(("pattern", "words"), [("(", "括号"), ("(?=a)", "前后查看"), (r"(a)\1", "反向引用")])
def test_a_wrong_expression_is_refused(pattern: str, words: str) -> None:
    """正则写错 → 正则表达式有误：{err}"""
    refusal = refused(pattern=pattern, use_regex=True)
    assert refusal.text.startswith("正则表达式有误：") and words in refusal.text


def test_no_expression_runs_for_ever() -> None:
    """正则超时 → 正则匹配超时，请简化表达式"""
    frame = pd.DataFrame({"文": ["a" * 30_000 + "!", "b"]})
    start = time.process_time()
    report(frame, pattern="(a+)+$", use_regex=True)
    assert time.process_time() - start < 2
    assert "表达式太大" in refused(pattern="a{1000}{1000}", use_regex=True).text


def test_numbers_are_refused() -> None:
    """变量是数值 → “{v}”是数值变量，请先转为文本"""
    assert "“数”是数值变量，请先转为文本" in refused(variables=["数"]).text


@pytest.mark.parametrize(
    ("form", "code"),
    [
        ({"operations": ["lower", "upper"]}, "clean.case"),
        ({"operations": []}, "clean.nothing"),
        ({"extract": True}, "clean.pattern"),
    ],
)
def test_settings_that_say_nothing_are_refused(form: dict[str, Any], code: str) -> None:
    assert refused(**form).code == code
