"""Assignments: the best, the next best (Murty 1968), and the Hungarian method step by step (Kuhn 1955)."""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment

from .grid import Floats

Pairs = tuple[tuple[int, int], ...]


def best(cost: Floats, capacity: int = 1) -> tuple[float, Pairs] | None:
    """The cheapest pairs (row, column), each row used up to `capacity` times; ∞ forbids. None where there are none."""
    wide = np.repeat(cost, capacity, axis=0)
    try:
        rows, columns = linear_sum_assignment(wide)
    except ValueError:
        return None
    pairs = tuple(sorted((int(i) // capacity, int(j)) for i, j in zip(rows, columns, strict=True)))
    return float(sum(cost[i, j] for i, j in pairs)), pairs


def ranked(cost: Floats, capacity: int, most: int) -> list[tuple[float, Pairs]]:
    """The `most` cheapest assignments, each once, in order of cost then pairs."""
    first = best(cost, capacity)
    if first is None:
        return []
    n, m = cost.shape
    whole = n * capacity >= m
    heap: list[tuple[float, Pairs, int, Floats]] = [(round(first[0], 9), first[1], 0, cost)]
    out: list[tuple[float, Pairs]] = []
    number = 1
    while heap and len(out) < most:
        _, pairs, _, held = heapq.heappop(heap)
        out.append((float(sum(cost[i, j] for i, j in pairs)), pairs))
        fixed = held.copy()
        for i, j in pairs:
            other = fixed.copy()
            other[i, j] = np.inf
            found = best(other, capacity)
            if found is not None and np.isfinite(found[0]):
                heapq.heappush(heap, (round(found[0], 9), found[1], number, other))
                number += 1
            # From here on the pair is kept: every other way to serve the column (and, of few rows, the row) is shut.
            keep = fixed[i, j]
            fixed[:, j] = np.inf
            if not whole:
                fixed[i, :] = np.inf
            fixed[i, j] = keep
    return out


@dataclass(frozen=True)
class Step:
    """What was done, in words, the matrix after it, and how many lines cover its zeros."""

    action: str
    detail: str
    matrix: Floats
    lines: int | None = None


def hungarian_steps(cost: Floats) -> list[Step]:
    """Of a square matrix (∞ forbids): rows and columns reduced, zeros covered, the rest adjusted until n lines."""
    held = cost.astype(float).copy()
    n = len(held)
    low = held.min(axis=1)
    held = held - low[:, None]
    steps = [Step("行约简", "各行减去最小值 " + _numbers(low), held.copy())]
    low = held.min(axis=0)
    held = held - low
    steps.append(Step("列约简", "各列减去最小值 " + _numbers(low), held.copy()))
    for _ in range(n * n):
        rows, columns = _cover(held)
        lines = len(rows) + len(columns)
        if lines == n:
            steps.append(Step("覆盖零", f"至少要 {lines} 条线，等于阶数，可以指派", held.copy(), lines))
            return steps
        what = _lines(rows, columns)
        steps.append(Step("覆盖零", f"只要 {lines} 条线：{what}", held.copy(), lines))
        open_rows = [i for i in range(n) if i not in rows]
        open_columns = [j for j in range(n) if j not in columns]
        low_ = float(held[np.ix_(open_rows, open_columns)].min())
        held[open_rows] -= low_
        held[:, sorted(columns)] += low_
        held[np.abs(held) < 1e-12] = 0.0
        steps.append(Step("调整", f"没盖住的数减去最小值 {low_:g}，两线相交的数加上它", held.copy()))
    return steps


def _cover(held: Floats) -> tuple[set[int], set[int]]:
    """Fewest lines through all zeros (König): rows and columns."""
    n = len(held)
    zeros = [[j for j in range(n) if held[i, j] <= 1e-9] for i in range(n)]
    partner: dict[int, int] = {}

    def grown(i: int, seen: set[int]) -> bool:
        for j in zeros[i]:
            if j not in seen:
                seen.add(j)
                if j not in partner or grown(partner[j], seen):
                    partner[j] = i
                    return True
        return False

    for i in range(n):
        grown(i, set())
    rows = set(range(n)) - set(partner.values())
    columns: set[int] = set()
    waiting = list(rows)
    while waiting:
        for j in zeros[waiting.pop()]:
            if j not in columns:
                columns.add(j)
                if partner[j] not in rows:
                    rows.add(partner[j])
                    waiting.append(partner[j])
    return set(range(n)) - rows, columns


def _lines(rows: set[int], columns: set[int]) -> str:
    parts = []
    if rows:
        parts.append("第 " + "、".join(str(i + 1) for i in sorted(rows)) + " 行")
    if columns:
        parts.append("第 " + "、".join(str(j + 1) for j in sorted(columns)) + " 列")
    return "，".join(parts)


def _numbers(values: Floats) -> str:
    return "、".join(f"{value:g}" for value in values)


def shown(matrix: Floats) -> str:
    """One line a row: 0 3 2；1 0 4."""
    return "；".join(" ".join("×" if np.isinf(v) else f"{v:g}" for v in row) for row in matrix)
