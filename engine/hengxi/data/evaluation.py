"""One walk over the tree of a formula: whole columns at once, with three-valued logic. `evaluate` is the way in.

Numbers and dates are float64 with NaN for missing (dates in days since 1970-01-01). Texts are codes into a list of
distinct values, so that a million rows cost as much as their levels. Conditions are uint8: 0 false, 1 missing,
2 true; `and` is then the minimum, `or` the maximum, `not` 2 − x.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from hengxi.contract.grammar import (
    And,
    Arithmetic,
    Call,
    Column,
    Compare,
    FormulaError,
    In,
    Negative,
    Node,
    Not,
    Number,
    Or,
    Text,
    chain,
)
from hengxi.contract.grammar_types import Type, type_reader
from hengxi.data.arrays import Bools, Floats, as_strings
from hengxi.data.readings import to_numbers
from hengxi.data.table import Table
from hengxi.data.values import dictionary, indices

Logic = npt.NDArray[np.uint8]
FALSE, UNKNOWN, TRUE = 0, 1, 2


@dataclass
class Texts:
    """`codes` into `words`, −1 for missing. `words` need not be distinct."""

    codes: npt.NDArray[np.int64]
    words: list[str]

    def each(self, change: Callable[[str], str]) -> Texts:
        return Texts(self.codes, [change(word) for word in self.words])

    def flag(self, test: Callable[[str], bool]) -> Logic:
        return np.array([TRUE if test(word) else FALSE for word in self.words] + [UNKNOWN], dtype=np.uint8)[self.codes]

    def numbers(self, measure: Callable[[str], float]) -> Floats:
        found: Floats = np.array([measure(word) for word in self.words] + [np.nan], dtype=np.float64)[self.codes]
        return found

    def looked_up(self, read: Callable[[list[str]], Floats]) -> Floats:
        """What `read` makes of all words at once."""
        found: Floats = np.append(read(self.words), np.nan)[self.codes]
        return found

    def lookup(self) -> npt.NDArray[np.object_]:
        """Words by code, with None at the end for −1."""
        out = np.empty(len(self.words) + 1, dtype=object)
        out[:-1] = self.words
        return out


Vector = Floats | Texts | Logic


def types_of(table: Table) -> dict[str, Type]:
    """What each column is in a formula."""
    kinds: dict[str, Type] = {}
    for column in table.meta.columns:
        kinds[column.id] = "text" if column.storage == "text" else "date" if "date" in column.storage else "number"
    return kinds


@dataclass(frozen=True)
class Functions:
    """The functions of the grammar by name, of each type of result (functions.py)."""

    numeric: Mapping[str, Callable[[Evaluation, Call], Floats]]
    textual: Mapping[str, Callable[[Evaluation, Call], Texts]]
    logical: Mapping[str, Callable[[Evaluation, Call], Logic]]


class Evaluation:
    """One walk over a checked tree: every node is evaluated once, so a formula takes as long as it is long."""

    def __init__(self, table: Table, functions: Functions) -> None:
        self.table, self.rows, self.functions = table, table.rows, functions
        self.types = types_of(table)
        self.lost: dict[str, int] = {}
        self.kind = type_reader(self.types)
        self.held: dict[int, Any] = {}
        """Values of nodes that are compared several times, by identity."""

    @contextmanager
    def holding(self, node: Node) -> Iterator[None]:
        """For as long as it lasts the node is evaluated once, however often its value is asked for."""
        kind = self.kind(node)
        if isinstance(node, Text) or id(node) in self.held:
            yield
            return
        evaluate = {"logical": self.logic, "text": self.texts}.get(kind, self.numbers)
        self.held[id(node)] = evaluate(node)
        try:
            yield
        finally:
            del self.held[id(node)]

    # -- conditions ----------------------------------------------------------------------------------------------------

    def logic(self, node: Node) -> Logic:
        """Three-valued truth of a condition."""
        if id(node) in self.held:
            held: Logic = self.held[id(node)]
            return held
        if isinstance(node, And):
            return reduce(np.minimum, [self.logic(item) for item in node.items])
        if isinstance(node, Or):
            return reduce(np.maximum, [self.logic(item) for item in node.items])
        if isinstance(node, Not):
            return (TRUE - self.logic(node.item)).astype(np.uint8)
        if isinstance(node, Compare):
            return self.compare(node.op, node.left, node.right)
        if isinstance(node, In):
            with self.holding(node.item):
                return reduce(np.maximum, [self.compare("=", node.item, option) for option in node.options])
        assert isinstance(node, Call)
        return self.functions.logical[node.name](self, node)

    def compare(self, op: str, left: Node, right: Node) -> Logic:
        a, b = self.kind(left), self.kind(right)
        if a == b == "logical":
            return self._truth(op, self.logic(left), self.logic(right))
        if a == b == "text":
            return self._compare_texts(op, left, right)
        return compare_numbers(op, self.numbers(left), self.numbers(right))

    @staticmethod
    def _truth(op: str, x: Logic, y: Logic) -> Logic:
        out = np.where((x == y) == (op == "="), TRUE, FALSE).astype(np.uint8)
        out[(x == UNKNOWN) | (y == UNKNOWN)] = UNKNOWN
        return out

    def _compare_texts(self, op: str, left: Node, right: Node) -> Logic:
        test = _ORDER[op]
        if isinstance(right, Text):
            return self.texts(left).flag(lambda word: test(word, right.value))
        if isinstance(left, Text):
            return self.texts(right).flag(lambda word: test(left.value, word))
        x, y = self.texts(left), self.texts(right)
        a, b = x.lookup()[x.codes], y.lookup()[y.codes]
        known = (x.codes >= 0) & (y.codes >= 0)
        out = np.full(self.rows, UNKNOWN, dtype=np.uint8)
        out[known] = [TRUE if test(p, q) else FALSE for p, q in zip(a[known], b[known], strict=True)]
        return out

    # -- numbers and dates ---------------------------------------------------------------------------------------------

    def numbers(self, node: Node) -> Floats:
        """float64 of length rows; a text constant is read as a date."""
        if id(node) in self.held:
            held: Floats = self.held[id(node)]
            return held
        if isinstance(node, Number):
            return np.full(self.rows, node.value)
        if isinstance(node, Column):
            return self.table.numeric(node.id)
        if isinstance(node, Text):
            return np.full(self.rows, self._day(node))
        if isinstance(node, Negative):
            return -self.numbers(node.item)
        if isinstance(node, Arithmetic):
            first, steps = chain(node)
            values = self.numbers(first)
            for step in steps:
                values = self._arithmetic(step.op, values, self.numbers(step.right))
            return values
        assert isinstance(node, Call)
        return self.functions.numeric[node.name](self, node)

    @staticmethod
    def _day(node: Text) -> float:
        day = float(to_numbers(pa.array([node.value]), "datetime")[0])
        if np.isnan(day):
            raise FormulaError("formula.type", '日期请写成 "2024-01-31" 的样子', node.at)
        return day

    def _arithmetic(self, op: str, x: Floats, y: Floats) -> Floats:
        with np.errstate(all="ignore"):
            if op == "+":
                out = x + y
            elif op == "-":
                out = x - y
            elif op == "*":
                out = x * y
            elif op == "/":
                out = x / y
                return self.undefined(out, (y == 0) & ~np.isnan(x), "division")
            else:
                out = np.power(x, y)
        return self.undefined(out, ~np.isfinite(out) & np.isfinite(x) & np.isfinite(y), "domain")

    def undefined(self, values: Floats, where: Bools, reason: str) -> Floats:
        """The values with undefined cells missing, and counted."""
        if not where.any():
            return values
        self.lost[reason] = self.lost.get(reason, 0) + int(np.count_nonzero(where))
        return np.where(where, np.nan, values)

    # -- texts ---------------------------------------------------------------------------------------------------------

    def texts(self, node: Node) -> Texts:
        if id(node) in self.held:
            held: Texts = self.held[id(node)]
            return held
        if isinstance(node, Text):
            return Texts(np.zeros(self.rows, dtype=np.int64), [node.value])
        if isinstance(node, Column):
            return self.column_texts(node.id)
        assert isinstance(node, Call)
        return self.functions.textual[node.name](self, node)

    def column_texts(self, column_id: str, entered: bool = False) -> Texts:
        """`entered`: user-missing codes are the texts they are."""
        encoded = dictionary(self.table.array(column_id))
        codes = indices(encoded).astype(np.int64)
        if not entered and (gone := self.table.missing(column_id)).any():
            codes = np.where(gone, -1, codes)
        return Texts(codes, as_strings(encoded.dictionary).to_pylist())

    def missing(self, node: Node) -> Bools:
        """Where the value of a node of any type is missing."""
        if isinstance(node, Column):
            return self.table.missing(node.id)
        kind = self.kind(node)
        if kind == "logical":
            unknown: Bools = self.logic(node) == UNKNOWN
            return unknown
        if kind == "text":
            empty: Bools = self.texts(node).codes < 0
            return empty
        gone: Bools = np.isnan(self.numbers(node))
        return gone


_ORDER: dict[str, Callable[[str, str], bool]] = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
_UFUNC = {
    "=": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}


def compare_numbers(op: str, x: Floats, y: Floats) -> Logic:
    """Three-valued comparison; missing on either side is unknown."""
    out: Logic = _UFUNC[op](x, y).astype(np.uint8) * np.uint8(TRUE)
    out[np.isnan(x) | np.isnan(y)] = UNKNOWN
    return out
