from __future__ import annotations

import numpy as np

from hengxi.contract import Chart, Column, Refusal, Report, SetRemedy, Table, num, percent, role, text
from hengxi.methods.evaluation._shared import indicators
from hengxi.methods.evaluation._shared.indicators import Data, Floats
from hengxi.methods.evaluation._shared.weighting import ListedForm, Weighting
from hengxi.stats.indicator_weights import correlations, inflation, multiple_correlations, repeated

LOW = 0.05
"""A multiple correlation below this makes 1/R explode; it is held there, and said."""


class IndependenceWeight(Weighting):
    """Weights by how little the other indicators say already: reciprocal of the multiple correlation."""

    title, title_en = "独立性权重法", "Independence weight"
    purpose = "与其他指标重复信息越少的指标应得多大权重"
    aliases = ("复相关系数法", "独立性权系数法", "客观赋权", "重复信息")
    references = ("wang1999",)
    limits = ()
    conventions = (
        "复相关系数 R 是该指标对其余全部指标线性回归的 R；权重 w = (1/R)/Σ(1/R)。",
        f"R 小于 {LOW} 时按 {LOW} 计算，并给出提示。",
        "VIF = 1/(1 − R²)。",
        "综合得分用极差法处理后的值；方向只影响综合得分。",
    )

    class Input(ListedForm):
        items: list[Column] = role("指标", "定量", min=3, max=None)

    result = Table(
        "独立性权重", item=text("指标"), r=num("复相关系数 *R*", least=0, most=1), inverse=num("1/*R*", least=1),
        weight=percent("权重"), vif=num("VIF", least=1), place="main",
    )  # fmt: skip
    plot = Chart("权重条形图", "bar", of=result, x="item", y="weight", place="main")

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        data = indicators.read(form, least_indicators=3)
        if data.n <= data.m:
            text_ = f"样本量须大于指标数，否则复相关系数恒为 1：现有 {data.n} 个对象、{data.m} 个指标，请减少指标"
            raise Refusal("data.few", text_, field="items")
        vif = _inflation(data)
        r = multiple_correlations(vif)
        held = np.maximum(r, LOW)
        weights = (1 / held) / (1 / held).sum()
        for k, name in enumerate(data.names):
            report.row(cls.result, item=name, r=r[k], inverse=1 / held[k], weight=weights[k], vif=vif[k])
            if r[k] < LOW:
                text_ = "“{v}”的复相关系数几乎是 0（{r:num}），它的 1/R 会过大，已按 0.05 计算。"
                report.warn("data.independent", text_, v=data.names[k], r=r[k], columns=[data.indicators[k].column])
        report.chart(cls.plot)
        scaled = indicators.range_scaled(data)
        indicators.refuse_flat(data, scaled)
        cls.finish(report, form, data, weights, scaled, how="独立性权重法", student=STUDENT)
        return report


STUDENT = "一个指标越能由其他指标推算出来，重复的信息越多，权重越小。"


def _inflation(data: Data) -> Floats:
    """Of each indicator on the others; one that is a sum of others is named."""
    r = correlations(data.x)
    k = repeated(r)
    if k is not None:
        one = data.indicators[k]
        others = [other.column.id for other in data.indicators if other is not one]
        remedies = [SetRemedy(title=f"移去“{one.name}”", set={"items": others})] if len(others) >= 3 else []
        text_ = f"指标“{one.name}”可由其他指标线性表示（R = 1），请剔除它或与它重复的指标"
        raise Refusal("data.collinear", text_, field="items", column=one.column.id, remedies=remedies)
    return inflation(r)
