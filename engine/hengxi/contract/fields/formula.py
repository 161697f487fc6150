"""`formula`: an expression or a condition over the columns of the table, in the one grammar of the product."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from ..grammar import FormulaError, Node, parse
from ..grammar import columns as columns_in
from ..grammar_text import written
from ..grammar_types import Type, check
from ..measures import ColumnInfo
from ..when import Condition
from .base import AutoRule, Binder, Context, Field, Schema, common, missing_choice, optional

_COLUMN = re.compile(r"\{\s*(c[1-9]\d*)\s*\}")

FormulaKind = Literal["expression", "condition"]
Symbols = Literal["columns"]


@dataclass(kw_only=True)
class FormulaField(Field):
    """Wire: `"{c3}/({c4}/100)^2"`. `own`: the field with the name of the variable being made, which it may not use."""

    type: Literal["formula"] = "formula"
    kind: FormulaKind
    symbols: Symbols
    own: str | None = field(default=None, metadata={"wire": False})

    def annotate(self, annotation: Any) -> None:
        self.required = not optional(annotation)

    def schema(self) -> Schema:
        return {"type": ["string", "null"]}

    def resolve(self, raw: Any, context: Context) -> Any:
        source = raw.strip() if isinstance(raw, str) else ""
        if not source:
            if self.required:
                missing_choice(self, context, "formula")
            return None
        try:
            node = parse(source, self.kind)
            known = context.known()
            check(node, self.kind, types_of(known), {column.id: column.name for column in known})
        except FormulaError as error:
            self._fault(error, source, context)
        return source

    def _fault(self, error: FormulaError, source: str, context: Context) -> None:
        reason = error.reason
        if self.own is not None and error.facts.get("symbol") == context.value(self.own):
            reason = "新变量不能引用自身"
        place = shown_place(source, error.at, {column.id: column.name for column in context.known()})
        text = f"公式第 {place + 1} 个字符处有误：{reason}"
        facts = {"column": None, **error.facts}
        context.fault(error.code, f"“{self.title}”：{text}", **facts)

    def bind(self, resolved: Any, binder: Binder) -> Any:
        return None if resolved is None else binder.formula(resolved, self.kind)

    def column_ids(self, resolved: Any) -> list[str]:
        try:
            return columns_in(parse(resolved, self.kind)) if resolved else []
        except FormulaError:
            return []

    def bad_values(self, good: Any, context: Context) -> Iterator[tuple[Any, str]]:
        if self.required:
            yield (None, "formula.required")
        tail = " > 1" if self.kind == "condition" else ""
        yield (f"({good}", "formula.syntax")
        yield (f"{{c99999}}{tail}", "formula.symbol")
        yield (f"没有这个函数(1){tail}", "formula.function")
        yield ("1 + 1" if self.kind == "condition" else "1 > 0", "formula.type")


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
    symbols: Symbols = "columns",
    own: str | None = None,
    hint: str | None = None,
    when: Condition | None = None,
    advanced: bool = False,
    auto: AutoRule | str | None = None,
) -> Any:
    """Annotate `Expression` or `Expression | None`."""
    words = common(hint=hint, when=when, advanced=advanced, auto=auto)
    return FormulaField(title=title, kind=kind, symbols=symbols, own=own, **words)
