"""Nonlinear programs: what shows that a point is an optimum, the starts tried, the last steps of a heuristic."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from hengxi.contract import Chart, Line, Points, Refusal, Report, Table, num, text
from hengxi.stats.solving.expressions import Floats, NonlinearError
from hengxi.stats.solving.linear_program import LinearProgram
from hengxi.stats.solving.local import Certificate, certificate

from . import figures, heuristic, linear, local_answer
from .answer import Answer
from .base import Program
from .form import HEURISTICS, LOCAL, TITLES
from .local_answer import Start
from .problem import Problem

NEAR = {"algorithm": LOCAL}
FAR = {"algorithm": HEURISTICS}
LISTED = 50


class Nonlinear(Program):
    """Tables and sentences of programs with smooth functions."""

    optimality = Table(
        "最优性条件", gradient=num("目标梯度的最大分量", least=0), stationarity=num("KKT 残差", least=0),
        complementarity=num("互补松弛残差", least=0), order=text("二阶判断"), layout="record", place="detail",
    )  # fmt: skip
    eigenvalues = Table("海森阵特征值", number=text("次序"), value=num("特征值"), place="detail")
    starts = Table(
        "各起点的结果", number=text("起点"), begin=text("从"), end=text("到"), value=num("目标函数值"),
        status=text("结果"), when=NEAR, place="detail",
    )  # fmt: skip
    polish_steps = Table(
        "精修前后", before=num("精修前目标函数值"), breach=num("精修前最大违反量", least=0),
        after=num("精修后目标函数值"),
        left=num("精修后最大违反量", least=0), layout="record", when=FAR, place="detail",
    )  # fmt: skip
    grid = Points("目标函数网格", x=num("x"), y=num("y"), value=num("目标函数值"))
    path = Points("求解路径", x=num("x"), y=num("y"))
    contour = Chart(
        "等值线与求解路径", "surface", of=grid, x="x", y="y", z="value", draw="contour", place="main",
        over=[Line(path, x="x", y="y", label="求解路径")],
    )  # fmt: skip

    # ---- solving -------------------------------------------------------------------------------------------------
    @classmethod
    def answered(cls, problem: Problem, form: Any, *, polish: bool = True) -> tuple[Answer, list[Start], list[Floats]]:
        """By the algorithm chosen; the starts of a local one, and the points it went through."""
        if form.algorithm in HEURISTICS:
            program = cls.bounding(problem)
            box = linear.finite_box(problem, program, TITLES[form.algorithm])
            answer = heuristic.answer(problem, form, box, polish=polish)
            return answer, [], []
        given = list(getattr(form, "x0", None) or [])
        start = np.array(given, dtype=float) if given else None
        answer, starts, first = local_answer.several(problem, form, start, getattr(form, "n_starts", None) or 1)
        return answer, starts, first.recorder.path

    @classmethod
    def bounding(cls, problem: Problem) -> Any:
        """The linear constraints alone: they may bound what the user left open."""
        kept = []
        for one in problem.constraints:
            try:
                one.function.linear()
            except NonlinearError:
                continue
            kept.append(one)
        rows = np.array([one.function.linear().coefficients for one in kept]).reshape(len(kept), len(problem.variables))
        return LinearProgram(
            np.zeros(len(problem.variables)), rows, np.array([-np.inf if c.op == "<=" else c.side for c in kept]),
            np.array([np.inf if c.op == ">=" else c.side for c in kept]), problem.low, problem.high,
        )  # fmt: skip

    # ---- tables --------------------------------------------------------------------------------------------------
    @classmethod
    def conditions(cls, report: Report, problem: Problem, answer: Answer) -> Certificate:
        proof = answer.certificate or certificate(problem.smooth(), answer.x)
        answer.certificate = proof
        if not np.isfinite(proof.stationarity) or problem.target.kinks():
            for table in (cls.optimality, cls.eigenvalues):
                report.skip(table, "目标函数在这一点没有导数")
            return proof
        verdict = {True: "是局部极小" if not problem.maximise else "是局部极大", False: "是鞍点", None: "不能判断"}
        report.row(
            cls.optimality, gradient=proof.gradient, stationarity=proof.stationarity,
            complementarity=proof.complementarity, order=verdict[proof.is_minimum],
        )  # fmt: skip
        if proof.eigenvalues is None:
            report.skip(cls.eigenvalues, "最优解由约束和界完全决定" if proof.free == 0 else "没有二阶导数")
        else:
            for k, value in enumerate(sorted(proof.eigenvalues), 1):
                report.row(cls.eigenvalues, number=str(k), value=problem.sign * float(value))
            held = bool(proof.active.any()) or proof.free < len(answer.x)
            about = "起作用的约束和界所允许的方向上，拉格朗日函数的" if held else "目标函数的"
            report.note(cls.eigenvalues, f"{about}海森阵。求最小时全为正、求最大时全为负，是局部最优。")
        return proof

    @classmethod
    def begun(cls, report: Report, problem: Problem, starts: list[Start]) -> None:
        for number, one in enumerate(starts[:LISTED], 1):
            value = one.value if np.isfinite(one.value) and abs(one.value) < 1e15 else None
            report.row(
                cls.starts, number=str(number), begin=point(one.begin), end=point(one.end), value=value,
                status=one.status if one.feasible else f"{one.status}，不可行",
            )  # fmt: skip

    @classmethod
    def polished(cls, report: Report, problem: Problem, answer: Answer) -> None:
        if answer.before_polish is None:
            report.skip(cls.polish_steps, "没有精修")
            return
        before, breach = answer.before_polish
        report.row(cls.polish_steps, before=before, breach=breach, after=answer.value, left=problem.violation(answer.x))

    @classmethod
    def drawing(cls, report: Report, problem: Problem, answer: Answer, path: list[Floats]) -> None:
        figures.contours(report, cls.grid, cls.contour, problem, answer, path)
        if len(problem.variables) != 2:
            report.skip(cls.path, "只在两个变量时画")
            return
        steps = path[:400] if len(path) > 1 else [answer.x, answer.x]
        report.add_rows(cls.path, {"x": [float(p[0]) for p in steps], "y": [float(p[1]) for p in steps]})

    # ---- sentences -----------------------------------------------------------------------------------------------
    @classmethod
    def told(
        cls,
        report: Report,
        form: Any,
        problem: Problem,
        answer: Answer,
        proof: Certificate,
        starts: list[Start],
        kind: str,
    ) -> None:
        how = {
            "局部最优": "（局部最优）",
            "最好可行解": "（目前最好，不保证最优）",
            "超时": "（时间用完）",
            "最优": "（已证明最优）",
        }
        cls.lead(report, problem, answer, how[answer.status])
        cls.feasibility(report, problem, answer)
        if problem.target.kinks():
            report.check("最优性", "unknown", "目标函数含 ABS、MIN 或 MAX，导数有跳跃，不能用导数检查最优性。")
        elif not np.isfinite(proof.stationarity):
            report.check("最优性", "unknown", "目标函数在这一点没有导数，不能检查最优性。")
        elif not proof.holds:
            report.check(
                "最优性",
                "fail",
                "KKT 残差是 {r:num}，还不是局部最优。请增加迭代次数，或改用 SLSQP。",
                r=proof.stationarity,
            )
        elif proof.is_minimum is False:
            report.check("最优性", "fail", "一阶条件满足，但这一点是鞍点。请换一个初始点。")
        elif proof.is_minimum is None:
            report.check("最优性", "care", "一阶条件满足，二阶条件不能判断。")
        else:
            report.check("最优性", "pass", "一阶和二阶条件都满足，是局部最优。")
        cls._ends(report, problem, answer, starts)
        report.say(
            f"采用{TITLES[form.algorithm]}（{answer.ran}）求解含 {{n:integer}} 个决策变量、{{m:integer}} 个约束的"
            f"{kind}，目标函数值为 {{value:num}}。",
            voice="paper", n=len(problem.names), m=len(problem.constraints), value=answer.value,
        )  # fmt: skip

    @classmethod
    def _ends(cls, report: Report, problem: Problem, answer: Answer, starts: list[Start]) -> None:
        good = [one for one in starts if one.feasible]
        if len(starts) < 2:
            report.check("全局最优", "unknown", "非线性问题可能有更好的解。请换初始点或用启发式再求一次。")
            return
        near = [one for one in good if abs(one.value - answer.value) <= 1e-5 * max(1.0, abs(answer.value))]
        facts: dict[str, Any] = {"k": len(near), "all": len(starts)}
        if len(near) == len(starts):
            report.check(
                "全局最优", "pass", "{all:integer} 个起点都得到同一个最优值。这不是证明，但更好的解不太可能。", **facts
            )
        else:
            report.check(
                "全局最优", "care",
                "{all:integer} 个起点中有 {k:integer} 个得到这个值，其余停在别处：问题可能有多个局部最优。", **facts,
            )  # fmt: skip


def point(x: Floats) -> str:
    shown = "，".join(f"{value:.4g}" for value in x[:6])
    return f"({shown}{'，…' if len(x) > 6 else ''})"


def continuous(report: Report, problem: Problem, kind: str) -> Problem:
    """Whole variables as continuous ones, which the reader is told."""
    if not problem.whole.any():
        return problem
    names = "、".join(one.name for one in problem.variables if one.is_whole)
    report.warn(
        "data.whole", f"{kind}把整数和 0-1 变量当作连续变量：{{list}}。需要整数解请用含整数的非线性规划。", list=names
    )
    return replace(problem, variables=[replace(one, kind="float") for one in problem.variables])


def linear_without_end(problem: Problem) -> None:
    """A linear target without constraints goes on for ever unless bounds stop it."""
    try:
        slope = problem.sign * problem.target.linear().coefficients
    except NonlinearError:
        return
    for place, (name, step) in enumerate(zip(problem.names, slope, strict=True)):
        stop = problem.low[place] if step > 0 else problem.high[place]
        if step != 0 and not np.isfinite(stop):
            side = "下界" if step > 0 else "上界"
            text_ = f"目标函数是线性的，没有约束时无界：变量“{name}”没有{side}。请填写它，或改用线性规划加上约束"
            raise Refusal("data.unbounded", text_, field="target")
