"""A formula as closures over one list of numbers: for right-hand sides that are asked a hundred thousand times."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from hengxi.contract.grammar import Arithmetic, Call, Negative, Node, Number, Symbol, chain
from hengxi.stats.solving.expressions import CONSTANTS

Quick = Callable[[Sequence[float]], float]
_CALLS: dict[str, Callable[..., float]] = {
    "abs": abs, "sqrt": math.sqrt, "exp": math.exp, "ln": math.log, "log": math.log, "log10": math.log10,
    "lg10": math.log10, "log2": math.log2, "power": math.pow, "sin": math.sin, "cos": math.cos, "tan": math.tan,
    "asin": math.asin, "acos": math.acos, "atan": math.atan, "min": min, "max": max, "sum": lambda *a: math.fsum(a),
    "mean": lambda *a: math.fsum(a) / len(a), "pi": lambda: math.pi,
}  # fmt: skip


def quick(node: Node, names: Sequence[str]) -> Quick:
    """The value at a list of numbers in the order of `names`; NaN where it is not defined."""
    inner = _made(node, {name: k for k, name in enumerate(names)})

    def value(at: Sequence[float]) -> float:
        try:
            return inner(at)
        except (ZeroDivisionError, OverflowError, ValueError):
            return math.nan

    return value


def _made(node: Node, place: dict[str, int]) -> Quick:
    match node:
        case Number(value=number):
            return lambda at: number
        case Symbol(name=name) if name in place:
            k = place[name]
            return lambda at: at[k]
        case Symbol(name=name):
            constant = CONSTANTS[name]
            return lambda at: constant
        case Negative(item=item):
            held = _made(item, place)
            return lambda at: -held(at)
        case Arithmetic():
            first, steps = chain(node)
            made = _made(first, place)
            for step in steps:
                made = _joined(step.op, made, _made(step.right, place))
            return made
        case Call(name=name, args=args):
            parts = [_made(arg, place) for arg in args]
            function = _CALLS[name]
            return lambda at: function(*(part(at) for part in parts))
    raise TypeError(type(node).__name__)


def _joined(op: str, a: Quick, b: Quick) -> Quick:
    match op:
        case "+":
            return lambda at: a(at) + b(at)
        case "-":
            return lambda at: a(at) - b(at)
        case "*":
            return lambda at: a(at) * b(at)
        case "/":
            return lambda at: a(at) / b(at)
    return lambda at: math.pow(a(at), b(at))
