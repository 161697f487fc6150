from __future__ import annotations

from typing import Any

from hengxi.contract import Chart, Refusal, Report, SetRemedy, Table, choice, num, percent, text
from hengxi.methods.evaluation._shared import indicators
from hengxi.methods.evaluation._shared.indicators import Data
from hengxi.methods.evaluation._shared.weighting import ListedForm, Weighting


class CoefficientVariation(Weighting):
    """Weights in proportion to the relative spread of each indicator."""

    title, title_en = "变异系数法（信息量权重）", "Coefficient-of-variation weight"
    purpose = "按指标相对离散程度，各指标权重是多少"
    aliases = ("变异系数法", "信息量权重", "CV", "客观赋权", "离散系数赋权")
    references = ("guo2007",)
    limits = ()
    conventions = (
        "变异系数 CV = 标准差/均值，用原始数据；权重 w = CV/ΣCV。",
        "标准差默认以 n − 1 为分母；各指标样本相同，换成 n 不改变权重。",
        "综合得分用极差法处理后的值：正向 (x − min)/(max − min)，负向 (max − x)/(max − min)。",
        "中间型、区间型的极差法是 1 − d/max d，d 是离最优区间的距离。",
        "方向只影响综合得分，不影响变异系数。",
    )

    class Input(ListedForm):
        ddof: str = choice("标准差口径", {"sample": "样本（n − 1）", "population": "总体（n）"})

    result = Table(
        "变异系数法权重", item=text("指标"), mean=num("平均值"), sd=num("标准差", least=0), cv=num("CV 系数", least=0),
        weight=percent("权重"), place="main",
    )  # fmt: skip
    plot = Chart("权重条形图", "bar", of=result, x="item", y="weight", place="main")

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        data = indicators.read(form)
        _refuse_means(form, data)
        mean = data.x.mean(axis=0)
        sd = data.x.std(axis=0, ddof=1 if form.ddof == "sample" else 0)
        cv = sd / mean
        weights = cv / cv.sum()
        for k, name in enumerate(data.names):
            report.row(cls.result, item=name, mean=mean[k], sd=sd[k], cv=cv[k], weight=weights[k])
        report.chart(cls.plot)
        scaled = indicators.range_scaled(data)
        indicators.refuse_flat(data, scaled)
        cls.finish(report, form, data, weights, scaled, how="变异系数法", student=STUDENT)
        return report


STUDENT = "一个指标的标准差占平均值的比例越大，权重越大。它看的是相对差别，所以单位不同也能比。"


def _refuse_means(form: Any, data: Data) -> None:
    for k, one in enumerate(data.indicators):
        mean = float(data.x[:, k].mean())
        if mean <= 1e-12 * abs(data.x[:, k]).max():
            others = [other.column.id for other in data.indicators if other is not one]
            text_ = f"指标“{one.name}”均值不大于 0（{mean:.4g}），变异系数无意义，请先正向化或平移，或移去它"
            remedies = [SetRemedy(title=f"移去“{one.name}”", set={"items": others})]
            raise Refusal("data.mean", text_, field="items", column=one.column.id, remedies=remedies)
