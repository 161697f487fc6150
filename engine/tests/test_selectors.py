"""Which methods are recommended: the table of the design, and only what exists."""

from __future__ import annotations

import pytest

from hengxi import registry, selectors
from hengxi.data.build import table_of


@pytest.fixture
def columns() -> dict[str, object]:
    n = 40
    table = table_of(
        {
            "身高": [150 + i * 0.37 for i in range(n)],
            "体重": [50 + i * 0.53 for i in range(n)],
            "年龄": [18.5 + i * 0.11 for i in range(n)],
            "性别": ["男", "女"] * 20,
            "年级": ["大一", "大二", "大三", "大四"] * 10,
            "焦虑前测": [10.5 + i * 0.2 for i in range(n)],
            "焦虑后测": [9.5 + i * 0.3 for i in range(n)],
            "专业": ["文", "理", "工"] * 13 + ["文"],
            "意见": [f"第 {i} 条很长很长的开放意见" for i in range(n)],
        }
    )
    return {column.name: column for column in table.meta.columns}


@pytest.mark.parametrize(
    ("names", "first"),
    [
        (["性别"], "descriptive/frequency"),
        (["身高"], "descriptive/descriptive_statistics"),
        (["身高", "性别"], "hypothesis_test/independent_t_test"),
        (["身高", "体重", "性别"], "hypothesis_test/independent_t_test"),
        (["身高", "年级"], "hypothesis_test/variance"),
        (["焦虑前测", "焦虑后测"], "hypothesis_test/paired_sample_t_test"),
        (["性别", "年级"], "descriptive/crosstabs"),
        (["性别", "年级", "专业"], "descriptive/crosstabs"),
        (["身高", "体重"], "descriptive/correlation"),
        (["身高", "体重", "年龄"], "statistical/linear_regression"),
    ],
)
def test_the_first_choice_follows_the_kinds_of_the_variables(
    columns: dict[str, object], names: list[str], first: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "exists", lambda path: True)
    found = selectors.recommend_for([columns[name] for name in names])  # type: ignore[misc]
    assert found[0]["path"] == first and len(found) <= 5
    assert all(one["why"] for one in found)


def test_only_methods_that_exist_are_recommended(columns: dict[str, object]) -> None:
    for name in columns:
        for one in selectors.recommend_for([columns[name]]):  # type: ignore[list-item]
            assert registry.exists(one["path"])


def test_nothing_is_recommended_for_open_text(columns: dict[str, object]) -> None:
    assert selectors.recommend_for([columns["意见"]]) == []  # type: ignore[list-item]


def test_the_difference_selector_shows_what_exists() -> None:
    paths = [path for group in selectors.difference() for path in group["methods"]]  # type: ignore[attr-defined]
    assert paths and all(registry.exists(path) for path in paths)


def test_several_variables_and_a_category_may_be_learned_from(columns: dict[str, object]) -> None:
    names = ["身高", "体重", "年龄", "性别"]
    found = selectors.recommend_for([columns[name] for name in names])  # type: ignore[misc]
    assert "supervised_learning/classifier/random_forest" in [one["path"] for one in found]


def test_means_are_not_offered_for_categories_alone(columns: dict[str, object]) -> None:
    found = selectors.recommend_for([columns["性别"], columns["年级"]])  # type: ignore[list-item]
    paths = [one["path"] for one in found]
    assert "descriptive/frequency" in paths and "descriptive/descriptive_statistics" not in paths
