from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Chart, Ellipse, Points, Report, Table, TypedFormula, num, text
from hengxi.contract.refusal import NextStep
from hengxi.families.solving import figures, heuristic, linear, local_answer
from hengxi.families.solving.answer import Answer
from hengxi.families.solving.base import Constrained
from hengxi.families.solving.form import (
    EXACT,
    HEURISTICS,
    LOCAL,
    TITLES,
    ProgramForm,
    algorithms,
    constraint_list,
    iterations,
    population,
    runs,
    time_limit,
    tolerance,
)
from hengxi.families.solving.problem import NONLINEAR, Problem, read
from hengxi.families.solving.tableau import LARGEST_TABLEAU, Pivot, simplex_steps
from hengxi.stats.solving.linear_program import LinearProgram, Ranges, Solution, another, ranges

SIMPLEX = {"algorithm": "simplex"}
PROVEN = {"algorithm": EXACT}


class Linear(Constrained):
    """The proven optimum of a linear program, its shadow prices, and how far its data may move."""

    title, title_en = "线性规划", "Linear programming"
    slug = "programming-solution"
    purpose = "在线性约束下求线性目标的最大或最小值，并给出影子价格与灵敏度"
    aliases = ("线性规划", "LP", "单纯形法", "影子价格", "灵敏度分析", "生产计划")
    references = ("dantzig1963", "hillier2015", "huangfu2018")
    conventions = (
        "影子价格：右端值增加 1 个单位，最优目标函数值的变化量；检验数：变量的取值增加 1 个单位时目标函数值的变化量。",
        "灵敏度范围由最优基求得：在范围内最优基不变。退化时不同软件的范围可以不同。",
        "约束先整理为“变量在左、常数在右”，表中的左端值、右端值是整理后的。",
        "单纯形法、改进单纯形法、内点法由 HiGHS 计算：原始单纯形、对偶单纯形、内点法后移到顶点。",
        "COBYLA、trust-constr、SLSQP 和启发式的结果都与 HiGHS 的精确解对照。",
    )
    random = True

    class Input(ProgramForm):
        constraints: list[TypedFormula] = constraint_list()
        algorithm: str = algorithms(
            "simplex", "interior_point", "revise_simplex", "COBYLA", "trust-constr", "SLSQP", *HEURISTICS
        )
        max_iter: int = iterations((*LOCAL, *HEURISTICS))
        tol: float = tolerance(LOCAL)
        time_limit: int = time_limit()
        pop_size: int = population()
        runs: int = runs()

    prices = Table(
        "影子价格与右端值的范围", constraint=text("约束"), price=num("影子价格"), current=num("右端值"),
        down=num("允许减少", least=0), up=num("允许增加", least=0), when=PROVEN, place="main",
    )  # fmt: skip
    costs = Table(
        "目标系数的范围", variable=text("变量"), reduced=num("检验数"), current=num("系数"),
        down=num("允许减少", least=0), up=num("允许增加", least=0), when=PROVEN, place="detail",
    )  # fmt: skip
    optima = Table(
        "另一个最优解", variable=text("变量"), value=num("取值"), other=num("另一解的取值"), when=PROVEN, place="detail"
    )
    grid = Points("可行域网格", x=num("x"), y=num("y"), room=num("余量"))
    optimum = Points("最优点", x=num("x"), y=num("y"), a=num("半轴"), b=num("半轴"), angle=num("角"))
    region = Chart(
        "可行域", "surface", of=grid, x="x", y="y", z="room", draw="region", place="main",
        over=[Ellipse(optimum, x="x", y="y", a="a", b="b", angle="angle")],
    )  # fmt: skip
    steps = Table(
        "单纯形迭代（教学）", step=text("次序"), entering=text("进基"), leaving=text("出基"),
        reduced=text("进基变量的检验数"),
        ratio=text("最小比值"), target=text("目标函数值"), basis=text("基变量的取值"), when=SIMPLEX, place="detail",
    )  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        problem = read(form)
        program = problem.linear("线性规划", NONLINEAR)
        relaxed = program.relaxed()
        report = Report()
        if problem.whole.any():
            program = relaxed
            names = "、".join(one.name for one in problem.variables if one.is_whole)
            problem = continuous(problem)
            report.warn(
                "data.whole", "线性规划把整数和 0-1 变量当作连续变量：{list}。需要整数解请用整数规划。", list=names
            )
        answer, exact = cls.solved(problem, program, form)
        cls.write(report, form, problem, answer)
        binding = cls.constraints(report, problem, answer)
        figures.region(report, cls.grid, cls.region, cls.optimum, problem, answer)
        proven = form.algorithm in EXACT and exact.state == "optimal"
        found = ranges(program, exact) if proven else None
        cls._sensitivity(report, problem, program, exact, found)
        other = another(program, exact, found.others) if found is not None and found.others else None
        cls._others(report, problem, answer, found, other)
        cls._tableau(report, form, problem, program)
        cls._words(report, form, problem, answer, exact, binding, found, other)
        return report

    @classmethod
    def solved(cls, problem: Problem, program: LinearProgram, form: Any) -> tuple[Answer, Solution]:
        if form.algorithm in EXACT:
            return linear.answer(problem, program, form)
        exact = linear.exact(problem, program, form)
        if form.algorithm in HEURISTICS:
            box = linear.finite_box(problem, program, TITLES[form.algorithm])
            answer = heuristic.answer(problem, form, box, polish=True)
        else:
            answer = local_answer.single(problem, form, start=None)
        answer.exact = exact.value
        if abs(answer.value - exact.value) <= 1e-6 * max(1.0, abs(exact.value)) and not answer.out_of_time:
            answer.status = "最优"
        elif answer.status == "局部最优":
            answer.status = "最好可行解"
        return answer, exact

    # ---- tables --------------------------------------------------------------------------------------------------
    @classmethod
    def _sensitivity(
        cls, report: Report, problem: Problem, program: LinearProgram, exact: Solution, found: Ranges | None
    ) -> None:
        if found is None:
            for table in (cls.prices, cls.costs):
                report.skip(table, "没有求到最优基")
            return
        for k, one in enumerate(problem.constraints):
            report.row(
                cls.prices, constraint=one.words, price=float(exact.duals[k]) + 0.0, current=one.side,
                down=found.side_down[k], up=found.side_up[k],
            )  # fmt: skip
        for k, name in enumerate(problem.names):
            report.row(
                cls.costs, variable=name, reduced=float(exact.reduced[k]) + 0.0, current=program.cost[k],
                down=found.cost_down[k], up=found.cost_up[k],
            )  # fmt: skip
        report.note(cls.prices, "右端值在“允许减少”到“允许增加”之内变动，影子价格不变；∞ 表示没有限制。一次只变一个。")

    @classmethod
    def _others(cls, report: Report, problem: Problem, answer: Answer, found: Ranges | None, other: Any) -> None:
        if other is None:
            report.skip(cls.optima, "没有另外的最优解" if found is not None else "只在精确算法后给出")
            return
        for name, value, second in zip(problem.names, answer.x, other, strict=True):
            report.row(cls.optima, variable=name, value=value, other=second)
        report.note(cls.optima, "两个解之间的每一个点都同样好。")

    @classmethod
    def _tableau(cls, report: Report, form: Any, problem: Problem, program: LinearProgram) -> None:
        if form.algorithm != "simplex":
            return
        n, m = len(problem.names), len(problem.constraints)
        if max(n, m) > LARGEST_TABLEAU:
            report.skip(cls.steps, f"只在变量和约束各不超过 {LARGEST_TABLEAU} 个时给出")
            return
        pivots: list[Pivot] | None = simplex_steps(program, problem.names)
        if pivots is None:
            report.skip(cls.steps, "数太大，没有用分数演示")
            return
        for pivot in pivots:
            cells: dict[str, Any] = pivot.cells()
            report.row(cls.steps, **cells)
        report.note(
            cls.steps,
            "用分数精确演示两阶段单纯形法，s 是松弛变量，a 是人工变量。最优值与上表相同，经过的顶点可以不同。",
        )

    # ---- sentences -----------------------------------------------------------------------------------------------
    @classmethod
    def _words(
        cls, report: Report, form: Any, problem: Problem, answer: Answer, exact: Solution, binding: list[int],
        found: Ranges | None, other: Any,
    ) -> None:  # fmt: skip
        same = abs(answer.value - exact.value) <= 1e-6 * max(1.0, abs(exact.value))
        if form.algorithm in EXACT:
            how = "（已证明最优）" if answer.status == "最优" else "（时间用完，未证明最优）"
        elif same:
            how = "（与精确解一致）"
        else:
            how = "（不是最优，精确值见检查）"
        cls.lead(report, problem, answer, how)
        cls.feasibility(report, problem, answer)
        side = "小" if problem.maximise else "大"
        if form.algorithm in EXACT and answer.status == "最优":
            report.check("最优性", "pass", "对偶解证明没有更好的解。")
        elif same:
            report.check("最优性", "pass", "与 HiGHS 的精确最优值 {best:num} 一致。", best=exact.value)
        else:
            report.check(
                "最优性",
                "fail",
                f"比 HiGHS 的精确最优值 {{best:num}} {side}，相差 {{gap:num}}。请改用单纯形法。",
                best=exact.value,
                gap=abs(exact.value - answer.value),
            )
        if found is not None:
            if other is not None:
                report.check("唯一性", "care", "最优解不唯一，另一个列在明细里。目标函数值一样，可以按其他考虑选。")
            else:
                report.check("唯一性", "pass", "最优解是唯一的。")
            if found.degenerate:
                report.check(
                    "退化", "care", "最优解是退化的：影子价格和允许范围不唯一，与其他软件可能不同。最优值不受影响。"
                )
        cls._prices_in_words(report, problem, answer, exact, binding, found)
        report.say(
            f"采用{TITLES[form.algorithm]}（{answer.ran}）求解含 {{n:integer}} 个决策变量、{{m:integer}} 个约束的"
            "线性规划，目标函数的{side}值为 {value:num}。",
            voice="paper", n=len(problem.names), m=len(problem.constraints), value=answer.value,
            side="最大" if problem.maximise else "最小",
        )  # fmt: skip

    @classmethod
    def _prices_in_words(
        cls, report: Report, problem: Problem, answer: Answer, exact: Solution, binding: list[int], found: Ranges | None
    ) -> None:
        if not binding:
            report.say("没有一个约束起作用，最优解由变量的界决定。" if found is not None else "没有约束起作用。")
            return
        names = "、".join(f"“{problem.constraints[k].words}”" for k in binding[:5])
        more = f"等 {len(binding)} 个" if len(binding) > 5 else ""
        report.say(
            f"起作用的约束是{names}{more}。" if len(binding) < len(problem.constraints) else "所有约束都起作用。"
        )
        if found is None or not np.any(np.abs(exact.duals[binding]) > 1e-9):
            return
        best = max(binding, key=lambda k: abs(exact.duals[k]))
        price = float(exact.duals[best])
        moves = "增加" if price > 0 else "减少"
        report.say(
            f"影响最大的是“{problem.constraints[best].words}”：右端值增加 1，目标函数值{moves} {{price:num}}，"
            "在允许范围内有效。",
            voice="student", price=abs(price),
        )  # fmt: skip

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Any) -> list[NextStep]:
        held = {key: form[key] for key in ("variables", "sense", "target", "constraints")}
        return [NextStep(title="变量要取整数", method="programming_solution/integer", form=held)]


def continuous(problem: Problem) -> Problem:
    from dataclasses import replace

    return replace(problem, variables=[replace(one, kind="float") for one in problem.variables])
