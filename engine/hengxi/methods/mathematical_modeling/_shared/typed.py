"""What the user types as text: numbers such as pi/2 and -inf, and functions of named variables."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Refusal, TypedFormula
from hengxi.contract.grammar import Call as CallNode
from hengxi.contract.grammar import Column as ColumnNode
from hengxi.contract.grammar import FormulaError, Node, parse, symbols, walk
from hengxi.stats.solving.expressions import CONSTANTS, Function

INFINITE = {"inf": np.inf, "+inf": np.inf, "∞": np.inf, "+∞": np.inf, "-inf": -np.inf, "-∞": -np.inf, "−∞": -np.inf}


def names_in(*nodes: Node) -> list[str]:
    """Names that are no constants, in order of appearance."""
    return list(dict.fromkeys(name for node in nodes for name in symbols(node) if name not in CONSTANTS))


def known_only(node: Node, allowed: list[str], field: str, words: str) -> None:
    """Refuses a name that is not among `allowed`."""
    unknown = next((name for name in names_in(node) if name not in allowed), None)
    if unknown is not None:
        list_ = "、".join(allowed)
        text = f"“{words}”里的“{unknown}”没有定义，这里可以用的是 {list_}"
        raise Refusal("data.symbol", text, field=field)


def function(typed: TypedFormula, names: list[str], field: str) -> Function:
    known_only(typed.node, names, field, typed.source)
    return Function(typed.node, names)


def expression(source: str, field: str, title: str) -> Node:
    """A typed expression; refused with the place of the fault."""
    try:
        node = parse(source, "expression", juxtaposed=True)
    except FormulaError as error:
        text = f"“{title}”第 {error.at + 1} 个字符处有误：{error.reason}"
        raise Refusal(error.code, text, field=field) from None
    for item in walk(node):
        if isinstance(item, ColumnNode):
            raise Refusal("formula.symbol", f"“{title}”里不能引用数据里的变量", field=field)
        if isinstance(item, CallNode):
            try:
                Function(node, names_in(node)).values(np.ones((1, max(1, len(names_in(node))))))
            except (TypeError, KeyError, IndexError):
                raise Refusal("formula.function", f"“{title}”里不能用函数“{item.name}”", field=field) from None
    return node


def bound(source: str | None, field: str, title: str, infinite: bool = True) -> float:
    """A number as typed: 1.5, pi/2, -inf."""
    words = (source or "").strip().lower().replace(" ", "")
    if not words:
        raise Refusal("words.required", f"请填写“{title}”", field=field)
    if words in INFINITE:
        if infinite:
            return float(INFINITE[words])
        raise Refusal("data.number", f"“{title}”要是有限的数", field=field)
    node = expression(str(source), field, title)
    known_only(node, [], field, title) if names_in(node) else None
    value = Function(node, []).value(np.zeros(0))
    if not np.isfinite(value):
        raise Refusal("data.number", f"“{title}”不是一个数，请改正", field=field)
    return value


def numbers_in(source: str | None, field: str, title: str, most: int) -> list[float]:
    """`1, 2, 3` or `0:0.1:1` (from, step, to); full-width signs are read too."""
    out: list[float] = []
    text = str(source or "").replace("，", ",").replace("：", ":").replace("；", ",").replace(";", ",")
    wrong: dict[str, Any] = {"field": field}
    for part in filter(None, (one.strip() for one in text.split(","))):
        try:
            values = [float(piece) for piece in part.split(":")]
        except ValueError:
            raise Refusal("data.targets", f"“{title}”请写成 1,2,3 或 0:0.1:1，“{part}”读不懂", **wrong) from None
        if not np.isfinite(values).all() or len(values) not in (1, 3):
            raise Refusal("data.targets", f"“{title}”请写成 1,2,3 或 0:0.1:1，“{part}”读不懂", **wrong)
        if len(values) == 1:
            out += values
            continue
        low, step, high = values
        if step == 0 or (high - low) / step < 0 or (high - low) / step > most:
            text_ = f"“{title}”的“{part}”步长不对，或点数超过 {most}"
            raise Refusal("data.targets", text_, **wrong)
        out += [low + k * step for k in range(int((high - low) / step + 1 + 1e-9))]
    if len(out) > most:
        raise Refusal("data.targets", f"“{title}”最多 {most} 个点，现有 {len(out):,} 个", **wrong)
    return out
