"""The fields of a program: what is to be decided, what is wanted, what must hold, and how it is searched."""

from __future__ import annotations

from typing import Any

from hengxi.contract import (
    Form,
    Record,
    TypedFormula,
    choice,
    formula,
    integer,
    number,
    numbers,
    records,
    words,
)

MOST_VARIABLES = MOST_CONSTRAINTS = 1000
HEURISTICS = ("ga", "pso", "sa", "monte_calo")
EXACT = ("interior_point", "simplex", "revise_simplex")
BOUNDS_ONLY = ("Nelder-Mead", "L-BFGS-B", "Powell", "TNC")
LOCAL = (*BOUNDS_ONLY, "COBYLA", "SLSQP", "trust-constr")
TITLES = {
    "simplex": "单纯形法",
    "revise_simplex": "改进单纯形法",
    "interior_point": "内点法",
    "branch_and_bound": "分支定界",
    "implicit_enum": "隐枚举",
    "COBYLA": "COBYLA",
    "trust-constr": "trust-constr",
    "SLSQP": "SLSQP",
    "Nelder-Mead": "Nelder-Mead",
    "L-BFGS-B": "L-BFGS-B",
    "Powell": "Powell",
    "TNC": "TNC",
    "ga": "遗传算法",
    "pso": "粒子群算法",
    "sa": "模拟退火",
    "monte_calo": "蒙特卡罗",
}
TYPES = {"float": "连续", "int": "整数", "bool": "0-1"}


def algorithms(*keys: str) -> Any:
    """The algorithms of a problem type, in the order and spelling of the specification; the default comes first."""
    return choice("求解算法", {key: TITLES[key] for key in keys})


def variable_list() -> Any:
    return records(
        "决策变量",
        min=1,
        max=MOST_VARIABLES,
        names="X{i}",
        symbols=True,
        name=words("名称", kind="name", longest=32),
        var_type=choice("类型", TYPES),
        bounds=numbers("界", names=("min", "max"), start_with=(0.0, None)),
        hint="界留空表示没有限制；0-1 变量不用填界",
    )


class ProgramForm(Form):
    """Every program: variables, direction, target."""

    variables: list[Record] = variable_list()
    sense: str = choice("目标方向", {"min": "最小", "max": "最大"})
    target: TypedFormula = formula(
        "目标函数", kind="expression", symbols="variables", hint="例如 3X + 5Y；乘号可以省略"
    )


def constraint_list() -> Any:
    return formula(
        "约束条件", kind="constraint", symbols="variables", lines=(1, MOST_CONSTRAINTS),
        none="至少需要一个约束条件！", hint="一行一个，例如 3X + 2Y <= 18，1 <= X <= 3",
    )  # fmt: skip


def optional_constraint_list() -> Any:
    return formula(
        "约束条件", kind="constraint", symbols="variables", lines=(0, MOST_CONSTRAINTS),
        hint="一行一个；只有变量的界时可以不填",
    )  # fmt: skip


def iterations(keys: tuple[str, ...]) -> Any:
    return integer("最大迭代次数", 1000, least=10, most=100_000, when={"algorithm": keys}, advanced=True)


def tolerance(keys: tuple[str, ...]) -> Any:
    return number("容差", 1e-6, least=1e-9, most=0.1, when={"algorithm": keys}, advanced=True)


def time_limit() -> Any:
    return integer("时间上限", 60, least=1, most=600, unit="秒", advanced=True)


def population() -> Any:
    return integer("种群规模", 80, least=10, most=1000, when={"algorithm": HEURISTICS}, advanced=True)


def runs() -> Any:
    return integer("独立运行次数", 5, least=1, most=50, when={"algorithm": HEURISTICS}, advanced=True)


def starts(keys: tuple[str, ...]) -> Any:
    return integer("多起点个数", 10, least=1, most=200, when={"algorithm": keys}, advanced=True)


def first_point(keys: tuple[str, ...]) -> Any:
    return numbers(
        "初始点", when={"algorithm": keys}, advanced=True, max=MOST_VARIABLES,
        hint="按变量次序填写，用逗号隔开；空为自动选取",
    )  # fmt: skip
