"""Other tests of the same question, offered in both directions with the variables in place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hengxi.contract import NextStep


@dataclass(frozen=True)
class Question:
    """Tests that answer one question, by path with what each is called there; all have the fields of `carry`."""

    carry: tuple[str, ...]
    tests: dict[str, str]


def _paths(**titles: str) -> dict[str, str]:
    return {f"hypothesis_test/{key}": title for key, title in titles.items()}


QUESTIONS = (
    Question(
        ("group", "variables", "weight", "groups", "alternative", "conf_level"),
        _paths(
            independent_t_test="改为比较平均值（独立样本 t 检验、Welch 检验）",
            independent_samples_mann_whitney_test="改为比较秩（Mann-Whitney U 检验）",
        ),
    ),
    Question(
        ("group", "variables", "weight", "conf_level"),
        _paths(
            variance="改为比较平均值（单因素方差分析）",
            welch_anova="改用不要求方差相等的检验（Welch 方差分析）",
            multiple_sample_kruskal_wallis_test="改为比较秩（Kruskal-Wallis 检验）",
        ),
    ),
    Question(
        ("pairs_a", "pairs_b", "weight", "alternative", "conf_level"),
        _paths(
            paired_sample_t_test="改为比较平均值（配对样本 t 检验）",
            paired_sample_wilcoxon_test="改为比较秩（配对 Wilcoxon 检验）",
        ),
    ),
    Question(
        ("variables", "weight", "test_value", "alternative", "conf_level"),
        _paths(
            single_sample_t_test="改为检验平均值（单样本 t 检验）",
            single_sample_wilcoxon_test="改为检验中位数（单样本 Wilcoxon 检验）",
        ),
    ),
    Question(
        ("x", "y", "weight", "conf_level"),
        _paths(
            chi_square_test="看百分比、残差和关联强度（卡方检验）",
            fisher_exact_test="改用精确检验（Fisher 精确检验）",
        ),
    ),
)


def others(path: str, form: dict[str, Any]) -> list[NextStep]:
    """The other tests of the question that `path` answers; none where it stands alone."""
    for question in QUESTIONS:
        if path in question.tests:
            start = {key: form[key] for key in question.carry if form.get(key) is not None}
            return [
                NextStep(title=title, method=other, form=start)
                for other, title in question.tests.items()
                if other != path
            ]
    return []
