"""Systems of ordinary differential equations typed as formulas: named models, solving, equilibria."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from hengxi.contract import Refusal, SetRemedy
from hengxi.contract.grammar import Arithmetic, Compare, Node, Symbol, parse
from hengxi.stats.solving.expressions import Function

from .grid import Floats
from .quick_formula import Quick, quick
from .typed import names_in

MOST_CALLS, HUGE = 150_000, 1e12
EXPLICIT = ("RK45", "RK23", "DOP853")


@dataclass(frozen=True)
class Model:
    """States with their equations, the parameters in order with their defaults, and the initial values."""

    title: str
    equations: dict[str, str]
    parameters: dict[str, float]
    start: tuple[float, ...]
    infected: str | None = None


N3 = "(S + I + R)"
MODELS: dict[str, Model] = {
    "si": Model("SI", {"S": "-beta*S*I/(S + I)", "I": "beta*S*I/(S + I)"}, {"beta": 0.5}, (990, 10), "I"),
    "sis": Model("SIS", {"S": "-beta*S*I/(S + I) + gamma*I", "I": "beta*S*I/(S + I) - gamma*I"},
                 {"beta": 0.5, "gamma": 0.2}, (990, 10), "I"),
    "sir": Model("SIR", {"S": f"-beta*S*I/{N3}", "I": f"beta*S*I/{N3} - gamma*I", "R": "gamma*I"},
                 {"beta": 0.5, "gamma": 0.2}, (990, 10, 0), "I"),
    "seir": Model("SEIR", {"S": "-beta*S*I/(S + E + I + R)", "E": "beta*S*I/(S + E + I + R) - sigma*E",
                           "I": "sigma*E - gamma*I", "R": "gamma*I"},
                  {"beta": 0.5, "sigma": 0.25, "gamma": 0.2}, (990, 0, 10, 0), "I"),
    "logistic": Model("Logistic", {"x": "r*x*(1 - x/K)"}, {"r": 0.3, "K": 100}, (5,)),
    "gompertz": Model("Gompertz", {"x": "r*x*ln(K/x)"}, {"r": 0.1, "K": 100}, (5,)),
    "lotka": Model("Lotka-Volterra", {"x": "a*x - b*x*y", "y": "c*x*y - d*y"},
                   {"a": 1.1, "b": 0.4, "c": 0.1, "d": 0.4}, (10, 10)),
    "competition": Model("竞争模型", {"x": "r1*x*(1 - (x + a12*y)/K1)", "y": "r2*y*(1 - (y + a21*x)/K2)"},
                         {"r1": 0.5, "r2": 0.4, "K1": 100, "K2": 80, "a12": 0.6, "a21": 0.5}, (10, 10)),
    "oscillator": Model("阻尼振子", {"x": "v", "v": "-2*zeta*omega*v - omega^2*x"}, {"zeta": 0.1, "omega": 1}, (1, 0)),
}  # fmt: skip


@dataclass(frozen=True)
class Flow:
    """dy/dt as functions of the states, t and the parameters."""

    states: list[str]
    parameters: dict[str, float]
    parts: list[Function]
    start: Floats

    @cached_property
    def _quick(self) -> list[Quick]:
        return [quick(f.node, f.names) for f in self.parts]

    def rate(self, t: float, y: Floats) -> Floats:
        point = [*y.tolist(), t, *self.parameters.values()]
        return np.array([f(point) for f in self._quick])

    def jacobian(self, t: float, y: Floats) -> Floats:
        point = np.r_[y, t, list(self.parameters.values())]
        return np.array([f.gradient(point)[: len(y)] for f in self.parts])

    def with_parameters(self, values: dict[str, float]) -> Flow:
        return replace(self, parameters={**self.parameters, **values})

    @property
    def autonomous(self) -> bool:
        return not any("t" in names_in(f.node) for f in self.parts)


def read(form: Any) -> tuple[Flow, Model | None]:
    """The system of a form; refuses what is not dX/dt = …, parameters without a value, a wrong number of starts."""
    given = {row.name: row.value for row in form.params}
    if form.model == "custom":
        model = None
        equations = dict(_equation(one.node, k, one.source) for k, one in enumerate(form.equations, 1))
        if len(equations) < len(form.equations):
            raise Refusal("data.repeated", "有一个变量写了两个方程，请改正", field="equations")
        needed = [name for name in names_in(*equations.values()) if name not in equations and name != "t"]
        if not form.y0:
            raise Refusal("numbers.required", "请填写“初值”，按方程的次序", field="y0")
        parameters: dict[str, float | None] = dict.fromkeys(needed)
    else:
        model = MODELS[form.model]
        equations = {name: parse(words, "expression") for name, words in model.equations.items()}
        parameters = dict(model.parameters) if not given else dict.fromkeys(model.parameters)
    states = list(equations)
    for name, value in given.items():
        if name not in parameters:
            list_ = "、".join(parameters) or "（没有参数）"
            raise Refusal("data.parameter", f"方程里没有参数“{name}”，有的是 {list_}", field="params")
        parameters[name] = None if value is None else float(value)
    missing = next((name for name, value in parameters.items() if value is None), None)
    if missing is not None:
        raise Refusal("data.parameter", f"参数“{missing}”没有给值，请在“参数”里添加", field="params")
    start = list(form.y0) if form.y0 else list(model.start if model is not None else ())
    if len(start) != len(states):
        text = f"方程组有 {len(states)} 个变量（{'、'.join(states)}），初值给了 {len(start)} 个"
        raise Refusal("data.start", text, field="y0")
    names = [*states, "t", *parameters]
    numbers = {name: float(value) for name, value in parameters.items() if value is not None}
    flow = Flow(states, numbers, [Function(node, names) for node in equations.values()], np.array(start, dtype=float))
    if not np.isfinite(flow.rate(0.0, flow.start)).all():
        raise Refusal("data.undefined", "方程在初值处没有定义（如除以 0、负数开方），请改初值或方程", field="y0")
    return flow, model


def _equation(node: Node, number: int, source: str) -> tuple[str, Node]:
    """`dX/dt = …` as the name of the state and the right side."""
    match node:
        case Compare(op="=", left=Arithmetic(op="/", left=Symbol(name=top), right=Symbol(name="dt")), right=right):
            if top.startswith("d") and len(top) > 1 and top[1:] != "t":
                return top[1:], right
    text = f"第 {number} 个方程“{source}”要写成 dX/dt = … 的样子"
    raise Refusal("data.equation", text, field="equations", row=number)


class TooManyError(Exception):
    pass


@dataclass(frozen=True)
class Path:
    t: Floats
    y: Floats
    """States × times."""
    calls: int
    steps: int
    dense: Any


def solve(flow: Flow, end: float, method: str, rtol: float, at: Floats | None = None) -> Path:
    """From t = 0 to `end`; a solution that leaves every bound, or needs too many steps, is refused."""
    from scipy.integrate import solve_ivp

    calls = 0

    def rate(t: float, y: Floats) -> Floats:
        nonlocal calls
        calls += 1
        if calls > MOST_CALLS:
            raise TooManyError
        return flow.rate(t, y)

    def burst(t: float, y: Floats) -> float:
        return float(HUGE - np.abs(y).max())

    burst.terminal = True  # type: ignore[attr-defined]
    more: dict[str, Any] = {} if method in EXPLICIT else {"jac": flow.jacobian}
    if method == "LSODA":
        more = {"jac": lambda t, y: flow.jacobian(t, y)}
    scale = np.maximum(np.abs(flow.start), 1e-3 * max(1.0, float(np.abs(flow.start).max())))
    try:
        with np.errstate(all="ignore"):
            found = solve_ivp(rate, (0.0, end), flow.start, method=method, rtol=rtol, atol=rtol * 1e-3 * scale,
                              t_eval=at, events=burst, dense_output=True, **more)  # fmt: skip
    except TooManyError:
        way = SetRemedy(title="改用 Radau", set={"method": "Radau"})
        text = "步数过多，方程可能是刚性的，请改用 Radau 或 BDF，或放宽相对误差"
        ways = [way] if method in EXPLICIT else []
        raise Refusal("data.stiff", text, field="method", remedies=ways) from None
    last = float(found.sol.t_max) if found.sol is not None else 0.0
    if found.status != 0 or not np.isfinite(found.y).all():
        text = f"解在 t={last:.6g} 处趋于无穷或没有定义，请检查参数或缩短时间"
        raise Refusal("data.diverges", text, field="t_end")
    return Path(found.t, found.y, calls, len(found.sol.ts) - 1, found.sol)
