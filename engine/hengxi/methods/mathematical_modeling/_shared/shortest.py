"""Shortest ways: distances, the edges that lie on some shortest way, and the ways themselves in a fixed order."""

from __future__ import annotations

import heapq
import itertools
from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .graph import Graph

Floats = npt.NDArray[np.float64]
CLOSE = 1e-9
MOST_WALKS = 20_000


@dataclass(frozen=True)
class Label:
    """One step of Dijkstra's marking: the node that becomes permanent, and the temporary marks after it."""

    node: int
    distance: float
    before: int | None
    open: dict[int, float]


def dijkstra(graph: Graph, source: int) -> tuple[Floats, list[Label]]:
    """Distances from `source` (∞ where there is no way) and the marking step by step; no negative weights.

    Dijkstra (1959). Of equal marks the node that stands first becomes permanent.
    """
    steps = graph.steps()
    far = np.full(len(graph.names), np.inf)
    far[source] = 0.0
    before: dict[int, int] = {}
    done: set[int] = set()
    labels: list[Label] = []
    heap = [(0.0, source)]
    keeps = len(graph.names) <= 30
    while heap:
        distance, here = heapq.heappop(heap)
        if here in done:
            continue
        done.add(here)
        for other, weight, _ in steps[here]:
            if other not in done and distance + weight < far[other]:
                far[other] = distance + weight
                before[other] = here
                heapq.heappush(heap, (far[other], other))
        if keeps:
            marks = {k: float(far[k]) for k in range(len(far)) if k not in done and np.isfinite(far[k])}
            labels.append(Label(here, distance, before.get(here), marks))
    return far, labels


def bellman_ford(graph: Graph, source: int) -> tuple[Floats, list[int] | None]:
    """Distances from `source`, and a circle of negative length that can be reached from it (Bellman 1958)."""
    n = len(graph.names)
    far = np.full(n, np.inf)
    far[source] = 0.0
    before = np.full(n, -1)
    arcs = [(a, b, w) for a, out in enumerate(graph.steps()) for b, w, _ in out]
    last = -1
    for _ in range(n):
        last = -1
        for a, b, w in arcs:
            if far[a] + w < far[b] - CLOSE * max(1.0, abs(far[b]) if np.isfinite(far[b]) else 1.0):
                far[b] = far[a] + w
                before[b] = a
                last = b
        if last < 0:
            return far, None
    for _ in range(n):
        last = int(before[last])
    circle, here = [last], int(before[last])
    while here != last:
        circle.append(here)
        here = int(before[here])
    return far, [last, *circle[1:][::-1], last]


def floyd_warshall(graph: Graph) -> Floats:
    """Distances between all nodes (Floyd 1962), ∞ where there is no way; a negative diagonal: a negative circle."""
    n = len(graph.names)
    far = np.full((n, n), np.inf)
    np.fill_diagonal(far, 0.0)
    for a, out in enumerate(graph.steps()):
        for b, w, _ in out:
            far[a, b] = min(far[a, b], w)
    for k in range(n):
        np.minimum(far, far[:, k, None] + far[None, k, :], out=far)
    return far


def tight(graph: Graph, far: Floats) -> list[list[tuple[int, int]]]:
    """Of each node the edges that can be the last step of a shortest way to it: node before, place of the edge."""
    out: list[list[tuple[int, int]]] = [[] for _ in graph.names]
    for a, steps in enumerate(graph.steps()):
        if np.isfinite(far[a]):
            for b, weight, k in steps:
                if abs(far[a] + weight - far[b]) <= CLOSE * max(1.0, abs(far[b])):
                    out[b].append((a, k))
    return out


def one_way_each(graph: Graph, far: Floats, source: int) -> dict[int, list[int]]:
    """To every node that can be reached the shortest way with the fewest edges, as nodes."""
    ahead: list[list[int]] = [[] for _ in graph.names]
    for b, lasts in enumerate(tight(graph, far)):
        for a, _ in lasts:
            ahead[a].append(b)
    ways = {source: [source]}
    waiting = deque([source])
    while waiting:
        here = waiting.popleft()
        for other in sorted(set(ahead[here])):
            if other not in ways:
                ways[other] = [*ways[here], other]
                waiting.append(other)
    return ways


def all_ways(graph: Graph, far: Floats, source: int, target: int, most: int) -> tuple[list[list[int]], bool]:
    """Shortest ways without circles, at most so many, by number of edges then order of nodes; are these all?"""
    lasts = [sorted({a for a, _ in one}) for one in tight(graph, far)]
    found: list[list[int]] = []
    walks = 0
    waiting: list[list[int]] = [[target]]
    while waiting and len(found) <= most and walks < MOST_WALKS:
        way = waiting.pop()
        walks += 1
        if way[0] == source:
            found.append(way)
            continue
        waiting += [[a, *way] for a in reversed(lasts[way[0]]) if a not in way]
    whole = not waiting and len(found) <= most
    return sorted(found, key=lambda way: (len(way), way))[:most], whole


def k_shortest(graph: Graph, source: int, target: int, k: int) -> list[tuple[float, list[int]]]:
    """The k shortest ways without circles (Yen 1971), by networkx; no negative weights."""
    import networkx as nx

    made: Any = nx.DiGraph() if graph.directed else nx.Graph()
    made.add_nodes_from(range(len(graph.names)))
    made.add_weighted_edges_from((e.a, e.b, e.weight) for e in graph.edges)
    out: list[tuple[float, list[int]]] = []
    for way in nx.shortest_simple_paths(made, source, target, weight="weight"):
        length = sum(made[a][b]["weight"] for a, b in itertools.pairwise(way))
        # Ways as long as the k-th are read on, so that the order of ties is ours and not the library's.
        if (len(out) >= k and length > out[k - 1][0] * (1 + CLOSE) + CLOSE) or len(out) >= k + 50:
            break
        out.append((float(length), list(way)))
    out.sort(key=lambda one: (round(one[0], 9), len(one[1]), one[1]))
    return out[:k]
