"""Linear programs with whole variables: what a search gives, held against the proven optimum of HiGHS."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from hengxi.contract import Refusal, Report, Table, num, text
from hengxi.stats.solving.linear_program import LinearProgram, Solution, solve

from . import heuristic, linear
from .answer import Answer
from .base import Constrained
from .form import HEURISTICS, TITLES
from .problem import Problem


class Whole(Constrained):
    """Tables and sentences of integer and of 0–1 programs."""

    relaxation = Table(
        "与不取整比较", relaxed=num("不取整的最优值"), value=num("取整的最优值"), rounded=text("四舍五入后是否可行"),
        layout="record", place="detail",
    )  # fmt: skip

    @classmethod
    def exact(cls, problem: Problem, program: LinearProgram, form: Any) -> Solution:
        """The proven optimum by HiGHS; refused where there is none."""
        found = linear.exact(problem, program, form)
        if found.state == "optimal" and np.abs(found.x).max() > 1e14:
            raise linear.unbounded(problem, program.relaxed())
        return found

    @classmethod
    def searched(cls, problem: Problem, program: LinearProgram, form: Any, exact: Solution) -> Answer:
        """By one of the heuristics, which need finite bounds."""
        box = linear.finite_box(problem, program, TITLES[form.algorithm])
        answer = heuristic.answer(problem, form, box, polish=True)
        answer.exact = exact.value if exact.state == "optimal" else None
        if answer.exact is not None and same(answer.value, answer.exact):
            answer.status = "最优"
        return answer

    @classmethod
    def relaxed(cls, report: Report, problem: Problem, program: LinearProgram, answer: Answer) -> float | None:
        found = solve(program.relaxed(), 10.0, "dual")
        if found.state != "optimal":
            report.skip(cls.relaxation, "不取整时没有最优解")
            return None
        rounded = np.where(problem.whole, np.round(found.x), found.x)
        fits = heuristic.relative(problem, rounded) <= 1e-9
        words = "可行" if fits else "不可行"
        if fits and np.allclose(found.x, rounded, atol=1e-9):
            words = "本来就是整数"
        report.row(cls.relaxation, relaxed=found.value, value=answer.value, rounded=words)
        return found.value

    @classmethod
    def words(
        cls, report: Report, form: Any, problem: Problem, answer: Answer, exact: Solution, binding: list[int], kind: str
    ) -> None:
        proven = exact.state == "optimal"
        equal = proven and same(answer.value, exact.value)
        is_own = form.algorithm not in HEURISTICS
        if equal:
            how = "（已证明最优）" if is_own else "（与精确解一致）"
        elif proven:
            how = "（不是最优，精确值见检查）"
        else:
            how = "（时间用完，未证明最优）"
        cls.lead(report, problem, answer, how)
        cls.feasibility(report, problem, answer)
        if equal:
            report.check("最优性", "pass", "与 HiGHS 求得的精确最优值 {best:num} 一致。", best=exact.value)
        elif proven:
            side = "小" if problem.maximise else "大"
            report.check(
                "最优性", "fail",
                f"比 HiGHS 求得的精确最优值 {{best:num}} {side}，相差 {{gap:num}}。请增加迭代次数，或改用精确算法。",
                best=exact.value, gap=abs(exact.value - answer.value),
            )  # fmt: skip
        else:
            report.check(
                "最优性", "unknown", "时间上限内没有证明最优；最优值不会比 {bound:num} 更好。", bound=exact.bound
            )
        if not binding:
            report.say("没有约束起作用。")
        elif len(binding) == len(problem.constraints):
            report.say("所有约束都起作用。")
        else:
            names = "、".join(f"“{problem.constraints[k].words}”" for k in binding[:5])
            report.say(f"起作用的约束是{names}{f'等 {len(binding)} 个' if len(binding) > 5 else ''}。")
        report.say(
            f"采用{TITLES[form.algorithm]}（{answer.ran}）求解含 {{n:integer}} 个决策变量、{{m:integer}} 个约束的"
            f"{kind}，"
            "目标函数值为 {value:num}。",
            voice="paper", n=len(problem.names), m=len(problem.constraints), value=answer.value,
        )  # fmt: skip


def same(a: float, b: float) -> bool:
    return abs(a - b) <= 1e-6 * max(1.0, abs(b))


def binary(problem: Problem) -> Problem:
    """Every variable 0 or 1, whatever was chosen."""
    kept = [replace(one, kind="bool", low=0.0, high=1.0) for one in problem.variables]
    given = [
        one.name
        for one in problem.variables
        if one.kind != "bool" and not (one.low in (0.0, -np.inf) and one.high in (1.0, np.inf))
    ]
    return replace(problem, variables=kept, ignored=[*problem.ignored, *given])


def needs_whole(problem: Problem) -> None:
    if not problem.whole.any():
        text = "整数规划至少需要一个整数变量，请在决策变量的“类型”里选择“整数”或“0-1”"
        raise Refusal("data.no_integer", text, field="variables")
