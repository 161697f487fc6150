"""A program searched by a heuristic, its best point polished where it is smooth."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np

from hengxi.contract import Refusal
from hengxi.stats.solving.expressions import Floats
from hengxi.stats.solving.heuristics import search
from hengxi.stats.solving.local import Smooth, minimise

from .answer import FEASIBLE, Answer, watcher
from .form import TITLES
from .problem import Problem

RAN = {
    "ga": "模拟二进制交叉、多项式变异",
    "pso": "环形邻域，收缩因子 0.7298",
    "sa": "多条链，两次回温",
    "monte_calo": "拉丁超立方抽样，逐步缩小范围",
}


def answer(problem: Problem, form: Any, box: tuple[Floats, Floats], *, polish: bool) -> Answer:
    land = problem.landscape(*box)
    began = time.monotonic()
    watch = watcher(form.progress, problem.sign)
    found = search(
        land, form.algorithm, size=form.pop_size, iterations=form.max_iter, runs=form.runs,
        seconds=form.time_limit * 0.9, seed=form.seed, watch=watch, tolerance=FEASIBLE,
    )  # fmt: skip
    best = found.best
    x, ran, before = best.x, RAN[form.algorithm], None
    if polish and not problem.whole.all() and not found.stopped:
        before = (problem.sign * best.value, problem.violation(best.x))
        left = max(1.0, form.time_limit - (time.monotonic() - began))
        refined = polished(problem, x, box, left)
        if refined is not None:
            x, ran = refined, f"{ran}，最后用 SLSQP 精修"
    violation = problem.violation(x)
    if not np.isfinite(problem.target.value(x)) or relative(problem, x) > FEASIBLE * 10:
        text = (
            f"{TITLES[form.algorithm]}没有找到可行解（最好的点仍违反约束 {violation:.3g}）。"
            "约束可能互相矛盾；请放宽约束、收紧变量的界，或增加迭代次数"
        )
        raise Refusal("data.no_feasible", text, field="constraints" if problem.constraints else "target")
    made = Answer(
        x, problem.target.value(x), "超时" if found.out_of_time else "最好可行解", ran,
        sum(run.iterations for run in found.runs), found.evaluations, search=found, stopped=found.stopped,
        out_of_time=found.out_of_time, before_polish=before,
    )  # fmt: skip
    for step, value, mean in best.trace:
        made.trace.append((step, problem.sign * value, "最好"))
        if np.isfinite(mean):
            made.trace.append((step, problem.sign * mean, "平均"))
    return made


def relative(problem: Problem, x: Floats) -> float:
    """The largest breach by the size of its right side."""
    point = np.atleast_2d(x)
    worst = float(max((problem.low - x).max(initial=0.0), (x - problem.high).max(initial=0.0), 0.0))
    for one in problem.constraints:
        over = float(one.excess(point)[0]) / one.scale
        worst = max(worst, abs(over) if one.op == "=" else over)
    return worst if np.isfinite(worst) else np.inf


def polished(problem: Problem, x: Floats, box: tuple[Floats, Floats], seconds: float) -> Floats | None:
    """Local steps over the continuous variables, the whole ones held; None where nothing got better."""
    smooth = problem.smooth()
    low, high = box[0].copy(), box[1].copy()
    low[problem.whole] = high[problem.whole] = x[problem.whole]
    held: Smooth = replace(smooth, low=low, high=high)
    try:
        found = minimise(held, "SLSQP", x, most=500, tolerance=1e-8, seconds=seconds, watch=lambda _best: True)
    except (ValueError, ArithmeticError):
        return None
    there = found.x.copy()
    there[problem.whole] = x[problem.whole]
    before, after = relative(problem, x), relative(problem, there)
    value, new = problem.sign * problem.target.value(x), problem.sign * problem.target.value(there)
    if not np.isfinite(new):
        return None
    better = (after <= 1e-9 and new < value) or (before > 1e-9 and after < before)
    return there if better else None
