"""A formula written for people: names instead of ids, Chinese 且 或 非, only the brackets that are needed."""

from __future__ import annotations

from collections.abc import Mapping

from hengxi.contract.grammar import (
    And,
    Arithmetic,
    Call,
    Column,
    Compare,
    In,
    Negative,
    Node,
    Not,
    Number,
    Or,
    Symbol,
    Text,
)

# How tightly an operator binds; a part that binds more loosely than its place needs brackets.
_OR, _AND, _NOT, _COMPARE, _SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(9)
_RANK = {"+": _SUM, "-": _SUM, "*": _PRODUCT, "/": _PRODUCT, "^": _POWER}
_SIGNS = {"*": "×", "/": "÷", "-": "−", "!=": "≠", "<=": "≤", ">=": "≥"}


def written(node: Node, names: Mapping[str, str]) -> str:
    """`{c3}/({c4}/100)^2` → `体重 ÷ (身高 ÷ 100)^2`."""
    return _write(node, names)[0]


def _chained(node: Arithmetic, names: Mapping[str, str]) -> str:
    """A sum or product of any length, in a loop: `a + b − c`."""
    least = _RANK[node.op]
    right: list[str] = []
    first: Node = node
    while isinstance(first, Arithmetic) and _RANK[first.op] == least:
        text, rank = _write(first.right, names)
        right.append(f" {_SIGNS.get(first.op, first.op)} {text if rank > least else f'({text})'}")
        first = first.left
    text, rank = _write(first, names)
    return "".join([text if rank >= least else f"({text})", *reversed(right)])


def _write(node: Node, names: Mapping[str, str]) -> tuple[str, int]:
    def part(inner: Node, least: int) -> str:
        text, rank = _write(inner, names)
        return text if rank >= least else f"({text})"

    match node:
        case Number(value=value):
            return f"{value:.15g}", _ATOM
        case Text(value=value):
            return f"“{value}”", _ATOM
        case Column(id=column_id):
            return names.get(column_id, column_id), _ATOM
        case Symbol(name=name):
            return name, _ATOM
        case Call(name=name, args=args, least=least):
            inside = "，".join(_write(arg, names)[0] for arg in args)
            return f"{name.upper()}{'' if least is None else f'.{least}'}({inside})", _ATOM
        case Negative(item=item):
            return f"−{part(item, _SIGN)}", _SIGN
        case Arithmetic(op=op, left=left, right=right):
            rank = _RANK[op]
            if op == "^":
                return f"{part(left, _ATOM)}^{part(right, _SIGN)}", rank
            return _chained(node, names), rank
        case Compare(op=op, left=left, right=right):
            return f"{part(left, _SUM)} {_SIGNS.get(op, op)} {part(right, _SUM)}", _COMPARE
        case In(item=item, options=options):
            return f"{part(item, _SUM)} 属于 ({'，'.join(_write(one, names)[0] for one in options)})", _COMPARE
        case Not(item=item):
            return f"非 {part(item, _NOT)}", _NOT
        case And(items=items):
            return " 且 ".join(part(item, _NOT) for item in items), _AND
        case Or(items=items):
            return " 或 ".join(part(item, _AND) for item in items), _OR
    raise TypeError(type(node).__name__)
