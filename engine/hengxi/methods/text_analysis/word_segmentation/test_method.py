"""The sentences jieba documents, its three modes, words of the user, and rows without words."""

from __future__ import annotations

from typing import Any

import pandas as pd

from hengxi.testing import Trial, records, warnings

FRAME = pd.DataFrame({"文": ["我来到北京清华大学", "他来到了网易杭研大厦", None, "……"]})
PLAIN = {"stopwords": {"builtin": None}, "min_len": 1}
TRIAL = Trial("text_analysis/word_segmentation", FRAME, {"text": "文", **PLAIN}, {"文": "文本"})
report, refused = TRIAL.report, TRIAL.refused


def line(frame: pd.DataFrame, **form: Any) -> str:
    return str(records(report(frame, **form), "cuts")[0]["words"])


def test_the_documented_sentences() -> None:
    elements = report()
    assert [row["words"] for row in records(elements, "cuts")] == [
        "我 来到 北京 清华大学",
        "他 来到 了 网易 杭研 大厦",
        None,
    ]
    assert [row["word"] for row in records(elements, "unknown")] == ["杭研"]
    assert "data.wordless" in warnings(elements)


def test_the_other_modes_are_those_documented() -> None:
    assert line(FRAME, mode="full") == "我 来到 北京 清华 清华大学 华大 大学"
    long = pd.DataFrame({"文": ["小明硕士毕业于中国科学院计算所"]})
    known = "小明 硕士 毕业 于 中国 科学 学院 科学院 中国科学院 计算 计算所"
    assert line(long, mode="search") == known


def test_tags_are_written_after_the_words() -> None:
    assert line(FRAME, tagged=True) == "我/其他 来到/动词 北京/名词 清华大学/名词"


def test_without_the_model_a_new_word_falls_apart() -> None:
    rows = records(report(hmm=False), "cuts")
    assert rows[1]["words"] == "他 来到 了 网易 杭 研 大厦"


def test_saved_words_stand_beside_their_rows() -> None:
    data = next(e for e in report(append=True) if e["type"] == "data")
    assert data["columns"][0]["name"] == "分词"


def test_nothing_left_is_refused() -> None:
    assert refused(FRAME.assign(文="！1")).code == "data.no_words"
    assert refused(FRAME.assign(文=" ")).code == "data.empty"
