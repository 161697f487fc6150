"""Branches and refusals of content validity."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from hengxi.testing import Trial, records, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
ITEMS = [name for name in FRAME.columns if name != "专家"]
TRIAL = Trial("questionnaire/content_validity", FRAME, {"items": ITEMS}, dict.fromkeys(ITEMS, "定量"))
report, refused = TRIAL.report, TRIAL.refused


def test_a_rating_outside_the_scale_is_refused_with_its_row() -> None:
    text = refused(FRAME.assign(题3=[1, 2, 5, 4, 4, 4, 4, 4])).text
    assert "题项“题3”出现大于最高分 4 的评分 5（第 3 行）" in text
    assert "小于最低分 1" in refused(FRAME.assign(题3=[1, 2, 0, 4, 4, 4, 4, 4])).text
    assert "不是整数" in refused(FRAME.assign(题3=[1, 2, 2.5, 4, 4, 4, 4, 4])).text


def test_fewer_than_three_experts_are_refused() -> None:
    assert "内容效度至少需要3位专家" in refused(FRAME.head(2)).text


def test_answers_of_respondents_are_not_taken_for_experts() -> None:
    assert refused(pd.concat([FRAME] * 30, ignore_index=True)).code == "data.many"


def test_the_bound_of_relevance_lies_on_the_scale() -> None:
    assert refused(relevant_from=5).code == "number.range" and refused(relevant_from=1).code == "number.range"


@pytest.mark.parametrize(("n", "cvr"), [(4, None), (5, 1.0), (6, 1.0), (9, 7 / 9), (40, 0.3)])
def test_critical_ratios_are_the_exact_ones(n: int, cvr: float | None) -> None:
    """Ayre & Scally (2014), table 2."""
    frame = pd.DataFrame({"a": [3, 4] * (n // 2) + [4] * (n % 2)})
    (row,) = records(report(frame, {"a": "定量"}, items=["a"], index="cvr"), "result")
    assert row["critical"] == (None if cvr is None else pytest.approx(cvr))


def test_five_experts_must_all_agree() -> None:
    frame = pd.DataFrame({"a": [4, 4, 4, 4, 2], "b": [4, 4, 3, 3, 3]})
    rows = records(report(frame, dict.fromkeys("ab", "定量"), items=["a", "b"]), "result")
    assert [row["verdict"][:2] for row in rows] == ["未达", "达到"]


def test_an_item_counts_the_experts_who_rated_it() -> None:
    gaps = FRAME.assign(题1=[4, 4, 4, 4, 4, 4, None, None])
    elements = report(gaps)
    assert records(elements, "result")[0]["n"] == 6 and "data.gaps" in warnings(elements)
