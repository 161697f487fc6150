"""`within`: repeated measures, as one column a cell of the design (wide) or one row a measurement (long)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import Any, Literal

from ..measures import title_of
from ..when import Condition
from .base import COLUMN, NULLABLE_COLUMN, AutoRule, Binder, Context, Field, Schema, common
from .role import RoleField

Layout = Literal["wide", "long"]
NAME_LENGTH = 40


@dataclass(frozen=True)
class WithinFactor:
    """A factor of repeated measures. Wide: `levels` are the user's names. Long: `column` holds them."""

    name: str
    levels: tuple[str, ...]
    column: Any = None


@dataclass(frozen=True)
class Within:
    """What `run` reads. Wide: `cells`, the last factor changing fastest. Long: `subject`, `value`."""

    layout: Layout
    factors: tuple[WithinFactor, ...]
    cells: tuple[Any, ...] = ()
    subject: Any = None
    value: Any = None


@dataclass(kw_only=True)
class WithinField(Field):
    """Wire: `{"layout": "wide", "factors": [{"name": "时间", "levels": ["前", "后"]}], "cells": ["c1", "c2"]}` or
    `{"layout": "long", "subject": "c1", "factors": ["c2"], "value": "c3"}`."""

    holds_variables = True

    type: Literal["within"] = "within"
    factors: tuple[int, int]
    levels: tuple[int, int]
    layouts: list[Layout]

    def schema(self) -> Schema:
        factor = {
            "type": "object",
            "properties": {"name": {"type": "string"}, "levels": {"type": "array", "items": {"type": "string"}}},
            "required": ["name", "levels"],
            "additionalProperties": False,
        }
        properties = {
            "layout": {"type": "string"},
            "factors": {"type": ["array", "null"], "items": {"anyOf": [factor, COLUMN]}},
            "cells": {"type": ["array", "null"], "items": NULLABLE_COLUMN},
            "subject": NULLABLE_COLUMN,
            "value": NULLABLE_COLUMN,
        }
        return {"type": ["object", "null"], "properties": properties, "additionalProperties": False}

    def empty(self) -> Any:
        return {"layout": self.layouts[0], "factors": [], "cells": []}

    def resolve(self, raw: Any, context: Context) -> Any:
        given = raw or {}
        layout = given.get("layout") or self.layouts[0]
        if layout not in self.layouts:
            context.fault("within.layout", f"“{self.title}”没有“{layout}”这种排列", value=layout)
            return self.empty()
        return self._wide(given, context) if layout == "wide" else self._long(given, context)

    # ---- wide ----------------------------------------------------------------------------------------------------
    def _wide(self, given: dict[str, Any], context: Context) -> dict[str, Any]:
        factors = [factor for factor in given.get("factors") or [] if isinstance(factor, dict)]
        factors = [{"name": f["name"].strip(), "levels": [level.strip() for level in f["levels"]]} for f in factors]
        cells = list(given.get("cells") or [])
        resolved = {"layout": "wide", "factors": factors, "cells": cells}
        if not factors and not any(cells):
            if self.required:
                context.fault("within.required", f"请在“{self.title}”写出各次测量的名称，并放入对应的变量")
            return resolved
        self._judge_number(len(factors), context)
        for number, factor in enumerate(factors, 1):
            self._judge_factor(factor, number, factors, context)
        self._judge_cells(factors, cells, context)
        return resolved

    def _judge_number(self, k: int, context: Context) -> None:
        low, high = self.factors
        if not low <= k <= high:
            span = str(low) if low == high else f"{low} 到 {high}"
            context.fault("within.factors", f"“{self.title}”要有 {span} 个重复测量因素，现有 {k} 个", k=k)

    def _judge_factor(
        self, factor: dict[str, Any], number: int, factors: list[dict[str, Any]], context: Context
    ) -> None:
        name, levels = factor["name"], factor["levels"]
        low, high = self.levels
        if not name or len(name) > NAME_LENGTH:
            context.fault("within.name", f"“{self.title}”第 {number} 个因素要有名称（最多 {NAME_LENGTH} 个字）")
        elif name in [other["name"] for other in factors[: number - 1]]:
            context.fault("within.name", f"“{self.title}”有两个因素都叫“{name}”，请改一个名称")
        if not low <= len(levels) <= high:
            text = f"“{self.title}”的“{name}”要有 {low} 到 {high} 个水平，现有 {len(levels)} 个"
            context.fault("within.levels", text, k=len(levels))
        elif not all(levels):
            context.fault("within.levels", f"“{self.title}”的“{name}”有一个水平没有名称，请填写")
        elif len(set(levels)) < len(levels):
            again = next(level for level in levels if levels.count(level) > 1)
            context.fault("within.levels", f"“{self.title}”的“{name}”有两个水平都叫“{again}”，请改一个名称")

    def _judge_cells(self, factors: list[dict[str, Any]], cells: list[str | None], context: Context) -> None:
        wanted = prod(len(factor["levels"]) for factor in factors)
        filled = [column_id for column_id in cells if column_id is not None]
        if len(cells) != wanted or len(filled) < wanted:
            text = f"“{self.title}”有 {wanted} 个格子，放了 {len(filled)} 个变量，每格都要放一个"
            context.fault("within.cells", text, k=len(filled), cells=wanted)
        box = _box(self.title, "定量")
        for column_id in filled:
            box.judge_column(column_id, filled, context)
        again = next((column_id for column_id in filled if filled.count(column_id) > 1), None)
        if again is not None:
            column = context.column(again)
            name = title_of(column) if column is not None else again
            text = f"“{self.title}”里变量“{name}”放进了两个格子，每格要放不同的变量"
            context.fault("within.duplicate", text, column=again)

    # ---- long ----------------------------------------------------------------------------------------------------
    def _long(self, given: dict[str, Any], context: Context) -> dict[str, Any]:
        factors = [factor for factor in given.get("factors") or [] if isinstance(factor, str)]
        subject: str | None = given.get("subject")
        value: str | None = given.get("value")
        for column_id, name in ((subject, "个案编号"), (value, "测量值")):
            if column_id is None:
                context.fault("within.incomplete", f"“{self.title}”还缺“{name}”，请放入变量")
        self._judge_number(len(factors), context)
        ids = [column_id for column_id in (subject, *factors, value) if column_id is not None]
        if (again := next((column_id for column_id in ids if ids.count(column_id) > 1), None)) is not None:
            context.fault("within.duplicate", f"“{self.title}”里有一个变量放了两次，请移去一个", column=again)
        if subject is not None:
            _box(f"{self.title}·个案编号", "任意").judge_column(subject, [], context)
        for column_id in factors:
            _box(f"{self.title}·因素", "定类", self.levels).judge_column(column_id, [], context)
        if value is not None:
            _box(f"{self.title}·测量值", "定量").judge_column(value, [], context)
        return {"layout": "long", "subject": subject, "factors": factors, "value": value}

    # ---- reading -------------------------------------------------------------------------------------------------
    def bind(self, resolved: Any, binder: Binder) -> Within:
        if resolved["layout"] == "long":
            columns = [binder.column(column_id) for column_id in resolved["factors"]]
            for column in columns:
                _box(f"{self.title}·因素", "定类", self.levels).judge_used(column, [])
            factors = tuple(
                WithinFactor(title_of(column), tuple(level.label for level in column.levels), column)
                for column in columns
            )
            value, subject = (binder.column(resolved[key]) for key in ("value", "subject"))
            return Within("long", factors, subject=subject, value=value)
        cells = tuple(binder.column(column_id) for column_id in resolved["cells"])
        return Within(
            "wide", tuple(WithinFactor(f["name"], tuple(f["levels"])) for f in resolved["factors"]), cells=cells
        )

    def column_ids(self, resolved: Any) -> list[str]:
        ids: list[str | None] = (
            [resolved["subject"], *resolved["factors"], resolved["value"]]
            if resolved["layout"] == "long"
            else resolved["cells"]
        )
        return list(dict.fromkeys(column_id for column_id in ids if column_id is not None))

    def bad_values(self, good: Any, context: Context) -> Iterator[tuple[Any, str]]:
        if self.required:
            yield ({"layout": "wide", "factors": [], "cells": []}, "within.required")
        if not good or good["layout"] != "wide" or not good["factors"]:
            return
        cells, (first, *others) = good["cells"], good["factors"]
        yield ({**good, "cells": cells[:-1]}, "within.cells")
        yield ({**good, "cells": [*cells[:-1], "c99999"]}, "role.gone")
        yield ({**good, "cells": [*cells[:-1], cells[0]]}, "within.duplicate")
        yield (
            {**good, "factors": [{**first, "levels": [first["levels"][0]] * len(first["levels"])}, *others]},
            "within.levels",
        )
        yield ({**good, "factors": [{**first, "name": ""}, *others]}, "within.name")


def _box(title: str, measure: Any, levels: tuple[int, int] | None = None) -> RoleField:
    return RoleField(title=title, measure=measure, levels=levels, many=False, min=0, max=1, shared_with=[])


def within(
    title: str,
    *,
    factors: tuple[int, int] = (1, 3),
    levels: tuple[int, int] = (2, 20),
    layouts: tuple[Layout, ...] = ("wide", "long"),
    required: bool = True,
    hint: str | None = None,
    when: Condition | None = None,
    advanced: bool = False,
    auto: AutoRule | str | None = None,
) -> Any:
    """Repeated measures: names of the factors and their levels, a variable for each cell. Annotate `Within`."""
    words = common(hint=hint, when=when, advanced=advanced, auto=auto)
    return WithinField(title=title, factors=factors, levels=levels, layouts=list(layouts), required=required, **words)
