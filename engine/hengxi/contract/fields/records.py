"""`records`: rows the user makes, such as the variables of a program or the experts of a panel."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from ..refusal import Remedy
from ..when import Condition
from .base import AutoRule, Binder, Context, Field, Schema, common
from .words import WordsField

MOST = 500
RESERVED = frozenset({"and", "or", "not", "in", "且", "并且", "或", "或者", "非", "属于"})
CONSTANTS = frozenset({"pi", "e", "π"})


class Record:
    """One row as `run` reads it: `.id`, and each cell by its key."""

    def __init__(self, record_id: str, cells: dict[str, Any]) -> None:
        self.id = record_id
        self._cells = cells

    def __getattr__(self, key: str) -> Any:
        try:
            return self._cells[key]
        except KeyError:
            raise AttributeError(key) from None


class _RowContext:
    """The form as a cell of one row sees it: its faults name the row."""

    def __init__(self, outer: Context, title: str, number: int) -> None:
        self._outer, self._title, self._number = outer, title, number
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
        words = f"“{self._title}”第 {self._number} 行：{text}"
        self._outer.fault(code, words, column=column, row=self._number, remedies=remedies, **facts)


@dataclass(kw_only=True)
class RecordsField(Field):
    """Wire: `[{"id": "r1", "name": "X", "bounds": {"min": 0, "max": null}}]`, in order."""

    type: Literal["records"] = "records"
    min: int
    max: int
    names: str
    """What the cell `name` of a new row is called; {i} counts."""
    cells: list[Field]
    symbols: bool = field(default=False, metadata={"wire": False})
    """Names stand in formulas, so each is one word of the grammar."""

    def schema(self) -> Schema:
        row = {
            "type": "object",
            "properties": {"id": {"type": "string"}, **{cell.key: cell.schema() for cell in self.cells}},
            "required": ["id"],
            "additionalProperties": False,
        }
        return {"type": ["array", "null"], "items": row}

    def empty(self) -> list[Any]:
        return []

    def resolve(self, raw: Any, context: Context) -> Any:
        given = list(raw or [])
        self._judge_number(len(given), context)
        rows = []
        for number, row in enumerate(given[: self.max], 1):
            inner = _RowContext(context, self.title, number)
            cells = {cell.key: cell.resolve(row.get(cell.key), inner) for cell in self.cells}
            rows.append({"id": row["id"], **cells})
        self._judge_names(rows, context)
        return rows

    def _judge_number(self, k: int, context: Context) -> None:
        if k == 0 and self.min > 0:
            context.fault("records.required", f"请填写“{self.title}”：至少 {self.min} 行")
        elif k < self.min:
            context.fault("records.few", f"“{self.title}”至少要 {self.min} 行，现有 {k} 行", k=k, min=self.min)
        elif k > self.max:
            text = f"“{self.title}”最多 {self.max:,} 行，现有 {k:,} 行，请删去多余的"
            context.fault("records.many", text, k=k, max=self.max)

    def _judge_names(self, rows: list[dict[str, Any]], context: Context) -> None:
        ids = [row["id"] for row in rows]
        if len(set(ids)) < len(ids):
            context.fault("records.name", f"“{self.title}”里有两行的内部编号相同，请删去一行后重新添加")
        for cell in self.cells:
            if not (isinstance(cell, WordsField) and cell.kind == "name"):
                continue
            names = [row[cell.key] for row in rows]
            for number, name in enumerate(names, 1):
                if self.symbols and name is not None and (why := no_symbol(name)):
                    context.fault(
                        "records.name", f"“{self.title}”第 {number} 行的{cell.title}“{name}”{why}", row=number
                    )
                    return
                if name is not None and name in names[: number - 1]:
                    text = f"“{self.title}”有两行的{cell.title}都是“{name}”，请改一个"
                    context.fault("records.name", text, row=number)
                    return

    def bind(self, resolved: Any, binder: Binder) -> list[Record]:
        return [
            Record(row["id"], {cell.key: cell.bind(row[cell.key], binder) for cell in self.cells}) for row in resolved
        ]

    def bad_values(self, good: Any, context: Context) -> Iterator[tuple[Any, str]]:
        if self.min > 0:
            yield ([], "records.required")
        if not good:
            return
        if self.min > 1:
            yield (good[: self.min - 1], "records.few")
        yield ([good[0]] * (self.max + 1), "records.many")
        if len(good) < self.max:
            yield ([*good, good[0]], "records.name")


def no_symbol(name: str) -> str | None:
    """Why a name cannot be used in a formula; None where it can."""
    if not re.fullmatch(r"[^\W\d⁰¹²³⁴⁵⁶⁷⁸⁹][^\W⁰¹²³⁴⁵⁶⁷⁸⁹]*", name):
        return "不能写进公式，请用字母或汉字开头，只含字母、汉字、数字和下划线"
    if name.lower() in RESERVED or name in CONSTANTS:
        return "是公式里的词，请换一个名称"
    return None


def records(
    title: str,
    *,
    min: int = 1,
    max: int = MOST,
    names: str = "X{i}",
    symbols: bool = False,
    hint: str | None = None,
    when: Condition | None = None,
    advanced: bool = False,
    auto: AutoRule | str | None = None,
    **cells: Any,
) -> Any:
    """Rows made by the user, one field a cell; annotate `list[Record]`. Cells of kind `name` may not repeat."""
    for key, cell in cells.items():
        cell.key = key
        if isinstance(cell, WordsField):
            cell.required = cell.default is None and cell.auto is None
    words = common(hint=hint, when=when, advanced=advanced, auto=auto)
    return RecordsField(
        title=title, min=min, max=max, names=names, cells=list(cells.values()), symbols=symbols,
        required=min > 0, **words,
    )  # fmt: skip
