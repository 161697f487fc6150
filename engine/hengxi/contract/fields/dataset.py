"""`dataset`: another of the user's tables, at one version; roles and slots with `table=` choose among its columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from ..measures import ColumnInfo
from ..when import Condition
from .base import AutoRule, Binder, Context, Field, Schema, common


@dataclass(frozen=True)
class TableChoice:
    """A version the user may read, from its metadata alone."""

    vid: int
    name: str
    rows: int
    columns: list[ColumnInfo]


class OtherTable:
    """As `run` reads it: its columns by id, all rows of it (no filter, no split, no weight reaches it)."""

    def __init__(self, choice: TableChoice, columns: list[Any]) -> None:
        self.vid, self.name, self.rows, self.columns = choice.vid, choice.name, choice.rows, columns


@dataclass(kw_only=True)
class DatasetField(Field):
    """Wire: `{"vid": 12}`, with `many` a list of them; which versions there are is the server's to say."""

    type: Literal["dataset"] = "dataset"
    many: bool = False
    max: int | None = None

    def schema(self) -> Schema:
        one: Schema = {
            "type": ["object", "null"],
            "properties": {"vid": {"type": "integer"}, "name": {"type": "string"}},
            "required": ["vid"],
            "additionalProperties": False,
        }
        return {"type": ["array", "null"], "items": {**one, "type": "object"}} if self.many else one

    def empty(self) -> Any:
        return [] if self.many else None

    def resolve(self, raw: Any, context: Context) -> Any:
        given = [one for one in (raw if self.many else [raw]) or [] if one]
        if not given:
            if self.required:
                words = f"请在“{self.title}”里{'至少选择一份数据' if self.many else '选择一份数据'}"
                context.fault("dataset.required", words)
            return self.empty()
        if self.max is not None and len(given) > self.max:
            context.fault("dataset.many", f"“{self.title}”最多 {self.max} 份，现有 {len(given)} 份，请移去多余的")
        known = {one.vid: one for one in context.tables(self.key)}
        twice = next((known[vid] for vid in [one["vid"] for one in given] if self._count(given, vid) > 1), None)
        if twice is not None:
            context.fault("dataset.twice", f"“{self.title}”中“{twice.name}”选了两次，请移去一份")
        found = []
        for one in given:
            choice = known.get(one["vid"])
            if choice is None:
                words = f"“{self.title}”中的数据已被删除或不属于你，请重新选择"
                context.fault("dataset.gone", words, vid=one["vid"])
            elif choice.rows == 0 or not choice.columns:
                context.fault("dataset.empty", f"“{choice.name}”没有数据，请换一份", vid=one["vid"])
            found.append({"vid": one["vid"], "name": choice.name if choice else one.get("name", "")})
        return found if self.many else found[0]

    @staticmethod
    def _count(given: list[dict[str, Any]], vid: int) -> int:
        return sum(one["vid"] == vid for one in given)

    def bind(self, resolved: Any, binder: Binder) -> Any:
        if self.many:
            return [binder.other_table(self.key, one["vid"]) for one in resolved]
        return None if resolved is None else binder.other_table(self.key, resolved["vid"])

    def bad_values(self, good: Any, context: Context) -> Iterator[tuple[Any, str]]:
        gone = {"vid": 999_999_999}
        yield ([*good, gone] if self.many else gone, "dataset.gone")
        if self.required:
            yield (self.empty(), "dataset.required")
        if self.many and good:
            yield ([*good, good[0]], "dataset.twice")


def dataset(
    title: str,
    *,
    many: bool = False,
    max: int | None = None,
    required: bool = True,
    hint: str | None = None,
    when: Condition | None = None,
    advanced: bool = False,
    auto: AutoRule | str | None = None,
) -> Any:
    """Another table. Annotate `OtherTable`, or `list[OtherTable]` with `many`."""
    words = common(hint=hint, when=when, advanced=advanced, auto=auto)
    return DatasetField(title=title, many=many, max=max, required=required, **words)
