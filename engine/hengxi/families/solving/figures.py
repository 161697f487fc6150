"""Pictures of programs in two variables: the feasible region, contours; and the trace of any search."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from hengxi.contract import Chart, Diagonal, Points, Reference, Report
from hengxi.contract.charts import Overlay
from hengxi.stats.solving.expressions import Floats, NonlinearError

from .answer import Answer
from .problem import Constraint, Problem

CELLS = 49


def region(report: Report, grid: Points, chart: Chart, best: Points, problem: Problem, answer: Answer) -> None:
    """What the constraints leave, with their lines, the target's line and the point found; why not, where it is not."""
    if len(problem.variables) != 2:
        absent(report, "只在两个变量时画", grid, best, chart)
        return
    if any(one.op == "=" for one in problem.constraints):
        absent(report, "有等式约束，可行域不是一块平面区域", grid, best, chart)
        return
    low, high = frame(problem, answer.x)
    xs, ys = (np.linspace(low[k], high[k], CELLS) for k in (0, 1))
    points = np.array([(x, y) for y in ys for x in xs])
    report.add_rows(grid, {"x": points[:, 0], "y": points[:, 1], "room": room(problem, points, high - low)})
    radius = 0.012 * (high - low)
    report.row(best, x=answer.x[0], y=answer.x[1], a=radius[0], b=radius[1], angle=0.0)
    over = [line for one in problem.constraints if (line := edge(one)) is not None]
    over += contour_at(problem, answer)
    report.chart(chart, titles={"x": problem.names[0], "y": problem.names[1]}, over=over)


def contours(report: Report, grid: Points, chart: Chart, problem: Problem, answer: Answer, path: list[Floats]) -> None:
    """The target over two variables, around the points met on the way."""
    if len(problem.variables) != 2:
        absent(report, "只在两个变量时画", grid, chart)
        return
    met = np.array([answer.x, *path[:200]])
    low, high = np.quantile(met, 0.02, axis=0), np.quantile(met, 0.98, axis=0)
    low, high = np.minimum(low, answer.x), np.maximum(high, answer.x)
    span = np.maximum(high - low, 0.2 * np.maximum(1.0, np.abs(answer.x)))
    low, high = low - 0.25 * span, high + 0.25 * span
    inner = np.where(
        np.isfinite(problem.low) & np.isfinite(problem.high) & (problem.high - problem.low < 4 * (high - low))
    )
    low[inner], high[inner] = problem.low[inner], problem.high[inner]
    low = np.maximum(low, problem.low)
    high = np.minimum(high, problem.high)
    xs, ys = (np.linspace(low[k], high[k], CELLS) for k in (0, 1))
    points = np.array([(x, y) for y in ys for x in xs])
    values = problem.target.values(points)
    if not np.isfinite(values).any():
        absent(report, "目标函数在附近没有定义", grid, chart)
        return
    report.add_rows(grid, {"x": points[:, 0], "y": points[:, 1], "value": gaps(values)})
    report.chart(chart, titles={"x": problem.names[0], "y": problem.names[1], "z": "目标函数值"})


def trace(report: Report, rows: Points, chart: Chart, answer: Answer) -> None:
    if len({step for step, _, _ in answer.trace}) < 2:
        absent(report, "没有逐步的记录", rows, chart)
        return
    steps, values, lines = zip(*answer.trace, strict=True)
    report.add_rows(rows, {"step": list(steps), "value": list(values), "line": list(lines)})


def gaps(values: Floats) -> list[float | None]:
    """Where a function is not defined, nothing is drawn."""
    return [float(value) if np.isfinite(value) else None for value in values]


def absent(report: Report, why: str, *elements: Points | Chart) -> None:
    for one in elements:
        report.skip(one, why)


def frame(problem: Problem, at: Floats) -> tuple[Floats, Floats]:
    """The window: all corners of the region, the point, and some room around."""
    lines: list[tuple[float, float, float]] = []
    for one in problem.constraints:
        try:
            a, b = one.function.linear().coefficients
            lines.append((a, b, one.side))
        except NonlinearError:
            continue
    for k in (0, 1):
        for edge_ in (problem.low[k], problem.high[k]):
            if np.isfinite(edge_):
                lines.append((float(k == 0), float(k == 1), float(edge_)))
    corners = [at]
    for (a, b, c), (d, e, f) in combinations(lines[:60], 2):
        det = a * e - b * d
        if abs(det) > 1e-12:
            corner = np.array([(c * e - b * f) / det, (a * f - c * d) / det])
            if room(problem, corner[None], np.ones(2))[0] > -1e-7 * max(1.0, float(np.abs(corner).max())):
                corners.append(corner)
    met = np.array(corners)
    low, high = met.min(axis=0), met.max(axis=0)
    span = np.where(high - low > 1e-9 * np.maximum(1, np.abs(high)), high - low, np.maximum(1.0, np.abs(at)))
    low, high = low - 0.12 * span, high + 0.2 * span
    bounded = np.isfinite(problem.low) & (problem.low >= low)
    return np.where(bounded, np.maximum(low, problem.low - 0.04 * span), low), high


def room(problem: Problem, points: Floats, span: Floats) -> Floats:
    """How far inside all constraints and bounds a point is, in shares of the window; negative outside."""
    least = np.full(len(points), np.inf)
    for k in (0, 1):
        least = np.minimum(least, (points[:, k] - problem.low[k]) / span[k])
        least = np.minimum(least, (problem.high[k] - points[:, k]) / span[k])
    for one in problem.constraints:
        try:
            size = float(np.abs(one.function.linear().coefficients * span).sum()) or 1.0
        except NonlinearError:
            size = one.scale
        least = np.minimum(least, -one.excess(points) / size)
    least[~np.isfinite(least)] = np.where(np.isnan(least[~np.isfinite(least)]), -1.0, 1.0)
    return least


def edge(one: Constraint) -> Overlay | None:
    """The line of a linear constraint."""
    try:
        a, b = one.function.linear().coefficients
    except NonlinearError:
        return None
    if a == b == 0:
        return None
    if abs(b) < 1e-12 * abs(a):
        return Reference(x=float(one.side / a), label=one.words)
    return Diagonal(intercept=float(one.side / b), slope=float(-a / b), label=one.words)


def contour_at(problem: Problem, answer: Answer) -> list[Any]:
    try:
        linear = problem.target.linear()
    except NonlinearError:
        return []
    a, b = linear.coefficients
    side = answer.value - linear.constant
    label = f"目标 = {answer.value:.6g}"
    if abs(b) < 1e-12 * abs(a):
        return [Reference(x=float(side / a), label=label)]
    return [Diagonal(intercept=float(side / b), slope=float(-a / b), label=label)]
