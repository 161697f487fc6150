"""`number` and `integer`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from ..when import Condition
from .base import AutoRule, Context, Field, Schema, common, missing_choice


def inside(value: float, least: float | None, most: float | None, above: float | None, below: float | None) -> bool:
    return (
        (least is None or value >= least)
        and (most is None or value <= most)
        and (above is None or value > above)
        and (below is None or value < below)
    )


def range_words(least: float | None, most: float | None, above: float | None, below: float | None) -> str:
    """不小于 0.5、不大于 0.999"""
    parts = [(least, "不小于"), (above, "大于"), (most, "不大于"), (below, "小于")]
    return "、".join(f"{word} {bound:g}" for bound, word in parts if bound is not None)


def outside_values(
    least: float | None, most: float | None, above: float | None, below: float | None, step: float
) -> Iterator[float]:
    """Just outside each bound."""
    if least is not None:
        yield least - step
    if most is not None:
        yield most + step
    if above is not None:
        yield above
    if below is not None:
        yield below


@dataclass(kw_only=True)
class NumberField(Field):
    type: Literal["number"] = "number"
    default: float | None
    least: float | None = None
    most: float | None = None
    above: float | None = None
    below: float | None = None
    unit: str | None = None
    percent: bool = False

    def annotate(self, annotation: Any) -> None:
        self.required = self.default is None and self.auto is None and not _allows_none(annotation)

    def schema(self) -> Schema:
        return {"anyOf": [{"type": ["number", "null"]}, {"enum": ["inf", "-inf"]}]}

    def resolve(self, raw: Any, context: Context) -> Any:
        value = self.default if raw is None else raw
        if value is None:
            if self.required:
                missing_choice(self, context, "number")
            return None
        number_ = float(value)
        if math.isnan(number_) or not inside(number_, self.least, self.most, self.above, self.below):
            words = range_words(self.least, self.most, self.above, self.below)
            context.fault("number.range", f"“{self.title}”须{words}，现为 {value}", value=value)
        return value

    def bind(self, resolved: Any, binder: Any) -> Any:
        return None if resolved is None else float(resolved)

    def bad_values(self, good: Any, context: Context) -> Iterator[tuple[Any, str]]:
        for value in outside_values(self.least, self.most, self.above, self.below, 1e-6):
            yield (value, "number.range")


@dataclass(kw_only=True)
class IntegerField(Field):
    type: Literal["integer"] = "integer"
    default: int | None
    least: int | None = None
    most: int | None = None
    unit: str | None = None
    # The word `integer` also declares a column of a table: its header, and whether weighted counts may be fractions.
    span: tuple[str, ...] = field(default=(), metadata={"wire": False})
    fractions: bool = field(default=False, metadata={"wire": False})

    def annotate(self, annotation: Any) -> None:
        self.required = self.default is None and self.auto is None and not _allows_none(annotation)

    def schema(self) -> Schema:
        return {"type": ["number", "null"]}

    def resolve(self, raw: Any, context: Context) -> Any:
        value = self.default if raw is None else raw
        if value is None:
            if self.required:
                missing_choice(self, context, "number")
            return None
        if float(value) != int(value):
            context.fault("number.whole", f"“{self.title}”须为整数，现为 {value}", value=value)
            return value
        if not inside(value, self.least, self.most, None, None):
            words = range_words(self.least, self.most, None, None)
            context.fault("number.range", f"“{self.title}”须{words}，现为 {value}", value=value)
        return int(value)

    def bad_values(self, good: Any, context: Context) -> Iterator[tuple[Any, str]]:
        for value in outside_values(self.least, self.most, None, None, 1):
            yield (int(value), "number.range")
        inner = self.default if self.default is not None else self.least or 0
        yield (inner + 0.5, "number.whole")


def _allows_none(annotation: Any) -> bool:
    return type(None) in getattr(annotation, "__args__", ())


def number(
    title: str,
    default: float | None = None,
    *,
    least: float | None = None,
    most: float | None = None,
    above: float | None = None,
    below: float | None = None,
    unit: str | None = None,
    percent: bool = False,
    hint: str | None = None,
    when: Condition | None = None,
    advanced: bool = False,
    auto: AutoRule | str | None = None,
) -> Any:
    """A number. `percent=True`: the control shows 95 %, the wire stays 0.95. Annotate `float` or `float | None`."""
    words = common(hint=hint, when=when, advanced=advanced, auto=auto)
    shown = "%" if percent else unit
    return NumberField(
        title=title,
        default=default,
        least=least,
        most=most,
        above=above,
        below=below,
        unit=shown,
        percent=percent,
        **words,
    )


def integer(
    title: str,
    default: int | None = None,
    *,
    least: int | None = None,
    most: int | None = None,
    unit: str | None = None,
    span: str | tuple[str, ...] = (),
    fractions: bool = False,
    hint: str | None = None,
    when: Condition | None = None,
    advanced: bool = False,
    auto: AutoRule | str | None = None,
) -> Any:
    """A whole number, as a field (annotate `int`, or `int | None` with `auto=`) or as a column of a table.

    A column of counts says `fractions=True` where frequency weights may make them fractional.
    """
    words = common(hint=hint, when=when, advanced=advanced, auto=auto)
    spans = (span,) if isinstance(span, str) else span
    return IntegerField(
        title=title, default=default, least=least, most=most, unit=unit, span=spans, fractions=fractions, **words
    )
