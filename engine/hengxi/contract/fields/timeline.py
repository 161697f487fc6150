"""`timeline`: the variable of time, its frequency, its gaps; in a panel once for each unit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ..calendar import FREQUENCIES, Calendar, Frequency, days_of, detect, regular
from ..measures import title_of
from ..refusal import Refusal
from ..when import Condition
from .base import NULLABLE_COLUMN, AutoRule, Binder, Context, Field, Schema, common
from .role import RoleField

Gaps = Literal["refuse", "keep"]
Ints = npt.NDArray[np.int64]
LARGEST = 1e9
"""Days or plain numbers beyond this are no time."""
SHOWN = 5
"""So many periods or rows a refusal names."""


@dataclass(frozen=True)
class Timeline:
    """What `run` reads.

    `place`: for each row used its place in the regular series, from 0. `order`: the rows by unit and time.
    `unit`: for each row the code of its unit in a panel, else 0. `is_date`: periods are dates, not plain numbers.
    """

    column: Any
    calendar: Calendar
    place: Ints
    order: Ints
    unit: Ints
    is_date: bool

    @property
    def length(self) -> int:
        """Periods from the first to the last, those without a row included."""
        return int(self.place.max()) + 1

    def label(self, place: int) -> str:
        return self.calendar.label(place)


@dataclass(kw_only=True)
class TimelineField(Field):
    """Wire: `{"column": "c2", "frequency": null}`; null = read from the data."""

    holds_variables = True

    type: Literal["timeline"] = "timeline"
    frequencies: dict[str, str]
    """Those the user may choose from, with their names."""
    panel: str | None
    gaps: Gaps
    least: int
    repeats: bool = field(default=False, metadata={"wire": False})
    """Where no unit is named, may several rows lie in one period (a new sample each time)?"""

    def schema(self) -> Schema:
        properties = {"column": NULLABLE_COLUMN, "frequency": {"type": ["string", "null"]}}
        return {"type": ["object", "null"], "properties": properties, "additionalProperties": False}

    def resolve(self, raw: Any, context: Context) -> Any:
        given = raw or {}
        column_id, frequency = given.get("column"), given.get("frequency")
        if column_id is None:
            if self.required:
                context.fault("timeline.required", f"请在“{self.title}”放入时间变量")
            return None
        self._box().judge_column(column_id, [column_id], context)
        if frequency is not None and frequency not in self.frequencies:
            words = "、".join(self.frequencies.values())
            context.fault("timeline.frequency", f"“{self.title}”的频率只能是{words}", value=frequency)
            frequency = None
        return {"column": column_id, "frequency": frequency}

    def _box(self) -> RoleField:
        return RoleField(title=self.title, measure="时间", varies=True, min=1, max=1, shared_with=[])

    def column_ids(self, resolved: Any) -> list[str]:
        return [resolved["column"]] if resolved else []

    def bind(self, resolved: Any, binder: Binder) -> Timeline | None:
        if resolved is None:
            return None
        column = binder.column(resolved["column"])
        units = binder.columns(self.panel) if self.panel is not None else []
        return self.read(column, units[0] if units else None, resolved["frequency"])

    def read(self, column: Any, entity: Any, frequency: Frequency | None) -> Timeline:
        """Raises Refusal: `timeline.short`, `.frequency`, `.duplicate`, `.gap`."""
        missing = column.missing
        if missing.any():
            rows = "、".join(str(row) for row in column.row_numbers[missing][:SHOWN])
            text = f"时间变量“{title_of(column)}”有 {int(missing.sum()):,} 行缺失（第 {rows} 行），请补上或剔除这些行"
            raise Refusal("timeline.missing", text, field=self.key, column=column.id)
        if column.info.storage == "text":
            text = f"“{title_of(column)}”是文字，读不出时间；请先把它转成日期，或写成 202401 这样的数"
            raise Refusal("timeline.text", text, field=self.key, column=column.id)
        if len(column) and float(abs(column.numbers).max()) > LARGEST:
            text = f"“{title_of(column)}”的数值太大，不是时间"
            raise Refusal("timeline.range", text, field=self.key, column=column.id)
        days, is_date = days_of(column.numbers, "date" in column.info.storage)
        if len(days) == 0:
            raise Refusal("timeline.short", f"“{self.title}”没有可用的行", field=self.key, column=column.id)
        known = detect(days, is_date) if frequency is None else frequency
        if known == "number" and is_date:
            # The user wants the codes counted as plain numbers.
            days, is_date = column.numbers, False
        elif known != "number" and not is_date:
            text = f"“{title_of(column)}”是序号，不是日期，不能按“{FREQUENCIES[known]}”计"
            raise Refusal("timeline.frequency", text, field=self.key, column=column.id)
        calendar = regular(days, known)
        place = calendar.places(days)
        unit = np.zeros(len(place), dtype=np.int64) if entity is None else entity.codes.astype(np.int64)
        order = np.lexsort((place, unit))
        timeline = Timeline(column, calendar, place, order, unit, is_date)
        self._refuse_duplicates(timeline, entity)
        self._refuse_gaps(timeline, entity)
        if timeline.length < self.least:
            text = f"“{self.title}”只有 {timeline.length} 期，至少要 {self.least} 期"
            raise Refusal("timeline.short", text, field=self.key, column=column.id, k=timeline.length)
        return timeline

    def _refuse_duplicates(self, timeline: Timeline, entity: Any) -> None:
        if self.repeats and entity is None:
            return
        order, place, unit = timeline.order, timeline.place, timeline.unit
        same = (np.diff(place[order]) == 0) & (np.diff(unit[order]) == 0)
        if not same.any():
            return
        at = int(np.flatnonzero(same)[0])
        first, second = timeline.column.row_numbers[order[at : at + 2]]
        period = timeline.label(int(place[order[at]]))
        text = (
            f"{_of_unit(entity, unit[order[at]])}时间“{period}”有不止一行（第 {first}、{second} 行），"
            f"每{'个单位每期' if entity is not None else '期'}只能有一行（按{timeline.calendar.title}计）。"
            "请先汇总，或检查频率"
        )
        raise Refusal("timeline.duplicate", text, field=self.key, column=timeline.column.id, k=int(same.sum()))

    def _refuse_gaps(self, timeline: Timeline, entity: Any) -> None:
        if self.gaps == "keep":
            return
        order, place, unit = timeline.order, timeline.place, timeline.unit
        steps, same_unit = np.diff(place[order]), np.diff(unit[order]) == 0
        holes = (steps > 1) & same_unit
        if not holes.any():
            return
        at = int(np.flatnonzero(holes)[0])
        start, end = int(place[order[at]]) + 1, int(place[order[at + 1]])
        named = [timeline.label(k) for k in range(start, min(end, start + SHOWN))]
        total = int((steps[holes] - 1).sum())
        text = (
            f"{_of_unit(entity, unit[order[at]])}时间不连续，按{timeline.calendar.title}计缺 {total:,} 期"
            f"（{'、'.join(named)}{'…' if total > len(named) else ''}）。请先补齐或插补这些期"
        )
        raise Refusal("timeline.gap", text, field=self.key, column=timeline.column.id, k=total)

    def bad_values(self, good: Any, context: Context) -> Iterator[tuple[Any, str]]:
        if self.required:
            yield (None, "timeline.required")
        yield ({"column": "c99999", "frequency": None}, "role.gone")
        if good:
            yield ({**good, "frequency": "no_such"}, "timeline.frequency")


def _of_unit(entity: Any, code: int) -> str:
    return "" if entity is None else f"“{entity.levels[int(code)].label}”的"


def timeline(
    title: str,
    *,
    frequency: tuple[Frequency, ...] = (),
    panel: str | None = None,
    gaps: Gaps = "refuse",
    least: int = 2,
    repeats: bool = False,
    required: bool = True,
    hint: str | None = None,
    when: Condition | None = None,
    advanced: bool = False,
    auto: AutoRule | str | None = None,
) -> Any:
    """The variable of time; annotate `Timeline` or `Timeline | None` with `required=False`.

    `frequency`: those that may be chosen (all). `panel`: the role of the unit, so that each has a series of its own.
    `gaps="keep"`: periods without a row stay empty instead of being refused. `least`: fewest periods. `repeats`: where
    no unit is named, several rows may lie in one period.
    """
    titles = {str(key): FREQUENCIES[key] for key in frequency or FREQUENCIES}
    words = common(hint=hint, when=when, advanced=advanced, auto=auto)
    return TimelineField(
        title=title,
        frequencies=titles,
        panel=panel,
        gaps=gaps,
        least=least,
        repeats=repeats,
        required=required,
        **words,
    )
