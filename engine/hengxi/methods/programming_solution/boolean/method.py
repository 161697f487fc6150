from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from hengxi.contract import MethodRemedy, Refusal, Report, Table, TypedFormula, num, text
from hengxi.contract.refusal import NextStep
from hengxi.families.solving.answer import Answer, Status, watcher
from hengxi.families.solving.form import (
    HEURISTICS,
    ProgramForm,
    algorithms,
    constraint_list,
    iterations,
    population,
    runs,
    time_limit,
)
from hengxi.families.solving.problem import MIXED, Problem, read
from hengxi.families.solving.whole import Whole, binary
from hengxi.stats.solving.branching import Enumeration, implicit_enumeration
from hengxi.stats.solving.linear_program import LinearProgram, Solution, solve

ENUMERATES = {"algorithm": "implicit_enum"}
MOST_ENUMERATED = 30
LISTED = 200
PLANS = 5
FATES = {
    "better": "可行，更新最好解",
    "bound": "过滤：不比最好解更好",
    "infeasible": "剪去：约束无法满足",
    "branched": "继续分",
}


class Boolean(Whole):
    """A linear program of yes or no: Balas' enumeration step by step, the best plans by HiGHS."""

    title, title_en = "0-1规划", "Binary (0-1) programming"
    slug = "boolean-programming"
    purpose = "求全部变量只取 0 或 1 的线性规划，如选址、选项目、指派"
    aliases = ("0-1规划", "01规划", "布尔规划", "隐枚举", "选项目", "选址")
    references = ("balas1965", "hillier2015", "huangfu2018")
    conventions = (
        "所有变量都当作 0-1 变量，填写的类型和界不用。",
        "隐枚举用 Balas 的加法算法：目标系数为负的变量先换成 1 − x，先试能补足约束最多的变量。",
        "同一问题再由 HiGHS 的整数规划求解一次，两者应一致；前几个方案由 HiGHS 逐个排除后求得。",
    )
    random = True

    class Input(ProgramForm):
        constraints: list[TypedFormula] = constraint_list()
        algorithm: str = algorithms("implicit_enum", *HEURISTICS)
        max_iter: int = iterations(HEURISTICS)
        time_limit: int = time_limit()
        pop_size: int = population()
        runs: int = runs()

    plans = Table(
        "最好的几个方案", rank=text("名次"), value=num("目标函数值"), chosen=text("取 1 的变量"), place="main"
    )
    steps = Table(
        "隐枚举过程", number=text("次序"), partial=text("部分解"), value=num("目标函数值"), filter=num("过滤值"),
        fate=text("结果"), when=ENUMERATES, place="detail",
    )  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        problem = binary(read(form))
        program = problem.linear("0-1规划", MIXED)
        n = len(problem.names)
        if form.algorithm == "implicit_enum" and n > MOST_ENUMERATED:
            text_ = f"隐枚举最多 {MOST_ENUMERATED} 个变量，现有 {n} 个。请改用启发式，或用整数规划的分支定界"
            carry = ["variables", "sense", "target", "constraints"]
            way = MethodRemedy(title="改用整数规划", method="programming_solution/integer", carry=carry)
            raise Refusal("data.size", text_, field="algorithm", remedies=[way], n=n)
        exact = cls.exact(problem, program, form)
        report = Report()
        made: Enumeration | None = None
        if form.algorithm in HEURISTICS:
            answer = cls.searched(problem, program, form, exact)
        else:
            answer, made = cls._enumerated(problem, program, form, exact)
        cls.write(report, form, problem, answer)
        binding = cls.constraints(report, problem, answer)
        cls.relaxed(report, problem, program, answer)
        cls._plans(report, problem, program)
        if made is not None:
            cls._steps(report, problem, made)
        cls.words(report, form, problem, answer, exact, binding, "0-1 规划")
        if made is not None:
            share = made.nodes / 2.0**n
            report.say(
                "隐枚举检查了 {k:integer} 个部分解；全部组合有 {all:integer} 个。", k=made.nodes, all=2**n
            ) if share <= 1 else report.say("隐枚举检查了 {k:integer} 个部分解。", k=made.nodes)
        return report

    @classmethod
    def _enumerated(
        cls, problem: Problem, program: LinearProgram, form: Any, exact: Solution
    ) -> tuple[Answer, Enumeration]:
        watch = watcher(form.progress, problem.sign)
        made = implicit_enumeration(program, seconds=form.time_limit, watch=watch, keep=LISTED)
        own = made.x is not None and made.state in ("optimal", "stopped")
        x = made.x if own and made.x is not None else exact.x
        proven = (own and made.state == "optimal") or exact.state == "optimal"
        ran = "Balas 加法算法" if own else "HiGHS 的整数规划（隐枚举到时没有结束）"
        status: Status = "最优" if proven and made.state != "stopped" else "最好可行解"
        answer = Answer(
            x, problem.target.value(x), status, ran, made.nodes, stopped=made.state == "stopped", out_of_time=not proven
        )
        return answer, made

    # ---- tables --------------------------------------------------------------------------------------------------
    @classmethod
    def _plans(cls, report: Report, problem: Problem, program: LinearProgram) -> None:
        """The best, then the best but for it, and so on: each found point is cut off by a row of its own."""
        here = program
        for rank in range(1, PLANS + 1):
            found = solve(here, 10.0)
            if found.state != "optimal":
                break
            x = np.round(found.x)
            chosen = [name for name, one in zip(problem.names, x, strict=True) if one == 1]
            report.row(cls.plans, rank=str(rank), value=program.value(x), chosen="、".join(chosen) or "都不取")
            # Σ over ones (1 − x) + Σ over zeros x ≥ 1
            cut = np.where(x == 1, -1.0, 1.0)
            here = replace(
                here, rows=np.vstack([here.rows, cut]), row_low=np.append(here.row_low, 1.0 - x.sum()),
                row_high=np.append(here.row_high, np.inf),
            )  # fmt: skip

    @classmethod
    def _steps(cls, report: Report, problem: Problem, made: Enumeration) -> None:
        best: float | None = None
        for step in made.steps:
            parts = [f"{problem.names[k]} = 1" for k in step.ones] + [f"{problem.names[k]} = 0" for k in step.zeros]
            report.row(
                cls.steps, number=str(step.number), partial="，".join(parts) or "都未定", value=step.value, filter=best,
                fate=FATES[step.fate],
            )  # fmt: skip
            if step.fate == "better":
                best = step.value
        more = f"只列出前 {LISTED} 步。" if made.nodes > LISTED else ""
        report.note(cls.steps, f"目标函数值是其余变量都取最便宜的值时的；过滤值是当时的最好解。{more}")

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Any) -> list[NextStep]:
        rows = [{**row, "var_type": "bool"} for row in form["variables"]]
        held = {**{key: form[key] for key in ("sense", "target", "constraints")}, "variables": rows}
        return [NextStep(title="用分支定界再求一次", method="programming_solution/integer", form=held)]
