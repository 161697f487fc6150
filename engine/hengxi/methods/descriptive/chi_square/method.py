from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Column, Form, Report, choice, confidence, counted, flag, integer, role
from hengxi.families.counts.chi_square import ChiSquareReport
from hengxi.stats import contingency as tables
from hengxi.stats.count_table import CountTable, Tabulated


class ChiSquare(ChiSquareReport):
    """Whether two categorical variables are associated; shares its computation with hypothesis_test/chi_square_test."""

    title, title_en = "卡方独立性检验", "Chi-square test of association"
    family, tier = "描述性分析", "standard"
    purpose = "两个定类变量是否独立，差异出在哪些类别上"
    aliases = ("独立性检验", "卡方检验", "chi-square", "χ²检验", "关联分析", "线性趋势")
    references = (
        "pearson1900", "yates1934", "cochran1954", "fisher1922", "freeman1951", "haberman1973", "cramer1946",
        "bergsma2013", "smithson2003", "mantel1963", "cohen1988",
    )  # fmt: skip
    conventions = (
        "自动选择只看期望频数：2×2 表总数不足 40 或最小期望小于 1 用 Fisher，最小期望在 1 到 5 之间用连续校正，"
        "其余用 Pearson。",
        "更大的表：期望小于 5 的单元格超过 20% 或最小期望小于 1 时用精确检验，列不完时用固定种子的蒙特卡洛，"
        "附 99% 区间。",
        "Fisher 检验为双侧：概率不大于观察到的表的全部表之和。",
        "线性趋势为 (n − 1)r²，得分为数值本身，文字类别用名次 1、2、3……",
        "调整残差近似服从标准正态分布；Bonferroni 校正按单元格个数。",
        "两两比较的 *p* 用 Bonferroni 法校正。",
        "OR 的区间用 Woolf 法，RR 用 Katz 法；有空单元格时不给，不加 0.5。",
    )
    HAS = "“{x}”与“{y}”有关联"
    HAS_NOT = "“{x}”与“{y}”没有发现明显的关联"

    class Input(Form):
        x: Column = role("变量X（分组）", "定类", levels=(2, 100))
        y: Column = role("变量Y", "定类", each=True)
        weight: Column | None = counted()
        method: str = choice(
            "检验方法",
            {
                "auto": "自动选择", "pearson": "Pearson", "yates": "连续校正", "likelihood": "似然比",
                "fisher": "Fisher精确", "monte_carlo": "蒙特卡洛",
            },
            hint="结论采用所选的一行；其余列在旁边",
        )  # fmt: skip
        post_hoc: bool = flag("事后两两比较（Bonferroni）", True, hint="X有三类以上时比较每两类")
        trend: bool = flag("线性趋势检验（有序）", False, hint="两个变量的类别都有先后次序时才有意义")
        conf_level: float = confidence()
        mc_resamples: int = integer("蒙特卡洛次数", 9999, least=999, most=99999, advanced=True)

    @classmethod
    def extra_tests(cls, report: Report, form: Any, one: CountTable, held: Tabulated) -> None:
        if not form.trend:
            return
        scores = [_scores(form.x, held.row_levels), _scores(form.y, held.column_levels)]
        test = tables.linear_by_linear(one.table, *scores)
        report.row(cls.tests, test="线性趋势（线性-线性关联）", read="", value=test.value, df=test.df, p=test.p)
        report.note(cls.tests, "线性趋势按类别的先后次序计分，次序没有意义时不要看这一行。")


def _scores(column: Column, levels: list[Any]) -> Any:
    """The values of numbers, places otherwise; scaled, which the test does not mind, so that no square overflows."""
    if column.is_number:
        values = np.array([float(level.value) for level in levels])
        return values / float(np.abs(values).max() or 1.0)
    return np.arange(1.0, len(levels) + 1)
