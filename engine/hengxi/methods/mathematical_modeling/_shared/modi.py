"""The transportation problem as it is taught: a first plan, potentials, and closed loops until nothing is cheaper."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .grid import Floats

Cell = tuple[int, int]
WAYS = {"northwest": "西北角法", "least": "最小元素法", "vogel": "伏格尔法"}
MOST_TURNS = 200
SMALL = 1e-9


@dataclass(frozen=True)
class Turn:
    """A plan with its cost; `entering` and the rest tell how the next one is made from it (None: it is the best)."""

    plan: Floats
    value: float
    entering: Cell | None
    reduced: float | None
    loop: list[Cell]
    amount: float | None


def first_plan(cost: Floats, supply: Floats, demand: Floats, way: str) -> tuple[Floats, set[Cell]]:
    """Flows and m + n − 1 basic cells, by one of three rules; of equal numbers the first row, then column, is taken."""
    left, need = supply.astype(float).copy(), demand.astype(float).copy()
    rows, columns = set(range(len(left))), set(range(len(need)))
    plan, basis = np.zeros(cost.shape), set()
    while rows and columns:
        i, j = _next_cell(cost, rows, columns, way)
        amount = min(left[i], need[j])
        plan[i, j] = amount
        basis.add((i, j))
        left[i] -= amount
        need[j] -= amount
        # Of both used up only one line is closed: the basis keeps m + n − 1 cells.
        if len(rows) > 1 and (left[i] <= need[j] or len(columns) == 1):
            rows.discard(i)
        elif len(columns) > 1:
            columns.discard(j)
        else:
            break
    return plan, basis


def _next_cell(cost: Floats, rows: set[int], columns: set[int], way: str) -> Cell:
    if way == "northwest":
        return min(rows), min(columns)
    open_ = [(i, j) for i in sorted(rows) for j in sorted(columns)]
    if way == "least":
        return min(open_, key=lambda cell: (cost[cell], cell))
    gaps: list[tuple[float, int, int]] = []
    for i in rows:
        gaps.append((-_gap([float(cost[i, j]) for j in columns]), 0, i))
    for j in columns:
        gaps.append((-_gap([float(cost[i, j]) for i in rows]), 1, j))
    _, side, k = min(gaps)
    own = [cell for cell in open_ if cell[side] == k]
    return min(own, key=lambda cell: (cost[cell], cell))


def _gap(numbers: list[float]) -> float:
    ordered = sorted(numbers)
    return ordered[1] - ordered[0] if len(ordered) > 1 else ordered[0]


def potentials(cost: Floats, basis: set[Cell]) -> tuple[Floats, Floats]:
    """u and v with u + v = cost on the basis, u of the first row 0."""
    m, n = cost.shape
    u, v = np.full(m, np.nan), np.full(n, np.nan)
    u[0] = 0.0
    for _ in range(m + n):
        for i, j in sorted(basis):
            if np.isnan(v[j]) and not np.isnan(u[i]):
                v[j] = cost[i, j] - u[i]
            elif np.isnan(u[i]) and not np.isnan(v[j]):
                u[i] = cost[i, j] - v[j]
    return u, v


def turns(cost: Floats, supply: Floats, demand: Floats, way: str) -> list[Turn] | None:
    """Every plan from the first to the best; None where the turns do not end (degenerate plans may go in circles)."""
    plan, basis = first_plan(cost, supply, demand, way)
    out: list[Turn] = []
    for _ in range(MOST_TURNS):
        u, v = potentials(cost, basis)
        reduced = cost - u[:, None] - v
        entering = min(
            ((i, j) for i in range(len(u)) for j in range(len(v)) if (i, j) not in basis),
            key=lambda cell: (round(float(reduced[cell]), 9), cell), default=None,
        )  # fmt: skip
        value = float((plan * cost).sum())
        if entering is None or reduced[entering] >= -SMALL * max(1.0, float(np.abs(cost).max())):
            out.append(Turn(plan.copy(), value, None, None, [], None))
            return out
        loop = _loop(basis, entering)
        givers = loop[1::2]
        amount = min(float(plan[cell]) for cell in givers)
        leaving = min(cell for cell in givers if plan[cell] <= amount + SMALL)
        out.append(Turn(plan.copy(), value, entering, float(reduced[entering]), loop, amount))
        for k, cell in enumerate(loop):
            plan[cell] += amount if k % 2 == 0 else -amount
        plan[leaving] = 0.0
        basis.discard(leaving)
        basis.add(entering)
    return None


def _loop(basis: set[Cell], entering: Cell) -> list[Cell]:
    """The closed loop of an empty cell: it, then basic cells, by row and column in turn."""
    start, goal = ("r", entering[0]), ("c", entering[1])
    ahead: dict[tuple[str, int], list[tuple[tuple[str, int], Cell]]] = {}
    for i, j in sorted(basis):
        ahead.setdefault(("r", i), []).append((("c", j), (i, j)))
        ahead.setdefault(("c", j), []).append((("r", i), (i, j)))
    before: dict[tuple[str, int], tuple[tuple[str, int], Cell]] = {}
    waiting, seen = [start], {start}
    while waiting:
        here = waiting.pop(0)
        for other, cell in ahead.get(here, []):
            if other not in seen:
                seen.add(other)
                before[other] = (here, cell)
                waiting.append(other)
    way = []
    here = goal
    while here != start:
        here, cell = before[here]
        way.append(cell)
    return [entering, *way]
