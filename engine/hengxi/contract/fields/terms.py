"""`terms`: main effects, interactions and nesting of a model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

from ..measures import title_of
from ..when import Condition
from .base import COLUMN, AutoRule, Binder, Context, Field, Schema, common

Preset = Literal["main", "two_way", "full", "custom"]
PRESETS: list[Preset] = ["main", "two_way", "full", "custom"]


@dataclass(frozen=True)
class Term:
    """Columns multiplied with each other; `nested`: the first within the others."""

    columns: tuple[Any, ...]
    nested: bool = False

    @property
    def name(self) -> str:
        names = [title_of(column) for column in self.columns]
        return f"{names[0]}({'×'.join(names[1:])})" if self.nested else "×".join(names)


@dataclass(frozen=True)
class Terms:
    """What `run` reads: the terms in order, whatever preset they came from."""

    preset: Preset
    terms: tuple[Term, ...]


@dataclass(kw_only=True)
class TermsField(Field):
    """Wire: `{"preset": "custom", "terms": [["c1"], ["c1", "c2"], {"nested": ["c3", "c1"]}]}`."""

    type: Literal["terms"] = "terms"
    of: list[str]
    order: int
    presets: list[Preset]

    def schema(self) -> Schema:
        term = {"anyOf": [{"type": "array", "items": COLUMN}, _NESTED]}
        properties = {"preset": {"type": "string"}, "terms": {"type": ["array", "null"], "items": term}}
        return {"type": ["object", "null"], "properties": properties, "additionalProperties": False}

    def resolve(self, raw: Any, context: Context) -> Any:
        ids = [column.id for key in self.of for column in context.columns(key)]
        preset = (raw or {}).get("preset") or "main"
        if preset not in self.presets:
            context.fault("terms.unknown", f"“{self.title}”没有“{preset}”这种模型", value=preset)
            preset = "main"
        if preset != "custom":
            highest = {"main": 1, "two_way": min(2, self.order), "full": self.order}[preset]
            made = [list(c) for k in range(1, highest + 1) for c in combinations(ids, k)]
            self._judge_number(made, context)
            return {"preset": preset, "terms": made}
        given = list((raw or {}).get("terms") or [])
        for term in given:
            self._judge_term(term, ids, context)
        if not given and ids:
            context.fault("terms.count", f"“{self.title}”里还没有任何项，请至少加入一项", k=0)
        self._judge_number(given, context)
        return {"preset": "custom", "terms": given}

    def _judge_number(self, terms: list[Any], context: Context) -> None:
        if len(terms) > 200:
            context.fault("terms.count", f"“{self.title}”有 {len(terms)} 项，最多 200 项，请减少", k=len(terms))

    def _judge_term(self, term: Any, ids: list[str], context: Context) -> None:
        members = term["nested"] if isinstance(term, dict) else term
        for column_id in members:
            if column_id not in ids:
                known = context.column(column_id)
                name = title_of(known) if known else column_id
                context.fault(
                    "terms.unknown", f"“{self.title}”中的“{name}”不在所选变量里，请删去该项", column=column_id
                )
        if not 1 <= len(members) <= self.order:
            context.fault("terms.count", f"“{self.title}”的一项最多由 {self.order} 个变量组成", k=len(members))

    def bind(self, resolved: Any, binder: Binder) -> Terms:
        terms = []
        for term in resolved["terms"]:
            nested = isinstance(term, dict)
            terms.append(Term(tuple(binder.column(c) for c in (term["nested"] if nested else term)), nested))
        return Terms(resolved["preset"], tuple(terms))

    def empty(self) -> Any:
        return {"preset": "main", "terms": []}

    def column_ids(self, resolved: Any) -> list[str]:
        return []  # always among the columns of the roles it is made of

    def bad_values(self, good: Any, context: Context) -> Iterator[tuple[Any, str]]:
        yield ({"preset": "no_such"}, "terms.unknown")
        yield ({"preset": "custom", "terms": [["c99999"]]}, "terms.unknown")
        yield ({"preset": "custom", "terms": []}, "terms.count")

    def other_values(self, good: Any, context: Context) -> Iterator[Any]:
        yield from ({"preset": preset} for preset in self.presets if preset != "custom")


_NESTED: Schema = {
    "type": "object",
    "properties": {"nested": {"type": "array", "items": COLUMN}},
    "required": ["nested"],
    "additionalProperties": False,
}


def terms(
    title: str,
    *,
    of: str | tuple[str, ...],
    order: int = 3,
    presets: tuple[Preset, ...] = tuple(PRESETS),
    hint: str | None = None,
    when: Condition | None = None,
    advanced: bool = False,
    auto: AutoRule | str | None = None,
) -> Any:
    """Terms made of the variables in `of`; main effects unless chosen otherwise. Annotate `Terms`."""
    words = common(hint=hint, when=when, advanced=advanced, auto=auto)
    fields = [of] if isinstance(of, str) else list(of)
    return TermsField(title=title, of=fields, order=order, presets=list(presets), required=False, **words)
