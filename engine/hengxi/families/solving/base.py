"""The tables and sentences every program has."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Chart, Points, Report, Solver, Table, figure, integer, num, percent, text
from hengxi.contract.facts import plain

from . import figures
from .answer import FEASIBLE, Answer
from .form import HEURISTICS, LOCAL, TITLES, TYPES
from .heuristic import relative
from .problem import Problem

SAID = 6
"""Variables named in the conclusion; the others stand in the table."""
SEARCHED = {"algorithm": HEURISTICS}
ITERATED = {"algorithm": (*LOCAL, *HEURISTICS)}


class Program(Solver):
    """Answers a mathematical program. Members run an algorithm and call `write`."""

    family = "规划求解"

    target_param = Table(
        "求解结果", target_value=text("目标"), value=num("目标函数值"), status=text("状态"), algorithm=text("算法"),
        ran=text("实际运行"), iterations=integer("迭代次数"), evaluations=integer("目标函数计算次数"),
        violation=num("最大约束违反量", least=0), layout="record", place="main",
    )  # fmt: skip
    decision = Table(
        "决策变量", variable=text("变量"), kind=text("类型"), low=text("下界"), high=text("上界"), value=num("取值"),
        edge=text("是否在界上"), place="main",
    )  # fmt: skip
    trace = Points("求解过程", when=ITERATED, step=integer("迭代"), value=num("目标函数值"), line=text("线"))
    convergence = Chart("收敛曲线", "line", of=trace, x="step", y="value", series="line", when=ITERATED, place="detail")
    each_run = Table(
        "独立运行统计", n=integer("运行次数"), best=num("最好"), mean=num("平均"), sd=num("标准差", least=0),
        worst=num("最差"), feasible=percent("可行率"), gap=num("与精确解相差", least=0), layout="record",
        when=SEARCHED, place="detail",
    )  # fmt: skip

    # ---- tables --------------------------------------------------------------------------------------------------
    @classmethod
    def write(cls, report: Report, form: Any, problem: Problem, answer: Answer) -> dict[str, Any]:
        """What all have; gives the facts of the conclusion."""
        sense = "最大" if problem.maximise else "最小"
        shown = report.row(
            cls.target_param, target_value=f"{sense}化 {problem.target_words}", value=answer.value,
            status=answer.status, algorithm=TITLES[form.algorithm], ran=answer.ran, iterations=answer.iterations,
            evaluations=answer.evaluations, violation=problem.violation(answer.x),
        )  # fmt: skip
        for one, value in zip(problem.variables, answer.x, strict=True):
            report.row(
                cls.decision, variable=one.name, kind=TYPES[one.kind], low=edge(one.low), high=edge(one.high),
                value=value, edge=at_edge(one.low, one.high, value),
            )  # fmt: skip
        if cls.trace.when is None or form.algorithm in ITERATED["algorithm"]:
            figures.trace(report, cls.trace, cls.convergence, answer)
        cls._runs(report, problem, answer)
        cls._notices(report, form, problem, answer)
        return shown

    @classmethod
    def _runs(cls, report: Report, problem: Problem, answer: Answer) -> None:
        found = answer.search
        if found is None:
            return
        ends = [problem.sign * run.value for run in found.runs]
        good = [value for value, run in zip(ends, found.runs, strict=True) if relative(problem, run.x) <= FEASIBLE * 10]
        if not good:
            report.skip(cls.each_run, "精修以前没有一次运行得到可行解")
            return
        best, worst = (max(good), min(good)) if problem.maximise else (min(good), max(good))
        gap = None if answer.exact is None else abs(answer.exact - answer.value)
        spread = float(np.std(good, ddof=1)) if len(good) > 1 else None
        report.row(
            cls.each_run, n=len(ends), best=best, mean=float(np.mean(good)), sd=spread,
            worst=worst, feasible=len(good) / len(ends), gap=gap,
        )  # fmt: skip
        notes = ["统计的是精修以前各次运行的最好可行解。"] if answer.before_polish else []
        if len(good) == 1:
            notes.append("只有一次可行的运行，没有标准差。")
        if gap is None:
            notes.append("这类问题没有精确解可比。")
        if notes:
            report.note(cls.each_run, "".join(notes))

    @classmethod
    def _notices(cls, report: Report, form: Any, problem: Problem, answer: Answer) -> None:
        if problem.strict:
            report.warn(
                "data.strict",
                "严格不等号按“≤”“≥”处理：{list}。",
                list="、".join(f"“{one}”" for one in problem.strict[:5]),
            )
        if problem.ignored:
            report.warn(
                "data.bounds", "0-1 变量只取 0 和 1，填写的界没有使用：{list}。", list="、".join(problem.ignored[:10])
            )
        if answer.stopped:
            report.warn("run.stopped", "按要求停止并保留：结果是到那时为止最好的解。")
        elif answer.out_of_time:
            report.warn("run.time", "到了时间上限 {t:integer} 秒，结果是到那时为止最好的解。", t=form.time_limit)

    # ---- sentences -----------------------------------------------------------------------------------------------
    @classmethod
    def lead(cls, report: Report, problem: Problem, answer: Answer, how: str) -> None:
        facts: dict[str, Any] = {"value": answer.value}
        order = list(range(len(answer.x)))
        if len(order) > SAID:
            order = [k for k in order if answer.x[k] != 0][:SAID] or order[:SAID]
        parts = []
        for k in order:
            parts.append(f"{{n{k}}} = {{x{k}:num}}")
            facts |= {f"n{k}": problem.names[k], f"x{k}": answer.x[k]}
        rest = f"等（共 {len(answer.x)} 个变量）" if len(order) < len(answer.x) else ""
        side = "最大" if problem.maximise else "最小"
        word = f"{side}值" if answer.status == "最优" else "目标函数值"
        report.lead(
            f"{word}是 {{value:num}}{how}：{'，'.join(parts)}{rest}。",
            [figure(word, "{value:num}", answer.status)], **facts,
        )  # fmt: skip

    @classmethod
    def feasibility(cls, report: Report, problem: Problem, answer: Answer) -> None:
        worst = problem.violation(answer.x)
        if relative(problem, answer.x) <= FEASIBLE:
            report.check("可行性", "pass", "所有约束和界都满足。")
        else:
            report.check("可行性", "care", "约束的最大违反量是 {v:num}，请看它是否可以接受。", v=plain(worst, "v"))


def edge(value: float) -> str:
    return f"{value:.6g}" if np.isfinite(value) else "无"


def at_edge(low: float, high: float, value: float) -> str:
    near = 1e-6 * max(1.0, abs(value))
    if np.isfinite(low) and abs(value - low) <= near:
        return "在下界"
    if np.isfinite(high) and abs(value - high) <= near:
        return "在上界"
    return "否"


class Constrained(Program):
    """With constraints: how each is met."""

    constraint_param = Table(
        "约束条件", expression=text("约束"), left=num("左端值"), op=text("关系"), side=num("右端值"),
        slack=num("松弛量", hint="离右端还有多远；起作用的约束为 0"), binding=text("是否起作用"), place="main",
    )  # fmt: skip

    @classmethod
    def constraints(cls, report: Report, problem: Problem, answer: Answer) -> list[int]:
        """The table; gives the places of those that bind."""
        binding = []
        if not problem.constraints:
            report.skip(cls.constraint_param, "没有约束条件")
        for k, one in enumerate(problem.constraints):
            left = float(one.left(np.atleast_2d(answer.x))[0])
            slack = one.side - left if one.op != ">=" else left - one.side
            slack = 0.0 if abs(slack) <= FEASIBLE * 1e-1 * one.scale else slack
            if slack <= 1e-6 * one.scale:
                binding.append(k)
            report.row(
                cls.constraint_param, expression=one.words, left=left, op={"<=": "≤", ">=": "≥", "=": "="}[one.op],
                side=one.side, slack=slack, binding="是" if slack <= 1e-6 * one.scale else "否",
            )  # fmt: skip
        return binding
