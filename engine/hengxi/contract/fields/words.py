"""`words`: something typed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from ..when import Condition
from .base import AutoRule, Context, Field, Schema, common, missing_choice, optional

WordsKind = Literal["name", "text", "delimiter", "pattern", "date_format"]
LONGEST: dict[str, int] = {"name": 64, "text": 2000, "delimiter": 8, "pattern": 500, "date_format": 64}


@dataclass(kw_only=True)
class WordsField(Field):
    type: Literal["words"] = "words"
    kind: WordsKind
    default: str | None
    longest: int
    fresh: bool = field(default=False, metadata={"wire": False})
    secret: bool = field(default=False, metadata={"wire": False})
    """Is it a password, that no record may show?"""

    def annotate(self, annotation: Any) -> None:
        self.required = self.default is None and self.auto is None and not optional(annotation)

    def schema(self) -> Schema:
        return {"type": ["string", "null"]}

    def resolve(self, raw: Any, context: Context) -> Any:
        is_blank = raw is None or raw == "" or (self.kind == "name" and not str(raw).strip())
        value = self.default if is_blank else str(raw)
        if value is None:
            if self.required:
                missing_choice(self, context, "words")
            return None
        if len(value) > self.longest:
            text = f"“{self.title}”最多 {self.longest} 个字，现有 {len(value):,} 个"
            context.fault("words.length", text, k=len(value), max=self.longest)
        if self.kind == "pattern":
            self._judge_pattern(value, context)
        if self.fresh:
            value = value.strip()
            if any(column.name == value for column in context.known()):
                context.fault("words.taken", f"“{self.title}”：变量“{value}”已存在，请换名", name=value)
        return value

    def _judge_pattern(self, value: str, context: Context) -> None:
        try:
            re.compile(value)
        except re.error as error:
            where = "" if error.pos is None else f"（第 {error.pos + 1} 个字符处）"
            context.fault("words.pattern", f"“{self.title}”不是有效的表达式{where}", at=error.pos)

    def bad_values(self, good: Any, context: Context) -> Iterator[tuple[Any, str]]:
        yield ("长" * (self.longest + 1), "words.length")
        if self.kind == "name" and self.required:
            yield (" \u3000", "words.required")
        if self.fresh and (known := context.known()):
            yield (known[0].name, "words.taken")


def words(
    title: str,
    default: str | None = None,
    *,
    kind: WordsKind = "text",
    longest: int | None = None,
    fresh: bool = False,
    secret: bool = False,
    hint: str | None = None,
    when: Condition | None = None,
    advanced: bool = False,
    auto: AutoRule | str | None = None,
) -> Any:
    """A line of text. Annotate `str` or `str | None`. `fresh`: a name no column of the table has yet.

    `secret`: a password; the record of a step says only that there is one.
    """
    common_words = common(hint=hint, when=when, advanced=advanced, auto=auto)
    return WordsField(
        title=title,
        kind=kind,
        default=default,
        longest=longest or LONGEST[kind],
        fresh=fresh,
        secret=secret,
        **common_words,
    )
