from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Column,
    Form,
    Level,
    Refusal,
    Report,
    Table,
    choice,
    figure,
    filled,
    integer,
    num,
    number,
    percent,
    role,
    text,
)
from hengxi.methods.mathematical_modeling._shared.flows import SHOWN_EDGES, Floats, Step, cheapest, cut, largest
from hengxi.methods.mathematical_modeling._shared.graph import Graph, Network, from_role, node, notices, read, to_role

GOALS = {"max": "最大流", "cheapest_max": "最小费用最大流", "amount": "给定流量的最小费用"}
COSTED = {"cost": filled}
LISTED = 1000


class MaxFlow(Network):
    """The largest flow through a network with the cut that limits it, or the cheapest flow of a given size."""

    title, title_en = "最大流与最小费用流", "Maximum flow and minimum-cost flow"
    slug, tier = "max-flow", "member"
    purpose = "求网络从源到汇的最大流量、最小割，或最小费用的流量方案"
    aliases = ("网络流", "最小割", "最小费用流", "增广路", "运力")
    references = ("ford1956", "edmonds1972", "huangfu2018", "hillier2015")
    conventions = (
        "边有方向；没有费用时，同一方向的几条边容量相加；有费用时各自算。",
        "边不超过 30 条时用增广路（Edmonds-Karp，每次取边数最少的一条），更多时用预流推进（networkx）。",
        "最小割取从源点在剩余网络里能到达的结点为一侧；割的容量等于最大流，这就是最优的证明。",
        "最小费用流是线性规划，由 HiGHS 求解；容量是整数时方案也是整数。",
    )

    class Input(Form):
        from_node: Column = from_role()
        to_node: Column = to_role()
        capacity: Column = role("容量", "定量")
        cost: Column | None = role("单位费用（选填）", "定量")
        source: Level | None = node("源点", auto="first")
        sink: Level | None = node("汇点", auto="last")
        goal: str = choice("目标", GOALS)
        amount: float | None = number("给定流量", None, least=0, most=1e9, when={"goal": "amount"})

    result = Table("结果", flow=num("流量", least=0), cost=num("总费用", when=COSTED), most=num("最大流", least=0),
                   cut=num("最小割的容量", least=0), layout="record", place="main")  # fmt: skip
    arcs = Table(
        "各边流量", edge=text("边"), capacity=num("容量", least=0), flow=num("流量", least=0), use=percent("利用率"),
        full=text("是否饱和"), unit=num("单位费用", when=COSTED), cost=num("费用", when=COSTED), place="main",
    )  # fmt: skip
    cuts = Table("最小割", edge=text("割边"), capacity=num("容量", least=0), place="main")
    steps = Table("增广路过程", step=integer("次序"), path=text("增广路"), amount=num("增加", least=0),
                  running=num("累计", least=0), place="detail")  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        if form.goal != "max" and form.cost is None:
            raise Refusal("data.cost", f"“{GOALS[form.goal]}”要有单位费用，请放入一列", field="cost", also=["goal"])
        graph = read(form, form.capacity, "容量", directed=True, join="sum", key="capacity", cost=form.cost, least=0)
        source, sink = graph.at(form.source, "source", "源点"), graph.at(form.sink, "sink", "汇点")
        if form.sink is None:
            sink = len(graph.names) - 1
        if source == sink:
            raise Refusal("data.same", "源点与汇点不能相同，请换一个", field="sink")
        notices(report, graph, "sum")
        flow, steps = largest(graph, source, sink)
        most = _value(graph, flow, source)
        side, edges = cut(graph, flow, source)
        ends = (graph.names[source], graph.names[sink])
        if most == 0:
            text_ = "最大流为 0：“{s}”到“{t}”没有通路，请核对边的方向和容量。"
            report.warn("data.unreachable", text_, s=ends[0], t=ends[1])
        if form.goal != "max":
            amount = _amount(form, most)
            flow, steps = cheapest(graph, source, sink, amount), None
        capacity = sum(graph.edges[k].weight for k in edges)
        total = float(sum(f * edge.cost for f, edge in zip(flow, graph.edges, strict=True)))
        costed: dict[str, Any] = {} if form.cost is None else {"cost": total}
        report.row(cls.result, flow=_value(graph, flow, source), most=most, cut=capacity, **costed)
        cls._arcs(report, form, graph, flow)
        cls._cut(report, graph, edges, capacity, most)
        cls._steps(report, form, graph, steps)
        groups = dict.fromkeys(side, "源点一侧") | {source: "源点", sink: "汇点"}
        texts = {k: f"{flow[k]:g}/{edge.weight:g}" for k, edge in enumerate(graph.edges)}
        if len(side) < len(graph.names):
            cls.draw(report, graph, dict.fromkeys(edges, "最小割"), groups, "汇点一侧", texts, dict(enumerate(flow)))
        _words(report, form, graph, flow, ends, (most, capacity, total), (source, sink), len(edges))
        return report

    @classmethod
    def _arcs(cls, report: Report, form: Any, graph: Graph, flow: Floats) -> None:
        for edge, f in list(zip(graph.edges, flow.tolist(), strict=True))[:LISTED]:
            full = edge.weight > 0 and f >= edge.weight * (1 - 1e-9)
            own: dict[str, Any] = {} if form.cost is None else {"unit": edge.cost, "cost": edge.cost * f}
            use = min(1.0, f / edge.weight) if edge.weight > 0 else None
            report.row(cls.arcs, edge=graph.label(edge), capacity=edge.weight, flow=f, use=use,
                       full="是" if full else "否", **own)  # fmt: skip
        if any(edge.weight == 0 for edge in graph.edges):
            report.note(cls.arcs, "容量为 0 的边没有利用率。")

    @classmethod
    def _cut(cls, report: Report, graph: Graph, edges: list[int], capacity: float, most: float) -> None:
        if not edges:
            report.skip(cls.cuts, "源点一侧没有边通向汇点一侧")
            return
        for k in edges:
            report.row(cls.cuts, edge=graph.label(graph.edges[k]), capacity=graph.edges[k].weight)
        report.row(cls.cuts, edge="合计", capacity=capacity, total=True)
        report.note(cls.cuts, "去掉这些边，源点就不能到汇点；要增加流量，先扩大它们。")

    @classmethod
    def _steps(cls, report: Report, form: Any, graph: Graph, steps: list[Step] | None) -> None:
        if steps is None:
            why = f"只在边不超过 {SHOWN_EDGES} 条时给出" if form.goal == "max" else "只在求最大流时给出"
            report.skip(cls.steps, why)
            return
        if not steps:
            report.skip(cls.steps, "没有增广路")
            return
        running = 0.0
        for step, one in enumerate(steps, 1):
            running += one.amount
            path = " → ".join(graph.names[k] for k in one.way)
            report.row(cls.steps, step=step, path=path, amount=one.amount, running=running)
        report.note(cls.steps, "增广路可以逆着已有的流走：把那条边的流量退回一部分。")


def _value(graph: Graph, flow: Floats, node_: int) -> float:
    """What leaves a node beyond what comes in."""
    out = sum(f for f, edge in zip(flow, graph.edges, strict=True) if edge.a == node_)
    into = sum(f for f, edge in zip(flow, graph.edges, strict=True) if edge.b == node_)
    return float(out - into) + 0.0


def _amount(form: Any, most: float) -> float:
    if form.goal == "cheapest_max":
        return most
    if not form.amount:
        raise Refusal("data.amount", "请填写“给定流量”，要大于 0", field="amount")
    if form.amount > most * (1 + 1e-9):
        text_ = f"给定流量 {form.amount:g} 超过最大流 {most:g}，请改小"
        raise Refusal("data.amount", text_, field="amount")
    return float(min(form.amount, most))


def _words(
    report: Report, form: Any, graph: Graph, flow: Floats, ends: tuple[str, str], numbers: tuple[float, float, float],
    places: tuple[int, int], cut_edges: int,
) -> None:  # fmt: skip
    most, capacity, total = numbers
    sent = _value(graph, flow, places[0])
    facts: dict[str, Any] = {"s": ends[0], "t": ends[1], "f": sent, "c": total}
    if form.goal == "max":
        report.lead("“{s}”到“{t}”的最大流量是 {f:num}。", [figure("最大流", "{f:num}")], **facts)
    else:
        lead = "把 {f:num} 单位从“{s}”送到“{t}”，最少要花 {c:num}。"
        report.lead(lead, [figure("最小费用", "{c:num}", "流量 {f:num}")], **facts)
    if abs(most - capacity) <= 1e-9 * max(1.0, capacity):
        report.check("最大流 = 最小割", "pass", "最大流等于最小割的容量（{c:num}），证明不能再多。", c=capacity)
    else:
        report.check("最大流 = 最小割", "fail", "最大流与最小割的容量不相等，请换一个单位再算。")
    worst = max((abs(_value(graph, flow, k)) for k in range(len(graph.names)) if k not in places), default=0.0)
    scale = max(1.0, float(np.max(flow, initial=0.0)))
    if worst <= 1e-7 * scale:
        report.check("流量守恒", "pass", "中间每个结点流入等于流出。")
    else:
        report.check("流量守恒", "fail", "有结点流入不等于流出，请换一个单位再算。")
    if cut_edges:
        report.say("限制流量的是最小割上的 {k:integer} 条边。", k=cut_edges)
    report.say("同样的总量常有几种分配方式，表里是其中一种。", voice="student")
    how = GOALS[form.goal] + ("，费用为 {c:num}" if form.goal != "max" else "")
    report.say(
        f"在 {{n:integer}} 个结点、{{m:integer}} 条边的网络上求{{s}}到{{t}}的{how}，流量为 {{f:num}}。", voice="paper",
        n=len(graph.names), m=len(graph.edges), **facts,
    )  # fmt: skip
