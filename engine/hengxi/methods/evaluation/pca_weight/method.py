from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    Refusal,
    Report,
    Silent,
    Table,
    Wide,
    choice,
    integer,
    num,
    percent,
    pvalue,
    role,
    text,
)
from hengxi.methods.evaluation._shared import indicators
from hengxi.methods.evaluation._shared.indicators import Data, Floats
from hengxi.methods.evaluation._shared.weighting import ListedForm, Weighting
from hengxi.stats.factor_adequacy import adequacy
from hengxi.stats.indicator_weights import composite, correlations


class PcaWeight(Weighting):
    """Weights from the variance the components explain."""

    title, title_en = "主成分/因子权重", "PCA and factor based weights"
    purpose = "利用主成分或因子的方差贡献如何得到指标权重与综合得分"
    aliases = ("主成分赋权", "因子赋权", "主成分综合得分", "PCA权重", "方差贡献率")
    references = ("jolliffe2002",)
    limits = ()
    conventions = (
        "先正向化（负向 max − x，中间型、区间型 max d − d），再标准化（n − 1）；主成分由相关矩阵提取。",
        "线性组合系数 = 载荷/√特征根；因子法用最大方差旋转（Kaiser 正规化）后的载荷和旋转后的特征根（SPSSAU 的算法）。",
        "综合得分系数 = Σ方差解释率·系数 ÷ Σ方差解释率；权重是它的份额。",
        "各成分的符号取载荷之和为正；默认提取特征根大于 1 的成分，至少 1 个。",
        "有负的综合得分系数时默认保留（份额仍合计 100%），也可取绝对值。",
    )

    class Input(ListedForm):
        items: list[Column] = role("指标", "定量", min=3, max=60)
        method: str = choice("方法", {"pca": "主成分", "factor_varimax": "因子（最大方差旋转）"})
        n: int | None = integer("成分数", None, least=1, most=60, auto="特征根大于 1")
        negative_loading: str = choice("负的综合得分系数", {"keep": "保留", "absolute": "取绝对值"})

    result = Table("权重", item=text("指标"), coefficient=num("综合得分系数"), weight=percent("权重", least=None,
        most=None),
                   place="main")  # fmt: skip
    plot = Chart("权重条形图", "bar", of=result, x="item", y="weight", place="main")
    explained = Table(
        "方差解释", component=text("成分"), value=num("特征根", least=0), share=percent("方差解释率"),
        cumulative=percent("累积"), rotated=num("旋转后特征根", least=0, when={"method": "factor_varimax"}),
        rotated_share=percent("旋转后解释率", when={"method": "factor_varimax"}), place="detail",
    )  # fmt: skip
    scree = Chart("碎石图", "line", of=explained, x="component", y="value", place="detail")
    coefficients = Table("载荷与线性组合系数", item=text("指标"),
                         layout=Wide(loading=num("载荷"), coefficient=num("线性组合系数")), place="detail")  # fmt: skip
    fit = Table("KMO 和 Bartlett", kmo=num("KMO", least=0, most=1), chi2=num("Bartlett *χ*²", least=0), df=integer(
        "*df*"),
                p=pvalue(), layout="record", place="detail", claim=Silent(
                    "a condition of the method, not a finding"))  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        data = indicators.read(form, least_objects=3, least_indicators=3)
        indicators.refuse_flat(data, indicators.range_scaled(data))
        z = indicators.z_scaled(data)
        r = correlations(z)
        fit = composite(r, form.n, form.method == "factor_varimax")
        coefficients = fit.coefficients
        cls._tables(report, form, data, fit.values, fit.loadings, fit.own, fit.power)
        cls._adequacy(report, data, r)
        used = np.abs(coefficients) if form.negative_loading == "absolute" else coefficients
        if used.sum() <= 1e-9:
            text_ = "综合得分系数有正有负，合计不大于 0，不能换成权重；请检查指标方向，或选“取绝对值”"
            raise Refusal("data.negative", text_, field="negative_loading")
        weights = used / used.sum()
        for item, c, weight in zip(data.names, coefficients, weights, strict=True):
            report.row(cls.result, item=item, coefficient=c, weight=weight)
        report.chart(cls.plot)
        if (coefficients < 0).any() and form.negative_loading == "keep":
            which = "".join(f"“{data.names[j]}”" for j in np.flatnonzero(coefficients < 0)[:5])
            text_ = "{which}的综合得分系数是负的，与多数指标方向相反，请核对方向。"
            report.warn("data.negative", text_, which=which)
        how = "主成分" if form.method == "pca" else "因子分析（最大方差旋转）"
        cls.finish(report, form, data, weights, z, how=f"{how}方差解释率加权法", student=STUDENT)
        return report

    @classmethod
    def _tables(
        cls, report: Report, form: Any, data: Data, values: Floats, turned: Floats, own: Floats, power: Floats
    ) -> None:
        k, m = len(power), data.m
        for j, value in enumerate(values):
            rotated = power[j] if j < k and form.method == "factor_varimax" else None
            report.row(
                cls.explained, component=str(j + 1), value=value, share=value / m, cumulative=min(values[
                    : j + 1].sum() / m, 1),
                rotated=rotated, rotated_share=None if rotated is None else rotated / m,
            )  # fmt: skip
        word = "成分" if form.method == "pca" else "因子"
        for i, item in enumerate(data.names):
            cells = {f"{word} {j + 1}": {"loading": turned[i, j], "coefficient": own[i, j]} for j in range(k)}
            report.row(cls.coefficients, item=item, wide=cells)

    @classmethod
    def _adequacy(cls, report: Report, data: Data, r: Floats) -> None:
        if np.linalg.eigvalsh(r)[0] < 1e-10 or data.n <= data.m:
            report.skip(cls.fit, "指标完全共线，或对象不比指标多")
            return
        found = adequacy(r, data.n)
        report.row(cls.fit, kmo=found.kmo, chi2=found.chi2, df=found.df, p=found.p)
        state = "pass" if found.kmo >= 0.6 else "care"
        tail = "指标之间相关，适合用这种方法。" if found.kmo >= 0.6 else "指标之间相关不强，主成分代表不了它们。"
        report.check("KMO", state, "KMO = {kmo:num}，" + tail, kmo=found.kmo)  # type: ignore[arg-type]


STUDENT = "与多数指标一起变的指标权重大。它看的是共同的变化，不是重要性；综合得分以 0 为平均水平，有正有负。"
