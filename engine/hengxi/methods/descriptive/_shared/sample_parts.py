"""One variable cut into its groups: the cases with a value, and how often each counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hengxi.contract import Column, Refusal
from hengxi.stats.moments import Floats, drop_empty
from hengxi.stats.names import level_words

TINY, HUGE = 1e-140, 1e140
"""Spreads outside this have squares that a double cannot hold."""


@dataclass(frozen=True, slots=True)
class Part:
    """`label`: of the group, None for the whole sample. `rows`: places of the cases in the column."""

    label: str | None
    x: Floats
    counts: Floats | None
    rows: NDArray[np.int64]

    @property
    def n(self) -> int:
        return int(self.x.size if self.counts is None else round(float(self.counts.sum())))

    @property
    def varies(self) -> bool:
        """Two different values, their spread neither too small nor too large to be squared."""
        if not self.x.size:
            return False
        reach = float(self.x.max()) / 2 - float(self.x.min()) / 2
        return bool(TINY < reach < HUGE) and reach > 1e-14 * float(np.abs(self.x).max())


def sample_parts(column: Column, group: Column | None, counts: Floats | None) -> list[Part]:
    """The groups in the order of their levels; the whole sample where there is no group."""
    return list(_parts(column, group, counts))


def _parts(column: Column, group: Column | None, counts: Floats | None) -> Iterator[Part]:
    known = ~column.missing
    if counts is not None:
        known = known & (counts > 0)
    whole = bool(known.all())
    labels: list[str | None] = [None] if group is None else [*level_words(group.levels)]
    for code, label in enumerate(labels):
        here = known if group is None else known & (group.codes == code)
        if group is None and whole:
            yield Part(label, column.numbers, counts, np.arange(len(column)))
            continue
        rows = np.flatnonzero(here)
        x, f = drop_empty(column.numbers[rows], None if counts is None else counts[rows])
        yield Part(label, x, f, rows)


def refuse_extreme(column: Column, parts: list[Part], field: str) -> None:
    """Values whose squares a double cannot hold, or hardly tells from 0."""
    for part in parts:
        top = float(np.abs(part.x).max()) if part.x.size else 1.0
        reach = float(part.x.max()) / 2 - float(part.x.min()) / 2 if part.x.size else 0.0
        if not top < HUGE or 0 < reach < TINY:
            raise Refusal(
                "data.magnitude", "“{v}”的数值过大或过小，超出可计算的范围；请换一个单位", field=field,
                column=column.id, v=column.title,
            )  # fmt: skip
