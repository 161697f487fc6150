from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from hengxi.contract import Chart, Points, Report, Table, TypedFormula, integer, num, number, text
from hengxi.contract.refusal import NextStep
from hengxi.families.solving.answer import Answer, watcher
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
from hengxi.families.solving.whole import Whole, needs_whole
from hengxi.stats.solving.branching import Leaf, Tree, branch_and_bound
from hengxi.stats.solving.linear_program import LinearProgram, Solution, solve

BRANCHES = {"algorithm": "branch_and_bound"}
DRAWN = 60
LISTED = 200
FATES = {"branched": "分支", "infeasible": "不可行", "bound": "界限", "integer": "整数解", "open": "未处理"}


class Integer(Whole):
    """A linear program with whole variables: branch and bound shown node by node, checked by HiGHS."""

    title, title_en = "整数规划", "Integer programming"
    slug = "integer-programming"
    purpose = "求部分或全部变量取整数的线性规划"
    aliases = ("整数规划", "混合整数规划", "MIP", "ILP", "分支定界")
    references = ("land1960", "hillier2015", "huangfu2018")
    conventions = (
        "分支定界每次取界限最好的结点，在离整数最远的变量上分支；每个结点的松弛问题由 HiGHS 求解。",
        "与整数相差不超过 1e-6 算整数；与最好解相差不超过相对间隙的结点被剪去。",
        "同一问题再由 HiGHS 的整数规划求解一次，两者应一致。",
        "启发式需要有限的界：没有填写时由约束推出。",
    )
    random = True

    class Input(ProgramForm):
        constraints: list[TypedFormula] = constraint_list()
        algorithm: str = algorithms("branch_and_bound", *HEURISTICS)
        mip_gap: float = number("相对间隙", 0, least=0, most=0.5, when=BRANCHES, advanced=True)
        max_iter: int = iterations(HEURISTICS)
        time_limit: int = time_limit()
        pop_size: int = population()
        runs: int = runs()

    trace = Points("求解过程", step=integer("步"), value=num("目标函数值"), line=text("线"))
    convergence = Chart("收敛曲线", "line", of=trace, x="step", y="value", series="line", place="detail")
    nodes = Table(
        "分支定界的结点", number=text("结点"), parent=text("来自"), condition=text("加入的条件"),
        value=num("松弛最优值"), fate=text("结果"), when=BRANCHES, place="detail",
    )  # fmt: skip
    drawn = Points("分支定界树", id=text("结点"), parent=text("来自"), label=text("说明"), when=BRANCHES)
    tree = Chart(
        "分支定界树", "tree", of=drawn, node="id", parent="parent", label="label", draw="outline", when=BRANCHES,
        place="main",
    )  # fmt: skip
    prices = Table(
        "固定整数后的影子价格", constraint=text("约束"), price=num("影子价格"), when=BRANCHES, place="detail"
    )  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        problem = read(form)
        needs_whole(problem)
        program = problem.linear("整数规划", MIXED)
        exact = cls.exact(problem, program, form)
        report = Report()
        made: Tree | None = None
        if form.algorithm in HEURISTICS:
            answer = cls.searched(problem, program, form, exact)
        else:
            answer, made = cls._branched(problem, program, form, exact)
        cls.write(report, form, problem, answer)
        binding = cls.constraints(report, problem, answer)
        cls.relaxed(report, problem, program, answer)
        if made is not None:
            cls._tree(report, problem, made)
            cls._prices(report, problem, program, answer)
        cls.words(report, form, problem, answer, exact, binding, "整数规划")
        if made is not None:
            report.say("分支定界共 {k:integer} 个结点。", k=made.nodes)
        return report

    @classmethod
    def _branched(cls, problem: Problem, program: LinearProgram, form: Any, exact: Solution) -> tuple[Answer, Tree]:
        watch = watcher(form.progress, problem.sign)
        made = branch_and_bound(program, seconds=form.time_limit, gap=form.mip_gap, watch=watch)
        # A large tree may end by the clock: HiGHS, which cuts as well, has the better answer then.
        own = made.x is not None and made.state in ("optimal", "stopped")
        x = made.x if own and made.x is not None else exact.x
        proven = (own and made.state == "optimal") or exact.state == "optimal"
        ran = "松弛问题由 HiGHS 求解" if own else "HiGHS 的整数规划（分支定界到时没有结束）"
        answer = Answer(
            x, problem.target.value(x), "最优" if proven and made.state != "stopped" else "最好可行解", ran, made.nodes,
            stopped=made.state == "stopped", out_of_time=not proven,
        )  # fmt: skip
        if form.mip_gap > 0 and answer.status == "最优" and exact.state == "optimal":
            gap = abs(answer.value - exact.value)
            answer.status = "最优" if gap <= 1e-6 * max(1.0, abs(exact.value)) else "最好可行解"
        for step, value, bound in made.trace:
            if np.isfinite(value):
                answer.trace.append((step, problem.sign * value, "最好解"))
            answer.trace.append((step, problem.sign * bound, "最优界"))
        return answer, made

    # ---- tables --------------------------------------------------------------------------------------------------
    @classmethod
    def _tree(cls, report: Report, problem: Problem, made: Tree) -> None:
        for leaf in made.leaves[:LISTED]:
            report.row(
                cls.nodes, number=str(leaf.number), parent="—" if leaf.parent is None else str(leaf.parent),
                condition=condition(problem, leaf), value=None if np.isnan(leaf.value) else leaf.value,
                fate=FATES[leaf.fate],
            )  # fmt: skip
        if len(made.leaves) > LISTED:
            report.note(cls.nodes, f"只列出前 {LISTED} 个结点，共 {{k:integer}} 个。", k=made.nodes)
        else:
            report.note(cls.nodes, "“界限”：它的松弛最优值不比已有的最好解更好，不再往下分。")
        shown = made.leaves[:DRAWN]
        if len(made.leaves) > DRAWN:
            report.note(cls.tree, f"只画出前 {DRAWN} 个结点。")
        for leaf in shown:
            value = "" if np.isnan(leaf.value) else f" z = {leaf.value:.6g}"
            label = f"{condition(problem, leaf)}{value} {FATES[leaf.fate]}"
            above = None if leaf.parent is None else str(leaf.parent)
            report.row(cls.drawn, id=str(leaf.number), parent=above, label=label)

    @classmethod
    def _prices(cls, report: Report, problem: Problem, program: LinearProgram, answer: Answer) -> None:
        if problem.whole.all():
            report.skip(cls.prices, "所有变量都取整数，没有影子价格")
            return
        low, high = program.low.copy(), program.high.copy()
        low[problem.whole] = high[problem.whole] = answer.x[problem.whole]
        found = solve(replace(program.relaxed(), low=low, high=high), 10.0, "dual")
        if found.state != "optimal":
            report.skip(cls.prices, "固定整数后没有求到最优基")
            return
        for one, price in zip(problem.constraints, found.duals, strict=True):
            report.row(cls.prices, constraint=one.words, price=float(price) + 0.0)
        report.note(cls.prices, "整数变量固定在最优值后求得，只说明附近的变化。")

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Any) -> list[NextStep]:
        held = {key: form[key] for key in ("variables", "sense", "target", "constraints")}
        return [NextStep(title="不取整数，看影子价格", method="programming_solution/linear", form=held)]


def condition(problem: Problem, leaf: Leaf) -> str:
    if leaf.variable is None:
        return "原问题的松弛"
    return f"{problem.names[leaf.variable]} {'≤' if leaf.side == 'high' else '≥'} {leaf.limit:g}"
