"""`matched`: variables that belong together, row by row: a pair of questions, a key of two tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from ..measures import Wanted, title_of
from ..when import Condition
from .base import NULLABLE_COLUMN, AutoRule, Binder, Context, Field, Schema, common
from .role import RoleField, Values


class Match:
    """One row as `run` reads it: each slot's column by its key, None where an optional slot is empty."""

    def __init__(self, columns: dict[str, Any]) -> None:
        self._columns = columns

    def __getattr__(self, key: str) -> Any:
        try:
            return self._columns[key]
        except KeyError:
            raise AttributeError(key) from None


@dataclass(kw_only=True)
class MatchedField(Field):
    """Wire: `[{"positive": "c1", "negative": "c2", "importance": null}]`."""

    holds_variables = True

    type: Literal["matched"] = "matched"
    min: int
    max: int | None
    slots: list[RoleField]

    def schema(self) -> Schema:
        properties = {slot.key: NULLABLE_COLUMN for slot in self.slots}
        row = {"type": "object", "properties": properties, "additionalProperties": False}
        return {"type": ["array", "null"], "items": row}

    def empty(self) -> list[Any]:
        return []

    def resolve(self, raw: Any, context: Context) -> Any:
        rows = [{slot.key: row.get(slot.key) for slot in self.slots} for row in raw or []]
        # A row that nothing has been put into yet is no row.
        rows = [row for row in rows if any(row.values())]
        if not rows and self.min > 0:
            names = "、".join(slot.title for slot in self.slots if slot.min > 0)
            context.fault("matched.required", f"请在“{self.title}”放入变量：每行要有{names}")
        elif len(rows) < self.min:
            text = f"“{self.title}”至少要 {self.min} 行，现有 {len(rows)} 行"
            context.fault("matched.few", text, k=len(rows), min=self.min)
        elif self.max is not None and len(rows) > self.max:
            text = f"“{self.title}”最多 {self.max} 行，现有 {len(rows)} 行，请移去多余的"
            context.fault("matched.many", text, k=len(rows), max=self.max)
        for number, row in enumerate(rows, 1):
            self._judge_row(row, number, context)
        return rows

    def _judge_row(self, row: dict[str, str | None], number: int, context: Context) -> None:
        where = f"“{self.title}”第 {number} 行"
        for slot in self.slots:
            column_id = row[slot.key]
            if column_id is not None:
                replace(slot, title=f"{self.title}·{slot.title}").judge_column(column_id, [column_id], context)
            elif slot.min > 0:
                context.fault("matched.incomplete", f"{where}还缺“{slot.title}”，请放入变量或删去这一行", row=number)
        ids = [row[slot.key] for slot in self.slots if row[slot.key] is not None and slot.table is None]
        again = next((column_id for column_id in ids if column_id and ids.count(column_id) > 1), None)
        if again is not None:
            column = context.column(again)
            name = title_of(column) if column is not None else again
            text = f"{where}的变量“{name}”放了两次，同一行要放不同的变量"
            context.fault("matched.same", text, column=again, row=number)

    def bind(self, resolved: Any, binder: Binder) -> list[Match]:
        rows = []
        for row in resolved:
            columns = {
                slot.key: binder.column(row[slot.key], slot.table) if row[slot.key] else None for slot in self.slots
            }
            for slot in self.slots:
                if columns[slot.key] is not None:
                    slot.judge_used(columns[slot.key], [row[slot.key]])
            rows.append(Match(columns))
        return rows

    def column_ids(self, resolved: Any) -> list[str]:
        own = [slot.key for slot in self.slots if slot.table is None]
        return list(dict.fromkeys(row[key] for row in resolved for key in own if row[key]))

    def bad_values(self, good: Any, context: Context) -> Iterator[tuple[Any, str]]:
        if self.min > 0:
            yield ([], "matched.required")
        if not good:
            return
        first, others = good[0], list(good[1:])
        if self.min > 1:
            yield (good[: self.min - 1], "matched.few")
        required = [slot.key for slot in self.slots if slot.min > 0]
        filled = [key for key, column_id in first.items() if column_id is not None]
        if len(filled) > 1:
            yield ([{**first, required[0]: None}, *others], "matched.incomplete")
        if len(filled) > 1 and all(slot.table is None for slot in self.slots):
            yield ([{**first, filled[1]: first[filled[0]]}, *others], "matched.same")
        yield ([{**first, filled[0]: "c99999"}, *others], "role.gone")


def slot(
    title: str,
    measure: Wanted = "任意",
    *,
    required: bool = True,
    levels: int | tuple[int, int | None] | None = None,
    values: Values | None = None,
    varies: bool = False,
    shared_with: Sequence[str] = (),
    table: str | None = None,
) -> Any:
    """One column of a `matched` field. `shared_with`: fields whose variables it may name again.

    `table="right"`: a column of the table that the `dataset` field `right` names.
    """
    return RoleField(
        title=title,
        measure=measure,
        min=1 if required else 0,
        max=1,
        levels=(levels, levels) if isinstance(levels, int) else levels,
        values=values,
        varies=varies,
        table=table,
        shared_with=list(shared_with),
        required=required,
    )


def matched(
    title: str,
    *,
    min: int = 1,
    max: int | None = None,
    hint: str | None = None,
    when: Condition | None = None,
    advanced: bool = False,
    auto: AutoRule | str | None = None,
    **slots: Any,
) -> Any:
    """Rows of variables that belong together, one `slot` a column; annotate `list[Match]`, read `match.positive`."""
    for key, box in slots.items():
        box.key = key
    words = common(hint=hint, when=when, advanced=advanced, auto=auto)
    return MatchedField(title=title, min=min, max=max, slots=list(slots.values()), required=min > 0, **words)
