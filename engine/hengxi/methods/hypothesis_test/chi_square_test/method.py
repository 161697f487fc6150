from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hengxi.contract import Column, ColumnInfo, Form, NextStep, choice, confidence, counted, integer, role
from hengxi.families.counts.chi_square import ChiSquareReport
from hengxi.methods.hypothesis_test._shared import siblings


class ChiSquareTest(ChiSquareReport):
    """The composition of y compared between the groups of x; shares its computation with descriptive/chi_square."""

    title, title_en = "卡方检验", "Chi-square test"
    family, tier = "差异性分析", "standard"
    purpose = "不同组别在定类变量上的构成是否有差异"
    aliases = ("卡方", "chi-square", "χ²检验", "构成比比较", "差异性卡方", "比例比较")
    references = (
        "pearson1900", "yates1934", "cochran1954", "fisher1922", "freeman1951", "haberman1973", "cramer1946",
        "bergsma2013", "smithson2003", "cohen1988", "holm1979",
    )  # fmt: skip
    conventions = (
        "自动选择只看期望频数：2×2 表总数不足 40 或最小期望小于 1 用 Fisher，最小期望在 1 到 5 之间用连续校正，"
        "其余用 Pearson。",
        "更大的表：期望小于 5 的单元格超过 20% 或最小期望小于 1 时用精确检验，列不完时用固定种子的蒙特卡洛，附 "
        "99% 区间。",
        "Fisher 检验为双侧：概率不大于观察到的表的全部表之和。",
        "调整残差近似服从标准正态分布；Bonferroni 校正按单元格个数。",
        "OR 的区间用 Woolf 法，RR 用 Katz 法；有空单元格时不给，不加 0.5。",
        "偏差校正的 V 按 Bergsma（2013）。",
    )
    HAS = "“{x}”各组的“{y}”构成有差异"
    HAS_NOT = "“{x}”各组的“{y}”构成没有发现明显差异"

    class Input(Form):
        x: Column = role("分组变量X", "定类", levels=(2, 100))
        y: Column = role("检验变量Y", "定类", each=True)
        weight: Column | None = counted()
        method: str = choice(
            "检验方法",
            {
                "auto": "自动选择", "pearson": "Pearson", "yates": "连续校正", "fisher": "Fisher精确",
                "likelihood": "似然比",
            },
            hint="结论采用所选的一行；其余列在旁边",
        )  # fmt: skip
        post_hoc: str = choice(
            "两两比较校正",
            {"bonferroni": "Bonferroni", "holm": "Holm", "fdr_bh": "FDR-BH", "none": "不做"},
            hint="三组以上时比较每两组",
        )
        percent_base: str = choice("百分比基数", {"x": "按X列", "y": "按Y行"})
        conf_level: float = confidence()
        mc_resamples: int = integer("蒙特卡洛次数（无法穷举时）", 9999, least=999, most=99999, advanced=True)

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        return [*siblings.others("hypothesis_test/chi_square_test", form), *super().next_steps(form, columns)]
