"""Known weights of three documents, the window, groups and rows without words."""

from __future__ import annotations

import pandas as pd
import pytest

from hengxi.testing import Trial, cells, records, warnings

FRAME = pd.DataFrame({"文": ["数据，分析，数据", "统计，分析", "统计学习"], "组": ["甲", "{乙}", "{乙}"]})
TRIAL = Trial("text_analysis/keyword_extraction", FRAME, {"text": "文"}, {"文": "文本", "组": "定类"})
report, refused = TRIAL.report, TRIAL.refused


def test_weights_are_those_published_for_three_documents() -> None:
    rows = records(report(scope="row"), "by_row")
    known = [
        ("数据", 0.934702),
        ("分析", 0.355432),
        ("分析", 0.707107),
        ("统计", 0.707107),
        ("学习", 0.795961),
        ("统计", 0.605349),
    ]
    assert [row["word"] for row in rows] == [word for word, _ in known]
    assert [row["weight"] for row in rows] == pytest.approx([weight for _, weight in known], abs=5e-7)


def test_a_window_wider_than_every_text_is_refused_with_the_right_one() -> None:
    refusal = refused(method="textrank", window=5)
    assert refusal.code == "data.window" and "不应大于最长文本的词数 3" in refusal.text
    assert [getattr(one, "set", None) for one in refusal.faults[0].remedies] == [{"window": 3}]


def test_saved_keywords_stand_beside_their_rows() -> None:
    elements = report(scope="row", append=True, top_k=1)
    assert next(e for e in elements if e["type"] == "data")["columns"][0]["name"] == "关键词"


def test_groups_are_named_as_they_are_and_few_rows_are_said() -> None:
    elements = report(scope="group", group="组")
    assert {row["group"] for row in records(elements, "by_group")} == {"甲", "{乙}"}
    assert "data.few_rows" in warnings(elements)


def test_one_word_and_no_word() -> None:
    elements = report(FRAME.assign(文="统计"), method="textrank")
    assert cells(elements, "words")[0][1] == "统计" and cells(elements, "edges") == []
    assert refused(FRAME.assign(文=["的", "！", "1"])).code == "data.no_words"
