from __future__ import annotations

from typing import Any

from hengxi.contract import Report, TypedFormula, choice, filled, option
from hengxi.families.solving.form import (
    LOCAL,
    ProgramForm,
    first_point,
    iterations,
    optional_constraint_list,
    starts,
    time_limit,
    tolerance,
)
from hengxi.families.solving.multipliers import ConstrainedNonlinear
from hengxi.families.solving.nonlinear import continuous
from hengxi.families.solving.problem import read

BOUNDS: dict[str, Any] = {"unless": {"constraints": filled}, "why": "只接受变量的界，不接受约束条件"}


class Nonlinear(ConstrainedNonlinear):
    """A local optimum from several starts, with the conditions that show it is one."""

    title, title_en = "非线性规划", "Nonlinear programming"
    slug = "nonlinear-programming"
    purpose = "用局部优化算法求非线性目标的最优解，可含或不含约束"
    aliases = ("非线性规划", "NLP", "SLSQP", "COBYLA", "多起点", "KKT")
    references = ("nocedal2006", "hock1981", "nelder1965")
    conventions = (
        "导数由公式精确求得（前向模式），不用差分；海森阵用精确梯度的中心差分。",
        "KKT 残差：目标梯度与起作用的约束、界的梯度的最小二乘差，除以目标梯度的最大分量（至少 1）。",
        "KKT 残差不超过 1e-4 算满足一阶条件。",
        "约束违反量不超过右端值（至少 1）的 1e-5 算可行。",
        "没有填写初始点时，第一个起点取界的中点或 1，其余由拉丁超立方抽样。",
        "局部算法由 SciPy 计算。",
    )
    random = True

    class Input(ProgramForm):
        constraints: list[TypedFormula] = optional_constraint_list()
        algorithm: str = choice(
            "求解算法",
            {
                "SLSQP": "SLSQP",
                "COBYLA": "COBYLA",
                "trust-constr": "trust-constr",
                "Nelder-Mead": option("Nelder-Mead", **BOUNDS),
                "L-BFGS-B": option("L-BFGS-B", **BOUNDS),
                "Powell": option("Powell", **BOUNDS),
                "TNC": option("TNC", **BOUNDS),
            },
        )
        x0: list[float] = first_point(LOCAL)
        n_starts: int = starts(LOCAL)
        max_iter: int = iterations(LOCAL)
        tol: float = tolerance(LOCAL)
        time_limit: int = time_limit()

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        problem = continuous(report, read(form), "非线性规划")
        answer, begun, path = cls.answered(problem, form)
        cls.write(report, form, problem, answer)
        proof = cls.conditions(report, problem, answer)
        cls.held(report, problem, answer)
        cls.begun(report, problem, begun)
        cls.drawing(report, problem, answer, path)
        cls.told(report, form, problem, answer, proof, begun, "非线性规划")
        return report
