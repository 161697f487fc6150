"""What is particular to new words: planted brands, neighbours at edges, what is no Chinese text."""

from pathlib import Path
from typing import Any

import pandas as pd

from hengxi.testing import Trial, records, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
BRANDS = ["沁翎", "嘟噜米", "暮霁斋", "蓝鲸莓", "柚咔", "筷乐侠", "绒小岛", "倏达", "霖栖", "椰喵喵", "糯橘", "曦禾堂"]
TRIAL = Trial("text_analysis/new_word_discovery", FRAME, {"text": "comment"}, {"comment": "文本", "数": "定量"})


def lines(*extra: str) -> dict[str, Any]:
    return {"builtin": None, "id": None, "version": None, "extra": list(extra)}


def test_planted_brands_come_first_and_little_else_among_them() -> None:
    rows = records(TRIAL.report(), "words")
    found = [row["word"] for row in rows]
    assert set(BRANDS) <= set(found[:18])
    assert all(row["add"] == row["word"] for row in rows)


def test_a_word_added_is_known_and_no_longer_listed() -> None:
    assert "嘟噜米" not in [row["word"] for row in records(TRIAL.report(user_dict=lines("嘟噜米")), "words")]
    assert "嘟噜米" not in [row["word"] for row in records(TRIAL.report(stopwords=lines("嘟噜米")), "words")]


def test_short_english_and_empty_texts_are_refused() -> None:
    assert "总字数 8 少于 500" in TRIAL.refused(pd.DataFrame({"comment": ["天气很好", "路上堵车"]})).text
    assert "仅支持中文文本" in TRIAL.refused(pd.DataFrame({"comment": ["nothing but english words"] * 90})).text
    assert "没有文本内容" in TRIAL.refused(pd.DataFrame({"comment": [" ", " "]})).text


def test_no_word_above_the_bounds_is_refused_with_a_way_out() -> None:
    assert "请降低最低频次或凝固度" in TRIAL.refused(min_freq=900).text


def test_a_few_thousand_characters_are_called_few() -> None:
    assert "data.few" in warnings(TRIAL.report(FRAME.head(120), min_freq=3))


def test_rare_characters_beyond_the_basic_plane_count() -> None:
    frame = pd.DataFrame({"comment": ["今天吃了𠮷家牛肉", "𠮷家在东边", "又去𠮷家", "喜欢𠮷家的饭"] * 30})
    words = [row["word"] for row in records(TRIAL.report(frame, min_pmi=1, min_entropy=0.3), "words")]
    assert "𠮷家" in words
