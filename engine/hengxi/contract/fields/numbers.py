"""`numbers`: a list of numbers, or a few named ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

from ..when import Condition
from .base import AutoRule, Context, Field, Schema, common, missing_choice
from .number import inside, outside_values, range_words


@dataclass(kw_only=True)
class NumbersField(Field):
    """Wire: `[0.1, 0.5]`, or with `names` `{"p": 1, "d": 1, "q": 0}`."""

    type: Literal["numbers"] = "numbers"
    default: list[float | None]
    names: list[str] | None = None
    whole: bool = False
    least: float | None = None
    most: float | None = None
    above: float | None = None
    below: float | None = None
    min: int = 0
    max: int | None = None
    increasing: bool = False
    start: list[float | None] | None = None
    """Named numbers of a new row begin with these; an empty box is then no number at all, not the default."""

    def schema(self) -> Schema:
        if self.names is not None:
            cells: Schema = {name: {"type": ["number", "null"]} for name in self.names}
            return {"type": ["object", "null"], "properties": cells, "additionalProperties": False}
        return {"type": ["array", "null"], "items": {"type": "number"}}

    def empty(self) -> Any:
        return {} if self.names is not None else []

    def resolve(self, raw: Any, context: Context) -> Any:
        value: Any
        if self.names is not None:
            given = raw or {}
            otherwise = self.start if self.start is not None and raw is None else self.default
            start = dict(zip(self.names, otherwise, strict=True))
            value = {name: start[name] if given.get(name) is None else given[name] for name in self.names}
            cells = [cell for cell in value.values() if cell is not None]
        else:
            value = cells = list(self.default if raw is None else raw)
            self._judge_count(cells, context)
        for cell in cells:
            if not inside(cell, self.least, self.most, self.above, self.below):
                words = range_words(self.least, self.most, self.above, self.below)
                context.fault("numbers.each", f"“{self.title}”中每个数须{words}，现有 {cell:g}", value=cell)
            elif self.whole and cell != int(cell):
                context.fault("numbers.each", f"“{self.title}”中每个数须为整数，现有 {cell:g}", value=cell)
        if self.increasing and any(a >= b for a, b in pairwise(cells)):
            context.fault("numbers.order", f"“{self.title}”必须严格递增：从小到大，不重复")
        return value

    def _judge_count(self, cells: list[float], context: Context) -> None:
        if self.required and not cells:
            missing_choice(self, context, "numbers")
        elif len(cells) < self.min or (self.max is not None and len(cells) > self.max):
            upper = "" if self.max is None else f"、最多 {self.max} 个"
            text = f"“{self.title}”至少 {self.min} 个数{upper}，现有 {len(cells)} 个"
            context.fault("numbers.count", text, k=len(cells))

    def bad_values(self, good: Any, context: Context) -> Iterator[tuple[Any, str]]:
        if self.names is None:
            if self.min > 0:
                yield ([], "numbers.required" if self.required else "numbers.count")
            for value in outside_values(self.least, self.most, self.above, self.below, 1e-6):
                yield ([value] * max(1, self.min), "numbers.each")


def numbers(
    title: str,
    default: tuple[float | None, ...] = (),
    *,
    names: tuple[str, ...] | None = None,
    whole: bool = False,
    least: float | None = None,
    most: float | None = None,
    above: float | None = None,
    below: float | None = None,
    min: int = 0,
    max: int | None = None,
    increasing: bool = False,
    start_with: tuple[float | None, ...] | None = None,
    hint: str | None = None,
    when: Condition | None = None,
    advanced: bool = False,
    auto: AutoRule | str | None = None,
) -> Any:
    """Numbers as chips, or one box per name. Annotate `list[float]`, with names `dict[str, float | None]`."""
    begins = None if start_with is None else list(start_with)
    words = common(hint=hint, when=when, advanced=advanced, auto=auto)
    start: list[float | None] = list(default) if names is None or default else [None] * len(names)
    return NumbersField(
        title=title,
        default=start,
        names=None if names is None else list(names),
        whole=whole,
        least=least,
        most=most,
        above=above,
        below=below,
        min=min,
        max=max,
        increasing=increasing,
        start=begins,
        required=min > 0,
        **words,
    )
