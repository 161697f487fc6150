"""`settings`: one row of options for each chosen variable."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ..measures import ColumnInfo, Wanted, fits, title_of
from ..refusal import Remedy
from ..when import Condition
from .base import COLUMN, AutoRule, Binder, Context, Field, Schema, common
from .level import LevelField

SettingsBy = Literal["column"]


class _RowContext:
    """The form as a cell of one row sees it: its faults name the row's variable."""

    def __init__(self, outer: Context, column: ColumnInfo) -> None:
        self._outer, self._column = outer, column
        self.value, self.columns, self.column = outer.value, outer.columns, outer.column
        self.known, self.kept_model, self.asset = outer.known, outer.kept_model, outer.asset
        self.tables = outer.tables
        self.is_filtered = outer.is_filtered

    def fault(
        self,
        code: str,
        text: str,
        *,
        column: str | None = None,
        row: int | None = None,
        remedies: Sequence[Remedy] = (),
        **facts: Any,
    ) -> None:
        text = text if title_of(self._column) in text else f"变量“{title_of(self._column)}”：{text}"
        self._outer.fault(code, text, column=column or self._column.id, row=row, remedies=remedies, **facts)


class Row:
    """One row as `run` reads it: `.column`, and each cell by its key."""

    def __init__(self, column: Any, cells: dict[str, Any]) -> None:
        self.column = column
        self._cells = cells

    def __getattr__(self, key: str) -> Any:
        try:
            return self._cells[key]
        except KeyError:
            raise AttributeError(key) from None


@dataclass(kw_only=True)
class SettingsField(Field):
    """Wire: `[{"for": "c3", "kind": "low"}]`; variables without a row take the cells' defaults."""

    type: Literal["settings"] = "settings"
    of: str
    also: list[str]
    """Further fields whose variables get a row."""
    by: SettingsBy
    measure: Wanted
    cells: list[Field]

    def schema(self) -> Schema:
        cells = {cell.key: cell.schema() for cell in self.cells}
        row = {
            "type": "object",
            "properties": {"for": COLUMN, **cells},
            "required": ["for"],
            "additionalProperties": False,
        }
        return {"type": ["array", "null"], "items": row}

    def empty(self) -> list[Any]:
        return []

    def _rows_for(self, columns: list[ColumnInfo]) -> list[ColumnInfo]:
        if self.measure == "定类":
            # A number that merely has few values is a number here; only what the user calls categories gets a row.
            return [column for column in columns if column.measure == "定类"]
        return [column for column in columns if fits(column, self.measure)]

    def resolve(self, raw: Any, context: Context) -> Any:
        columns = [column for key in (self.of, *self.also) for column in context.columns(key)]
        given = {row["for"]: row for row in raw or []}
        for column_id in given.keys() - {column.id for column in columns}:
            known = context.column(column_id)
            name = title_of(known) if known else column_id
            context.fault("settings.row", f"“{self.title}”中的“{name}”不在所选变量里，请删去这一行", column=column_id)
        rows = []
        for column in self._rows_for(columns):
            inner = _RowContext(context, column)
            row = {"for": column.id}
            for cell in self.cells:
                value = given.get(column.id, {}).get(cell.key)
                is_level = isinstance(cell, LevelField)
                row[cell.key] = cell.resolve_in(value, [column], inner) if is_level else cell.resolve(value, inner)  # type: ignore[attr-defined]
            rows.append(row)
        return rows

    def bind(self, resolved: Any, binder: Binder) -> list[Row]:
        rows = []
        for row in resolved:
            column = binder.column(row["for"])
            cells = {
                cell.key: cell.bind_in(row[cell.key], [column])
                if isinstance(cell, LevelField)
                else cell.bind(row[cell.key], binder)
                for cell in self.cells
            }
            rows.append(Row(column, cells))
        return rows

    def bad_values(self, good: Any, context: Context) -> Iterator[tuple[Any, str]]:
        yield ([{"for": "c99999"}], "settings.row")


def settings(
    title: str,
    *,
    of: str,
    also: tuple[str, ...] = (),
    by: SettingsBy = "column",
    measure: Wanted = "任意",
    hint: str | None = None,
    when: Condition | None = None,
    advanced: bool = False,
    auto: AutoRule | str | None = None,
    **cells: Any,
) -> Any:
    """Options per variable of `of` and `also` (those that fit `measure`); cells are fields. Annotate `list[Row]`."""
    for key, cell in cells.items():
        cell.key = key
        cell.required = cell.required and cell.auto is None
    words = common(hint=hint, when=when, advanced=advanced, auto=auto)
    return SettingsField(
        title=title, of=of, also=list(also), by=by, measure=measure, cells=list(cells.values()), required=False, **words
    )
