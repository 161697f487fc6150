"""A formula over decision variables as a function of numbers: values by the thousand, exact gradients, linear parts.

Compiled from the tree of our own grammar, never from text: nothing a user writes is evaluated by Python.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hengxi.contract.grammar import Arithmetic, Call, Negative, Node, Number, Symbol, chain
from hengxi.contract.grammar_text import written

Floats = npt.NDArray[np.float64]
CONSTANTS = {"pi": math.pi, "π": math.pi, "e": math.e}


class NonlinearError(Exception):
    """A term that is not a multiple of one variable: `term` in words."""

    def __init__(self, term: str) -> None:
        super().__init__(term)
        self.term = term


@dataclass(frozen=True)
class Dual:
    """Values at m points and their derivatives by n variables; None where there are none (a constant)."""

    value: Floats
    slope: Floats | None


@dataclass(frozen=True)
class Linear:
    """coefficients · x + constant."""

    coefficients: Floats
    constant: float

    @property
    def is_constant(self) -> bool:
        return not np.any(self.coefficients)


class Function:
    """One expression over variables in a fixed order."""

    def __init__(self, node: Node, names: Sequence[str]) -> None:
        self.node, self.names = node, list(names)
        self._place = {name: at for at, name in enumerate(names)}

    # ---- values and gradients ------------------------------------------------------------------------------------
    def values(self, points: Floats) -> Floats:
        """At each row of `points`; NaN or ±inf where the expression is not defined."""
        with np.errstate(all="ignore"):
            found = self._dual(self.node, points, False).value
        return np.broadcast_to(found, len(points)).astype(float)

    def value(self, point: Floats) -> float:
        return float(self.values(np.atleast_2d(point))[0])

    def gradient(self, point: Floats) -> Floats:
        with np.errstate(all="ignore"):
            slope = self._dual(self.node, np.atleast_2d(point), True).slope
        return np.zeros(len(self.names)) if slope is None else np.broadcast_to(slope, (1, len(self.names)))[0].copy()

    def hessian(self, point: Floats) -> Floats:
        """Central differences of the exact gradient."""
        n = len(self.names)
        found = np.empty((n, n))
        for j in range(n):
            step = 1e-5 * max(1.0, abs(float(point[j])))
            ahead, back = point.copy(), point.copy()
            ahead[j] += step
            back[j] -= step
            found[j] = (self.gradient(ahead) - self.gradient(back)) / (2 * step)
        return (found + found.T) / 2

    def _dual(self, node: Node, at: Floats, sloped: bool) -> Dual:
        match node:
            case Number(value=value):
                return Dual(np.asarray(value, float), None)
            case Symbol(name=name):
                return self._symbol(name, at, sloped)
            case Negative(item=item):
                inner = self._dual(item, at, sloped)
                return Dual(-inner.value, None if inner.slope is None else -inner.slope)
            case Arithmetic():
                first, steps = chain(node)
                made = self._dual(first, at, sloped)
                for step in steps:
                    made = _combined(step.op, made, self._dual(step.right, at, sloped))
                return made
            case Call(name=name, args=args):
                return _called(name, [self._dual(arg, at, sloped) for arg in args])
        raise TypeError(type(node).__name__)

    def _symbol(self, name: str, at: Floats, sloped: bool) -> Dual:
        if name not in self._place:
            return Dual(np.asarray(CONSTANTS[name], float), None)
        place = self._place[name]
        if not sloped:
            return Dual(at[:, place], None)
        slope = np.zeros((1, len(self.names)))
        slope[0, place] = 1.0
        return Dual(at[:, place], slope)

    # ---- linearity -----------------------------------------------------------------------------------------------
    def linear(self) -> Linear:
        """The expression as coefficients and a constant; `NonlinearError` names the first term that is none."""
        coefficients, constant = self._linear(self.node)
        return Linear(coefficients, constant)

    def _linear(self, node: Node) -> tuple[Floats, float]:
        zero = np.zeros(len(self.names))
        match node:
            case Number(value=value):
                return zero, value
            case Symbol(name=name):
                if name not in self._place:
                    return zero, CONSTANTS[name]
                zero[self._place[name]] = 1.0
                return zero, 0.0
            case Negative(item=item):
                inner = self._linear(item)
                return -inner[0], -inner[1]
            case Arithmetic():
                first, steps = chain(node)
                made = self._linear(first)
                for step in steps:
                    made = self._step(step, made)
                return made
            case Call(name="sum", args=args):
                parts = [self._linear(arg) for arg in args]
                return sum((part[0] for part in parts), zero), sum(part[1] for part in parts)
            case Call(name="mean", args=args):
                parts = [self._linear(arg) for arg in args]
                return sum((part[0] for part in parts), zero) / len(args), sum(part[1] for part in parts) / len(args)
            case Call(args=args):
                for arg in args:
                    if np.any(self._linear(arg)[0]):
                        raise NonlinearError(written(node, {}))
                return zero, self.value(np.zeros(len(self.names))) if node is self.node else _constant(node, self.names)
        raise TypeError(type(node).__name__)

    def _step(self, step: Arithmetic, made: tuple[Floats, float]) -> tuple[Floats, float]:
        right = self._linear(step.right)
        varies, other = bool(np.any(made[0])), bool(np.any(right[0]))
        with np.errstate(all="ignore"):
            match step.op:
                case "+":
                    return made[0] + right[0], made[1] + right[1]
                case "-":
                    return made[0] - right[0], made[1] - right[1]
                case "*" if not (varies and other):
                    return made[0] * right[1] + right[0] * made[1], made[1] * right[1]
                case "/" if not other:
                    return made[0] / right[1] if varies else made[0], float(np.divide(made[1], right[1]))
                case "^" if not varies and not other:
                    return made[0], float(np.power(made[1], right[1]))
                case "^" if not other and right[1] == 1:
                    return made
                case "^" if not other and right[1] == 0:
                    return np.zeros_like(made[0]), 1.0
        raise NonlinearError(written(step, {}))

    def kinks(self) -> bool:
        """Does it use abs, min or max, whose slope jumps?"""
        waiting: list[Node] = [self.node]
        while waiting:
            here = waiting.pop()
            match here:
                case Call(name="abs" | "min" | "max"):
                    return True
                case Call(args=args):
                    waiting += args
                case Negative(item=item):
                    waiting.append(item)
                case Arithmetic(left=left, right=right):
                    waiting += [left, right]
        return False


def _constant(node: Node, names: Sequence[str]) -> float:
    return Function(node, names).value(np.zeros(len(names)))


def _times(factor: Floats, slope: Floats | None) -> Floats | None:
    """Each point's slope by its own factor; a slope of no size (0) stays 0 beside an infinite factor."""
    if slope is None:
        return None
    product = np.asarray(factor)[..., None] * slope if np.ndim(factor) else factor * slope
    return np.where(slope == 0, 0.0, product)


def _plus(a: Floats | None, b: Floats | None) -> Floats | None:
    return b if a is None else a if b is None else a + b


def _combined(op: str, a: Dual, b: Dual) -> Dual:
    match op:
        case "+":
            return Dual(a.value + b.value, _plus(a.slope, b.slope))
        case "-":
            return Dual(a.value - b.value, _plus(a.slope, None if b.slope is None else -b.slope))
        case "*":
            return Dual(a.value * b.value, _plus(_times(b.value, a.slope), _times(a.value, b.slope)))
        case "/":
            value = a.value / b.value
            return Dual(value, _plus(_times(1 / b.value, a.slope), _times(-value / b.value, b.slope)))
    return _power(a, b)


def _power(a: Dual, b: Dual) -> Dual:
    value = np.power(a.value, b.value)
    below = None if a.slope is None else _times(b.value * np.power(a.value, b.value - 1), a.slope)
    above = None if b.slope is None else _times(value * np.log(a.value), b.slope)
    return Dual(value, _plus(below, above))


_UNARY: dict[str, tuple[Callable[[Floats], Floats], Callable[[Floats], Floats]]] = {
    "abs": (np.abs, np.sign),
    "sqrt": (np.sqrt, lambda x: 0.5 / np.sqrt(x)),
    "exp": (np.exp, np.exp),
    "ln": (np.log, lambda x: 1 / x),
    "log10": (np.log10, lambda x: 1 / (x * math.log(10))),
    "lg10": (np.log10, lambda x: 1 / (x * math.log(10))),
    "log2": (np.log2, lambda x: 1 / (x * math.log(2))),
    "sin": (np.sin, np.cos),
    "cos": (np.cos, lambda x: -np.sin(x)),
    "tan": (np.tan, lambda x: 1 / np.cos(x) ** 2),
    "asin": (np.arcsin, lambda x: 1 / np.sqrt(1 - x**2)),
    "acos": (np.arccos, lambda x: -1 / np.sqrt(1 - x**2)),
    "atan": (np.arctan, lambda x: 1 / (1 + x**2)),
}


def _called(name: str, args: list[Dual]) -> Dual:
    if name in _UNARY:
        value, slope = _UNARY[name]
        return Dual(value(args[0].value), _times(slope(args[0].value), args[0].slope))
    match name:
        case "pi":
            return Dual(np.asarray(math.pi), None)
        case "power":
            return _power(args[0], args[1])
        case "log":
            # LOG(x, base), as in the formulas over columns.
            return _combined("/", _called("ln", [args[0]]), _called("ln", [args[1]]))
        case "min" | "max":
            return _extreme(name, args)
    total = args[0]
    for arg in args[1:]:
        total = _combined("+", total, arg)
    if name == "sum":
        return total
    return _combined("/", total, Dual(np.asarray(float(len(args))), None))


def _extreme(name: str, args: list[Dual]) -> Dual:
    made = args[0]
    for arg in args[1:]:
        first = made.value <= arg.value if name == "min" else made.value >= arg.value
        value = np.where(first, made.value, arg.value)
        value = np.where(np.isnan(made.value) | np.isnan(arg.value), np.nan, value)
        slope = None
        if made.slope is not None or arg.slope is not None:
            size = next(s.shape[-1] for s in (made.slope, arg.slope) if s is not None)
            zero = np.zeros((1, size))
            one = zero if made.slope is None else made.slope
            other = zero if arg.slope is None else arg.slope
            slope = np.where(np.asarray(first)[..., None], one, other)
        made = Dual(value, slope)
    return made
