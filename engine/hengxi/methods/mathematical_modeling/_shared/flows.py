"""Flows from one node to another: the largest with its smallest cut, and the cheapest of a given size."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hengxi.contract import Refusal

from .graph import Graph

Floats = npt.NDArray[np.float64]
SMALL = 1e-9
SHOWN_EDGES = 30


@dataclass(frozen=True)
class Step:
    """One augmenting way: nodes, and how much goes along it."""

    way: list[int]
    amount: float


def largest(graph: Graph, source: int, sink: int) -> tuple[Floats, list[Step] | None]:
    """A flow of the largest value, by edge; of a small network the augmenting ways too (Edmonds & Karp 1972)."""
    if len(graph.edges) <= SHOWN_EDGES:
        return _augmented(graph, source, sink)
    import networkx as nx

    made: Any = nx.DiGraph()
    made.add_nodes_from(range(len(graph.names)))
    for edge in graph.edges:
        held = made[edge.a][edge.b]["capacity"] if made.has_edge(edge.a, edge.b) else 0.0
        made.add_edge(edge.a, edge.b, capacity=held + edge.weight)
    way: Any = nx.algorithms.flow.preflow_push
    _, flows = nx.maximum_flow(made, source, sink, flow_func=way)
    left = {(a, b): float(f) for a, out in flows.items() for b, f in out.items()}
    found = np.zeros(len(graph.edges))
    for k, edge in enumerate(graph.edges):
        found[k] = min(edge.weight, left[edge.a, edge.b])
        left[edge.a, edge.b] -= found[k]
    return whole(found), None


def _augmented(graph: Graph, source: int, sink: int) -> tuple[Floats, list[Step]]:
    flow = np.zeros(len(graph.edges))
    steps: list[Step] = []
    while True:
        last = _search(graph, flow, source)
        if sink not in last:
            return whole(flow), steps
        way, amount, here = [sink], np.inf, sink
        while here != source:
            here, _, room, _ = last[here]
            amount = min(amount, room)
            way.append(here)
        here = sink
        while here != source:
            here, k, _, sign = last[here]
            flow[k] += sign * amount
        steps.append(Step(way[::-1], float(amount)))


def _search(graph: Graph, flow: Floats, source: int) -> dict[int, tuple[int, int, float, float]]:
    """What can still be reached, fewest edges first: node before, edge, room left, +1 along it or −1 against it."""
    scale = SMALL * max(1.0, max(edge.weight for edge in graph.edges))
    ahead: list[list[tuple[int, int, float, float]]] = [[] for _ in graph.names]
    for k, edge in enumerate(graph.edges):
        if edge.weight - flow[k] > scale:
            ahead[edge.a].append((edge.b, k, edge.weight - flow[k], 1.0))
        if flow[k] > scale:
            ahead[edge.b].append((edge.a, k, flow[k], -1.0))
    last: dict[int, tuple[int, int, float, float]] = {source: (source, -1, np.inf, 0.0)}
    waiting = deque([source])
    while waiting:
        here = waiting.popleft()
        for other, k, room, sign in sorted(ahead[here]):
            if other not in last:
                last[other] = (here, k, room, sign)
                waiting.append(other)
    return last


def cut(graph: Graph, flow: Floats, source: int) -> tuple[set[int], list[int]]:
    """Nodes on the source's side of a smallest cut, and the edges that leave them."""
    side = set(_search(graph, flow, source))
    return side, [k for k, edge in enumerate(graph.edges) if edge.a in side and edge.b not in side]


def cheapest(graph: Graph, source: int, sink: int, amount: float) -> Floats:
    """The cheapest flow of `amount`, by edge: a linear program, solved by HiGHS."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_array

    n, m = len(graph.names), len(graph.edges)
    tails = [edge.a for edge in graph.edges]
    heads = [edge.b for edge in graph.edges]
    balance = csr_array(
        (np.r_[np.ones(m), -np.ones(m)], (np.r_[tails, heads], np.r_[np.arange(m), np.arange(m)])), shape=(n, m)
    )
    side = np.zeros(n)
    side[source], side[sink] = amount, -amount
    found = linprog(
        [edge.cost for edge in graph.edges], A_eq=balance, b_eq=side, bounds=[(0, edge.weight) for edge in graph.edges],
        method="highs-ds",
    )  # fmt: skip
    if found.status != 0:
        raise Refusal("data.infeasible", "没有求到给定流量的方案，请核对容量", field="amount")
    return whole(np.asarray(found.x))


def whole(flow: Floats) -> Floats:
    """Without the last digits of rounding: what is almost whole is whole."""
    near = np.round(flow)
    return np.where(np.abs(flow - near) <= 1e-9 * np.maximum(1.0, np.abs(flow)), near, flow) + 0.0
