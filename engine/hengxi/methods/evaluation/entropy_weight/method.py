from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    Refusal,
    Report,
    SetRemedy,
    Table,
    Wide,
    choice,
    filled,
    num,
    number,
    percent,
    role,
    text,
)
from hengxi.methods.evaluation._shared import indicators
from hengxi.methods.evaluation._shared.indicators import Data, Floats
from hengxi.methods.evaluation._shared.weighting import SAFE, DirectedForm, Weighting, rankings, say_weights
from hengxi.stats.indicator_weights import entropy_weights

WORDS = {"minmax": "极差法", "minmax_shift": "极差法并平移", "sum": "比重法", "none": "不处理"}


class EntropyWeight(Weighting):
    """The more an indicator differs between objects, the more it tells, the more it weighs."""

    title, title_en = "熵值法", "Entropy weight"
    purpose = "依据指标提供的信息量（离散程度），各指标的客观权重是多少"
    aliases = ("熵权法", "信息熵", "熵权", "客观赋权", "entropy")
    references = ("shannon1948", "guo2007", "hwang1981")
    conventions = (
        "极差法：正向 (x − min)/(max − min)，负向 (max − x)/(max − min)。",
        "中间型、区间型的极差法是 1 − d/max d，d 是离最优区间的距离。",
        "比重 p = z/Σz；熵 e = −Σ p·ln p/ln n，0·ln 0 取 0；效用值 d = 1 − e；权重 w = d/Σd。",
        "比重法直接用 x/Σx，负向指标先取倒数；不处理时不区分方向。",
        "面板数据默认合并各年计算一组权重（全部对象年一起归一）；逐年计算时每年单独归一。",
    )

    class Input(DirectedForm):
        year: Column | None = role("年份（面板，选填）", "任意")
        normalize: str = choice("无量纲化", {
            "minmax": "极差法", "minmax_shift": "极差法并平移", "sum": "比重法", "none": "不处理"})  # fmt: skip
        shift: float = number("非负平移量", 0.0001, above=0, most=1, when={"normalize": "minmax_shift"})
        scope: str = choice("面板口径", {"pooled": "各年合并", "by_year": "逐年计算"}, when={"year": filled})

    result = Table(
        "熵值法权重", item=text("指标"), entropy=num("信息熵值 *e*", least=0, most=1),
        gain=num("信息效用值 *d*", least=0, most=1), weight=percent("权重"), place="main",
    )  # fmt: skip
    plot = Chart("权重条形图", "bar", of=result, x="item", y="weight", place="main")
    yearly = Table("各年最好的对象", year=text("年份"), object=text("评价对象"), score=num("综合得分"),
                   when={"year": filled}, place="detail")  # fmt: skip
    shifted = Table("平移量对权重的影响", item=text("指标"), layout=Wide(weight=percent("权重")),
                    when={"normalize": "minmax_shift"}, place="detail")  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        data = indicators.read(form, least_indicators=1)
        years = cls._years(form, data)
        by_year = form.scope == "by_year" and form.year is not None
        values = np.empty(data.n)
        weights = np.zeros(data.m)
        for label, rows in years if by_year else [(None, np.arange(data.n))]:
            part = Data(data.indicators, data.x[rows], [data.objects[k] for k in rows], [])
            if by_year:
                indicators.refuse_constants(form, part) if part.n > 1 else _refuse_year(str(label))
            own = cls._scaled(form, part)
            found, weights = entropy_weights(own)
            values[rows] = own @ weights
            for name, e, share in zip(data.names, found, weights, strict=True):
                report.row(
                    cls.result, at=None if label is None else str(label), item=name, entropy=e, gain=1 - e, weight=share
                )
            report.chart(cls.plot, at=None if label is None else str(label))
        cls.score(report, form, data, values)
        cls._extras(report, form, data, values, years)
        how = f"熵值法（{WORDS[form.normalize]}）"
        last = f"（{years[-1][0].translate(SAFE)}）" if by_year else ""
        say_weights(report, data, weights, how + last, STUDENT)
        if not by_year:
            for step in rankings(form, data, weights):
                report.follow(step)
        return report

    @classmethod
    def _scaled(cls, form: Any, data: Data) -> Floats:
        if form.normalize in ("none", "sum"):
            ways = ({"normalize": "minmax"}, "改用极差法")
            if form.normalize == "sum":
                return indicators.positive_shares(data, ways)
            for k in np.flatnonzero((data.x < 0).any(axis=0)):
                indicators.refuse_not_positive(data, int(k), ways)
            return np.asarray(data.x / data.x.sum(axis=0))
        scaled = indicators.range_scaled(data)
        indicators.refuse_flat(data, scaled)
        return np.asarray(scaled + (form.shift if form.normalize == "minmax_shift" else 0.0))

    @classmethod
    def _years(cls, form: Any, data: Data) -> list[tuple[str, Any]]:
        if form.year is None:
            return []
        codes, levels = form.year.codes, form.year.levels
        return [(level.label, np.flatnonzero(codes == k)) for k, level in enumerate(levels)]

    @classmethod
    def _extras(cls, report: Report, form: Any, data: Data, values: Floats, years: list[tuple[str, Any]]) -> None:
        for label, rows in years:
            top = rows[int(np.argmax(values[rows]))]
            report.row(cls.yearly, year=label, object=data.objects[top], score=values[top])
        if form.normalize != "minmax_shift":
            return
        scaled = indicators.range_scaled(data)
        tried = [
            (form.shift * factor, entropy_weights(scaled + form.shift * factor)[1]) for factor in (0.1, 1, 10, 100)
        ]
        for k, name in enumerate(data.names):
            report.row(cls.shifted, item=name, wide={f"平移 {shift:g}": {"weight": w[k]} for shift, w in tried})


STUDENT = "一个指标在各对象之间差别越大，熵越小，权重越大。权重只说明区分能力，不说明这个指标在道理上有多重要。"


def _refuse_year(label: str) -> None:
    remedies = [SetRemedy(title="各年合并", set={"scope": "pooled"})]
    text_ = f"“{label}”只有 1 个对象，不能逐年计算，请选各年合并"
    raise Refusal("data.few", text_, field="scope", remedies=remedies)
