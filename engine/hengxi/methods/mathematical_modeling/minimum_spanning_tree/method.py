from __future__ import annotations

import heapq
from typing import Any

from hengxi.contract import Column, Form, Level, Refusal, Report, Table, choice, figure, flag, integer, num, role, text
from hengxi.contract.refusal import NextStep
from hengxi.methods.mathematical_modeling._shared.graph import (
    Edge,
    Graph,
    Network,
    from_role,
    node,
    notices,
    read,
    to_role,
)

ALGORITHMS = {"kruskal": "Kruskal", "prim": "Prim"}
LISTED, SHOWN = 200, 1000
CLOSE = 1e-9


class MinimumSpanningTree(Network):
    """The cheapest edges that connect all nodes, how each was taken or left, and whether they are the only ones."""

    title, title_en = "最小生成树", "Minimum spanning tree"
    slug = "minimum-spanning-tree"
    purpose = "用总长度最短的边把网络中所有结点连通"
    aliases = ("生成树", "MST", "Kruskal", "Prim", "布线", "连通")
    references = ("kruskal1956", "prim1957", "hillier2015")
    conventions = (
        "边没有方向；同一对结点之间有几条边时取权最小的一条（求最大生成树时取最大的）。",
        "权相等的边按结点的次序先后考虑。",
        "可替换：不在树上的一条边，与它和树构成的回路上权最大的边相等，换上它总权重不变。",
        "网络不连通时求每个连通分量的生成树，合起来是生成森林。",
    )

    class Input(Form):
        from_node: Column = from_role()
        to_node: Column = to_role()
        weight: Column = role("边权", "定量")
        algorithm: str = choice("算法", ALGORITHMS)
        maximum: bool = flag("求最大生成树", False)
        start: Level | None = node("起点", auto="first", hint="Prim 从它开始")

    total = Table("结果", value=num("总权重"), edges=integer("边数"), nodes=integer("结点数"), 
                  parts=integer("连通分量"), layout="record", place="main")  # fmt: skip
    tree = Table("生成树的边", order=integer("次序"), edge=text("边"), weight=num("权"), running=num("累计"),
                 place="main")  # fmt: skip
    steps = Table("取舍过程", step=integer("次序"), edge=text("边"), weight=num("权"), fate=text("取舍"),
                  why=text("理由"), place="detail")  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        join = "max" if form.maximum else "min"
        graph = read(form, form.weight, "边权", directed=False, join=join, key="weight")  # type: ignore[arg-type]
        if len(graph.names) < 2:
            raise Refusal("data.few", "至少需要 2 个结点", field="from_node")
        start = graph.at(form.start, "start", "起点")
        notices(report, graph, join)  # type: ignore[arg-type]
        sign = -1.0 if form.maximum else 1.0
        kruskal = form.algorithm == "kruskal"
        taken, said = _kruskal(graph, sign) if kruskal else _prim(graph, sign, start)
        running = 0.0
        for order, k in enumerate(taken, 1):
            running += graph.edges[k].weight
            if order <= SHOWN:
                report.row(cls.tree, order=order, edge=graph.label(graph.edges[k]), weight=graph.edges[k].weight,
                           running=running)  # fmt: skip
        parts = len(graph.names) - len(taken)
        report.row(cls.total, value=running, edges=len(taken), nodes=len(graph.names), parts=parts)
        for step, (k, fate, why) in enumerate(said[:LISTED], 1):
            report.row(cls.steps, step=step, edge=graph.label(graph.edges[k]), weight=graph.edges[k].weight, fate=fate,
                       why=why)  # fmt: skip
        if len(said) > LISTED:
            report.note(cls.steps, f"只列出前 {LISTED} 步。")
        cls.draw(report, graph, dict.fromkeys(taken, "生成树"), {}, "结点")
        _words(report, form, graph, taken, parts, running)
        return report

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Any) -> list[NextStep]:
        held = {key: form[key] for key in ("from_node", "to_node", "weight")}
        return [NextStep(title="两点之间的最短路径", method="mathematical_modeling/shortest_path", form=held)]


def _kruskal(graph: Graph, sign: float) -> tuple[list[int], list[tuple[int, str, str]]]:
    """Places of the edges taken, in order, and every edge with its fate and the reason (Kruskal 1956)."""
    above = list(range(len(graph.names)))

    def root(k: int) -> int:
        while above[k] != k:
            above[k] = above[above[k]]
            k = above[k]
        return k

    taken: list[int] = []
    said: list[tuple[int, str, str]] = []
    for k in sorted(range(len(graph.edges)), key=lambda k: (sign * graph.edges[k].weight, k)):
        a, b = root(graph.edges[k].a), root(graph.edges[k].b)
        if a == b:
            said.append((k, "舍去", "与已取的边成环"))
            continue
        above[b] = a
        taken.append(k)
        said.append((k, "取", "连接两个分量"))
    return taken, said


def _prim(graph: Graph, sign: float, start: int) -> tuple[list[int], list[tuple[int, str, str]]]:
    """The same from one node on (Prim 1957); a part that cannot be reached begins at its first node."""
    steps = graph.steps()
    inside: set[int] = set()
    taken: list[int] = []
    said: list[tuple[int, str, str]] = []
    for begin in [start, *(k for k in range(len(graph.names)) if k != start)]:
        if begin in inside:
            continue
        inside.add(begin)
        heap = [(sign * w, k, other) for other, w, k in steps[begin]]
        heapq.heapify(heap)
        while heap:
            _, k, here = heapq.heappop(heap)
            if here in inside:
                if k not in taken:
                    said.append((k, "舍去", "两端都已在树上"))
                continue
            inside.add(here)
            taken.append(k)
            said.append((k, "取", f"离树最近的结点是 {graph.names[here]}"))
            for other, w, place in steps[here]:
                if other not in inside:
                    heapq.heappush(heap, (sign * w, place, other))
    return taken, said


def _exchangeable(graph: Graph, taken: list[int]) -> list[Edge]:
    """Edges outside the tree that may replace one of equal weight in it."""
    import networkx as nx

    tree = nx.Graph()
    tree.add_nodes_from(range(len(graph.names)))
    tree.add_weighted_edges_from((graph.edges[k].a, graph.edges[k].b, graph.edges[k].weight) for k in taken)
    # Nearest common ancestors by depth: the way between two nodes of a tree is climbed from both ends.
    above: dict[int, int] = {}
    depth: dict[int, int] = {}
    for part in nx.connected_components(tree):
        root = min(part)
        depth[root] = 0
        for a, b in nx.bfs_edges(tree, root):
            above[b], depth[b] = a, depth[a] + 1
    weight = {(a, b): w for a, b, w in tree.edges(data="weight")} | {(b, a): w for a, b, w in tree.edges(data="weight")}
    out = []
    for k in sorted(set(range(len(graph.edges))) - set(taken)):
        a, b = graph.edges[k].a, graph.edges[k].b
        on: list[float] = []
        while a != b:
            if depth[a] < depth[b]:
                a, b = b, a
            on.append(weight[a, above[a]])
            a = above[a]
        if any(abs(w - graph.edges[k].weight) <= CLOSE * max(1.0, abs(w)) for w in on):
            out.append(graph.edges[k])
    return out


def _words(report: Report, form: Any, graph: Graph, taken: list[int], parts: int, total: float) -> None:
    side = "最大" if form.maximum else "最小"
    facts: dict[str, Any] = {"w": total, "n": len(graph.names), "k": len(taken), "p": parts}
    if parts == 1:
        lead = f"{side}生成树的总权重是 {{w:num}}，用 {{k:integer}} 条边连通 {{n:integer}} 个结点。"
        report.lead(lead, [figure("总权重", "{w:num}")], **facts)
        report.check("连通", "pass", "网络是连通的。")
    else:
        lead = f"{side}生成森林的总权重是 {{w:num}}：网络分成 {{p:integer}} 个互不相连的部分。"
        report.lead(lead, [figure("总权重", "{w:num}")], **facts)
        report.check("连通", "care", "没有边连接这 {p:integer} 个部分，请核对是否漏了边。", p=parts)
    swaps = _exchangeable(graph, taken)
    if not swaps:
        report.check("唯一性", "pass", f"{side}生成树只有一棵。")
    else:
        names = "".join(f"“{graph.label(edge)}”" for edge in swaps[:5]) + ("等" if len(swaps) > 5 else "")
        report.check("唯一性", "care", "不唯一：用 {names} 替换树上等权的边，总权重不变。", names=names)
    report.say(
        f"采用 {ALGORITHMS[form.algorithm]} 算法求得{side}生成树，总权重为 {{w:num}}（{{n:integer}} 个结点，"
        "{m:integer} 条边）。", voice="paper", m=len(graph.edges), **facts,
    )  # fmt: skip
    report.say("生成树只保证连通，两点之间沿树走不一定最短。", voice="student")
