"""The rules on sentences no oracle case has, the user's words, borders and empty lists."""

from __future__ import annotations

import time

import pandas as pd

from hengxi.families.text.sentiment import hits_of, score, words_of
from hengxi.families.text.tokens import normal
from hengxi.testing import Trial, cells, records, said, warnings

FRAME = pd.DataFrame(
    {
        "意见": ["房间干净", "服务不好", "", "早餐贴心，但是很贵", "路过"],
        "组": ["甲", "甲", "乙", "{乙}", "{乙}"],
        "分": [5, 1, 3, 2, 3],
    }
)
TRIAL = Trial("text_analysis/sentiment_analysis", FRAME, {"text": "意见"}, {"意见": "文本", "组": "定类", "分": "定量"})
report, refused = TRIAL.report, TRIAL.refused


def total(sentence: str) -> float:
    return round(sum(hit.value for hit in hits_of(normal(sentence), words_of({}, True))), 10)


def test_a_modifier_far_away_or_beyond_another_feeling_word_does_nothing() -> None:
    assert total("不觉得他说了什么话好") == 0.6 and total("不干净舒服") == round(0.6 * -0.8 + 0.6, 10)


def test_words_within_longer_words_are_not_read() -> None:
    assert [total(one) for one in ("出差", "好像", "卫生间", "差不多", "区别")] == [0, 0, 0, 0, 0]
    assert total("特别好") == 0.9


def test_the_users_words_count_before_ours_and_alone_without_ours() -> None:
    rows = records(report(user_lexicon={"builtin": None, "extra": ["贵 0.5", "路过 -1"]}), "lines")
    assert [row["direction"] for row in rows] == ["中性", "中性", "正向", "负向"]
    assert refused(user_lexicon={"builtin": None}).code == "data.no_lexicon"
    assert "分值应在 -1 到 1 之间" in refused(user_lexicon={"extra": ["贵 3"]}).text


def test_borders_must_be_apart_and_count_as_their_side() -> None:
    assert refused(low=0, high=0).code == "limit.less"
    rows = records(report(FRAME.assign(意见="干净"), high=score(0.6)), "lines")
    assert {row["direction"] for row in rows} == {"正向"}


def test_the_score_shows_its_words_and_text_stays_text() -> None:
    rows = records(report(FRAME.assign(意见=["<b>不干净", *FRAME["意见"][1:]])), "lines")
    assert rows[0]["text"] == [["<b>不", None], ["干净", "hit"]] and rows[0]["why"] == "不…干净 -0.48"


def test_rows_without_feeling_words_and_one_group_with_text() -> None:
    elements = report(FRAME.assign(意见=["桌子", "椅子", "", "路", "过"]), group="组", rating="分")
    assert "data.coverage" in warnings(elements) and cells(elements, "words") == [] and cells(elements, "test") == []
    assert cells(elements, "rated") == [] and "中性最多" in said(elements)
    assert refused(FRAME.assign(意见="")).code == "data.empty"


def test_a_hundred_thousand_answers_take_seconds() -> None:
    words, start = words_of({}, True), time.process_time()
    for _ in range(10_000):
        hits_of("早餐品种丰富，前台态度非常冷淡，停车不方便。", words)
    assert time.process_time() - start < 6


def test_feelings_that_cancel_are_nothing() -> None:
    assert str(score(0.6 * -0.8 + 0.48)) == "0.0" and str(score(-1e-16)) == "0.0"
