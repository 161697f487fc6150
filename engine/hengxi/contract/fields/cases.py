"""`cases`: new observations to put into a model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from ..measures import ColumnInfo, is_number, title_of
from ..when import Condition
from .base import LEVEL_VALUE, AutoRule, Binder, Context, Field, Schema, common
from .level import same_value


@dataclass(frozen=True)
class Case:
    """One new observation: the value for each column id."""

    values: dict[str, Any]

    def __getitem__(self, column: Any) -> Any:
        return self.values[column.id if hasattr(column, "id") else column]


@dataclass(kw_only=True)
class CasesField(Field):
    """Wire: `[{"c3": 12.5, "c7": "女"}]`."""

    type: Literal["cases"] = "cases"
    of: list[str]
    max: int

    def schema(self) -> Schema:
        row = {"type": "object", "propertyNames": {"pattern": "^c[1-9][0-9]*$"}, "additionalProperties": LEVEL_VALUE}
        return {"type": ["array", "null"], "items": row}

    def empty(self) -> list[Any]:
        return []

    def resolve(self, raw: Any, context: Context) -> Any:
        columns = [column for key in self.of for column in context.columns(key)]
        rows = list(raw or [])
        if len(rows) > self.max:
            context.fault("cases.value", f"“{self.title}”最多 {self.max} 行，现有 {len(rows)} 行", k=len(rows))
        for number, row in enumerate(rows, 1):
            for column in columns:
                self._judge(row.get(column.id), column, number, context)
        return [{column.id: row.get(column.id) for column in columns} for row in rows]

    def _judge(self, value: Any, column: ColumnInfo, number: int, context: Context) -> None:
        where = f"“{self.title}”第 {number} 行"
        if value is None or value == "":
            context.fault("cases.incomplete", f"{where}缺少“{title_of(column)}”的值", column=column.id, row=number)
        elif column.measure == "定类" and column.levels is not None:
            if not any(same_value(level.value, value) for level in column.levels if level.count > 0):
                text = f"{where}：“{value}”不是变量“{title_of(column)}”的取值"
                context.fault("cases.value", text, column=column.id, row=number, value=value)
        elif is_number(column) and isinstance(value, str | bool):
            context.fault("cases.value", f"{where}：变量“{title_of(column)}”须填数值", column=column.id, row=number)

    def bind(self, resolved: Any, binder: Binder) -> list[Case]:
        return [Case(row) for row in resolved]

    def bad_values(self, good: Any, context: Context) -> Iterator[tuple[Any, str]]:
        if any(context.columns(key) for key in self.of):
            yield ([{}], "cases.incomplete")


def cases(
    title: str,
    *,
    of: str | tuple[str, ...],
    max: int = 20,
    hint: str | None = None,
    when: Condition | None = None,
    advanced: bool = False,
    auto: AutoRule | str | None = None,
) -> Any:
    """New observations: a value for each variable in `of`. Annotate `list[Case]`; read `case[column]`."""
    words = common(hint=hint, when=when, advanced=advanced, auto=auto)
    fields = [of] if isinstance(of, str) else list(of)
    return CasesField(title=title, of=fields, max=max, required=False, **words)
