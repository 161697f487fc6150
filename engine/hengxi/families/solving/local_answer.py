"""A program answered by one of SciPy's local algorithms, from one start or from several."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import qmc

from hengxi.contract import Refusal
from hengxi.stats.solving.expressions import Floats
from hengxi.stats.solving.local import BOUNDS_ONLY, Local, certificate, minimise

from .answer import FEASIBLE, Answer, Status, watcher
from .heuristic import relative
from .problem import Problem

WIDE = 10.0
"""Half width of the starts where a variable has no bounds."""


@dataclass(frozen=True)
class Start:
    begin: Floats
    end: Floats
    value: float
    feasible: bool
    status: str


def single(problem: Problem, form: Any, start: Floats | None, starts: int = 1) -> Answer:
    """The best end of all starts, with its certificate."""
    return several(problem, form, start, starts)[0]


def several(problem: Problem, form: Any, start: Floats | None, starts: int) -> tuple[Answer, list[Start], Local]:
    smooth = problem.smooth()
    begins = beginnings(problem, start, starts, getattr(form, "seed", 0))
    if start is not None:
        judge_start(problem, start)
    tell = watcher(form.progress, problem.sign)
    ends = time.monotonic() + form.time_limit
    met: list[tuple[Local, Start]] = []
    stopped = late = False
    best: float | None = None
    for number, begin in enumerate(begins):
        left = ends - time.monotonic()
        if left <= 0 and met:
            late = True
            break

        def watch(shown: float | None, number: int = number, best: float | None = best) -> bool:
            seen = [one for one in (shown, best) if one is not None]
            words = f"第 {number + 1}/{len(begins)} 个起点" if len(begins) > 1 else "求解中"
            return tell(number, len(begins), words, min(seen) if seen else None)

        found = minimise(
            smooth, form.algorithm, begin, most=form.max_iter, tolerance=form.tol, seconds=max(left, 0.1), watch=watch
        )
        good = relative(problem, found.x) <= FEASIBLE * 10 and np.isfinite(found.value)
        if good and (best is None or found.value < best):
            best = found.value
        status = (
            "收敛"
            if found.ended
            else "超时"
            if found.recorder.out_of_time
            else "停止"
            if found.recorder.stopped
            else "未收敛"
        )
        met.append((found, Start(begin, found.x, problem.sign * found.value, bool(good), status)))
        stopped, late = stopped or found.recorder.stopped, late or found.recorder.out_of_time
        if stopped or late:
            break
    first = _best(problem, [one for one, _ in met])
    return (
        _answer(problem, form, first, [one for _, one in met], stopped, late, sum(one.evaluations for one, _ in met)),
        [one for _, one in met],
        first,
    )


def _best(problem: Problem, ends: list[Local]) -> Local:
    """The least value; of ends that have the same but for rounding the one that breaks the constraints least."""
    fits = [one for one in ends if relative(problem, one.x) <= FEASIBLE * 10 and np.isfinite(one.value)]
    if not fits:
        return min(ends, key=lambda one: (relative(problem, one.x), _finite(one.value)))
    least = min(one.value for one in fits)
    near = [one for one in fits if one.value - least <= 1e-5 * max(1.0, abs(least))]
    return min(near, key=lambda one: (round(relative(problem, one.x), 9), one.value))


def _finite(value: float) -> float:
    return value if np.isfinite(value) else np.inf


def _answer(
    problem: Problem, form: Any, first: Local, starts: list[Start], stopped: bool, late: bool, evaluations: int
) -> Answer:
    breach = relative(problem, first.x)
    if not np.isfinite(first.value) or breach > FEASIBLE * 100:
        text = (
            f"{form.algorithm} 没有找到可行解（最好的点仍违反约束 {problem.violation(first.x):.3g}）。"
            "约束可能互相矛盾；请放宽约束，或换一个初始点"
        )
        raise Refusal("data.no_feasible", text, field="constraints" if problem.constraints else "target")
    if abs(first.value) > 1e15 or np.abs(first.x).max() > 1e15:
        side = "更大" if problem.maximise else "更小"
        text = f"目标函数一路变{side}，没有尽头（已到 {problem.sign * first.value:.3g}）。请检查是否缺少约束或变量的界"
        raise Refusal("data.unbounded", text, field="target")
    proof = certificate(problem.smooth(), first.x)
    proven = proof.holds and breach <= FEASIBLE * 10
    status: Status = "超时" if late else "局部最优" if proven and proof.is_minimum is not False else "最好可行解"
    scales = np.array([one.scale for one in problem.constraints])
    signs = np.array([1.0 if one.op == ">=" else -1.0 for one in problem.constraints])
    duals = problem.sign * signs * proof.multipliers / scales if len(scales) else np.zeros(0)
    made = Answer(
        first.x, problem.target.value(first.x), status, f"SciPy {form.algorithm}", first.iterations, evaluations,
        duals + 0.0, None, certificate=proof, stopped=stopped, out_of_time=late,
    )  # fmt: skip
    for step, (value, violation) in enumerate(first.recorder.trace):
        if np.isfinite(value) and abs(value) < 1e12:
            made.trace.append((step, problem.sign * value, "可行" if violation <= FEASIBLE * 100 else "还不可行"))
    return made


def beginnings(problem: Problem, start: Floats | None, count: int, seed: int) -> list[Floats]:
    """The user's point first, or the point nearest to 0 (or 1) within the bounds; then a Latin hypercube."""
    n = len(problem.variables)
    low = np.where(
        np.isfinite(problem.low), problem.low, np.where(np.isfinite(problem.high), problem.high - 2 * WIDE, -WIDE)
    )
    high = np.where(
        np.isfinite(problem.high), problem.high, np.where(np.isfinite(problem.low), problem.low + 2 * WIDE, WIDE)
    )
    middle = np.where(
        np.isfinite(problem.low) & np.isfinite(problem.high), (low + high) / 2, np.clip(1.0, problem.low, problem.high)
    )
    made = [middle if start is None else np.clip(start, problem.low, problem.high)]
    if count > 1:
        cube = qmc.LatinHypercube(n, rng=np.random.default_rng(seed)).random(count - 1)
        made += list(low + cube * (high - low))
    return made


def judge_start(problem: Problem, start: Floats) -> None:
    if len(start) != len(problem.variables):
        text = f"初始点需要 {len(problem.variables)} 个数值（每个变量一个），现有 {len(start)} 个"
        raise Refusal("data.start", text, field="x0")
    checked = [
        ("目标函数", problem.target_words, problem.target),
        *(("约束", one.words, one.function) for one in problem.constraints),
    ]
    for _, words, function in checked:
        if not np.isfinite(function.value(np.clip(start, problem.low, problem.high))):
            text = f"初始点处“{words}”没有定义（如对数的参数不大于 0），请更换初始点"
            raise Refusal("data.start", text, field="x0")


def needs_no_constraints(algorithm: str) -> bool:
    return algorithm in BOUNDS_ONLY
