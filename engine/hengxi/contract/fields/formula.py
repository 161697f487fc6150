"""`formula`: an expression, a condition or a list of constraints, in the one grammar of the product.

Its symbols are the columns of the table, or the rows of a `records` field: the variables the user makes there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from ..expressions import TypedFormula
from ..grammar import Call, FormulaError, Node, parse, walk
from ..grammar import columns as columns_in
from ..grammar import symbols as symbols_in
from ..grammar_text import written
from ..grammar_types import Type, check
from ..measures import ColumnInfo
from ..when import Condition
from .base import AutoRule, Binder, Context, Field, Schema, common, is_list, missing_choice, optional
from .records import CONSTANTS

_COLUMN = re.compile(r"\{\s*(c[1-9]\d*)\s*\}")

FormulaKind = Literal["expression", "condition", "constraint", "equation"]
COLUMNS = "columns"
FREE = "free"
"""Any name: the unknowns of an equation, which the method itself reads out of it."""
LONGEST = 20_000
"""Of a formula over made variables: a program of a thousand variables has a long objective."""
SYMBOLIC = frozenset(
    {"abs", "sqrt", "exp", "ln", "log", "log10", "lg10", "log2", "power", "sin", "cos", "tan", "asin", "acos", "atan",
     "sum", "mean", "min", "max", "pi"}
)  # fmt: skip
"""What a formula over variables may call: functions of numbers that have a derivative almost everywhere."""


@dataclass(kw_only=True)
class FormulaField(Field):
    """Wire: `"{c3}/({c4}/100)^2"`; over made variables `"3*X+2*Y"`, and with `lines` a list of such.

    `symbols`: "columns", the `records` field whose names it may use, or "free". `lines`: how many a list may have.
    `own`: the field with the name of the variable being made, which it may not use.
    """

    type: Literal["formula"] = "formula"
    kind: FormulaKind
    symbols: str
    lines: tuple[int, int] | None = None
    none: str | None = None
    """What is said where a list has none."""
    own: str | None = field(default=None, metadata={"wire": False})

    def annotate(self, annotation: Any) -> None:
        if is_list(annotation) != (self.lines is not None):
            raise TypeError(f"{self.title}: list[TypedFormula] goes with lines=")
        self.required = self.lines[0] > 0 if self.lines is not None else not optional(annotation)

    def schema(self) -> Schema:
        if self.lines is not None:
            return {"type": ["array", "null"], "items": {"type": "string"}}
        return {"type": ["string", "null"]}

    def empty(self) -> Any:
        return None if self.lines is None else []

    def resolve(self, raw: Any, context: Context) -> Any:
        if self.lines is not None:
            return self._resolve_lines(raw or [], self.lines, context)
        source = raw.strip() if isinstance(raw, str) else ""
        if not source:
            if self.required:
                missing_choice(self, context, "formula")
            return None
        try:
            if self.symbols == COLUMNS:
                node = parse(source, self.kind)
                known = context.known()
                check(node, self.kind, types_of(known), {column.id: column.name for column in known})
            else:
                self._read(source, context)
        except FormulaError as error:
            self._fault(error, source, context)
        return source

    def _resolve_lines(self, raw: list[str], lines: tuple[int, int], context: Context) -> list[str]:
        """Empty lines are left out: one may stand in the list until it is written."""
        filled = [(number, source.strip()) for number, source in enumerate(raw, 1) if source.strip()]
        if not filled and self.required:
            context.fault("formula.required", f"“{self.title}”：{self.none}" if self.none else f"请填写“{self.title}”")
        elif not lines[0] <= len(filled) <= lines[1]:
            text = f"“{self.title}”须有 {lines[0]} 到 {lines[1]} 条，现有 {len(filled):,} 条"
            context.fault("formula.lines", text, k=len(filled))
        for number, source in filled[: lines[1]]:
            try:
                self._read(source, context)
            except FormulaError as error:
                text = f"“{self.title}”第 {number} 条的第 {error.at + 1} 个字符处有误：{error.reason}"
                facts = {"column": None, "line": number - 1, **error.facts}
                context.fault(error.code, text, row=number, **facts)
        return [source for _, source in filled]

    def _read(self, source: str, context: Context) -> Node:
        node = parse(source, self.kind, juxtaposed=True, longest=LONGEST)
        if self.symbols == FREE:
            names = set(symbols_in(node))
        else:
            names = {row.get("name") for row in context.value(self.symbols) or []}
        try:
            check(node, self.kind, {}, symbols={*filter(None, names), *CONSTANTS})
        except FormulaError as error:
            if error.code != "formula.symbol":
                raise
            name = error.facts["symbol"]
            reason = (
                "这里不能引用数据里的变量"
                if re.fullmatch(r"c\d+", str(name))
                else f"变量“{name}”没有定义，请先添加它，或改正写法"
            )
            raise FormulaError(error.code, reason, error.facts["at"], symbol=name) from None
        for item in walk(node):
            if isinstance(item, Call) and item.name not in SYMBOLIC:
                reason = f"这里不能用函数“{item.name.upper()}”"
                raise FormulaError("formula.function", reason, item.at, function=item.name)
        return node

    def _fault(self, error: FormulaError, source: str, context: Context) -> None:
        reason = error.reason
        if self.own is not None and error.facts.get("symbol") == context.value(self.own):
            reason = "新变量不能引用自身"
        place = shown_place(source, error.at, {column.id: column.name for column in context.known()})
        text = f"公式第 {place + 1} 个字符处有误：{reason}"
        facts = {"column": None, **error.facts}
        context.fault(error.code, f"“{self.title}”：{text}", **facts)

    def bind(self, resolved: Any, binder: Binder) -> Any:
        if self.symbols != COLUMNS:
            return [self._typed(source) for source in resolved] if self.lines is not None else self._typed(resolved)
        kind: Literal["expression", "condition"] = "condition" if self.kind == "condition" else "expression"
        return None if resolved is None else binder.formula(resolved, kind)

    def _typed(self, source: str | None) -> TypedFormula | None:
        if source is None:
            return None
        node = parse(source, self.kind, juxtaposed=True, longest=LONGEST)
        return TypedFormula(source, written(node, {}), node)

    def column_ids(self, resolved: Any) -> list[str]:
        if self.symbols != COLUMNS:
            return []
        try:
            return columns_in(parse(resolved, self.kind)) if resolved else []
        except FormulaError:
            return []

    def bad_values(self, good: Any, context: Context) -> Iterator[tuple[Any, str]]:
        if self.lines is not None:
            yield from (
                ([value] if value else [], code) for value, code in self._bad_texts(good[0] if good else "0 <= 1")
            )
            yield ([good[0]] * (self.lines[1] + 1) if good else ["0 <= 1"] * (self.lines[1] + 1), "formula.lines")
            return
        yield from self._bad_texts(good)

    def _bad_texts(self, good: Any) -> Iterator[tuple[Any, str]]:
        if self.required:
            yield (None, "formula.required")
        is_logical = self.kind != "expression"
        tail = {"expression": "", "condition": " > 1", "constraint": " <= 1", "equation": " = 1"}[self.kind]
        yield (f"({good}", "formula.syntax")
        yield (f"{{c99999}}{tail}", "formula.symbol")
        yield (f"没有这个函数(1){tail}", "formula.function")
        if self.kind in ("expression", "condition"):
            yield ("1 + 1" if is_logical else "1 > 0", "formula.type")


def types_of(columns: list[ColumnInfo]) -> dict[str, Type]:
    """What each column is in a formula."""
    kinds: dict[str, Type] = {}
    for column in columns:
        kinds[column.id] = "text" if column.storage == "text" else "date" if "date" in column.storage else "number"
    return kinds


def shown_place(source: str, at: int, names: dict[str, str]) -> int:
    """The place as people count it: they see names where the formula has `{c3}`."""
    before = source[:at]
    return at + sum(len(names.get(found[1], found[0])) - len(found[0]) for found in _COLUMN.finditer(before))


def in_words(node: Node, names: dict[str, str]) -> str:
    """A formula with names instead of ids, for people."""
    return written(node, names)


def formula(
    title: str,
    *,
    kind: FormulaKind,
    symbols: str = COLUMNS,
    lines: tuple[int, int] | None = None,
    none: str | None = None,
    own: str | None = None,
    hint: str | None = None,
    when: Condition | None = None,
    advanced: bool = False,
    auto: AutoRule | str | None = None,
) -> Any:
    """Annotate `Expression` or `Expression | None`; with `symbols` of a records field, or "free" (any name),
    `TypedFormula`, `list` of it with `lines`."""
    if (kind in ("constraint", "equation") or lines is not None) and symbols == COLUMNS:
        raise TypeError(f"{title}: constraints and lists are over the variables of a records field")
    words = common(hint=hint, when=when, advanced=advanced, auto=auto)
    return FormulaField(title=title, kind=kind, symbols=symbols, lines=lines, none=none, own=own, **words)
