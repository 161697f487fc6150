from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from hengxi.contract import (
    Column,
    Form,
    Level,
    Matrix,
    Refusal,
    Report,
    Table,
    choice,
    figure,
    filled,
    flag,
    integer,
    num,
    role,
    text,
)
from hengxi.contract.refusal import NextStep
from hengxi.methods.mathematical_modeling._shared.graph import Graph, Network, from_role, node, notices, read, to_role
from hengxi.methods.mathematical_modeling._shared.shortest import (
    Label,
    all_ways,
    bellman_ford,
    dijkstra,
    floyd_warshall,
    k_shortest,
    one_way_each,
)

ALGORITHMS = {"dijkstra": "Dijkstra", "bellman_ford": "Bellman-Ford", "floyd": "Floyd-Warshall", "a_star": "A*"}
MARKED = {"algorithm": ("dijkstra", "a_star")}
MOST_TIES, MOST_ALL, MOST_STEPS, MOST_NODES = 50, 60, 30, 2000


class ShortestPath(Network):
    """The shortest ways from a node: to one other node with all ties, or to all."""

    title, title_en = "最短路径", "Shortest path"
    slug = "shortest-path"
    purpose = "在网络中求两点间或所有点间距离最短的路径"
    aliases = ("最短路", "Dijkstra", "Floyd", "Bellman-Ford", "A星", "路网", "导航")
    references = ("dijkstra1959", "floyd1962", "bellman1958", "yen1971", "hillier2015")
    conventions = (
        "长度相差不超过 1e-9（相对）的路径算一样短；并列时先列边数少的，再按结点的次序。",
        "有负的距离时改用 Bellman-Ford；无向图里负的边可以来回走，等于负权回路，不计算。",
        "A* 需要坐标才能估计剩余距离，边表里没有坐标，估计取 0，与 Dijkstra 相同。",
        "前 k 条路径不重复经过同一结点（Yen 算法），由 networkx 计算。",
        "同一对结点之间有几条边时取最短的一条。",
    )

    class Input(Form):
        from_node: Column = from_role()
        to_node: Column = to_role()
        weight: Column = role("距离/费用", "定量")
        directed: bool = flag("有向图", False)
        source: Level | None = node("源点", auto="first")
        target: Level | None = node("汇点", hint="空为到所有结点")
        algorithm: str = choice("算法", ALGORITHMS)
        k: int = integer("前 k 条最短路", 1, least=1, most=50, when={"target": filled})

    paths = Table(
        "最短路径", source=text("起点"), target=text("终点"), path=text("路径"), distance=num("总距离"),
        edges=integer("边数"), place="main",
    )  # fmt: skip
    ranked = Table("前 k 条路径", rank=integer("次序"), path=text("路径"), distance=num("总距离"),
                   longer=num("比最短多", least=0), edges=integer("边数"), place="main")  # fmt: skip
    distances = Table("距离矩阵", layout=Matrix(value=num("距离")), when={"algorithm": "floyd"}, place="main")
    steps = Table(
        "Dijkstra 标号过程", step=integer("次序"), node=text("永久标号的结点"), distance=num("距离"),
        before=text("前一结点"), open=text("临时标号"), when=MARKED, place="detail",
    )  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        graph = read(form, form.weight, "距离", directed=form.directed, join="min", key="weight")
        if len(graph.names) > MOST_NODES:
            raise Refusal("data.many", f"有 {{n}} 个结点，最多 {MOST_NODES} 个", field="from_node", n=len(graph.names))
        source = graph.at(form.source, "source", "源点")
        notices(report, graph, "min")
        far, labels, algorithm = cls._distances(report, form, graph, source)
        ways = one_way_each(graph, far, source)
        marks: dict[int, str] = {}
        groups = {source: "源点"}
        if form.target is None:
            cls._to_all(report, graph, source, far, ways, algorithm)
            report.skip(cls.ranked, "没有选汇点")
            for way in ways.values():
                marks |= dict.fromkeys(_edges(graph, way), "最短路")
        else:
            target = graph.at(form.target, "target", "汇点")
            way = cls._to_one(report, form, graph, (source, target), far, algorithm)
            marks = dict.fromkeys(_edges(graph, way), "最短路")
            groups |= dict.fromkeys(way[1:-1], "途经") | {target: "汇点"}
        cls._marking(report, graph, labels, algorithm)
        cls.draw(report, graph, marks, groups, "其他")
        return report

    # ---- distances -----------------------------------------------------------------------------------------------
    @classmethod
    def _distances(
        cls, report: Report, form: Any, graph: Graph, source: int
    ) -> tuple[np.ndarray[Any, Any], list[Label], str]:
        negative = any(edge.weight < 0 for edge in graph.edges)
        algorithm = str(form.algorithm)
        if negative:
            if not graph.directed:
                edge = next(edge for edge in graph.edges if edge.weight < 0)
                text_ = (
                    f"网络中存在负权回路：{graph.names[edge.a]} → {graph.names[edge.b]} → {graph.names[edge.a]}，"
                    "最短路不存在。无向图里负的边可以来回走；请改成有向图或核对距离"
                )
                raise Refusal("data.negative_cycle", text_, field="weight", row=edge.row)
            far, circle = bellman_ford(graph, source)
            if circle is not None:
                names = " → ".join(graph.names[k] for k in circle)
                text_ = f"网络中存在负权回路：{names}，最短路不存在。请核对这些边的距离"
                raise Refusal("data.negative_cycle", text_, field="weight")
        if algorithm in ("dijkstra", "a_star"):
            if negative:
                report.warn("data.negative", "有负的距离，已改用 Bellman-Ford 算法。")
                return far, [], "bellman_ford"
            return *dijkstra(graph, source), algorithm
        if algorithm == "bellman_ford":
            return bellman_ford(graph, source)[0], [], algorithm
        whole = floyd_warshall(graph)
        if (np.diag(whole) < -1e-9).any():
            text_ = "网络中存在负权回路（从源点到不了它），距离矩阵没有定义。请核对距离，或改用 Bellman-Ford"
            raise Refusal("data.negative_cycle", text_, field="weight")
        cls._matrix(report, graph, whole)
        return whole[source], [], algorithm

    @classmethod
    def _matrix(cls, report: Report, graph: Graph, whole: np.ndarray[Any, Any]) -> None:
        n = len(graph.names)
        if n > MOST_ALL:
            report.skip(cls.distances, f"只在结点不超过 {MOST_ALL} 个时给出")
            return
        for i in range(n):
            for j in range(n):
                report.row(cls.distances, item=graph.names[i], against=graph.names[j], value=float(whole[i, j]))
        report.note(cls.distances, "行是起点，列是终点；∞ 表示没有通路。")

    # ---- ways ----------------------------------------------------------------------------------------------------
    @classmethod
    def _to_all(
        cls, report: Report, graph: Graph, source: int, far: np.ndarray[Any, Any], ways: dict[int, list[int]],
        algorithm: str,
    ) -> None:  # fmt: skip
        others = [k for k in range(len(graph.names)) if k != source]
        reached = [k for k in others if k in ways]
        if not reached:
            text_ = f"从“{graph.names[source]}”出发没有通路到任何结点。请换一个源点，或核对边的方向"
            raise Refusal("data.unreachable", text_, field="source")
        for k in reached:
            report.row(cls.paths, source=graph.names[source], target=graph.names[k], path=_words(graph, ways[k]),
                       distance=float(far[k]), edges=len(ways[k]) - 1)  # fmt: skip
        report.note(cls.paths, "有并列时只列边数最少的一条；选定汇点可看到全部并列。")
        top = max(reached, key=lambda k: (far[k], -k))
        facts: dict[str, Any] = {"s": graph.names[source], "t": graph.names[top], "d": float(far[top])}
        report.lead(
            "从“{s}”出发，最远的是“{t}”，最短距离 {d:num}。", [figure("最远的最短距离", "{d:num}", "{t}")], **facts
        )
        _reach(report, graph, [k for k in others if k not in ways], source)
        report.say(
            f"采用 {ALGORITHMS[algorithm]} 算法，求得从{{s}}到 {{n:integer}} 个结点的最短路径（{{m:integer}} 条边）。",
            voice="paper", s=graph.names[source], n=len(reached), m=len(graph.edges),
        )  # fmt: skip

    @classmethod
    def _to_one(
        cls, report: Report, form: Any, graph: Graph, ends: tuple[int, int], far: np.ndarray[Any, Any], algorithm: str
    ) -> list[int]:
        source, target = ends
        names = (graph.names[source], graph.names[target])
        if source == target:
            raise Refusal("data.same", "源点与汇点不能相同，请换一个", field="target")
        if not np.isfinite(far[target]):
            text_ = f"“{names[0]}”到“{names[1]}”没有通路。请核对边的方向，或换一个结点"
            raise Refusal("data.unreachable", text_, field="target")
        ties, whole = all_ways(graph, far, source, target, MOST_TIES)
        for way in ties:
            report.row(cls.paths, source=names[0], target=names[1], path=_words(graph, way),
                       distance=float(far[target]), edges=len(way) - 1)  # fmt: skip
        facts: dict[str, Any] = {"s": names[0], "t": names[1], "d": float(far[target]), "w": _words(graph, ties[0])}
        report.lead("“{s}”到“{t}”的最短距离是 {d:num}：{w}。", [figure("最短距离", "{d:num}")], **facts)
        if len(ties) == 1:
            report.check("唯一性", "pass", "最短路径只有一条。")
        elif whole:
            report.check("唯一性", "care", "有 {n:integer} 条路径一样短，都列在表里，可以按其他考虑选。", n=len(ties))
        else:
            report.check("唯一性", "care", f"一样短的路径超过 {MOST_TIES} 条，只列出 {MOST_TIES} 条。")
        cls._k(report, form, graph, ends, float(far[target]))
        report.say(
            f"采用 {ALGORITHMS[algorithm]} 算法，求得{{s}}到{{t}}的最短路径，长度为 {{d:num}}（{{n:integer}} 个结点、"
            "{m:integer} 条边）。", voice="paper", n=len(graph.names), m=len(graph.edges), **facts,
        )  # fmt: skip
        return ties[0]

    @classmethod
    def _k(cls, report: Report, form: Any, graph: Graph, ends: tuple[int, int], best: float) -> None:
        if form.k is None or form.k == 1:
            report.skip(cls.ranked, "前 k 条最短路的 k 是 1")
            return
        if any(edge.weight < 0 for edge in graph.edges):
            report.skip(cls.ranked, "有负的距离")
            return
        found = k_shortest(graph, *ends, form.k)
        for rank, (length, way) in enumerate(found, 1):
            report.row(cls.ranked, rank=rank, path=_words(graph, way), distance=length, longer=max(0.0, length - best),
                       edges=len(way) - 1)  # fmt: skip
        if len(found) < form.k:
            report.note(cls.ranked, "不重复经过结点的路径只有 {n:integer} 条。", n=len(found))

    @classmethod
    def _marking(cls, report: Report, graph: Graph, labels: list[Label], algorithm: str) -> None:
        if algorithm not in MARKED["algorithm"]:
            report.skip(cls.steps, "用的不是 Dijkstra 算法")
            return
        if not labels:
            report.skip(cls.steps, f"只在结点不超过 {MOST_STEPS} 个时给出")
            return
        for step, one in enumerate(labels, 1):
            open_ = "，".join(f"{graph.names[k]} {d:.6g}" for k, d in one.open.items())
            before = "—" if one.before is None else graph.names[one.before]
            report.row(cls.steps, step=step, node=graph.names[one.node], distance=one.distance, before=before,
                       open=open_ or "—")  # fmt: skip
        report.note(cls.steps, "每一步把临时标号里距离最小的结点改为永久标号。")

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Any) -> list[NextStep]:
        held = {key: form[key] for key in ("from_node", "to_node", "weight")}
        return [
            NextStep(title="用最短的边连通所有结点", method="mathematical_modeling/minimum_spanning_tree", form=held)
        ]


def _reach(report: Report, graph: Graph, out: list[int], source: int) -> None:
    if not out:
        report.check("连通", "pass", "从“{s}”可以到达所有结点。", s=graph.names[source])
        return
    names = "、".join(graph.names[k] for k in out[:5]) + ("等" if len(out) > 5 else "")
    report.check("连通", "care", "有 {n:integer} 个结点到不了：{names}。", n=len(out), names=names)


def _words(graph: Graph, way: list[int]) -> str:
    return " → ".join(graph.names[k] for k in way)


def _edges(graph: Graph, way: list[int]) -> list[int]:
    """Places of the edges along a way."""
    at: dict[tuple[int, int], int] = {}
    for k, edge in enumerate(graph.edges):
        at[edge.a, edge.b] = k
        if not graph.directed:
            at[edge.b, edge.a] = k
    return [at[a, b] for a, b in itertools.pairwise(way)]
