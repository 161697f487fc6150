from __future__ import annotations

from hengxi.contract import Report, TypedFormula, flag
from hengxi.families.solving.form import (
    HEURISTICS,
    LOCAL,
    ProgramForm,
    algorithms,
    constraint_list,
    first_point,
    iterations,
    population,
    runs,
    time_limit,
    tolerance,
)
from hengxi.families.solving.multipliers import ConstrainedNonlinear
from hengxi.families.solving.nonlinear import continuous
from hengxi.families.solving.problem import read


class NonlinearWithConstraints(ConstrainedNonlinear):
    """Constraints and a nonlinear target: local algorithms, or a search of the whole region polished at its end."""

    title, title_en = "有约束非线性规划", "Constrained nonlinear programming"
    tier = "member"
    purpose = "在线性或非线性约束下求非线性目标的最优解，可选局部或全局算法"
    aliases = ("约束优化", "有约束优化", "非线性约束", "遗传算法", "粒子群", "模拟退火")
    references = ("nocedal2006", "hock1981", "deb2000", "clerc2002", "kirkpatrick1983")
    conventions = (
        "启发式先比可行性：违反量不超过 ε 时比目标函数值，否则比违反量；ε 在前 60% 的迭代里减到 0。",
        "精修：从最好的点用 SLSQP 再走几步，变好才采用。",
        "KKT 残差不超过 1e-4 算满足一阶条件。",
        "启发式由本站的内核计算，局部算法由 SciPy 计算。",
    )
    random = True

    class Input(ProgramForm):
        constraints: list[TypedFormula] = constraint_list()
        algorithm: str = algorithms("SLSQP", "COBYLA", "trust-constr", *HEURISTICS)
        x0: list[float] = first_point(LOCAL)
        max_iter: int = iterations((*LOCAL, *HEURISTICS))
        tol: float = tolerance(LOCAL)
        time_limit: int = time_limit()
        pop_size: int = population()
        runs: int = runs()
        polish: bool = flag("用 SLSQP 精修", True, when={"algorithm": HEURISTICS}, advanced=True)

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        problem = continuous(report, read(form), "有约束非线性规划")
        answer, begun, path = cls.answered(problem, form, polish=bool(form.polish))
        cls.write(report, form, problem, answer)
        proof = cls.conditions(report, problem, answer)
        cls.held(report, problem, answer)
        if form.algorithm in HEURISTICS:
            cls.polished(report, problem, answer)
        else:
            cls.begun(report, problem, begun)
        cls.drawing(report, problem, answer, path)
        cls.told(report, form, problem, answer, proof, begun, "有约束非线性规划")
        return report
