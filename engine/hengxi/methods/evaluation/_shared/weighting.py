"""The base of methods that weigh indicators: scores of the objects, sentences, and rankings opened with the weights.

A member declares `Input` (of `Directed` or `Listed`), its table `result` with a column `weight`, the bar chart, and its
words; its `run` reads the data, computes, and ends with `cls.finish(…)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from hengxi.contract import Chart, Method, NewColumns, NextStep, Points, Report, Table, figure, flag, integer, num, text
from hengxi.contract.limits import Limit

from .indicators import DIRECTED, Data, Directed, Floats, Listed, ranked
from .weigh import settings_rows

TOP = 30
SAFE = str.maketrans({"{": "（", "}": "）"})


class DirectedForm(Directed):
    """`Directed`, with the scores kept on demand."""

    save_score: bool = flag("保存综合得分", False, advanced=True)


class ListedForm(Listed):
    save_score: bool = flag("保存综合得分", False, advanced=True)


class Weighting(Method):
    """Weights of indicators from the data."""

    family = "权重计算"
    limits: ClassVar[Sequence[Limit]] = DIRECTED

    scores = Table(
        "综合得分", object=text("评价对象"), score=num("综合得分"), rank=integer("排名"), place="detail"
    )  # fmt: skip
    best = Points("得分最高的对象", object=text("评价对象"), score=num("综合得分"))
    ladder = Chart(f"综合得分（最多 {TOP} 个）", "bar", of=best, x="object", y="score", place="detail")
    saved = NewColumns("综合得分（新变量）", when={"save_score": True})

    @classmethod
    def finish(
        cls, report: Report, form: Any, data: Data, weights: Floats, scaled: Floats, *, how: str, student: str,
    ) -> None:  # fmt: skip
        """Scores Σ w·z of the objects, the sentences, the way into rankings. `how`: the method as a paper names it."""
        values = scaled @ weights
        cls.score(report, form, data, values)
        say_weights(report, data, weights, how, student)
        for step in rankings(form, data, weights):
            report.follow(step)

    @classmethod
    def score(cls, report: Report, form: Any, data: Data, values: Floats) -> None:
        ranks = ranked(values)
        columns = {"object": data.objects, "score": values, "rank": np.array(ranks)}
        report.add_rows(cls.scores, columns)
        order = np.argsort(-values, kind="stable")[:TOP]
        for k in order:
            report.row(cls.best, object=data.objects[k], score=values[k])
        report.note(cls.scores, "综合得分是各指标处理后的值乘以权重再相加；得分相同的名次相同。")
        if form.save_score:
            report.columns(cls.saved, {"综合得分": values})


def say_weights(report: Report, data: Data, weights: Floats, how: str, student: str) -> None:
    order = np.argsort(-weights, kind="stable")
    high, low = order[0], order[-1]
    facts: dict[str, Any] = {
        "m": data.m, "n": data.n, "first": data.names[high], "high": weights[high], "last": data.names[low],
        "low": weights[low],
    }  # fmt: skip
    if np.isclose(weights[high], weights[low], rtol=1e-9):
        lead = "{m:integer} 个指标的权重相同，各为 {high:percent}。"
    else:
        lead = "{m:integer} 个指标里权重最大的是“{first}”（{high:percent}），最小的是“{last}”（{low:percent}）。"
    report.lead(lead, [figure("最大权重", "{high:percent}", "{first}")], **facts)
    if data.n <= data.m:
        text_ = "只有 {n:integer} 个对象、{m:integer} 个指标：换几个对象，权重可能变化很大。"
        report.check("对象个数", "care", text_, **facts)
    else:
        report.check("对象个数", "pass", "{n:integer} 个对象，多于 {m:integer} 个指标。", **facts)
    each = {f"w{k}": weights[j] for k, j in enumerate(order)}
    listed = "、".join(f"{data.names[j].translate(SAFE)}（{{w{k}:percent}}）" for k, j in enumerate(order))
    report.say(
        f"采用{how}计算 {{m:integer}} 个指标的权重（{{n:integer}} 个对象）：{listed}。", voice="paper", **facts, **each
    )
    report.say(student, voice="student")


def rankings(form: Any, data: Data, weights: Floats) -> list[NextStep]:
    """Rankings of the same indicators, opened with these weights."""
    shared = _boxes(form, data) | {"weight_source": "manual", "weights_value": settings_rows(data, weights)}
    plain = {key: value for key, value in shared.items() if key not in ("moderate", "best")}
    steps = [
        NextStep(title="用这组权重做 TOPSIS 排序", method="evaluation/topsis", form=shared),
        NextStep(title="用这组权重做 VIKOR 排序", method="evaluation/vikor", form=shared),
    ]
    if "moderate" not in shared:
        steps.append(NextStep(title="用这组权重做秩和比（WRSR）", method="evaluation/rsr", form=plain))
    return steps


def _boxes(form: Any, data: Data) -> dict[str, Any]:
    by: dict[str, list[str]] = {"high": [], "low": [], "interval": []}
    for one in data.indicators:
        by[one.kind].append(one.column.id)
    found: dict[str, Any] = {"positive": by["high"], "negative": by["low"]}
    if by["interval"]:
        ends = [one for one in data.indicators if one.kind == "interval"]
        found |= {
            "moderate": by["interval"],
            "best": [{"for": one.column.id, "low": one.low, "high": one.high} for one in ends],
        }
    if form.label is not None:
        found["label"] = form.label.id
    return found


def bars(report: Report, rows: Sequence[dict[str, Any]], table: Table) -> None:
    for row in rows:
        report.row(table, **row)
