"""Functions of the formula grammar, and the check of names and types that needs no data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from hengxi.contract.grammar import (
    And,
    Arithmetic,
    Call,
    Column,
    Compare,
    FormulaError,
    In,
    Kind,
    Negative,
    Node,
    Not,
    Number,
    Or,
    Symbol,
    Text,
    chain,
)

Type = Literal["number", "text", "date", "logical"]

# name → (types of the arguments, type of the result). A trailing "…" repeats the last; "?" may be left out;
# "any" = whatever, "same" = as the first "same".
FUNCTIONS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "if": (("logical", "same", "same"), "same"),
    "missing": (("any",), "logical"),
    "nvl": (("same", "same"), "same"),
    "between": (("same", "same", "same"), "logical"),
    "abs": (("number",), "number"),
    "sign": (("number",), "number"),
    "sqrt": (("number",), "number"),
    "exp": (("number",), "number"),
    "ln": (("number",), "number"),
    "log": (("number", "number"), "number"),
    "log10": (("number",), "number"),
    "lg10": (("number",), "number"),
    "log2": (("number",), "number"),
    "power": (("number", "number"), "number"),
    "mod": (("number", "number"), "number"),
    "round": (("number", "number?"), "number"),
    "floor": (("number",), "number"),
    "ceil": (("number",), "number"),
    "ceiling": (("number",), "number"),
    "trunc": (("number",), "number"),
    "int": (("number",), "number"),
    "sin": (("number",), "number"),
    "cos": (("number",), "number"),
    "tan": (("number",), "number"),
    "asin": (("number",), "number"),
    "acos": (("number",), "number"),
    "atan": (("number",), "number"),
    "pi": ((), "number"),
    "mean": (("number", "number…"), "number"),
    "sum": (("number", "number…"), "number"),
    "sd": (("number", "number…"), "number"),
    "var": (("number", "number…"), "number"),
    "min": (("number", "number…"), "number"),
    "max": (("number", "number…"), "number"),
    "median": (("number", "number…"), "number"),
    "count": (("any", "any…"), "number"),
    "nvalid": (("any", "any…"), "number"),
    "nmiss": (("any", "any…"), "number"),
    "len": (("text",), "number"),
    "length": (("text",), "number"),
    "upper": (("text",), "text"),
    "lower": (("text",), "text"),
    "trim": (("text",), "text"),
    "left": (("text", "number"), "text"),
    "right": (("text", "number"), "text"),
    "mid": (("text", "number", "number?"), "text"),
    "substr": (("text", "number", "number?"), "text"),
    "concat": (("text", "text…"), "text"),
    "replace": (("text", "text", "text"), "text"),
    "contains": (("text", "text"), "logical"),
    "starts": (("text", "text"), "logical"),
    "ends": (("text", "text"), "logical"),
    "number": (("text",), "number"),
    "text": (("any",), "text"),
    "year": (("date",), "number"),
    "quarter": (("date",), "number"),
    "month": (("date",), "number"),
    "day": (("date",), "number"),
    "weekday": (("date",), "number"),
    "hour": (("date",), "number"),
    "minute": (("date",), "number"),
    "date": (("number", "number", "number"), "date"),
    "datevalue": (("text",), "date"),
    "datediff": (("date", "date"), "number"),
    "lag": (("same", "number?"), "same"),
    "lead": (("same", "number?"), "same"),
    "diff": (("number",), "number"),
    "rank": (("number",), "number"),
    "cumsum": (("number",), "number"),
    "cummean": (("number",), "number"),
    "repeated": (("any", "any…"), "logical"),
    "rownum": ((), "number"),
    "value": (("same",), "same"),
}
ROW_STATISTICS = frozenset({"mean", "sum", "sd", "var", "min", "max", "median"})
_OF_CONDITIONS = frozenset({"if", "nvl"})
_TEXT_TESTS = frozenset({"contains", "starts", "ends"})
_TITLES = {"number": "数值", "text": "文本", "date": "日期", "logical": "条件"}


class _Checker:
    def __init__(self, types: Mapping[str, Type], names: Mapping[str, str], symbols: set[str] | None) -> None:
        self.types, self.names, self.symbols = types, names, symbols
        # By identity, with the node itself so that its number is not given to another. Rules ask for the type of a
        # part several times; without this each level of a formula would double the work.
        self.known: dict[int, tuple[Node, Type]] = {}

    def type_of(self, node: Node) -> Type:
        """The type of a node; FormulaError where parts do not fit."""
        known = self.known.get(id(node))
        if known is None:
            known = self.known[id(node)] = (node, self.judged(node))
        return known[1]

    def judged(self, node: Node) -> Type:
        if isinstance(node, Number):
            return "number"
        if isinstance(node, Text):
            return "text"
        if isinstance(node, Column):
            if node.id not in self.types:
                raise FormulaError("formula.symbol", "公式中的变量在这份数据中不存在", node.at, symbol=node.id)
            return self.types[node.id]
        if isinstance(node, Symbol):
            if self.symbols is None or node.name not in self.symbols:
                raise FormulaError("formula.symbol", f"公式中的变量“{node.name}”不存在", node.at, symbol=node.name)
            return "number"
        if isinstance(node, Call):
            return self.call(node)
        return self.operator(node)

    def operator(self, node: Node) -> Type:
        if isinstance(node, Negative):
            self.need(node.item, "number")
            return "number"
        if isinstance(node, Arithmetic):
            # From the inside out, so that the left side of each step is known already.
            for step in chain(node)[1][:-1]:
                self.type_of(step)
            return self.arithmetic(node)
        if isinstance(node, Compare):
            self.comparable(node.left, node.right, node.at)
            if self.type_of(node.left) == "logical" and node.op not in ("=", "!="):
                raise FormulaError("formula.type", "条件之间不能比大小", node.at)
        elif isinstance(node, In):
            for option in node.options:
                self.comparable(node.item, option, option.at)
        elif isinstance(node, Not):
            self.need(node.item, "logical")
        elif isinstance(node, (And, Or)):
            for item in node.items:
                self.need(item, "logical")
        return "logical"

    def arithmetic(self, node: Arithmetic) -> Type:
        left, right = self.type_of(node.left), self.type_of(node.right)
        if node.op == "-" and left == right == "date":
            return "number"
        if node.op in "+-" and left == "date" and right == "number":
            return "date"
        self.need(node.left, "number")
        self.need(node.right, "number")
        return "number"

    def need(self, node: Node, wanted: str) -> None:
        actual = self.type_of(node)
        if wanted in ("any", actual) or (wanted == "date" and isinstance(node, Text)):
            return
        if isinstance(node, Column):
            name = self.names.get(node.id, node.id)
            rest = "不能参与加减乘除" if wanted == "number" else f"这里应是{_TITLES[wanted]}"
            raise FormulaError("formula.type", f"“{name}”是{_TITLES[actual]}变量，{rest}", node.at, column=node.id)
        raise FormulaError("formula.type", f"这里应是{_TITLES[wanted]}，不是{_TITLES[actual]}", node.at)

    def comparable(self, left: Node, right: Node, at: int) -> None:
        """Like with like; a date may be compared with a text such as "2024-01-31"."""
        a, b = self.type_of(left), self.type_of(right)
        if a == b or (a == "date" and isinstance(right, Text)) or (b == "date" and isinstance(left, Text)):
            return
        hint = ""
        if a == "text" and isinstance(right, Number):
            hint = "，请给取值加上双引号"
        elif a == "number" and isinstance(right, Text):
            hint = "，请去掉双引号"
        raise FormulaError("formula.type", f"{self._compared(left, a, right, b)}比较{hint}", at)

    def _compared(self, left: Node, a: Type, right: Node, b: Type) -> str:
        """“年龄”是数值变量，不能与文本“三十”, in whichever order they stand."""
        for node, kind, other, other_kind in ((left, a, right, b), (right, b, left, a)):
            if isinstance(node, Column) and isinstance(other, Text | Number):
                value = other.value if isinstance(other, Text) else f"{other.value:.15g}"
                name = self.names.get(node.id, node.id)
                return f"“{name}”是{_TITLES[kind]}变量，不能与{_TITLES[other_kind]}“{value}”"
        return f"{_TITLES[a]}不能和{_TITLES[b]}"

    def call(self, node: Call) -> Type:
        if node.name not in FUNCTIONS:
            raise FormulaError("formula.function", f"没有函数“{node.name.upper()}”", node.at, function=node.name)
        wanted, result = FUNCTIONS[node.name]
        if node.least is not None and (node.name not in ROW_STATISTICS or not 1 <= node.least <= len(node.args)):
            raise FormulaError("formula.function", f"“{node.name.upper()}.{node.least}”后面的数不合适", node.at)
        same: Type | None = None
        for place, arg in enumerate(node.args):
            word = wanted[min(place, len(wanted) - 1)] if wanted else ""
            if not word or (place >= len(wanted) and not word.endswith("…")):
                raise FormulaError("formula.function", f"“{node.name.upper()}”的参数太多", arg.at)
            kind = word.rstrip("?…")
            if kind == "same":
                same = same or self.type_of(arg)
                kind = same
            if node.name in _TEXT_TESTS and isinstance(arg, Column) and self.type_of(arg) != "text":
                name = self.names.get(arg.id, arg.id)
                words = f"包含条件仅适用于文本变量，“{name}”是{_TITLES[self.type_of(arg)]}变量"
                raise FormulaError("formula.type", words, arg.at, column=arg.id)
            self.need(arg, kind)
        if same == "logical" and node.name not in _OF_CONDITIONS:
            raise FormulaError("formula.type", f"“{node.name.upper()}”里应是变量或取值，不是条件", node.args[0].at)
        needed = [word for word in wanted if not word.endswith(("?", "…"))]
        if len(node.args) < len(needed):
            hint = "，自然对数用 LN" if node.name == "log" else ""
            raise FormulaError("formula.function", f"“{node.name.upper()}”需要 {len(needed)} 个参数{hint}", node.at)
        return same or "number" if result == "same" else result  # type: ignore[return-value]


def type_reader(types: Mapping[str, Type]) -> Callable[[Node], Type]:
    """Tells the types of the parts of one formula, each found out once."""
    return _Checker(types, {}, None).type_of


def check(
    node: Node, kind: Kind, types: Mapping[str, Type], names: Mapping[str, str] | None = None,
    symbols: set[str] | None = None,
) -> Type:  # fmt: skip
    """The type of a formula. `types` and `names` by column id; `symbols` the other names allowed (None = none).

    FormulaError `formula.symbol`, `formula.function` or `formula.type`, with the place.
    """
    result = _Checker(types, names or {}, symbols).type_of(node)
    if kind == "condition" and result != "logical":
        raise FormulaError("formula.type", "这里应是条件，如 {c1} >= 18", node.at)
    if kind == "expression" and result == "logical":
        raise FormulaError("formula.type", "这里应是算式，不是条件（可用 IF(条件, 1, 0)）", node.at)
    return result
