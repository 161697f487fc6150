"""A project of tasks that wait for each other: order, earliest and latest times, ways through it, shortening."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from hengxi.contract import Column, Refusal

from .grid import Floats

NONE = {"", "-", "—", "–", "－", "无", "0", "None"}
_PARTS = re.compile(r"[,，、;；|]")
MOST_TASKS, MOST_WAYS = 500, 50
CLOSE = 1e-9


@dataclass(frozen=True)
class Project:
    """Tasks in the order of the table, the tasks each waits for, and an order in which they can be done."""

    names: list[str]
    before: list[list[int]]
    order: list[int]
    rows: list[int]

    @property
    def after(self) -> list[list[int]]:
        out: list[list[int]] = [[] for _ in self.names]
        for k, waits in enumerate(self.before):
            for one in waits:
                out[one].append(k)
        return out


@dataclass(frozen=True)
class Times:
    """Earliest and latest start, total and free float of every task (arrays may have one row a simulation)."""

    es: Floats
    ef: Floats
    ls: Floats
    lf: Floats
    total: Floats
    free: Floats
    length: Floats


def read(task: Column, pre: Column) -> Project:
    """Tasks and what they wait for; names that are not there, repeated ones and circles are refused."""
    names: list[str] = []
    rows: list[int] = []
    waits: list[list[str]] = []
    for name, before, row in zip(task.text, pre.text, task.row_numbers.tolist(), strict=True):
        if name is None or not str(name).strip():
            if before is not None and str(before).strip():
                raise Refusal("data.gap", f"第 {row} 行缺少工序名称，请补上", field="task", column=task.id)
            continue
        title = str(name).strip()
        if title in names:
            raise Refusal("data.names", f"第 {row} 行的工序“{title}”与前面重复，请改名", field="task", column=task.id)
        names.append(title)
        rows.append(row)
        parts = [part.strip() for part in _PARTS.split("" if before is None else str(before))]
        waits.append([part for part in parts if part not in NONE or part in names])
    if not names:
        raise Refusal("data.few", "没有工序，请核对", field="task")
    if len(names) > MOST_TASKS:
        raise Refusal("data.many", f"有 {{n}} 道工序，最多 {MOST_TASKS} 道", field="task", n=len(names))
    place = {name: k for k, name in enumerate(names)}
    before_: list[list[int]] = []
    for name, wanted in zip(names, waits, strict=True):
        unknown = next((one for one in wanted if one not in place), None)
        if unknown is not None:
            text = f"工序“{name}”的紧前工序“{unknown}”未定义，请补上这道工序或改正名称"
            raise Refusal("data.unknown", text, field="pre", column=pre.id)
        before_.append(sorted({place[one] for one in wanted}))
    return Project(names, before_, _order(names, before_), rows)


def _order(names: list[str], before: list[list[int]]) -> list[int]:
    left = {k: set(waits) for k, waits in enumerate(before)}
    order: list[int] = []
    while left:
        ready = [k for k, waits in left.items() if not waits]
        if not ready:
            here = min(left)
            way = [here]
            while True:
                here = min(left[here])
                if here in way:
                    circle = [*way[way.index(here) :], here][::-1]
                    break
                way.append(here)
            words = " → ".join(names[k] for k in circle)
            raise Refusal("data.circle", f"工序之间存在循环：{words}，请改正紧前工序", field="pre")
        for k in ready:
            order.append(k)
            del left[k]
        for waits in left.values():
            waits.difference_update(ready)
    return order


def times(project: Project, duration: Floats) -> Times:
    """Forward and backward pass; `duration` is tasks, or simulations × tasks (Kelley 1961)."""
    after = project.after
    es, lf = np.zeros(duration.shape), np.zeros(duration.shape)
    ef = np.zeros(duration.shape)
    for k in project.order:
        if project.before[k]:
            es[..., k] = ef[..., project.before[k]].max(axis=-1)
        ef[..., k] = es[..., k] + duration[..., k]
    length = ef.max(axis=-1)
    free = np.zeros(duration.shape)
    for k in reversed(project.order):
        if after[k]:
            lf[..., k] = (lf[..., after[k]] - duration[..., after[k]]).min(axis=-1)
            free[..., k] = es[..., after[k]].min(axis=-1) - ef[..., k]
        else:
            lf[..., k] = length
            free[..., k] = length - ef[..., k]
    ls = lf - duration
    return Times(es, ef, ls, lf, ls - es, free, length)


def critical_ways(project: Project, found: Times) -> tuple[list[list[int]], bool]:
    """Ways of critical tasks from a start to the end, at most fifty; are these all?"""
    scale = CLOSE * max(1.0, float(found.length))
    critical = {k for k in range(len(project.names)) if found.total[k] <= scale}
    after = project.after
    ways: list[list[int]] = []
    waiting = [[k] for k in sorted(critical, reverse=True) if not project.before[k]]
    while waiting and len(ways) <= MOST_WAYS:
        way = waiting.pop()
        here = way[-1]
        if not after[here] and abs(found.ef[here] - found.length) <= scale:
            ways.append(way)
        waiting += [
            [*way, k] for k in sorted(after[here], reverse=True)
            if k in critical and abs(found.es[k] - found.ef[here]) <= scale
        ]  # fmt: skip
    return ways[:MOST_WAYS], not waiting and len(ways) <= MOST_WAYS


def crash(project: Project, normal: Floats, least: Floats, slope: Floats, target: float) -> Floats | None:
    """By how much each task is shortened so that the project ends by `target` at the least cost; a linear program."""
    from scipy.optimize import linprog
    from scipy.sparse import lil_array

    n = len(normal)
    pairs = [(i, j) for j, waits in enumerate(project.before) for i in waits]
    # Unknown: starts, then shortenings. start_j ≥ start_i + normal_i − y_i.
    rows = lil_array((len(pairs) + n, 2 * n))
    side = np.zeros(len(pairs) + n)
    for r, (i, j) in enumerate(pairs):
        rows[r, i], rows[r, j], rows[r, n + i] = 1.0, -1.0, -1.0
        side[r] = -normal[i]
    for k in range(n):
        rows[len(pairs) + k, k], rows[len(pairs) + k, n + k] = 1.0, -1.0
        side[len(pairs) + k] = target - normal[k]
    bounds = [(0, None)] * n + [(0, float(room)) for room in normal - least]
    found = linprog(np.r_[np.zeros(n), slope], A_ub=rows.tocsr(), b_ub=side, bounds=bounds, method="highs-ds")
    if found.status != 0:
        return None
    shorter = np.asarray(found.x[n:])
    near = np.round(shorter)
    return np.where(np.abs(shorter - near) < 1e-7, near, shorter)


def edges_on(ways: list[list[int]]) -> set[tuple[int, int]]:
    return {pair for way in ways for pair in pairwise(way)}
