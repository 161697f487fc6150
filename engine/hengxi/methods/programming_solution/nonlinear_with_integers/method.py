from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from hengxi.contract import Refusal, Report, Table, TypedFormula, flag, integer, num, text
from hengxi.families.solving import heuristic, linear
from hengxi.families.solving.answer import Answer
from hengxi.families.solving.base import Constrained
from hengxi.families.solving.form import (
    HEURISTICS,
    TITLES,
    ProgramForm,
    algorithms,
    iterations,
    optional_constraint_list,
    population,
    runs,
    time_limit,
)
from hengxi.families.solving.nonlinear import Nonlinear
from hengxi.families.solving.problem import Problem, read

MOST_COMBINATIONS = 1_000_000
PIECE = 50_000
FEASIBLE = 1e-6


class NonlinearWithIntegers(Constrained):
    """Whole variables and nonlinear functions: a heuristic, its point tried one step around, all points where few."""

    title, title_en = "含整数的非线性规划", "Mixed-integer nonlinear programming"
    tier = "member"
    purpose = "求含整数或 0-1 变量的非线性优化问题"
    aliases = ("混合整数非线性规划", "MINLP", "整数非线性", "遗传算法", "粒子群")
    references = ("deb2000", "clerc2002", "kirkpatrick1983")
    conventions = (
        "启发式先比可行性：违反量不超过 ε 时比目标函数值，否则比违反量；ε 在前 60% 的迭代里减到 0。",
        "整数变量先取整再计算。",
        "精修：固定整数，连续变量用 SLSQP 再走几步，变好才采用。",
        "全部变量取整数且组合不超过 100 万个时逐个检查，得到精确最优值。",
    )
    random = True

    class Input(ProgramForm):
        constraints: list[TypedFormula] = optional_constraint_list()
        algorithm: str = algorithms(*HEURISTICS)
        max_iter: int = iterations(HEURISTICS)
        time_limit: int = time_limit()
        pop_size: int = population()
        runs: int = runs()
        polish: bool = flag("固定整数后精修连续变量", True, advanced=True)

    neighbours = Table(
        "整数变量加减 1", variable=text("变量"), move=text("改变"), value=num("目标函数值"), feasible=text("是否可行"),
        place="detail",
    )  # fmt: skip
    enumerated = Table(
        "逐个检查", combinations=integer("组合数"), feasible=integer("可行的组合数"), best=num("精确最优值"),
        gap=num("相差", least=0), layout="record", place="detail",
    )  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        problem = read(form)
        if not problem.whole.any():
            words = "没有整数变量。请在决策变量的“类型”里选择“整数”或“0-1”，或改用非线性规划"
            raise Refusal("data.no_integer", words, field="variables")
        box = linear.finite_box(problem, Nonlinear.bounding(problem), TITLES[form.algorithm])
        report = Report()
        sizes = np.floor(box[1]) - np.ceil(box[0]) + 1
        count = float(np.prod(sizes)) if problem.whole.all() else np.inf
        exact, feasible = (None, 0) if count > MOST_COMBINATIONS else enumerate_all(problem, box, int(count))
        if exact is None and count <= MOST_COMBINATIONS:
            words = f"全部 {int(count):,} 个组合都不满足约束，没有可行解。请放宽约束"
            raise Refusal("data.infeasible", words, field="constraints")
        answer = heuristic.answer(problem, form, box, polish=form.polish)
        answer.exact = exact
        same = exact is not None and abs(exact - answer.value) <= 1e-9 * max(1.0, abs(exact))
        if same:
            answer.status = "最优"
        cls.write(report, form, problem, answer)
        cls.constraints(report, problem, answer)
        better = cls._neighbours(report, problem, answer)
        if exact is None:
            why = "有连续变量" if not problem.whole.all() else f"组合超过 {MOST_COMBINATIONS:,} 个"
            report.skip(cls.enumerated, why)
        else:
            gap = abs(exact - answer.value)
            report.row(cls.enumerated, combinations=int(count), feasible=feasible, best=exact, gap=gap)
        cls._words(report, form, problem, answer, better, same)
        return report

    @classmethod
    def _neighbours(cls, report: Report, problem: Problem, answer: Answer) -> int:
        """Each whole variable one up and one down, the others held; gives how many are feasible and better."""
        better = 0
        for place, one in enumerate(problem.variables):
            for step in (1.0, -1.0):
                there = answer.x.copy()
                there[place] += step
                if not one.is_whole or there[place] < one.low or there[place] > one.high:
                    continue
                value = problem.target.value(there)
                fits = heuristic.relative(problem, there) <= FEASIBLE and np.isfinite(value)
                gain = problem.sign * (answer.value - value)
                better += int(fits and gain > 1e-9 * max(1.0, abs(answer.value)))
                shown = value if np.isfinite(value) else None
                report.row(
                    cls.neighbours, variable=one.name, move="+1" if step > 0 else "−1", value=shown,
                    feasible="可行" if fits else "不可行",
                )  # fmt: skip
        return better

    @classmethod
    def _words(cls, report: Report, form: Any, problem: Problem, answer: Answer, better: int, same: bool) -> None:
        how = "（已证明最优）" if same else "（目前最好，不保证最优）"
        cls.lead(report, problem, answer, how)
        cls.feasibility(report, problem, answer)
        if same:
            report.check("最优性", "pass", "逐个检查了全部组合，没有更好的。")
        elif answer.exact is not None:
            words = "逐个检查得到更好的值 {best:num}。请增加迭代次数。"
            report.check("最优性", "fail", words, best=answer.exact)
        elif better:
            words = "有 {k:integer} 个相邻的整数点更好，还没有找到最优。请增加迭代次数。"
            report.check("最优性", "fail", words, k=better)
        else:
            report.check("最优性", "unknown", "整数变量各加减 1 都不更好；启发式不能证明没有更好的解。")
        report.say(
            f"采用{TITLES[form.algorithm]}（{answer.ran}）求解含 {{n:integer}} 个决策变量、{{m:integer}} 个约束的"
            "含整数的非线性规划，目标函数值为 {value:num}。",
            voice="paper", n=len(problem.names), m=len(problem.constraints), value=answer.value,
        )  # fmt: skip


def enumerate_all(problem: Problem, box: tuple[Any, Any], count: int) -> tuple[float | None, int]:
    """The best feasible target of all whole points, and how many are feasible."""
    ranges = [range(int(np.ceil(a)), int(np.floor(b)) + 1) for a, b in zip(*box, strict=True)]
    land = problem.landscape(*box)
    best, feasible = np.inf, 0
    every = itertools.product(*ranges)
    for _ in range(0, count, PIECE):
        points = np.array(list(itertools.islice(every, PIECE)), dtype=float)
        value, violation = land.target(points), land.violation(points)
        good = np.isfinite(value) & (violation <= 1e-9)
        feasible += int(good.sum())
        best = min(best, float(value[good].min(initial=np.inf)))
    return (problem.sign * best if feasible else None), feasible
