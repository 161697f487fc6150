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
    SetRemedy,
    Table,
    choice,
    figure,
    integer,
    num,
    number,
    percent,
    role,
    settings,
    text,
)
from hengxi.methods.evaluation._shared import indicators
from hengxi.methods.evaluation._shared.indicators import Data, Floats, ranked

TEN = (
    "极度失调",
    "严重失调",
    "中度失调",
    "轻度失调",
    "濒临失调",
    "勉强协调",
    "初级协调",
    "中级协调",
    "良好协调",
    "优质协调",
)
FOUR = ("低度协调", "中度协调", "高度协调", "极度协调")
FOUR_ENDS = (0.3, 0.5, 0.8, 1.0)
FORMULAS = {"standard": "标准式", "squared_product": "廖重斌式（k = 2）", "modified_wang": "王淑佳修正式"}
NEAR = 0.1


class CouplingCoordination(Method):
    """How strongly systems interact and how high they stand together."""

    title, title_en = "耦合协调度", "Coupling coordination degree"
    family = "综合评价"
    purpose = "多个系统相互作用的程度与协调发展水平如何"
    aliases = ("耦合度", "协调度", "耦合协调模型", "协同发展", "CCD")
    references = ("liao1999", "wangsj2021")
    conventions = (
        "标准式：C = n·(ΠU)^(1/n)/ΣU；廖重斌式：C = [ΠU/(ΣU/n)^n]²。",
        "王淑佳修正式：C = √{[1 − Σ|Ui − Uj|/(n(n − 1)/2)]·(ΠU/max U)^(1/(n − 1))}，max U 是该对象最大的系统指数。",
        "协调指数 T = Σ贡献系数·U，耦合协调度 D = √(C·T)。",
        "区间化：0.01 + 0.98·(U − min)/(max − min)，每个系统各自进行。",
        f"相对发展：最大与最小的系统相差不超过 {NEAR} 为同步，否则最小的系统滞后；两个系统时列出 U₁/U₂。",
        "十级：每 0.1 一级，含下界（廖重斌，1999）；四级：0.3、0.5、0.8 分界。",
    )

    class Input(Form):
        systems: list[Column] = role("系统综合指数", "定量", min=2, max=10)
        label: Column | None = role("对象或年份", "任意", use="label")
        formula: str = choice("耦合度公式", FORMULAS)
        weights: list[Row] = settings(
            "系统贡献系数", of="systems", w=number("系数", 1, least=0, most=1e6), hint="会自动归一"
        )
        normalize: str = choice(
            "区间化", {"interval": "化到 0.01–0.99", "minmax": "化到 0–1", "none": "不处理（已在 0–1）"}
        )
        levels: str = choice("等级划分", {"ten": "十级", "four": "四级"})

    result = Table(
        "耦合协调度", object=text("对象"), c=num("耦合度 C", least=0, most=1), t=num("协调指数 T", least=0, most=1),
        d=num("耦合协调度 D", least=0, most=1), level=integer("等级"), word=text("协调程度"), ratio=num("U₁/U₂",
            least=0),
        type_=text("相对发展"), rank=integer("排名"), place="main",
    )  # fmt: skip
    path = Points("协调度", object=text("对象"), d=num("耦合协调度 D"))
    plot = Chart("耦合协调度", "line", of=path, x="object", y="d", place="main")
    counts = Table("各等级的对象", level=integer("等级"), word=text("协调程度"), low=num("下界", least=0), high=num(
        "上界", most=1),
                   n=integer("个数"), share=percent("占比", sums_within=()), place="detail")  # fmt: skip
    summary = Table("汇总", item=text("量"), mean=num("平均值"), sd=num("标准差", least=0), least_=num("最小值"),
                    most_=num("最大值"), place="detail")  # fmt: skip
    used = Table("系统指数", object=text("对象"), system=text("系统"), raw=num("原值"), value=num("处理后"), merge=(
        "object",),
                 place="detail")  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        data = _read(form)
        u = cls._scaled(form, data)
        share = np.array([float(row.w) for row in form.weights])
        if share.sum() <= 0:
            raise Refusal("data.weights", "贡献系数不能全为 0，请至少给一个系统大于 0 的系数", field="weights")
        share = share / share.sum()
        c, t = coupling(u, form.formula), u @ share
        d = np.sqrt(c * t)
        ends, names = (FOUR_ENDS, FOUR) if form.levels == "four" else (tuple(k / 10 for k in range(1, 11)), TEN)
        level = np.minimum(np.searchsorted(np.array(ends[:-1]), np.round(d, 12), side="right"), len(ends) - 1)
        columns = {"object": data.objects, "c": c, "t": t, "d": d, "level": level + 1, "word": [names[k]
            for k in level],
                   "ratio": u[:, 0] / u[:, 1] if data.m == 2 and (u[:, 1] > 0).all() else [None] * data.n,
                   "type_": [_type(data, row) for row in u], "rank": np.array(ranked(d))}  # fmt: skip
        report.add_rows(cls.result, columns)
        report.add_rows(cls.path, {"object": data.objects, "d": d})
        _tables(cls, report, data, u, (c, t, d), level, ends, names)
        _words(report, form, data, d, [names[k] for k in level], int((d >= 0.5).sum()))
        return report

    @classmethod
    def _scaled(cls, form: Any, data: Data) -> Floats:
        if form.normalize == "none":
            outside = np.argwhere((data.x < 0) | (data.x > 1))
            if len(outside):
                i, j = (int(k) for k in outside[0])
                remedies = [SetRemedy(title="化到 0.01–0.99", set={"normalize": "interval"})]
                text_ = (
                    f"系统指数须在 0 到 1 之间，“{data.names[j]}”的“{data.objects[i]}”是 {data.x[i, j]:g}，请先标准化"
                )
                raise Refusal(
                    "data.unit", text_, field="systems", column=data.indicators[j].column.id, remedies=remedies
                )
            return data.x
        indicators.refuse_constants(form, data)
        scaled = indicators.range_scaled(data)
        return scaled if form.normalize == "minmax" else 0.01 + 0.98 * scaled


def coupling(u: Floats, formula: str) -> Floats:
    """C of each object; 0 where a system is 0."""
    n = u.shape[1]
    total = u.sum(axis=1)
    safe = np.where(total > 0, total, 1.0)
    match formula:
        case "squared_product":
            found = np.prod(u / (safe / n)[:, None], axis=1) ** 2
        case "modified_wang":
            gaps = sum(np.abs(u[:, i] - u[:, j]) for i in range(n) for j in range(i))
            top = np.where(total > 0, u.max(axis=1), 1.0)
            others = np.prod(u, axis=1) / top
            found = np.sqrt(np.maximum(1 - gaps / (n * (n - 1) / 2), 0) * others ** (1 / (n - 1)))
        case _:
            found = n * np.prod(u, axis=1) ** (1 / n) / safe
    return np.asarray(np.clip(np.where(total > 0, found, 0.0), 0, 1))


def _read(form: Any) -> Data:
    rows = [SimpleNamespace(column=one, kind="high", low=None, high=None) for one in form.systems]
    data = indicators.read(
        SimpleNamespace(items=form.systems, direction=rows, label=form.label), least_objects=1, constants=True
    )
    renamed = [indicators.Indicator(one.column, "systems", one.kind) for one in data.indicators]
    return Data(renamed, data.x, data.objects, data.row_numbers)


def _type(data: Data, row: Floats) -> str:
    if row.max() - row.min() <= NEAR + 1e-12:
        return "同步"
    return f"{data.names[int(np.argmin(row))]}滞后"


def _tables(
    cls: Any,
    report: Report,
    data: Data,
    u: Floats,
    found: tuple[Floats, Floats, Floats],
    level: Any,
    ends: Any,
    names: Any,
) -> None:
    for k, word in enumerate(names):
        n = int((level == k).sum())
        low = 0.0 if k == 0 else ends[k - 1]
        report.row(cls.counts, level=k + 1, word=word, low=low, high=ends[k], n=n, share=n / data.n)
    for name, values in zip(("耦合度 C", "协调指数 T", "耦合协调度 D"), found, strict=True):
        sd = float(values.std(ddof=1)) if data.n > 1 else None
        report.row(
            cls.summary,
            item=name,
            mean=float(values.mean()),
            sd=sd,
            least_=float(values.min()),
            most_=float(values.max()),
        )
    for i, name in enumerate(data.objects):
        for j, system in enumerate(data.names):
            report.row(cls.used, object=name, system=system, raw=data.x[i, j], value=u[i, j])


def _words(report: Report, form: Any, data: Data, d: Floats, words: list[str], fine: int) -> None:
    first, last = int(np.argmax(d)), int(np.argmin(d))
    facts: dict[str, Any] = {
        "n": data.n, "first": data.objects[first], "high": d[first], "w1": words[first], "last": data.objects[last],
        "low": d[last], "w2": words[last], "mean": float(d.mean()), "fine": fine,
    }  # fmt: skip
    report.lead(
        "耦合协调度最高的是“{first}”（D = {high:num}，{w1}），最低的是“{last}”（D = {low:num}，{w2}）；"
        "平均 {mean:num}。",
        [figure("平均 D", "{mean:num}")], **facts,
    )  # fmt: skip
    zero = int((d <= 0).sum())
    if zero:
        remedies = [SetRemedy(title="化到 0.01–0.99", set={"normalize": "interval"})]
        text_ = "有 {zero:integer} 个对象的某个系统为 0，使 C = 0；建议区间化到 0.01–0.99。"
        report.check("零值", "care", text_, remedies=remedies, zero=zero)
    if form.normalize != "none":
        text_ = "区间化以这批对象的最小、最大值为界：D 只能在这批对象之间比较。"
        report.check("可比性", "care", text_)
    report.say(
        f"耦合度采用{FORMULAS[form.formula]}，{{n:integer}} 个对象的耦合协调度在 {{low:num}} 到 {{high:num}} 之间，"
        f"平均 {{mean:num}}，"
        "其中 {fine:integer} 个不低于 0.5。", voice="paper", **facts,
    )  # fmt: skip
    report.say("C 只说明系统之间是否相近，都很低也可以相近；D 同时看水平。不同的 C 公式不能互相比较。", voice="student")
