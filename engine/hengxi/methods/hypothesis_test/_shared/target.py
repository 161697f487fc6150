"""The category a rate counts: as chosen, else 是, 1, 阳性 … of two categories."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hengxi.contract import Column, Level, Refusal, level
from hengxi.stats.count_table import happened
from hengxi.stats.frequencies import frequencies
from hengxi.stats.moments import Floats


def field(of: str, hint: str = "算这一类的比例；不选时取“是”“有”“阳性”“1”，都没有时取第一类") -> Any:
    """`success: Level | None = target.field("variables")`."""
    return level("目标类别", of=of, hint=hint, auto="两类时自动判断")


@dataclass(frozen=True)
class Target:
    """Which rows are of the category, and its words."""

    word: str
    hits: Floats
    """1 in the rows of the category, 0 in others that are known, NaN where missing."""

    def counts(self, weights: Floats | None, held: Any = None) -> tuple[float, float]:
        """How many are of the category, and how many are known."""
        known = ~np.isnan(self.hits) if held is None else ~np.isnan(self.hits) & held
        w = np.ones(len(self.hits)) if weights is None else weights
        return float(w[known & (self.hits == 1)].sum()), float(w[known].sum())


def target(column: Column, chosen: Level | None, field: str, also: tuple[str, ...] = ()) -> Target:
    """Refuses a category the variable does not have, and a variable of many categories where none is chosen."""
    listed = column.all_levels if column.distinct_least <= 2 and len(column.all_levels) == 2 else column.levels
    if chosen is not None:
        place = next((one for one in listed if one.value == chosen.value), None)
        if place is None:
            raise Refusal(
                "level.absent", "类别“{g}”不在变量“{v}”中，请重新选择目标类别", field="success", column=column.id,
                g=chosen.label, v=column.title,
            )  # fmt: skip
    else:
        if len(listed) > 2:
            raise Refusal(
                "role.levels", "“{v}”有 {k} 个类别，请指定目标类别", field="success", also=[field, *also],
                column=column.id, v=column.title, k=len(listed),
            )  # fmt: skip
        if not listed:
            raise Refusal("role.empty", "“{v}”没有有效值", field=field, column=column.id, v=column.title)
        place = listed[happened(listed)]
    hits = column.where(place).astype(float)
    hits[column.codes < 0] = np.nan
    return Target(place.label, hits)


def weights_of(form: Any) -> Floats | None:
    """The frequency of each row, or None."""
    return frequencies(form.weight)
