"""Known distances, duplicates, a query, and what is too much."""

from __future__ import annotations

import pandas as pd
import pytest

from hengxi.families.text.edit_distance import distance
from hengxi.testing import Trial, cells, records, said

FRAME = pd.DataFrame({"答": ["统计分析平台", "统计学习平台", "房间干净", "房间干净"]})
TRIAL = Trial("text_analysis/text_similarity", FRAME, {"text": "答"}, {"答": "文本"})
report, refused = TRIAL.report, TRIAL.refused


@pytest.mark.parametrize(("a", "b", "d"), [
    ("统计分析平台", "统计学习平台", 2), ("kitten", "sitting", 3), ("", "甲乙", 2), ("saturday", "sunday", 3),
    ("𠮷", "吉", 1),
])  # fmt: skip
def test_distances_are_those_known(a: str, b: str, d: int) -> None:
    assert distance(a, b) == distance(b, a) == d


def test_equal_rows_stand_first_and_form_a_group() -> None:
    elements = report(method="edit")
    assert cells(elements, "pairs")[0][:3] == [3, 4, 1.0]
    assert records(elements, "groups") == [{"group": 1, "size": 2, "rows": [3, 4], "sample": "房间干净"}]
    assert next(row for row in records(elements, "pairs") if row["second"] == 2)["similarity"] == pytest.approx(2 / 3)


def test_a_query_of_unknown_words_is_like_nothing() -> None:
    elements = report(query="外星人")
    assert all(row["similarity"] == 0 for row in records(elements, "found"))


def test_nothing_alike_is_said_and_too_much_is_refused() -> None:
    assert "没有相似度达到" in said(report(FRAME.assign(答=["早餐", "房间", "服务", "停车"])))
    many = pd.DataFrame({"答": [f"第{i}条回答" for i in range(301)]})
    assert "最多比较 300 行" in refused(many, method="edit").text
    assert refused(FRAME.head(1)).code in ("rows.few", "data.few", "data.rows")
