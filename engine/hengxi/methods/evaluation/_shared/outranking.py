"""What the outranking methods share: gains of one object over another, and how far a weight may move."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from hengxi.contract import Refusal

from .indicators import Data, Floats, distances

MOST_OBJECTS, SHOWN = 200, 30
"""More objects make pairs nobody reads; tables of pairs and graphs stop at `SHOWN`."""


def refuse_many(data: Data) -> None:
    if data.n > MOST_OBJECTS:
        text = f"有 {data.n:,} 个方案，两两比较最多 {MOST_OBJECTS} 个，请先筛选"
        raise Refusal("data.many", text, field=data.indicators[0].field)


def merits(data: Data) -> Floats:
    """Each indicator in its own unit, larger = better; a middle or interval one as minus its distance."""
    out = data.x.copy()
    for k, one in enumerate(data.indicators):
        if one.kind == "low":
            out[:, k] = -out[:, k]
        elif one.kind == "interval":
            out[:, k] = -distances(one, out[:, k])
    return out


def gains(merit: Floats, k: int) -> Floats:
    """Objects × objects: by how much the row is better than the column in indicator k."""
    return np.asarray(merit[:, k, None] - merit[None, :, k])


def stable_range(single: Floats, weights: Floats, k: int, first_only: bool) -> tuple[float, float]:
    """The weights of indicator k between which the order (or the first) by Σ w·single stays; others in proportion.

    `single`: objects × indicators, the score each indicator alone gives.
    """
    now = float(weights[k])
    rest = single @ weights - now * single[:, k]
    rest = rest / (1 - now) if now < 1 - 1e-12 else np.zeros(len(single))
    total = now * single[:, k] + (1 - now) * rest
    order = np.argsort(-np.round(total, 12), kind="stable")
    pairs = [(order[0], j) for j in order[1:]] if first_only else list(itertools.pairwise(order))
    low, high = 0.0, 1.0
    for a, b in pairs:
        gap, slope = float(total[a] - total[b]), float(single[a, k] - single[b, k] - rest[a] + rest[b])
        if abs(slope) < 1e-14:
            continue
        if abs(gap) < 1e-12:  # a tie: any other weight parts them
            return now, now
        at = now - gap / slope
        low = max(low, at) if slope > 0 else low
        high = min(high, at) if slope < 0 else high
    return max(low, 0.0), min(high, 1.0)


def graph(report: Any, nodes: Any, edges: Any, labels: list[str], relation: Any, why: str, skip: Any) -> None:
    """Nodes and edges of a network; left out with its reason where nothing is linked, or too much."""
    if len(labels) > SHOWN or not relation.any():
        for element in (nodes, edges):
            report.skip(element, f"方案多于 {SHOWN} 个" if len(labels) > SHOWN else why)
        skip()
        return
    for k, name in enumerate(labels):
        report.row(nodes, id=str(k), label=name)
    for a, b in np.argwhere(relation):
        report.row(edges, source=str(a), target=str(b))
