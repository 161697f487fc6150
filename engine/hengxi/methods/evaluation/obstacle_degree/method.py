from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Points,
    Refusal,
    Report,
    Row,
    Table,
    Wide,
    choice,
    figure,
    integer,
    num,
    percent,
    settings,
    text,
    words,
)
from hengxi.methods.evaluation._shared import indicators
from hengxi.methods.evaluation._shared.indicators import Data, Floats, range_scaled, refuse_flat
from hengxi.methods.evaluation._shared.ranking import SOURCES, RankedForm, Ranking
from hengxi.methods.evaluation._shared.weighting import SAFE, TOP


class ObstacleDegree(Ranking):
    """Which indicators hold each object back: weight times distance from the best, as a share."""

    title, title_en = "障碍度模型", "Obstacle degree model"
    tier = "member"
    purpose = "哪些指标是制约综合水平提升的主要障碍"
    aliases = ("障碍因子诊断", "障碍度", "制约因素", "短板")
    references = ("guo2007",)
    conventions = (
        "指标用极差法处理成 0 到 1（中间型、区间型按离最优区间的距离）；偏离度 = 1 − 处理后的值。",
        "障碍度 = 权重·偏离度 ÷ Σ权重·偏离度，每个对象合计 100%。",
        "准则层的障碍度是其下各指标的障碍度之和；总体是各对象障碍度的平均。",
        "所有指标都是最优值的对象没有障碍度，已列出。",
    )

    class Input(RankedForm):
        weight_source: str = choice("权重", {
            "entropy": "熵值法（极差法）", "equal": "等权", "manual": "手工", "critic": "CRITIC"})  # fmt: skip
        dimensions: list[Row] = settings(
            "准则层归属（选填）", of="positive", also=("negative", "moderate"), group=words("准则层", "")
        )
        top: int = integer("列出前 N 项", 5, least=1, most=20)

    overall = Table("总体障碍因子", item=text("指标"), share=percent("平均障碍度", sums_within=()),
                    first=integer("排第一的对象"), place="main")  # fmt: skip
    plot = Chart("总体障碍度", "bar", of=overall, x="item", y="share", place="main")
    leading = Table("各对象的主要障碍", object=text("对象"), place_=integer("次序"), item=text("指标"),
        share=percent("障碍度"),
                    merge=("object",), place="main")  # fmt: skip
    degrees = Table("障碍度", object=text("对象"), layout=Wide(share=percent("障碍度")), place="detail")
    layers = Table("准则层障碍度", object=text("对象"), layout=Wide(share=percent("障碍度")), place="detail")
    cells = Points("障碍度格子", object=text("对象"), item=text("指标"), share=num("障碍度"))
    heat = Chart("障碍度热力图", "heat", of=cells, row="object", column="item", value="share", place="detail")

    @classmethod
    def elements(cls) -> dict[str, Any]:
        """Weights shift the shares themselves: how the order of scores reacts is no question here."""
        return {key: one for key, one in super().elements().items() if key not in ("shaken", "beside")}

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        data = indicators.read(form)
        scaled = range_scaled(data)
        refuse_flat(data, scaled)
        weights = cls.weigh(report, form, data)
        lost = weights * (1 - scaled)
        total = lost.sum(axis=1)
        whole = total > 1e-12
        if not whole.any():
            text_ = "所有对象的偏离度全为 0，障碍度无定义，请检查指标和权重"
            raise Refusal("data.best", text_, field=data.indicators[0].field)
        for k in np.flatnonzero(~whole)[:20]:
            report.warn(
                "data.best", "对象“{o}”偏离度全为 0（各指标都是最优值），障碍度无定义，没有列入。", o=data.objects[k]
            )
        share = lost[whole] / total[whole, None]
        objects = [name for name, one in zip(data.objects, whole, strict=True) if one]
        mean = share.mean(axis=0)
        first = np.bincount(np.argmax(share, axis=1), minlength=data.m)
        for k in np.argsort(-mean, kind="stable"):
            report.row(cls.overall, item=data.names[k], share=mean[k], first=int(first[k]))
        report.chart(cls.plot)
        cls._objects(report, form, data, objects, share)
        cls._layers(report, form, data, objects, share)
        _words(report, form, data, objects, mean)
        return report

    @classmethod
    def _objects(cls, report: Report, form: Any, data: Data, objects: list[str], share: Floats) -> None:
        for i, name in enumerate(objects):
            report.row(
                cls.degrees, object=name, wide={item: {"share": share[i, j]} for j, item in enumerate(data.names)}
            )
            for order, j in enumerate(np.argsort(-share[i], kind="stable")[: form.top], 1):
                if share[i, j] <= 1e-12:  # At its best value already: no obstacle to name.
                    break
                report.row(cls.leading, object=name, place_=order, item=data.names[j], share=share[i, j])
            if i < TOP:
                for j, item in enumerate(data.names):
                    report.row(cls.cells, object=name, item=item, share=share[i, j])

    @classmethod
    def _layers(cls, report: Report, form: Any, data: Data, objects: list[str], share: Floats) -> None:
        given = {row.column.id: (row.group or "").strip() for row in form.dimensions}
        named = [given.get(one.column.id, "") for one in data.indicators]
        layers = [one for one in dict.fromkeys(named) if one]
        if not layers:
            report.skip(cls.layers, "没有填准则层归属")
            return
        named = [one or "未归类" for one in named]
        for i, name in enumerate(objects):
            sums = {layer: {"share": share[i, [one == layer for one in named]].sum()} for layer in dict.fromkeys(named)}
            report.row(cls.layers, object=name, wide=sums)


def _words(report: Report, form: Any, data: Data, objects: list[str], mean: Floats) -> None:
    order = np.argsort(-mean, kind="stable")
    facts: dict[str, Any] = {
        "n": len(objects), "first": data.names[order[0]], "high": mean[order[0]], "second": data.names[
            order[1]],
        "next": mean[order[1]],
    }  # fmt: skip
    report.lead(
        "总体上障碍最大的指标是“{first}”（{high:percent}），其次是“{second}”（{next:percent}）。",
        [figure("最大障碍", "{high:percent}", "{first}")], **facts,
    )  # fmt: skip
    each = {f"w{i}": mean[k] for i, k in enumerate(order)}
    listed = "、".join(f"{data.names[k].translate(SAFE)}（{{w{i}:percent}}）" for i, k in enumerate(order))
    how = SOURCES[form.weight_source]
    report.say(
        f"用障碍度模型（{how}）诊断 {{n:integer}} 个对象，平均障碍度为：{listed}。", voice="paper", **facts, **each
    )
    report.say("障碍度大，是因为权重大或离最好的水平远。它只在这批对象之间比较，不说明原因。", voice="student")
