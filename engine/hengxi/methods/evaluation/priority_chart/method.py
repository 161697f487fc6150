from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Matrix,
    Method,
    Refusal,
    Report,
    Table,
    TypedMatrix,
    choice,
    figure,
    integer,
    matrix,
    num,
    percent,
    role,
    text,
)
from hengxi.methods.evaluation._shared.indicators import Floats, ranked
from hengxi.methods.evaluation._shared.weighting import SAFE
from hengxi.stats.indicator_weights import beaten
from hengxi.stats.pairwise_group import circular_triads

TYPED, ITEMS = {"source": "typed"}, {"source": "items"}


class PriorityChart(Method):
    """Weights from who beats whom, without saying by how much."""

    title, title_en = "优序图法", "Priority chart"
    family = "权重计算"
    purpose = "只知道谁比谁重要（不知倍数）时，各指标权重是多少"
    aliases = ("优序图", "两两比较", "0.5", "PC法", "循环三元组", "主观赋权")
    references = ("moody1983", "kendall1940")
    conventions = (
        "行比列重要填 1，同样重要填 0.5，不如列重要填 0；TTL 是一行之和，权重 = TTL/ΣTTL。",
        "对角线默认取 0.5：最不重要的指标也有权重；取 0 时它的权重是 0。",
        "循环三元组：甲胜乙、乙胜丙、丙又胜甲；同样重要不算。",
        "ζ = 1 − d/d_max；n 为奇数时 d_max = (n³ − n)/24，偶数时 (n³ − 4n)/24（Kendall 和 Babington Smith，1940）。",
    )
    needs_data = "optional"
    split = False

    class Input(Form):
        source: str = choice("比较来自", {"typed": "录入优序矩阵", "items": "由评分均值自动比较"})
        matrix: TypedMatrix | None = matrix(
            "优序矩阵", kind="complementary", size=(2, 30), when=TYPED,
            hint="只填上三角：行比列重要填 1，同样重要填 0.5，不如列重要填 0",
        )  # fmt: skip
        items: list[Column] = role("由评分均值自动比较", "定量", min=2, max=30, when=ITEMS)
        diagonal: str = choice("对角线", {"half": "0.5", "zero": "0"})

    result = Table("优序图权重", item=text("指标"), mean=num("评分均值", when=ITEMS), ttl=num("TTL 指标得分", least=0),
                   weight=percent("权重"), rank=integer("排名"), place="main")  # fmt: skip
    plot = Chart("权重条形图", "bar", of=result, x="item", y="weight", place="main")
    chart = Table("优序图矩阵", layout=Matrix(value=num("优序值")), item=text("指标"), place="detail")
    consistency = Table("一致性", n=integer("指标"), triads=integer("循环三元组"), most=integer("最多可能"),
                        zeta=num("一致性系数 ζ", most=1), layout="record", place="detail")  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        names, values, means = _items(form) if form.source == "items" else _typed(form)
        np.fill_diagonal(values, 0.5 if form.diagonal == "half" else 0.0)
        ttl = values.sum(axis=1)
        weights = ttl / ttl.sum()
        for k, name in enumerate(names):
            report.row(cls.result, item=name, mean=None if means is None else means[k], ttl=ttl[k], weight=weights[k],
                       rank=ranked(weights)[k])  # fmt: skip
            for j, other in enumerate(names):
                report.row(cls.chart, item=name, against=other, value=values[k, j])
        report.chart(cls.plot)
        n, triads = len(names), circular_triads(values + 0.5)
        most = round((n**3 - n) / 24 if n % 2 else (n**3 - 4 * n) / 24)
        zeta = 1 - triads / most if n > 2 else None
        report.row(cls.consistency, n=n, triads=triads, most=most, zeta=zeta)
        _words(report, form, names, weights, triads, zeta)
        return report


def _typed(form: Any) -> tuple[list[str], Floats, Any]:
    if form.matrix is None:
        raise Refusal("matrix.required", "请填写“优序矩阵”", field="matrix")
    values = form.matrix.values.copy()
    wrong = np.argwhere(~np.isin(np.round(values, 9), (0.0, 0.5, 1.0)))
    if len(wrong):
        i, j = (int(k) for k in wrong[0])
        text_ = (
            f"“{form.matrix.rows[i]}”对“{form.matrix.rows[j]}”是 {values[i, j]:g}，只能填 1（更重要）、0.5（同样）"
            f"或 0（不如）。"
            "要表示重要几倍，请用层次分析法"
        )
        raise Refusal("data.value", text_, field="matrix")
    return list(form.matrix.rows), values, None


def _items(form: Any) -> tuple[list[str], Floats, Floats]:
    means = np.array([column.numbers.mean() for column in form.items])
    return [column.title for column in form.items], beaten(means), means


def _words(report: Report, form: Any, names: list[str], weights: Floats, triads: int, zeta: float | None) -> None:
    order = np.argsort(-weights, kind="stable")
    facts: dict[str, Any] = {
        "n": len(names), "first": names[order[0]], "high": weights[order[0]], "last": names[order[-1]],
        "low": weights[order[-1]], "triads": triads, "zeta": zeta,
    }  # fmt: skip
    if np.isclose(facts["high"], facts["low"]):
        lead = "{n:integer} 个指标的权重相同，各为 {high:percent}。"
    else:
        lead = "权重最大的是“{first}”（{high:percent}），最小的是“{last}”（{low:percent}）。"
    report.lead(lead, [figure("最大权重", "{high:percent}", "{first}")], **facts)
    if zeta is None:
        report.check("前后一致", "pass", "只有两个指标，比较总是一致。")
    elif triads == 0:
        report.check("前后一致", "pass", "没有循环（甲胜乙、乙胜丙、丙又胜甲），比较前后一致。")
    else:
        text_ = "有 {triads:integer} 组循环（甲胜乙、乙胜丙、丙又胜甲），一致性系数 ζ = {zeta:num}，请核对比较。"
        report.check("前后一致", "care" if zeta >= 0.5 else "fail", text_, **facts)
    each = {f"w{i}": weights[k] for i, k in enumerate(order)}
    listed = "、".join(f"{names[k].translate(SAFE)}（{{w{i}:percent}}）" for i, k in enumerate(order))
    report.say(f"采用优序图法计算 {{n:integer}} 个指标的权重：{listed}。", voice="paper", **facts, **each)
    report.say("优序图只用谁比谁重要，不用重要几倍，所以权重只由名次决定，相邻名次的差距都一样。", voice="student")
