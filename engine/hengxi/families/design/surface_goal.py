"""What is asked of a response, and the settings inside the region that give it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from hengxi.contract import Column, Refusal
from hengxi.families.design.quadratic import Canonical, Region, Surface, best
from hengxi.stats.moments import Floats

GOALS = {"max": "最大", "min": "最小", "target": "目标值"}
MOST_STARTS = 60


@dataclass(frozen=True)
class Goal:
    """`low` and `high` are the least and the largest response seen."""

    kind: str
    target: float | None
    low: float
    high: float

    @classmethod
    def of(cls, form: Any, column: Column) -> Goal:
        """The response's own goal, else the one of the form."""
        row = next((one for one in form.goals if one.column.id == column.id), None)
        kind, target = form.goal, form.target
        if row is not None and row.goal != "same":
            kind, target = row.goal, row.target
        if kind == "target" and target is None:
            raise Refusal(
                "number.required",
                "请填写“{v}”的目标值，或把目标改为最大、最小",
                field="target",
                also=["goal"],
                v=column.title,
            )
        y = column.numbers
        return cls(kind, target if kind == "target" else None, float(y.min()), float(y.max()))

    def desirability(self, value: float) -> float:
        """Derringer and Suich (1980), with straight sides."""
        low, high = self.low, self.high
        if self.kind == "max":
            return float(np.clip((value - low) / (high - low), 0, 1))
        if self.kind == "min":
            return float(np.clip((high - value) / (high - low), 0, 1))
        assert self.target is not None
        reach = (self.target - low) if value < self.target else (high - self.target)
        return float(np.clip(1 - abs(value - self.target) / reach, 0, 1)) if reach > 0 else float(value == self.target)


def starts_of(region: Region, surfaces: Sequence[Surface]) -> Floats:
    """The middle, the runs themselves, and corners of a smaller box, all inside the region."""
    k = region.low.size
    runs = np.unique(surfaces[0].coded, axis=0)[:MOST_STARTS]
    size = 0.5 / np.sqrt(k)
    corners = np.array(list(product((-size, size), repeat=k)))[:MOST_STARTS]
    return np.vstack([np.zeros(k), runs, corners])


def single_best(surface: Surface, goal: Goal, region: Region, point: Canonical | None) -> Floats:
    """Largest or smallest response; of all settings that meet a target the ones nearest the middle."""
    starts = starts_of(region, [surface])
    wanted = "最大值点" if goal.kind == "max" else "最小值点"
    if point is not None and point.kind == wanted and region.holds(point.point):
        return point.point
    scale = goal.high - goal.low
    if goal.kind != "target":
        sign = -1.0 if goal.kind == "max" else 1.0
        answer = best(
            lambda x: sign * surface.value(x) / scale, lambda x: sign * surface.gradient(x) / scale, region, starts
        )
        return starts[0] if answer is None else answer
    target = float(goal.target or 0.0)
    meets = {
        "type": "eq", "fun": lambda x: (surface.value(x) - target) / scale,
        "jac": lambda x: surface.gradient(x) / scale,
    }  # fmt: skip
    answer = best(lambda x: float(x @ x), lambda x: 2 * x, region, starts, [meets])
    if answer is not None:
        return answer
    near = best(
        lambda x: ((surface.value(x) - target) / scale) ** 2,
        lambda x: 2 * (surface.value(x) - target) / scale**2 * surface.gradient(x), region, starts,
    )  # fmt: skip
    return starts[0] if near is None else near


def joint_best(fits: Sequence[tuple[Surface, Goal]], region: Region) -> Floats | None:
    """The largest geometric mean of desirabilities; None where the responses are desirable nowhere together."""
    starts = starts_of(region, [surface for surface, _ in fits])

    def together(x: Floats) -> float:
        ds = [goal.desirability(surface.value(x)) for surface, goal in fits]
        return float(np.prod(ds) ** (1 / len(ds)))

    def loss(x: Floats) -> float:
        return -float(np.mean([np.log(max(goal.desirability(s.value(x)), 1e-9)) for s, goal in fits]))

    def slope(x: Floats) -> Floats:
        found = np.zeros(x.size)
        for surface, goal in fits:
            value = surface.value(x)
            step = 1e-7 * (goal.high - goal.low)
            d = max(goal.desirability(value), 1e-9)
            change = (goal.desirability(value + step) - goal.desirability(value - step)) / (2 * step)
            found -= change / d * surface.gradient(x) / len(fits)
        return found

    ranked = sorted(starts, key=lambda x: -together(x))
    alive = np.array([x for x in ranked if together(x) > 0][:20])
    if alive.size == 0:
        return None
    answer = best(loss, slope, region, alive)
    return answer if answer is not None and together(answer) >= together(alive[0]) else alive[0]
