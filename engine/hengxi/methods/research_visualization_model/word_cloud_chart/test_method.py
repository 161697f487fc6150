"""What is particular to the word cloud as a figure, and that it agrees with the other word cloud."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from hengxi.testing import Trial, records, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
KINDS = {"comment": "文本", "type": "定类", "score": "定量"}
TRIAL = Trial("research_visualization_model/word_cloud_chart", FRAME, {"text": "comment", "min_count": 1}, KINDS)
TWIN = Trial("text_analysis/word_cloud", FRAME, {"text": "comment"}, KINDS)


@pytest.mark.parametrize("form", [{}, {"weight": "textrank"}, {"group": "type"}, {"max_words": 10}])
def test_words_are_those_of_the_other_word_cloud(form: dict[str, Any]) -> None:
    for table in ("words", "summary"):
        assert records(TRIAL.report(**form), table) == records(TWIN.report(**form), table)


def test_empty_texts_numbers_and_no_words_are_refused() -> None:
    assert "没有文本内容" in TRIAL.refused(FRAME.assign(comment=" ")).text
    assert "score" in TRIAL.refused(text="score").text
    assert "没有剩余词语" in TRIAL.refused(FRAME.assign(comment="的，了")).text


def test_too_much_text_is_refused_with_the_bound() -> None:
    assert "超过上限 20,000,000 字" in TRIAL.refused(pd.DataFrame({"comment": ["好" * 20_000] * 1001})).text


def test_rare_words_are_left_out_of_every_table() -> None:
    report = TRIAL.report(min_count=30)
    assert min(row["n"] for row in records(report, "words")) >= 30
    assert records(report, "summary")[0]["counted"] == sum(row["n"] for row in records(report, "words"))


def test_where_no_word_is_frequent_all_are_shown_and_it_is_said() -> None:
    assert "data.rare" in warnings(TRIAL.report(min_count=1000))


def test_words_cut_by_others_need_no_part_of_speech() -> None:
    frame = pd.DataFrame({"comment": ["扫码点餐 方便", "扫码点餐 慢"]})
    rows = records(TRIAL.report(frame, cut="words", pos_keep="n"), "words")
    assert rows[0]["word"] == "扫码点餐"
