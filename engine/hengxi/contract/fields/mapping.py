"""`mapping`: rules that turn old values into new ones."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from ..measures import ColumnInfo, is_number, title_of
from ..when import Condition
from .base import LEVEL_VALUE, AutoRule, Binder, Context, Field, Schema, common
from .level import same_value

Open = Literal["none", "low", "high", "both"]
OPEN: tuple[Open, ...] = ("none", "low", "high", "both")


@dataclass(frozen=True)
class Span:
    """Numbers from `low` to `high`; None is no end. `open` says which end does not belong."""

    low: float | None
    high: float | None
    open: Open

    @property
    def words(self) -> str:
        left = "(" if self.open in ("low", "both") or self.low is None else "["
        right = ")" if self.open in ("high", "both") or self.high is None else "]"
        low = "−∞" if self.low is None else f"{self.low:.15g}"
        high = "+∞" if self.high is None else f"{self.high:.15g}"
        return f"{left}{low}, {high}{right}"

    def holds(self, value: float) -> bool:
        above = self.low is None or (value > self.low if self.open in ("low", "both") else value >= self.low)
        below = self.high is None or (value < self.high if self.open in ("high", "both") else value <= self.high)
        return above and below

    def meets(self, other: Span) -> bool:
        """Do both hold a common number?"""
        for a, b in ((self, other), (other, self)):
            if a.high is None or b.low is None:
                continue
            touching = a.open in ("high", "both") or b.open in ("low", "both")
            if a.high < b.low or (a.high == b.low and touching):
                return False
        return True


@dataclass(frozen=True)
class Rule:
    """One line: what it takes (values, a span or the missing cells) and what it gives."""

    number: int
    values: tuple[Any, ...]
    span: Span | None
    missing: bool
    new: Any
    copy: bool
    label: str | None

    @property
    def words(self) -> str:
        if self.missing:
            return "缺失"
        return self.span.words if self.span else "、".join(shown(value) for value in self.values)

    def takes(self, value: Any) -> bool:
        """Does it take this (valid) value?"""
        if self.span is not None:
            return isinstance(value, int | float) and self.span.holds(float(value))
        return any(same_value(one, value) for one in self.values)


def shown(value: Any) -> str:
    return f"{value:.15g}" if isinstance(value, int | float) and not isinstance(value, bool) else str(value)


@dataclass(kw_only=True)
class MappingField(Field):
    """Wire: `[{"old": 3, "new": 1, "label": "低"}]`.

    `old` is a value, a list of values, `{"low", "high", "open"}` or `{"missing": true}`; `new` a value, null for
    missing, or `{"copy": true}`. The first rule that takes a value counts.
    """

    type: Literal["mapping"] = "mapping"
    of: list[str]
    max: int

    def schema(self) -> Schema:
        bound = {"type": ["number", "null"]}
        span = {
            "type": "object",
            "properties": {"low": bound, "high": bound, "open": {"enum": list(OPEN)}},
            "required": ["low", "high"],
            "additionalProperties": False,
        }
        listed = {"type": "array", "items": LEVEL_VALUE, "minItems": 1, "maxItems": 1000}
        missing = _constant("missing")
        rule = {
            "type": "object",
            "properties": {
                "old": {"anyOf": [LEVEL_VALUE, listed, span, missing]},
                "new": {"anyOf": [LEVEL_VALUE, _constant("copy")]},
                "label": {"type": ["string", "null"], "maxLength": 200},
            },
            "required": ["old"],
            "additionalProperties": False,
        }
        return {"type": ["array", "null"], "items": rule, "maxItems": self.max}

    def empty(self) -> list[Any]:
        return []

    def resolve(self, raw: Any, context: Context) -> Any:
        wire = list(raw or [])
        if not wire:
            if self.required:
                context.fault("mapping.required", f"请至少填写一条{self.title}")
            return []
        rules = [read(line, i + 1) for i, line in enumerate(wire)]
        columns = [column for key in self.of for column in context.columns(key)]
        for rule in rules:
            self._judge(rule, columns, context)
        self._judge_overlap(rules, context)
        return wire

    def _judge(self, rule: Rule, columns: list[ColumnInfo], context: Context) -> None:
        where = f"{self.title}第 {rule.number} 条"
        if not rule.missing and rule.span is None and not any(value not in (None, "") for value in rule.values):
            context.fault("mapping.none", f"{where}没有填旧值，请填写或删去这条", row=rule.number)
        span = rule.span
        if span is None:
            return
        if span.low is None and span.high is None:
            context.fault("mapping.none", f"{where}的区间两端都是空的，请至少填写一端", row=rule.number)
        elif span.low is not None and span.high is not None and _is_empty(span):
            text = f"{where}的区间 {span.words} 里没有数，请检查上下限"
            context.fault("mapping.type", text, row=rule.number)
        for column in columns:
            if not is_number(column) and "date" not in column.storage:
                text = f"{where}是数值区间，“{title_of(column)}”是文本变量，只能逐个取值编码"
                context.fault("mapping.type", text, column=column.id, row=rule.number)

    def _judge_overlap(self, rules: list[Rule], context: Context) -> None:
        for i, a in enumerate(rules):
            for b in rules[i + 1 :]:
                if a.span and b.span and a.span.meets(b.span):
                    text = f"{self.title}：规则 {a.words} 与 {b.words} 的区间重叠，请改第 {a.number} 或第 {b.number} 条"
                    context.fault("mapping.overlap", text, row=b.number, a=a.words, b=b.words)
                twice = next((v for v in a.values if any(same_value(v, w) for w in b.values)), None)
                if twice is not None or (a.missing and b.missing):
                    what = "缺失" if twice is None else f"“{shown(twice)}”"
                    text = f"{self.title}：{what}写在第 {a.number} 条和第 {b.number} 条，请删去一条"
                    context.fault("mapping.overlap", text, row=b.number, a=a.words, b=b.words)

    def bind(self, resolved: Any, binder: Binder) -> list[Rule]:
        return [read(line, i + 1) for i, line in enumerate(resolved)]

    def bad_values(self, good: Any, context: Context) -> Iterator[tuple[Any, str]]:
        if self.required:
            yield ([], "mapping.required")
        yield ([*good, *good], "mapping.overlap")
        yield ([{"old": {"low": None, "high": None}, "new": 1}], "mapping.none")


def _constant(key: str) -> Schema:
    return {
        "type": "object",
        "properties": {key: {"const": True}},
        "required": [key],
        "additionalProperties": False,
    }


def _is_empty(span: Span) -> bool:
    low, high = span.low or 0.0, span.high or 0.0
    return low > high or (low == high and span.open != "none")


def read(line: dict[str, Any], number: int) -> Rule:
    """One wire rule."""
    old, new = line["old"], line.get("new")
    span, missing, values = None, False, ()
    if isinstance(old, dict) and "missing" in old:
        missing = True
    elif isinstance(old, dict):
        span = Span(_bound(old.get("low")), _bound(old.get("high")), old.get("open") or "none")
    else:
        values = tuple(old) if isinstance(old, list) else (old,)
    copy = isinstance(new, dict)
    label = (line.get("label") or "").strip() or None
    return Rule(number, values, span, missing, None if copy or new == "" else new, copy, label)


def _bound(value: Any) -> float | None:
    return None if value is None or not math.isfinite(float(value)) else float(value)


def mapping(
    title: str,
    *,
    of: str | tuple[str, ...],
    max: int = 200,
    hint: str | None = None,
    when: Condition | None = None,
    advanced: bool = False,
    auto: AutoRule | str | None = None,
) -> Any:
    """Recoding rules for the variables in `of`. Annotate `list[Rule]`."""
    words = common(hint=hint, when=when, advanced=advanced, auto=auto)
    fields = [of] if isinstance(of, str) else list(of)
    return MappingField(title=title, of=fields, max=max, **words)
