"""A form read as a mathematical program: variables with bounds, a target, constraints as functions and linear rows."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from hengxi.contract import MethodRemedy, Refusal
from hengxi.contract.grammar import Arithmetic, Compare, Node, comparisons, symbols
from hengxi.contract.grammar_text import written
from hengxi.stats.solving.expressions import Floats, Function, Linear, NonlinearError
from hengxi.stats.solving.heuristics import Landscape
from hengxi.stats.solving.linear_program import LinearProgram
from hengxi.stats.solving.local import Smooth

LARGEST, SMALLEST = 1e15, 1e-9
"""Coefficients beyond these are taken for infinite, or for nothing, by HiGHS."""
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_SIGNS = {"<=": " ≤ ", "=<": " ≤ ", "<": " ≤ ", ">=": " ≥ ", "=>": " ≥ ", ">": " ≥ ", "==": " = ", "=": " = "}
NONLINEAR = "programming_solution/nonlinear"
MIXED = "programming_solution/nonlinear_with_integers"


def shown(source: str) -> str:
    """A formula as it was typed, with ≤ and ≥, and whole powers raised."""
    signs = re.sub(r"\s*(<=|>=|=<|=>|==|[<>=≤≥])\s*", lambda m: _SIGNS.get(m[1], f" {m[1]} "), source)
    if re.search(r"(?:\^|\*\*)\s*[\d.]+\s*(?:\^|\*\*)", signs):
        return signs.strip()
    return re.sub(r"(?:\^|\*\*)(\d+)(?![\d.])", lambda m: m[1].translate(_RAISED), signs.strip())


@dataclass(frozen=True)
class Variable:
    name: str
    kind: str
    low: float
    high: float

    @property
    def is_whole(self) -> bool:
        return self.kind != "float"


@dataclass(frozen=True)
class Constraint:
    """`function` ≤, ≥ or = `side`; what varies stands left, the number right."""

    words: str
    op: str
    function: Function
    side: float
    offset: float = 0.0
    """Of a linear one: the constant of the left side, already moved to the right."""

    def left(self, points: Floats) -> Floats:
        return self.function.values(points) - self.offset

    def excess(self, points: Floats) -> Floats:
        """How far beyond the right side, of each point; negative where it is met (of an equality: either way)."""
        over = self.left(points) - self.side
        return -over if self.op == ">=" else over

    @property
    def scale(self) -> float:
        return max(1.0, abs(self.side))


@dataclass
class Problem:
    variables: list[Variable]
    maximise: bool
    target: Function
    target_words: str
    constraints: list[Constraint]
    strict: list[str] = field(default_factory=list)
    """Constraints written with < or >."""
    ignored: list[str] = field(default_factory=list)
    """0–1 variables whose bounds were put aside."""

    @property
    def names(self) -> list[str]:
        return [one.name for one in self.variables]

    @property
    def sign(self) -> float:
        return -1.0 if self.maximise else 1.0

    @cached_property
    def low(self) -> Floats:
        return np.array([one.low for one in self.variables])

    @cached_property
    def high(self) -> Floats:
        return np.array([one.high for one in self.variables])

    @cached_property
    def whole(self) -> npt.NDArray[np.bool_]:
        return np.array([one.is_whole for one in self.variables])

    def violation(self, x: Floats) -> float:
        """The largest breach of a constraint, as it stands (not scaled)."""
        point = np.atleast_2d(x)
        worst = float(max((self.low - x).max(initial=0.0), (x - self.high).max(initial=0.0), 0.0))
        for one in self.constraints:
            over = float(one.excess(point)[0])
            worst = max(worst, abs(over) if one.op == "=" else over)
        return worst

    # ---- linear --------------------------------------------------------------------------------------------------
    def linear(self, is_for: str, remedy: str) -> LinearProgram:
        """As rows of numbers; a term that is not linear is refused by name, with the method that takes it."""
        target = self._linear(self.target, self.target_words, "target", None, is_for, remedy)
        rows, low, high = [], [], []
        for number, one in enumerate(self.constraints, 1):
            found = self._linear(one.function, one.words, "constraints", number, is_for, remedy)
            rows.append(found.coefficients)
            low.append(-np.inf if one.op == "<=" else one.side)
            high.append(np.inf if one.op == ">=" else one.side)
        whole = self.whole if self.whole.any() else None
        return LinearProgram(
            target.coefficients, np.array(rows).reshape(len(rows), len(self.variables)), np.array(low), np.array(high),
            self.low, self.high, self.maximise, target.constant, whole,
        )  # fmt: skip

    def _linear(self, function: Function, words: str, place: str, row: int | None, is_for: str, remedy: str) -> Linear:
        try:
            found = function.linear()
        except NonlinearError as error:
            kind = "含整数的非线性规划" if remedy == MIXED else "非线性规划"
            text = f"所选类型是{is_for}，但“{words}”含非线性项“{error.term}”。请改用{kind}"
            carry = ["variables", "sense", "target", "constraints"]
            way = MethodRemedy(title=f"改用{kind}", method=remedy, carry=carry)
            raise Refusal("data.nonlinear", text, field=place, row=row, remedies=[way]) from None
        sizes = np.abs([*found.coefficients[found.coefficients != 0], found.constant])
        if not np.isfinite(sizes).all() or (sizes > LARGEST).any():
            raise Refusal("data.number", f"“{words}”里有太大或没有定义的数（如除以 0），请改正", field=place, row=row)
        if (sizes[:-1] < SMALLEST).any():
            text = f"“{words}”里有太小的系数（小于 {SMALLEST:g}），会被当作 0。请换一个单位"
            raise Refusal("data.number", text, field=place, row=row)
        return found

    def is_linear(self) -> bool:
        try:
            for one in (self.target, *(c.function for c in self.constraints)):
                one.linear()
        except NonlinearError:
            return False
        return True

    # ---- smooth --------------------------------------------------------------------------------------------------
    def smooth(self) -> Smooth:
        """As functions with exact gradients; constraints divided by the size of their right side."""
        signs = np.array([(-1.0 if one.op == ">=" else 1.0) / one.scale for one in self.constraints])
        n = len(self.variables)

        def sides(x: Floats) -> Floats:
            point = np.atleast_2d(x)
            return np.array([one.excess(point)[0] / one.scale for one in self.constraints])

        def slopes(x: Floats) -> Floats:
            made = [sign * one.function.gradient(x) for sign, one in zip(signs, self.constraints, strict=True)]
            return np.array(made).reshape(len(made), n)

        def hessian(x: Floats, multipliers: Floats) -> Floats:
            total = self.sign * self.target.hessian(x)
            for size, sign, one in zip(multipliers, signs, self.constraints, strict=True):
                if size != 0:
                    total = total + size * sign * one.function.hessian(x)
            return total

        return Smooth(
            target=lambda x: self.sign * self.target.value(x),
            gradient=lambda x: self.sign * self.target.gradient(x),
            sides=sides, slopes=slopes, equal=np.array([one.op == "=" for one in self.constraints], dtype=bool),
            low=self.low, high=self.high, hessian=hessian,
        )  # fmt: skip

    # ---- landscape -----------------------------------------------------------------------------------------------
    def landscape(self, low: Floats | None = None, high: Floats | None = None) -> Landscape:
        """For the heuristics: by whole populations, violations summed in the scale of their right sides."""

        def violation(points: Floats) -> Floats:
            total = np.zeros(len(points))
            with np.errstate(all="ignore"):
                for one in self.constraints:
                    over = one.excess(points) / one.scale
                    total += np.abs(over) if one.op == "=" else np.maximum(over, 0.0)
            return np.where(np.isnan(total), np.inf, total)

        return Landscape(
            lambda points: self.sign * self.target.values(points), violation, self.low if low is None else low,
            self.high if high is None else high, self.whole,
        )  # fmt: skip


def read(form: Any) -> Problem:
    """The program of a form; refuses bounds that contradict each other and numbers that are none."""
    variables, ignored = _variables(form.variables)
    names = [one.name for one in variables]
    constraints: list[Constraint] = []
    strict: list[str] = []
    for number, one in enumerate(getattr(form, "constraints", None) or [], 1):
        parts = comparisons(one.node)
        for part in parts:
            words = shown(one.source) if len(parts) == 1 else written(part, {})
            if part.op in ("<", ">"):
                strict.append(words)
            constraints.append(_constraint(part, words, names, number))
    target = Function(form.target.node, names)
    if not set(symbols(form.target.node)) & set(names):
        text = f"“目标函数”（{shown(form.target.source)}）里没有决策变量，没有可以优化的。请写入变量，例如 {names[0]}"
        raise Refusal("data.constant", text, field="target")
    return Problem(variables, form.sense == "max", target, shown(form.target.source), constraints, strict, ignored)


def _variables(rows: Sequence[Any]) -> tuple[list[Variable], list[str]]:
    variables, ignored = [], []
    for number, row in enumerate(rows, 1):
        low, high = row.bounds.get("min"), row.bounds.get("max")
        if row.var_type == "bool":
            if low not in (None, 0) or high not in (None, 1):
                ignored.append(row.name)
            low, high = 0.0, 1.0
        bottom, top = -np.inf if low is None else float(low), np.inf if high is None else float(high)
        if bottom > top:
            text = f"变量“{row.name}”的下界 {bottom:g} 大于上界 {top:g}，请改正"
            raise Refusal("data.bounds", text, field="variables", row=number)
        if row.var_type == "int" and np.ceil(bottom) > np.floor(top):
            text = f"整数变量“{row.name}”的界 {bottom:g} 到 {top:g} 之间没有整数，请放宽"
            raise Refusal("data.bounds", text, field="variables", row=number)
        for edge in (bottom, top):
            if np.isfinite(edge) and abs(edge) > LARGEST:
                text = f"变量“{row.name}”的界 {edge:g} 太大，请留空或换一个单位"
                raise Refusal("data.bounds", text, field="variables", row=number)
        variables.append(Variable(row.name, row.var_type, bottom, top))
    return variables, ignored


def _constraint(part: Compare, words: str, names: list[str], number: int) -> Constraint:
    op = {"<": "<=", ">": ">="}.get(part.op, part.op)
    left, right = _varies(part.left, names), _varies(part.right, names)
    if right and not left:
        # 3 ≤ X is X ≥ 3.
        flipped = {"<=": ">=", ">=": "<=", "=": "="}[op]
        function, op, side = Function(part.right, names), flipped, _number(part.left, names, words, number)
    elif not right:
        function, side = Function(part.left, names), _number(part.right, names, words, number)
    else:
        function, side = Function(_minus(part.left, part.right), names), 0.0
    offset = 0.0
    with contextlib.suppress(NonlinearError):
        offset = function.linear().constant
    if not np.isfinite(side - offset) or abs(side - offset) > LARGEST:
        text = f"“{words}”里有太大或没有定义的数（如除以 0），请改正"
        raise Refusal("data.number", text, field="constraints", row=number)
    return Constraint(words, op, function, side - offset, offset)


def _varies(node: Node, names: list[str]) -> bool:
    return bool(set(symbols(node)) & set(names))


def _number(node: Node, names: list[str], words: str, number: int) -> float:
    value = Function(node, names).value(np.zeros(len(names)))
    if not np.isfinite(value):
        text = f"“{words}”里有太大或没有定义的数（如除以 0），请改正"
        raise Refusal("data.number", text, field="constraints", row=number)
    return value


def _minus(left: Node, right: Node) -> Node:
    return Arithmetic(right.at, "-", left, right)
