"""Trees of integer programs: branch and bound on relaxations, and Balas' implicit enumeration of 0–1 programs."""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from .linear_program import LinearProgram, solve

Floats = npt.NDArray[np.float64]
Watch = Callable[[float, float, str, float | None], bool]
Fate = Literal["branched", "infeasible", "bound", "integer", "open"]
WHOLE = 1e-6


@dataclass
class Leaf:
    """A node of the tree: the variable and bound that made it, the optimum of its relaxation, and why it ended."""

    number: int
    parent: int | None
    variable: int | None
    side: Literal["low", "high"] | None
    limit: float
    value: float = float("nan")
    fate: Fate = "open"


@dataclass
class Tree:
    leaves: list[Leaf] = field(default_factory=list)
    x: Floats | None = None
    value: float = float("inf")
    """Of what is minimised inside (`sign · objective`)."""
    bound: float = float("-inf")
    trace: list[tuple[int, float, float]] = field(default_factory=list)
    root: Floats | None = None
    state: Literal["optimal", "infeasible", "unbounded", "time", "stopped"] = "optimal"
    nodes: int = 0


def branch_and_bound(program: LinearProgram, *, seconds: float, gap: float, watch: Watch, most: int = 20_000) -> Tree:
    """Best bound first, on the variable farthest from a whole number; every relaxation is solved by HiGHS."""
    whole = np.zeros(len(program.cost), dtype=bool) if program.whole is None else program.whole
    sign, relaxed = program.sign, program.relaxed()
    tree, ends = Tree(), time.monotonic() + seconds
    waiting: list[tuple[float, int, Floats, Floats, Floats]] = []

    def open_node(
        low: Floats, high: Floats, parent: int | None, variable: int | None, side: object, limit: float
    ) -> None:
        leaf = Leaf(len(tree.leaves), parent, variable, side, limit)  # type: ignore[arg-type]
        tree.leaves.append(leaf)
        tree.nodes += 1
        if (low > high).any():
            leaf.fate = "infeasible"
            return
        found = solve(replace(relaxed, low=low, high=high), max(0.1, ends - time.monotonic()), "dual")
        if parent is None:
            tree.root = found.x
            if found.state != "optimal":
                tree.state = found.state
                return
        if found.state != "optimal":
            leaf.fate = "infeasible" if found.state == "infeasible" else "open"
            return
        leaf.value = found.value
        inner = sign * found.value
        fraction = np.abs(found.x - np.round(found.x)) * whole
        if fraction.max(initial=0) <= WHOLE:
            leaf.fate = "integer"
            if inner < tree.value - 1e-9 * max(1.0, abs(inner)):
                tree.x, tree.value = np.where(whole, np.round(found.x), found.x), inner
            return
        if inner >= tree.value - max(1e-9, gap * abs(tree.value) if np.isfinite(tree.value) else 0):
            leaf.fate = "bound"
            return
        heapq.heappush(waiting, (inner, leaf.number, low, high, found.x))

    low = np.where(whole, np.ceil(program.low - WHOLE), program.low)
    high = np.where(whole, np.floor(program.high + WHOLE), program.high)
    open_node(low, high, None, None, None, 0.0)
    if tree.state != "optimal":
        return tree
    while waiting:
        tree.bound = waiting[0][0]
        if len(tree.trace) < 2000:
            tree.trace.append((tree.nodes, tree.value, tree.bound))
        if tree.value - tree.bound <= max(1e-9, gap * abs(tree.value)) and np.isfinite(tree.value):
            for _, number, *_rest in waiting:
                tree.leaves[number].fate = "bound"
            break
        best = sign * tree.value if np.isfinite(tree.value) else None
        if not watch(min(tree.nodes / most, 0.99), 1.0, f"已搜索 {tree.nodes:,} 个结点", best):
            tree.state = "stopped"
            return tree
        if time.monotonic() > ends or tree.nodes >= most:
            tree.state = "time"
            return tree
        inner, number, low, high, x = heapq.heappop(waiting)
        leaf = tree.leaves[number]
        if inner >= tree.value - max(1e-9, gap * abs(tree.value) if np.isfinite(tree.value) else 0):
            leaf.fate = "bound"
            continue
        leaf.fate = "branched"
        fraction = np.abs(x - np.round(x)) * whole
        j = int(np.argmax(np.where(fraction > WHOLE, fraction, -1)))
        below, above = high.copy(), low.copy()
        below[j], above[j] = np.floor(x[j]), np.ceil(x[j])
        open_node(low, below, number, j, "high", float(below[j]))
        open_node(above, high, number, j, "low", float(above[j]))
    if tree.x is None:
        tree.state = "infeasible"
    tree.bound = tree.value if not waiting else min(tree.bound, tree.value)
    tree.trace.append((tree.nodes, tree.value, tree.bound))
    return tree


# ---- implicit enumeration -----------------------------------------------------------------------------------
@dataclass(frozen=True)
class Step:
    """One partial solution: variables fixed to 1 and to 0 (the others free), and what became of it."""

    number: int
    ones: list[int]
    zeros: list[int]
    value: float
    fate: Literal["better", "bound", "infeasible", "branched"]


@dataclass
class Enumeration:
    steps: list[Step] = field(default_factory=list)
    x: Floats | None = None
    value: float = float("inf")
    nodes: int = 0
    state: Literal["optimal", "infeasible", "time", "stopped"] = "optimal"
    close: list[tuple[float, tuple[int, ...]]] = field(default_factory=list)
    """Feasible completions met on the way, best first."""


def implicit_enumeration(program: LinearProgram, *, seconds: float, watch: Watch, keep: int = 200) -> Enumeration:
    """Balas' additive algorithm; variables with a negative cost are turned round (1 − x): all zeros is cheapest.

    A partial solution is completed with its cheapest values; it ends when that is feasible, when its cost passes the
    filter (the best so far), or when not even the most favourable values of the free ones meet some constraint.
    """
    n = len(program.cost)
    cost = program.sign * program.cost
    turned = cost < 0
    side = np.where(turned, -1.0, 1.0)
    shift = program.rows @ turned.astype(float)
    high, low = np.isfinite(program.row_high), np.isfinite(program.row_low)
    rows = np.vstack([program.rows[high], -program.rows[low]]) * side
    limit = np.concatenate([(program.row_high - shift)[high], -(program.row_low - shift)[low]])
    base, cost = float(cost[turned].sum()), np.abs(cost)
    order = np.argsort(-cost, kind="stable")
    tolerance = 1e-9 * np.maximum(1.0, np.abs(limit))
    found, ends = Enumeration(), time.monotonic() + seconds
    # A state of a variable: −1 free, 0 or 1 (of the turned one).
    waiting: list[npt.NDArray[np.int8]] = [np.full(n, -1, dtype=np.int8)]
    while waiting:
        fixed = waiting.pop()
        found.nodes += 1
        here = float(cost[fixed == 1].sum()) + base
        x = (fixed == 1).astype(float)
        use = rows @ x
        free = fixed == -1
        fate: Literal["better", "bound", "infeasible", "branched"]
        if here >= found.value - 1e-9 * max(1.0, abs(found.value)) if np.isfinite(found.value) else False:
            fate = "bound"
        elif (use <= limit + tolerance).all():
            fate = "better"
            found.value, found.x = here, np.where(turned, 1 - x, x)
            found.close.append((here, tuple(found.x.astype(int))))
        elif (use + np.minimum(rows[:, free], 0).sum(axis=1) > limit + tolerance).any():
            fate = "infeasible"
        else:
            fate = "branched"
            short = use > limit + tolerance
            helps = -rows[short].sum(axis=0)
            candidates = order[free[order]]
            j = int(candidates[np.argmax(helps[candidates])])
            without, with_it = fixed.copy(), fixed.copy()
            without[j], with_it[j] = 0, 1
            waiting += [without, with_it]
        if len(found.steps) < keep:
            turn = np.where(fixed == -1, -1, np.where(turned, 1 - fixed, fixed))
            found.steps.append(
                Step(
                    found.nodes, np.flatnonzero(turn == 1).tolist(), np.flatnonzero(turn == 0).tolist(),
                    program.sign * here + program.constant, fate,
                )
            )  # fmt: skip
        if found.nodes % 256 == 0:
            best = program.sign * found.value + program.constant if found.x is not None else None
            if not watch(0.5, 1.0, f"已检查 {found.nodes:,} 个部分解", best):
                found.state = "stopped"
                break
            if time.monotonic() > ends:
                found.state = "time"
                break
    if found.x is None and found.state == "optimal":
        found.state = "infeasible"
    return found
