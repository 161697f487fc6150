"""Linear programs, with whole variables or without: the proven answer, and the refusals of those that have none."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from hengxi.contract import Refusal
from hengxi.stats.solving.expressions import Floats
from hengxi.stats.solving.linear_program import LinearProgram, Solution, Way, conflict, ray, solve

from .answer import Answer
from .problem import Problem

WAYS: dict[str, tuple[Way, str]] = {
    "simplex": ("primal", "HiGHS 原始单纯形法"),
    "revise_simplex": ("dual", "HiGHS 对偶改进单纯形法"),
    "interior_point": ("interior", "HiGHS 内点法，最后移到顶点"),
}


def exact(problem: Problem, program: LinearProgram, form: Any, way: Way = "dual") -> Solution:
    """The optimum by HiGHS; infeasible and unbounded programs are refused with what makes them so."""
    found = solve(program, form.time_limit, way)
    if found.state == "infeasible":
        raise infeasible(problem, program)
    if found.state == "unbounded":
        raise unbounded(problem, program)
    if not np.isfinite(found.x).all():
        text = f"{form.time_limit} 秒内没有求出可行解。请把“时间上限”调大，或先减少变量和约束"
        raise Refusal("data.time", text, field="time_limit")
    return found


def infeasible(problem: Problem, program: LinearProgram) -> Refusal:
    rows, bounds = conflict(program)
    parts = [f"“{problem.constraints[row].words}”" for row in rows]
    parts += [f"“{_bounds(problem, place)}”" for place in bounds]
    whole = "（变量取整数时）" if program.whole is not None and solve(program.relaxed()).state == "optimal" else ""
    text = f"约束相互矛盾{whole}，没有可行解。冲突的约束：{'、'.join(parts)}。去掉或放宽其中一个再求解"
    return Refusal(
        "data.infeasible",
        text,
        field="constraints" if rows else "variables",
        row=rows[0] + 1 if rows else bounds[0] + 1,
    )


def _bounds(problem: Problem, place: int) -> str:
    one = problem.variables[place]
    if np.isfinite(one.low) and np.isfinite(one.high):
        return f"{one.low:g} ≤ {one.name} ≤ {one.high:g}"
    return f"{one.name} ≥ {one.low:g}" if np.isfinite(one.low) else f"{one.name} ≤ {one.high:g}"


def unbounded(problem: Problem, program: LinearProgram) -> Refusal:
    toward = ray(program)
    moves = [
        f"“{name}”{'增大' if step > 0 else '减小'}"
        for name, step in zip(problem.names, toward, strict=True)
        if abs(step) > 1e-9
    ]
    side = "更大" if problem.maximise else "更小"
    along = f"让{'、'.join(moves[:6])}{'等' if len(moves) > 6 else ''}，目标函数可以无限{side}。" if moves else ""
    text = f"目标函数在可行域内无界：{along}请检查是否缺少约束，或目标方向选反了"
    return Refusal("data.unbounded", text, field="constraints")


def finite_box(problem: Problem, program: LinearProgram | None, algorithm: str) -> tuple[Floats, Floats]:
    """Bounds a heuristic can sample in: those given, else what the linear constraints allow; else the user is asked."""
    low, high = problem.low.copy(), problem.high.copy()
    for place, one in enumerate(problem.variables):
        for sign, edge in ((1.0, low), (-1.0, high)):
            if np.isfinite(edge[place]):
                continue
            found = None
            if program is not None:
                cost = sign * np.eye(len(low))[place]
                found = solve(replace(program, cost=cost, maximise=False, constant=0.0, whole=None), 5.0)
            if found is None or found.state != "optimal":
                side = "下界" if sign > 0 else "上界"
                text = f"{algorithm}需要变量“{one.name}”的{side}。请在决策变量里填写"
                raise Refusal("data.bounds", text, field="variables", row=place + 1)
            edge[place] = found.x[place]
    return low, high


def answer(problem: Problem, program: LinearProgram, form: Any) -> tuple[Answer, Solution]:
    """By one of the exact algorithms."""
    way, ran = WAYS[form.algorithm]
    found = exact(problem, program, form, way)
    made = Answer(
        found.x, found.value, "最优" if found.state == "optimal" else "超时", ran, found.iterations, None,
        found.duals + 0.0, found.reduced + 0.0, out_of_time=found.state == "time",
    )  # fmt: skip
    return made, found
