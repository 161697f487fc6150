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
            "血压1": [110.5 + i * 0.2 for i in range(n)],
            "血压2": [111.5 + i * 0.3 for i in range(n)],
            "血压3": [109.5 + i * 0.1 for i in range(n)],
            "购买前": ["是", "否", "否", "是"] * 10,
            "购买后": ["是", "是", "否", "否"] * 10,
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
        (["血压1", "血压2", "血压3"], "hypothesis_test/repeated_measures_anova"),
        (["体重", "性别", "年级"], "hypothesis_test/two_way_anova"),
        (["购买前", "购买后"], "hypothesis_test/mcnemar_test"),
    ],
)
def test_the_first_choice_follows_the_kinds_of_the_variables(
    columns: dict[str, object], names: list[str], first: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "exists", lambda path: True)
    found = selectors.recommend_for([columns[name] for name in names])  # type: ignore[misc]
    assert found[0]["path"] == first and len(found) <= selectors.MOST
    assert all(one["why"] for one in found)


def test_only_methods_that_exist_are_recommended(columns: dict[str, object]) -> None:
    for name in columns:
        for one in selectors.recommend_for([columns[name]]):  # type: ignore[list-item]
            assert registry.exists(one["path"])


def test_nothing_is_recommended_for_open_text(columns: dict[str, object]) -> None:
    assert selectors.recommend_for([columns["意见"]]) == []  # type: ignore[list-item]


def test_the_difference_selector_shows_all_fourteen_tests_in_six_groups() -> None:
    difference = next(one for one in selectors.selectors() if one["key"] == "difference")
    groups = {
        group["key"]: [method["path"].split("/")[1] for method in group["methods"]] for group in difference["groups"]
    }
    assert groups == {
        "SingleSample": ["single_sample_t_test", "single_sample_wilcoxon_test"],
        "IndependentSample": [
            "independent_t_test",
            "independent_samples_mann_whitney_test",
            "variance",
            "multiple_sample_kruskal_wallis_test",
        ],
        "ChiSquareTest": ["chi_square_test"],
        "PairedSample": [
            "paired_sample_t_test",
            "paired_sample_wilcoxon_test",
            "multiple_paired_sample_friedman_test",
        ],
        "ChiSquareGoodnessFit": ["chisquare_goodness_fit"],
        "MultipleFactor": ["two_way_anova", "three_way_anova", "multivariate_way_anova"],
    }
    for group in difference["groups"]:
        assert all(method["when"] for method in group["methods"])
        assert bool(group["question"]) == (len(group["methods"]) > 1), "a second question where there is a choice"


def test_the_solver_selector_leads_to_every_problem_type() -> None:
    solver = next(one for one in selectors.selectors() if one["key"] == "solver")
    reached = {method["path"] for group in solver["groups"] for method in group["methods"]}
    assert reached == {path for path in registry.paths() if path.startswith("programming_solution/")}
    for group in solver["groups"]:
        assert all(method["when"] for method in group["methods"])
        assert bool(group["question"]) == (len(group["methods"]) > 1), "a second question where there is a choice"


def test_a_selector_passes_over_methods_that_do_not_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "exists", lambda path: path.endswith("two_way_anova"))
    difference = next(one for one in selectors.selectors() if one["key"] == "difference")
    assert [group["key"] for group in difference["groups"]] == ["MultipleFactor"]
    assert len(difference["groups"][0]["methods"]) == 1


def test_several_variables_and_a_category_may_be_learned_from(columns: dict[str, object]) -> None:
    names = ["身高", "体重", "年龄", "性别"]
    found = selectors.recommend_for([columns[name] for name in names])  # type: ignore[misc]
    assert "supervised_learning/classifier/random_forest" in [one["path"] for one in found]


def test_means_are_not_offered_for_categories_alone(columns: dict[str, object]) -> None:
    found = selectors.recommend_for([columns["性别"], columns["年级"]])  # type: ignore[list-item]
    paths = [one["path"] for one in found]
    assert "descriptive/frequency" in paths and "descriptive/descriptive_statistics" not in paths


@pytest.mark.parametrize(
    ("names", "wanted"),
    [
        (["身高", "性别"], ["yuen_test", "equivalence_tost", "permutation_test"]),
        (["身高", "体重", "性别"], ["hotelling_t2"]),
        (["血压1", "血压2", "血压3"], ["page_trend_test"]),
        (["体重", "性别", "年级"], ["scheirer_ray_hare"]),
        (["性别", "购买前", "年级"], ["cmh_test"]),
    ],
)
def test_newer_tests_are_led_to(columns: dict[str, object], names: list[str], wanted: list[str]) -> None:
    found = [one["path"].split("/")[1] for one in selectors.recommend_for([columns[name] for name in names])]  # type: ignore[misc]
    assert set(wanted) <= set(found), found


def test_no_test_of_two_or_more_groups_is_left_without_a_rule() -> None:
    named = {path.split("/")[1] for rule in selectors.RULES for path, _ in rule.methods}
    assert named >= {
        "yuen_test", "equivalence_tost", "jonckheere_terpstra", "page_trend_test", "scheirer_ray_hare", "cmh_test",
        "poisson_rate_test", "variance_test", "hotelling_t2", "permutation_test", "ks_two_sample", "bayesian_t_test",
    }  # fmt: skip
