"""Groups without words, runs of words, and the places a word stands in."""

from __future__ import annotations

import pandas as pd

from hengxi.testing import Trial, cells, records, said

FRAME = pd.DataFrame(
    {"意见": ["早餐丰富，房间干净", "早餐味道不错", "服务热情", "房间干净早餐丰富"], "组": ["甲", "甲", "乙", "乙"]}
)
TRIAL = Trial("text_analysis/word_frequency", FRAME, {"text": "意见"}, {"意见": "文本", "组": "定类"})
report, refused = TRIAL.report, TRIAL.refused


def test_runs_of_words_do_not_cross_rows() -> None:
    runs = {row["word"]: row["n"] for row in records(report(ngram=2), "words")}
    assert runs["早餐 丰富"] == 2 and runs["房间 干净"] == 2 and "不错 服务" not in runs
    assert "没有由 3 个词组成的词组" in refused(FRAME.assign(意见=["早餐", "房间", "服务", "房间"]), ngram=3).text


def test_the_place_of_a_word_shows_what_is_around_it_as_text() -> None:
    elements = report(FRAME.assign(意见=["<b>早餐</b>丰富", *FRAME["意见"][1:]]))
    word, row, pieces = cells(elements, "where")[0]
    assert (word, row, pieces) == ("早餐", [1], [["<b>", None], ["早餐", "hit"], ["</b>丰富", None]])


def test_rare_words_are_marked_and_do_not_count_as_a_difference() -> None:
    elements = report(group="组")
    assert all(row["few"] for row in records(elements, "compare")) and "没有发现各组用得不一样多的词" in said(elements)


def test_a_group_without_words_leaves_the_comparison_out() -> None:
    elements = report(FRAME.assign(意见=["早餐", "房间", "的", "！"]), group="组")
    assert cells(elements, "compare") == [] and len(cells(elements, "variety")) == 2


def test_one_group_is_refused_by_name() -> None:
    assert refused(FRAME.assign(组="甲"), group="组").code == "role.levels"
