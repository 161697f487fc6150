from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Chart, Points, Report, num
from hengxi.families.solving import figures
from hengxi.families.solving.answer import Answer
from hengxi.families.solving.form import (
    HEURISTICS,
    LOCAL,
    ProgramForm,
    algorithms,
    first_point,
    iterations,
    population,
    runs,
    starts,
    time_limit,
    tolerance,
)
from hengxi.families.solving.nonlinear import Nonlinear, continuous, linear_without_end
from hengxi.families.solving.problem import Problem, read

DRAWN = 301


class NonlinearWithoutConstraints(Nonlinear):
    """The extremum of a function within bounds: local from several starts, or by a search of the whole box."""

    title, title_en = "无约束非线性规划", "Unconstrained nonlinear optimisation"
    purpose = "在只有变量上下界时求非线性函数的极值"
    aliases = ("无约束优化", "函数极值", "求最小值", "求最大值", "全局优化", "L-BFGS-B")
    references = ("nocedal2006", "nelder1965", "clerc2002", "kirkpatrick1983")
    conventions = (
        "导数由公式精确求得（前向模式）；海森阵用精确梯度的中心差分。",
        "没有填写初始点时，第一个起点取界的中点或 1，其余由拉丁超立方抽样。",
        "启发式由本站的内核计算，最后用 SLSQP 精修；局部算法由 SciPy 计算。",
    )
    random = True

    class Input(ProgramForm):
        algorithm: str = algorithms("L-BFGS-B", "Nelder-Mead", "Powell", "TNC", *HEURISTICS)
        x0: list[float] = first_point(LOCAL)
        n_starts: int = starts(LOCAL)
        max_iter: int = iterations((*LOCAL, *HEURISTICS))
        tol: float = tolerance(LOCAL)
        time_limit: int = time_limit()
        pop_size: int = population()
        runs: int = runs()

    line_points = Points("曲线上的点", x=num("x"), y=num("目标函数值"))
    curve = Chart("函数曲线", "line", of=line_points, x="x", y="y", place="main")

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        problem = continuous(report, read(form), "无约束非线性规划")
        linear_without_end(problem)
        answer, begun, path = cls.answered(problem, form)
        cls.write(report, form, problem, answer)
        proof = cls.conditions(report, problem, answer)
        if form.algorithm in HEURISTICS:
            cls.polished(report, problem, answer)
        else:
            cls.begun(report, problem, begun)
        cls.drawing(report, problem, answer, path)
        cls._curve(report, problem, answer, path)
        cls.told(report, form, problem, answer, proof, begun, "无约束非线性规划")
        return report

    @classmethod
    def _curve(cls, report: Report, problem: Problem, answer: Answer, path: list[Any]) -> None:
        if len(problem.variables) != 1:
            for one in (cls.line_points, cls.curve):
                report.skip(one, "只在一个变量时画")
            return
        met = np.array([answer.x[0], *(p[0] for p in path[:50])])
        span = max(float(np.ptp(met)), 2.0)
        low = problem.low[0] if np.isfinite(problem.low[0]) else float(met.min()) - span / 2
        high = problem.high[0] if np.isfinite(problem.high[0]) else float(met.max()) + span / 2
        xs = np.linspace(low, high, DRAWN)
        ys = problem.target.values(xs[:, None])
        report.add_rows(cls.line_points, {"x": xs, "y": figures.gaps(ys)})
        report.chart(cls.curve, titles={"x": problem.names[0]})
