"""A network read from a table of edges, one a row, and how it is drawn with its answer marked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from hengxi.contract import Chart, Column, Method, Points, Refusal, Report, level, num, role, text

LARGEST = 1e15
DRAWN_NODES, DRAWN_EDGES = 80, 400
NAMED = 5
Join = Literal["min", "max", "sum"]
JOINED = {"min": "取最小的一条", "max": "取最大的一条", "sum": "容量相加"}


def from_role() -> Any:
    return role("起点列", "任意")


def to_role() -> Any:
    return role("终点列", "任意")


def node(title: str, auto: Any = None, hint: str | None = None) -> Any:
    """A node, chosen among the values of both columns."""
    return level(title, of=("from_node", "to_node"), auto=auto, hint=hint)


@dataclass(frozen=True)
class Edge:
    """From node `a` to node `b` (their places in the graph); `row` of the file."""

    a: int
    b: int
    weight: float
    row: int
    cost: float = 0.0


@dataclass
class Graph:
    """Nodes in the order of their stored values, so that neither rows nor names decide ties."""

    names: list[str]
    values: list[Any]
    edges: list[Edge]
    directed: bool
    rows: int
    loops: list[int]
    """Rows left out because they begin and end at one node."""
    repeated: list[int]
    """Rows joined with an earlier one between the same nodes."""

    def at(self, chosen: Any, key: str, title: str) -> int:
        """The place of a node chosen in field `key`; the first where none was (a table of very many nodes)."""
        if chosen is None:
            return 0
        for k, value in enumerate(self.values):
            if isinstance(value, str) == isinstance(chosen.value, str) and value == chosen.value:
                return k
        raise Refusal("data.node", f"找不到{title}“{chosen.label}”：它没有出现在任何一条边上", field=key)

    def steps(self) -> list[list[tuple[int, float, int]]]:
        """Of each node: neighbour, weight, place of the edge; an undirected edge goes both ways."""
        out: list[list[tuple[int, float, int]]] = [[] for _ in self.names]
        for k, edge in enumerate(self.edges):
            out[edge.a].append((edge.b, edge.weight, k))
            if not self.directed:
                out[edge.b].append((edge.a, edge.weight, k))
        return [sorted(one) for one in out]

    def label(self, edge: Edge) -> str:
        return f"{self.names[edge.a]} {'→' if self.directed else '—'} {self.names[edge.b]}"


def read(
    form: Any, amount: Column, word: str, *, directed: bool, join: Join, key: str, cost: Column | None = None,
    least: float | None = None,
) -> Graph:  # fmt: skip
    """The network of a form with `from_node` and `to_node`; gaps and impossible numbers are refused with their row.

    `word`: what the numbers of `amount` (field `key`) are called; `least`: the least that is allowed.
    """
    ends = (form.from_node, form.to_node)
    places, names, values = _nodes(ends)
    numbers = amount.numbers
    costs = None if cost is None else cost.numbers
    edges: list[Edge] = []
    loops: list[int] = []
    rows = 0
    for i, row in enumerate(amount.row_numbers.tolist()):
        a, b = (int(place[i]) for place in places)
        if a < 0 and b < 0 and not np.isfinite(numbers[i]):
            continue
        rows += 1
        if a < 0 or b < 0:
            which = ends[0] if a < 0 else ends[1]
            text_ = "第 {at} 行缺少“{v}”，请补上或删去这一行"
            raise Refusal("data.gap", text_, at=row, v=which.title, column=which.id, field="from_node")
        if a == b:
            loops.append(row)
            continue
        _judge(numbers[i], row, word, amount, key, least)
        if costs is not None and cost is not None:
            _judge(costs[i], row, "单位费用", cost, "cost", None)
        edges.append(Edge(a, b, float(numbers[i]), row, 0.0 if costs is None else float(costs[i])))
    if not edges:
        raise Refusal("data.few", "没有一条边：至少需要 2 个结点和连接它们的一条边", field="from_node")
    kept, repeated = (edges, []) if costs is not None else _joined(edges, directed, join)
    kept.sort(key=lambda e: (*_ends(e, directed), e.weight, e.cost))
    return Graph(names, values, kept, directed, rows, loops, repeated)


def _judge(value: float, row: int, word: str, column: Column, key: str, least: float | None) -> None:
    about: dict[str, Any] = {"field": key, "column": column.id, "at": row}
    if not np.isfinite(value):
        raise Refusal("data.gap", f"第 {{at}} 行缺少{word}，请补上或删去这一行", **about)
    if abs(value) > LARGEST:
        raise Refusal("data.magnitude", f"第 {{at}} 行的{word}太大，请换一个单位", **about)
    if least is not None and value < least:
        raise Refusal("data.negative", f"第 {{at}} 行的{word}为负，请核对", **about)


def _nodes(columns: tuple[Column, Column]) -> tuple[list[Any], list[str], list[Any]]:
    """Places of both ends in each row (−1 missing), names and stored values of the nodes."""
    labels: dict[tuple[bool, Any], str] = {}
    for column in columns:
        for one in column.levels:
            labels.setdefault((isinstance(one.value, str), one.value), one.label)
    order = sorted(labels)
    place = {key: k for k, key in enumerate(order)}
    found = []
    for column in columns:
        own = np.array([place[isinstance(one.value, str), one.value] for one in column.levels] + [-1], dtype=int)
        found.append(own[column.codes])
    names = [labels[key] for key in order]
    # Two nodes of one label are told apart by what is stored.
    often = Counter(names)
    names = [name if often[name] == 1 else f"{name}（{key[1]}）" for name, key in zip(names, order, strict=True)]
    return found, names, [key[1] for key in order]


def _ends(edge: Edge, directed: bool) -> tuple[int, int]:
    return (edge.a, edge.b) if directed else (min(edge.a, edge.b), max(edge.a, edge.b))


def _joined(edges: list[Edge], directed: bool, join: Join) -> tuple[list[Edge], list[int]]:
    held: dict[tuple[int, int], Edge] = {}
    repeated: list[int] = []
    for edge in edges:
        key = _ends(edge, directed)
        first = held.get(key)
        if first is None:
            held[key] = edge
            continue
        repeated.append(edge.row)
        weights = (first.weight, edge.weight)
        chosen = {"min": min, "max": max, "sum": sum}[join](weights)  # type: ignore[operator]
        held[key] = replace(first, weight=float(chosen))
    return list(held.values()), repeated


def notices(report: Report, graph: Graph, join: Join) -> None:
    """What was left out or joined."""
    report.used(graph.rows)
    if graph.loops:
        some = "、".join(f"{row}" for row in graph.loops[:NAMED])
        more = "等" if len(graph.loops) > NAMED else ""
        report.warn("data.loop", f"起点与终点相同的边已忽略：第 {some} 行{more}。", rows=graph.loops)
    if graph.repeated:
        some = "、".join(f"{row}" for row in graph.repeated[:NAMED])
        more = "等" if len(graph.repeated) > NAMED else ""
        text_ = f"同一对结点之间有几条边，{JOINED[join]}：第 {some} 行{more}与前面重复。"
        report.warn("data.repeated", text_, rows=graph.repeated)


class Network(Method):
    """Methods on a network: the figure comes after the tables of the member."""

    family = "数学建模"
    missing = "keep"

    node_points = Points("结点", id=text("编号"), label=text("结点"), group=text("类别"))
    edge_points = Points("边", source=text("从"), target=text("到"), text=text("数值"), mark=text("标记"),
                         ends=text("箭头"), weight=num("粗细"))  # fmt: skip
    net = Chart("网络图", "network", nodes=node_points, edges=edge_points, group="group", text="text", mark="mark",
                ends="ends", weight="weight", place="main")  # fmt: skip

    @classmethod
    def elements(cls) -> dict[str, Any]:
        """The member's tables first."""
        found = super().elements()
        shared = ("node_points", "edge_points", "net")
        return {**{k: v for k, v in found.items() if k not in shared}, **{k: found[k] for k in shared}}

    @classmethod
    def draw(
        cls, report: Report, graph: Graph, marks: Mapping[int, str], groups: Mapping[int, str], other: str,
        texts: Mapping[int, str] | None = None, widths: Mapping[int, float] | None = None,
    ) -> None:  # fmt: skip
        """`marks`: place of an edge → what it is; `groups`: node → its kind, all others are `other`."""
        shown = set(range(len(graph.names)))
        kept = list(range(len(graph.edges)))
        if len(shown) > DRAWN_NODES or len(kept) > DRAWN_EDGES:
            kept = [k for k in kept if k in marks]
            shown = {end for k in kept for end in (graph.edges[k].a, graph.edges[k].b)} | set(groups)
            if len(shown) > DRAWN_NODES or len(kept) > DRAWN_EDGES or not kept:
                for element in (cls.node_points, cls.edge_points, cls.net):
                    report.skip(element, f"结点超过 {DRAWN_NODES} 个，图上看不清")
                return
            report.note(cls.net, "网络太大，只画出结果用到的结点和边。")
        for k in sorted(shown):
            report.row(cls.node_points, id=str(k), label=graph.names[k], group=groups.get(k, other))
        for k in kept:
            edge = graph.edges[k]
            words = f"{edge.weight:g}" if texts is None else texts.get(k, "")
            width = None if widths is None else widths.get(k, 0.0)
            report.row(cls.edge_points, source=str(edge.a), target=str(edge.b), text=words, mark=marks.get(k, ""),
                       ends="→" if graph.directed else "", weight=width)  # fmt: skip
