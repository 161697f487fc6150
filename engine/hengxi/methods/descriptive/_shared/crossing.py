"""Two categorical variables counted against each other, and which test of their independence is read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from hengxi.contract import Column, Refusal
from hengxi.stats import contingency as tables
from hengxi.stats.exact_tables import Exact, fisher, monte_carlo
from hengxi.stats.moments import Floats
from hengxi.stats.names import level_words

MOST_CELLS = 1000
SMALL, TINY, SHARE = 5.0, 1.0, 0.2
"""Cochran's rule: expected counts below 5 in at most a fifth of the cells, none below 1."""
FORTY = 40
EXACT_N, EXACT_SIZE = 200, 100_000
"""Up to this many cases, and fillings to list, an exact p is given even where nobody needs it."""


@dataclass
class Cross:
    x: Column
    y: Column
    row: str
    column: str
    layer: str | None
    table: Floats
    rows: list[str]
    columns: list[str]
    row_levels: list[Any]
    column_levels: list[Any]
    missing: float
    form: Any

    @property
    def at(self) -> str:
        return f"{self.row} × {self.column}"

    @property
    def n(self) -> float:
        return float(self.table.sum())

    @property
    def is_two_by_two(self) -> bool:
        return self.table.shape == (2, 2)

    # ---- expected counts -------------------------------------------------------------------------------------------
    @cached_property
    def expected(self) -> Floats:
        return tables.expected(self.table)

    @property
    def least(self) -> float:
        return float(self.expected.min())

    @property
    def low(self) -> int:
        return int((self.expected < SMALL).sum())

    @property
    def low_share(self) -> float:
        return self.low / self.table.size

    @property
    def sparse(self) -> bool:
        return self.low_share > SHARE or self.least < TINY

    # ---- tests -----------------------------------------------------------------------------------------------------
    @cached_property
    def pearson(self) -> tables.ChiSquare:
        return tables.pearson(self.table)

    @cached_property
    def yates(self) -> tables.ChiSquare | None:
        return tables.yates(self.table) if self.is_two_by_two else None

    @cached_property
    def likelihood(self) -> tables.ChiSquare:
        return tables.likelihood_ratio(self.table)

    @property
    def wanted(self) -> str:
        """Which p ought to be read. It looks at the margins only, so it picks no test by its result."""
        if self.is_two_by_two:
            if self.least >= SMALL:
                return "pearson"
            return "yates" if self.n >= FORTY and self.least >= TINY else "exact"
        return "exact" if self.sparse else "pearson"

    @cached_property
    def exact(self) -> Exact | None:
        if not self.form.exact:
            return None
        if self.is_two_by_two:
            return fisher(self.table)
        if self.wanted != "exact":
            return fisher(self.table, EXACT_SIZE) if self.n <= EXACT_N else None
        found = fisher(self.table)
        if found is None:
            # Each table starts from the seed, so that it gives the same number in whatever company it stands.
            found = monte_carlo(self.table, self.form.mc_draws, np.random.default_rng(self.form.seed))
        return found

    @property
    def read(self) -> str:
        return "pearson" if self.wanted == "exact" and self.exact is None else self.wanted

    @property
    def p(self) -> float:
        if self.read == "exact":
            assert self.exact is not None
            return self.exact.p
        return self.yates.p if self.read == "yates" and self.yates else self.pearson.p

    # ---- shares ----------------------------------------------------------------------------------------------------
    @cached_property
    def residuals(self) -> Floats:
        return tables.adjusted_residuals(self.table)

    @cached_property
    def v(self) -> tables.Ratio:
        return tables.cramer_v(self.table, self.form.conf_level)

    @cached_property
    def row_shares(self) -> Floats:
        found: Floats = self.table / self.table.sum(axis=1, keepdims=True)
        return found

    @cached_property
    def whole_shares(self) -> Floats:
        found: Floats = self.table.sum(axis=0) / self.n
        return found

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
    inside = (x.codes >= 0) & (y.codes >= 0)
    if held is not None:
        inside &= held
    a, b = len(x.levels), len(y.levels)
    places = x.codes[inside].astype(np.int64) * b + y.codes[inside]
    f = None if counts is None else counts[inside]
    table = np.bincount(places, weights=f, minlength=a * b).astype(float).reshape(a, b)
    rows, columns = np.flatnonzero(table.sum(axis=1) > 0), np.flatnonzero(table.sum(axis=0) > 0)
    if rows.size < 2 or columns.size < 2:
        return None
    if rows.size * columns.size > MOST_CELLS:
        raise Refusal(
            "data.cells", "“{x}”与“{y}”的列联表有 {r}×{c} 个单元格，请合并类别",
            field="rows", also=["columns"], column=x.id,
            x=names[x.id], y=names[y.id], r=int(rows.size), c=int(columns.size),
        )  # fmt: skip
    whole = np.ones(len(x), dtype=bool) if held is None else held
    every = float(whole.sum()) if counts is None else float(counts[whole].sum())
    row_levels, column_levels = [x.levels[i] for i in rows], [y.levels[j] for j in columns]
    kept = table[np.ix_(rows, columns)]
    return Cross(
        x, y, names[x.id], names[y.id], layer, kept, level_words(row_levels), level_words(column_levels), row_levels,
        column_levels, every - float(kept.sum()), form,
    )  # fmt: skip
