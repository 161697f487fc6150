"""The formula grammar: one parser for expressions, conditions, constraints and equations (contract.md, section 1).

    or → and → not → comparison, in → + - → * / → unary minus → ^ (right-associative) → atom

`{c3}` is a column, other symbols by name, text in double quotes. Full-width signs, `** == <> ≠ ≤ ≥ × ÷ 且 或 非` are
read too. Every node knows the place (`at`, from 0) of the sign it came from, and every error says its place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Literal

from hengxi.contract.grammar_words import COMPARISONS, Word, words
from hengxi.contract.grammar_words import FormulaError as FormulaError  # callers know the parser only

Kind = Literal["expression", "condition", "constraint", "equation"]
MAX_LENGTH = 2000
MAX_DEPTH = 50


@dataclass(frozen=True, slots=True)
class Node:
    at: int


@dataclass(frozen=True, slots=True)
class Number(Node):
    value: float


@dataclass(frozen=True, slots=True)
class Text(Node):
    value: str


@dataclass(frozen=True, slots=True)
class Column(Node):
    """`{c3}`"""

    id: str


@dataclass(frozen=True, slots=True)
class Symbol(Node):
    """A name that is no function: a decision variable, a parameter."""

    name: str


@dataclass(frozen=True, slots=True)
class Call(Node):
    """`MEAN.3(a, b, c)`: name in lower case, `least` = 3 or None."""

    name: str
    args: tuple[Node, ...]
    least: int | None = None


@dataclass(frozen=True, slots=True)
class Negative(Node):
    item: Node


@dataclass(frozen=True, slots=True)
class Arithmetic(Node):
    """`op` one of + - * / ^"""

    op: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Compare(Node):
    """`op` one of = != < <= > >="""

    op: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class In(Node):
    item: Node
    options: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Not(Node):
    item: Node


@dataclass(frozen=True, slots=True)
class And(Node):
    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Or(Node):
    items: tuple[Node, ...]


LOGICAL = (Compare, In, Not, And, Or)

# -- parser ------------------------------------------------------------------------------------------------------------


class _Parser:
    def __init__(self, source: str, juxtaposed: bool = False, chained: bool = False) -> None:
        self.words = list(words(source))
        self.juxtaposed, self.chained = juxtaposed, chained
        self.place = 0
        self.depth = 0

    @property
    def word(self) -> Word:
        return self.words[self.place]

    def take(self) -> Word:
        word = self.word
        self.place += 1
        return word

    def sees(self, *ops: str) -> bool:
        return self.word.kind == "op" and self.word.value in ops

    def expect(self, op: str, reason: str) -> Word:
        if not self.sees(op):
            raise FormulaError("formula.syntax", reason, self.word.at)
        return self.take()

    def nested(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise FormulaError("formula.syntax", f"嵌套超过 {MAX_DEPTH} 层", self.word.at)

    def whole(self) -> Node:
        node = self.either()
        if self.word.kind != "end":
            raise FormulaError("formula.syntax", self._surplus(), self.word.at)
        return node

    def _surplus(self) -> str:
        if self.sees(")"):
            return "多了一个右括号"
        if self.sees(*COMPARISONS):
            return "不能连续比较，请用“且”连接两个条件"
        return "这里缺少运算符"

    def either(self) -> Node:
        self.nested()
        items = [self.both()]
        at = self.word.at
        while self.sees("or"):
            self.take()
            items.append(self.both())
        self.depth -= 1
        return items[0] if len(items) == 1 else Or(at, tuple(items))

    def both(self) -> Node:
        items = [self.negated()]
        at = self.word.at
        while self.sees("and"):
            self.take()
            items.append(self.negated())
        return items[0] if len(items) == 1 else And(at, tuple(items))

    def negated(self) -> Node:
        if not self.sees("not"):
            return self.comparison()
        at = self.take().at
        self.nested()
        node = Not(at, self.negated())
        self.depth -= 1
        return node

    def comparison(self) -> Node:
        left = self.total()
        if self.sees(*COMPARISONS):
            word = self.take()
            first = Compare(word.at, word.value, left, self.total())
            if not (self.chained and self.sees(*COMPARISONS)):
                return first
            word = self.take()
            return And(first.at, (first, Compare(word.at, word.value, first.right, self.total())))
        if self.sees("in"):
            return self.member(left)
        if self.sees("not") and self.words[self.place + 1].value == "in":
            at = self.take().at
            return Not(at, self.member(left))
        return left

    def member(self, item: Node) -> Node:
        at = self.take().at
        self.expect("(", "in 后面应是括号，如 in (1, 2)")
        options = [self.total()]
        while self.sees(","):
            self.take()
            options.append(self.total())
        self.expect(")", "这里缺少右括号")
        return In(at, item, tuple(options))

    def total(self) -> Node:
        node = self.product()
        while self.sees("+", "-"):
            word = self.take()
            node = Arithmetic(word.at, word.value, node, self.product())
        return node

    def product(self) -> Node:
        node = self.signed()
        while True:
            word = self.word
            if self.sees("*", "/"):
                self.take()
                node = Arithmetic(word.at, word.value, node, self.signed())
            elif self.juxtaposed and self.follows_a_factor():
                node = Arithmetic(word.at, "*", node, self.power())
            else:
                return node

    def follows_a_factor(self) -> bool:
        """3X, 2(X + Y), (X + 1)(Y + 1): a product written without its sign."""
        before = self.words[self.place - 1]
        return (before.kind == "number" or before.value == ")") and (self.word.kind == "name" or self.sees("("))

    def signed(self) -> Node:
        if not self.sees("+", "-"):
            return self.power()
        word = self.take()
        self.nested()
        item = self.signed()
        self.depth -= 1
        return Negative(word.at, item) if word.value == "-" else item

    def power(self) -> Node:
        base = self.atom()
        if not self.sees("^"):
            return base
        word = self.take()
        self.nested()
        node = Arithmetic(word.at, "^", base, self.signed())
        self.depth -= 1
        return node

    def atom(self) -> Node:
        word = self.word
        if word.kind == "number":
            return Number(self.take().at, _finite(word))
        if word.kind == "text":
            return Text(self.take().at, word.value)
        if word.kind == "column":
            return Column(self.take().at, word.value)
        if word.kind == "name":
            return self.named()
        if self.sees("("):
            self.take()
            node = self.either()
            self.expect(")", "这里缺少右括号")
            return node
        raise FormulaError("formula.syntax", "公式不完整" if word.kind == "end" else "这里应是数、变量或括号", word.at)

    def named(self) -> Node:
        word = self.take()
        if not self.sees("("):
            if "." in word.value:
                raise FormulaError("formula.syntax", f"“{word.value}”后面应是括号", word.at)
            return Symbol(word.at, word.value)
        self.take()
        args: list[Node] = []
        while not self.sees(")"):
            args.append(self.either())
            if not self.sees(","):
                break
            self.take()
        self.expect(")", "这里缺少右括号或逗号")
        name, _, least = word.value.lower().partition(".")
        return Call(word.at, name, tuple(args), int(least) if least else None)


def _finite(word: Word) -> float:
    value = float(word.value)
    if value == float("inf"):
        raise FormulaError("formula.syntax", "数太大", word.at)
    return value


def parse(source: str, kind: Kind = "expression", *, juxtaposed: bool = False, longest: int = MAX_LENGTH) -> Node:
    """The tree of a formula. FormulaError `formula.syntax` with the place; names and types are judged by `check`.

    `juxtaposed`: 3X is read as 3*X. A constraint may be a chain, 1 <= X <= 3: an `And` of its two comparisons.
    """
    if len(source) > longest:
        raise FormulaError("formula.syntax", f"公式超过 {longest} 个字符", longest)
    if not source.strip():
        raise FormulaError("formula.syntax", "公式是空的", 0)
    node = _Parser(source, juxtaposed, chained=kind == "constraint").whole()
    if kind in ("constraint", "equation"):
        parts: list[Node] = [*comparisons(node)] or [node]
        for part in parts:
            _judge_comparison(part, kind)
    return node


def comparisons(node: Node) -> list[Compare]:
    """The comparisons of a constraint: one, or the two of a chain."""
    match node:
        case Compare():
            return [node]
        case And(items=(Compare() as first, Compare() as second)) if first.right is second.left:
            return [first, second]
    return []


def _judge_comparison(node: Node, kind: Kind) -> None:
    if not isinstance(node, Compare):
        raise FormulaError("formula.syntax", "应是等式" if kind == "equation" else "应含 <=、>= 或 =", node.at)
    if kind == "equation" and node.op != "=":
        raise FormulaError("formula.syntax", "应是等式", node.at)
    if node.op == "!=":
        raise FormulaError("formula.syntax", "约束不能用不等号 ≠", node.at)


def walk(node: Node) -> Iterator[Node]:
    """The node and all below it. With a list of its own: a sum of a thousand terms is a thousand levels deep."""
    waiting = [node]
    while waiting:
        here = waiting.pop()
        yield here
        parts: list[Node] = []
        for field in fields(here):
            value = getattr(here, field.name)
            parts += [item for item in (value if isinstance(value, tuple) else (value,)) if isinstance(item, Node)]
        waiting += reversed(parts)


def chain(node: Arithmetic) -> tuple[Node, list[Arithmetic]]:
    """`a + b - c * d` as its first operand and the operations on it in order: however long, it is read in a loop.

    Only operands nest, and those no deeper than `MAX_DEPTH`.
    """
    steps: list[Arithmetic] = []
    first: Node = node
    while isinstance(first, Arithmetic):
        steps.append(first)
        first = first.left
    return first, steps[::-1]


def columns(node: Node) -> list[str]:
    """Ids of the columns a formula names, in order of appearance."""
    return list(dict.fromkeys(item.id for item in walk(node) if isinstance(item, Column)))


def symbols(node: Node) -> list[str]:
    """Other names in a formula, in order of appearance."""
    return list(dict.fromkeys(item.name for item in walk(node) if isinstance(item, Symbol)))
