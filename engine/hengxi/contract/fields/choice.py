"""`choice` (one of a few) and `many` (several of a few)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ..when import Condition, When, holds, read_when
from .base import AutoRule, Context, Field, Schema, common, missing_choice


@dataclass(kw_only=True)
class Option:
    """One entry of a choice; greyed out, with the reason, while `unless` holds."""

    key: str
    title: str
    hint: str | None = None
    unless: When | None = None
    why: str | None = None


def option(title: str, *, hint: str | None = None, unless: Condition | None = None, why: str | None = None) -> Option:
    """An entry with more than a title: `{"welch": option("Welch", hint="…")}`."""
    return Option(key="", title=title, hint=hint, unless=read_when(unless), why=why)


Options = Mapping[str, str | Option]


def _read(options: Options) -> list[Option]:
    read = []
    for key, entry in options.items():
        one = Option(key=key, title=entry) if isinstance(entry, str) else entry
        one.key = key
        read.append(one)
    return read


def _greyed(entry: Option, context: Context) -> bool:
    return entry.unless is not None and holds(entry.unless, context.value, context.columns)


@dataclass(kw_only=True)
class ChoiceField(Field):
    type: Literal["choice"] = "choice"
    options: list[Option]
    default: str | None

    def schema(self) -> Schema:
        return {"type": ["string", "null"]}

    def resolve(self, raw: Any, context: Context) -> Any:
        value = self.default if raw is None else raw
        if value is None:
            if self.auto is None:
                missing_choice(self, context, "choice", "请选择")
            return None
        entry = next((o for o in self.options if o.key == value), None)
        if entry is None:
            context.fault("choice.unknown", f"“{self.title}”没有选项“{value}”", value=value)
        elif _greyed(entry, context):
            context.fault(
                "choice.greyed", f"“{self.title}”现在不能选“{entry.title}”：{entry.why or '条件不符'}", value=value
            )
        return value

    def bad_values(self, good: Any, context: Context) -> Iterator[tuple[Any, str]]:
        yield ("no_such_choice", "choice.unknown")

    def other_values(self, good: Any, context: Context) -> Iterator[Any]:
        yield from (o.key for o in self.options if o.key != good and not _greyed(o, context))


@dataclass(kw_only=True)
class ManyField(Field):
    type: Literal["many"] = "many"
    options: list[Option]
    default: list[str]
    min: int = 0
    max: int | None = None

    def schema(self) -> Schema:
        return {"type": ["array", "null"], "items": {"type": "string"}}

    def empty(self) -> list[str]:
        return []

    def resolve(self, raw: Any, context: Context) -> list[str]:
        chosen = list(self.default if raw is None else raw)
        for value in chosen:
            entry = next((o for o in self.options if o.key == value), None)
            if entry is None:
                context.fault("choice.unknown", f"“{self.title}”没有选项“{value}”", value=value)
            elif _greyed(entry, context):
                context.fault("choice.greyed", f"“{self.title}”现在不能选“{entry.title}”：{entry.why or '条件不符'}")
        if len(chosen) < self.min:
            context.fault("many.count", f"“{self.title}”至少选 {self.min} 项，现有 {len(chosen)} 项", k=len(chosen))
        if self.max is not None and len(chosen) > self.max:
            context.fault("many.count", f"“{self.title}”最多选 {self.max} 项，现有 {len(chosen)} 项", k=len(chosen))
        # The order of the declaration, so that the same choice is the same key whatever was ticked first.
        return [o.key for o in self.options if o.key in chosen] + [
            c for c in chosen if all(o.key != c for o in self.options)
        ]

    def bad_values(self, good: Any, context: Context) -> Iterator[tuple[Any, str]]:
        yield (["no_such_choice"], "choice.unknown")
        if self.min > 0:
            yield ([], "many.count")
        if self.max is not None and len(self.options) > self.max:
            yield ([o.key for o in self.options], "many.count")

    def other_values(self, good: Any, context: Context) -> Iterator[Any]:
        usable = [o.key for o in self.options if not _greyed(o, context)]
        if self.max is None or len(usable) <= self.max:
            yield usable
        if self.min <= 1:
            yield from ([key] for key in usable)
        if self.min == 0:
            yield []


def choice(
    title: str,
    options: Options,
    *,
    default: str | None = None,
    hint: str | None = None,
    when: Condition | None = None,
    advanced: bool = False,
    auto: AutoRule | str | None = None,
) -> Any:
    """One of a few; the first unless `default` says otherwise. Keys are ASCII and permanent. Annotate `str`."""
    read = _read(options)
    start = default if default is not None or auto is not None else read[0].key
    words = common(hint=hint, when=when, advanced=advanced, auto=auto)
    return ChoiceField(title=title, options=read, default=start, required=False, **words)


def many(
    title: str,
    options: Options,
    *,
    default: tuple[str, ...] = (),
    min: int = 0,
    max: int | None = None,
    hint: str | None = None,
    when: Condition | None = None,
    advanced: bool = False,
    auto: AutoRule | str | None = None,
) -> Any:
    """Several of a few. Annotate `list[str]`; `run` gets them in the order of the declaration."""
    words = common(hint=hint, when=when, advanced=advanced, auto=auto)
    return ManyField(
        title=title, options=_read(options), default=list(default), min=min, max=max, required=min > 0, **words
    )
