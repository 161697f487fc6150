"""`moment`: a period named by the user, on the time of a `timeline`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ..calendar import read_period
from ..refusal import Refusal
from ..when import Condition
from .base import AutoRule, Binder, Context, Field, Schema, common, missing_choice, optional
from .timeline import Timeline

LONGEST = 30


@dataclass(frozen=True)
class Moment:
    """What `run` reads: the period as written; `place` finds it in the series."""

    text: str
    title: str
    field: str

    def place(self, timeline: Timeline) -> int:
        """Its place in the series. Raises Refusal `moment.outside`: no period, before the first or after the last."""
        days = read_period(self.text, timeline.is_date)
        first, last = timeline.label(0), timeline.label(timeline.length - 1)
        if days is None:
            text = f"“{self.title}”的“{self.text}”不是时间，请写成“{first}”这样"
            raise Refusal("moment.outside", text, field=self.field)
        place = int(timeline.calendar.places(np.array([days]))[0])
        if not 0 <= place < timeline.length:
            text = f"“{self.title}”的“{self.text}”不在数据的时间里（{first} 到 {last}）"
            raise Refusal("moment.outside", text, field=self.field)
        return place


@dataclass(kw_only=True)
class MomentField(Field):
    """Wire: `"2008-03"`, `"2008Q1"`, `"2008"`, `"17"`."""

    type: Literal["moment"] = "moment"
    of: str

    def annotate(self, annotation: Any) -> None:
        self.required = self.auto is None and not optional(annotation)

    def schema(self) -> Schema:
        return {"type": ["string", "null"]}

    def resolve(self, raw: Any, context: Context) -> Any:
        text = raw.strip() if isinstance(raw, str) else ""
        if not text:
            if self.required:
                missing_choice(self, context, "moment")
            return None
        readable = len(text) <= LONGEST and any(read_period(text, is_date) is not None for is_date in (True, False))
        if not readable:
            words = f"“{self.title}”的“{text[:LONGEST]}”不是时间，请写成 2008、2008Q1、2008-03 或 2008-03-05 这样"
            context.fault("moment.format", words, value=text[:LONGEST])
        return text

    def bind(self, resolved: Any, binder: Binder) -> Moment | None:
        return None if resolved is None else Moment(resolved, self.title, self.key)

    def bad_values(self, good: Any, context: Context) -> Iterator[tuple[Any, str]]:
        if self.required:
            yield (None, "moment.required")
        yield ("某天", "moment.format")


def moment(
    title: str,
    *,
    of: str,
    hint: str | None = None,
    when: Condition | None = None,
    advanced: bool = False,
    auto: AutoRule | str | None = None,
) -> Any:
    """A period of the timeline `of`; annotate `Moment` or `Moment | None`."""
    return MomentField(title=title, of=of, **common(hint=hint, when=when, advanced=advanced, auto=auto))
