"""Ranks of ties, groups and gaps; and what is refused."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from hengxi.testing import Trial, warnings

FRAME = pd.DataFrame({"x": [3.0, 1, 4, 1, 5, None], "组": list("甲甲乙乙乙乙"), "文": list("abcdef")})
TRIAL = Trial("data_processing/rank_cases", FRAME, {"variables": ["x"]}, {"x": "定量", "组": "定类", "文": "文本"})
report, refused = TRIAL.report, TRIAL.refused


def made(**form: Any) -> list[Any]:
    preview = next(e for e in report(**form) if e["type"] == "data")["step"]["preview"]
    return [row[-1] for row in preview["after"]]


@pytest.mark.parametrize(
    ("ties", "ranks"),
    [
        ("average", [3, 1.5, 4, 1.5, 5, None]),
        ("min", [3, 1, 4, 1, 5, None]),
        ("max", [3, 2, 4, 2, 5, None]),
        ("dense", [2, 1, 3, 1, 4, None]),
        ("ordinal", [3, 1, 4, 2, 5, None]),
    ],
)
def test_ties(ties: str, ranks: list[Any]) -> None:
    assert made(ties=ties) == ranks


def test_ranks_within_groups_and_from_the_top() -> None:
    assert made(group=["组"]) == [2, 1, 2, 1, 3, None]
    assert made(ascending=False) == [3, 4.5, 2, 4.5, 1, None]


def test_savage_scores_add_to_nothing() -> None:
    assert sum(value for value in made(type="savage") if value is not None) == pytest.approx(0, abs=1e-12)


def test_a_row_without_group_has_no_rank() -> None:
    frame = FRAME.assign(组=["甲", None, "乙", "乙", "乙", "乙"])
    preview = next(e for e in report(frame, group=["组"]) if e["type"] == "data")["step"]["preview"]
    assert preview["after"][1][-1] is None


def test_text_is_refused() -> None:
    """变量为文本 → “{v}”不是数值变量"""
    assert refused(variables=["文"]).code == "role.measure"


def test_more_groups_than_values_are_refused() -> None:
    """N等分大于样本数 → 等分组数不能大于有效样本数"""
    assert "等分组数不能大于有效样本数" in refused(type="ntile", n=6).text
    assert warnings(report(type="ntile", n=3, group=["组"])) == ["rank.small"]
