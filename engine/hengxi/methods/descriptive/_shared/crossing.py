"""Two categorical variables counted against each other, and which test of their independence is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hengxi.contract import Column
from hengxi.stats.count_table import MOST_CELLS, CountTable, tabulate
from hengxi.stats.moments import Floats

__all__ = ["MOST_CELLS", "Cross", "cross", "is_ordered"]


@dataclass(kw_only=True)
class Cross(CountTable):
    x: Column
    y: Column
    row: str
    column: str
    layer: str | None
    rows: list[str]
    columns: list[str]
    row_levels: list[Any]
    column_levels: list[Any]
    missing: float
    form: Any

    @property
    def at(self) -> str:
        return f"{self.row} × {self.column}"

    # ---- order -----------------------------------------------------------------------------------------------------
    @property
    def ordered(self) -> bool:
        return is_ordered(self.x) and is_ordered(self.y)

    @property
    def scores(self) -> tuple[Floats, Floats]:
        return _scores(self.x, self.row_levels), _scores(self.y, self.column_levels)

    @property
    def square(self) -> Floats | None:
        """The table with the columns in the order of the rows, where both have the same categories."""
        place = {level.value: i for i, level in enumerate(self.column_levels)}
        values = [level.value for level in self.row_levels]
        if len(place) != len(values) or any(value not in place for value in values):
            return None
        return self.table[:, [place[value] for value in values]]


def is_ordered(column: Column) -> bool:
    return column.ordered or column.measure == "定量" or "量表" in column.info.flags


def _scores(column: Column, levels: list[Any]) -> Floats:
    """The values of numbers, places otherwise; scaled, which no measure minds, so that no square overflows."""
    if column.is_number:
        values = np.array([float(level.value) for level in levels])
        return values / float(np.abs(values).max() or 1.0)
    return np.arange(1.0, len(levels) + 1)


def cross(
    x: Column, y: Column, names: dict[str, str], held: Any, counts: Floats | None, layer: str | None, form: Any
) -> Cross | None:
    """None where fewer than two categories of one of them are left. `held`: a mask of rows, or None."""
    counted = tabulate(x, y, counts, held, names=(names[x.id], names[y.id]))
    if counted is None:
        return None
    whole = np.ones(len(x), dtype=bool) if held is None else held
    every = float(whole.sum()) if counts is None else float(counts[whole].sum())
    return Cross(
        table=counted.table, conf_level=form.conf_level, with_exact=form.exact, draws=form.mc_draws, seed=form.seed,
        x=x, y=y, row=names[x.id], column=names[y.id], layer=layer, rows=counted.rows, columns=counted.columns,
        row_levels=counted.row_levels, column_levels=counted.column_levels,
        missing=every - float(counted.table.sum()), form=form,
    )  # fmt: skip
