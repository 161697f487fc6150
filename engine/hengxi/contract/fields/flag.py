"""`flag`: a switch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from ..when import Condition
from .base import AutoRule, Context, Field, Schema, common


@dataclass(kw_only=True)
class FlagField(Field):
    type: Literal["flag"] = "flag"
    default: bool

    def schema(self) -> Schema:
        return {"type": ["boolean", "null"]}

    def resolve(self, raw: Any, context: Context) -> bool:
        return self.default if raw is None else bool(raw)

    def empty(self) -> bool:
        return False

    def other_values(self, good: Any, context: Context) -> Iterator[Any]:
        yield not self.default


def flag(
    title: str,
    default: bool = False,
    *,
    hint: str | None = None,
    when: Condition | None = None,
    advanced: bool = False,
    auto: AutoRule | str | None = None,
) -> Any:
    """A switch. Annotate `bool`."""
    words = common(hint=hint, when=when, advanced=advanced, auto=auto)
    return FlagField(title=title, default=default, required=False, **words)
