from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Method,
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
    number,
    numbers,
    percent,
    role,
    settings,
    text,
)
from hengxi.methods.evaluation._shared import indicators
from hengxi.methods.evaluation._shared.indicators import Data, Floats, Indicator, ranked
from hengxi.methods.evaluation._shared.weighting import TOP

GRADES = ((90, "优"), (80, "良"), (70, "中"), (60, "及格"))


class EfficacyCoefficient(Method):
    """Each indicator scored between an unacceptable and a satisfactory value, then weighted."""

    title, title_en = "功效系数法", "Efficacy coefficient method"
    family = "综合评价"
    purpose = "对照满意值与不允许值，各对象的综合功效分是多少"
    aliases = ("功效系数", "满意值", "不允许值", "企业绩效评价", "综合评分法")
    references = ("guo2007",)
    conventions = (
        "单项功效 = 基础分 + 区间分 × (实际 − 不允许)/(满意 − 不允许)，默认 60 + 40×…。",
        "满意值、不允许值不填时取这批对象的最大、最小值（极小型相反）。",
        "稳定型、区间型：基础分 + 区间分 × (1 − d/d₀)，d 是离满意区间的距离，d₀ 是不允许值离区间的距离。",
        "比满意值更好的对象超过满分，比不允许值更差的低于基础分，不截断。",
        "等级：90 分起为优，80 起为良，70 起为中，60 起为及格，以下为差（按 100 分折算）。",
    )

    class Input(Form):
        indicators: list[Column] = role("指标", "定量", min=1, max=None)
        label: Column | None = role("对象名称", "任意", use="label")
        bounds: list[Row] = settings(
            "指标类型与界值", of="indicators",
            kind=choice("类型", {"high": "极大型", "low": "极小型", "interval": "稳定型、区间型"}),
            good=number("满意值（或下限）", auto="最好的值"), high=number("满意上限", auto="同下限"),
            bad=number("不允许值", auto="最差的值"),
        )  # fmt: skip
        weights: list[Row] = settings(
            "权重", of="indicators", w=number("权重", 1, least=0, most=1e6),
                hint="不必合计为 1，会自动归一")  # fmt: skip
        c_d: dict[str, float | None] = numbers("基础分与区间分", (60, 40), names=("c", "d"), least=0)
        synthesis: str = choice("合成", {"arithmetic": "加权平均", "geometric": "加权几何平均"})

    result = Table(
        "综合功效分", object=text("对象"), score=num("总分"), rank=integer("排名"), grade=text("等级"), place="main"
    )
    top = Points("总分最高的对象", object=text("对象"), score=num("总分"))
    plot = Chart(f"总分（最多 {TOP} 个）", "bar", of=top, x="object", y="score", place="main")
    single = Table("单项功效分", object=text("对象"), layout=Wide(score=num("功效分")), place="detail")
    limits_ = Table("界值与权重", item=text("指标"), kind=text("类型"), good=num("满意值"), bad=num("不允许值"),
                    weight=percent("权重"), place="detail")  # fmt: skip
    axes = Points("单项雷达图", item=text("指标"), score=num("功效分"), object=text("对象"))
    radar = Chart("单项雷达图", "radar", of=axes, axis="item", value="score", group="object", place="detail")

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        data = _read(form)
        weights = _weights(form, data)
        base, span = float(form.c_d["c"] or 0), float(form.c_d["d"] or 0)
        if span <= 0:
            raise Refusal("data.span", "区间分要大于 0，例如基础分 60、区间分 40", field="c_d")
        single = np.stack([cls._single(report, form, data, k, weights, base, span) for k in range(data.m)], axis=1)
        if form.synthesis == "geometric":
            if (single <= 0).any():
                i, j = (int(k) for k in np.argwhere(single <= 0)[0])
                text_ = f"“{data.objects[i]}”的“{data.names[j]}”功效分不大于 0，不能用几何平均，请改用加权平均"
                raise Refusal("data.not_positive", text_, field="synthesis")
            total = np.exp(np.log(single) @ weights)
        else:
            total = single @ weights
        grade = [_grade(100 * one / (base + span)) for one in total]
        columns = {"object": data.objects, "score": total, "rank": np.array(ranked(total)), "grade": grade}
        report.add_rows(cls.result, columns)
        order = np.argsort(-total, kind="stable")
        for i, name in enumerate(data.objects):
            report.row(
                cls.single, object=name, wide={item: {"score": single[i, j]} for j, item in enumerate(data.names)}
            )
        for i in order[:TOP]:
            report.row(cls.top, object=data.objects[i], score=total[i])
        for i in order[:5] if data.m > 2 else []:
            for j, item in enumerate(data.names):
                report.row(cls.axes, item=item, score=single[i, j], object=data.objects[i])
        if data.m < 3:
            report.skip(cls.axes, "指标少于 3 个")
        else:
            report.chart(cls.radar)
        _words(report, form, data, total, order, grade)
        return report

    @classmethod
    def _single(
        cls, report: Report, form: Any, data: Data, k: int, weights: Floats, base: float, span: float
    ) -> Floats:
        row, one, x = form.bounds[k], data.indicators[k], data.x[:, k]
        kind = row.kind
        words = {"high": "极大型", "low": "极小型", "interval": "稳定型、区间型"}[kind]
        if kind == "interval":
            if row.good is None:
                raise Refusal(
                    "data.best", f"“{one.name}”是稳定型或区间型，请填满意值", field="bounds", column=one.column.id
                )
            end = row.good if row.high is None else row.high
            if end < row.good:
                raise Refusal(
                    "data.best", f"“{one.name}”的满意下限大于上限，请对调", field="bounds", column=one.column.id
                )
            own = Indicator(one.column, "bounds", "interval", row.good, end)
            away = indicators.distances(own, x)
            limit = float(away.max() if row.bad is None else indicators.distances(own, np.array([row.bad]))[0])
            _refuse_same(one, limit == 0)
            report.row(cls.limits_, item=one.name, kind=words, good=row.good, bad=row.bad, weight=weights[k])
            return np.asarray(base + span * (1 - away / limit))
        best, worst = (x.max(), x.min()) if kind == "high" else (x.min(), x.max())
        good, bad = float(best if row.good is None else row.good), float(worst if row.bad is None else row.bad)
        _refuse_same(one, abs(good - bad) <= 1e-12 * max(abs(good), abs(bad), 1e-300))
        if (good > bad) != (kind == "high"):
            text_ = f"指标“{one.name}”是{words}，满意值 {good:g} 与不允许值 {bad:g} 的大小相反，请对调或改类型"
            raise Refusal("data.bounds", text_, field="bounds", column=one.column.id)
        report.row(cls.limits_, item=one.name, kind=words, good=good, bad=bad, weight=weights[k])
        return np.asarray(base + span * (x - bad) / (good - bad))


def _read(form: Any) -> Data:
    rows = [SimpleNamespace(column=one, kind="high", low=None, high=None) for one in form.indicators]
    listed = SimpleNamespace(items=form.indicators, direction=rows, label=form.label)
    return indicators.read(listed, least_objects=1, least_indicators=1, constants=True)


def _weights(form: Any, data: Data) -> Floats:
    raw = np.array([float(row.w) for row in form.weights])
    if raw.sum() <= 0:
        raise Refusal("data.weights", "权重不能全为 0，请至少给一个指标大于 0 的权重", field="weights")
    return np.asarray(raw / raw.sum())


def _refuse_same(one: Indicator, same: bool) -> None:
    if same:
        text_ = f"指标“{one.name}”满意值与不允许值相同，功效分无定义，请填写界值，或移去这个指标"
        raise Refusal("data.bounds", text_, field="bounds", column=one.column.id)


def _grade(score: float) -> str:
    return next((word for least, word in GRADES if score >= least - 1e-9), "差")


def _words(report: Report, form: Any, data: Data, total: Floats, order: Any, grade: list[str]) -> None:
    first, last = order[0], order[-1]
    facts: dict[str, Any] = {
        "n": data.n, "m": data.m, "first": data.objects[first], "high": total[first], "last": data.objects[last],
        "low": total[last], "g": grade[first],
    }  # fmt: skip
    lead = "{n:integer} 个对象里总分最高的是“{first}”（{high:num} 分，{g}），最低的是“{last}”（{low:num} 分）。"
    report.lead(lead, [figure("最高分", "{high:num}", "{first}")], **facts)
    how = "加权平均" if form.synthesis == "arithmetic" else "加权几何平均"
    report.say(
        f"采用功效系数法（{how}）对 {{n:integer}} 个对象的 {{m:integer}} 个指标评分，"
        f"总分在 {{low:num}} 到 {{high:num}} 之间。",
        voice="paper", **facts,
    )  # fmt: skip
    report.say(
        "分数取决于满意值和不允许值：用这批对象的最好、最差值作界值时，分数只能在这批对象之间比较。", voice="student"
    )
